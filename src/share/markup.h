/*
 * Text as HTML or XML, and the head of a page that loads nothing.
 */
#ifndef NSC_SHARE_MARKUP_H
#define NSC_SHARE_MARKUP_H

#include "nsyscope/types.h"

#include "core/buf.h"

/* Appends clean text; special characters become entities. */
void nsc_markup_add(struct nsc_buf *out, const char *bytes, size_t n);
/* The same for raw text, which it cleans. */
void nsc_markup_text(struct nsc_buf *out, struct nsc_text text);
/* Raw text between two pieces of markup, such as "<b>" and "</b>". */
void nsc_markup_element(struct nsc_buf *out, const char *open, struct nsc_text text,
                        const char *close);
/* The begin of a page, up to and with its style; <style> and <head> are left open. */
void nsc_markup_page(struct nsc_buf *out, const char *title, const char *style);

#endif
