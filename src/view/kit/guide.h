/* The compiled-in guides of docs/guides: finds one by its topic, and draws it in a box. */
#ifndef NSC_VIEW_KIT_GUIDE_H
#define NSC_VIEW_KIT_GUIDE_H

#include "view/kit/grid.h"

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
