/* Edits a bookmark on the screen: name, note, tags and colour, each in its own prompt. */
#include "core/text.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/theme.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int32_t color;
} colors[] = {{"red", 0xe0403a},    {"orange", 0xe8842c}, {"yellow", 0xd8b52a},
              {"green", 0x4caf50},  {"cyan", 0x2aa5b8},   {"blue", 0x3f76d8},
              {"purple", 0x8a52c8}, {"pink", 0xd8529a},   {"none", -1}};
enum { N_COLORS = sizeof colors / sizeof *colors, N_TEXTS = NSC_BOOKMARK_TAGS + 1 };

/* The bookmark at the list's cursor. NULL if there is none or the prompt was opened for another. */
static const struct nsc_bookmark *edited(const struct nsc_app *app, bool opening)
{
    const struct nsc_bookmarks *list = &app->bookmarks.list;
    uint32_t i = nsc_table_row(&app->bookmarks.table);

    if (i == NSC_NONE || (!opening && list->at[i].id != app->bookmarks.edited))
        return NULL;
    return &list->at[i];
}

static void color_text(const struct nsc_bookmark *b, char out[16])
{
    out[0] = '\0';
    if (b->color < 0)
        return;
    (void)snprintf(out, 16, "#%06x", (unsigned)b->color & 0xffffffu);
    for (int i = 0; i < N_COLORS; i++)
        if (colors[i].color == b->color)
            (void)snprintf(out, 16, "%s", colors[i].name);
}

/* ---- taken ---- */

/* Replaces the bookmark by its edited copy. Equal ones are neither replaced nor saved. */
static bool put(struct nsc_app *app, struct nsc_bookmark *copy)
{
    size_t i = nsc_table_row(&app->bookmarks.table);

    if (nsc_bookmark_compare(copy, &app->bookmarks.list.at[i]) == 0) {
        nsc_bookmark_fini(copy);
        return true;
    }
    i = nsc_bookmarks_edit(&app->bookmarks.list, i, copy);
    nsc_pane_bookmarks_list(app->scene, &app->bookmarks);
    (void)nsc_list_go(&app->bookmarks.table.list, i);
    app->effects.set |= NSC_EFFECT_SAVE;
    return true;
}

/* Parses a word of the table, "#rrggbb" or nothing. */
static bool parse_color(int32_t *out, struct nsc_text text)
{
    uint32_t rgb = 0;

    *out = -1;
    for (int i = 0; i < N_COLORS; i++)
        if (nsc_text_is(text, colors[i].name)) {
            *out = colors[i].color;
            return true;
        }
    if (text.n && !nsc_color_parse(&rgb, text))
        return false;
    if (text.n)
        *out = (int32_t)(rgb & 0xffffff);
    return true;
}

static void form_check(struct nsc_app *app)
{
    const struct nsc_form_field *color = &app->form.fields[N_TEXTS];

    if (!parse_color(&(int32_t){0}, nsc_text_from(color->value)))
        nsc_app_prompt_wrong(app, 0, color->help);
}

static bool form_accept(struct nsc_app *app)
{
    const struct nsc_bookmark *b = edited(app, false);
    struct nsc_bookmark copy;

    if (!b) {
        nsc_app_say(app, "The bookmark is gone: another program removed it.");
        return true;
    }
    copy = nsc_bookmark_copy(b);
    for (int i = 0; i < N_TEXTS; i++)
        nsc_bookmark_set_text(&copy, (enum nsc_bookmark_text)i,
                              nsc_text_from(app->form.fields[i].value));
    (void)parse_color(&copy.color, nsc_text_from(app->form.fields[N_TEXTS].value));
    return put(app, &copy);
}

/* Opens the form of the bookmark at the list's cursor, at the line of the action. */
static bool edit(struct nsc_app *app, enum nsc_action action)
{
    static const struct nsc_form_field fields[] = {
        {.name = "name", .help = ""},
        {.name = "note", .help = ""},
        {.name = "tags", .help = "separated by commas"},
        {.name = "colour",
         .help = "red, orange, yellow, green, cyan, blue, purple, pink, none or #rrggbb"}};
    struct nsc_app_form *form = &app->form;
    const struct nsc_bookmark *b = edited(app, true);

    if (!b || action < NSC_ACTION_BOOKMARK_NAME || action > NSC_ACTION_BOOKMARK_COLOR)
        return false;
    app->bookmarks.edited = b->id;
    *form = (struct nsc_app_form){
        .title = "Bookmark", .changed = form_check, .accept = form_accept, .n = N_TEXTS + 1};
    memcpy(form->fields, fields, sizeof fields);
    for (int i = 0; i < N_TEXTS; i++)
        (void)snprintf(form->fields[i].value, sizeof form->fields[i].value, "%s",
                       nsc_bookmark_text(b, (enum nsc_bookmark_text)i));
    color_text(b, form->fields[N_TEXTS].value);
    nsc_app_form_go(app, (uint32_t)action - NSC_ACTION_BOOKMARK_NAME);
    return true;
}

/* ---- removed, and brought back ---- */

/* Keeps a removed bookmark, without its id. Drops the oldest if there are too many. */
static void keep(struct nsc_pane_bookmarks *bookmarks, const struct nsc_bookmark *b)
{
    struct nsc_bookmark *copy = NULL;

    if (bookmarks->n_removed == NSC_APP_REMOVED) {
        nsc_bookmark_fini(&bookmarks->removed[0]);
        memmove(bookmarks->removed, bookmarks->removed + 1,
                (NSC_APP_REMOVED - 1) * sizeof *bookmarks->removed);
        bookmarks->n_removed--;
    }
    copy = &bookmarks->removed[bookmarks->n_removed++];
    *copy = nsc_bookmark_copy(b);
    copy->id = 0;
    copy->modified = 0;
    copy->changed = true;
}

bool nsc_app_bookmark_remove(struct nsc_app *app)
{
    uint32_t i = nsc_table_row(&app->bookmarks.table);
    char key[32];

    if (i == NSC_NONE)
        return false;
    nsc_app_sayf(app, "Removed, %s brings it back: %s",
                 nsc_keymap_key(key, app->keymap, NSC_ACTION_BOOKMARK_UNREMOVE),
                 nsc_bookmark_text(&app->bookmarks.list.at[i], NSC_BOOKMARK_NAME));
    keep(&app->bookmarks, &app->bookmarks.list.at[i]);
    nsc_bookmarks_remove(&app->bookmarks.list, i);
    nsc_pane_bookmarks_list(app->scene, &app->bookmarks);
    app->effects.set |= NSC_EFFECT_SAVE;
    return true;
}

/* Restores the one removed last. It gets a new id, because the old one stays removed in every program. */
static bool unremove(struct nsc_app *app)
{
    struct nsc_pane_bookmarks *bookmarks = &app->bookmarks;

    if (!bookmarks->n_removed)
        return false;
    nsc_app_bookmark_add(app, &bookmarks->removed[--bookmarks->n_removed]);
    return true;
}

/* ---- the pane ---- */

/* The list keeps the focus, so the next entry is one key away. */
static bool go(struct nsc_app *app, size_t i)
{
    if (i < nsc_bookmarks_live(&app->bookmarks.list))
        nsc_app_pane_keep(app);
    return nsc_app_bookmark_jump(app, i);
}

bool nsc_app_bookmarks_act(struct nsc_app *app, enum nsc_action action)
{
    if (action >= NSC_ACTION_BOOKMARK_1 && action <= NSC_ACTION_BOOKMARK_9) {
        if (!go(app, (size_t)(action - NSC_ACTION_BOOKMARK_1)))
            nsc_app_say(app, "There is no bookmark of that number.");
        return true;
    }
    if (action == NSC_ACTION_CHOOSE)
        return go(app, nsc_table_row(&app->bookmarks.table));
    if (action == NSC_ACTION_BOOKMARK_REMOVE)
        return nsc_app_bookmark_remove(app);
    if (action == NSC_ACTION_BOOKMARK_UNREMOVE)
        return unremove(app);
    if (action != NSC_ACTION_BOOKMARK_SESSION)
        return edit(app, action);
    if (edited(app, true))
        nsc_app_file_ask(app, "session", "bookmarks.html");
    return edited(app, true);
}
