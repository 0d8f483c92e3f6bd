/*
 * Writes the events of a trace for other programs: Chrome and Perfetto traces, speedscope, folded
 * stacks, tables of rows.
 *
 * The command line and the screen use the same function. It streams: memory is at most a few bits a
 * row and does not grow with the output. It writes the events that the mask keeps and that touch
 * the window, whole and never cut at its edges. Names are raw bytes; each format escapes them. The
 * trace is only read, so this may run on any thread.
 *
 * Formats: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 * (Chrome), protos/perfetto/trace/trace_packet.proto (Perfetto), file-format-spec.ts (speedscope),
 * flamegraph.pl (folded stacks).
 */
#ifndef NSC_SHARE_DUMP_H
#define NSC_SHARE_DUMP_H

#include "nsyscope/status.h"
#include "nsyscope/trace.h"

#include "view/model/dump_format.h"

struct nsc_progress;
struct nsc_field_sets;
struct nsc_bookmarks;

struct nsc_dump_query {
    const struct nsc_trace *trace;
    const uint64_t *mask; /* one bit a row; NULL: all. Counters are written only without a mask */
    struct nsc_window window; /* events that do not touch it are left out */
    struct nsc_text filter;   /* the text of the filter behind mask, written into the file; "" */
    enum nsc_dump_format format;
    /* For Chrome and Perfetto: arguments of kernels and copies, NVTX ranges projected onto the GPU,
     * bookmarks. */
    const struct nsc_field_sets *fields;   /* columns beside the index; NULL: none */
    const struct nsc_bookmarks *bookmarks; /* NULL: none */
    bool has_gpu_views;             /* NVTX ranges on the GPU and, for Perfetto, render stages */
    const struct nsc_track *device; /* of the GPU views; NULL: all */
    bool raw_csv;                   /* CSV: texts that a spreadsheet would run stay as they are */
    bool short_paths; /* CSV, JSON: of more than 16 NVTX ranges, 8 at each end and a count */
    uint32_t threads; /* that format CSV and JSON; 0: one a core */
    /* Asked before a file is put in its place; a failure drops the file. NULL: not asked */
    enum nsc_status (*check)(const void *context, struct nsc_error *error);
    const void *check_context;
};

/* Takes the bytes. False: they could not be written, and error says why. */
struct nsc_dump_sink {
    bool (*write)(void *context, struct nsc_text bytes, struct nsc_error *error);
    void *context;
};

/*
 * Writes the whole dump. progress (may be NULL) gets rows and rows_total and can cancel:
 * NSC_ECANCELLED. NSC_ENODATA when no event is left; nothing is written then. NSC_ENOMEM.
 */
NSC_NODISCARD enum nsc_status nsc_dump(const struct nsc_dump_query *query,
                                       const struct nsc_dump_sink *sink,
                                       struct nsc_progress *progress, struct nsc_error *error);

/* Writes the dump to a file that appears whole or not at all (core/outfile.h). Keeps an existing
 * file unless replace. */
NSC_NODISCARD enum nsc_status nsc_dump_file(const struct nsc_dump_query *query, const char *path,
                                            bool replace, struct nsc_progress *progress,
                                            struct nsc_error *error);

#endif
