/*
 * Maps 24-bit colours to direct colour, the 256-colour palette, sixteen or eight ANSI colours, or
 * attributes alone.
 */
#include "tui/color.h"

#include "view/color.h"

#include <stdlib.h>
#include <string.h>

struct rgb {
    int r, g, b;
};

static struct rgb rgb_of(uint32_t color)
{
    return (struct rgb){(int)(color >> 16 & 0xff), (int)(color >> 8 & 0xff), (int)(color & 0xff)};
}

static bool says_direct(const char *colorterm)
{
    return colorterm && (!strcmp(colorterm, "truecolor") || !strcmp(colorterm, "24bit"));
}

enum nsc_color_mode nsc_color_choose(enum nsc_color_mode wanted,
                                     const struct nsc_color_facts *facts)
{
    enum nsc_color_mode mode = wanted;

    if (mode == NSC_COLOR_AUTO) {
        if (facts->no_color && facts->no_color[0])
            return NSC_COLOR_MONO;
        mode = says_direct(facts->colorterm) ? NSC_COLOR_TRUE : NSC_COLOR_256;
    }
    if (mode == NSC_COLOR_TRUE && !facts->direct)
        mode = NSC_COLOR_256;
    if (mode == NSC_COLOR_256 && facts->colors < 256)
        mode = NSC_COLOR_16;
    if (mode == NSC_COLOR_16 && facts->colors < 8)
        mode = NSC_COLOR_MONO;
    return mode;
}

/*
 * By hue, not by distance: the pastel colours of themes are all nearest to a gray, and what the hue
 * says would be lost. Components that reach half way between the least and the greatest are on.
 */
static int index_16(struct rgb c, bool bright)
{
    int max = c.r > c.g ? c.r : c.g;
    int min = c.r < c.g ? c.r : c.g;
    int middle;

    max = c.b > max ? c.b : max;
    min = c.b < min ? c.b : min;
    if (max - min < 26 || max < 32) {
        if (!bright)
            return max < 80 ? 0 : 7;
        return max < 48 ? 0 : max < 144 ? 8 : max < 216 ? 7 : 15;
    }
    middle = min + (max - min) / 2;
    return (c.r > middle) + 2 * (c.g > middle) + 4 * (c.b > middle) +
           (bright && max >= 192 ? 8 : 0);
}

int nsc_color_index(uint32_t rgb, enum nsc_color_mode mode, bool bright)
{
    if (rgb == NSC_COLOR_DEFAULT || mode == NSC_COLOR_MONO)
        return -1;
    if (mode == NSC_COLOR_TRUE) {
        /* Direct descriptions keep 0 to 7 for the ANSI colours; 8 is the darkest blue, black to the
         * eye. */
        rgb &= 0xffffff;
        return rgb < 8 ? 8 : (int)rgb;
    }
    return mode == NSC_COLOR_256 ? nsc_color_256(rgb) : index_16(rgb_of(rgb), bright);
}

static struct nsc_paint paint_mono(struct nsc_style style, uint32_t paper)
{
    struct nsc_paint paint = {-1, -1, style.attrs};

    if (style.bg != paper && style.bg != NSC_COLOR_DEFAULT)
        paint.attrs ^= NSC_STYLE_REVERSE;
    return paint;
}

struct nsc_paint nsc_color_paint(struct nsc_style style, uint32_t paper, enum nsc_color_mode mode,
                                 bool bright)
{
    struct nsc_paint paint = {-1, -1, style.attrs};

    if (mode == NSC_COLOR_MONO)
        return paint_mono(style, paper);
    paint.fg = nsc_color_index(style.fg, mode, bright);
    paint.bg = nsc_color_index(style.bg, mode, bright);
    if (paint.fg == paint.bg && style.fg != style.bg && paint.fg >= 0 && mode != NSC_COLOR_TRUE) {
        struct rgb bg = rgb_of(style.bg);
        bool dark = 2 * bg.r + 5 * bg.g + bg.b < 8 * 112;

        if (mode == NSC_COLOR_256)
            paint.fg = dark ? 231 : 16;
        else
            paint.fg = dark ? (bright ? 15 : 7) : 0;
        /* A background that was mapped to the very extreme leaves only the other one. */
        if (paint.fg == paint.bg)
            paint.fg = dark ? 0 : 7;
    }
    return paint;
}
