/*
 * How functions report trouble: a status code, and a line of text in a buffer of the caller's.
 *
 * The caller owns struct nsc_error and may pass NULL where it wants the code alone. The text is one
 * line, already safe to show (control characters escaped), and says what is wrong, where, what to
 * do.
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
    NSC_ENOMEM,     /* the system or the --mem budget refuses the memory */
    NSC_EIO,        /* reading or writing failed */
    NSC_EFORMAT,    /* not an export, or not readable as one */
    NSC_EDAMAGED,   /* an export, but damaged beyond use */
    NSC_EINVAL,     /* the user's words: option, filter, theme, time */
    NSC_ECANCELLED, /* the user cancelled */
    NSC_ENODATA     /* the export lacks what the question needs */
};

struct nsc_error {
    enum nsc_status status;
    char text[240];
};

/*
 * Sets status and text (cut to fit, control characters shown as \xNN) and returns status.
 * The first failure wins: an error that already holds a failure is left as it is.
 */
enum nsc_status nsc_fail(struct nsc_error *error, enum nsc_status status, const char *format, ...)
    NSC_PRINTF(3, 4);

/* The word for a status: "ok", "out of memory", ... Never NULL. */
const char *nsc_status_word(enum nsc_status status);

#ifdef __cplusplus
}
#endif
#endif
