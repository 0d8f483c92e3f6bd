/*
 * The table of prompts and their keys; draws the open one, with offers above it and its error
 * below.
 */
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/help.h"

#include <stdio.h>

#ifdef NSC_SMALL
#define LARGE_TRACE 100u
#else
#define LARGE_TRACE (4u * 1000 * 1000) /* events: offers wait for a pause in typing */
#endif

enum { HELP_COLS = 40 }; /* least room for a message beside the column */

static const struct nsc_prompt_kind *const kinds[NSC_N_PROMPTS] = {
#define NSC_PROMPT(id, kind) [NSC_PROMPT_##id] = &nsc_prompt_##kind,
#include "view/app/prompt.def"
};

static struct nsc_prompt *line_of(struct nsc_app *app)
{
    return &app->prompt.lines[app->prompt.open];
}

/* ---- changes ---- */

static void judge(struct nsc_app *app)
{
    app->prompt.is_wrong = false;
    if (kinds[app->prompt.open]->changed)
        kinds[app->prompt.open]->changed(app);
}

static void offer(struct nsc_app *app)
{
    app->prompt.offering = false;
    if (!app->prompt.completing)
        nsc_app_offers_build(app, kinds[app->prompt.open]);
}

static void changed(struct nsc_app *app)
{
    judge(app);
    if (nsc_trace_events(app->scene->trace)->n < LARGE_TRACE)
        offer(app);
    else
        app->prompt.offering = true;
}

void nsc_app_prompt_tick(struct nsc_app *app)
{
    if (app->prompt.offering && app->prompt.open != NSC_PROMPT_NONE)
        offer(app);
}

static void close_prompt(struct nsc_app *app)
{
    app->prompt.open = app->prompt.behind;
    app->prompt.behind = NSC_PROMPT_NONE;
    app->prompt.is_wrong = app->prompt.completing = false;
    app->prompt.offering = app->prompt.open != NSC_PROMPT_NONE;
}

/* Makes no offers for a line that closes, because that counts the events of each name; only an
 * accepted command looks at them. */
static bool accept(struct nsc_app *app)
{
    const struct nsc_prompt_kind *kind = kinds[app->prompt.open];

    if (app->prompt.offering && app->prompt.open == NSC_PROMPT_COMMAND)
        offer(app);
    if (app->prompt.is_wrong || (kind->accept && !kind->accept(app)))
        return false;
    close_prompt(app);
    return true;
}

static void cancel(struct nsc_app *app)
{
    const struct nsc_prompt_kind *kind = kinds[app->prompt.open];

    if (kind->cancel)
        kind->cancel(app);
    close_prompt(app);
}

/* ---- choosing an offer ---- */

/* Replaces the word in the line by an offer; -1: by the typed word. */
static bool offer_put(struct nsc_app *app, int offer)
{
    struct nsc_app_prompt *prompt = &app->prompt;
    struct nsc_prompt *line = line_of(app);
    struct nsc_text text;

    if (!prompt->completing) {
        prompt->word.limit = NSC_PROMPT_BYTES;
        nsc_buf_clear(&prompt->word);
        nsc_buf_add(&prompt->word, line->text + prompt->from, line->at - prompt->from);
    }
    text = offer < 0 ? nsc_text_of_buf(&prompt->word)
                     : nsc_text_from(prompt->offers.items[offer].text);
    if (!nsc_prompt_replace(line, prompt->from, line->at, text))
        return false;
    prompt->completing = true;
    prompt->offers.chosen = offer;
    return true;
}

/* The typed word follows the last offer. */
static bool offer_step(struct nsc_app *app, bool forward)
{
    struct nsc_offers *offers = &app->prompt.offers;
    int next = offers->chosen + (forward ? 1 : -1);

    if (app->prompt.offering)
        offer(app);
    if (offers->n == 0)
        return false;
    if (next >= (int)offers->n)
        next = -1;
    else if (next < -1)
        next = (int)offers->n - 1;
    return offer_put(app, next);
}

/* Down moves from the typed line into the offers, Up back. */
static bool steps_offers(const struct nsc_app *app, enum nsc_action action)
{
    const struct nsc_prompt *line = &app->prompt.lines[app->prompt.open];

    if (action == NSC_ACTION_PROMPT_COMPLETE || action == NSC_ACTION_PROMPT_COMPLETE_BACK)
        return true;
    if (action == NSC_ACTION_PROMPT_NEWER)
        return line->line == line->n_lines && app->prompt.offers.n > 0;
    return action == NSC_ACTION_PROMPT_OLDER && app->prompt.offers.chosen >= 0;
}

static const struct nsc_guide_file *page_of(const struct nsc_app *app)
{
    return app->prompt.open == NSC_PROMPT_FILTER    ? nsc_page_find("FILTERS")
           : app->prompt.open == NSC_PROMPT_COMMAND ? nsc_page_find("COMMANDS")
                                                    : NULL;
}

/* Shows the syntax of the prompt's text over the screen; the prompt stays open behind it. */
static bool page_show(struct nsc_app *app)
{
    const struct nsc_guide_file *page = page_of(app);

    if (!page)
        return false;
    app->help = true;
    app->guide = page;
    app->help_top = 0;
    return true;
}

/* ---- keys ---- */

static bool edit(struct nsc_app *app, enum nsc_action action, nsc_key key)
{
    switch (nsc_prompt_input(line_of(app), action, key)) {
    case NSC_PROMPT_SAME:
        return false;
    case NSC_PROMPT_MOVED:
        nsc_app_offers_build(app, kinds[app->prompt.open]);
        return true;
    case NSC_PROMPT_CHANGED:
        changed(app);
        return true;
    case NSC_PROMPT_ACCEPTED:
        return accept(app);
    case NSC_PROMPT_CANCELLED:
        cancel(app);
        return true;
    }
    return false;
}

void nsc_app_prompt_key(struct nsc_app *app, enum nsc_action action, nsc_key key)
{
    bool done = false;

    if (action == NSC_ACTION_HELP && page_show(app))
        return;
    if (action != NSC_ACTION_NONE && action != NSC_ACTION_CANCEL &&
        nsc_actions[action].scope != NSC_KEY_SCOPE_PROMPT) {
        if (app->help && action == NSC_ACTION_HELP)
            close_prompt(app);
        nsc_app_action(app, action);
        return;
    }
    if (nsc_app_form_key(app, action) || steps_offers(app, action)) {
        done = app->prompt.open == NSC_PROMPT_FORM ||
               offer_step(app, action == NSC_ACTION_PROMPT_COMPLETE ||
                                   action == NSC_ACTION_PROMPT_NEWER);
        if (done)
            changed(app);
    } else {
        app->prompt.completing = false;
        done = edit(app, action, key);
    }
    if (!done)
        app->effects.set |= NSC_EFFECT_BELL;
    nsc_app_command_due(app);
}

/* ---- drawing ---- */

/* Draws "^ error" below its column; left of the column if there is more room. */
static void wrong_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect below,
                       int col)
{
    const char *text = app->prompt.error.text;
    int width = (int)nsc_text_width(nsc_text_from(text), app->scene->ascii);
    int right = below.cols - col - 2;

    nsc_grid_put(grid, below.row, col, NSC_ROLE_ERROR, 0, "^");
    if (width <= right || right >= col || right >= HELP_COLS)
        nsc_grid_puts(grid, below.row, col + 2, right, NSC_ROLE_ERROR, text);
    else
        nsc_grid_puts(grid, below.row, col - 1 > width ? col - 1 - width : 0, col - 1,
                      NSC_ROLE_ERROR, text);
}

static void hints_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect below)
{
    const struct nsc_prompt_kind *kind = kinds[app->prompt.open];
    bool is_form = app->prompt.open == NSC_PROMPT_FORM;
    bool chooses = is_form && app->form.fields[app->form.at].words[0];
    struct nsc_hint_word words[] = {
        {NSC_ACTION_PROMPT_ACCEPT, kind->does},
        {NSC_ACTION_PROMPT_COMPLETE, app->prompt.offers.n ? "complete" : NULL},
        {NSC_ACTION_PROMPT_OLDER, is_form ? "line" : "history"},
        {NSC_ACTION_PROMPT_LEFT, chooses ? "change" : NULL},
        {NSC_ACTION_HELP, page_of(app) ? "rules and examples" : "help"},
    };
    struct nsc_hint_place place = {NSC_KEY_SCOPE_PROMPT, words, sizeof words / sizeof *words};
    struct nsc_rect rect = {below.row, 1, 1, below.cols - 2};

    nsc_hint_draw(grid, rect, app->keymap, &place);
}

void nsc_app_prompt_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    const struct nsc_app_prompt *prompt = &app->prompt;
    struct nsc_rect below = app->scene->layout.status;
    struct nsc_rect rect = {below.row - 1, below.col, 1, below.cols};
    const struct nsc_prompt *line = &prompt->lines[prompt->open];
    char label[64];

    if (prompt->open == NSC_PROMPT_NONE)
        return;
    nsc_offers_draw(&prompt->offers, grid, rect.row);
    nsc_app_form_draw(app, grid, rect.row);
    (void)snprintf(label, sizeof label, " %s ",
                   prompt->open == NSC_PROMPT_FORM ? app->form.fields[app->form.at].name
                                                   : kinds[prompt->open]->label);
    nsc_prompt_draw(line, grid, rect, label);
    nsc_grid_fill(grid, below, NSC_ROLE_STATUS, " ");
    if (prompt->is_wrong)
        wrong_draw(app, grid, below,
                   nsc_prompt_col(line, rect, label, app->scene->ascii, prompt->column));
    else
        hints_draw(app, grid, below);
}
