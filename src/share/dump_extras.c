/* Additional facts about an event for timeline formats, besides its name and times. */
#include "analysis/base/correlate.h"
#include "core/text.h"
#include "share/dump_data.h"
#include "view/model/bookmark.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { CAPTURED_RANGES = 64 };

const char *const nsc_dump_arg_keys[NSC_N_DUMP_ARGS] = {
    [NSC_DUMP_ARG_ROW] = "row",
    [NSC_DUMP_ARG_GRID] = "grid",
    [NSC_DUMP_ARG_BLOCK] = "block",
    [NSC_DUMP_ARG_REGISTERS] = "registers",
    [NSC_DUMP_ARG_STATIC] = "static_shared_memory",
    [NSC_DUMP_ARG_DYNAMIC] = "dynamic_shared_memory",
    [NSC_DUMP_ARG_BYTES] = "bytes",
    [NSC_DUMP_ARG_CAPTURED] = "captured_in",
    [NSC_DUMP_ARG_NCCL_OPERATION] = "nccl_operation",
    [NSC_DUMP_ARG_NCCL_BYTES] = "nccl_bytes",
    [NSC_DUMP_ARG_NCCL_COMMUNICATOR] = "nccl_communicator",
    [NSC_DUMP_ARG_NCCL_RANKS] = "nccl_ranks",
    [NSC_DUMP_ARG_NCCL_BUS] = "nccl_bus_gb_per_s",
};

static struct nsc_dump_arg *add(struct nsc_dump_args *args, enum nsc_dump_arg_key key)
{
    struct nsc_dump_arg *arg = &args->at[args->n++];

    *arg = (struct nsc_dump_arg){.key = key};
    return arg;
}

static struct nsc_dump_arg *add_text(struct nsc_dump_args *args, enum nsc_dump_arg_key key)
{
    struct nsc_dump_arg *arg = add(args, key);

    arg->is_text = true;
    return arg;
}

static void add_number(struct nsc_dump_args *args, enum nsc_dump_arg_key key,
                       const struct nsc_fields *fields, uint32_t column, uint32_t row)
{
    int64_t value;

    if (nsc_fields_int(&value, fields, column, row))
        add(args, key)->value = value;
}

/* "132,1,1" */
static void add_size(struct nsc_dump_args *args, enum nsc_dump_arg_key key,
                     const struct nsc_fields *fields, uint32_t column, uint32_t row)
{
    int64_t x;
    int64_t y;
    int64_t z;
    struct nsc_dump_arg *arg;

    if (!nsc_fields_int(&x, fields, column, row) || !nsc_fields_int(&y, fields, column + 1, row) ||
        !nsc_fields_int(&z, fields, column + 2, row))
        return;
    arg = add_text(args, key);
    (void)snprintf(arg->text, sizeof arg->text, "%" PRId64 ",%" PRId64 ",%" PRId64, x, y, z);
}

/* Adds the payload of a collective's kernel. */
static void add_call(struct nsc_dump_args *args, const struct nsc_dump *dump, nsc_event event)
{
    const struct nsc_nccl_kernel *call = nsc_nccl_find(&dump->calls, event);
    const struct nsc_nccl_comm *comm = call ? &dump->calls.comms.at[call->comm] : NULL;
    struct nsc_dump_arg *arg;
    struct nsc_nccl_rates rates;

    if (!call)
        return;
    rates = nsc_nccl_rates((enum nsc_nccl_op)call->op, call->bytes, comm->ranks,
                           (double)nsc_event_duration(dump->events, event));
    arg = add_text(args, NSC_DUMP_ARG_NCCL_OPERATION);
    (void)snprintf(arg->text, sizeof arg->text, "%s", nsc_nccl_op_word((enum nsc_nccl_op)call->op));
    add(args, NSC_DUMP_ARG_NCCL_BYTES)->value = call->bytes;
    nsc_nccl_comm_id(add_text(args, NSC_DUMP_ARG_NCCL_COMMUNICATOR)->text, comm);
    if (comm->ranks > 0)
        add(args, NSC_DUMP_ARG_NCCL_RANKS)->value = comm->ranks;
    if (!isfinite(rates.bus))
        return;
    arg = add_text(args, NSC_DUMP_ARG_NCCL_BUS);
    (void)snprintf(arg->text, sizeof arg->text, "%.2f", rates.bus);
}

/* "step / layer_1"; the outermost ranges are left out if there is no room for all. */
static void add_captured(struct nsc_dump_args *args, const struct nsc_dump *dump, nsc_event event)
{
    const struct nsc_trace *captured = nsc_trace_captured(dump->trace);
    nsc_event path[CAPTURED_RANGES];
    uint32_t n = captured ? nsc_event_path(captured, event, path, CAPTURED_RANGES) : 0;
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    char scratch[NSC_NAME_BYTES];

    n = n < CAPTURED_RANGES ? n : CAPTURED_RANGES;
    for (uint32_t from = 0; from < n && (text.n == 0 || text.n >= sizeof args->at->text); from++) {
        nsc_buf_clear(&text);
        for (uint32_t i = from; i < n; i++) {
            nsc_text_clean(&text, nsc_trace_event_text(captured, path[i], false, scratch), false);
            nsc_buf_puts(&text, i + 1 < n ? " / " : "");
        }
    }
    if (text.n > 0 && text.n < sizeof args->at->text)
        (void)snprintf(add_text(args, NSC_DUMP_ARG_CAPTURED)->text, sizeof args->at->text, "%s",
                       text.bytes);
    nsc_buf_fini(&text);
}

void nsc_dump_shape_of(struct nsc_dump_args *out, const struct nsc_field_sets *sets,
                       const struct nsc_events *events, nsc_event event)
{
    bool is_copy = nsc_kind_is_copy(events->kind[event]);

    if (events->kind[event] == NSC_KIND_KERNEL) {
        const struct nsc_fields *fields = nsc_field_set(sets, NSC_FIELDS_KERNELS);
        uint32_t row = nsc_fields_find(fields, event);

        add_size(out, NSC_DUMP_ARG_GRID, fields, NSC_KERNEL_GRID, row);
        add_size(out, NSC_DUMP_ARG_BLOCK, fields, NSC_KERNEL_BLOCK, row);
        add_number(out, NSC_DUMP_ARG_REGISTERS, fields, NSC_KERNEL_REGISTERS, row);
        add_number(out, NSC_DUMP_ARG_STATIC, fields, NSC_KERNEL_STATIC, row);
        add_number(out, NSC_DUMP_ARG_DYNAMIC, fields, NSC_KERNEL_DYNAMIC, row);
    } else if (is_copy || events->kind[event] == NSC_KIND_MEMSET) {
        const struct nsc_fields *fields =
            nsc_field_set(sets, is_copy ? NSC_FIELDS_COPIES : NSC_FIELDS_MEMSETS);

        add_number(out, NSC_DUMP_ARG_BYTES, fields, is_copy ? NSC_COPY_BYTES : NSC_MEMSET_BYTES,
                   nsc_fields_find(fields, event));
    }
}

void nsc_dump_args_of(struct nsc_dump_args *out, const struct nsc_dump *dump, nsc_event event)
{
    uint8_t kind = dump->events->kind[event];

    out->n = 0;
    if (dump->events->source[event] != NSC_NONE)
        add(out, NSC_DUMP_ARG_ROW)->value = dump->events->source[event];
    if (nsc_kind_is_gpu(kind))
        add_captured(out, dump, event);
    nsc_dump_shape_of(out, dump->query->fields, dump->events, event);
    if (kind == NSC_KIND_KERNEL)
        add_call(out, dump, event);
}

/* ---- bookmarks ---- */

/* Whether the bookmark touches the window. */
bool nsc_dump_has_bookmark(const struct nsc_dump *dump, const struct nsc_bookmark *bookmark)
{
    struct nsc_window w = dump->query->window;

    return bookmark->has_range ? bookmark->range.t0 < w.t1 && bookmark->range.t1 > w.t0
                               : bookmark->time >= w.t0 && bookmark->time < w.t1;
}
