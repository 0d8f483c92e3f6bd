/*
 * Numbers the texts of events: once per name without counters, else once per template and values of
 * its counters. nsc_fold_text decides whether a text has counters.
 *
 * Folds a name that one family of the export keeps whole, so that equal texts get equal numbers.
 */
#include "analysis/names/texts.h"

#include "analysis/names/label.h"
#include "core/die.h"
#include "core/hints.h"
#include "index/fold.h"
#include "index/idtable.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { SLOTS_MIN = 4 };
#else
enum { SLOTS_MIN = 1024 };
#endif

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

    *texts = (struct nsc_texts){.trace = trace, .arena = NSC_ARENA_INIT, .most = NSC_TEXTS_MAX};
    nsc_strpool_init(&texts->keys);
    nsc_strpool_init(&texts->templates);
    texts->n_slots = SLOTS_MIN;
    texts->slots = nsc_xcalloc(SLOTS_MIN, sizeof *texts->slots);
    texts->of_template = nsc_xcalloc((size_t)n + 1, sizeof *texts->of_template);
    texts->of_name = nsc_xcalloc((size_t)n + 1, sizeof *texts->of_name);
    texts->of_link = nsc_xcalloc((size_t)nsc_fold_links(trace) + 1, sizeof *texts->of_link);
    texts->of_pattern = nsc_xcalloc((size_t)n + 1, sizeof *texts->of_pattern);
    (void)add_met(texts, &(struct wanted){.event = NSC_NONE, .text = {"", 0}});
    *NSC_VEC_ADD(&texts->of_key) = 0; /* number of "" */
}

void nsc_texts_drop_events(struct nsc_texts *texts)
{
    free(texts->of_link);
    texts->of_link = NULL;
}

void nsc_texts_fini(struct nsc_texts *texts)
{
    NSC_VEC_FINI(&texts->all);
    nsc_arena_fini(&texts->arena);
    nsc_strpool_fini(&texts->keys);
    NSC_VEC_FINI(&texts->of_key);
    nsc_strpool_fini(&texts->templates);
    free(texts->slots);
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
    char key[NSC_NAME_BYTES + 1] = {'t'};

    if (wanted->text.n == 0)
        return 0;
    memcpy(key + 1, wanted->text.bytes, wanted->text.n);
    return find_key(texts, wanted, key, (size_t)wanted->text.n + 1);
}

static nsc_str find_long(struct nsc_texts *texts, const struct wanted *wanted)
{
    char key[1 + sizeof wanted->template + NSC_FOLD_BYTES] = {'c'};

    memcpy(key + 1, &wanted->template, sizeof wanted->template);
    memcpy(key + 1 + sizeof wanted->template, wanted->packed, wanted->n_packed);
    return find_key(texts, wanted, key, 1 + sizeof wanted->template + wanted->n_packed);
}

/* ---- by few counters ---- */

static uint32_t hash_of(uint64_t packed, uint32_t template)
{
    return (uint32_t)nsc_hash_mix(packed, template);
}

static uint64_t packed_of(const struct nsc_met_text *met)
{
    return met->is_built ? met->built->packed : met->packed;
}

static uint32_t find_slot(const struct nsc_texts *texts, uint64_t packed, uint32_t template)
{
    uint32_t mask = texts->n_slots - 1, at = hash_of(packed, template) & mask;

    for (; texts->slots[at]; at = (at + 1) & mask) {
        const struct nsc_met_text *met = &texts->all.at[texts->slots[at] - 1];

        if (met->template == template && packed_of(met) == packed)
            break;
    }
    return at;
}

/* At most half full. */
static void grow_slots(struct nsc_texts *texts)
{
    free(texts->slots);
    texts->n_slots *= 2;
    texts->slots = nsc_xcalloc(texts->n_slots, sizeof *texts->slots);
    for (nsc_str i = 0; i < texts->all.n; i++) {
        const struct nsc_met_text *met = &texts->all.at[i];

        if (met->is_few)
            texts->slots[find_slot(texts, packed_of(met), met->template)] = i + 1;
    }
}

/* Packed counters mark their own end: the bytes after them in the word are 0. */
static nsc_str find_short(struct nsc_texts *texts, const struct wanted *wanted)
{
    uint32_t at = find_slot(texts, pack(wanted), wanted->template);

    if (texts->slots[at])
        return texts->slots[at] - 1;
    if (!wanted->may_add)
        return NSC_NONE;
    texts->slots[at] = add_met(texts, wanted) + 1;
    if (++texts->n_few > texts->n_slots / 2)
        grow_slots(texts);
    return (nsc_str)(texts->all.n - 1);
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

enum { NEAR = 16, AHEAD = NSC_TEXTS_AHEAD }; /* rows */

/* Prefetches the slot of an event. */
static void call_slot(struct nsc_texts *texts, nsc_event event)
{
    uint32_t template = texts->of_template[nsc_trace_events(texts->trace)->name[event]];
    const uint8_t *packed = template ? nsc_fold_of_event(texts->trace, event) : NULL;
    uint32_t *at = &texts->ahead[event % AHEAD];
    uint64_t word = 0;

    *at = NSC_NONE;
    if (!packed || packed[0] > FEW)
        return;
    memcpy(&word, packed + 1, packed[0]);
    *at = hash_of(word, template - 1) & (texts->n_slots - 1);
    NSC_FETCH(&texts->slots[*at]);
}

/* Prefetches the text in a slot that has been prefetched. Slots only grow in number. */
static void call_text(const struct nsc_texts *texts, nsc_event event)
{
    uint32_t at = texts->ahead[event % AHEAD];

    if (at != NSC_NONE && texts->slots[at])
        NSC_FETCH(&texts->all.at[texts->slots[at] - 1]);
}

/* Prefetches the slots of later events: callers go row by row, and nearly every slot is far from the
 * one before. After a step to other rows, which may be the first of many, only one event. */
static void call_slots(struct nsc_texts *texts, nsc_event event)
{
    uint32_t n = nsc_trace_events(texts->trace)->n;
    nsc_event end = n - event > AHEAD ? event + AHEAD : n;

    if (texts->called <= event || texts->called > end) {
        if (end - event > NEAR)
            call_slot(texts, event + NEAR);
        texts->called = end;
    }
    for (; texts->called < end; texts->called++)
        call_slot(texts, texts->called);
    call_text(texts, event + NEAR);
}

nsc_str nsc_texts_of(struct nsc_texts *texts, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(texts->trace);
    const struct nsc_names *names = nsc_trace_names(texts->trace);
    nsc_name name = events->name[event];
    const uint8_t *packed = names->counters[name] ? nsc_fold_of_event(texts->trace, event) : NULL;
    nsc_str once = 0;
    nsc_str *slot = !packed          ? &texts->of_name[name]
                    : texts->of_link ? &texts->of_link[events->link[event]]
                                     : &once;

    if (*slot)
        return *slot - 1;
    if (packed)
        call_slots(texts, event);
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
