/* Checks a document against a schema, with a list of the pairs of nodes still to compare. */
#include "support/json_schema.h"

#include "core/buf.h"
#include "core/json.h"
#include "core/paths.h"
#include "core/text.h"
#include "core/vec.h"
#include "support/cm.h"

#include <string.h>

struct pair {
    uint32_t rule, node;
};

struct check {
    struct nsc_json_tree schema, document;
    NSC_VEC(struct pair) open;
};

static bool is_text(const struct nsc_json_tree *tree, uint32_t node, const char *text)
{
    struct nsc_text found;

    return nsc_json_get_text(&found, tree, node) && found.n == strlen(text) &&
           memcmp(found.bytes, text, found.n) == 0;
}

static void complain(const struct check *check, uint32_t node, const char *what)
{
    const struct nsc_json_node *at = &check->document.nodes[node];

    fail_msg("node %u of type %u, \"%.*s\": %s", node, at->type,
             at->type == NSC_JSON_STRING || at->type == NSC_JSON_NUMBER ? (int)at->n : 0,
             check->document.bytes + at->at, what);
}

static bool has_type(const struct check *check, uint32_t node, uint32_t type)
{
    static const struct {
        const char *word;
        enum nsc_json_type type;
    } words[] = {{"null", NSC_JSON_NULL},     {"boolean", NSC_JSON_FALSE},
                 {"boolean", NSC_JSON_TRUE},  {"number", NSC_JSON_NUMBER},
                 {"string", NSC_JSON_STRING}, {"array", NSC_JSON_ARRAY},
                 {"object", NSC_JSON_OBJECT}};
    int64_t whole;

    if (is_text(&check->schema, type, "integer"))
        return nsc_json_get_int(&whole, &check->document, node);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_text(&check->schema, type, words[i].word) &&
            nsc_json_is(&check->document, node, words[i].type))
            return true;
    return false;
}

static bool is_same(const struct check *check, uint32_t rule, uint32_t node)
{
    const struct nsc_json_node *a = &check->schema.nodes[rule];
    const struct nsc_json_node *b = &check->document.nodes[node];

    return a->type == b->type && a->n == b->n &&
           memcmp(check->schema.bytes + a->at, check->document.bytes + b->at, a->n) == 0;
}

/* Whether the node matches any rule of a list, or a single rule. */
static bool is_any(const struct check *check, uint32_t rule, uint32_t node,
                   bool (*fits)(const struct check *check, uint32_t node, uint32_t rule))
{
    if (!nsc_json_is(&check->schema, rule, NSC_JSON_ARRAY))
        return fits(check, node, rule);
    for (uint32_t at = rule + 1; at < check->schema.nodes[rule].next;
         at = check->schema.nodes[at].next)
        if (fits(check, node, at))
            return true;
    return false;
}

static bool is_value(const struct check *check, uint32_t node, uint32_t rule)
{
    return is_same(check, rule, node);
}

static void push(struct check *check, uint32_t rule, uint32_t node)
{
    *NSC_VEC_ADD(&check->open) = (struct pair){rule, node};
}

static char *key_of(const struct nsc_json_tree *tree, uint32_t node)
{
    struct nsc_text text = {"", 0};
    char *key;

    assert_true(nsc_json_get_text(&text, tree, node));
    key = nsc_xcalloc((size_t)text.n + 1, 1);
    memcpy(key, text.bytes, text.n);
    return key;
}

static void check_members(struct check *check, uint32_t rule, uint32_t node)
{
    uint32_t properties = nsc_json_find(&check->schema, rule, "properties");
    uint32_t others = nsc_json_find(&check->schema, rule, "additionalProperties");
    uint32_t required = nsc_json_find(&check->schema, rule, "required");

    for (uint32_t at = node + 1; at < check->document.nodes[node].next;
         at = check->document.nodes[at + 1].next) {
        char *key = key_of(&check->document, at);
        uint32_t found = nsc_json_find(&check->schema, properties, key);

        if (found != NSC_NONE)
            push(check, found, at + 1);
        else if (nsc_json_is(&check->schema, others, NSC_JSON_FALSE))
            complain(check, at, "no such member in the schema");
        else if (nsc_json_is(&check->schema, others, NSC_JSON_OBJECT))
            push(check, others, at + 1);
        free(key);
    }
    for (uint32_t at = required + 1;
         required != NSC_NONE && at < check->schema.nodes[required].next; at++) {
        char *key = key_of(&check->schema, at);

        if (nsc_json_find(&check->document, node, key) == NSC_NONE)
            complain(check, node, key);
        free(key);
    }
}

static void check_node(struct check *check, uint32_t rule, uint32_t node)
{
    static const char *const known[] = {
        "type",  "const",    "enum",  "required", "properties", "additionalProperties",
        "items", "minItems", "title", "$schema",  "description"};
    uint32_t type = nsc_json_find(&check->schema, rule, "type");
    uint32_t constant = nsc_json_find(&check->schema, rule, "const");
    uint32_t values = nsc_json_find(&check->schema, rule, "enum");
    uint32_t items = nsc_json_find(&check->schema, rule, "items");
    int64_t least = 0;

    for (uint32_t at = rule + 1; at < check->schema.nodes[rule].next;
         at = check->schema.nodes[at + 1].next) {
        bool is_known = false;

        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            is_known = is_known || is_text(&check->schema, at, known[i]);
        assert_true(is_known);
    }
    if (type != NSC_NONE && !is_any(check, type, node, has_type))
        complain(check, node, "of a type that the schema does not have");
    if (constant != NSC_NONE && !is_same(check, constant, node))
        complain(check, node, "not the schema's constant");
    if (values != NSC_NONE && !is_any(check, values, node, is_value))
        complain(check, node, "not one of the schema's values");
    if (nsc_json_get_int(&least, &check->schema, nsc_json_find(&check->schema, rule, "minItems")) &&
        check->document.nodes[node].n < (uint64_t)least)
        complain(check, node, "too few elements");
    if (nsc_json_is(&check->document, node, NSC_JSON_OBJECT))
        check_members(check, rule, node);
    if (items != NSC_NONE && nsc_json_is(&check->document, node, NSC_JSON_ARRAY))
        for (uint32_t at = node + 1; at < check->document.nodes[node].next;
             at = check->document.nodes[at].next)
            push(check, items, at);
}

void nsc_test_json_matches(const char *schema, struct nsc_text document)
{
    struct nsc_buf text = NSC_BUF_INIT(1u << 20);
    struct nsc_error error = {NSC_OK, ""};
    struct check check = {0};
    struct pair pair;

    if (nsc_file_read(&text, schema, 1u << 20, &error) != NSC_OK ||
        nsc_json_parse(&check.schema, (struct nsc_text){text.bytes, (uint32_t)text.n}, &error) !=
            NSC_OK ||
        nsc_json_parse(&check.document, document, &error) != NSC_OK)
        fail_msg("%s: %s", schema, error.text);
    push(&check, 0, 0);
    while (check.open.n) {
        pair = check.open.at[--check.open.n];
        check_node(&check, pair.rule, pair.node);
    }
    NSC_VEC_FINI(&check.open);
    nsc_json_fini(&check.schema);
    nsc_json_fini(&check.document);
    nsc_buf_fini(&text);
}
