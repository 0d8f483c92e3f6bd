/*
 * Writes CSV fields: quoted where needed, never a formula.
 */
#include "share/csv.h"

#include "core/text.h"

#include <inttypes.h>
#include <string.h>

static bool is_formula(struct nsc_text text)
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

void nsc_csv_text(struct nsc_buf *out, bool first, struct nsc_text value)
{
    struct nsc_buf clean = NSC_BUF_INIT(8u << 20);
    bool quote = false;

    if (!first)
        nsc_buf_putc(out, ',');
    nsc_text_clean(&clean, value, false);
    quote = clean.n && strpbrk(clean.bytes, ",\"\r\n") != NULL;
    if (quote)
        nsc_buf_putc(out, '"');
    if (is_formula(value))
        nsc_buf_putc(out, '\'');
    for (size_t i = 0; i < clean.n; i++) {
        if (clean.bytes[i] == '"')
            nsc_buf_putc(out, '"');
        nsc_buf_putc(out, clean.bytes[i]);
    }
    if (quote)
        nsc_buf_putc(out, '"');
    nsc_buf_fini(&clean);
}

void nsc_csv_int(struct nsc_buf *out, bool first, int64_t value)
{
    if (!first)
        nsc_buf_putc(out, ',');
    nsc_buf_printf(out, "%" PRId64, value);
}

void nsc_csv_end(struct nsc_buf *out)
{
    nsc_buf_putc(out, '\n');
}
