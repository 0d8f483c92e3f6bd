/*
 * Compresses bytes as raw DEFLATE (RFC 1951): greedy matches in one block with the fixed codes, which
 * is 10 to 15 % larger than the best of zlib on packed numbers and JSON, without its code.
 *
 * Output is the same for the same input.
 */
#ifndef NSC_CORE_DEFLATE_H
#define NSC_CORE_DEFLATE_H

#include "core/buf.h"

#include <stddef.h>

/* Appends the compressed bytes. Takes 0.8 MB of memory for the time of the call. */
void nsc_deflate(struct nsc_buf *out, const char *bytes, size_t n);

#endif
