/* Named questions, in groups, and the tables that answer one of them. */
#ifndef NSC_VIEW_PANE_ANSWERS_H
#define NSC_VIEW_PANE_ANSWERS_H

#include "view/kit/prompt.h"
#include "view/pane/table.h"
#include "view/scene/scene.h"

#define NSC_RANKS_QUESTION "ranks" /* compares the ranks of a job; listed beside the skills */
#define NSC_RANKS_TEXT     "Which rank comes late, and how long do the others wait?"
#define NSC_DIFF_QUESTION  "diff" /* compares two recordings; listed beside the skills */

struct nsc_pane_answers {
    struct nsc_sheet index; /* the questions: group, question, name */
    bool has_index;
    char asked[NSC_PROMPT_BYTES]; /* last question, such as "top_kernels limit=5"; "": none */
    char sentence[512];           /* answers a question by words; "": none */
    bool running;
    uint64_t since, now;      /* ms: time of the question, and current time */
    struct nsc_sheets found;  /* the answer; owned */
    struct nsc_window window; /* window of the answer, if has_window */
    bool has_window;
    uint32_t shown;        /* number of the visible table */
    bool is_open;          /* shows the answer, not the questions */
    bool is_schema;        /* the answer is that to "schema" */
    uint32_t capture_no;   /* export of the cursor's row when the question was asked */
    struct nsc_sheet part; /* columns of a schema's table, if has_part; owned */
    bool has_part;
    size_t shown_row;            /* cursor in the table that opened part */
    bool is_track_due;           /* put its rows on the timeline when they arrive */
    char path[NSC_PROMPT_BYTES]; /* file to write */
    char error[256];             /* why there is no answer; "" if there is one */
    struct nsc_table table;      /* shows index, or a sheet of found */
    struct nsc_table *tables;    /* of each sheet of found, for those below that one; owned */
    size_t index_row;            /* the cursor among the questions */
};

/* The visible sheet; NULL: none. */
const struct nsc_sheet *nsc_pane_answers_sheet(const struct nsc_pane_answers *answers);
/* Lines above the rows of a pane; the sentence may take several. */
int nsc_pane_answers_head(const struct nsc_pane_answers *answers, struct nsc_rect rect, bool ascii);
/* Takes the tables of an answer over, in place of those that it has. */
void nsc_pane_answers_take(struct nsc_pane_answers *answers, struct nsc_sheets *found, bool ascii);
/* Fits the tables to the pane. */
void nsc_pane_answers_fit(struct nsc_pane_answers *answers, struct nsc_rect rect, bool ascii);
int nsc_pane_answers_draw(const struct nsc_scene *scene, const struct nsc_pane_answers *answers,
                          bool focus, struct nsc_grid *grid, struct nsc_rect rect);

#endif
