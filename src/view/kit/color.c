/*
 * Colours as numbers.
 */
#include "core/text.h"
#include "view/kit/theme.h"

#include <math.h>

bool nsc_color_parse(uint32_t *out, struct nsc_text text)
{
    uint32_t color = 0;

    if ((text.n != 4 && text.n != 7) || text.bytes[0] != '#')
        return false;
    for (uint32_t i = 1; i < text.n; i++) {
        int digit = nsc_hex_digit(text.bytes[i]);

        if (digit < 0)
            return false;
        color = color << 4 | (uint32_t)digit;
        if (text.n == 4)
            color = color << 4 | (uint32_t)digit;
    }
    *out = color;
    return true;
}

static unsigned part_of(uint32_t color, unsigned channel)
{
    return color >> (16 - 8 * channel) & 0xff;
}

/* Mixing squares approximates linear light and is exact at both ends. */
uint32_t nsc_color_mix(uint32_t a, uint32_t b, unsigned part, unsigned whole)
{
    double t = whole ? (double)part / (double)whole : 0;
    uint32_t color = 0;

    for (unsigned channel = 0; channel < 3; channel++) {
        double from = part_of(a, channel);
        double to = part_of(b, channel);

        color = color << 8 | (uint32_t)(sqrt(from * from * (1 - t) + to * to * t) + 0.5);
    }
    return color;
}

double nsc_color_luminance(uint32_t color)
{
    static const double shares[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0;

    for (unsigned channel = 0; channel < 3; channel++) {
        double v = part_of(color, channel) / 255.0;

        sum += shares[channel] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
    }
    return sum;
}

double nsc_color_contrast(uint32_t a, uint32_t b)
{
    double la = nsc_color_luminance(a) + 0.05;
    double lb = nsc_color_luminance(b) + 0.05;

    return la > lb ? la / lb : lb / la;
}

static unsigned cube_level(unsigned step)
{
    return step ? 55 + 40 * step : 0;
}

/* The weight of red, green and blue in a colour difference. */
static const unsigned weights[3] = {2, 4, 3};

static unsigned distance(uint32_t color, const unsigned to[3])
{
    unsigned sum = 0;

    for (unsigned channel = 0; channel < 3; channel++) {
        unsigned v = part_of(color, channel);
        unsigned d = v > to[channel] ? v - to[channel] : to[channel] - v;

        sum += weights[channel] * d * d;
    }
    return sum;
}

/* The nearest of the 24 grays 8, 18 .. 238 to the weighted mean. */
static unsigned gray_step(uint32_t color)
{
    unsigned sum = 0;
    unsigned mean = 0;

    for (unsigned channel = 0; channel < 3; channel++)
        sum += weights[channel] * part_of(color, channel);
    mean = (sum + 4) / 9;
    return mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
}

uint8_t nsc_color_256(uint32_t color)
{
    unsigned step[3], level[3], gray[3];
    unsigned at = gray_step(color);

    for (unsigned channel = 0; channel < 3; channel++) {
        unsigned v = part_of(color, channel);

        /* the nearest of the cube's six levels 0, 95, 135, 175, 215, 255 */
        step[channel] = v < 48 ? 0 : v < 115 ? 1 : (v - 35) / 40;
        level[channel] = cube_level(step[channel]);
        gray[channel] = 8 + 10 * at;
    }
    if (distance(color, gray) < distance(color, level))
        return (uint8_t)(232 + at);
    return (uint8_t)(16 + 36 * step[0] + 6 * step[1] + step[2]);
}

uint32_t nsc_color_of_256(uint8_t number)
{
    unsigned cube = number - 16u;

    if (number >= 232)
        return (8 + 10 * (number - 232u)) * 0x010101u;
    return cube_level(cube / 36) << 16 | cube_level(cube / 6 % 6) << 8 | cube_level(cube % 6);
}
