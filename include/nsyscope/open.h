/*
 * Opening an Nsight Systems SQLite export: options, progress, table status, and one event's full
 * row.
 *
 * The export is opened read-only; no file is written or created beside it. The capture keeps it
 * open, to read details on demand; the loaded trace outlives the capture. Errors: NSC_EFORMAT (no
 * export), NSC_EIO, NSC_EDAMAGED, NSC_ENOMEM (over the budget), NSC_EINVAL (options),
 * NSC_ECANCELLED.
 */
#ifndef NSYSCOPE_OPEN_H
#define NSYSCOPE_OPEN_H

#include "nsyscope/status.h"
#include "nsyscope/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct nsc_open_options {
    bool has_trim;
    struct nsc_window trim; /* keep events that touch it */
    const int64_t *gpus;    /* deviceIds to keep; NULL: all */
    uint32_t n_gpus;
    const uint32_t *pids; /* process ids to keep; NULL: all */
    uint32_t n_pids;
    const char *tables; /* comma-separated table or family names (kernel, copy, api, nvtx, os ...);
                           NULL: all */
    /* The user's words for kinds of kernels: sections [families] and [engines] of a config.ini;
     * NULL: none. Borrowed until the export is closed. */
    const char *words;
    uint64_t memory;  /* budget in bytes; 0: the available memory */
    unsigned threads; /* 0: one per core */
    bool wal;      /* also open an export with a write-ahead log (SQLite then makes a -shm file) */
    bool no_pages; /* never decode table pages: read with SQLite only */
};

#define NSC_OPEN_OPTIONS_INIT \
    {                         \
        0                     \
    }

/* Progress of a load. The caller makes it, the load writes it; any thread may read or cancel it. */
struct nsc_progress;
enum nsc_phase { NSC_PHASE_OPEN, NSC_PHASE_NAMES, NSC_PHASE_ROWS, NSC_PHASE_INDEX, NSC_PHASE_DONE };
struct nsc_progress_view {
    uint64_t rows;       /* read so far */
    uint64_t rows_total; /* an estimate, 0 while unknown */
    uint64_t events;     /* kept so far */
    uint32_t capture_no; /* number of the export being read, from 0 */
    enum nsc_phase phase;
};
struct nsc_progress *nsc_progress_new(void);
void nsc_progress_free(struct nsc_progress *progress);
void nsc_progress_cancel(struct nsc_progress *progress);
struct nsc_progress_view nsc_progress_view(const struct nsc_progress *progress);

struct nsc_capture; /* an opened export */

/* Opens path and checks it as docs/SCHEMA.md describes; reads no events yet. */
NSC_NODISCARD enum nsc_status nsc_capture_open(struct nsc_capture **out, const char *path,
                                               const struct nsc_open_options *options,
                                               struct nsc_error *error);
void nsc_capture_close(struct nsc_capture *capture);

/* Reads all events into a new trace. progress may be NULL. */
NSC_NODISCARD enum nsc_status nsc_capture_load(struct nsc_trace **out, struct nsc_capture *capture,
                                               struct nsc_progress *progress,
                                               struct nsc_error *error);

/* Whether the file has changed since it was opened: size, times, inode, change counter. */
bool nsc_capture_has_changed(const struct nsc_capture *capture);

/* ---- table status: one per known table, and warnings ---- */

enum nsc_skip {
    NSC_SKIP_TYPE,      /* NULL, text or a real in an integer column */
    NSC_SKIP_OVERFLOW,  /* a sum or difference exceeds 64 bits */
    NSC_SKIP_NEGATIVE,  /* end before start */
    NSC_SKIP_DUPLICATE, /* a second record of one call (CUDA backtraces) */
    NSC_SKIP_KIND,      /* its type or class is not an event */
    NSC_N_SKIPS
};

/* Whether the row is broken, rather than not an event. */
static inline bool nsc_skip_is_damage(enum nsc_skip skip)
{
    return skip < NSC_SKIP_DUPLICATE;
}

enum nsc_table_state { NSC_TABLE_ABSENT, NSC_TABLE_LOADED, NSC_TABLE_IGNORED, NSC_TABLE_EXCLUDED };

struct nsc_table_status {
    const char *name;
    const char *feature; /* what the table holds: "kernels", "NVTX ranges" */
    enum nsc_table_state status;
    char note[120]; /* "ignored: view", "needs column start", "missing columns: mangledName", or how
                       to record it */
    uint64_t rows;  /* rows seen */
    uint64_t events; /* kept */
    uint64_t skipped[NSC_N_SKIPS];
    uint64_t trimmed;          /* skipped by --trim, --gpu or --pid */
    struct nsc_window outside; /* from the first to the last row that --trim skips; {0, 0}: none */
    uint64_t missing_names;    /* kept; the name is shown as "[string N missing]" */
    uint64_t odd;              /* rows that do not fit the columns, but are read */
    bool by_pages;             /* the page decoder read it, not SQLite */
    char fallback[80];         /* why SQLite read it; "" if the page decoder did */
};
const struct nsc_table_status *nsc_capture_tables(const struct nsc_capture *capture, uint32_t *n);
/* One line per warning, safe to show. Borrowed from the capture. */
const char *const *nsc_capture_warnings(const struct nsc_capture *capture, uint32_t *n);
/* Those of the last load that concern every answer: rows that were skipped, that lack columns or
 * names, and damage in tables that the load does not read. */
const char *const *nsc_capture_damage(const struct nsc_capture *capture, uint32_t *n);
const char *nsc_skip_word(enum nsc_skip skip);

/* ---- one event's full row ---- */

struct nsc_detail {
    const char *name; /* column, or a derived field such as "throughput"; safe to show, valid as
                         long as the export is open */
    char *value;      /* safe to show, with units; NULL values are not listed */
};
struct nsc_details {
    uint32_t n;
    struct nsc_detail *at;
};

/* Reads the row of (kind, source): enumerations as labels, string ids as text, units added. Free
 * with nsc_details_fini(). */
NSC_NODISCARD enum nsc_status nsc_capture_details(struct nsc_details *out,
                                                  struct nsc_capture *capture, enum nsc_kind kind,
                                                  uint32_t source, struct nsc_error *error);
void nsc_details_fini(struct nsc_details *details);

#ifdef __cplusplus
}
#endif

#endif
