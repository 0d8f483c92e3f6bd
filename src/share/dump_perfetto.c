/*
 * Writes Perfetto's protobuf: a track descriptor for each group and row, a begin and an end packet
 * for each event, times in ns.
 *
 * Field numbers are those of trace_packet.proto, track_descriptor.proto, track_event.proto and
 * interned_data.proto. All packets form one sequence, so that names can be interned: a name without
 * a counter is written once.
 */
#include "core/bits.h"
#include "core/die.h"
#include "share/dump_data.h"
#include "share/proto.h"
#include "view/model/bookmark.h"

#include <stdlib.h>

/* Field numbers, message by message. */
enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_INTERNED = 12 };
enum { PACKET_FLAGS = 13, PACKET_RENDER_STAGE = 53, PACKET_TRACK = 60, PACKET_FIRST = 87 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { TRACK_ORDERING = 11, TRACK_RANK = 12, TRACK_MERGE = 15 };
enum { EVENT_CATEGORY_IID = 3, EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_NAME_IID = 10 };
enum { EVENT_TRACK = 11, EVENT_NAME = 23, EVENT_COUNTER = 30, EVENT_FLOW = 47 };
enum { ANNOTATION_NAME_IID = 1, ANNOTATION_INT = 4, ANNOTATION_TEXT = 6 };
enum { INTERNED_CATEGORIES = 1, INTERNED_NAMES = 2, INTERNED_ANNOTATION_NAMES = 3 };
enum { INTERNED_CONTEXTS = 23, INTERNED_SPECIFICATIONS = 24 };
enum { INTERNED_IID = 1, INTERNED_NAME = 2 }; /* of each of them */
enum { CONTEXT_PID = 2, CONTEXT_API = 3, SPECIFICATION_CATEGORY = 4 };
enum { STAGE_EVENT = 1, STAGE_DURATION = 2, STAGE_CONTEXT = 5, STAGE_SUBMISSION = 10 };
enum { STAGE_GPU = 11, STAGE_QUEUE_IID = 13, STAGE_IID = 14, STAGE_NAME = 17 };

enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { API_CUDA = 4, CATEGORY_OTHER = 0, CATEGORY_COMPUTE = 2, QUEUE_IIDS = 1 + NSC_N_KINDS };
enum { SEQUENCE = 1, FLAG_CLEARED = 1, FLAG_NEEDS = 2, EXPLICIT_ORDER = 3, MERGE_NONE = 2 };

struct perfetto {
    struct nsc_dump *dump;
    struct nsc_dump_timeline timeline;
    struct nsc_buf packet, part, inner;
    uint64_t *names; /* one bit per name: it is written */
    uint64_t *kinds; /* the same for kinds */
    uint64_t *specs; /* one bit per stage or queue of render stages: it is written */
    uint32_t keys;   /* one bit per key of arguments */
    bool begun;
};

/* ---- packets ---- */

static void packet_end(struct perfetto *p)
{
    nsc_proto_uint(&p->packet, PACKET_SEQUENCE, SEQUENCE);
    nsc_proto_uint(&p->packet, PACKET_FLAGS, p->begun ? FLAG_NEEDS : FLAG_CLEARED | FLAG_NEEDS);
    if (!p->begun)
        nsc_proto_uint(&p->packet, PACKET_FIRST, 1);
    p->begun = true;
    nsc_proto_bytes(&p->dump->out, TRACE_PACKET, nsc_text_of_buf(&p->packet));
    nsc_buf_clear(&p->packet);
}

/* Writes the descriptor of a track, once; parent 0: none. */
static void track_put(struct perfetto *p, uint64_t uuid, uint64_t parent, struct nsc_text name,
                      uint32_t rank, bool counter)
{
    struct nsc_buf *track = &p->part;

    nsc_buf_clear(track);
    nsc_proto_uint(track, TRACK_UUID, uuid);
    nsc_proto_text(track, TRACK_NAME, name);
    if (parent)
        nsc_proto_uint(track, TRACK_PARENT, parent);
    else
        nsc_proto_uint(track, TRACK_ORDERING, EXPLICIT_ORDER);
    nsc_proto_uint(track, TRACK_RANK, rank);
    nsc_proto_uint(track, TRACK_MERGE, MERGE_NONE);
    if (counter)
        nsc_proto_bytes(track, TRACK_COUNTER, nsc_text_from(""));
    nsc_proto_bytes(&p->packet, PACKET_TRACK, nsc_text_of_buf(track));
    packet_end(p);
}

/* Writes a time relative to the start of the trace; times may not be negative. */
static void stamp(struct perfetto *p, nsc_time ns)
{
    nsc_proto_uint(&p->packet, PACKET_TIMESTAMP, ns > 0 ? (uint64_t)ns : 0);
}

/* An event of a track; more fields may follow. */
static void event_begin(struct perfetto *p, nsc_time ns, unsigned type, uint32_t track)
{
    stamp(p, ns);
    nsc_buf_clear(&p->part);
    nsc_proto_uint(&p->part, EVENT_TYPE, type);
    nsc_proto_uint(&p->part, EVENT_TRACK, track);
}

static void event_end(struct perfetto *p)
{
    nsc_proto_bytes(&p->packet, PACKET_EVENT, nsc_text_of_buf(&p->part));
    packet_end(p);
}

static void line_name(void *context, const struct nsc_dump_line *line)
{
    if (line->parent != line->number) /* a group has events of its own */
        track_put(context, line->number, line->parent, line->name, line->order, line->is_counter);
}

/* ---- names ---- */

/* Begins what the packet's interned data has of an iid, in p->inner. */
static void intern_begin(struct perfetto *p, uint64_t iid)
{
    nsc_buf_clear(&p->inner);
    nsc_buf_clear(&p->part);
    nsc_proto_uint(&p->inner, INTERNED_IID, iid);
}

static void intern_end(struct perfetto *p, uint32_t field)
{
    nsc_proto_bytes(&p->part, field, nsc_text_of_buf(&p->inner));
    nsc_proto_bytes(&p->packet, PACKET_INTERNED, nsc_text_of_buf(&p->part));
}

static void intern(struct perfetto *p, uint32_t field, uint64_t iid, struct nsc_text text)
{
    intern_begin(p, iid);
    nsc_proto_text(&p->inner, INTERNED_NAME, text);
    intern_end(p, field);
}

/* A packet may have interned data twice: readers merge it. */
static void names_tell(struct perfetto *p, nsc_event event)
{
    const struct nsc_events *events = p->dump->events;
    nsc_name name = events->name[event];
    uint8_t kind = events->kind[event];

    if (!nsc_bits_get(p->kinds, kind)) {
        nsc_bits_set(p->kinds, kind);
        intern(p, INTERNED_CATEGORIES, (uint64_t)kind + 1,
               nsc_text_from(nsc_kind_word((enum nsc_kind)kind)));
    }
    if (nsc_trace_names(p->dump->trace)->counters[name] || nsc_bits_get(p->names, name))
        return;
    nsc_bits_set(p->names, name);
    intern(p, INTERNED_NAMES, (uint64_t)name + 1, nsc_dump_text(p->dump, event));
}

/* ---- arguments ---- */

static void arg_put(struct perfetto *p, struct nsc_buf *event, const struct nsc_dump_arg *arg)
{
    nsc_buf_clear(&p->inner);
    nsc_proto_uint(&p->inner, ANNOTATION_NAME_IID, (uint64_t)arg->key + 1);
    if (arg->is_text)
        nsc_proto_text(&p->inner, ANNOTATION_TEXT, nsc_text_from(arg->text));
    else
        nsc_proto_uint(&p->inner, ANNOTATION_INT, (uint64_t)arg->value);
    nsc_proto_bytes(event, EVENT_ANNOTATION, nsc_text_of_buf(&p->inner));
}

/* Writes the names of new keys, before the event. */
static void keys_tell(struct perfetto *p, const struct nsc_dump_args *args)
{
    for (uint32_t i = 0; i < args->n; i++) {
        uint32_t bit = 1u << args->at[i].key;

        if (!(p->keys & bit))
            intern(p, INTERNED_ANNOTATION_NAMES, (uint64_t)args->at[i].key + 1,
                   nsc_text_from(nsc_dump_arg_keys[args->at[i].key]));
        p->keys |= bit;
    }
}

/* ---- render stages: the GPU views of Perfetto ---- */

/* Writes the name of a stage or queue, once. */
static void spec_tell(struct perfetto *p, uint32_t iid, struct nsc_text name, uint32_t category)
{
    if (nsc_bits_get(p->specs, iid))
        return;
    nsc_bits_set(p->specs, iid);
    intern_begin(p, iid);
    nsc_proto_text(&p->inner, INTERNED_NAME, name);
    nsc_proto_uint(&p->inner, SPECIFICATION_CATEGORY, category);
    intern_end(p, INTERNED_SPECIFICATIONS);
}

/* Writes the stream's context, under the number of the queue. */
static void context_tell(struct perfetto *p, uint32_t queue)
{
    uint32_t pid = p->dump->tracks[p->dump->track].pid;

    if (nsc_bits_get(p->specs, queue))
        return;
    intern_begin(p, queue);
    nsc_proto_uint(&p->inner, CONTEXT_PID, pid);
    nsc_proto_uint(&p->inner, CONTEXT_API, API_CUDA);
    intern_end(p, INTERNED_CONTEXTS);
}

static void stage_put(struct perfetto *p, nsc_event event)
{
    const struct nsc_events *events = p->dump->events;
    const struct nsc_track *track = &p->dump->tracks[p->dump->track];
    uint8_t kind = events->kind[event];
    uint32_t queue = QUEUE_IIDS + p->dump->track;
    bool is_compute = kind == NSC_KIND_KERNEL || kind == NSC_KIND_GRAPH;

    context_tell(p, queue);
    spec_tell(p, queue, nsc_trace_string(p->dump->trace, track->label), CATEGORY_OTHER);
    spec_tell(p, 1u + kind, nsc_text_from(nsc_kind_label((enum nsc_kind)kind)),
              is_compute ? CATEGORY_COMPUTE : CATEGORY_OTHER);
    stamp(p, nsc_dump_time(p->dump, event));
    nsc_buf_clear(&p->part);
    nsc_proto_uint(&p->part, STAGE_EVENT, (uint64_t)event + 1);
    nsc_proto_uint(&p->part, STAGE_DURATION, (uint64_t)nsc_event_duration(events, event));
    nsc_proto_uint(&p->part, STAGE_CONTEXT, queue);
    if (events->link[event] != NSC_NONE)
        nsc_proto_uint(&p->part, STAGE_SUBMISSION, events->link[event]);
    nsc_proto_uint(&p->part, STAGE_GPU, (uint64_t)track->device);
    nsc_proto_uint(&p->part, STAGE_QUEUE_IID, queue);
    nsc_proto_uint(&p->part, STAGE_IID, 1u + kind);
    nsc_proto_text(&p->part, STAGE_NAME,
                   nsc_trace_event_text(p->dump->trace, event, true, p->dump->scratch));
    nsc_proto_bytes(&p->packet, PACKET_RENDER_STAGE, nsc_text_of_buf(&p->part));
    packet_end(p);
}

/* ---- events ---- */

static void flow_put(struct perfetto *p, nsc_event event)
{
    const struct nsc_events *events = p->dump->events;
    bool call = nsc_kind_is_api(events->kind[event]);

    if (events->link[event] != NSC_NONE && (call || nsc_kind_is_gpu(events->kind[event])))
        nsc_proto_fixed64(&p->part, EVENT_FLOW, (uint64_t)(call ? event : events->link[event]) + 1);
}

static void row_open(void *context, uint32_t where, nsc_event event, uint32_t depth)
{
    struct perfetto *p = context;
    const struct nsc_events *events = p->dump->events;
    nsc_name name = events->name[event];
    bool instant = events->kind[event] == NSC_KIND_NVTX_MARK;

    struct nsc_dump_args args;

    (void)depth;
    nsc_dump_args_of(&args, p->dump, event);
    nsc_dump_tell(p->dump, &p->timeline, where);
    if (nsc_kind_is_gpu(events->kind[event]) && p->dump->query->has_gpu_views)
        stage_put(p, event);
    names_tell(p, event);
    keys_tell(p, &args);
    event_begin(p, nsc_dump_time(p->dump, event), instant ? TYPE_INSTANT : TYPE_BEGIN,
                nsc_dump_line_of(p->dump, where));
    nsc_proto_uint(&p->part, EVENT_CATEGORY_IID, (uint64_t)events->kind[event] + 1);
    if (nsc_trace_names(p->dump->trace)->counters[name])
        nsc_proto_text(&p->part, EVENT_NAME, nsc_dump_text(p->dump, event));
    else
        nsc_proto_uint(&p->part, EVENT_NAME_IID, (uint64_t)name + 1);
    flow_put(p, event);
    for (uint32_t i = 0; i < args.n; i++)
        arg_put(p, &p->part, &args.at[i]);
    event_end(p);
}

static void row_close(void *context, uint32_t where, nsc_event event, nsc_time self)
{
    struct perfetto *p = context;

    (void)self;
    if (p->dump->events->kind[event] == NSC_KIND_NVTX_MARK)
        return;
    event_begin(p, nsc_dump_offset(p->dump, nsc_event_end(p->dump->events, event)), TYPE_END,
                nsc_dump_line_of(p->dump, where));
    event_end(p);
}

static void sample_put(void *context, nsc_time at, int64_t value)
{
    struct perfetto *p = context;

    event_begin(p, at, TYPE_COUNTER, nsc_dump_line_of(p->dump, 0));
    nsc_proto_uint(&p->part, EVENT_COUNTER, (uint64_t)value);
    event_end(p);
}

/* ---- ranges on the GPU, bookmarks: rows on which nothing overlaps ---- */

/* Writes a slice with its own name; end before start: an instant. */
static void slice_put(struct perfetto *p, uint32_t uuid, struct nsc_text name, nsc_time start,
                      nsc_time end)
{
    bool instant = end < start;

    event_begin(p, start, instant ? TYPE_INSTANT : TYPE_BEGIN, uuid);
    nsc_proto_text(&p->part, EVENT_NAME, name);
    event_end(p);
    if (instant)
        return;
    event_begin(p, end, TYPE_END, uuid);
    event_end(p);
}

static void projected_put(void *context, uint32_t number, nsc_event range, struct nsc_window time)
{
    struct perfetto *p = context;

    slice_put(p, number, nsc_dump_text(p->dump, range), time.t0, time.t1);
}

static void bookmarks_put(struct perfetto *p)
{
    const struct nsc_bookmarks *list = p->dump->query->bookmarks;
    size_t n = list ? nsc_bookmarks_live(list) : 0;
    uint32_t root = nsc_dump_bookmark_row(p->dump, 0);

    if (n)
        track_put(p, root, 0, nsc_text_from("bookmarks"), root, false);
    for (size_t i = 0; i < n; i++) {
        const struct nsc_bookmark *bookmark = &list->at[i];
        struct nsc_text name = nsc_text_from(nsc_bookmark_text(bookmark, NSC_BOOKMARK_NAME));
        uint32_t uuid = nsc_dump_bookmark_row(p->dump, i + 1);
        nsc_time start = nsc_dump_offset(p->dump, bookmark->time);

        if (!nsc_dump_has_bookmark(p->dump, bookmark))
            continue;
        track_put(p, uuid, root, name, (uint32_t)i, false);
        slice_put(p, uuid, name, start,
                  bookmark->has_range ? nsc_dump_offset(p->dump, bookmark->range.t1) : start - 1);
    }
}

void nsc_dump_perfetto(struct nsc_dump *dump)
{
    struct perfetto p = {
        .dump = dump,
        .packet = NSC_BUF_INIT(SIZE_MAX),
        .part = NSC_BUF_INIT(SIZE_MAX),
        .inner = NSC_BUF_INIT(SIZE_MAX),
        .timeline = {{row_open, row_close, &p}, line_name, sample_put, projected_put}};

    p.names = nsc_xcalloc(nsc_bits_words(nsc_trace_names(dump->trace)->n) + 1, sizeof *p.names);
    p.kinds = nsc_xcalloc(nsc_bits_words(NSC_N_KINDS), sizeof *p.kinds);
    p.specs = nsc_xcalloc(nsc_bits_words(QUEUE_IIDS + dump->n_tracks) + 1, sizeof *p.specs);
    nsc_dump_timeline(dump, &p.timeline);
    bookmarks_put(&p);
    free(p.specs);
    free(p.names);
    free(p.kinds);
    nsc_buf_fini(&p.packet);
    nsc_buf_fini(&p.part);
    nsc_buf_fini(&p.inner);
}
