/*
 * Property test of text numbers: they are equal if and only if the bytes are, for any names and
 * counters; each number gives its bytes back.
 */
#include "analysis/names/texts.h"
#include "core/text.h"
#include "index/fold.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 150, BYTES = 160 };

/* Words, counters, characters similar to digits, and many counters. */
static void roll_name(char out[BYTES], struct dice *dice)
{
    static const char *const parts[] = {"op", " ", "x", "\xff", "0", "007", "_", "", "é"};
    struct nsc_buf text = NSC_BUF_INIT(BYTES - 1);

    for (uint64_t i = dice_below(dice, 5); i > 0; i--) {
        if (dice_below(dice, 2))
            nsc_buf_puts(&text, parts[dice_below(dice, 9)]);
        else
            nsc_buf_printf(&text, "%s%u", dice_below(dice, 3) ? "a" : "",
                           (unsigned)(dice_next(dice) >> (dice_below(dice, 3) * 12 + 37)) % 12);
    }
    if (dice_below(dice, 6) == 0)
        for (unsigned i = 0; i < 9 + dice_below(dice, 3); i++)
            nsc_buf_printf(&text, "-%u", (unsigned)dice_below(dice, 2));
    if (dice_below(dice, 6) == 0)
        nsc_buf_printf(&text, "/%llu",
                       (unsigned long long)dice_below(dice, 3) + 88888888888888888u);
    strcpy(out, text.n ? text.bytes : "");
    nsc_buf_fini(&text);
}

static struct nsc_trace *roll_trace(struct dice *dice)
{
    static const uint8_t kinds[] = {NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_SPAN, NSC_KIND_NVTX_MARK,
                                    NSC_KIND_KERNEL, NSC_KIND_API_RUNTIME};
    static char names[ROWS][BYTES];
    struct nsc_test_row rows[ROWS];

    for (int i = 0; i < ROWS; i++) {
        roll_name(names[i], dice);
        rows[i] = (struct nsc_test_row){.kind = kinds[dice_below(dice, 5)],
                                        .process = 1,
                                        .tid = 1 + (uint32_t)dice_below(dice, 2),
                                        .start = (nsc_time)dice_below(dice, 1000),
                                        .name = dice_below(dice, 20) ? names[i] : NULL};
        rows[i].end = rows[i].start + (rows[i].kind != NSC_KIND_NVTX_MARK);
    }
    return nsc_test_trace_build(rows, ROWS);
}

static bool are_equal(struct nsc_text a, struct nsc_text b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.bytes, b.bytes, a.n) == 0);
}

/* The template of nsc_fold_text; without folding, NSC_NONE is correct. */
static void check_template(const struct nsc_texts *texts, nsc_str number, struct nsc_text bytes)
{
    struct nsc_fold fold;
    bool folds = nsc_fold_text(&fold, bytes);
    uint32_t template = nsc_texts_template(texts, number);

    assert_int_equal(template != NSC_NONE, folds);
    if (folds)
        assert_true(are_equal(nsc_strpool_text(&texts->templates, template),
                              (struct nsc_text){fold.text, fold.n}));
}

static void check_pairs(struct nsc_texts *texts, const struct nsc_trace *trace)
{
    uint32_t n = nsc_trace_events(trace)->n;

    for (nsc_event a = 0; a < n; a++) {
        char bytes[2][NSC_NAME_BYTES];
        struct nsc_text x = nsc_trace_event_text(trace, a, false, bytes[0]);
        nsc_str number = nsc_texts_of(texts, a);

        assert_true(are_equal(nsc_texts_at(texts, number), x));
        assert_int_equal(nsc_texts_add(texts, x), number);
        assert_int_equal(number == 0, x.n == 0);
        check_template(texts, number, x);
        for (nsc_event b = 0; b < a; b++) {
            struct nsc_text y = nsc_trace_event_text(trace, b, false, bytes[1]);

            assert_int_equal(nsc_texts_of(texts, b) == number, are_equal(x, y));
        }
    }
}

/* Events as they come, and again in the same order: the second time they are guessed. */
static void check_many(struct nsc_texts *texts, const struct nsc_trace *trace)
{
    uint32_t n = nsc_trace_events(trace)->n;

    for (uint32_t i = 0; i < 2 * n; i++) {
        char bytes[NSC_NAME_BYTES];

        assert_true(are_equal(nsc_texts_at(texts, nsc_texts_of(texts, i % n)),
                              nsc_trace_event_text(trace, i % n, false, bytes)));
    }
}

TEST(numbers_are_equal_where_bytes_are)
{
    struct dice dice = dice_new(701);

    for (int round = 0; round < 60; round++) {
        struct nsc_trace *trace = roll_trace(&dice);
        struct nsc_texts texts;

        nsc_texts_init(&texts, trace);
        if (dice_below(&dice, 2))
            nsc_texts_drop_events(&texts);
        if (dice_below(&dice, 2))
            check_many(&texts, trace);
        for (uint64_t i = dice_below(&dice, 30); i > 0; i--) /* in any order */
            (void)nsc_texts_of(&texts, (nsc_event)dice_below(&dice, nsc_trace_events(trace)->n));
        check_pairs(&texts, trace);
        assert_false(texts.is_folded);
        nsc_texts_fini(&texts);
        nsc_trace_free(trace);
    }
}
