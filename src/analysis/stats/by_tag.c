/* Numbers styles and tags of NVTX ranges, by numbers of texts if these distinguish tags. */
#include "analysis/stats/by_tag.h"

#include "core/die.h"
#include "core/hints.h"
#include "core/threads.h"

#include <stdlib.h>
#include <string.h>

/* One domain's prefix begins with another's only if its name has a colon. */
void nsc_stats_by_tag_init(struct nsc_stats_by_tag *groups, const struct nsc_stats_input *input,
                           bool tells_none)
{
    uint32_t n = 0;

    *groups = (struct nsc_stats_by_tag){.tells_none = tells_none, .by_bytes = input->compat_2023};
    nsc_stats_tags_init(&groups->tags, input);
    nsc_texts_init(&groups->texts, input->trace);
    nsc_texts_drop_events(&groups->texts);
    groups->texts.most = UINT32_MAX;
    nsc_strpool_init(&groups->keys);
    (void)nsc_trace_tracks(input->trace, &n);
    groups->prefix = nsc_xcalloc((size_t)n + 1, sizeof *groups->prefix);
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_text domain = groups->tags.domain[i];

        groups->by_bytes |= domain.n && memchr(domain.bytes, ':', domain.n);
        groups->prefix[i] = domain.n ? nsc_strpool_add(&groups->keys, domain.bytes, domain.n) : 0;
    }
}

void nsc_stats_by_tag_end(struct nsc_stats_by_tag *groups)
{
    nsc_texts_fini(&groups->texts);
    nsc_strpool_fini(&groups->keys);
    free(groups->prefix);
    nsc_idtable_fini(&groups->block);
    NSC_VEC_FINI(&groups->blocks);
    groups->prefix = NULL;
}

/* ---- tags ---- */

static uint32_t count_blocks(const struct nsc_stats_by_tag *groups)
{
    return (uint32_t)((groups->all.n + NSC_STATS_TAGS - 1) / NSC_STATS_TAGS);
}

struct tag_builder {
    struct nsc_stats_by_tag *groups;
    struct tag_text {
        struct nsc_buf text;
        NSC_APART;
    } * of; /* by worker */
};

static void build_tags(void *context, unsigned worker, uint32_t block)
{
    const struct tag_builder *builder = context;
    struct nsc_stats_by_tag *groups = builder->groups;
    struct nsc_buf *text = &builder->of[worker].text;
    size_t first = (size_t)block * NSC_STATS_TAGS, end = first + NSC_STATS_TAGS;
    char scratch[NSC_NAME_BYTES];

    nsc_buf_clear(text);
    for (size_t g = first; g < end && g < groups->all.n; g++) {
        struct nsc_stats_group *group = &groups->all.at[g];

        if (group->has_tag)
            nsc_stats_put_tag(text, &groups->tags, group->event, group->track, scratch);
        if (text->n > UINT32_MAX)
            nsc_die_oom();
        group->tag_end = (uint32_t)text->n;
    }
    groups->tag_text[block] = nsc_xcopy(text->bytes, text->n);
}

void nsc_stats_by_tag_close(struct nsc_stats_by_tag *groups)
{
    struct nsc_pool *pool = nsc_pool_new(groups->all.n > NSC_STATS_SHARED_FROM ? 0 : 1);
    struct tag_builder builder = {groups, nsc_xcalloc(nsc_pool_threads(pool), sizeof *builder.of)};

    nsc_stats_by_tag_end(groups);
    groups->tag_text = nsc_xcalloc((size_t)count_blocks(groups) + 1, sizeof *groups->tag_text);
    for (unsigned i = 0; i < nsc_pool_threads(pool); i++)
        builder.of[i].text = (struct nsc_buf)NSC_BUF_INIT(SIZE_MAX);
    nsc_pool_run(pool, count_blocks(groups), build_tags, &builder);
    for (unsigned i = 0; i < nsc_pool_threads(pool); i++)
        nsc_buf_fini(&builder.of[i].text);
    free(builder.of);
    nsc_pool_free(pool);
}

void nsc_stats_by_tag_fini(struct nsc_stats_by_tag *groups)
{
    nsc_stats_by_tag_end(groups);
    nsc_stats_tags_fini(&groups->tags);
    for (uint32_t i = 0; groups->tag_text && i < count_blocks(groups); i++)
        free(groups->tag_text[i]);
    free(groups->tag_text);
    NSC_VEC_FINI(&groups->all);
}

/* ---- numbers ---- */

static bool is_block(const void *context, uint32_t block, const void *key)
{
    const struct nsc_stats_by_tag *groups = context;

    return groups->blocks.at[block].key == *(const uint64_t *)key;
}

/* The place of a text in a plane. Each block has a text that occurs, so blocks are not more than
 * ranges, however many planes and texts there are. */
static uint32_t *place_of(struct nsc_stats_by_tag *groups, uint32_t plane, uint32_t text)
{
    uint64_t key = (uint64_t)plane << 32 | text / NSC_STATS_TEXTS, hash = nsc_hash_mix(0, key);
    uint32_t block = nsc_idtable_find(&groups->block, hash, is_block, groups, &key);

    if (block == NSC_NONE) {
        block = (uint32_t)groups->blocks.n;
        nsc_idtable_add(&groups->block, hash, block);
        *NSC_VEC_ADD(&groups->blocks) = (struct nsc_stats_texts){.key = key};
    }
    return &groups->blocks.at[block].group[text % NSC_STATS_TEXTS];
}

/* The number of a style and a tag by their bytes. */
static uint32_t find_key(struct nsc_stats_by_tag *groups, const struct nsc_stats_group *group)
{
    struct nsc_buf key = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_text tag;
    uint32_t number;

    (void)nsc_stats_tag(&tag, &groups->tags, group->event);
    nsc_buf_putc(&key, group->push_pop ? 'p' : 's');
    if (groups->tells_none && group->has_tag)
        nsc_buf_putc(&key, '=');
    nsc_buf_add(&key, tag.bytes, tag.n);
    number = nsc_strpool_add(&groups->keys, key.bytes, key.n);
    nsc_buf_fini(&key);
    return number;
}

static struct nsc_stats_group group_of(const struct nsc_stats_by_tag *groups, nsc_event event,
                                       uint32_t track)
{
    uint8_t kind = nsc_trace_events(groups->texts.trace)->kind[event];

    return (struct nsc_stats_group){.event = event,
                                    .track = track & ((1u << 30) - 1),
                                    .push_pop = kind == NSC_KIND_NVTX_RANGE,
                                    .has_tag = nsc_stats_has_tag(&groups->tags, event)};
}

/* A number for its prefix, style, and whether there is a tag. */
static uint32_t plane_of(const struct nsc_stats_by_tag *groups, const struct nsc_stats_group *group)
{
    return groups->by_bytes
               ? 0
               : groups->prefix[group->track] * 4 + group->push_pop * 2u + group->has_tag;
}

uint32_t nsc_stats_by_tag_find(struct nsc_stats_by_tag *groups, nsc_event event, uint32_t track)
{
    struct nsc_stats_group found = group_of(groups, event, track);
    nsc_str key = groups->by_bytes ? find_key(groups, &found) : nsc_texts_of(&groups->texts, event);
    uint32_t *number = place_of(groups, plane_of(groups, &found), key);

    if (*number == 0) {
        *NSC_VEC_ADD(&groups->all) = found;
        *number = (uint32_t)groups->all.n;
    }
    return *number - 1;
}
