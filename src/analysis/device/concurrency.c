/*
 * Ops at once: a heap of the ends of what runs, and the two streams that reach farthest.
 */
#include "analysis/device/concurrency.h"

#include "core/sum.h"
#include "core/vec.h"

struct running {
    struct nsc_concurrency *out;
    NSC_VEC(nsc_time) ends;             /* a heap, the earliest first */
    nsc_time at;                        /* measured up to here */
    nsc_time first_reach, second_reach; /* of two different streams */
    uint32_t first_stream;
    nsc_time both; /* two streams are measured up to here */
};

static void sift_up(struct running *running, size_t i)
{
    nsc_time moving = running->ends.at[i];

    for (; i > 0 && running->ends.at[(i - 1) / 2] > moving; i = (i - 1) / 2)
        running->ends.at[i] = running->ends.at[(i - 1) / 2];
    running->ends.at[i] = moving;
}

static void drop_earliest(struct running *running)
{
    nsc_time moving = running->ends.at[--running->ends.n];
    size_t n = running->ends.n;
    size_t i = 0;

    for (size_t child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && running->ends.at[child + 1] < running->ends.at[child])
            child++;
        if (running->ends.at[child] >= moving)
            break;
        running->ends.at[i] = running->ends.at[child];
        i = child;
    }
    if (n > 0)
        running->ends.at[i] = moving;
}

/* Up to t, or as long as anything ends before it. */
static void advance(struct running *running, nsc_time t)
{
    while (running->at < t) {
        size_t n = running->ends.n;
        nsc_time next = n > 0 ? nsc_earlier(running->ends.at[0], t) : t;
        size_t level = n < NSC_LEVELS - 1 ? n : NSC_LEVELS - 1;

        running->out->level[level] += nsc_span(running->at, next);
        running->out->mean += (double)n * (double)nsc_span(running->at, next);
        running->at = nsc_later(running->at, next);
        while (running->ends.n > 0 && running->ends.at[0] <= running->at)
            drop_earliest(running);
    }
}

/* What the op shares with the stream that reaches farthest of all others. */
static void pass_streams(struct running *running, const struct nsc_device_op *op)
{
    nsc_time other =
        op->stream == running->first_stream ? running->second_reach : running->first_reach;
    nsc_time end = nsc_earlier(op->end, other);
    nsc_time start = nsc_later(op->start, running->both);

    running->out->streams += nsc_span(start, end);
    running->both = nsc_later(running->both, end);
    if (op->stream == running->first_stream) {
        running->first_reach = nsc_later(running->first_reach, op->end);
    } else if (op->end > running->first_reach) {
        running->second_reach = running->first_reach;
        running->first_reach = op->end;
        running->first_stream = op->stream;
    } else {
        running->second_reach = nsc_later(running->second_reach, op->end);
    }
}

bool nsc_concurrency_build(struct nsc_concurrency *out, const struct nsc_scope *scope,
                           uint32_t device)
{
    struct running running = {.out = out, .first_stream = NSC_NONE};
    struct nsc_device_ops work;
    struct nsc_device_op op;

    *out = (struct nsc_concurrency){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    running.at = out->window.t0;
    running.first_reach = running.second_reach = running.both = out->window.t0;
    nsc_device_ops_init(&work, scope, device);
    while (nsc_device_ops_next(&work, &op)) {
        if (op.start == op.end)
            continue;
        advance(&running, op.start);
        *NSC_VEC_ADD(&running.ends) = op.end;
        sift_up(&running, running.ends.n - 1);
        out->most = running.ends.n > out->most ? (uint32_t)running.ends.n : out->most;
        pass_streams(&running, &op);
    }
    advance(&running, out->window.t1);
    nsc_device_ops_fini(&work);
    NSC_VEC_FINI(&running.ends);
    out->busy = nsc_window_length(out->window) - out->level[0];
    out->mean_of_busy = out->busy > 0 ? out->mean / (double)out->busy : 0;
    out->mean /= (double)nsc_window_length(out->window);
    return true;
}
