/*
 * Finds the recordings of a folder, and reads what their small tables say.
 */
#include "open/recordings.h"

#include "nsys/jobs/query.h"
#include "open/report.h"

#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_MS = 1000 };

/* ---- a folder ---- */

static bool is_older(const struct timespec *x, const struct timespec *y)
{
    return x->tv_sec < y->tv_sec || (x->tv_sec == y->tv_sec && x->tv_nsec < y->tv_nsec);
}

void nsc_recordings_add(struct nsc_recordings *out, struct nsc_recorded recorded)
{
    size_t i = out->entries.n;

    (void)NSC_VEC_ADD(&out->entries);
    for (; i > 0 && is_older(&out->entries.at[i - 1].time, &recorded.time); i--)
        out->entries.at[i] = out->entries.at[i - 1];
    out->entries.at[i] = recorded;
}

static bool has_export(const char *path)
{
    struct nsc_buf beside = NSC_BUF_INIT(SIZE_MAX);
    bool has;

    nsc_buf_printf(&beside, "%.*s.sqlite", (int)nsc_report_stem(path), path);
    has = nsc_report_is(path) && access(beside.bytes, F_OK) == 0;
    nsc_buf_fini(&beside);
    return has;
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

void nsc_recordings_walk(const char *folder, bool below,
                         bool (*found)(void *context, struct nsc_recorded recorded), void *context)
{
    char *const roots[] = {nsc_xcopy(folder, strlen(folder)), NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, compare_names);
    FTSENT *entry = NULL;
    bool goes_on = true;

    while (tree && goes_on && (entry = fts_read(tree))) {
        bool is_own = entry->fts_level == 0;

        if (!is_own && (entry->fts_name[0] == '.' || (!below && entry->fts_info == FTS_D)))
            (void)fts_set(tree, entry, FTS_SKIP);
        else if (entry->fts_info == FTS_F && entry->fts_name[nsc_report_stem(entry->fts_name)] &&
                 !has_export(entry->fts_path))
            goes_on =
                found(context,
                      (struct nsc_recorded){.file = nsc_xcopy(entry->fts_path, entry->fts_pathlen),
                                            .bytes = (uint64_t)entry->fts_statp->st_size,
                                            .time = entry->fts_statp->st_mtim,
                                            .gpus = NSC_UNKNOWN,
                                            .duration = NSC_UNKNOWN});
    }
    if (tree)
        (void)fts_close(tree);
    free(roots[0]);
}

void nsc_recorded_fini(struct nsc_recorded *recorded)
{
    free(recorded->path);
    free(recorded->file);
}

void nsc_recordings_fini(struct nsc_recordings *recordings)
{
    NSC_VEC_FINI_EACH(&recordings->entries, nsc_recorded_fini);
    nsc_buf_fini(&recordings->folder);
}

/* ---- what is in one ---- */

/* The integers of the one row that the query answers; all unknown if it cannot be asked. */
static void ask(int64_t out[3], const char *file, const char *sql)
{
    const struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    const struct nsc_query_ask asked = {
        .path = file, .options = &options, .sql = sql, .limits = {1, 1 << 20, MOST_MS}};
    struct nsc_error ignored = {NSC_OK, ""};
    struct nsc_relation *relation = NULL;
    int column;
    bool has = nsc_query_run(&relation, &asked, &column, &ignored) == NSC_OK &&
               nsc_sheet_rows(&relation->sheet) == 1;

    for (uint32_t i = 0; i < 3; i++) {
        const struct nsc_sheet_cell *cell = has ? nsc_sheet_at(&relation->sheet, 0, i) : NULL;

        has = has && relation->columns[i].kind == NSC_SHEET_ID;
        out[i] = nsc_known(has && cell->is_set, has ? cell->integer : 0);
    }
    nsc_relation_free(relation);
}

void nsc_recorded_read(struct nsc_recorded *recorded)
{
    int64_t got[3];

    if (nsc_report_is(recorded->file))
        return;
    ask(got, recorded->file,
        "SELECT nullif(count(DISTINCT gpuId), 0), 0, 0 FROM TARGET_INFO_CUDA_DEVICE");
    if (got[0] == NSC_UNKNOWN)
        ask(got, recorded->file, "SELECT nullif(count(*), 0), 0, 0 FROM TARGET_INFO_GPU");
    recorded->gpus = got[0];
    ask(recorded->ranks, recorded->file,
        "SELECT nullif(count(DISTINCT rank), 0), min(rank), max(rank) FROM MPI_RANKS");
    ask(got, recorded->file, "SELECT min(duration), 0, 0 FROM ANALYSIS_DETAILS");
    recorded->duration = got[0];
}

/* ---- as a sheet ---- */

struct recording_row {
    const char *time;
    uint64_t bytes;
    int64_t gpus;
    nsc_time duration;
    const char *ranks, *file;
};

const struct nsc_sheet_column nsc_recording_columns[NSC_RECORDING_COLUMNS] = {
    NSC_COL_TEXT(recording_row, time, "time_utc", "Time (UTC)"),
    NSC_COL_BYTES(recording_row, bytes, "bytes", "Size"),
    NSC_COL_COUNT(recording_row, gpus, "gpus", "GPUs"),
    NSC_COL_NS(recording_row, duration, "duration_ns", "Duration"),
    NSC_COL_TEXT(recording_row, ranks, "mpi_ranks", "Ranks"),
    NSC_COL_TEXT(recording_row, file, "file", "File"),
};

void nsc_recorded_add(struct nsc_sheet *sheet, const struct nsc_recorded *recorded, size_t skip)
{
    const int64_t *ranks = recorded->ranks;
    struct nsc_buf file = NSC_BUF_INIT(SIZE_MAX);
    char time[32] = "";
    char text[80] = "";
    struct tm parts;

    nsc_buf_printf(&file, "%s%s", recorded->picked ? "* " : "", recorded->file + skip);
    if (gmtime_r(&recorded->time.tv_sec, &parts))
        (void)strftime(time, sizeof time, "%Y-%m-%d %H:%M", &parts);
    if (ranks[0] == 1)
        (void)snprintf(text, sizeof text, "%" PRId64, ranks[1]);
    else if (ranks[0] > 1)
        (void)snprintf(text, sizeof text, "%" PRId64 " in %" PRId64 "-%" PRId64, ranks[0], ranks[1],
                       ranks[2]);
    NSC_ADD_ROW(sheet, recording_row, time, recorded->bytes, recorded->gpus, recorded->duration,
                text[0] ? text : NULL, file.bytes);
    nsc_buf_fini(&file);
}
