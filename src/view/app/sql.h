/*
 * Queries by SQL: asked in a prompt, run by the caller of the application, shown as a table, and as
 * rows of the timeline. Private to app*.c and pane_*.c.
 */
#ifndef NSC_VIEW_APP_SQL_H
#define NSC_VIEW_APP_SQL_H

#include "nsyscope/trace.h"

#include "core/relation.h"
#include "view/app/filter.h"
#include "view/kit/list.h"
#include "view/model/rows.h"

struct nsc_app_sql {
    char query[NSC_PROMPT_BYTES];   /* that was asked last; "": none */
    uint32_t capture_no, answer_of; /* which export it was asked of; which one the answer is of */
    bool is_asked, is_stopped;      /* effects that are due */
    bool running;
    uint64_t since, now;         /* ms: when it was asked, what time it is */
    struct nsc_relation *answer; /* NULL: none; owned */
    uint32_t *order;             /* its rows as they are shown, owned */
    uint16_t *widths;            /* cells, of its columns, owned */
    char error[256];             /* what is wrong with the query; "": nothing */
    int error_at;                /* byte of the query; -1: not known */
    uint32_t column;             /* chosen */
    uint32_t left;               /* first column that is shown */
    uint32_t sorted;             /* by this column; NSC_NONE: as they came */
    bool descending;
    struct nsc_list list;
    struct nsc_trace *track; /* its rows that have a time; NULL: not shown; owned */
};

extern const struct nsc_prompt_kind nsc_prompt_sql;

/* Opens the prompt; asks at once. */
bool nsc_app_sql_open(struct nsc_app *app);
NSC_NODISCARD enum nsc_status nsc_app_sql_ask(struct nsc_app *app, struct nsc_text query,
                                              struct nsc_error *error);
/* Esc while it runs; false when nothing does. */
bool nsc_app_sql_stop(struct nsc_app *app);
/* The answer; what is due is put into the effects. */
void nsc_app_sql_input(struct nsc_app *app, const struct nsc_input *input);
void nsc_app_sql_effects(struct nsc_app *app, const struct nsc_input *input,
                         struct nsc_effects *effects);
void nsc_app_sql_fini(struct nsc_app *app);

/* The time a row of the answer tells of, on the trace's axis; as nsc_relation_time. */
bool nsc_app_sql_time(const struct nsc_app *app, uint32_t row, struct nsc_window *out);
/* Its rows as rows of the timeline, or away again; what is wrong is said. */
bool nsc_app_sql_track(struct nsc_app *app);
/* A line of NSC_LINE_QUERY. */
void nsc_app_sql_track_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect,
                            const struct nsc_line *line);
nsc_time nsc_app_sql_track_busy(const struct nsc_app *app, const struct nsc_line *line);

bool nsc_pane_sql_update(struct nsc_app *app, bool tick);
int nsc_pane_sql_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect);
bool nsc_pane_sql_act(struct nsc_app *app, enum nsc_action action);
bool nsc_pane_sql_can_choose(const struct nsc_app *app);
struct nsc_list *nsc_pane_sql_list(struct nsc_app *app);
/* A click on a title sorts by its column. */
void nsc_pane_sql_head(struct nsc_app *app, int row, int col);
/* The chosen value, or the row with tabs between its values. */
bool nsc_pane_sql_copy(const struct nsc_app *app, struct nsc_buf *out, bool row);

#endif
