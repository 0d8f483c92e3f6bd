/* nsyscope render: prints any screen, at any size, after any keys, without a terminal. */
#include "cli/call_details.h"
#include "cli/cmd/job.h"
#include "cli/commands.h"
#include "cli/scope_window.h"
#include "cli/session/host.h"
#include "core/text.h"
#include "nsys/jobs/job_load.h"
#include "share/screen.h"

#include <ctype.h>
#include <stdio.h>

struct stage {
    const struct nsc_options *options;
    struct nsc_host host;
    struct nsc_trace *trace;
    struct nsc_job *job;
    struct nsc_theme theme;
    struct nsc_call_details calls;
    bool done;    /* a key has quit */
    bool refused; /* a command failed */
    char why[sizeof((struct nsc_error *)0)->text];
};

static bool is_ascii(const struct nsc_options *options)
{
    return options->set[NSC_OPTION_ASCII] || nsc_output_is_ascii();
}

static void refuse(struct stage *stage, struct nsc_text why)
{
    stage->refused = true;
    (void)snprintf(stage->why, sizeof stage->why, "%.*s", (int)why.n, why.bytes);
}

static void change_theme(struct stage *stage, struct nsc_text name)
{
    struct nsc_input input = {.type = NSC_INPUT_THEME};
    struct nsc_error error = {0};

    if (nsc_theme_change(&stage->theme, name, &error) != NSC_OK)
        refuse(stage, nsc_text_from(error.text));
    input.export_colors = stage->theme.nvtx_export;
    (void)nsc_app_input(stage->host.app, &input);
}

static void refuse_export(struct stage *stage)
{
    struct nsc_input input = {.type = NSC_INPUT_EXPORT,
                              .exported = NSC_EXPORTED_FAILED,
                              .text = "render writes no files: use nsyscope export"};

    refuse(stage, nsc_text_from(input.text));
    (void)nsc_app_input(stage->host.app, &input);
}

/* Refuses what the host does not do. */
static void refuse_others(void *context, const struct nsc_effects *effects)
{
    static const struct {
        unsigned effect;
        const char *why;
    } refused[] = {
        {NSC_EFFECT_ANSWER_WRITE, "render writes no files: use nsyscope skill run NAME FILE"},
        {NSC_EFFECT_SESSION, "render writes no files: use nsyscope session FILE"},
        {NSC_EFFECT_SCREENSHOT, "render prints the screen: use --format"},
        {NSC_EFFECT_ALIGN, "give --align instead"}};
    struct stage *stage = context;

    if (effects->set & NSC_EFFECT_REFUSED)
        refuse(stage, effects->text);
    if (effects->set & NSC_EFFECT_EXPORT)
        refuse_export(stage);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (effects->set & refused[i].effect)
            refuse(stage, nsc_text_from(refused[i].why));
    if (effects->set & NSC_EFFECT_THEME)
        change_theme(stage, effects->text);
    stage->done = stage->done || (effects->set & NSC_EFFECT_QUIT);
}

static enum nsc_status press_keys(struct nsc_screen screen, const char *keys,
                                  struct nsc_error *error)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};
    bool done = false;

    while (*keys && !done) {
        struct nsc_text word = {keys, 0};

        while (word.bytes[word.n] && !isspace((unsigned char)word.bytes[word.n]))
            word.n++;
        keys += word.n;
        if (word.n && !nsc_key_parse(&input.key, word))
            return nsc_fail(error, NSC_EINVAL,
                            "--keys: %.*s is no key; give them as '+ Right Shift+Tab Ctrl-L'",
                            (int)word.n, word.bytes);
        if (word.n)
            done = screen.input(screen.context, &input).set & NSC_EFFECT_QUIT;
        while (isspace((unsigned char)*keys))
            keys++;
    }
    return NSC_OK;
}

static enum nsc_status run_commands(struct stage *stage, const struct nsc_options *options,
                                    struct nsc_error *error)
{
    struct nsc_input input = {.type = NSC_INPUT_COMMAND};

    for (uint32_t i = 0; i < options->n_commands && !stage->done; i++) {
        input.text = options->commands[i];
        nsc_host_play(&stage->host, &input);
        if (stage->refused)
            return nsc_fail(error, NSC_EINVAL, "-c %.80s: %s", input.text, stage->why);
    }
    return NSC_OK;
}

/* Writes the role of each cell, one line for each row of the screen. */
static void write_roles(struct nsc_buf *out, const struct nsc_grid *grid)
{
    for (uint32_t i = 0; i < grid->rows * grid->cols; i++) {
        nsc_buf_printf(out, "%s%s", i % grid->cols ? " " : "",
                       nsc_roles[nsc_cell_role(&grid->cells[i])].key);
        if (i % grid->cols == grid->cols - 1)
            nsc_buf_putc(out, '\n');
    }
}

static void write_screen(struct nsc_buf *out, struct nsc_screen screen,
                         const struct nsc_theme *theme, const struct nsc_options *options)
{
    const char *name = nsc_option_word(options, NSC_OPTION_FORMAT, "text");
    enum nsc_screen_format format = nsc_screen_format_find(nsc_text_from(name));
    struct nsc_grid grid;

    nsc_grid_init(&grid, is_ascii(options)); /* enlarged when drawn */
    nsc_grid_resize(&grid, options->rows, options->cols);
    screen.draw(screen.context, &grid);
    if (format == NSC_N_SCREEN_FORMATS)
        write_roles(out, &grid);
    else
        nsc_screen_write(out, &grid, theme, format);
    nsc_grid_fini(&grid);
}

enum nsc_status nsc_screen_render(struct nsc_screen screen, const struct nsc_theme *theme,
                                  const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 30);
    enum nsc_status status = NSC_OK;

    if (options->set[NSC_OPTION_KEYS])
        status = press_keys(screen, options->arg[NSC_OPTION_KEYS][0], error);
    if (status == NSC_OK) {
        write_screen(&out, screen, theme, options);
        status = nsc_print(&out, error);
    }
    nsc_buf_fini(&out);
    return status;
}

static struct nsc_effects play(void *context, const struct nsc_input *input)
{
    struct stage *stage = context;

    if (!stage->done)
        nsc_host_play(&stage->host, input);
    return (struct nsc_effects){.set = stage->done ? NSC_EFFECT_QUIT : 0};
}

static void draw(void *context, struct nsc_grid *grid)
{
    nsc_app_draw(((struct stage *)context)->host.app, grid);
}

/* Shows the bookmarks of --bookmarks. Reads no other file and saves nothing. */
static enum nsc_status show_bookmarks(struct stage *stage, const struct nsc_options *options,
                                      struct nsc_error *error)
{
    struct nsc_bookmarks list = {0};
    struct nsc_input input = {.type = NSC_INPUT_BOOKMARKS, .bookmarks = &list};
    char identity[NSC_IDENTITY_BYTES];
    enum nsc_status status = NSC_OK;

    if (!options->set[NSC_OPTION_BOOKMARKS])
        return NSC_OK;
    status = nsc_job_identity(identity, stage->job, error);
    if (status == NSC_OK)
        status = nsc_bookmarks_load(&list, identity, options, error);
    if (status == NSC_OK)
        nsc_host_play(&stage->host, &input);
    nsc_bookmarks_fini(&list);
    return status;
}

static enum nsc_status render(struct stage *stage, const struct nsc_options *options,
                              struct nsc_error *error)
{
    struct nsc_input resize = {
        .type = NSC_INPUT_RESIZE, .rows = options->rows, .cols = options->cols};
    struct nsc_input loaded = {.type = NSC_INPUT_LOADED, .trace = stage->trace};
    enum nsc_status status = NSC_OK;

    loaded.tables = nsc_job_tables(stage->job, &loaded.n_tables);
    nsc_host_play(&stage->host, &resize);
    nsc_host_play(&stage->host, &loaded);
    status = show_bookmarks(stage, options, error);
    if (status == NSC_OK)
        status = run_commands(stage, options, error);
    if (status == NSC_OK)
        status = nsc_screen_render((struct nsc_screen){stage, play, draw}, &stage->theme, options,
                                   error);
    if (status == NSC_OK && nsc_app_is_short(stage->host.app))
        status = nsc_fail(error, NSC_ENOMEM, "not enough memory for a part of the screen");
    return status;
}

enum nsc_status nsc_cmd_render(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_screen_setup setup;
    struct nsc_app_options app;
    const struct nsc_job_options loading = nsc_options_job(options);
    struct stage stage = {.options = options};
    enum nsc_status status = nsc_screen_setup_init(&setup, options, error);

    if (status == NSC_OK && nsc_names_job(options))
        return nsc_job_show(&setup, error);
    if (status == NSC_OK)
        status =
            nsc_open_and_load(&stage.trace, &stage.job, nsc_options_files(options), options, error);
    if (status == NSC_OK)
        status = nsc_check_trim(&options->open, stage.trace, stage.job, error);
    if (status == NSC_OK) {
        app = nsc_screen_setup_app(&setup);
        stage.theme = setup.theme;
        stage.host = (struct nsc_host){.app = nsc_app_new(&app),
                                       .tasks = nsc_tasks_new(-1),
                                       .paths = options->operands,
                                       .loading = &loading,
                                       .calls = &stage.calls,
                                       .ascii = app.ascii,
                                       .wanted = NSC_NONE,
                                       .others = refuse_others,
                                       .context = &stage};
        nsc_host_loaded(&stage.host, stage.trace, stage.job);
        status = render(&stage, options, error);
        nsc_tasks_free(stage.host.tasks);
        nsc_app_free(stage.host.app);
        nsc_screen_setup_fini(&setup);
        nsc_call_details_fini(&stage.calls);
    }
    nsc_trace_free(stage.trace);
    nsc_job_close(stage.job);
    return status;
}
