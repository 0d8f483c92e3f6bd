/*
 * Reads samples of GPU metrics, and changes of a process' memory on a GPU.
 */
#include "core/text.h"
#include "nsys/tables/table_reader.h"

#include <stdio.h>

#define WRAP ((int64_t)1 << 32)

/* The lowest byte of typeId is the GPU, the rest the set of metrics. */
static int64_t metric_gpu(int64_t type)
{
    return type & 0xff;
}

struct nsc_named *nsc_reading_metric(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                                     int64_t type, int64_t metric)
{
    struct nsc_named *named = nsc_namemap_find(worker->names, NSC_NAME_METRIC, type, metric);
    const struct nsc_table_load *load = reading->load;
    char scratch[48];
    struct nsc_text text;

    if (named->known)
        return named;
    snprintf(scratch, sizeof scratch, metric < 0 ? "event type %lld" : "metric %lld",
             (long long)(metric < 0 ? type : metric));
    text = nsc_text_from(scratch);
    named->missing = true;
    for (size_t i = 0; i < load->metrics.n; i++) {
        const struct nsc_metric *known = &load->metrics.at[i];

        named->repeats |= known->type == type && known->metric >= 0;
        if (known->type != type || known->metric != metric)
            continue;
        text = (struct nsc_text){known->name, known->n};
        named->missing = false;
        named->wraps = nsc_text_contains_folded(text, nsc_text_from("clock frequency"));
    }
    named->number = nsc_feed_name(worker->feed, text, text);
    named->known = true;
    return named;
}

static bool emit_sample(struct nsc_reading_worker *worker, uint32_t track, uint32_t name,
                        nsc_time time, int64_t value)
{
    worker->events++;
    return nsc_feed_sample(worker->feed, track, name, time, value);
}

static bool read_metric(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                        const struct nsc_batch *batch, uint32_t i)
{
    struct nsc_track_key key = {.kind = NSC_TRACK_COUNTER, .context = -1, .stream = -1};
    const struct nsc_load_filter *filter = reading->load->filter;
    struct nsc_named *named;
    int64_t time, type, metric, value;

    if (!nsc_cell_int(&time, reading, batch, NSC_SLOT_START, i) ||
        !nsc_cell_int(&type, reading, batch, NSC_SLOT_TYPE, i) ||
        !nsc_cell_int(&metric, reading, batch, NSC_SLOT_METRIC, i) ||
        !nsc_cell_int(&value, reading, batch, NSC_SLOT_VALUE, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    key.device = metric_gpu(type);
    key.domain =
        (int64_t)(((uint64_t)type >> 8 & 0xffffff) << 32 | ((uint64_t)metric & 0xffffffff));
    if (!nsc_load_filter_wants_time(filter, time, time) ||
        !nsc_load_filter_wants_gpu(filter, key.device)) {
        nsc_window_join(&worker->outside, (struct nsc_window){time, time});
        worker->trimmed++;
        return true;
    }
    named = nsc_reading_metric(reading, worker, type, metric);
    worker->missing_names += named->missing;
    /* The profiler stores clocks above 2^31 Hz as negative 32-bit numbers. */
    if (named->wraps && value < 0 && value > -WRAP)
        value += WRAP;
    return emit_sample(worker, nsc_feed_track(worker->feed, &key), named->number, time, value);
}

NSC_READING_ROWS(nsc_metric_rows, read_metric)

static uint32_t memory_name(struct nsc_reading_worker *worker, int64_t kind)
{
    static const char *const kinds[] = {"pageable", "pinned",        "device",        "array",
                                        "managed",  "device static", "managed static"};
    char text[64];

    if (kind >= 0 && kind < 7)
        snprintf(text, sizeof text, "memory in use (%s)", kinds[kind]);
    else
        snprintf(text, sizeof text, "memory in use");
    return nsc_reading_fixed(worker, NSC_NAME_MEMORY, kind, text);
}

/* Whether a memory row counts. Rows before the window do, because the total within it starts from
 * them; only later rows are skipped. */
static bool wanted_memory(const struct nsc_load_filter *filter, nsc_time time,
                          const struct nsc_track_key *key)
{
    return (!filter->has_trim || time < filter->trim.t1) &&
           nsc_load_filter_wants_gpu(filter, key->device) &&
           nsc_load_filter_wants_process(filter, key->process);
}

static bool read_memory(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                        const struct nsc_batch *batch, uint32_t i)
{
    struct nsc_track_key key = {.kind = NSC_TRACK_COUNTER, .context = -1, .stream = -1};
    int64_t time, bytes, operation, kind = 7;
    uint32_t track;

    if (!nsc_cell_int(&time, reading, batch, NSC_SLOT_START, i) ||
        !nsc_cell_int(&key.device, reading, batch, NSC_SLOT_DEVICE, i) ||
        !nsc_cell_int(&bytes, reading, batch, NSC_SLOT_VALUE, i) ||
        !nsc_cell_int(&operation, reading, batch, NSC_SLOT_OPERATION, i) ||
        !nsc_reading_thread(&key, reading, batch, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    if (bytes < 0)
        return nsc_reading_skip(worker, NSC_SKIP_NEGATIVE);
    if (operation != 0 && operation != 1)
        return nsc_reading_skip(worker, NSC_SKIP_KIND);
    if (!wanted_memory(reading->load->filter, time, &key)) {
        worker->trimmed++;
        return true;
    }
    if (nsc_cell_int(&kind, reading, batch, NSC_SLOT_MEM_KIND, i) && (kind < 0 || kind > 6))
        kind = 7;
    key.tid = 0;
    key.domain = -1 - kind;
    track = nsc_feed_track(worker->feed, &key);
    nsc_feed_running_total(worker->feed, track);
    return emit_sample(worker, track, memory_name(worker, kind), time,
                       operation == 0 ? bytes : -bytes);
}

NSC_READING_ROWS(nsc_memory_rows, read_memory)
