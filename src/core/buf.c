/*
 * Builds byte strings up to a limit, and reports what did not fit.
 */
#include "core/buf.h"

#include "core/die.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { CAPACITY_MIN = 8 };
#else
enum { CAPACITY_MIN = 64 };
#endif

/* Makes room for n more bytes and the NUL. */
static void grow(struct nsc_buf *buf, size_t n)
{
    size_t need = buf->n + n + 1;
    size_t capacity = buf->capacity ? buf->capacity : CAPACITY_MIN;

    if (need < buf->n || need > SIZE_MAX / 2)
        nsc_die_oom();
    if (need <= buf->capacity)
        return;
    while (capacity < need)
        capacity *= 2;
    buf->bytes = nsc_xrealloc(buf->bytes, capacity, 1);
    buf->capacity = capacity;
}

void nsc_buf_fini(struct nsc_buf *buf)
{
    free(buf->bytes);
    *buf = (struct nsc_buf)NSC_BUF_INIT(buf->limit);
}

void nsc_buf_clear(struct nsc_buf *buf)
{
    grow(buf, 0);
    buf->n = 0;
    buf->bytes[0] = '\0';
    buf->overflow = false;
}

void nsc_buf_add(struct nsc_buf *buf, const char *bytes, size_t n)
{
    size_t left = buf->limit - buf->n;

    assert(buf->n <= buf->limit);
    if (n > left) {
        buf->overflow = true;
        n = left;
    }
    if (n >= buf->capacity - buf->n)
        grow(buf, n);
    if (n)
        memcpy(buf->bytes + buf->n, bytes, n);
    buf->n += n;
    buf->bytes[buf->n] = '\0';
}

void nsc_buf_join(struct nsc_buf *buf, const struct nsc_buf *other)
{
    nsc_buf_add(buf, other->bytes, other->n);
    buf->overflow |= other->overflow;
}

char *nsc_buf_reserve(struct nsc_buf *buf, size_t n)
{
    char *at;

    if (n > buf->limit - buf->n) {
        buf->overflow = true;
        return NULL;
    }
    grow(buf, n);
    at = buf->bytes + buf->n;
    buf->n += n;
    buf->bytes[buf->n] = '\0';
    return at;
}

void nsc_buf_puts(struct nsc_buf *buf, const char *text)
{
    nsc_buf_add(buf, text, strlen(text));
}

void nsc_buf_putc(struct nsc_buf *buf, char c)
{
    if (buf->n >= buf->limit || buf->n + 2 > buf->capacity) {
        nsc_buf_add(buf, &c, 1);
        return;
    }
    buf->bytes[buf->n++] = c; /* the usual case: there is room */
    buf->bytes[buf->n] = '\0';
}

/* Two digits at a time: half of the divisions. */
void nsc_buf_int(struct nsc_buf *buf, int64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char digits[20];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;

    for (; rest >= 10; rest /= 100) {
        const char *pair = pairs + rest % 100 * 2;

        digits[--at] = pair[1];
        digits[--at] = pair[0];
    }
    if (rest > 0 || at == sizeof digits)
        digits[--at] = (char)('0' + rest);
    if (value < 0)
        digits[--at] = '-';
    nsc_buf_add(buf, digits + at, sizeof digits - at);
}

void nsc_buf_base64(struct nsc_buf *buf, const char *bytes, size_t n)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *at = nsc_buf_reserve(buf, (n + 2) / 3 * 4);

    for (size_t i = 0; at && i < n; i += 3) {
        uint32_t bits = 0;

        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < n ? (unsigned char)bytes[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            *at++ = i + k <= n ? alphabet[bits >> (18 - 6 * k) & 63] : '=';
    }
}

void nsc_buf_number(struct nsc_buf *buf, double value, unsigned decimals)
{
    size_t begin = buf->n;

    if (decimals != NSC_ALL_DIGITS)
        nsc_buf_printf(buf, "%.*f", (int)decimals, value);
    for (int digits = 15; decimals == NSC_ALL_DIGITS && digits <= 17; digits++) {
        buf->n = begin;
        nsc_buf_printf(buf, "%.*g", digits, value);
        if (!(strtod(buf->bytes + begin, NULL) < value || strtod(buf->bytes + begin, NULL) > value))
            break;
    }
}

void nsc_buf_printf(struct nsc_buf *buf, const char *format, ...)
{
    char small[256];
    char *text = small;
    va_list args;
    va_list again;
    int n = 0;

    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    assert(n >= 0);
    if ((size_t)n >= sizeof small) {
        text = nsc_xmalloc((size_t)n + 1);
        n = vsnprintf(text, (size_t)n + 1, format, again);
        assert(n >= 0);
    }
    va_end(again);
    nsc_buf_add(buf, text, (size_t)n);
    if (text != small)
        free(text);
}
