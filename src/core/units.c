/*
 * Formats and parses times, durations, bytes, counts and percentages in exact integer arithmetic.
 */
#include "core/units.h"

#include "core/chars.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

__extension__ typedef unsigned __int128 wide;

static const uint64_t second = 1000000000u;

static uint64_t magnitude(nsc_time t)
{
    return t < 0 ? 0 - (uint64_t)t : (uint64_t)t;
}

static const char *sign_of(nsc_time t)
{
    return t < 0 ? "-" : "";
}

static uint64_t power_of_ten(unsigned n)
{
    uint64_t power = 1;

    while (n--)
        power *= 10;
    return power;
}

/* Writes value / 10^decimals. */
static void put_decimal(char *out, size_t size, uint64_t value, unsigned decimals)
{
    uint64_t scale = power_of_ten(decimals);

    if (decimals == 0)
        (void)snprintf(out, size, "%" PRIu64, value);
    else
        (void)snprintf(out, size, "%" PRIu64 ".%0*" PRIu64, value / scale, (int)decimals,
                       value % scale);
}

/*
 * Writes part / whole with three significant digits, rounded half up; with all digits from 1000 on.
 */
static void put_ratio(char *out, size_t size, wide part, wide whole)
{
    unsigned decimals = part < 10 * whole ? 2 : part < 100 * whole ? 1 : 0;
    wide value = (part * power_of_ten(decimals) * 2 + whole) / (whole * 2);

    if (decimals && value >= 1000) { /* 9.995 rounds to 10.0, not to 10.00 */
        decimals--;
        value = (part * power_of_ten(decimals) * 2 + whole) / (whole * 2);
    }
    put_decimal(out, size, (uint64_t)value, decimals);
}

const char *nsc_units_micro(bool ascii)
{
    return ascii ? "us" : "\xC2\xB5s";
}

NSC_PRINTF(2, 3)
static const char *put(char out[NSC_UNITS_BYTES], const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(out, NSC_UNITS_BYTES, format, args);
    va_end(args);
    return out;
}

const char *nsc_units_duration(char out[NSC_UNITS_BYTES], nsc_time ns, bool ascii)
{
    uint64_t n = magnitude(ns);
    uint64_t unit = 1000;
    const char *name = nsc_units_micro(ascii);
    char number[24];

    if (ns == INT64_MAX)
        return put(out, "at least 292 years");
    if (n < 1000)
        return put(out, "%s%" PRIu64 " ns", sign_of(ns), n);
    if (n >= 999500) { /* below that, three digits round to at most 999 of the smaller unit */
        unit = 1000000;
        name = "ms";
    }
    if (n >= 999500000) {
        unit = second;
        name = "s";
    }
    put_ratio(number, sizeof number, n, unit);
    return put(out, "%s%s %s", sign_of(ns), number, name);
}

const char *nsc_units_instant(char out[NSC_UNITS_BYTES], nsc_time t)
{
    uint64_t n = magnitude(t);
    uint64_t ns = n % second;

    return put(out, "%s%" PRIu64 ".%03u %03u %03u s", sign_of(t), n / second,
               (unsigned)(ns / 1000000), (unsigned)(ns / 1000 % 1000), (unsigned)(ns % 1000));
}

const char *nsc_units_span(char out[NSC_UNITS_SPAN_BYTES], struct nsc_window w)
{
    char from[NSC_UNITS_BYTES];
    char to[NSC_UNITS_BYTES];

    (void)snprintf(out, NSC_UNITS_SPAN_BYTES, "%s to %s", nsc_units_instant(from, w.t0),
                   nsc_units_instant(to, w.t1));
    return out;
}

const char *nsc_units_window(char out[NSC_UNITS_SPAN_BYTES], struct nsc_window w, bool ascii)
{
    size_t n = strlen(nsc_units_span(out, w));
    char length[NSC_UNITS_BYTES];

    (void)snprintf(out + n, NSC_UNITS_SPAN_BYTES - n, " (%s)",
                   nsc_units_duration(length, nsc_window_length(w), ascii));
    return out;
}

const char *nsc_units_tick(char out[NSC_UNITS_BYTES], nsc_time t, nsc_time step, bool ascii)
{
    uint64_t n = magnitude(t);
    unsigned decimals = 9;
    char number[24];

    (void)ascii; /* seconds need no Greek letter */
    for (uint64_t left = magnitude(step); decimals && left && left % 10 == 0; left /= 10)
        decimals--;
    n /= power_of_ten(9 - decimals);
    put_decimal(number, sizeof number, n, decimals);
    return put(out, "%s%s s", n ? sign_of(t) : "", number);
}

const char *nsc_units_bytes(char out[NSC_UNITS_BYTES], uint64_t bytes)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    unsigned i = 0;
    uint64_t tenths = 0;

    while (i < 6 && bytes >> 10 * i >= 1024)
        i++;
    if (i == 0)
        return put(out, "%" PRIu64 " B", bytes);
    tenths = (uint64_t)(((wide)bytes * 20 + ((wide)1 << 10 * i)) >> (10 * i + 1));
    if (tenths >= 10240 && i < 6) { /* 1023.95 and more: 1.0 of the next unit */
        i++;
        tenths = 10;
    }
    return put(out, "%" PRIu64 ".%u %s", tenths / 10, (unsigned)(tenths % 10), names[i]);
}

const char *nsc_units_count(char out[NSC_UNITS_BYTES], uint64_t n)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n);
    size_t at = 0;

    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            out[at++] = ' ';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

const char *nsc_units_ordinal(uint64_t n)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};

    return n % 10 < 4 && n / 10 % 10 != 1 ? endings[n % 10] : "th";
}

/* Rounds half up, but shows 100 % only if part equals whole and 0 % only if part is 0. */
const char *nsc_units_percent(char out[NSC_UNITS_BYTES], nsc_time part, nsc_time whole)
{
    uint64_t p = magnitude(part);
    uint64_t w = magnitude(whole);
    wide tenths = 0;
    uint64_t shown = 0;

    if (w == 0)
        return put(out, "-");
    tenths = ((wide)p * 2000 + w) / ((wide)w * 2);
    if (tenths == 1000 && p < w)
        tenths = 999;
    if (tenths == 0 && p && (part < 0) == (whole < 0))
        return put(out, "<0.1 %%");
    shown = tenths > UINT64_MAX ? UINT64_MAX : (uint64_t)tenths;
    return put(out, "%s%" PRIu64 ".%u %%", shown && (part < 0) != (whole < 0) ? "-" : "",
               shown / 10, (unsigned)(shown % 10));
}

const char *nsc_units_share(char out[NSC_UNITS_BYTES], double percent)
{
    return percent > 0 && percent < 0.05 ? put(out, "<0.1 %%") : put(out, "%.1f %%", percent);
}

struct unit {
    const char *name;
    uint64_t size;
};

static const struct unit time_units[] = {{"ns", 1},
                                         {"us", 1000},
                                         {"\xC2\xB5s", 1000},
                                         {"\xCE\xBCs", 1000}, /* the Greek letter */
                                         {"ms", 1000000},
                                         {"s", 1000000000},
                                         {"m", 60000000000},
                                         {"h", 3600000000000},
                                         {NULL, 0}};

static const struct unit byte_units[] = {
    {"B", 1},          {"K", 1024},        {"KB", 1024},        {"KiB", 1024},    {"M", 1u << 20},
    {"MB", 1u << 20},  {"MiB", 1u << 20},  {"G", 1u << 30},     {"GB", 1u << 30}, {"GiB", 1u << 30},
    {"T", 1ull << 40}, {"TB", 1ull << 40}, {"TiB", 1ull << 40}, {NULL, 0}};

/* The size of a unit; 0 if it is unknown. missing: the size for no unit. */
static uint64_t find_unit(const struct unit *units, const char *text, uint64_t missing)
{
    bool is_size = units == byte_units; /* 20k and 20K are the same; 1m and 1M are no times alike */

    text += strspn(text, " ");
    if (*text == '\0')
        return missing;
    for (; units->name; units++)
        if ((is_size ? strcasecmp(units->name, text) : strcmp(units->name, text)) == 0)
            return units->size;
    return 0;
}

enum number_state { NUMBER_OK, NUMBER_NONE, NUMBER_UNIT, NUMBER_FRACTION, NUMBER_OVERFLOW };

/* digits[0, n) are tenths, hundredths ... of unit. False if the result is not an integer. */
static bool parse_fraction(uint64_t *out, const char *digits, size_t n, uint64_t unit)
{
    wide sum = 0;

    while (n) {
        sum += (wide)unit * (unsigned char)(digits[--n] - '0');
        if (sum % 10)
            return false;
        sum /= 10;
    }
    *out = (uint64_t)sum; /* less than unit */
    return true;
}

/* Reads "123.456 unit" as a number of the smallest unit; refuses fractions of that. */
static enum number_state parse_number(uint64_t *out, const char *digits, const struct unit *units,
                                      uint64_t missing)
{
    size_t n = strspn(digits, "0123456789");
    const char *fraction = digits + n + (digits[n] == '.');
    size_t fraction_n = digits[n] == '.' ? strspn(fraction, "0123456789") : 0;
    uint64_t unit = find_unit(units, fraction + fraction_n, missing);
    uint64_t value = 0;
    uint64_t part = 0;

    if (n + fraction_n == 0)
        return NUMBER_NONE;
    if (unit == 0)
        return NUMBER_UNIT;
    for (size_t i = 0; i < n; i++)
        if (__builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (uint64_t)(digits[i] - '0'), &value))
            return NUMBER_OVERFLOW;
    if (!parse_fraction(&part, fraction, fraction_n, unit))
        return NUMBER_FRACTION;
    if (__builtin_mul_overflow(value, unit, &value) || __builtin_add_overflow(value, part, &value))
        return NUMBER_OVERFLOW;
    *out = value;
    return NUMBER_OK;
}

/* Copies text without the blanks around it and between digits ("155.382 104 882"). False if it is
 * too long. */
static bool compact(char *out, size_t size, const char *text)
{
    size_t n = 0;

    for (text += strspn(text, " \t"); *text; text++) {
        const char *next = text + strspn(text, " \t");

        if (next != text &&
            (*next == '\0' || (n && nsc_is_digit(out[n - 1]) && nsc_is_digit(*next)))) {
            text = next - 1;
            continue;
        }
        if (n + 1 >= size)
            return false;
        out[n++] = (char)(*text == '\t' ? ' ' : *text);
    }
    out[n] = '\0';
    return true;
}

static enum nsc_status fail_number(struct nsc_error *error, enum number_state state,
                                   const char *text, bool is_time)
{
    const char *what = is_time ? "time" : "size";
    const char *units = is_time ? "ns, us, ms, s, m or h" : "K, M, G or T";

    switch (state) {
    case NUMBER_OK:
        return NSC_OK;
    case NUMBER_NONE:
        return nsc_fail(error, NSC_EINVAL, "'%.80s' is no %s: write a number and %s", text, what,
                        units);
    case NUMBER_UNIT:
        return nsc_fail(error, NSC_EINVAL, "'%.80s' has an unknown unit: use %s", text, units);
    case NUMBER_FRACTION:
        return nsc_fail(error, NSC_EINVAL, "'%.80s' is not a whole number of %s", text,
                        is_time ? "nanoseconds" : "bytes");
    case NUMBER_OVERFLOW:
        break;
    }
    return nsc_fail(error, NSC_EINVAL, "'%.80s' is too large for a %s", text, what);
}

enum nsc_status nsc_units_parse_time(nsc_time *out, const char *text, enum nsc_units_default unit,
                                     struct nsc_error *error)
{
    char plain[96];
    const char *digits = plain;
    bool negative = false;
    uint64_t value = 0;
    enum number_state state = NUMBER_NONE;

    if (compact(plain, sizeof plain, text)) {
        negative = plain[0] == '-';
        digits += plain[0] == '-' || plain[0] == '+';
        state = parse_number(&value, digits, time_units, unit == NSC_UNITS_S ? second : 1);
    }
    if (state == NUMBER_OK && value > (uint64_t)INT64_MAX + negative)
        state = NUMBER_OVERFLOW;
    if (state != NUMBER_OK)
        return fail_number(error, state, text, true);
    *out = (nsc_time)(negative ? 0 - value : value);
    return NSC_OK;
}

enum nsc_status nsc_units_parse_bytes(uint64_t *out, const char *text, struct nsc_error *error)
{
    char plain[96];
    uint64_t value = 0;
    enum number_state state = NUMBER_NONE;

    if (compact(plain, sizeof plain, text))
        state = parse_number(&value, plain, byte_units, 1);
    if (state != NUMBER_OK)
        return fail_number(error, state, text, false);
    *out = value;
    return NSC_OK;
}

void nsc_units_now(char out[40])
{
    time_t now = time(NULL);
    struct tm utc;

    if (!gmtime_r(&now, &utc) || strftime(out, 40, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        strcpy(out, "-");
}
