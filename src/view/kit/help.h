/*
 * The help: all actions with a key in the current scope, grouped, with their current keys; and the
 * commands of the command line. Or the legend: what the colours and signs mean.
 */
#ifndef NSC_VIEW_KIT_HELP_H
#define NSC_VIEW_KIT_HELP_H

#include "view/kit/grid.h"
#include "view/kit/keymap.h"

struct nsc_help {
    const struct nsc_keymap *keymap;
    enum nsc_key_scope scope;            /* the focus behind the help */
    const char *needle;                  /* shows only lines that contain it; "": all */
    bool (*has)(enum nsc_action action); /* what works there; NULL: everything */
    bool is_legend;                      /* of the colours and signs, instead of the keys */
};
/* Draws a box inside rect over the present cells, starting at line top of the help. Returns the
 * greatest useful top; grid NULL: only that. */
int nsc_help_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_help *help,
                  int top);

/* A place's own words for an action. */
struct nsc_hint_word {
    enum nsc_action action;
    const char *word; /* NULL: no hint */
};

/* The focus; words may be NULL if n is 0. */
struct nsc_hint_place {
    enum nsc_key_scope scope;
    const struct nsc_hint_word *words;
    size_t n;
};

/* Draws the key hints that help most in the current scope: as many as fit into the first line of
 * rect, none of them cut. Returns the column after the last cell. */
int nsc_hint_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_keymap *keymap,
                  const struct nsc_hint_place *place);

/* ---- guides ---- */

/* The texts of docs/guides/NN-TOPIC.md, in order. */
struct nsc_guide_file {
    const char *name; /* "03-nvtx" */
    const char *text; /* Markdown; the first line is "# Title" */
};
extern const struct nsc_guide_file nsc_guide_files[];
extern const unsigned nsc_n_guide_files;

/* Pages of docs/ that prompts show as help, by file name. NULL: none. */
extern const struct nsc_guide_file nsc_page_files[];
extern const unsigned nsc_n_page_files;
const struct nsc_guide_file *nsc_page_find(const char *name);

/* Finds "nvtx", "03-nvtx", "3", or a word of the title ("slurm"). NULL: none. */
const struct nsc_guide_file *nsc_guide_find(struct nsc_text topic);
/* "nvtx" */
const char *nsc_guide_topic(const struct nsc_guide_file *guide);
/* "NVTX annotations" */
struct nsc_text nsc_guide_title(const struct nsc_guide_file *guide);

/* Draws the guide in a box inside rect, starting at line top. Returns the greatest useful top; grid
 * NULL: only counts. */
int nsc_guide_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_guide_file *guide,
                   int top);

#endif
