/*
 * The form: a line for each value with what it means, above the line that edits one of them. Of a question
 * it has the parameters.
 */
#include "analysis/skill/skill.h"
#include "core/text.h"
#include "view/app/prompt.h"
#include "view/kit/page.h"
#include "view/kit/words.h"

#include <stdio.h>
#include <string.h>

enum { FRAME = 2, NAME_COLS = 12, VALUE_COLS = 20, HELP_LINES = 2 };

/* Takes "limit=15", or a name alone. A value that was given stays. Only adds takes a new name. */
static void take(struct nsc_app_form *form, struct nsc_text word, bool adds)
{
    const char *end = memchr(word.bytes, '=', word.n);
    uint32_t n = end ? (uint32_t)(end - word.bytes) : word.n;
    struct nsc_form_field *field = form->fields;

    while (field < form->fields + form->n &&
           !nsc_text_is((struct nsc_text){word.bytes, n}, field->name))
        field++;
    if (field == form->fields + form->n) {
        if (!adds || form->n == NSC_FORM_FIELDS || n + 2 > sizeof field->name)
            return;
        form->n++;
        (void)snprintf(field->name, sizeof field->name, "%.*s=", (int)n, word.bytes);
        field->help = nsc_skill_param_help(form->skill, field->name);
        field->name[n] = '\0';
    }
    if (end && (strcmp(end, "=on") == 0 || strncmp(end, "=off", 4) == 0))
        strcpy(field->words, "off on");
    if (end)
        (void)snprintf(field->value, sizeof field->value, "%.*s", (int)(word.n - n - 1), end + 1);
}

void nsc_app_form_go(struct nsc_app *app, uint32_t at)
{
    app->form.at = at;
    nsc_app_prompt_offer(app, NSC_PROMPT_FORM, nsc_text_from(app->form.fields[at].value));
}

static void param_check(struct nsc_app *app)
{
    const struct nsc_form_field *field = &app->form.fields[app->form.at];
    struct nsc_question question = nsc_question_of(app->form.skill, NULL, NULL);
    struct nsc_error error = {NSC_OK, ""};
    char word[sizeof field->name + sizeof field->value];

    (void)snprintf(word, sizeof word, "%s=%s", field->name, field->value);
    if (strchr(field->value, ' '))
        nsc_app_prompt_wrong(app, 0, "a value has no blanks");
    else if (field->value[0] && nsc_question_set(&question, word, &error) != NSC_OK)
        nsc_app_prompt_wrong(app, 0, error.text);
}

bool nsc_app_form_open(struct nsc_app *app, struct nsc_text line)
{
    struct nsc_app_form *form = &app->form;
    struct nsc_text name = nsc_word_next(&line), words;
    char text[64];

    (void)snprintf(text, sizeof text, "%.*s", (int)name.n, name.bytes);
    *form = (struct nsc_app_form){.changed = param_check,
                                  .skill = nsc_skill_find_in(app->skills, app->n_skills, text)};
    words = nsc_text_from(form->skill ? form->skill->params : "");
    if (!words.n)
        return nsc_app_refuse(app, "This question has no parameters;  Enter  asks it.");
    form->title = form->skill->question;
    (void)snprintf(form->command, sizeof form->command, "answer %s", form->skill->name);
    for (struct nsc_text word = nsc_word_next(&words); word.n; word = nsc_word_next(&words))
        take(form, word, true);
    for (struct nsc_text word = nsc_word_next(&line); word.n; word = nsc_word_next(&line))
        take(form, word, false);
    nsc_app_form_go(app, 0);
    return true;
}

/* Takes the next of the words that the value may be, or the one before. */
static bool choose(struct nsc_app *app, bool forward)
{
    struct nsc_form_field *field = &app->form.fields[app->form.at];
    uint32_t n = nsc_words_count(field->words);
    uint32_t i = nsc_words_find(field->words, nsc_text_from(field->value));

    if (!n)
        return false;
    nsc_text_keep(field->value, nsc_words_at(field->words, (i + (forward ? 1 : n - 1)) % n));
    nsc_app_form_go(app, app->form.at);
    return true;
}

bool nsc_app_form_key(struct nsc_app *app, enum nsc_action action)
{
    bool forward = action == NSC_ACTION_PROMPT_COMPLETE || action == NSC_ACTION_PROMPT_NEWER;

    if (app->prompt.open != NSC_PROMPT_FORM)
        return false;
    if (action == NSC_ACTION_PROMPT_LEFT || action == NSC_ACTION_PROMPT_RIGHT)
        return choose(app, action == NSC_ACTION_PROMPT_RIGHT);
    if (!forward && action != NSC_ACTION_PROMPT_OLDER && action != NSC_ACTION_PROMPT_COMPLETE_BACK)
        return false;
    if (!app->prompt.is_wrong)
        nsc_app_form_go(app, (app->form.at + (forward ? 1 : app->form.n - 1)) % app->form.n);
    return true;
}

static void form_changed(struct nsc_app *app)
{
    struct nsc_form_field *field = &app->form.fields[app->form.at];
    uint32_t n = nsc_words_count(field->words);

    nsc_text_keep(field->value, nsc_app_prompt_text(app));
    if (n && nsc_words_find(field->words, nsc_text_from(field->value)) == n)
        nsc_app_prompt_wrong(app, 0, field->words);
    else if (app->form.changed)
        app->form.changed(app);
}

/* Runs the command with the values that there are. */
static bool form_accept(struct nsc_app *app)
{
    struct nsc_buf line = NSC_BUF_INIT(sizeof app->command.line - 1);

    if (app->form.accept)
        return app->form.accept(app);
    if (!app->form.skill && !app->form.fields[app->form.n - 1].value[0]) {
        nsc_app_form_go(app, app->form.n - 1);
        nsc_app_prompt_wrong(app, 0, "give the name of a file");
        return false;
    }
    nsc_buf_puts(&line, app->form.command);
    for (uint32_t i = 0; i < app->form.n; i++)
        if (app->form.fields[i].value[0])
            nsc_buf_printf(&line, " %s%s%s", app->form.skill ? app->form.fields[i].name : "",
                           app->form.skill ? "=" : "", app->form.fields[i].value);
    nsc_text_keep(app->command.line, nsc_text_of_buf(&line));
    nsc_buf_fini(&line);
    app->command.due = true;
    return true;
}

void nsc_app_file_ask(struct nsc_app *app, const char *command, const char *name)
{
    app->form = (struct nsc_app_form){.title = "Write", .n = 1};
    app->form.fields[0] = (struct nsc_form_field){.help = "", .name = "file"};
    (void)snprintf(app->form.command, sizeof app->form.command, "%s", command);
    (void)snprintf(app->form.fields[0].value, sizeof app->form.fields[0].value, "%s", name);
    nsc_app_form_go(app, 0);
}

const struct nsc_prompt_kind nsc_prompt_form = {"",          "take it", form_changed,
                                                form_accept, NULL,      NULL};

/* There is no room for what the value means beside it. */
static bool is_long(const struct nsc_form_field *field, int cols)
{
    return (int)strlen(field->help) > cols - NAME_COLS - VALUE_COLS;
}

/* Lines for the whole meaning of the current value, if some value needs them. */
static int help_lines(const struct nsc_app_form *form, int cols)
{
    for (uint32_t i = 0; i < form->n; i++)
        if (is_long(&form->fields[i], cols))
            return HELP_LINES;
    return 0;
}

void nsc_app_form_draw(const struct nsc_app *app, struct nsc_grid *grid, int row)
{
    const struct nsc_app_form *form = &app->form;
    int lines = help_lines(form, (int)grid->cols - FRAME);
    int rows = (int)form->n + lines + FRAME;
    struct nsc_rect box = {row - rows, 0, rows, (int)grid->cols};
    struct nsc_rect line = {box.row + 1, 1, 1, box.cols - FRAME};
    struct nsc_page page;
    char title[160];

    if (app->prompt.open != NSC_PROMPT_FORM || box.row < 0)
        return;
    (void)snprintf(title, sizeof title, " %s ", form->title);
    nsc_box_draw(grid, box, title);
    for (uint32_t i = 0; i < form->n; i++, line.row++) {
        const struct nsc_form_field *field = &form->fields[i];
        int cols = field->help[0] ? VALUE_COLS : line.cols - NAME_COLS;
        struct nsc_choice choice = {field->name, field->value, field->help, NAME_COLS, cols};

        nsc_choice_draw(grid, line, &choice, i == form->at && field->words[0]);
        if (i == form->at)
            nsc_grid_set_role(grid, line, NSC_ROLE_LABEL_CURSOR);
    }
    page = nsc_page(grid, (struct nsc_rect){line.row, 2, lines, box.cols - 4}, 0, grid->ascii);
    if (is_long(&form->fields[form->at], line.cols))
        nsc_page_wrap(&page, NSC_ROLE_DIM, form->fields[form->at].help, 0);
}
