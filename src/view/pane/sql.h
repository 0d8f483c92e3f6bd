/*
 * The result of a query, as a table.
 */
#ifndef NSC_VIEW_PANE_SQL_H
#define NSC_VIEW_PANE_SQL_H

#include "core/relation.h"
#include "view/kit/list.h"
#include "view/kit/prompt.h"
#include "view/scene/scene.h"

#define NSC_PANE_SQL_HEAD 2 /* lines above the list */
#define NSC_PANE_SQL_GAP  2 /* columns between two of the table */

struct nsc_pane_sql {
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

/* How many columns fit from the first that is shown. */
uint32_t nsc_pane_sql_columns(const struct nsc_pane_sql *sql, int cols);
int nsc_pane_sql_draw(const struct nsc_scene *scene, const struct nsc_pane_sql *sql, bool focus,
                      struct nsc_grid *grid, struct nsc_rect rect);
bool nsc_pane_sql_can_choose(const struct nsc_pane_sql *sql);
/* The chosen value, or the row with tabs between its values. */
bool nsc_pane_sql_copy(const struct nsc_pane_sql *sql, struct nsc_buf *out, bool row);

#endif
