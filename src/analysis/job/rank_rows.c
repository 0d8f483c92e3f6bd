/* Measures the parts of each iteration of a rank. */
#include "analysis/job/rank_rows.h"

#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

/* The iterations of the rank's process, else of the first line. */
static const struct nsc_iteration *choose_line(uint32_t *n, const struct nsc_iterations *iterations,
                                               const struct nsc_scope *scope, uint64_t process)
{
    for (uint32_t i = 0; i < iterations->n_lines; i++) {
        const struct nsc_iteration_line *line = &iterations->lines[i];

        if (nsc_trace_track(scope->trace, line->track)->process == process) {
            *n = line->n;
            return line->at;
        }
    }
    *n = iterations->n;
    return iterations->at;
}

static struct nsc_part_segment *cut(struct nsc_rank_rows *out, const struct nsc_scope *scope,
                                    const struct nsc_iteration *at, uint32_t n)
{
    struct nsc_part_segment *segments;

    out->each = n / NSC_RANK_ROWS + (n % NSC_RANK_ROWS > 0);
    out->n = n ? n / out->each + (n % out->each > 0) : 1;
    segments = nsc_xcalloc(out->n, sizeof *segments);
    out->start = nsc_xcalloc(out->n, sizeof *out->start);
    for (uint32_t i = 0; i < out->n; i++) {
        struct nsc_window window = scope->window;

        if (n) {
            uint32_t last = (i + 1) * out->each < n ? (i + 1) * out->each - 1 : n - 1;

            window = (struct nsc_window){at[i * out->each].window.t0, at[last].window.t1};
        }
        if (i > 0)
            window.t0 = nsc_later(window.t0, segments[i - 1].window.t1);
        window.t1 = nsc_later(window.t0, window.t1);
        segments[i] = (struct nsc_part_segment){window, i};
        out->start[i] = window.t0;
        out->end = window.t1;
    }
    return segments;
}

static struct nsc_row_part *add_part(struct nsc_rank_rows *rows, enum nsc_part_class class,
                                     nsc_str cause)
{
    struct nsc_row_part *part = NSC_VEC_ADD(&rows->parts);

    *part = (struct nsc_row_part){class, cause, 0, nsc_xcalloc(rows->n, sizeof *part->ns)};
    return part;
}

static void add_time(struct nsc_row_part *part, uint32_t row, nsc_time ns)
{
    part->total = nsc_sum(part->total, ns);
    part->ns[row] = nsc_sum(part->ns[row], ns);
}

static struct nsc_row_part *find_cause(struct nsc_rank_rows *rows, nsc_str cause)
{
    for (size_t i = NSC_N_PART_CLASSES; i < rows->parts.n; i++)
        if (rows->parts.at[i].cause == cause)
            return &rows->parts.at[i];
    return add_part(rows, NSC_PART_IDLE, cause);
}

NSC_COMPARE(compare_parts, struct nsc_row_part, NSC_MOST(total) || NSC_LEAST(cause))

/* Keeps the largest causes. */
static void keep_causes(struct nsc_rank_rows *rows)
{
    size_t n = rows->parts.n - NSC_N_PART_CLASSES;

    qsort(rows->parts.at + NSC_N_PART_CLASSES, n, sizeof *rows->parts.at, compare_parts);
    while (n > NSC_RANK_CAUSES) {
        n--;
        free(rows->parts.at[--rows->parts.n].ns);
    }
}

void nsc_rank_rows_build(struct nsc_rank_rows *out, struct nsc_strpool *texts,
                         const struct nsc_scope *scope, const struct nsc_iterations *iterations,
                         const struct nsc_rank_place *rank)
{
    struct nsc_recording_parts parts = {0};
    uint32_t n = 0;
    const struct nsc_iteration *at = choose_line(&n, iterations, scope, rank->process);
    struct nsc_part_segment *segments;

    memset(out, 0, sizeof *out);
    segments = cut(out, scope, at, n);
    nsc_recording_parts_measure(&parts, texts,
                                &(struct nsc_part_question){scope, &rank->track,
                                                            rank->track != NSC_NONE, segments,
                                                            out->n});
    for (unsigned class = 0; class < NSC_N_PART_CLASSES; class ++)
        (void)add_part(out, (enum nsc_part_class) class, 0);
    for (size_t i = 0; i < parts.list.n; i++) {
        const struct nsc_recording_part *part = &parts.list.at[i];

        add_time(&out->parts.at[part->class], part->kind, part->total);
        if (part->class == NSC_PART_IDLE)
            add_time(find_cause(out, part->name), part->kind, part->total);
    }
    keep_causes(out);
    NSC_VEC_FINI(&parts.list);
    free(segments);
}

void nsc_rank_rows_fini(struct nsc_rank_rows *rows)
{
    for (size_t i = 0; i < rows->parts.n; i++)
        free(rows->parts.at[i].ns);
    NSC_VEC_FINI(&rows->parts);
    free(rows->start);
}
