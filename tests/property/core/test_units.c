/*
 * Property tests of units: exact forms are read back to the ns, rounded ones within half of their
 * last digit.
 */
#include "core/units.h"
#include "support/cm.h"
#include "support/dice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 50000 };

/* Any magnitude alike often. */
static nsc_time roll_time(struct dice *dice)
{
    uint64_t raw = dice_next(dice) >> dice_below(dice, 64);

    return dice_below(dice, 2) ? (nsc_time)raw : (nsc_time)(0 - raw);
}

static nsc_time parse(const char *text)
{
    nsc_time t = 0;

    assert_int_equal(nsc_units_parse_time(&t, text, NSC_UNITS_NS, NULL), NSC_OK);
    return t;
}

TEST(exact_forms_come_back)
{
    struct dice dice = dice_new(31);
    char text[NSC_UNITS_BYTES];

    for (int round = 0; round < ROUNDS; round++) {
        nsc_time t = roll_time(&dice);

        nsc_units_instant(text, t);
        assert_true(parse(text) == t);
        nsc_units_tick(text, t, 1, true);
        assert_true(parse(text) == t);
        (void)snprintf(text, sizeof text, "%lld", (long long)t);
        assert_true(parse(text) == t);
    }
}

TEST(durations_come_back_within_half_a_digit)
{
    struct dice dice = dice_new(32);
    char text[NSC_UNITS_BYTES];

    for (int round = 0; round < ROUNDS; round++) {
        nsc_time t = roll_time(&dice) / 2; /* so that rounding up stays inside the range */
        double back = 0;

        nsc_units_duration(text, t, round % 2 == 0);
        back = (double)parse(text);
        if (t > -1000 && t < 1000)
            assert_true(back == (double)t);
        assert_true(fabs(back - (double)t) <= fabs((double)t) * 0.00501);
    }
}

TEST(ticks_of_a_ruler_differ)
{
    struct dice dice = dice_new(33);

    for (int round = 0; round < ROUNDS; round++) {
        static const nsc_time mantissa[] = {1, 2, 5};
        nsc_time step = mantissa[dice_below(&dice, 3)];
        char text[2][NSC_UNITS_BYTES];
        nsc_time t = 0;

        for (uint64_t zeros = dice_below(&dice, 12); zeros; zeros--)
            step *= 10;
        t = roll_time(&dice) / 4 / step * step;
        nsc_units_tick(text[0], t, step, true);
        nsc_units_tick(text[1], t + step, step, true);
        assert_string_not_equal(text[0], text[1]);
        assert_true(parse(text[0]) == t);
    }
}

TEST(bytes_come_back_within_half_a_tenth)
{
    struct dice dice = dice_new(34);
    char text[NSC_UNITS_BYTES];

    for (int round = 0; round < ROUNDS; round++) {
        static const char letters[] = "BKMGT";
        uint64_t bytes = dice_next(&dice) >> (16 + dice_below(&dice, 48));
        char *end = NULL;
        double number = 0;
        double unit = 0;

        nsc_units_bytes(text, bytes);
        number = strtod(text, &end);
        unit = pow(1024, (double)(strchr(letters, end[1]) - letters));
        assert_true(fabs(number * unit - (double)bytes) <= unit * 0.0501);
        assert_true(number < 1024);
    }
}

/* Any input: no crash, and success or a message. */
TEST(any_text_is_read_or_refused)
{
    static const char letters[] = "0123456789..--+ nsumhKMGTB\xc2\xb5\x1b";
    struct dice dice = dice_new(35);

    for (int round = 0; round < ROUNDS; round++) {
        char text[128];
        size_t n = dice_below(&dice, sizeof text);
        struct nsc_error error = {0};
        nsc_time t = 0;
        uint64_t bytes = 0;

        for (size_t i = 0; i < n; i++)
            text[i] = letters[dice_below(&dice, sizeof letters - 1)];
        text[n ? n - 1 : 0] = '\0';
        if (nsc_units_parse_time(&t, text, NSC_UNITS_S, &error))
            assert_true(error.text[0] != '\0' && !strchr(error.text, '\x1b'));
        if (nsc_units_parse_bytes(&bytes, text, NULL))
            assert_true(bytes == 0);
    }
}
