/* Turns the calls of tools into words. */
#include "serve/tool.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * The command lines. * stands for the files, @NAME for an argument, + for the options that the other
 * arguments become: --NAME=TEXT, --NAME FROM TO of a list, --NAME=KEY=VALUE of an object, --NAME if true.
 * Operands stand behind --, so no argument becomes an option.
 */
static const struct tool {
    const char *name, *line;
    const char *list; /* the line without the argument; NULL: it is needed */
} tools[] = {
    {"open", "summary --format=json --max-bytes + -- *", NULL},
    {"info", "info --format=json --max-bytes -- *", NULL},
    {"findings", "skill --format=json --max-bytes + -- run findings *", NULL},
    {"ask", "ask --format=json --max-bytes + -- * @question", NULL},
    {"answer", "skill --format=json --max-bytes + -- run @name *",
     "skill --format=json --max-bytes list"},
    {"query", "sql --format=json --max-bytes + -- * @sql",
     "schema --format=json --max-bytes --trace"},
    {"picture", "render + -- *", NULL},
    {"diff", "diff --format=json --max-bytes -- @before @after", NULL},
};

/* A call while its arguments are read. */
struct reading {
    struct nsc_tool_call *call;
    const struct tool *tool;
    const struct nsc_json_tree *tree;
    uint32_t arguments;
    struct nsc_json_tree schema; /* of all tools */
    uint32_t properties;         /* of the tool's arguments */
    struct nsc_argv options;
    char missing[40]; /* the argument that a line lacks */
    struct nsc_error *error;
};

/* Says which type the argument has, and what it means. */
static enum nsc_status refuse(struct reading *reading, const char *name)
{
    uint32_t property = nsc_json_find(&reading->schema, reading->properties, name);
    struct nsc_text type = nsc_json_member_text(&reading->schema, property, "type");
    struct nsc_text means = nsc_json_member_text(&reading->schema, property, "description");

    return nsc_fail(reading->error, NSC_EINVAL, "%s: give it as %.*s: %.*s", name, (int)type.n,
                    type.bytes, (int)means.n, means.bytes);
}

/* ---- values ---- */

/* Appends a plain value as the command line spells it. False: it is none. */
static bool add_value(struct nsc_buf *out, const struct nsc_json_tree *tree, uint32_t node)
{
    struct nsc_text text = {tree->bytes + tree->nodes[node].at, tree->nodes[node].n};
    bool is_set = false;

    if (nsc_json_get_bool(&is_set, tree, node))
        text = nsc_text_from(is_set ? "1" : "0");
    else if (!nsc_json_is(tree, node, NSC_JSON_STRING) && !nsc_json_is(tree, node, NSC_JSON_NUMBER))
        return false;
    nsc_buf_add(out, text.bytes, text.n);
    return !text.n || !memchr(text.bytes, '\0', text.n);
}

/* Adds the lead and the value as one word. key: NSC_NONE, or a text to stand before it with "=". */
static bool add_word(struct nsc_argv *out, const struct nsc_json_tree *tree, const char *lead,
                     uint32_t key, uint32_t node)
{
    struct nsc_buf word = NSC_BUF_INIT(SIZE_MAX);
    bool is_plain = true;

    nsc_buf_puts(&word, lead);
    if (key != NSC_NONE) {
        is_plain = add_value(&word, tree, key);
        nsc_buf_putc(&word, '=');
    }
    is_plain = is_plain && add_value(&word, tree, node);
    if (is_plain)
        nsc_argv_add(out, word.bytes);
    nsc_buf_fini(&word);
    return is_plain;
}

/* Adds the elements of a list as words, or of an object with the lead and their keys. */
static bool add_all(struct nsc_argv *out, const struct nsc_json_tree *tree, const char *lead,
                    uint32_t node)
{
    const struct nsc_json_node *nodes = tree->nodes;
    bool is_object = nodes[node].type == NSC_JSON_OBJECT;
    bool is_plain = true;

    for (uint32_t i = node + 1; i < nodes[node].next && is_plain; i = nodes[i + is_object].next)
        is_plain = add_word(out, tree, lead, is_object ? i : NSC_NONE, i + is_object);
    return is_plain;
}

/* ---- arguments ---- */

static bool is_type(const struct nsc_json_tree *tree, uint32_t node, struct nsc_text type)
{
    static const char *const types[] = {"null",   "boolean", "boolean", "integer",
                                        "string", "array",   "object"};

    return nsc_text_is(type, types[tree->nodes[node].type]);
}

/* Adds an argument of the type that its schema names. */
static bool add_argument(struct reading *reading, const char *name, uint32_t node)
{
    struct nsc_tool_call *call = reading->call;
    const struct nsc_json_tree *tree = reading->tree;
    char option[40];
    bool is_set = false;

    (void)snprintf(option, sizeof option, "--%s", name);
    if (strcmp(name, "files") == 0)
        return add_all(&call->files, tree, "", node);
    if (strcmp(name, "max_bytes") == 0)
        return nsc_json_get_int(&call->most, tree, node) && call->most >= 0;
    if (nsc_json_get_bool(&is_set, tree, node)) {
        if (is_set)
            nsc_argv_add(&reading->options, option);
        return true;
    }
    if (nsc_json_is(tree, node, NSC_JSON_ARRAY)) {
        nsc_argv_add(&reading->options, option);
        return tree->nodes[node].n == 2 && add_all(&reading->options, tree, "", node);
    }
    (void)snprintf(option, sizeof option, "--%s=", name);
    return nsc_json_is(tree, node, NSC_JSON_OBJECT)
               ? add_all(&reading->options, tree, option, node)
               : add_word(&reading->options, tree, option, NSC_NONE, node);
}

/* Whether the argument is an operand of the tool's line. */
static bool is_operand(const struct tool *tool, const char *name)
{
    char word[40];

    (void)snprintf(word, sizeof word, "@%s", name);
    return strstr(tool->line, word) != NULL;
}

static enum nsc_status read_arguments(struct reading *reading)
{
    const struct nsc_json_node *nodes = reading->tree->nodes;
    uint32_t object = reading->arguments;

    for (uint32_t i = object + 1; i < nodes[object].next; i = nodes[i + 1].next) {
        struct nsc_text text = {0};
        uint32_t property = NSC_NONE;
        char name[32] = "";

        (void)nsc_json_get_text(&text, reading->tree, i);
        if (text.n < sizeof name && !memchr(text.bytes, '\0', text.n)) {
            (void)snprintf(name, sizeof name, "%.*s", (int)text.n, text.bytes);
            property = nsc_json_find(&reading->schema, reading->properties, name);
        }
        if (property == NSC_NONE)
            return nsc_fail(reading->error, NSC_EINVAL,
                            "%.*s: no argument of %s; tools/list has them",
                            (int)(text.n < 60 ? text.n : 60), text.bytes, reading->tool->name);
        if (nodes[i + 1].type == NSC_JSON_NULL)
            continue;
        if (!is_type(reading->tree, i + 1,
                     nsc_json_member_text(&reading->schema, property, "type")) ||
            (!is_operand(reading->tool, name) && !add_argument(reading, name, i + 1)))
            return refuse(reading, name);
    }
    return NSC_OK;
}

/* ---- the line ---- */

/* Adds one word of the line. NSC_ENODATA: its argument is missing. */
static enum nsc_status add_part(struct reading *reading, const char *word)
{
    struct nsc_tool_call *call = reading->call;
    uint32_t node;

    if (strcmp(word, "*") == 0) {
        nsc_argv_add_all(&call->words, &call->files);
    } else if (strcmp(word, "+") == 0) {
        nsc_argv_add_all(&call->words, &reading->options);
    } else if (strcmp(word, "--max-bytes") == 0) {
        nsc_argv_printf(&call->words, "--max-bytes=%lld", (long long)call->most);
    } else if (*word == '@') {
        node = nsc_json_find(reading->tree, reading->arguments, word + 1);
        if (!nsc_json_is(reading->tree, node, NSC_JSON_STRING))
            return NSC_ENODATA;
        if (!add_word(&call->words, reading->tree, "", NSC_NONE, node))
            return refuse(reading, word + 1);
    } else
        nsc_argv_add(&call->words, word);
    return NSC_OK;
}

static enum nsc_status add_line(struct reading *reading, const char *line)
{
    struct nsc_text rest = nsc_text_from(line);
    enum nsc_status status = NSC_OK;
    char word[40];

    reading->call->is_json = strstr(line, "--format=json") != NULL;
    while (rest.n && status == NSC_OK) {
        struct nsc_text part = nsc_text_split(&rest, ' ');

        (void)snprintf(word, sizeof word, "%.*s", (int)part.n, part.bytes);
        status = add_part(reading, word);
    }
    if (status == NSC_ENODATA)
        (void)snprintf(reading->missing, sizeof reading->missing, "%s", word + 1);
    return status;
}

static enum nsc_status read_call(struct reading *reading, const struct nsc_argv *files)
{
    struct nsc_tool_call *call = reading->call;
    enum nsc_status status = NSC_OK;

    if (nsc_json_is(reading->tree, reading->arguments, NSC_JSON_OBJECT))
        status = read_arguments(reading);
    else if (reading->arguments != NSC_NONE)
        return nsc_fail(reading->error, NSC_EINVAL, "give arguments, an object");
    if (status != NSC_OK)
        return status;
    if (call->files.words.n == 0 && strchr(reading->tool->line, '*'))
        nsc_argv_add_all(&call->files, files);
    if (call->files.words.n == 0 && !reading->tool->list && strchr(reading->tool->line, '*'))
        return refuse(reading, "files");
    status = add_line(reading, reading->tool->line);
    if (status != NSC_ENODATA)
        return status;
    if (!reading->tool->list)
        return refuse(reading, reading->missing);
    nsc_tool_call_fini(call);
    return add_line(reading, reading->tool->list);
}

enum nsc_status nsc_tool_call_parse(struct nsc_tool_call *call, struct nsc_text name,
                                    const struct nsc_json_tree *tree, uint32_t arguments,
                                    const struct nsc_argv *files, struct nsc_error *error)
{
    struct reading reading = {.call = call, .tree = tree, .arguments = arguments, .error = error};
    uint32_t node = 1;
    size_t i = 0;
    enum nsc_status status;

    *call = (struct nsc_tool_call){.most = NSC_TOOL_BYTES};
    status = nsc_json_parse(&reading.schema, nsc_text_from(nsc_tool_files[0].text), error);
    while (i < sizeof tools / sizeof *tools && !nsc_text_is(name, tools[i].name)) {
        node = reading.schema.nodes[node].next; /* the tools have one order */
        i++;
    }
    if (status == NSC_OK && i == sizeof tools / sizeof *tools)
        status = NSC_ENODATA;
    if (status == NSC_OK) {
        reading.tool = &tools[i];
        node = nsc_json_find(&reading.schema, node, "inputSchema");
        reading.properties = nsc_json_find(&reading.schema, node, "properties");
        status = read_call(&reading, files);
    }
    nsc_json_fini(&reading.schema);
    nsc_argv_fini(&reading.options);
    if (status != NSC_OK)
        nsc_tool_call_fini(call);
    return status;
}

bool nsc_tool_words(struct nsc_argv *out, const struct nsc_json_tree *tree, uint32_t node)
{
    return nsc_json_is(tree, node, NSC_JSON_ARRAY) && add_all(out, tree, "", node);
}

void nsc_tool_call_fini(struct nsc_tool_call *call)
{
    nsc_argv_fini(&call->words);
    nsc_argv_fini(&call->files);
    nsc_argv_fini(&call->environment);
    for (int i = 0; call->has_fds && i < NSC_LINE_FDS; i++)
        (void)close(call->fds[i]);
    call->has_fds = false;
}
