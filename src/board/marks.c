/* Keeps the bookmarks of a job's screen. */
#include "board/board.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdlib.h>

void nsc_board_name(struct nsc_buf *out, const struct nsc_board *board, uint32_t rank)
{
    const struct nsc_fleet *fleet = board->values->fleet;
    struct nsc_text host = nsc_fleet_text(fleet, fleet->ranks.at[rank].host);

    nsc_buf_printf(out, "rank %" PRId64 "%s", fleet->ranks.at[rank].number, host.n ? " on " : "");
    nsc_buf_add(out, host.bytes, host.n);
}

uint32_t nsc_board_marked(const struct nsc_board *board, const struct nsc_bookmark *mark)
{
    const char *path = nsc_bookmark_text(mark, NSC_BOOKMARK_PATH);
    struct nsc_buf name = NSC_BUF_INIT(SIZE_MAX);
    int64_t number = strncmp(path, "rank ", 5) == 0 ? strtoll(path + 5, NULL, 10) : INT64_MIN;
    uint32_t found = NSC_NONE;

    for (uint32_t i = 0; i < board->values->n_ranks && found == NSC_NONE; i++) {
        if (board->values->fleet->ranks.at[i].number != number)
            continue;
        nsc_buf_clear(&name);
        nsc_board_name(&name, board, i);
        if (strcmp(name.bytes, path) == 0)
            found = i;
    }
    nsc_buf_fini(&name);
    return found;
}

/* Asks for the name of a bookmark at the cursor. */
static unsigned ask_name(struct nsc_board *board)
{
    struct nsc_buf name = NSC_BUF_INIT(SIZE_MAX);
    uint32_t rank, column;

    if (!nsc_board_at(board, &rank, &column))
        return NSC_EFFECT_BELL;
    nsc_board_name(&name, board, rank);
    nsc_prompt_set(&board->mark, nsc_text_of_buf(&name));
    board->mark.offered = 0; /* what is typed replaces it */
    board->typed = &board->mark;
    nsc_buf_fini(&name);
    return 0;
}

void nsc_board_mark_named(struct nsc_board *board)
{
    struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_bookmark mark;
    uint32_t rank = 0, column = 0;

    (void)nsc_board_at(board, &rank, &column); /* there was one to be named */
    nsc_board_name(&path, board, rank);
    mark = nsc_bookmark_new((nsc_time)column * board->values->of_a_column);
    nsc_bookmark_set_text(&mark, NSC_BOOKMARK_PATH, nsc_text_of_buf(&path));
    nsc_bookmark_set_text(&mark, NSC_BOOKMARK_NAME, nsc_text_from(board->mark.text));
    board->chosen = nsc_bookmarks_add(&board->marks, &mark);
    board->tab = NSC_BOARD_MARKS;
    nsc_buf_fini(&path);
}

static void go(struct nsc_board *board)
{
    const struct nsc_bookmark *mark = &board->marks.at[board->chosen];
    struct nsc_heat *heat = &board->heat[NSC_BOARD_RANKS];
    uint32_t rank = nsc_board_marked(board, mark);

    board->view = NSC_BOARD_RANKS;
    (void)nsc_heat_axis_go(&heat->cols, mark->time / board->values->of_a_column);
    if (rank != NSC_NONE)
        (void)nsc_heat_axis_go(&heat->lines, nsc_lines_find(&board->lines, rank));
}

/* Removes the one that the list is at, but keeps what it says. */
static void remove_chosen(struct nsc_board *board)
{
    struct nsc_bookmark *kept = NSC_VEC_ADD(&board->removed);

    *kept = nsc_bookmark_copy(&board->marks.at[board->chosen]);
    kept->id = 0; /* the old one stays removed in every program */
    kept->modified = 0;
    kept->changed = true;
    nsc_bookmarks_remove(&board->marks, board->chosen);
}

unsigned nsc_board_mark(struct nsc_board *board, enum nsc_action action)
{
    bool is_shown = board->tab == NSC_BOARD_MARKS;
    size_t n = nsc_bookmarks_live(&board->marks);

    if (action == NSC_ACTION_BOOKMARK)
        return ask_name(board);
    board->tab = NSC_BOARD_MARKS;
    if (action == NSC_ACTION_JOB_UNREMOVE && board->removed.n) {
        board->chosen = nsc_bookmarks_add(&board->marks, &board->removed.at[--board->removed.n]);
        return NSC_EFFECT_SAVE;
    }
    if (n == 0 || action == NSC_ACTION_JOB_UNREMOVE ||
        (action == NSC_ACTION_JOB_UNMARK && !is_shown))
        return NSC_EFFECT_BELL;
    board->chosen %= n;
    if (action == NSC_ACTION_JOB_UNMARK) {
        remove_chosen(board);
        return NSC_EFFECT_SAVE;
    }
    if (is_shown)
        board->chosen += action == NSC_ACTION_PREV_BOOKMARK ? n - 1 : 1;
    board->chosen %= n;
    go(board);
    return 0;
}
