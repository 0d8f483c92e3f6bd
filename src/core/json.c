/*
 * Reads JSON in one pass, with a stack of open containers.
 */
#include "core/json.h"

#include "core/text.h"
#include "core/vec.h"

#include <string.h>

struct parser {
    struct nsc_json_tree *tree;
    size_t at, n;
    uint32_t open[NSC_JSON_DEPTH]; /* nodes of the open containers */
    unsigned depth;
    const char *problem;
};

static bool refuse(struct parser *parser, const char *problem)
{
    parser->problem = problem;
    return false;
}

static int peek(const struct parser *parser)
{
    return parser->at < parser->n ? (unsigned char)parser->tree->bytes[parser->at] : -1;
}

static int peek_token(struct parser *parser)
{
    int c = peek(parser);

    while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        parser->at++;
        c = peek(parser);
    }
    return c;
}

static bool add_node(struct parser *parser, enum nsc_json_type type, size_t at, size_t n)
{
    struct nsc_json_tree *tree = parser->tree;

    if (tree->n >= NSC_JSON_NODES)
        return refuse(parser, "too many values");
    if (tree->n == tree->capacity)
        tree->nodes = nsc_vec_grow(tree->nodes, &tree->capacity, sizeof *tree->nodes);
    tree->nodes[tree->n] = (struct nsc_json_node){
        .at = (uint32_t)at, .n = (uint32_t)n, .next = (uint32_t)tree->n + 1, .type = (uint8_t)type};
    tree->n++;
    return true;
}

/* ---- strings ---- */

static bool read_hex4(struct parser *parser, uint32_t *out)
{
    *out = 0;
    for (unsigned i = 0; i < 4; i++) {
        int c = peek(parser);
        int digit = c < 0 ? -1 : nsc_hex_digit((char)c);

        if (digit < 0)
            return refuse(parser, "an escape without four hexadecimal digits");
        *out = *out << 4 | (uint32_t)digit;
        parser->at++;
    }
    return true;
}

/* Reads the digits after "\u"; for a high surrogate, the low one after it, too. */
static bool read_code(struct parser *parser, uint32_t *out)
{
    uint32_t low = 0;

    if (!read_hex4(parser, out))
        return false;
    if (*out < 0xd800 || *out > 0xdfff)
        return true;
    if (*out > 0xdbff || peek(parser) != '\\')
        return refuse(parser, "half a surrogate pair");
    parser->at++;
    if (peek(parser) != 'u')
        return refuse(parser, "half a surrogate pair");
    parser->at++;
    if (!read_hex4(parser, &low))
        return false;
    if (low < 0xdc00 || low > 0xdfff)
        return refuse(parser, "half a surrogate pair");
    *out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

/* Reads an escape after its backslash. Its text is never longer than the escape, so it overwrites
 * it. */
static bool read_escape(struct parser *parser, size_t *to)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    int c = peek(parser);
    const char *letter = c > 0 ? strchr(letters, c) : NULL;
    char *bytes = parser->tree->bytes;
    uint32_t code = 0;

    if (c < 0)
        return refuse(parser, "a string without its end");
    if (letter) {
        parser->at++;
        bytes[(*to)++] = meanings[letter - letters];
        return true;
    }
    if (c != 'u')
        return refuse(parser, "an unknown escape");
    parser->at++;
    if (!read_code(parser, &code))
        return false;
    *to += nsc_char_encode(bytes + *to, code);
    return true;
}

/* Copies one character that is not escaped. */
static bool copy_char(struct parser *parser, size_t *to)
{
    char *bytes = parser->tree->bytes;
    uint32_t code = 0;
    size_t n = nsc_char_decode(&code, bytes + parser->at, parser->n - parser->at);

    if (n == 0)
        return refuse(parser, "a byte that is not UTF-8");
    if (code < 0x20)
        return refuse(parser, "a control character in a string");
    memmove(bytes + *to, bytes + parser->at, n);
    *to += n;
    parser->at += n;
    return true;
}

static bool read_string(struct parser *parser)
{
    size_t from = ++parser->at;
    size_t to = from;

    for (;;) {
        int c = peek(parser);
        bool done;

        if (c < 0)
            return refuse(parser, "a string without its end");
        if (c == '"')
            break;
        if (c == '\\') {
            parser->at++;
            done = read_escape(parser, &to);
        } else {
            done = copy_char(parser, &to);
        }
        if (!done)
            return false;
    }
    parser->at++;
    return add_node(parser, NSC_JSON_STRING, from, to - from);
}

/* ---- numbers and words ---- */

static bool skip_digits(struct parser *parser)
{
    size_t from = parser->at;

    while (peek(parser) >= '0' && peek(parser) <= '9')
        parser->at++;
    return parser->at > from || refuse(parser, "a number without digits");
}

static bool read_number(struct parser *parser)
{
    size_t from = parser->at;

    if (peek(parser) == '-')
        parser->at++;
    if (peek(parser) == '0')
        parser->at++;
    else if (!skip_digits(parser))
        return false;
    if (peek(parser) == '.') {
        parser->at++;
        if (!skip_digits(parser))
            return false;
    }
    if (peek(parser) == 'e' || peek(parser) == 'E') {
        parser->at++;
        if (peek(parser) == '+' || peek(parser) == '-')
            parser->at++;
        if (!skip_digits(parser))
            return false;
    }
    return add_node(parser, NSC_JSON_NUMBER, from, parser->at - from);
}

static bool read_word(struct parser *parser, const char *word, enum nsc_json_type type)
{
    size_t n = strlen(word);

    if (parser->n - parser->at < n || memcmp(parser->tree->bytes + parser->at, word, n) != 0)
        return refuse(parser, "no value");
    parser->at += n;
    return add_node(parser, type, parser->at - n, n);
}

/* ---- structure ---- */

static bool open_container(struct parser *parser, enum nsc_json_type type)
{
    if (parser->depth == NSC_JSON_DEPTH)
        return refuse(parser, "too many levels");
    parser->open[parser->depth++] = (uint32_t)parser->tree->n;
    parser->at++;
    return add_node(parser, type, 0, 0);
}

static bool read_value(struct parser *parser)
{
    switch (peek_token(parser)) {
    case '{':
        return open_container(parser, NSC_JSON_OBJECT);
    case '[':
        return open_container(parser, NSC_JSON_ARRAY);
    case '"':
        return read_string(parser);
    case 't':
        return read_word(parser, "true", NSC_JSON_TRUE);
    case 'f':
        return read_word(parser, "false", NSC_JSON_FALSE);
    case 'n':
        return read_word(parser, "null", NSC_JSON_NULL);
    default:
        return peek(parser) == '-' || nsc_is_digit((char)peek(parser)) ? read_number(parser)
                                                                       : refuse(parser, "no value");
    }
}

static bool in_object(const struct parser *parser)
{
    return parser->depth &&
           parser->tree->nodes[parser->open[parser->depth - 1]].type == NSC_JSON_OBJECT;
}

static bool read_key(struct parser *parser)
{
    if (peek_token(parser) != '"')
        return refuse(parser, "no key");
    if (!read_string(parser))
        return false;
    if (peek_token(parser) != ':')
        return refuse(parser, "no colon");
    parser->at++;
    return true;
}

/* Reads one element of the innermost container, or the root. */
static bool read_element(struct parser *parser)
{
    if (parser->depth)
        parser->tree->nodes[parser->open[parser->depth - 1]].n++;
    if (in_object(parser) && !read_key(parser))
        return false;
    return read_value(parser);
}

/* Closes the containers that end here; *more: another element must follow. */
static bool close_containers(struct parser *parser, bool *more)
{
    *more = false;
    while (parser->depth) {
        struct nsc_json_node *node = &parser->tree->nodes[parser->open[parser->depth - 1]];
        int c = peek_token(parser);

        if (c == (node->type == NSC_JSON_OBJECT ? '}' : ']')) {
            node->next = (uint32_t)parser->tree->n;
            parser->depth--;
            parser->at++;
            continue;
        }
        *more = true;
        if (node->n == 0) /* just opened */
            return true;
        if (c != ',')
            return refuse(parser, c < 0 ? "an object or array is not closed" : "no comma");
        parser->at++;
        return true;
    }
    return true;
}

enum nsc_status nsc_json_parse(struct nsc_json_tree *tree, struct nsc_text text,
                               struct nsc_error *error)
{
    struct parser parser = {.tree = tree, .n = text.n};
    bool more = true;
    bool done = true;

    if (tree->room < text.n) {
        tree->bytes = nsc_xrealloc(tree->bytes, text.n, 1);
        tree->room = text.n;
    }
    if (text.n)
        memcpy(tree->bytes, text.bytes, text.n);
    tree->n = 0;
    while (done && more)
        done = read_element(&parser) && close_containers(&parser, &more);
    if (done && peek_token(&parser) >= 0)
        done = refuse(&parser, "more behind the end");
    if (done)
        return NSC_OK;
    tree->n = 0;
    return nsc_fail(error, NSC_EFORMAT, "not JSON at byte %zu: %s", parser.at, parser.problem);
}

void nsc_json_fini(struct nsc_json_tree *tree)
{
    free(tree->nodes);
    free(tree->bytes);
    *tree = (struct nsc_json_tree){0};
}

/* ---- asking ---- */

bool nsc_json_is(const struct nsc_json_tree *tree, uint32_t node, enum nsc_json_type type)
{
    return node < tree->n && tree->nodes[node].type == type;
}

uint32_t nsc_json_end(const struct nsc_json_tree *tree, uint32_t node)
{
    return nsc_json_is(tree, node, NSC_JSON_ARRAY) ? tree->nodes[node].next : node + 1;
}

bool nsc_json_get_text(struct nsc_text *out, const struct nsc_json_tree *tree, uint32_t node)
{
    if (!nsc_json_is(tree, node, NSC_JSON_STRING))
        return false;
    *out = (struct nsc_text){tree->bytes + tree->nodes[node].at, tree->nodes[node].n};
    return true;
}

struct nsc_text nsc_json_member_text(const struct nsc_json_tree *tree, uint32_t node,
                                     const char *key)
{
    struct nsc_text text = {"", 0};

    (void)nsc_json_get_text(&text, tree, nsc_json_find(tree, node, key));
    return text;
}

bool nsc_json_get_bool(bool *out, const struct nsc_json_tree *tree, uint32_t node)
{
    *out = nsc_json_is(tree, node, NSC_JSON_TRUE);
    return *out || nsc_json_is(tree, node, NSC_JSON_FALSE);
}

bool nsc_json_get_int(int64_t *out, const struct nsc_json_tree *tree, uint32_t node)
{
    const char *at;
    const char *end;
    bool is_negative;

    if (!nsc_json_is(tree, node, NSC_JSON_NUMBER))
        return false;
    at = tree->bytes + tree->nodes[node].at;
    end = at + tree->nodes[node].n;
    is_negative = *at == '-';
    *out = 0;
    for (at += is_negative; at < end; at++) {
        if (*at < '0' || *at > '9' || __builtin_mul_overflow(*out, (int64_t)10, out))
            return false;
        if (is_negative ? __builtin_sub_overflow(*out, (int64_t)(*at - '0'), out)
                        : __builtin_add_overflow(*out, (int64_t)(*at - '0'), out))
            return false;
    }
    return true;
}

uint32_t nsc_json_find(const struct nsc_json_tree *tree, uint32_t node, const char *key)
{
    size_t n = strlen(key);
    uint32_t at = node + 1;

    if (!nsc_json_is(tree, node, NSC_JSON_OBJECT))
        return NSC_NONE;
    while (at < tree->nodes[node].next) {
        const struct nsc_json_node *name = &tree->nodes[at];

        if (name->n == n && memcmp(tree->bytes + name->at, key, n) == 0)
            return at + 1;
        at = tree->nodes[at + 1].next;
    }
    return NSC_NONE;
}
