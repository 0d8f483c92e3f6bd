/* A trace built by hand from rows that are already in order. */
#include "support/hand_trace.h"

void hand_trace_init(struct hand_trace *hand)
{
    *hand = (struct hand_trace){0};
}

void hand_trace_clear(struct hand_trace *hand)
{
    NSC_VEC_CLEAR(&hand->start);
    NSC_VEC_CLEAR(&hand->duration);
    NSC_VEC_CLEAR(&hand->name);
    NSC_VEC_CLEAR(&hand->link);
    NSC_VEC_CLEAR(&hand->kind);
    NSC_VEC_CLEAR(&hand->long_event);
    NSC_VEC_CLEAR(&hand->long_duration);
    NSC_VEC_CLEAR(&hand->lanes);
    NSC_VEC_CLEAR(&hand->tracks);
    NSC_VEC_CLEAR(&hand->groups);
    NSC_VEC_CLEAR(&hand->threads);
    NSC_VEC_CLEAR(&hand->captures);
}

void hand_trace_fini(struct hand_trace *hand)
{
    NSC_VEC_FINI(&hand->start);
    NSC_VEC_FINI(&hand->duration);
    NSC_VEC_FINI(&hand->name);
    NSC_VEC_FINI(&hand->link);
    NSC_VEC_FINI(&hand->kind);
    NSC_VEC_FINI(&hand->long_event);
    NSC_VEC_FINI(&hand->long_duration);
    NSC_VEC_FINI(&hand->lanes);
    NSC_VEC_FINI(&hand->tracks);
    NSC_VEC_FINI(&hand->groups);
    NSC_VEC_FINI(&hand->threads);
    NSC_VEC_FINI(&hand->captures);
}

/* Puts a track below the last capture, if there is one, and below the last group, if it is none. */
static void put_below(struct hand_trace *hand, uint32_t id)
{
    struct nsc_track *tracks = hand->tracks.at;
    struct nsc_trace_info *capture = NULL;

    if (hand->captures.n > 0) {
        capture = &hand->captures.at[hand->captures.n - 1];
        tracks[id].capture_no = (uint32_t)hand->captures.n - 1;
        tracks[id].depth++;
        tracks[capture->first_track].skip = id + 1;
    }
    if (nsc_track_is_group(tracks[id].kind))
        return;
    tracks[id].depth++;
    for (uint32_t group = id; group-- > (capture ? capture->first_track + 1 : 0);)
        if (nsc_track_is_group(tracks[group].kind)) {
            tracks[group].skip = id + 1;
            tracks[id].group = group;
            return;
        }
}

struct nsc_track *hand_trace_track(struct hand_trace *hand, uint8_t kind)
{
    uint32_t id = (uint32_t)hand->tracks.n;
    struct nsc_track *track = NSC_VEC_ADD(&hand->tracks);

    *track = (struct nsc_track){.kind = kind,
                                .skip = id + 1,
                                .group = id,
                                .first_lane = (uint32_t)hand->lanes.n,
                                .counter = NSC_NONE,
                                .device = -1,
                                .gpu = -1,
                                .context = -1,
                                .stream = -1};
    if (kind == NSC_TRACK_DEVICE)
        *NSC_VEC_ADD(&hand->groups) = id;
    if (kind == NSC_TRACK_CAPTURE) {
        track->capture_no = (uint32_t)hand->captures.n;
        *NSC_VEC_ADD(&hand->captures) =
            (struct nsc_trace_info){.first_event = (uint32_t)hand->start.n, .first_track = id};
    } else
        put_below(hand, id);
    return track;
}

uint32_t hand_trace_lane(struct hand_trace *hand)
{
    uint32_t track = (uint32_t)hand->tracks.n - 1;

    *NSC_VEC_ADD(&hand->lanes) = (struct nsc_lane){(uint32_t)hand->start.n, 0, track};
    hand->tracks.at[track].n_lanes++;
    return (uint32_t)hand->lanes.n - 1;
}

nsc_event hand_trace_row(struct hand_trace *hand, nsc_time start, nsc_time end, nsc_name name,
                         uint8_t kind)
{
    nsc_event row = (nsc_event)hand->start.n;
    nsc_time duration = end - start;

    *NSC_VEC_ADD(&hand->start) = start;
    *NSC_VEC_ADD(&hand->duration) = duration < NSC_LONG ? (uint32_t)duration : NSC_LONG;
    *NSC_VEC_ADD(&hand->name) = name;
    *NSC_VEC_ADD(&hand->link) = NSC_NONE;
    *NSC_VEC_ADD(&hand->kind) = kind;
    if (duration >= NSC_LONG) {
        *NSC_VEC_ADD(&hand->long_event) = row;
        *NSC_VEC_ADD(&hand->long_duration) = duration;
    }
    hand->lanes.at[hand->lanes.n - 1].n++;
    return row;
}

/* Gives each capture the rows and tracks before the next one. */
static void end_captures(struct hand_trace *hand)
{
    for (size_t i = hand->captures.n, rows = hand->start.n, tracks = hand->tracks.n; i-- > 0;) {
        struct nsc_trace_info *capture = &hand->captures.at[i];

        capture->n_events = (uint32_t)rows - capture->first_event;
        capture->n_tracks = (uint32_t)tracks - capture->first_track;
        rows = capture->first_event;
        tracks = capture->first_track;
    }
}

/* Sorts the groups of threads as nsc_trace_thread looks them up; of equal ones the first counts. */
static void end_threads(struct hand_trace *hand)
{
    const struct nsc_track *tracks = hand->tracks.at;

    for (uint32_t t = 0; t < hand->tracks.n; t++) {
        size_t at = hand->threads.n;

        if (tracks[t].kind != NSC_TRACK_THREAD)
            continue;
        (void)NSC_VEC_ADD(&hand->threads);
        for (; at > 0; at--) {
            const struct nsc_track *before = &tracks[hand->threads.at[at - 1]];

            if (before->process < tracks[t].process ||
                (before->process == tracks[t].process && before->tid <= tracks[t].tid))
                break;
            hand->threads.at[at] = hand->threads.at[at - 1];
        }
        hand->threads.at[at] = t;
    }
}

struct nsc_trace *hand_trace_end(struct hand_trace *hand, const struct nsc_names *names)
{
    struct nsc_trace *trace = &hand->trace;

    hand->info = (struct nsc_trace_info){.n_events = (uint32_t)hand->start.n,
                                         .n_tracks = (uint32_t)hand->tracks.n};
    end_captures(hand);
    end_threads(hand);
    *trace = (struct nsc_trace){
        .events = {.n = (uint32_t)hand->start.n,
                   .start = hand->start.at,
                   .duration = hand->duration.at,
                   .name = hand->name.at,
                   .link = hand->link.at,
                   .kind = hand->kind.at,
                   .n_long = (uint32_t)hand->long_event.n,
                   .long_event = hand->long_event.at,
                   .long_duration = hand->long_duration.at},
        .lanes = hand->lanes.at,
        .n_lanes = (uint32_t)hand->lanes.n,
        .tracks = hand->tracks.at,
        .n_tracks = (uint32_t)hand->tracks.n,
        .n_groups = (uint32_t)hand->groups.n,
        .group_track = hand->groups.at,
        .n_by_thread = (uint32_t)hand->threads.n,
        .by_thread = hand->threads.at,
        .captures = hand->captures.n ? hand->captures.at : &hand->info,
        .n_captures = hand->captures.n ? (uint32_t)hand->captures.n : 1,
    };
    if (names)
        trace->names = *names;
    return trace;
}
