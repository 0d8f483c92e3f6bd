/* Unit tests of nearest texts: order, distance limit, and repetitions. */
#include "core/nearest.h"
#include "support/cm.h"

#include <string.h>

static void expect_kept(const struct nsc_nearest *nearest, uint32_t i, const char *text)
{
    assert_true(i < nearest->n);
    assert_int_equal(nearest->text[i].n, strlen(text));
    assert_memory_equal(nearest->text[i].bytes, text, strlen(text));
}

static void offer_all(struct nsc_nearest *nearest, const char *const texts[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        nsc_nearest_add(nearest, nsc_text_from(texts[i]));
}

TEST(test_nearer_ones_come_first)
{
    static const char *const texts[] = {"backward", "forwards", "far away", "fwd", "Forward"};
    struct nsc_nearest nearest;

    nsc_nearest_init(&nearest, nsc_text_from("foward"));
    offer_all(&nearest, texts, 5);
    assert_int_equal(nearest.n, 3);
    expect_kept(&nearest, 0, "Forward");
    expect_kept(&nearest, 1, "forwards");
    expect_kept(&nearest, 2, "fwd");
}

TEST(test_what_holds_it_is_nearest)
{
    static const char *const texts[] = {"stop", "a very long name with STEP in it", "stop"};
    struct nsc_nearest nearest;

    nsc_nearest_init(&nearest, nsc_text_from("step"));
    offer_all(&nearest, texts, 3);
    assert_int_equal(nearest.n, 2);
    expect_kept(&nearest, 0, texts[1]);
    expect_kept(&nearest, 1, "stop");
}

TEST(test_what_it_begins_with_is_near)
{
    static const char *const texts[] = {"iteration", "dur", "correlation", "du"};
    struct nsc_nearest nearest;

    nsc_nearest_init(&nearest, nsc_text_from("duration"));
    offer_all(&nearest, texts, 4);
    assert_int_equal(nearest.n, 3);
    expect_kept(&nearest, 0, "dur");
}

TEST(test_nothing_near_says_nothing)
{
    char out[NSC_NEAREST_WORDS];
    struct nsc_nearest nearest;

    nsc_nearest_init(&nearest, nsc_text_from("step"));
    nsc_nearest_add(&nearest, nsc_text_from("xyz"));
    nsc_nearest_add(&nearest, nsc_text_from(""));
    assert_string_equal(nsc_nearest_words(out, &nearest), "");
    nsc_nearest_add(&nearest, nsc_text_from("st\x1b"
                                            "ep"));
    assert_true(strncmp(nsc_nearest_words(out, &nearest), "; the nearest: st", 17) == 0);
    assert_null(strchr(out, '\x1b'));
}
