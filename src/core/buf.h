/*
 * A growable byte string for building text, with a limit of its own.
 *
 * The owner calls fini. bytes always ends in a NUL that n does not count. Text past the limit is
 * dropped and sets overflow. Whoever writes a buffer to a file or a stream refuses one that
 * overflowed: nsc_outfile_write, nsc_file_write, nsc_folder_write, nsc_print, nsc_dump. So a
 * limit is one of these:
 *   SIZE_MAX: all of the text is wanted; too much of it is a lack of memory.
 *   Any other limit of an output: a larger one is refused.
 *   The limit of a label or a message: what does not fit is cut.
 */
#ifndef NSC_CORE_BUF_H
#define NSC_CORE_BUF_H

#include "nsyscope/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nsc_buf {
    char *bytes;
    size_t n, capacity, limit;
    bool overflow;
};

#define NSC_BUF_INIT(limit_bytes)        \
    {                                    \
        NULL, 0, 0, (limit_bytes), false \
    }

void nsc_buf_fini(struct nsc_buf *buf);
void nsc_buf_clear(struct nsc_buf *buf);
void nsc_buf_add(struct nsc_buf *buf, const char *bytes, size_t n);
/* Appends another buffer; if that lost text, so did this one. */
void nsc_buf_join(struct nsc_buf *buf, const struct nsc_buf *other);
/* n more bytes for the caller to write. NULL, and nothing added, if they exceed the limit. */
char *nsc_buf_reserve(struct nsc_buf *buf, size_t n);
void nsc_buf_puts(struct nsc_buf *buf, const char *text);
void nsc_buf_putc(struct nsc_buf *buf, char c);
void nsc_buf_int(struct nsc_buf *buf, int64_t value); /* in decimal */
/* With these decimals; NSC_ALL_DIGITS: the fewest digits, at least 15, that read back as the same
 * number. */
#define NSC_ALL_DIGITS 255u
void nsc_buf_number(struct nsc_buf *buf, double value, unsigned decimals);
void nsc_buf_base64(struct nsc_buf *buf, const char *bytes, size_t n);
void nsc_buf_printf(struct nsc_buf *buf, const char *format, ...) NSC_PRINTF(2, 3);

#endif
