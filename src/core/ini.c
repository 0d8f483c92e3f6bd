/*
 * Reads sections, keys and values line by line and calls back for each.
 */
#include "core/ini.h"

#include "core/text.h"

#include <string.h>

/* The line without its comment. At the start of a line every '#' begins one; later only after white
 * space and without a hex digit behind it, so that colours are values. */
static struct nsc_text strip_comment(struct nsc_text line)
{
    struct nsc_text start = nsc_text_trim(line);

    if (start.n && start.bytes[0] == '#')
        line.n = 0;
    for (uint32_t i = 1; i < line.n; i++) {
        bool value = i + 1 < line.n && nsc_hex_digit(line.bytes[i + 1]) >= 0;

        if (line.bytes[i] == '#' && nsc_is_blank(line.bytes[i - 1]) && !value)
            line.n = i;
    }
    return nsc_text_trim(line);
}

/* Parses a line. Returns what is wrong with it; NULL for a section (sets *section) and for an
 * entry. */
static const char *parse_line(struct nsc_ini_entry *out, struct nsc_text line, bool *is_entry)
{
    const char *equals = memchr(line.bytes, '=', line.n);
    uint32_t at = 0;

    *is_entry = false;
    if (line.bytes[0] == '[') {
        if (line.bytes[line.n - 1] != ']')
            return "a section needs a ']' at its end";
        out->section = nsc_text_trim((struct nsc_text){line.bytes + 1, line.n - 2});
        return NULL;
    }
    if (!equals)
        return "neither a [section] nor key = value";
    at = (uint32_t)(equals - line.bytes);
    out->key = nsc_text_trim((struct nsc_text){line.bytes, at});
    out->value = nsc_text_trim((struct nsc_text){equals + 1, line.n - at - 1});
    if (out->key.n == 0)
        return "no key before '='";
    *is_entry = true;
    return NULL;
}

static void skip_byte_order_mark(struct nsc_text *text)
{
    if (nsc_text_begins(*text, "\xEF\xBB\xBF")) {
        text->bytes += 3;
        text->n -= 3;
    }
}

void nsc_ini_parse(struct nsc_text text,
                   void (*entry)(void *context, const struct nsc_ini_entry *entry),
                   void (*warning)(void *context, unsigned line, const char *what), void *context)
{
    struct nsc_ini_entry current = {{"", 0}, {"", 0}, {"", 0}, 0};

    skip_byte_order_mark(&text);
    while (text.n) {
        struct nsc_text line = strip_comment(nsc_text_split(&text, '\n'));
        const char *what = NULL;
        bool is_entry = false;

        current.line++;
        if (line.n == 0)
            continue;
        what = parse_line(&current, line, &is_entry);
        if (is_entry)
            entry(context, &current);
        else if (what && warning)
            warning(context, current.line, what);
    }
}
