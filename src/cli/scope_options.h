/*
 * An export, loaded, and what a question is asked of it: --trim, --filter, --range, --bookmark and
 * --projected as a scope, and --format as the writer of its answers.
 *
 * For every subcommand that answers questions:
 *
 *     struct nsc_asked asked;
 *     if (nsc_asked_open(&asked, options, &error) != NSC_OK) return nsc_complain(&error);
 *     ... sheets from asked.scope ...
 *     result = nsc_asked_print(&asked, &sheets, "nsyscope.overlap");
 *     nsc_asked_close(&asked);
 */
#ifndef NSC_CLI_SCOPE_OPTIONS_H
#define NSC_CLI_SCOPE_OPTIONS_H

#include "nsyscope/job.h"

#include "analysis/base/scope.h"
#include "analysis/finding/steady.h"
#include "cli/options.h"
#include "core/vec.h"
#include "share/sheet_write.h"

struct nsc_asked {
    struct nsc_trace *trace; /* owned, like job */
    struct nsc_job *job;
    bool is_lent;                /* job belongs to another */
    struct nsc_capture *capture; /* borrowed: the job's first, for questions about one export */
    struct nsc_summary *summary; /* owned: the filter's; NULL without a filter */
    uint64_t *mask;              /* owned */
    struct nsc_scope scope;
    struct nsc_steady steady; /* see nsc_asked_steady */
    enum nsc_sheet_format format;
    NSC_VEC(char *) notes; /* what the reader must know about the scope; owned, raw */
};

/*
 * Checks the options, opens and loads the operands as one trace and computes the scope. On failure
 * nothing is left to close. NSC_EINVAL: a wrong option, an unknown name (the line suggests the
 * nearest) or an index out of range (it gives the number); NSC_ENODATA: the window is empty.
 */
NSC_NODISCARD enum nsc_status
nsc_asked_open(struct nsc_asked *asked, const struct nsc_options *options, struct nsc_error *error);
/* Does the same for one other file. */
NSC_NODISCARD enum nsc_status nsc_asked_open_file(struct nsc_asked *asked, const char *file,
                                                  const struct nsc_options *options,
                                                  struct nsc_error *error);
/* Does the same for one export of an open job, which it borrows. */
NSC_NODISCARD enum nsc_status nsc_asked_open_one(struct nsc_asked *asked, struct nsc_job *job,
                                                 uint32_t i, const struct nsc_options *options,
                                                 struct nsc_error *error);
void nsc_asked_close(struct nsc_asked *asked);

/*
 * A question to several exports, one after the other and on one time axis, with one trace in
 * memory.
 */
struct nsc_ask {
    enum nsc_status (*fill)(void *context, struct nsc_asked *asked, struct nsc_sheets *sheets,
                            struct nsc_error *error);
    void *context;
    const char *kind; /* see nsc_asked_print */
};
/* Asks the question and prints the answers; those of several exports are joined, with a column
 * for the rank. Returns the exit status. */
int nsc_asked_walk(const struct nsc_options *options, struct nsc_files files,
                   const struct nsc_ask *ask);

/*
 * Opens the operands one after the other, with one trace in memory, and calls each for it. A folder
 * stands for the *.sqlite files in it. Up to NSC_JOB_EXPORTS of them lie on one axis and have the
 * labels of a job; more have their own clocks, and their names as labels. label: NULL for a single
 * export. Stops at the first that fails.
 */
NSC_NODISCARD enum nsc_status
nsc_asked_each(const struct nsc_options *options,
               void (*each)(void *context, const struct nsc_asked *asked, const char *label),
               void *context, struct nsc_error *error);

/* Looks for the steady state, once, unless --whole asks for all: scope.steady, for questions about the
 * time of GPUs. Costs a walk over the launches and ranges. */
void nsc_asked_steady(struct nsc_asked *asked);
/* Adds a note for every answer. The scope's own notes are there already. */
void nsc_asked_note(struct nsc_asked *asked, const char *format, ...) NSC_PRINTF(2, 3);
/* Adds the scope's window and notes to the sheets, as print does. */
void nsc_asked_complete(const struct nsc_asked *asked, struct nsc_sheets *sheets);
/*
 * Prints the sheets as --format says. Sheets without a window get the scope's, the first gets the
 * scope's notes. kind: the JSON document's kind, "nsyscope.overlap". Returns the exit status.
 */
int nsc_asked_print(const struct nsc_asked *asked, struct nsc_sheets *sheets, const char *kind);

/* Returns NSC_ENODATA: the scope has no events of this sort, "GPU work". */
enum nsc_status nsc_asked_nothing(struct nsc_error *error, const char *events);

/* Prints sheets without a scope in the terminal's width. Returns the exit status. */
int nsc_sheets_print(const struct nsc_sheets *sheets, enum nsc_sheet_format format,
                     const char *kind);

/* Parses --format; table without it. NSC_EINVAL lists the formats. */
NSC_NODISCARD enum nsc_status nsc_sheet_format_option(enum nsc_sheet_format *out,
                                                      const struct nsc_options *options,
                                                      struct nsc_error *error);
/* Width for tables, in cells: the terminal's, else $COLUMNS; else 120 for a terminal, and 0, no limit,
 * for a pipe or a file. */
uint32_t nsc_output_width(void);

#endif
