/*
 * A trace in memory: immutable columns of events, lanes and tracks, names, counters, and what is
 * known of the export, or of the several exports it was made of.
 *
 * struct nsc_trace owns everything; each pointer returned here is borrowed from it and valid until
 * nsc_trace_free. Nothing in this header can fail. Functions taking an event, lane, track or name
 * expect one below the count.
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

/* ---- events: one row an activity, rows ordered by (lane, start) ---- */

#define NSC_LONG \
    UINT32_MAX /* duration[] of an event of 2^32 - 1 ns or more: see nsc_event_duration() */

struct nsc_events {
    uint32_t n;
    const nsc_time *start;    /* ns on the clock of the first export */
    const uint32_t *duration; /* ns, end - start; 0 for an instant; NSC_LONG: in the side table */
    const nsc_name *name;
    const uint32_t
        *link; /* GPU work: the API call that launched it. API call: the first GPU work it launched.
                  NVTX: the counters of its text (see nsc_trace_event_text). Else NSC_NONE */
    const uint32_t *source; /* row id in the kind's table of its export (nsc_trace_capture_of);
                               NSC_NONE when it does not fit 32 bits */
    const uint8_t *kind;    /* enum nsc_kind */
    uint32_t n_long;        /* side table, ascending by event */
    const nsc_event *long_event;
    const nsc_time *long_duration;
};

nsc_time nsc_event_long_duration(const struct nsc_events *events, nsc_event event);

static inline nsc_time nsc_event_duration(const struct nsc_events *events, nsc_event event)
{
    uint32_t d = events->duration[event];

    return d != NSC_LONG ? (nsc_time)d : nsc_event_long_duration(events, event);
}

/* The end, exclusive; start + duration never overflows. */
static inline nsc_time nsc_event_end(const struct nsc_events *events, nsc_event event)
{
    return events->start[event] + nsc_event_duration(events, event);
}

/* The end used for drawing and touching: an instant occupies 1 ns (unless it starts at
 * INT64_MAX). */
static inline nsc_time nsc_event_touch_end(const struct nsc_events *events, nsc_event event)
{
    nsc_time end = nsc_event_end(events, event);

    return end == events->start[event] && end < INT64_MAX ? end + 1 : end;
}

const struct nsc_events *nsc_trace_events(const struct nsc_trace *trace);

/* ---- lanes: contiguous rows that never overlap, so start and end both ascend ---- */

struct nsc_lane {
    uint32_t first, n; /* rows [first, first + n) */
    uint32_t track;
};

/* *n: how many; n may be NULL, here and in the functions like it below. */
const struct nsc_lane *nsc_trace_lanes(const struct nsc_trace *trace, uint32_t *n);
/* The lane an event lies in. O(log lanes). */
uint32_t nsc_trace_lane_of(const struct nsc_trace *trace, nsc_event event);

/* ---- tracks: the rows of the timeline, in preorder ---- */

struct nsc_track {
    nsc_str label; /* "GPU 0 H100 SXM", "S7 compute", "python 111 · thread 111 main", "NVTX NCCL" */
    uint8_t kind;  /* enum nsc_track_kind */
    uint8_t depth; /* of its headers above: 0 for groups, 1 where there are several exports */
    uint8_t work;  /* streams: enum nsc_op_class that fills most of it */
    uint32_t skip; /* the next track that is no descendant: folding is one jump */
    uint32_t first_lane, n_lanes; /* lanes of one track are contiguous; lane i of NVTX is depth i */
    uint32_t counter;             /* NSC_TRACK_COUNTER: its index, else NSC_NONE */
    uint32_t pid, tid;            /* 0 where it does not apply; tid also for NVTX, API ... */
    uint32_t capture_no;          /* number of its export, from 0 */
    uint64_t process; /* hardware, VM and process id as exported: globalPid >> 24, below 2^40; on
                         top of that 40 bits to the left the number of its export, so that equal
                         means the same process */
    int64_t
        device;  /* deviceId of the export; -1 where it does not apply (so for the three below) */
    int64_t gpu; /* physical GPU, when the export maps it, else the deviceId */
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
/* The group a track lies in, or the track itself when it is one, or an export. */
uint32_t nsc_trace_group_of(const struct nsc_trace *trace, uint32_t track);
/*
 * The first group that is not before track; the count of tracks when there is none. All of them:
 * for (g = nsc_trace_next_group(trace, 0); g < n; g = nsc_trace_next_group(trace, tracks[g].skip))
 */
uint32_t nsc_trace_next_group(const struct nsc_trace *trace, uint32_t track);

/* ---- names ---- */

#define NSC_NAME_BYTES   4096   /* longer texts are cut on reading, and say so at their end */
#define NSC_COUNTER_BYTE '\xff' /* in a full name: here stands a counter of the event's own */

enum { NSC_NAME_COMM = 1, NSC_NAME_COLORED = 2 };

/*
 * Distinct event names. NVTX texts that differ only in their decimal counters share one name whose
 * full text holds NSC_COUNTER_BYTE for each; the counters lie with the event. A kernel has a full
 * (demangled) and a brief (short) name.
 */
struct nsc_names {
    uint32_t n;
    const nsc_str *full;
    const nsc_str *brief;    /* == full where there is no shorter one */
    const uint8_t *counters; /* NSC_COUNTER_BYTEs in full (they are counters only if this is > 0) */
    const uint8_t
        *flags; /* NSC_NAME_COMM: a communication kernel; NSC_NAME_COLORED: argb holds a colour */
    const uint32_t *argb; /* NVTX colour */
};

const struct nsc_names *nsc_trace_names(const struct nsc_trace *trace);
struct nsc_text nsc_trace_string(const struct nsc_trace *trace, nsc_str id);
/*
 * The event's own text, counters filled in: borrowed from the trace, or written to scratch. Raw
 * bytes: pass them through core/text before showing them. Unknown names give "".
 */
struct nsc_text nsc_trace_event_text(const struct nsc_trace *trace, nsc_event event, bool brief,
                                     char scratch[NSC_NAME_BYTES]);
/* Whether two events have the same text, counters included. */
bool nsc_trace_same_text(const struct nsc_trace *trace, nsc_event a, nsc_event b);
/* What a kind and name are to the overlap figures; false for events that are no GPU work. */
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

/* First start to last end of all events but graph creation; [0, 1) for a trace without events. */
struct nsc_window nsc_trace_extent(const struct nsc_trace *trace);

/*
 * An export. Several of them lie on one time axis: that of the first. Events and tracks of one are
 * side by side, so that walking one export is walking two ranges.
 */
struct nsc_trace_info {
    nsc_str path, version, schema; /* as exported; version and schema may be "" */
    nsc_str label, host; /* what tells it from the others; "" for a lone one, or unknown */
    nsc_time duration;   /* of the collection, ns; 0 when not told */
    int64_t utc_start;   /* ns since 1970 of its own time 0; 0 when not told */
    nsc_time offset;     /* ns: its own time 0 on the trace's axis; 0 for the first */
    uint64_t file_bytes;
    uint32_t first_event, n_events; /* rows [first_event, first_event + n_events) */
    uint32_t first_track, n_tracks; /* with its header where there are several */
};
/* All of them, in the order in which they were given; at least one. */
const struct nsc_trace_info *nsc_trace_captures(const struct nsc_trace *trace, uint32_t *n);
/* The first: its time 0 is that of the axis. */
const struct nsc_trace_info *nsc_trace_info(const struct nsc_trace *trace);
/* The number of the export an event is from. O(log exports). */
uint32_t nsc_trace_capture_of(const struct nsc_trace *trace, nsc_event event);

enum nsc_align {
    NSC_ALIGN_AUTO,  /* UTC when the sessions are close together, else START; of a lone export: none
                      */
    NSC_ALIGN_UTC,   /* by the time of day at which the sessions began */
    NSC_ALIGN_START, /* the first GPU work of each at that of the first; without any, first events
                      */
    NSC_ALIGN_NVTX   /* by an NVTX range that all have */
};

#define NSC_ALIGN_WORDS "utc|start|nvtx:NAME"

/* Parses one of the words. *range points into text: the name after "nvtx:", never empty; else NULL.
 * False for any other text. */
bool nsc_align_parse(enum nsc_align *out, const char **range, const char *text);

/* How several exports came onto one axis. */
struct nsc_alignment {
    enum nsc_align by;
    nsc_str range;      /* NSC_ALIGN_NVTX: its name */
    uint32_t instances; /* of it, that were matched one to one; 1: the first ones only */
    nsc_str why;        /* why AUTO did not come to UTC; "" else */
    nsc_time residual;  /* ns: how far apart matched instances still begin at most; -1 unknown */
};
const struct nsc_alignment *nsc_trace_alignment(const struct nsc_trace *trace);

/* Bytes the trace holds now, and its events' share of them (columns, summaries, links; no
 * strings). */
uint64_t nsc_trace_bytes(const struct nsc_trace *trace);

#ifdef __cplusplus
}
#endif
#endif
