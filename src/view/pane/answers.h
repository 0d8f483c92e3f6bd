/*
 * Questions with names, in groups, and the tables that answer one of them.
 */
#ifndef NSC_VIEW_PANE_ANSWERS_H
#define NSC_VIEW_PANE_ANSWERS_H

#include "view/kit/prompt.h"
#include "view/pane/table.h"
#include "view/scene/scene.h"

#define NSC_DIFF_QUESTION "diff" /* of two compared recordings; beside the skills */

struct nsc_pane_answers {
    struct nsc_sheet index; /* the questions: group, question, name */
    bool has_index;
    char asked[NSC_PROMPT_BYTES]; /* "idle limit=5": asked last; "": none */
    char sentence[512];           /* that answers a question asked in words; "": none */
    bool is_asked;                /* an effect that is due */
    bool running;
    uint64_t since, now;      /* ms: when it was asked, and the time now */
    struct nsc_sheets found;  /* the answer; owned */
    struct nsc_window window; /* that it covers, if has_window */
    bool has_window;
    uint32_t shown;        /* the table of the answer that is shown */
    bool is_open;          /* the answer is shown, not the questions */
    bool is_schema;        /* the answer is that to "schema" */
    uint32_t capture_no;   /* of which export: that of the cursor's row when it was asked */
    struct nsc_sheet part; /* of a schema: the columns of a table, if has_part; owned */
    bool has_part;
    size_t shown_row;            /* the cursor in the table that part was opened from */
    bool is_track_due;           /* its rows go to the timeline as soon as it is there */
    char path[NSC_PROMPT_BYTES]; /* of the file to write */
    char error[256];             /* why there is no answer; "": there is one */
    struct nsc_table table;      /* of index, or of a sheet of found */
    size_t index_row;            /* the cursor among the questions */
};

/* The sheet that is shown; NULL: none. */
const struct nsc_sheet *nsc_pane_answers_sheet(const struct nsc_pane_answers *answers);
/* How many lines of a pane stand above the rows: the sentence may take several. */
int nsc_pane_answers_head(const struct nsc_pane_answers *answers, struct nsc_rect rect, bool ascii);
int nsc_pane_answers_draw(const struct nsc_scene *scene, const struct nsc_pane_answers *answers,
                          bool focus, struct nsc_grid *grid, struct nsc_rect rect);

#endif
