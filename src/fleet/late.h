/*
 * Who holds the others of a job up, since when, and what the job would take without it.
 *
 * In each collective of a meeting a rank is late by how much later than the lower median of the others it arrives.
 * Lateness is added up by step (iterations of the first member's sketch; without them each collective is a step). If
 * no rank were different, the lateness of a step would belong to each rank with the same chance: the sum of a rank
 * exceeds its expectation by t with a probability of at most exp(-V/b^2 h(b t / V)), h(u) = (1 + u) ln(1 + u) - u
 * (Bennett), V the sum of the steps' variances and b the longest. A rank is named if that, times the ranks of all
 * meetings, is below NSC_LIMIT_LATE_LEVEL, and it costs NSC_LIMIT_LATE_SPAN of the time. So neither how often a rank
 * is last decides, nor a single accident.
 *
 * Named ranks that are all of a node, or follow each other, are one verdict. Its ceiling is how much earlier the last
 * of the other ranks arrived, summed: without it the job takes at most so much less, as others may then be the last.
 */
#ifndef NSC_FLEET_LATE_H
#define NSC_FLEET_LATE_H

#include "core/buf.h"
#include "fleet/meet.h"

enum nsc_verdict_when {
    NSC_WHEN_ALWAYS, /* or without a pattern */
    NSC_WHEN_EVERY,
    NSC_WHEN_SINCE,
    NSC_WHEN_AT /* an interlude */
};

enum nsc_verdict_who { NSC_WHO_RANK, NSC_WHO_RANGE, NSC_WHO_NODE };

struct nsc_verdict {
    uint32_t meeting;
    enum nsc_verdict_who who;
    uint32_t *members, n_members; /* of the meeting, ascending; owned */
    enum nsc_verdict_when when;
    uint32_t every, since; /* steps */
    nsc_str at;
    uint32_t steps, seen, late_steps; /* seen: of which a collective was kept */
    nsc_time kept;                    /* later than the others, of its latest member in each step */
    nsc_time ceiling;
    const char *cause; /* "compute", "copies", "host", "other collectives"; NULL: unknown */
    nsc_str why;       /* of the host: the cause of its idle time; 0: none */
    nsc_time excess;   /* ns of the cause more than the others, of the latest member */
    bool is_root;      /* not late because another named rank keeps it */
};

struct nsc_verdicts {
    const struct nsc_meetings *meetings;
    NSC_VEC(struct nsc_verdict) list; /* roots first, then by kept */
    struct {                          /* that kept others most without being named; kept 0: none */
        uint32_t meeting, member;
        nsc_time kept;
    } doubted;
};

void nsc_verdicts_find(struct nsc_verdicts *out, const struct nsc_meetings *meetings);
/* Appends "node n2 (ranks 16-23)", "ranks 0 to 3 of 8", "rank 5". */
void nsc_verdict_who(struct nsc_buf *out, const struct nsc_verdicts *of,
                     const struct nsc_verdict *verdict);
/* Appends ", late in every 5th step", ", since step 1200" ... */
void nsc_verdict_when(struct nsc_buf *out, const struct nsc_verdicts *of,
                      const struct nsc_verdict *verdict);
void nsc_verdicts_fini(struct nsc_verdicts *verdicts);

#endif
