/*
 * Lists the recordings of a folder while a task finds them and reads what is in them.
 */
#include "start/picker.h"

#include "core/outfile.h"
#include "core/threads.h"
#include "open/recordings.h"
#include "view/kit/help.h"
#include "view/kit/prompt.h"
#include "view/pane/table.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 2 }; /* lines above the table: the title, the filter */

struct picker {
    const struct nsc_picker_options *options;
    int wake;
    pthread_mutex_t lock; /* of found and done, which the finder writes */
    struct nsc_recordings found;
    bool done; /* all are found */
    atomic_bool news, cancelled;
    struct nsc_sheet sheet;      /* those that the filter keeps */
    NSC_VEC(const char *) shown; /* their files */
    struct nsc_table table;      /* of the sheet */
    struct nsc_prompt filter;
    uint32_t rows, cols;
    bool stale; /* the list is not of what is found and typed */
    bool accepted;
};

/* ---- the finder, on its thread ---- */

static bool tell(struct picker *picker)
{
    atomic_store(&picker->news, true);
    nsc_wake(picker->wake);
    return !atomic_load(&picker->cancelled);
}

static bool add(void *context, struct nsc_recorded recorded)
{
    struct picker *picker = context;

    pthread_mutex_lock(&picker->lock);
    nsc_recordings_add(&picker->found, recorded);
    pthread_mutex_unlock(&picker->lock);
    return tell(picker);
}

static void *find(void *context)
{
    struct picker *picker = context;
    struct nsc_recordings *found = &picker->found;
    bool goes_on;

    nsc_recordings_walk(picker->options->folder, true, add, picker);
    pthread_mutex_lock(&picker->lock);
    picker->done = true; /* their number stays */
    pthread_mutex_unlock(&picker->lock);
    goes_on = tell(picker);
    for (size_t i = 0; i < found->entries.n && goes_on; i++) {
        struct nsc_recorded read;

        pthread_mutex_lock(&picker->lock);
        read = found->entries.at[i];
        pthread_mutex_unlock(&picker->lock);
        nsc_recorded_read(&read);
        pthread_mutex_lock(&picker->lock);
        read.picked = found->entries.at[i].picked;
        found->entries.at[i] = read;
        pthread_mutex_unlock(&picker->lock);
        goes_on = tell(picker);
    }
    return NULL;
}

/* ---- the list ---- */

/* Lists again what the filter keeps; the cursor stays on its recording, unless it is the first line. */
static void list(struct picker *picker)
{
    struct nsc_text filter = {picker->filter.text, (uint32_t)picker->filter.n};
    size_t cursor = picker->table.list.cursor;
    size_t top = picker->table.list.top;
    const char *at = cursor && cursor < picker->shown.n ? picker->shown.at[cursor] : NULL;

    if (!picker->stale)
        return;
    picker->stale = false;
    nsc_sheet_fini(&picker->sheet);
    nsc_sheet_init(&picker->sheet, "recordings", "", nsc_recording_columns, NSC_RECORDING_COLUMNS);
    NSC_VEC_CLEAR(&picker->shown);
    cursor = 0;
    for (size_t i = 0; i < picker->found.entries.n; i++) {
        const struct nsc_recorded *entry = &picker->found.entries.at[i];
        size_t skip = strlen(picker->options->folder);

        skip += entry->file[skip] == '/';
        if (!nsc_text_contains_folded(nsc_text_from(entry->file + skip), filter))
            continue;
        cursor = entry->file == at ? picker->shown.n : cursor;
        *NSC_VEC_ADD(&picker->shown) = entry->file;
        nsc_recorded_add(&picker->sheet, entry, skip);
    }
    nsc_table_set(&picker->table, &picker->sheet, picker->options->loop.ascii);
    picker->table.column = NSC_RECORDING_COLUMNS - 1;
    picker->table.list.top = top;
    nsc_table_fit(&picker->table, (int)picker->rows - HEAD - 2, (int)picker->cols - 2);
    (void)nsc_list_set(&picker->table.list, cursor);
}

static size_t count_picked(const struct picker *picker)
{
    size_t n = 0;

    for (size_t i = 0; i < picker->found.entries.n; i++)
        n += picker->found.entries.at[i].picked;
    return n;
}

/* Picks, or no longer, the recording at the cursor, or all that are shown. */
static void toggle(struct picker *picker, bool all)
{
    size_t shown = 0; /* in the order of the found ones */

    for (size_t i = 0; i < picker->found.entries.n && shown < picker->shown.n; i++) {
        struct nsc_recorded *entry = &picker->found.entries.at[i];

        if (entry->file != picker->shown.at[shown])
            continue;
        entry->picked = entry->picked != (all || shown == picker->table.list.cursor);
        shown++;
    }
    picker->stale = true;
    if (!all)
        (void)nsc_list_move(&picker->table.list, 1);
}

/* Picks the recording at the cursor if none is picked. False: there is none. */
static bool accept(struct picker *picker)
{
    if (!count_picked(picker) && picker->shown.n)
        toggle(picker, false);
    picker->accepted = count_picked(picker) > 0;
    return picker->accepted;
}

/* ---- the screen ---- */

static unsigned press(struct picker *picker, nsc_key key)
{
    enum nsc_action action = nsc_keymap_find(picker->options->keymap, NSC_KEY_SCOPE_PROMPT, key);
    struct nsc_list *lines = &picker->table.list;

    list(picker);
    if (key == NSC_KEY_PAGE_UP || key == NSC_KEY_PAGE_DOWN)
        (void)nsc_list_page(lines, key == NSC_KEY_PAGE_UP ? -1 : 1);
    else if (action == NSC_ACTION_PROMPT_OLDER || action == NSC_ACTION_PROMPT_NEWER)
        (void)nsc_list_move(lines, action == NSC_ACTION_PROMPT_OLDER ? -1 : 1);
    else if (action == NSC_ACTION_PROMPT_COMPLETE || action == NSC_ACTION_PROMPT_COMPLETE_BACK)
        toggle(picker, action == NSC_ACTION_PROMPT_COMPLETE_BACK);
    else if (action == NSC_ACTION_CANCEL || action == NSC_ACTION_QUIT)
        return NSC_EFFECT_QUIT;
    else if (action == NSC_ACTION_PROMPT_ACCEPT)
        return accept(picker) ? NSC_EFFECT_QUIT : NSC_EFFECT_BELL;
    else if (nsc_prompt_input(&picker->filter, action, key) == NSC_PROMPT_SAME)
        return NSC_EFFECT_BELL;
    else
        picker->stale = true;
    return 0;
}

static unsigned click(struct picker *picker, const struct nsc_input *input)
{
    struct nsc_list *lines = &picker->table.list;
    int line = input->mouse.row - HEAD - 1;
    bool is_up = input->mouse.action == NSC_MOUSE_WHEEL_UP;
    bool is_wheel = is_up || input->mouse.action == NSC_MOUSE_WHEEL_DOWN;

    if (is_wheel)
        (void)nsc_list_scroll(lines, is_up ? -3 : 3);
    if (is_wheel || line < 0 || (size_t)line >= lines->height ||
        lines->top + (size_t)line >= lines->n)
        return 0;
    (void)nsc_list_set(lines, lines->top + (size_t)line);
    return input->mouse.action == NSC_MOUSE_DOUBLE && accept(picker) ? NSC_EFFECT_QUIT : 0;
}

static struct nsc_effects input(void *context, const struct nsc_input *in)
{
    struct picker *picker = context;
    struct nsc_effects effects = {.set = NSC_EFFECT_REDRAW, .event = NSC_NONE};

    pthread_mutex_lock(&picker->lock);
    if (in->type == NSC_INPUT_RESIZE) {
        picker->rows = in->rows;
        picker->cols = in->cols;
    } else if (in->type == NSC_INPUT_KEY) {
        effects.set |= press(picker, in->key);
    } else if (in->type == NSC_INPUT_MOUSE) {
        effects.set |= click(picker, in);
    }
    picker->stale |= in->type == NSC_INPUT_RESIZE || in->type == NSC_INPUT_MESSAGE;
    pthread_mutex_unlock(&picker->lock);
    return effects;
}

static void draw(void *context, struct nsc_grid *grid)
{
    static const struct nsc_hint_word words[] = {{NSC_ACTION_PROMPT_ACCEPT, "open"},
                                                 {NSC_ACTION_PROMPT_COMPLETE, "pick several"},
                                                 {NSC_ACTION_PROMPT_OLDER, "choose"},
                                                 {NSC_ACTION_HELP, NULL}};
    struct picker *picker = context;
    const struct nsc_hint_place place = {NSC_KEY_SCOPE_PROMPT, words, 4};
    int cols = (int)grid->cols;
    int rows = (int)grid->rows;
    char text[120];

    pthread_mutex_lock(&picker->lock);
    list(picker);
    nsc_grid_resize(grid, grid->rows, grid->cols);
    (void)snprintf(text, sizeof text, "%zu of %zu recordings%s, %zu picked", picker->shown.n,
                   picker->found.entries.n, picker->done ? "" : " so far", count_picked(picker));
    pthread_mutex_unlock(&picker->lock);
    nsc_grid_fill(grid, (struct nsc_rect){0, 0, 1, cols}, NSC_ROLE_TITLE, " ");
    (void)nsc_grid_text(grid, 0, 1, cols / 2, NSC_ROLE_TITLE,
                        nsc_text_from(picker->options->folder));
    nsc_grid_puts_right(grid, 0, cols / 2 + 2, cols - cols / 2 - 3, NSC_ROLE_TITLE, text);
    if (picker->done && !picker->found.entries.n)
        (void)nsc_grid_puts(grid, HEAD + 1, 1, cols - 2, NSC_ROLE_WARNING,
                            "no export (.sqlite) and no report (.nsys-rep) here or below");
    nsc_table_draw(&picker->table, true, grid,
                   (struct nsc_rect){HEAD, 1, rows - HEAD - 1, cols - 2});
    nsc_grid_fill(grid, (struct nsc_rect){rows - 1, 0, 1, cols}, NSC_ROLE_STATUS, " ");
    (void)nsc_hint_draw(grid, (struct nsc_rect){rows - 1, 1, 1, cols - 2}, picker->options->keymap,
                        &place);
    nsc_prompt_draw(&picker->filter, grid, (struct nsc_rect){1, 0, 1, cols}, " filter ");
}

static enum nsc_loop_next next(void *context, struct nsc_input *out)
{
    struct picker *picker = context;

    out->type = NSC_INPUT_MESSAGE;
    return atomic_exchange(&picker->news, false) ? NSC_LOOP_INPUT : NSC_LOOP_NONE;
}

enum nsc_status nsc_picker_run(int *exit_status, struct nsc_term *term, const int wake[2],
                               const struct nsc_picker_options *options, struct nsc_error *error)
{
    struct picker picker = {.options = options, .wake = wake[1], .lock = PTHREAD_MUTEX_INITIALIZER};
    const struct nsc_loop_hooks hooks = {.context = &picker, .wake_fd = wake[0], .next = next};
    enum nsc_status status = NSC_OK;
    enum nsc_loop_result result;
    pthread_t thread;

    nsc_prompt_init(&picker.filter);
    if (!nsc_thread_start(&thread, find, &picker))
        (void)find(&picker);
    result = nsc_loop_run(term, (struct nsc_screen){&picker, input, draw}, &options->loop, &hooks);
    nsc_term_close(term);
    *exit_status = result == NSC_LOOP_GONE ? 128 + SIGHUP : 0;
    if (result == NSC_LOOP_SIGNAL)
        *exit_status = 128 + nsc_signals_ended();
    atomic_store(&picker.cancelled, true);
    pthread_mutex_lock(&picker.lock);
    for (size_t i = 0; i < picker.found.entries.n && picker.accepted && status == NSC_OK; i++) {
        const struct nsc_recorded *entry = &picker.found.entries.at[i];

        if (entry->picked && !nsc_write_all(options->out, entry->file, strlen(entry->file) + 1))
            status = nsc_fail(error, NSC_EWRITE, "%s: cannot be handed on", entry->file);
    }
    return status; /* with the lock: the finder waits until the process ends */
}

void nsc_picker_read(struct nsc_argv *out, int from)
{
    struct nsc_buf paths = NSC_BUF_INIT(SIZE_MAX);
    char block[4096];
    ssize_t n;

    (void)lseek(from, 0, SEEK_SET);
    while ((n = read(from, block, sizeof block)) > 0)
        nsc_buf_add(&paths, block, (size_t)n);
    for (size_t at = 0; at < paths.n; at += strlen(paths.bytes + at) + 1)
        nsc_argv_add(out, paths.bytes + at);
    nsc_buf_fini(&paths);
}
