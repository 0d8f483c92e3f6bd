/*
 * A page being built: its description as JSON, and packed numbers beside it. Private to viewer*.c.
 *
 * Numbers are LEB128; signed ones are zigzag-coded. A list in JSON is [byte offset, count]. Times
 * are ns after the start of the trace.
 */
#ifndef NSC_SHARE_VIEWER_PACK_H
#define NSC_SHARE_VIEWER_PACK_H

#include "analysis/names/texts.h"
#include "analysis/ranges/projection.h"
#include "core/json_write.h"
#include "core/strpool.h"
#include "core/vec.h"
#include "index/idtable.h"
#include "share/viewer.h"
#include "view/model/rows.h"

/* Name and look of events. */
struct nsc_viewer_title {
    nsc_str text; /* number of its full text */
    uint8_t kind;
    uint8_t color; /* index in the palette */
    nsc_event event;
};

struct nsc_viewer_color {
    uint8_t role, shade;
};

struct nsc_viewer_pack {
    const struct nsc_viewer *viewer;
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    struct nsc_window extent;
    bool has_events;  /* the page has the events of the detail */
    uint32_t columns; /* columns of the whole trace; 0: none */
    struct nsc_rows rows;
    uint64_t *folds; /* by track: initially folded */
    uint64_t *open;  /* no folds */
    struct nsc_launches *launches;
    struct nsc_projection *projection;
    struct nsc_json json;
    struct nsc_buf meta, bytes;
    struct nsc_texts texts;
    NSC_VEC(struct nsc_viewer_title) titles;
    struct nsc_idtable known; /* titles by text and kind */
    NSC_VEC(struct nsc_viewer_color) colors;
    uint32_t *places; /* by event: its number in the page + 1; NULL without events */
    uint32_t n_places;
    struct nsc_strpool shapes; /* launch shapes and sizes as texts; 0: none */
};

void nsc_viewer_uint(struct nsc_viewer_pack *pack, uint64_t value);
void nsc_viewer_int(struct nsc_viewer_pack *pack, int64_t value);
/* ns after the start of the trace; wraps for hostile times. */
static inline uint64_t nsc_viewer_offset(const struct nsc_viewer_pack *pack, nsc_time t)
{
    return (uint64_t)t - (uint64_t)pack->extent.t0;
}
/* Writes [offset, count] for numbers from offset on. */
void nsc_viewer_list(struct nsc_viewer_pack *pack, const char *key, size_t offset, uint64_t count);
/* Writes [t0, t1]. */
void nsc_viewer_window(struct nsc_viewer_pack *pack, const char *key, struct nsc_window w);
/* The title of an event, added if it is new. */
uint32_t nsc_viewer_title(struct nsc_viewer_pack *pack, nsc_event event);

/* Further facts about an op from the export, as an index in the list "shapes"; 0: none. */
uint32_t nsc_viewer_shape(struct nsc_viewer_pack *pack, nsc_event event);

/* Parts of the description. */
void nsc_viewer_shapes(struct nsc_viewer_pack *pack);
void nsc_viewer_lines(struct nsc_viewer_pack *pack);
void nsc_viewer_titles(struct nsc_viewer_pack *pack);
void nsc_viewer_themes(struct nsc_viewer_pack *pack);
void nsc_viewer_answers(struct nsc_viewer_pack *pack);
/* The index of a look in the palette. */
uint8_t nsc_viewer_color(struct nsc_viewer_pack *pack, uint8_t role, uint8_t shade);

#endif
