/*
 * Property test of shared answers: each skill and finding gives the same answer with and without a
 * store, in any order, and with a mask of all rows. Another scope gets its own answers.
 */
#include "analysis/base/shared.h"
#include "analysis/skill/skill.h"
#include "share/sheet_write.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <stdlib.h>
#include <string.h>

static char *answer(const struct nsc_skill *skill, const struct nsc_scope *scope,
                    enum nsc_sheet_format format)
{
    struct nsc_sheet_style style = {.format = format};
    struct nsc_question question = nsc_question_of(skill, scope, NULL);
    struct nsc_buf text = NSC_BUF_INIT(1u << 24);
    struct nsc_sheets sheets = {0};

    skill->run(&sheets, &question);
    nsc_sheets_write(&text, &sheets, &style);
    nsc_sheets_fini(&sheets);
    return text.bytes;
}

/* Takes both texts over. */
static void expect_same(const struct nsc_skill *skill, char *with, char *without)
{
    if (strcmp(with, without) != 0)
        fail_msg("%s: %s\nis not %s", skill->name, with, without);
    free(with);
    free(without);
}

static void compare(const struct nsc_skill *skill, const struct nsc_scope *kept,
                    const struct nsc_scope *plain)
{
    expect_same(skill, answer(skill, kept, NSC_SHEET_AS_JSON),
                answer(skill, plain, NSC_SHEET_AS_JSON));
}

TEST(answers_are_the_same)
{
    struct gpu_world world = {.dice = dice_new(611)};
    uint32_t n;
    const struct nsc_skill *skills = nsc_skills(&n);

    for (int round = 0; round < 12; round++) {
        struct nsc_scope kept, narrow, plain;

        gpu_world_roll(&world);
        kept = plain = world.scope;
        nsc_shared_open(&kept);
        for (uint32_t i = 0; i < 2 * n; i++) {
            const struct nsc_skill *skill = &skills[(i * 7 + (uint32_t)round) % n];

            compare(skill, &kept, &plain);
        }
        narrow = kept; /* as a question does that looks at a part */
        narrow.has_window = true;
        narrow.window.t0 = kept.window.t0 + (kept.window.t1 - kept.window.t0) / 3;
        plain = narrow;
        plain.shared = NULL;
        for (uint32_t i = 0; i < n; i++)
            compare(&skills[i], &narrow, &plain);
        nsc_shared_close(&kept);
        assert_null(kept.shared);
        gpu_world_clear(&world);
    }
}

/* Without a mask some figures are those of the index. */
static void compare_masked(const struct nsc_skill *skill, const struct nsc_scope *masked)
{
    struct nsc_scope plain = *masked;
    char *with, *without;

    plain.mask = NULL;
    plain.summary = nsc_trace_summary(masked->trace);
    with = answer(skill, masked, NSC_SHEET_AS_CSV); /* without notes, which tell of the mask */
    without = answer(skill, &plain, NSC_SHEET_AS_CSV);
    /* Phases, at the end, are not told with a mask. */
    if (strcmp(skill->name, "bound") == 0 && strlen(with) < strlen(without))
        without[strlen(with)] = '\0';
    expect_same(skill, with, without);
}

TEST(a_mask_of_all_rows_changes_no_answer)
{
    struct gpu_world world = {.dice = dice_new(612)};
    uint32_t n;
    const struct nsc_skill *skills = nsc_skills(&n);

    for (int round = 0; round < 100; round++) {
        gpu_world_roll(&world);
        memset(world.mask, 0xff, sizeof world.mask);
        nsc_summary_free(world.summary);
        world.summary = nsc_summary_build(world.trace, world.mask);
        world.scope.mask = world.mask;
        world.scope.summary = world.summary;
        for (uint32_t i = 0; i < n; i++)
            if (strcmp(skills[i].name, "findings") != 0) /* they name the filter in sentences */
                compare_masked(&skills[i], &world.scope);
        gpu_world_clear(&world);
    }
}

static unsigned n_built;

enum { SAME_PLACE = 10 + (1 << 14) }; /* a device that the store keeps in the place of device 10 */

static bool build_count(void *out, const struct nsc_scope *scope, uint32_t device)
{
    (void)scope;
    *(uint32_t *)out = device + ++n_built;
    return device != SAME_PLACE;
}

static bool build_list(void *out, const struct nsc_scope *scope, uint32_t device)
{
    uint32_t *list = out;

    (void)scope;
    memset(list, 0, 4 * sizeof *list);
    list[0] = device;
    return true;
}

/* The store keeps no zeros at the end of an answer, but returns them. */
TEST(zeros_at_the_end_come_back)
{
    static const struct nsc_shared_kind kind = {4 * sizeof(uint32_t), build_list, NULL};
    struct nsc_scope scope = {.window = {0, 10}};

    nsc_shared_open(&scope);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t list[4] = {1, 1, 1, 1};

        assert_true(nsc_shared_ask(list, NULL, &kind, &scope, i % 3 * 1000));
        assert_int_equal(list[0], i % 3 * 1000);
        for (int k = 1; k < 4; k++)
            assert_int_equal(list[k], 0);
    }
    nsc_shared_close(&scope);
}

/* Each kind and device is computed once, and the result is kept. */
TEST(each_is_worked_out_once)
{
    static const struct nsc_shared_kind kind = {sizeof(uint32_t), build_count, NULL};
    struct nsc_scope scope = {.window = {0, 10}};
    uint32_t value;
    bool is_kept;

    n_built = 0;
    assert_true(nsc_shared_ask(&value, &is_kept, &kind, &scope, 10));
    assert_false(is_kept);
    assert_int_equal(value, 11);
    nsc_shared_open(&scope);
    for (int i = 0; i < 3; i++) {
        assert_true(nsc_shared_ask(&value, &is_kept, &kind, &scope, 10));
        assert_true(is_kept);
        assert_int_equal(value, 12);
        assert_false(nsc_shared_ask(&value, NULL, &kind, &scope, SAME_PLACE));
        assert_int_equal(value, SAME_PLACE + 3);
    }
    nsc_shared_close(&scope);
    assert_int_equal(n_built, 3);
}
