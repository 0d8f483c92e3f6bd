/* Gathers the communication kernels of each rank, and its GPU's work before each. */
#include "analysis/job/rank_ops.h"

#include "nsyscope/cover.h"

#include "analysis/base/correlate.h"
#include "analysis/base/path_memo.h"
#include "analysis/names/collective.h"
#include "analysis/names/pith_label.h"
#include "analysis/ranges/nccl_calls.h"
#include "core/bisect.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    nsc_str name; /* of the pool */
    uint32_t rank;
    int64_t comm; /* 0: not known */
    int64_t stream;
    nsc_event event;
    uint32_t lane;
    nsc_time start;
};

enum { BUSY, COMPUTE, COPY, HIDDEN, N_WORKS };

/* The covers of a rank's device, read at times that mostly ascend. */
struct device {
    struct nsc_cover *copy, *hidden;     /* owned: all copies, and those beside compute */
    struct nsc_cover_cursor of[N_WORKS]; /* without a cover: there is no such work */
    nsc_time from, at;                   /* the extent's start; the time of the cursors */
    uint64_t before[N_WORKS];            /* ns before the extent: of trimmed events */
};

enum { PATH = 64, LABEL_ROWS = 4 };

struct gathering {
    struct nsc_rank_ops *ops;
    uint8_t *parallel; /* by name: enum nsc_parallel + 1; 0: not known yet */
    uint8_t *meets;    /* by name: 1, or 2 for a collective of MPI; 0: not known yet */
    const struct nsc_scope *scope;
    struct nsc_nccl_calls calls;
    struct nsc_path_memo *paths;
    size_t first_rank; /* of this trace */
    NSC_VEC(struct entry) entries;
};

/* ---- ranks ---- */

NSC_COMPARE(compare_ranks, struct nsc_rank_place,
            NSC_LEAST(export_no) || NSC_LEAST(process) || NSC_LEAST(track))

static struct nsc_rank_place place_of(const struct gathering *gathering, uint32_t track,
                                      uint32_t first_export)
{
    const struct nsc_trace *trace = gathering->scope->trace;
    const struct nsc_track *stream = nsc_trace_track(trace, track);
    uint32_t device = nsc_trace_group_of(trace, track);
    uint32_t export_no = first_export + stream->capture_no;

    return (struct nsc_rank_place){.label = gathering->ops->exports.at[export_no].label,
                                   .export_no = export_no,
                                   .pid = (uint32_t)(stream->process & 0xffffff),
                                   .gpu = nsc_trace_track(trace, device)->gpu,
                                   .process = stream->process,
                                   .track = device};
}

/* Whether one of the first ranges of a lane is the label of its process. */
static bool find_label(struct nsc_pith_label *label, const struct nsc_trace *trace,
                       const struct nsc_lane *lane)
{
    char scratch[NSC_NAME_BYTES];

    for (uint32_t i = 0; i < LABEL_ROWS && i < lane->n; i++)
        if (nsc_pith_label_parse(label,
                                 nsc_trace_event_text(trace, lane->first + i, false, scratch)))
            return true;
    return false;
}

/* Reads the places of ranks from the label of their process, the first in the order of lanes. */
static void read_meshes(struct gathering *gathering, uint32_t first_export)
{
    const struct nsc_trace *trace = gathering->scope->trace;
    struct nsc_rank_place *ranks = gathering->ops->ranks.at;
    size_t end = gathering->ops->ranks.n;
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);

    for (size_t i = gathering->first_rank; i < end; i++)
        memset(ranks[i].mesh, -1, sizeof ranks[i].mesh);
    for (uint32_t k = n; k-- > 0;) { /* earlier labels replace later ones */
        const struct nsc_track *track = nsc_trace_track(trace, lanes[k].track);
        struct nsc_rank_place key = {.export_no = first_export + track->capture_no,
                                     .process = track->process};
        struct nsc_pith_label label;
        size_t low = gathering->first_rank;
        size_t high = end;

        if (track->kind != NSC_TRACK_NVTX || !find_label(&label, trace, &lanes[k]))
            continue;
        NSC_BISECT(low, high, middle, compare_ranks(&ranks[middle], &key) < 0);
        for (; low < end && ranks[low].process == track->process; low++) {
            ranks[low].mesh[NSC_PARALLEL_PP] = label.pp.rank;
            ranks[low].mesh[NSC_PARALLEL_DP] = label.dp.rank;
            ranks[low].mesh[NSC_PARALLEL_CP] = label.cp.rank;
            ranks[low].mesh[NSC_PARALLEL_EP] = label.ep.rank;
        }
    }
}

/* Sorts the ranks of this trace and removes duplicates. */
static void sort_ranks(struct gathering *gathering, uint32_t first_export)
{
    struct nsc_rank_ops *ops = gathering->ops;
    size_t kept = gathering->first_rank;

    if (ops->ranks.n == kept)
        return;
    qsort(ops->ranks.at + kept, ops->ranks.n - kept, sizeof *ops->ranks.at, compare_ranks);
    for (size_t i = kept + 1; i < ops->ranks.n; i++)
        if (compare_ranks(&ops->ranks.at[kept], &ops->ranks.at[i]) != 0)
            ops->ranks.at[++kept] = ops->ranks.at[i];
    ops->ranks.n = kept + 1;
    read_meshes(gathering, first_export);
}

/* Adds the rank of each stream: its process and device. */
static void add_ranks(struct gathering *gathering, uint32_t first_export)
{
    struct nsc_rank_ops *ops = gathering->ops;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(gathering->scope->trace, &n);

    for (uint32_t i = 0; i < n; i++)
        if (tracks[i].kind == NSC_TRACK_STREAM)
            *NSC_VEC_ADD(&ops->ranks) = place_of(gathering, i, first_export);
    sort_ranks(gathering, first_export);
}

static uint32_t find_rank(const struct gathering *gathering, const struct nsc_rank_place *key)
{
    const struct nsc_rank_place *at = gathering->ops->ranks.at;
    const struct nsc_rank_place *found =
        bsearch(key, at + gathering->first_rank, gathering->ops->ranks.n - gathering->first_rank,
                sizeof *key, compare_ranks);

    return (uint32_t)(found - at);
}

/* ---- kernels ---- */

NSC_COMPARE(compare_entries, struct entry,
            NSC_LEAST(rank) || NSC_LEAST(name) || NSC_LEAST(comm) || NSC_LEAST(stream) ||
                NSC_LEAST(start) || NSC_LEAST(event))

static nsc_str pool_name(const struct gathering *gathering, nsc_event row)
{
    const struct nsc_trace *trace = gathering->scope->trace;
    struct nsc_text text =
        nsc_trace_string(trace, nsc_trace_names(trace)->brief[nsc_trace_events(trace)->name[row]]);

    return nsc_strpool_add(&gathering->ops->pool, text.bytes, text.n);
}

/* The communicator of a kernel; 0: unknown. */
static int64_t comm_of(const struct gathering *gathering, nsc_event kernel)
{
    const struct nsc_nccl_kernel *found = nsc_nccl_find(&gathering->calls, kernel);

    return found ? gathering->calls.comms.at[found->comm].id : 0;
}

/* Adds the event of a rank that the cursor is at. */
static void add_entry(struct gathering *gathering, const struct nsc_scope_cursor *at, uint32_t rank,
                      int64_t comm, int64_t stream)
{
    *NSC_VEC_ADD(&gathering->entries) =
        (struct entry){pool_name(gathering, at->row),
                       rank,
                       comm,
                       stream,
                       at->row,
                       at->lane,
                       nsc_trace_events(gathering->scope->trace)->start[at->row]};
}

static void add_entries(struct gathering *gathering, uint32_t first_export)
{
    const struct nsc_trace *trace = gathering->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_names *names = nsc_trace_names(trace);
    struct nsc_scope_cursor at = nsc_scope_open(gathering->scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
    uint32_t track = NSC_NONE;
    uint32_t rank = 0;

    while (nsc_scope_next(&at)) {
        if (events->kind[at.row] != NSC_KIND_KERNEL ||
            !(names->flags[events->name[at.row]] & NSC_NAME_COMM))
            continue;
        if (at.track != track) {
            struct nsc_rank_place place = place_of(gathering, at.track, first_export);

            track = at.track;
            rank = find_rank(gathering, &place);
        }
        add_entry(gathering, &at, rank, comm_of(gathering, at.row),
                  nsc_trace_track(trace, track)->stream);
    }
    NSC_VEC_SORT(&gathering->entries, compare_entries);
}

/* ---- MPI ---- */

static struct nsc_rank_place process_of(const struct gathering *gathering, uint32_t track,
                                        uint32_t first_export)
{
    struct nsc_rank_place place = place_of(gathering, track, first_export);

    place.gpu = NSC_RANK_NO_GPU;
    place.track = NSC_NONE;
    return place;
}

/* Moves to the next collective or wait of MPI. */
static bool next_meeting(struct gathering *gathering, struct nsc_scope_cursor *at)
{
    const struct nsc_trace *trace = gathering->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);

    while (nsc_scope_next(at)) {
        nsc_name name = events->name[at->row];
        uint8_t *meets = &gathering->meets[name];

        if (!*meets) {
            struct nsc_text text = nsc_trace_string(trace, nsc_trace_names(trace)->full[name]);

            *meets = nsc_mpi_is_meeting(text) || nsc_text_begins(text, "MPI_Wait") ? 2 : 1;
        }
        if (*meets == 2 && (events->kind[at->row] == NSC_KIND_MPI_COLLECTIVE ||
                            events->kind[at->row] == NSC_KIND_MPI_WAIT))
            return true;
    }
    return false;
}

/* Adds processes as ranks with their MPI collectives, if the GPUs have no communication. */
static void add_mpi(struct gathering *gathering, uint32_t first_export)
{
    struct nsc_rank_ops *ops = gathering->ops;
    struct nsc_scope_cursor all = nsc_scope_open(gathering->scope, NSC_TRACK_BIT(NSC_TRACK_MPI));
    struct nsc_scope_cursor at = all;
    uint32_t track = NSC_NONE;
    size_t n = ops->ranks.n;

    while (gathering->entries.n == 0 && next_meeting(gathering, &at)) {
        if (at.track != track)
            *NSC_VEC_ADD(&ops->ranks) = process_of(gathering, at.track, first_export);
        track = at.track;
    }
    if (ops->ranks.n == n)
        return;
    memmove(ops->ranks.at + gathering->first_rank, ops->ranks.at + n,
            (ops->ranks.n - n) * sizeof *ops->ranks.at);
    ops->ranks.n -= n - gathering->first_rank;
    sort_ranks(gathering, first_export);
    for (at = all; next_meeting(gathering, &at);) {
        struct nsc_rank_place place = process_of(gathering, at.track, first_export);

        add_entry(gathering, &at, find_rank(gathering, &place), 0, 0);
    }
    NSC_VEC_SORT(&gathering->entries, compare_entries);
}

/* ---- the GPU's work ---- */

/* The union of two covers, owned; NULL if both are missing. */
static struct nsc_cover *unite(const struct nsc_cover *a, const struct nsc_cover *b)
{
    if (!a && !b)
        return NULL;
    return nsc_cover_union(a ? a : b, b ? b : a);
}

static void rewind_device(struct device *device)
{
    for (unsigned work = 0; work < N_WORKS; work++)
        if (device->of[work].cover)
            nsc_cover_cursor_init(&device->of[work], device->of[work].cover);
}

static uint64_t step_cover(struct device *device, unsigned work, nsc_time to)
{
    return device->of[work].cover ? nsc_cover_cursor_step(&device->of[work], to) : 0;
}

static void open_device(struct device *device, const struct nsc_trace *trace, uint32_t track)
{
    const struct nsc_device_covers *covers =
        track == NSC_NONE ? NULL : nsc_trace_device_covers(trace, track);
    struct nsc_cover *two = NULL;

    *device = (struct device){.from = nsc_trace_extent(trace).t0, .at = INT64_MIN};

    if (!covers)
        return;
    two = unite(covers->work[NSC_OP_HTOD], covers->work[NSC_OP_DTOH]);
    device->copy = unite(two, covers->work[NSC_OP_PEER]);
    if (device->copy && covers->work[NSC_OP_COMPUTE])
        device->hidden = nsc_cover_intersect(device->copy, covers->work[NSC_OP_COMPUTE]);
    nsc_cover_free(two);
    device->of[BUSY].cover = covers->busy;
    device->of[COMPUTE].cover = covers->work[NSC_OP_COMPUTE];
    device->of[COPY].cover = device->copy;
    device->of[HIDDEN].cover = device->hidden;
    rewind_device(device);
    for (unsigned work = 0; work < N_WORKS; work++)
        device->before[work] = step_cover(device, work, device->from);
}

static void close_device(struct device *device)
{
    nsc_cover_free(device->copy);
    nsc_cover_free(device->hidden);
}

static nsc_time measure(struct device *device, unsigned work, nsc_time to)
{
    uint64_t ns = step_cover(device, work, to) - device->before[work];

    return ns > (uint64_t)INT64_MAX ? INT64_MAX : (nsc_time)ns;
}

static struct nsc_rank_work work_until(struct device *device, nsc_time to)
{
    if (to <= device->from)
        return (struct nsc_rank_work){0};
    if (to < device->at)
        rewind_device(device);
    device->at = to;
    return (struct nsc_rank_work){measure(device, BUSY, to), measure(device, COMPUTE, to),
                                  measure(device, COPY, to) - measure(device, HIDDEN, to)};
}

/* The parallelism of the innermost range around the launch that names one. */
static uint8_t parallel_of(const struct gathering *gathering, const struct entry *entry)
{
    const struct nsc_trace *trace = gathering->scope->trace;
    struct nsc_path path = nsc_path_memo_find(gathering->paths, entry->event, entry->lane,
                                              nsc_event_launch(trace, entry->event));

    for (uint32_t n = path.n < PATH ? path.n : PATH; n > 0; n--) {
        nsc_name name = nsc_trace_events(trace)->name[path.rows[n - 1]];

        if (gathering->parallel[name] == 0)
            gathering->parallel[name] =
                (uint8_t)(1 + nsc_parallel_of(
                                  nsc_trace_string(trace, nsc_trace_names(trace)->full[name])));
        if (gathering->parallel[name] != 1 + NSC_PARALLEL_UNKNOWN)
            return (uint8_t)(gathering->parallel[name] - 1);
    }
    return NSC_PARALLEL_UNKNOWN;
}

static void add_op(struct gathering *gathering, struct device *device, const struct entry *entry)
{
    nsc_time end = nsc_event_end(nsc_trace_events(gathering->scope->trace), entry->event);
    struct nsc_rank_work before = work_until(device, entry->start);

    *NSC_VEC_ADD(&gathering->ops->ops) = (struct nsc_rank_op){
        entry->start, end, before, work_until(device, end), parallel_of(gathering, entry)};
}

static void add_ops(struct gathering *gathering)
{
    struct nsc_rank_ops *ops = gathering->ops;
    struct device device = {0};

    for (size_t i = 0; i < gathering->entries.n; i++) {
        const struct entry *entry = &gathering->entries.at[i];
        bool is_new_rank = i == 0 || entry->rank != entry[-1].rank;

        if (is_new_rank) {
            close_device(&device);
            open_device(&device, gathering->scope->trace, ops->ranks.at[entry->rank].track);
        }
        if (is_new_rank || entry->name != entry[-1].name || entry->comm != entry[-1].comm ||
            entry->stream != entry[-1].stream)
            *NSC_VEC_ADD(&ops->all_series) = (struct nsc_collective_series){
                entry->name, entry->rank, entry->comm, entry->stream, (uint32_t)ops->ops.n, 0};
        ops->all_series.at[ops->all_series.n - 1].n++;
        add_op(gathering, &device, entry);
    }
    close_device(&device);
}

/* ---- all ---- */

void nsc_rank_ops_init(struct nsc_rank_ops *ops)
{
    memset(ops, 0, sizeof *ops);
    nsc_strpool_init(&ops->pool);
}

void nsc_rank_ops_add(struct nsc_rank_ops *ops, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, const char *label)
{
    struct gathering gathering = {.ops = ops, .scope = scope, .first_rank = ops->ranks.n};
    uint32_t first_export = (uint32_t)ops->exports.n;
    uint32_t n = 0;
    const struct nsc_trace_info *captures = nsc_trace_captures(scope->trace, &n);

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_text text =
            label ? nsc_text_from(label) : nsc_trace_string(scope->trace, captures[i].label);

        *NSC_VEC_ADD(&ops->exports) = (struct nsc_rank_export){
            nsc_strpool_add(&ops->pool, text.bytes, text.n), captures[i].offset};
    }
    gathering.parallel = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, 1);
    gathering.meets = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, 1);
    gathering.paths = nsc_path_memo_new(scope->trace);
    nsc_nccl_calls_build(&gathering.calls, scope, fields);
    add_ranks(&gathering, first_export);
    add_entries(&gathering, first_export);
    add_mpi(&gathering, first_export);
    add_ops(&gathering);
    NSC_VEC_FINI(&gathering.entries);
    nsc_path_memo_free(gathering.paths);
    free(gathering.parallel);
    free(gathering.meets);
    nsc_nccl_calls_fini(&gathering.calls);
}

void nsc_rank_ops_fini(struct nsc_rank_ops *ops)
{
    nsc_strpool_fini(&ops->pool);
    NSC_VEC_FINI(&ops->exports);
    NSC_VEC_FINI(&ops->ranks);
    NSC_VEC_FINI(&ops->all_series);
    NSC_VEC_FINI(&ops->ops);
}
