/*
 * Property tests of relations: every order equals a plain insertion sort, and values are preserved.
 */
#include "core/relation.h"
#include "core/text.h"
#include "share/sheet_write.h"
#include "support/cm.h"
#include "support/dice.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 300, MAX_ROWS = 60, COLUMNS = 4 };

enum { NOTHING, INTEGER, NUMBER, TEXT };

struct value {
    int type;
    int64_t integer;
    double number;
    char text[16];
};

static struct value roll_value(struct dice *dice, uint32_t column)
{
    struct value value = {.type = NOTHING};

    if (dice_below(dice, 8) == 0)
        return value;
    /* Integers, numbers, texts, and a bit of each. */
    value.type = column < 3 ? INTEGER + (int)column : INTEGER + (int)dice_below(dice, 3);
    value.integer = (int64_t)dice_below(dice, 20) - 10;
    if (dice_below(dice, 20) == 0)
        value.integer = dice_below(dice, 2) ? INT64_MAX : INT64_MIN;
    value.number = ((double)dice_below(dice, 4000) - 2000) / 8;
    snprintf(value.text, sizeof value.text, "%c%c", 'a' + (int)dice_below(dice, 3),
             'a' + (int)dice_below(dice, 3));
    return value;
}

static void value_add(struct nsc_relation *relation, const struct value *value)
{
    if (value->type == NOTHING)
        nsc_relation_add_null(relation);
    else if (value->type == INTEGER)
        nsc_relation_add_int(relation, value->integer);
    else if (value->type == NUMBER)
        nsc_relation_add_number(relation, value->number);
    else
        nsc_relation_add_text(relation, nsc_text_from(value->text));
}

static int compare(const struct value *a, const struct value *b, uint32_t column)
{
    char x[32];
    char y[32];

    if (a->type == NOTHING || b->type == NOTHING)
        return (a->type != NOTHING) - (b->type != NOTHING);
    if (column == 0)
        return (a->integer > b->integer) - (a->integer < b->integer);
    if (column == 1)
        return (a->number > b->number) - (a->number < b->number);
    snprintf(x, sizeof x, "%s", a->text);
    snprintf(y, sizeof y, "%s", b->text);
    return strcmp(x, y);
}

TEST(orders_equal_insertion)
{
    static const char *const names[COLUMNS] = {"integers", "numbers", "texts", "mixed"};
    struct dice dice = dice_new(51);
    struct value values[MAX_ROWS][COLUMNS];

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_relation *relation = nsc_relation_begin(names, COLUMNS);
        uint32_t n = (uint32_t)dice_below(&dice, MAX_ROWS);
        uint32_t order[MAX_ROWS];
        uint32_t naive[MAX_ROWS];
        uint32_t column = (uint32_t)dice_below(&dice, 3);
        bool descending = dice_below(&dice, 2);

        for (uint32_t i = 0; i < n; i++)
            for (uint32_t c = 0; c < COLUMNS; c++) {
                values[i][c] = roll_value(&dice, c);
                value_add(relation, &values[i][c]);
            }
        nsc_relation_end(relation);
        assert_int_equal(nsc_sheet_rows(&relation->sheet), n);
        nsc_sheet_sort(&relation->sheet, column, descending, order,
                       nsc_sheet_rows(&relation->sheet));
        for (uint32_t i = 0; i < n; i++) {
            uint32_t at = i;

            for (; at > 0; at--) {
                int by = compare(&values[naive[at - 1]][column], &values[i][column], column);

                if (descending ? by >= 0 : by <= 0)
                    break;
                naive[at] = naive[at - 1];
            }
            naive[at] = i;
        }
        assert_memory_equal(order, naive, n * sizeof *order);
        nsc_relation_free(relation);
    }
}

TEST(values_are_shown_as_they_are)
{
    static const char *const names[COLUMNS] = {"integers", "numbers", "texts", "mixed"};
    struct dice dice = dice_new(52);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_relation *relation = nsc_relation_begin(names, COLUMNS);
        struct nsc_buf text = NSC_BUF_INIT(64);
        struct value values[COLUMNS];
        char want[32] = "";

        for (uint32_t c = 0; c < COLUMNS; c++) {
            values[c] = roll_value(&dice, c);
            value_add(relation, &values[c]);
        }
        nsc_relation_end(relation);
        for (uint32_t c = 0; c < COLUMNS; c++) {
            nsc_buf_clear(&text);
            nsc_sheet_show(&text, &relation->sheet, 0, c, false);
            if (values[c].type == NOTHING) {
                assert_int_equal(text.n, 0);
                continue;
            }
            if (values[c].type == INTEGER)
                snprintf(want, sizeof want, "%" PRId64, values[c].integer);
            else if (values[c].type ==
                     NUMBER) /* eighths have three decimals: the fewest are shown */
                snprintf(want, sizeof want, "%.15g", values[c].number);
            else
                snprintf(want, sizeof want, "%s", values[c].text);
            assert_string_equal(text.bytes, want);
        }
        nsc_buf_fini(&text);
        nsc_relation_free(relation);
    }
}

/* The number behind the last line's end or colon of what a format gives for one cell. */
static double written(const struct nsc_relation *relation, enum nsc_sheet_format format)
{
    const struct nsc_sheet_style style = {.format = format};
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    const char *at;
    double value;

    nsc_sheet_write(&text, &relation->sheet, &style);
    at = format == NSC_SHEET_AS_JSON ? strstr(text.bytes, "\"x\": ") + 4 : strchr(text.bytes, '\n');
    value = strtod(at + 1, NULL);
    nsc_buf_fini(&text);
    return value;
}

/* Files have the number itself, a table at least five of its digits. */
TEST(numbers_read_back_as_they_are)
{
    static const char *const names[] = {"x"};
    struct dice dice = dice_new(53);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_relation *relation = nsc_relation_begin(names, 1);
        struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
        double value =
            ldexp((double)dice_below(&dice, UINT32_MAX) + 0.3, (int)dice_below(&dice, 300) - 170);

        value = dice_below(&dice, 2) ? -value : value;
        nsc_relation_add_number(relation, value);
        nsc_relation_end(relation);
        assert_true(written(relation, NSC_SHEET_AS_CSV) == value);
        assert_true(written(relation, NSC_SHEET_AS_TSV) == value);
        assert_true(written(relation, NSC_SHEET_AS_JSON) == value);
        nsc_sheet_show(&text, &relation->sheet, 0, 0, true);
        assert_true(text.n <= 24);
        assert_true(fabs(strtod(text.bytes, NULL) - value) <= fabs(value) * 1e-3);
        nsc_buf_fini(&text);
        nsc_relation_free(relation);
    }
}
