/*
 * What the status line says: a message, that something is still being read, or why a key did nothing.
 */
#include "view/app/state.h"

#include <string.h>

void nsc_app_say(struct nsc_app *app, const char *text)
{
    size_t n = strlen(text);

    n = n < sizeof app->message ? n : sizeof app->message - 1;
    memcpy(app->message, text, n);
    app->message[n] = '\0';
}

bool nsc_app_wait_for_rest(struct nsc_app *app)
{
    if (app->scene->early)
        nsc_app_say(app, "That comes with the rest of the export, which is still being read.");
    return app->scene->early;
}

static const struct {
    enum nsc_action action;
    const char *says;
} silent[] = {
    {NSC_ACTION_ZOOM_OUT, "The whole trace is shown."},
    {NSC_ACTION_ZOOM_ALL, "The whole trace is shown."},
    {NSC_ACTION_ZOOM_IN, "One nanosecond a column: it cannot be zoomed in further."},
    {NSC_ACTION_UNDO_VIEW, "No view was changed that could be undone."},
    {NSC_ACTION_REDO_VIEW, "No view was undone that could be shown again."},
    {NSC_ACTION_BACK_VIEW, "There is no previous position yet."},
    {NSC_ACTION_FIT, "No event under the cursor."},
    {NSC_ACTION_FOLD, "This row has nothing to fold."},
    {NSC_ACTION_ROW_MOVE_UP, "The row cannot go further up."},
    {NSC_ACTION_ROW_MOVE_DOWN, "The row cannot go further down."},
    {NSC_ACTION_BOOKMARK_REMOVE, "There are no bookmarks yet."},
    {NSC_ACTION_BOOKMARK_UNREMOVE, "No bookmark was removed since the start."},
    {NSC_ACTION_BOOKMARK_NAME, "There are no bookmarks yet."},
    {NSC_ACTION_BOOKMARK_NOTE, "There are no bookmarks yet."},
    {NSC_ACTION_BOOKMARK_TAGS, "There are no bookmarks yet."},
    {NSC_ACTION_BOOKMARK_COLOR, "There are no bookmarks yet."},
    {NSC_ACTION_CHOOSE, "There is nothing more to show of it."},
    {NSC_ACTION_TREE_RIGHT, "It is open already, or holds nothing."},
    {NSC_ACTION_TREE_TOGGLE, "It holds nothing to open."},
    {NSC_ACTION_TREE_OPEN_BELOW, "Nothing in it is closed."},
    {NSC_ACTION_TREE_CLOSE_BELOW, "Nothing in it is open."},
    {NSC_ACTION_TREE_UNFILTER, "No filter is set."},
    {NSC_ACTION_TREE_SHORTER, "There is no minimum duration."},
};

void nsc_app_say_nothing(struct nsc_app *app, enum nsc_action action)
{
    for (size_t i = 0; i < sizeof silent / sizeof *silent && !app->message[0]; i++)
        if (silent[i].action == action)
            nsc_app_say(app, silent[i].says);
}
