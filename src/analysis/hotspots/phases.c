/* Reads phase maps and matches names with them. */
#include "analysis/hotspots/phases.h"

#include "analysis/names/pattern.h"
#include "core/arena.h"
#include "core/json.h"
#include "core/text.h"
#include "core/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 512 /* bytes of a name that are matched */
#define NAMED 60  /* bytes of a name in an error */

struct pattern {
    struct nsc_text text; /* without "re:" */
    regex_t *regex;       /* NULL: plain */
    const char *folded;   /* a plain pattern in lower case; NULL: not ASCII */
    uint32_t phase;
};

struct nsc_phase_map {
    struct nsc_arena arena;
    NSC_VEC(struct nsc_text) phases;
    NSC_VEC(struct pattern) patterns; /* in order */
};

static struct nsc_phase_map *map_new(void)
{
    struct nsc_phase_map *map = nsc_xcalloc(1, sizeof *map);

    map->arena = (struct nsc_arena)NSC_ARENA_INIT;
    return map;
}

void nsc_phase_map_free(struct nsc_phase_map *map)
{
    if (!map)
        return;
    for (size_t i = 0; i < map->patterns.n; i++)
        if (map->patterns.at[i].regex) {
            regfree(map->patterns.at[i].regex);
            free(map->patterns.at[i].regex);
        }
    NSC_VEC_FINI(&map->phases);
    NSC_VEC_FINI(&map->patterns);
    nsc_arena_fini(&map->arena);
    free(map);
}

static struct nsc_text keep(struct nsc_phase_map *map, struct nsc_text text)
{
    return (struct nsc_text){nsc_arena_copy(&map->arena, text.bytes, text.n), text.n};
}

/* Converts ASCII to lower case; false if the text is not ASCII, or has a NUL. */
static bool fold_ascii(char *out, struct nsc_text text)
{
    for (uint32_t i = 0; i < text.n; i++) {
        char c = text.bytes[i];

        if (c <= 0)
            return false;
        out[i] = nsc_ascii_lower(c);
    }
    out[text.n] = '\0';
    return true;
}

/* Says what is wrong with the last phase. */
static enum nsc_status fail_phase(const struct nsc_phase_map *map, const char *wrong,
                                  struct nsc_error *error)
{
    struct nsc_text name = map->phases.at[map->phases.n - 1];

    return nsc_fail(error, NSC_EINVAL, "phase map: phase %zu, \"%.*s\": %s", map->phases.n,
                    (int)(name.n < NAMED ? name.n : NAMED), name.bytes, wrong);
}

static enum nsc_status add_pattern(struct nsc_phase_map *map, struct nsc_text text,
                                   struct nsc_error *error)
{
    bool is_regex = nsc_text_begins(text, "re:");
    struct pattern pattern = {keep(map, text), NULL, NULL, (uint32_t)map->phases.n - 1};
    char *folded = nsc_arena_add(&map->arena, (size_t)text.n + 1);

    if (text.n == (is_regex ? 3 : 0))
        return fail_phase(map, "an empty pattern matches every name; give a part of a name", error);
    if (is_regex) {
        const char *wrong = NULL;

        pattern.text.bytes += 3;
        pattern.text.n -= 3;
        wrong = nsc_pattern_compile(&pattern.regex, pattern.text, false);
        if (wrong)
            return nsc_fail(error, NSC_EINVAL, "phase map: %s: %s", pattern.text.bytes, wrong);
    }
    pattern.folded = fold_ascii(folded, text) ? folded : NULL;
    *NSC_VEC_ADD(&map->patterns) = pattern;
    return NSC_OK;
}

/* A pattern, or an array of them. */
static enum nsc_status add_patterns(struct nsc_phase_map *map, const struct nsc_json_tree *tree,
                                    uint32_t node, struct nsc_error *error)
{
    bool many = nsc_json_is(tree, node, NSC_JSON_ARRAY);
    uint32_t end = tree->nodes[node].next;
    enum nsc_status status = NSC_OK;

    for (uint32_t at = many ? node + 1 : node; at < end && status == NSC_OK;
         at = tree->nodes[at].next) {
        struct nsc_text text;

        if (nsc_json_get_text(&text, tree, at))
            status = add_pattern(map, text, error);
        else if (nsc_json_is(tree, at, NSC_JSON_NUMBER))
            status = add_pattern(
                map, (struct nsc_text){tree->bytes + tree->nodes[at].at, tree->nodes[at].n}, error);
        else
            status =
                fail_phase(map, "give texts, as {\"forward\": [\"fwd\", \"re:^layer\"]}", error);
    }
    if (status == NSC_OK && many && node + 1 == end)
        return fail_phase(map, "no pattern; give a part of a name, as [\"decode\"]", error);
    return status;
}

/* Adds a phase without patterns. It needs a name of its own. */
static enum nsc_status add_phase(struct nsc_phase_map *map, struct nsc_text name,
                                 struct nsc_error *error)
{
    *NSC_VEC_ADD(&map->phases) = keep(map, name);
    if (nsc_text_trim(name).n == 0)
        return fail_phase(map, "no name; say what its patterns stand for", error);
    for (size_t i = 0; i + 1 < map->phases.n; i++)
        if (nsc_text_equal(map->phases.at[i], name))
            return fail_phase(map, "given twice; put its patterns into one list", error);
    return NSC_OK;
}

enum nsc_status nsc_phase_map_parse(struct nsc_phase_map **out, struct nsc_text json,
                                    struct nsc_error *error)
{
    struct nsc_phase_map *map = map_new();
    struct nsc_json_tree tree = {0};
    enum nsc_status status = nsc_json_parse(&tree, json, error);

    *out = NULL;
    if (status == NSC_OK && !nsc_json_is(&tree, 0, NSC_JSON_OBJECT))
        status = nsc_fail(error, NSC_EINVAL,
                          "phase map: give an object, as {\"decode\": [\"decode\", \"re:^tok\"]}");
    for (uint32_t at = 1; status == NSC_OK && at < tree.nodes[0].next;) {
        struct nsc_text name = {"", 0};

        (void)nsc_json_get_text(&name, &tree, at);
        status = add_phase(map, name, error);
        if (status == NSC_OK)
            status = add_patterns(map, &tree, at + 1, error);
        at = tree.nodes[at + 1].next;
    }
    if (status == NSC_OK && map->phases.n == 0)
        status = nsc_fail(error, NSC_EINVAL,
                          "phase map: no phases; give an object, as {\"decode\": [\"decode\"]}");
    nsc_json_fini(&tree);
    if (status == NSC_OK)
        *out = map;
    else
        nsc_phase_map_free(map);
    return status;
}

struct nsc_phase_map *nsc_phase_map_builtin(void)
{
    static const char json[] =
        "{\"prefill\": [\"prefill\", \"prompt\", \"encode\", \"context\"],"
        " \"decode\": [\"decode\", \"generate\", \"generation\", \"token\"],"
        " \"sampling\": [\"sample\", \"sampling\", \"sampler\", \"logits\", \"accept\","
        " \"reject\"]}";
    struct nsc_phase_map *map = NULL;
    struct nsc_error error = {NSC_OK, ""};

    if (nsc_phase_map_parse(&map, nsc_text_from(json), &error) != NSC_OK)
        abort();
    return map;
}

uint32_t nsc_phase_map_count(const struct nsc_phase_map *map)
{
    return (uint32_t)map->phases.n;
}

struct nsc_text nsc_phase_map_name(const struct nsc_phase_map *map, uint32_t phase)
{
    return map->phases.at[phase];
}

bool nsc_phase_map_sees_digits(const struct nsc_phase_map *map)
{
    for (size_t i = 0; i < map->patterns.n; i++) {
        struct nsc_text text = map->patterns.at[i].text;

        if (map->patterns.at[i].regex)
            return true;
        for (uint32_t k = 0; k < text.n; k++)
            if (text.bytes[k] >= '0' && text.bytes[k] <= '9')
                return true;
    }
    return false;
}

uint32_t nsc_phase_map_find(const struct nsc_phase_map *map, struct nsc_text name)
{
    char text[SHOWN + 1], folded[SHOWN + 1] = "";
    bool is_ascii;

    name = nsc_text_trim(name);
    snprintf(text, sizeof text, "%.*s", (int)(name.n < SHOWN ? name.n : SHOWN), name.bytes);
    is_ascii = name.n <= SHOWN && fold_ascii(folded, name);
    for (size_t i = 0; i < map->patterns.n; i++) {
        const struct pattern *pattern = &map->patterns.at[i];
        bool found = pattern->regex                ? regexec(pattern->regex, text, 0, NULL, 0) == 0
                     : pattern->folded && is_ascii ? strstr(folded, pattern->folded) != NULL
                                                   : nsc_text_contains_folded(name, pattern->text);

        if (found)
            return pattern->phase;
    }
    return NSC_PHASE_NONE;
}
