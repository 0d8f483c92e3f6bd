/*
 * Sheets: filled, read, and printed in every format.
 */
#include "core/json.h"
#include "core/sheet.h"
#include "core/text.h"
#include "share/sheet_write.h"
#include "support/cm.h"

#include <math.h>
#include <string.h>

struct kernel_row {
    struct nsc_text name;
    int64_t calls;
    nsc_time total, part, all;
    bool is_comm;
};

static const struct nsc_sheet_column columns[] = {
    NSC_COL_TEXT(kernel_row, name, "name", "Name"),
    NSC_COL_COUNT(kernel_row, calls, "calls", "Calls"),
    NSC_COL_NS(kernel_row, total, "total_ns", "Total"),
    NSC_COL_SHARE(kernel_row, part, all, "share_pct", "Share", "summed kernel time"),
    NSC_COL_YES(kernel_row, is_comm, "is_comm", "Comm"),
};

static void fill(struct nsc_sheet *sheet)
{
    nsc_sheet_init(sheet, "kernels", "Kernels by summed time", columns, 5);
    sheet->has_window = true;
    sheet->window = (struct nsc_window){0, 2000000000};
    NSC_ADD_ROW(sheet, kernel_row, .name = {"gemm|\"a\", b", 11}, .calls = 1234567,
                .total = 1500000, .part = 1, .all = 3);
    NSC_ADD_ROW(sheet, kernel_row, .name = {"=\x1b]0;x\a\xff", 8}, .calls = 1, .total = NSC_UNKNOWN,
                .part = 1, .is_comm = true);
    sheet->n_left_out = 3;
    nsc_sheet_note(sheet, "whole durations of %d kernels", 2);
}

struct every_row {
    bool yes;
    uint8_t u8;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    struct {
        int64_t of[2];
    } nested;
    double number, ms;
    nsc_time ns;
    const char *string, *none;
    struct nsc_kept_text kept, empty;
};

TEST(test_each_type_of_field_is_read)
{
    static const struct nsc_sheet_column every[] = {
        NSC_COL_YES(every_row, yes, "yes", ""),
        NSC_COL_COUNT(every_row, u8, "u8", ""),
        NSC_COL_ID(every_row, u16, "u16", ""),
        NSC_COL_BYTES(every_row, i32, "i32", ""),
        NSC_COL_COUNT(every_row, u32, "u32", ""),
        NSC_COL_ID(every_row, nested.of[1], "i64", ""),
        NSC_COL_SCALED(every_row, ns, "ms", "", 6, 1000000),
        NSC_COL_SCALED(every_row, ms, "s", "", 6, 1000),
        NSC_COL_NUMBER(every_row, number, "number", "", 2),
        NSC_COL_TEXT(every_row, string, "string", ""),
        NSC_COL_TEXT(every_row, kept, "kept", ""),
        NSC_COL_TEXT(every_row, none, "none", ""),
        NSC_COL_TEXT(every_row, empty, "empty", ""),
    };
    static const int64_t wanted[] = {1, 200, 60000, -5, 4000000000, -7};
    struct nsc_sheet sheet;

    nsc_sheet_init(&sheet, "every", "Every", every, 13);
    NSC_ADD_ROW(&sheet, every_row, .yes = true, .u8 = 200, .u16 = 60000, .i32 = -5,
                .u32 = 4000000000, .nested = {{1, -7}}, .ns = 2500000, .ms = 250,
                .number = INFINITY, .string = "a",
                .kept = nsc_sheet_keep(&sheet, (struct nsc_text){"bc", 2}));
    for (uint32_t c = 0; c < 6; c++)
        assert_int_equal(nsc_sheet_at(&sheet, 0, c)->integer, wanted[c]);
    assert_float_equal(nsc_sheet_at(&sheet, 0, 6)->number, 2.5, 1e-9);
    assert_float_equal(nsc_sheet_at(&sheet, 0, 7)->number, 0.25, 1e-9);
    assert_int_equal(nsc_sheet_text(&sheet, nsc_sheet_at(&sheet, 0, 9)).n, 1);
    assert_memory_equal(nsc_sheet_text(&sheet, nsc_sheet_at(&sheet, 0, 10)).bytes, "bc", 2);
    assert_false(nsc_sheet_at(&sheet, 0, 8)->is_set);
    assert_false(nsc_sheet_at(&sheet, 0, 11)->is_set);
    assert_false(nsc_sheet_at(&sheet, 0, 12)->is_set);
    nsc_sheet_fini(&sheet);
}

static void expect(enum nsc_sheet_format format, const char *wanted)
{
    struct nsc_sheet_style style = {.format = format};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_sheet sheet;

    fill(&sheet);
    nsc_sheet_write(&out, &sheet, &style);
    assert_string_equal(out.bytes, wanted);
    nsc_buf_fini(&out);
    nsc_sheet_fini(&sheet);
}

TEST(test_cells_are_read_back)
{
    struct nsc_sheet sheet;

    fill(&sheet);
    assert_int_equal(nsc_sheet_rows(&sheet), 2);
    assert_int_equal(nsc_sheet_at(&sheet, 0, 1)->integer, 1234567);
    assert_int_equal(nsc_sheet_text(&sheet, nsc_sheet_at(&sheet, 1, 0)).n, 8);
    assert_false(nsc_sheet_at(&sheet, 1, 2)->is_set);
    assert_false(nsc_sheet_at(&sheet, 1, 3)->is_set);
    nsc_sheet_fini(&sheet);
}

TEST(test_rows_are_counted_and_not_kept)
{
    struct nsc_sheets sheets = {.counts_only = true};
    struct nsc_sheet *sheet = nsc_sheets_add(&sheets, "kernels", "Kernels", columns, 5);

    for (int i = 0; i < 3; i++)
        NSC_ADD_ROW(sheet, kernel_row, .name = {"gemm", 4}, .calls = i);
    assert_true(nsc_sheet_count_row(sheet));
    (void)nsc_sheet_keep(sheet, nsc_text_from("a name"));
    nsc_sheet_note_empty(sheet, "no kernels");
    assert_int_equal(nsc_sheet_rows(sheet), 4);
    assert_int_equal(nsc_sheets_rows(&sheets), 4);
    assert_int_equal(sheet->cells.n, 0);
    assert_int_equal(sheet->bytes.n, 0);
    assert_int_equal(sheet->notes.n, 0);
    nsc_sheets_fini(&sheets);
}

TEST(test_no_number_is_infinite)
{
    static const struct nsc_sheet_column one[] = {
        NSC_COL_UNBOUND("x", "X", NULL, NSC_SHEET_NUMBER, 2)};
    struct nsc_sheet sheet;

    nsc_sheet_init(&sheet, "x", "X", one, 1);
    nsc_sheet_add_number(&sheet, INFINITY);
    nsc_sheet_add_number(&sheet, -NAN);
    nsc_sheet_add_number(&sheet, 1.5);
    assert_false(nsc_sheet_at(&sheet, 0, 0)->is_set);
    assert_false(nsc_sheet_at(&sheet, 1, 0)->is_set);
    assert_true(nsc_sheet_at(&sheet, 2, 0)->is_set);
    nsc_sheet_fini(&sheet);
}

TEST(test_table_is_aligned)
{
    expect(NSC_SHEET_AS_TABLE, "Kernels by summed time\n"
                               "Name             Calls    Total   Share  Comm\n"
                               "-----------  ---------  -------  ------  ----\n"
                               "gemm|\"a\", b  1 234 567  1.50 ms  33.3 %  no\n"
                               "=␛]0;x␇�             1                   yes\n"
                               "  Window: 0.000 000 000 s to 2.000 000 000 s (2.00 s).\n"
                               "  Share: of summed kernel time.\n"
                               "  3 more rows are left out.\n"
                               "  whole durations of 2 kernels\n");
}

/* The same in a heading and in a cell, in each format for people; programs read the key. */
TEST(test_a_microsecond_is_written_in_one_way)
{
    static const struct nsc_sheet_column times[] = {
        NSC_COL_UNBOUND("gaps_below_10us", "< 10 µs", "gaps", NSC_SHEET_PERCENT, 0),
        NSC_COL_UNBOUND("total_ns", "Total", NULL, NSC_SHEET_NS, 0),
        NSC_COL_UNBOUND("thus", "Thus", NULL, NSC_SHEET_COUNT, 0)};
    static const struct {
        struct nsc_sheet_style style;
        const char *wanted;
    } all[] = {{{.format = NSC_SHEET_AS_TABLE},
                "Gaps\n< 10 µs    Total  Thus\n-------  -------  ----\n"
                " 50.0 %  2.00 µs     1\n  < 10 µs: of gaps.\n"},
               {{.format = NSC_SHEET_AS_TABLE, .ascii = true},
                "Gaps\n< 10 us    Total  Thus\n-------  -------  ----\n"
                " 50.0 %  2.00 us     1\n  < 10 us: of gaps.\n"},
               {{.format = NSC_SHEET_AS_CSV}, "gaps_below_10us,total_ns,thus\n50.0,2000,1\n"}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
        struct nsc_sheet sheet;

        nsc_sheet_init(&sheet, "gaps", "Gaps", times, 3);
        nsc_sheet_add_number(&sheet, 50);
        nsc_sheet_add_int(&sheet, 2000);
        nsc_sheet_add_int(&sheet, 1);
        nsc_sheet_write(&out, &sheet, &all[i].style);
        assert_string_equal(out.bytes, all[i].wanted);
        nsc_buf_fini(&out);
        nsc_sheet_fini(&sheet);
    }
}

TEST(test_csv_holds_plain_numbers)
{
    expect(NSC_SHEET_AS_CSV, "name,calls,total_ns,share_pct,is_comm\n"
                             "\"gemm|\"\"a\"\", b\",1234567,1500000,33.3,false\n"
                             "'=␛]0;x␇�,1,,,true\n");
    expect(NSC_SHEET_AS_TSV, "name\tcalls\ttotal_ns\tshare_pct\tis_comm\n"
                             "gemm|\"a\", b\t1234567\t1500000\t33.3\tfalse\n"
                             "'=␛]0;x␇�\t1\t\t\ttrue\n");
}

TEST(test_markdown_cannot_be_broken)
{
    expect(NSC_SHEET_AS_MD, "## Kernels by summed time\n\n"
                            "| Name | Calls | Total | Share | Comm |\n"
                            "| --- | ---: | ---: | ---: | --- |\n"
                            "| gemm\\|\"a\", b | 1 234 567 | 1.50 ms | 33.3 % | no |\n"
                            "| =␛\\]0;x␇� | 1 |  |  | yes |\n\n"
                            "- Window: 0.000 000 000 s to 2.000 000 000 s (2.00 s).\n"
                            "- Share: of summed kernel time.\n"
                            "- 3 more rows are left out.\n"
                            "- whole durations of 2 kernels\n");
}

TEST(test_json_is_read_back)
{
    struct nsc_sheet_style style = {.format = NSC_SHEET_AS_JSON};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_json_tree tree = {0};
    struct nsc_error error = {0};
    struct nsc_sheet sheet;
    struct nsc_text text;
    uint32_t first = 0;
    int64_t value = 0;

    fill(&sheet);
    nsc_buf_putc(&out, '[');
    nsc_sheet_write(&out, &sheet, &style);
    nsc_buf_putc(&out, ']');
    assert_int_equal(nsc_json_parse(&tree, (struct nsc_text){out.bytes, (uint32_t)out.n}, &error),
                     NSC_OK);
    first = 1; /* the sheet */
    assert_true(nsc_json_get_text(&text, &tree, nsc_json_find(&tree, first, "title")));
    assert_true(nsc_json_get_int(&value, &tree, nsc_json_find(&tree, first, "left_out")));
    assert_int_equal(value, 3);
    first = nsc_json_find(&tree, first, "rows") + 1;
    assert_true(nsc_json_get_int(&value, &tree, nsc_json_find(&tree, first, "total_ns")));
    assert_int_equal(value, 1500000);
    first = tree.nodes[first].next;
    assert_true(nsc_json_is(&tree, nsc_json_find(&tree, first, "total_ns"), NSC_JSON_NULL));
    assert_true(nsc_json_is(&tree, nsc_json_find(&tree, first, "is_comm"), NSC_JSON_TRUE));
    nsc_json_fini(&tree);
    nsc_buf_fini(&out);
    nsc_sheet_fini(&sheet);
}

TEST(test_a_wide_table_gives_way_in_its_texts)
{
    static const struct nsc_sheet_column two[] = {
        NSC_COL_UNBOUND("a", "A", NULL, NSC_SHEET_TEXT, 0),
        NSC_COL_UNBOUND("n", "N", NULL, NSC_SHEET_COUNT, 0)};
    struct nsc_sheet_style style = {.format = NSC_SHEET_AS_TABLE, .width = 20};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_sheet sheet;

    nsc_sheet_init(&sheet, "x", "X", two, 2);
    nsc_sheet_add_text(&sheet, nsc_text_from("a name that is far too long"));
    nsc_sheet_add_int(&sheet, 12);
    nsc_sheet_write(&out, &sheet, &style);
    assert_string_equal(out.bytes, "X\n"
                                   "A                  N\n"
                                   "----------------  --\n"
                                   "a name t…oo long  12\n");
    nsc_buf_fini(&out);
    nsc_sheet_fini(&sheet);
}

/* As the panes write shares: 0 is nothing at all. */
TEST(test_a_small_share_is_not_nothing)
{
    static const struct nsc_sheet_column share[] = {
        NSC_COL_UNBOUND("a_pct", "Of A", "a", NSC_SHEET_PERCENT, 0)};
    static const double shares[] = {0, 0.0001, 0.0499, 0.05, 100};
    static const char *const wanted[] = {"0.0 %", "<0.1 %", "<0.1 %", "0.1 %", "100.0 %"};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_sheet sheet;

    nsc_sheet_init(&sheet, "x", "X", share, 1);
    for (uint32_t i = 0; i < 5; i++) {
        nsc_sheet_add_number(&sheet, shares[i]);
        nsc_buf_clear(&out);
        nsc_sheet_show(&out, &sheet, i, 0, false);
        assert_string_equal(out.bytes, wanted[i]);
    }
    nsc_buf_fini(&out);
    nsc_sheet_fini(&sheet);
}

TEST(test_remarks_break_between_words)
{
    static const struct nsc_sheet_column twice[] = {
        NSC_COL_UNBOUND("a_pct", "Of A", "a", NSC_SHEET_PERCENT, 0),
        NSC_COL_UNBOUND("b_pct", "Of A", "a", NSC_SHEET_PERCENT, 0)};
    struct nsc_sheet_style style = {.format = NSC_SHEET_AS_TABLE, .wrap = 20};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_sheet sheet;

    nsc_sheet_init(&sheet, "x", "X", twice, 2);
    nsc_sheet_note(&sheet,
                   "eight cells \xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f then averyveryverylongword, end");
    nsc_sheet_write(&out, &sheet, &style);
    assert_string_equal(out.bytes, "X\n"
                                   "  nothing found\n"
                                   "  eight cells \xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\n"
                                   "  then\n"
                                   "  averyveryverylongword,\n"
                                   "  end\n");
    nsc_buf_clear(&out);
    nsc_sheet_add_number(&sheet, 50);
    nsc_sheet_add_number(&sheet, 100);
    style.wrap = 0;
    nsc_sheet_write(&out, &sheet, &style);
    assert_string_equal(
        out.bytes,
        "X\n"
        "  Of A     Of A\n"
        "------  -------\n"
        "50.0 %  100.0 %\n"
        "  Of A: of a.\n"
        "  eight cells \xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f then averyveryverylongword, end\n");
    nsc_buf_fini(&out);
    nsc_sheet_fini(&sheet);
}

TEST(test_markdown_remarks_cannot_be_broken)
{
    static const struct nsc_sheet_column one[] = {
        NSC_COL_UNBOUND("x", "X", NULL, NSC_SHEET_TEXT, 0)};
    struct nsc_sheet_style style = {.format = NSC_SHEET_AS_MD};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_sheet sheet;

    nsc_sheet_init(&sheet, "x", "X", one, 1);
    nsc_sheet_note(&sheet, "name:<b>");
    nsc_sheet_write(&out, &sheet, &style);
    assert_string_equal(out.bytes, "## X\n\n_Nothing found._\n\n- name:\\<b\\>\n");
    nsc_buf_fini(&out);
    nsc_sheet_fini(&sheet);
}

TEST(test_copied_columns_keep_their_texts)
{
    char key[] = "total_ns", title[] = "Total";
    const struct nsc_sheet_column two[] = {NSC_COL_UNBOUND(key, title, NULL, NSC_SHEET_NS, 0),
                                           NSC_COL_UNBOUND("n", "", NULL, NSC_SHEET_COUNT, 0)};
    struct nsc_sheet_column *copy = nsc_sheet_columns_copy(two, 2);

    memset(key, '?', sizeof key - 1);
    memset(title, '?', sizeof title - 1);
    assert_string_equal(copy[0].key, "total_ns");
    assert_string_equal(copy[0].title, "Total");
    assert_int_equal(copy[0].kind, NSC_SHEET_NS);
    assert_string_equal(copy[1].key, "n");
    assert_string_equal(copy[1].title, "");
    free(copy);
}
