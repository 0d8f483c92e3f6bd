/*
 * The table of skills as a document (docs/SKILL_LIST.md).
 */
#ifndef NSC_CLI_SKILL_DOCUMENT_H
#define NSC_CLI_SKILL_DOCUMENT_H

#include "core/buf.h"

void nsc_skill_document(struct nsc_buf *out);

#endif
