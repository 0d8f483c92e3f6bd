/*
 * Writes Chrome trace events: one process per group, one thread per row, µs with three decimals so
 * that ns stay exact.
 *
 * Process and thread ids are the trace's own numbers, never 0, so that the rows of a group stay
 * together whatever ids the export has. Readers want the events of a thread to nest, so an event
 * that crosses others goes to a separate row for its lane. A launch is an arrow from the call to
 * each op that it launched; the arrow's id is the call's row number.
 */
#include "core/json_write.h"
#include "share/dump_data.h"
#include "view/model/bookmark.h"

#include <inttypes.h>

struct chrome {
    struct nsc_dump *dump;
    struct nsc_dump_timeline timeline;
    struct nsc_json json;
};

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
    nsc_json_uint(&chrome->json, "pid", chrome->dump->group + 1);
    nsc_json_uint(&chrome->json, "tid", thread);
}

/* Closes an event whose arguments are open. */
static void event_close(struct chrome *chrome)
{
    nsc_json_close(&chrome->json, '}');
    nsc_json_close(&chrome->json, '}');
}

/* ---- names ---- */

static void meta_open(struct chrome *chrome, uint32_t thread, const char *what)
{
    event_open(chrome, "M", thread);
    nsc_json_puts(&chrome->json, "name", what);
    nsc_json_open(&chrome->json, "args", '{');
}

static void meta_put(struct chrome *chrome, uint32_t thread, const char *what, struct nsc_text name)
{
    meta_open(chrome, thread, what);
    nsc_json_text(&chrome->json, "name", name);
    event_close(chrome);
}

static void line_name(void *context, const struct nsc_dump_line *line)
{
    struct chrome *chrome = context;
    bool is_group = !line->parent;

    meta_put(chrome, line->number, is_group ? "process_name" : "thread_name", line->name);
    meta_open(chrome, line->number, is_group ? "process_sort_index" : "thread_sort_index");
    nsc_json_uint(&chrome->json, "sort_index", line->order);
    event_close(chrome);
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
            nsc_dump_int(&chrome->json, key, args.at[i].value);
    }
    nsc_json_close(&chrome->json, '}');
}

static void row_open(void *context, uint32_t where, nsc_event event, uint32_t depth)
{
    struct chrome *chrome = context;
    const struct nsc_events *events = chrome->dump->events;
    uint32_t thread = nsc_dump_line_of(chrome->dump, where);
    bool instant = events->kind[event] == NSC_KIND_NVTX_MARK;

    (void)depth;
    nsc_dump_tell(chrome->dump, &chrome->timeline, where);
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

static void sample_put(void *context, nsc_time at, int64_t value)
{
    struct chrome *chrome = context;
    struct nsc_dump *dump = chrome->dump;

    event_open(chrome, "C", nsc_dump_line_of(dump, 0));
    nsc_json_text(&chrome->json, "name",
                  nsc_trace_string(dump->trace, dump->tracks[dump->track].label));
    micros_put(chrome, "ts", at);
    nsc_json_open(&chrome->json, "args", '{');
    nsc_dump_int(&chrome->json, "value", value);
    event_close(chrome);
}

/* ---- ranges on the GPU, bookmarks ---- */

static void projected_put(void *context, uint32_t number, nsc_event range, struct nsc_window time)
{
    struct chrome *chrome = context;

    event_open(chrome, "X", number);
    nsc_json_puts(&chrome->json, "cat", "nvtx-gpu");
    nsc_json_text(&chrome->json, "name", nsc_dump_text(chrome->dump, range));
    micros_put(chrome, "ts", time.t0);
    micros_put(chrome, "dur", time.t1 - time.t0);
    args_put(chrome, range);
    nsc_json_close(&chrome->json, '}');
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
    event_close(chrome);
}

static void bookmarks_put(struct chrome *chrome)
{
    const struct nsc_bookmarks *list = chrome->dump->query->bookmarks;
    size_t n = list ? nsc_bookmarks_live(list) : 0;

    if (!n)
        return;
    chrome->dump->group = nsc_dump_bookmark_row(chrome->dump, 0) - 1;
    meta_put(chrome, chrome->dump->group + 1, "process_name", nsc_text_from("bookmarks"));
    for (size_t i = 0; i < n; i++)
        if (nsc_dump_has_bookmark(chrome->dump, &list->at[i]))
            bookmark_put(chrome, &list->at[i], nsc_dump_bookmark_row(chrome->dump, i + 1));
}

void nsc_dump_chrome(struct nsc_dump *dump)
{
    struct chrome chrome = {
        .dump = dump,
        .timeline = {{row_open, NULL, &chrome}, line_name, sample_put, projected_put}};

    nsc_json_init(&chrome.json, &dump->out, false);
    chrome.json.lines = 2;
    nsc_json_open(&chrome.json, NULL, '{');
    nsc_json_puts(&chrome.json, "displayTimeUnit", "ns");
    nsc_json_open(&chrome.json, "otherData", '{');
    nsc_json_text(&chrome.json, "file",
                  nsc_trace_string(dump->trace, nsc_trace_info(dump->trace)->path));
    nsc_json_text(&chrome.json, "filter", dump->query->filter);
    nsc_dump_int(&chrome.json, "origin_ns", dump->origin);
    nsc_json_close(&chrome.json, '}');
    nsc_json_open(&chrome.json, "traceEvents", '[');
    nsc_dump_timeline(dump, &chrome.timeline);
    bookmarks_put(&chrome);
    nsc_json_close(&chrome.json, ']');
    nsc_json_close(&chrome.json, '}');
}
