/*
 * Splits comma-separated text into rows and fields.
 */
#include "core/csv_read.h"

#include <string.h>

void nsc_csv_init(struct nsc_csv *csv, const char *bytes, size_t n)
{
    size_t skip = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    *csv = (struct nsc_csv){.at = bytes + skip, .end = bytes + n, .bytes = NSC_BUF_INIT(SIZE_MAX)};
}

void nsc_csv_fini(struct nsc_csv *csv)
{
    nsc_buf_fini(&csv->bytes);
    NSC_VEC_FINI(&csv->ends);
}

/* Reads a quoted part: starts after the opening quote, stops after the closing one. */
static void take_quoted(struct nsc_csv *csv)
{
    while (csv->at < csv->end) {
        const char *quote = memchr(csv->at, '"', (size_t)(csv->end - csv->at));
        const char *stop = quote ? quote : csv->end;

        for (const char *c = csv->at; c < stop; c++)
            csv->lines += *c == '\n';
        nsc_buf_add(&csv->bytes, csv->at, (size_t)(stop - csv->at));
        csv->at = quote ? quote + 1 : csv->end;
        if (!quote || csv->at == csv->end || *csv->at != '"')
            return;
        nsc_buf_putc(&csv->bytes, '"');
        csv->at++;
    }
}

static void take_plain(struct nsc_csv *csv)
{
    const char *from = csv->at;

    while (csv->at < csv->end && *csv->at != ',' && *csv->at != '\n')
        csv->at++;
    nsc_buf_add(&csv->bytes, from, (size_t)(csv->at - from));
}

/* Reads a field. True if another one follows in the row. */
static bool take_field(struct nsc_csv *csv)
{
    size_t begin = csv->bytes.n;
    bool more = false;

    if (csv->at < csv->end && *csv->at == '"') {
        csv->at++;
        take_quoted(csv);
        begin = csv->bytes.n;
    }
    take_plain(csv);
    more = csv->at < csv->end && *csv->at == ',';
    if (!more && csv->bytes.n > begin && csv->bytes.bytes[csv->bytes.n - 1] == '\r')
        csv->bytes.n--; /* drops the CR of a CRLF; a CR in quotes stays */
    if (csv->at < csv->end)
        csv->at++;
    *NSC_VEC_ADD(&csv->ends) = csv->bytes.n;
    return more;
}

bool nsc_csv_next(struct nsc_csv *csv)
{
    if (csv->at >= csv->end)
        return false;
    nsc_buf_clear(&csv->bytes);
    NSC_VEC_CLEAR(&csv->ends);
    csv->line = ++csv->lines;
    while (take_field(csv))
        ;
    return true;
}

uint32_t nsc_csv_fields(const struct nsc_csv *csv)
{
    return (uint32_t)csv->ends.n;
}

struct nsc_text nsc_csv_field(const struct nsc_csv *csv, uint32_t i)
{
    size_t from = i > 0 && i < csv->ends.n ? csv->ends.at[i - 1] : 0;

    if (i >= csv->ends.n || csv->ends.at[i] == from)
        return (struct nsc_text){"", 0};
    return (struct nsc_text){csv->bytes.bytes + from, (uint32_t)(csv->ends.at[i] - from)};
}
