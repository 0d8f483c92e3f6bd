/* nsyscope render: prints any screen, at any size, after any keys, without a terminal. */
#include "cli/call_details.h"
#include "cli/commands.h"
#include "cli/config_files.h"
#include "cli/session/background.h"
#include "cli/session/store.h"
#include "cli/stack_reader.h"
#include "core/text.h"
#include "nsys/jobs/job_load.h"
#include "nsys/jobs/query.h"
#include "share/screen.h"
#include "view/app/app.h"
#include "view/pane/schema.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct stage {
    const struct nsc_options *options;
    struct nsc_app *app;
    struct nsc_trace *trace;
    struct nsc_theme theme;
    struct nsc_job *job;
    struct nsc_background *background;
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
    (void)nsc_app_input(stage->app, &input);
}

static void run_query(struct stage *stage, struct nsc_text text, uint32_t capture_no)
{
    struct nsc_query_ask ask = {.path = stage->options->operands[capture_no],
                                .options = &stage->options->open,
                                .limits = NSC_QUERY_SCREEN,
                                .loaded = nsc_job_capture(stage->job, capture_no)};
    struct nsc_input input = {.type = NSC_INPUT_QUERY};
    struct nsc_error error = {0};
    struct nsc_buf sql = NSC_BUF_INIT(1u << 20);

    nsc_buf_add(&sql, text.bytes, text.n);
    nsc_buf_puts(&sql, "");
    ask.sql = sql.bytes;
    if (nsc_query_run(&input.relation, &ask, &input.column, &error) != NSC_OK)
        input.text = error.text;
    (void)nsc_app_input(stage->app, &input); /* an answer returns no effects */
    nsc_buf_fini(&sql);
}

/* Starts the search for findings on another thread; take_findings ends it. */
static void find_findings(struct stage *stage)
{
    const struct nsc_options *options = stage->options;
    struct nsc_find_request find = {options->n_operands == 1 ? options->operands[0] : NULL,
                                    options->operands,
                                    &options->open,
                                    stage->job,
                                    is_ascii(options),
                                    nsc_app_iterations(stage->app)};

    nsc_background_find(stage->background, stage->trace, &find);
}

/* Reads the call stacks. Returns the effects: the graph is built of them. */
static struct nsc_effects read_stacks(struct stage *stage)
{
    struct nsc_input input = {.type = NSC_INPUT_STACKS};
    struct nsc_error error = {0};

    if (nsc_stacks_read_job(&input.stacks, stage->trace, stage->job, &error) != NSC_OK)
        input.text = error.text;
    return nsc_app_input(stage->app, &input);
}

static void answer_question(struct stage *stage)
{
    struct nsc_sheets sheets = {0};
    struct nsc_input input = {.type = NSC_INPUT_ANSWER};
    struct nsc_error error = {0};
    struct nsc_answer_request question;
    struct nsc_capture *capture =
        nsc_job_count(stage->job) == 1 ? nsc_job_capture(stage->job, 0) : NULL;

    if (!nsc_app_answer_request(stage->app, &question))
        return;
    if (strcmp(question.line, NSC_SCHEMA_QUESTION) == 0)
        error.status = nsc_schema_of_path(&sheets, stage->options->operands[question.capture_no],
                                          &stage->options->open, NULL, &error);
    else
        error.status = nsc_answer_of_trace(&sheets, stage->trace, capture, &question, &error);
    if (error.status == NSC_OK)
        input.sheets = &sheets;
    else
        input.text = error.text;
    (void)nsc_app_input(stage->app, &input); /* an answer returns no effects */
    nsc_sheets_fini(&sheets);
}

static void refuse_export(struct stage *stage)
{
    struct nsc_input input = {.type = NSC_INPUT_EXPORT,
                              .exported = NSC_EXPORTED_FAILED,
                              .text = "render writes no files: use nsyscope export"};

    refuse(stage, nsc_text_from(input.text));
    (void)nsc_app_input(stage->app, &input);
}

/* Builds one of the slots and removes it. */
static struct nsc_effects build(struct stage *stage, unsigned *slots)
{
    struct nsc_input input = {.type = NSC_INPUT_BUILT};

    while (!(*slots & 1u << input.slot))
        input.slot++;
    *slots &= ~(1u << input.slot);
    nsc_app_build_run(stage->app, input.slot);
    return nsc_app_input(stage->app, &input);
}

/* Shows the row of an event. Returns the effects. */
static struct nsc_effects show_details(struct stage *stage, nsc_event event)
{
    struct nsc_details details = {0};
    struct nsc_error error = {0};
    struct nsc_input input = {.type = NSC_INPUT_DETAILS, .event = event, .details = &details};
    struct nsc_effects effects;

    stage->calls.job = stage->job;
    stage->calls.trace = stage->trace;
    if (nsc_call_details_read(&stage->calls, &details, event, &error) != NSC_OK) {
        input.type = NSC_INPUT_MESSAGE;
        input.text = error.text;
    }
    input.waited = stage->calls.waited;
    input.has_waited = true;
    effects = nsc_app_input(stage->app, &input); /* the new row may start slices of work */
    nsc_details_fini(&details);
    return effects;
}

/* Carries out effects other than builds, details and call stacks. */
static void carry_out(struct stage *stage, struct nsc_effects effects)
{
    if (effects.set & NSC_EFFECT_REFUSED)
        refuse(stage, effects.text);
    if (effects.set & NSC_EFFECT_FINDINGS)
        find_findings(stage);
    if (effects.set & NSC_EFFECT_ANSWER)
        answer_question(stage);
    if (effects.set & NSC_EFFECT_EXPORT)
        refuse_export(stage);
    if (effects.set & NSC_EFFECT_ANSWER_WRITE)
        refuse(stage, nsc_text_from("render writes no files: use nsyscope skill run NAME FILE"));
    if (effects.set & NSC_EFFECT_SESSION)
        refuse(stage, nsc_text_from("render writes no files: use nsyscope session FILE"));
    if (effects.set & NSC_EFFECT_SCREENSHOT)
        refuse(stage, nsc_text_from("render prints the screen: use --format"));
    if (effects.set & NSC_EFFECT_ALIGN)
        refuse(stage, nsc_text_from("give --align instead"));
    if (effects.set & NSC_EFFECT_THEME)
        change_theme(stage, effects.text);
    if (effects.set & NSC_EFFECT_QUERY)
        run_query(stage, effects.text, effects.capture_no);
    stage->done = stage->done || (effects.set & NSC_EFFECT_QUIT);
}

/* Carries out effects, and those of their results. Returns true if work is left. */
static bool answer(struct stage *stage, struct nsc_effects effects)
{
    unsigned builds = 0;
    bool more = false;

    for (;;) {
        carry_out(stage, effects);
        more |= effects.set & NSC_EFFECT_WORK;
        builds |= effects.set & NSC_EFFECT_BUILD ? effects.builds : 0;
        if (effects.set & NSC_EFFECT_STACKS) {
            struct nsc_effects next = read_stacks(stage);

            builds |= next.set & NSC_EFFECT_BUILD ? next.builds : 0;
            more |= next.set & NSC_EFFECT_WORK;
        }
        if (effects.set & NSC_EFFECT_DETAILS)
            effects = show_details(stage, effects.event);
        else if (builds)
            effects = build(stage, &builds);
        else
            return more;
    }
}

/* Waits for the findings and returns them. False if no search runs. */
static bool take_findings(struct stage *stage)
{
    struct nsc_input input = {0};

    if (!nsc_background_wait_findings(stage->background, &input))
        return false;
    (void)answer(stage, nsc_app_input(stage->app, &input));
    return true;
}

/* Finishes work that runs in slices before pressing the next key. The findings come last, so that
 * the screen is the same on each run. */
static void play(struct stage *stage, const struct nsc_input *input)
{
    struct nsc_input tick = {.type = NSC_INPUT_TICK};

    (void)answer(stage, nsc_app_input(stage->app, input));
    do
        while (answer(stage, nsc_app_input(stage->app, &tick)))
            continue;
    while (take_findings(stage));
}

static enum nsc_status press_keys(struct stage *stage, const char *keys, struct nsc_error *error)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};

    while (*keys && !stage->done) {
        struct nsc_text word = {keys, 0};

        while (word.bytes[word.n] && !isspace((unsigned char)word.bytes[word.n]))
            word.n++;
        keys += word.n;
        if (word.n && !nsc_key_parse(&input.key, word))
            return nsc_fail(error, NSC_EINVAL,
                            "--keys: %.*s is no key; give them as '+ Right Shift+Tab Ctrl-L'",
                            (int)word.n, word.bytes);
        if (word.n)
            play(stage, &input);
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
        play(stage, &input);
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
                       nsc_role_key(nsc_cell_role(&grid->cells[i])));
        if (i % grid->cols == grid->cols - 1)
            nsc_buf_putc(out, '\n');
    }
}

static enum nsc_status write_screen(struct nsc_buf *out, const struct stage *stage,
                                    const struct nsc_options *options, struct nsc_error *error)
{
    const char *name =
        options->set[NSC_OPTION_FORMAT] ? options->arg[NSC_OPTION_FORMAT][0] : "text";
    enum nsc_screen_format format = nsc_screen_format_find(nsc_text_from(name));
    bool roles = strcmp(name, "roles") == 0;
    struct nsc_grid grid;

    if (!roles && format == NSC_N_SCREEN_FORMATS)
        return nsc_fail(error, NSC_EINVAL, "--format %s: give %s", name,
                        nsc_option_rows[NSC_OPTION_FORMAT].arguments);
    nsc_grid_init(&grid, is_ascii(options)); /* enlarged when drawn */
    nsc_grid_resize(&grid, options->rows, options->cols);
    nsc_app_draw(stage->app, &grid);
    if (roles)
        write_roles(out, &grid);
    else
        nsc_screen_write(out, &grid, &stage->theme, format);
    nsc_grid_fini(&grid);
    return NSC_OK;
}

/* Shows the bookmarks of --bookmarks. Reads no other file and saves nothing. */
static enum nsc_status show_bookmarks(struct stage *stage, const struct nsc_options *options,
                                      struct nsc_error *error)
{
    const char *file = options->arg[NSC_OPTION_BOOKMARKS][0];
    struct nsc_bookmarks list = {0};
    struct nsc_input input = {.type = NSC_INPUT_BOOKMARKS, .bookmarks = &list};
    struct nsc_store *store = NULL;
    char identity[NSC_IDENTITY_BYTES];
    enum nsc_status status = NSC_OK;

    if (!file)
        return NSC_OK;
    status = nsc_job_identity(identity, stage->job, error);
    if (status == NSC_OK)
        status = nsc_store_open(&store, identity, file, error);
    if (status == NSC_OK)
        status = nsc_store_load(store, &list, NULL, error);
    if (status == NSC_OK)
        play(stage, &input);
    nsc_bookmarks_fini(&list);
    nsc_store_close(store);
    return status;
}

static enum nsc_status render(struct nsc_buf *out, struct stage *stage,
                              const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_input resize = {
        .type = NSC_INPUT_RESIZE, .rows = options->rows, .cols = options->cols};
    struct nsc_input loaded = {.type = NSC_INPUT_LOADED, .trace = stage->trace};
    enum nsc_status status = NSC_OK;

    loaded.tables = nsc_job_tables(stage->job, &loaded.n_tables);
    play(stage, &resize);
    play(stage, &loaded);
    status = show_bookmarks(stage, options, error);
    if (status == NSC_OK)
        status = run_commands(stage, options, error);
    if (status == NSC_OK && options->set[NSC_OPTION_KEYS])
        status = press_keys(stage, options->arg[NSC_OPTION_KEYS][0], error);
    return status == NSC_OK ? write_screen(out, stage, options, error) : status;
}

int nsc_cmd_render(const struct nsc_options *options)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 30);
    struct nsc_error error = {0};
    struct nsc_keymap keymap;
    struct nsc_presets presets;
    struct nsc_app_options app = {.file = options->file,
                                  .files = options->operands,
                                  .n_files = options->n_operands,
                                  .align = options->arg[NSC_OPTION_ALIGN][0],
                                  .compare = options->set[NSC_OPTION_COMPARE],
                                  .ascii = is_ascii(options),
                                  .ascii_only = nsc_output_is_ascii(),
                                  .theme = options->arg[NSC_OPTION_THEME][0],
                                  .builds_apart = true,
                                  .keymap = &keymap,
                                  .filter = options->arg[NSC_OPTION_FILTER][0]};
    struct stage stage = {.options = options};
    enum nsc_status status = nsc_keymap_load(&keymap, options->arg[NSC_OPTION_KEYMAP][0], &error);
    int result = 0;

    if (status == NSC_OK)
        status = nsc_theme_load(&stage.theme, options->arg[NSC_OPTION_THEME][0], &error);
    if (status == NSC_OK)
        status = nsc_filter_check(app.filter, &error);
    if (status == NSC_OK)
        status = nsc_load_operands(&stage.trace, &stage.job, options, &error);
    if (status == NSC_OK)
        status = nsc_check_trim(&options->open, stage.trace, stage.job, &error);
    if (status != NSC_OK) {
        nsc_trace_free(stage.trace);
        nsc_job_close(stage.job);
        return nsc_complain(&error);
    }
    nsc_presets_init(&presets);
    app.presets = presets.list.at;
    app.n_presets = (uint32_t)presets.list.n;
    app.export_colors = stage.theme.nvtx_export;
    stage.app = nsc_app_new(&app);
    stage.background = nsc_background_new(-1);
    status = render(&out, &stage, options, &error);
    result = status == NSC_OK ? nsc_print(&out) : nsc_complain(&error);
    nsc_background_free(stage.background);
    nsc_app_free(stage.app);
    nsc_presets_fini(&presets);
    nsc_call_details_fini(&stage.calls);
    nsc_trace_free(stage.trace);
    nsc_job_close(stage.job);
    nsc_buf_fini(&out);
    return result;
}
