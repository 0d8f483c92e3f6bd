/* Numbers styles and tags of NVTX ranges, by numbers of texts if these distinguish tags. */
#include "analysis/stats/by_tag.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>

/* PLANE: PUSH_POP, HAS_TAG, and the domain above them; by_bytes the domain is in the tag. TEXT: of the range, or the tag. */
enum { PLANE, TEXT, N_KEYS };
enum { PUSH_POP = 1, HAS_TAG = 2, DOMAIN = 4 };

/* One domain's prefix begins with another's only if its name has a colon. */
void nsc_stats_by_tag_init(struct nsc_stats_by_tag *groups, const struct nsc_stats_input *input,
                           bool tells_none)
{
    uint32_t n = 0;

    *groups = (struct nsc_stats_by_tag){.totals = nsc_totals_new(N_KEYS, 0),
                                        .tells_none = tells_none,
                                        .by_bytes = input->compat_2023,
                                        .text = NSC_BUF_INIT(SIZE_MAX)};
    nsc_stats_tags_init(&groups->tags, input);
    nsc_texts_init(&groups->texts, input->trace);
    nsc_texts_drop_events(&groups->texts);
    groups->texts.most = UINT32_MAX;
    nsc_strpool_init(&groups->domains);
    (void)nsc_trace_tracks(input->trace, &n);
    groups->prefix = nsc_xcalloc((size_t)n + 1, sizeof *groups->prefix);
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_text domain = groups->tags.domain[i];

        groups->by_bytes |= domain.n && memchr(domain.bytes, ':', domain.n);
        groups->prefix[i] =
            domain.n ? nsc_strpool_add(&groups->domains, domain.bytes, domain.n) : 0;
    }
}

/* Drops what only finding groups needs. */
static void end_ranges(struct nsc_stats_by_tag *groups)
{
    nsc_texts_fini(&groups->texts);
    nsc_strpool_fini(&groups->domains);
    free(groups->prefix);
    groups->prefix = NULL;
}

uint32_t nsc_stats_by_tag_add(struct nsc_stats_by_tag *groups, nsc_event event, uint32_t track)
{
    const struct nsc_events *events = nsc_trace_events(groups->tags.input->trace);
    int64_t keys[N_KEYS] = {events->kind[event] == NSC_KIND_NVTX_RANGE ? PUSH_POP : 0};
    struct nsc_text tag;
    uint32_t group;

    if ((!groups->by_bytes || groups->tells_none) && nsc_stats_has_tag(&groups->tags, event))
        keys[PLANE] |= HAS_TAG;
    if (groups->by_bytes) {
        (void)nsc_stats_tag(&tag, &groups->tags, event);
        keys[TEXT] = nsc_totals_text(&groups->totals, tag);
    } else {
        keys[PLANE] |= (int64_t)groups->prefix[track] * DOMAIN;
        keys[TEXT] = nsc_texts_of(&groups->texts, event);
    }
    group = nsc_totals_add(&groups->totals, keys);
    if (group == groups->first.n)
        *NSC_VEC_ADD(&groups->first) = event;
    return group;
}

void nsc_stats_by_tag_close(struct nsc_stats_by_tag *groups)
{
    end_ranges(groups);
    groups->end = nsc_xmalloc((groups->first.n + 1) * sizeof *groups->end);
    for (size_t g = 0; g < groups->first.n; g++) {
        struct nsc_text tag;

        (void)nsc_stats_tag(&tag, &groups->tags, groups->first.at[g]);
        nsc_buf_add(&groups->text, tag.bytes, tag.n);
        groups->end[g] = groups->text.n;
    }
}

void nsc_stats_by_tag_fini(struct nsc_stats_by_tag *groups)
{
    end_ranges(groups);
    nsc_stats_tags_fini(&groups->tags);
    nsc_totals_fini(&groups->totals);
    NSC_VEC_FINI(&groups->first);
    nsc_buf_fini(&groups->text);
    free(groups->end);
}

bool nsc_stats_group_has_tag(const struct nsc_stats_by_tag *groups, uint32_t group)
{
    return nsc_totals_keys(&groups->totals, group)[PLANE] & HAS_TAG;
}

uint8_t nsc_stats_group_kind(const struct nsc_stats_by_tag *groups, uint32_t group)
{
    bool push_pop = nsc_totals_keys(&groups->totals, group)[PLANE] & PUSH_POP;

    return push_pop ? NSC_KIND_NVTX_RANGE : NSC_KIND_NVTX_SPAN;
}
