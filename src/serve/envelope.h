/*
 * The contract of answers: the one envelope in which commands print JSON (docs/json/answer.schema.json).
 *
 * A command hands its sheets over; when it has ended, its status tells what they are worth: no data is
 * never the same as a good figure. Answers from the screen's program, a server and the command line
 * are the same bytes, because all of them end here.
 */
#ifndef NSC_SERVE_ENVELOPE_H
#define NSC_SERVE_ENVELOPE_H

#include "nsyscope/job.h"

#include "core/argv.h"
#include "share/sheet_write.h"

#define NSC_ANSWER_SCHEMA  "nsyscope-answer"
#define NSC_ANSWER_VERSION 1

/* An export that was opened. */
struct nsc_envelope_file {
    char *path; /* as given; owned */
    uint64_t bytes;
    char identity[33]; /* of its content; "": not known */
};

/* What is known of the answer of one command line. All zero is empty; free with fini. */
struct nsc_envelope {
    bool is_json; /* else every call but fini does nothing */
    NSC_VEC(struct nsc_envelope_file) files;
    struct nsc_argv warnings;
    struct nsc_table_status *tables; /* of the files, rows added up; owned; NULL: none was loaded */
    uint32_t n_tables;
    struct nsc_window window;
    char words[320];         /* which window; "": not known */
    bool is_empty;           /* nothing is there, or the rows say so; not: nothing was recorded */
    struct nsc_argv missing; /* table, then how to record it */
    const char *kind;        /* of the sheets; static; NULL: none was taken */
    uint64_t rows, left_out;
    struct nsc_buf head, sheets; /* the members before the status, and the elements of "sheets" */
};

/* Adds a file once, and what its tables hold. */
void nsc_envelope_add_file(struct nsc_envelope *envelope, const struct nsc_trace_info *info,
                           struct nsc_capture *capture);

/*
 * Takes the sheets as they are now. most: bytes of the whole answer, 0 for any number; see
 * nsc_sheets_write_within. The head (files, window) is what is known until now.
 */
NSC_NODISCARD enum nsc_status nsc_envelope_take(struct nsc_envelope *envelope,
                                                const struct nsc_sheets *sheets, const char *kind,
                                                size_t most, struct nsc_error *error);
/* Appends the envelope to out when the command has ended with a status; command: its name. Nothing if it is no answer: a
 * wrong command line, or output that could not be written. */
void nsc_envelope_write(struct nsc_buf *out, struct nsc_envelope *envelope, const char *command,
                        enum nsc_status status, const struct nsc_error *error);
void nsc_envelope_fini(struct nsc_envelope *envelope);

#endif
