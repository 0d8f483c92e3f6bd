/*
 * NVTX ranges grouped by style and tag: the groups of the summaries, numbered as they occur.
 *
 * A tag is a domain's prefix followed by a range's text (nsc_stats_tag). If no prefix begins with
 * another, equal tags are equal pairs, so groups are found without building tags. The owner calls
 * fini.
 */
#ifndef NSC_ANALYSIS_STATS_BY_TAG_H
#define NSC_ANALYSIS_STATS_BY_TAG_H

#include "analysis/base/totals.h"
#include "analysis/names/texts.h"
#include "analysis/stats/ranges.h"

struct nsc_stats_by_tag {
    struct nsc_stats_tags tags;
    struct nsc_totals totals; /* by range */
    struct nsc_texts texts;
    struct nsc_strpool domains;
    nsc_str *prefix;          /* by track: its domain */
    bool by_bytes;            /* a prefix may begin with another, so tags are compared by bytes */
    bool tells_none;          /* no tag and the tag "" are different */
    NSC_VEC(nsc_event) first; /* by group: a range of it */
    struct nsc_buf text;      /* the tags of all groups, one after the other; built by close */
    size_t *end;              /* of each */
};

void nsc_stats_by_tag_init(struct nsc_stats_by_tag *groups, const struct nsc_stats_input *input,
                           bool tells_none);
/* The group of the next range. track: of the event. */
uint32_t nsc_stats_by_tag_add(struct nsc_stats_by_tag *groups, nsc_event event, uint32_t track);
/* Call once all ranges are known: builds the tags. */
void nsc_stats_by_tag_close(struct nsc_stats_by_tag *groups);
void nsc_stats_by_tag_fini(struct nsc_stats_by_tag *groups);
static inline struct nsc_text nsc_stats_tag_of(const struct nsc_stats_by_tag *groups,
                                               uint32_t group)
{
    size_t first = group > 0 ? groups->end[group - 1] : 0;

    return (struct nsc_text){groups->text.n ? groups->text.bytes + first : "",
                             (uint32_t)(groups->end[group] - first)};
}
bool nsc_stats_group_has_tag(const struct nsc_stats_by_tag *groups, uint32_t group);
/* The style of its ranges, as a kind of events. */
uint8_t nsc_stats_group_kind(const struct nsc_stats_by_tag *groups, uint32_t group);

#endif
