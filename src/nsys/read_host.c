/*
 * Reads calls of threads: CUDA API, synchronization, OS runtime, libraries, MPI, OpenMP, OpenACC,
 * graph creation and overhead.
 */
#include "nsys/reading.h"

/* Event classes of ENUM_NSYS_EVENT_CLASS. */
#define CLASS_CUDA_DRIVER    1
#define CLASS_OSRT           27
#define CLASS_CUDA_BACKTRACE 67

/* The name for syncType. Exporters from 2026.2 on write it with this meaning; before, it depends on
 * the version. */
static uint32_t sync_name(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                          const struct nsc_batch *batch, uint32_t i)
{
    static const char *const names[] = {"synchronization", "event synchronize", "stream wait event",
                                        "stream synchronize", "context synchronize"};
    int64_t type = 0;

    if (!reading->load->sync_types || !nsc_cell_int(&type, reading, batch, NSC_SLOT_SYNC_TYPE, i) ||
        type < 0 || type > 4)
        type = 0;
    return nsc_reading_fixed(worker, NSC_NAME_FIXED, type, names[type]);
}

static uint32_t call_name(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                          const struct nsc_batch *batch, uint32_t i)
{
    int64_t id;

    if (reading->id == NSC_TABLE_SYNC)
        return sync_name(reading, worker, batch, i);
    if (!nsc_cell_int(&id, reading, batch, NSC_SLOT_NAME, i)) {
        worker->missing_names += reading->table->at[NSC_SLOT_NAME] >= 0;
        return 0;
    }
    return nsc_reading_string(reading, worker, id, reading->id == NSC_TABLE_RUNTIME);
}

/* Sets the kind. False, and counts the row, if it is not a call: second records of a backtrace,
 * marks of the profiler. */
static bool classify(struct nsc_row *row, struct nsc_reading *reading,
                     struct nsc_reading_worker *worker, const struct nsc_batch *batch, uint32_t i)
{
    int64_t class;

    row->kind = reading->def->kind;
    if (reading->id == NSC_TABLE_RUNTIME &&
        nsc_cell_int(&class, reading, batch, NSC_SLOT_CLASS, i)) {
        if (class == CLASS_CUDA_BACKTRACE)
            return !nsc_reading_skip(worker, NSC_SKIP_DUPLICATE);
        row->kind = class == CLASS_CUDA_DRIVER ? NSC_KIND_API_DRIVER : NSC_KIND_API_RUNTIME;
    }
    if (reading->id == NSC_TABLE_OSRT && reading->table->at[NSC_SLOT_NESTING] >= 0 &&
        nsc_cell_type(reading, batch, NSC_SLOT_NESTING, i) == NSC_CELL_NULL &&
        nsc_cell_int(&class, reading, batch, NSC_SLOT_CLASS, i) && class != CLASS_OSRT)
        return !nsc_reading_skip(worker, NSC_SKIP_KIND);
    return true;
}

static bool read_call(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                      const struct nsc_batch *batch, uint32_t i)
{
    struct nsc_row row = {0};
    struct nsc_track_key key = {
        .kind = reading->def->track, .device = -1, .context = -1, .stream = -1};

    if (!classify(&row, reading, worker, batch, i))
        return true;
    if (!nsc_reading_thread(&key, reading, batch, i) || !nsc_reading_link(&row, reading, batch, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    if (!nsc_reading_times(&row, reading, worker, batch, i, false) ||
        !nsc_reading_wanted(reading, worker, &row, key.process))
        return true;
    row.name = call_name(reading, worker, batch, i);
    return nsc_reading_event(worker, &key, &row);
}

NSC_READING_ROWS(call_rows, read_call)

enum nsc_status nsc_read_call(struct nsc_reading *reading, struct nsc_family *family,
                              uint32_t *tasks, struct nsc_error *error)
{
    reading->rows = call_rows;
    return nsc_reading_run(reading, family, tasks, error);
}
