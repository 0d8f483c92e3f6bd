/*
 * The interface between readers and the index: rows go in, an immutable trace comes out.
 *
 *   builder = nsc_builder_new()
 *   nsc_builder_process/thread/device/domain/...       labels: one thread, any time before finish
 *   for each family (tables whose events share tracks), one after the other:
 *       family = nsc_family_new(builder, workers)
 *       each worker, in parallel, on its own feed:
 *           nsc_feed_begin_task(feed, task)
 *           { nsc_feed_track, nsc_feed_name | nsc_feed_text, nsc_feed_event }*
 *       nsc_family_end(family)                         sorts, packs into lanes, frees the raw rows
 *   nsc_builder_finish(&trace)                         tracks in preorder, links, summary, covers
 *
 * The result does not depend on which worker took which task, except for the place of a text's
 * counters (the link of an NVTX event). Tables that hold the rows of each track by start are the
 * cheapest: such rows are neither sorted nor looked up. A raw row takes 25 bytes until
 * nsc_family_end, an event 25 bytes from then on. NVTX must be the last family of an export,
 * because open ranges end with it.
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

/* The end of a range that was never closed: becomes the end of the trace. A row ends there only if
 * it is never closed. */
#define NSC_TIME_OPEN INT64_MIN

/* max_events: an upper bound of all events of all families; reserves address space only. The pool
 * is borrowed, progress may be NULL; both must outlive the builder. NULL if out of memory. */
struct nsc_builder *nsc_builder_new(uint64_t max_events, struct nsc_pool *pool,
                                    struct nsc_progress *progress);
void nsc_builder_free(struct nsc_builder *builder);
/* So many of max_events will not come: their rows are no events. The index then keeps less memory
 * for later families. */
void nsc_builder_skip(struct nsc_builder *builder, uint64_t rows);

/*
 * Everything from here on belongs to the next export; call it after nsc_family_end. Processes,
 * devices and correlation ids of two exports differ; names are shared. The reader moves times to
 * the common axis; info->offset says by how many ns.
 */
void nsc_builder_next_capture(struct nsc_builder *builder);

/* ---- metadata: the builder's thread only; the last call for a key wins ---- */

nsc_str nsc_builder_string(struct nsc_builder *builder, struct nsc_text text);
/* The facts of the current export. The builder fills in counts and tracks. */
struct nsc_trace_info *nsc_builder_info(struct nsc_builder *builder);
struct nsc_alignment *nsc_builder_alignment(struct nsc_builder *builder);
/* process: hardware, VM and process id, globalPid >> 24. The builder adds the export's number, here
 * and in track keys. */
void nsc_builder_process(struct nsc_builder *builder, uint64_t process, struct nsc_text name);
void nsc_builder_thread(struct nsc_builder *builder, uint64_t process, uint32_t tid,
                        struct nsc_text name);
void nsc_builder_device(struct nsc_builder *builder, int64_t gpu, struct nsc_text name);
/* CUDA ordinal `device` of the process is physical GPU `gpu`. */
void nsc_builder_device_map(struct nsc_builder *builder, uint64_t process, int64_t device,
                            int64_t gpu);
void nsc_builder_domain(struct nsc_builder *builder, uint64_t process, int64_t domain,
                        struct nsc_text name);
/* A note for the label of a stream: "default", "per-thread", a priority. */
void nsc_builder_stream(struct nsc_builder *builder, uint64_t process, int64_t context,
                        int64_t stream, struct nsc_text note);
/* Limits the extent to this window (--trim). */
void nsc_builder_set_trim(struct nsc_builder *builder, struct nsc_window window);

/* ---- families ---- */

struct nsc_family *nsc_family_new(struct nsc_builder *builder, unsigned workers);
/* Frees the family, also on failure: NSC_ENOMEM or NSC_ECANCELLED. */
NSC_NODISCARD enum nsc_status nsc_family_end(struct nsc_family *family, struct nsc_error *error);
/* Removes the rows of tasks [first, first + n), so that a failed scan can start over. No worker may
 * be running, and no later task may have begun. */
void nsc_family_remove(struct nsc_family *family, uint32_t first, uint32_t n);
/* The feed of one worker; one thread at a time. Borrowed from the family. */
struct nsc_feed *nsc_family_feed(struct nsc_family *family, unsigned worker);

struct nsc_track_key {
    uint8_t kind;                    /* enum nsc_track_kind, not a group */
    uint32_t tid;                    /* host tracks; 0 for a device */
    uint64_t process;                /* globalPid >> 24 */
    int64_t device, context, stream; /* device tracks; -1 elsewhere */
    int64_t domain; /* NVTX tracks: domainId; counters: a number from the reader that tells them
                       apart; else 0 */
};

struct nsc_row {
    nsc_time start, end; /* start <= end, or end is NSC_TIME_OPEN (NVTX) */
    uint32_t name;       /* from nsc_feed_name or nsc_feed_text of this feed; 0: unknown */
    uint32_t link;       /* ops, API, sync: correlation id (0: none); texts with counters: from
                            nsc_feed_text */
    uint32_t source;     /* row id or NSC_NONE */
    uint32_t track;      /* from nsc_feed_track of this feed */
    uint8_t kind;
};

/* Begins a task: the next rows belong to it. One worker begins each task, once; a task may have any
 * number of rows. */
void nsc_feed_begin_task(struct nsc_feed *feed, uint32_t task);
/* The number of a track in this feed; equal keys have equal numbers. Recent tracks are found
 * fastest. */
uint32_t nsc_feed_track(struct nsc_feed *feed, const struct nsc_track_key *key);
/*
 * The number of a plain name (kernels, calls) from its full and brief texts. Texts over
 * NSC_NAME_BYTES are cut, with a note. The call hashes the bytes, so readers remember the number by
 * string id. The index sets NSC_NAME_COMM from the texts (index/names.h).
 */
uint32_t nsc_feed_name(struct nsc_feed *feed, struct nsc_text full, struct nsc_text brief);
/*
 * The number of a text that may hold counters (NVTX). A counter is a group of at most 18 decimal
 * digits without a leading zero; it is taken out, and *link goes into the row's link. A pattern
 * with few distinct counters keeps them in its names (decided at family end, over all workers):
 * "layer 3" stays a name, "op_id = 314290" does not. has_color: argb is set. Feed the row next.
 */
uint32_t nsc_feed_text(struct nsc_feed *feed, struct nsc_text text, bool has_color, uint32_t argb,
                       uint32_t *link);
/* As nsc_feed_text, for a text and color that gave this name and link before: the next row has them,
 * too. Saves looking at the text. */
void nsc_feed_text_again(struct nsc_feed *feed, uint32_t name, uint32_t link);
/* False if out of memory: the family is lost, and nsc_family_end reports it. */
bool nsc_feed_event(struct nsc_feed *feed, const struct nsc_row *row);
/* A sample of a counter track. Its name is the track's label. */
bool nsc_feed_sample(struct nsc_feed *feed, uint32_t track, uint32_t name, nsc_time time,
                     int64_t value);
/* The samples of this counter track are changes in bytes; the trace holds their running total. */
void nsc_feed_running_total(struct nsc_feed *feed, uint32_t track);

/*
 * Makes a trace of all families so far, between two families and at most once, while others are
 * still being read. Its rows are the first rows of the finished trace; it has no links and no
 * device covers. It reads the columns of the builder and then of the finished trace: free it before
 * that one. If the builder fails, the early trace keeps the columns. NULL if out of memory, or if
 * there are counters.
 */
struct nsc_trace *nsc_builder_build_early(struct nsc_builder *builder);

/* ---- the end ---- */

/* Makes the trace and empties the builder (free it). On failure *out is NULL. */
NSC_NODISCARD enum nsc_status
nsc_builder_finish(struct nsc_trace **out, struct nsc_builder *builder, struct nsc_error *error);

#endif
