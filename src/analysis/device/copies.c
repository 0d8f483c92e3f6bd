/*
 * Copies by group in one sweep: each group needs how far it reaches, alone and with compute.
 */
#include "analysis/device/copies.h"

#include "analysis/names/call_class.h"
#include "core/sum.h"

#include <stdlib.h>

struct sweep {
    const struct nsc_scope *scope;
    const struct nsc_fields *fields;
    struct nsc_call_classes classes;
    struct nsc_copies *out;
    nsc_time compute, compute_reach;
    nsc_time reach[NSC_COPY_GROUPS];                             /* of the group */
    nsc_time with[NSC_COPY_GROUPS], with_reach[NSC_COPY_GROUPS]; /* group or compute */
};

static void cover(nsc_time *length, nsc_time *reach, const struct nsc_device_op *op)
{
    *length = nsc_sum(*length, nsc_extend(reach, op->start, op->end));
}

static int64_t field_of(const struct nsc_fields *fields, enum nsc_copy_field column, uint32_t row)
{
    int64_t value;

    return nsc_fields_int(&value, fields, column, row) ? value : -1;
}

/* A new group shares with compute what compute has covered so far. */
static uint32_t find_group(struct sweep *sweep, nsc_event op, uint32_t row)
{
    struct nsc_copies *out = sweep->out;
    uint8_t kind = nsc_trace_events(sweep->scope->trace)->kind[op];
    struct nsc_copy_group want = {.direction = field_of(sweep->fields, NSC_COPY_KIND, row),
                                  .from = field_of(sweep->fields, NSC_COPY_FROM, row),
                                  .to = field_of(sweep->fields, NSC_COPY_TO, row),
                                  .kind = kind};

    for (uint32_t i = 0; i < out->n; i++)
        if (out->at[i].direction == want.direction && out->at[i].from == want.from &&
            out->at[i].to == want.to && (want.direction >= 0 || out->at[i].kind == kind))
            return i;
    if (out->n == NSC_COPY_GROUPS)
        return out->n - 1;
    sweep->reach[out->n] = out->window.t0;
    sweep->with[out->n] = sweep->compute;
    sweep->with_reach[out->n] = sweep->compute_reach;
    out->at[out->n] = want;
    return out->n++;
}

static void add_copy(struct sweep *sweep, const struct nsc_device_op *op)
{
    const struct nsc_events *events = nsc_trace_events(sweep->scope->trace);
    uint32_t row = sweep->fields ? nsc_fields_find(sweep->fields, op->event) : NSC_NONE;
    uint32_t i = find_group(sweep, op->event, row);
    struct nsc_copy_group *group = &sweep->out->at[i];
    nsc_time duration = nsc_event_duration(events, op->event);
    nsc_event call = events->link[op->event];
    int64_t bytes;

    group->count++;
    group->work = nsc_sum(group->work, duration);
    group->blocking +=
        call != NSC_NONE && nsc_call_class_of(&sweep->classes, call) == NSC_CALL_BLOCKING_COPY;
    if (nsc_fields_int(&bytes, sweep->fields, NSC_COPY_BYTES, row) && bytes >= 0) {
        group->sized++;
        group->bytes = nsc_sum(group->bytes, bytes);
        group->duration = nsc_sum(group->duration, duration);
        group->small += bytes < NSC_COPY_SMALL;
    }
    cover(&group->busy, &sweep->reach[i], op);
    cover(&sweep->with[i], &sweep->with_reach[i], op);
}

static void add_compute(struct sweep *sweep, const struct nsc_device_op *op)
{
    enum nsc_op_class work;

    if (!nsc_trace_work_of(sweep->scope->trace, op->event, &work) || work != NSC_OP_COMPUTE)
        return;
    cover(&sweep->compute, &sweep->compute_reach, op);
    for (uint32_t i = 0; i < sweep->out->n; i++)
        cover(&sweep->with[i], &sweep->with_reach[i], op);
}

static int compare_groups(const void *a, const void *b)
{
    const struct nsc_copy_group *x = a;
    const struct nsc_copy_group *y = b;

    if (x->work != y->work)
        return x->work > y->work ? -1 : 1;
    if (x->direction != y->direction)
        return x->direction < y->direction ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

bool nsc_copies_build(struct nsc_copies *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, uint32_t device)
{
    struct sweep sweep = {
        .scope = scope, .fields = nsc_field_set(fields, NSC_FIELDS_COPIES), .out = out};
    struct nsc_device_ops work;
    struct nsc_device_op op;

    *out = (struct nsc_copies){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    out->has_bytes = nsc_fields_has(sweep.fields, NSC_COPY_BYTES);
    out->has_memory =
        nsc_fields_has(sweep.fields, NSC_COPY_FROM) && nsc_fields_has(sweep.fields, NSC_COPY_TO);
    sweep.compute_reach = out->window.t0;
    nsc_call_classes_build(&sweep.classes, scope->trace);
    nsc_device_ops_init(&work, scope, device);
    while (nsc_device_ops_next(&work, &op)) {
        if (nsc_kind_is_copy(nsc_trace_events(scope->trace)->kind[op.event]))
            add_copy(&sweep, &op);
        else
            add_compute(&sweep, &op);
    }
    nsc_device_ops_fini(&work);
    nsc_call_classes_fini(&sweep.classes);
    for (uint32_t i = 0; i < out->n; i++)
        out->at[i].no_compute = sweep.with[i] - sweep.compute;
    qsort(out->at, out->n, sizeof *out->at, compare_groups);
    return true;
}

bool nsc_copy_is_pageable(const struct nsc_copy_group *group)
{
    return group->from == NSC_COPY_PAGEABLE || group->to == NSC_COPY_PAGEABLE;
}

bool nsc_copy_is_transfer(const struct nsc_copy_group *group)
{
    return group->kind == NSC_KIND_COPY_HTOD || group->kind == NSC_KIND_COPY_DTOH;
}

const char *nsc_copy_direction_word(const struct nsc_copy_group *group)
{
    static const char *const words[] = {"unknown",
                                        "host to device",
                                        "device to host",
                                        "host to array",
                                        "array to host",
                                        "array to array",
                                        "array to device",
                                        "device to array",
                                        "device to device",
                                        "host to host",
                                        "peer to peer",
                                        "unified, host to device",
                                        "unified, device to host",
                                        "unified, device to device"};
    static const char *const kinds[] = {"host to device", "device to host", "device to device",
                                        "peer to peer", "other"};

    if (group->direction >= 0 && group->direction < (int64_t)(sizeof words / sizeof *words))
        return words[group->direction];
    return kinds[group->kind - NSC_KIND_COPY_HTOD];
}

const char *nsc_copy_memory_word(int64_t memory)
{
    static const char *const words[] = {"pageable", "pinned",        "device",         "array",
                                        "managed",  "device static", "managed static", "unknown"};

    return memory >= 0 && memory < (int64_t)(sizeof words / sizeof *words) ? words[memory] : "";
}
