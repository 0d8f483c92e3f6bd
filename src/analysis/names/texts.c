/*
 * Numbers the texts of events: once per name without counters, else once per template and values of
 * its counters. nsc_fold_text decides whether a text has counters.
 *
 * Folds a name that one family of the export keeps whole, so that equal texts get equal numbers.
 */
#include "analysis/names/texts.h"

#include "analysis/names/label.h"
#include "core/die.h"
#include "core/pages.h"
#include "index/fold.h"

#include <stdlib.h>
#include <string.h>

#define FEW 8 /* bytes of counters that fit into a slot */

static void build(struct nsc_texts *texts, struct nsc_met_text *met, struct nsc_text text)
{
    struct nsc_built_text *built = nsc_arena_add(&texts->arena, sizeof *built + (size_t)text.n + 1);

    built->packed = met->packed;
    built->n = text.n;
    if (text.n)
        memcpy(built->bytes, text.bytes, text.n);
    met->built = built;
    met->is_built = true;
}

/* A text to find or add. */
struct wanted {
    const uint8_t *packed; /* counters of template; NULL: none */
    uint32_t n_packed, template;
    nsc_event event; /* an event with this text; NSC_NONE: text has it */
    struct nsc_text text;
    bool may_add; /* false: NSC_NONE for an unknown text */
};

static uint64_t pack(const struct wanted *wanted)
{
    uint64_t packed = 0;

    if (wanted->packed && wanted->n_packed <= FEW)
        memcpy(&packed, wanted->packed, wanted->n_packed);
    return packed;
}

static nsc_str add_met(struct nsc_texts *texts, const struct wanted *wanted)
{
    struct nsc_met_text met = {.packed = pack(wanted),
                               .template = (wanted->packed ? wanted->template : NSC_NO_TEMPLATE) &
                                           NSC_NO_TEMPLATE,
                               .is_few = wanted->packed && wanted->n_packed <= FEW,
                               .event = wanted->event};

    if (wanted->event == NSC_NONE)
        build(texts, &met, wanted->text);
    *NSC_VEC_ADD(&texts->all) = met;
    return (nsc_str)(texts->all.n - 1);
}

void nsc_texts_init(struct nsc_texts *texts, const struct nsc_trace *trace)
{
    uint32_t n = nsc_trace_names(trace)->n;

    *texts = (struct nsc_texts){
        .trace = trace, .arena = NSC_ARENA_INIT, .most = NSC_TEXTS_MAX, .keeps_events = true};
    nsc_strpool_init(&texts->keys);
    nsc_strpool_init(&texts->templates);
    texts->of_template = nsc_xcalloc((size_t)n + 1, sizeof *texts->of_template);
    texts->of_name = nsc_xcalloc((size_t)n + 1, sizeof *texts->of_name);
    texts->of_pattern = nsc_xcalloc((size_t)n + 1, sizeof *texts->of_pattern);
    (void)add_met(texts, &(struct wanted){.event = NSC_NONE, .text = {"", 0}});
    *NSC_VEC_ADD(&texts->of_key) = 0; /* number of "" */
}

void nsc_texts_drop_events(struct nsc_texts *texts)
{
    free(texts->of_link);
    texts->of_link = NULL;
    texts->keeps_events = false;
}

void nsc_texts_fini(struct nsc_texts *texts)
{
    NSC_VEC_FINI(&texts->all);
    nsc_arena_fini(&texts->arena);
    nsc_strpool_fini(&texts->keys);
    NSC_VEC_FINI(&texts->of_key);
    nsc_strpool_fini(&texts->templates);
    nsc_idtable_fini(&texts->few);
    free(texts->of_template);
    free(texts->of_name);
    free(texts->of_link);
    free(texts->of_pattern);
    *texts = (struct nsc_texts){0};
}

/* ---- by bytes ---- */

static nsc_str find_key(struct nsc_texts *texts, const struct wanted *wanted, const char *key,
                        size_t n)
{
    uint32_t before = texts->keys.n;
    nsc_str at = wanted->may_add ? nsc_strpool_add(&texts->keys, key, n)
                                 : nsc_strpool_find(&texts->keys, key, n);

    if (at == NSC_NONE)
        return NSC_NONE;
    if (at == before)
        *NSC_VEC_ADD(&texts->of_key) = add_met(texts, wanted);
    return texts->of_key.at[at];
}

/* Keys: a text after a 't', a template with its counters after a 'c'; "" for "". */
static nsc_str find_plain(struct nsc_texts *texts, const struct wanted *wanted)
{
    char key[NSC_NAME_BYTES + 1];

    if (wanted->text.n == 0)
        return 0;
    key[0] = 't';
    memcpy(key + 1, wanted->text.bytes, wanted->text.n);
    return find_key(texts, wanted, key, (size_t)wanted->text.n + 1);
}

static nsc_str find_long(struct nsc_texts *texts, const struct wanted *wanted)
{
    char key[1 + sizeof wanted->template + NSC_FOLD_BYTES];

    key[0] = 'c';
    memcpy(key + 1, &wanted->template, sizeof wanted->template);
    memcpy(key + 1 + sizeof wanted->template, wanted->packed, wanted->n_packed);
    return find_key(texts, wanted, key, 1 + sizeof wanted->template + wanted->n_packed);
}

/* ---- by few counters ---- */

static uint64_t packed_of(const struct nsc_met_text *met)
{
    return met->is_built ? met->built->packed : met->packed;
}

static bool is_few(const void *context, uint32_t text, const void *key)
{
    const struct nsc_met_text *met = &((const struct nsc_texts *)context)->all.at[text];
    const struct nsc_met_text *want = key;

    return met->template == want->template && packed_of(met) == want->packed;
}

/* Packed counters mark their own end: the bytes after them in the word are 0. */
static nsc_str find_short(struct nsc_texts *texts, const struct wanted *wanted)
{
    const struct nsc_met_text want = {.packed = pack(wanted),
                                      .template = wanted->template & NSC_NO_TEMPLATE};
    uint64_t hash = nsc_hash_mix(want.packed, want.template);
    uint32_t at;

    if (texts->next < texts->all.n && texts->all.at[texts->next].is_few &&
        is_few(texts, texts->next, &want))
        return texts->next++;
    at = nsc_idtable_find(&texts->few, hash, is_few, texts, &want);
    if (at == NSC_NONE && !wanted->may_add)
        return NSC_NONE;
    if (at == NSC_NONE) {
        at = add_met(texts, wanted);
        nsc_idtable_add(&texts->few, hash, at);
    }
    texts->next = at + 1;
    return at;
}

static nsc_str find_text(struct nsc_texts *texts, const struct wanted *wanted)
{
    if (!wanted->packed)
        return find_plain(texts, wanted);
    return wanted->n_packed <= FEW ? find_short(texts, wanted) : find_long(texts, wanted);
}

/* ---- events ---- */

nsc_str nsc_texts_add(struct nsc_texts *texts, struct nsc_text text)
{
    struct wanted wanted = {.event = NSC_NONE, .text = text, .may_add = true};
    struct nsc_fold fold;

    if (text.n <= NSC_NAME_BYTES && nsc_fold_text(&fold, text)) {
        wanted.template = nsc_strpool_add(&texts->templates, fold.text, fold.n);
        wanted.packed = fold.packed;
        wanted.n_packed = fold.packed_n;
    }
    return find_text(texts, &wanted);
}

static nsc_str pattern_of(struct nsc_texts *texts, nsc_event event, nsc_name name)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = {scratch, 0};

    texts->is_folded = true;
    if (!texts->of_pattern[name]) {
        text.n = nsc_label_pattern(scratch, texts->trace, event, false);
        texts->of_pattern[name] = 1 + nsc_texts_add(texts, text);
    }
    return texts->of_pattern[name] - 1;
}

/* The number of a text with counters; past the limit, only known ones are found. */
static nsc_str number_of(struct nsc_texts *texts, nsc_event event, nsc_name name,
                         const uint8_t *packed)
{
    const struct nsc_names *names = nsc_trace_names(texts->trace);
    struct wanted wanted = {.packed = packed + 1,
                            .n_packed = packed[0],
                            .event = event,
                            .may_add = texts->all.n <= texts->most};
    struct nsc_text text;
    nsc_str number;

    if (!texts->of_template[name]) {
        text = nsc_trace_string(texts->trace, names->full[name]);
        texts->of_template[name] = 1 + nsc_strpool_add(&texts->templates, text.bytes, text.n);
    }
    wanted.template = texts->of_template[name] - 1;
    number = find_text(texts, &wanted);
    return number != NSC_NONE ? number : pattern_of(texts, event, name);
}

/* Where the number of an event's text is kept; NULL: nowhere. Counters of several bytes take at least
 * two links, so half of their link is a number of their own. The pages are read and written at
 * random; one that is read first would be mapped twice. */
static nsc_str *slot_of_link(struct nsc_texts *texts, const uint8_t *packed, uint32_t link)
{
    size_t n = nsc_fold_links(texts->trace) / 2 + 1;

    if (packed[0] < 2 || !texts->keeps_events)
        return NULL;
    if (!texts->of_link) {
        texts->of_link = nsc_xcalloc(n, sizeof *texts->of_link);
        nsc_pages_touch(texts->of_link, n * sizeof *texts->of_link);
    }
    return &texts->of_link[link / 2];
}

nsc_str nsc_texts_of(struct nsc_texts *texts, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(texts->trace);
    const struct nsc_names *names = nsc_trace_names(texts->trace);
    nsc_name name = events->name[event];
    const uint8_t *packed = names->counters[name] ? nsc_fold_of_event(texts->trace, event) : NULL;
    nsc_str once = 0;
    nsc_str *slot =
        packed ? slot_of_link(texts, packed, events->link[event]) : &texts->of_name[name];

    if (!slot)
        slot = &once;
    if (*slot)
        return *slot - 1;
    if (packed)
        *slot = 1 + number_of(texts, event, name, packed);
    else
        *slot = 1 + nsc_texts_add(texts, nsc_trace_string(texts->trace, names->full[name]));
    return *slot - 1;
}

struct nsc_text nsc_texts_at(struct nsc_texts *texts, nsc_str text)
{
    struct nsc_met_text *met = &texts->all.at[text];
    char scratch[NSC_NAME_BYTES];

    if (!met->is_built)
        build(texts, met, nsc_trace_event_text(texts->trace, met->event, false, scratch));
    return (struct nsc_text){met->built->bytes, met->built->n};
}

uint32_t nsc_texts_template(const struct nsc_texts *texts, nsc_str text)
{
    uint32_t template = texts->all.at[text].template;

    return template == NSC_NO_TEMPLATE ? NSC_NONE : template;
}
