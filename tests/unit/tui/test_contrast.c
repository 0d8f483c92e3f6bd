/*
 * Unit tests of contrast: words are readable in every pair of colours, in all shipped themes, with
 * 24-bit colours, 256, 16 and 8. The palettes below are those of the terminals, not those of the
 * program.
 */
#include "support/cm.h"
#include "tui/color.h"
#include "view/kit/theme.h"

#include <string.h>

enum { DARK_LIMIT = 0x2a2f38 }; /* the lightest own background that the default theme leaves */

struct depth {
    const char *name;
    enum nsc_color_mode mode;
    bool bright, is_console;
};

static const struct depth depths[] = {{"24-bit", NSC_COLOR_TRUE, true, false},
                                      {"256", NSC_COLOR_256, true, false},
                                      {"16", NSC_COLOR_16, true, false},
                                      {"8", NSC_COLOR_16, false, false},
                                      {"16 of a console", NSC_COLOR_16, true, true},
                                      {"8 of a console", NSC_COLOR_16, false, true}};

struct world {
    const char *theme;
    const struct nsc_theme *roles;
    const struct depth *depth;
    uint32_t own_fg, own_bg; /* the terminal's */
    double least;            /* of words on the paper */
    double less; /* allowed shortfall of the console: its brown is between black and white */
};

static uint32_t shown_16(int index, bool is_console)
{
    static const uint32_t xterm[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                       0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                       0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    static const uint32_t console[16] = {0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa,
                                         0x00aaaa, 0xaaaaaa, 0x555555, 0xff5555, 0x55ff55, 0xffff55,
                                         0x5555ff, 0xff55ff, 0x55ffff, 0xffffff};

    return is_console ? console[index] : xterm[index];
}

static uint32_t shown_256(int index)
{
    static const uint32_t levels[6] = {0, 95, 135, 175, 215, 255};
    uint32_t cube = (uint32_t)index - 16;

    if (index >= 232)
        return (uint32_t)(8 + 10 * (index - 232)) * 0x010101u;
    return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6];
}

static uint32_t shown(const struct depth *depth, int index)
{
    if (depth->mode == NSC_COLOR_TRUE)
        return (uint32_t)index;
    return depth->mode == NSC_COLOR_256 ? shown_256(index) : shown_16(index, depth->is_console);
}

static double contrast_of(const struct world *world, uint8_t role, uint8_t shade)
{
    struct nsc_style style = nsc_theme_style(world->roles, role, shade);
    struct nsc_paint paint = nsc_color_paint(style, world->roles->roles[NSC_ROLE_TEXT].bg,
                                             world->depth->mode, world->depth->bright);
    int fg = paint.fg;

    if (world->depth->mode == NSC_COLOR_16 && paint.attrs & NSC_STYLE_BOLD && fg >= 0)
        fg |= 8; /* bold letters may be bright there */
    return nsc_color_contrast(fg < 0 ? world->own_fg : shown(world->depth, fg),
                              paint.bg < 0 ? world->own_bg : shown(world->depth, paint.bg));
}

static void expect(const struct world *world, uint8_t role, uint8_t shade, double least)
{
    double contrast = contrast_of(world, role, shade);

    if (contrast < least)
        fail_msg("%s, %s colours: %s%s, shade %u: contrast %.2f, wanted %.1f", world->theme,
                 world->depth->name, nsc_roles[(enum nsc_role)(role & ~NSC_CELL_ON_BAR)].key,
                 role & NSC_CELL_ON_BAR ? " on a bar" : "", shade, contrast, least);
}

/* Ordinary lines, and lines with their own background. */
static void words_can_be_read(const struct world *world)
{
    for (uint8_t role = 0; role < NSC_N_ROLES; role++)
        for (uint8_t surface = 0; surface < NSC_N_SURFACES; surface++)
            if (nsc_roles[role].has_letters)
                expect(world, role, surface, surface ? 4.5 - world->less : world->least);
}

static void bars_can_be_read(const struct world *world)
{
    for (unsigned role = NSC_ROLE_SELECTION; role < NSC_ROLE_INK; role++)
        for (unsigned shade = 0; shade < 256; shade += 16)
            if (!nsc_roles[role].has_letters)
                expect(world, (uint8_t)(role | NSC_CELL_ON_BAR), (uint8_t)shade, 4.5 - world->less);
}

/* A bar contrasts with the background: less than letters need, because it is large. */
static void bars_can_be_seen(const struct world *world)
{
    for (unsigned role = NSC_ROLE_KERNEL; role <= NSC_ROLE_COUNTER; role++)
        for (unsigned shade = 0; shade < 256; shade += 16)
            expect(world, (uint8_t)role, (uint8_t)shade, 1.15);
}

static void check(const char *name, const struct nsc_theme *theme, uint32_t own_bg)
{
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
        struct world world = {name, theme, &depths[d], NSC_THEME_FG, own_bg, 4.5, 0};

        if (strcmp(name, "mono") == 0)
            continue; /* it has the terminal's own two colours only */
        if (own_bg == DARK_LIMIT && depths[d].mode == NSC_COLOR_16)
            continue; /* with so few colours the default theme paints its own */
        if (strcmp(name, "high-contrast") == 0 && depths[d].mode == NSC_COLOR_TRUE)
            world.least = 7;
        if (depths[d].is_console)
            world.less = 0.5;
        world.least -= world.less;
        words_can_be_read(&world);
        bars_can_be_read(&world);
        bars_can_be_seen(&world);
    }
}

TEST(themes_can_be_read)
{
    assert_true(nsc_n_theme_files >= 5);
    for (unsigned i = 0; i < nsc_n_theme_files; i++) {
        struct nsc_theme theme;

        nsc_theme_parse(&theme, nsc_text_from(nsc_theme_files[i].text), NULL, NULL);
        check(nsc_theme_files[i].name, &theme, 0x000000);
    }
}

TEST(the_default_can_be_read_on_any_background)
{
    struct nsc_theme theme;

    nsc_theme_parse(&theme, nsc_text_from(nsc_theme_default), NULL, NULL);
    check("default on dark gray", &theme, DARK_LIMIT);
    nsc_theme_cover(&theme);
    check("default on its own background", &theme, 0xffffff);
}
