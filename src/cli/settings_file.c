/* Reads and replaces the section of settings, and keeps the rest of the file. */
#include "cli/config_files.h"
#include "cli/session/startup.h"
#include "core/ini.h"
#include "core/paths.h"
#include "core/text.h"

#include <string.h>
#include <unistd.h>

enum { FILE_LIMIT = 1 << 20, PATH_LIMIT = 8192, LINE_LIMIT = 1024 };

static const char section[] = "settings";

/* ---- reading ---- */

struct loading {
    struct nsc_startup *startup;
    const struct nsc_options *options;
};

/* Options of the command line override saved settings. */
static bool is_decided(const struct nsc_options *options, struct nsc_text key)
{
    static const struct {
        const char *key;
        enum nsc_option option;
    } pairs[] = {{"theme", NSC_OPTION_THEME},
                 {"colours", NSC_OPTION_COLOR},
                 {"glyphs", NSC_OPTION_ASCII},
                 {"mouse", NSC_OPTION_NO_MOUSE}};

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (nsc_text_is(key, pairs[i].key))
            return options->set[pairs[i].option];
    return false;
}

static void entry(void *context, const struct nsc_ini_entry *entry)
{
    const struct loading *loading = context;
    struct nsc_startup *startup = loading->startup;
    struct nsc_buf line = NSC_BUF_INIT(LINE_LIMIT);

    if (!nsc_text_is(entry->section, section) || is_decided(loading->options, entry->key))
        return;
    nsc_buf_puts(&line, "set ");
    nsc_buf_add(&line, entry->key.bytes, entry->key.n);
    nsc_buf_puts(&line, " ");
    nsc_buf_add(&line, entry->value.bytes, entry->value.n);
    if (!line.overflow)
        *NSC_VEC_ADD(&startup->commands) = nsc_arena_copy(&startup->arena, line.bytes, line.n);
    nsc_buf_fini(&line);
}

void nsc_settings_load(struct nsc_startup *startup, const struct nsc_options *options)
{
    struct loading loading = {startup, options};

    nsc_ini_parse(nsc_text_of_buf(&options->config), entry, NULL, &loading);
}

/* ---- writing ---- */

/* Whether the line begins a section: "[name]". *ours: the section of settings. */
static bool is_header(struct nsc_text line, bool *ours)
{
    uint32_t at = 0;
    size_t n = strlen(section);

    while (at < line.n && (line.bytes[at] == ' ' || line.bytes[at] == '\t'))
        at++;
    if (at == line.n || line.bytes[at] != '[')
        return false;
    do
        at++;
    while (at < line.n && (line.bytes[at] == ' ' || line.bytes[at] == '\t'));
    *ours = line.n - at > n && memcmp(line.bytes + at, section, n) == 0 &&
            (line.bytes[at + n] == ']' || line.bytes[at + n] == ' ' || line.bytes[at + n] == '\t');
    return true;
}

/* Copies the lines outside of the section of settings. */
static void add_others(struct nsc_buf *out, struct nsc_text text)
{
    bool ours = false;

    while (text.n) {
        struct nsc_text line = nsc_text_split(&text, '\n');

        (void)is_header(line, &ours);
        if (ours)
            continue;
        nsc_buf_add(out, line.bytes, line.n);
        nsc_buf_putc(out, '\n');
    }
}

static enum nsc_status save(const char *path, struct nsc_text lines, struct nsc_error *error)
{
    struct nsc_buf before = NSC_BUF_INIT(FILE_LIMIT + 1);
    struct nsc_buf after = NSC_BUF_INIT(2 * FILE_LIMIT);
    enum nsc_status status = NSC_OK;

    if (access(path, F_OK) == 0)
        status = nsc_file_read(&before, path, FILE_LIMIT, error);
    else
        status = nsc_file_folders(path, error);
    if (status == NSC_OK) {
        add_others(&after, nsc_text_of_buf(&before));
        nsc_buf_printf(&after, "[%s]\n", section);
        nsc_buf_add(&after, lines.bytes, lines.n);
        status = nsc_file_write(path, NSC_FILE_OWN, &after, error);
    }
    nsc_buf_fini(&before);
    nsc_buf_fini(&after);
    return status;
}

enum nsc_status nsc_settings_save(struct nsc_text lines, struct nsc_error *error)
{
    struct nsc_buf path = NSC_BUF_INIT(PATH_LIMIT);
    enum nsc_status status = NSC_OK;

    if (nsc_path_home(&path, NSC_PATH_CONFIG, "config.ini"))
        status = save(path.bytes, lines, error);
    else
        status = nsc_fail(error, NSC_EIO,
                          "no place for settings: neither XDG_CONFIG_HOME nor HOME "
                          "is a folder's full path");
    nsc_buf_fini(&path);
    return status;
}
