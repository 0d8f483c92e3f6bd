/*
 * Writes the bookmarks file: JSON with one bookmark per line, so that damage to one spares the
 * others.
 */
#include "core/json_write.h"
#include "core/text.h"
#include "view/model/bookmark.h"

#include <inttypes.h>
#include <stdio.h>

const char *const nsc_bookmark_text_keys[NSC_N_BOOKMARK_TEXTS] = {
    [NSC_BOOKMARK_NAME] = "name", [NSC_BOOKMARK_NOTE] = "note",     [NSC_BOOKMARK_TAGS] = "tags",
    [NSC_BOOKMARK_PATH] = "path", [NSC_BOOKMARK_FILTER] = "filter",
};

const char *const nsc_session_setting_keys[NSC_N_SESSION_SETTINGS] = {
    [NSC_SESSION_AXIS] = "axis",
    [NSC_SESSION_PANE] = "pane",
};

const char *const nsc_session_tracks_keys[NSC_N_SESSION_TRACKS] = {
    [NSC_SESSION_FOLDS] = "folds", [NSC_SESSION_PINS] = "pins", [NSC_SESSION_HIDDEN] = "hidden",
    [NSC_SESSION_ORDER] = "order", [NSC_SESSION_TALL] = "tall",
};

const char *const nsc_bookmark_kinds[NSC_N_KINDS] = {
#define NSC_KIND(id, word, table, label) #id,
#include "nsyscope/kind.def"
#undef NSC_KIND
};

static void write_window(struct nsc_json *json, const char *key, struct nsc_window window)
{
    nsc_json_open(json, key, '[');
    nsc_json_int(json, NULL, window.t0);
    nsc_json_int(json, NULL, window.t1);
    nsc_json_close(json, ']');
}

static void write_number(struct nsc_json *json, const char *key, int64_t value, int64_t absent)
{
    if (value != absent)
        nsc_json_int(json, key, value);
}

static void write_track(struct nsc_json *json, const char *key, const struct nsc_track_id *id)
{
    nsc_json_open(json, key, '{');
    nsc_json_puts(json, "kind", nsc_track_kind_word(id->kind));
    write_number(json, "process", (int64_t)id->process, 0);
    write_number(json, "pid", id->pid, 0);
    write_number(json, "tid", id->tid, 0);
    write_number(json, "device", id->device, -1);
    write_number(json, "context", id->context, -1);
    write_number(json, "stream", id->stream, -1);
    write_number(json, "domain", id->domain, -1);
    write_number(json, "nth", id->nth, 0);
    write_number(json, "lane", id->lane, 0);
    nsc_json_close(json, '}');
}

static void write_content(struct nsc_json *json, const struct nsc_bookmark *b)
{
    char color[8];

    for (unsigned i = 0; i < NSC_N_BOOKMARK_TEXTS; i++)
        if (b->texts[i])
            nsc_json_puts(json, nsc_bookmark_text_keys[i], b->texts[i]);
    if (b->has_range)
        write_window(json, "range", b->range);
    else
        nsc_json_int(json, "time", b->time);
    if (b->has_zoom)
        write_window(json, "zoom", b->zoom);
    if (b->has_track)
        write_track(json, "track", &b->track);
    if (b->has_event) {
        nsc_json_open(json, "event", '{');
        nsc_json_puts(json, "kind", nsc_bookmark_kinds[b->kind]);
        nsc_json_uint(json, "row", b->source);
        nsc_json_close(json, '}');
    }
    if (b->color >= 0) {
        (void)snprintf(color, sizeof color, "#%06x", (unsigned)b->color & 0xffffffu);
        nsc_json_puts(json, "color", color);
    }
}

int nsc_bookmark_compare(const struct nsc_bookmark *a, const struct nsc_bookmark *b)
{
    const struct nsc_bookmark *both[2] = {a, b};
    struct nsc_buf texts[2] = {NSC_BUF_INIT(SIZE_MAX / 2), NSC_BUF_INIT(SIZE_MAX / 2)};
    int order = 0;

    for (int i = 0; i < 2; i++) {
        struct nsc_json json;

        nsc_json_init(&json, &texts[i], false);
        nsc_json_open(&json, NULL, '{');
        write_content(&json, both[i]);
    }
    order = nsc_text_compare(nsc_text_of_buf(&texts[0]), nsc_text_of_buf(&texts[1]));
    nsc_buf_fini(&texts[0]);
    nsc_buf_fini(&texts[1]);
    return order;
}

static void write_bookmark(struct nsc_json *json, const struct nsc_bookmark *b)
{
    char id[17];

    nsc_json_open(json, NULL, '{');
    (void)snprintf(id, sizeof id, "%016" PRIx64, b->id);
    nsc_json_puts(json, "id", id);
    if (b->deleted)
        nsc_json_bool(json, "deleted", true);
    else
        write_content(json, b);
    write_number(json, "created", b->created, 0);
    write_number(json, "modified", b->modified, 0);
    nsc_json_close(json, '}');
}

static void write_ids(struct nsc_json *json, const char *key, const struct nsc_track_ids *ids)
{
    if (ids->n == 0)
        return;
    nsc_json_open(json, key, '[');
    for (size_t i = 0; i < ids->n; i++)
        write_track(json, NULL, &ids->at[i]);
    nsc_json_close(json, ']');
}

static void write_session(struct nsc_json *json, const struct nsc_session_state *state)
{
    nsc_json_open(json, "session", '{');
    nsc_json_int(json, "modified", state->modified);
    if (state->has_window) {
        write_window(json, "window", state->window);
        nsc_json_int(json, "cursor", state->cursor);
    }
    if (state->has_row)
        write_track(json, "row", &state->row);
    for (int i = 0; i < NSC_N_SESSION_TRACKS; i++)
        write_ids(json, nsc_session_tracks_keys[i], &state->tracks[i]);
    if (state->filter && state->filter[0])
        nsc_json_puts(json, "filter", state->filter);
    nsc_json_open(json, "settings", '{');
    for (int i = 0; i < NSC_N_SESSION_SETTINGS; i++)
        if (state->settings[i])
            nsc_json_puts(json, nsc_session_setting_keys[i], state->settings[i]);
    nsc_json_close(json, '}');
    nsc_json_close(json, '}');
}

void nsc_bookmarks_format(struct nsc_buf *out, const struct nsc_bookmarks *list,
                          const struct nsc_session_state *session, const char *identity,
                          bool with_removed)
{
    size_t n = with_removed ? list->n : nsc_bookmarks_live(list);
    char format[32];
    struct nsc_json json;

    nsc_json_init(&json, out, true);
    json.lines = 2;
    nsc_json_open(&json, NULL, '{');
    (void)snprintf(format, sizeof format, NSC_BOOKMARKS_FORMAT "%d", NSC_BOOKMARKS_VERSION);
    nsc_json_puts(&json, "format", format);
    if (identity[0])
        nsc_json_puts(&json, "export", identity);
    nsc_json_uint(&json, "count", n);
    if (session)
        write_session(&json, session);
    nsc_json_open(&json, "bookmarks", '[');
    for (size_t i = 0; i < n; i++)
        write_bookmark(&json, &list->at[i]);
    nsc_json_close(&json, ']');
    nsc_json_close(&json, '}');
}
