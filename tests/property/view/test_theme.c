/* Property tests of themes: any file is harmless, and every cell gets real colours. */
#include "support/cm.h"
#include "support/dice.h"
#include "view/kit/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SLACK: the mean of a gray is rounded before its step is chosen. */
enum { FILES = 2000, FILE_BYTES = 600, SLACK = 100 };

static void tell(void *context, unsigned line, const char *what)
{
    assert_true(line > 0 && what[0]);
    for (size_t i = 0; what[i]; i++)
        assert_true((unsigned char)what[i] >= 0x20);
    ++*(unsigned *)context;
}

static size_t roll_file(struct dice *dice, char file[FILE_BYTES])
{
    static const char *const words[] = {
        "[roles]\n", "[palette]\n", "[gradients]\n", "text",     "kernel", "ink",  "a",     " = ",
        "\n",        " #123456",    " #fff",         " default", " bold",  " dim", " none", " blue",
        " #",        "\xff"};
    size_t n = 0;

    for (uint64_t i = dice_below(dice, 40); i > 0; i--) {
        const char *word = words[dice_below(dice, sizeof words / sizeof *words)];

        n += (size_t)snprintf(file + n, FILE_BYTES - n, "%s", word);
    }
    for (uint64_t i = dice_below(dice, 4); i > 0 && n; i--)
        file[dice_below(dice, n)] = (char)dice_below(dice, 256);
    return n;
}

static bool color_is_real(uint32_t color)
{
    return color <= 0xffffff || color == NSC_COLOR_DEFAULT;
}

TEST(any_file_is_taken)
{
    struct dice dice = dice_new(81);
    unsigned warnings = 0;

    for (int round = 0; round < FILES; round++) {
        char file[FILE_BYTES];
        struct nsc_theme theme;
        size_t n = roll_file(&dice, file);
        char *bytes = malloc(n + 1); /* of exactly n bytes, for sanitizers */

        assert_non_null(bytes);
        memcpy(bytes + 1, file, n);
        nsc_theme_parse(&theme, (struct nsc_text){bytes + 1, (uint32_t)n}, tell, &warnings);
        for (int i = 0; i < 200; i++) {
            struct nsc_style style = nsc_theme_style(&theme, (uint8_t)dice_below(&dice, 256),
                                                     (uint8_t)dice_below(&dice, 256));

            assert_true(color_is_real(style.fg) && color_is_real(style.bg));
        }
        free(bytes);
    }
    assert_true(warnings > 0);
}

/* Against the distance of all 240 fixed colours. */
static uint32_t fixed_color(unsigned index)
{
    static const uint8_t levels[6] = {0, 95, 135, 175, 215, 255};
    uint32_t gray = 8 + 10 * (index - 232);

    if (index >= 232)
        return gray << 16 | gray << 8 | gray;
    index -= 16;
    return (uint32_t)levels[index / 36] << 16 | (uint32_t)levels[index / 6 % 6] << 8 |
           levels[index % 6];
}

static unsigned distance(uint32_t a, uint32_t b)
{
    int r = (int)(a >> 16) - (int)(b >> 16);
    int g = (int)(a >> 8 & 0xff) - (int)(b >> 8 & 0xff);
    int blue = (int)(a & 0xff) - (int)(b & 0xff);

    return (unsigned)(2 * r * r + 4 * g * g + 3 * blue * blue);
}

TEST(the_nearest_of_256_is_found)
{
    struct dice dice = dice_new(82);

    for (int round = 0; round < 20000; round++) {
        uint32_t color = (uint32_t)dice_below(&dice, 0x1000000);
        unsigned got = distance(color, fixed_color(nsc_color_256(color)));
        unsigned best = UINT32_MAX;

        for (unsigned i = 16; i < 256; i++)
            best = distance(color, fixed_color(i)) < best ? distance(color, fixed_color(i)) : best;
        assert_true(got <= best + SLACK);
    }
}

TEST(mixing_stays_between)
{
    struct dice dice = dice_new(83);

    for (int round = 0; round < 20000; round++) {
        uint32_t a = (uint32_t)dice_below(&dice, 0x1000000);
        uint32_t b = (uint32_t)dice_below(&dice, 0x1000000);
        uint32_t mix = nsc_color_mix(a, b, (unsigned)dice_below(&dice, 16), 15);

        for (unsigned shift = 0; shift < 24; shift += 8) {
            uint32_t x = a >> shift & 0xff;
            uint32_t y = b >> shift & 0xff;
            uint32_t m = mix >> shift & 0xff;

            assert_true(m >= (x < y ? x : y) && m <= (x > y ? x : y));
        }
    }
}
