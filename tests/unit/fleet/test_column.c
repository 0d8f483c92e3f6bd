/* Columns of sketches: what is written is read again; text that is no column is refused. */
#include "analysis/job/fleet.h"
#include "fleet/column.h"
#include "fleet/sketch.h"
#include "support/cm.h"

enum { MOST = 4096 };

static size_t pass(int64_t out[MOST], const int64_t values[], size_t n, size_t *bytes)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    size_t read;

    nsc_column_put(&text, values, n);
    *bytes = text.n;
    read = nsc_column_get(out, MOST,
                          (struct nsc_text){text.bytes ? text.bytes : "", (uint32_t)text.n});
    nsc_buf_fini(&text);
    return read;
}

TEST(what_is_written_is_read)
{
    static const int64_t hard[] = {INT64_MIN, INT64_MAX, 0, -1, -1, -1, -1,
                                   -1,        INT64_MIN, 7, 14, 21, 28, 35};
    int64_t values[MOST], out[MOST];
    uint64_t random = 1;
    size_t bytes = 0;

    assert_int_equal(pass(out, hard, sizeof hard / sizeof *hard, &bytes),
                     sizeof hard / sizeof *hard);
    assert_memory_equal(out, hard, sizeof hard);
    for (unsigned round = 0; round < 200; round++) {
        size_t n = round * 7 % 300;

        for (size_t i = 0; i < n; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            values[i] = round % 3 == 0 ? (int64_t)random : (int64_t)(random >> 62);
        }
        assert_int_equal(pass(out, values, n, &bytes), n);
        assert_memory_equal(out, values, n * sizeof *values);
    }
}

TEST(runs_are_short)
{
    int64_t values[MOST], out[MOST];
    size_t bytes = 0;

    for (int i = 0; i < MOST; i++)
        values[i] = 1000 + 17 * i;
    assert_int_equal(pass(out, values, MOST, &bytes), MOST);
    assert_true(bytes < 12);
}

TEST(other_text_is_refused)
{
    static const char *const bad[] = {"!", "*A", "A*", "g", "_______________", "A*__________"};
    int64_t out[4];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_true(nsc_column_get(out, 4, (struct nsc_text){bad[i], (uint32_t)strlen(bad[i])}) ==
                    SIZE_MAX);
    assert_true(nsc_column_get(out, 4, (struct nsc_text){"AAAAA", 5}) == SIZE_MAX);
    assert_int_equal(nsc_column_get(out, 4, (struct nsc_text){"", 0}), 0);
}

TEST(a_file_name_numbers_its_rank)
{
    assert_int_equal(nsc_fleet_number_in("/a/rank12.sqlite"), 12);
    assert_int_equal(nsc_fleet_number_in("/a1/job7_rank-3_of_8.nsys-rep"), 3);
    assert_int_equal(nsc_fleet_number_in("report.17.sqlite"), 17);
    assert_int_equal(nsc_fleet_number_in("frank.sqlite"), -1);
    assert_int_equal(nsc_fleet_number_in("a2/report"), -1);
}
