/*
 * Writes speedscope files: an evented profile for each row of the timeline, ns since the start of
 * the trace.
 *
 * Each text has a frame. Beyond a limit of texts, those that differ only in counters share a frame,
 * with # for each counter. Frames follow the profiles, which JSON allows. Rows that cross get a
 * profile per lane.
 */
#include "core/bits.h"
#include "core/die.h"
#include "core/json_write.h"
#include "core/strpool.h"
#include "share/dump_data.h"

#include <stdlib.h>

#ifdef NSC_SMALL
enum { TEXTS_MOST = 24 };
#else
enum { TEXTS_MOST = 1 << 18 };
#endif

struct scope_file {
    struct nsc_dump *dump;
    struct nsc_json json;
    struct nsc_strpool frames; /* frame i is string i + 1 */
    uint64_t *crossing;        /* rows that are not on their track's main line, one bit per row */
    uint32_t n_crossing;       /* rows of the current track */
    uint32_t track;
    bool begun;    /* a profile is open */
    nsc_time last; /* time of its last event */
};

/* The text with every counter replaced by "#". */
static struct nsc_text text_folded(struct scope_file *file, nsc_event event)
{
    nsc_name name = file->dump->events->name[event];
    const struct nsc_names *names = nsc_trace_names(file->dump->trace);
    struct nsc_text text = nsc_trace_string(file->dump->trace, names->full[name]);

    text.n = text.n < NSC_NAME_BYTES ? text.n : NSC_NAME_BYTES;
    for (uint32_t i = 0; i < text.n; i++)
        file->dump->scratch[i] = (char)(text.bytes[i] == NSC_COUNTER_BYTE ? '#' : text.bytes[i]);
    return (struct nsc_text){file->dump->scratch, text.n};
}

static uint32_t frame_of(struct scope_file *file, nsc_event event)
{
    nsc_name name = file->dump->events->name[event];
    struct nsc_text text = nsc_dump_text(file->dump, event);
    nsc_str id = NSC_NONE;

    if (!text.n)
        text = nsc_text_from("?");
    if (file->frames.n > TEXTS_MOST && nsc_trace_names(file->dump->trace)->counters[name]) {
        id = nsc_strpool_find(&file->frames, text.bytes, text.n);
        if (id == NSC_NONE)
            text = text_folded(file, event);
    }
    if (id == NSC_NONE)
        id = nsc_strpool_add(&file->frames, text.bytes, text.n);
    return id - 1;
}

/* ---- profiles ---- */

static void profile_begin(struct scope_file *file, uint32_t where, nsc_time at)
{
    struct nsc_dump *dump = file->dump;
    const struct nsc_track *track = &dump->tracks[file->track];
    uint32_t group = nsc_trace_group_of(dump->trace, file->track);
    struct nsc_text label = nsc_trace_string(dump->trace, track->label);
    struct nsc_buf name = NSC_BUF_INIT(1u << 16);

    if (file->begun)
        return;
    file->begun = true;
    nsc_dump_group_put(dump, &name, group);
    if (group != file->track) {
        nsc_buf_puts(&name, " · ");
        nsc_buf_add(&name, label.bytes, label.n);
    }
    if (where)
        nsc_buf_printf(&name, " +%u", where - 1 - track->first_lane);
    nsc_json_open(&file->json, NULL, '{');
    nsc_json_puts(&file->json, "type", "evented");
    nsc_json_text(&file->json, "name", nsc_text_of_buf(&name));
    nsc_json_puts(&file->json, "unit", "nanoseconds");
    nsc_json_int(&file->json, "startValue", at);
    nsc_json_open(&file->json, "events", '[');
    nsc_buf_fini(&name);
}

static void profile_end(struct scope_file *file)
{
    if (!file->begun)
        return;
    nsc_json_close(&file->json, ']');
    nsc_json_int(&file->json, "endValue", file->last);
    nsc_json_close(&file->json, '}');
    file->begun = false;
}

static void event_put(struct scope_file *file, const char *type, uint32_t frame, nsc_time at)
{
    nsc_json_open(&file->json, NULL, '{');
    nsc_json_puts(&file->json, "type", type);
    nsc_json_uint(&file->json, "frame", frame);
    nsc_json_int(&file->json, "at", at);
    nsc_json_close(&file->json, '}');
    file->last = at;
}

static void open_put(struct scope_file *file, uint32_t where, nsc_event event)
{
    nsc_time at = nsc_dump_time(file->dump, event);

    profile_begin(file, where, at);
    event_put(file, "O", frame_of(file, event), at);
}

static void close_put(struct scope_file *file, nsc_event event)
{
    event_put(file, "C", frame_of(file, event),
              nsc_dump_offset(file->dump, nsc_event_end(file->dump->events, event)));
}

/* ---- rows ---- */

static void row_open(void *context, uint32_t where, nsc_event event, uint32_t depth)
{
    struct scope_file *file = context;

    (void)depth;
    if (where) {
        nsc_bits_set(file->crossing, event);
        file->n_crossing++;
    } else {
        open_put(file, 0, event);
    }
}

static void row_close(void *context, uint32_t where, nsc_event event, nsc_time self)
{
    struct scope_file *file = context;

    (void)self;
    if (!where)
        close_put(file, event);
}

/* Writes the rows that cross as one profile per lane, without overlap. */
static void write_crossing(struct scope_file *file)
{
    const struct nsc_track *track = &file->dump->tracks[file->track];

    for (uint32_t lane = track->first_lane; lane < track->first_lane + track->n_lanes; lane++) {
        struct nsc_row_range rows =
            nsc_lane_rows(file->dump->trace, lane, file->dump->query->window);

        for (nsc_event i = rows.first; i < rows.end && file->dump->status == NSC_OK; i++) {
            if (!nsc_bits_get(file->crossing, i))
                continue;
            open_put(file, 1 + lane, i);
            close_put(file, i);
            (void)nsc_dump_go_on(file->dump);
        }
        profile_end(file);
    }
}

static void write_tracks(struct scope_file *file)
{
    struct nsc_nest nest = {row_open, row_close, file};

    for (uint32_t t = 0; t < file->dump->n_tracks && file->dump->status == NSC_OK; t++) {
        if (!file->dump->tracks[t].n_lanes)
            continue;
        file->track = t;
        file->n_crossing = 0;
        (void)nsc_dump_nest(file->dump, t, &nest);
        profile_end(file);
        if (file->n_crossing)
            write_crossing(file);
    }
}

static void write_frames(struct scope_file *file)
{
    nsc_json_open(&file->json, "shared", '{');
    nsc_json_open(&file->json, "frames", '[');
    for (uint32_t i = 1; i < file->frames.n && file->dump->status == NSC_OK; i++) {
        nsc_json_open(&file->json, NULL, '{');
        nsc_json_text(&file->json, "name", nsc_strpool_text(&file->frames, i));
        nsc_json_close(&file->json, '}');
        (void)nsc_dump_go_on(file->dump);
    }
    nsc_json_close(&file->json, ']');
    nsc_json_close(&file->json, '}');
}

void nsc_dump_speedscope(struct nsc_dump *dump)
{
    struct scope_file file = {.dump = dump};

    file.crossing = nsc_xcalloc(nsc_bits_words(dump->events->n) + 1, sizeof *file.crossing);
    nsc_strpool_init(&file.frames);
    nsc_json_init(&file.json, &dump->out, false);
    file.json.lines = 2;
    nsc_json_open(&file.json, NULL, '{');
    nsc_json_puts(&file.json, "$schema", "https://www.speedscope.app/file-format-schema.json");
    nsc_json_puts(&file.json, "exporter", "nsyscope");
    nsc_json_text(&file.json, "name",
                  nsc_trace_string(dump->trace, nsc_trace_info(dump->trace)->path));
    nsc_json_int(&file.json, "activeProfileIndex", 0);
    nsc_json_open(&file.json, "profiles", '[');
    write_tracks(&file);
    nsc_json_close(&file.json, ']');
    write_frames(&file);
    nsc_json_close(&file.json, '}');
    nsc_strpool_fini(&file.frames);
    free(file.crossing);
}
