/* Unit tests of kinds: each has its words, and a table if it is an event of an export. */
#include "nsyscope/kind.h"

#include "support/cm.h"

#include <string.h>

TEST(every_kind_has_its_words)
{
    for (int i = 0; i < NSC_N_KINDS; i++) {
        assert_true(strlen(nsc_kind_word((enum nsc_kind)i)) > 0);
        assert_true(strlen(nsc_kind_label((enum nsc_kind)i)) > 0);
        assert_int_equal(strlen(nsc_kind_table((enum nsc_kind)i)) > 0, i != NSC_KIND_UNKNOWN);
    }
}

TEST(a_copy_is_named_by_its_direction)
{
    assert_string_equal(nsc_kind_word(NSC_KIND_COPY_HTOD), "copy");
    assert_string_equal(nsc_kind_label(NSC_KIND_COPY_HTOD), "copy host to device");
    assert_string_equal(nsc_kind_table(NSC_KIND_COPY_HTOD), "CUPTI_ACTIVITY_KIND_MEMCPY");
}

/* The inline tests compare ranges of the enumeration, so related kinds must be adjacent. */
TEST(classes_follow_the_filter_words)
{
    for (int i = 0; i < NSC_N_KINDS; i++) {
        const char *word = nsc_kind_word((enum nsc_kind)i);
        bool copy = !strcmp(word, "copy");
        bool gpu =
            copy || !strcmp(word, "kernel") || !strcmp(word, "graph") || !strcmp(word, "memset");

        assert_int_equal(nsc_kind_is_copy((uint8_t)i), copy);
        assert_int_equal(nsc_kind_is_gpu((uint8_t)i), gpu);
        assert_int_equal(nsc_kind_is_api((uint8_t)i), !strcmp(word, "api"));
        assert_int_equal(nsc_kind_is_nvtx((uint8_t)i),
                         !strcmp(word, "nvtx") || !strcmp(word, "mark"));
    }
}
