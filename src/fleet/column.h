/*
 * A column of integers as text, for sketches: differences, run-length coded.
 *
 * Each value is written as its difference from the one before (the first from 0), of which the sign moves to the
 * lowest bit; then five bits a character, the lowest first, with 32 added to all but the last, in the alphabet
 * A-Z a-z 0-9 - _. "*" and a number n repeat the difference before it n more times.
 */
#ifndef NSC_FLEET_COLUMN_H
#define NSC_FLEET_COLUMN_H

#include "nsyscope/types.h"

#include "core/buf.h"

#define NSC_COLUMN_MOST (1u << 18) /* values, more than which no sketch has or a reader takes */

void nsc_column_put(struct nsc_buf *out, const int64_t values[], size_t n);
/* Reads at most `most` values; the number read. SIZE_MAX for text that is no column, or holds more. */
size_t nsc_column_get(int64_t out[], size_t most, struct nsc_text text);

#endif
