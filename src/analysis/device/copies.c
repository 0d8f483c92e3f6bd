/* Groups copies; for each group the sweep tracks the end of its union, alone and with compute. */
#include "analysis/device/copies.h"

#include "analysis/names/call_class.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"
#include "index/names.h"

#include <stdlib.h>

struct sorting {
    const struct nsc_events *events;
    const struct nsc_fields *fields;
    struct nsc_call_classes classes;
    struct nsc_copies *out;
    nsc_time compute, compute_reach;
    nsc_time reach[NSC_COPY_GROUPS];                             /* end of the union, by group */
    nsc_time with[NSC_COPY_GROUPS], with_reach[NSC_COPY_GROUPS]; /* of the union of group and
                                                                  * compute */
};

static void cover(nsc_time *length, nsc_time *reach, const struct nsc_device_op *op)
{
    *length = nsc_sum(*length, nsc_extend(reach, op->start, op->end));
}

static int64_t field_of(const struct nsc_fields *fields, uint32_t column, uint32_t row)
{
    int64_t value;

    return nsc_fields_int(&value, fields, column, row) ? value : -1;
}

/* For a new group, the union with compute starts with the compute so far. */
static uint32_t find_group(struct sorting *sorting, nsc_event op, uint32_t row)
{
    struct nsc_copies *out = sorting->out;
    uint8_t kind = sorting->events->kind[op];
    struct nsc_copy_group want = {.direction = field_of(sorting->fields, NSC_COPY_KIND, row),
                                  .from = field_of(sorting->fields, NSC_COPY_FROM, row),
                                  .to = field_of(sorting->fields, NSC_COPY_TO, row),
                                  .kind = kind,
                                  .best = NSC_NONE};

    for (uint32_t i = 0; i < out->n; i++)
        if (out->at[i].direction == want.direction && out->at[i].from == want.from &&
            out->at[i].to == want.to && (want.direction >= 0 || out->at[i].kind == kind))
            return i;
    if (out->n == NSC_COPY_GROUPS)
        return out->n - 1;
    sorting->reach[out->n] = out->window.t0;
    sorting->with[out->n] = sorting->compute;
    sorting->with_reach[out->n] = sorting->compute_reach;
    out->at[out->n] = want;
    return out->n++;
}

static bool is_pageable(const struct nsc_copy_group *group)
{
    return group->from == NSC_COPY_PAGEABLE || group->to == NSC_COPY_PAGEABLE;
}

/* Whether the call held the host during the copy: its name says so, or the memory is pageable and
 * the call covers at least half of the copy. */
static bool held_the_host(const struct sorting *sorting, const struct nsc_copy_group *group,
                          nsc_event call, nsc_event copy)
{
    const struct nsc_events *events = sorting->events;
    nsc_time from, to;

    if (call == NSC_NONE)
        return false;
    if (nsc_call_class_of(&sorting->classes, call) == NSC_CALL_BLOCKING_COPY)
        return true;
    from = nsc_later(events->start[call], events->start[copy]);
    to = nsc_earlier(nsc_event_end(events, call), nsc_event_end(events, copy));
    return is_pageable(group) && to > from &&
           nsc_span(from, to) >= nsc_event_duration(events, copy) / 2;
}

/* Ops come in order of their starts. */
static void keep_best(struct nsc_copy_group *group, nsc_event copy, int64_t bytes,
                      nsc_time duration)
{
    double rate = duration > 0 ? (double)bytes / (double)duration : 0;

    if (rate <= group->best_rate)
        return;
    group->best = copy;
    group->best_bytes = bytes;
    group->best_rate = rate;
}

static void add_copy(struct sorting *sorting, const struct nsc_device_op *op)
{
    const struct nsc_events *events = sorting->events;
    uint32_t row = sorting->fields ? nsc_fields_find(sorting->fields, op->event) : NSC_NONE;
    uint32_t i = find_group(sorting, op->event, row);
    struct nsc_copy_group *group = &sorting->out->at[i];
    nsc_time duration = nsc_event_duration(events, op->event);
    nsc_event call = op->call;
    int64_t bytes;

    group->count++;
    group->work = nsc_sum(group->work, duration);
    group->blocking += held_the_host(sorting, group, call, op->event);
    if (nsc_fields_int(&bytes, sorting->fields, NSC_COPY_BYTES, row) && bytes >= 0) {
        group->sized++;
        group->bytes = nsc_sum(group->bytes, bytes);
        group->duration = nsc_sum(group->duration, duration);
        group->small += bytes < NSC_COPY_SMALL;
        keep_best(group, op->event, bytes, duration);
    }
    cover(&group->busy, &sorting->reach[i], op);
    cover(&sorting->with[i], &sorting->with_reach[i], op);
}

static void add_compute(struct sorting *sorting, const struct nsc_device_op *op)
{
    cover(&sorting->compute, &sorting->compute_reach, op);
    for (uint32_t i = 0; i < sorting->out->n; i++)
        cover(&sorting->with[i], &sorting->with_reach[i], op);
}

NSC_COMPARE(compare_groups, struct nsc_copy_group,
            NSC_MOST(work) || NSC_LEAST(direction) || NSC_LEAST(from) || NSC_LEAST(to))

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct sorting *sorting = own;

    sorting->out = answer;
    sorting->out->window = sweep->window;
    sorting->events = sweep->events;
    sorting->fields = nsc_field_set(param, NSC_FIELDS_COPIES);
    sorting->out->has_bytes = nsc_fields_has(sorting->fields, NSC_COPY_BYTES);
    sorting->out->has_memory = nsc_fields_has(sorting->fields, NSC_COPY_FROM) &&
                               nsc_fields_has(sorting->fields, NSC_COPY_TO);
    sorting->compute_reach = sweep->window.t0;
    nsc_call_classes_build(&sorting->classes, sweep->scope->trace);
}

static void pass_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    (void)sweep;
    if (op->kind == NSC_OP_KIND_COMPUTE)
        add_compute(own, op);
    else if (NSC_OP_KIND_BIT(op->kind) & NSC_COPY_KINDS)
        add_copy(own, op);
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct sorting *sorting = own;
    struct nsc_copies *out = sorting->out;

    nsc_call_classes_fini(&sorting->classes);
    for (uint32_t i = 0; i < out->n; i++)
        out->at[i].no_compute = sorting->with[i] - sorting->compute;
    qsort(out->at, out->n, sizeof *out->at, compare_groups);
    return sweep->has_window;
}

const struct nsc_rider nsc_copies_rider = {.kind = {.bytes = sizeof(struct nsc_copies)},
                                           .own_bytes = sizeof(struct sorting),
                                           .begin = begin,
                                           .op = pass_op,
                                           .end = end};

bool nsc_copies_build(struct nsc_copies *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, uint32_t device)
{
    return nsc_sweep_ask(out, NULL, &nsc_copies_rider, fields, scope, device);
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

/* ---- copies between host and device, added up ---- */

static void add_group(struct nsc_transfers *out, const struct nsc_copy_group *group)
{
    bool up = group->kind == NSC_KIND_COPY_HTOD;
    int64_t *bytes = up ? &out->to_device : &out->to_host;
    nsc_time *time = up ? &out->to_device_ns : &out->to_host_ns;

    out->count += group->count;
    out->sized += group->sized;
    out->small += group->small;
    out->blocking += group->blocking;
    out->bytes = nsc_sum(out->bytes, group->bytes);
    if (is_pageable(group))
        out->pageable = nsc_sum(out->pageable, group->bytes);
    *bytes = nsc_sum(*bytes, group->bytes);
    *time = nsc_sum(*time, group->duration);
}

/* Between host and device, unified memory included. */
static bool is_transfer(const struct nsc_copy_group *group)
{
    return group->kind == NSC_KIND_COPY_HTOD || group->kind == NSC_KIND_COPY_DTOH;
}

bool nsc_transfers_build(struct nsc_transfers *out, const struct nsc_scope *scope,
                         const struct nsc_field_sets *fields, uint32_t device)
{
    struct nsc_copies copies;

    *out = (struct nsc_transfers){0};
    if (!nsc_breakdown_build(&out->time, scope, device) ||
        !nsc_copies_build(&copies, scope, fields, device))
        return false;
    out->has_bytes = copies.has_bytes;
    out->has_memory = copies.has_memory;
    for (uint32_t i = 0; i < copies.n; i++)
        if (is_transfer(&copies.at[i]))
            add_group(out, &copies.at[i]);
    return true;
}

bool nsc_copies_is_migration(const struct nsc_trace *trace, nsc_name name)
{
    return nsc_text_begins(nsc_name_text(trace, name), "[CUDA Unified Memory");
}
