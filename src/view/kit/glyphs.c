/*
 * The table of glyphs the view draws with, and an ASCII character for each.
 *
 * A partly filled cell must not look empty, and a bar must not look like a label. So bars use '#'
 * and '=', not letters.
 */
#include "view/kit/grid.h"

#include <string.h>

static const struct {
    char ascii;
    const char *glyphs; /* concatenated */
} families[] = {
    {'#', "█▉▊▋▐▇▆▓"},
    {'=', "▌▍▎▅▄▒▬"},
    {'-', "▃▂▁─━╌┄–—‐░▔"},
    {'|', "│┃▏▕╷╵╎┆┊▎"},
    {'+', "┌┐└┘├┤┬┴┼╭╮╰╯╴╶"},
    {'>', "›»▸▶→⇒▷"},
    {'<', "‹«◂◀←⇐◁"},
    {'v', "▾▼↓⇓"},
    {'^', "▴▲↑⇑"},
    {'*', "●◆★⚑■•▪"},
    {'o', "○◇□"},
    {'.', "·⋅"},
    {'~', "…"},
    {'!', "⚠⚑"},
    {'u', "µμ"},
    {'x', "×✗"},
    {'\'', "’‘"},
    {'"', "“”"},
};

char nsc_glyph_ascii(struct nsc_text cluster)
{
    char glyph[8];

    if (cluster.n < 2 || cluster.n > 3)
        return 0;
    memcpy(glyph, cluster.bytes, cluster.n);
    glyph[cluster.n] = '\0';
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strstr(families[i].glyphs, glyph))
            return families[i].ascii;
    return 0;
}
