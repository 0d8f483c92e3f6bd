/*
 * Property tests of sums by process and text: they equal those of a tally, also if a process comes
 * again, and the first totals are those of sorted order.
 */
#include "analysis/hotspots/text_sums.h"
#include "support/cm.h"
#include "support/dice.h"

enum { ROUNDS = 200, MAX_EVENTS = 400, TEXTS = 60, PIDS = 5 };

/* Sums random events by (pid, text) in both ways. */
static void sum_both(struct nsc_text_sums *sums, struct nsc_tally *tally, struct dice *dice)
{
    uint32_t n = (uint32_t)dice_below(dice, MAX_EVENTS);
    uint64_t pid = 0;

    for (uint32_t i = 0; i < n; i++) {
        nsc_str text = (nsc_str)dice_below(dice, TEXTS);
        nsc_time ns = (nsc_time)dice_below(dice, 20);

        if (i == 0 || dice_below(dice, 10) == 0)
            pid = dice_below(dice, PIDS);
        nsc_text_sums_begin(sums, pid);
        nsc_text_sums_add(sums, text, ns);
        nsc_tally_add(tally, pid, text, ns);
    }
    nsc_text_sums_end(sums);
}

static void check_rows(const struct nsc_text_sums *sums, struct nsc_tally *tally)
{
    size_t n = 0, groups = tally->rows.n;

    for (uint64_t pid = 0; pid < PIDS; pid++) {
        struct nsc_text_process process = nsc_text_sums_process(sums, pid);

        for (size_t i = process.first; i < process.end; i++, n++) {
            uint32_t group = nsc_tally_group(tally, pid, sums->rows.at[i].text);

            assert_true(tally->rows.at[group].total == sums->rows.at[i].total);
            assert_true(tally->rows.at[group].count == sums->rows.at[i].count);
        }
    }
    assert_int_equal(n, groups);
    assert_int_equal(tally->rows.n, groups);
}

static void check_top(const struct nsc_text_totals *totals, const struct nsc_tally *by_text,
                      size_t most)
{
    struct nsc_tally top = nsc_text_totals_top(totals, most);
    uint32_t *of_top = nsc_tally_sort(&top, NSC_TALLY_TOTAL, 0, NULL);
    uint32_t *all = nsc_tally_sort(by_text, NSC_TALLY_TOTAL, 0, NULL);

    most = most < by_text->rows.n ? most : by_text->rows.n;
    assert_true(top.rows.n >= most);
    for (size_t i = 0; i < most; i++)
        assert_true(top.rows.at[of_top[i]].total == by_text->rows.at[all[i]].total);
    for (size_t i = 0; i < top.rows.n; i++)
        for (size_t k = 0; k < by_text->rows.n; k++)
            if (by_text->rows.at[k].key[0] == top.rows.at[i].key[0]) {
                assert_true(by_text->rows.at[k].total == top.rows.at[i].total);
                assert_true(by_text->rows.at[k].count == top.rows.at[i].count);
            }
    free(of_top);
    free(all);
    nsc_tally_fini(&top);
}

TEST(sums_are_those_of_a_tally)
{
    struct dice dice = dice_new(17);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_text_sums sums = {0};
        struct nsc_tally tally = {0}, by_text = {0};
        struct nsc_text_totals totals;

        sum_both(&sums, &tally, &dice);
        check_rows(&sums, &tally);
        nsc_tally_merge(&by_text, &tally, 1);
        totals = nsc_text_sums_totals(&sums, TEXTS);
        assert_int_equal(totals.n_texts, by_text.rows.n);
        for (size_t i = 0; i < by_text.rows.n; i++)
            assert_true(totals.at[by_text.rows.at[i].key[0]] == by_text.rows.at[i].total);
        check_top(&totals, &by_text, 1 + dice_below(&dice, TEXTS));
        free(totals.at);
        nsc_text_sums_fini(&sums);
        nsc_tally_fini(&tally);
        nsc_tally_fini(&by_text);
    }
}
