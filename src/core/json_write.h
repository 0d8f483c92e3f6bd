/*
 * Writes JSON value by value: strict UTF-8, integers as digits, no Infinity or NaN.
 *
 * The writer puts the commas; the caller nests correctly (asserted at fini). Text is raw and
 * becomes valid UTF-8 here: U+FFFD for each invalid byte, \u00XX for control characters, so every
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
    unsigned lines; /* members up to this depth have a line of their own */
    bool comma;     /* this level has a value already */
    bool pretty;    /* a space after each key */
};

/* pretty: three levels of lines; the caller may set another depth before the first value. */
void nsc_json_init(struct nsc_json *json, struct nsc_buf *out, bool pretty);
void nsc_json_open(struct nsc_json *json, const char *key,
                   char bracket);                         /* '{' or '['; key: NULL inside arrays */
void nsc_json_close(struct nsc_json *json, char bracket); /* '}' or ']' */
void nsc_json_text(struct nsc_json *json, const char *key, struct nsc_text value);
void nsc_json_puts(struct nsc_json *json, const char *key, const char *value);
/* A list of n texts. */
void nsc_json_list(struct nsc_json *json, const char *key, char *const texts[], size_t n);
void nsc_json_int(struct nsc_json *json, const char *key, int64_t value);
void nsc_json_uint(struct nsc_json *json, const char *key, uint64_t value);
void nsc_json_bool(struct nsc_json *json, const char *key, bool value);
/* As nsc_buf_number, with "." as the point; infinite and NaN become null. */
void nsc_json_number(struct nsc_json *json, const char *key, double value, unsigned decimals);
/* Appends a string with its quotes, outside of any writer. */
void nsc_json_string(struct nsc_buf *out, struct nsc_text text);
void nsc_json_null(struct nsc_json *json, const char *key);

#endif
