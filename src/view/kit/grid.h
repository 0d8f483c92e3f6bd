/*
 * The screen as a grid of cells with text and roles, but without colours.
 *
 * The owner calls init and fini. Drawing outside the grid is clipped, so callers need not check
 * sizes. Callers pass raw text; the grid cleans it with core/text.
 */
#ifndef NSC_VIEW_KIT_GRID_H
#define NSC_VIEW_KIT_GRID_H

#include "nsyscope/types.h"

#include "core/text.h"

enum nsc_role {
#define NSC_ROLE(id, key, kind, meaning) NSC_ROLE_##id,
#include "view/kit/role.def"
    NSC_N_ROLES
};

/* A row of role.def. */
struct nsc_role_row {
    const char *key; /* the name in themes */
    const char *meaning;
    bool has_letters; /* words are written in the role, not only blocks and lines */
};

extern const struct nsc_role_row nsc_roles[NSC_N_ROLES];

/*
 * Or-ed into a cell's role: letters on a bar. The role's colour is the background, the theme's ink
 * the letters. Without it, text has the role's colour, as block glyphs of bars do.
 */
#define NSC_CELL_ON_BAR 0x80u

/*
 * Lines with their own background. Text on such a line stores it in its shade, so that a role
 * without a background does not leave a hole.
 */
enum nsc_surface {
    NSC_SURFACE_NONE,
    NSC_SURFACE_TITLE,
    NSC_SURFACE_STATUS,
    NSC_SURFACE_LABEL_CURSOR,
    NSC_SURFACE_PROMPT,
    NSC_N_SURFACES
};

/* The role that paints each surface; TEXT for no surface. */
extern const enum nsc_role nsc_surface_roles[NSC_N_SURFACES];

/* One grapheme cluster and its role: 16 bytes. */
struct nsc_cell {
    char text[NSC_CLUSTER_BYTES]; /* printable UTF-8, not terminated */
    uint8_t n;     /* bytes of text; n and width are 0 for the right half of a wide cell */
    uint8_t width; /* 1, 2, or 0 */
    uint8_t role;  /* enum nsc_role, optionally with NSC_CELL_ON_BAR */
    uint8_t
        shade; /* >> 4: step of the role's gradient, or hue of the name; & 15: enum nsc_surface */
};

static inline enum nsc_role nsc_cell_role(const struct nsc_cell *cell)
{
    return (enum nsc_role)(cell->role & ~NSC_CELL_ON_BAR);
}

static inline bool nsc_cell_is_on_bar(const struct nsc_cell *cell)
{
    return cell->role & NSC_CELL_ON_BAR;
}

struct nsc_grid {
    uint32_t rows, cols;
    struct nsc_cell *cells; /* rows * cols, row by row */
    size_t capacity;        /* allocated cells */
    bool ascii;             /* replaces glyphs and text beyond 0x7E */
    int cursor_row;         /* position of the terminal's cursor: the selected item; -1: hidden */
    int cursor_col;
    /*
     * Rows show a window of time from column window_col (-1: none) to the right edge, in columns of
     * equal length. Frames that pan can then be sent as shifted rows. A hint only. The rows from
     * window_end on belong to panes.
     */
    int window_col, window_end;
    struct nsc_window window;
};

/* Part of a grid: [row, row + rows) x [col, col + cols). */
struct nsc_rect {
    int row, col, rows, cols;
};

void nsc_grid_init(struct nsc_grid *grid, bool ascii);
void nsc_grid_fini(struct nsc_grid *grid);
/*
 * Blanks every cell, with role TEXT. Allocates only if the size grows. At most 4096 rows and
 * columns.
 */
void nsc_grid_resize(struct nsc_grid *grid, uint32_t rows, uint32_t cols);
/* The cell must be inside. */
struct nsc_cell *nsc_grid_at(struct nsc_grid *grid, uint32_t row, uint32_t col);

/*
 * Draws cleaned text, clipped to width cells from col and to the grid; clipped text ends in an
 * ellipsis. Returns the column after the last cell. nsc_grid_text is for text of files;
 * nsc_grid_puts is for the view's own text, whose glyphs have ASCII replacements.
 */
int nsc_grid_text(struct nsc_grid *grid, int row, int col, int width, enum nsc_role role,
                  struct nsc_text text);
int nsc_grid_puts(struct nsc_grid *grid, int row, int col, int width, enum nsc_role role,
                  const char *text);
/*
 * The same on an existing bar: cells keep their role and shade and become letters on the bar. Text
 * that is too long ends in an ellipsis.
 */
int nsc_grid_label(struct nsc_grid *grid, int row, int col, int width, struct nsc_text text);
/* Like nsc_grid_puts, aligned to the right edge of [col, col + width). */
void nsc_grid_puts_right(struct nsc_grid *grid, int row, int col, int width, enum nsc_role role,
                         const char *text);
/* Sets one cell; glyph is the view's own, printable UTF-8 of width 1. Overwriting half of a wide
 * cell blanks the other half. */
void nsc_grid_put(struct nsc_grid *grid, int row, int col, enum nsc_role role, uint8_t shade,
                  const char *glyph);
/* Fills a row of cells from the left by the share that part is of whole; any part shows, and the rest of
 * the cells stays. */
void nsc_grid_share(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role, uint8_t shade,
                    int64_t part, int64_t whole);
/* The blocks that fill a cell from the left: by i eighths. */
extern const char *const nsc_left_eighths[9];
/* Changes the role of cells; their text stays. */
void nsc_grid_set_role(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role);
void nsc_grid_fill(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role,
                   const char *glyph);

/* The ASCII character for a cluster of the view's own text; 0 if the cluster must be spelled
 * out. */
char nsc_glyph_ascii(struct nsc_text cluster);

/* Draws an empty box with a border and a title over the present cells. */
void nsc_box_draw(struct nsc_grid *grid, struct nsc_rect box, const char *title);
/* A line of a box, "name  < value >  help": the current one has the arrows. */
struct nsc_choice {
    const char *name, *value, *help;
    int name_cols, value_cols;
};
void nsc_choice_draw(struct nsc_grid *grid, struct nsc_rect line, const struct nsc_choice *choice,
                     bool current);

#endif
