/*
 * Splits texts into a template and its counters, and joins them again.
 */
#include "index/fold.h"

#include "core/chars.h"

#include <string.h>

static bool pack(struct nsc_fold *fold, uint64_t value)
{
    uint8_t packed[NSC_FOLD_VARINT];
    uint8_t n = nsc_fold_pack(packed, value);

    if (fold->counters == UINT8_MAX || fold->packed_n + n > NSC_FOLD_BYTES)
        return false;
    fold->counters++;
    memcpy(fold->packed + fold->packed_n, packed, n);
    fold->packed_n = (uint8_t)(fold->packed_n + n);
    return true;
}

/* Adds one group of n digits. */
static bool fold_digits(struct nsc_fold *fold, const char *digits, uint32_t n)
{
    uint64_t value = 0;

    if (n > NSC_FOLD_DIGITS || (digits[0] == '0' && n > 1)) {
        memcpy(fold->text + fold->n, digits, n);
        fold->n += n;
        return true;
    }
    for (uint32_t i = 0; i < n; i++)
        value = value * 10 + (uint64_t)(digits[i] - '0');
    fold->text[fold->n++] = NSC_COUNTER_BYTE;
    return pack(fold, value);
}

/* Counts the bytes from `at` on that are neither digits nor NSC_COUNTER_BYTE. */
static uint32_t measure_plain(struct nsc_text text, uint32_t at)
{
    uint32_t n = at;

    while (n < text.n && !nsc_is_digit(text.bytes[n]) && text.bytes[n] != NSC_COUNTER_BYTE)
        n++;
    return n - at;
}

static uint32_t measure_digits(struct nsc_text text, uint32_t at)
{
    uint32_t n = at;

    while (n < text.n && nsc_is_digit(text.bytes[n]))
        n++;
    return n - at;
}

bool nsc_fold_text(struct nsc_fold *out, struct nsc_text text)
{
    uint32_t at = 0;

    out->n = out->counters = out->packed_n = 0;
    while (at < text.n) {
        uint32_t plain = measure_plain(text, at);
        uint32_t digits = measure_digits(text, at + plain);

        if (plain)
            memcpy(out->text + out->n, text.bytes + at, plain);
        out->n += plain;
        at += plain;
        if (digits ? !fold_digits(out, text.bytes + at, digits) : at < text.n)
            return false;
        at += digits;
    }
    return out->counters > 0;
}

static uint64_t unpack(const uint8_t **packed)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = *(*packed)++;

        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return value;
}

uint32_t nsc_fold_expand(char out[NSC_NAME_BYTES], struct nsc_text text, const uint8_t packed[])
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < text.n && n < NSC_NAME_BYTES; i++) {
        char digits[20];
        uint32_t first = sizeof digits;
        uint64_t value = 0;

        if (text.bytes[i] != NSC_COUNTER_BYTE) {
            out[n++] = text.bytes[i];
            continue;
        }
        value = unpack(&packed);
        do
            digits[--first] = (char)('0' + value % 10);
        while (value /= 10);
        while (first < sizeof digits && n < NSC_NAME_BYTES)
            out[n++] = digits[first++];
    }
    return n;
}
