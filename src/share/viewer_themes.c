/*
 * The colours of the page: those of the terminal's dark and light themes.
 */
#include "share/screen_paint.h"
#include "share/viewer_pack.h"
#include "view/kit/theme.h"

#include <stdio.h>
#include <string.h>

static void color_put(struct nsc_json *json, uint32_t color)
{
    char text[8];

    (void)snprintf(text, sizeof text, "#%06x", color & 0xffffff);
    nsc_json_puts(json, NULL, text);
}

/* Puts the colour of an event, and black or white for a text on it, whichever contrasts more. */
static void palette_put(struct nsc_json *json, uint32_t color)
{
    static const uint32_t black = 0x10141b;
    static const uint32_t white = 0xffffff;
    bool is_bright = nsc_color_contrast(black, color) > nsc_color_contrast(white, color);

    nsc_json_open(json, NULL, '[');
    color_put(json, color);
    color_put(json, is_bright ? black : white);
    nsc_json_close(json, ']');
}

static void theme_put(struct nsc_viewer_pack *pack, const char *key, const char *name)
{
    struct nsc_json *json = &pack->json;
    struct nsc_theme theme;
    struct nsc_text text = nsc_text_from(nsc_theme_default);

    for (unsigned i = 0; i < nsc_n_theme_files; i++)
        if (strcmp(nsc_theme_files[i].name, name) == 0)
            text = nsc_text_from(nsc_theme_files[i].text);
    nsc_theme_parse(&theme, text, NULL, NULL);
    nsc_json_open(json, key, '{');
    nsc_json_open(json, "roles", '{');
    for (unsigned role = 0; role < NSC_N_ROLES; role++) {
        struct nsc_cell cell = {.role = (uint8_t)role};
        struct nsc_paint_cell paint = nsc_paint_cell(&theme, &cell);

        nsc_json_open(json, nsc_roles[role].key, '[');
        color_put(json, paint.fg);
        color_put(json, paint.bg);
        nsc_json_close(json, ']');
    }
    nsc_json_close(json, '}');
    nsc_json_open(json, "palette", '[');
    for (size_t i = 0; i < pack->colors.n; i++) {
        struct nsc_cell cell = {.role = pack->colors.at[i].role, .shade = pack->colors.at[i].shade};

        palette_put(json, nsc_paint_cell(&theme, &cell).fg);
    }
    nsc_json_close(json, ']');
    nsc_json_close(json, '}');
}

void nsc_viewer_themes(struct nsc_viewer_pack *pack)
{
    nsc_json_open(&pack->json, "themes", '{');
    theme_put(pack, "dark", "default");
    theme_put(pack, "light", "light");
    nsc_json_close(&pack->json, '}');
}
