/*
 * Writes JSON that every strict parser reads, whatever the names hold.
 */
#include "share/json.h"

#include <assert.h>
#include <inttypes.h>

void nsc_json_init(struct nsc_json *json, struct nsc_buf *out, bool pretty)
{
    json->out = out;
    json->depth = 0;
    json->comma = false;
    json->pretty = pretty;
}

static void break_line(struct nsc_json *json)
{
    if (!json->pretty || json->depth > 3)
        return;
    nsc_buf_putc(json->out, '\n');
    for (unsigned i = 0; i < json->depth; i++)
        nsc_buf_puts(json->out, "  ");
}

/* Length of the valid UTF-8 sequence at p, 0 when there is none. */
static size_t utf8_length(const unsigned char *p, size_t n)
{
    size_t want = p[0] < 0x80   ? 1
                  : p[0] < 0xc2 ? 0
                  : p[0] < 0xe0 ? 2
                  : p[0] < 0xf0 ? 3
                  : p[0] < 0xf5 ? 4
                                : 0;

    if (want == 0 || want > n)
        return 0;
    for (size_t i = 1; i < want; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return want;
}

static void add_string(struct nsc_buf *out, struct nsc_text text)
{
    const unsigned char *p = (const unsigned char *)text.bytes;

    nsc_buf_putc(out, '"');
    for (size_t i = 0; i < text.n;) {
        size_t n = utf8_length(p + i, text.n - i);

        if (n == 0)
            nsc_buf_puts(out, "\xef\xbf\xbd");
        else if (p[i] == '"' || p[i] == '\\')
            nsc_buf_printf(out, "\\%c", p[i]);
        else if (p[i] < 0x20 || p[i] == 0x7f)
            nsc_buf_printf(out, "\\u%04x", p[i]);
        else if (n == 3 && p[i] == 0xe2 && p[i + 1] == 0x80 && (p[i + 2] & 0xfe) == 0xa8)
            nsc_buf_printf(out, "\\u20%02x", p[i + 2] == 0xa8 ? 0x28 : 0x29); /* U+2028, U+2029 */
        else
            nsc_buf_add(out, text.bytes + i, n);
        i += n ? n : 1;
    }
    nsc_buf_putc(out, '"');
}

static void begin_value(struct nsc_json *json, const char *key)
{
    if (json->comma)
        nsc_buf_putc(json->out, ',');
    if (json->depth)
        break_line(json);
    if (key) {
        add_string(json->out, nsc_text_from(key));
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
    if (json->comma)
        break_line(json);
    nsc_buf_putc(json->out, bracket);
    json->comma = true;
    if (json->depth == 0)
        nsc_buf_putc(json->out, '\n');
}

void nsc_json_text(struct nsc_json *json, const char *key, struct nsc_text value)
{
    begin_value(json, key);
    add_string(json->out, value);
}

void nsc_json_puts(struct nsc_json *json, const char *key, const char *value)
{
    nsc_json_text(json, key, nsc_text_from(value));
}

void nsc_json_int(struct nsc_json *json, const char *key, int64_t value)
{
    begin_value(json, key);
    nsc_buf_printf(json->out, "%" PRId64, value);
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
