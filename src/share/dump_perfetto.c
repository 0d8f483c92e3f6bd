/*
 * Perfetto's protobuf, written by hand: a track descriptor for each group and row, a begin and an
 * end packet for each event, times in ns.
 *
 * Field numbers are those of trace_packet.proto, track_descriptor.proto, track_event.proto and
 * interned_data.proto. All packets form one sequence, so that names can be interned: a name without
 * a counter of its own is written once.
 */
#include "core/bits.h"
#include "core/die.h"
#include "share/dump_data.h"
#include "share/proto.h"

#include <stdlib.h>

enum { /* field numbers */
       TRACE_PACKET = 1,
       PACKET_TIMESTAMP = 8,
       PACKET_SEQUENCE = 10,
       PACKET_EVENT = 11,
       PACKET_INTERNED = 12,
       PACKET_FLAGS = 13,
       PACKET_TRACK = 60,
       PACKET_FIRST = 87,
       TRACK_UUID = 1,
       TRACK_NAME = 2,
       TRACK_PARENT = 5,
       TRACK_COUNTER = 8,
       TRACK_ORDERING = 11,
       TRACK_RANK = 12,
       TRACK_MERGE = 15,
       EVENT_TYPE = 9,
       EVENT_CATEGORY_IID = 3,
       EVENT_NAME_IID = 10,
       EVENT_TRACK = 11,
       EVENT_NAME = 23,
       EVENT_COUNTER = 30,
       EVENT_FLOW = 47,
       INTERNED_CATEGORIES = 1,
       INTERNED_NAMES = 2,
       INTERNED_IID = 1,
       INTERNED_NAME = 2
};

enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { SEQUENCE = 1, FLAG_CLEARED = 1, FLAG_NEEDS = 2, EXPLICIT_ORDER = 3, MERGE_NONE = 2 };

struct perfetto {
    struct nsc_dump *dump;
    struct nsc_proto packet, part, inner;
    uint64_t *names; /* one bit a name: it has been written */
    uint64_t *kinds; /* and a kind */
    bool *told;      /* by uuid: its descriptor has been written */
    uint32_t track;  /* being written */
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
    nsc_proto_put(&p->dump->out, TRACE_PACKET, &p->packet);
    nsc_proto_clear(&p->packet);
}

/* Writes the descriptor of a track, once; parent 0: none. */
static void track_put(struct perfetto *p, uint64_t uuid, uint64_t parent, struct nsc_text name,
                      uint32_t rank)
{
    struct nsc_proto *track = &p->part;
    bool counter = parent && p->dump->tracks[p->track].n_lanes == 0;

    nsc_proto_clear(track);
    nsc_proto_uint(track, TRACK_UUID, uuid);
    nsc_proto_text(track, TRACK_NAME, name);
    if (parent)
        nsc_proto_uint(track, TRACK_PARENT, parent);
    else
        nsc_proto_uint(track, TRACK_ORDERING, EXPLICIT_ORDER);
    nsc_proto_uint(track, TRACK_RANK, rank);
    nsc_proto_uint(track, TRACK_MERGE, MERGE_NONE);
    if (counter)
        nsc_proto_bytes(track, TRACK_COUNTER, "", 0);
    nsc_proto_message(&p->packet, PACKET_TRACK, track);
    packet_end(p);
}

/* ---- rows: uuid 1 + track, or 1 + tracks + where for those that cross ---- */

static uint32_t uuid_of(const struct perfetto *p, uint32_t where)
{
    return where ? p->dump->n_tracks + where : p->track + 1;
}

static void group_tell(struct perfetto *p, uint32_t group)
{
    struct nsc_buf name = NSC_BUF_INIT(1u << 16);

    if (!p->told[group + 1]) {
        p->told[group + 1] = true;
        nsc_dump_group_put(p->dump, &name, group);
        track_put(p, group + 1, 0, nsc_text_of_buf(&name), group);
    }
    nsc_buf_fini(&name);
}

static void row_tell(struct perfetto *p, uint32_t where)
{
    const struct nsc_track *track = &p->dump->tracks[p->track];
    struct nsc_text label = nsc_trace_string(p->dump->trace, track->label);
    uint32_t group = nsc_trace_group_of(p->dump->trace, p->track);
    uint32_t uuid = uuid_of(p, where);
    struct nsc_buf name = NSC_BUF_INIT(1u << 16);

    if (p->told[uuid])
        return;
    group_tell(p, group);
    if (p->told[uuid]) /* the group has events of its own */
        return;
    p->told[uuid] = true;
    nsc_buf_add(&name, label.bytes, label.n);
    if (where)
        nsc_buf_printf(&name, " +%u", where - track->first_lane);
    track_put(p, uuid, group + 1, nsc_text_of_buf(&name),
              p->track + (where ? where : track->first_lane));
    nsc_buf_fini(&name);
}

/* ---- names ---- */

/* Adds a name's iid and text to the packet's interned data. */
static void intern(struct perfetto *p, uint32_t field, uint64_t iid, struct nsc_text text)
{
    nsc_proto_clear(&p->inner);
    nsc_proto_clear(&p->part);
    nsc_proto_uint(&p->inner, INTERNED_IID, iid);
    nsc_proto_text(&p->inner, INTERNED_NAME, text);
    nsc_proto_message(&p->part, field, &p->inner);
    nsc_proto_message(&p->packet, PACKET_INTERNED, &p->part);
}

/* A packet may hold interned data twice: readers merge it. */
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

/* ---- events ---- */

static void flow_put(struct perfetto *p, nsc_event event)
{
    const struct nsc_events *events = p->dump->events;
    bool call = nsc_kind_is_api(events->kind[event]);

    if (events->link[event] != NSC_NONE && (call || nsc_kind_is_gpu(events->kind[event])))
        nsc_proto_fixed64(&p->part, EVENT_FLOW, (uint64_t)(call ? event : events->link[event]) + 1);
}

/* Writes a time, counted from the start of the trace; it may not be negative. */
static void stamp(struct perfetto *p, nsc_time ns)
{
    nsc_proto_uint(&p->packet, PACKET_TIMESTAMP, ns > 0 ? (uint64_t)ns : 0);
}

static void row_open(void *context, uint32_t where, nsc_event event, uint32_t depth)
{
    struct perfetto *p = context;
    const struct nsc_events *events = p->dump->events;
    nsc_name name = events->name[event];
    bool instant = events->kind[event] == NSC_KIND_NVTX_MARK;

    (void)depth;
    row_tell(p, where);
    names_tell(p, event);
    stamp(p, nsc_dump_time(p->dump, event));
    nsc_proto_clear(&p->part);
    nsc_proto_uint(&p->part, EVENT_TYPE, instant ? TYPE_INSTANT : TYPE_BEGIN);
    nsc_proto_uint(&p->part, EVENT_TRACK, uuid_of(p, where));
    nsc_proto_uint(&p->part, EVENT_CATEGORY_IID, (uint64_t)events->kind[event] + 1);
    if (nsc_trace_names(p->dump->trace)->counters[name])
        nsc_proto_text(&p->part, EVENT_NAME, nsc_dump_text(p->dump, event));
    else
        nsc_proto_uint(&p->part, EVENT_NAME_IID, (uint64_t)name + 1);
    flow_put(p, event);
    nsc_proto_message(&p->packet, PACKET_EVENT, &p->part);
    packet_end(p);
}

static void row_close(void *context, uint32_t where, nsc_event event, nsc_time self)
{
    struct perfetto *p = context;

    (void)self;
    if (p->dump->events->kind[event] == NSC_KIND_NVTX_MARK)
        return;
    stamp(p, nsc_dump_offset(p->dump, nsc_event_end(p->dump->events, event)));
    nsc_proto_clear(&p->part);
    nsc_proto_uint(&p->part, EVENT_TYPE, TYPE_END);
    nsc_proto_uint(&p->part, EVENT_TRACK, uuid_of(p, where));
    nsc_proto_message(&p->packet, PACKET_EVENT, &p->part);
    packet_end(p);
}

static void counter_write(struct perfetto *p, const struct nsc_counter *counter)
{
    struct nsc_window w = p->dump->query->window;

    for (uint32_t i = 0; i < counter->n && p->dump->status == NSC_OK; i++) {
        nsc_time t = counter->time[i];

        if (t >= w.t1 || (i + 1 < counter->n && counter->time[i + 1] <= w.t0))
            continue;
        row_tell(p, 0);
        stamp(p, nsc_dump_offset(p->dump, t));
        nsc_proto_clear(&p->part);
        nsc_proto_uint(&p->part, EVENT_TYPE, TYPE_COUNTER);
        nsc_proto_uint(&p->part, EVENT_TRACK, uuid_of(p, 0));
        nsc_proto_uint(&p->part, EVENT_COUNTER, (uint64_t)counter->value[i]);
        nsc_proto_message(&p->packet, PACKET_EVENT, &p->part);
        packet_end(p);
        (void)nsc_dump_go_on(p->dump);
    }
}

void nsc_dump_perfetto(struct nsc_dump *dump)
{
    struct perfetto p = {.dump = dump};
    struct nsc_nest nest = {row_open, row_close, &p};
    uint32_t n = 0;
    const struct nsc_counter *counters = nsc_trace_counters(dump->trace, &n);

    p.names = nsc_xcalloc(nsc_bits_words(nsc_trace_names(dump->trace)->n) + 1, sizeof *p.names);
    p.kinds = nsc_xcalloc(nsc_bits_words(NSC_N_KINDS), sizeof *p.kinds);
    p.told = nsc_xcalloc((size_t)dump->n_tracks + dump->n_lanes + 2, sizeof *p.told);
    for (uint32_t t = 0; t < dump->n_tracks && dump->status == NSC_OK; t++) {
        uint32_t counter = dump->tracks[t].counter;

        p.track = t;
        if (dump->tracks[t].n_lanes)
            (void)nsc_dump_nest(dump, t, &nest);
        else if (counter < n && !dump->query->mask)
            counter_write(&p, &counters[counter]);
    }
    free(p.names);
    free(p.kinds);
    free(p.told);
    nsc_proto_fini(&p.packet);
    nsc_proto_fini(&p.part);
    nsc_proto_fini(&p.inner);
}
