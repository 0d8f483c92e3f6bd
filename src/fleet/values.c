/* Computes the figures of the job's screen. */
#include "fleet/values.h"

#include "analysis/job/late.h"
#include "core/bisect.h"
#include "core/sum.h"

#include <stdlib.h>

static uint32_t column_of(const struct nsc_job_values *values, uint32_t rank, uint32_t row)
{
    return (uint32_t)((uint64_t)row * values->fleet->ranks.at[rank].of_a_row / values->of_a_column);
}

/* Adds to a figure, which may be missing. */
static void add(float *to, float ns)
{
    *to = *to < 0 ? ns : *to + ns;
}

static void add_parts(struct nsc_job_values *values, uint32_t rank)
{
    static const enum nsc_job_value of[NSC_N_PART_CLASSES] = {
        NSC_JOB_COMPUTE, NSC_JOB_EXPOSED, NSC_N_JOB_VALUES, NSC_JOB_IDLE}; /* but copies */
    const struct nsc_fleet_rank *from = &values->fleet->ranks.at[rank];

    for (unsigned class = 0; class < NSC_N_PART_CLASSES && from->parts; class ++)
        for (uint32_t row = 0; row < from->n_rows; row++) {
            size_t cell = (size_t)rank * values->n_columns + column_of(values, rank, row);
            float ns = from->parts[(size_t) class * from->n_rows + row];

            add(&values->at[NSC_JOB_DURATION][cell], ns);
            if (class != NSC_PART_OTHER)
                add(&values->at[of[class]][cell], ns);
        }
}

/* ---- who waits for whom ---- */

static void see(struct nsc_job_values *values, const struct nsc_meet_walk *walk,
                struct nsc_job_meet meet, const nsc_time late[])
{
    const uint32_t *ranks = walk->meeting->ranks;

    for (uint32_t m = walk->meeting->n_ranks; m-- > 0;)
        if (walk->arrival[m] == walk->release)
            meet.last = ranks[m];
    for (uint32_t m = 0; m < walk->meeting->n_ranks; m++) {
        size_t cell = (size_t)ranks[m] * values->n_columns + meet.column;
        size_t pair = ranks[m] / values->of_a_group * values->n_groups;
        nsc_time waited = nsc_span(walk->arrival[m], walk->release);

        meet.waited = nsc_sum(meet.waited, waited);
        values->late[ranks[m]] = nsc_sum(values->late[ranks[m]], late[m]);
        add(&values->waits[pair + meet.last / values->of_a_group], (float)waited);
        add(&values->at[NSC_JOB_WAITING][cell], (float)waited);
        add(&values->at[NSC_JOB_LATE][cell], (float)late[m]);
    }
    *NSC_VEC_ADD(&values->meets) = meet;
}

static void see_meeting(struct nsc_job_values *values, const struct nsc_meetings *meetings,
                        uint32_t no)
{
    const struct nsc_meeting *meeting = &meetings->list.at[no];
    uint32_t first = meeting->ranks[0];
    nsc_time noise = nsc_lateness_noise(meeting);
    nsc_time *late = nsc_xcalloc(2 * (size_t)meeting->n_ranks, sizeof *late);
    struct nsc_meet_walk walk;

    nsc_meet_walk_init(&walk, meetings, no);
    while (nsc_meet_walk_next(&walk)) {
        uint32_t row = nsc_fleet_row_at(&values->fleet->ranks.at[first], walk.arrival[0]);

        nsc_lateness(late, &walk, noise, late + meeting->n_ranks);
        see(values, &walk, (struct nsc_job_meet){no, column_of(values, first, row), first, 0},
            late);
    }
    nsc_meet_walk_fini(&walk);
    free(late);
}

NSC_COMPARE(compare_meets, struct nsc_job_meet,
            NSC_LEAST(column) || NSC_MOST(waited) || NSC_LEAST(meeting))

const struct nsc_job_meet *nsc_job_worst_meet(const struct nsc_job_values *values,
                                              const struct nsc_meetings *meetings, uint32_t rank,
                                              uint32_t column)
{
    const struct nsc_job_meet *meets = values->meets.at;
    size_t low = 0;
    size_t high = values->meets.n;

    NSC_BISECT(low, high, middle, meets[middle].column < column);
    for (; low < values->meets.n && meets[low].column == column; low++)
        if (nsc_meeting_has(&meetings->list.at[meets[low].meeting], rank))
            return &meets[low];
    return NULL;
}

/* ---- all ---- */

static void measure(struct nsc_job_values *values)
{
    const struct nsc_fleet_rank *ranks = values->fleet->ranks.at;

    values->n_ranks = (uint32_t)values->fleet->ranks.n;
    values->of_a_group = values->n_ranks / NSC_JOB_GROUPS + (values->n_ranks % NSC_JOB_GROUPS > 0);
    for (uint32_t i = 0; i < values->n_ranks; i++)
        if (ranks[i].of_a_row > values->of_a_column)
            values->of_a_column = ranks[i].of_a_row;
    for (uint32_t i = 0; i < values->n_ranks; i++) {
        uint32_t n = column_of(values, i, ranks[i].n_rows - 1) + 1;

        values->n_columns = n > values->n_columns ? n : values->n_columns;
        values->n_groups = i / values->of_a_group + 1;
    }
}

static float *missing(size_t n)
{
    float *at = nsc_xmalloc(n * sizeof *at);

    for (size_t i = 0; i < n; i++)
        at[i] = -1;
    return at;
}

enum nsc_status nsc_job_values_build(struct nsc_job_values *out,
                                     const struct nsc_meetings *meetings, struct nsc_error *error)
{
    size_t cells;

    *out = (struct nsc_job_values){.fleet = meetings->fleet};
    measure(out);
    cells = (size_t)out->n_ranks * out->n_columns;
    if (cells == 0 || cells > NSC_JOB_CELLS)
        return nsc_fail(error, NSC_ENODATA, "%s in these sketches",
                        cells ? "there are too many ranks and iterations" : "there is no rank");
    out->late = nsc_xcalloc(out->n_ranks, sizeof *out->late);
    out->waits = missing((size_t)out->n_groups * out->n_groups);
    for (unsigned value = 0; value < NSC_N_JOB_VALUES; value++)
        out->at[value] = missing(cells);
    for (uint32_t i = 0; i < out->n_ranks; i++)
        add_parts(out, i);
    for (uint32_t i = 0; i < meetings->list.n; i++)
        if (!meetings->list.at[i].is_sends) /* in which not all wait for all */
            see_meeting(out, meetings, i);
    NSC_VEC_SORT(&out->meets, compare_meets);
    return NSC_OK;
}

struct nsc_window nsc_job_column_window(const struct nsc_job_values *values, uint32_t rank,
                                        uint32_t column)
{
    const struct nsc_fleet_rank *of = &values->fleet->ranks.at[rank];
    float length = values->at[NSC_JOB_DURATION][(size_t)rank * values->n_columns + column];
    uint32_t row = 0;
    uint32_t end;

    while (row + 1 < of->n_rows && column_of(values, rank, row) < column)
        row++;
    for (end = row; end < of->n_rows && column_of(values, rank, end) <= column;)
        end++;
    if (end < of->n_rows)
        return (struct nsc_window){of->start[row], of->start[end]};
    return (struct nsc_window){
        of->start[row],
        nsc_sum(of->start[row], length > 0 && length < 9e18F ? (nsc_time)length : 1)};
}

void nsc_job_values_fini(struct nsc_job_values *values)
{
    for (unsigned value = 0; value < NSC_N_JOB_VALUES; value++)
        free(values->at[value]);
    free(values->late);
    free(values->waits);
    NSC_VEC_FINI(&values->meets);
}
