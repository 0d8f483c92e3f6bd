/*
 * Writes CSV fields: quoted where needed, never a formula.
 */
#include "share/csv.h"

#include "core/text.h"

#include <string.h>

bool nsc_csv_is_formula(struct nsc_text text)
{
    uint32_t i = 0;

    while (i < text.n && text.bytes[i] == ' ')
        i++;
    if (i == text.n)
        return false;
    if (text.n - i >= 3 && memcmp(text.bytes + i, "\xef\xbc", 2) == 0) /* full-width = + - @ */
        return strchr("\x9d\x8b\x8d\xa0", text.bytes[i + 2]) != NULL;
    if (text.n - i >= 3 && memcmp(text.bytes + i, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
        return true;
    return text.bytes[i] == '\0' || strchr("=+-@\t\r", text.bytes[i]) != NULL;
}

static bool holds(struct nsc_text text, char c)
{
    return text.n && memchr(text.bytes, c, text.n) != NULL;
}

/* Doubles each quotation mark. */
static void add_doubled(struct nsc_buf *out, struct nsc_text text)
{
    while (text.n) {
        const char *mark = memchr(text.bytes, '"', text.n);
        uint32_t n = mark ? (uint32_t)(mark - text.bytes) + 1 : text.n;

        nsc_buf_add(out, text.bytes, n);
        if (mark)
            nsc_buf_putc(out, '"');
        text.bytes += n;
        text.n -= n;
    }
}

void nsc_csv_quote(struct nsc_buf *out, const char *before, struct nsc_text text)
{
    bool quote = holds(text, ',') || holds(text, '"') || holds(text, '\n') || holds(text, '\r');

    nsc_buf_puts(out, quote ? "\"" : "");
    nsc_buf_puts(out, before);
    add_doubled(out, text);
    nsc_buf_puts(out, quote ? "\"" : "");
}

void nsc_csv_text(struct nsc_buf *out, bool first, struct nsc_text value, bool is_raw)
{
    struct nsc_buf clean = NSC_BUF_INIT(SIZE_MAX);
    const char *before = !is_raw && nsc_csv_is_formula(value) ? "'" : "";

    if (!first)
        nsc_buf_putc(out, ',');
    if (nsc_text_plain(value) == value.n) {
        nsc_csv_quote(out, before, value);
        return;
    }
    nsc_text_clean(&clean, value, false);
    nsc_csv_quote(out, before, nsc_text_of_buf(&clean));
    nsc_buf_fini(&clean);
}
