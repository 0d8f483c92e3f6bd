/*
 * Maps 24-bit colours to direct colour, the 256-colour palette, sixteen or eight ANSI colours, or
 * attributes alone.
 */
#include "tui/color.h"

#include "view/kit/color.h"

#include <string.h>

struct rgb {
    int r, g, b;
};

static struct rgb rgb_of(uint32_t color)
{
    return (struct rgb){(int)(color >> 16 & 0xff), (int)(color >> 8 & 0xff), (int)(color & 0xff)};
}

static int greater(int a, int b)
{
    return a > b ? a : b;
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

static int gray_16(int level, bool bright)
{
    static const int until[] = {48, 144, 216, 256};
    static const int grays[] = {0, 8, 7, 15};
    int i = 0;

    if (!bright)
        return level < 80 ? 0 : 7;
    while (level >= until[i])
        i++;
    return grays[i];
}

/*
 * Goes by hue, not by distance: a theme's pastel colours are all nearest to a gray. A component is
 * on when it lies in the upper half between the smallest and the largest.
 */
static int index_16(struct rgb c, bool bright)
{
    int max = greater(greater(c.r, c.g), c.b);
    int min = -greater(greater(-c.r, -c.g), -c.b);
    int middle = min + (max - min) / 2;

    if (max - min < 26 || max < 32)
        return gray_16(max, bright);
    return (c.r > middle) + 2 * (c.g > middle) + 4 * (c.b > middle) +
           (bright && max >= 192 ? 8 : 0);
}

int nsc_color_index(uint32_t rgb, enum nsc_color_mode mode, bool bright)
{
    if (rgb == NSC_COLOR_DEFAULT || mode == NSC_COLOR_MONO)
        return -1;
    if (mode == NSC_COLOR_TRUE) {
        /* Direct-colour descriptions reserve 0 to 7 for the ANSI colours; 8 is the darkest blue,
         * which looks black. */
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

/* Black or white, whichever contrasts with bg; never number itself. */
static int contrast_to(uint32_t bg, int number, enum nsc_color_mode mode, bool bright)
{
    struct rgb c = rgb_of(bg);
    bool dark = 2 * c.r + 5 * c.g + c.b < 8 * 112;
    int black = mode == NSC_COLOR_256 ? 16 : 0;
    int white = mode == NSC_COLOR_256 ? 231 : bright ? 15 : 7;
    int chosen = dark ? white : black;

    return chosen != number ? chosen : white + black - chosen;
}

struct nsc_paint nsc_color_paint(struct nsc_style style, uint32_t paper, enum nsc_color_mode mode,
                                 bool bright)
{
    struct nsc_paint paint = {-1, -1, style.attrs};

    if (mode == NSC_COLOR_MONO)
        return paint_mono(style, paper);
    paint.fg = nsc_color_index(style.fg, mode, bright);
    paint.bg = nsc_color_index(style.bg, mode, bright);
    if (paint.fg == paint.bg && style.fg != style.bg && mode != NSC_COLOR_TRUE)
        paint.fg = contrast_to(style.bg, paint.bg, mode, bright);
    return paint;
}
