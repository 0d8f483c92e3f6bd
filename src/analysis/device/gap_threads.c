/* Other threads of a process: which is at work while the launching thread sleeps or has no records,
 * and the ranges that the main thread lends to it. */
#include "analysis/base/correlate.h"
#include "analysis/device/gap_steps.h"
#include "core/sum.h"
#include "core/text.h"

/* ---- the thread at work ---- */

bool nsc_gap_is_sleep(const struct nsc_gap_walk *walk, const struct nsc_host_piece *piece)
{
    return piece->act == NSC_HOST_LOCK && nsc_parked_is(walk->scope->trace, piece->row);
}

/* The thread that launched the op before the gap, if the launching thread has no record since then
 * until the end of its first piece; NSC_NONE: none. */
static uint32_t find_busy_thread(struct nsc_gap_walk *walk, uint32_t thread)
{
    const struct nsc_trace *trace = walk->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_host_piece *first = walk->host.pieces.at;
    nsc_event before = walk->host.before;
    nsc_event call =
        walk->ops.last == NSC_NONE ? NSC_NONE : nsc_event_launch(trace, walk->ops.last);
    uint32_t other;

    if (call == NSC_NONE || first->row != NSC_NONE || first->range != NSC_NONE ||
        (before != NSC_NONE && nsc_event_end(events, before) > events->start[call]))
        return NSC_NONE;
    other = nsc_host_walk_thread(&walk->host, call);
    return other != thread &&
                   nsc_trace_track(trace, other)->process == nsc_trace_track(trace, thread)->process
               ? other
               : NSC_NONE;
}

/* The thread that worked in a piece of a sleep, and hands over at its end; NSC_NONE: not known. */
static uint32_t find_worker(struct nsc_gap_walk *walk, const struct nsc_host_piece *piece)
{
    if (walk->last_sleep.row != piece->row) {
        walk->last_sleep = (struct nsc_gap_sleep){
            piece->row, nsc_waker_find(&walk->host, piece->row, piece->start, piece->end)};
    }
    return walk->last_sleep.worker;
}

void nsc_gap_find_workers(struct nsc_gap_walk *walk, uint32_t thread)
{
    const struct nsc_host_pieces *pieces = &walk->host.pieces;
    uint32_t next = NSC_NONE;
    nsc_time from = INT64_MAX; /* start of the sleep that next was found for */

    NSC_VEC_CLEAR(&walk->workers);
    for (size_t i = 0; i < pieces->n; i++)
        *NSC_VEC_ADD(&walk->workers) =
            nsc_gap_is_sleep(walk, &pieces->at[i]) ? find_worker(walk, &pieces->at[i]) : NSC_NONE;
    for (size_t i = pieces->n; i-- > 0;) {
        if (!nsc_gap_is_sleep(walk, &pieces->at[i]))
            continue;
        if (walk->workers.at[i] == NSC_NONE && from - NSC_HANDOVER_NS <= pieces->at[i].end)
            walk->workers.at[i] = next;
        next = walk->workers.at[i];
        from = pieces->at[i].start;
    }
    if (pieces->n > 0 && walk->workers.at[0] == NSC_NONE)
        walk->workers.at[0] = find_busy_thread(walk, thread);
}

/* ---- lent ranges ---- */

/* Whether the thread just read waits for another one all the time. */
static bool is_parked(const struct nsc_gap_walk *walk)
{
    for (size_t i = 0; i < walk->host.pieces.n; i++)
        if (!nsc_gap_is_sleep(walk, &walk->host.pieces.at[i]))
            return false;
    return walk->host.pieces.n > 0;
}

/* The range with most of the time just read. */
static nsc_event main_range(const struct nsc_gap_walk *walk)
{
    nsc_event range = NSC_NONE;
    nsc_time most = 0;

    for (size_t i = 0; i < walk->host.pieces.n; i++) {
        const struct nsc_host_piece *piece = &walk->host.pieces.at[i];

        if (piece->range == NSC_NONE || nsc_span(piece->start, piece->end) <= most)
            continue;
        most = nsc_span(piece->start, piece->end);
        range = piece->range;
    }
    return range;
}

void nsc_gap_lend_ranges(struct nsc_gap_walk *walk, uint32_t thread, size_t first)
{
    const struct nsc_trace *trace = walk->scope->trace;
    const struct nsc_track *borrower = nsc_trace_track(trace, thread);
    uint32_t main = nsc_trace_thread(trace, borrower->process, borrower->pid);

    for (size_t i = first; i < walk->pieces.n && main != thread && main != NSC_NONE; i++) {
        struct nsc_gap_piece *piece = &walk->pieces.at[i];

        if (piece->range != NSC_NONE)
            continue;
        nsc_host_walk_read(&walk->host, main, piece->start, piece->end);
        if (is_parked(walk) || nsc_text_contains_folded(nsc_trace_string(trace, borrower->label),
                                                        nsc_text_from("autograd")))
            piece->range = main_range(walk);
    }
}
