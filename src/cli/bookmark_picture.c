/* Draws the screen after pressing the keys that go to a bookmark. */
#include "cli/bookmark_session.h"
#include "share/screen.h"
#include "view/app/app.h"

enum { ROWS = 34, COLS = 132 };

/* Carries out the effects that the picture needs: slices of work, and the row of the selected
 * event. */
static void play(struct nsc_app *app, const struct nsc_input *input, struct nsc_call_details *calls)
{
    struct nsc_input tick = {.type = NSC_INPUT_TICK};
    struct nsc_effects effects = nsc_app_input(app, input);

    while (effects.set & (NSC_EFFECT_WORK | NSC_EFFECT_DETAILS)) {
        struct nsc_details details = {0};
        struct nsc_error error = {0};
        struct nsc_input answer = {
            .type = NSC_INPUT_DETAILS, .event = effects.event, .details = &details};

        if (!(effects.set & NSC_EFFECT_DETAILS)) {
            effects = nsc_app_input(app, &tick);
            continue;
        }
        if (nsc_call_details_read(calls, &details, effects.event, &error) != NSC_OK) {
            answer.type = NSC_INPUT_MESSAGE;
            answer.text = error.text;
        }
        answer.waited = calls->waited;
        answer.has_waited = true;
        effects = nsc_app_input(app, &answer);
        nsc_details_fini(&details);
    }
}

void nsc_bookmark_picture(struct nsc_buf *out, struct nsc_call_details *calls,
                          const struct nsc_bookmark *bookmark, struct nsc_window zoom,
                          const char *name)
{
    static const char *const keys[] = {"'", "Home", "Enter"};
    const struct nsc_app_options options = {.file = name};
    struct nsc_app *app = nsc_app_new(&options);
    struct nsc_bookmark shown = nsc_bookmark_copy(bookmark);
    struct nsc_bookmarks list = {0};
    struct nsc_input resize = {.type = NSC_INPUT_RESIZE, .rows = ROWS, .cols = COLS};
    struct nsc_input loaded = {.type = NSC_INPUT_LOADED, .trace = calls->trace};
    struct nsc_input marks = {.type = NSC_INPUT_BOOKMARKS, .bookmarks = &list};
    struct nsc_theme theme;
    struct nsc_grid grid;

    shown.zoom = shown.has_zoom ? shown.zoom : zoom;
    shown.has_zoom = true;
    nsc_bookmarks_add(&list, &shown);
    loaded.tables = nsc_job_tables(calls->job, &loaded.n_tables);
    play(app, &resize, calls);
    play(app, &loaded, calls);
    play(app, &marks, calls);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct nsc_input key = {.type = NSC_INPUT_KEY};

        if (nsc_key_parse(&key.key, nsc_text_from(keys[i])))
            play(app, &key, calls);
    }
    nsc_theme_parse(&theme, nsc_text_from(nsc_theme_default), NULL, NULL);
    nsc_grid_init(&grid, false);
    nsc_grid_resize(&grid, ROWS, COLS);
    nsc_app_draw(app, &grid);
    nsc_screen_write(out, &grid, &theme, NSC_SCREEN_SVG);
    nsc_grid_fini(&grid);
    nsc_bookmarks_fini(&list);
    nsc_bookmark_fini(&shown);
    nsc_app_free(app);
}
