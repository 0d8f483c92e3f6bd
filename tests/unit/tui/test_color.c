/* Unit tests of colours: how many are used, and the number of each colour of a theme. */
#include "support/cm.h"
#include "tui/color.h"

static enum nsc_color_mode choose(enum nsc_color_mode wanted, const char *no_color,
                                  const char *colorterm, int colors, bool direct)
{
    struct nsc_color_facts facts = {no_color, colorterm, colors, direct};

    return nsc_color_choose(wanted, &facts);
}

TEST(auto_follows_the_terminal)
{
    assert_int_equal(choose(NSC_COLOR_AUTO, NULL, NULL, 256, true), NSC_COLOR_256);
    assert_int_equal(choose(NSC_COLOR_AUTO, NULL, "truecolor", 256, true), NSC_COLOR_TRUE);
    assert_int_equal(choose(NSC_COLOR_AUTO, NULL, "24bit", 256, true), NSC_COLOR_TRUE);
    assert_int_equal(choose(NSC_COLOR_AUTO, NULL, "yes", 256, true), NSC_COLOR_256);
    assert_int_equal(choose(NSC_COLOR_AUTO, NULL, "truecolor", 256, false), NSC_COLOR_256);
    assert_int_equal(choose(NSC_COLOR_AUTO, NULL, NULL, 8, false), NSC_COLOR_16);
    assert_int_equal(choose(NSC_COLOR_AUTO, NULL, NULL, -1, false), NSC_COLOR_MONO);
}

TEST(no_color_means_none_unless_asked)
{
    assert_int_equal(choose(NSC_COLOR_AUTO, "1", "truecolor", 256, true), NSC_COLOR_MONO);
    assert_int_equal(choose(NSC_COLOR_AUTO, "", NULL, 256, false), NSC_COLOR_256);
    assert_int_equal(choose(NSC_COLOR_256, "1", NULL, 256, false), NSC_COLOR_256);
}

TEST(a_wish_never_exceeds_the_terminal)
{
    assert_int_equal(choose(NSC_COLOR_TRUE, NULL, NULL, 256, false), NSC_COLOR_256);
    assert_int_equal(choose(NSC_COLOR_TRUE, NULL, NULL, 8, false), NSC_COLOR_16);
    assert_int_equal(choose(NSC_COLOR_256, NULL, NULL, 0, false), NSC_COLOR_MONO);
    assert_int_equal(choose(NSC_COLOR_MONO, NULL, "truecolor", 256, true), NSC_COLOR_MONO);
}

TEST(known_colors)
{
    assert_int_equal(nsc_color_index(NSC_COLOR_DEFAULT, NSC_COLOR_TRUE, true), -1);
    assert_int_equal(nsc_color_index(0xffffff, NSC_COLOR_MONO, true), -1);
    assert_int_equal(nsc_color_index(0x123456, NSC_COLOR_TRUE, true), 0x123456);
    assert_in_range(nsc_color_index(0x000001, NSC_COLOR_TRUE, true), 8, 16); /* 1 would be red */
    assert_int_equal(nsc_color_index(0xff0000, NSC_COLOR_256, true), 196);
    assert_int_equal(nsc_color_index(0x808080, NSC_COLOR_256, true), 244);
    assert_int_equal(nsc_color_index(0xbf616a, NSC_COLOR_16, false), 1);
    assert_int_equal(nsc_color_index(0xa3be8c, NSC_COLOR_16, false), 2);
    assert_int_equal(nsc_color_index(0x5e81ac, NSC_COLOR_16, false), 4);
    assert_int_equal(nsc_color_index(0x000000, NSC_COLOR_16, true), 0);
    assert_int_equal(nsc_color_index(0xffffff, NSC_COLOR_16, true), 15);
    assert_int_equal(nsc_color_index(0xffffff, NSC_COLOR_16, false), 7);
}

TEST(what_differs_stays_apart)
{
    static const enum nsc_color_mode modes[] = {NSC_COLOR_TRUE, NSC_COLOR_256, NSC_COLOR_16};
    uint32_t seed = 1;

    for (int i = 0; i < 20000; i++) {
        struct nsc_style style = {0};

        seed = seed * 1664525u + 1013904223u;
        style.fg = seed >> 8;
        seed = seed * 1664525u + 1013904223u;
        style.bg = i % 2 ? style.fg ^ 0x080808 : seed >> 8;
        if (style.fg == style.bg || (style.fg < 16 && style.bg < 16))
            continue;
        for (int mode = 0; mode < 3; mode++)
            for (int bright = 0; bright < 2; bright++) {
                struct nsc_paint paint = nsc_color_paint(style, 0, modes[mode], bright);

                assert_int_not_equal(paint.fg, paint.bg);
                if (modes[mode] == NSC_COLOR_16)
                    assert_in_range(paint.fg, 0, bright ? 15 : 7);
            }
    }
}

TEST(bars_of_blanks_stay_visible_without_color)
{
    struct nsc_style plain = {0xffffff, 0x202020, NSC_STYLE_BOLD, false};
    struct nsc_style bar = {0, 0x81a1c1, 0, false};
    struct nsc_style turned = {0, 0x81a1c1, NSC_STYLE_REVERSE, false};

    assert_int_equal(nsc_color_paint(plain, 0x202020, NSC_COLOR_MONO, true).attrs, NSC_STYLE_BOLD);
    assert_int_equal(nsc_color_paint(bar, 0x202020, NSC_COLOR_MONO, true).attrs, NSC_STYLE_REVERSE);
    assert_int_equal(nsc_color_paint(turned, 0x202020, NSC_COLOR_MONO, true).attrs, 0);
}
