/* Writes into cells so that each stays valid: clipped, clean, wide characters whole, or in ASCII. */
#include "view/kit/grid.h"

#include "core/die.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct nsc_cell) == 16, "frames are compared as bytes: no padding");
_Static_assert(NSC_N_ROLES <= NSC_CELL_ON_BAR, "roles share their byte with NSC_CELL_ON_BAR");

enum { SIZE_LIMIT = 4096, HUE_MASK = 0xf0 };

/* Clusters of text as the grid shows them; with ascii, the view's own glyphs become ASCII
 * characters. */
struct walk {
    struct nsc_text_cursor outer;
    struct nsc_text_cursor inner; /* the cluster of outer that is being spelled out */
    bool spells, replaces;
};

/* Where and how to draw a text in a row. */
struct pen {
    struct nsc_grid *grid;
    int row;
    uint8_t role, shade;
    bool on_bar;  /* cells keep their role and shade */
    bool is_text; /* cells remember their surface */
};

static const struct nsc_cell blank = {{' '}, 1, 1, NSC_ROLE_TEXT, 0};

void nsc_grid_init(struct nsc_grid *grid, bool ascii)
{
    memset(grid, 0, sizeof *grid);
    grid->ascii = ascii;
    grid->cursor_row = grid->cursor_col = grid->window_col = -1;
}

void nsc_grid_fini(struct nsc_grid *grid)
{
    free(grid->cells);
    nsc_grid_init(grid, grid->ascii);
}

void nsc_grid_resize(struct nsc_grid *grid, uint32_t rows, uint32_t cols)
{
    size_t n = 0;

    rows = rows < SIZE_LIMIT ? rows : SIZE_LIMIT;
    cols = cols < SIZE_LIMIT ? cols : SIZE_LIMIT;
    n = (size_t)rows * cols;
    if (n > grid->capacity) {
        grid->cells = nsc_xrealloc(grid->cells, n, sizeof *grid->cells);
        grid->capacity = n;
    }
    grid->rows = rows;
    grid->cols = cols;
    grid->window_col = -1;
    for (size_t i = 0; i < n; i++)
        grid->cells[i] = blank;
}

struct nsc_cell *nsc_grid_at(struct nsc_grid *grid, uint32_t row, uint32_t col)
{
    assert(row < grid->rows && col < grid->cols);
    return &grid->cells[(size_t)row * grid->cols + col];
}

/* ---- walking text ---- */

static struct walk walk_begin(const struct nsc_grid *grid, struct nsc_text text, bool is_ours)
{
    struct walk walk = {.replaces = is_ours && grid->ascii};

    walk.outer = nsc_text_cursor(text, grid->ascii && !walk.replaces);
    return walk;
}

static bool walk_next(struct walk *walk, struct nsc_cluster *out)
{
    size_t from = walk->outer.at;
    struct nsc_text source;
    char ascii = 0;

    if (walk->spells && nsc_text_next(&walk->inner, out))
        return true;
    walk->spells = false;
    if (!nsc_text_next(&walk->outer, out))
        return false;
    if (!walk->replaces || out->n == 1) /* ASCII already */
        return true;
    source.bytes = walk->outer.bytes + from;
    source.n = (uint32_t)(walk->outer.at - from);
    ascii = nsc_glyph_ascii(source);
    if (ascii) {
        memset(out, 0, sizeof *out);
        out->bytes[0] = ascii;
        out->n = out->width = 1;
        return true;
    }
    walk->spells = true;
    walk->inner = nsc_text_cursor(source, true);
    return nsc_text_next(&walk->inner, out);
}

/* The number of cells to draw if width cells are available. *is_cut: an ellipsis follows in one
 * more cell. */
static int walk_measure(struct walk walk, int width, bool *is_cut)
{
    struct nsc_cluster cluster;
    int cells = 0;
    int cut = 0; /* last place where the ellipsis fits */

    *is_cut = false;
    while (walk_next(&walk, &cluster)) {
        if (!cluster.joined && cells < width)
            cut = cells;
        if (cells + cluster.width > width) {
            *is_cut = true;
            return cut;
        }
        cells += cluster.width;
    }
    return cells;
}

/* ---- writing cells ---- */

static void cell_blank(struct nsc_cell *cell)
{
    memset(cell->text, 0, sizeof cell->text);
    cell->text[0] = ' ';
    cell->n = cell->width = 1;
}

/* Prepares writing cells [col, col + width): the remaining halves of wide cells become blanks. */
static void halves_blank(struct nsc_grid *grid, int row, int col, int width)
{
    struct nsc_cell *cells = nsc_grid_at(grid, (uint32_t)row, 0);
    int end = col + width;

    if (cells[col].width == 0 && col > 0)
        cell_blank(&cells[col - 1]);
    if (end < (int)grid->cols && cells[end].width == 0)
        cell_blank(&cells[end]);
}

/* The surface under a text. */
static uint8_t cell_surface(const struct nsc_cell *cell)
{
    for (unsigned i = NSC_SURFACE_NONE + 1; i < NSC_N_SURFACES; i++)
        if (cell->role == nsc_surface_roles[i])
            return (uint8_t)i;
    return NSC_SURFACE_NONE;
}

static void cell_set(const struct pen *pen, struct nsc_cell *cell,
                     const struct nsc_cluster *cluster)
{
    memset(cell->text, 0, sizeof cell->text);
    memcpy(cell->text, cluster->bytes, cluster->n);
    cell->n = cluster->n;
    cell->width = cluster->width;
    if (pen->on_bar) {
        cell->role |= NSC_CELL_ON_BAR;
        return;
    }
    cell->shade = pen->is_text ? cell_surface(cell) : pen->shade;
    cell->role = pen->role;
}

/* Puts one cluster at col, which may be outside. A wide cluster that is half outside becomes a
 * blank. */
static void cluster_put(const struct pen *pen, int col, const struct nsc_cluster *cluster)
{
    static const struct nsc_cluster space = {.bytes = " ", .n = 1, .width = 1};
    static const struct nsc_cluster half = {.n = 0, .width = 0};
    struct nsc_grid *grid = pen->grid;
    int cols = (int)grid->cols;
    struct nsc_cell *cell = NULL;

    if (pen->row < 0 || pen->row >= (int)grid->rows || col >= cols || col <= -cluster->width)
        return;
    if (cluster->width == 2 && (col < 0 || col + 1 >= cols)) {
        col = col < 0 ? 0 : col;
        cluster = &space;
    }
    halves_blank(grid, pen->row, col, cluster->width);
    cell = nsc_grid_at(grid, (uint32_t)pen->row, (uint32_t)col);
    cell_set(pen, cell, cluster);
    if (cluster->width == 2)
        cell_set(pen, cell + 1, &half);
}

/* Draws the text that fits into width cells. Returns the column after it. */
static int walk_draw(const struct pen *pen, struct walk walk, int col, int width)
{
    static const struct nsc_cluster ellipsis = {.bytes = "…", .n = 3, .width = 1};
    static const struct nsc_cluster tilde = {.bytes = "~", .n = 1, .width = 1};
    struct nsc_cluster cluster;
    bool is_cut = false;
    int end = 0, cells = 0;

    if (col >= (int)pen->grid->cols || col < -SIZE_LIMIT || width <= 0)
        return col;
    if (width > (int)pen->grid->cols - col)
        width = (int)pen->grid->cols - col;
    end = walk_measure(walk, width, &is_cut);
    while (cells < end && walk_next(&walk, &cluster)) {
        cluster_put(pen, col + cells, &cluster);
        cells += cluster.width;
    }
    if (is_cut)
        cluster_put(pen, col + cells++, pen->grid->ascii ? &tilde : &ellipsis);
    return col + cells;
}

int nsc_grid_text(struct nsc_grid *grid, int row, int col, int width, enum nsc_role role,
                  struct nsc_text text)
{
    struct pen pen = {grid, row, (uint8_t)role, 0, false, true};

    return walk_draw(&pen, walk_begin(grid, text, false), col, width);
}

int nsc_grid_puts(struct nsc_grid *grid, int row, int col, int width, enum nsc_role role,
                  const char *text)
{
    struct pen pen = {grid, row, (uint8_t)role, 0, false, true};

    return walk_draw(&pen, walk_begin(grid, nsc_text_from(text), true), col, width);
}

int nsc_grid_label(struct nsc_grid *grid, int row, int col, int width, struct nsc_text text)
{
    struct pen pen = {.grid = grid, .row = row, .on_bar = true};

    return walk_draw(&pen, walk_begin(grid, text, false), col, width);
}

void nsc_grid_puts_right(struct nsc_grid *grid, int row, int col, int width, enum nsc_role role,
                         const char *text)
{
    struct walk walk = walk_begin(grid, nsc_text_from(text), true);
    bool is_cut = false;
    int cells = walk_measure(walk, width, &is_cut) + is_cut;

    nsc_grid_puts(grid, row, col + width - cells, cells, role, text);
}

/* A glyph of the view itself needs no cleaning; most cells of a frame are such glyphs. */
static struct nsc_cluster glyph_cluster(const struct nsc_grid *grid, const char *glyph)
{
    struct nsc_cluster cluster = {.width = 1};
    struct nsc_text text = nsc_text_from(glyph);

    assert(text.n >= 1 && text.n <= NSC_CLUSTER_BYTES);
    memcpy(cluster.bytes, text.bytes, text.n);
    cluster.n = (uint8_t)text.n;
    if (grid->ascii && text.n > 1) {
        char ascii = nsc_glyph_ascii(text);

        cluster = (struct nsc_cluster){.n = 1, .width = 1};
        cluster.bytes[0] = ascii ? ascii : '?';
    }
    return cluster;
}

/* The fast path for most cells; false if the cell needs more. */
static bool glyph_put(const struct pen *pen, int col, const char *glyph)
{
    struct nsc_cell cell = {.width = 1, .role = pen->role, .shade = pen->shade};
    struct nsc_cell *at = NULL;
    uint8_t n = 1;

    if (pen->row < 0 || pen->row >= (int)pen->grid->rows || col < 0 ||
        col + 1 >= (int)pen->grid->cols || (pen->grid->ascii && glyph[1]))
        return false;
    at = nsc_grid_at(pen->grid, (uint32_t)pen->row, (uint32_t)col);
    if (at->width != 1)
        return false;
    cell.text[0] = glyph[0];
    for (; n < 4 && glyph[n]; n++)
        cell.text[n] = glyph[n];
    if (glyph[n] && n == 4)
        return false;
    cell.n = n;
    *at = cell;
    return true;
}

void nsc_grid_put(struct nsc_grid *grid, int row, int col, enum nsc_role role, uint8_t shade,
                  const char *glyph)
{
    struct pen pen = {grid, row, (uint8_t)role, shade & HUE_MASK, false, false};
    struct nsc_cluster cluster;

    if (glyph_put(&pen, col, glyph))
        return;
    cluster = glyph_cluster(grid, glyph);
    cluster_put(&pen, col, &cluster);
}

void nsc_grid_fill(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role,
                   const char *glyph)
{
    struct nsc_cluster cluster = glyph_cluster(grid, glyph);
    int64_t last_row = (int64_t)rect.row + rect.rows;
    int64_t last_col = (int64_t)rect.col + rect.cols;
    int end_row = last_row < grid->rows ? (int)last_row : (int)grid->rows;
    int end_col = last_col < grid->cols ? (int)last_col : (int)grid->cols;

    for (int row = rect.row > 0 ? rect.row : 0; row < end_row; row++) {
        struct pen pen = {grid, row, (uint8_t)role, 0, false, false};

        for (int col = rect.col > 0 ? rect.col : 0; col < end_col; col++)
            cluster_put(&pen, col, &cluster);
    }
}

const char *const nsc_left_eighths[9] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

/* Fills it by so many eighths of a cell. */
static void put_bar(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role, uint8_t shade,
                    int eighths)
{
    for (int i = 0; i < rect.cols && eighths > 0; i++, eighths -= 8)
        nsc_grid_put(grid, rect.row, rect.col + i, role, shade,
                     nsc_left_eighths[eighths < 8 ? eighths : 8]);
}

void nsc_grid_share(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role, uint8_t shade,
                    int64_t part, int64_t whole)
{
    double share = whole > 0 ? (double)part / (double)whole : 0;
    int eighths = (int)((share > 1 ? 1 : share) * rect.cols * 8 + 0.5);

    put_bar(grid, rect, role, shade, part > 0 && whole > 0 && eighths == 0 ? 1 : eighths);
}

void nsc_grid_set_role(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role)
{
    for (int row = rect.row < 0 ? 0 : rect.row; row < rect.row + rect.rows; row++)
        for (int col = rect.col < 0 ? 0 : rect.col; col < rect.col + rect.cols; col++) {
            if (row >= (int)grid->rows || col >= (int)grid->cols)
                break;
            nsc_grid_at(grid, (uint32_t)row, (uint32_t)col)->role = (uint8_t)role;
        }
}

/* ---- glyphs ---- */

static const struct {
    char ascii;
    const char *glyphs; /* concatenated */
} families[] = {
    {'#', "█▉▊▋▐▇▆▓"},
    {'=', "▌▍▎▅▄▒▬"},
    {'-', "▃▂▁─━╌┄–—‐░▔"},
    {'|', "│┃▏▕╷╵╎┆┊▎"},
    {'+', "┌┐└┘├┤┬┴┼╭╮╰╯╴╶"},
    {'>', "›»▸▶→⇒▷"},
    {'<', "‹«◂◀←⇐◁"},
    {'v', "▾▼↓⇓"},
    {'^', "▴▲↑⇑"},
    {'*', "●◆★⚑■•▪"},
    {'o', "○◇□"},
    {'.', "·⋅"},
    {'~', "…"},
    {'!', "⚠⚑"},
    {'u', "µμ"},
    {'x', "×✗"},
    {'\'', "’‘"},
    {'"', "“”"},
};

char nsc_glyph_ascii(struct nsc_text cluster)
{
    char glyph[8];

    if (cluster.n < 2 || cluster.n > 3)
        return 0;
    memcpy(glyph, cluster.bytes, cluster.n);
    glyph[cluster.n] = '\0';
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strstr(families[i].glyphs, glyph))
            return families[i].ascii;
    return 0;
}
