/* Chooses which rows are shown, their heights, and which are pinned. */
#include "view/model/arrangement.h"

#include "analysis/names/pattern.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/sort.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_BYTES = 256 }; /* most bytes of a label that are matched */

void nsc_arrangement_init(struct nsc_arrangement *arrangement, const struct nsc_trace *trace)
{
    struct nsc_arrangement made = {.stream = NSC_NONE,
                                   .stream_height = arrangement->stream_height,
                                   .other_height = arrangement->other_height};

    nsc_arrangement_fini(arrangement);
    (void)nsc_trace_tracks(trace, &made.n);
    made.order = nsc_sort_numbers(made.n);
    made.hidden = nsc_xcalloc(nsc_bits_words(made.n) + 1, sizeof *made.hidden);
    made.rest = nsc_xcalloc(nsc_bits_words(made.n) + 1, sizeof *made.rest);
    made.height = nsc_xcalloc((size_t)made.n + 1, sizeof *made.height);
    *arrangement = made;
}

void nsc_arrangement_copy(struct nsc_arrangement *out, const struct nsc_arrangement *arrangement)
{
    uint32_t n = arrangement->n;

    *out = *arrangement;
    out->order = nsc_xmalloc(((size_t)n + 1) * sizeof *out->order);
    memcpy(out->order, arrangement->order, n * sizeof *out->order);
    out->hidden = nsc_bits_copy(arrangement->hidden, n);
    out->rest = nsc_bits_copy(arrangement->rest, n);
    out->height = nsc_xmalloc((size_t)n + 1);
    memcpy(out->height, arrangement->height, n);
}

void nsc_arrangement_fini(struct nsc_arrangement *arrangement)
{
    free(arrangement->order);
    free(arrangement->hidden);
    free(arrangement->rest);
    free(arrangement->height);
    *arrangement = (struct nsc_arrangement){.stream = NSC_NONE};
}

/* ---- asking ---- */

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
    uint32_t height = 0;

    if (!arrangement || !arrangement->n)
        return 1;
    height = arrangement->height[track];
    if (!height && nsc_trace_track(trace, track)->kind == NSC_TRACK_STREAM)
        height =
            track == arrangement->stream ? arrangement->stream_height : arrangement->other_height;
    if (!height && nsc_trace_track(trace, track)->kind == NSC_TRACK_STREAM)
        height = arrangement->spare_height;
    return height ? (uint8_t)height : 1;
}

/* ---- hiding ---- */

void nsc_arrangement_hide(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                          uint32_t track)
{
    uint32_t end = nsc_trace_track(trace, track)->skip;

    for (uint32_t i = track; i < end; i++)
        nsc_bits_set(arrangement->hidden, i);
}

bool nsc_arrangement_reveal(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                            uint32_t track)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    bool was_hidden = false;

    for (uint32_t i = 0; i <= track; i++)
        if (tracks[i].skip > track) {
            was_hidden |=
                nsc_bits_get(arrangement->hidden, i) || nsc_bits_get(arrangement->rest, i);
            nsc_bits_unset(arrangement->hidden, i);
            nsc_bits_unset(arrangement->rest, i);
        }
    return was_hidden;
}

/* False if none was set. */
static bool clear(const struct nsc_arrangement *arrangement, uint64_t *bits)
{
    bool any = false;

    for (size_t i = 0; i < nsc_bits_words(arrangement->n); i++) {
        any |= bits[i] != 0;
        bits[i] = 0;
    }
    return any;
}

bool nsc_arrangement_open_rest(struct nsc_arrangement *arrangement)
{
    return clear(arrangement, arrangement->rest);
}

bool nsc_arrangement_reveal_all(struct nsc_arrangement *arrangement)
{
    bool any = clear(arrangement, arrangement->hidden);

    return nsc_arrangement_open_rest(arrangement) || any;
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

/* Shows the headers of groups with a visible row. */
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
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint64_t *before = arrangement->hidden;
    regex_t *regex = NULL;
    uint32_t n = 0;

    *wrong = nsc_pattern_compile(&regex, pattern, true);
    if (*wrong)
        return 0;
    arrangement->hidden = nsc_xmalloc((nsc_bits_words(arrangement->n) + 1) * sizeof *before);
    memset(arrangement->hidden, 0xff, (nsc_bits_words(arrangement->n) + 1) * sizeof *before);
    for (uint32_t i = 0; i < arrangement->n; i++) {
        if (!label_matches(regex, trace, &tracks[i]))
            continue;
        n++;
        for (uint32_t k = i; k < tracks[i].skip; k++)
            nsc_bits_unset(arrangement->hidden, k);
    }
    show_headers(arrangement, tracks);
    if (n)
        (void)nsc_arrangement_open_rest(arrangement);
    free(n ? before : arrangement->hidden);
    arrangement->hidden = n ? arrangement->hidden : before;
    regfree(regex);
    free(regex);
    return n;
}

/* ---- pins ---- */

uint32_t nsc_arrangement_pin_find(const struct nsc_arrangement *arrangement, struct nsc_pin row)
{
    uint32_t i = 0;

    while (i < arrangement->n_pins && !nsc_pin_is_same(arrangement->pins[i], row))
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
