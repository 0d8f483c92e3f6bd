/*
 * JSON, read strictly into a flat array of nodes: no recursion, at most 64 levels, integers exact.
 *
 * Nodes stand in the order of the text. A container is followed by its members (in an object each
 * key, a string, by its value); .next is the node behind all of them, so leaving out a value is one
 * step. Strict means RFC 8259 and valid UTF-8: no comments, no trailing commas, no lone surrogates.
 */
#ifndef NSC_CORE_JSON_H
#define NSC_CORE_JSON_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#define NSC_JSON_DEPTH 64
#define NSC_JSON_NODES (16u << 20) /* more are refused: a node takes 16 bytes */

enum nsc_json_type {
    NSC_JSON_NULL,
    NSC_JSON_FALSE,
    NSC_JSON_TRUE,
    NSC_JSON_NUMBER,
    NSC_JSON_STRING,
    NSC_JSON_ARRAY,
    NSC_JSON_OBJECT
};

struct nsc_json_node {
    uint32_t at, n; /* strings, numbers: the bytes in the tree; containers: n is how many elements
                       or members */
    uint32_t next;  /* the first node that is not inside this one */
    uint8_t type;   /* enum nsc_json_type */
};

/* Zero is an empty tree; free with fini. Reading into the same tree again keeps its memory. */
struct nsc_json_tree {
    struct nsc_json_node *nodes; /* nodes[0] is the whole */
    size_t n, capacity;
    char *bytes; /* of the text, strings unescaped in place */
    size_t room;
};

/* NSC_EFORMAT names the byte at which it is no JSON; the tree is then empty. */
NSC_NODISCARD enum nsc_status nsc_json_parse(struct nsc_json_tree *tree, struct nsc_text text,
                                             struct nsc_error *error);
void nsc_json_fini(struct nsc_json_tree *tree);

/* The value of the first member with that key; NSC_NONE when there is none or node is no object
 * (NSC_NONE included). O(members). */
uint32_t nsc_json_find(const struct nsc_json_tree *tree, uint32_t node, const char *key);
/* All of these take NSC_NONE, and are false for a node of another type. */
bool nsc_json_get_text(struct nsc_text *out, const struct nsc_json_tree *tree, uint32_t node);
/* Whole numbers of int64 only: no fraction, no exponent, no overflow. */
bool nsc_json_get_int(int64_t *out, const struct nsc_json_tree *tree, uint32_t node);
bool nsc_json_get_bool(bool *out, const struct nsc_json_tree *tree, uint32_t node);
bool nsc_json_is(const struct nsc_json_tree *tree, uint32_t node, enum nsc_json_type type);

#endif
