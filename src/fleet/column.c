/* Writes and reads columns of integers. */
#include "fleet/column.h"

#include "core/chars.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

enum { BITS = 5, MORE = 1 << BITS, WORTH = 3 /* a shorter run is written out */ };

static void put_number(struct nsc_buf *out, uint64_t value)
{
    for (; value >= MORE; value >>= BITS)
        nsc_buf_putc(out, alphabet[MORE + (value & (MORE - 1))]);
    nsc_buf_putc(out, alphabet[value]);
}

static uint64_t fold_sign(uint64_t difference)
{
    return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

void nsc_column_put(struct nsc_buf *out, const int64_t values[], size_t n)
{
    uint64_t before = 0;

    for (size_t i = 0; i < n;) {
        uint64_t difference = (uint64_t)values[i] - before;
        size_t end = i + 1;

        while (end < n && (uint64_t)values[end] - (uint64_t)values[end - 1] == difference)
            end++;
        put_number(out, fold_sign(difference));
        if (end - i > WORTH) {
            nsc_buf_putc(out, '*');
            put_number(out, end - i - 1);
        } else {
            end = i + 1;
        }
        before = (uint64_t)values[end - 1];
        i = end;
    }
}

/* -1: no character of a column. */
static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (nsc_is_digit(c))
        return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

static bool get_number(uint64_t *out, struct nsc_text text, uint32_t *at)
{
    *out = 0;
    for (unsigned shift = 0; *at < text.n && shift < 64; shift += BITS) {
        int digit = digit_of(text.bytes[(*at)++]);

        if (digit < 0)
            return false;
        *out |= (uint64_t)(digit & (MORE - 1)) << shift;
        if (digit < MORE)
            return true;
    }
    return false;
}

size_t nsc_column_get(int64_t out[], size_t most, struct nsc_text text)
{
    uint64_t value = 0;
    uint64_t difference = 0;
    size_t n = 0;

    for (uint32_t at = 0; at < text.n;) {
        bool is_run = n > 0 && text.bytes[at] == '*';
        uint64_t number;

        at += is_run;
        if (!get_number(&number, text, &at))
            return SIZE_MAX;
        if (!is_run)
            difference = number >> 1 ^ (number & 1 ? UINT64_MAX : 0);
        for (uint64_t k = is_run ? number : 1; k > 0; k--) {
            if (n == most)
                return SIZE_MAX;
            value += difference;
            out[n++] = (int64_t)value;
        }
    }
    return n;
}
