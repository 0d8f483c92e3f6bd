/*
 * Unit tests of fuzzy scores, compared with all placements of the pattern, and of the list of
 * offers.
 */
#include "support/cm.h"
#include "support/dice.h"
#include "view/kit/offers.h"
#include "view/kit/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

static int32_t worth(const char *text, int at)
{
    if (is_of_word(text[at]) && (at == 0 || !is_of_word(text[at - 1])))
        return 800;
    if (isupper((unsigned char)text[at]) && at > 0 &&
        (islower((unsigned char)text[at - 1]) || isdigit((unsigned char)text[at - 1])))
        return 700;
    return 0;
}

/* The score by trying all sets of places, one bit per byte of the text. */
static int32_t naive(const char *text, const char *pattern)
{
    int n = (int)strlen(text);
    int m = (int)strlen(pattern);
    int32_t best = NSC_FUZZY_NONE;

    if (m == 0)
        return 0;
    for (unsigned set = 1; set < 1u << n; set++) {
        int32_t score = 0;
        int p = 0;
        int last = -1;

        for (int i = 0; i < n && p <= m; i++) {
            if (!(set >> i & 1))
                continue;
            if (p == m || tolower((unsigned char)text[i]) != tolower((unsigned char)pattern[p])) {
                p = m + 1;
                break;
            }
            if (p == 0)
                score += worth(text, i) - 5 * i;
            else if (last == i - 1)
                score += 1000;
            else
                score += worth(text, i) - 10 * (i - last - 1);
            last = i;
            p++;
        }
        score -= 5 * (n - 1 - last);
        if (p == m && score > best)
            best = score;
    }
    return best;
}

TEST(scores_equal_those_of_all_ways)
{
    static const char letters[] = "abAB_:1";
    struct dice dice = dice_new(77);

    for (int round = 0; round < 3000; round++) {
        char text[12] = "";
        char pattern[5] = "";

        for (uint32_t i = 0, n = (uint32_t)dice_below(&dice, 11) + 1; i < n; i++)
            text[i] = letters[dice_below(&dice, 7)];
        for (uint32_t i = 0, n = (uint32_t)dice_below(&dice, 5); i < n; i++)
            pattern[i] = letters[dice_below(&dice, 7)];
        assert_int_equal(nsc_fuzzy_score(nsc_text_from(text), nsc_text_from(pattern)),
                         naive(text, pattern));
    }
}

TEST(words_and_runs_score_more)
{
    struct nsc_text typed = nsc_text_from("slow k");

    assert_true(nsc_fuzzy_score(nsc_text_from("slow-kernels"), typed) >
                nsc_fuzzy_score(nsc_text_from("s_l_o_w_k"), typed));
    assert_int_equal(nsc_fuzzy_score(nsc_text_from("kernels"), typed), NSC_FUZZY_NONE);
}

TEST(the_best_stand_first_and_the_worst_leave)
{
    struct nsc_offers offers;
    char text[16];

    nsc_offers_clear(&offers, 3);
    for (int i = 0; i < 2 * NSC_OFFERS_MOST; i++) {
        (void)snprintf(text, sizeof text, "%d", i);
        nsc_offers_add(&offers, i / 2, nsc_text_from(text), "", "");
    }
    nsc_offers_add(&offers, NSC_FUZZY_NONE, nsc_text_from("none"), "", "");
    nsc_offers_add(&offers, 1000, nsc_text_from(""), "", "");
    assert_int_equal(offers.n, NSC_OFFERS_MOST);
    assert_string_equal(offers.items[0].text, "78");
    assert_string_equal(offers.items[1].text, "79");
    assert_string_equal(offers.items[NSC_OFFERS_MOST - 1].text, "41");
}
