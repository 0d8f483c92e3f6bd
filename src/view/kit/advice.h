/*
 * Advice as the screen gives it: commands of its own command line and ranges, where answers name commands and
 * options of nsyscope. Options of nsys stay.
 */
#ifndef NSC_VIEW_KIT_ADVICE_H
#define NSC_VIEW_KIT_ADVICE_H

#include "core/buf.h"
#include "core/text.h"
#include "view/kit/page.h"

void nsc_advice_add(struct nsc_buf *out, struct nsc_text text);
/* As nsc_page_wrap. */
void nsc_advice_wrap(struct nsc_page *page, enum nsc_role role, const char *text, int indent);

#endif
