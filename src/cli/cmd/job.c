/*
 * nsyscope JOB: the screen of a job, of its sketches; render draws it without a terminal.
 *
 * Enter opens the export of a rank in this process, and comes back to the job.
 */
#include "cli/cmd/job.h"

#include "board/board.h"
#include "cli/commands.h"
#include "cli/session/store.h"
#include "core/paths.h"
#include "core/threads.h"
#include "fleet/job.h"
#include "open/progress_line.h"
#include "share/sheet_write.h"
#include "tui/signals.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
    const struct nsc_options *options;
    struct nsc_documents documents;
    struct nsc_fleet fleet;
    struct nsc_judged judged;
    struct nsc_job_values values;
    struct nsc_board board;
    struct nsc_store *store; /* of the bookmarks; NULL: none are kept */
    struct nsc_buf path;     /* of the export to open */
};

bool nsc_names_job(const struct nsc_options *options)
{
    return (options->command == NSC_COMMAND_OPEN || options->command == NSC_COMMAND_RENDER ||
            options->command == NSC_COMMAND_BOOKMARKS) &&
           options->file && nsc_documents_are(options->file);
}

static void complain(void *context, const struct nsc_error *error)
{
    (void)context;
    (void)nsc_complain(error);
}

enum nsc_status nsc_job_documents(struct nsc_documents *out, const struct nsc_options *options,
                                  unsigned n, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    out->complain = out->complain ? out->complain : complain;
    for (unsigned i = 0; i < n && status == NSC_OK; i++)
        status = nsc_documents_take(out, options->operands[i], error);
    nsc_documents_sort(out);
    return status;
}

/* ---- Esc while the sketches are read ---- */

struct keys {
    pthread_t thread;
    int end[2]; /* a pipe, closed at the end */
};

/* Esc ends the program as Ctrl-C does; the sequence of another key does not end in one. */
static void *watch(void *context)
{
    const struct keys *keys = context;
    struct pollfd on[] = {{STDIN_FILENO, POLLIN, 0}, {keys->end[0], POLLIN, 0}};
    char bytes[64];
    ssize_t n = 1;

    while (n > 0 && poll(on, 2, -1) > 0 && !on[1].revents) {
        n = read(STDIN_FILENO, bytes, sizeof bytes);
        if (n > 0 && bytes[n - 1] == '\033')
            (void)kill(getpid(), SIGINT);
    }
    return NULL;
}

/* Watches the keys of the terminal, which signals restore. False: there is none, or it is not ours now. */
static bool take_keys(struct keys *keys)
{
    struct nsc_restore restore = {STDIN_FILENO, fcntl(STDIN_FILENO, F_GETFL), {0}, "\r\033[K", -1};
    struct termios now;

    if (!isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &restore.saved) != 0 ||
        tcgetpgrp(STDIN_FILENO) != getpgrp() || pipe(keys->end) != 0)
        return false;
    now = restore.saved;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    nsc_signals_install(&restore);
    nsc_signals_enter();
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
    if (nsc_thread_start(&keys->thread, watch, keys))
        return true;
    nsc_signals_leave();
    nsc_signals_remove();
    return false;
}

static void give_keys(struct keys *keys)
{
    (void)close(keys->end[1]);
    pthread_join(keys->thread, NULL);
    (void)close(keys->end[0]);
    (void)tcdrain(STDIN_FILENO); /* what is written stays */
    nsc_signals_leave();
    nsc_signals_remove();
}

/* ---- the job ---- */

static enum nsc_status read_job(struct job *job, struct nsc_error *error)
{
    struct nsc_progress_line *line =
        nsc_progress_line_open(STDERR_FILENO, NSC_PROGRESS_LINE_MS, "sketches (Esc cancels)");
    struct keys keys;
    bool has_keys = job->options->command == NSC_COMMAND_OPEN && take_keys(&keys);
    enum nsc_status status =
        nsc_job_documents(&job->documents, job->options, job->options->n_operands, error);

    job->documents.progress = nsc_progress_line_counters(line);
    nsc_fleet_job_ranks(&job->fleet, &job->documents, true, NULL);
    nsc_judge(&job->judged, &job->fleet);
    if (status == NSC_OK)
        status = nsc_job_values_build(&job->values, &job->judged.meetings, error);
    nsc_progress_line_close(line);
    if (has_keys)
        give_keys(&keys);
    return status;
}

static void free_job(struct job *job)
{
    nsc_job_values_fini(&job->values);
    nsc_judged_fini(&job->judged);
    nsc_fleet_fini(&job->fleet);
    nsc_documents_fini(&job->documents);
    nsc_store_close(job->store);
    nsc_buf_fini(&job->path);
}

/* ---- the export of a rank ---- */

/* Sets the path: by the pattern, else as the sketch says, else with this name beside the sketch. False: none is there. */
static bool find_export(struct job *job, const struct nsc_fleet_rank *rank)
{
    const struct nsc_document *document = &job->documents.list.at[rank->document];
    struct nsc_text path = nsc_fleet_text(&job->fleet, rank->path);
    char *folder = nsc_path_folder(document->path ? document->path : "");

    nsc_buf_clear(&job->path);
    if (job->options->set[NSC_OPTION_EXPORTS])
        nsc_board_fill(&job->path, job->options->arg[NSC_OPTION_EXPORTS][0], rank->number);
    else
        nsc_buf_add(&job->path, path.bytes, path.n);
    if (access(job->path.bytes, R_OK) != 0 && !job->options->set[NSC_OPTION_EXPORTS]) {
        nsc_buf_clear(&job->path);
        nsc_buf_printf(&job->path, "%s/%s", folder, document->file);
    }
    free(folder);
    return access(job->path.bytes, R_OK) == 0;
}

/* Shows the iteration as a range in the timeline of the rank. */
static bool open_export(struct job *job)
{
    struct nsc_options options = *job->options;
    const char *path = job->path.bytes;
    const char *commands[] = {NULL, "range-mark", NULL, "fit", "fit"};
    char first[48], last[48];
    struct nsc_error error = {0};
    struct nsc_window window;
    uint32_t rank, column;

    if (!nsc_board_at(&job->board, &rank, &column))
        return true;
    window = nsc_job_column_window(&job->values, rank, column);
    (void)snprintf(first, sizeof first, "goto %" PRId64 "ns", window.t0);
    (void)snprintf(last, sizeof last, "goto %" PRId64 "ns", window.t1 - 1);
    commands[0] = first;
    commands[2] = last;
    options.operands = options.named = &path;
    options.n_operands = 1;
    options.file = path;
    options.commands = commands;
    options.n_commands = sizeof commands / sizeof *commands;
    if (nsc_cmd_open(&options, &error) != NSC_OK || *options.exit_status)
        nsc_buf_puts(&job->board.message,
                     "The export cannot be opened: nsyscope info FILE tells why.");
    if (*options.exit_status >= 128)
        return false;
    *options.exit_status = NSC_EXIT_DONE; /* the job goes on */
    return true;
}

/* ---- the screen ---- */

/* Ends the loop for an export that is there; else tells how to get it. */
static struct nsc_effects input(void *context, const struct nsc_input *in)
{
    struct job *job = context;
    struct nsc_effects effects = nsc_board_input(&job->board, in);
    uint32_t rank, column;

    if (!job->board.opens || !nsc_board_at(&job->board, &rank, &column))
        return effects;
    job->board.opens = find_export(job, &job->fleet.ranks.at[rank]);
    if (!job->board.opens) {
        nsc_board_tell_fetch(&job->board, rank,
                             job->documents.list.at[job->fleet.ranks.at[rank].document].file,
                             nsc_job_column_window(&job->values, rank, column).t0);
        effects.set &= ~(unsigned)NSC_EFFECT_QUIT;
    }
    return effects;
}

/* Writes what the screen shows to a new file, or the bookmarks to theirs. */
static void save(void *context, const struct nsc_effects *effects)
{
    struct job *job = context;
    struct nsc_error error = {0};
    struct nsc_sheets sheets = {0};
    const char *path = effects->text.bytes; /* a line that is typed ends in a NUL */

    if (effects->set & NSC_EFFECT_ANSWER_WRITE) {
        nsc_board_sheet(&sheets, &job->board);
        if (nsc_sheet_save(path, &sheets.list.at[0], &error) == NSC_OK)
            (void)snprintf(error.text, sizeof error.text, "Written to %s.", path);
        nsc_sheets_fini(&sheets);
    } else if (effects->set & NSC_EFFECT_SAVE &&
               nsc_store_save(job->store, &job->board.marks, NULL, &error) == NSC_OK) {
        (void)snprintf(error.text, sizeof error.text, "%s", nsc_store_notice(job->store));
    }
    if (error.text[0])
        (void)nsc_board_input(&job->board,
                              &(struct nsc_input){.type = NSC_INPUT_MESSAGE, .text = error.text});
}

/* Reads the bookmarks of the job, or of the file that the options name. render shows only the latter. */
static void read_marks(struct job *job)
{
    const char *file = job->options->arg[NSC_OPTION_BOOKMARKS][0];
    char identity[NSC_IDENTITY_BYTES];
    struct nsc_error error = {0};

    if (!file && job->options->command != NSC_COMMAND_OPEN)
        return;
    nsc_fleet_job_identity(identity, &job->documents);
    if (nsc_store_open(&job->store, identity, file, &error) == NSC_OK &&
        nsc_store_load(job->store, &job->board.marks, NULL, &error) == NSC_OK)
        nsc_buf_puts(&job->board.message, nsc_store_notice(job->store));
    else
        nsc_buf_puts(&job->board.message, error.text);
}

static void draw(void *context, struct nsc_grid *grid)
{
    nsc_board_draw(&((struct job *)context)->board, grid);
}

static enum nsc_status show(struct job *job, const struct nsc_screen_setup *setup,
                            struct nsc_error *error)
{
    int *exit_status = job->options->exit_status;
    struct nsc_theme theme;
    struct nsc_term term;
    int wake[2];

    do {
        struct nsc_loop_hooks hooks = {.context = job, .effect = save};
        struct nsc_loop_options loop;
        enum nsc_loop_result result;

        job->board.opens = false;
        if (nsc_session_terminal(&term, &theme, wake, setup, error) != NSC_OK)
            return error->status;
        job->board.plain = term.info.color == NSC_COLOR_MONO;
        hooks.wake_fd = wake[0];
        loop = nsc_screen_setup_loop(setup, &term);
        result = nsc_loop_run(&term, (struct nsc_screen){job, input, draw}, &loop, &hooks);
        nsc_term_close(&term);
        close(wake[0]);
        close(wake[1]);
        if (result == NSC_LOOP_GONE)
            *exit_status = 128 + SIGHUP;
        if (result == NSC_LOOP_SIGNAL)
            *exit_status = 128 + nsc_signals_ended();
    } while (!*exit_status && job->board.opens && open_export(job));
    return NSC_OK;
}

enum nsc_status nsc_job_show(const struct nsc_screen_setup *setup, struct nsc_error *error)
{
    const struct nsc_options *options = setup->options;
    struct job job = {.options = options, .path = NSC_BUF_INIT(SIZE_MAX)};
    const char *format = options->arg[NSC_OPTION_FORMAT][0];
    const struct nsc_input size = {
        .type = NSC_INPUT_RESIZE, .rows = options->rows, .cols = options->cols};
    enum nsc_status status = read_job(&job, error);

    if (status == NSC_OK) {
        job.board.keymap = &setup->keymap;
        job.board.name = options->file;
        job.board.values = &job.values;
        job.board.verdicts = &job.judged.verdicts;
        job.board.plain = !format || strcmp(format, "text") == 0;
        nsc_board_init(&job.board);
        read_marks(&job);
        (void)nsc_board_input(&job.board, &size);
        status = options->command == NSC_COMMAND_OPEN && isatty(STDOUT_FILENO)
                     ? show(&job, setup, error)
                     : nsc_screen_render((struct nsc_screen){&job, input, draw}, &setup->theme,
                                         options, error);
        nsc_board_fini(&job.board);
    }
    free_job(&job);
    return status;
}
