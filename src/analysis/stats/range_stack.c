/* Opens and closes the ranges of a thread in order of time. */
#include "analysis/stats/range_stack.h"

/* The shortest of the open ranges that contains range; NSC_NONE: none. */
static uint32_t find_parent(const struct nsc_range_stack *stack,
                            const struct nsc_stats_range *range)
{
    const struct nsc_stats_open *open = stack->open.at;
    size_t n = stack->open.n;
    uint32_t found = NSC_NONE;
    nsc_time shortest = 0;

    for (size_t i = n; i > 0 && n - i < NSC_STATS_OPEN; i--) {
        const struct nsc_stats_range *outer = &open[i - 1].range;
        nsc_time length = nsc_stats_range_duration(outer);

        if (outer->end < range->end || (found != NSC_NONE && length >= shortest))
            continue;
        found = (uint32_t)(i - 1);
        shortest = length;
        if (i == 1 || open[i - 2].least >= outer->end)
            return found; /* the ranges below began earlier and end later, so they are longer */
    }
    return found;
}

/* Sets what a range knows of those opened before. */
static void set_before(struct nsc_stats_open *open, size_t i)
{
    open[i].least = i > 0 ? nsc_earlier(open[i - 1].least, open[i].range.end) : open[i].range.end;
    open[i].nested = i > 0 ? open[i - 1].nested && open[i].below == i - 1 : true;
}

void nsc_range_stack_open(struct nsc_range_stack *stack, const struct nsc_stats_range *range)
{
    uint32_t below = find_parent(stack, range);
    struct nsc_stats_open *open = NSC_VEC_ADD(&stack->open);

    *open = (struct nsc_stats_open){.range = *range, .number = stack->n++, .below = below};
    open->range.parent = NSC_NONE;
    open->range.level = 0;
    open->range.outer = open->number;
    set_before(stack->open.at, stack->open.n - 1);
    if (below == NSC_NONE)
        return;
    open->range.parent = stack->open.at[below].number;
    open->range.level = stack->open.at[below].range.level + 1;
    if (open->range.level >= NSC_STATS_DEEP)
        open->range.outer = stack->open.at[below].range.outer;
}

void nsc_stats_work_add(struct nsc_stats_work *to, const struct nsc_stats_work *work)
{
    if (work->ops == 0)
        return;
    to->start = to->ops == 0 ? work->start : nsc_earlier(to->start, work->start);
    to->end = to->ops == 0 ? work->end : nsc_later(to->end, work->end);
    to->ops += work->ops;
}

static void close_range(const struct nsc_range_stack *stack, size_t i)
{
    struct nsc_stats_open *open = &stack->open.at[i];
    struct nsc_stats_open *parent = open->below == NSC_NONE ? NULL : &stack->open.at[open->below];

    nsc_stats_work_add(&open->work, &open->passed);
    if (parent) {
        parent->range.children++;
        parent->range.inside =
            nsc_sum(parent->range.inside, nsc_stats_range_duration(&open->range));
        nsc_stats_work_add(&parent->passed, &open->passed);
    }
    if (stack->walk->close)
        stack->walk->close(stack->walk->context, open, parent);
}

/* Nested ranges end from the last one down; crossing ranges end anywhere, each after those inside it. */
void nsc_range_stack_close(struct nsc_range_stack *stack, nsc_time t)
{
    struct nsc_stats_open *open = stack->open.at;
    size_t first, kept;

    for (; stack->open.n > 0 && open[stack->open.n - 1].range.end < t; stack->open.n--)
        close_range(stack, stack->open.n - 1);
    for (first = stack->open.n; first > 0 && open[first - 1].least < t;)
        first--; /* those below are all still open */
    for (size_t i = stack->open.n; i-- > first;)
        if (open[i].range.end < t)
            close_range(stack, i);
    NSC_VEC_CLEAR(&stack->place);
    kept = first;
    for (size_t i = first; i < stack->open.n; i++) {
        *NSC_VEC_ADD(&stack->place) = (uint32_t)kept;
        if (open[i].range.end < t)
            continue;
        open[kept] = open[i];
        if (open[kept].below != NSC_NONE && open[kept].below >= first)
            open[kept].below = stack->place.at[open[kept].below - first];
        set_before(open, kept++);
    }
    stack->open.n = kept;
}

bool nsc_range_stack_add(struct nsc_range_stack *stack, const struct nsc_stats_work *work,
                         nsc_time end)
{
    struct nsc_stats_open *open = stack->open.at;
    bool is_inside = false;

    for (size_t i = stack->open.n; i-- > 0;) {
        if (open[i].nested && open[i].least >= end) {
            nsc_stats_work_add(&open[i].passed,
                               work); /* the ranges around it get it when they close */
            return true;
        }
        if (open[i].range.end >= end) {
            nsc_stats_work_add(&open[i].work, work);
            is_inside = true;
        }
    }
    return is_inside;
}

void nsc_range_stack_close_all(struct nsc_range_stack *stack)
{
    for (; stack->open.n > 0; stack->open.n--)
        close_range(stack, stack->open.n - 1);
}

void nsc_range_stack_fini(struct nsc_range_stack *stack)
{
    NSC_VEC_FINI(&stack->open);
    NSC_VEC_FINI(&stack->place);
}
