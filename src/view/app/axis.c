/*
 * Changing the origin of the time axis and the mark.
 */
#include "view/app/explore.h"
#include "view/app/state.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

bool nsc_app_axis_next(struct nsc_app *app)
{
    do
        app->explore.axis = (enum nsc_axis)((app->explore.axis + 1) % NSC_N_AXES);
    while (!nsc_axis_is_known(app->scene, &app->explore, app->explore.axis));
    return true;
}

bool nsc_app_axis_set(struct nsc_app *app, enum nsc_axis axis)
{
    if (!nsc_axis_is_known(app->scene, &app->explore, axis))
        return false;
    app->explore.axis = axis;
    return true;
}

/* ---- the mark ---- */

bool nsc_app_mark(struct nsc_app *app)
{
    struct nsc_explore *explore = &app->explore;

    if (explore->has_mark && explore->mark == app->scene->cursor) {
        explore->has_mark = false;
        nsc_app_say(app, "The mark is gone.");
        return true;
    }
    explore->has_mark = true;
    explore->mark = app->scene->cursor;
    nsc_app_say(app, "Marked: the status line shows the time from here to the cursor.");
    return true;
}
