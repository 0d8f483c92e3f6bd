/*
 * Reads JSON strictly into a flat array of nodes: no recursion, at most 64 levels, exact integers.
 *
 * Nodes are in the order of the text. A container is followed by its members (in an object each
 * key, a string, by its value); .next is the node after all of them, so skipping a value is one
 * step. Strict means RFC 8259 and valid UTF-8: no comments, no trailing commas, no lone surrogates.
 */
#ifndef NSC_CORE_JSON_H
#define NSC_CORE_JSON_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#define NSC_JSON_DEPTH 64
#define NSC_JSON_NODES (16u << 20) /* the most nodes: a node takes 16 bytes */

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
    uint32_t at, n; /* strings, numbers: bytes in the tree; containers: n is the number of elements
                       or members */
    uint32_t next;  /* the first node after this one and its members */
    uint8_t type;   /* enum nsc_json_type */
};

/* An empty tree is all zero; free with fini. Parsing into a tree again reuses its memory. */
struct nsc_json_tree {
    struct nsc_json_node *nodes; /* nodes[0] is the root */
    size_t n, capacity;
    char *bytes; /* the text, with strings unescaped in place */
    size_t room;
};

/* NSC_EFORMAT, with the byte of the error in its text; the tree is then empty. */
NSC_NODISCARD enum nsc_status nsc_json_parse(struct nsc_json_tree *tree, struct nsc_text text,
                                             struct nsc_error *error);
void nsc_json_fini(struct nsc_json_tree *tree);

/* The value of the first member with that key; NSC_NONE if there is none, or if node is not an
 * object (NSC_NONE included). O(members). */
uint32_t nsc_json_find(const struct nsc_json_tree *tree, uint32_t node, const char *key);
/* Each returns false for NSC_NONE and for a node of another type. */
bool nsc_json_get_text(struct nsc_text *out, const struct nsc_json_tree *tree, uint32_t node);
/* The text of a member; an empty one if there is none. */
struct nsc_text nsc_json_member_text(const struct nsc_json_tree *tree, uint32_t node,
                                     const char *key);
/* Only integers of 64 bits: no fraction, no exponent, no overflow. */
bool nsc_json_get_int(int64_t *out, const struct nsc_json_tree *tree, uint32_t node);
bool nsc_json_get_bool(bool *out, const struct nsc_json_tree *tree, uint32_t node);
bool nsc_json_is(const struct nsc_json_tree *tree, uint32_t node, enum nsc_json_type type);
/* The number of the node after an array's last element; of another node, that of its first, as if it were empty. */
uint32_t nsc_json_end(const struct nsc_json_tree *tree, uint32_t node);
/* Passes the elements of an array: NSC_JSON_EACH(row, tree, rows) { ... } */
#define NSC_JSON_EACH(at, tree, array)                                                      \
    for (uint32_t at = (array) + 1, at##_end = nsc_json_end(tree, array); (at) != at##_end; \
         (at) = (tree)->nodes[at].next)

#endif
