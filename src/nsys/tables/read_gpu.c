/*
 * Reads ops (kernels, copies, memsets, graph launches) and page faults.
 */
#include "nsys/tables/table_reader.h"

/* The full name of a kernel is the demangled one, the brief name the short one. If one is missing,
 * the other replaces it. */
static uint32_t kernel_name(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                            const struct nsc_batch *batch, uint32_t i)
{
    int64_t full = 0, brief = 0;
    bool has_full = nsc_cell_int(&full, reading, batch, NSC_SLOT_NAME, i);
    bool has_brief = nsc_cell_int(&brief, reading, batch, NSC_SLOT_BRIEF, i);
    struct nsc_named *named;

    if (!has_full && !has_brief)
        return 0;
    full = has_full ? full : brief;
    brief = has_brief ? brief : full;
    named = nsc_namemap_find(worker->names, NSC_NAME_KERNEL, full, brief);
    if (!named->known) {
        char a[48], b[48];
        bool no_full, no_brief;
        struct nsc_text full_text = nsc_reading_text(reading->load, full, a, &no_full);
        struct nsc_text brief_text = nsc_reading_text(reading->load, brief, b, &no_brief);

        named->number = nsc_feed_name(worker->feed, no_full && !no_brief ? brief_text : full_text,
                                      no_brief && !no_full ? full_text : brief_text);
        named->missing = no_full || no_brief;
        named->known = true;
    }
    worker->missing_names += named->missing;
    return named->number;
}

/* The kind of a copy. Migrations of unified memory and copies of arrays count by their
 * direction. */
static uint8_t copy_kind(int64_t kind)
{
    switch (kind) {
    case 1:
    case 3:
    case 11:
        return NSC_KIND_COPY_HTOD;
    case 2:
    case 4:
    case 12:
        return NSC_KIND_COPY_DTOH;
    case 5:
    case 6:
    case 7:
    case 8:
    case 13:
        return NSC_KIND_COPY_DTOD;
    case 10:
        return NSC_KIND_COPY_PTOP;
    default:
        return NSC_KIND_COPY_OTHER;
    }
}

static const char *copy_name(int64_t kind)
{
    static const char *const names[] = {
        "[CUDA memcpy]",
        "[CUDA memcpy Host-to-Device]",
        "[CUDA memcpy Device-to-Host]",
        "[CUDA memcpy Host-to-Array]",
        "[CUDA memcpy Array-to-Host]",
        "[CUDA memcpy Array-to-Array]",
        "[CUDA memcpy Array-to-Device]",
        "[CUDA memcpy Device-to-Array]",
        "[CUDA memcpy Device-to-Device]",
        "[CUDA memcpy Host-to-Host]",
        "[CUDA memcpy Peer-to-Peer]",
        "[CUDA Unified Memory memcpy HtoD]",
        "[CUDA Unified Memory memcpy DtoH]",
        "[CUDA Unified Memory memcpy DtoD]",
    };

    return names[kind > 0 && kind < 14 ? kind : 0];
}

/* Sets kind and name. False if the copy kind or graph id is not an integer. */
static bool name_work(struct nsc_row *row, struct nsc_reading *reading,
                      struct nsc_reading_worker *worker, const struct nsc_batch *batch, uint32_t i)
{
    int64_t id = 0;

    switch (reading->id) {
    case NSC_TABLE_KERNEL:
        row->name = kernel_name(reading, worker, batch, i);
        return true;
    case NSC_TABLE_MEMCPY:
        if (!nsc_cell_nullable(&id, reading, batch, NSC_SLOT_COPY_KIND, i))
            return false;
        row->kind = copy_kind(id);
        row->name =
            nsc_reading_fixed(worker, NSC_NAME_FIXED, id > 0 && id < 14 ? id : 0, copy_name(id));
        return true;
    case NSC_TABLE_MEMSET:
        row->name = nsc_reading_fixed(worker, NSC_NAME_FIXED, -1, "[CUDA memset]");
        return true;
    default:
        if (!nsc_cell_nullable(&id, reading, batch, NSC_SLOT_GRAPH_ID, i))
            return false;
        row->name = nsc_reading_numbered(worker, NSC_NAME_GRAPH, id, "CUDA graph");
        return true;
    }
}

static inline bool wanted_on_gpu(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                                 const struct nsc_row *row, const struct nsc_track_key *key)
{
    if (!nsc_reading_wanted(reading, worker, row, key->process))
        return false;
    if (nsc_load_filter_wants_gpu(reading->load->filter, key->device))
        return true;
    worker->trimmed++;
    return false;
}

static bool read_work(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                      const struct nsc_batch *batch, uint32_t i)
{
    struct nsc_row row = {.kind = reading->def->kind};
    struct nsc_track_key key = {.kind = NSC_TRACK_STREAM};

    if (!nsc_cell_int(&key.device, reading, batch, NSC_SLOT_DEVICE, i) ||
        !nsc_cell_int(&key.stream, reading, batch, NSC_SLOT_STREAM, i) ||
        !nsc_cell_nullable(&key.context, reading, batch, NSC_SLOT_CONTEXT, i) ||
        !nsc_reading_thread(&key, reading, batch, i) || !nsc_reading_link(&row, reading, batch, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    if (!nsc_reading_times(&row, reading, worker, batch, i, false))
        return true;
    if (!wanted_on_gpu(reading, worker, &row, &key))
        return true;
    if (!name_work(&row, reading, worker, batch, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    return nsc_reading_event(worker, &key, &row);
}

NSC_READING_ROWS(nsc_work_rows, read_work)

/* Reads a page fault: GPU faults belong to their device, CPU faults to their process. */
static bool read_fault(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                       const struct nsc_batch *batch, uint32_t i)
{
    bool on_gpu = reading->id == NSC_TABLE_UM_GPU_FAULT;
    struct nsc_row row = {.kind = reading->def->kind};
    struct nsc_track_key key = {
        .kind = reading->def->track, .device = -1, .context = -1, .stream = -1};

    if ((on_gpu && !nsc_cell_int(&key.device, reading, batch, NSC_SLOT_DEVICE, i)) ||
        !nsc_reading_thread(&key, reading, batch, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    if (!nsc_reading_times(&row, reading, worker, batch, i, false))
        return true;
    if (on_gpu ? !wanted_on_gpu(reading, worker, &row, &key)
               : !nsc_reading_wanted(reading, worker, &row, key.process))
        return true;
    row.name = nsc_reading_fixed(worker, NSC_NAME_FIXED, on_gpu ? -2 : -3,
                                 on_gpu ? "GPU page fault" : "CPU page fault");
    return nsc_reading_event(worker, &key, &row);
}

NSC_READING_ROWS(nsc_fault_rows, read_fault)
