/*
 * Single characters of untrusted text: strict decoding, and what may reach a terminal.
 */
#ifndef NSC_CORE_CHARS_H
#define NSC_CORE_CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nsc_char_class {
    NSC_CHAR_NARROW,  /* one cell, safe */
    NSC_CHAR_WIDE,    /* two cells, safe */
    NSC_CHAR_MARK,    /* no cell of its own: safe only after a base */
    NSC_CHAR_PICTURE, /* C0 or DEL: has a control picture */
    NSC_CHAR_CODE     /* invisible, ambiguous or unknown: shown by its number */
};

#define NSC_CHAR_BAD 0xFFFDu /* in place of one invalid byte */

/*
 * Decodes one character of bytes[0, n), n > 0, and returns its length. A byte that begins no valid
 * UTF-8 gives NSC_CHAR_BAD and 0; overlong forms, surrogates, code points over U+10FFFF and cut
 * sequences are not valid.
 */
size_t nsc_char_decode(uint32_t *c, const char *bytes, size_t n);

/* Writes c as UTF-8; returns its length, 1 to 4. */
size_t nsc_char_encode(char out[4], uint32_t c);

enum nsc_char_class nsc_char_class(uint32_t c);

/* Folds case: simple folding, one character to one. */
uint32_t nsc_char_fold(uint32_t c);

/* ASCII only. */
static inline bool nsc_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ASCII white space: a space, or one of \t \n \v \f \r. */
static inline bool nsc_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

#endif
