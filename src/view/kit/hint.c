/* Chooses the hints for a place, and fits them into a line. */
#include "view/kit/help.h"

#include <stdio.h>
#include <string.h>

enum { HINT_BYTES = 96, HINT_GAP = 2 };

/* One or two related actions with one word. */
struct hint {
    enum nsc_key_scope scope;
    enum nsc_action first, second; /* second: NSC_ACTION_NONE if there is only one */
    const char *word;              /* NULL: only with the place's own word */
    bool stays;                    /* without room, others are dropped first */
};

static const struct hint hints[] = {
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_CURSOR_LEFT, NSC_ACTION_CURSOR_RIGHT, "move", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_ROW_UP, NSC_ACTION_ROW_DOWN, "row", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_ZOOM_IN, NSC_ACTION_ZOOM_OUT, "zoom", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_NEXT_EVENT, NSC_ACTION_NONE, "next", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_FILTER, NSC_ACTION_NONE, "filter", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_FILTER_CLEAR, NSC_ACTION_NONE, NULL, true},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_TREE, NSC_ACTION_NONE, "tree", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_BOOKMARK, NSC_ACTION_NONE, "mark", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_BOOKMARKS, NSC_ACTION_NONE, "marks", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_COMMAND, NSC_ACTION_NONE, "command", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_ZOOM_ALL, NSC_ACTION_NONE, "all", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_FIT, NSC_ACTION_NONE, "fit", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_LINK_BACK, NSC_ACTION_LINK_FORWARD, "launch", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_FOLD, NSC_ACTION_NONE, "fold", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_DETAILS, NSC_ACTION_NONE, "details", false},
    {NSC_KEY_SCOPE_TIMELINE, NSC_ACTION_UNDO_VIEW, NSC_ACTION_NONE, "undo", false},
    {NSC_KEY_SCOPE_ANSWERS, NSC_ACTION_ANSWER_SORT, NSC_ACTION_NONE, "sort", false},
    {NSC_KEY_SCOPE_ANSWERS, NSC_ACTION_ANSWER_TABLE, NSC_ACTION_NONE, "next table", false},
    {NSC_KEY_SCOPE_ANSWERS, NSC_ACTION_ANSWER_LIST, NSC_ACTION_NONE, "questions", false},
    {NSC_KEY_SCOPE_SQL, NSC_ACTION_SQL_SORT, NSC_ACTION_NONE, "sort", false},
    {NSC_KEY_SCOPE_SQL, NSC_ACTION_SQL_TRACK, NSC_ACTION_NONE, "in timeline", false},
    {NSC_KEY_SCOPE_SQL, NSC_ACTION_COPY, NSC_ACTION_NONE, "copy", false},
    {NSC_KEY_SCOPE_FLAME, NSC_ACTION_FLAME_UP, NSC_ACTION_FLAME_DOWN, "around in", false},
    {NSC_KEY_SCOPE_FLAME, NSC_ACTION_FLAME_LEFT, NSC_ACTION_FLAME_RIGHT, "beside", false},
    {NSC_KEY_SCOPE_FLAME, NSC_ACTION_FLAME_ZOOM, NSC_ACTION_FLAME_BACK, "zoom back", false},
    {NSC_KEY_SCOPE_FLAME, NSC_ACTION_FLAME_BY, NSC_ACTION_NONE, "kind", false},
    {NSC_KEY_SCOPE_FLAME, NSC_ACTION_FLAME_FIND, NSC_ACTION_NONE, "find", false},
    {NSC_KEY_SCOPE_FLAME, NSC_ACTION_FLAME_SHOW, NSC_ACTION_NONE, "timeline", false},
    {NSC_KEY_SCOPE_DETAILS, NSC_ACTION_CHOOSE_PREV, NSC_ACTION_CHOOSE_NEXT, NULL, false},
    {NSC_KEY_SCOPE_PAGE, NSC_ACTION_PAGE_LINE_UP, NSC_ACTION_PAGE_LINE_DOWN, "scroll", false},
    {NSC_KEY_SCOPE_DETAILS, NSC_ACTION_CHOOSE, NSC_ACTION_NONE, NULL, false},
    {NSC_KEY_SCOPE_DETAILS, NSC_ACTION_EVERY_ROW, NSC_ACTION_NONE, NULL, false},
    {NSC_KEY_SCOPE_BOOKMARKS, NSC_ACTION_BOOKMARK_REMOVE, NSC_ACTION_NONE, "remove", false},
    {NSC_KEY_SCOPE_BOOKMARKS, NSC_ACTION_BOOKMARK_UNREMOVE, NSC_ACTION_NONE, NULL, false},
    {NSC_KEY_SCOPE_BOOKMARKS, NSC_ACTION_BOOKMARK_NAME, NSC_ACTION_NONE, "edit", false},
    {NSC_KEY_SCOPE_BOOKMARKS, NSC_ACTION_BOOKMARK_SESSION, NSC_ACTION_NONE, "write all", false},
    {NSC_KEY_SCOPE_DETAILS, NSC_ACTION_PANE_FILTER, NSC_ACTION_NONE, NULL, false},
    {NSC_KEY_SCOPE_DETAILS, NSC_ACTION_DETAILS_NEXT, NSC_ACTION_NONE, "next pane", false},
    {NSC_KEY_SCOPE_DETAILS, NSC_ACTION_FOCUS, NSC_ACTION_NONE, "timeline", false},
    {NSC_KEY_SCOPE_DETAILS, NSC_ACTION_ZOOM_PANE, NSC_ACTION_NONE, "larger", false},
    {NSC_KEY_SCOPE_PAGE, NSC_ACTION_PAGE_UP, NSC_ACTION_PAGE_DOWN, "page", false},
    {NSC_KEY_SCOPE_TREE, NSC_ACTION_TREE_LEFT, NSC_ACTION_TREE_RIGHT, "close open", false},
    {NSC_KEY_SCOPE_TREE, NSC_ACTION_TREE_FACE, NSC_ACTION_NONE, "merge", false},
    {NSC_KEY_SCOPE_TREE, NSC_ACTION_TREE_SORT, NSC_ACTION_NONE, "sort", false},
    {NSC_KEY_SCOPE_TREE, NSC_ACTION_TREE_LINEAR, NSC_ACTION_NONE, NULL, false},
    {NSC_KEY_SCOPE_TREE, NSC_ACTION_TREE_SHOW, NSC_ACTION_NONE, "timeline", false},
    {NSC_KEY_SCOPE_TREE, NSC_ACTION_TREE_LEVELS_ALL, NSC_ACTION_NONE, "all levels", false},
    {NSC_KEY_SCOPE_TREE, NSC_ACTION_TREE_BUBBLES, NSC_ACTION_NONE, "idle", false},
    {NSC_KEY_SCOPE_JOB, NSC_ACTION_JOB_VALUE, NSC_ACTION_NONE, "figure", false},
    {NSC_KEY_SCOPE_JOB, NSC_ACTION_JOB_SORT, NSC_ACTION_NONE, "sort", false},
    {NSC_KEY_SCOPE_JOB, NSC_ACTION_JOB_OPEN, NSC_ACTION_NONE, "timeline", false},
    {NSC_KEY_SCOPE_JOB, NSC_ACTION_JOB_VERDICT, NSC_ACTION_NONE, "verdicts", false},
    {NSC_KEY_SCOPE_JOB, NSC_ACTION_JOB_WAITS, NSC_ACTION_NONE, "who waits", false},
    {NSC_KEY_SCOPE_JOB, NSC_ACTION_JOB_FILTER, NSC_ACTION_NONE, "filter", false},
    {NSC_KEY_SCOPE_JOB, NSC_ACTION_JOB_ZOOM_IN, NSC_ACTION_JOB_ZOOM_OUT, "zoom", false},
    {NSC_KEY_SCOPE_JOB, NSC_ACTION_JOB_FOLD, NSC_ACTION_NONE, "nodes", false},
    {NSC_KEY_SCOPE_MENU, NSC_ACTION_MENU_UP, NSC_ACTION_MENU_DOWN, "choose", true},
    {NSC_KEY_SCOPE_MENU, NSC_ACTION_MENU_CHOOSE, NSC_ACTION_NONE, "do it", true},
    {NSC_KEY_SCOPE_MENU, NSC_ACTION_CANCEL, NSC_ACTION_NONE, "close", true},
    {NSC_KEY_SCOPE_CONFIG, NSC_ACTION_CONFIG_UP, NSC_ACTION_CONFIG_DOWN, "choose", true},
    {NSC_KEY_SCOPE_CONFIG, NSC_ACTION_CONFIG_LESS, NSC_ACTION_CONFIG_MORE, "change", true},
    {NSC_KEY_SCOPE_CONFIG, NSC_ACTION_CONFIG_SAVE, NSC_ACTION_NONE, "save", true},
    {NSC_KEY_SCOPE_CONFIG, NSC_ACTION_CANCEL, NSC_ACTION_NONE, "close", true},
    {NSC_KEY_SCOPE_HELP, NSC_ACTION_CANCEL, NSC_ACTION_NONE, "close", true},
    {NSC_KEY_SCOPE_PROMPT, NSC_ACTION_PROMPT_ACCEPT, NSC_ACTION_NONE, "take", true},
    {NSC_KEY_SCOPE_PROMPT, NSC_ACTION_CANCEL, NSC_ACTION_NONE, "leave", true},
    {NSC_KEY_SCOPE_PROMPT, NSC_ACTION_PROMPT_COMPLETE, NSC_ACTION_NONE, NULL, false},
    {NSC_KEY_SCOPE_PROMPT, NSC_ACTION_PROMPT_OLDER, NSC_ACTION_PROMPT_NEWER, "history", false},
    {NSC_KEY_SCOPE_PROMPT, NSC_ACTION_PROMPT_LEFT, NSC_ACTION_PROMPT_RIGHT, NULL, false},
    {NSC_KEY_SCOPE_LOADING, NSC_ACTION_CANCEL, NSC_ACTION_NONE, "cancel", true},
    {NSC_KEY_SCOPE_GLOBAL, NSC_ACTION_HELP, NSC_ACTION_NONE, "help", true},
    {NSC_KEY_SCOPE_GLOBAL, NSC_ACTION_QUIT, NSC_ACTION_NONE, "quit", true},
};

static const struct {
    const char *word, *glyph;
} arrows[] = {{"Left", "←"}, {"Right", "→"}, {"Up", "↑"}, {"Down", "↓"}};

/* The action's first key that works while scope has the focus; false if there is none. */
static bool key_show(char out[32], const struct nsc_keymap *keymap, enum nsc_key_scope scope,
                     enum nsc_action action, bool ascii)
{
    for (size_t i = 0; i < NSC_KEYMAP_KEYS && keymap->keys[action][i] != NSC_KEY_NONE; i++) {
        if (nsc_keymap_find(keymap, scope, keymap->keys[action][i]) != action)
            continue;
        nsc_key_format(out, keymap->keys[action][i]);
        for (size_t k = 0; k < sizeof arrows / sizeof *arrows && !ascii; k++)
            if (!strcmp(out, arrows[k].word))
                snprintf(out, 32, "%s", arrows[k].glyph);
        return true;
    }
    return false;
}

/* NULL: no hint here. */
static const char *hint_word(const struct hint *hint, const struct nsc_hint_place *place)
{
    for (size_t i = 0; i < place->n; i++)
        if (place->words[i].action == hint->first)
            return place->words[i].word;
    return hint->word;
}

/* Formats "← →"; false: no hint here. */
static bool hint_keys(char out[HINT_BYTES], const struct hint *hint,
                      const struct nsc_keymap *keymap, const struct nsc_hint_place *place,
                      bool ascii)
{
    char first[32] = "";
    char second[32] = "";
    bool both = false;
    /* A pane's own keys need the room of the timeline's, which also work in it. */
    bool has = hint->scope == NSC_KEY_SCOPE_TIMELINE ? place->scope == hint->scope
                                                     : nsc_key_scope_has(place->scope, hint->scope);

    if (!has || !hint_word(hint, place) ||
        !key_show(first, keymap, place->scope, hint->first, ascii))
        return false;
    both = hint->second != NSC_ACTION_NONE &&
           key_show(second, keymap, place->scope, hint->second, ascii);
    snprintf(out, HINT_BYTES, "%s%s%s", first, both ? " " : "", second);
    return true;
}

static int hint_width(const char *keys, const char *word)
{
    return (int)nsc_text_width(nsc_text_from(keys), false) + 1 + (int)strlen(word);
}

/* The cells for the hints that stay, including the gaps before them. */
static int width_kept(const struct nsc_keymap *keymap, const struct nsc_hint_place *place,
                      bool ascii)
{
    char keys[HINT_BYTES];
    int width = 0;

    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (hints[i].stays && hint_keys(keys, &hints[i], keymap, place, ascii))
            width += HINT_GAP + hint_width(keys, hint_word(&hints[i], place));
    return width;
}

int nsc_hint_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_keymap *keymap,
                  const struct nsc_hint_place *place)
{
    int end = rect.col + rect.cols;
    int at = rect.col;
    int kept = width_kept(keymap, place, grid->ascii); /* cells for those still to come */

    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        const char *word = hint_word(&hints[i], place);
        char keys[HINT_BYTES];
        int start = at > rect.col ? at + HINT_GAP : at;
        int need = 0;

        if (!hint_keys(keys, &hints[i], keymap, place, grid->ascii))
            continue;
        need = hint_width(keys, word);
        if (hints[i].stays)
            kept -= HINT_GAP + need;
        if (start + need + kept > end)
            continue;
        at = nsc_grid_text(grid, rect.row, start, end - start, NSC_ROLE_KEY, nsc_text_from(keys));
        at = nsc_grid_puts(grid, rect.row, at + 1, end - at - 1, NSC_ROLE_STATUS, word);
    }
    return at;
}
