/*
 * Follows the keys of the tour while the application takes them.
 */
#include "start/tour.h"

#include "core/paths.h"
#include "nsys/generate/generate.h"

#include <stdio.h>

static const struct {
    const char *name;
    enum nsc_action actions[2];
    const char *shows;
} steps[] = {
#define NSC_TOUR(name, first, second, shows) \
    {name, {NSC_ACTION_##first, NSC_ACTION_##second}, shows},
#include "start/tour.def"
#undef NSC_TOUR
};

enum { N_STEPS = sizeof steps / sizeof *steps };

/* "Tab, then <" */
static void format_keys(char out[80], const struct nsc_keymap *keymap, unsigned step,
                        const char *between)
{
    const enum nsc_action *actions = steps[step].actions;
    char keys[2][32];

    (void)snprintf(out, 80, "%s%s%s", nsc_keymap_key(keys[0], keymap, actions[0]),
                   actions[1] ? between : "",
                   actions[1] ? nsc_keymap_key(keys[1], keymap, actions[1]) : "");
}

/* ---- on the screen ---- */

/* The application has the lines above the tour's. */
static struct nsc_effects resize(const struct nsc_tour *tour)
{
    struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = tour->rows, .cols = tour->cols};

    size.rows -= tour->keymap && tour->rows > 1;
    return nsc_app_input(tour->app, &size);
}

static void follow(struct nsc_tour *tour, nsc_key key)
{
    enum nsc_action wanted = steps[tour->step].actions[tour->half];

    if (nsc_keymap_find(tour->keymap, nsc_actions[wanted].scope, key) != wanted)
        return;
    tour->half = !tour->half && steps[tour->step].actions[1];
    tour->step += !tour->half;
}

static struct nsc_effects input(void *context, const struct nsc_input *in)
{
    struct nsc_tour *tour = context;
    bool is_key = tour->keymap && in->type == NSC_INPUT_KEY;

    if (in->type == NSC_INPUT_RESIZE) {
        tour->rows = in->rows;
        tour->cols = in->cols;
        return resize(tour);
    }
    if (is_key && in->key == NSC_KEY_ESCAPE) {
        tour->keymap = NULL;
        return resize(tour);
    }
    if (is_key && tour->step < N_STEPS)
        follow(tour, in->key);
    return nsc_app_input(tour->app, in);
}

static void draw(void *context, struct nsc_grid *grid)
{
    const struct nsc_tour *tour = context;
    int row = (int)grid->rows - 1;
    int cols = (int)grid->cols;
    char keys[80];
    char text[200];

    nsc_app_draw(tour->app, grid);
    if (!tour->keymap || grid->rows < 2)
        return;
    if (tour->step < N_STEPS) {
        if (tour->half)
            (void)nsc_keymap_key(keys, tour->keymap, steps[tour->step].actions[1]);
        else
            format_keys(keys, tour->keymap, tour->step, ", then ");
        (void)snprintf(text, sizeof text, "%u of %u  press %s: %s", tour->step + 1, N_STEPS, keys,
                       steps[tour->step].shows);
    } else {
        (void)snprintf(text, sizeof text, "The tour is done: h lists every key, q quits");
    }
    nsc_grid_fill(grid, (struct nsc_rect){row, 0, 1, cols}, NSC_ROLE_PROMPT, " ");
    nsc_grid_puts_right(grid, row, cols - 11, 10, NSC_ROLE_KEY, "Esc leaves");
    (void)nsc_grid_puts(grid, row, 1, cols - 13, NSC_ROLE_PROMPT, text);
}

struct nsc_screen nsc_tour_screen(struct nsc_tour *tour)
{
    return (struct nsc_screen){tour, input, draw};
}

/* ---- as a document ---- */

void nsc_tour_document(struct nsc_buf *out)
{
    struct nsc_buf pressed = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_keymap keymap;
    char keys[80];

    nsc_keymap_init(&keymap);
    for (unsigned i = 0; i < N_STEPS; i++) {
        format_keys(keys, &keymap, i, "`, then `");
        nsc_buf_printf(out, "### %u. %s\n\n`%s`: %s.\n\n", i + 1, steps[i].name, keys,
                       steps[i].shows);
        format_keys(keys, &keymap, i, " ");
        nsc_buf_printf(&pressed, "%s%s", i ? " " : "", keys);
        nsc_buf_printf(out, "<!-- picture: --size 100x20 --keys '%s' -->\n```\n```\n\n",
                       pressed.bytes);
    }
    nsc_buf_fini(&pressed);
}

/* ---- the example ---- */

enum nsc_status nsc_tour_example(struct nsc_argv *out, struct nsc_error *error)
{
    struct nsc_generate_options how = NSC_GENERATE_OPTIONS_INIT;
    struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status = NSC_OK;

    how.force = true;
    if (!nsc_path_home(&path, NSC_PATH_CACHE, "example.sqlite"))
        status = nsc_fail(error, NSC_EWRITE, "no folder for the example: set XDG_CACHE_HOME");
    if (status == NSC_OK)
        status = nsc_file_folders(path.bytes, error);
    if (status == NSC_OK)
        status = nsc_generate(path.bytes, &how, error);
    if (status == NSC_OK)
        nsc_argv_add(out, path.bytes);
    nsc_buf_fini(&path);
    return status;
}
