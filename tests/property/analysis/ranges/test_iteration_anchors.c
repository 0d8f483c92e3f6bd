/* Property tests of anchors: the first third of a sequence rules out only symbols whose stretches
 * differ too much in the whole sequence. */
#include "analysis/ranges/iteration_anchors.h"
#include "analysis/ranges/iteration_rules.h"
#include "support/cm.h"
#include "support/dice.h"

enum { MOST = 1000, SYMBOLS = 6 };

struct stretch {
    uint64_t sum;
    uint32_t length;
};

/* Random symbols, a repeated part, or one of them after the other. */
static uint32_t roll_symbols(uint32_t symbols[], struct dice *dice)
{
    uint32_t n = 30 + (uint32_t)dice_below(dice, MOST - 30);
    uint32_t from = dice_below(dice, 2) ? 0 : (uint32_t)dice_below(dice, n);
    uint32_t to = dice_below(dice, 3) ? (uint32_t)dice_below(dice, n) : n;
    uint32_t period = 2 + (uint32_t)dice_below(dice, 12);

    for (uint32_t i = 0; i < n; i++) {
        bool is_noise = (from <= i && i < to) || i < period || dice_below(dice, 300) == 0;

        symbols[i] = is_noise ? (uint32_t)(dice_below(dice, SYMBOLS) * dice_below(dice, 2))
                              : symbols[i - period];
    }
    return n;
}

static uint32_t cut(struct stretch stretches[], const uint32_t symbols[], uint32_t n,
                    uint32_t symbol)
{
    struct stretch open = {0, 0};
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (symbols[i] == symbol) {
            if (open.length > 0)
                stretches[count++] = open;
            open = (struct stretch){0, 0};
        }
        if (symbols[i] == symbol || open.length > 0) {
            open.sum += nsc_symbol_hash(symbols[i]);
            open.length++;
        }
    }
    return count;
}

/* The most stretches with one of two contents. */
static uint32_t most_of_two(const struct stretch stretches[], uint32_t n)
{
    uint32_t first = 0, second = 0;

    for (uint32_t a = 0; a < n; a++) {
        uint32_t same = 0;
        bool is_new = true;

        for (uint32_t i = 0; i < n; i++) {
            same += stretches[i].sum == stretches[a].sum;
            is_new = is_new && (i >= a || stretches[i].sum != stretches[a].sum);
        }
        if (!is_new)
            continue;
        second = same > first ? first : same > second ? same : second;
        first = same > first ? same : first;
    }
    return first + second;
}

/* The most stretches that are about as long as any middle. */
static uint32_t most_about(const struct stretch stretches[], uint32_t n)
{
    uint32_t most = 0;

    for (uint32_t middle = 1; middle <= MOST; middle++) {
        uint32_t even = 0;

        for (uint32_t i = 0; i < n; i++)
            even += stretches[i].length >= (1 - NSC_ITERATIONS_EXTRA) * middle &&
                    stretches[i].length <= (1 + NSC_ITERATIONS_EXTRA) * middle;
        most = even > most ? even : most;
    }
    return most;
}

TEST(only_symbols_of_uneven_stretches_are_ruled_out)
{
    struct dice dice = dice_new(17);
    static const uint8_t traits[SYMBOLS];
    uint32_t n_uneven = 0, n_even = 0;

    for (int round = 0; round < 400; round++) {
        uint32_t symbols[MOST];
        struct stretch stretches[MOST];
        struct nsc_sequence sequence = {.symbol = symbols, .n_symbols = SYMBOLS, .traits = traits};
        struct nsc_period_anchors anchors;

        sequence.n = roll_symbols(symbols, &dice);
        sequence.of_launches = dice_below(&dice, 10) > 0;
        nsc_period_anchors_build(&anchors, &sequence);
        for (uint32_t s = 0; s < SYMBOLS; s++) {
            uint32_t n = cut(stretches, symbols, sequence.n, s);

            n_even += !anchors.is_uneven[s];
            if (!anchors.is_uneven[s])
                continue;
            n_uneven++;
            assert_true(sequence.of_launches);
            assert_true(most_about(stretches, n) < NSC_ITERATIONS_USUAL * n);
            assert_true(most_of_two(stretches, n) < NSC_ITERATIONS_USUAL * n);
        }
        nsc_period_anchors_fini(&anchors);
    }
    assert_true(n_uneven > 100 && n_even > 100);
}
