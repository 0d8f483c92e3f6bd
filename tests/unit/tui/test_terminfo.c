/* Unit tests of the descriptions of terminals that are compiled in. */
#include "support/cm.h"
#include "tui/display.h"
#include "tui/terminfo.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

/* ncurses never frees a description in $TERMINFO that has another name than the one it looks for, as
 * that of a terminal when the one with direct colours is looked for. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static void add(struct nsc_buf *out, const char *string)
{
    nsc_buf_puts(out, string ? string : "none");
    nsc_buf_putc(out, '\n');
}

/* All that the program reads of a description. */
static struct nsc_buf describe(const char *type)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_terminfo info;
    struct nsc_display display;
    const char *strings[sizeof display.strings / sizeof(const char *)];

    assert_int_equal(nsc_terminfo_init(&info, type, NSC_COLOR_256, &error), NSC_OK);
    add(&out, info.type);
    add(&out, info.enter);
    add(&out, info.leave);
    for (size_t i = 0; i < info.n_keys; i++) {
        nsc_buf_printf(&out, "%u ", (unsigned)info.keys[i].key);
        add(&out, info.keys[i].bytes);
    }
    assert_int_equal(nsc_display_init(&display, info.type, &error), NSC_OK);
    memcpy(strings, &display.strings, sizeof strings);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        add(&out, strings[i]);
    nsc_buf_printf(&out, "%d %d; %d colours, attributes %d %d; %d %d %d", info.modern, info.color,
                   display.colors, display.attrs, display.plain_attrs, display.steps,
                   display.erases_colored, display.keeps_corner);
    nsc_display_fini(&display);
    return out;
}

static bool is_known_here(const char *type)
{
    int found = 0;
    bool known = setupterm(type, 1, &found) == OK;

    if (cur_term)
        del_curterm(cur_term);
    return known;
}

TEST(compiled_descriptions_are_those_of_the_system)
{
    unsigned n = 0;

    unsetenv("COLORTERM");
    for (const struct nsc_terminal *at = nsc_terminals; at->name; at++) {
        struct nsc_buf system, compiled;

        unsetenv("TERMINFO");
        if (!is_known_here(at->name))
            continue;
        n++;
        system = describe(at->name);
        setenv("TERMINFO", at->description, 1);
        if (__lsan_disable)
            __lsan_disable();
        compiled = describe(at->name);
        if (__lsan_enable)
            __lsan_enable();
        unsetenv("TERMINFO");
        assert_string_equal(compiled.bytes, system.bytes);
        nsc_buf_fini(&system);
        nsc_buf_fini(&compiled);
    }
    if (n < 2) { /* xterm and linux are part of every installation with a terminal */
        print_message("this system describes no terminal: NOT TESTED\n");
        skip();
    }
}

TEST(every_terminal_has_a_description)
{
    static const char *const types[] = {"xterm",   "xterm-256color",  "xterm-direct", "tmux",
                                        "screen",  "screen-256color", "linux",        "vt100",
                                        "kitty",   "tmux-256color",   "alacritty",    "foot",
                                        "wezterm", "xterm-kitty"};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const struct nsc_terminal *at = nsc_terminals;

        while (at->name && strcmp(at->name, types[i]))
            at++;
        assert_non_null(at->name);
        setenv("TERMINFO", at->description, 1);
        assert_true(is_known_here(types[i]));
        setenv("TERMINFO", "/nowhere", 1);
        assert_true(nsc_terminfo_load(types[i]));
        assert_string_equal(getenv("TERMINFO"), "/nowhere");
        nsc_terminfo_forget();
    }
    unsetenv("TERMINFO");
}

TEST(an_unknown_terminal_is_taken_for_xterm)
{
    struct nsc_buf unknown = describe("no-such-terminal");
    struct nsc_buf xterm = describe("xterm-256color");

    assert_false(nsc_terminfo_load("no-such-terminal"));
    assert_string_equal(unknown.bytes, xterm.bytes);
    assert_null(getenv("TERMINFO"));
    nsc_buf_fini(&unknown);
    nsc_buf_fini(&xterm);
}
