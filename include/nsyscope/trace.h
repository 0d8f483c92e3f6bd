/*
 * A trace in memory: immutable columns of events, lanes, tracks, names and counters, and facts
 * about the exports it was made of.
 *
 * struct nsc_trace owns everything; every pointer returned here is borrowed from it until
 * nsc_trace_free. No function here fails. An event, lane, track or name passed in must be below the
 * count.
 */
#ifndef NSYSCOPE_TRACE_H
#define NSYSCOPE_TRACE_H

#include "nsyscope/kind.h"
#include "nsyscope/types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct nsc_trace;

void nsc_trace_free(struct nsc_trace *trace); /* NULL is fine */

/* ---- events: one row per activity, ordered by (lane, start) ---- */

#define NSC_LONG \
    UINT32_MAX /* in duration[]: the duration is 2^32 - 1 ns or more; see
                             * nsc_event_duration() */

struct nsc_events {
    uint32_t n;
    const nsc_time *start;    /* ns on the clock of the first export */
    const uint32_t *duration; /* ns, end - start; 0: an instant; NSC_LONG: in the side table */
    const nsc_name *name;
    const uint32_t *link;   /* op: its API call; API call: its first op; NVTX event: the counters of
                           * its text (nsc_trace_event_text); NSC_NONE: none */
    const uint32_t *source; /* row id in the kind's table of its export (nsc_trace_capture_of);
                               NSC_NONE if it does not fit in 32 bits */
    const uint8_t *kind;    /* enum nsc_kind */
    uint32_t n_long;        /* long durations: a side table, ascending by event */
    const nsc_event *long_event;
    const nsc_time *long_duration;
};

/* Rare: the compiler keeps registers for the loop around the call. */
__attribute__((cold)) nsc_time nsc_event_long_duration(const struct nsc_events *events,
                                                       nsc_event event);

static inline nsc_time nsc_event_duration(const struct nsc_events *events, nsc_event event)
{
    uint32_t d = events->duration[event];

    return d != NSC_LONG ? (nsc_time)d : nsc_event_long_duration(events, event);
}

/* The end, exclusive. start + duration never overflows. */
static inline nsc_time nsc_event_end(const struct nsc_events *events, nsc_event event)
{
    return events->start[event] + nsc_event_duration(events, event);
}

/* The end for drawing and touching: an instant takes 1 ns, unless it starts at INT64_MAX. */
static inline nsc_time nsc_event_touch_end(const struct nsc_events *events, nsc_event event)
{
    nsc_time end = nsc_event_end(events, event);

    return end == events->start[event] && end < INT64_MAX ? end + 1 : end;
}

const struct nsc_events *nsc_trace_events(const struct nsc_trace *trace);

/* ---- lanes: consecutive rows that never overlap, so starts and ends both ascend ---- */

struct nsc_lane {
    uint32_t first, n; /* rows [first, first + n) */
    uint32_t track;
};

/* *n: the count. n may be NULL, also in the functions below. */
const struct nsc_lane *nsc_trace_lanes(const struct nsc_trace *trace, uint32_t *n);
/* The lane that holds event. O(log lanes). */
uint32_t nsc_trace_lane_of(const struct nsc_trace *trace, nsc_event event);
/* The same, at once if it is this lane, which is that of the event before or of the same stream. */
static inline uint32_t nsc_trace_lane_near(const struct nsc_trace *trace, nsc_event event,
                                           uint32_t lane)
{
    const struct nsc_lane *near = &nsc_trace_lanes(trace, NULL)[lane];

    return event >= near->first && event - near->first < near->n ? lane
                                                                 : nsc_trace_lane_of(trace, event);
}

/* ---- tracks: the rows of the timeline, in preorder ---- */

#define NSC_PROCESS_BITS 40 /* bits of a process; those above hold the number of the export */

struct nsc_track {
    nsc_str label; /* "GPU 0 H100 SXM", "S7 compute", "python 111 · thread 111 main", "NVTX NCCL" */
    uint8_t kind;  /* enum nsc_track_kind */
    uint8_t depth;  /* number of headers above it: 0 for a group, 1 if there are several exports */
    uint8_t work;   /* streams: the enum nsc_op_class that takes most time */
    uint32_t skip;  /* the next track that is not below this one: folding is one jump */
    uint32_t group; /* the group that holds it; itself if it is a group or a capture */
    uint32_t first_lane,
        n_lanes;         /* the lanes of a track are consecutive; lane i of NVTX is depth i */
    uint32_t counter;    /* NSC_TRACK_COUNTER: its index, else NSC_NONE */
    uint32_t pid, tid;   /* 0 if not applicable; tid also for NVTX, API ... */
    uint32_t capture_no; /* number of the export, from 0 */
    uint64_t process; /* equal for equal processes of one export: globalPid >> 24 (hardware, VM and
                         process id), plus the export's number << NSC_PROCESS_BITS */
    int64_t device;   /* deviceId of the export; -1 if not applicable, also in the three below */
    int64_t gpu;      /* physical GPU if the export maps it, else the deviceId */
    int64_t context, stream;
    int64_t domain; /* NVTX: domainId, 0 = default */
};

enum nsc_op_class {
    NSC_OP_COMPUTE,
    NSC_OP_COMM,
    NSC_OP_HTOD,
    NSC_OP_DTOH,
    NSC_OP_PEER,
    NSC_OP_MEMSET,
    NSC_N_OP_CLASSES
};

const struct nsc_track *nsc_trace_tracks(const struct nsc_trace *trace, uint32_t *n);
const struct nsc_track *nsc_trace_track(const struct nsc_trace *trace, uint32_t track);
/* The group that holds the track; the track itself if it is a group or a capture. */
uint32_t nsc_trace_group_of(const struct nsc_trace *trace, uint32_t track);
/*
 * The end of the tracks of a group: [group, end). Of a capture it is the next track, because a
 * capture holds groups; its skip is for folding alone. To visit the tracks of a group:
 * for (t = group; t < nsc_group_end(tracks, group); t++)
 */
static inline uint32_t nsc_group_end(const struct nsc_track *tracks, uint32_t group)
{
    return nsc_track_is_group(tracks[group].kind) ? tracks[group].skip : group + 1;
}
/*
 * The first group at or after track; the number of tracks if there is none. To visit all groups:
 * for (g = nsc_trace_next_group(trace, 0); g < n;
 *      g = nsc_trace_next_group(trace, nsc_group_end(tracks, g)))
 */
uint32_t nsc_trace_next_group(const struct nsc_trace *trace, uint32_t track);
/* The group of a thread; NSC_NONE: the trace has none. O(log tracks). */
uint32_t nsc_trace_thread(const struct nsc_trace *trace, uint64_t process, uint32_t tid);

/* ---- names ---- */

#define NSC_NAME_BYTES   4096   /* longer texts are cut as they are read, with a note at the end */
#define NSC_COUNTER_BYTE '\xff' /* in a full name: placeholder for a counter of the event */

enum { NSC_NAME_COMM = 1, NSC_NAME_COLORED = 2 };

/*
 * Distinct event names. NVTX texts that differ only in their decimal counters share one name, which
 * holds NSC_COUNTER_BYTE for each; the counters are stored with the event. A kernel has a full
 * (demangled) and a brief (short) name.
 */
struct nsc_names {
    uint32_t n;
    const nsc_str *full;
    const nsc_str *brief;    /* == full if there is no shorter one */
    const uint8_t *counters; /* number of counters in full; 0: NSC_COUNTER_BYTE has no special
                                meaning */
    const uint8_t
        *flags; /* NSC_NAME_COMM: a communication kernel; NSC_NAME_COLORED: argb holds a colour */
    const uint32_t *argb; /* NVTX colour */
};

const struct nsc_names *nsc_trace_names(const struct nsc_trace *trace);
struct nsc_text nsc_trace_string(const struct nsc_trace *trace, nsc_str id);
/* The event's text with its counters: borrowed from the trace, or written to scratch. Raw bytes:
 * pass them through core/text before you show them. "" for an unknown name. */
struct nsc_text nsc_trace_event_text(const struct nsc_trace *trace, nsc_event event, bool brief,
                                     char scratch[NSC_NAME_BYTES]);
/* Whether two events have equal texts, counters included. */
bool nsc_trace_same_text(const struct nsc_trace *trace, nsc_event a, nsc_event b);
/* The op class of an event; false if it is not an op. */
bool nsc_trace_work_of(const struct nsc_trace *trace, nsc_event event, enum nsc_op_class *out);

/* ---- counters ---- */

struct nsc_counter {
    uint32_t track, n;
    const nsc_time *time; /* ascending */
    const int64_t *value; /* holds from time[i] to time[i + 1] */
    int64_t min, max;
    bool is_bytes;
};

const struct nsc_counter *nsc_trace_counters(const struct nsc_trace *trace, uint32_t *n);

/* ---- the whole ---- */

/* From the first start to the last end of all events except graph creation, in ns; [0, 1) for a
 * trace without events. */
struct nsc_window nsc_trace_extent(const struct nsc_trace *trace);

/* An export in the trace. The time axis is that of the first one. The events and tracks of an
 * export are consecutive. */
struct nsc_trace_info {
    nsc_str path, version, schema; /* as exported; version and schema may be "" */
    nsc_str label, host; /* the label tells it from the other exports; "" for a single one. host: ""
                            if unknown */
    nsc_str words;       /* nsc_open_options.words */
    nsc_time duration;   /* ns of the recording; 0: unknown */
    int64_t utc_start;   /* ns since 1970 of its own time 0; 0: unknown */
    nsc_time offset;     /* ns: its own time 0 on the trace's axis; 0 for the first */
    uint64_t file_bytes;
    struct nsc_window recorded; /* all its events but graph creation; an instant lasts 1 ns. Empty
                                   without events */
    uint32_t first_event, n_events; /* rows [first_event, first_event + n_events) */
    uint32_t first_track, n_tracks; /* with its header if there are several */
};
/* All exports, in the order in which they were given; at least one. */
const struct nsc_trace_info *nsc_trace_captures(const struct nsc_trace *trace, uint32_t *n);
/* The first export: the axis is its own. */
const struct nsc_trace_info *nsc_trace_info(const struct nsc_trace *trace);
/* The number of the export that holds event. O(log exports). */
uint32_t nsc_trace_capture_of(const struct nsc_trace *trace, nsc_event event);

enum nsc_align {
    NSC_ALIGN_AUTO,  /* UTC if the recordings began close together, else START; no change for a
                        single export */
    NSC_ALIGN_UTC,   /* by the time of day at which the recordings began */
    NSC_ALIGN_START, /* by the first op of each; if one has none, by the first event */
    NSC_ALIGN_NVTX   /* by an NVTX range that every export has */
};

#define NSC_ALIGN_WORDS "utc|start|nvtx:NAME"

/* Parses one of the words. *range points into text: the name after "nvtx:", never empty; else NULL.
 * False for any other text. */
bool nsc_align_parse(enum nsc_align *out, const char **range, const char *text);

/* How the exports were aligned. */
struct nsc_alignment {
    enum nsc_align by;
    nsc_str range;      /* NSC_ALIGN_NVTX: its name */
    uint32_t instances; /* matched pairs of its instances; 1: only the first instances */
    nsc_str why;        /* why AUTO did not choose UTC; else "" */
    nsc_time residual;  /* ns: the largest distance that is left between matched instances; -1:
                           unknown */
};
const struct nsc_alignment *nsc_trace_alignment(const struct nsc_trace *trace);

/*
 * The same trace, in which an op links to the event that captured its node of a CUDA graph, not to
 * the call that launched it: a question about ops and the ranges around their call then is about
 * captured work. An op without a known capture links to none. The rest has the same numbers. NULL:
 * no capture is known.
 */
const struct nsc_trace *nsc_trace_captured(const struct nsc_trace *trace);

/* Bytes that the trace holds. */
uint64_t nsc_trace_bytes(const struct nsc_trace *trace);

#ifdef __cplusplus
}
#endif
#endif
