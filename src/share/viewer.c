/* Writes the page as a document, and chooses its contents by size. */
#include "share/viewer.h"

#include "core/die.h"
#include "core/sum.h"
#include "core/units.h"
#include "share/dump_data.h"
#include "share/viewer_pack.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <zlib.h>

enum {
    MOST_COLUMNS = 16384,
    MOST_AROUND = 2048, /* columns around a window with events */
    LEAST_COLUMNS = 64,
    COLUMN_BYTES = 12, /* of one lane, packed: most columns are 0 */
    EVENT_BYTES = 14   /* of one event, packed */
};

/* ---- the description ---- */

static void cut_note(struct nsc_viewer_pack *pack)
{
    char size[NSC_UNITS_BYTES];
    struct nsc_buf note = NSC_BUF_INIT(512);

    if (!pack->has_events)
        nsc_buf_printf(&note,
                       "Cut to --max-size %s: no single events, but exact sums in %" PRIu32
                       " columns of the whole. A page of a shorter time holds every event: give "
                       "--window START END.",
                       nsc_units_bytes(size, pack->viewer->max_size), pack->columns);
    else if (pack->columns)
        nsc_buf_printf(&note,
                       "Every event of the window; the time around it in %" PRIu32
                       " columns with exact sums.",
                       pack->columns);
    if (note.n)
        nsc_json_puts(&pack->json, NULL, note.bytes);
    nsc_buf_fini(&note);
}

/* The part of w inside the trace; the whole trace if they do not overlap. */
static struct nsc_window clip(const struct nsc_viewer_pack *pack, struct nsc_window w)
{
    w = nsc_window_meet(w, pack->extent);
    return w.t0 < w.t1 ? w : pack->extent;
}

static void frame_put(struct nsc_viewer_pack *pack)
{
    struct nsc_json *json = &pack->json;
    const struct nsc_viewer *viewer = pack->viewer;
    char origin[24];

    (void)snprintf(origin, sizeof origin, "%" PRId64, pack->extent.t0);
    nsc_json_puts(json, "format", "nsyscope-page-1");
    nsc_json_puts(json, "command", viewer->command);
    nsc_json_puts(json, "origin", origin);
    nsc_dump_int(json, "length", nsc_window_length(pack->extent));
    nsc_viewer_window(pack, "detail", clip(pack, viewer->detail));
    nsc_viewer_window(pack, "window", clip(pack, viewer->window));
    nsc_json_bool(json, "hasEvents", pack->has_events);
    nsc_json_uint(json, "columns", pack->columns);
    nsc_json_open(json, "notes", '[');
    for (size_t i = 0; i < viewer->n_notes; i++)
        nsc_json_puts(json, NULL, viewer->notes[i]);
    cut_note(pack);
    nsc_json_close(json, ']');
}

static void describe(struct nsc_viewer_pack *pack)
{
    nsc_json_init(&pack->json, &pack->meta, false);
    nsc_json_open(&pack->json, NULL, '{');
    frame_put(pack);
    nsc_viewer_lines(pack);
    nsc_viewer_answers(pack);
    nsc_viewer_titles(pack);
    nsc_viewer_shapes(pack);
    nsc_viewer_themes(pack);
    nsc_json_close(&pack->json, '}');
}

/* ---- the document ---- */

/* Appends bytes as raw DEFLATE. zlib takes at most UINT_MAX bytes at once. */
static void compress_add(struct nsc_buf *out, const struct nsc_buf *in)
{
    z_stream stream = {.next_in = (Bytef *)in->bytes};
    size_t left = in->n;
    char piece[1 << 14];
    int status = deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
                              Z_DEFAULT_STRATEGY);

    if (status != Z_OK)
        nsc_die_oom();
    while (status == Z_OK) {
        if (!stream.avail_in) {
            stream.avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
            left -= stream.avail_in;
        }
        stream.next_out = (Bytef *)piece;
        stream.avail_out = sizeof piece;
        status = deflate(&stream, left ? Z_NO_FLUSH : Z_FINISH);
        nsc_buf_add(out, piece, sizeof piece - stream.avail_out);
    }
    (void)deflateEnd(&stream);
}

static void document_add(struct nsc_buf *out, const struct nsc_viewer_pack *pack)
{
    struct nsc_buf all = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_buf packed = NSC_BUF_INIT(SIZE_MAX);

    for (int i = 0; i < 4; i++)
        nsc_buf_putc(&all, (char)(pack->meta.n >> 8 * i));
    nsc_buf_add(&all, pack->meta.bytes, pack->meta.n);
    nsc_buf_add(&all, pack->bytes.bytes, pack->bytes.n);
    compress_add(&packed, &all);
    nsc_buf_fini(&all);
    nsc_buf_puts(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"");
    nsc_buf_puts(out, nsc_viewer_policy);
    nsc_buf_puts(out, "\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
                      "<meta name=\"color-scheme\" content=\"dark light\">\n"
                      "<title>nsyscope</title>\n<style>");
    nsc_buf_puts(out, nsc_viewer_style);
    nsc_buf_puts(out, "</style>\n</head>\n<body>\n<noscript>This page draws itself: allow its "
                      "script, which loads nothing.</noscript>\n");
    nsc_buf_puts(out, nsc_viewer_body);
    nsc_buf_puts(out, "<script type=\"application/octet-stream\" id=\"data\">");
    nsc_buf_base64(out, packed.bytes, packed.n);
    nsc_buf_puts(out, "</script>\n<script>");
    nsc_buf_puts(out, nsc_viewer_script);
    nsc_buf_puts(out, "</script>\n</body>\n</html>\n");
    nsc_buf_fini(&packed);
}

/* ---- how much of it ---- */

static uint64_t events_in(const struct nsc_viewer_pack *pack)
{
    struct nsc_scope scope = {.trace = pack->trace, .window = pack->viewer->detail};
    uint64_t n = 0;

    for (size_t i = 0; i < pack->rows.n; i++) {
        nsc_event first;
        nsc_event end;

        if (pack->rows.at[i].kind != NSC_LINE_LANE)
            continue;
        nsc_scope_rows(&scope, pack->rows.at[i].lane, &first, &end);
        n += end - first;
    }
    return n;
}

/* The greatest power of two of columns with at most size bytes. */
static uint32_t columns_for(const struct nsc_viewer_pack *pack, uint64_t size)
{
    uint32_t n = pack->has_events ? MOST_AROUND : MOST_COLUMNS;

    while (n > LEAST_COLUMNS && (uint64_t)n * COLUMN_BYTES * pack->rows.n > size / 4 * 3)
        n /= 2;
    return n;
}

/* A page of events has every lane; a page of columns has those of the screen, and states the number
 * of others. */
static void choose(struct nsc_viewer_pack *pack, bool has_events)
{
    pack->has_events = has_events;
    pack->rows.every_lane = has_events;
    nsc_rows_build(&pack->rows, pack->trace, pack->open);
}

static void plan(struct nsc_viewer_pack *pack)
{
    struct nsc_window d = pack->viewer->detail;
    uint64_t size = pack->viewer->max_size;
    bool is_whole = d.t0 <= pack->extent.t0 && d.t1 >= pack->extent.t1;
    uint64_t whole = size < NSC_VIEWER_WHOLE_SIZE ? size : NSC_VIEWER_WHOLE_SIZE;

    choose(pack, true);
    if (events_in(pack) * EVENT_BYTES >= size / 4 * 3)
        choose(pack, false);
    pack->columns = !is_whole || !pack->has_events ? columns_for(pack, whole) : 0;
}

/* A page of columns only stays small, whatever the limit for events. */
static uint64_t most_bytes(const struct nsc_viewer_pack *pack)
{
    uint64_t size = pack->viewer->max_size;

    return pack->has_events || size < NSC_VIEWER_WHOLE_SIZE ? size : NSC_VIEWER_WHOLE_SIZE;
}

static bool has_less(struct nsc_viewer_pack *pack)
{
    if (pack->has_events) {
        choose(pack, false);
        pack->columns = columns_for(pack, most_bytes(pack));
        return true;
    }
    pack->columns /= 2;
    return pack->columns >= LEAST_COLUMNS;
}

/* Clears the remains of a description. */
static void pack_clear(struct nsc_viewer_pack *pack)
{
    nsc_buf_clear(&pack->meta);
    nsc_buf_clear(&pack->bytes);
    NSC_VEC_CLEAR(&pack->titles);
    NSC_VEC_CLEAR(&pack->colors);
    nsc_idtable_fini(&pack->known);
    free(pack->places);
    nsc_strpool_fini(&pack->shapes);
    nsc_strpool_init(&pack->shapes);
    pack->places = NULL;
}

static bool pack_init(struct nsc_viewer_pack *pack, const struct nsc_viewer *viewer)
{
    uint32_t n_tracks = 0;

    *pack = (struct nsc_viewer_pack){.viewer = viewer,
                                     .trace = viewer->scope->trace,
                                     .events = nsc_trace_events(viewer->scope->trace),
                                     .extent = nsc_trace_extent(viewer->scope->trace),
                                     .meta = NSC_BUF_INIT(SIZE_MAX),
                                     .bytes = NSC_BUF_INIT(SIZE_MAX)};
    nsc_strpool_init(&pack->shapes);
    (void)nsc_trace_tracks(pack->trace, &n_tracks);
    pack->folds = nsc_xcalloc(nsc_bits_words(n_tracks) + 1, sizeof *pack->folds);
    pack->open = nsc_xcalloc(nsc_bits_words(n_tracks) + 1, sizeof *pack->open);
    nsc_texts_init(&pack->texts, pack->trace);
    pack->launches = nsc_launches_build(pack->trace, NULL, NULL);
    pack->projection = pack->launches ? nsc_projection_build(pack->trace, pack->launches,
                                                             NSC_PROJECTION_SHOWN, NULL, NULL)
                                      : NULL;
    if (!pack->projection)
        return false;
    pack->rows.projection = pack->projection;
    nsc_rows_fold_default(pack->folds, pack->trace);
    return true;
}

static void pack_fini(struct nsc_viewer_pack *pack)
{
    pack_clear(pack);
    nsc_strpool_fini(&pack->shapes);
    nsc_rows_fini(&pack->rows);
    free(pack->folds);
    free(pack->open);
    nsc_projection_free(pack->projection);
    nsc_launches_free(pack->launches);
    nsc_texts_fini(&pack->texts);
    NSC_VEC_FINI(&pack->titles);
    NSC_VEC_FINI(&pack->colors);
    nsc_buf_fini(&pack->meta);
    nsc_buf_fini(&pack->bytes);
}

enum nsc_status nsc_viewer_write(struct nsc_buf *out, const struct nsc_viewer *viewer,
                                 struct nsc_error *error)
{
    struct nsc_viewer_pack pack;
    size_t before = out->n;
    enum nsc_status status = NSC_OK;
    bool is_done = false;

    if (!pack_init(&pack, viewer)) {
        pack_fini(&pack);
        return nsc_fail(error, NSC_ENOMEM, "no memory for the page");
    }
    plan(&pack);
    while (!is_done && status == NSC_OK) {
        pack_clear(&pack);
        describe(&pack);
        out->n = before;
        document_add(out, &pack);
        is_done = out->n - before <= most_bytes(&pack) && !out->overflow;
        if (!is_done && !has_less(&pack))
            status = nsc_fail(error, NSC_EINVAL,
                              "--max-size: the smallest page of this takes %zuK; give that, or a "
                              "part of the export (--trim, --gpu)",
                              (out->n - before) / 1024 + 1);
    }
    pack_fini(&pack);
    return status;
}
