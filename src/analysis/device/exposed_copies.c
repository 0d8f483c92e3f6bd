/* Attributes each stretch without a kernel to the running copy that started last. */
#include "analysis/device/exposed_copies.h"

#include "core/sum.h"

struct running {
    size_t at; /* index in the list */
    nsc_time end;
};

struct exposing {
    struct nsc_exposed_copies *out;
    NSC_VEC(struct running) running; /* by start; what has ended goes once it is the last */
};

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct exposing *of = own;

    (void)param;
    of->out = answer;
    of->out->window = sweep->window;
}

static void pass_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    struct exposing *of = own;

    (void)sweep;
    if (!(NSC_OP_KIND_BIT(op->kind) & NSC_TRANSFER_KINDS) || op->start == op->end)
        return;
    *NSC_VEC_ADD(&of->running) = (struct running){of->out->list.n, op->end};
    *NSC_VEC_ADD(&of->out->list) =
        (struct nsc_exposed_copy){.copy = op->event, .stream = op->stream, .start = op->start};
}

static void pass_stretch(void *own, const struct nsc_sweep *sweep,
                         const struct nsc_stretch *stretch)
{
    struct exposing *of = own;

    (void)sweep;
    while (of->running.n > 0 && of->running.at[of->running.n - 1].end <= stretch->t0)
        of->running.n--;
    if (!(stretch->kinds & NSC_KERNEL_KINDS) && stretch->kinds & NSC_TRANSFER_KINDS)
        of->out->list.at[of->running.at[of->running.n - 1].at].exposed +=
            nsc_span(stretch->t0, stretch->t1);
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct exposing *of = own;
    struct nsc_exposed_copies *out = of->out;
    size_t kept = 0;

    NSC_VEC_FINI(&of->running);
    for (size_t i = 0; i < out->list.n; i++)
        if (out->list.at[i].exposed > 0)
            out->list.at[kept++] = out->list.at[i];
    out->list.n = kept;
    return sweep->has_window;
}

static void fini(void *value)
{
    NSC_VEC_FINI(&((struct nsc_exposed_copies *)value)->list);
}

const struct nsc_rider nsc_exposed_copies_rider = {
    .kind = {.bytes = sizeof(struct nsc_exposed_copies), .fini = fini},
    .own_bytes = sizeof(struct exposing),
    .begin = begin,
    .op = pass_op,
    .stretch = pass_stretch,
    .end = end};

bool nsc_exposed_copies_build(struct nsc_exposed_copies *out, const struct nsc_scope *scope,
                              uint32_t device)
{
    return nsc_sweep_ask(out, &out->is_kept, &nsc_exposed_copies_rider, NULL, scope, device);
}

void nsc_exposed_copies_fini(struct nsc_exposed_copies *copies)
{
    if (!copies->is_kept)
        fini(copies);
}
