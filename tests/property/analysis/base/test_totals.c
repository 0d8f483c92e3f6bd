/*
 * Property test of totals: groups, spreads and their order equal those of comparing each row with
 * all others.
 */
#include "analysis/base/totals.h"
#include "core/text.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { ROUNDS = 300, ROWS = 200, KEYS = 3, TEXT = 1 };

struct row {
    int64_t keys[KEYS]; /* the text's: the number of a word; -1: none */
    int64_t value;
    bool has_value;
    uint32_t group;
};

struct table {
    struct row rows[ROWS];
    uint32_t n, n_groups;
};

/* Not in the order of their numbers. */
static const char *const words[] = {"", "b", "ab", "a", "\xff"};

static bool is_equal(const struct row *a, const struct row *b)
{
    return memcmp(a->keys, b->keys, sizeof a->keys) == 0;
}

static void roll_table(struct table *table, struct dice *dice)
{
    *table = (struct table){.n = (uint32_t)dice_below(dice, ROWS + 1)};
    for (uint32_t i = 0; i < table->n; i++) {
        struct row *row = &table->rows[i];

        row->keys[0] = (int64_t)dice_below(dice, 3) - 1;
        row->keys[TEXT] = (int64_t)dice_below(dice, 6) - 1;
        row->keys[2] = dice_below(dice, 9) == 0 ? INT64_MIN : (int64_t)dice_below(dice, 3);
        row->value = dice_below(dice, 20) == 0 ? INT64_MAX : (int64_t)dice_below(dice, 50) - 5;
        row->has_value = dice_below(dice, 5) > 0;
        row->group = table->n_groups;
        for (uint32_t k = 0; k < i && row->group == table->n_groups; k++)
            if (is_equal(row, &table->rows[k]))
                row->group = table->rows[k].group;
        table->n_groups += row->group == table->n_groups;
    }
}

static bool value_of(const void *context, uint32_t row, int64_t *out)
{
    const struct table *table = context;

    *out = table->rows[row].value;
    return table->rows[row].has_value;
}

static void check_spread(const struct table *table, uint32_t group, const struct nsc_spread *found)
{
    struct nsc_spread want = {.n = 0};

    for (uint32_t i = 0; i < table->n; i++) {
        const struct row *row = &table->rows[i];

        if (row->group != group || !row->has_value)
            continue;
        want.min = want.n == 0 || row->value < want.min ? row->value : want.min;
        want.max = want.n == 0 || row->value > want.max ? row->value : want.max;
        want.n++;
    }
    assert_int_equal(found->n, want.n);
    assert_true(found->min == want.min && found->max == want.max);
}

static int compare_numbers(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

/* As nsc_totals_compare of the groups of two rows. */
static int compare_rows(const struct row *a, const struct row *b)
{
    int64_t x = a->keys[TEXT], y = b->keys[TEXT];
    int order = compare_numbers(a->keys[0], b->keys[0]);

    if (order == 0)
        order = x < 0 || y < 0 ? compare_numbers(x >= 0, y >= 0)
                               : nsc_text_compare(nsc_text_from(words[x]), nsc_text_from(words[y]));
    return order ? order : compare_numbers(a->keys[2], b->keys[2]);
}

static int sign_of(int order)
{
    return (order > 0) - (order < 0);
}

TEST(groups_equal_those_of_comparing_rows)
{
    struct dice dice = dice_new(91);
    struct table *table = nsc_xmalloc(sizeof *table);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_totals totals = nsc_totals_new(KEYS, NSC_TOTALS_TEXT(TEXT));
        struct nsc_spread *spread;

        roll_table(table, &dice);
        for (uint32_t i = 0; i < table->n; i++) {
            int64_t keys[KEYS];

            memcpy(keys, table->rows[i].keys, sizeof keys);
            if (keys[TEXT] >= 0)
                keys[TEXT] = nsc_totals_text(&totals, nsc_text_from(words[keys[TEXT]]));
            nsc_totals_add(&totals, keys);
            assert_int_equal(totals.group.at[i], table->rows[i].group);
            assert_int_equal(nsc_totals_find(&totals, keys), table->rows[i].group);
        }
        assert_int_equal(totals.n, table->n_groups);
        spread = nsc_totals_measure(&totals, value_of, table);
        for (uint32_t g = 0; g < totals.n; g++)
            check_spread(table, g, &spread[g]);
        for (uint32_t i = 1; i < table->n; i++) {
            const struct row *a = &table->rows[i], *b = &table->rows[i - 1];

            assert_int_equal(sign_of(nsc_totals_compare(&totals, a->group, b->group, 0, KEYS)),
                             sign_of(compare_rows(a, b)));
        }
        free(spread);
        nsc_totals_fini(&totals);
    }
    free(table);
}
