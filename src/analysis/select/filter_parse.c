/* Parses a line of words into a filter, or names the error and its place. */
#include "analysis/names/pattern.h"
#include "analysis/select/filter_data.h"
#include "core/die.h"
#include "core/text.h"
#include "core/units.h"
#include "core/vec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct nsc_filter_form nsc_filter_forms[NSC_N_FILTER_FIELDS] = {
    [NSC_FILTER_NAME] = {"name:", NSC_FILTER_TEXT, "names that hold a word: name:gemm,attn"},
    [NSC_FILTER_EXACT] = {"name=", NSC_FILTER_TEXT, "exactly this name: name=\"memcpy\""},
    [NSC_FILTER_REGEX] = {"name~", NSC_FILTER_PATTERN, "names by regular expression: name~^void"},
    [NSC_FILTER_KIND] = {"kind:", NSC_FILTER_WORD, "kinds of events: kind:kernel,copy"},
    [NSC_FILTER_LONGER] = {"dur>", NSC_FILTER_DURATION, "longer than: dur>100us"},
    [NSC_FILTER_SHORTER] = {"dur<", NSC_FILTER_DURATION, "shorter than: dur<2ms"},
    [NSC_FILTER_RANK] = {"rank:", NSC_FILTER_TEXT, "of one of several exports: rank:1"},
    [NSC_FILTER_GPU] = {"gpu:", NSC_FILTER_NUMBER, "on a device: gpu:0"},
    [NSC_FILTER_STREAM] = {"stream:", NSC_FILTER_NUMBER, "on a stream: stream:7,21"},
    [NSC_FILTER_PID] = {"pid:", NSC_FILTER_NUMBER, "of a process: pid:111"},
    [NSC_FILTER_TID] = {"tid:", NSC_FILTER_NUMBER, "of a thread: tid:9"},
    [NSC_FILTER_DOMAIN] = {"domain:", NSC_FILTER_TEXT, "NVTX of a domain: domain:NCCL"},
    [NSC_FILTER_NVTX] = {"nvtx:", NSC_FILTER_TEXT, "inside an NVTX range: nvtx:forward"},
    [NSC_FILTER_CAPTURED] = {"captured:", NSC_FILTER_TEXT,
                             "work of graphs captured in an NVTX range: captured:layer_3"},
    [NSC_FILTER_TIME] = {"time:", NSC_FILTER_WINDOW, "at a time: time:39s..42s"},
};

struct parser {
    struct nsc_filter *filter;
    struct nsc_text text;
    uint32_t at;
    uint32_t *column;
    struct nsc_error *error;
};

static enum nsc_status fail_at(struct parser *parser, uint32_t at, const char *what)
{
    if (parser->column)
        *parser->column = at;
    return nsc_fail(parser->error, NSC_EINVAL, "filter, column %u: %s", at + 1, what);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool more(const struct parser *parser)
{
    return parser->at < parser->text.n;
}

static char peek(const struct parser *parser)
{
    if (!more(parser))
        return '\0';
    return parser->text.bytes[parser->at];
}

static bool at_end_of_term(const struct parser *parser)
{
    return !more(parser) || is_space(peek(parser));
}

/* ---- values ---- */

static enum nsc_status read_quoted(struct parser *parser, struct nsc_text *out)
{
    uint32_t begin = parser->at++;
    char *bytes = nsc_arena_add(&parser->filter->arena, parser->text.n - begin);
    uint32_t n = 0;

    while (more(parser) && peek(parser) != '"') {
        if (peek(parser) == '\\' && parser->at + 1 < parser->text.n &&
            strchr("\"\\", parser->text.bytes[parser->at + 1]) &&
            parser->text.bytes[parser->at + 1] != '\0')
            parser->at++;
        bytes[n++] = parser->text.bytes[parser->at++];
    }
    if (!more(parser))
        return fail_at(parser, begin, "this quote is not closed");
    parser->at++;
    *out = (struct nsc_text){bytes, n};
    return NSC_OK;
}

static enum nsc_status read_text(struct parser *parser, struct nsc_text *out, bool commas)
{
    uint32_t begin = parser->at;

    if (peek(parser) == '"') {
        enum nsc_status status = read_quoted(parser, out);

        if (status != NSC_OK)
            return status;
        if (!at_end_of_term(parser) && !(commas && peek(parser) == ','))
            return fail_at(parser, parser->at, "a space or a comma must follow the quote");
    } else {
        while (!at_end_of_term(parser) && !(commas && peek(parser) == ','))
            parser->at++;
        out->n = parser->at - begin;
        out->bytes = nsc_arena_copy(&parser->filter->arena, parser->text.bytes + begin, out->n);
    }
    return out->n > 0 ? NSC_OK : fail_at(parser, begin, "a value is missing here");
}

static bool read_time(nsc_time *out, const char *text, enum nsc_units_default unit)
{
    return nsc_units_parse_time(out, text, unit, NULL) == NSC_OK;
}

/* "A..B"; text ends in a NUL and is cut at the dots. */
static bool read_window(struct nsc_window *out, char *text)
{
    char *dots = strstr(text, "..");

    *out = (struct nsc_window){INT64_MIN, INT64_MAX};
    if (!dots || (dots == text && dots[2] == '\0'))
        return false;
    *dots = '\0';
    if (dots > text && !read_time(&out->t0, text, NSC_UNITS_S))
        return false;
    if (dots[2] && !read_time(&out->t1, dots + 2, NSC_UNITS_S))
        return false;
    return out->t0 < out->t1;
}

static bool read_number(int64_t *out, const char *text)
{
    char *end = NULL;

    errno = 0;
    *out = strtoll(text, &end, 10);
    return nsc_is_digit(text[*text == '-']) && !*end && errno == 0;
}

static bool is_kind_word(struct nsc_text text)
{
    for (int kind = 0; kind < NSC_N_KINDS; kind++)
        if (nsc_text_is(text, nsc_kind_word((enum nsc_kind)kind)))
            return true;
    return false;
}

/* Converts a value to its type; returns the error, or NULL. */
static const char *convert_value(struct nsc_filter_value *value, enum nsc_filter_type type,
                                 struct nsc_arena *arena)
{
    char *text = nsc_arena_copy(arena, value->text.bytes, value->text.n);

    if (type == NSC_FILTER_TEXT || type == NSC_FILTER_PATTERN)
        return NULL;
    if (memchr(text, '\0', value->text.n))
        return "this is no value";
    if (type == NSC_FILTER_WORD)
        return is_kind_word(value->text) ? NULL : "no such kind; try kernel, copy, api, nvtx, os";
    if (type == NSC_FILTER_NUMBER)
        return read_number(&value->number, text) ? NULL : "a whole number is wanted here";
    if (type == NSC_FILTER_DURATION)
        return read_time(&value->number, text, NSC_UNITS_NS) ? NULL
                                                             : "a duration like 100us is wanted";
    return read_window(&value->window, text) ? NULL : "a window like 39s..42s is wanted here";
}

/* ---- regular expressions ---- */

/*
 * Whether only ".*" can match a digit. Then all numbers match alike, and one text decides for all
 * texts of its template. "a.+b" counts characters; "[^x]" and "\w" match digits.
 */
static bool pattern_skips_digits(struct nsc_text pattern)
{
    for (uint32_t i = 0; i < pattern.n; i++) {
        char c = pattern.bytes[i];
        bool last = i + 1 == pattern.n;

        if (strchr("[{\\", c) || (c >= '0' && c <= '9'))
            return false;
        if (c == '.' && (last || pattern.bytes[i + 1] != '*'))
            return false;
    }
    return true;
}

static const char *compile_pattern(struct nsc_filter_term *term)
{
    term->skips_digits = pattern_skips_digits(term->values[0].text);
    return nsc_pattern_compile(&term->regex, term->values[0].text, true);
}

/* ---- terms ---- */

static enum nsc_status read_values(struct parser *parser, struct nsc_filter_term *term)
{
    enum nsc_filter_type type = nsc_filter_forms[term->field].type;
    bool commas = type != NSC_FILTER_PATTERN && type != NSC_FILTER_DURATION;
    NSC_VEC(struct nsc_filter_value) values = {0};
    enum nsc_status status = NSC_OK;

    for (bool again = true; again && status == NSC_OK;) {
        struct nsc_filter_value value = {.text = {NULL, 0}};
        uint32_t begin = parser->at;
        const char *wrong = NULL;

        status = read_text(parser, &value.text, commas);
        if (status == NSC_OK && values.n == NSC_FILTER_VALUES)
            status = fail_at(parser, begin, "too many values");
        if (status == NSC_OK)
            wrong = convert_value(&value, type, &parser->filter->arena);
        if (wrong)
            status = fail_at(parser, begin, wrong);
        *NSC_VEC_ADD(&values) = value;
        again = peek(parser) == ',' && !at_end_of_term(parser);
        parser->at += again;
    }
    term->n = (uint32_t)values.n;
    term->values = NSC_ARENA_ARRAY(&parser->filter->arena, struct nsc_filter_value, values.n);
    memcpy(term->values, values.at, values.n * sizeof *values.at);
    NSC_VEC_FINI(&values);
    return status;
}

/* Whether the next word is the unit of a duration that ends here, "5 us", or begins one: "5 u". */
static bool is_unit_next(const struct parser *parser)
{
    const char *word = parser->text.bytes + parser->at;
    uint32_t left = parser->text.n - parser->at;
    char text[8], whole[sizeof text + 1];

    for (; left > 0 && is_space(*word); left--)
        word++;
    (void)snprintf(text, sizeof text, "1%.*s", (int)(left < 4 ? left : 4), word);
    text[1 + strcspn(text + 1, " \t")] = '\0';
    (void)snprintf(whole, sizeof whole, "%ss", text);
    return text[1] && !nsc_is_digit(text[1]) && text[1] != '.' &&
           (nsc_units_parse_time(&(nsc_time){0}, text, NSC_UNITS_NS, NULL) == NSC_OK ||
            nsc_units_parse_time(&(nsc_time){0}, whole, NSC_UNITS_NS, NULL) == NSC_OK);
}

/* Whether a key begins here; "std::sort" is a word, not a key. */
static bool read_key(struct parser *parser, enum nsc_filter_field *out)
{
    const char *here = parser->text.bytes + parser->at;
    size_t left = parser->text.n - parser->at;

    for (int field = 0; field < NSC_N_FILTER_FIELDS; field++) {
        const char *key = nsc_filter_forms[field].key;
        size_t n = strlen(key);

        if (left < n || memcmp(here, key, n) != 0)
            continue;
        if (key[n - 1] == ':' && left > n && here[n] == ':')
            continue;
        *out = (enum nsc_filter_field)field;
        parser->at += (uint32_t)n;
        return true;
    }
    return false;
}

/* Whether a word of letters before a single colon was meant as a key. */
static bool is_unknown_key(const struct parser *parser)
{
    uint32_t i = parser->at;
    const char *bytes = parser->text.bytes;

    while (i < parser->text.n &&
           ((bytes[i] >= 'a' && bytes[i] <= 'z') || (bytes[i] >= 'A' && bytes[i] <= 'Z')))
        i++;
    return i > parser->at && i < parser->text.n && bytes[i] == ':' &&
           !(i + 1 < parser->text.n && bytes[i + 1] == ':');
}

static enum nsc_status read_term(struct parser *parser)
{
    struct nsc_filter_term *term = &parser->filter->terms[parser->filter->n];
    uint32_t begin = parser->at;
    enum nsc_status status = NSC_OK;
    const char *wrong = NULL;

    if (parser->filter->n == NSC_FILTER_TERMS)
        return fail_at(parser, begin, "too many terms");
    *term = (struct nsc_filter_term){
        .field = NSC_FILTER_NAME, .negated = peek(parser) == '!', .begin = begin};
    parser->at += term->negated;
    if (!read_key(parser, &term->field) && is_unknown_key(parser))
        return fail_at(parser, parser->at,
                       "no such key; there are name, kind, dur, rank, gpu, stream, pid, tid, "
                       "nvtx, captured, domain, time (quote a name that holds a colon)");
    begin = parser->at;
    status = read_values(parser, term);
    if (status != NSC_OK)
        return status;
    if (term->field == NSC_FILTER_REGEX)
        wrong = compile_pattern(term);
    if (nsc_filter_forms[term->field].type == NSC_FILTER_DURATION &&
        nsc_is_digit(parser->text.bytes[parser->at - 1]) && is_unit_next(parser))
        wrong = "write the unit without a space, as in 100us";
    if (wrong)
        return fail_at(parser, begin, wrong);
    term->end = parser->at;
    parser->filter->n++;
    return NSC_OK;
}

enum nsc_status nsc_filter_parse_at(struct nsc_filter **out, struct nsc_text text, uint32_t *column,
                                    struct nsc_error *error)
{
    struct parser parser = {.text = text, .error = error};
    enum nsc_status status = NSC_OK;

    parser.column = column;
    *out = NULL;
    if (text.n > NSC_FILTER_BYTES)
        return fail_at(&parser, NSC_FILTER_BYTES, "the filter is too long");
    parser.filter = nsc_xcalloc(1, sizeof *parser.filter);
    while (status == NSC_OK) {
        while (more(&parser) && is_space(peek(&parser)))
            parser.at++;
        if (!more(&parser))
            break;
        status = read_term(&parser);
    }
    if (status == NSC_OK)
        *out = parser.filter;
    else
        nsc_filter_free(parser.filter);
    return status;
}

enum nsc_status nsc_filter_parse(struct nsc_filter **out, struct nsc_text text,
                                 struct nsc_error *error)
{
    return nsc_filter_parse_at(out, text, NULL, error);
}

void nsc_filter_free(struct nsc_filter *filter)
{
    if (!filter)
        return;
    for (uint32_t i = 0; i < filter->n; i++) {
        if (!filter->terms[i].regex)
            continue;
        regfree(filter->terms[i].regex);
        free(filter->terms[i].regex);
    }
    nsc_arena_fini(&filter->arena);
    free(filter);
}

bool nsc_filter_is_empty(const struct nsc_filter *filter)
{
    return filter->n == 0;
}
