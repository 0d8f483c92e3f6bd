/*
 * Writes the events of a trace for other programs: Chrome and Perfetto traces, speedscope, folded
 * stacks, tables of rows.
 *
 * The command line and the screen use the same function. It streams: memory is at most a few bits
 * per row, whatever the output. It writes the events that the mask keeps and that touch the window,
 * without clipping them. Names are raw bytes; each format escapes them. The trace is only read, so
 * this may run on any thread.
 *
 * Formats: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 * (Chrome), protos/perfetto/trace/trace_packet.proto (Perfetto), file-format-spec.ts (speedscope),
 * flamegraph.pl (folded stacks).
 */
#ifndef NSC_SHARE_DUMP_H
#define NSC_SHARE_DUMP_H

#include "nsyscope/status.h"
#include "nsyscope/trace.h"

#include "core/buf.h"
#include "view/model/dump_format.h"

struct nsc_progress;
struct nsc_field_sets;
struct nsc_bookmarks;
struct nsc_stacks;

struct nsc_dump_query {
    const struct nsc_trace *trace;
    const uint64_t *mask; /* one bit per row; NULL: all. Counters are written only without a mask */
    struct nsc_window window; /* events outside of it are dropped */
    struct nsc_text filter;   /* text of mask's filter, written into the file; "" */
    enum nsc_dump_format format;
    /* For Chrome and Perfetto: arguments of kernels and copies, NVTX ranges projected onto the GPU,
     * bookmarks. */
    const struct nsc_field_sets *fields;   /* columns that are not in the index; NULL: none */
    const struct nsc_bookmarks *bookmarks; /* NULL: none */
    bool has_gpu_views;              /* NVTX ranges on the GPU and, for Perfetto, render stages */
    const struct nsc_track *device;  /* device of the GPU views; NULL: all */
    const struct nsc_stacks *stacks; /* FOLDED_SAMPLES, FOLDED_OWN: of the trace; NULL: none */
    bool raw_csv;                    /* CSV: keeps texts that a spreadsheet would run */
    bool short_paths; /* CSV, JSON: for more than 16 NVTX ranges, 8 at each end and a count */
    uint32_t threads; /* threads that format CSV and JSON; 0: one per core */
    /* Called before a file is put in its place; a failure drops the file. NULL: no check */
    enum nsc_status (*check)(const void *context, struct nsc_error *error);
    const void *check_context;
};

/* Takes the bytes. False if they could not be written, also because some were lost (overflow); error
 * has the reason. */
struct nsc_dump_sink {
    bool (*write)(void *context, const struct nsc_buf *bytes, struct nsc_error *error);
    void *context;
};

/*
 * Writes the whole dump. progress (may be NULL) gets rows and rows_total, and can cancel:
 * NSC_ECANCELLED. NSC_ENODATA: no events, and nothing is written. NSC_ENOMEM.
 */
NSC_NODISCARD enum nsc_status nsc_dump(const struct nsc_dump_query *query,
                                       const struct nsc_dump_sink *sink,
                                       struct nsc_progress *progress, struct nsc_error *error);

/* Writes the dump to a file that appears complete or not at all (core/outfile.h). Keeps an existing
 * file unless replace. */
NSC_NODISCARD enum nsc_status nsc_dump_file(const struct nsc_dump_query *query, const char *path,
                                            bool replace, struct nsc_progress *progress,
                                            struct nsc_error *error);

#endif
