/*
 * Writes Chrome trace events: one process per group, one thread per row, µs with three decimals so
 * that ns stay exact.
 *
 * Process and thread ids are the trace's own numbers, never 0, so that the rows of a group stay
 * together whatever ids the export has. Readers want the events of a thread to nest, so an event
 * that crosses others goes to a separate row for its lane. A launch is an arrow from the call to
 * each op that it launched; the arrow's id is the call's row number.
 */
#include "core/die.h"
#include "core/json_write.h"
#include "share/dump_data.h"
#include "view/model/bookmark.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAFE_BITS = 53 }; /* doubles represent integers of this size exactly */

struct chrome {
    struct nsc_dump *dump;
    struct nsc_json json;
    bool *named;    /* by thread id: its name is written */
    uint32_t pid;   /* process id of the current track */
    uint32_t track; /* current track */
};

static uint32_t thread_of(const struct chrome *chrome, uint32_t where)
{
    return where ? chrome->dump->n_tracks + where : chrome->track + 1;
}

/* Writes "12.345" after the key, with integer arithmetic, so that nothing is rounded. */
static void micros_put(struct chrome *chrome, const char *key, nsc_time ns)
{
    uint64_t length = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

    nsc_buf_printf(chrome->json.out, ",\"%s\":%s%" PRIu64 ".%03u", key, ns < 0 ? "-" : "",
                   length / 1000, (unsigned)(length % 1000));
}

/* Writes the members common to all events. */
static void event_open(struct chrome *chrome, const char *phase, uint32_t thread)
{
    nsc_json_open(&chrome->json, NULL, '{');
    nsc_json_puts(&chrome->json, "ph", phase);
    nsc_json_uint(&chrome->json, "pid", chrome->pid);
    nsc_json_uint(&chrome->json, "tid", thread);
}

/* ---- names ---- */

static void meta_put(struct chrome *chrome, uint32_t thread, const char *what, struct nsc_text name)
{
    event_open(chrome, "M", thread);
    nsc_json_puts(&chrome->json, "name", what);
    nsc_json_open(&chrome->json, "args", '{');
    nsc_json_text(&chrome->json, "name", name);
    nsc_json_close(&chrome->json, '}');
    nsc_json_close(&chrome->json, '}');
}

static void order_put(struct chrome *chrome, uint32_t thread, const char *what, uint32_t order)
{
    event_open(chrome, "M", thread);
    nsc_json_puts(&chrome->json, "name", what);
    nsc_json_open(&chrome->json, "args", '{');
    nsc_json_uint(&chrome->json, "sort_index", order);
    nsc_json_close(&chrome->json, '}');
    nsc_json_close(&chrome->json, '}');
}

static void group_name(struct chrome *chrome, uint32_t group)
{
    struct nsc_buf name = NSC_BUF_INIT(1u << 16);

    nsc_dump_group_put(chrome->dump, &name, group);
    meta_put(chrome, group + 1, "process_name", nsc_text_of_buf(&name));
    order_put(chrome, group + 1, "process_sort_index", group);
    nsc_buf_fini(&name);
}

/* Names a row at its first event, so that a filter leaves no empty rows. */
static void row_name(struct chrome *chrome, uint32_t where)
{
    const struct nsc_track *track = &chrome->dump->tracks[chrome->track];
    struct nsc_text label = nsc_trace_string(chrome->dump->trace, track->label);
    struct nsc_buf name = NSC_BUF_INIT(1u << 16);
    uint32_t thread = thread_of(chrome, where);
    uint32_t group = chrome->pid - 1;

    if (chrome->named[thread])
        return;
    chrome->named[thread] = true;
    if (!chrome->named[group + 1] || thread == group + 1) {
        chrome->named[group + 1] = true;
        group_name(chrome, group);
    }
    nsc_buf_add(&name, label.bytes, label.n);
    if (where)
        nsc_buf_printf(&name, " +%u", where - track->first_lane);
    meta_put(chrome, thread, "thread_name", nsc_text_of_buf(&name));
    order_put(chrome, thread, "thread_sort_index",
              chrome->track + (where ? where : track->first_lane));
    nsc_buf_fini(&name);
}

/* ---- events ---- */

static void arrow_put(struct chrome *chrome, nsc_event event, uint32_t thread)
{
    const struct nsc_events *events = chrome->dump->events;
    uint32_t link = events->link[event];
    bool call = nsc_kind_is_api(events->kind[event]);

    if (link == NSC_NONE || !(call || nsc_kind_is_gpu(events->kind[event])))
        return;
    event_open(chrome, call ? "s" : "f", thread);
    if (!call)
        nsc_json_puts(&chrome->json, "bp", "e");
    nsc_json_uint(&chrome->json, "id", call ? event : link);
    nsc_json_puts(&chrome->json, "cat", "launch");
    nsc_json_puts(&chrome->json, "name", "launch");
    micros_put(chrome, "ts", nsc_dump_time(chrome->dump, event));
    nsc_json_close(&chrome->json, '}');
}

/* Writes an integer that doubles cannot represent as a string. */
static void int_put(struct chrome *chrome, const char *key, int64_t value)
{
    char digits[24];

    if (value > -((int64_t)1 << SAFE_BITS) && value < (int64_t)1 << SAFE_BITS) {
        nsc_json_int(&chrome->json, key, value);
        return;
    }
    (void)snprintf(digits, sizeof digits, "%" PRId64, value);
    nsc_json_puts(&chrome->json, key, digits);
}

static void args_put(struct chrome *chrome, nsc_event event)
{
    struct nsc_dump_args args;

    nsc_dump_args_of(&args, chrome->dump, event);
    if (!args.n)
        return;
    nsc_json_open(&chrome->json, "args", '{');
    for (uint32_t i = 0; i < args.n; i++) {
        const char *key = nsc_dump_arg_keys[args.at[i].key];

        if (args.at[i].is_text)
            nsc_json_puts(&chrome->json, key, args.at[i].text);
        else
            int_put(chrome, key, args.at[i].value);
    }
    nsc_json_close(&chrome->json, '}');
}

static void row_open(void *context, uint32_t where, nsc_event event, uint32_t depth)
{
    struct chrome *chrome = context;
    const struct nsc_events *events = chrome->dump->events;
    uint32_t thread = thread_of(chrome, where);
    bool instant = events->kind[event] == NSC_KIND_NVTX_MARK;

    (void)depth;
    row_name(chrome, where);
    event_open(chrome, instant ? "i" : "X", thread);
    nsc_json_puts(&chrome->json, "cat", nsc_kind_word((enum nsc_kind)events->kind[event]));
    nsc_json_text(&chrome->json, "name", nsc_dump_text(chrome->dump, event));
    micros_put(chrome, "ts", nsc_dump_time(chrome->dump, event));
    if (instant)
        nsc_json_puts(&chrome->json, "s", "t");
    else
        micros_put(chrome, "dur", nsc_event_duration(events, event));
    args_put(chrome, event);
    nsc_json_close(&chrome->json, '}');
    arrow_put(chrome, event, thread);
}

static void counter_write(struct chrome *chrome, const struct nsc_counter *counter)
{
    struct nsc_dump *dump = chrome->dump;
    struct nsc_window w = dump->query->window;

    for (uint32_t i = 0; i < counter->n && dump->status == NSC_OK; i++) {
        nsc_time t = counter->time[i];

        if (t >= w.t1 || (i + 1 < counter->n && counter->time[i + 1] <= w.t0))
            continue;
        row_name(chrome, 0);
        event_open(chrome, "C", thread_of(chrome, 0));
        nsc_json_text(&chrome->json, "name",
                      nsc_trace_string(dump->trace, dump->tracks[counter->track].label));
        micros_put(chrome, "ts", nsc_dump_offset(dump, t));
        nsc_json_open(&chrome->json, "args", '{');
        int_put(chrome, "value", counter->value[i]);
        nsc_json_close(&chrome->json, '}');
        nsc_json_close(&chrome->json, '}');
        (void)nsc_dump_go_on(dump);
    }
}

static void track_write(struct chrome *chrome, uint32_t track)
{
    struct nsc_dump *dump = chrome->dump;
    struct nsc_nest nest = {.open = row_open, .context = chrome};
    uint32_t n = 0;
    const struct nsc_counter *counters = nsc_trace_counters(dump->trace, &n);
    uint32_t counter = dump->tracks[track].counter;

    chrome->track = track;
    chrome->pid = nsc_trace_group_of(dump->trace, track) + 1;
    if (dump->tracks[track].n_lanes)
        (void)nsc_dump_nest(dump, track, &nest);
    else if (counter < n && !dump->query->mask)
        counter_write(chrome, &counters[counter]);
}

/* ---- ranges on the GPU, bookmarks ---- */

static void projected_put(void *context, const struct nsc_dump_projected *at)
{
    struct chrome *chrome = context;
    struct nsc_dump *dump = chrome->dump;
    uint32_t thread = nsc_dump_projected_row(dump, at->lane);
    struct nsc_buf name = NSC_BUF_INIT(1u << 16);

    chrome->pid = nsc_trace_group_of(dump->trace, at->line->device) + 1;
    if (!chrome->named[chrome->pid]) {
        chrome->named[chrome->pid] = true;
        group_name(chrome, chrome->pid - 1);
    }
    if (!chrome->named[thread]) {
        chrome->named[thread] = true;
        nsc_dump_projected_label(dump, &name, at);
        meta_put(chrome, thread, "thread_name", nsc_text_of_buf(&name));
        order_put(chrome, thread, "thread_sort_index", at->line->device);
    }
    event_open(chrome, "X", thread);
    nsc_json_puts(&chrome->json, "cat", "nvtx-gpu");
    nsc_json_text(&chrome->json, "name", nsc_dump_text(dump, at->range));
    micros_put(chrome, "ts", nsc_dump_offset(dump, at->time.t0));
    micros_put(chrome, "dur", at->time.t1 - at->time.t0);
    args_put(chrome, at->range);
    nsc_json_close(&chrome->json, '}');
    nsc_buf_fini(&name);
}

static void bookmark_put(struct chrome *chrome, const struct nsc_bookmark *bookmark,
                         uint32_t thread)
{
    struct nsc_text name = nsc_text_from(nsc_bookmark_text(bookmark, NSC_BOOKMARK_NAME));

    meta_put(chrome, thread, "thread_name", name);
    event_open(chrome, bookmark->has_range ? "X" : "i", thread);
    nsc_json_puts(&chrome->json, "cat", "bookmark");
    nsc_json_text(&chrome->json, "name", name);
    micros_put(chrome, "ts", nsc_dump_offset(chrome->dump, bookmark->time));
    if (bookmark->has_range)
        micros_put(chrome, "dur", nsc_window_length(bookmark->range));
    else
        nsc_json_puts(&chrome->json, "s", "g");
    nsc_json_open(&chrome->json, "args", '{');
    nsc_json_puts(&chrome->json, "note", nsc_bookmark_text(bookmark, NSC_BOOKMARK_NOTE));
    nsc_json_puts(&chrome->json, "tags", nsc_bookmark_text(bookmark, NSC_BOOKMARK_TAGS));
    nsc_json_close(&chrome->json, '}');
    nsc_json_close(&chrome->json, '}');
}

static void bookmarks_put(struct chrome *chrome)
{
    const struct nsc_bookmarks *list = chrome->dump->query->bookmarks;
    size_t n = list ? nsc_bookmarks_live(list) : 0;

    if (!n)
        return;
    chrome->pid = nsc_dump_bookmark_row(chrome->dump, 0);
    meta_put(chrome, chrome->pid, "process_name", nsc_text_from("bookmarks"));
    for (size_t i = 0; i < n; i++)
        if (nsc_dump_has_bookmark(chrome->dump, &list->at[i]))
            bookmark_put(chrome, &list->at[i], nsc_dump_bookmark_row(chrome->dump, i + 1));
}

void nsc_dump_chrome(struct nsc_dump *dump)
{
    struct nsc_dump_projecting projecting = {projected_put, NULL};
    struct chrome chrome = {.dump = dump};

    chrome.named = nsc_xcalloc((size_t)nsc_dump_rows_end(dump) + 1, sizeof *chrome.named);
    projecting.context = &chrome;
    nsc_json_init(&chrome.json, &dump->out, false);
    chrome.json.lines = 2;
    nsc_json_open(&chrome.json, NULL, '{');
    nsc_json_puts(&chrome.json, "displayTimeUnit", "ns");
    nsc_json_open(&chrome.json, "otherData", '{');
    nsc_json_text(&chrome.json, "file",
                  nsc_trace_string(dump->trace, nsc_trace_info(dump->trace)->path));
    nsc_json_text(&chrome.json, "filter", dump->query->filter);
    int_put(&chrome, "origin_ns", dump->origin);
    nsc_json_close(&chrome.json, '}');
    nsc_json_open(&chrome.json, "traceEvents", '[');
    for (uint32_t track = 0; track < dump->n_tracks && dump->status == NSC_OK; track++)
        track_write(&chrome, track);
    nsc_dump_projected(dump, &projecting);
    bookmarks_put(&chrome);
    nsc_json_close(&chrome.json, ']');
    nsc_json_close(&chrome.json, '}');
    free(chrome.named);
}
