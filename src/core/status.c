/*
 * Writes the line of text of an error, safe to show.
 */
#include "nsyscope/status.h"

#include "core/chars.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { RAW_BYTES = 4096 + 1024 }; /* the longest path, and a line about it */

static size_t escape_byte(char out[5], unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";

    out[0] = '\\';
    out[1] = 'x';
    out[2] = digits[byte >> 4];
    out[3] = digits[byte & 15];
    return 4;
}

/* Takes the next character of raw, or one byte escaped. Returns its length in raw. */
static size_t take_character(char shown[5], size_t *n, const char *raw, size_t left)
{
    uint32_t c = 0;
    size_t length = nsc_char_decode(&c, raw, left);
    enum nsc_char_class kind = nsc_char_class(c);

    if (length == 0 || kind == NSC_CHAR_PICTURE || kind == NSC_CHAR_CODE) {
        *n = escape_byte(shown, (unsigned char)raw[0]);
        return 1;
    }
    memcpy(shown, raw, length);
    *n = length;
    return length;
}

/* The bytes that raw takes when it is shown. */
static size_t shown_bytes(const char *raw)
{
    size_t n = 0;

    for (size_t left = strlen(raw); left;) {
        char shown[5];
        size_t shown_n = 0;
        size_t taken = take_character(shown, &shown_n, raw, left);

        n += shown_n;
        raw += taken;
        left -= taken;
    }
    return n;
}

/* Copies raw into out[0, size), control bytes escaped. If it is too long, "..." replaces its
 * middle, because a long path comes first and the cause last. */
static void copy_safe(char *out, size_t size, const char *raw)
{
    static const char dots[] = "...";
    size_t all = shown_bytes(raw);
    size_t room = (size - sizeof dots) / 2; /* for either end */
    size_t seen = 0;
    size_t n = 0;
    bool cut = false;

    for (size_t left = strlen(raw); left;) {
        char shown[5];
        size_t shown_n = 0;
        size_t taken = take_character(shown, &shown_n, raw, left);

        if (all < size || seen + shown_n <= room || all - seen <= room) {
            memcpy(out + n, shown, shown_n);
            n += shown_n;
        } else if (!cut) {
            memcpy(out + n, dots, sizeof dots - 1);
            n += sizeof dots - 1;
            cut = true;
        }
        seen += shown_n;
        raw += taken;
        left -= taken;
    }
    out[n] = '\0';
}

enum nsc_status nsc_fail(struct nsc_error *error, enum nsc_status status, const char *format, ...)
{
    char raw[RAW_BYTES];
    va_list args;

    if (!error || error->status != NSC_OK)
        return status;
    va_start(args, format);
    if (vsnprintf(raw, sizeof raw, format, args) < 0)
        raw[0] = '\0';
    va_end(args);
    error->status = status;
    copy_safe(error->text, sizeof error->text, raw);
    return status;
}

const char *nsc_status_word(enum nsc_status status)
{
    switch (status) {
    case NSC_OK:
        return "ok";
    case NSC_ENOMEM:
        return "out of memory";
    case NSC_EIO:
        return "input failed";
    case NSC_EFORMAT:
        return "not an export";
    case NSC_EDAMAGED:
        return "damaged";
    case NSC_EINVAL:
        return "invalid";
    case NSC_ECANCELLED:
        return "cancelled";
    case NSC_ENODATA:
        return "not enough data";
    case NSC_EWRITE:
        return "output failed";
    }
    return "unknown";
}
