/*
 * Maps 24-bit colours to direct colour, the 256-colour palette, sixteen or eight ANSI colours, or
 * attributes alone.
 */
#include "tui/color.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

/* Least contrast of letters, by WCAG. */
static const double readable_contrast = 4.5;

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
 * Maps by hue, not by distance, because all pastel colours of a theme are nearest to a gray. A
 * component is on if it lies in the upper half between the smallest and the largest.
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

/* Letters in 256 colours that stay readable: colours that differ in the theme may be closer in the
 * palette. */
static int letters_256(int fg, int bg)
{
    static const int black = 16;
    static const int white = 231;
    uint32_t under = nsc_color_of_256((uint8_t)bg);

    if (nsc_color_contrast(nsc_color_of_256((uint8_t)fg), under) >= readable_contrast)
        return fg;
    return nsc_color_contrast(0x000000, under) > nsc_color_contrast(0xffffff, under) ? black
                                                                                     : white;
}

/* ---- letters in sixteen and eight colours ---- */

/* The contrast of two of the sixteen colours: the lower of those in xterm's and the console's
 * palette. */
static double contrast_16(int a, int b)
{
    static const uint32_t palettes[2][16] = {
        {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f,
         0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff},
        {0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa, 0x555555,
         0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff}};
    double first = nsc_color_contrast(palettes[0][a], palettes[0][b]);
    double second = nsc_color_contrast(palettes[1][a], palettes[1][b]);

    return first < second ? first : second;
}

/* The colour of letters. Bold letters get the bright one: always with eight colours, in some
 * terminals with sixteen. */
static int letter_16(const struct nsc_paint *paint)
{
    return paint->attrs & NSC_STYLE_BOLD && paint->fg < 8 ? paint->fg + 8 : paint->fg;
}

/* Replaces letters too close to their background: by the bright colour of their hue, else white or
 * black. The terminal's own background suits its own letters. */
static void letters_mend(struct nsc_paint *paint, bool bright)
{
    static const int others[] = {7, 15, 0};
    int bg = paint->bg < 0 ? 0 : paint->bg;
    int hue = paint->fg & 7;
    struct nsc_paint best = *paint;

    /* no bold if its bright letters would be unreadable */
    if (bright && paint->fg >= 0 && contrast_16(letter_16(paint), bg) < readable_contrast)
        paint->attrs &= (uint8_t)~NSC_STYLE_BOLD;
    best = *paint;
    if (paint->fg < 0 || contrast_16(letter_16(paint), bg) >= readable_contrast)
        return;
    for (size_t i = 0; i <= sizeof others / sizeof *others; i++) {
        int color = i ? others[i - 1] : hue + 8;
        struct nsc_paint next = *paint;

        next.fg = bright ? color : color & 7;
        next.attrs = (uint8_t)(!bright && color > 7 ? next.attrs | NSC_STYLE_BOLD
                                                    : next.attrs & ~(unsigned)NSC_STYLE_BOLD);
        if (contrast_16(letter_16(&next), bg) > contrast_16(letter_16(&best), bg))
            best = next;
        if (contrast_16(letter_16(&best), bg) >= readable_contrast)
            break;
    }
    if (paint->bg < 0 && (best.fg & 7) != hue)
        best.fg = -1;
    *paint = best;
}

static bool is_light_16(uint32_t paper, bool bright)
{
    int under = nsc_color_index(paper, NSC_COLOR_16, bright);

    return under >= 0 && contrast_16(under, 0) > contrast_16(under, 15);
}

/* The colour of a bar. Avoids bright hues on a light background, where they are invisible. */
static int shape_16(uint32_t rgb, uint32_t paper, bool bright)
{
    int index = nsc_color_index(rgb, NSC_COLOR_16, bright);

    return index > 8 && index < 15 && is_light_16(paper, bright) ? index - 8 : index;
}

/* The colour of a surface: distinct from the paper, and no dark gray, so that letters are readable
 * on it. */
static int background_16(uint32_t rgb, uint32_t paper, bool bright)
{
    int index = shape_16(rgb, paper, bright);
    int under = nsc_color_index(paper, NSC_COLOR_16, bright);

    if (rgb == paper || index < 0 || (index != under && index != 8))
        return index;
    return !is_light_16(paper, bright) ? 4 : bright ? 7 : 6;
}

static struct nsc_paint paint_16(struct nsc_style style, uint32_t paper, bool bright)
{
    struct nsc_paint paint = {shape_16(style.fg, paper, bright),
                              background_16(style.bg, paper, bright), style.attrs};

    if (style.letters)
        letters_mend(&paint, bright);
    if (paint.fg == paint.bg && paint.fg >= 0 && style.fg != style.bg)
        paint.fg = contrast_to(style.bg, paint.bg, NSC_COLOR_16, bright);
    return paint;
}

struct nsc_paint nsc_color_paint(struct nsc_style style, uint32_t paper, enum nsc_color_mode mode,
                                 bool bright)
{
    struct nsc_paint paint = {-1, -1, style.attrs};

    if (mode == NSC_COLOR_MONO)
        return paint_mono(style, paper);
    if (mode == NSC_COLOR_16)
        return paint_16(style, paper, bright);
    paint.fg = nsc_color_index(style.fg, mode, bright);
    paint.bg = nsc_color_index(style.bg, mode, bright);
    if (paint.fg == paint.bg && style.fg != style.bg && mode != NSC_COLOR_TRUE)
        paint.fg = contrast_to(style.bg, paint.bg, mode, bright);
    if (style.letters && mode == NSC_COLOR_256 && paint.fg >= 0 && paint.bg >= 0)
        paint.fg = letters_256(paint.fg, paint.bg);
    return paint;
}

/* ---- the background ---- */

/* Reads one to four hexadecimal digits, scaled so that "f", "ff" and "ffff" are all the maximum; -1
 * for none. */
static int part_read(struct nsc_text *text)
{
    int value = 0;
    int most = 0;

    for (; text->n && nsc_hex_digit(text->bytes[0]) >= 0 && most < 0xffff;
         text->bytes++, text->n--) {
        value = value * 16 + nsc_hex_digit(text->bytes[0]);
        most = most * 16 + 15;
    }
    return most ? (value * 255 + most / 2) / most : -1;
}

bool nsc_backdrop_read(uint32_t *out, struct nsc_text answer)
{
    static const char *const heads[] = {"11;rgb:", "11;rgba:"};
    uint32_t color = 0;
    size_t n = 0;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (answer.n > strlen(heads[i]) && !memcmp(answer.bytes, heads[i], strlen(heads[i])))
            n = strlen(heads[i]);
    answer.bytes += n;
    answer.n -= (uint32_t)n;
    for (int i = 0; n && i < 3; i++) {
        int part = part_read(&answer);

        if (part < 0 || (i < 2 && (!answer.n || answer.bytes[0] != '/')))
            return false;
        color = color << 8 | (uint32_t)part;
        answer.bytes += i < 2;
        answer.n -= i < 2;
    }
    if (n)
        *out = color;
    return n > 0;
}

struct nsc_backdrop nsc_backdrop_of(const char *colorfgbg)
{
    const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
    struct nsc_backdrop backdrop = {false, 0};
    char *end = NULL;
    long number = last ? strtol(last + 1, &end, 10) : -1;

    if (!last || end == last + 1 || *end || number < 0 || number > 15)
        return backdrop;
    backdrop.known = true;
    backdrop.color = number == 7 || number > 8 ? 0xffffff : 0x000000;
    return backdrop;
}
