/*
 * Finds the files of themes and keymaps.
 */
#include "cli/config_files.h"
#include "core/paths.h"
#include "core/text.h"
#include "tui/term.h"
#include "view/kit/theme.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_LIMIT (1u << 20)
#define NAME_LIMIT 8192

/* Brightness of a background: 0 is black, 1 is white. */
#define LIGHT_LUMINANCE 0.18
#define DARK_LUMINANCE  0.03

struct origin {
    const char *path;
    bool quiet;
};

static void warn(void *context, unsigned line, const char *what)
{
    const struct origin *origin = context;

    if (!origin->quiet)
        fprintf(stderr, "nsyscope: %s:%u: %s\n", origin->path, line, what);
}

/* Finds a theme by name in the config and data folders. */
static bool find_theme(struct nsc_buf *path, const char *name)
{
    char leaf[300];

    snprintf(leaf, sizeof leaf, "themes/%.200s.theme", name);
    if (nsc_path_home(path, NSC_PATH_CONFIG, leaf) && access(path->bytes, R_OK) == 0)
        return true;
    for (unsigned i = 0;; i++) {
        nsc_buf_clear(path);
        if (!nsc_path_data(path, i, leaf))
            return false;
        if (access(path->bytes, R_OK) == 0)
            return true;
    }
}

static enum nsc_status parse_theme_file(struct nsc_theme *theme, const char *path, bool quiet,
                                        struct nsc_error *error)
{
    struct nsc_buf text = NSC_BUF_INIT(FILE_LIMIT + 1);
    struct origin origin = {path, quiet};
    enum nsc_status status = nsc_file_read(&text, path, FILE_LIMIT, error);

    if (status == NSC_OK)
        nsc_theme_parse(theme, nsc_text_of_buf(&text), warn, &origin);
    nsc_buf_fini(&text);
    return status;
}

static bool parse_builtin(struct nsc_theme *theme, const char *name)
{
    for (unsigned i = 0; i < nsc_n_theme_files; i++) {
        if (strcmp(nsc_theme_files[i].name, name) != 0)
            continue;
        nsc_theme_parse(theme, nsc_text_from(nsc_theme_files[i].text), NULL, NULL);
        return true;
    }
    return false;
}

static enum nsc_status fail_unknown(const char *name, struct nsc_error *error)
{
    struct nsc_buf names = NSC_BUF_INIT(200);
    enum nsc_status status;

    for (unsigned i = 0; i < nsc_n_theme_files; i++)
        nsc_buf_printf(&names, "%s%s", i ? ", " : "", nsc_theme_files[i].name);
    status = nsc_fail(error, NSC_EINVAL, "--theme %s: no such theme; there are %s, or give a file",
                      name, names.bytes);
    nsc_buf_fini(&names);
    return status;
}

enum nsc_status nsc_theme_load(struct nsc_theme *theme, const char *name, bool quiet,
                               struct nsc_error *error)
{
    struct nsc_buf path = NSC_BUF_INIT(8192);
    enum nsc_status status = NSC_OK;

    if (!name)
        nsc_theme_parse(theme, nsc_text_from(nsc_theme_default), NULL, NULL);
    else if (strchr(name, '/') || nsc_text_ends(nsc_text_from(name), ".theme"))
        status = parse_theme_file(theme, name, quiet, error);
    else if (find_theme(&path, name))
        status = parse_theme_file(theme, path.bytes, quiet, error);
    else if (!parse_builtin(theme, name))
        status = fail_unknown(name, error);
    nsc_buf_fini(&path);
    return status;
}

enum nsc_status nsc_theme_change(struct nsc_theme *theme, struct nsc_text name,
                                 struct nsc_error *error)
{
    struct nsc_buf copy = NSC_BUF_INIT(NAME_LIMIT);
    struct nsc_theme loaded;
    enum nsc_status status = NSC_OK;

    nsc_buf_add(&copy, name.bytes, name.n);
    status = nsc_theme_load(&loaded, copy.n ? copy.bytes : "", true, error);
    if (status == NSC_OK)
        *theme = loaded;
    nsc_buf_fini(&copy);
    return status;
}

enum nsc_status nsc_theme_fit(struct nsc_theme *theme, const struct nsc_term *term,
                              struct nsc_error *error)
{
    double light = nsc_color_luminance(term->backdrop.color);

    if (term->backdrop.known && light > LIGHT_LUMINANCE)
        return nsc_theme_change(theme, nsc_text_from("light"), error);
    if (!term->backdrop.known || light > DARK_LUMINANCE || term->info.color == NSC_COLOR_16)
        nsc_theme_cover(theme);
    return NSC_OK;
}

enum nsc_status nsc_keymap_load(struct nsc_keymap *keymap, const char *path,
                                struct nsc_error *error)
{
    struct nsc_buf text = NSC_BUF_INIT(FILE_LIMIT + 1);
    struct origin origin = {path, false};
    enum nsc_status status = NSC_OK;

    nsc_keymap_init(keymap);
    for (unsigned i = 0; path && i < nsc_n_keymap_files; i++) {
        if (strcmp(nsc_keymap_files[i].name, path) != 0)
            continue;
        nsc_keymap_parse(keymap, nsc_text_from(nsc_keymap_files[i].text), NULL, NULL);
        path = NULL;
    }
    if (path) {
        status = nsc_file_read(&text, path, FILE_LIMIT, error);
        if (status == NSC_OK)
            nsc_keymap_parse(keymap, nsc_text_of_buf(&text), warn, &origin);
    }
    nsc_buf_fini(&text);
    return status;
}
