/* The part of a sketch that sums: kernels, families, copies, GPUs, findings, as sheets of a report, which merge adds up. */
#ifndef NSC_FLEET_SKETCH_NAMES_H
#define NSC_FLEET_SKETCH_NAMES_H

#include "analysis/finding/finding.h"
#include "core/json_write.h"
#include "fleet/sketch.h"

/* Adds the member "sheets", or "findings", to the open object. */
void nsc_sketch_names_write(struct nsc_json *json, const struct nsc_sketch_question *question);
void nsc_sketch_findings_write(struct nsc_json *json, const struct nsc_findings *findings);
/* Adds a text of at most `most` bytes in JSON, cut at a character. */
void nsc_sketch_text(struct nsc_json *json, const char *key, struct nsc_text text, uint32_t most);

/* Adds integers as a text (fleet/column.h). */
void nsc_sketch_column(struct nsc_json *json, const char *key, const int64_t values[], size_t n);

#endif
