/*
 * Changing the arrangement of rows.
 */
#include "view/arrangement.h"

#include "analysis/pattern.h"
#include "core/bits.h"
#include "core/die.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_BYTES = 256 }; /* of a label are matched */

void nsc_arrangement_init(struct nsc_arrangement *arrangement, const struct nsc_trace *trace)
{
    struct nsc_arrangement made = {.stream = NSC_NONE,
                                   .stream_height = arrangement->stream_height,
                                   .other_height = arrangement->other_height};

    nsc_arrangement_fini(arrangement);
    (void)nsc_trace_tracks(trace, &made.n);
    made.order = nsc_xmalloc(((size_t)made.n + 1) * sizeof *made.order);
    made.hidden = nsc_xcalloc(nsc_bits_words(made.n) + 1, sizeof *made.hidden);
    made.height = nsc_xcalloc((size_t)made.n + 1, sizeof *made.height);
    for (uint32_t i = 0; i < made.n; i++)
        made.order[i] = i;
    *arrangement = made;
}

void nsc_arrangement_fini(struct nsc_arrangement *arrangement)
{
    free(arrangement->order);
    free(arrangement->hidden);
    free(arrangement->height);
    *arrangement = (struct nsc_arrangement){.stream = NSC_NONE};
}

/* ---- asking
 * ------------------------------------------------------------------------------------------------------
 */

uint32_t nsc_arrangement_track(const struct nsc_arrangement *arrangement, uint32_t place)
{
    return arrangement && arrangement->n ? arrangement->order[place] : place;
}

bool nsc_arrangement_hides(const struct nsc_arrangement *arrangement, uint32_t track)
{
    return arrangement && arrangement->n && nsc_bits_get(arrangement->hidden, track);
}

uint8_t nsc_arrangement_height(const struct nsc_arrangement *arrangement,
                               const struct nsc_trace *trace, uint32_t track)
{
    uint8_t height = 0;

    if (!arrangement || !arrangement->n)
        return 1;
    height = arrangement->height[track];
    if (!height && nsc_trace_tracks(trace, &(uint32_t){0})[track].kind == NSC_TRACK_STREAM)
        height =
            track == arrangement->stream ? arrangement->stream_height : arrangement->other_height;
    return height ? height : 1;
}

/* ---- order
 * -------------------------------------------------------------------------------------------------------
 */

/* Tracks of a group with its header; 1 for any other. */
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

/* The places among which a track moves: those of its group behind the header, or all of them. */
static void siblings_of(const struct nsc_arrangement *arrangement, const struct nsc_track *tracks,
                        uint32_t track, uint32_t *from, uint32_t *to)
{
    *from = 0;
    *to = arrangement->n;
    for (uint32_t i = 0; i < track; i++)
        if (tracks[i].skip > track && nsc_track_is_header(tracks[i].kind)) {
            *from = place_of(arrangement, i) + 1;
            *to = *from - 1 + block_size(tracks, i);
        }
}

/* Exchanges the neighbouring blocks [a, b) and [b, c). */
static void blocks_exchange(uint32_t *order, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *first = nsc_xmalloc((size_t)(b - a) * sizeof *first);

    memcpy(first, order + a, (size_t)(b - a) * sizeof *first);
    memmove(order + a, order + b, (size_t)(c - b) * sizeof *order);
    memcpy(order + a + (c - b), first, (size_t)(b - a) * sizeof *first);
    free(first);
}

/* Where the sibling before place begins; place itself when there is none. */
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
    uint32_t from = 0;
    uint32_t to = 0;
    uint32_t other = 0;

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
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &(uint32_t){0});
    uint32_t passed = NSC_NONE;

    /* What is hidden is passed without a pause: it would look as if nothing happened. */
    while (move_once(arrangement, tracks, track, down, &passed))
        if (!nsc_bits_get(arrangement->hidden, passed))
            return true;
    return false;
}

/* ---- hiding
 * ------------------------------------------------------------------------------------------------------
 */

void nsc_arrangement_hide(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                          uint32_t track)
{
    uint32_t end = track + block_size(nsc_trace_tracks(trace, &(uint32_t){0}), track);

    for (uint32_t i = track; i < end; i++)
        nsc_bits_set(arrangement->hidden, i);
}

bool nsc_arrangement_reveal(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                            uint32_t track)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &(uint32_t){0});
    bool was_hidden = nsc_bits_get(arrangement->hidden, track);

    nsc_bits_unset(arrangement->hidden, track);
    for (uint32_t i = 0; i < track; i++)
        if (nsc_track_is_header(tracks[i].kind) && tracks[i].skip > track) {
            was_hidden |= nsc_bits_get(arrangement->hidden, i);
            nsc_bits_unset(arrangement->hidden, i);
        }
    return was_hidden;
}

bool nsc_arrangement_reveal_all(struct nsc_arrangement *arrangement)
{
    size_t words = nsc_bits_words(arrangement->n);
    bool any = false;

    for (size_t i = 0; i < words; i++) {
        any |= arrangement->hidden[i] != 0;
        arrangement->hidden[i] = 0;
    }
    return any;
}

static bool label_matches(const regex_t *regex, const struct nsc_trace *trace,
                          const struct nsc_track *track)
{
    struct nsc_text label = nsc_trace_string(trace, track->label);
    char text[LABEL_BYTES];
    uint32_t n = label.n < LABEL_BYTES - 1 ? label.n : LABEL_BYTES - 1;

    memcpy(text, label.bytes, n);
    text[n] = '\0';
    return regexec(regex, text, 0, NULL, 0) == 0;
}

/* Headers stand over what is shown of their groups. */
static void show_headers(struct nsc_arrangement *arrangement, const struct nsc_track *tracks)
{
    for (uint32_t i = 0; i < arrangement->n; i++)
        for (uint32_t k = i + 1; k < tracks[i].skip && nsc_bits_get(arrangement->hidden, i); k++)
            if (!nsc_bits_get(arrangement->hidden, k))
                nsc_bits_unset(arrangement->hidden, i);
}

uint32_t nsc_arrangement_match(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                               struct nsc_text pattern, const char **wrong)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &(uint32_t){0});
    uint64_t *before = arrangement->hidden;
    regex_t *regex = NULL;
    uint32_t n = 0;

    *wrong = nsc_pattern_compile(&regex, pattern);
    if (*wrong)
        return 0;
    arrangement->hidden = nsc_xmalloc((nsc_bits_words(arrangement->n) + 1) * sizeof *before);
    memset(arrangement->hidden, 0xff, (nsc_bits_words(arrangement->n) + 1) * sizeof *before);
    for (uint32_t i = 0; i < arrangement->n; i++) {
        if (!label_matches(regex, trace, &tracks[i]))
            continue;
        n++;
        for (uint32_t k = i; k < i + block_size(tracks, i); k++)
            nsc_bits_unset(arrangement->hidden, k);
    }
    show_headers(arrangement, tracks);
    free(n ? before : arrangement->hidden);
    arrangement->hidden = n ? arrangement->hidden : before;
    regfree(regex);
    free(regex);
    return n;
}

/* ---- pins
 * --------------------------------------------------------------------------------------------------------
 */

uint32_t nsc_arrangement_pin_find(const struct nsc_arrangement *arrangement, struct nsc_pin row)
{
    uint32_t i = 0;

    while (i < arrangement->n_pins &&
           (arrangement->pins[i].track != row.track || arrangement->pins[i].index != row.index ||
            arrangement->pins[i].kind != row.kind))
        i++;
    return i;
}

bool nsc_arrangement_pin_toggle(struct nsc_arrangement *arrangement, struct nsc_pin row)
{
    uint32_t i = nsc_arrangement_pin_find(arrangement, row);

    if (i < arrangement->n_pins) {
        memmove(arrangement->pins + i, arrangement->pins + i + 1,
                (arrangement->n_pins - i - 1) * sizeof *arrangement->pins);
        arrangement->n_pins--;
        return true;
    }
    if (i == NSC_ARRANGEMENT_PINS)
        return false;
    arrangement->pins[arrangement->n_pins++] = row;
    return true;
}
