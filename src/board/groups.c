/* Finds the groups of a job's ranks. */
#include "board/groups.h"

#include "core/vec.h"
#include "fleet/late_sheets.h"

#include <stdlib.h>

/* Whether two ways to split are told by the same. */
static bool is_alike(const struct nsc_job_split *a, const struct nsc_job_split *b)
{
    return a->parallel == b->parallel && a->is_sends == b->is_sends &&
           (a->parallel != NSC_PARALLEL_UNKNOWN || a->is_sends || a->size == b->size);
}

/* Whether no rank of a meeting is in another group; those that send may be. */
static bool has_room(const struct nsc_job_split *split, const struct nsc_meeting *meeting,
                     uint32_t none)
{
    for (uint32_t m = 0; m < meeting->n_ranks && !split->is_sends; m++)
        if (split->group[meeting->ranks[m]] != none &&
            split->group[meeting->ranks[m]] != meeting->ranks[0])
            return false;
    return true;
}

/* Makes the ranks of a meeting, and of the groups in which they are, one group. */
static void join(struct nsc_job_split *split, const struct nsc_meeting *meeting, uint32_t none)
{
    uint32_t first = meeting->ranks[0];

    for (uint32_t m = 0; m < meeting->n_ranks; m++)
        first = split->group[meeting->ranks[m]] < first ? split->group[meeting->ranks[m]] : first;
    for (uint32_t m = 0; m < meeting->n_ranks; m++) {
        uint32_t was = split->group[meeting->ranks[m]];

        split->group[meeting->ranks[m]] = first;
        for (uint32_t i = 0; i < none && was != none && was != first; i++)
            split->group[i] = split->group[i] == was ? first : split->group[i];
    }
}

static void add_group(struct nsc_job_splits *out, const struct nsc_meetings *meetings,
                      const struct nsc_meeting *meeting, size_t at)
{
    uint32_t none = (uint32_t)meetings->fleet->ranks.n;
    struct nsc_job_split like = {nsc_meeting_parallel(meetings->fleet, meeting, at),
                                 meeting->is_sends, meeting->n_ranks, NULL};
    uint32_t i = 0;

    while (i < out->n &&
           !(is_alike(&out->list[i], &like) && has_room(&out->list[i], meeting, none)))
        i++;
    if (i == NSC_JOB_SPLITS)
        return;
    if (i == out->n) {
        out->list[out->n++] = like;
        out->list[i].group = nsc_xcalloc(none, sizeof *like.group);
        for (uint32_t rank = 0; rank < none; rank++)
            out->list[i].group[rank] = none;
    }
    join(&out->list[i], meeting, none);
}

NSC_COMPARE(compare_splits, struct nsc_job_split,
            NSC_BY(NSC_ORDER(!x->parallel, !y->parallel)) || NSC_LEAST(parallel) ||
                NSC_LEAST(is_sends) || NSC_LEAST(size))

void nsc_job_splits_find(struct nsc_job_splits *out, const struct nsc_meetings *meetings)
{
    out->n = 0;
    for (size_t i = 0; i < meetings->list.n; i++) {
        const struct nsc_meeting *meeting = &meetings->list.at[i];

        for (size_t at = 0; at < meeting->series.n && meeting->n_ranks < meetings->fleet->ranks.n;
             at += meeting->n_ranks)
            add_group(out, meetings, meeting, at);
    }
    if (out->n)
        qsort(out->list, out->n, sizeof *out->list, compare_splits);
}

void nsc_job_split_word(struct nsc_buf *out, const struct nsc_job_split *split)
{
    if (split->parallel)
        nsc_buf_printf(out, "%s group", nsc_parallel_word(split->parallel));
    else if (split->is_sends)
        nsc_buf_puts(out, "senders");
    else
        nsc_buf_printf(out, "group of %u", split->size);
}

void nsc_job_splits_fini(struct nsc_job_splits *splits)
{
    for (uint32_t i = 0; i < splits->n; i++)
        free(splits->list[i].group);
}
