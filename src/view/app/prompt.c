/*
 * The prompt at the bottom: opening it, its text, and errors in it.
 */
#include "view/app/prompt.h"

#include "view/app/state.h"

#include <stdio.h>

struct nsc_text nsc_app_prompt_text(const struct nsc_app *app)
{
    const struct nsc_prompt *line = &app->prompt.lines[app->prompt.open];
    struct nsc_text text = {line->text, (uint32_t)line->n};

    return text;
}

void nsc_app_prompt_open(struct nsc_app *app, enum nsc_prompt_id id, struct nsc_text text)
{
    app->prompt.open = id;
    app->prompt.is_wrong = app->prompt.due = app->prompt.completing = false;
    nsc_prompt_set(&app->prompt.lines[id], text);
}

void nsc_app_prompt_wrong(struct nsc_app *app, uint32_t column, const char *text)
{
    app->prompt.is_wrong = true;
    app->prompt.column = column;
    (void)snprintf(app->prompt.error.text, sizeof app->prompt.error.text, "%s", text);
}

void nsc_app_prompt_fini(struct nsc_app *app)
{
    for (int i = 0; i < NSC_N_PROMPTS; i++)
        nsc_prompt_fini(&app->prompt.lines[i]);
    nsc_buf_fini(&app->prompt.word);
}
