/*
 * The config panel: a list of the settings over the screen. A key changes the setting under the
 * cursor.
 */
#include "core/text.h"
#include "view/app/setting.h"
#include "view/app/state.h"
#include "view/kit/grid.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FRAME = 2, HELP = 1 /* line */, BOX_COLS = 78, NAME_COLS = 14, VALUE_COLS = 17 };

/* ---- what belongs to the terminal ---- */

void nsc_app_config_init(struct nsc_app *app, const struct nsc_app_options *options)
{
    nsc_scene_set(app->edit, NSC_SCENE_ASCII, options->ascii || options->ascii_only);
    app->ascii_only = options->ascii_only;
    app->config.no_mouse = options->no_mouse;
    app->config.color = options->color;
    (void)snprintf(app->config.theme, sizeof app->config.theme, "%s",
                   options->theme ? options->theme : "default");
    memcpy(app->config.theme_wanted, app->config.theme, sizeof app->config.theme_wanted);
}

/* ---- the panel ---- */

static struct nsc_rect box_of(const struct nsc_app *app)
{
    int most = NSC_N_SETTINGS + HELP + FRAME;
    int rows = (int)app->scene->rows - 4;
    int cols = (int)app->scene->cols;
    struct nsc_rect box = {0};

    box.rows = most < rows ? most : rows;
    box.cols = BOX_COLS < cols ? BOX_COLS : cols;
    box.row = (int)app->scene->rows - 1 - box.rows; /* leaves the timeline visible */
    box.col = (cols - box.cols) / 2;
    return box;
}

static int list_rows(const struct nsc_app *app)
{
    return box_of(app).rows - FRAME - HELP;
}

static void list_fit(struct nsc_app *app)
{
    int height = list_rows(app);

    nsc_list_fit(&app->config.list, NSC_N_SETTINGS, height > 1 ? height : 1);
}

bool nsc_app_config_open(struct nsc_app *app)
{
    app->help = false;
    app->config.open = !app->config.open;
    list_fit(app);
    return true;
}

/* Whether a setting is saved. The minimum duration belongs to the filter, the mark is gone at the
 * next start, and the terminal may force ASCII. */
static bool is_kept(const struct nsc_app *app, enum nsc_setting setting)
{
    return nsc_settings[setting].kind != NSC_SETTING_IS_TIME &&
           !(setting == NSC_SETTING_AXIS && app->scene->axis == NSC_AXIS_MARK) &&
           !(setting == NSC_SETTING_GLYPHS && app->ascii_only);
}

static void save(struct nsc_app *app)
{
    char *out = app->config.saved;
    char value[NSC_SETTING_BYTES];
    size_t n = 0;

    for (unsigned i = 0; i < NSC_N_SETTINGS; i++) {
        if (!is_kept(app, (enum nsc_setting)i))
            continue;
        nsc_app_setting_text(app, (enum nsc_setting)i, value);
        n += (size_t)snprintf(out + n, sizeof app->config.saved - n, "%s = %s\n",
                              nsc_settings[i].name, value);
        assert(n < sizeof app->config.saved);
    }
    app->effects.set |= NSC_EFFECT_SETTINGS;
    app->effects.text = nsc_text_from(out);
}

bool nsc_app_config_action(struct nsc_app *app, enum nsc_action action)
{
    struct nsc_list *list = &app->config.list;

    if (!app->config.open)
        return false;
    list_fit(app);
    switch (action) {
    case NSC_ACTION_CONFIG_SAVE:
        save(app);
        return true;
    case NSC_ACTION_CONFIG_CLOSE:
        return nsc_app_config_open(app);
    case NSC_ACTION_CONFIG_UP:
        return nsc_list_move(list, -1);
    case NSC_ACTION_CONFIG_DOWN:
        return nsc_list_move(list, 1);
    case NSC_ACTION_CONFIG_LESS:
        return nsc_app_setting_step(app, (enum nsc_setting)list->cursor, false);
    case NSC_ACTION_CONFIG_MORE:
        return nsc_app_setting_step(app, (enum nsc_setting)list->cursor, true);
    default:
        return false;
    }
}

void nsc_app_config_mouse(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_list *list = &app->config.list;
    struct nsc_rect box = box_of(app);
    int value = box.col + 1 + 1 + NAME_COLS;
    size_t at = list->top + (size_t)(input->mouse.row - box.row - 1);
    bool inside = nsc_rect_has((struct nsc_rect){box.row + 1, box.col, list_rows(app), box.cols},
                               input->mouse.row, input->mouse.col);

    if (input->mouse.action == NSC_MOUSE_WHEEL_UP || input->mouse.action == NSC_MOUSE_WHEEL_DOWN)
        (void)nsc_list_move(list, input->mouse.action == NSC_MOUSE_WHEEL_UP ? -1 : 1);
    if (input->mouse.action != NSC_MOUSE_PRESS && input->mouse.action != NSC_MOUSE_DOUBLE)
        return;
    if (!nsc_rect_has(box, input->mouse.row, input->mouse.col))
        (void)nsc_app_config_open(app);
    if (!inside || at >= list->n || nsc_list_set(list, at))
        return;
    /* The chosen setting has arrows: "< 13 >". */
    if (input->mouse.col >= value && input->mouse.col < value + VALUE_COLS)
        (void)nsc_app_setting_step(app, (enum nsc_setting)at, input->mouse.col > value + 1);
}

static void setting_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect line,
                         enum nsc_setting setting)
{
    char value[NSC_SETTING_BYTES];
    struct nsc_choice choice = {nsc_settings[setting].name, value, nsc_settings[setting].help,
                                NAME_COLS, VALUE_COLS};

    nsc_app_setting_text(app, setting, value);
    nsc_choice_draw(grid, line, &choice, setting == app->config.list.cursor);
}

void nsc_app_config_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect box = box_of(app);
    struct nsc_rect line = {box.row + 1, box.col + 1, 1, box.cols - FRAME};
    size_t top = app->config.list.top;

    if (!app->config.open || box.rows <= FRAME)
        return;
    nsc_box_draw(grid, box, " Settings ");
    for (size_t i = top; line.row <= box.row + list_rows(app) && i < NSC_N_SETTINGS; i++) {
        setting_draw(app, grid, line, (enum nsc_setting)i);
        line.row++;
    }
    nsc_grid_puts(grid, line.row, line.col + 1, line.cols - 2, NSC_ROLE_DIM,
                  nsc_settings[app->config.list.cursor].help);
}
