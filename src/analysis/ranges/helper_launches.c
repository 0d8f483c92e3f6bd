/*
 * Finds lent work: walks the launching calls of each thread, and checks the evidence once for
 * consecutive calls with the same outermost range and sleep.
 */
#include "analysis/ranges/helper_launches.h"

#include "nsyscope/summary.h"

#include "analysis/base/correlate.h"
#include "analysis/base/limit.h"
#include "analysis/base/path_memo.h"
#include "analysis/base/shared.h"
#include "analysis/names/host_act.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/lane_merge.h"
#include "index/names.h"

#include <stdlib.h>
#include <string.h>

enum { HANDOVER_NS = 1000 * NSC_LIMIT_HANDOVER };

struct seq { /* sequence number of a main thread's range */
    int64_t number;
    nsc_time start; /* start of the first range with this number */
};

struct sleep_lane { /* calls of the OS by main */
    uint32_t lane;
    nsc_event near; /* the row found last, or the end of the lane: the next one is close */
};

struct lender {
    struct nsc_helper_launches *out;
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_track *tracks;
    uint32_t main, own; /* groups */
    struct nsc_path_memo *paths;
    NSC_VEC(struct sleep_lane) sleeps;
    uint8_t *says_seq;        /* by name: 0 not known, 1 no, 2 yes */
    NSC_VEC(struct seq) seqs; /* of main, by number and start; filled on first use */
    struct nsc_window known;  /* when the ranges of own are those of since */
    nsc_time since;           /* start of the first range of main with a number of theirs */
    bool has_seqs;
    nsc_event sleep; /* last sleep of main that was looked up; NSC_NONE */
    bool is_handed;  /* own hands over at the end of the sleep */
};

/* ---- seq = N ---- */

static const char word[] = "seq = ";

/* Whether the name of a range has the word. */
static bool says_seq(const struct lender *lender, nsc_event range)
{
    uint8_t *says = &lender->says_seq[lender->events->name[range]];

    if (*says == 0)
        *says =
            1 + nsc_text_contains_folded(nsc_event_name(lender->trace, range), nsc_text_from(word));
    return *says == 2;
}

/* The number after "seq = "; -1: none. */
static int64_t seq_of(const struct lender *lender, nsc_event range)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text;

    if (!says_seq(lender, range))
        return -1;
    text = nsc_trace_event_text(lender->trace, range, false, scratch);
    for (uint32_t i = 0; i + sizeof word - 1 < text.n; i++)
        if (memcmp(text.bytes + i, word, sizeof word - 1) == 0) {
            int64_t number = -1;

            for (i += sizeof word - 1; i < text.n && nsc_is_digit(text.bytes[i]); i++)
                if (number < INT32_MAX)
                    number = (number < 0 ? 0 : number * 10) + (text.bytes[i] - '0');
            return number;
        }
    return -1;
}

NSC_COMPARE(compare_seqs, struct seq, NSC_LEAST(number) || NSC_LEAST(start))

static void gather_seqs(struct lender *lender)
{
    lender->has_seqs = true;
    for (struct nsc_lane_walk at =
             nsc_group_lanes(lender->trace, lender->main, NSC_TRACK_BIT(NSC_TRACK_NVTX));
         nsc_lane_walk_next(&at);)
        for (nsc_event row = at.rows->first; row - at.rows->first < at.rows->n; row++) {
            int64_t number = seq_of(lender, row);

            if (number >= 0)
                *NSC_VEC_ADD(&lender->seqs) = (struct seq){number, lender->events->start[row]};
        }
    NSC_VEC_SORT(&lender->seqs, compare_seqs);
}

/* The start of the first range of the main thread with this sequence number; INT64_MAX: none. */
static nsc_time find_seq(struct lender *lender, int64_t number)
{
    size_t lo = 0;
    size_t hi;

    if (!lender->has_seqs)
        gather_seqs(lender);
    hi = lender->seqs.n;
    NSC_BISECT(lo, hi, mid, lender->seqs.at[mid].number < number);
    return lo < lender->seqs.n && lender->seqs.at[lo].number == number ? lender->seqs.at[lo].start
                                                                       : INT64_MAX;
}

/* The start of the first range of main with the number of a range in the path; INT64_MAX: none. */
static nsc_time find_since(struct lender *lender, const struct nsc_path *own)
{
    if (lender->known.t0 == own->from && lender->known.t1 == own->until)
        return lender->since;
    lender->known = (struct nsc_window){own->from, own->until};
    lender->since = INT64_MAX;
    for (uint32_t i = 0; i < own->n; i++) {
        int64_t number = seq_of(lender, own->rows[i]);

        if (number >= 0)
            lender->since = nsc_earlier(lender->since, find_seq(lender, number));
    }
    return lender->since;
}

/* ---- the main thread waits ---- */

static bool is_near(nsc_time a, nsc_time b)
{
    return nsc_later(a, b) - nsc_earlier(a, b) <= HANDOVER_NS;
}

/* Whether a call or range of own ends, or a sleep of own begins, near t. */
static bool hands_over(const struct lender *lender, nsc_time t)
{
    const struct nsc_window near = {t - HANDOVER_NS, t + HANDOVER_NS + 1};
    const uint32_t kinds = NSC_TRACK_BIT(NSC_TRACK_API) | NSC_TRACK_BIT(NSC_TRACK_NVTX) |
                           NSC_TRACK_BIT(NSC_TRACK_OSRT);

    for (struct nsc_lane_walk at = nsc_group_lanes(lender->trace, lender->own, kinds);
         nsc_lane_walk_next(&at);) {
        struct nsc_row_range rows = nsc_lane_rows(lender->trace, at.lane, near);

        for (nsc_event row = rows.first; row < rows.end; row++)
            if (at.tracks[at.track].kind != NSC_TRACK_OSRT
                    ? is_near(nsc_event_end(lender->events, row), t)
                    : nsc_parked_is(lender->trace, row) && is_near(lender->events->start[row], t))
                return true;
    }
    return false;
}

static void find_sleep_lanes(struct lender *lender)
{
    NSC_VEC_CLEAR(&lender->sleeps);
    for (struct nsc_lane_walk at =
             nsc_group_lanes(lender->trace, lender->main, NSC_TRACK_BIT(NSC_TRACK_OSRT));
         nsc_lane_walk_next(&at);)
        *NSC_VEC_ADD(&lender->sleeps) = (struct sleep_lane){at.lane, at.rows->first};
}

/* The sleep of the main thread that contains the call; NSC_NONE: none. */
static nsc_event find_sleep(struct lender *lender, nsc_event call)
{
    const struct nsc_events *events = lender->events;
    const struct nsc_lane *lanes = nsc_trace_lanes(lender->trace, NULL);
    nsc_time t = events->start[call];

    for (size_t i = 0; i < lender->sleeps.n; i++) {
        struct sleep_lane *at = &lender->sleeps.at[i];
        nsc_event row = nsc_lane_find_near(lender->trace, at->lane, t, at->near);

        at->near = row;
        if (row < lanes[at->lane].first + lanes[at->lane].n && events->start[row] <= t &&
            nsc_event_end(events, row) >= nsc_event_end(events, call) &&
            (row == lender->sleep || nsc_parked_is(lender->trace, row)))
            return row;
    }
    return NSC_NONE;
}

/* Whether the main thread waits for own, in a sleep. */
static bool waits(struct lender *lender, nsc_event call, struct nsc_window *in)
{
    nsc_event sleep = find_sleep(lender, call);

    if (sleep == NSC_NONE)
        return false;
    *in = (struct nsc_window){lender->events->start[sleep], nsc_event_end(lender->events, sleep)};
    if (sleep != lender->sleep) {
        lender->sleep = sleep;
        lender->is_handed = hands_over(lender, in->t1);
    }
    return lender->is_handed;
}

/* ---- calls ---- */

/* The range to lend the call's work to; NSC_NONE: none. */
static nsc_event lend(struct lender *lender, nsc_event call)
{
    const struct nsc_events *events = lender->events;
    struct nsc_window w = {events->start[call], nsc_event_end(events, call)};
    struct nsc_window sleep = {INT64_MAX, INT64_MIN};
    struct nsc_path own = nsc_path_memo_at(lender->paths, lender->own, lender->own, w.t0);
    struct nsc_path main;

    if (find_since(lender, &own) >= w.t0 && !waits(lender, call, &sleep))
        return NSC_NONE;
    if (own.n > 0)
        w = (struct nsc_window){events->start[own.rows[0]], nsc_event_end(events, own.rows[0])};
    w = (struct nsc_window){nsc_earlier(w.t0, sleep.t0), nsc_later(w.t1, sleep.t1)};
    main = nsc_path_memo_at(lender->paths, lender->main, lender->main, w.t0);
    for (uint32_t i = main.n; i-- > 0;)
        if (nsc_event_end(events, main.rows[i]) >= w.t1)
            return main.rows[i];
    return NSC_NONE;
}

static void lend_thread(struct lender *lender, const struct nsc_launches *launches)
{
    struct nsc_positions in = nsc_launches_of_track(launches, lender->own);
    nsc_event last = NSC_NONE;
    nsc_event range = NSC_NONE;

    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_event op = nsc_launches_op(launches, i);
        nsc_event call = lender->events->link[op];

        range = call == last ? range : lend(lender, call);
        last = call;
        if (range != NSC_NONE)
            *NSC_VEC_ADD(&lender->out->list) = (struct nsc_helper_launch){op, range};
    }
}

NSC_COMPARE(compare_lent, struct nsc_helper_launch, NSC_LEAST(op))

void nsc_helper_launches_build(struct nsc_helper_launches *out, const struct nsc_trace *trace,
                               const struct nsc_launches *launches)
{
    struct lender lender = {.out = out,
                            .trace = trace,
                            .events = nsc_trace_events(trace),
                            .main = NSC_NONE,
                            .sleep = NSC_NONE};
    uint32_t n = 0;

    *out = (struct nsc_helper_launches){0};
    lender.tracks = nsc_trace_tracks(trace, &n);
    lender.paths = nsc_path_memo_new(trace);
    lender.says_seq = nsc_xcalloc((size_t)nsc_trace_names(trace)->n + 1, 1);
    for (uint32_t g = nsc_trace_next_group(trace, 0); g < n;
         g = nsc_trace_next_group(trace, nsc_group_end(lender.tracks, g))) {
        struct nsc_positions in = {0, 0};
        uint32_t main;

        if (lender.tracks[g].kind == NSC_TRACK_THREAD)
            in = nsc_launches_of_track(launches, g);
        if (in.first == in.end)
            continue;
        main = nsc_trace_thread(trace, lender.tracks[g].process, lender.tracks[g].pid);
        if (main == NSC_NONE || main == g)
            continue;
        if (main != lender.main) {
            NSC_VEC_CLEAR(&lender.seqs);
            lender.has_seqs = false;
            lender.main = main;
            find_sleep_lanes(&lender);
        }
        lender.own = g;
        lender.sleep = NSC_NONE;
        lender.known = (struct nsc_window){1, 0}; /* no time */
        lend_thread(&lender, launches);
    }
    NSC_VEC_FINI(&lender.seqs);
    NSC_VEC_FINI(&lender.sleeps);
    nsc_path_memo_free(lender.paths);
    free(lender.says_seq);
    NSC_VEC_SORT(&out->list, compare_lent);
}

void nsc_helper_launches_fini(struct nsc_helper_launches *lends)
{
    NSC_VEC_FINI(&lends->list);
}

static bool build_kept(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_helper_launches **out = value;
    struct nsc_launches *launches = nsc_launches_ask_order(scope);

    if (!launches)
        return false;
    *out = nsc_xmalloc(sizeof **out);
    nsc_helper_launches_build(*out, scope->trace, launches);
    (*out)->is_kept = nsc_shared_keeps(scope, device);
    nsc_launches_free(launches);
    return true;
}

static void free_kept(void *value)
{
    struct nsc_helper_launches **kept = value;

    if (*kept)
        nsc_helper_launches_fini(*kept);
    free(*kept);
}

struct nsc_helper_launches *nsc_helper_launches_ask(const struct nsc_scope *scope)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_helper_launches *), build_kept,
                                                free_kept};
    struct nsc_helper_launches *lends = NULL;

    (void)nsc_shared_ask(&lends, NULL, &kind, scope, scope->mask ? 0 : NSC_NONE);
    return lends;
}

void nsc_helper_launches_free(struct nsc_helper_launches *lends)
{
    if (lends && !lends->is_kept)
        free_kept(&lends);
}

nsc_event nsc_helper_launches_find(const struct nsc_helper_launches *lends, nsc_event op)
{
    const struct nsc_helper_launch key = {op, NSC_NONE};
    const struct nsc_helper_launch *found =
        lends->list.n ? bsearch(&key, lends->list.at, lends->list.n, sizeof key, compare_lent)
                      : NULL;

    return found ? found->range : NSC_NONE;
}

/* ---- the order of a walk over threads ---- */

NSC_COMPARE(compare_places, struct nsc_helper_launch_at,
            NSC_LEAST(group) || NSC_LEAST(start) || NSC_LEAST(of.op))

struct nsc_helper_launch_at *nsc_helper_launches_ordered(const struct nsc_helper_launches *lends,
                                                         const struct nsc_trace *trace)
{
    size_t n = lends->list.n;
    struct nsc_helper_launch_at *places = nsc_xcalloc(n + 1, sizeof *places);

    for (size_t i = 0; i < n; i++) {
        nsc_event range = lends->list.at[i].range;

        places[i] = (struct nsc_helper_launch_at){lends->list.at[i], nsc_event_group(trace, range),
                                                  nsc_trace_events(trace)->start[range]};
    }
    qsort(places, n, sizeof *places, compare_places);
    return places;
}
