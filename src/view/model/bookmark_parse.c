/* Reads a bookmarks file: as a whole, or line by line if it is damaged. */
#include "core/json.h"
#include "core/text.h"
#include "core/vec.h"
#include "view/model/bookmark.h"

#include <string.h>

struct reading {
    struct nsc_json_tree tree;
    struct nsc_bookmarks *list;
    struct nsc_session_state *session; /* NULL: skip it */
    struct nsc_bookmarks_report *report;
    size_t found;  /* entries read, with removed ones */
    int64_t count; /* number of entries according to the file; -1 if not stated */
    bool has_session;
};

/* ---- values ---- */

/* Reads an optional member. One that is not a whole number in [min, max] counts as lost. */
static int64_t read_number(struct reading *reading, uint32_t object, const char *key,
                           int64_t absent, int64_t min, int64_t max)
{
    uint32_t node = nsc_json_find(&reading->tree, object, key);
    int64_t value = 0;

    if (node == NSC_NONE)
        return absent;
    if (nsc_json_get_int(&value, &reading->tree, node) && value >= min && value <= max)
        return value;
    reading->report->parts++;
    return absent;
}

static bool get_window(struct nsc_window *out, const struct nsc_json_tree *tree, uint32_t node)
{
    return nsc_json_is(tree, node, NSC_JSON_ARRAY) && tree->nodes[node].n == 2 &&
           nsc_json_get_int(&out->t0, tree, node + 1) &&
           nsc_json_get_int(&out->t1, tree, node + 2) && out->t0 < out->t1;
}

static bool read_window(struct reading *reading, struct nsc_window *out, uint32_t object,
                        const char *key)
{
    uint32_t node = nsc_json_find(&reading->tree, object, key);

    if (node == NSC_NONE)
        return false;
    if (get_window(out, &reading->tree, node))
        return true;
    reading->report->parts++;
    return false;
}

/* Replaces NUL by the replacement character, because it would end the text. */
static char *copy_text(struct nsc_text text)
{
    struct nsc_buf copy = NSC_BUF_INIT(SIZE_MAX / 2);

    for (uint32_t i = 0; i < text.n; i++) {
        if (text.bytes[i])
            nsc_buf_putc(&copy, text.bytes[i]);
        else
            nsc_buf_puts(&copy, "\xef\xbf\xbd");
    }
    return copy.bytes;
}

/* The caller frees it; NULL for "". */
static char *read_text(struct reading *reading, uint32_t object, const char *key)
{
    uint32_t node = nsc_json_find(&reading->tree, object, key);
    struct nsc_text text = {NULL, 0};

    if (node == NSC_NONE)
        return NULL;
    if (nsc_json_get_text(&text, &reading->tree, node))
        return copy_text(text);
    reading->report->parts++;
    return NULL;
}

static bool get_track(struct nsc_track_id *out, struct reading *reading, uint32_t node)
{
    struct nsc_text kind = {NULL, 0};
    uint32_t parts = reading->report->parts;

    *out = (struct nsc_track_id){0};
    if (!nsc_json_get_text(&kind, &reading->tree, nsc_json_find(&reading->tree, node, "kind")) ||
        !nsc_track_kind_find(&out->kind, kind)) {
        reading->report->parts++;
        return false;
    }
    out->process = (uint64_t)read_number(reading, node, "process", 0, INT64_MIN, INT64_MAX);
    out->pid = (uint32_t)read_number(reading, node, "pid", 0, 0, UINT32_MAX);
    out->tid = (uint32_t)read_number(reading, node, "tid", 0, 0, UINT32_MAX);
    out->device = read_number(reading, node, "device", -1, INT64_MIN, INT64_MAX);
    out->context = read_number(reading, node, "context", -1, INT64_MIN, INT64_MAX);
    out->stream = read_number(reading, node, "stream", -1, INT64_MIN, INT64_MAX);
    out->domain = read_number(reading, node, "domain", -1, INT64_MIN, INT64_MAX);
    out->nth = (uint32_t)read_number(reading, node, "nth", 0, 0, UINT32_MAX);
    out->lane = (uint32_t)read_number(reading, node, "lane", 0, 0, UINT32_MAX);
    return reading->report->parts == parts;
}

static bool read_track(struct nsc_track_id *out, struct reading *reading, uint32_t object,
                       const char *key)
{
    uint32_t node = nsc_json_find(&reading->tree, object, key);

    return node != NSC_NONE && get_track(out, reading, node);
}

static bool read_event(struct reading *reading, struct nsc_bookmark *b, uint32_t object)
{
    const struct nsc_json_tree *tree = &reading->tree;
    uint32_t node = nsc_json_find(tree, object, "event");
    struct nsc_text kind = {NULL, 0};
    int64_t row = 0;

    if (node == NSC_NONE)
        return false;
    if (nsc_json_get_text(&kind, tree, nsc_json_find(tree, node, "kind")) &&
        nsc_json_get_int(&row, tree, nsc_json_find(tree, node, "row")) && row >= 0 &&
        row < NSC_NONE)
        for (unsigned i = 0; i < NSC_N_KINDS; i++)
            if (nsc_text_is(kind, nsc_bookmark_kinds[i])) {
                b->kind = (uint8_t)i;
                b->source = (uint32_t)row;
                return true;
            }
    reading->report->parts++;
    return false;
}

/* The value of exactly n hexadecimal digits. */
static bool parse_hex(uint64_t *out, const char *at, uint32_t n)
{
    *out = 0;
    for (uint32_t i = 0; i < n; i++) {
        const char *digits = "0123456789abcdef";
        const char *digit = at[i] ? strchr(digits, at[i]) : NULL;

        if (!digit)
            return false;
        *out = *out << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

bool nsc_bookmark_parse_id(uint64_t *out, struct nsc_text text)
{
    return text.n == 16 && parse_hex(out, text.bytes, 16) && *out != 0;
}

static int32_t read_color(struct reading *reading, uint32_t object)
{
    uint32_t node = nsc_json_find(&reading->tree, object, "color");
    struct nsc_text text = {NULL, 0};
    uint64_t value = 0;

    if (node == NSC_NONE)
        return -1;
    if (nsc_json_get_text(&text, &reading->tree, node) && text.n == 7 && text.bytes[0] == '#' &&
        parse_hex(&value, text.bytes + 1, 6))
        return (int32_t)value;
    reading->report->parts++;
    return -1;
}

/* ---- entries ---- */

/* Derives an id for a bookmark without one, so that each reading gives the same. */
static uint64_t derive_id(const struct nsc_bookmark *b)
{
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)b->time;

    for (unsigned i = 0; i < NSC_N_BOOKMARK_TEXTS; i++)
        for (const char *at = nsc_bookmark_text(b, (enum nsc_bookmark_text)i); *at; at++)
            hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    hash ^= b->has_range ? (uint64_t)b->range.t1 * 0x9e3779b97f4a7c15u : 0;
    return hash ? hash : 1;
}

static bool read_id(struct reading *reading, struct nsc_bookmark *b, uint32_t object)
{
    uint32_t node = nsc_json_find(&reading->tree, object, "id");
    struct nsc_text text = {NULL, 0};

    return node == NSC_NONE ||
           (nsc_json_get_text(&text, &reading->tree, node) && nsc_bookmark_parse_id(&b->id, text));
}

/* Reads the time. False if there is none: then it is not a bookmark. */
static bool read_place(struct reading *reading, struct nsc_bookmark *b, uint32_t object)
{
    const struct nsc_json_tree *tree = &reading->tree;
    uint32_t range = nsc_json_find(tree, object, "range");

    if (range == NSC_NONE)
        return nsc_json_get_int(&b->time, tree, nsc_json_find(tree, object, "time"));
    b->has_range = get_window(&b->range, tree, range);
    b->time = b->range.t0;
    return b->has_range;
}

static void read_content(struct reading *reading, struct nsc_bookmark *b, uint32_t object)
{
    for (unsigned i = 0; i < NSC_N_BOOKMARK_TEXTS; i++)
        b->texts[i] = read_text(reading, object, nsc_bookmark_text_keys[i]);
    b->has_zoom = read_window(reading, &b->zoom, object, "zoom");
    b->has_track = read_track(&b->track, reading, object, "track");
    b->has_event = read_event(reading, b, object);
    b->color = read_color(reading, object);
    if (b->id == 0)
        b->id = derive_id(b);
}

static void read_entry(struct reading *reading, uint32_t object)
{
    struct nsc_bookmark b = nsc_bookmark_new(0);

    b.changed = false;
    if (!nsc_json_is(&reading->tree, object, NSC_JSON_OBJECT) || !read_id(reading, &b, object)) {
        reading->report->lost++;
        return;
    }
    (void)nsc_json_get_bool(&b.deleted, &reading->tree,
                            nsc_json_find(&reading->tree, object, "deleted"));
    if (b.deleted ? b.id == 0 : !read_place(reading, &b, object)) {
        reading->report->lost++;
        return;
    }
    if (!b.deleted)
        read_content(reading, &b, object);
    b.created = b.deleted ? 0 : read_number(reading, object, "created", 0, 0, INT64_MAX);
    b.modified = read_number(reading, object, "modified", 0, 0, INT64_MAX);
    reading->found++;
    *NSC_VEC_ADD(reading->list) = b;
}

static void read_ids(struct nsc_track_ids *out, struct reading *reading, uint32_t object,
                     const char *key)
{
    const struct nsc_json_tree *tree = &reading->tree;
    uint32_t list = nsc_json_find(tree, object, key);

    if (list == NSC_NONE || !nsc_json_is(tree, list, NSC_JSON_ARRAY)) {
        reading->report->parts += list != NSC_NONE;
        return;
    }
    for (uint32_t at = list + 1; at < tree->nodes[list].next; at = tree->nodes[at].next) {
        struct nsc_track_id id;

        if (get_track(&id, reading, at))
            *NSC_VEC_ADD(out) = id;
    }
}

static void read_settings(struct reading *reading, uint32_t object)
{
    const struct nsc_json_tree *tree = &reading->tree;
    uint32_t settings = nsc_json_find(tree, object, "settings");

    if (!nsc_json_is(tree, settings, NSC_JSON_OBJECT)) {
        reading->report->parts += settings != NSC_NONE;
        return;
    }
    for (int i = 0; i < NSC_N_SESSION_SETTINGS; i++)
        reading->session->settings[i] = read_text(reading, settings, nsc_session_setting_keys[i]);
}

static void read_session(struct reading *reading, uint32_t object)
{
    struct nsc_session_state *state = reading->session;
    int64_t cursor;

    if (reading->has_session || !state)
        return;
    if (!nsc_json_is(&reading->tree, object, NSC_JSON_OBJECT)) {
        reading->report->parts++;
        return;
    }
    reading->has_session = true;
    nsc_session_state_fini(state);
    state->modified = read_number(reading, object, "modified", 0, 0, INT64_MAX);
    state->has_window = read_window(reading, &state->window, object, "window");
    cursor = state->has_window ? state->window.t0 : 0;
    state->cursor = read_number(reading, object, "cursor", cursor, INT64_MIN, INT64_MAX);
    state->has_row = read_track(&state->row, reading, object, "row");
    for (int i = 0; i < NSC_N_SESSION_TRACKS; i++)
        read_ids(&state->tracks[i], reading, object, nsc_session_tracks_keys[i]);
    state->filter = read_text(reading, object, "filter");
    read_settings(reading, object);
}

/* ---- the whole ---- */

/* "nsyscope-bookmarks-N" */
static void read_version(struct reading *reading, struct nsc_text format)
{
    size_t n = strlen(NSC_BOOKMARKS_FORMAT);
    unsigned version = 0;

    if (format.n <= n || format.n > n + 9 || memcmp(format.bytes, NSC_BOOKMARKS_FORMAT, n) != 0)
        return;
    for (size_t i = n; i < format.n; i++) {
        if (format.bytes[i] < '0' || format.bytes[i] > '9')
            return;
        version = version * 10 + (unsigned)(format.bytes[i] - '0');
    }
    reading->report->version = version;
}

static void read_identity(struct reading *reading, struct nsc_text text)
{
    uint64_t ignored;

    if (text.n == NSC_IDENTITY_BYTES - 1 && parse_hex(&ignored, text.bytes, text.n))
        memcpy(reading->report->identity, text.bytes, text.n);
    else
        reading->report->parts++;
}

/* Reads format, export, count and session, if the object has them. */
static void read_head(struct reading *reading, uint32_t object)
{
    const struct nsc_json_tree *tree = &reading->tree;
    uint32_t session = nsc_json_find(tree, object, "session");
    struct nsc_text text = {NULL, 0};
    int64_t count = 0;

    if (nsc_json_get_text(&text, tree, nsc_json_find(tree, object, "format")))
        read_version(reading, text);
    if (nsc_json_get_text(&text, tree, nsc_json_find(tree, object, "export")))
        read_identity(reading, text);
    if (nsc_json_get_int(&count, tree, nsc_json_find(tree, object, "count")) && count >= 0)
        reading->count = count;
    if (session != NSC_NONE)
        read_session(reading, session);
}

/* False if there is no list, or its key is damaged. */
static bool read_whole(struct reading *reading)
{
    const struct nsc_json_tree *tree = &reading->tree;
    uint32_t list = nsc_json_find(tree, 0, "bookmarks");

    if (!nsc_json_is(tree, list, NSC_JSON_ARRAY))
        return false;
    read_head(reading, 0);
    for (uint32_t at = list + 1; at < tree->nodes[list].next; at = tree->nodes[at].next)
        read_entry(reading, at);
    return true;
}

/* ---- what is damaged ---- */

/* A line without the spaces and commas around it. */
static struct nsc_text strip(struct nsc_text line)
{
    while (line.n && strchr(" \t\r,", line.bytes[line.n - 1]) && line.bytes[line.n - 1])
        line.n--;
    while (line.n && (line.bytes[0] == ' ' || line.bytes[0] == '\t')) {
        line.bytes++;
        line.n--;
    }
    return line;
}

/* Reads a line: a bookmark, or a member of the whole. */
static void read_line(struct reading *reading, struct nsc_text line)
{
    struct nsc_buf wrapped = NSC_BUF_INIT((size_t)line.n + 8);

    if (line.n < 2)
        return;
    if (line.bytes[0] != '"') {
        if (nsc_json_parse(&reading->tree, line, NULL) == NSC_OK)
            read_entry(reading, 0);
        else
            reading->report->lost++;
        return;
    }
    nsc_buf_putc(&wrapped, '{');
    nsc_buf_add(&wrapped, line.bytes, line.n);
    nsc_buf_putc(&wrapped, '}');
    if (nsc_json_parse(&reading->tree, nsc_text_of_buf(&wrapped), NULL) == NSC_OK)
        read_head(reading, 0);
    nsc_buf_fini(&wrapped);
}

/* Reads line by line, as the writer wrote them, so that damage to one spares the others. */
static void read_lines(struct reading *reading, struct nsc_text text)
{
    reading->report->damaged = true;
    while (text.n)
        read_line(reading, strip(nsc_text_split(&text, '\n')));
}

void nsc_bookmarks_parse(struct nsc_bookmarks *list, struct nsc_session_state *session,
                         struct nsc_text text, struct nsc_bookmarks_report *report)
{
    struct nsc_bookmarks read = {0};
    struct reading reading = {.list = &read, .session = session, .report = report, .count = -1};
    int64_t all;

    *report = (struct nsc_bookmarks_report){0};
    if (nsc_json_parse(&reading.tree, text, NULL) != NSC_OK || !read_whole(&reading))
        read_lines(&reading, text);
    nsc_json_fini(&reading.tree);
    all = (int64_t)reading.found + report->lost;
    if (reading.count > all) {
        int64_t room = (int64_t)UINT32_MAX - report->lost;
        int64_t missing = reading.count - all;

        report->lost += (uint32_t)(missing < room ? missing : room);
    }
    report->damaged |= report->lost || report->parts;
    nsc_bookmarks_merge(list, &read);
}
