/*
 * The screen of a job: a heatmap of its ranks by iterations, who waits for whom, and who holds the others up.
 *
 * A screen for tui/loop.h: input and draw know no terminal and no file. On Enter the input's effects have NSC_EFFECT_QUIT,
 * and opens is set: the owner opens the rank's export. The owner calls fini.
 */
#ifndef NSC_BOARD_BOARD_H
#define NSC_BOARD_BOARD_H

#include "analysis/job/late.h"
#include "board/groups.h"
#include "board/heat.h"
#include "board/lines.h"
#include "core/sheet.h"
#include "view/app/app.h"
#include "view/kit/keymap.h"
#include "view/kit/prompt.h"
#include "view/model/bookmark.h"

enum {
    NSC_BOARD_HEAD = 4, /* lines above the cells: title, verdict, what is shown, ruler */
    NSC_BOARD_LABELS = 17,
    NSC_BOARD_PANE = 5
};

/* What is told below the cells. */
enum nsc_board_tab { NSC_BOARD_DETAILS, NSC_BOARD_VERDICTS, NSC_BOARD_MARKS, NSC_N_BOARD_TABS };

enum nsc_board_view { NSC_BOARD_RANKS, NSC_BOARD_WAITS, NSC_N_BOARD_VIEWS };

/* The first members are the owner's to set before init; borrowed. */
struct nsc_board {
    const struct nsc_keymap *keymap;
    const char *name; /* of the job */
    const struct nsc_job_values *values;
    const struct nsc_verdicts *verdicts;
    bool plain; /* signs instead of colours */
    bool opens; /* after Enter */
    struct nsc_bookmarks
        marks; /* their time is an iteration, their path a rank's name; the owner loads and saves them */
    NSC_VEC(struct nsc_bookmark) removed; /* the last one comes back first */
    struct nsc_job_splits splits;
    struct nsc_lines lines;
    uint32_t groups[NSC_JOB_GROUPS + 1]; /* 0, 1, 2 ... */
    struct nsc_heat heat[NSC_N_BOARD_VIEWS];
    enum nsc_board_view view;
    enum nsc_job_value value;
    uint32_t sort; /* of nsc_lines_build */
    bool folded, helps;
    struct nsc_prompt filter, file, mark;
    struct nsc_prompt *typed; /* one of these, or NULL */
    enum nsc_board_tab tab;
    size_t verdict, chosen; /* of the list of verdicts, of the bookmarks */
    int help_top;
    uint32_t rows, cols;
    struct nsc_buf message, command; /* until the next key; y copies the command */
};

void nsc_board_init(struct nsc_board *board);
/* NSC_EFFECT_ANSWER_WRITE: the owner writes nsc_board_sheet to the file. NSC_EFFECT_SAVE: it saves the bookmarks. */
struct nsc_effects nsc_board_input(void *context, const struct nsc_input *input);
void nsc_board_draw(void *context, struct nsc_grid *grid);
/* Appends "rank 5 on node1". */
void nsc_board_name(struct nsc_buf *out, const struct nsc_board *board, uint32_t rank);
/* The rank of a bookmark; NSC_NONE: the job has none of its number and node. */
uint32_t nsc_board_marked(const struct nsc_board *board, const struct nsc_bookmark *mark);
/* Does what an action of the bookmarks does; the effects. */
unsigned nsc_board_mark(struct nsc_board *board, enum nsc_action action);
/* Adds a bookmark at the cursor, named by the line that was typed. */
void nsc_board_mark_named(struct nsc_board *board);
/* Draws the keys over the screen; returns the greatest useful top. grid NULL: only that. */
int nsc_board_help_draw(const struct nsc_board *board, struct nsc_grid *grid);
/* The rank and column at the cursor: of its cell the greatest. False: the filter leaves none. */
bool nsc_board_at(const struct nsc_board *board, uint32_t *rank, uint32_t *column);
/* By which the lines are sorted; NULL: by none. */
const struct nsc_job_split *nsc_board_split(const struct nsc_board *board);
/* Adds a sheet of the figures that the screen shows of the ranks, a row a rank and column. */
void nsc_board_sheet(struct nsc_sheets *out, const struct nsc_board *board);
/* Appends a pattern of paths with the rank's number for {rank}. */
void nsc_board_fill(struct nsc_buf *out, const char *pattern, int64_t number);
/* Tells that the export of a rank is not here, and the command that fetches it and goes to a time. */
void nsc_board_tell_fetch(struct nsc_board *board, uint32_t rank, const char *file, nsc_time at);
/* Whether the screen has an action. */
bool nsc_board_does(enum nsc_action action);
void nsc_board_fini(struct nsc_board *board);

#endif
