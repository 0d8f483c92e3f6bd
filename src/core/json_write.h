/*
 * JSON, written a value at a time: strict UTF-8, integers as digits, no Infinity or NaN.
 *
 * The writer keeps the commas; the caller keeps the nesting right (asserted at fini). Text is raw:
 * it is made valid UTF-8 here, each bad byte as U+FFFD, control characters as \u00XX, so every
 * reader gets the same string.
 */
#ifndef NSC_CORE_JSON_WRITE_H
#define NSC_CORE_JSON_WRITE_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/text.h"

struct nsc_json {
    struct nsc_buf *out;
    unsigned depth;
    unsigned lines; /* members down to this depth stand on a line of their own */
    bool comma;     /* a value stands before on this level */
    bool pretty;    /* a space after each key */
};

/* pretty: three levels of lines; the caller may set another depth before the first value. */
void nsc_json_init(struct nsc_json *json, struct nsc_buf *out, bool pretty);
void nsc_json_open(struct nsc_json *json, const char *key,
                   char bracket);                         /* '{' or '['; key NULL inside arrays */
void nsc_json_close(struct nsc_json *json, char bracket); /* '}' or ']' */
void nsc_json_text(struct nsc_json *json, const char *key, struct nsc_text value);
void nsc_json_puts(struct nsc_json *json, const char *key, const char *value);
void nsc_json_int(struct nsc_json *json, const char *key, int64_t value);
void nsc_json_uint(struct nsc_json *json, const char *key, uint64_t value);
void nsc_json_bool(struct nsc_json *json, const char *key, bool value);
/* With so many decimals, "." as the point; infinite and NaN become null. */
void nsc_json_number(struct nsc_json *json, const char *key, double value, unsigned decimals);
void nsc_json_null(struct nsc_json *json, const char *key);

#endif
