/*
 * The seam between readers and the index: rows go in, an immutable trace comes out.
 *
 *   builder = nsc_builder_new()
 *   nsc_builder_process/thread/device/domain/...       labels: one thread, any time before finish
 *   for each family (tables whose events share tracks), one after the other:
 *       family = nsc_family_new(builder, workers)
 *       each worker, in parallel, on its own feed:
 *           nsc_feed_task(feed, task)
 *           { nsc_feed_track, nsc_feed_name | nsc_feed_text, nsc_feed_event }*
 *       nsc_family_end(family)                         sorts, packs into lanes, frees the raw rows
 *   nsc_builder_finish(&trace)                         tracks in preorder, links, summary, covers
 *
 * The result does not depend on how tasks fell to workers, but for where the counters of a text lie
 * (the link of an NVTX event). Tables that hold the rows of each track in the order of their starts
 * cost least: such rows are never sorted, nor looked up one by one. A family's raw rows cost 25
 * bytes each until nsc_family_end, an event 25 bytes from then on. NVTX must be the last family of
 * an export (ranges still open end with it).
 */
#ifndef NSC_INDEX_BUILDER_H
#define NSC_INDEX_BUILDER_H

#include "nsyscope/status.h"
#include "nsyscope/trace.h"

#include "core/progress.h"
#include "core/threads.h"

struct nsc_builder;
struct nsc_family;
struct nsc_feed;

#define NSC_TIME_OPEN INT64_MAX /* end of a range that was never closed: the trace's end */

/*
 * max_events: an upper bound of all events of all families (address space only). The pool is
 * borrowed, progress may be NULL; both must outlive the builder. NULL when the memory is refused.
 */
struct nsc_builder *nsc_builder_new(uint64_t max_events, struct nsc_pool *pool,
                                    struct nsc_progress *progress);
void nsc_builder_free(struct nsc_builder *builder);

/*
 * Several exports in one trace: what is told and fed from here on is of the next one, begun after
 * nsc_family_end. Processes, devices and correlation ids of two exports never meet; names do. The
 * times are the reader's to bring onto one axis; info->offset says by how much.
 */
void nsc_builder_next_capture(struct nsc_builder *builder);

/* ---- metadata: the builder's thread only; a later call for the same key wins ---- */

nsc_str nsc_builder_string(struct nsc_builder *builder, struct nsc_text text);
/* Of the export at hand; counts and tracks are filled in by the builder. */
struct nsc_trace_info *nsc_builder_info(struct nsc_builder *builder);
struct nsc_alignment *nsc_builder_alignment(struct nsc_builder *builder);
/* process: hardware, VM and process id, as globalPid >> 24, without the export's number: that is
 * the builder's to add, here and in track keys. */
void nsc_builder_process(struct nsc_builder *builder, uint64_t process, struct nsc_text name);
void nsc_builder_thread(struct nsc_builder *builder, uint64_t process, uint32_t tid,
                        struct nsc_text name);
void nsc_builder_device(struct nsc_builder *builder, int64_t gpu, struct nsc_text name);
/* The process's CUDA ordinal device is physical GPU gpu. */
void nsc_builder_device_map(struct nsc_builder *builder, uint64_t process, int64_t device,
                            int64_t gpu);
void nsc_builder_domain(struct nsc_builder *builder, uint64_t process, int64_t domain,
                        struct nsc_text name);
/* A stream's note for its label: "default", "per-thread", a priority. */
void nsc_builder_stream(struct nsc_builder *builder, uint64_t process, int64_t context,
                        int64_t stream, struct nsc_text note);
/* Keep events that touch this window only in the extent; see --trim. */
void nsc_builder_trim(struct nsc_builder *builder, struct nsc_window window);

/* ---- families ---- */

struct nsc_family *nsc_family_new(struct nsc_builder *builder, unsigned workers);
/* NSC_ENOMEM or NSC_ECANCELLED; frees the family in any case. */
NSC_NODISCARD enum nsc_status nsc_family_end(struct nsc_family *family, struct nsc_error *error);
/* Forgets the rows of tasks [first, first + n), no worker running: a scan gave up half-way and
 * another starts over. No later task has begun. */
void nsc_family_discard(struct nsc_family *family, uint32_t first, uint32_t n);
/* The feed of one worker: no two threads on one at a time. Borrowed from the family. */
struct nsc_feed *nsc_family_feed(struct nsc_family *family, unsigned worker);

struct nsc_track_key {
    uint8_t kind;                    /* enum nsc_track_kind, no group */
    uint32_t tid;                    /* host tracks; 0 on a device */
    uint64_t process;                /* globalPid >> 24 */
    int64_t device, context, stream; /* device tracks; -1 elsewhere */
    int64_t domain; /* NVTX tracks: domainId; counters: a number of the reader's that tells them
                       apart; else 0 */
};

struct nsc_row {
    nsc_time start, end; /* start <= end; end may be NSC_TIME_OPEN (NVTX) */
    uint32_t name;       /* from nsc_feed_name or nsc_feed_text of this feed; 0: unknown */
    uint32_t link;       /* GPU work, API, sync: correlation id (0: none); text with counters: from
                            nsc_feed_text */
    uint32_t source;     /* row id, or NSC_NONE */
    uint32_t track;      /* from nsc_feed_track of this feed */
    uint8_t kind;
};

/* Rows that follow belong to this task: any number, each task begun once, by one worker. */
void nsc_feed_task(struct nsc_feed *feed, uint32_t task);
/* The number of a track in this feed: equal keys, equal numbers. Remembers those met lately. */
uint32_t nsc_feed_track(struct nsc_feed *feed, const struct nsc_track_key *key);
/*
 * A name as it is (kernels, calls): full and brief texts, verbatim; texts over NSC_NAME_BYTES are
 * cut and say so. Hashes its bytes: readers remember the number by string id. NSC_NAME_COMM is
 * decided by the index from the brief text (see index/comm.h).
 */
uint32_t nsc_feed_name(struct nsc_feed *feed, struct nsc_text full, struct nsc_text brief);
/*
 * A text that may hold counters (NVTX): runs of decimal digits (no leading zero, at most 18 digits)
 * are taken out. *link is what goes into the row's link. Texts of a pattern met with few distinct
 * counters keep them in their name (decided at family end over all workers): "layer 3" stays a name
 * of its own, "op_id = 314290" does not. has_color: argb counts. The row it is for comes next.
 */
uint32_t nsc_feed_text(struct nsc_feed *feed, struct nsc_text text, bool has_color, uint32_t argb,
                       uint32_t *link);
/* False when the memory is refused: the family is lost, nsc_family_end says so. */
bool nsc_feed_event(struct nsc_feed *feed, const struct nsc_row *row);
/* A sample of a counter track (the label is the name, from nsc_feed_name). */
bool nsc_feed_sample(struct nsc_feed *feed, uint32_t track, uint32_t name, nsc_time time,
                     int64_t value);
/* The samples of this counter track are changes: the trace holds their running total, in bytes. */
void nsc_feed_running_total(struct nsc_feed *feed, uint32_t track);

/*
 * All that families have given so far as a trace of its own, between two families and once at most,
 * while the rest is still being read: its rows are those that the finished trace begins with. It
 * has no links and no covers of devices yet. It looks into the columns of the builder, and of the
 * trace that the builder makes: free it before that one. When the builder fails it lives on by
 * itself. NULL when the memory is refused, or there are counters.
 */
struct nsc_trace *nsc_builder_early(struct nsc_builder *builder);

/* ---- the end ---- */

/* Makes the trace; the builder is empty afterwards (free it). On failure *out is NULL. */
NSC_NODISCARD enum nsc_status
nsc_builder_finish(struct nsc_trace **out, struct nsc_builder *builder, struct nsc_error *error);

#endif
