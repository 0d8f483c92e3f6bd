/*
 * Asks questions by name or by words, and goes to the times in their answers.
 */

#include "analysis/skill/route.h"
#include "analysis/skill/skill.h"
#include "core/die.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/kit/page.h"
#include "view/kit/words.h"
#include "view/pane/panes.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the questions ---- */

static const struct nsc_sheet_column index_columns[] = {
    NSC_COL_UNBOUND("group", "Group", NULL, NSC_SHEET_TEXT, 0),
    NSC_COL_UNBOUND("question", "Question", NULL, NSC_SHEET_TEXT, 0),
    NSC_COL_UNBOUND("name", "Name", NULL, NSC_SHEET_TEXT, 0),
};

static bool is_first_of_group(const struct nsc_skill *skills, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(skills[k].category, skills[i].category) == 0)
            return false;
    return true;
}

static void add_question(struct nsc_sheet *index, const char *group, const char *question,
                         const char *name)
{
    nsc_sheet_add_text(index, nsc_text_from(group));
    nsc_sheet_add_text(index, nsc_text_from(question));
    nsc_sheet_add_text(index, nsc_text_from(name));
}

/* What only several exports can answer comes first; groups are in the order of the table of skills. */
static void make_index(struct nsc_sheet *index, const struct nsc_app *app)
{
    const struct nsc_skill *skills = app->skills;
    bool compares = app->scene->compare.on, is_job = !compares && app->sources.n_files > 1;

    nsc_sheet_init(index, "questions", "Questions", index_columns, 3);
    if (compares)
        add_question(index, "compare", "What changed from A to B, and what does it consist of?",
                     NSC_DIFF_QUESTION);
    if (is_job)
        add_question(index, "job", NSC_RANKS_TEXT, NSC_RANKS_QUESTION);
    for (uint32_t i = 0; i < app->n_skills; i++) {
        if (!is_first_of_group(skills, i))
            continue;
        for (uint32_t k = i; k < app->n_skills; k++)
            if (strcmp(skills[k].category, skills[i].category) == 0)
                add_question(index, skills[k].category, skills[k].question, skills[k].name);
    }
    if (!is_job)
        add_question(index, "job", NSC_RANKS_TEXT, NSC_RANKS_QUESTION);
    add_question(index, "export", "Which tables and columns are there to ask by SQL?",
                 NSC_SCHEMA_QUESTION);
}

static void drop_part(struct nsc_pane_answers *answers)
{
    if (!answers->has_part)
        return;
    nsc_table_set(&answers->table, NULL, false);
    nsc_sheet_fini(&answers->part);
    answers->has_part = false;
}

/* Replaces the table by the current sheet. */
static void show_sheet(struct nsc_app *app)
{
    struct nsc_pane_answers *answers = &app->answers;

    nsc_table_set(&answers->table, nsc_pane_answers_sheet(answers), app->scene->ascii);
}

static void show_index(struct nsc_app *app)
{
    struct nsc_pane_answers *answers = &app->answers;

    drop_part(answers);
    answers->is_open = false;
    answers->error[0] = '\0';
    show_sheet(app);
    (void)nsc_list_set(&answers->table.list, answers->index_row);
}

/* ---- asked ---- */

/* people, narrowing: the question by words; NULL: by name. */
static enum nsc_status ask(struct nsc_app *app, struct nsc_text line,
                           const struct nsc_people_question *people,
                           const struct nsc_narrowing *narrowing, struct nsc_error *error)
{
    struct nsc_pane_answers *answers = &app->answers;
    struct nsc_text name = nsc_command_line_split(line, &(struct nsc_text){0});

    if (app->scene->early)
        return nsc_fail(error, NSC_EINVAL, "questions wait for the rest of the recording");
    if (answers->running && !answers->is_of_summary)
        return nsc_fail(error, NSC_EINVAL, "a question is being answered: %.64s", answers->asked);
    answers->is_of_summary = false;
    if (line.n >= sizeof answers->asked || !nsc_app_knows_question(app, name))
        return nsc_fail(error, NSC_EINVAL, "%.*s: no such question;  A  lists them",
                        (int)(name.n < 64 ? name.n : 64), name.bytes);
    nsc_text_keep(answers->asked, line);
    app->people = people;
    if (people)
        app->narrowing = *narrowing;
    answers->sentence[0] = '\0';
    answers->capture_no = nsc_scene_capture_no(app->scene);
    answers->has_window = app->scene->has_range && !(people && narrowing->has_steps);
    answers->window = app->scene->range;
    answers->running = true;
    answers->since = app->now;
    app->effects.set |= NSC_EFFECT_ANSWER;
    answers->error[0] = '\0';
    return NSC_OK;
}

static void show_pane(struct nsc_app *app)
{
    if (app->pane != NSC_PANE_ANSWERS || !app->pane_open)
        (void)nsc_app_pane_open(app, NSC_PANE_ANSWERS);
}

enum nsc_status nsc_app_answers_ask(struct nsc_app *app, struct nsc_text line,
                                    struct nsc_error *error)
{
    enum nsc_status status = ask(app, line, NULL, NULL, error);

    if (status == NSC_OK)
        show_pane(app);
    return status;
}

void nsc_app_answers_ask_change(struct nsc_app *app)
{
    struct nsc_error error = {NSC_OK, ""};

    if (!app->answers.running &&
        ask(app, nsc_text_from(NSC_DIFF_QUESTION), NULL, NULL, &error) == NSC_OK)
        app->answers.is_of_summary = true;
}

static bool ask_or_refuse(struct nsc_app *app, struct nsc_text line)
{
    struct nsc_error error = {NSC_OK, ""};

    return nsc_app_answers_ask(app, line, &error) == NSC_OK || nsc_app_refuse(app, error.text);
}

/* The name of the skill that shares most words with these, among n skills. NULL: none. */
static const char *find_skill(const char *words, const struct nsc_skill *skills, uint32_t n)
{
    struct nsc_route_entry *entries = nsc_xcalloc(n + 1u, sizeof *entries);
    struct nsc_route best;
    uint32_t found;

    for (uint32_t i = 0; i < n; i++)
        entries[i] = (struct nsc_route_entry){skills[i].name, skills[i].question, skills[i].words};
    found = nsc_route_find(&best, 1, entries, n, words);
    free(entries);
    return found > 0 ? skills[best.entry].name : NULL;
}

/* "iteration_detail iteration=3": the skill of the row, with its parameters. */
static void write_line(struct nsc_buf *line, const struct nsc_people_question *row,
                       const struct nsc_narrowing *narrowing)
{
    struct nsc_buf params = NSC_BUF_INIT(SIZE_MAX);

    nsc_people_question_params(&params, row, narrowing);
    nsc_buf_puts(line, row->skill);
    if (params.n > 0 && !strpbrk(params.bytes, " ")) /* blanks separate parameters */
        nsc_buf_printf(line, " %s%s", params.bytes,
                       narrowing->name[0] && narrowing->is_call ? " type=call" : "");
    nsc_buf_fini(&params);
}

/* Uses the table of questions of `nsyscope ask`. */
enum nsc_status nsc_app_answers_ask_words(struct nsc_app *app, struct nsc_text text,
                                          struct nsc_error *error)
{
    char *words = nsc_xcopy(text.bytes, text.n);
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_narrowing narrowing;
    const struct nsc_people_question *elsewhere = nsc_people_question_elsewhere(words);
    const struct nsc_people_question *row = NULL;
    const char *skill = NULL;
    enum nsc_status status;
    const struct nsc_skill *skills = app->skills;
    uint32_t n = app->n_skills;

    nsc_narrowing_read(&narrowing, words);
    if (app->scene->trace)
        nsc_people_question_name(&narrowing, app->scene->trace, words);
    if (elsewhere && !elsewhere->sentence[0] && elsewhere->advice[0]) {
        skill = NSC_RANKS_QUESTION;
    } else if (!elsewhere) {
        row = nsc_people_question_find(&narrowing, words);
        skill = row ? NULL : find_skill(words, skills, n);
    }
    if (row)
        write_line(&line, row, &narrowing);
    else if (skill)
        nsc_buf_puts(&line, skill);
    if (elsewhere && elsewhere->sentence[0]) {
        nsc_advice_add(&line, nsc_text_from(elsewhere->sentence));
        status = nsc_fail(error, NSC_EINVAL, "%s", line.bytes);
    } else if (line.n == 0)
        status = nsc_fail(error, NSC_EINVAL,
                          "no question fits these words;  A  lists the %u that have names", n);
    else
        status = ask(app, nsc_text_of_buf(&line), row, &narrowing, error);
    if (status == NSC_OK)
        show_pane(app);
    nsc_buf_fini(&line);
    free(words);
    return status;
}

/* Says the sentence of `nsyscope ask`, from the resulting tables. */
static void say_sentence(struct nsc_app *app)
{
    struct nsc_pane_answers *answers = &app->answers;
    const struct nsc_people_question *row = app->people;
    struct nsc_buf text = NSC_BUF_INIT(sizeof answers->sentence);
    uint32_t at = NSC_NONE;

    for (; row && at == NSC_NONE; row = nsc_people_question_next(row)) {
        (void)nsc_people_question_sheet(&at, row, &app->narrowing, &answers->found);
        if (at != NSC_NONE)
            nsc_people_question_answer(&text, row, &app->narrowing, &answers->found, at,
                                       app->scene->ascii);
    }
    (void)snprintf(answers->sentence, sizeof answers->sentence, "%s", text.n ? text.bytes : "");
    nsc_buf_fini(&text);
}

bool nsc_app_answer_request(const struct nsc_app *app, struct nsc_answer_request *out)
{
    *out = (struct nsc_answer_request){
        app->answers.asked,
        app->answers.capture_no,
        {app->filter.shown, app->answers.window, app->answers.has_window},
        app->skills,
        app->n_skills};
    return app->answers.running;
}

enum nsc_status nsc_app_answers_write(struct nsc_app *app, struct nsc_text path,
                                      struct nsc_error *error)
{
    if (!nsc_app_answer_sheet(app))
        return nsc_fail(error, NSC_EINVAL, "answer-write: there is no answer yet;  A  asks");
    if (!path.n || path.n >= sizeof app->answers.path)
        return nsc_fail(error, NSC_EINVAL, "answer-write: give the name of a new file");
    nsc_text_keep(app->answers.path, path);
    app->effects.set |= NSC_EFFECT_ANSWER_WRITE;
    app->effects.text = nsc_text_from(app->answers.path);
    return NSC_OK;
}

const struct nsc_sheet *nsc_app_answer_sheet(const struct nsc_app *app)
{
    return app->answers.is_open ? nsc_pane_answers_sheet(&app->answers) : NULL;
}

/* ---- as rows of the timeline ---- */

/* Shows the first table with times, starting at the current one. */
static bool track_toggle(struct nsc_app *app)
{
    struct nsc_pane_answers *answers = &app->answers;
    uint32_t n = answers->is_open ? (uint32_t)answers->found.list.n : 0;
    struct nsc_trace *track = NULL;
    struct nsc_error error = {NSC_OK, ""};

    if (nsc_app_track_hide(app))
        return true;
    for (uint32_t i = 0; i < n && !track; i++) {
        uint32_t at = (answers->shown + i) % n;

        track = nsc_app_table_track(app, &answers->found.list.at[at], &error);
        if (track)
            answers->shown = at;
    }
    if (!track)
        return nsc_app_refuse(app, n ? error.text : "There is no answer yet.");
    show_sheet(app);
    nsc_app_track_show(app, track);
    nsc_app_show_place(app, nsc_trace_extent(track));
    return true;
}

bool nsc_app_critical_path(struct nsc_app *app)
{
    if (nsc_app_track_hide(app))
        return true;
    if (!ask_or_refuse(app, nsc_text_from("critical_path")))
        return false;
    app->answers.is_track_due = true;
    return true;
}

void nsc_app_answers_input(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_pane_answers *answers = &app->answers;
    const struct nsc_sheet *first = NULL;

    answers->running = false;
    if (answers->is_of_summary)
        nsc_pane_summary_change(&app->summary, input->sheets, input->text, app->scene->ascii);
    answers->is_of_summary = false;
    if (!answers->is_open)
        answers->index_row = nsc_table_row(&answers->table);
    drop_part(answers);
    nsc_table_set(&answers->table, NULL, app->scene->ascii);
    nsc_pane_answers_take(answers, input->sheets ? input->sheets : &(struct nsc_sheets){0},
                          app->scene->ascii);
    (void)snprintf(answers->error, sizeof answers->error, "%s", input->text ? input->text : "");
    first =
        nsc_sheets_find(&answers->found, "waterfall"); /* of a difference, what it consists of */
    answers->shown = first ? (uint32_t)(first - answers->found.list.at) : 0;
    answers->is_open = true;
    if (input->sheets)
        say_sentence(app);
    answers->is_schema =
        nsc_sheets_find(&answers->found, "tables") && nsc_sheets_find(&answers->found, "columns");
    show_sheet(app);
    if (answers->is_track_due && input->sheets)
        (void)track_toggle(app);
    answers->is_track_due = false;
}

void nsc_app_answers_fini(struct nsc_app *app)
{
    drop_part(&app->answers);
    nsc_table_fini(&app->answers.table);
    nsc_pane_answers_take(&app->answers, &(struct nsc_sheets){0}, false);
    free(app->answers.tables);
    if (app->answers.has_index)
        nsc_sheet_fini(&app->answers.index);
}

/* ---- the pane ---- */

/* The pane may open by its key, in turn with others or with the restored view: its questions are
 * listed when it is first shown. */
void nsc_app_answers_update(struct nsc_app *app)
{
    struct nsc_rect pane = nsc_app_pane_inner(app);

    if (!app->answers.has_index) {
        make_index(&app->answers.index, app);
        app->answers.has_index = true;
        if (!app->answers.is_open)
            show_index(app);
    }
    nsc_pane_answers_fit(&app->answers, pane, app->scene->ascii);
}

/* ---- the schema ---- */

bool nsc_app_schema_open(struct nsc_app *app)
{
    return ask_or_refuse(app, nsc_text_from(NSC_SCHEMA_QUESTION));
}

bool nsc_app_schema_query(struct nsc_app *app)
{
    const struct nsc_sheet *sheet = nsc_pane_answers_sheet(&app->answers);
    uint32_t row = nsc_table_row(&app->answers.table);
    struct nsc_buf query = NSC_BUF_INIT(NSC_PROMPT_BYTES - 1);
    bool has = app->answers.is_open && app->answers.is_schema && sheet && row != NSC_NONE &&
               nsc_schema_query(&query, sheet, row) && !query.overflow;

    if (has)
        nsc_app_prompt_open(app, NSC_PROMPT_SQL, nsc_text_of_buf(&query));
    nsc_buf_fini(&query);
    return has;
}

/* Opens the columns of the row's table; a query opens the SQL prompt. */
static bool walk_schema(struct nsc_app *app, const struct nsc_sheet *sheet, uint32_t row)
{
    struct nsc_pane_answers *answers = &app->answers;
    uint32_t table = nsc_schema_table_at(&answers->found, sheet, row);

    if (table == NSC_NONE && strcmp(sheet->key, "queries") == 0)
        return nsc_app_schema_query(app);
    if (table == NSC_NONE)
        return nsc_app_refuse(app, "It refers to no other table;  ;  asks about it by SQL.");
    if (!answers->has_part)
        answers->shown_row = answers->table.list.cursor;
    drop_part(answers);
    nsc_schema_columns(&answers->part, &answers->found, table);
    answers->has_part = true;
    show_sheet(app);
    return true;
}

/* Returns from the columns of a table to the tables, else to the questions. */
static void go_back(struct nsc_app *app)
{
    struct nsc_pane_answers *answers = &app->answers;

    if (!answers->is_open)
        return;
    if (!answers->has_part) {
        show_index(app);
        return;
    }
    drop_part(answers);
    show_sheet(app);
    (void)nsc_list_set(&answers->table.list, answers->shown_row);
}

/* Enter: asks the question at the cursor, goes to the row's time, or walks the schema. */
static bool choose(struct nsc_app *app)
{
    struct nsc_pane_answers *answers = &app->answers;
    const struct nsc_sheet *sheet = nsc_pane_answers_sheet(answers);
    uint32_t row = nsc_table_row(&answers->table);

    if (!sheet || row == NSC_NONE)
        return false;
    if (answers->is_open && answers->is_schema)
        return walk_schema(app, sheet, row);
    if (answers->is_open)
        return nsc_app_table_go(app, &answers->table);
    return ask_or_refuse(app, nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, 2)));
}

/* Asks for the name of a file for the table. */
static void ask_file(struct nsc_app *app)
{
    char name[64];

    if (!app->answers.is_open || !nsc_pane_answers_sheet(&app->answers)) {
        nsc_app_say(app, "There is no answer to write yet.");
        return;
    }
    (void)snprintf(name, sizeof name, "%.59s.csv", nsc_pane_answers_sheet(&app->answers)->key);
    nsc_app_file_ask(app, "answer-write", name);
}

/* Opens the form of the question at the cursor, or of the answered one. */
static void open_form(struct nsc_app *app)
{
    const struct nsc_pane_answers *answers = &app->answers;
    uint32_t row = nsc_table_row(&answers->table);
    struct nsc_text line = nsc_text_from(answers->asked);

    if (!answers->is_open && row != NSC_NONE)
        line = nsc_sheet_text(&answers->index, nsc_sheet_at(&answers->index, row, 2));
    (void)nsc_app_form_open(app, line);
}

/* The cursor leaves the table at its ends for the next one, or the one before. */
bool nsc_app_answers_beyond(struct nsc_app *app, enum nsc_action action)
{
    struct nsc_pane_answers *answers = &app->answers;
    bool up = action == NSC_ACTION_PAGE_LINE_UP;

    if (!answers->is_open || answers->has_part || (!up && action != NSC_ACTION_PAGE_LINE_DOWN) ||
        (up ? answers->shown == 0 : answers->shown + 1u >= answers->found.list.n))
        return false;
    answers->shown += up ? -1u : 1u;
    show_sheet(app);
    if (up)
        (void)nsc_list_set(&answers->table.list, SIZE_MAX);
    return true;
}

bool nsc_app_answers_act(struct nsc_app *app, enum nsc_action action)
{
    switch (action) {
    case NSC_ACTION_CHOOSE:
        (void)choose(app);
        return true;
    case NSC_ACTION_ANSWER_TABLE:
        if (!nsc_app_answers_beyond(app, NSC_ACTION_PAGE_LINE_DOWN))
            nsc_app_say(app, "No table follows.");
        return true;
    case NSC_ACTION_ANSWER_FORM:
        open_form(app);
        return true;
    case NSC_ACTION_ANSWER_TRACK:
        (void)track_toggle(app);
        return true;
    case NSC_ACTION_ANSWER_WRITE:
        ask_file(app);
        return true;
    case NSC_ACTION_ANSWER_LIST:
        go_back(app);
        return true;
    default:
        return false;
    }
}
