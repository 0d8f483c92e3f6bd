/* Collects the start commands, and sets the locale. */
#include "cli/session/startup.h"

#include "cli/commands.h"
#include "cli/config_files.h"
#include "core/paths.h"
#include "core/text.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { FILE_LIMIT = 1 << 20, PATH_LIMIT = 8192 };

static void add_lines(struct nsc_startup *startup, struct nsc_text text)
{
    while (text.n) {
        struct nsc_text line = nsc_text_split(&text, '\n');

        while (line.n && (*line.bytes == ' ' || *line.bytes == '\t')) {
            line.bytes++;
            line.n--;
        }
        if (line.n && *line.bytes != '#')
            *NSC_VEC_ADD(&startup->commands) = nsc_arena_copy(&startup->arena, line.bytes, line.n);
    }
}

void nsc_startup_init(struct nsc_startup *startup, const struct nsc_options *options)
{
    struct nsc_buf path = NSC_BUF_INIT(PATH_LIMIT);
    struct nsc_buf text = NSC_BUF_INIT(FILE_LIMIT + 1);
    struct nsc_error error = {0};

    memset(startup, 0, sizeof *startup);
    nsc_settings_load(startup, options);
    if (nsc_path_home(&path, NSC_PATH_CONFIG, "rc") && access(path.bytes, F_OK) == 0) {
        if (nsc_file_read(&text, path.bytes, FILE_LIMIT, &error) != NSC_OK)
            (void)nsc_complain(&error);
        else
            add_lines(startup, nsc_text_of_buf(&text));
    }
    for (uint32_t i = 0; i < options->n_commands; i++)
        *NSC_VEC_ADD(&startup->commands) = options->commands[i];
    nsc_buf_fini(&text);
    nsc_buf_fini(&path);
}

void nsc_startup_fini(struct nsc_startup *startup)
{
    NSC_VEC_FINI(&startup->commands);
    nsc_arena_fini(&startup->arena);
}

/* ---- the locale ---- */

/* Cluster nodes often lack the user's locale, and an empty container has none, although the terminal
 * uses UTF-8. A locale of another codeset may load code of the system's C library: it stays out. */
bool nsc_locale_set(void)
{
    bool is_utf8 = setlocale(LC_CTYPE, "") ? !strcasecmp(nl_langinfo(CODESET), "UTF-8")
                                           : !nsc_output_is_ascii();

    if (!is_utf8 || strcasecmp(nl_langinfo(CODESET), "UTF-8") != 0)
        (void)setlocale(LC_CTYPE, is_utf8 ? "C.UTF-8" : "C");
    return is_utf8;
}
