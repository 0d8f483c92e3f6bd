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
enum { N_COLORS = sizeof colors / sizeof *colors };

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

/* Opens the prompt of the action for the bookmark at the list's cursor. */
static bool edit(struct nsc_app *app, enum nsc_action action)
{
    const struct nsc_bookmark *b = edited(app, true);
    char color[16];
    unsigned which;

    if (!b)
        return false;
    app->bookmarks.edited = b->id;
    color_text(b, color);
    switch (action) {
    case NSC_ACTION_BOOKMARK_NAME:
    case NSC_ACTION_BOOKMARK_NOTE:
    case NSC_ACTION_BOOKMARK_TAGS: /* texts, actions and prompts have one order */
        which = (unsigned)action - NSC_ACTION_BOOKMARK_NAME;
        nsc_app_prompt_open(app, (enum nsc_prompt_id)(NSC_PROMPT_BOOKMARK_NAME + which),
                            nsc_text_from(nsc_bookmark_text(b, (enum nsc_bookmark_text)which)));
        return true;
    case NSC_ACTION_BOOKMARK_SESSION: /* opens the command line with a proposed name */
        nsc_app_prompt_offer(app, NSC_PROMPT_COMMAND, nsc_text_from("session bookmarks.html"),
                             sizeof "session");
        return true;
    case NSC_ACTION_BOOKMARK_COLOR:
        nsc_app_prompt_offer(app, NSC_PROMPT_BOOKMARK_COLOR, nsc_text_from(color), 0);
        return true;
    default:
        return false;
    }
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

static bool accept_text(struct nsc_app *app)
{
    const struct nsc_bookmark *b = edited(app, false);
    struct nsc_bookmark copy;

    if (!b) {
        nsc_app_say(app, "The bookmark is gone: another program removed it.");
        return true;
    }
    copy = nsc_bookmark_copy(b);
    nsc_bookmark_set_text(&copy,
                          (enum nsc_bookmark_text)(app->prompt.open - NSC_PROMPT_BOOKMARK_NAME),
                          nsc_app_prompt_text(app));
    return put(app, &copy);
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

static void color_changed(struct nsc_app *app)
{
    int32_t color = -1;

    if (!parse_color(&color, nsc_app_prompt_text(app)))
        nsc_app_prompt_wrong(app, 0,
                             "red, orange, yellow, green, cyan, blue, purple, pink, none "
                             "or #rrggbb");
}

static bool accept_color(struct nsc_app *app)
{
    const struct nsc_bookmark *b = edited(app, false);
    struct nsc_bookmark copy;
    int32_t color = -1;

    if (!b || !parse_color(&color, nsc_app_prompt_text(app)))
        return true;
    copy = nsc_bookmark_copy(b);
    copy.color = color;
    return put(app, &copy);
}

static void complete_color(struct nsc_app *app, struct nsc_text word)
{
    for (int c = 0; c < N_COLORS; c++)
        nsc_offers_words(&app->prompt.offers, colors[c].name, word);
}

const struct nsc_prompt_kind nsc_prompt_bookmark_name = {"name:",     "save", NULL,
                                                         accept_text, NULL,   NULL};
const struct nsc_prompt_kind nsc_prompt_bookmark_note = {"note:",     "save", NULL,
                                                         accept_text, NULL,   NULL};
const struct nsc_prompt_kind nsc_prompt_bookmark_tags = {
    "tags, separated by commas:", "save", NULL, accept_text, NULL, NULL};
const struct nsc_prompt_kind nsc_prompt_bookmark_color = {"colour:",    "save", color_changed,
                                                          accept_color, NULL,   complete_color};

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
    return edit(app, action);
}
