/* Unit tests of reading comma-separated text: RFC 4180, and deviations of tools. */
#include "core/csv_read.h"
#include "support/cm.h"

#include <string.h>

static void expect_row(struct nsc_csv *csv, uint64_t line, uint32_t n, const char *const fields[])
{
    assert_true(nsc_csv_next(csv));
    assert_int_equal(csv->line, line);
    assert_int_equal(nsc_csv_fields(csv), n);
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_text field = nsc_csv_field(csv, i);

        assert_int_equal(field.n, strlen(fields[i]));
        assert_memory_equal(field.bytes, fields[i], field.n);
    }
    assert_int_equal(nsc_csv_field(csv, n).n, 0);
}

TEST(test_rows_are_split)
{
    static const char text[] = "\xef\xbb\xbf"
                               "a,\"b \"\"x\"\"\",\"c,\nd\"\r\n"
                               "\n"
                               ",\n"
                               "\"\",e\"f\"\r\n"
                               "last,";
    struct nsc_csv csv;

    nsc_csv_init(&csv, text, sizeof text - 1);
    expect_row(&csv, 1, 3, (const char *const[]){"a", "b \"x\"", "c,\nd"});
    expect_row(&csv, 3, 1, (const char *const[]){""});
    expect_row(&csv, 4, 2, (const char *const[]){"", ""});
    expect_row(&csv, 5, 2, (const char *const[]){"", "e\"f\""});
    expect_row(&csv, 6, 2, (const char *const[]){"last", ""});
    assert_false(nsc_csv_next(&csv));
    nsc_csv_fini(&csv);
}

TEST(test_odd_quotes_end_with_the_text)
{
    struct nsc_csv csv;

    nsc_csv_init(&csv, "\"a,b\nc", 6);
    expect_row(&csv, 1, 1, (const char *const[]){"a,b\nc"});
    assert_false(nsc_csv_next(&csv));
    nsc_csv_fini(&csv);
    nsc_csv_init(&csv, "\"a\"b,\"c\r\"\r\n", 11);
    expect_row(&csv, 1, 2, (const char *const[]){"ab", "c\r"});
    assert_false(nsc_csv_next(&csv));
    nsc_csv_fini(&csv);
    nsc_csv_init(&csv, "", 0);
    assert_false(nsc_csv_next(&csv));
    nsc_csv_fini(&csv);
}
