/* Writes bookmarks, tables and screens to files that the user names on the screen. */
#include "cli/session/session.h"
#include "core/die.h"
#include "core/paths.h"
#include "share/screen.h"
#include "share/sheet_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum nsc_status nsc_bookmarks_share(const char *path, const struct nsc_bookmarks *list,
                                    const char *identity, struct nsc_error *error)
{
    struct nsc_buf text = NSC_BUF_INIT(1u << 30);
    enum nsc_status status = NSC_OK;

    nsc_bookmarks_format(&text, list, NULL, identity, false);
    if (access(path, F_OK) == 0)
        status = nsc_fail(error, NSC_EINVAL, "%s exists: give the name of a new file", path);
    else
        status = nsc_file_write(path, 0, nsc_text_of_buf(&text), error);
    nsc_buf_fini(&text);
    return status;
}

void nsc_answer_write(struct nsc_app *app, struct nsc_text name)
{
    struct nsc_input input = {.type = NSC_INPUT_MESSAGE};
    struct nsc_error error = {NSC_OK, ""};
    const struct nsc_sheet *sheet = nsc_app_answer_sheet(app);
    char *path = nsc_xcopy(name.bytes, name.n);

    if (sheet && nsc_sheet_save(path, sheet, &error) == NSC_OK)
        (void)snprintf(error.text, sizeof error.text, "Written to %s.", path);
    input.text = error.text;
    (void)nsc_app_input(app, &input); /* an answer returns no effects */
    free(path);
}

static enum nsc_status draw_to_file(const char *path, const struct nsc_app *app,
                                    const struct nsc_theme *theme, struct nsc_error *error)
{
    enum nsc_screen_format format = nsc_screen_format_of_file(path);
    struct nsc_buf text = NSC_BUF_INIT(1u << 30);
    enum nsc_status status = NSC_OK;
    struct nsc_grid grid;

    if (format == NSC_N_SCREEN_FORMATS)
        return nsc_fail(error, NSC_EINVAL, "%s: the name must end in .svg, .html, .ansi or .txt",
                        path);
    if (access(path, F_OK) == 0)
        return nsc_fail(error, NSC_EINVAL, "%s exists: give the name of a new file", path);
    nsc_grid_init(&grid, false); /* enlarged when drawn */
    nsc_app_draw(app, &grid);
    nsc_screen_write(&text, &grid, theme, format);
    status = nsc_file_write(path, 0, nsc_text_of_buf(&text), error);
    nsc_grid_fini(&grid);
    nsc_buf_fini(&text);
    return status;
}

void nsc_screenshot_write(struct nsc_app *app, const struct nsc_theme *theme, struct nsc_text name)
{
    struct nsc_input input = {.type = NSC_INPUT_MESSAGE};
    struct nsc_error error = {NSC_OK, ""};
    char *path = nsc_xcopy(name.bytes, name.n);

    if (draw_to_file(path, app, theme, &error) == NSC_OK)
        (void)snprintf(error.text, sizeof error.text, "Written to %s.", path);
    input.text = error.text;
    (void)nsc_app_input(app, &input); /* an answer returns no effects */
    free(path);
}
