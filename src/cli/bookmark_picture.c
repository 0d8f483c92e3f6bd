/* Draws the screen after pressing the keys that go to a bookmark. */
#include "cli/bookmark_session.h"
#include "cli/session/host.h"
#include "share/screen.h"

enum { ROWS = 34, COLS = 132 };

void nsc_bookmark_picture(struct nsc_buf *out, struct nsc_call_details *calls,
                          const struct nsc_bookmark *bookmark, struct nsc_window zoom,
                          const char *name)
{
    static const char *const keys[] = {"'", "Home", "Enter"};
    const struct nsc_app_options options = {.file = name};
    struct nsc_host host = {.app = nsc_app_new(&options),
                            .tasks = nsc_tasks_new(-1),
                            .calls = calls,
                            .wanted = NSC_NONE};
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
    nsc_host_loaded(&host, calls->trace, calls->job);
    nsc_host_play(&host, &resize);
    nsc_host_play(&host, &loaded);
    nsc_host_play(&host, &marks);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct nsc_input key = {.type = NSC_INPUT_KEY};

        if (nsc_key_parse(&key.key, nsc_text_from(keys[i])))
            nsc_host_play(&host, &key);
    }
    nsc_theme_parse(&theme, nsc_text_from(nsc_theme_default), NULL, NULL);
    nsc_grid_init(&grid, false);
    nsc_grid_resize(&grid, ROWS, COLS);
    nsc_app_draw(host.app, &grid);
    nsc_screen_write(out, &grid, &theme, NSC_SCREEN_SVG);
    nsc_grid_fini(&grid);
    nsc_bookmarks_fini(&list);
    nsc_bookmark_fini(&shown);
    nsc_tasks_free(host.tasks);
    nsc_app_free(host.app);
}
