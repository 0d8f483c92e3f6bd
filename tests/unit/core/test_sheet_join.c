/*
 * Unit tests of joined sheets: rows after their labels, windows, notes, and keys that some sheets
 * lack.
 */
#include "core/sheet.h"
#include "core/text.h"
#include "support/cm.h"

#include <string.h>

static const struct nsc_sheet_column columns[] = {
    NSC_COL_UNBOUND("name", "Name", NULL, NSC_SHEET_TEXT, 0),
    NSC_COL_UNBOUND("n", "N", NULL, NSC_SHEET_COUNT, 0),
    NSC_COL_UNBOUND("share", "Share", "all", NSC_SHEET_PERCENT, 0)};

static void add_row(struct nsc_sheet *sheet, const char *name, int64_t n)
{
    nsc_sheet_add_text(sheet, nsc_text_from(name));
    nsc_sheet_add_int(sheet, n);
    if (n)
        nsc_sheet_add_number(sheet, (double)n);
    else
        nsc_sheet_add_unknown(sheet);
}

static struct nsc_sheet *add(struct nsc_sheets *sheets, const char *key, struct nsc_window w)
{
    struct nsc_sheet *sheet = nsc_sheets_add(sheets, key, "Title", columns, 3);

    sheet->has_window = true;
    sheet->window = w;
    return sheet;
}

static void check_text(const struct nsc_sheet *sheet, uint32_t row, uint32_t column,
                       const char *want)
{
    struct nsc_text text = nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, column));

    assert_int_equal(text.n, strlen(want));
    assert_memory_equal(text.bytes, want, text.n);
}

TEST(rows_stand_behind_their_labels)
{
    struct nsc_sheets parts[2] = {0};
    struct nsc_sheets out = {0};
    struct nsc_text labels[2] = {nsc_text_from("a"), nsc_text_from("b")};
    const struct nsc_sheet *joined = NULL;

    add_row(add(&parts[0], "x", (struct nsc_window){10, 20}), "k", 5);
    parts[0].list.at[0].n_left_out = 3;
    add_row(add(&parts[1], "x", (struct nsc_window){5, 15}), "k", 7);
    add_row(&parts[1].list.at[0], "l", 0);
    parts[1].list.at[0].n_left_out = 4;
    add_row(add(&parts[1], "y", (struct nsc_window){0, 1}), "m", 1);
    nsc_sheets_join(&out, parts, labels, 2);
    assert_int_equal(out.list.n, 2);
    joined = nsc_sheets_find(&out, "x");
    assert_int_equal(joined->n_columns, 4);
    assert_string_equal(joined->columns[0].key, "rank");
    assert_string_equal(joined->columns[3].of, "all");
    assert_int_equal(nsc_sheet_rows(joined), 3);
    check_text(joined, 0, 0, "a");
    check_text(joined, 1, 0, "b");
    check_text(joined, 2, 1, "l");
    assert_int_equal(nsc_sheet_at(joined, 1, 2)->integer, 7);
    assert_false(nsc_sheet_at(joined, 2, 3)->is_set);
    assert_int_equal(joined->window.t0, 5);
    assert_int_equal(joined->window.t1, 20);
    assert_int_equal(joined->n_left_out, 7);
    check_text(nsc_sheets_find(&out, "y"), 0, 0, "b");
    nsc_sheets_fini(&out);
    for (int i = 0; i < 2; i++)
        nsc_sheets_fini(&parts[i]);
}

TEST(notes_that_all_have_stand_once)
{
    struct nsc_sheets parts[2] = {0};
    struct nsc_sheets out = {0};
    struct nsc_text labels[2] = {nsc_text_from("a"), nsc_text_from("b")};

    for (int i = 0; i < 2; i++)
        nsc_sheet_note(add(&parts[i], "x", (struct nsc_window){0, 1}), "both");
    nsc_sheet_note(&parts[1].list.at[0], "only");
    nsc_sheets_join(&out, parts, labels, 2);
    assert_int_equal(out.list.at[0].notes.n, 2);
    assert_string_equal(out.list.at[0].notes.at[0], "both");
    assert_string_equal(out.list.at[0].notes.at[1], "b: only");
    nsc_sheets_fini(&out);
    for (int i = 0; i < 2; i++)
        nsc_sheets_fini(&parts[i]);
}

/* For a query: a sheet without rows accepts any columns; other columns make another sheet. */
TEST(columns_that_differ_are_not_mixed)
{
    static const struct nsc_sheet_column texts[] = {
        NSC_COL_UNBOUND("name", "Name", NULL, NSC_SHEET_TEXT, 0),
        NSC_COL_UNBOUND("n", "N", NULL, NSC_SHEET_TEXT, 0)};
    static const struct nsc_sheet_column counts[] = {
        NSC_COL_UNBOUND("name", "Name", NULL, NSC_SHEET_TEXT, 0),
        NSC_COL_UNBOUND("n", "N", NULL, NSC_SHEET_COUNT, 0)};
    static const struct nsc_sheet_column others[] = {
        NSC_COL_UNBOUND("name", "Name", NULL, NSC_SHEET_TEXT, 0),
        NSC_COL_UNBOUND("m", "M", NULL, NSC_SHEET_COUNT, 0)};
    static const struct nsc_sheet_column *const made[] = {texts, counts, texts, texts, others};
    static const bool has_row[] = {false, true, false, true, true};
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    struct nsc_text labels[5];
    struct nsc_sheets parts[5] = {0};
    struct nsc_sheets out = {0};

    for (int i = 0; i < 5; i++) {
        struct nsc_sheet *sheet = nsc_sheets_add(&parts[i], "x", "Title", made[i], 2);

        labels[i] = nsc_text_from(names[i]);
        if (has_row[i])
            nsc_sheet_add_text(sheet, nsc_text_from("k"));
        if (has_row[i] && made[i] == texts)
            nsc_sheet_add_text(sheet, nsc_text_from("v"));
        else if (has_row[i])
            nsc_sheet_add_int(sheet, 7);
    }
    nsc_sheets_join(&out, parts, labels, 5);
    assert_int_equal(out.list.n, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(nsc_sheet_rows(&out.list.at[i]), 1);
    check_text(&out.list.at[0], 0, 0, "b");
    assert_int_equal(nsc_sheet_at(&out.list.at[0], 0, 2)->integer, 7);
    check_text(&out.list.at[1], 0, 0, "d");
    check_text(&out.list.at[1], 0, 2, "v");
    check_text(&out.list.at[2], 0, 0, "e");
    nsc_sheets_fini(&out);
    for (int i = 0; i < 5; i++)
        nsc_sheets_fini(&parts[i]);
}
