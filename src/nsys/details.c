/*
 * One event's full row for people: derived values first, then every column that is not NULL.
 */
#include "nsyscope/open.h"

#include "core/text.h"
#include "core/units.h"
#include "nsys/cells.h"
#include "nsys/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_LIMIT (1 << 19)

struct list {
    struct nsc_capture *capture;
    NSC_VEC(struct nsc_detail) at;
};

/* The safe name, owned by the capture, because the caller keeps details longer than cells. */
static const char *intern(struct nsc_capture *capture, const char *name)
{
    struct nsc_buf clean = NSC_BUF_INIT(4096);
    size_t i;

    nsc_text_clean(&clean, nsc_text_from(name), false);
    for (i = 0; i < capture->detail_names.n; i++) {
        if (strcmp(capture->detail_names.at[i], clean.bytes) == 0) {
            nsc_buf_fini(&clean);
            return capture->detail_names.at[i];
        }
    }
    *NSC_VEC_ADD(&capture->detail_names) = clean.bytes;
    return clean.bytes;
}

/* Takes ownership of value. */
static void add_detail(struct list *list, const char *name, struct nsc_buf *value)
{
    nsc_buf_puts(value, "");
    *NSC_VEC_ADD(&list->at) = (struct nsc_detail){intern(list->capture, name), value->bytes};
}

static void add_duration(struct list *list, const struct nsc_cells *cells)
{
    struct nsc_buf value = NSC_BUF_INIT(64);
    char text[NSC_UNITS_BYTES];
    int64_t start, end, length;

    if (!nsc_cells_int(cells, "start", &start) || !nsc_cells_int(cells, "end", &end) ||
        __builtin_sub_overflow(end, start, &length) || length < 0)
        return;
    nsc_units_duration(text, length, false);
    nsc_buf_puts(&value, text);
    add_detail(list, "duration", &value);
}

static void add_throughput(struct list *list, const struct nsc_cells *cells)
{
    struct nsc_buf value = NSC_BUF_INIT(64);
    char text[NSC_UNITS_BYTES];
    int64_t start, end, bytes, length;
    double rate;

    if (!nsc_cells_int(cells, "bytes", &bytes) || !nsc_cells_int(cells, "start", &start) ||
        !nsc_cells_int(cells, "end", &end) || __builtin_sub_overflow(end, start, &length) ||
        length <= 0 || bytes < 0)
        return;
    rate = (double)bytes * 1e9 / (double)length;
    if (rate >= 1e18)
        return;
    nsc_units_bytes(text, (uint64_t)rate);
    nsc_buf_printf(&value, "%s/s", text);
    add_detail(list, "throughput", &value);
}

/* Adds "132x1x1" from the columns stem + X, Y, Z. */
static void add_shape(struct list *list, const struct nsc_cells *cells, const char *stem)
{
    struct nsc_buf value = NSC_BUF_INIT(128);
    char name[16];
    int64_t size[3];
    int i;

    for (i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%c", stem, "XYZ"[i]);
        if (!nsc_cells_int(cells, name, &size[i]))
            return;
    }
    nsc_buf_printf(&value, "%lldx%lldx%lld", (long long)size[0], (long long)size[1],
                   (long long)size[2]);
    add_detail(list, stem, &value);
}

static void add_derived(struct list *list, const struct nsc_cells *cells, enum nsc_kind kind)
{
    add_duration(list, cells);
    if (nsc_kind_is_copy((uint8_t)kind) || kind == NSC_KIND_MEMSET)
        add_throughput(list, cells);
    if (kind != NSC_KIND_KERNEL)
        return;
    add_shape(list, cells, "grid");
    add_shape(list, cells, "block");
    add_shape(list, cells, "cluster");
}

static enum nsc_status read_cells(struct nsc_cells *cells, struct nsc_capture *capture,
                                  enum nsc_table_id table, int64_t rowid, struct nsc_error *error)
{
    struct nsc_error own = {NSC_OK, ""};
    enum nsc_status status = nsc_cells_read(cells, capture, table, rowid, &own);
    bool is_read = status == NSC_OK;

    status = nsc_source_check(capture->source, status, &own);
    if (status != NSC_OK && is_read)
        nsc_cells_fini(cells);
    return status == NSC_OK ? NSC_OK : nsc_fail(error, status, "%s", own.text);
}

enum nsc_status nsc_capture_details(struct nsc_details *out, struct nsc_capture *capture,
                                    enum nsc_kind kind, uint32_t source, struct nsc_error *error)
{
    int table = nsc_table_of_kind((uint8_t)kind);
    struct nsc_cells cells;
    struct list list = {.capture = capture};
    enum nsc_status status;
    size_t i;

    *out = (struct nsc_details){0, NULL};
    if (table < 0 || source == NSC_NONE)
        return nsc_fail(error, NSC_ENODATA, "this event has no row of its own");
    status = read_cells(&cells, capture, (enum nsc_table_id)table, (int64_t)source, error);
    if (status != NSC_OK)
        return status;
    add_derived(&list, &cells, kind);
    for (i = 0; i < cells.at.n; i++) {
        struct nsc_buf value = NSC_BUF_INIT(VALUE_LIMIT);

        if (cells.at.at[i].type == NSC_CELL_NULL)
            continue;
        nsc_cell_format(&value, capture, &cells, &cells.at.at[i]);
        add_detail(&list, cells.at.at[i].name, &value);
    }
    nsc_cells_fini(&cells);
    *out = (struct nsc_details){(uint32_t)list.at.n, list.at.at};
    return NSC_OK;
}

void nsc_details_fini(struct nsc_details *details)
{
    uint32_t i;

    for (i = 0; i < details->n; i++)
        free(details->at[i].value);
    free(details->at);
    *details = (struct nsc_details){0, NULL};
}
