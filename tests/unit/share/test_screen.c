/*
 * Unit tests of screens as files.
 */
#include "share/screen.h"
#include "support/cm.h"

#include <string.h>

struct fixture {
    struct nsc_grid grid;
    struct nsc_theme theme;
    struct nsc_buf out;
};

static struct fixture make(void)
{
    struct fixture f = {.out = NSC_BUF_INIT(1 << 20)};

    nsc_grid_init(&f.grid, false);
    nsc_grid_resize(&f.grid, 2, 10);
    nsc_theme_parse(&f.theme,
                    nsc_text_from("[roles]\ntext = #eeeeee #111111\nkernel = #336699\n"
                                  "error = #ff0000 bold\nink = #000000 #ffffff\n"),
                    NULL, NULL);
    nsc_grid_puts(&f.grid, 0, 0, 10, NSC_ROLE_TEXT, "a<b>&\"'");
    for (int col = 0; col < 4; col++)
        nsc_grid_put(&f.grid, 1, col, NSC_ROLE_KERNEL, 0, "█");
    nsc_grid_label(&f.grid, 1, 1, 2, nsc_text_from("xy"));
    nsc_grid_puts(&f.grid, 1, 5, 2, NSC_ROLE_ERROR, "漢");
    return f;
}

static void end(struct fixture *f)
{
    nsc_grid_fini(&f->grid);
    nsc_buf_fini(&f->out);
}

static void has(const struct fixture *f, const char *text)
{
    if (!strstr(f->out.bytes, text))
        fail_msg("no %s in:\n%s", text, f->out.bytes);
}

static size_t count(const struct fixture *f, const char *text)
{
    size_t n = 0;

    for (const char *at = strstr(f->out.bytes, text); at; at = strstr(at + 1, text))
        n++;
    return n;
}

TEST(formats_have_names)
{
    assert_int_equal(nsc_screen_format_find(nsc_text_from("svg")), NSC_SCREEN_SVG);
    assert_int_equal(nsc_screen_format_find(nsc_text_from("text")), NSC_SCREEN_TEXT);
    assert_int_equal(nsc_screen_format_find(nsc_text_from("pdf")), NSC_N_SCREEN_FORMATS);
}

TEST(text_has_no_trailing_blanks)
{
    struct fixture f = make();

    nsc_screen_write(&f.out, &f.grid, &f.theme, NSC_SCREEN_TEXT);
    assert_string_equal(f.out.bytes, "a<b>&\"'\n█xy█ 漢\n");
    end(&f);
}

TEST(ansi_changes_colours_where_they_change)
{
    struct fixture f = make();

    nsc_screen_write(&f.out, &f.grid, &f.theme, NSC_SCREEN_ANSI);
    assert_string_equal(f.out.bytes, "\x1b[0;38;2;238;238;238;48;2;17;17;17ma<b>&\"'   \x1b[0m\n"
                                     "\x1b[0;38;2;51;102;153;48;2;17;17;17m█"
                                     "\x1b[0;38;2;255;255;255;48;2;51;102;153mxy"
                                     "\x1b[0;38;2;51;102;153;48;2;17;17;17m█"
                                     "\x1b[0;38;2;238;238;238;48;2;17;17;17m "
                                     "\x1b[0;1;38;2;255;0;0;48;2;17;17;17m漢"
                                     "\x1b[0;38;2;238;238;238;48;2;17;17;17m   \x1b[0m\n");
    nsc_buf_clear(&f.out);
    nsc_screen_write(&f.out, &f.grid, &f.theme, NSC_SCREEN_ANSI256);
    has(&f, "\x1b[0;1;38;5;196;48;5;233m漢");
    end(&f);
}

TEST(html_is_escaped_and_has_no_inline_style)
{
    struct fixture f = make();

    nsc_screen_write(&f.out, &f.grid, &f.theme, NSC_SCREEN_HTML);
    has(&f, "<pre>\na&lt;b&gt;&amp;&quot;&#39;   \n");
    has(&f, "{color:#ffffff;background:#336699}");
    has(&f, "{color:#ff0000;font-weight:bold}");
    assert_int_equal(count(&f, "style=\""), 0);
    assert_int_equal(count(&f, "<script"), 0);
    assert_int_equal(count(&f, "<span "), count(&f, "</span>"));
    end(&f);
}

TEST(svg_draws_blocks_and_escapes_text)
{
    struct fixture f = make();

    nsc_screen_write(&f.out, &f.grid, &f.theme, NSC_SCREEN_SVG);
    has(&f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"36\"");
    has(&f, ">a&lt;b&gt;&amp;&quot;&#39;</text>");
    has(&f, "<rect x=\"0\" y=\"144\" width=\"72\" height=\"144\" fill=\"#336699\"/>");
    has(&f, "<rect x=\"72\" y=\"144\" width=\"144\" height=\"144\" fill=\"#336699\"/>");
    has(&f, "fill=\"#ffffff\">xy</text>");
    assert_int_equal(count(&f, "█"), 0);
    end(&f);
}

TEST(svg_joins_equal_neighbours)
{
    struct fixture f = make();
    struct nsc_rect row = {1, 0, 1, 10};

    nsc_grid_fill(&f.grid, row, NSC_ROLE_KERNEL, "▄");
    nsc_screen_write(&f.out, &f.grid, &f.theme, NSC_SCREEN_SVG);
    has(&f, "<rect x=\"0\" y=\"216\" width=\"720\" height=\"72\" fill=\"#336699\"/>");
    end(&f);
}

TEST(an_empty_grid_is_a_valid_file)
{
    struct fixture f = make();

    nsc_grid_resize(&f.grid, 0, 0);
    for (unsigned i = 0; i < NSC_N_SCREEN_FORMATS; i++)
        nsc_screen_write(&f.out, &f.grid, &f.theme, (enum nsc_screen_format)i);
    has(&f, "</svg>");
    has(&f, "</html>");
    end(&f);
}
