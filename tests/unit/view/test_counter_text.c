/* Unit tests of the units of counters: units in names, and values with units. */
#include "support/cm.h"
#include "view/model/counter_text.h"

TEST(names_tell_units)
{
    static const struct {
        const char *label, *unit, *name;
    } cases[] = {
        {"SM Active [Throughput %]", "%", "SM Active"},
        {"Compute Warps in Flight [Avg]", "", "Compute Warps in Flight [Avg]"},
        {"Hit Rate [Ratio %]", "%", "Hit Rate [Ratio %]"},
        {"GPC Clock Frequency [MHz]", "Hz", "GPC Clock Frequency"},
        {"SYS Clock Frequency", "Hz", "SYS Clock Frequency"},
        {"PCIe RX Throughput", "%", "PCIe RX Throughput"},
        {"DRAM Write Throughput", "%", "DRAM Write Throughput"},
        {"Tensor Active", "%", "Tensor Active"},
        {"GPU Power [W]", "W", "GPU Power"},
        {"NVLink RX [GB/s]", "GB/s", "NVLink RX"},
        {"Disk Throughput", "", "Disk Throughput"},
        {"GR Active", "%", "GR Active"}, /* a share of time in early releases, too */
        {"SM Active", "%", "SM Active"},
        {"Requests Active", "", "Requests Active"},
        {" [%]", "%", " [%]"}, /* a name of nothing else stays */
        {"", "", ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nsc_text name;

        assert_string_equal(nsc_counter_unit(nsc_text_from(cases[i].label), &name), cases[i].unit);
        assert_int_equal(name.n, strlen(cases[i].name));
        assert_memory_equal(name.bytes, cases[i].name, name.n);
        assert_string_equal(nsc_counter_unit(nsc_text_from(cases[i].label), NULL), cases[i].unit);
    }
}

TEST(values_have_units)
{
    static const struct {
        int64_t value;
        const char *unit, *text;
    } cases[] = {
        {50, "%", "50 %"},
        {0, "", "0"},
        {1935630830, "Hz", "1.94 GHz"},
        {1935630830, "", "1.94 G"},
        {335037, "Hz", "335 kHz"},
        {335037, "", "335037"},
        {999999, "Hz", "1 MHz"},
        {-5, "%", "-5 %"},
        {INT64_MIN, "", "-9.22 E"},
    };
    char text[NSC_UNITS_BYTES];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        nsc_counter_text(text, cases[i].value, cases[i].unit);
        assert_string_equal(text, cases[i].text);
    }
}
