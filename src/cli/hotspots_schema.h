/*
 * What tables an export has, and which of them a report reads.
 */
#ifndef NSC_CLI_REPORT_SCHEMA_H
#define NSC_CLI_REPORT_SCHEMA_H

#include "nsyscope/open.h"

#include "core/buf.h"

/* Appends the roles, then a line a table: rows, first and last time, columns with their types. */
NSC_NODISCARD enum nsc_status nsc_hotspots_schema(struct nsc_buf *out, const char *path,
                                                  const struct nsc_open_options *options,
                                                  struct nsc_error *error);

#endif
