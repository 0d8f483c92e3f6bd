/*
 * A sketch: the summary of one export of a job, at most 256 KB whatever its length, for a merge of many.
 *
 * docs/json/sketch.schema.json says what is in it. It is one line of JSON, the same bytes for the same export, and
 * made by the engines that answer about the export itself: iterations with the parts of their time, collectives by
 * communicator in order, kernels by family and the largest by name with their durations in bins, copied bytes,
 * findings and clocks. It has at most 512 ranks. If it would be longer than NSC_SKETCH_BYTES, times are kept in us, then only every 2nd, 4th ...
 * collective of a series and the sums of 2, 4 ... iterations, and at last only the first 256, 128 ... ranks; "left_out"
 * says so.
 */
#ifndef NSC_FLEET_SKETCH_H
#define NSC_FLEET_SKETCH_H

#include "nsyscope/status.h"

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "core/buf.h"

#define NSC_SKETCH_BYTES  ((size_t)256 << 10)
#define NSC_SKETCH_FORMAT "nsyscope-sketch-1"
#define NSC_SKETCH_BEGIN  "{\"format\":\"" NSC_SKETCH_FORMAT "\""
#define NSC_SKETCH_SERIES 96 /* the longest of an export */
#define NSC_SKETCH_GPUS   64 /* the first */

struct nsc_sketch_question {
    const struct nsc_scope *scope; /* of one export, whole */
    const struct nsc_field_sets *fields;
    const char *path; /* of the export, as given */
};

/* Appends the sketch and a line break. */
void nsc_sketch_write(struct nsc_buf *out, const struct nsc_sketch_question *question);

/* Whether a file begins as a sketch does. */
bool nsc_sketch_is(const char *path);

#endif
