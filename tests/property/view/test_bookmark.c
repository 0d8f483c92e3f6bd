/*
 * Property tests of bookmarks: merging obeys its laws, files are preserved, and damage affects only
 * the entries it touches.
 * promises: D8
 */
#include "core/die.h"
#include "support/cm.h"
#include "support/roll_bookmarks.h"

#include <string.h>

enum { ROUNDS = 300 };

static const char identity[] = "0123456789abcdef0123456789abcdef";

static void copy_list(struct nsc_bookmarks *out, const struct nsc_bookmarks *list)
{
    struct nsc_bookmarks_report report;
    struct nsc_buf text = print_bookmarks(list);

    nsc_bookmarks_parse(out, NULL, (struct nsc_text){text.bytes, (uint32_t)text.n}, &report);
    assert_false(report.damaged);
    nsc_buf_fini(&text);
}

/* out = a with b. */
static void join(struct nsc_bookmarks *out, const struct nsc_bookmarks *a,
                 const struct nsc_bookmarks *b)
{
    struct nsc_bookmarks copy = {0};

    copy_list(out, a);
    copy_list(&copy, b);
    nsc_bookmarks_merge(out, &copy);
    assert_int_equal(copy.n, 0);
}

static void assert_same(const struct nsc_bookmarks *a, const struct nsc_bookmarks *b)
{
    struct nsc_buf x = print_bookmarks(a);
    struct nsc_buf y = print_bookmarks(b);

    assert_string_equal(x.bytes, y.bytes);
    nsc_buf_fini(&x);
    nsc_buf_fini(&y);
}

TEST(merging_obeys_its_laws)
{
    struct dice dice = dice_new(41);

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct nsc_bookmarks list[3] = {0};
        struct nsc_bookmarks made[6] = {0};

        for (unsigned i = 0; i < 3; i++)
            roll_bookmarks(&list[i], &dice, (unsigned)dice_below(&dice, 10));
        join(&made[0], &list[0], &list[1]);
        join(&made[1], &list[1], &list[0]);
        assert_same(&made[0], &made[1]);
        join(&made[2], &made[0], &list[2]);
        join(&made[3], &list[1], &list[2]);
        join(&made[4], &list[0], &made[3]);
        assert_same(&made[2], &made[4]);
        join(&made[5], &made[2], &made[2]);
        assert_same(&made[2], &made[5]);
        for (unsigned i = 0; i < 3; i++)
            nsc_bookmarks_fini(&list[i]);
        for (unsigned i = 0; i < 6; i++)
            nsc_bookmarks_fini(&made[i]);
    }
}

/* Compares with the header's definition, one id at a time. */
TEST(merging_keeps_the_right_one)
{
    struct dice dice = dice_new(42);

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct nsc_bookmarks a = {0};
        struct nsc_bookmarks b = {0};
        struct nsc_bookmarks made = {0};

        roll_bookmarks(&a, &dice, 8);
        roll_bookmarks(&b, &dice, 8);
        join(&made, &a, &b);
        for (uint64_t id = 1; id <= 12; id++) {
            size_t i = nsc_bookmarks_find(&a, id);
            size_t j = nsc_bookmarks_find(&b, id);
            size_t k = nsc_bookmarks_find(&made, id);
            bool deleted = (i < a.n && a.at[i].deleted) || (j < b.n && b.at[j].deleted);
            int64_t x = i < a.n ? a.at[i].modified : -1;
            int64_t y = j < b.n ? b.at[j].modified : -1;

            assert_int_equal(k < made.n, i < a.n || j < b.n);
            if (k >= made.n)
                continue;
            assert_int_equal(made.at[k].deleted, deleted);
            if (deleted)
                continue;
            assert_int_equal(made.at[k].modified, x > y ? x : y);
            assert_true((i < a.n && nsc_bookmark_compare(&made.at[k], &a.at[i]) == 0) ||
                        (j < b.n && nsc_bookmark_compare(&made.at[k], &b.at[j]) == 0));
        }
        for (size_t i = 1; i < nsc_bookmarks_live(&made); i++)
            assert_true(made.at[i - 1].time <= made.at[i].time);
        nsc_bookmarks_fini(&a);
        nsc_bookmarks_fini(&b);
        nsc_bookmarks_fini(&made);
    }
}

static struct nsc_buf print_all(const struct nsc_bookmarks *list,
                                const struct nsc_session_state *session)
{
    struct nsc_buf out = NSC_BUF_INIT(1 << 24);

    nsc_bookmarks_format(&out, list, session, identity, true);
    return out;
}

TEST(files_come_back)
{
    struct dice dice = dice_new(43);

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct nsc_bookmarks list = {0};
        struct nsc_bookmarks again = {0};
        struct nsc_session_state session = {0};
        struct nsc_session_state session_again = {0};
        struct nsc_bookmarks_report report;
        struct nsc_buf text;
        struct nsc_buf text_again;

        roll_bookmarks(&list, &dice, 10);
        roll_session(&session, &dice);
        text = print_all(&list, &session);
        nsc_bookmarks_parse(&again, &session_again, (struct nsc_text){text.bytes, (uint32_t)text.n},
                            &report);
        assert_false(report.damaged);
        assert_int_equal(report.version, 1);
        assert_string_equal(report.identity, identity);
        text_again = print_all(&again, &session_again);
        assert_string_equal(text.bytes, text_again.bytes);
        for (size_t i = 0; i < list.n; i++)
            assert_true(list.at[i].deleted || nsc_bookmark_compare(&list.at[i], &again.at[i]) == 0);
        nsc_buf_fini(&text);
        nsc_buf_fini(&text_again);
        nsc_bookmarks_fini(&list);
        nsc_bookmarks_fini(&again);
        nsc_session_state_fini(&session);
        nsc_session_state_fini(&session_again);
    }
}

/* How many bookmarks of list were read back unchanged. */
static size_t count_kept(const struct nsc_bookmarks *list, const struct nsc_bookmarks *read)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        size_t j = nsc_bookmarks_find(read, list->at[i].id);

        n += j < read->n && list->at[i].deleted == read->at[j].deleted &&
             nsc_bookmark_compare(&list->at[i], &read->at[j]) == 0;
    }
    return n;
}

TEST(a_cut_costs_what_it_cuts)
{
    struct dice dice = dice_new(44);
    struct nsc_bookmarks list = {0};
    struct nsc_session_state session = {0};
    struct nsc_buf text;
    size_t before = 0;

    roll_bookmarks(&list, &dice, 30);
    roll_session(&session, &dice);
    text = print_all(&list, &session);
    for (uint32_t n = 0; n < text.n - 1; n++) { /* the last is a line end */
        char *cut = nsc_xmalloc((size_t)n + 1); /* so that a byte too far is seen */
        struct nsc_bookmarks read = {0};
        struct nsc_bookmarks_report report;
        size_t whole = 0;

        memcpy(cut, text.bytes, n);
        cut[n] = '\0';
        nsc_bookmarks_parse(&read, NULL, (struct nsc_text){cut, n}, &report);
        assert_true(report.damaged);
        for (const char *at = cut; (at = strstr(at, "\n    {")); at++)
            whole += strchr(at + 1, '\n') != NULL;
        assert_true(read.n >= whole && read.n <= whole + 1 && read.n >= before);
        assert_int_equal(count_kept(&list, &read), read.n);
        if (strstr(cut, "\"count\"") && strstr(cut, "\n  \"session\""))
            assert_int_equal(read.n + report.lost, list.n);
        before = read.n;
        nsc_bookmarks_fini(&read);
        free(cut);
    }
    assert_int_equal(before, list.n);
    nsc_buf_fini(&text);
    nsc_bookmarks_fini(&list);
    nsc_session_state_fini(&session);
}

TEST(a_byte_costs_two_at_most)
{
    struct dice dice = dice_new(45);
    struct nsc_bookmarks list = {0};
    struct nsc_buf text;

    roll_bookmarks(&list, &dice, 30);
    text = print_all(&list, NULL);
    for (uint32_t i = 0; i < text.n; i++) {
        char old = text.bytes[i];

        for (unsigned bit = 0; bit < 8; bit++) {
            struct nsc_bookmarks read = {0};
            struct nsc_bookmarks_report report;

            text.bytes[i] = (char)(old ^ (1 << bit));
            nsc_bookmarks_parse(&read, NULL, (struct nsc_text){text.bytes, (uint32_t)text.n},
                                &report);
            if (count_kept(&list, &read) + 2 < list.n)
                fail_msg("byte %u, bit %u: %zu of %zu kept", i, bit, count_kept(&list, &read),
                         list.n);
            nsc_bookmarks_fini(&read);
        }
        text.bytes[i] = old;
    }
    nsc_buf_fini(&text);
    nsc_bookmarks_fini(&list);
}
