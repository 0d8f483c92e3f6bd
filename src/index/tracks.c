/*
 * Orders the tracks of the timeline: per export, devices, then threads, each header before its
 * tracks.
 */
#include "core/bisect.h"
#include "core/sort.h"
#include "core/vec.h"
#include "index/builder_data.h"

#include <stdlib.h>

struct process {
    uint64_t id;
    bool has_gpu;
};

/* A device or a thread. */
struct group {
    uint32_t capture_no;
    bool is_thread;
    int64_t gpu;
    uint64_t process; /* devices: one of the processes that use it */
    uint32_t tid;
    bool has_gpu;        /* threads: the process has ops */
    bool has_calls;      /* threads: API calls or NVTX */
    bool many_processes; /* devices */
    uint64_t n;          /* events */
    uint32_t id;         /* index before sorting */
};

/* A track with all its sort keys. */
struct entry {
    uint32_t group; /* id, then place */
    uint32_t track;
    uint8_t kind, class;
    uint64_t busy;
    struct nsc_track_key key;
    bool many_contexts;
};

struct sorter {
    struct nsc_builder *builder;
    NSC_VEC(struct process) processes;
    struct nsc_idtable process_ids;
    NSC_VEC(struct group) groups;
    struct nsc_idtable group_ids;
    struct entry *entries; /* one per track */
    size_t n;
};

/* ---- which group ---- */

static int64_t gpu_of(const struct nsc_builder *builder, const struct nsc_track_key *key)
{
    struct nsc_fact fact = {NSC_FACT_MAP, key->process, key->device, 0, 0};

    return key->device < 0 ? -1 : nsc_builder_fact(builder, &fact, key->device);
}

static bool on_device(const struct nsc_track_key *key)
{
    return key->kind == NSC_TRACK_STREAM || key->kind == NSC_TRACK_GPU_FAULT ||
           (key->kind == NSC_TRACK_COUNTER && key->device >= 0);
}

static bool is_process(const void *context, uint32_t id, const void *key)
{
    const struct sorter *sorter = context;

    return sorter->processes.at[id].id == *(const uint64_t *)key;
}

static struct process *find_process(struct sorter *sorter, uint64_t id)
{
    uint32_t at = nsc_idtable_place(&sorter->process_ids, nsc_hash_mix(0, id), is_process, sorter,
                                    &id, (uint32_t)sorter->processes.n);

    if (at == sorter->processes.n)
        *NSC_VEC_ADD(&sorter->processes) = (struct process){id, false};
    return &sorter->processes.at[at];
}

static bool is_group(const void *context, uint32_t id, const void *key)
{
    const struct sorter *sorter = context;
    const struct group *a = &sorter->groups.at[id];
    const struct group *b = key;

    if (a->is_thread != b->is_thread || a->capture_no != b->capture_no)
        return false;
    return a->is_thread ? a->process == b->process && a->tid == b->tid : a->gpu == b->gpu;
}

static struct group *find_group(struct sorter *sorter, const struct nsc_track_key *key)
{
    struct group group = {.capture_no = nsc_process_capture(key->process),
                          .is_thread = !on_device(key),
                          .gpu = gpu_of(sorter->builder, key),
                          .process = key->process,
                          .tid = key->tid,
                          .id = (uint32_t)sorter->groups.n};
    uint64_t hash = group.is_thread
                        ? nsc_hash_mix(nsc_hash_mix(1, key->process), key->tid)
                        : nsc_hash_mix(nsc_hash_mix(2, group.capture_no), (uint64_t)group.gpu);
    uint32_t at = nsc_idtable_place(&sorter->group_ids, hash, is_group, sorter, &group, group.id);

    if (at == sorter->groups.n)
        *NSC_VEC_ADD(&sorter->groups) = group;
    return &sorter->groups.at[at];
}

static struct entry make_entry(struct sorter *sorter, uint32_t t)
{
    const struct nsc_build_track *track = &sorter->builder->tracks.at[t];
    struct group *group = find_group(sorter, &track->key);
    struct entry entry = {group->id, t, track->key.kind, 0, 0, track->key, false};

    group->n += track->n;
    if (track->key.kind == NSC_TRACK_API || track->key.kind == NSC_TRACK_NVTX ||
        track->key.kind == NSC_TRACK_SPANS || track->key.kind == NSC_TRACK_MARKS)
        group->has_calls = true;
    if (track->key.kind == NSC_TRACK_STREAM) {
        enum nsc_op_class work = nsc_track_work(track);

        if (group->process << (64 - NSC_PROCESS_BITS) == 0) /* only a counter so far */
            group->process = track->key.process;
        group->many_processes |= group->process != track->key.process;
        find_process(sorter, track->key.process)->has_gpu = true;
        entry.class = work == NSC_OP_COMPUTE ? 0 : work == NSC_OP_COMM ? 1 : 2;
        entry.busy = track->busy[work];
    }
    return entry;
}

/* ---- in which order ---- */

NSC_COMPARE(compare_groups, struct group,
            NSC_LEAST(capture_no) || NSC_LEAST(is_thread) ||
                (x->is_thread ? NSC_MOST(has_gpu) || NSC_LEAST(process) || NSC_MOST(has_calls) ||
                                    NSC_MOST(n) || NSC_LEAST(tid)
                              : NSC_LEAST(gpu)))

NSC_COMPARE(compare_entries, struct entry,
            NSC_LEAST(group) || NSC_LEAST(kind) || NSC_LEAST(class) || NSC_MOST(busy) ||
                NSC_LEAST(key.domain) || NSC_LEAST(key.stream) || NSC_LEAST(key.context) ||
                NSC_LEAST(key.process) || NSC_LEAST(key.tid) || NSC_LEAST(track))

/* Orders streams of a device so that equal numbers are together. */
NSC_COMPARE(compare_streams, struct entry,
            NSC_LEAST(kind) || NSC_LEAST(group) || NSC_LEAST(key.stream) ||
                NSC_LEAST(key.context) || NSC_LEAST(track))

/* Marks the streams whose number exists in another context of their device, too. */
static void find_many_contexts(struct sorter *sorter)
{
    struct entry *entries = sorter->entries;
    size_t end = 0;

    qsort(entries, sorter->n, sizeof *entries, compare_streams);
    for (size_t first = 0; first < sorter->n; first = end) {
        bool many = false;

        for (end = first; end < sorter->n && entries[end].kind == NSC_TRACK_STREAM &&
                          entries[end].group == entries[first].group &&
                          entries[end].key.stream == entries[first].key.stream;
             end++)
            many |= entries[end].key.context != entries[first].key.context;
        if (end == first)
            end++;
        for (size_t i = first; i < end; i++)
            entries[i].many_contexts = many;
    }
}

static void sort_entries(struct sorter *sorter)
{
    size_t n = sorter->groups.n;
    uint32_t *rank = nsc_xmalloc((n + 1) * sizeof *rank);

    for (size_t i = 0; i < n; i++) {
        struct group *group = &sorter->groups.at[i];

        if (group->is_thread)
            group->has_gpu = find_process(sorter, group->process)->has_gpu;
    }
    if (n)
        qsort(sorter->groups.at, n, sizeof *sorter->groups.at, compare_groups);
    for (size_t i = 0; i < n; i++)
        rank[sorter->groups.at[i].id] = (uint32_t)i;
    for (size_t i = 0; i < sorter->n; i++)
        sorter->entries[i].group = rank[sorter->entries[i].group];
    qsort(sorter->entries, sorter->n, sizeof *sorter->entries, compare_entries);
    free(rank);
}

/* ---- the tracks ---- */

static struct nsc_track make_group(struct nsc_builder *builder, const struct group *group)
{
    struct nsc_track track = {.kind = group->is_thread ? NSC_TRACK_THREAD : NSC_TRACK_DEVICE,
                              .counter = NSC_NONE,
                              .depth = builder->captures.n > 1,
                              .capture_no = group->capture_no,
                              .device = group->is_thread ? -1 : group->gpu,
                              .gpu = group->is_thread ? -1 : group->gpu,
                              .context = -1,
                              .stream = -1};

    if (group->is_thread) {
        track.label = nsc_label_thread(builder, group->process, group->tid);
        track.process = group->process;
        track.pid = (uint32_t)(group->process & 0xFFFFFF);
        track.tid = group->tid;
    } else {
        track.label = nsc_label_device(builder, group->capture_no, group->gpu);
        track.process = (uint64_t)group->capture_no << NSC_PROCESS_BITS;
    }
    return track;
}

static struct nsc_track make_track(struct nsc_builder *builder, const struct entry *entry,
                                   bool say_process)
{
    const struct nsc_build_track *built = &builder->tracks.at[entry->track];
    const struct nsc_track_key *key = &built->key;

    return (struct nsc_track){
        .label = nsc_label_track(builder, built, entry->many_contexts, say_process),
        .kind = key->kind,
        .depth = builder->captures.n > 1 ? 2 : 1,
        .capture_no = nsc_process_capture(key->process),
        .work = key->kind == NSC_TRACK_STREAM ? (uint8_t)nsc_track_work(built) : 0,
        .first_lane = built->first_lane,
        .n_lanes = built->n_lanes,
        .counter = built->counter,
        .pid = (uint32_t)(key->process & 0xFFFFFF),
        .tid = key->tid,
        .process = key->process,
        .device = key->device,
        .gpu = gpu_of(builder, key),
        .context = key->context,
        .stream = key->stream,
        .domain = key->domain};
}

static void point_back(struct nsc_trace *trace, uint32_t t)
{
    const struct nsc_track *track = &trace->tracks[t];

    for (uint32_t lane = track->first_lane; lane < track->first_lane + track->n_lanes; lane++)
        trace->lanes[lane].track = t;
    if (track->counter != NSC_NONE)
        trace->counters[track->counter].track = t;
}

static void add_group(struct nsc_trace *trace, struct sorter *sorter, const struct group *group)
{
    if (!group->is_thread)
        trace->group_track[trace->n_groups++] = trace->n_tracks;
    trace->tracks[trace->n_tracks++] = make_group(sorter->builder, group);
}

/* Adds a group and its tracks, whose entries begin at *at. */
static void add_group_tracks(struct nsc_trace *trace, struct sorter *sorter, uint32_t g, size_t *at)
{
    const struct group *group = &sorter->groups.at[g];
    uint32_t head = trace->n_tracks;

    add_group(trace, sorter, group);
    for (; *at < sorter->n && sorter->entries[*at].group == g; (*at)++) {
        bool say_process = !group->is_thread && group->many_processes;
        uint32_t t = trace->n_tracks++;

        trace->tracks[t] = make_track(sorter->builder, &sorter->entries[*at], say_process);
        trace->tracks[t].skip = t + 1;
        trace->tracks[t].group = head;
        point_back(trace, t);
    }
    trace->tracks[head].skip = trace->n_tracks;
    trace->tracks[head].group = head;
}

/* The header of an export; none if it is the only one. */
static void add_export(struct nsc_trace *trace, uint32_t capture_no)
{
    const struct nsc_trace_info *info = &trace->captures[capture_no];

    if (trace->n_captures > 1)
        trace->tracks[trace->n_tracks++] =
            (struct nsc_track){.label = info->label,
                               .kind = NSC_TRACK_CAPTURE,
                               .counter = NSC_NONE,
                               .group = info->first_track,
                               .capture_no = capture_no,
                               .process = (uint64_t)capture_no << NSC_PROCESS_BITS,
                               .device = -1,
                               .gpu = -1,
                               .context = -1,
                               .stream = -1};
}

static void add_tracks(struct nsc_trace *trace, struct sorter *sorter)
{
    size_t n = sorter->n + sorter->groups.n + trace->n_captures;
    size_t at = 0;
    uint32_t g = 0;

    trace->tracks = NSC_ARENA_ARRAY(&trace->arena, struct nsc_track, n);
    trace->group_track = NSC_ARENA_ARRAY(&trace->arena, uint32_t, sorter->groups.n);
    for (uint32_t x = 0; x < trace->n_captures; x++) {
        struct nsc_trace_info *info = &trace->captures[x];

        info->first_track = trace->n_tracks;
        add_export(trace, x);
        for (; g < sorter->groups.n && sorter->groups.at[g].capture_no == x; g++)
            add_group_tracks(trace, sorter, g, &at);
        info->n_tracks = trace->n_tracks - info->first_track;
        if (trace->n_captures > 1)
            trace->tracks[info->first_track].skip = trace->n_tracks;
    }
}

static bool is_thread_before(const struct nsc_track *thread, uint64_t process, uint32_t tid)
{
    return thread->process != process ? thread->process < process : thread->tid < tid;
}

static int compare_threads(const void *context, uint32_t a, uint32_t b)
{
    const struct nsc_track *x = (const struct nsc_track *)context + a;
    const struct nsc_track *y = (const struct nsc_track *)context + b;

    return is_thread_before(y, x->process, x->tid) - is_thread_before(x, y->process, y->tid);
}

static void sort_threads(struct nsc_trace *trace)
{
    trace->by_thread = NSC_ARENA_ARRAY(&trace->arena, uint32_t, trace->n_tracks);
    for (uint32_t t = 0; t < trace->n_tracks; t++)
        if (trace->tracks[t].kind == NSC_TRACK_THREAD)
            trace->by_thread[trace->n_by_thread++] = t;
    nsc_sort_by(trace->by_thread, trace->n_by_thread, compare_threads, trace->tracks);
}

uint32_t nsc_trace_thread(const struct nsc_trace *trace, uint64_t process, uint32_t tid)
{
    const struct nsc_track *tracks = trace->tracks;
    uint32_t low = 0;
    uint32_t high = trace->n_by_thread;

    NSC_BISECT(low, high, middle,
               is_thread_before(&tracks[trace->by_thread[middle]], process, tid));
    return low < trace->n_by_thread && tracks[trace->by_thread[low]].process == process &&
                   tracks[trace->by_thread[low]].tid == tid
               ? trace->by_thread[low]
               : NSC_NONE;
}

void nsc_builder_order_tracks(struct nsc_trace *trace, struct nsc_builder *builder)
{
    struct sorter sorter = {.builder = builder, .n = builder->tracks.n};

    sorter.entries = nsc_xcalloc(sorter.n + 1, sizeof *sorter.entries);
    for (uint32_t t = 0; t < sorter.n; t++)
        sorter.entries[t] = make_entry(&sorter, t);
    find_many_contexts(&sorter);
    sort_entries(&sorter);
    add_tracks(trace, &sorter);
    sort_threads(trace);
    NSC_VEC_FINI(&sorter.processes);
    NSC_VEC_FINI(&sorter.groups);
    nsc_idtable_fini(&sorter.process_ids);
    nsc_idtable_fini(&sorter.group_ids);
    free(sorter.entries);
}
