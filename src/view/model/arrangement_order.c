/* Moves a row or a group among its siblings, and reports the changed order. */
#include "core/bits.h"
#include "core/die.h"
#include "view/model/arrangement.h"

#include <stdlib.h>
#include <string.h>

/* ---- moving ---- */

/* Number of tracks of a group with its header; 1 for any other. */
static uint32_t block_size(const struct nsc_track *tracks, uint32_t track)
{
    return tracks[track].skip - track;
}

static uint32_t place_of(const struct nsc_arrangement *arrangement, uint32_t track)
{
    uint32_t place = 0;

    while (arrangement->order[place] != track)
        place++;
    return place;
}

/* The places of a group's members; NSC_NONE: of all tracks outside of groups. */
static void members_of(const struct nsc_arrangement *arrangement, const struct nsc_track *tracks,
                       uint32_t group, uint32_t *from, uint32_t *to)
{
    *from = group == NSC_NONE ? 0 : place_of(arrangement, group) + 1;
    *to = group == NSC_NONE ? arrangement->n : *from - 1 + block_size(tracks, group);
}

/* The places that a track can move among. */
static void siblings_of(const struct nsc_arrangement *arrangement, const struct nsc_track *tracks,
                        uint32_t track, uint32_t *from, uint32_t *to)
{
    uint32_t group = NSC_NONE;

    for (uint32_t i = 0; i < track; i++)
        if (tracks[i].skip > track && nsc_track_is_header(tracks[i].kind))
            group = i;
    members_of(arrangement, tracks, group, from, to);
}

/* Swaps the adjacent blocks [a, b) and [b, c). */
static void blocks_exchange(uint32_t *order, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *first = nsc_xmalloc((size_t)(b - a) * sizeof *first);

    memcpy(first, order + a, (size_t)(b - a) * sizeof *first);
    memmove(order + a, order + b, (size_t)(c - b) * sizeof *order);
    memcpy(order + a + (c - b), first, (size_t)(b - a) * sizeof *first);
    free(first);
}

/* The place of the previous sibling; place itself if there is none. */
static uint32_t place_before(const struct nsc_arrangement *arrangement,
                             const struct nsc_track *tracks, uint32_t from, uint32_t place)
{
    uint32_t at = from;

    while (at < place) {
        uint32_t next = at + block_size(tracks, arrangement->order[at]);

        if (next >= place)
            return at;
        at = next;
    }
    return place;
}

static bool move_once(struct nsc_arrangement *arrangement, const struct nsc_track *tracks,
                      uint32_t track, bool down, uint32_t *passed)
{
    uint32_t place = place_of(arrangement, track);
    uint32_t end = place + block_size(tracks, track);
    uint32_t from = 0, to = 0, other = 0;

    siblings_of(arrangement, tracks, track, &from, &to);
    if (down ? end >= to : place <= from)
        return false;
    other = down ? end : place_before(arrangement, tracks, from, place);
    *passed = arrangement->order[other];
    if (down)
        blocks_exchange(arrangement->order, place, end, end + block_size(tracks, *passed));
    else
        blocks_exchange(arrangement->order, other, place, end);
    return true;
}

bool nsc_arrangement_move(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                          uint32_t track, bool down)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint32_t passed = NSC_NONE;

    /* Skips hidden rows: otherwise a move would seem to have no effect. */
    while (move_once(arrangement, tracks, track, down, &passed))
        if (!nsc_bits_get(arrangement->hidden, passed))
            return true;
    return false;
}

/* ---- as it was ---- */

static bool are_moved(const struct nsc_arrangement *arrangement, const struct nsc_track *tracks,
                      uint32_t from, uint32_t to)
{
    uint32_t before = 0;

    for (uint32_t at = from; at < to; at += block_size(tracks, arrangement->order[at])) {
        if (arrangement->order[at] < before)
            return true;
        before = arrangement->order[at];
    }
    return false;
}

uint32_t nsc_arrangement_moved(const struct nsc_arrangement *arrangement,
                               const struct nsc_trace *trace, uint32_t *out)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint32_t n = 0;

    for (uint32_t i = 0; i <= arrangement->n; i++) {
        uint32_t group = i ? i - 1 : NSC_NONE;
        uint32_t from = 0;
        uint32_t to = 0;

        if (i && !nsc_track_is_header(tracks[group].kind))
            continue;
        members_of(arrangement, tracks, group, &from, &to);
        if (!are_moved(arrangement, tracks, from, to))
            continue;
        for (uint32_t at = from; at < to; at += block_size(tracks, arrangement->order[at]))
            out[n++] = arrangement->order[at];
    }
    return n;
}

/* Sorts members with a rank among the places of members with a rank. */
static void members_sort(struct nsc_arrangement *arrangement, const struct nsc_track *tracks,
                         const uint32_t rank[], uint32_t group)
{
    const uint32_t *order = arrangement->order;
    uint32_t from = 0, to = 0, n = 0, made = 0;
    uint32_t *places = NULL, *sorted = NULL;

    members_of(arrangement, tracks, group, &from, &to);
    places = nsc_xmalloc(((size_t)(to - from) + 1) * sizeof *places);
    sorted = nsc_xmalloc(((size_t)(to - from) + 1) * sizeof *sorted);
    for (uint32_t at = from; at < to; at += block_size(tracks, order[at])) {
        uint32_t place = at;

        for (uint32_t i = 0; i < n; i++) {
            uint32_t other = places[i];

            if (rank[order[other]] != NSC_NONE && rank[order[other]] > rank[order[place]]) {
                places[i] = place;
                place = other;
            }
        }
        places[n++] = place;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t size = block_size(tracks, order[places[i]]);

        memcpy(sorted + made, order + places[i], size * sizeof *sorted);
        made += size;
    }
    memcpy(arrangement->order + from, sorted, made * sizeof *sorted);
    free(places);
    free(sorted);
}

void nsc_arrangement_sort(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                          const uint32_t wanted[], uint32_t n)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint32_t *rank = nsc_xmalloc(((size_t)arrangement->n + 1) * sizeof *rank);

    for (uint32_t i = 0; i < arrangement->n; i++)
        rank[i] = NSC_NONE;
    for (uint32_t i = n; i > 0; i--)
        rank[wanted[i - 1]] = i - 1;
    members_sort(arrangement, tracks, rank, NSC_NONE);
    for (uint32_t i = 0; i < arrangement->n; i++)
        if (nsc_track_is_header(tracks[i].kind))
            members_sort(arrangement, tracks, rank, i);
    free(rank);
}
