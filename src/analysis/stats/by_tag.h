/*
 * NVTX ranges grouped by style and tag: the groups of the summaries, numbered as they are met.
 *
 * A tag is the prefix of a domain with a range's text behind it (nsc_stats_tag). Where no prefix
 * begins with another, equal tags are equal pairs, and none is put together to find its group. The
 * owner calls fini.
 */
#ifndef NSC_ANALYSIS_STATS_BY_TAG_H
#define NSC_ANALYSIS_STATS_BY_TAG_H

#include "analysis/names/texts.h"
#include "analysis/stats/ranges.h"

struct nsc_stats_group {
    nsc_event event; /* its first range */
    bool push_pop, has_tag;
};

struct nsc_stats_plane {
    uint32_t *group; /* by text: + 1; 0: none yet */
    size_t n;
};

struct nsc_stats_by_tag {
    struct nsc_stats_tags tags;
    struct nsc_texts texts;
    struct nsc_strpool keys; /* prefixes; by_bytes: keys of groups */
    uint32_t *prefix;        /* by track */
    bool by_bytes;           /* a prefix begins with another: tags are told by their bytes */
    bool tells_none;         /* no tag and the tag "" are two */
    NSC_VEC(struct nsc_stats_group) all;
    NSC_VEC(struct nsc_stats_plane) planes; /* by prefix, style, whether there is a tag */
    struct nsc_text *tag;   /* by group, "" without one; put together when all ranges are known */
    struct nsc_arena arena; /* their bytes */
};

void nsc_stats_by_tag_init(struct nsc_stats_by_tag *groups, const struct nsc_stats_input *input,
                           bool tells_none);
/* All ranges are known: frees what finds their groups, and puts the tags together. */
void nsc_stats_by_tag_close(struct nsc_stats_by_tag *groups);
void nsc_stats_by_tag_fini(struct nsc_stats_by_tag *groups);
/* The group of a range, below groups->all.n. */
uint32_t nsc_stats_group_of(struct nsc_stats_by_tag *groups, const struct nsc_stats_range *range);
#endif
