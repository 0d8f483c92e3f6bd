/*
 * Further facts about ops from the export: grid, block, registers and shared memory of kernels,
 * bytes of copies and memsets.
 */
#include "analysis/base/field_sets.h"
#include "core/units.h"
#include "share/viewer_pack.h"

#include <inttypes.h>

/* Adds "NAME\tBYTES\n" unless they are unknown. */
static void add_bytes(struct nsc_buf *out, const char *name, const struct nsc_fields *fields,
                      uint32_t column, uint32_t row)
{
    char text[NSC_UNITS_BYTES];
    int64_t value;

    if (!nsc_fields_int(&value, fields, column, row) || value < 0)
        return;
    nsc_units_bytes(text, (uint64_t)value);
    nsc_buf_printf(out, "%s\t%s\n", name, text);
}

static void add_size(struct nsc_buf *out, const char *name, const struct nsc_fields *fields,
                     uint32_t column, uint32_t row)
{
    int64_t x;
    int64_t y;
    int64_t z;

    if (nsc_fields_int(&x, fields, column, row) && nsc_fields_int(&y, fields, column + 1, row) &&
        nsc_fields_int(&z, fields, column + 2, row))
        nsc_buf_printf(out, "%s\t%" PRId64 ",%" PRId64 ",%" PRId64 "\n", name, x, y, z);
}

uint32_t nsc_viewer_shape(struct nsc_viewer_pack *pack, nsc_event event)
{
    const struct nsc_field_sets *sets = pack->viewer->fields;
    uint8_t kind = pack->events->kind[event];
    struct nsc_buf text = NSC_BUF_INIT(1024);
    int64_t registers;
    uint32_t shape = 0;

    if (kind == NSC_KIND_KERNEL) {
        const struct nsc_fields *fields = nsc_field_set(sets, NSC_FIELDS_KERNELS);
        uint32_t row = nsc_fields_find(fields, event);

        add_size(&text, "grid", fields, NSC_KERNEL_GRID, row);
        add_size(&text, "block", fields, NSC_KERNEL_BLOCK, row);
        if (nsc_fields_int(&registers, fields, NSC_KERNEL_REGISTERS, row))
            nsc_buf_printf(&text, "registers a thread\t%" PRId64 "\n", registers);
        add_bytes(&text, "static shared memory", fields, NSC_KERNEL_STATIC, row);
        add_bytes(&text, "dynamic shared memory", fields, NSC_KERNEL_DYNAMIC, row);
    } else if (nsc_kind_is_copy(kind) || kind == NSC_KIND_MEMSET) {
        bool is_copy = nsc_kind_is_copy(kind);
        const struct nsc_fields *fields =
            nsc_field_set(sets, is_copy ? NSC_FIELDS_COPIES : NSC_FIELDS_MEMSETS);

        add_bytes(&text, "bytes", fields, is_copy ? NSC_COPY_BYTES : NSC_MEMSET_BYTES,
                  nsc_fields_find(fields, event));
    }
    if (text.n)
        shape = nsc_strpool_add(&pack->shapes, text.bytes, text.n);
    nsc_buf_fini(&text);
    return shape;
}

void nsc_viewer_shapes(struct nsc_viewer_pack *pack)
{
    nsc_json_open(&pack->json, "shapes", '[');
    for (uint32_t i = 0; i < pack->shapes.n; i++)
        nsc_json_text(&pack->json, NULL, nsc_strpool_text(&pack->shapes, i));
    nsc_json_close(&pack->json, ']');
}
