/*
 * Exports of a schema that is newer than this program.
 */
#ifndef NSC_OPEN_NEWER_SCHEMA_H
#define NSC_OPEN_NEWER_SCHEMA_H

#include "nsyscope/job.h"

#define NSC_SCHEMA_KNOWN "3.28" /* the newest that its tables are known of */

#define NSC_NEWER_BYTES 240

/* A line about the first export of the loaded job whose schema is newer, with what of it is not read; false
 * and "" if there is none. Costs two seeks a table of that export. */
bool nsc_newer_schema(char out[NSC_NEWER_BYTES], const struct nsc_trace *trace,
                      struct nsc_job *job);

#endif
