/* Changes the screen of a job by keys. */
#include "board/board.h"

#include "core/text.h"

enum { FAR = 16, PAGE = 10 }; /* cells */

/* By which the lines are sorted; NULL: by none. */
const struct nsc_job_split *nsc_board_split(const struct nsc_board *board)
{
    return board->sort < NSC_N_LINES_SORTS ? NULL
                                           : &board->splits.list[board->sort - NSC_N_LINES_SORTS];
}

/* Lists the lines again. The cursor stays on its rank if that is still there. */
static void list(struct nsc_board *board)
{
    struct nsc_heat *heat = &board->heat[NSC_BOARD_RANKS];
    uint32_t rank = board->lines.n ? board->lines.rank[board->lines.first[heat->lines.cursor]] : 0;

    nsc_lines_fini(&board->lines);
    nsc_lines_build(&board->lines, board->values, nsc_board_split(board), board->sort,
                    board->folded, board->filter.text);
    heat->row = board->lines.rank;
    heat->line = board->lines.first;
    heat->at = board->values->at[board->value];
    nsc_heat_axis_init(&heat->lines, board->lines.n);
    (void)nsc_heat_axis_go(&heat->lines, nsc_lines_find(&board->lines, rank));
}

void nsc_board_init(struct nsc_board *board)
{
    struct nsc_heat *waits = &board->heat[NSC_BOARD_WAITS];

    nsc_prompt_init(&board->filter);
    nsc_prompt_init(&board->file);
    nsc_prompt_init(&board->mark);
    nsc_prompt_set(&board->file, nsc_text_from("job.csv"));
    board->message = board->command = (struct nsc_buf)NSC_BUF_INIT(SIZE_MAX);
    board->value = board->verdicts->meetings->list.n ? NSC_JOB_LATE : NSC_JOB_DURATION;
    for (uint32_t i = 0; i <= NSC_JOB_GROUPS; i++)
        board->groups[i] = i;
    nsc_job_splits_find(&board->splits, board->verdicts->meetings);
    *waits = (struct nsc_heat){.at = board->values->waits,
                               .stride = board->values->n_groups,
                               .row = board->groups,
                               .line = board->groups};
    nsc_heat_axis_init(&waits->lines, board->values->n_groups);
    nsc_heat_axis_init(&waits->cols, board->values->n_groups);
    board->heat[NSC_BOARD_RANKS].stride = board->values->n_columns;
    nsc_heat_axis_init(&board->heat[NSC_BOARD_RANKS].cols, board->values->n_columns);
    list(board);
}

bool nsc_board_at(const struct nsc_board *board, uint32_t *rank, uint32_t *column)
{
    if (board->lines.n)
        nsc_heat_worst(&board->heat[NSC_BOARD_RANKS], rank, column);
    return board->lines.n > 0;
}

/* ---- actions ---- */

static bool move(struct nsc_board *board, enum nsc_action action)
{
    static const struct {
        enum nsc_action action;
        bool down;
        int cells;
    } moves[] = {{NSC_ACTION_JOB_LEFT, false, -1},
                 {NSC_ACTION_JOB_RIGHT, false, 1},
                 {NSC_ACTION_JOB_LEFT_FAR, false, -FAR},
                 {NSC_ACTION_JOB_RIGHT_FAR, false, FAR},
                 {NSC_ACTION_JOB_FIRST, false, -(1 << 30)},
                 {NSC_ACTION_JOB_LAST, false, 1 << 30},
                 {NSC_ACTION_JOB_UP, true, -1},
                 {NSC_ACTION_JOB_DOWN, true, 1},
                 {NSC_ACTION_JOB_PAGE_UP, true, -PAGE},
                 {NSC_ACTION_JOB_PAGE_DOWN, true, PAGE}};
    struct nsc_heat *heat = &board->heat[board->view];

    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (moves[i].action == action)
            return nsc_heat_axis_step(moves[i].down ? &heat->lines : &heat->cols, moves[i].cells);
    return false;
}

/* Lines that fit are not zoomed: they cannot become taller. */
static bool zoom(struct nsc_heat *heat, bool in)
{
    bool lines = (!in || heat->lines.each > 1) && nsc_heat_axis_zoom(&heat->lines, in);

    return nsc_heat_axis_zoom(&heat->cols, in) || lines;
}

/* Tells the verdicts, or the next one, and goes to its rank. */
static bool tell_verdict(struct nsc_board *board)
{
    const struct nsc_verdicts *all = board->verdicts;
    const struct nsc_verdict *verdict;
    uint32_t rank;

    if (all->list.n == 0)
        return false;
    board->verdict = board->tab == NSC_BOARD_VERDICTS ? (board->verdict + 1) % all->list.n : 0;
    board->tab = NSC_BOARD_VERDICTS;
    verdict = &all->list.at[board->verdict];
    rank = all->meetings->list.at[verdict->meeting].ranks[verdict->members[0]];
    board->view = NSC_BOARD_RANKS;
    (void)nsc_heat_axis_go(&board->heat[NSC_BOARD_RANKS].lines,
                           nsc_lines_find(&board->lines, rank));
    return true;
}

/* What changes the lines of the ranks. False: the action does not. */
static bool change(struct nsc_board *board, enum nsc_action action)
{
    if (action == NSC_ACTION_JOB_VALUE)
        board->value = (enum nsc_job_value)((board->value + 1) % NSC_N_JOB_VALUES);
    else if (action == NSC_ACTION_JOB_SORT)
        board->sort = (board->sort + 1) % (NSC_N_LINES_SORTS + board->splits.n);
    else if (action == NSC_ACTION_JOB_FOLD)
        board->folded = !board->folded;
    else if (action == NSC_ACTION_JOB_FILTER)
        board->typed = &board->filter;
    else
        return false;
    board->view = NSC_BOARD_RANKS;
    list(board);
    return true;
}

static bool look(struct nsc_board *board, enum nsc_action action)
{
    struct nsc_heat *heat = &board->heat[board->view];

    if (action == NSC_ACTION_JOB_VERDICT)
        return tell_verdict(board);
    board->tab = NSC_BOARD_DETAILS;
    switch (action) {
    case NSC_ACTION_JOB_ZOOM_IN:
    case NSC_ACTION_JOB_ZOOM_OUT:
        return zoom(heat, action == NSC_ACTION_JOB_ZOOM_IN);
    case NSC_ACTION_JOB_ZOOM_ALL:
        while (zoom(heat, false)) {
        }
        return true;
    case NSC_ACTION_JOB_WAITS:
        board->view = board->view == NSC_BOARD_RANKS ? NSC_BOARD_WAITS : NSC_BOARD_RANKS;
        return true;
    case NSC_ACTION_HELP:
    case NSC_ACTION_LEGEND: /* the heat stands on the screen */
        board->helps = true;
        return true;
    default:
        return change(board, action) || move(board, action);
    }
}

bool nsc_board_does(enum nsc_action action)
{
    static const enum nsc_action others[] = {
        NSC_ACTION_HELP,          NSC_ACTION_LEGEND,       NSC_ACTION_COPY,
        NSC_ACTION_QUIT,          NSC_ACTION_QUIT_NOW,     NSC_ACTION_REPAINT,
        NSC_ACTION_SUSPEND,       NSC_ACTION_BOOKMARK,     NSC_ACTION_BOOKMARKS,
        NSC_ACTION_NEXT_BOOKMARK, NSC_ACTION_PREV_BOOKMARK};
    bool does = nsc_actions[action].scope == NSC_KEY_SCOPE_JOB;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        does = does || others[i] == action;
    return does;
}

static unsigned act(struct nsc_board *board, enum nsc_action action, struct nsc_effects *effects)
{
    switch (action) {
    case NSC_ACTION_QUIT:
    case NSC_ACTION_QUIT_NOW:
        return NSC_EFFECT_QUIT;
    case NSC_ACTION_REPAINT:
        return NSC_EFFECT_REPAINT;
    case NSC_ACTION_SUSPEND:
        return NSC_EFFECT_SUSPEND;
    case NSC_ACTION_COPY:
        effects->text = nsc_text_of_buf(&board->command);
        return effects->text.n ? NSC_EFFECT_COPY : NSC_EFFECT_BELL;
    case NSC_ACTION_JOB_EXPORT:
        board->typed = &board->file;
        return 0;
    case NSC_ACTION_JOB_OPEN:
        board->opens = board->view == NSC_BOARD_RANKS && board->lines.n > 0;
        return board->opens ? NSC_EFFECT_QUIT : NSC_EFFECT_BELL;
    case NSC_ACTION_BOOKMARK:
    case NSC_ACTION_BOOKMARKS:
    case NSC_ACTION_NEXT_BOOKMARK:
    case NSC_ACTION_PREV_BOOKMARK:
    case NSC_ACTION_JOB_UNMARK:
    case NSC_ACTION_JOB_UNREMOVE:
        nsc_buf_clear(&board->message);
        return nsc_board_mark(board, action);
    default:
        nsc_buf_clear(&board->message);
        return look(board, action) ? 0 : NSC_EFFECT_BELL;
    }
}

/* ---- inputs ---- */

static unsigned press_help(struct nsc_board *board, enum nsc_action action)
{
    bool is_up = action == NSC_ACTION_JOB_UP || action == NSC_ACTION_JOB_PAGE_UP;
    int most = nsc_board_help_draw(board, NULL);
    int top = (board->help_top < most ? board->help_top : most) + (is_up ? -1 : 1);

    board->helps = is_up || action == NSC_ACTION_JOB_DOWN || action == NSC_ACTION_JOB_PAGE_DOWN;
    board->help_top = !board->helps || top < 0 ? 0 : top < most ? top : most;
    return action == NSC_ACTION_QUIT_NOW ? NSC_EFFECT_QUIT : 0;
}

static unsigned press_prompt(struct nsc_board *board, nsc_key key, struct nsc_effects *effects)
{
    enum nsc_action action = nsc_keymap_find(board->keymap, NSC_KEY_SCOPE_PROMPT, key);
    struct nsc_prompt *typed = board->typed;
    enum nsc_prompt_result result = nsc_prompt_input(typed, action, key);

    if (result == NSC_PROMPT_ACCEPTED || result == NSC_PROMPT_CANCELLED)
        board->typed = NULL;
    if (action == NSC_ACTION_QUIT_NOW)
        return NSC_EFFECT_QUIT;
    if (typed == &board->mark) {
        if (result == NSC_PROMPT_ACCEPTED)
            nsc_board_mark_named(board);
        return result == NSC_PROMPT_ACCEPTED ? NSC_EFFECT_SAVE : 0;
    }
    if (typed == &board->file) {
        effects->text = nsc_text_from(typed->text);
        return result == NSC_PROMPT_ACCEPTED ? NSC_EFFECT_ANSWER_WRITE : 0;
    }
    if (result == NSC_PROMPT_CANCELLED)
        nsc_prompt_set(&board->filter, nsc_text_from(""));
    list(board);
    return 0;
}

/* The cell of a column of the screen; the last one beyond them. */
static uint32_t cell_at(const struct nsc_heat *heat, int col)
{
    uint32_t cell = 0;

    while (cell + 1 < heat->cols.cells && nsc_heat_col(heat, cell + 1) <= col)
        cell++;
    return cell;
}

/* A press moves the cursor there, a double press opens the rank, and the wheel zooms, or moves with Shift. */
static unsigned point(struct nsc_board *board, const struct nsc_input *input)
{
    struct nsc_heat *heat = &board->heat[board->view];
    int row = input->mouse.row - NSC_BOARD_HEAD;
    int col = input->mouse.col - NSC_BOARD_LABELS;
    bool is_up = input->mouse.action == NSC_MOUSE_WHEEL_UP;
    bool is_wheel = is_up || input->mouse.action == NSC_MOUSE_WHEEL_DOWN;
    bool is_press = input->mouse.action == NSC_MOUSE_PRESS && input->mouse.button == 1;
    bool is_double = input->mouse.action == NSC_MOUSE_DOUBLE && input->mouse.button == 1;

    if (row < 0 || row >= (int)heat->lines.cells || !(is_wheel || is_press || is_double))
        return 0;
    nsc_buf_clear(&board->message);
    board->tab = NSC_BOARD_DETAILS;
    if (is_wheel && input->mouse.shift) {
        (void)nsc_heat_axis_step(&heat->cols, is_up ? -FAR : FAR);
        return 0;
    }
    (void)nsc_heat_axis_go(&heat->lines, nsc_heat_axis_first(&heat->lines, (uint32_t)row));
    if (col >= 0)
        (void)nsc_heat_axis_go(&heat->cols, nsc_heat_axis_first(&heat->cols, cell_at(heat, col)));
    if (is_wheel)
        (void)zoom(heat, is_up);
    board->opens = is_double && board->view == NSC_BOARD_RANKS;
    return board->opens ? NSC_EFFECT_QUIT : 0;
}

struct nsc_effects nsc_board_input(void *context, const struct nsc_input *input)
{
    struct nsc_board *board = context;
    struct nsc_effects effects = {.set = NSC_EFFECT_REDRAW, .event = NSC_NONE};
    enum nsc_action action = nsc_keymap_find(board->keymap, NSC_KEY_SCOPE_JOB, input->key);

    if (input->type == NSC_INPUT_RESIZE) {
        board->rows = input->rows;
        board->cols = input->cols;
    }
    if (input->type == NSC_INPUT_KEY)
        effects.set |= board->helps   ? press_help(board, action)
                       : board->typed ? press_prompt(board, input->key, &effects)
                                      : act(board, action, &effects);
    if (input->type == NSC_INPUT_MESSAGE) {
        nsc_buf_clear(&board->message);
        nsc_buf_clear(&board->command);
        nsc_buf_puts(&board->message, input->text);
    }
    if (input->type == NSC_INPUT_MOUSE && !board->helps && !board->typed)
        effects.set |= point(board, input);
    nsc_heat_fit(&board->heat[board->view], (int)board->rows - NSC_BOARD_HEAD - NSC_BOARD_PANE - 2,
                 (int)board->cols - NSC_BOARD_LABELS - 1);
    return effects;
}

void nsc_board_fini(struct nsc_board *board)
{
    nsc_job_splits_fini(&board->splits);
    nsc_lines_fini(&board->lines);
    nsc_prompt_fini(&board->filter);
    nsc_prompt_fini(&board->file);
    nsc_prompt_fini(&board->mark);
    nsc_bookmarks_fini(&board->marks);
    while (board->removed.n)
        nsc_bookmark_fini(&board->removed.at[--board->removed.n]);
    NSC_VEC_FINI(&board->removed);
    nsc_buf_fini(&board->message);
    nsc_buf_fini(&board->command);
    for (int i = 0; i < NSC_N_BOARD_VIEWS; i++)
        nsc_heat_fini(&board->heat[i]);
}
