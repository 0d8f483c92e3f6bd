/*
 * Reads the background colour that the terminal or the environment reports.
 */
#include "tui/backdrop.h"

#include <stdlib.h>
#include <string.h>

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads one to four hexadecimal digits, scaled so that "f", "ff" and "ffff" are all the maximum; -1
 * for none. */
static int part_read(struct nsc_text *text)
{
    int value = 0;
    int most = 0;

    for (; text->n && digit_of(text->bytes[0]) >= 0 && most < 0xffff; text->bytes++, text->n--) {
        value = value * 16 + digit_of(text->bytes[0]);
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
