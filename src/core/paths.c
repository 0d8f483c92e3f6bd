/*
 * Finds the folders of settings, state and data.
 */
#include "core/paths.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *variable, *fallback;
} homes[] = {
    [NSC_PATH_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
    [NSC_PATH_STATE] = {"XDG_STATE_HOME", ".local/state"},
    [NSC_PATH_DATA] = {"XDG_DATA_HOME", ".local/share"},
    [NSC_PATH_CACHE] = {"XDG_CACHE_HOME", ".cache"},
};

/* The specification says to ignore relative paths. */
static const char *absolute(const char *variable)
{
    const char *value = getenv(variable);

    return value && value[0] == '/' ? value : NULL;
}

bool nsc_path_home(struct nsc_buf *out, enum nsc_path_kind kind, const char *leaf)
{
    const char *home = absolute(homes[kind].variable);

    if (home) {
        nsc_buf_printf(out, "%s/nsyscope/%s", home, leaf);
        return true;
    }
    home = absolute("HOME");
    if (!home)
        return false;
    nsc_buf_printf(out, "%s/%s/nsyscope/%s", home, homes[kind].fallback, leaf);
    return true;
}

bool nsc_path_data(struct nsc_buf *out, unsigned i, const char *leaf)
{
    struct nsc_buf scratch = NSC_BUF_INIT(out->limit);
    const char *dirs = getenv("XDG_DATA_DIRS");
    bool has_home = nsc_path_home(&scratch, NSC_PATH_DATA, leaf);

    if (has_home && i == 0)
        nsc_buf_add(out, scratch.bytes, scratch.n);
    nsc_buf_fini(&scratch);
    if (has_home && i == 0)
        return true;
    i -= has_home;
    if (!dirs || !*dirs)
        dirs = "/usr/local/share:/usr/share";
    while (*dirs) {
        size_t n = strcspn(dirs, ":");

        if (dirs[0] == '/' && i-- == 0) {
            nsc_buf_printf(out, "%.*s/nsyscope/%s", (int)n, dirs, leaf);
            return true;
        }
        dirs += n + (dirs[n] == ':');
    }
    return false;
}

char *nsc_path_folder(const char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    while (n > 1 && path[n - 1] == '/')
        n--;
    return n ? nsc_xcopy(path, n) : nsc_xcopy(".", 1);
}
