/* Unit tests of themes: the format, and every shipped theme. */
#include "support/cm.h"
#include "view/kit/theme.h"

#include <stdio.h>
#include <string.h>

struct told {
    unsigned n, line;
    char what[600];
};

static void tell(void *context, unsigned line, const char *what)
{
    struct told *told = context;

    told->n++;
    told->line = line;
    (void)snprintf(told->what, sizeof told->what, "%s", what);
}

static struct told parse(struct nsc_theme *theme, const char *text)
{
    struct told told = {0};

    nsc_theme_parse(theme, nsc_text_from(text), tell, &told);
    return told;
}

TEST(roles_have_colours_and_attributes)
{
    struct nsc_theme theme;
    struct told told = parse(&theme, "[palette]\nsea = #123456\n[roles]\n"
                                     "text = #fff #000\ndim = sea bold underline\n"
                                     "label = dim\nkey = default sea\n");
    struct nsc_style style = nsc_theme_style(&theme, NSC_ROLE_DIM, 0);

    assert_int_equal(told.n, 0);
    assert_int_equal(style.fg, 0x123456);
    assert_int_equal(style.bg, 0x000000);
    assert_int_equal(style.attrs, NSC_STYLE_BOLD | NSC_STYLE_UNDERLINE);
    style = nsc_theme_style(&theme, NSC_ROLE_LABEL, 0);
    assert_int_equal(style.fg, 0xffffff);
    assert_int_equal(style.attrs, NSC_STYLE_DIM);
    style = nsc_theme_style(&theme, NSC_ROLE_KEY, 0);
    assert_int_equal(style.fg, NSC_COLOR_DEFAULT);
    assert_int_equal(style.bg, 0x123456);
}

TEST(a_palette_alone_recolours_the_default)
{
    struct nsc_theme theme;

    assert_int_equal(parse(&theme, "[palette]\nmuted = #010203\n").n, 0);
    assert_int_equal(nsc_theme_style(&theme, NSC_ROLE_DIM, 0).fg, 0x010203);
}

TEST(gradients_are_spread_over_the_steps)
{
    struct nsc_theme theme;

    assert_int_equal(parse(&theme, "[gradients]\nheat = #000000 #ffffff\nkernel = #abc\n").n, 0);
    assert_int_equal(nsc_theme_style(&theme, NSC_ROLE_HEAT, 0).fg, 0x000000);
    assert_int_equal(nsc_theme_style(&theme, NSC_ROLE_HEAT, 255).fg, 0xffffff);
    for (unsigned shade = 16; shade < 256; shade += 16)
        assert_true(nsc_theme_style(&theme, NSC_ROLE_HEAT, (uint8_t)shade).fg >
                    nsc_theme_style(&theme, NSC_ROLE_HEAT, (uint8_t)(shade - 16)).fg);
    assert_int_equal(nsc_theme_style(&theme, NSC_ROLE_KERNEL, 128).fg, 0xaabbcc);
}

TEST(a_role_with_colours_drops_the_default_gradient)
{
    struct nsc_theme theme;

    parse(&theme, "[gradients]\nheat = none\n[roles]\nkernel = #112233\nheat = bold\n");
    assert_int_equal(nsc_theme_style(&theme, NSC_ROLE_KERNEL, 200).fg, 0x112233);
    assert_false(theme.has_gradient[NSC_ROLE_HEAT]);
    parse(&theme, "[gradients]\nkernel = #445566\n[roles]\nkernel = #112233\n");
    assert_int_equal(nsc_theme_style(&theme, NSC_ROLE_KERNEL, 200).fg, 0x445566);
}

TEST(letters_on_bars_use_the_ink_that_can_be_read)
{
    struct nsc_theme theme;
    struct nsc_style style;

    parse(&theme,
          "[roles]\nink = #000000 #ffffff\nkernel = #ffff80\ncomm = #000080\nos = default\n");
    style = nsc_theme_style(&theme, NSC_ROLE_KERNEL | NSC_CELL_ON_BAR, 0);
    assert_int_equal(style.bg, 0xffff80);
    assert_int_equal(style.fg, 0x000000);
    style = nsc_theme_style(&theme, NSC_ROLE_COMM | NSC_CELL_ON_BAR, 0);
    assert_int_equal(style.bg, 0x000080);
    assert_int_equal(style.fg, 0xffffff);
    style = nsc_theme_style(&theme, NSC_ROLE_OS | NSC_CELL_ON_BAR, 0);
    assert_int_equal(style.attrs, NSC_STYLE_REVERSE);
}

TEST(text_has_the_background_of_its_line)
{
    struct nsc_theme theme;

    parse(&theme, "[roles]\nstatus = #fff #222222\nkey = #ff0\nerror = #f00 #00f\n");
    assert_int_equal(nsc_theme_style(&theme, NSC_ROLE_KEY, NSC_SURFACE_STATUS).bg, 0x222222);
    assert_int_equal(nsc_theme_style(&theme, NSC_ROLE_KEY, 0).bg, NSC_COLOR_DEFAULT);
    assert_int_equal(nsc_theme_style(&theme, NSC_ROLE_ERROR, NSC_SURFACE_STATUS).bg, 0x0000ff);
    parse(&theme, "[roles]\nstatus = default default reverse\nkey = dim\n");
    assert_int_equal(nsc_theme_style(&theme, NSC_ROLE_KEY, NSC_SURFACE_STATUS).attrs,
                     NSC_STYLE_REVERSE);
}

TEST(what_cannot_be_read_is_told)
{
    static const struct {
        const char *text, *what;
        unsigned line;
    } cases[] = {
        {"[roles]\nfoo = #fff\n", "unknown role 'foo'", 2},
        {"[roles]\n\ntext = nope\n", "neither a colour nor an attribute: 'nope'", 3},
        {"[roles]\ntext = #fff #000 #111\n", "neither a colour nor an attribute: '#111'", 2},
        {"[rolls]\ntext = #fff\n", "unknown section 'rolls'", 2},
        {"[palette]\na = nothing\n", "no colour: 'nothing'", 2},
        {"[gradients]\nheat = default\n", "no colour, or too many: 'default'", 2},
        {"[gradients]\nheat =\n", "no colours for 'heat'", 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nsc_theme theme;
        struct told told = parse(&theme, cases[i].text);

        assert_int_equal(told.n, 1);
        assert_string_equal(told.what, cases[i].what);
        assert_int_equal(told.line, cases[i].line);
    }
}

TEST(numbers_outside_the_table_are_text)
{
    struct nsc_theme theme;

    parse(&theme, "");
    for (unsigned role = 0; role < 256; role++)
        for (unsigned shade = 0; shade < 256; shade++)
            (void)nsc_theme_style(&theme, (uint8_t)role, (uint8_t)shade);
    assert_int_equal(nsc_theme_style(&theme, 0x7f, 0).fg, theme.roles[NSC_ROLE_TEXT].fg);
}

/* ---- the themes that are shipped ---- */

/* test_contrast.c tells whether people can, too. */
TEST(shipped_themes_can_be_parsed)
{
    assert_true(nsc_n_theme_files >= 5);
    for (unsigned i = 0; i < nsc_n_theme_files; i++) {
        struct nsc_theme theme;
        struct told told = parse(&theme, nsc_theme_files[i].text);

        if (told.n)
            fail_msg("%s.theme:%u: %s", nsc_theme_files[i].name, told.line, told.what);
    }
}

TEST(colours_are_read_and_mapped)
{
    uint32_t color = 7;

    assert_true(nsc_color_parse(&color, nsc_text_from("#AbC")));
    assert_int_equal(color, 0xaabbcc);
    assert_false(nsc_color_parse(&color, nsc_text_from("#abcd")));
    assert_false(nsc_color_parse(&color, nsc_text_from("abc")));
    assert_int_equal(color, 0xaabbcc);
    assert_int_equal(nsc_color_256(0x000000), 16);
    assert_int_equal(nsc_color_256(0xffffff), 231);
    assert_int_equal(nsc_color_256(0xff0000), 196);
    assert_int_equal(nsc_color_256(0x808080), 244);
    assert_int_equal(nsc_color_mix(0x102030, 0xf0e0d0, 0, 15), 0x102030);
    assert_int_equal(nsc_color_mix(0x102030, 0xf0e0d0, 15, 15), 0xf0e0d0);
    assert_true(nsc_color_contrast(0, 0xffffff) > 20.9);
}
