/* Edits a typed line, and recalls earlier lines. */
#include "view/kit/prompt.h"

#include "core/die.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

void nsc_prompt_init(struct nsc_prompt *prompt)
{
    memset(prompt, 0, sizeof *prompt);
}

void nsc_prompt_fini(struct nsc_prompt *prompt)
{
    for (size_t i = 0; i < prompt->n_lines; i++)
        free(prompt->lines[i]);
    nsc_prompt_init(prompt);
}

/* ---- places in the line ---- */

/* The last cluster boundary before at; 0 at the start. */
static size_t place_before(const struct nsc_prompt *prompt, size_t at)
{
    struct nsc_text text = {prompt->text, (uint32_t)prompt->n};
    struct nsc_text_cursor cursor = nsc_text_cursor(text, false);
    struct nsc_cluster cluster;
    size_t place = 0, from = 0;

    while (from < at && nsc_text_next(&cursor, &cluster)) {
        if (!cluster.joined)
            place = from;
        from = cursor.step ? from : cursor.at;
    }
    return place;
}

/* The first cluster boundary at or after at. */
static size_t place_from(const struct nsc_prompt *prompt, size_t at)
{
    struct nsc_text text = {prompt->text, (uint32_t)prompt->n};
    struct nsc_text_cursor cursor = nsc_text_cursor(text, false);
    struct nsc_cluster cluster;
    size_t from = 0;

    while (nsc_text_next(&cursor, &cluster)) {
        if (!cluster.joined && from >= at)
            return from;
        from = cursor.step ? from : cursor.at;
    }
    return prompt->n;
}

static size_t place_after(const struct nsc_prompt *prompt, size_t at)
{
    return at < prompt->n ? place_from(prompt, at + 1) : prompt->n;
}

static size_t word_before(const struct nsc_prompt *prompt)
{
    size_t at = prompt->at;

    while (at > 0 && prompt->text[at - 1] == ' ')
        at--;
    while (at > 0 && prompt->text[at - 1] != ' ')
        at--;
    return place_from(prompt, at);
}

static size_t word_after(const struct nsc_prompt *prompt)
{
    size_t at = prompt->at;

    while (at < prompt->n && prompt->text[at] != ' ')
        at++;
    while (at < prompt->n && prompt->text[at] == ' ')
        at++;
    return place_from(prompt, at);
}

/* ---- changing it ---- */

static enum nsc_prompt_result move(struct nsc_prompt *prompt, size_t to)
{
    if (to == prompt->at)
        return NSC_PROMPT_SAME;
    prompt->at = to;
    return NSC_PROMPT_MOVED;
}

static enum nsc_prompt_result erase(struct nsc_prompt *prompt, size_t from, size_t to)
{
    if (from == to)
        return NSC_PROMPT_SAME;
    memmove(prompt->text + from, prompt->text + to, prompt->n - to + 1);
    prompt->n -= to - from;
    /* Bytes that are now adjacent may form one cluster. */
    prompt->at = place_from(prompt, from);
    prompt->line = prompt->n_lines;
    return NSC_PROMPT_CHANGED;
}

/* Sets as many whole clusters of cleaned text as fit. */
static void text_set(struct nsc_prompt *prompt, struct nsc_text text)
{
    struct nsc_buf buf = NSC_BUF_INIT(NSC_PROMPT_BYTES - 1);

    nsc_text_clean(&buf, text, false);
    memcpy(prompt->text, buf.bytes ? buf.bytes : "", buf.n);
    prompt->text[buf.n] = '\0';
    prompt->n = prompt->at = buf.n;
    nsc_buf_fini(&buf);
}

static enum nsc_prompt_result type(struct nsc_prompt *prompt, nsc_key key, size_t offered)
{
    char bytes[4];
    size_t n = nsc_key_utf8(bytes, key);

    if (n == 0 || prompt->n + n >= NSC_PROMPT_BYTES)
        return NSC_PROMPT_SAME;
    if (offered < prompt->n)
        (void)erase(prompt, offered, prompt->n);
    memmove(prompt->text + prompt->at + n, prompt->text + prompt->at, prompt->n - prompt->at + 1);
    memcpy(prompt->text + prompt->at, bytes, n);
    prompt->n += n;
    prompt->at = place_from(prompt, prompt->at + n);
    prompt->line = prompt->n_lines;
    return NSC_PROMPT_CHANGED;
}

void nsc_prompt_set(struct nsc_prompt *prompt, struct nsc_text text)
{
    text_set(prompt, text);
    prompt->line = prompt->n_lines;
    prompt->offered = SIZE_MAX;
}

bool nsc_prompt_replace(struct nsc_prompt *prompt, size_t from, size_t to, struct nsc_text text)
{
    struct nsc_buf buf = NSC_BUF_INIT(2 * NSC_PROMPT_BYTES);
    struct nsc_text left = {prompt->text + to, (uint32_t)(prompt->n - to)};
    size_t end = 0;
    bool fits = false;

    nsc_buf_add(&buf, prompt->text, from);
    nsc_text_clean(&buf, text, false);
    end = buf.n;
    nsc_buf_add(&buf, left.bytes, left.n);
    fits = !buf.overflow && buf.n < NSC_PROMPT_BYTES;
    if (fits) {
        memcpy(prompt->text, buf.bytes ? buf.bytes : "", buf.n);
        prompt->text[buf.n] = '\0';
        prompt->n = buf.n;
        prompt->at = place_from(prompt, end);
        prompt->line = prompt->n_lines;
        prompt->offered = SIZE_MAX;
    }
    nsc_buf_fini(&buf);
    return fits;
}

/* ---- lines entered before ---- */

void nsc_prompt_add_history(struct nsc_prompt *prompt, struct nsc_text line)
{
    size_t n = prompt->n_lines;
    char *copy = NULL;

    if (line.n == 0 || (n && nsc_text_is(line, prompt->lines[n - 1])))
        return;
    copy = nsc_xmalloc((size_t)line.n + 1);
    memcpy(copy, line.bytes, line.n);
    copy[line.n] = '\0';
    if (n == NSC_PROMPT_LINES) {
        free(prompt->lines[0]);
        memmove(prompt->lines, prompt->lines + 1, (n - 1) * sizeof *prompt->lines);
        n--;
    }
    prompt->lines[n] = copy;
    prompt->n_lines = n + 1;
    prompt->line = prompt->n_lines;
}

static enum nsc_prompt_result recall(struct nsc_prompt *prompt, bool older)
{
    if (older ? prompt->line == 0 : prompt->line == prompt->n_lines)
        return NSC_PROMPT_SAME;
    if (prompt->line == prompt->n_lines)
        memcpy(prompt->draft, prompt->text, prompt->n + 1);
    prompt->line += older ? (size_t)-1 : 1;
    text_set(prompt, nsc_text_from(prompt->line == prompt->n_lines ? prompt->draft
                                                                   : prompt->lines[prompt->line]));
    return NSC_PROMPT_CHANGED;
}

/* Shows the next older line that contains the typed text. */
static enum nsc_prompt_result search(struct nsc_prompt *prompt)
{
    struct nsc_text wanted;
    size_t line = prompt->line;

    if (line == prompt->n_lines)
        memcpy(prompt->draft, prompt->text, prompt->n + 1);
    wanted = nsc_text_from(prompt->draft);
    while (line-- > 0) {
        struct nsc_text text = nsc_text_from(prompt->lines[line]);

        if (!nsc_text_contains_folded(text, wanted))
            continue;
        text_set(prompt, text);
        prompt->line = line;
        return NSC_PROMPT_CHANGED;
    }
    return NSC_PROMPT_SAME;
}

static enum nsc_prompt_result accept(struct nsc_prompt *prompt)
{
    struct nsc_text line = {prompt->text, (uint32_t)prompt->n};

    nsc_prompt_add_history(prompt, line);
    prompt->line = prompt->n_lines;
    return NSC_PROMPT_ACCEPTED;
}

static enum nsc_prompt_result edit(struct nsc_prompt *prompt, enum nsc_action action)
{
    switch (action) {
    case NSC_ACTION_PROMPT_ERASE:
        return erase(prompt, place_before(prompt, prompt->at), prompt->at);
    case NSC_ACTION_PROMPT_DELETE:
        return erase(prompt, prompt->at, place_after(prompt, prompt->at));
    case NSC_ACTION_PROMPT_ERASE_WORD:
        return erase(prompt, word_before(prompt), prompt->at);
    case NSC_ACTION_PROMPT_ERASE_START:
        return erase(prompt, 0, prompt->at);
    case NSC_ACTION_PROMPT_ERASE_END:
        return erase(prompt, prompt->at, prompt->n);
    default:
        return NSC_PROMPT_SAME;
    }
}

enum nsc_prompt_result nsc_prompt_input(struct nsc_prompt *prompt, enum nsc_action action,
                                        nsc_key key)
{
    size_t offered = prompt->offered;

    prompt->offered = SIZE_MAX;
    switch (action) {
    case NSC_ACTION_NONE:
        return type(prompt, key, offered);
    case NSC_ACTION_PROMPT_ACCEPT:
        return accept(prompt);
    case NSC_ACTION_CANCEL:
        return NSC_PROMPT_CANCELLED;
    case NSC_ACTION_PROMPT_LEFT:
        return move(prompt, place_before(prompt, prompt->at));
    case NSC_ACTION_PROMPT_RIGHT:
        return move(prompt, place_after(prompt, prompt->at));
    case NSC_ACTION_PROMPT_WORD_LEFT:
        return move(prompt, word_before(prompt));
    case NSC_ACTION_PROMPT_WORD_RIGHT:
        return move(prompt, word_after(prompt));
    case NSC_ACTION_PROMPT_HOME:
        return move(prompt, 0);
    case NSC_ACTION_PROMPT_END:
        return move(prompt, prompt->n);
    case NSC_ACTION_PROMPT_OLDER:
        return recall(prompt, true);
    case NSC_ACTION_PROMPT_NEWER:
        return recall(prompt, false);
    case NSC_ACTION_PROMPT_SEARCH:
        return search(prompt);
    default:
        return edit(prompt, action);
    }
}

/* ---- drawing ---- */

static int cells_between(const struct nsc_prompt *prompt, size_t from, size_t to, bool ascii)
{
    struct nsc_text text = {prompt->text + from, (uint32_t)(to - from)};

    return (int)nsc_text_width(text, ascii);
}

/* The first byte shown, chosen so that the cursor is inside [col, end). */
static size_t first_shown(const struct nsc_prompt *prompt, int col, int end, bool ascii)
{
    size_t from = 0;

    while (from < prompt->at && cells_between(prompt, from, prompt->at, ascii) >= end - col)
        from = place_after(prompt, from);
    return from;
}

int nsc_prompt_col(const struct nsc_prompt *prompt, struct nsc_rect rect, const char *label,
                   bool ascii, size_t at)
{
    int width = (int)nsc_text_width(nsc_text_from(label), ascii);
    int end = rect.col + rect.cols;
    int col = rect.col + (width < rect.cols ? width : rect.cols);
    size_t from = first_shown(prompt, col, end, ascii);

    at = at < prompt->n ? at : prompt->n;
    if (at > from)
        col += cells_between(prompt, from, at, ascii);
    return col < end ? col : end - 1;
}

void nsc_prompt_draw(const struct nsc_prompt *prompt, struct nsc_grid *grid, struct nsc_rect rect,
                     const char *label)
{
    struct nsc_rect line = {rect.row, rect.col, 1, rect.cols};
    int end = rect.col + rect.cols;
    int col = 0;
    size_t from = 0;
    struct nsc_text text;

    nsc_grid_fill(grid, line, NSC_ROLE_PROMPT, " ");
    col = nsc_grid_puts(grid, rect.row, rect.col, rect.cols, NSC_ROLE_KEY, label);
    from = first_shown(prompt, col, end, grid->ascii);
    text.bytes = prompt->text + from;
    text.n = (uint32_t)(prompt->n - from);
    nsc_grid_text(grid, rect.row, col, end - col, NSC_ROLE_PROMPT, text);
    grid->cursor_row = rect.row;
    grid->cursor_col = col + cells_between(prompt, from, prompt->at, grid->ascii);
}
