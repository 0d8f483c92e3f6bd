/*
 * Numbers to text and back: the edges of each unit and of the range.
 */
#include "core/units.h"
#include "support/cm.h"

#include <string.h>

TEST(durations)
{
    static const struct {
        nsc_time ns;
        const char *text;
    } cases[] = {
        {0, "0 ns"},
        {12, "12 ns"},
        {999, "999 ns"},
        {1000, "1.00 us"},
        {203000, "203 us"},
        {999499, "999 us"},
        {999500, "1.00 ms"},
        {9214999, "9.21 ms"},
        {9215000, "9.22 ms"},
        {9995000, "10.0 ms"},
        {99950000, "100 ms"},
        {999500000, "1.00 s"},
        {1500000000, "1.50 s"},
        {1234567000000, "1235 s"},
        {-20000, "-20.0 us"},
        {INT64_MAX, "at least 292 years"},
        {INT64_MAX - 1, "9223372037 s"},
        {INT64_MIN, "-9223372037 s"},
    };
    char out[NSC_UNITS_BYTES];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        nsc_units_duration(out, cases[i].ns, true);
        assert_string_equal(out, cases[i].text);
    }
    nsc_units_duration(out, 203000, false);
    assert_string_equal(out, "203 \xc2\xb5s");
}

TEST(instants_and_ticks)
{
    char out[NSC_UNITS_BYTES];

    nsc_units_instant(out, 155382104882);
    assert_string_equal(out, "155.382 104 882 s");
    nsc_units_instant(out, -1);
    assert_string_equal(out, "-0.000 000 001 s");
    nsc_units_instant(out, INT64_MIN);
    assert_string_equal(out, "-9223372036.854 775 808 s");
    nsc_units_tick(out, 155370000000, 10000000, false);
    assert_string_equal(out, "155.37 s");
    nsc_units_tick(out, 155000000000, 5000000000, false);
    assert_string_equal(out, "155 s");
    nsc_units_tick(out, 5, 1, false);
    assert_string_equal(out, "0.000000005 s");
    nsc_units_tick(out, -1, 1000, false);
    assert_string_equal(out, "0.000000 s");
    nsc_units_tick(out, INT64_MIN, INT64_MIN, true);
    assert_string_equal(out, "-9223372036.854775808 s");
}

TEST(bytes_counts_and_percent)
{
    char out[NSC_UNITS_BYTES];

    nsc_units_bytes(out, 1023);
    assert_string_equal(out, "1023 B");
    nsc_units_bytes(out, 1536);
    assert_string_equal(out, "1.5 KiB");
    nsc_units_bytes(out, (1 << 20) - 1);
    assert_string_equal(out, "1.0 MiB");
    nsc_units_bytes(out, UINT64_MAX);
    assert_string_equal(out, "16.0 EiB");
    nsc_units_count(out, 0);
    assert_string_equal(out, "0");
    nsc_units_count(out, 1234567);
    assert_string_equal(out, "1 234 567");
    nsc_units_count(out, UINT64_MAX);
    assert_string_equal(out, "18 446 744 073 709 551 615");
    nsc_units_percent(out, 712, 1000);
    assert_string_equal(out, "71.2 %");
    nsc_units_percent(out, 99999, 100000);
    assert_string_equal(out, "99.9 %");
    nsc_units_percent(out, 1, 100000);
    assert_string_equal(out, "<0.1 %");
    nsc_units_percent(out, 0, 100000);
    assert_string_equal(out, "0.0 %");
    nsc_units_percent(out, 5, 10000);
    assert_string_equal(out, "0.1 %");
    nsc_units_percent(out, -1, 100000);
    assert_string_equal(out, "0.0 %");
    nsc_units_percent(out, 5, 5);
    assert_string_equal(out, "100.0 %");
    nsc_units_percent(out, 5, 0);
    assert_string_equal(out, "-");
    nsc_units_percent(out, INT64_MAX, 1);
    assert_true(strlen(out) < NSC_UNITS_BYTES);
    nsc_units_percent(out, INT64_MIN, INT64_MAX);
    assert_string_equal(out, "-100.0 %");
}

TEST(good_times_are_read)
{
    static const struct {
        const char *text;
        nsc_time ns;
    } cases[] = {
        {"39s", 39000000000},
        {"1.5 ms", 1500000},
        {"-20us", -20000},
        {" 500 ", 500},
        {".5us", 500},
        {"3.", 3},
        {"1.000ns", 1},
        {"2m", 120000000000},
        {"0.5h", 1800000000000},
        {"203 \xc2\xb5s", 203000},
        {"155.382 104 882 s", 155382104882},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036.854775808s", INT64_MIN},
        {"0.0000000000000000000000000000000000s", 0},
    };
    nsc_time t = 0;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(nsc_units_parse_time(&t, cases[i].text, NSC_UNITS_NS, NULL), NSC_OK);
        assert_true(t == cases[i].ns);
    }
    assert_int_equal(nsc_units_parse_time(&t, "155.382104882", NSC_UNITS_S, NULL), NSC_OK);
    assert_true(t == 155382104882);
}

TEST(bad_numbers_are_refused)
{
    static const char *const times[] = {"",
                                        " ",
                                        "s",
                                        "-",
                                        "--1",
                                        "1q",
                                        "1.5",
                                        "1e9",
                                        "0x10",
                                        "1..2s",
                                        "1,5ms",
                                        "0.1ns",
                                        "1 s s",
                                        "1.0000000001s",
                                        "9223372036854775808",
                                        "-9223372036854775809",
                                        "99999999999999999999999h"};
    static const char *const sizes[] = {"", "-1", "1.5", "1X", "16777216T", "18446744073709551616"};
    nsc_time t = 42;
    uint64_t bytes = 42;

    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct nsc_error error = {0};

        assert_int_equal(nsc_units_parse_time(&t, times[i], NSC_UNITS_NS, &error), NSC_EINVAL);
        assert_true(error.text[0] != '\0');
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_int_equal(nsc_units_parse_bytes(&bytes, sizes[i], NULL), NSC_EINVAL);
    assert_true(t == 42 && bytes == 42);
}

TEST(good_sizes_are_read)
{
    uint64_t bytes = 0;

    assert_int_equal(nsc_units_parse_bytes(&bytes, "64M", NULL), NSC_OK);
    assert_true(bytes == (uint64_t)64 << 20);
    assert_int_equal(nsc_units_parse_bytes(&bytes, "2GiB", NULL), NSC_OK);
    assert_true(bytes == (uint64_t)2 << 30);
    assert_int_equal(nsc_units_parse_bytes(&bytes, "1.5 K", NULL), NSC_OK);
    assert_int_equal(nsc_units_parse_bytes(&bytes, "1.5k", NULL), NSC_OK);
    assert_true(bytes == 1536);
    assert_int_equal(nsc_units_parse_bytes(&bytes, "18446744073709551615", NULL), NSC_OK);
    assert_true(bytes == UINT64_MAX);
}

TEST(ordinals_end_as_they_are_spoken)
{
    static const struct {
        uint64_t n;
        const char *ending;
    } cases[] = {{1, "st"},  {2, "nd"},  {3, "rd"},   {4, "th"},   {11, "th"}, {12, "th"},
                 {13, "th"}, {22, "nd"}, {101, "st"}, {111, "th"}, {0, "th"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(nsc_units_ordinal(cases[i].n), cases[i].ending);
}
