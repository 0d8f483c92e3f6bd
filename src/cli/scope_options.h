/*
 * A loaded export with the scope of a question: applies --trim, --filter, --range, --bookmark and
 * --projected, and writes the answers in --format.
 *
 * For every subcommand that answers questions:
 *
 *     struct nsc_loaded_scope loaded;
 *     if (nsc_loaded_scope_open(&loaded, options, error) != NSC_OK) return error->status;
 *     ... sheets from loaded.scope ...
 *     status = nsc_loaded_scope_print(&loaded, &sheets, "nsyscope.overlap", error);
 *     nsc_loaded_scope_close(&loaded);
 */
#ifndef NSC_CLI_SCOPE_OPTIONS_H
#define NSC_CLI_SCOPE_OPTIONS_H

#include "analysis/base/scope.h"
#include "analysis/finding/steady.h"
#include "cli/field_reader.h"
#include "cli/options.h"
#include "core/vec.h"
#include "share/sheet_write.h"

/* ns before and after the window of --trim that are read too: work that a GPU waits for. */
enum { NSC_BESIDE_TRIM = 1000 * 1000 * 1000 };

struct nsc_loaded_scope {
    const struct nsc_trace *trace;
    struct nsc_trace *own;          /* the trace, unless it is lent */
    struct nsc_job *job;            /* owned, unless is_lent */
    bool is_lent;                   /* the caller owns the job */
    struct nsc_capture *capture;    /* borrowed: the job's first, for questions about one export */
    struct nsc_summary *summary;    /* owned: of the filter; NULL without a filter */
    uint64_t *mask;                 /* owned */
    struct nsc_field_reader fields; /* columns beside the index of the capture, read on first use */
    struct nsc_scope scope;
    struct nsc_steady steady;          /* see nsc_loaded_scope_steady */
    const struct nsc_options *options; /* borrowed */
    NSC_VEC(char *) notes;             /* what the user must know about the scope; owned, raw */
};

/*
 * Checks the options, opens and loads the operands as one trace, and computes the scope. On failure
 * nothing is left to close. NSC_EINVAL: an invalid option, an unknown name (with the nearest
 * names), or an index out of range (with the number of them). NSC_ENODATA: the window is empty.
 */
NSC_NODISCARD enum nsc_status nsc_loaded_scope_open(struct nsc_loaded_scope *loaded,
                                                    const struct nsc_options *options,
                                                    struct nsc_error *error);
/* Does the same for one other file. */
NSC_NODISCARD enum nsc_status nsc_loaded_scope_open_file(struct nsc_loaded_scope *loaded,
                                                         const char *file,
                                                         const struct nsc_options *options,
                                                         struct nsc_error *error);
/* Where a scope comes from: files; without files export i of an open job; or the loaded trace of one.
 * Job and trace are borrowed. */
struct nsc_scope_source {
    struct nsc_files files;
    const struct nsc_trace *trace;
    struct nsc_job *job;
    uint32_t i;
};
NSC_NODISCARD enum nsc_status nsc_loaded_scope_open_from(struct nsc_loaded_scope *loaded,
                                                         const struct nsc_scope_source *from,
                                                         const struct nsc_options *options,
                                                         struct nsc_error *error);
/* Keeps only events of the filter, too. NSC_ENOMEM. */
struct nsc_filter;
NSC_NODISCARD enum nsc_status nsc_loaded_scope_narrow(struct nsc_loaded_scope *loaded,
                                                      const struct nsc_filter *filter,
                                                      struct nsc_error *error);
void nsc_loaded_scope_close(struct nsc_loaded_scope *loaded);
/* Call it before an answer is used; complete and print do. A damaged table gives NSC_OK and a note. After
 * other failures to read columns (out of memory, a changed file) the answer must not be used. */
NSC_NODISCARD enum nsc_status nsc_loaded_scope_check(struct nsc_loaded_scope *loaded,
                                                     struct nsc_error *error);

/*
 * A question about several exports, one after the other, on one time axis, with one trace in
 * memory.
 */
struct nsc_ask {
    enum nsc_status (*fill)(void *context, struct nsc_loaded_scope *loaded,
                            struct nsc_sheets *sheets, struct nsc_error *error);
    void *context;
    const char *kind;    /* see nsc_loaded_scope_print */
    bool is_of_all_once; /* several exports are one trace, asked once */
};
/* Asks each export of a job, and joins the answers, with a column for the rank. */
NSC_NODISCARD enum nsc_status nsc_answers_join(struct nsc_sheets *out, struct nsc_job *job,
                                               const struct nsc_options *options,
                                               const struct nsc_ask *ask, struct nsc_error *error);
/* Asks the question and prints the answers, joined if the exports are several. */
enum nsc_status nsc_loaded_scope_walk(const struct nsc_options *options, struct nsc_files files,
                                      const struct nsc_ask *ask, struct nsc_error *error);

/* Finds the steady state, once, unless --whole is set: sets scope.steady, for questions about the
 * time of GPUs. Walks the launches and ranges. */
void nsc_loaded_scope_steady(struct nsc_loaded_scope *loaded);
/* Adds a note for every answer, after the scope's own. */
void nsc_loaded_scope_note(struct nsc_loaded_scope *loaded, const char *format, ...)
    NSC_PRINTF(2, 3);
/* Checks the columns, and adds the scope's window and notes to the sheets, as print does. */
NSC_NODISCARD enum nsc_status nsc_loaded_scope_complete(struct nsc_loaded_scope *loaded,
                                                        struct nsc_sheets *sheets,
                                                        struct nsc_error *error);
/*
 * Prints the sheets in --format and frees them. Sheets without a window get the scope's; the first gets the
 * scope's notes. kind: the kind of the JSON document, "nsyscope.overlap".
 */
enum nsc_status nsc_loaded_scope_print(struct nsc_loaded_scope *loaded, struct nsc_sheets *sheets,
                                       const char *kind, struct nsc_error *error);

/* Returns NSC_ENODATA: the scope has no events of these kinds, "GPU work". */
enum nsc_status nsc_loaded_scope_nothing(const struct nsc_options *options, const char *events,
                                         enum nsc_kind first, enum nsc_kind last,
                                         struct nsc_error *error);

/* How --format and the terminal want sheets. */
struct nsc_sheet_style nsc_output_style(const struct nsc_options *options);
/* Prints sheets without a scope, or writes them to the file of --output, with the columns, order and
 * number of rows that the options want, and frees them. JSON follows when the command has ended. */
enum nsc_status nsc_sheets_print(struct nsc_sheets *sheets, const struct nsc_options *options,
                                 const char *kind, struct nsc_error *error);

/* Whether the answer is a table for people, not data for a program. */
static inline bool nsc_output_is_for_people(const struct nsc_options *options)
{
    return options->format == NSC_SHEET_AS_TABLE || options->format == NSC_SHEET_AS_MD;
}

#endif
