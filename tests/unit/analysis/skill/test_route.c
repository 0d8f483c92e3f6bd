/*
 * Unit tests of routing questions by words: weights, wildcards, plurals, stop words, ties and the
 * cut.
 */
#include "analysis/skill/route.h"
#include "support/cm.h"

#include <string.h>

static const struct nsc_route_entry entries[] = {
    {"idle", "How long is each GPU idle?", "gap* bubble wait*"},
    {"top_kernels", "Which kernels take the time?", "hot* kernel*"},
    {"copies", "Which copies are there?", "memcpy transfer*"},
    {"copies_by_time", "Which copies take the time?", "memcpy"},
};

static uint32_t find(struct nsc_route out[4], const char *question)
{
    return nsc_route_find(out, 4, entries, 4, question);
}

TEST(test_words_of_the_row_count_most)
{
    struct nsc_route out[4];

    assert_int_equal(find(out, "Why the BUBBLES?"), 1);
    assert_int_equal(out[0].entry, 0);
    assert_int_equal(out[0].score, 3);
    assert_int_equal(find(out, "gapless waiting"), 1);
    assert_int_equal(out[0].score, 6);
}

TEST(test_names_and_questions_count_less)
{
    struct nsc_route out[4];

    assert_int_equal(find(out, "idle"), 1);
    assert_int_equal(out[0].score, 2);
    assert_int_equal(find(out, "time"), 2); /* a part of the name, a word of a question */
    assert_int_equal(out[0].entry, 3);
    assert_int_equal(out[0].score, 2);
    assert_int_equal(out[1].entry, 1);
    assert_int_equal(out[1].score, 1);
}

TEST(test_a_word_counts_once_and_little_ones_never)
{
    struct nsc_route out[4];

    assert_int_equal(find(out, "memcpy memcpy MEMCPY"), 2);
    assert_int_equal(out[0].entry, 2); /* of equals the first */
    assert_int_equal(out[0].score, 3);
    assert_int_equal(find(out, "how are the there which is?"), 0);
    assert_int_equal(find(out, ""), 0);
    assert_int_equal(find(out, "\xff\xfe ?!"), 0);
}

TEST(test_what_is_below_half_of_the_best_is_cut)
{
    struct nsc_route out[4];

    assert_int_equal(find(out, "hot kernels time gap"), 1); /* 3 + 3 + 1 against 3 and 2 */
    assert_int_equal(out[0].entry, 1);
    assert_int_equal(nsc_route_find(out, 1, entries, 4, "memcpy"), 1);
    assert_int_equal(out[0].entry, 2);
}

TEST(test_long_words_do_not_run_over)
{
    char question[4000];
    struct nsc_route out[4];

    memset(question, 'g', sizeof question);
    memcpy(question, "gap", 3);
    question[sizeof question - 1] = '\0';
    assert_int_equal(find(out, question), 1);
    for (size_t i = 10; i < sizeof question - 10; i += 10) { /* many that match */
        memcpy(question + i, " gap", 4);
        question[i + 4] = (char)('a' + i / 10 % 26);
        question[i + 5] = (char)('a' + i / 260 % 26);
    }
    assert_int_equal(find(out, question), 1);
}
