/* A job of sketches and reports: adds them up, judges the sketches, and writes them as one merged file. */
#ifndef NSC_FLEET_JOB_H
#define NSC_FLEET_JOB_H

#include "core/sheet.h"
#include "fleet/documents.h"
#include "fleet/sketch_read.h"

struct nsc_merge;

/* Adds the documents to merge in their order, and the sheets of the sketches (fleet_sheets.h) to out. Documents that cannot
 * be read are complained of and left out. */
void nsc_fleet_job_read(struct nsc_sheets *out, struct nsc_documents *documents,
                        struct nsc_merge *merge, uint32_t limit);
/* Fills a fleet with the ranks of the sketches, and adds all documents to merge if it is not NULL. What cannot be read, and
 * without merge reports, is complained of and left out. keeps_parts: of each row. */
void nsc_fleet_job_ranks(struct nsc_fleet *fleet, struct nsc_documents *documents, bool keeps_parts,
                         struct nsc_merge *merge);
/* Writes the sketches in their order to a file, one a line: a merge of merges gives the same bytes. Replaces a
 * sketch, and another file if replaces. */
NSC_NODISCARD enum nsc_status nsc_fleet_job_write(struct nsc_documents *documents, const char *path,
                                                  bool replaces, struct nsc_error *error);
#define NSC_FLEET_IDENTITY 33 /* bytes of a job's identity: 32 hexadecimal digits and a NUL */

/* The same for a folder of sketches and for a merged file. */
void nsc_fleet_job_identity(char out[NSC_FLEET_IDENTITY], const struct nsc_documents *documents);
/* Adds to a sheet which ranks are missing or there twice, and how many files could not be read. */
void nsc_fleet_job_notes(struct nsc_sheet *sheet, const struct nsc_documents *documents);

#endif
