/* Queries in SQL: the prompt, the request, the result, its rows on the timeline, and its pane. */

#include "core/text.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/words.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- the prompt ---- */

bool nsc_app_sql_open(struct nsc_app *app)
{
    if (!app->scene->trace)
        return false;
    app->help = false;
    if (!nsc_app_pane_has_focus(app) || app->pane != NSC_PANE_ANSWERS || !nsc_app_schema_query(app))
        nsc_app_prompt_open(app, NSC_PROMPT_SQL, nsc_text_from(""));
    return true;
}

enum nsc_status nsc_app_sql_ask(struct nsc_app *app, struct nsc_text query, struct nsc_error *error)
{
    struct nsc_pane_sql *sql = &app->sql;

    if (query.n >= sizeof sql->query)
        return nsc_fail(error, NSC_EINVAL, "sql: longer than %d bytes", NSC_PROMPT_BYTES - 1);
    nsc_text_keep(sql->query, query);
    sql->capture_no = nsc_scene_capture_no(app->scene);
    sql->running = true;
    sql->since = app->now;
    sql->error[0] = '\0';
    app->effects.set |= NSC_EFFECT_QUERY;
    app->effects.text = nsc_text_from(sql->query);
    app->effects.capture_no = sql->capture_no;
    nsc_app_pane_show(app, NSC_PANE_SQL, app->pane_full);
    app->panes.focus = app->scene->layout.pane.rows > 0;
    return NSC_OK;
}

struct nsc_query_request nsc_app_query_request(const struct nsc_app *app)
{
    return (struct nsc_query_request){.filter = app->filter.shown,
                                      .window = app->scene->range,
                                      .has_window = app->scene->has_range};
}

static bool sql_accept(struct nsc_app *app)
{
    struct nsc_text line = nsc_app_prompt_text(app);
    struct nsc_error error = {0};

    /* A line that fits the prompt also fits the query. */
    return line.n == 0 || nsc_app_sql_ask(app, line, &error) == NSC_OK;
}

/* Completes what a query of the trace names, tables of the export, and the most frequent words of
 * queries. */
static void sql_complete(struct nsc_app *app, struct nsc_text word)
{
    static const char words[] = "SELECT FROM WHERE GROUP ORDER LIMIT JOIN COUNT( SUM( AVG( MIN( "
                                "MAX( DISTINCT BETWEEN LIKE StringIds";

    nsc_offers_words(&app->prompt.offers, app->query_words, word);
    for (uint32_t t = 0; t < app->sources.n_tables; t++) {
        const char *name = app->sources.tables[t].name;

        if (app->sources.tables[t].status != NSC_TABLE_ABSENT && strlen(name) >= word.n &&
            strncasecmp(name, word.bytes, word.n) == 0)
            nsc_offers_add(&app->prompt.offers, 0, nsc_text_from(name), "", "");
    }
    nsc_offers_words(&app->prompt.offers, words, word);
}

const struct nsc_prompt_kind nsc_prompt_sql = {"sql:", "run", NULL, sql_accept, NULL, sql_complete};

/* ---- asked for and answered ---- */

static void answer_clear(struct nsc_app *app)
{
    nsc_table_fini(&app->sql.table);
    nsc_relation_free(app->sql.answer);
    app->sql.answer = NULL;
}

static void answer_set(struct nsc_app *app, struct nsc_relation *answer, bool of_trace)
{
    answer_clear(app);
    app->sql.answer = answer;
    app->sql.of_trace = of_trace;
    app->sql.answer_of = app->sql.capture_no;
    nsc_table_set(&app->sql.table, &answer->sheet, app->scene->ascii);
}

/* The answer to a cancelled query comes late: it may free gigabytes. */
void nsc_app_sql_input(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_pane_sql *sql = &app->sql;

    if (!sql->running) {
        nsc_relation_free(input->relation);
        return;
    }
    sql->running = false;
    if (input->relation) {
        answer_set(app, input->relation, input->of_trace);
        return;
    }
    sql->error_at = input->column;
    (void)snprintf(sql->error, sizeof sql->error, "%s", input->text ? input->text : "");
    if (!app->scene->layout.pane.rows)
        nsc_app_say(app, sql->error);
}

bool nsc_app_sql_stop(struct nsc_app *app)
{
    if (!app->sql.running)
        return false;
    nsc_app_sql_input(app, &(struct nsc_input){.text = "cancelled", .column = -1});
    app->effects.set |= NSC_EFFECT_QUERY_STOP;
    return true;
}

void nsc_app_sql_fini(struct nsc_app *app)
{
    answer_clear(app);
    nsc_trace_free(app->sql.track);
    app->sql.track = NULL;
}

bool nsc_app_sql_time(const struct nsc_app *app, uint32_t row, struct nsc_window *out)
{
    nsc_time offset = app->sql.of_trace
                          ? 0
                          : nsc_trace_captures(app->scene->trace, NULL)[app->sql.answer_of].offset;

    return nsc_relation_time(app->sql.answer, row, out) &&
           !__builtin_add_overflow(out->t0, offset, &out->t0) &&
           !__builtin_add_overflow(out->t1, offset, &out->t1);
}

/* ---- as rows of the timeline ---- */

bool nsc_app_sql_track(struct nsc_app *app)
{
    struct nsc_pane_sql *sql = &app->sql;
    struct nsc_error error = {0};
    struct nsc_trace *track = NULL;

    if (nsc_app_track_hide(app))
        return true;
    if (!sql->answer)
        return nsc_app_refuse(app, "There is no result yet.  ;: type a query.");
    track = nsc_app_table_track(app, &sql->answer->sheet, &error);
    if (!track)
        return nsc_app_refuse(app, error.text);
    nsc_app_track_show(app, track);
    return true;
}
