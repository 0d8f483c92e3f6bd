/*
 * Parses times written as numbers with units.
 */
#include "cli/cmd/stats_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    long double ns;
} units[] = {
    {"ms", 1e6L}, {"us", 1e3L}, {"ns", 1}, {"h", 3.6e12L}, {"m", 6e10L}, {"s", 1e9L}, {"", 1},
};

/* Reads one number with its unit; NULL when there is none. */
static const char *read_part(long double *out, const char *text, const char *end)
{
    char number[64], *stop;
    size_t n = (size_t)(end - text);
    long double value;

    if (n == 0 || n >= sizeof number || strspn(text, "+-.0123456789eE") == 0)
        return NULL;
    memcpy(number, text, n);
    number[n] = '\0';
    value = strtold(number, &stop);
    if (stop == number || !isfinite(value))
        return NULL;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].name);

        if (strncmp(stop, units[i].name, length) != 0 || (length == 0 && *stop))
            continue;
        *out += value * units[i].ns;
        return text + (stop - number) + length;
    }
    return NULL;
}

static bool read_time(nsc_time *out, const char *text, const char *end)
{
    long double sum = 0;

    while (text && text < end)
        text = read_part(&sum, text, end);
    if (!text || !(fabsl(sum) < 9.2e18L))
        return false;
    *out = (nsc_time)roundl(sum);
    return true;
}

enum nsc_status nsc_stats_time_window(struct nsc_window *out, const char *text,
                                      struct nsc_error *error)
{
    const char *slash = strchr(text, '/');

    *out = (struct nsc_window){INT64_MIN, INT64_MAX};
    if (!slash || (slash > text && !read_time(&out->t0, text, slash)) ||
        (slash[1] && !read_time(&out->t1, slash + 1, text + strlen(text))))
        return nsc_fail(error, NSC_EINVAL,
                        "--filter-time %.60s: give [START]/[END], as 1s500ms/2.5s or /300us", text);
    if (out->t0 >= out->t1)
        return nsc_fail(error, NSC_EINVAL, "--filter-time %.60s: ends before it starts", text);
    return NSC_OK;
}
