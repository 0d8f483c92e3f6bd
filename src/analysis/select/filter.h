/*
 * The filter: one line of terms that selects events, compiled once and applied to all rows as a
 * mask.
 *
 *     filter = term*                     terms are ANDed
 *     term   = ["!"] key value | word    "!" negates the term; a word without a key matches names
 *     value  = item ("," item)*          commas mean OR
 *     item   = word | '"' text '"'       inside quotes \" and \\ mean " and \
 *
 *     name:flash,attn     the name contains it, case folded; a word with "::" is such a word too
 *     name=TEXT           the whole name, byte by byte
 *     name~^void.*gemm    an extended regular expression over the first 512 bytes, case folded;
 *                         it ends at a space and may contain commas
 *     kind:kernel,copy    the kind of the event
 *     dur>100us dur<2ms   strictly longer or shorter; ns without a unit
 *     time:39s..42s       touches one of these windows; seconds without a unit, either end optional
 *     gpu:0 stream:7,21 pid:111 tid:9 domain:NCCL
 *                         the value of the event's track; an event without one never matches
 *     nvtx:forward        events of a thread inside one of its push/pop ranges with such a name,
 *                         and GPU work launched inside one
 *     captured:forward    work of CUDA graphs whose node was captured inside one
 */
#ifndef NSC_ANALYSIS_FILTER_H
#define NSC_ANALYSIS_FILTER_H

#include "nsyscope/status.h"
#include "nsyscope/trace.h"

#include "core/buf.h"
#include "core/threads.h"

struct nsc_progress;

#define NSC_FILTER_BYTES       4096 /* longest line */
#define NSC_FILTER_MATCH_BYTES 512  /* bytes of a name that a regular expression sees */

struct nsc_filter;

/* Parses a line; an empty one keeps everything. The text of NSC_EINVAL names the column (from 1).
 * Free with nsc_filter_free. */
NSC_NODISCARD enum nsc_status nsc_filter_parse(struct nsc_filter **out, struct nsc_text text,
                                               struct nsc_error *error);
/* As nsc_filter_parse; *column (may be NULL) gets the place of the error in bytes from 0. */
NSC_NODISCARD enum nsc_status nsc_filter_parse_at(struct nsc_filter **out, struct nsc_text text,
                                                  uint32_t *column, struct nsc_error *error);
void nsc_filter_free(struct nsc_filter *filter); /* NULL is fine */

bool nsc_filter_is_empty(const struct nsc_filter *filter);

/*
 * Appends a valid line without its terms of some keys; keeps negated ones. keys: "dur>", or "name:
 * name= name~" separated by spaces; a bare word is a name.
 */
void nsc_filter_strip(struct nsc_buf *out, struct nsc_text text, const char *keys);
/* The value of the first term of this key that is not negated, as written in a valid line; "" if
 * there is none. Borrowed from text. */
struct nsc_text nsc_filter_find(struct nsc_text text, const char *key);
/* Appends text in double quotes, as a value. */
void nsc_filter_quote(struct nsc_buf *out, struct nsc_text text);
/* The i-th key with its operator: "name:", "dur>"; NULL past the last. */
const char *nsc_filter_key(uint32_t i);
/* What the i-th key selects, with an example. */
const char *nsc_filter_key_help(uint32_t i);

/* The name of the NVTX domain of a track, from its label ("NVTX NCCL spans"); "default": the default
 * one; bytes NULL: it is no track of NVTX. */
struct nsc_text nsc_domain_name(const struct nsc_trace *trace, const struct nsc_track *track);
/*
 * The mask of the rows that the filter keeps, for nsc_summary_build and free(). Bits past the last
 * row are clear. pool NULL: the call starts its own threads. progress may be NULL; once it is
 * cancelled, the mask lacks rows. NULL if out of memory.
 */
uint64_t *nsc_filter_apply(const struct nsc_filter *filter, const struct nsc_trace *trace,
                           struct nsc_pool *pool, struct nsc_progress *progress);

#endif
