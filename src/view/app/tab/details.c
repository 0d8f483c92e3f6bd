/*
 * The details pane: the fetched row, and the keys of its histogram.
 */
#include "core/die.h"
#include "view/app/panes.h"
#include "view/app/state.h"

#include <stdlib.h>
#include <string.h>

/* Frees the copied values. Names are borrowed for the program's life. */
void nsc_app_details_clear(struct nsc_app *app)
{
    for (uint32_t i = 0; i < app->details.row.n; i++)
        free(app->details.row.at[i].value);
    free(app->details.row.at);
    app->details.row = (struct nsc_details){0};
    app->details.row_of = app->details.waited = NSC_NONE;
}

void nsc_app_details_set(struct nsc_app *app, const struct nsc_input *input)
{
    if (!input->details || input->event != app->scene->selected)
        return;
    nsc_app_details_clear(app);
    app->details.row.at =
        nsc_xcalloc(input->details->n ? input->details->n : 1, sizeof *app->details.row.at);
    for (uint32_t i = 0; i < input->details->n; i++) {
        const char *value = input->details->at[i].value;
        size_t n = strlen(value ? value : "") + 1;

        app->details.row.at[i].name = input->details->at[i].name;
        app->details.row.at[i].value = nsc_xmalloc(n);
        memcpy(app->details.row.at[i].value, value ? value : "", n);
        app->details.row.n = i + 1;
    }
    app->details.row_of = input->event;
    app->details.waited = input->has_waited ? input->waited : NSC_NONE;
}

/* Asks for the row of a newly selected event while the pane is open. */
void nsc_app_details_ask(struct nsc_app *app)
{
    struct nsc_pane_details *details = &app->details;

    details->wanted = app->pane_open ? app->scene->selected : NSC_NONE;
    if (details->wanted == NSC_NONE || details->wanted == details->before)
        return;
    app->effects.set |= NSC_EFFECT_DETAILS;
    app->effects.event = details->wanted;
}

/* Chooses the next bin with events; initially the bin of the selected event. */
static bool bin_step(struct nsc_app *app, bool forward)
{
    const struct nsc_histogram *histogram = &app->details.facts.histogram;
    uint32_t bin = nsc_pane_details_chosen_bin(&app->details);

    if (bin == NSC_NONE) {
        app->details.bin = nsc_pane_details_own_bin(app->scene, &app->details);
        app->details.bin_of = app->details.facts.event;
        return true;
    }
    for (uint32_t i = 0; i < histogram->n; i++) {
        bin = (bin + (forward ? 1 : histogram->n - 1)) % histogram->n;
        if (histogram->count[bin])
            break;
    }
    app->details.bin = bin;
    return true;
}

bool nsc_app_hold(struct nsc_app *app)
{
    nsc_event event = app->scene->selected;

    if (event == NSC_NONE && app->details.held == NSC_NONE)
        return false;
    if (event == app->details.held || event == NSC_NONE) {
        app->details.held = NSC_NONE;
        nsc_app_say(app, "No event is held any more.");
        return true;
    }
    app->details.held = event;
    nsc_app_pane_show(app, NSC_PANE_DETAILS, false);
    nsc_app_say(app, "Held: the details compare it with the event at the cursor.");
    return true;
}

bool nsc_app_details_act(struct nsc_app *app, enum nsc_action action)
{
    if (!nsc_pane_details_can_choose(&app->details))
        return false;
    if (action == NSC_ACTION_CHOOSE_PREV || action == NSC_ACTION_CHOOSE_NEXT)
        return bin_step(app, action == NSC_ACTION_CHOOSE_NEXT);
    if (action != NSC_ACTION_CHOOSE || !nsc_pane_details_can_show(&app->details))
        return false;
    nsc_app_events_only(app, app->details.facts.event,
                        nsc_histogram_at(&app->details.facts.histogram,
                                         nsc_pane_details_chosen_bin(&app->details)));
    return true;
}
