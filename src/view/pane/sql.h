/*
 * The result of a query, as a table.
 */
#ifndef NSC_VIEW_PANE_SQL_H
#define NSC_VIEW_PANE_SQL_H

#include "core/relation.h"
#include "view/kit/prompt.h"
#include "view/pane/table.h"
#include "view/scene/scene.h"

#define NSC_PANE_SQL_HEAD 2 /* lines above the list */

struct nsc_pane_sql {
    char query[NSC_PROMPT_BYTES];   /* last query; "": none */
    uint32_t capture_no, answer_of; /* export of the query, and of the answer */
    bool of_trace;                  /* the answer is one of the trace, on its axis */
    bool running;
    uint64_t since, now;         /* ms: time of the query, and current time */
    struct nsc_relation *answer; /* NULL: none; owned */
    char error[256];             /* error in the query; "": none */
    int error_at;                /* byte of the query; -1: not known */
    struct nsc_table table;      /* of the answer */
    struct nsc_trace *track;     /* rows with a time; NULL: not shown; owned */
};

int nsc_pane_sql_draw(const struct nsc_scene *scene, const struct nsc_pane_sql *sql, bool focus,
                      struct nsc_grid *grid, struct nsc_rect rect);

#endif
