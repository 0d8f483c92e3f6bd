/*
 * How functions report errors: a status code, and a line of text in the caller's buffer.
 *
 * The caller owns struct nsc_error and may pass NULL if it wants only the code. The text is one
 * line, safe to show (control characters escaped), and says what is wrong, where, and what to do.
 */
#ifndef NSYSCOPE_STATUS_H
#define NSYSCOPE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define NSC_NODISCARD           __attribute__((warn_unused_result))
#define NSC_PRINTF(text, first) __attribute__((format(printf, text, first)))

enum nsc_status {
    NSC_OK,
    NSC_ENOMEM,     /* the system, or the --mem budget, has no memory left */
    NSC_EIO,        /* reading failed */
    NSC_EFORMAT,    /* not an export, or not readable as one */
    NSC_EDAMAGED,   /* an export that is damaged beyond use */
    NSC_EINVAL,     /* wrong input of the user: option, filter, theme, time */
    NSC_ECANCELLED, /* the user cancelled */
    NSC_ENODATA,    /* the export lacks the data for the question */
    NSC_EWRITE      /* an output could not be written */
};

struct nsc_error {
    enum nsc_status status;
    char text[240];
};

/* Sets status and text (cut to fit, control characters shown as \xNN) and returns status. The first
 * failure wins: an error that already holds a failure stays. */
enum nsc_status nsc_fail(struct nsc_error *error, enum nsc_status status, const char *format, ...)
    NSC_PRINTF(3, 4);

/* A word for a status: "ok", "out of memory" ... Never NULL. */
const char *nsc_status_word(enum nsc_status status);

#ifdef __cplusplus
}
#endif
#endif
