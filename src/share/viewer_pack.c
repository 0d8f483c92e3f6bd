/*
 * Packed numbers of a page, and the titles of its events.
 */
#include "share/viewer_pack.h"

#include "share/proto.h"
#include "view/model/bars.h"

void nsc_viewer_uint(struct nsc_viewer_pack *pack, uint64_t value)
{
    nsc_proto_varint(&pack->bytes, value);
}

void nsc_viewer_int(struct nsc_viewer_pack *pack, int64_t value)
{
    nsc_viewer_uint(pack, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void nsc_viewer_list(struct nsc_viewer_pack *pack, const char *key, size_t offset, uint64_t count)
{
    nsc_json_open(&pack->json, key, '[');
    nsc_json_uint(&pack->json, NULL, offset);
    nsc_json_uint(&pack->json, NULL, count);
    nsc_json_close(&pack->json, ']');
}

/* ---- titles ---- */

uint8_t nsc_viewer_color(struct nsc_viewer_pack *pack, uint8_t role, uint8_t shade)
{
    size_t i = 0;

    while (i < pack->colors.n &&
           (pack->colors.at[i].role != role || pack->colors.at[i].shade != shade))
        i++;
    if (i > UINT8_MAX)
        return 0;
    if (i == pack->colors.n)
        *NSC_VEC_ADD(&pack->colors) = (struct nsc_viewer_color){role, shade};
    return (uint8_t)i;
}

static bool is_title(const void *context, uint32_t id, const void *key)
{
    const struct nsc_viewer_pack *pack = context;
    const struct nsc_viewer_title *title = key;

    return pack->titles.at[id].text == title->text && pack->titles.at[id].kind == title->kind;
}

uint32_t nsc_viewer_title(struct nsc_viewer_pack *pack, nsc_event event)
{
    struct nsc_viewer_title title = {.text = nsc_texts_of(&pack->texts, event),
                                     .kind = pack->events->kind[event],
                                     .event = event};
    uint64_t hash = nsc_hash_mix(title.text, title.kind);
    uint32_t id = nsc_idtable_find(&pack->known, hash, is_title, pack, &title);

    if (id != NSC_NONE)
        return id;
    title.color = nsc_viewer_color(pack, (uint8_t)nsc_bars_role(pack->trace, event),
                                   nsc_bars_shade(pack->trace, event));
    id = (uint32_t)pack->titles.n;
    *NSC_VEC_ADD(&pack->titles) = title;
    nsc_idtable_add(&pack->known, hash, id);
    return id;
}

/* The brief text; without a name, the label of the kind. */
static struct nsc_text brief_of(const struct nsc_viewer_pack *pack, nsc_event event,
                                char scratch[NSC_NAME_BYTES])
{
    struct nsc_text text = nsc_trace_event_text(pack->trace, event, true, scratch);

    return text.n ? text : nsc_text_from(nsc_kind_label((enum nsc_kind)pack->events->kind[event]));
}

void nsc_viewer_titles(struct nsc_viewer_pack *pack)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_json *json = &pack->json;

    nsc_json_open(json, "titles", '[');
    for (size_t i = 0; i < pack->titles.n; i++) {
        const struct nsc_viewer_title *title = &pack->titles.at[i];
        struct nsc_text brief = brief_of(pack, title->event, scratch);
        struct nsc_text full = nsc_texts_at(&pack->texts, title->text);

        nsc_json_open(json, NULL, '[');
        nsc_json_text(json, NULL, brief);
        nsc_json_uint(json, NULL, title->kind);
        nsc_json_uint(json, NULL, title->color);
        if (full.n && !nsc_text_equal(full, brief))
            nsc_json_text(json, NULL, full);
        nsc_json_close(json, ']');
    }
    nsc_json_close(json, ']');
    nsc_json_open(json, "kinds", '[');
    for (int k = 0; k < NSC_N_KINDS; k++)
        nsc_json_puts(json, NULL, nsc_kind_label((enum nsc_kind)k));
    nsc_json_close(json, ']');
}
