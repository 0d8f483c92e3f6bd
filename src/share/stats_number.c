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

#define MEGA   1e6
#define DIGITS 32 /* bytes of the longest number */

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

/* As write_digits, rounded as nsc_stats_put_rounded tells. NULL from 2^52 on, where doubles have no fraction. */
static char *write_rounded(char *end, double value, bool commas)
{
    long double sum = fabsl((long double)value);
    uint64_t whole;
    unsigned tenths;

    if (!(fabs(value) < 4503599627370496.0))
        return NULL;
    if (value != 0 && 1 + ilogb(value) / 3 < 15)
        sum += sum * 3e-16L;
    sum += 0.05;
    whole = (uint64_t)sum;
    tenths = (unsigned)((sum - (long double)whole) * 10);
    *--end = (char)('0' + tenths);
    *--end = '.';
    end = write_digits(end, whole, commas);
    if (value < 0 && (whole > 0 || tenths > 0))
        *--end = '-';
    return end;
}

void nsc_stats_put_rounded(struct nsc_buf *out, double value)
{
    char digits[DIGITS], *end = digits + sizeof digits;
    const char *at = write_rounded(end, value, false);

    if (at)
        nsc_buf_add(out, at, (size_t)(end - at));
    else
        nsc_buf_printf(out, "%.1f", value);
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

/* Whether the number is a quotient in this unit. */
static bool is_divided(uint8_t unit, enum nsc_stats_time time)
{
    return unit == NSC_STATS_BYTES || unit == NSC_STATS_RATE ||
           (unit == NSC_STATS_TIME && time != NSC_STATS_NSEC);
}

static void put_real(struct nsc_buf *out, const struct nsc_stats_cell *cell, uint8_t unit,
                     enum nsc_stats_time time)
{
    bool is_int = cell->form == NSC_STATS_INT;

    if (!is_divided(unit, time))
        nsc_stats_put_rounded(out, cell->real);
    else if (unit != NSC_STATS_TIME)
        nsc_buf_printf(out, "%.3f", (is_int ? (double)cell->integer : cell->real) / MEGA);
    else
        nsc_buf_printf(out, "%.*f", (int)units[time].decimals,
                       (is_int ? (double)cell->integer : round_tenth(cell->real)) / units[time].ns);
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

/* Writes a number before end without printf, with which stats -r nvtx_gpu_proj_sum takes 25 % longer at
 * 10 M kernels. Returns its start; NULL for a quotient of its unit, and for reals from 2^52 on. */
static char *write_number(char *end, const struct nsc_stats_cell *cell, uint8_t unit,
                          enum nsc_stats_time time, bool commas)
{
    bool is_negative = cell->integer < 0;

    if (is_divided(unit, time))
        return NULL;
    if (cell->form != NSC_STATS_INT)
        return write_rounded(end, cell->real, commas);
    end = write_digits(end, is_negative ? 0 - (uint64_t)cell->integer : (uint64_t)cell->integer,
                       commas);
    if (is_negative)
        *--end = '-';
    return end;
}

void nsc_stats_put_number(struct nsc_buf *out, const struct nsc_stats_cell *cell, uint8_t unit,
                          enum nsc_stats_time time, bool commas)
{
    char digits[DIGITS], *end = digits + sizeof digits;
    const char *quick = write_number(end, cell, unit, time, commas);
    size_t from = out->n;

    if (quick) {
        nsc_buf_add(out, quick, (size_t)(end - quick));
        return;
    }
    put_real(out, cell, unit, time);
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
