/* Looks things up in found iterations, and copies and frees them. */
#include "analysis/ranges/iterations.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>
#include <string.h>

static void *copy_array(const void *array, size_t n, size_t size)
{
    void *copy = nsc_xcalloc(n + 1, size);

    if (n > 0)
        memcpy(copy, array, n * size);
    return copy;
}

void nsc_iterations_copy(struct nsc_iterations *out, const struct nsc_iterations *of)
{
    *out = *of;
    out->is_kept = false;
    out->interludes = copy_array(of->interludes, of->n_interludes, sizeof *of->interludes);
    out->lines = copy_array(of->lines, of->n_lines, sizeof *of->lines);
    for (uint32_t l = 0; l < of->n_lines; l++)
        out->lines[l].at = copy_array(of->lines[l].at, of->lines[l].n, sizeof *of->lines[l].at);
    out->at = copy_array(of->at, of->n, sizeof *of->at);
}

void nsc_iterations_fini(struct nsc_iterations *iterations)
{
    if (!iterations->is_kept) {
        free(iterations->at);
        for (uint32_t l = 0; l < iterations->n_lines; l++)
            free(iterations->lines[l].at);
        free(iterations->lines);
        free(iterations->interludes);
    }
    *iterations = (struct nsc_iterations){0};
}

uint32_t nsc_iterations_at(const struct nsc_iterations *iterations, nsc_time t)
{
    uint32_t low = 0;
    uint32_t high = iterations->n;

    NSC_BISECT(low, high, middle, iterations->at[middle].window.t0 <= t);
    return low ? low - 1 : NSC_NONE;
}

uint32_t nsc_iterations_line(const struct nsc_iterations *iterations, const struct nsc_trace *trace,
                             uint64_t process, uint32_t tid)
{
    uint32_t found = NSC_NONE;

    for (uint32_t l = 0; l < iterations->n_lines; l++) {
        const struct nsc_track *of = nsc_trace_track(trace, iterations->lines[l].track);

        if (of->process == process && (found == NSC_NONE || of->tid == tid))
            found = l;
    }
    return found;
}

struct nsc_window nsc_iterations_window(const struct nsc_iterations *iterations, uint32_t i)
{
    return iterations->at[i].window;
}

nsc_time nsc_iterations_level(const struct nsc_iterations *iterations, uint32_t i)
{
    const struct nsc_iteration *it = &iterations->at[i];

    if (it->kind == 0 && iterations->shift > 0)
        return i < iterations->shift ? iterations->level_before : iterations->level_after;
    if (it->kind == 0 && iterations->swings > 0)
        return it->period > nsc_iterations_middle(iterations) ? iterations->level_after
                                                              : iterations->level_before;
    return iterations->kinds[it->kind].median;
}

bool nsc_steady_state(struct nsc_window *out, const struct nsc_iterations *iterations)
{
    if (iterations->n == 0)
        return false;
    *out = (struct nsc_window){iterations->at[iterations->warm_up].window.t0,
                               iterations->at[iterations->n - 1].window.t1};
    if (iterations->warm_up == 0 && nsc_span(iterations->first_work, out->t0) <= iterations->median)
        out->t0 = nsc_earlier(out->t0, iterations->first_work);
    return true;
}

bool nsc_iteration_piece(struct nsc_window *out, const struct nsc_interlude interludes[],
                         size_t n_interludes, uint32_t iteration, struct nsc_window host,
                         uint32_t k)
{
    size_t first = 0;
    size_t end = n_interludes;

    NSC_BISECT(first, end, middle, interludes[middle].after < iteration);
    while (end < n_interludes && interludes[end].after == iteration)
        end++;
    if (k > end - first)
        return false;
    *out = host;
    if (k > 0)
        out->t0 = nsc_later(host.t0, interludes[first + k - 1].window.t1);
    if (k < end - first)
        out->t1 = nsc_earlier(host.t1, interludes[first + k].window.t0);
    out->t1 = nsc_later(out->t0, out->t1);
    return true;
}
