/*
 * NVTX ranges grouped by style and tag: the groups of the summaries, numbered as they occur.
 *
 * A tag is a domain's prefix followed by a range's text (nsc_stats_tag). If no prefix begins with
 * another, equal tags are equal pairs, so groups are found without building tags. The owner calls
 * fini.
 */
#ifndef NSC_ANALYSIS_STATS_BY_TAG_H
#define NSC_ANALYSIS_STATS_BY_TAG_H

#include "analysis/names/texts.h"
#include "analysis/stats/ranges.h"

struct nsc_stats_group {
    union {
        nsc_event event;  /* its first range; until close */
        uint32_t tag_end; /* then: where its tag ends in the text of its block; "" without one */
    };
    uint32_t track : 30; /* of the range */
    uint32_t push_pop : 1;
    uint32_t has_tag : 1;
};

#ifdef NSC_SMALL
#define NSC_STATS_TAGS 3u
#else
#define NSC_STATS_TAGS 2048u /* groups of a block, whose tags lie one after the other */
#endif

#define NSC_STATS_TEXTS 8u /* texts of a block, whose numbers follow each other */

struct nsc_stats_texts {
    uint64_t key;                    /* of plane and first text */
    uint32_t group[NSC_STATS_TEXTS]; /* + 1; 0: none yet */
};

struct nsc_stats_by_tag {
    struct nsc_stats_tags tags;
    struct nsc_texts texts;
    struct nsc_strpool keys; /* domains; by_bytes: keys of groups */
    uint32_t *prefix;        /* by track: number of the domain */
    bool by_bytes;           /* a prefix may begin with another, so tags are compared by bytes */
    bool tells_none;         /* no tag and the tag "" are different */
    NSC_VEC(struct nsc_stats_group) all;
    NSC_VEC(struct nsc_stats_texts) blocks; /* of texts of one plane that occur */
    struct nsc_idtable block;               /* by key */
    char **tag_text;                        /* by block of groups; built by close */
};

void nsc_stats_by_tag_init(struct nsc_stats_by_tag *groups, const struct nsc_stats_input *input,
                           bool tells_none);
/* Call once all ranges are known: frees the tables that find groups. */
void nsc_stats_by_tag_end(struct nsc_stats_by_tag *groups);
/* The same, and builds the tags, on all cores. */
void nsc_stats_by_tag_close(struct nsc_stats_by_tag *groups);
void nsc_stats_by_tag_fini(struct nsc_stats_by_tag *groups);
static inline struct nsc_text nsc_stats_tag_of(const struct nsc_stats_by_tag *groups,
                                               uint32_t group)
{
    uint32_t first = group % NSC_STATS_TAGS ? groups->all.at[group - 1].tag_end : 0;

    return (struct nsc_text){groups->tag_text[group / NSC_STATS_TAGS] + first,
                             groups->all.at[group].tag_end - first};
}
/* The group of a range, below groups->all.n. track: of the event. */
uint32_t nsc_stats_by_tag_find(struct nsc_stats_by_tag *groups, nsc_event event, uint32_t track);

#endif
