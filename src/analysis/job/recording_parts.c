/* Attributes each ns of the segments to a part, during the sweep of each device. */
#include "analysis/job/recording_parts.h"

#include "analysis/base/shared.h"
#include "analysis/base/tally.h"
#include "analysis/device/gaps.h"
#include "analysis/device/sweep.h"
#include "core/text.h"

static const char *const class_words[NSC_N_PART_CLASSES] = {"compute", "exposed comm", "copies",
                                                            "idle"};

const char *nsc_part_class_word(enum nsc_part_class of)
{
    return class_words[of];
}

struct asked {
    const struct nsc_part_question *of;
    struct nsc_tally *tally; /* sums by kind and class, and by name */
};

struct painting {
    const struct asked *asked;
    uint32_t at; /* the first segment that ends after the last stretch; the last one at most */
    struct nsc_gap_walk walk;
    NSC_VEC(struct nsc_device_op) running; /* by start; some have ended */
};

/* ---- ns to parts ---- */

/* Adds the part of w inside segments; windows come in order of time. */
static void paint(struct painting *painting, struct nsc_window w, enum nsc_part_class class,
                  uint64_t name)
{
    const struct nsc_part_question *of = painting->asked->of;

    while (painting->at + 1 < of->n_segments && of->segments[painting->at].window.t1 <= w.t0)
        painting->at++;
    for (uint32_t i = painting->at; i < of->n_segments && of->segments[i].window.t0 < w.t1; i++) {
        const struct nsc_part_segment *segment = &of->segments[i];
        nsc_time t0 = segment->window.t0 > w.t0 ? segment->window.t0 : w.t0;
        nsc_time t1 = segment->window.t1 < w.t1 ? segment->window.t1 : w.t1;

        if (t0 < t1)
            (void)nsc_tally_add(painting->asked->tally,
                                (uint64_t)segment->kind * NSC_N_PART_CLASSES + class, name,
                                t1 - t0);
    }
}

static enum nsc_part_class class_of(enum nsc_op_kind kind)
{
    if (NSC_OP_KIND_BIT(kind) & NSC_COMPUTE_KINDS)
        return NSC_PART_COMPUTE;
    return NSC_OP_KIND_BIT(kind) & NSC_COMM_KINDS ? NSC_PART_EXPOSED : NSC_PART_OTHER;
}

/* Drops ops that have ended; returns the op that decides the part of the stretch: compute hides all
 * else, copies hide communication. */
static const struct nsc_device_op *find_shown(struct painting *painting, nsc_time t)
{
    static const int ranks[] = {
        [NSC_PART_COMPUTE] = 0, [NSC_PART_OTHER] = 1, [NSC_PART_EXPOSED] = 2};
    struct nsc_device_op *at = painting->running.at;
    const struct nsc_device_op *best = NULL;
    size_t n = 0;

    for (size_t i = 0; i < painting->running.n; i++) {
        if (at[i].end <= t)
            continue;
        at[n] = at[i];
        if (!best || ranks[class_of(at[n].kind)] < ranks[class_of(best->kind)])
            best = &at[n];
        n++;
    }
    painting->running.n = n;
    return best;
}

/* ---- the sweep's callbacks ---- */

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct painting *painting = own;

    (void)answer;
    painting->asked = param;
    (void)nsc_gap_walk_init(&painting->walk, sweep->scope, sweep->device);
}

static void pass_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    struct painting *painting = own;

    (void)sweep;
    if (op->end > op->start)
        *NSC_VEC_ADD(&painting->running) = *op;
}

static void pass_stretch(void *own, const struct nsc_sweep *sweep,
                         const struct nsc_stretch *stretch)
{
    struct painting *painting = own;
    const struct nsc_device_op *op;
    struct nsc_gap gap;

    if (stretch->n_ops == 0) {
        (void)nsc_gap_walk_next(&painting->walk, &gap); /* of this stretch */
        for (size_t i = 0; i < painting->walk.pieces.n; i++) {
            const struct nsc_gap_piece *piece = &painting->walk.pieces.at[i];

            paint(painting, (struct nsc_window){piece->start, piece->end}, NSC_PART_IDLE,
                  piece->part);
        }
        return;
    }
    op = find_shown(painting, stretch->t0);
    if (op)
        paint(painting, (struct nsc_window){stretch->t0, stretch->t1}, class_of(op->kind),
              class_of(op->kind) == NSC_PART_OTHER ? (uint64_t)op->kind
                                                   : sweep->events->name[op->event]);
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct painting *painting = own;

    if (!sweep->has_window) /* no op with a length, so there were no stretches */
        paint(painting, sweep->scope->window, NSC_PART_IDLE, NSC_GAP_UNKNOWN);
    nsc_gap_walk_fini(&painting->walk);
    NSC_VEC_FINI(&painting->running);
    return sweep->has_window;
}

static const struct nsc_rider rider = {.own_bytes = sizeof(struct painting),
                                       .begin = begin,
                                       .op = pass_op,
                                       .stretch = pass_stretch,
                                       .end = end};

/* ---- the whole ---- */

nsc_str nsc_recording_keep(struct nsc_strpool *texts, struct nsc_text text)
{
    struct nsc_buf clean = NSC_BUF_INIT(SIZE_MAX);
    nsc_str id;

    nsc_text_clean(&clean, text, false);
    id = nsc_strpool_add(texts, clean.n ? clean.bytes : "", clean.n);
    nsc_buf_fini(&clean);
    return id;
}

static nsc_str name_of(struct nsc_strpool *texts, const struct nsc_trace *trace,
                       enum nsc_part_class class, uint64_t name)
{
    struct nsc_text text;

    if (class == NSC_PART_IDLE)
        text = nsc_text_from(nsc_gap_part_word((enum nsc_gap_part)name));
    else if (class == NSC_PART_OTHER)
        text = nsc_text_from(nsc_op_kind_word((enum nsc_op_kind)name));
    else
        text = nsc_trace_string(trace, nsc_trace_names(trace)->full[name]);
    return nsc_recording_keep(texts, text);
}

/* All parts by their numbers. */
static void paint_all(struct nsc_tally *tally, const struct nsc_part_question *question)
{
    const struct nsc_part_segment *segments = question->segments;
    struct asked asked = {question, tally};
    struct nsc_scope of = *question->scope;
    struct nsc_ride ride = {.rider = &rider, .param = &asked};

    of.window =
        (struct nsc_window){segments[0].window.t0, segments[question->n_segments - 1].window.t1};
    of.has_window = true;
    of.shared = NULL;
    of.steady = NULL;
    nsc_shared_open(&of); /* for what all devices have in common */
    for (uint32_t i = 0; i < question->n_devices; i++)
        nsc_sweep_run(&of, question->devices[i], &ride, 1);
    nsc_shared_close(&of);
    for (uint32_t i = 0; question->n_devices == 0 && i < question->n_segments; i++)
        (void)nsc_tally_add(tally, (uint64_t)segments[i].kind * NSC_N_PART_CLASSES + NSC_PART_IDLE,
                            NSC_GAP_UNKNOWN, nsc_window_length(segments[i].window));
}

void nsc_recording_parts_measure(struct nsc_recording_parts *out, struct nsc_strpool *texts,
                                 const struct nsc_part_question *question)
{
    struct nsc_tally tally = {0}, named = {0}; /* named merges names with the same text */

    if (question->n_segments > 0)
        paint_all(&tally, question);
    for (size_t i = 0; i < tally.rows.n; i++) {
        const struct nsc_tally_row *row = &tally.rows.at[i];
        enum nsc_part_class class = (enum nsc_part_class)(row->key[0] % NSC_N_PART_CLASSES);

        (void)nsc_tally_add(&named, row->key[0],
                            name_of(texts, question->scope->trace, class, row->key[1]), row->total);
    }
    for (size_t i = 0; i < named.rows.n; i++)
        *NSC_VEC_ADD(&out->list) = (struct nsc_recording_part){
            .kind = (uint32_t)(named.rows.at[i].key[0] / NSC_N_PART_CLASSES),
            .class = (uint32_t)(named.rows.at[i].key[0] % NSC_N_PART_CLASSES),
            .name = (nsc_str)named.rows.at[i].key[1],
            .total = named.rows.at[i].total};
    nsc_tally_fini(&tally);
    nsc_tally_fini(&named);
}
