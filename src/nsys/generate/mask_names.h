/*
 * Replaces the words of names by others of the same shape: "step_12 <foo::Bar>" may become
 * "qzkx_12 <wep::Yot>".
 *
 * Each letter becomes a letter of its case; digits, signs, words of one or two letters and the words
 * of C++ that a short name depends on stay. With one key equal words become equal words, and
 * different words different ones. It hides names from readers, not from an attack on the key.
 */
#ifndef NSC_NSYS_MASK_NAMES_H
#define NSC_NSYS_MASK_NAMES_H

#include "nsyscope/types.h"

#include "core/buf.h"

/* Appends the masked text. A name by which work is known as communication stays as it is. */
void nsc_mask_names_add(struct nsc_buf *out, struct nsc_text text, const char *key);

#endif
