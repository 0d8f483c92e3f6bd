/*
 * Lists the tables of an export and which of them the hotspot report reads.
 */
#ifndef NSC_CLI_HOTSPOTS_SCHEMA_H
#define NSC_CLI_HOTSPOTS_SCHEMA_H

#include "nsyscope/open.h"

#include "core/buf.h"

/* Appends the roles, then for each table its rows, first and last time, and columns with types. */
NSC_NODISCARD enum nsc_status nsc_hotspots_schema(struct nsc_buf *out, const char *path,
                                                  const struct nsc_open_options *options,
                                                  struct nsc_error *error);

#endif
