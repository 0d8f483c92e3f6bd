/*
 * Property tests of copies and synchronizing calls: each figure equals a count by copy, by call,
 * and by ns.
 */
#include "analysis/device/copies.h"
#include "analysis/device/sync_cost.h"
#include "analysis/names/call_class.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <string.h>

/* Columns of all copies of a world, by hand. */
struct columns {
    struct nsc_fields fields;
    nsc_event event[GPU_WORLD_ROWS];
    int64_t value[4][GPU_WORLD_ROWS];
    uint64_t set[4][4];
    uint64_t is_row[4];
    uint32_t before[4];
};

static void roll_columns(struct columns *columns, struct gpu_world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_fields *fields = &columns->fields;

    memset(columns, 0, sizeof *columns);
    for (nsc_event e = 0; e < events->n; e++) {
        uint32_t row = fields->n;

        if (e % 64 == 0)
            columns->before[e / 64] = row;
        if (!nsc_kind_is_copy(events->kind[e]))
            continue;
        nsc_bits_set(columns->is_row, e);
        columns->event[row] = e;
        columns->value[NSC_COPY_BYTES][row] = (int64_t)dice_below(&world->dice, 131072);
        columns->value[NSC_COPY_KIND][row] = events->kind[e] == NSC_KIND_COPY_HTOD   ? 1
                                             : events->kind[e] == NSC_KIND_COPY_DTOH ? 2
                                                                                     : 8;
        columns->value[NSC_COPY_FROM][row] = (int64_t)dice_below(&world->dice, 3);
        columns->value[NSC_COPY_TO][row] = 2;
        for (int c = 0; c < 4; c++)
            if (c == NSC_COPY_KIND || dice_below(&world->dice, 8))
                nsc_bits_set(columns->set[c], row);
        fields->n++;
    }
    fields->event = columns->event;
    fields->n_columns = 4;
    for (int c = 0; c < 4; c++)
        fields->columns[c] = (struct nsc_field){.type = NSC_FIELD_INT,
                                                .is_there = true,
                                                .value = columns->value[c],
                                                .set = columns->set[c]};
    fields->is_row = columns->is_row;
    fields->before = columns->before;
    fields->n_events = events->n;
}

static const struct nsc_fields *get_set(void *context, enum nsc_field_set set)
{
    return set == NSC_FIELDS_COPIES ? context : NULL;
}

static bool in_group(const struct nsc_events *events, const struct nsc_fields *fields, nsc_event e,
                     const struct nsc_copy_group *group)
{
    uint32_t row = fields ? nsc_fields_find(fields, e) : NSC_NONE;
    int64_t value;

    if (!nsc_kind_is_copy(events->kind[e]))
        return false;
    if (!fields)
        return events->kind[e] == group->kind;
    return (nsc_fields_int(&value, fields, NSC_COPY_KIND, row) ? value : -1) == group->direction &&
           (nsc_fields_int(&value, fields, NSC_COPY_FROM, row) ? value : -1) == group->from &&
           (nsc_fields_int(&value, fields, NSC_COPY_TO, row) ? value : -1) == group->to;
}

/* Whether the call holds the host: by its name, or for half of a copy of pageable memory. */
static bool blocks(const struct gpu_world *world, const struct nsc_copy_group *group,
                   nsc_event copy, char scratch[NSC_NAME_BYTES])
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event call = events->link[copy];
    nsc_time together = 0;

    if (call == NSC_NONE)
        return false;
    if (nsc_call_class_api(nsc_trace_event_text(world->trace, call, false, scratch)) ==
        NSC_CALL_BLOCKING_COPY)
        return true;
    for (nsc_time t = events->start[copy]; t < nsc_event_end(events, copy); t++)
        together += t >= events->start[call] && t < nsc_event_end(events, call);
    return (group->from == NSC_COPY_PAGEABLE || group->to == NSC_COPY_PAGEABLE) && together > 0 &&
           together >= nsc_event_duration(events, copy) / 2;
}

static void check_group(const struct gpu_world *world, const struct nsc_fields *fields,
                        uint32_t device, const struct nsc_copies *copies,
                        const struct nsc_copy_group *got)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_copy_group want = {0};

    for (nsc_event e = 0; e < events->n; e++) {
        uint32_t row = fields ? nsc_fields_find(fields, e) : NSC_NONE;
        char scratch[NSC_NAME_BYTES];
        int64_t bytes;

        if (gpu_world_device(world, e) != device || !in_group(events, fields, e, got))
            continue;
        want.count++;
        want.work += nsc_event_duration(events, e);
        if (nsc_fields_int(&bytes, fields, NSC_COPY_BYTES, row)) {
            want.sized++;
            want.bytes += bytes;
            want.duration += nsc_event_duration(events, e);
            want.small += bytes < NSC_COPY_SMALL;
        }
        want.blocking += blocks(world, got, e, scratch);
    }
    for (nsc_time t = copies->window.t0; t < copies->window.t1; t++) {
        bool copies_now = false;
        bool computes = false;

        for (nsc_event e = 0; e < events->n; e++) {
            enum nsc_op_class work;

            if (gpu_world_device(world, e) != device || !gpu_world_fills(world, e, t))
                continue;
            copies_now = copies_now || in_group(events, fields, e, got);
            computes =
                computes || (nsc_trace_work_of(world->trace, e, &work) && work == NSC_OP_COMPUTE);
        }
        want.busy += copies_now;
        want.no_compute += copies_now && !computes;
    }
    assert_int_equal(got->count, want.count);
    assert_int_equal(got->work, want.work);
    assert_int_equal(got->sized, want.sized);
    assert_int_equal(got->bytes, want.bytes);
    assert_int_equal(got->duration, want.duration);
    assert_int_equal(got->small, want.small);
    assert_int_equal(got->blocking, want.blocking);
    assert_int_equal(got->busy, want.busy);
    assert_int_equal(got->no_compute, want.no_compute);
}

static void check_copies(struct gpu_world *world, struct columns *columns)
{
    struct nsc_field_sets sets = {get_set, &columns->fields};
    bool with_fields = dice_below(&world->dice, 4) > 0;

    for (uint32_t d = gpu_world_next_device(world, NSC_NONE); d != NSC_NONE;
         d = gpu_world_next_device(world, d)) {
        struct nsc_copies copies;
        uint64_t count = 0;

        if (!nsc_copies_build(&copies, &world->scope, with_fields ? &sets : NULL, d))
            continue;
        assert_int_equal(copies.has_bytes, with_fields);
        for (uint32_t i = 0; i < copies.n; i++) {
            check_group(world, with_fields ? &columns->fields : NULL, d, &copies, &copies.at[i]);
            count += copies.at[i].count;
        }
        for (nsc_event e = 0; e < nsc_trace_events(world->trace)->n; e++)
            count -= gpu_world_device(world, e) == d &&
                     nsc_kind_is_copy(nsc_trace_events(world->trace)->kind[e]);
        assert_int_equal(count, 0);
    }
}

TEST(copies_equal_those_counted)
{
    struct gpu_world world = {.dice = dice_new(506)};
    struct columns columns;

    for (int i = 0; i < 150; i++) {
        gpu_world_roll(&world);
        roll_columns(&columns, &world);
        check_copies(&world, &columns);
        gpu_world_clear(&world);
    }
}

/* ---- synchronizing calls ---- */

static bool is_sync(const struct gpu_world *world, nsc_event e)
{
    char scratch[NSC_NAME_BYTES];

    return nsc_kind_is_api(nsc_trace_events(world->trace)->kind[e]) &&
           nsc_scope_has(&world->scope, e) &&
           nsc_call_class_api(nsc_trace_event_text(world->trace, e, false, scratch)) ==
               NSC_CALL_SYNC;
}

static uint64_t process_of(const struct gpu_world *world, uint32_t track)
{
    return nsc_trace_track(world->trace, track)->process;
}

static bool process_works(const struct gpu_world *world, uint64_t process, nsc_time t)
{
    for (nsc_event e = 0; e < nsc_trace_events(world->trace)->n; e++)
        if (gpu_world_device(world, e) != NSC_NONE &&
            process_of(world, gpu_world_track(world, e)) == process && gpu_world_fills(world, e, t))
            return true;
    return false;
}

static struct nsc_window process_window(const struct gpu_world *world, uint64_t process)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_window w = {INT64_MAX, INT64_MIN};

    for (nsc_event e = 0; e < events->n; e++) {
        if (gpu_world_device(world, e) == NSC_NONE ||
            process_of(world, gpu_world_track(world, e)) != process)
            continue;
        w.t0 = events->start[e] < w.t0 ? events->start[e] : w.t0;
        w.t1 = nsc_event_end(events, e) > w.t1 ? nsc_event_end(events, e) : w.t1;
    }
    return world->scope.has_window && w.t0 < w.t1 ? world->scope.window : w;
}

/* name NSC_NONE: any */
static void check_cost(const struct gpu_world *world, const struct nsc_sync_cost *got,
                       nsc_name name)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint64_t process = process_of(world, got->track);
    struct nsc_window w = process_window(world, process);
    struct nsc_window all = world->scope.has_window ? w : nsc_trace_extent(world->trace);
    struct nsc_sync_cost want = {0};

    for (nsc_event e = 0; e < events->n; e++)
        want.count += is_sync(world, e) && gpu_world_track(world, e) == got->track &&
                      (name == NSC_NONE || events->name[e] == name);
    for (nsc_time t = all.t0; t < all.t1; t++) {
        bool is_idle = t >= w.t0 && t < w.t1 && !process_works(world, process, t);
        bool waits = false;

        for (nsc_event e = 0; e < events->n && !waits; e++)
            waits = is_sync(world, e) && gpu_world_track(world, e) == got->track &&
                    (name == NSC_NONE || events->name[e] == name) && gpu_world_fills(world, e, t);
        want.time += waits;
        want.idle += waits && is_idle;
        want.process_idle += is_idle;
    }
    assert_int_equal(got->count, want.count);
    assert_int_equal(got->time, want.time);
    assert_int_equal(got->idle, want.idle);
    assert_int_equal(got->process_idle, want.process_idle);
    assert_true(got->idle <= got->time && got->idle <= got->process_idle);
}

TEST(waiting_costs_what_is_painted)
{
    struct gpu_world world = {.dice = dice_new(507)};

    for (int i = 0; i < 60; i++) {
        struct nsc_sync_costs costs;
        uint32_t count = 0;

        gpu_world_roll(&world);
        nsc_sync_costs_build(&costs, &world.scope);
        for (uint32_t k = 0; k < costs.n; k++)
            check_cost(&world, &costs.at[k], costs.at[k].name);
        for (uint32_t k = 0; k < costs.threads.n; k++) {
            check_cost(&world, &costs.threads.at[k], NSC_NONE);
            count += costs.threads.at[k].count;
        }
        for (uint32_t k = 0; k < costs.n; k++)
            count -= costs.at[k].count;
        assert_int_equal(count, 0);
        nsc_sync_costs_fini(&costs);
        gpu_world_clear(&world);
    }
}
