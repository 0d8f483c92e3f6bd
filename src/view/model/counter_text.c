/* Formats units and values of counters. */
#include "view/model/counter_text.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *end, *unit;
    bool is_said; /* the unit says it, so the name drops it */
} ends[] = {
    {" [Throughput %]", "%", true},
    {" [%]", "%", true},
    {"%]", "%", false},
    {" [MHz]", "Hz", true},
    {" [W]", "W", true},
    {" [GB/s]", "GB/s", true},
    {"Clock Frequency", "Hz", false},
    /* shares, which early releases name without a unit */
    {"GR Active", "%", false},
    {"SM Active", "%", false},
    {"Tensor Active", "%", false},
    {"SM Issue", "%", false},
    {"X Throughput", "%", false},
    {"DRAM Read Throughput", "%", false},
    {"DRAM Write Throughput", "%", false},
};

const char *nsc_counter_unit(struct nsc_text label, struct nsc_text *name)
{
    if (name)
        *name = label;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        uint32_t n = (uint32_t)strlen(ends[i].end);

        if (label.n < n + ends[i].is_said || memcmp(label.bytes + label.n - n, ends[i].end, n) != 0)
            continue;
        if (name && ends[i].is_said)
            name->n -= n;
        return ends[i].unit;
    }
    return "";
}

/* At most six digits, to leave room for the counter's name: "1.93 G". */
void nsc_counter_text(char out[NSC_UNITS_BYTES], int64_t value, const char *unit)
{
    static const char prefixes[] = " kMGTPE";
    int64_t whole = strcmp(unit, "Hz") == 0 ? 1000 : 1000000; /* prefixes are used from here on */
    double scaled = (double)value;
    size_t n = 0;

    if (value > -whole && value < whole) {
        (void)snprintf(out, NSC_UNITS_BYTES, "%lld%s%s", (long long)value, *unit ? " " : "", unit);
        return;
    }
    while (scaled >= 999.5 || scaled <= -999.5) {
        scaled /= 1000;
        n++;
    }
    (void)snprintf(out, NSC_UNITS_BYTES, "%.3g %c%s", scaled, prefixes[n], unit);
}
