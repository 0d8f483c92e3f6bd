/*
 * Unit tests of the line being typed.
 */
#include "support/cm.h"
#include "view/kit/prompt.h"

#include <stdlib.h>
#include <string.h>

/* "abc<Left>": types characters; names in angle brackets are keys. Returns the last result. */
static enum nsc_prompt_result type(struct nsc_prompt *prompt, const char *keys)
{
    struct nsc_keymap keymap;
    enum nsc_prompt_result result = NSC_PROMPT_SAME;

    nsc_keymap_init(&keymap);
    while (*keys) {
        size_t n = *keys == '<' ? strcspn(keys, ">") - 1 : 1;
        nsc_key key = NSC_KEY_NONE;
        struct nsc_text text = {keys + (*keys == '<'), 0};

        while (*keys != '<' && ((unsigned char)keys[n] & 0xc0) == 0x80)
            n++;
        text.n = (uint32_t)n;
        if (*text.bytes == ' ')
            key = NSC_KEY_SPACE;
        else
            assert_true(nsc_key_parse(&key, text));
        keys += *keys == '<' ? n + 2 : n;
        result = nsc_prompt_input(prompt, nsc_keymap_find(&keymap, NSC_KEY_SCOPE_PROMPT, key), key);
    }
    return result;
}

static void typed(const char *keys, const char *wanted, size_t at)
{
    struct nsc_prompt prompt;

    nsc_prompt_init(&prompt);
    type(&prompt, keys);
    assert_string_equal(prompt.text, wanted);
    assert_int_equal(prompt.n, strlen(wanted));
    assert_int_equal(prompt.at, at);
    nsc_prompt_fini(&prompt);
}

TEST(letters_are_typed_where_the_cursor_is)
{
    typed("abc", "abc", 3);
    typed("ac<Left>b", "abc", 2);
    typed("bc<Home>a<End>d", "abcd", 4);
    typed("q?", "q?", 2);
}

TEST(erasing)
{
    typed("abc<Backspace>", "ab", 2);
    typed("abc<Home><Delete>", "bc", 0);
    typed("ab cd  <Ctrl-W>", "ab ", 3);
    typed("ab cd<Left><Ctrl-U>", "d", 0);
    typed("ab cd<Home><Right><Ctrl-K>", "a", 1);
    typed("ab cd ef<Alt-b><Alt-b>x", "ab xcd ef", 4);
}

TEST(the_cursor_moves_by_what_is_seen)
{
    typed("ae\u0301b<Left><Left>", "ae\u0301b", 1);
    typed("ae\u0301<Backspace>", "a", 1);
    typed("漢字<Left>x", "漢x字", 4);
}

TEST(nothing_to_do_is_told)
{
    struct nsc_prompt prompt;

    nsc_prompt_init(&prompt);
    assert_int_equal(type(&prompt, "<Left>"), NSC_PROMPT_SAME);
    assert_int_equal(type(&prompt, "<Backspace>"), NSC_PROMPT_SAME);
    assert_int_equal(type(&prompt, "<Up>"), NSC_PROMPT_SAME);
    assert_int_equal(type(&prompt, "<F5>"), NSC_PROMPT_SAME);
    assert_int_equal(type(&prompt, "a"), NSC_PROMPT_CHANGED);
    assert_int_equal(type(&prompt, "<Left>"), NSC_PROMPT_MOVED);
    assert_int_equal(type(&prompt, "<Esc>"), NSC_PROMPT_CANCELLED);
    nsc_prompt_fini(&prompt);
}

TEST(lines_come_back)
{
    struct nsc_prompt prompt;

    nsc_prompt_init(&prompt);
    assert_int_equal(type(&prompt, "one<Enter>"), NSC_PROMPT_ACCEPTED);
    nsc_prompt_set(&prompt, nsc_text_from(""));
    type(&prompt, "two<Enter><Enter>");
    assert_int_equal(prompt.n_lines, 2);
    nsc_prompt_set(&prompt, nsc_text_from(""));
    type(&prompt, "dra<Up>");
    assert_string_equal(prompt.text, "two");
    type(&prompt, "<Up><Up>");
    assert_string_equal(prompt.text, "one");
    type(&prompt, "<Down><Down>");
    assert_string_equal(prompt.text, "dra");
    nsc_prompt_fini(&prompt);
}

TEST(only_the_newest_lines_are_kept)
{
    struct nsc_prompt prompt;

    nsc_prompt_init(&prompt);
    for (unsigned i = 0; i < NSC_PROMPT_LINES + 5; i++) {
        char line[3] = {(char)('a' + i % 26), (char)('a' + i / 26), '\0'};

        nsc_prompt_add_history(&prompt, nsc_text_from(line));
    }
    assert_int_equal(prompt.n_lines, NSC_PROMPT_LINES);
    assert_string_equal(prompt.lines[0], "fa");
    nsc_prompt_fini(&prompt);
}

TEST(it_does_not_grow_over_its_limit)
{
    struct nsc_prompt prompt;

    nsc_prompt_init(&prompt);
    for (int i = 0; i < 2 * NSC_PROMPT_BYTES; i++)
        type(&prompt, "é");
    assert_int_equal(prompt.n, NSC_PROMPT_BYTES - 2);
    assert_int_equal(type(&prompt, "é"), NSC_PROMPT_SAME);
    nsc_prompt_fini(&prompt);
}

TEST(the_cursor_is_always_drawn_inside)
{
    struct nsc_prompt prompt;
    struct nsc_grid grid;
    struct nsc_rect rect = {1, 2, 1, 8};

    nsc_grid_init(&grid, false);
    nsc_grid_resize(&grid, 3, 12);
    nsc_prompt_init(&prompt);
    type(&prompt, "abcdefghij");
    nsc_prompt_draw(&prompt, &grid, rect, "/");
    assert_int_equal(grid.cursor_row, 1);
    assert_int_equal(grid.cursor_col, 9);
    assert_memory_equal(nsc_grid_at(&grid, 1, 8)->text, "j", 1);
    type(&prompt, "<Home>");
    nsc_prompt_draw(&prompt, &grid, rect, "/");
    assert_int_equal(grid.cursor_col, 3);
    assert_memory_equal(nsc_grid_at(&grid, 1, 3)->text, "a", 1);
    assert_memory_equal(nsc_grid_at(&grid, 1, 10)->text, " ", 1);
    nsc_prompt_fini(&prompt);
    nsc_grid_fini(&grid);
}
