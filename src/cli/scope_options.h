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
#include "cli/options.h"
#include "core/vec.h"
#include "share/sheet_write.h"

struct nsc_asked {
    struct nsc_trace *trace; /* owned, as is the next */
    struct nsc_job *job;
    bool is_lent; /* the job: another's */
    struct nsc_capture
        *capture; /* the first of the job, borrowed: of a question about one export */
    struct nsc_summary *summary; /* owned: of the filter; NULL without one */
    uint64_t *mask;              /* owned */
    struct nsc_scope scope;
    enum nsc_sheet_format format;
    NSC_VEC(char *) notes; /* what a reader has to know of the scope; owned, raw */
};

/*
 * Checks the options, opens and loads the operands as one trace and works out the scope. On failure
 * nothing is left to close. NSC_EINVAL: an option is wrong, a name is not there (the line tells the
 * nearest) or an index is out of range (it tells how many there are); NSC_ENODATA: the window is
 * empty.
 */
NSC_NODISCARD enum nsc_status
nsc_asked_open(struct nsc_asked *asked, const struct nsc_options *options, struct nsc_error *error);
/* The same of one other file. */
NSC_NODISCARD enum nsc_status nsc_asked_open_file(struct nsc_asked *asked, const char *file,
                                                  const struct nsc_options *options,
                                                  struct nsc_error *error);
void nsc_asked_close(struct nsc_asked *asked);

/*
 * A question to each of several exports, in turn and on one time axis, with a trace at a time in
 * memory.
 */
struct nsc_ask {
    void (*fill)(void *context, struct nsc_asked *asked, struct nsc_sheets *sheets);
    void *context;
    const char *kind; /* as for nsc_asked_print */
};
/* Asks it and prints the answers: of several exports joined, with a column for the rank. Returns
 * the exit status. */
int nsc_asked_each(const struct nsc_options *options, struct nsc_files files,
                   const struct nsc_ask *ask);

/* Notes that every answer should carry; the scope's own are there already. */
void nsc_asked_note(struct nsc_asked *asked, const char *format, ...) NSC_PRINTF(2, 3);
/* Puts the scope's window into sheets that have none, its notes into the first, and prints them all
 * as --format says. Returns the exit status. kind: what the JSON document is,
 * "nsyscope.overlap". */
int nsc_asked_print(const struct nsc_asked *asked, struct nsc_sheets *sheets, const char *kind);

/* NSC_ENODATA: there are no such events to ask of, "GPU work". */
enum nsc_status nsc_asked_nothing(struct nsc_error *error, const char *events);

/* Prints sheets that no scope belongs to, in the width of the terminal. Returns the exit status. */
int nsc_sheets_print(const struct nsc_sheets *sheets, enum nsc_sheet_format format,
                     const char *kind);

/* --format NAME, table without it; NSC_EINVAL lists the formats. */
NSC_NODISCARD enum nsc_status nsc_sheet_format_option(enum nsc_sheet_format *out,
                                                      const struct nsc_options *options,
                                                      struct nsc_error *error);
/* Cells a table may take: of the terminal, else of $COLUMNS, else 120. */
uint32_t nsc_output_width(void);

#endif
