/*
 * Who holds the others of a job up, since when, and what the job would take without it.
 *
 * In each collective of a meeting a rank is late by how much later than the lower median of the others it arrives.
 * Lateness is added up by step (nsc_fleet_rank). If no rank were different, the lateness of a step would belong to each
 * rank with the same chance: the sum t of a rank over n steps, in which some rank is late, exceeds its expectation m
 * with a probability of at most
 *   exp(-V/b^2 h(b (t - m) / V)), h(u) = (1 + u) ln(1 + u) - u   (Bennett), and
 *   exp(-n D(t / nb | m / nb)), D the divergence of two coins      (Hoeffding),
 * V the sum of the steps' variances and b the longest lateness. A rank is named if it costs NSC_LIMIT_LATE_SPAN of the
 * time, and the least of these, times the ranks of all meetings, is below NSC_LIMIT_LATE_LEVEL; or if it costs
 * NSC_LIMIT_LARGE of the time, no step more than NSC_LIMIT_LATE_ONE of that, and NSC_LIMIT_LATE_MOST of all
 * lateness is its own. So neither how often a rank is last decides, nor a single accident.
 * Then the same is tested with the lateness of each step capped at a half of b, a quarter ...: an accident widens b and
 * V, and would hide a rank that is late in each step. Each test has half the level of the one before.
 *
 * Stages of a pipeline wait for each other by design. A stage is named if it computes longer than the one it sends to or
 * receives from, by NSC_LIMIT_SLIGHT of the time, and that one waits. In other collectives of stages a
 * rank is not named without work of its own.
 *
 * If none is named, the same bounds judge k ranks together, at most half of them, of which each costs two thirds of the
 * costliest: they are late in turns. Any k might have been late, so the tests are as many times more.
 *
 * Of many that are late alike the test cannot tell each: those that cost two thirds of the costliest that is named, and
 * are late in most of its steps, are named, too; then those that cost two thirds of the mean of these, if no
 * rank costs between half and two thirds of it. Named ranks that are all of a node, or follow each other, are
 * one verdict; so are those that return at equal steps, as every 2nd, and many ranges without a pattern. Its ceiling is how
 * much earlier the last of the other ranks arrived, summed: without it the job takes at most so much less, as others may
 * then be the last.
 */
#ifndef NSC_ANALYSIS_LATE_H
#define NSC_ANALYSIS_LATE_H

#include "analysis/job/meet.h"

enum nsc_verdict_when {
    NSC_WHEN_ALWAYS, /* or without a pattern */
    NSC_WHEN_EVERY,
    NSC_WHEN_SINCE,
    NSC_WHEN_AT /* an interlude */
};

enum nsc_verdict_who {
    NSC_WHO_RANK,
    NSC_WHO_RANGE,
    NSC_WHO_NODE,
    NSC_WHO_EVERY, /* ranges of one length at equal steps, through the whole meeting */
    NSC_WHO_MANY   /* too many ranges to be told one by one */
};

struct nsc_verdict {
    uint32_t meeting;
    enum nsc_verdict_who who;
    uint32_t *members, n_members; /* of the meeting, ascending; owned */
    nsc_time *kept_by;            /* later than the others, of each member; owned */
    uint32_t *late_by;            /* collectives to which it came late; owned */
    enum nsc_verdict_when when;
    uint32_t every, since; /* steps */
    nsc_str at;
    uint32_t steps, seen, late_steps; /* seen: of which a collective was kept */
    nsc_time kept;                    /* later than the others, of its latest member in each step */
    nsc_time ceiling;
    bool is_own; /* the cause is work of its own */
    const char
        *cause;      /* "compute", "copies", "host", "other collectives", "network ..."; or NULL */
    nsc_str why;     /* of the host: the cause of idle time; 0: none */
    nsc_time excess; /* ns of the cause more than the others, of the latest member */
    bool is_root;    /* not late because another named rank keeps it */
    bool is_seen;    /* not proven: chance may do it */
};

struct nsc_verdicts {
    const struct nsc_meetings *meetings;
    struct nsc_late_figures *ranks;   /* those of the meetings, with last and kept */
    nsc_time *communication;          /* of each rank: all its collectives, summed */
    bool *sends;                      /* of each rank: it is a stage of a pipeline */
    NSC_VEC(struct nsc_verdict) list; /* roots first, then by kept */
    struct nsc_doubted {              /* that kept others most without being named; kept 0: none */
        uint32_t meeting, member, of; /* of: steps */
        nsc_time kept;
        bool is_accident; /* one step costs much of it */
        bool is_seen; /* told as a row: several steps, and more than each that is named or, without
                         these, a large part of the time */
        uint32_t steps; /* few, that cost most of it: half of its longest each, or more; 0: many */
    } doubted;
};

/* What the clocks of a meeting may explain. */
nsc_time nsc_lateness_noise(const struct nsc_meeting *meeting);
/* By member, how much later than the lower median of the others it arrives; 0 up to the noise. sorted: scratch of a time a
 * member. */
void nsc_lateness(nsc_time late[], const struct nsc_meet_walk *walk, nsc_time noise,
                  nsc_time sorted[]);
/* Adds the verdicts about meeting i; n_tests: the ranks of all meetings. */
void nsc_verdicts_judge(struct nsc_verdicts *out, uint32_t i, uint32_t n_tests);
/* Whether the members, all that are named of a meeting, are one by a pattern; sets who. */
bool nsc_verdict_find_pattern(struct nsc_verdict *verdict, const struct nsc_verdicts *of);
/* Appends "node n2 (ranks 16-23)", "ranks 0 to 3 of 8", "rank 5", "every 2nd rank of 64, from rank 1", "ranks 0 to 3 of
 * every 8, of 64", or of many "40 of 64 ranks between 3 and 60". */
void nsc_verdict_who(struct nsc_buf *out, const struct nsc_verdicts *of,
                     const struct nsc_verdict *verdict);
/* Appends ", late in every 5th step", ", since step 1200" ... */
void nsc_verdict_when(struct nsc_buf *out, const struct nsc_verdicts *of,
                      const struct nsc_verdict *verdict);
/* Sets the late ranks of an operation ("allreduce"): "pid:7", with the GPU if a process has several; "" if no rank is
 * late. */
void nsc_verdicts_stragglers(struct nsc_buf *out, const struct nsc_verdicts *of,
                             struct nsc_text op);

/* The judged ranks of a job. Owner calls fini. */
struct nsc_judged {
    struct nsc_meetings meetings;
    struct nsc_verdicts verdicts;
};

/* Judges a fleet to which all ranks have been added; borrows it. */
void nsc_judge(struct nsc_judged *out, struct nsc_fleet *fleet);
void nsc_judged_fini(struct nsc_judged *judged);

#endif
