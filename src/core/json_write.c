/*
 * Writes JSON that every strict parser reads, whatever bytes the names hold.
 */
#include "core/json_write.h"

#include "core/chars.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

void nsc_json_init(struct nsc_json *json, struct nsc_buf *out, bool pretty)
{
    json->out = out;
    json->depth = 0;
    json->comma = false;
    json->lines = pretty ? 3 : 0;
    json->pretty = pretty;
}

static void break_line(struct nsc_json *json)
{
    nsc_buf_putc(json->out, '\n');
    for (unsigned i = 0; i < json->depth; i++)
        nsc_buf_puts(json->out, "  ");
}

static void add_escape(struct nsc_buf *out, uint32_t c)
{
    if (c > 0xffff) {
        nsc_buf_printf(out, "\\u%04x", (unsigned)(0xd800 + ((c - 0x10000) >> 10)));
        c = 0xdc00 + ((c - 0x10000) & 0x3ff);
    }
    nsc_buf_printf(out, "\\u%04x", (unsigned)c);
}

/*
 * Adds one character; U+FFFD for a byte that begins none. Characters unsafe for a terminal
 * (controls, bidi, invisible) are escaped: the same string to a parser, harmless on a screen.
 * Returns the bytes taken.
 */
static size_t add_char(struct nsc_buf *out, const char *bytes, size_t n)
{
    uint32_t c = 0;
    size_t length = nsc_char_decode(&c, bytes, n);
    enum nsc_char_class class = nsc_char_class(c);

    if (length == 0)
        nsc_buf_puts(out, "\xef\xbf\xbd");
    else if (c == '"' || c == '\\')
        nsc_buf_printf(out, "\\%c", (int)c);
    else if (class == NSC_CHAR_PICTURE || class == NSC_CHAR_CODE)
        add_escape(out, c);
    else
        nsc_buf_add(out, bytes, length);
    return length ? length : 1;
}

/* The number of bytes before the next one that needs an escape: printable ASCII except quotes and
 * backslashes. */
static size_t count_plain(const char *bytes, size_t n)
{
    size_t i = 0;

    while (i < n && bytes[i] >= ' ' && bytes[i] <= '~' && bytes[i] != '"' && bytes[i] != '\\')
        i++;
    return i;
}

void nsc_json_string(struct nsc_buf *out, struct nsc_text text)
{
    nsc_buf_putc(out, '"');
    for (size_t i = 0; i < text.n;) {
        size_t n = count_plain(text.bytes + i, text.n - i);

        if (n)
            nsc_buf_add(out, text.bytes + i, n);
        else
            n = add_char(out, text.bytes + i, text.n - i);
        i += n;
    }
    nsc_buf_putc(out, '"');
}

static void begin_value(struct nsc_json *json, const char *key)
{
    if (json->comma)
        nsc_buf_putc(json->out, ',');
    if (json->depth && json->depth <= json->lines)
        break_line(json);
    if (key) {
        nsc_json_string(json->out, nsc_text_from(key));
        nsc_buf_puts(json->out, json->pretty ? ": " : ":");
    }
    json->comma = true;
}

void nsc_json_open(struct nsc_json *json, const char *key, char bracket)
{
    begin_value(json, key);
    nsc_buf_putc(json->out, bracket);
    json->depth++;
    json->comma = false;
}

void nsc_json_close(struct nsc_json *json, char bracket)
{
    assert(json->depth > 0);
    json->depth--;
    if (json->comma && json->depth < json->lines)
        break_line(json);
    nsc_buf_putc(json->out, bracket);
    json->comma = true;
    if (json->depth == 0)
        nsc_buf_putc(json->out, '\n');
}

void nsc_json_text(struct nsc_json *json, const char *key, struct nsc_text value)
{
    begin_value(json, key);
    nsc_json_string(json->out, value);
}

void nsc_json_puts(struct nsc_json *json, const char *key, const char *value)
{
    nsc_json_text(json, key, nsc_text_from(value));
}

void nsc_json_list(struct nsc_json *json, const char *key, char *const texts[], size_t n)
{
    nsc_json_open(json, key, '[');
    for (size_t i = 0; i < n; i++)
        nsc_json_puts(json, NULL, texts[i]);
    nsc_json_close(json, ']');
}

void nsc_json_int(struct nsc_json *json, const char *key, int64_t value)
{
    begin_value(json, key);
    nsc_buf_int(json->out, value);
}

void nsc_json_uint(struct nsc_json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    nsc_buf_printf(json->out, "%" PRIu64, value);
}

void nsc_json_bool(struct nsc_json *json, const char *key, bool value)
{
    begin_value(json, key);
    nsc_buf_puts(json->out, value ? "true" : "false");
}

void nsc_json_number(struct nsc_json *json, const char *key, double value, unsigned decimals)
{
    if (!isfinite(value)) {
        nsc_json_null(json, key);
        return;
    }
    begin_value(json, key);
    nsc_buf_number(json->out, value, decimals);
}

void nsc_json_null(struct nsc_json *json, const char *key)
{
    begin_value(json, key);
    nsc_buf_puts(json->out, "null");
}
