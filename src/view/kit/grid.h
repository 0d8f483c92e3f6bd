/*
 * The screen as the program sees it: a grid of cells that hold text and roles, never colours.
 *
 * The owner calls init and fini. Drawing outside the grid is clipped, never an error: callers need
 * not check sizes. All text comes through core/text: what is raw goes in raw and is made safe here.
 */
#ifndef NSC_VIEW_KIT_GRID_H
#define NSC_VIEW_KIT_GRID_H

#include "nsyscope/types.h"

#include "core/text.h"

enum nsc_role {
#define NSC_ROLE(id, key, kind, meaning) NSC_ROLE_##id,
#include "view/kit/role.def"
#undef NSC_ROLE
    NSC_N_ROLES
};

const char *nsc_role_key(enum nsc_role role);
const char *nsc_role_meaning(enum nsc_role role);
/* Words are written in it, not only blocks and lines. */
bool nsc_role_has_letters(enum nsc_role role);

/*
 * Or-ed into a cell's role: letters inside a bar. The role's colour becomes the background, the
 * theme's ink the letters. Without it a cell shows its text in the role's colour: block glyphs of
 * bars are drawn so.
 */
#define NSC_CELL_ON_BAR 0x80u

/*
 * Lines with a background of their own. Text that is written on one of them remembers it in its
 * shade, so that a role without a background leaves no hole there.
 */
enum nsc_surface {
    NSC_SURFACE_NONE,
    NSC_SURFACE_TITLE,
    NSC_SURFACE_STATUS,
    NSC_SURFACE_LABEL_CURSOR,
    NSC_SURFACE_PROMPT,
    NSC_N_SURFACES
};

/* The role that paints a surface; TEXT for none. */
enum nsc_role nsc_surface_role(enum nsc_surface surface);

/* One grapheme cluster and what it means: 16 bytes. */
struct nsc_cell {
    char text[NSC_CLUSTER_BYTES]; /* printable UTF-8, not terminated */
    uint8_t n;     /* bytes of text; 0 with width 0: right half of the wide cell before */
    uint8_t width; /* 1, 2, or 0 */
    uint8_t role;  /* enum nsc_role, perhaps with NSC_CELL_ON_BAR */
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
    size_t capacity;        /* cells there is room for */
    bool ascii;             /* glyphs and text past 0x7E are replaced */
    int cursor_row;         /* where the terminal's own cursor goes: what is selected; -1: hidden */
    int cursor_col;
    /*
     * What rows show from column window_col (-1: nowhere) to the right edge is a window of time,
     * cut into columns of one length: frames that pan can be sent as rows that shift. A hint, never
     * taken on trust.
     */
    int window_col;
    struct nsc_window window;
};

/* Part of a grid: [row, row + rows) x [col, col + cols). */
struct nsc_rect {
    int row, col, rows, cols;
};

void nsc_grid_init(struct nsc_grid *grid, bool ascii);
void nsc_grid_fini(struct nsc_grid *grid);
/*
 * Every cell becomes a blank of role TEXT. Allocates only when the size grows. At most 4096 rows
 * and columns.
 */
void nsc_grid_resize(struct nsc_grid *grid, uint32_t rows, uint32_t cols);
/* The cell must be inside. */
struct nsc_cell *nsc_grid_at(struct nsc_grid *grid, uint32_t row, uint32_t col);

/*
 * Text made safe, clipped to width cells from col and to the grid; what is cut ends in an ellipsis.
 * Returns the column behind the last cell. nsc_grid_text is for text of files; nsc_grid_puts is for
 * our own, whose glyphs have ASCII stand-ins.
 */
int nsc_grid_text(struct nsc_grid *grid, int row, int col, int width, enum nsc_role role,
                  struct nsc_text text);
int nsc_grid_puts(struct nsc_grid *grid, int row, int col, int width, enum nsc_role role,
                  const char *text);
/*
 * The same over a bar that is drawn already: every cell keeps the role and shade it has and becomes
 * a letter on the bar. Text that is too long is cut, with an ellipsis.
 */
int nsc_grid_label(struct nsc_grid *grid, int row, int col, int width, struct nsc_text text);
/* As nsc_grid_puts, flush with the right edge of [col, col + width). */
void nsc_grid_puts_right(struct nsc_grid *grid, int row, int col, int width, enum nsc_role role,
                         const char *text);
/* One cell: glyph is ours, printable UTF-8 of width 1. Writing over half of a wide cell blanks the
 * other half. */
void nsc_grid_put(struct nsc_grid *grid, int row, int col, enum nsc_role role, uint8_t shade,
                  const char *glyph);
/* Changes the role of cells; their text stays. */
void nsc_grid_set_role(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role);
void nsc_grid_fill(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role,
                   const char *glyph);

/* The ASCII character for one cluster of the view's own text; 0 when it has none and must be
 * spelled out. */
char nsc_glyph_ascii(struct nsc_text cluster);

/*
 * A box with a border and a title, over what is there.
 */
void nsc_box_draw(struct nsc_grid *grid, struct nsc_rect box, const char *title);

#endif
