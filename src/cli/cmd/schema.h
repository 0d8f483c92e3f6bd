/*
 * The page of docs/schema.
 */
#ifndef NSC_CLI_CMD_SCHEMA_H
#define NSC_CLI_CMD_SCHEMA_H

#include "core/buf.h"

/* The schema of every known version as HTML. */
void nsc_schema_document(struct nsc_buf *out);

#endif
