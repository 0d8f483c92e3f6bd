/* Unit tests of alignment: the choice of AUTO, the offsets of each method, and refusals. */
#include "nsys/jobs/align.h"
#include "support/cm.h"

#include <string.h>

#define SECOND ((nsc_time)1000000000)

static struct nsc_anchor anchors[3];
static nsc_time offsets[3];
static struct nsc_aligned aligned;
static struct nsc_error error;

static int set_up(void **state)
{
    static const char *const paths[] = {"a", "b", "c"};

    (void)state;
    memset(&error, 0, sizeof error);
    for (int i = 0; i < 3; i++)
        anchors[i] = (struct nsc_anchor){.path = paths[i], .utc = 100 * SECOND};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        nsc_anchor_fini(&anchors[i]);
    return 0;
}

static void add(int i, nsc_time start)
{
    *NSC_VEC_ADD(&anchors[i].instances) = start;
}

static enum nsc_status align_by(enum nsc_align by, uint32_t n)
{
    nsc_align_choose(&aligned, by, anchors, n);
    return nsc_align_offsets(offsets, &aligned, anchors, n, "step", &error);
}

TEST_WITH(sessions_close_together_are_aligned_by_utc, set_up, tear_down)
{
    anchors[1].utc += 59 * SECOND;
    anchors[2].utc -= 30 * SECOND;
    assert_int_equal(align_by(NSC_ALIGN_AUTO, 3), NSC_OK);
    assert_int_equal(aligned.by, NSC_ALIGN_UTC);
    assert_string_equal(aligned.why, "");
    assert_int_equal(offsets[0], 0);
    assert_int_equal(offsets[1], 59 * SECOND);
    assert_int_equal(offsets[2], -30 * SECOND);
    assert_int_equal(aligned.residual, -1);
}

TEST_WITH(sessions_far_apart_are_aligned_by_start, set_up, tear_down)
{
    anchors[1].utc += 61 * SECOND;
    nsc_align_choose(&aligned, NSC_ALIGN_AUTO, anchors, 2);
    assert_int_equal(aligned.by, NSC_ALIGN_START);
    assert_string_equal(aligned.why, "the recordings are 61.0 s apart");
    anchors[2].utc += 3 * 86400 * SECOND;
    nsc_align_choose(&aligned, NSC_ALIGN_AUTO, anchors, 3);
    assert_string_equal(aligned.why, "the recordings are 2 days apart");
    anchors[2].utc = anchors[1].utc + 7300 * SECOND;
    nsc_align_choose(&aligned, NSC_ALIGN_AUTO, anchors, 3);
    assert_string_equal(aligned.why, "the recordings are 2 hours apart");
    anchors[0].duration = 2 * SECOND; /* the gap is what lies between them */
    nsc_align_choose(&aligned, NSC_ALIGN_AUTO, anchors, 2);
    assert_int_equal(aligned.by, NSC_ALIGN_UTC);
    anchors[0].duration = 0;
    anchors[1].duration = 61 * SECOND; /* or small beside the longest */
    nsc_align_choose(&aligned, NSC_ALIGN_AUTO, anchors, 2);
    assert_int_equal(aligned.by, NSC_ALIGN_UTC);
    nsc_align_choose(&aligned, NSC_ALIGN_NVTX, anchors, 2); /* what was asked for stays */
    assert_int_equal(aligned.by, NSC_ALIGN_NVTX);
    nsc_align_choose(&aligned, NSC_ALIGN_AUTO, anchors, 1);
    assert_int_equal(aligned.by, NSC_ALIGN_AUTO);
}

TEST_WITH(an_export_without_utc_is_named, set_up, tear_down)
{
    anchors[1].path = "second.sqlite";
    anchors[1].utc = 0;
    nsc_align_choose(&aligned, NSC_ALIGN_AUTO, anchors, 3);
    assert_int_equal(aligned.by, NSC_ALIGN_START);
    assert_non_null(strstr(aligned.why, "second.sqlite"));
    assert_int_equal(align_by(NSC_ALIGN_UTC, 3), NSC_ENODATA);
    assert_non_null(strstr(error.text, "second.sqlite"));
}

TEST_WITH(starts_are_of_work_where_all_have_some, set_up, tear_down)
{
    for (int i = 0; i < 2; i++) {
        anchors[i].has_work = anchors[i].has_event = true;
        anchors[i].work = 1000 - 300 * i;
        anchors[i].event = 10 * i;
    }
    assert_int_equal(align_by(NSC_ALIGN_START, 2), NSC_OK);
    assert_int_equal(offsets[1], 300);
    assert_int_equal(align_by(NSC_ALIGN_START, 3), NSC_OK); /* the third has neither */
    assert_int_equal(offsets[1], -10);
    assert_int_equal(offsets[2], 0);
}

TEST_WITH(ranges_are_matched_by_the_median, set_up, tear_down)
{
    static const nsc_time first[] = {0, 100, 200};
    static const nsc_time second[] = {1000, 1105, 1290};

    for (int k = 0; k < 3; k++) {
        add(0, first[k]);
        add(1, second[k]);
    }
    assert_int_equal(align_by(NSC_ALIGN_NVTX, 2), NSC_OK);
    assert_int_equal(offsets[0], 0);
    assert_int_equal(offsets[1], -1005); /* of -1000, -1005, -1090 */
    assert_int_equal(aligned.instances, 3);
    assert_int_equal(aligned.residual, 85);
}

TEST_WITH(unequal_counts_match_the_first, set_up, tear_down)
{
    add(0, 50);
    add(0, 60);
    add(1, 8);
    assert_int_equal(align_by(NSC_ALIGN_NVTX, 2), NSC_OK);
    assert_int_equal(offsets[1], 42);
    assert_int_equal(aligned.instances, 1);
    assert_int_equal(aligned.residual, -1);
    assert_int_equal(align_by(NSC_ALIGN_NVTX, 3), NSC_ENODATA);
    assert_string_equal(error.text, "c has no NVTX range or mark called step");
}

TEST_WITH(times_beyond_64_bits_are_refused, set_up, tear_down)
{
    add(0, INT64_MAX);
    add(1, INT64_MIN);
    assert_int_equal(align_by(NSC_ALIGN_NVTX, 2), NSC_EDAMAGED);
    for (int i = 0; i < 2; i++) {
        anchors[i].has_work = true;
        anchors[i].work = i ? 1 : INT64_MIN;
    }
    assert_int_equal(align_by(NSC_ALIGN_START, 2), NSC_EDAMAGED);
    anchors[1].utc = INT64_MAX;
    anchors[0].duration = INT64_MAX;
    nsc_align_choose(&aligned, NSC_ALIGN_AUTO, anchors, 2);
    assert_int_equal(aligned.by, NSC_ALIGN_UTC);
}
