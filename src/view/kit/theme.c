/*
 * Reads themes and computes the colours of cells.
 */
#include "view/kit/theme.h"

#include "core/ini.h"
#include "core/text.h"
#include "view/kit/words.h"

#include <string.h>

enum { PALETTE_LIMIT = 96, PALETTE_NAME = 32, SURFACE_MASK = 15 };

/* The least contrast of ordinary text, by WCAG. */
static const double readable_contrast = 4.5;
static const uint32_t white = 0xffffff;

/* No colour given: use that of the role TEXT. Neither a colour nor NSC_COLOR_DEFAULT. */
#define COLOR_UNSET 0xfe000000u

struct color_name {
    char name[PALETTE_NAME];
    uint32_t n;
    uint32_t color;
};

/* State of reading the default theme, then another theme over it. */
struct reading {
    struct nsc_word_warner warner; /* first: nsc_word_warn_line wants it */
    struct nsc_theme *theme;
    struct color_name palette[PALETTE_LIMIT];
    size_t n_colors;
    bool is_default;                /* reading the default theme */
    bool own_gradient[NSC_N_ROLES]; /* the other theme set this gradient */
};

static const struct {
    const char *name;
    uint8_t attr;
} attrs[] = {{"bold", NSC_STYLE_BOLD},
             {"dim", NSC_STYLE_DIM},
             {"underline", NSC_STYLE_UNDERLINE},
             {"reverse", NSC_STYLE_REVERSE}};

static struct color_name *palette_find(struct reading *reading, struct nsc_text name)
{
    for (size_t i = 0; i < reading->n_colors; i++)
        if (reading->palette[i].n == name.n &&
            memcmp(reading->palette[i].name, name.bytes, name.n) == 0)
            return &reading->palette[i];
    return NULL;
}

static bool color_read(struct reading *reading, uint32_t *out, struct nsc_text word)
{
    const struct color_name *named = NULL;

    if (nsc_color_parse(out, word))
        return true;
    if (nsc_text_is(word, "default")) {
        *out = NSC_COLOR_DEFAULT;
        return true;
    }
    named = palette_find(reading, word);
    if (named)
        *out = named->color;
    return named != NULL;
}

static void palette_entry(void *context, const struct nsc_ini_entry *entry)
{
    struct reading *reading = context;
    struct color_name *color = NULL;
    uint32_t value = 0;

    if (!nsc_text_is(entry->section, "palette"))
        return;
    color = palette_find(reading, entry->key);
    if (!color_read(reading, &value, entry->value)) {
        nsc_word_warn(&reading->warner, entry->line, "no colour:", entry->value, "");
        return;
    }
    if (!color) {
        if (reading->n_colors == PALETTE_LIMIT || entry->key.n > PALETTE_NAME) {
            nsc_word_warn(&reading->warner, entry->line,
                          "too many colours, or too long a name:", entry->key, "");
            return;
        }
        color = &reading->palette[reading->n_colors++];
        memcpy(color->name, entry->key.bytes, entry->key.n);
        color->n = entry->key.n;
    }
    color->color = value;
}

static void role_read(struct reading *reading, unsigned role, const struct nsc_ini_entry *entry)
{
    struct nsc_style style = {COLOR_UNSET, COLOR_UNSET, 0, false};
    struct nsc_text rest = entry->value;

    for (struct nsc_text word = nsc_word_next(&rest); word.n; word = nsc_word_next(&rest)) {
        unsigned known = NSC_TEXT_AMONG(word, attrs);
        uint8_t attr = known < sizeof attrs / sizeof *attrs ? attrs[known].attr : 0;
        uint32_t color = 0;

        if (!attr && (!color_read(reading, &color, word) || style.bg != COLOR_UNSET)) {
            nsc_word_warn(&reading->warner, entry->line, "neither a colour nor an attribute:", word,
                          "");
            return;
        }
        style.attrs |= attr;
        if (!attr && style.fg == COLOR_UNSET)
            style.fg = color;
        else if (!attr)
            style.bg = color;
    }
    reading->theme->roles[role] = style;
    if (!reading->is_default && !reading->own_gradient[role] && style.fg != COLOR_UNSET)
        reading->theme->has_gradient[role] = false;
}

/* Spreads n stops over all steps. */
static void gradient_fill(uint32_t steps[NSC_THEME_HUES], const uint32_t *stops, unsigned n)
{
    for (unsigned i = 0; i < NSC_THEME_HUES; i++) {
        unsigned at = i * (n - 1);
        unsigned stop = at / (NSC_THEME_HUES - 1);

        steps[i] = nsc_color_mix(stops[stop], stops[stop + 1 < n ? stop + 1 : stop],
                                 at % (NSC_THEME_HUES - 1), NSC_THEME_HUES - 1);
    }
}

static void gradient_read(struct reading *reading, unsigned role, const struct nsc_ini_entry *entry)
{
    uint32_t stops[NSC_THEME_HUES];
    unsigned n = 0;
    struct nsc_text rest = entry->value;
    bool is_none = nsc_text_is(entry->value, "none");

    for (struct nsc_text word = nsc_word_next(&rest); word.n && !is_none;
         word = nsc_word_next(&rest)) {
        if (n == NSC_THEME_HUES || !color_read(reading, &stops[n], word) ||
            stops[n] == NSC_COLOR_DEFAULT) {
            nsc_word_warn(&reading->warner, entry->line, "no colour, or too many:", word, "");
            return;
        }
        n++;
    }
    if (!n && !is_none) {
        nsc_word_warn(&reading->warner, entry->line, "no colours for", entry->key, "");
        return;
    }
    reading->own_gradient[role] = !reading->is_default;
    reading->theme->has_gradient[role] = n > 0;
    if (n)
        gradient_fill(reading->theme->gradient[role], stops, n);
}

static void option_read(struct reading *reading, const struct nsc_ini_entry *entry)
{
    bool by_export = nsc_text_is(entry->value, "export");

    if (!nsc_text_is(entry->key, "nvtx-color") ||
        (!by_export && !nsc_text_is(entry->value, "name")))
        nsc_word_warn(&reading->warner, entry->line, "nvtx-color is name or export, not",
                      entry->value, "");
    else
        reading->theme->nvtx_export = by_export;
}

static void role_entry(void *context, const struct nsc_ini_entry *entry)
{
    struct reading *reading = context;
    bool is_role = nsc_text_is(entry->section, "roles");
    unsigned role = 0;

    if (nsc_text_is(entry->section, "palette"))
        return;
    if (nsc_text_is(entry->section, "options")) {
        option_read(reading, entry);
        return;
    }
    if (!is_role && !nsc_text_is(entry->section, "gradients")) {
        nsc_word_warn(&reading->warner, entry->line, "unknown section", entry->section, "");
        return;
    }
    role = nsc_text_among(entry->key, &nsc_roles[0].key, sizeof *nsc_roles, NSC_N_ROLES);
    if (role == NSC_N_ROLES)
        nsc_word_warn(&reading->warner, entry->line, "unknown role", entry->key, "");
    else if (is_role)
        role_read(reading, role, entry);
    else
        gradient_read(reading, role, entry);
}

/* Gives roles without a colour that of TEXT. */
static void roles_complete(struct nsc_theme *theme)
{
    struct nsc_style *text = &theme->roles[NSC_ROLE_TEXT];

    if (text->fg == COLOR_UNSET)
        text->fg = NSC_COLOR_DEFAULT;
    if (text->bg == COLOR_UNSET)
        text->bg = NSC_COLOR_DEFAULT;
    for (int i = 0; i < NSC_N_ROLES; i++) {
        theme->own_bg[i] = theme->roles[i].bg != COLOR_UNSET;
        if (theme->roles[i].fg == COLOR_UNSET)
            theme->roles[i].fg = text->fg;
        if (theme->roles[i].bg == COLOR_UNSET)
            theme->roles[i].bg = text->bg;
    }
}

/* The pass over the palette warns of invalid lines; later passes do not. */
void nsc_theme_parse(struct nsc_theme *theme, struct nsc_text text,
                     void (*warning)(void *context, unsigned line, const char *what), void *context)
{
    struct nsc_text shipped = nsc_text_from(nsc_theme_default);
    struct reading reading = {.theme = theme, .warner.context = context};

    memset(theme, 0, sizeof *theme);
    theme->nvtx_export = true;
    for (int i = 0; i < NSC_N_ROLES; i++)
        theme->roles[i] = (struct nsc_style){COLOR_UNSET, COLOR_UNSET, 0, false};
    nsc_ini_parse(shipped, palette_entry, NULL, &reading);
    reading.warner.warning = warning;
    nsc_ini_parse(text, palette_entry, nsc_word_warn_line, &reading);
    reading.warner.warning = NULL;
    reading.is_default = true;
    nsc_ini_parse(shipped, role_entry, NULL, &reading);
    reading.is_default = false;
    reading.warner.warning = warning;
    nsc_ini_parse(text, role_entry, NULL, &reading);
    roles_complete(theme);
}

void nsc_theme_cover(struct nsc_theme *theme)
{
    for (int i = 0; i < NSC_N_ROLES; i++) {
        if (theme->roles[i].fg == NSC_COLOR_DEFAULT)
            theme->roles[i].fg = NSC_THEME_FG;
        if (theme->roles[i].bg == NSC_COLOR_DEFAULT)
            theme->roles[i].bg = NSC_THEME_BG;
    }
}

/* The background of letters on a bar. */
static struct nsc_style style_on_bar(const struct nsc_theme *theme, struct nsc_style bar)
{
    const struct nsc_style *ink = &theme->roles[NSC_ROLE_INK];
    struct nsc_style style = bar;

    if (bar.fg == NSC_COLOR_DEFAULT || ink->fg == NSC_COLOR_DEFAULT ||
        ink->bg == NSC_COLOR_DEFAULT) {
        style.attrs = (uint8_t)((style.attrs ^ NSC_STYLE_REVERSE) & ~NSC_STYLE_DIM);
        return style;
    }
    style.bg = bar.fg;
    style.fg = ink->fg;
    /* Keeps the same ink while it is readable: alternating dark and light letters disturb. */
    if (nsc_color_contrast(style.fg, bar.fg) < readable_contrast)
        style.fg = ink->bg;
    /* One of these two is readable on any colour. */
    if (nsc_color_contrast(style.fg, bar.fg) < readable_contrast)
        style.fg = nsc_color_contrast(0, bar.fg) > nsc_color_contrast(white, bar.fg) ? 0 : white;
    return style;
}

/* The style of text on a line with its own background. In reverse video, the whole line is
 * reversed. */
static struct nsc_style style_on_surface(const struct nsc_theme *theme, struct nsc_style style,
                                         uint8_t surface)
{
    const struct nsc_style *under = &theme->roles[nsc_surface_roles[surface]];

    style.bg = under->bg;
    /* Drops "dim" on a reversed line, where the letters would be unreadable. */
    if (under->attrs & NSC_STYLE_REVERSE)
        style.attrs = (uint8_t)((style.attrs | NSC_STYLE_REVERSE) & ~NSC_STYLE_DIM);
    return style;
}

struct nsc_style nsc_theme_style(const struct nsc_theme *theme, uint8_t role, uint8_t shade)
{
    uint8_t index = role & (uint8_t)~NSC_CELL_ON_BAR;
    uint8_t surface = shade & SURFACE_MASK;
    struct nsc_style style;

    index = index < NSC_N_ROLES ? index : NSC_ROLE_TEXT;
    style = theme->roles[index];
    if (theme->has_gradient[index])
        style.fg = theme->gradient[index][shade / (256 / NSC_THEME_HUES)];
    else if (surface != NSC_SURFACE_NONE && surface < NSC_N_SURFACES && !theme->own_bg[index] &&
             !(role & NSC_CELL_ON_BAR))
        style = style_on_surface(theme, style, surface);
    if (role & NSC_CELL_ON_BAR)
        style = style_on_bar(theme, style);
    style.letters = role & NSC_CELL_ON_BAR || nsc_roles[index].has_letters;
    return style;
}
