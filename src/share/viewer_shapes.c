/*
 * Further facts about ops from the export: grid, block, registers and shared memory of kernels,
 * bytes of copies and memsets.
 */
#include "core/units.h"
#include "share/dump_data.h"
#include "share/viewer_pack.h"

#include <inttypes.h>

static const struct {
    const char *name;
    bool is_bytes;
} facts[NSC_N_DUMP_ARGS] = {
    [NSC_DUMP_ARG_GRID] = {"grid", false},
    [NSC_DUMP_ARG_BLOCK] = {"block", false},
    [NSC_DUMP_ARG_REGISTERS] = {"registers a thread", false},
    [NSC_DUMP_ARG_STATIC] = {"static shared memory", true},
    [NSC_DUMP_ARG_DYNAMIC] = {"dynamic shared memory", true},
    [NSC_DUMP_ARG_BYTES] = {"bytes", true},
};

static void put_fact(struct nsc_buf *out, const struct nsc_dump_arg *arg)
{
    const char *name = facts[arg->key].name;
    char text[NSC_UNITS_BYTES];

    if (arg->is_text) {
        nsc_buf_printf(out, "%s\t%s\n", name, arg->text);
    } else if (!facts[arg->key].is_bytes) {
        nsc_buf_printf(out, "%s\t%" PRId64 "\n", name, arg->value);
    } else if (arg->value >= 0) {
        nsc_buf_printf(out, "%s\t%s\n", name, nsc_units_bytes(text, (uint64_t)arg->value));
    }
}

uint32_t nsc_viewer_shape(struct nsc_viewer_pack *pack, nsc_event event)
{
    struct nsc_buf text = NSC_BUF_INIT(1024);
    struct nsc_dump_args args = {.n = 0};
    uint32_t shape = 0;

    nsc_dump_shape_of(&args, pack->viewer->fields, pack->events, event);
    for (uint32_t i = 0; i < args.n; i++)
        put_fact(&text, &args.at[i]);
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
