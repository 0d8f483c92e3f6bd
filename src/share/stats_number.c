/* Rounds and scales numbers: times to the requested unit, bytes to megabytes of 1 000 000. */
#include "share/stats_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double ns;
    unsigned decimals;
} units[] = {
    [NSC_STATS_NSEC] = {"ns", 1, 0},
    [NSC_STATS_USEC] = {"us", 1e3, 3},
    [NSC_STATS_MSEC] = {"ms", 1e6, 4},
    [NSC_STATS_SEC] = {"sec", 1e9, 4},
};

#define MEGA 1e6

void nsc_stats_put_rounded(struct nsc_buf *out, double value)
{
    long double whole, part, sum = fabsl((long double)value);

    if (!(fabs(value) < 4503599627370496.0)) { /* doubles from 2^52 on have no fraction */
        nsc_buf_printf(out, "%.1f", value);
        return;
    }
    if (value != 0 && 1 + ilogb(value) / 3 < 15)
        sum += sum * 3e-16L;
    sum += 0.05;
    whole = floorl(sum);
    part = floorl((sum - whole) * 10);
    if (value < 0 && (whole > 0 || part > 0))
        nsc_buf_putc(out, '-');
    nsc_buf_printf(out, "%" PRId64 ".%d", (int64_t)whole, (int)part);
}

/* Rounds an average of times to 0.1 ns before changing its unit. */
static double round_tenth(double value)
{
    struct nsc_buf text = NSC_BUF_INIT(512);
    double rounded;

    nsc_stats_put_rounded(&text, value);
    rounded = strtod(text.bytes, NULL);
    nsc_buf_fini(&text);
    return rounded;
}

static void put_time(struct nsc_buf *out, const struct nsc_stats_cell *cell,
                     enum nsc_stats_time time)
{
    bool is_int = cell->form == NSC_STATS_INT;

    if (time == NSC_STATS_NSEC && is_int)
        nsc_buf_printf(out, "%" PRId64, cell->integer);
    else if (time == NSC_STATS_NSEC)
        nsc_stats_put_rounded(out, cell->real);
    else
        nsc_buf_printf(out, "%.*f", (int)units[time].decimals,
                       (is_int ? (double)cell->integer : round_tenth(cell->real)) / units[time].ns);
}

static void put_plain(struct nsc_buf *out, const struct nsc_stats_cell *cell, uint8_t unit,
                      enum nsc_stats_time time)
{
    double value = cell->form == NSC_STATS_INT ? (double)cell->integer : cell->real;

    switch (unit) {
    case NSC_STATS_TIME:
        put_time(out, cell, time);
        break;
    case NSC_STATS_BYTES:
    case NSC_STATS_RATE:
        nsc_buf_printf(out, "%.3f", value / MEGA);
        break;
    default:
        if (cell->form == NSC_STATS_INT)
            nsc_buf_printf(out, "%" PRId64, cell->integer);
        else
            nsc_stats_put_rounded(out, value);
    }
}

/* Inserts commas between the thousands of the number at from. */
static void group_digits(struct nsc_buf *out, size_t from)
{
    char digits[400], grouped[600];
    size_t n = out->n - from, first = n && out->bytes[from] == '-', end = first, at = 0;

    if (n >= sizeof digits)
        return;
    memcpy(digits, out->bytes + from, n);
    while (end < n && digits[end] >= '0' && digits[end] <= '9')
        end++;
    for (size_t i = 0; i < n; i++) {
        if (i > first && i < end && (end - i) % 3 == 0)
            grouped[at++] = ',';
        grouped[at++] = digits[i];
    }
    out->n = from;
    nsc_buf_add(out, grouped, at);
}

/* ---- the quick way: a quarter of the time of stats -r cuda_gpu_trace ---- */

/* Writes the digits of value before end. Returns their start. */
static char *write_digits(char *end, uint64_t value, bool commas)
{
    for (; value >= 1000; value /= 1000) {
        unsigned low = (unsigned)(value % 1000);

        *--end = (char)('0' + low % 10);
        *--end = (char)('0' + low / 10 % 10);
        *--end = (char)('0' + low / 100);
        if (commas)
            *--end = ',';
    }
    do
        *--end = (char)('0' + value % 10);
    while (value /= 10);
    return end;
}

/*
 * Sets *tenths to value in tenths, halves away from zero. False if the last bits decide:
 * nsc_stats_put_rounded adds 3e-16 of value, here less than 0.0003 tenths.
 */
static bool find_tenths(uint64_t *tenths, double value)
{
    double size = fabs(value), part;
    uint64_t whole;

    if (!(size < 1e11))
        return false;
    whole = (uint64_t)size;
    part = (size - (double)whole) * 10 + 0.5;
    *tenths = whole * 10 + (uint64_t)part;
    part -= (double)(uint64_t)part;
    return part > 0.001 && part < 0.999;
}

char *nsc_stats_quick_number(char *end, const struct nsc_stats_cell *cell, uint8_t unit,
                             enum nsc_stats_time time, bool commas)
{
    char *at = end;
    uint64_t tenths;
    bool negative;

    if (unit == NSC_STATS_BYTES || unit == NSC_STATS_RATE ||
        (unit == NSC_STATS_TIME && time != NSC_STATS_NSEC))
        return NULL;
    if (cell->form == NSC_STATS_INT) {
        negative = cell->integer < 0;
        at = write_digits(at, negative ? 0 - (uint64_t)cell->integer : (uint64_t)cell->integer,
                          commas);
    } else {
        if (!find_tenths(&tenths, cell->real))
            return NULL;
        negative = cell->real < 0 && tenths > 0;
        *--at = (char)('0' + tenths % 10);
        *--at = '.';
        at = write_digits(at, tenths / 10, commas);
    }
    if (negative)
        *--at = '-';
    return at;
}

void nsc_stats_put_number(struct nsc_buf *out, const struct nsc_stats_cell *cell, uint8_t unit,
                          enum nsc_stats_time time, bool commas)
{
    size_t from = out->n;

    put_plain(out, cell, unit, time);
    if (commas)
        group_digits(out, from);
}

void nsc_stats_put_title(struct nsc_buf *out, const struct nsc_stats_column *column,
                         enum nsc_stats_time time)
{
    nsc_buf_puts(out, column->title);
    switch (column->unit) {
    case NSC_STATS_PERCENT:
        nsc_buf_puts(out, " (%)");
        break;
    case NSC_STATS_TIME:
        nsc_buf_printf(out, " (%s)", units[time].name);
        break;
    case NSC_STATS_BYTES:
        nsc_buf_puts(out, " (MB)");
        break;
    case NSC_STATS_RATE:
        nsc_buf_puts(out, " (MB/s)");
        break;
    default:
        break;
    }
}
