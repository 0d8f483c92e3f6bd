/*
 * Plays the screens written down in a .screen file and compares: runner FILE...; with NSC_UPDATE=1
 * the file is rewritten.
 *
 * A file is read from top to bottom:
 *
 *     # a comment
 *     trace               the lines that follow, up to an empty one, are a trace (support/screen_trace.h)
 *     loading R T MS      instead of a trace: R of T rows read after MS milliseconds
 *     size 80x24          tells the application a size
 *     glyphs ascii        before the first size
 *     files 2             before the first size: that many exports
 *     compare             before the first size: two exports, compared
 *     keys Right + Tab    presses keys
 *     mouse press 5 30    an event of the mouse: press, drag, release, double, up, down, "right press"; row, column
 *     screen              what must be seen now: each row between bars
 *     roles               what it must mean: a letter a cell, see letters below
 */
#include "core/buf.h"
#include "support/app_world.h"
#include "support/cm.h"
#include "support/screen_trace.h"
#include "view/app/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 4096, FILE_BYTES = 1 << 22 };

static const char letters[NSC_N_ROLES + 1] = {
    [NSC_ROLE_TEXT] = '.',
    [NSC_ROLE_DIM] = ',',
    [NSC_ROLE_TITLE] = 'T',
    [NSC_ROLE_STATUS] = 's',
    [NSC_ROLE_KEY] = 'K',
    [NSC_ROLE_ERROR] = 'E',
    [NSC_ROLE_WARNING] = 'W',
    [NSC_ROLE_RULER] = 'r',
    [NSC_ROLE_GRIDLINE] = ':',
    [NSC_ROLE_OVERVIEW] = 'v',
    [NSC_ROLE_OVERVIEW_WINDOW] = 'V',
    [NSC_ROLE_OVERVIEW_MATCH] = '/',
    [NSC_ROLE_GROUP] = 'G',
    [NSC_ROLE_LABEL] = 'l',
    [NSC_ROLE_LABEL_CURSOR] = 'L',
    [NSC_ROLE_SHARE] = '%',
    [NSC_ROLE_BORDER] = '-',
    [NSC_ROLE_TAB] = 'b',
    [NSC_ROLE_TAB_ACTIVE] = 'B',
    [NSC_ROLE_SELECTION] = '#',
    [NSC_ROLE_CURSOR] = '|',
    [NSC_ROLE_RANGE] = '=',
    [NSC_ROLE_KERNEL] = 'k',
    [NSC_ROLE_COMM] = 'c',
    [NSC_ROLE_COPY_HTOD] = 'h',
    [NSC_ROLE_COPY_DTOH] = 'd',
    [NSC_ROLE_COPY_DTOD] = 'p',
    [NSC_ROLE_MEMSET] = 'm',
    [NSC_ROLE_GRAPH] = 'g',
    [NSC_ROLE_NVTX] = 'n',
    [NSC_ROLE_MARK] = '!',
    [NSC_ROLE_API] = 'a',
    [NSC_ROLE_SYNC] = 'y',
    [NSC_ROLE_OS] = 'o',
    [NSC_ROLE_SCHED] = 'u',
    [NSC_ROLE_LIBRARY] = 'i',
    [NSC_ROLE_OVERHEAD] = 'x',
    [NSC_ROLE_COUNTER] = '~',
    [NSC_ROLE_DIMMED] = 'z',
    [NSC_ROLE_OVERLAP_COMPUTE] = '1',
    [NSC_ROLE_OVERLAP_BOTH] = '2',
    [NSC_ROLE_OVERLAP_EXPOSED] = '3',
    [NSC_ROLE_OVERLAP_COPY] = '4',
    [NSC_ROLE_HEAT] = '5',
    [NSC_ROLE_PROMPT] = 'P',
    [NSC_ROLE_MATCH] = 'M',
    [NSC_ROLE_LINK] = 'j',
    [NSC_ROLE_BOOKMARK] = 'F',
    [NSC_ROLE_INK] = 'I',
};

struct play {
    struct nsc_app_options options;
    struct nsc_test_world world; /* opened by the first input */
    const char *from;            /* the rest of the file */
    struct nsc_buf out;          /* the file as it should be */
};

static void send(struct play *play, const struct nsc_input *input)
{
    if (!play->world.app)
        nsc_test_world_open(&play->world, &play->options, NULL, 0, 0);
    nsc_test_give(&play->world, input);
}

/* The next line without its end; false at the end of the file. */
static bool next_line(struct play *play, char line[LINE_BYTES])
{
    size_t n = strcspn(play->from, "\n");

    if (!*play->from)
        return false;
    (void)snprintf(line, LINE_BYTES, "%.*s", (int)n, play->from);
    play->from += play->from[n] ? n + 1 : n;
    return true;
}

static void move_mouse(struct play *play, const char *words)
{
    static const char *const names[] = {"press", "drag", "release", "double", "up", "down"};
    struct nsc_input input = {.type = NSC_INPUT_MOUSE};
    char name[16];

    input.mouse.button = strncmp(words, "right ", 6) == 0 ? 3 : 1;
    words += input.mouse.button == 3 ? 6 : 0;
    if (sscanf(words, "%15s %d %d", name, &input.mouse.row, &input.mouse.col) != 3)
        fail_msg("not a mouse event: %s", words);
    for (int i = 0; i < 6; i++)
        if (strcmp(name, names[i]) == 0)
            input.mouse.action = (enum nsc_mouse_action)i;
    send(play, &input);
}

static void load_trace(struct play *play)
{
    struct nsc_buf text = NSC_BUF_INIT(FILE_BYTES);
    struct nsc_input input = {.type = NSC_INPUT_LOADED};
    char line[LINE_BYTES];

    while (next_line(play, line)) {
        nsc_buf_printf(&play->out, "%s\n", line);
        if (!line[0])
            break;
        nsc_buf_printf(&text, "%s\n", line);
    }
    play->world.trace = nsc_test_trace_parse(text.n ? text.bytes : "");
    nsc_buf_fini(&text);
    input.trace = play->world.trace;
    send(play, &input);
}

static void tell_progress(struct play *play, const char *words)
{
    struct nsc_input input = {.type = NSC_INPUT_PROGRESS};
    unsigned long rows = 0;
    unsigned long total = 0;
    unsigned long ms = 0;

    if (sscanf(words, "%lu %lu %lu %u", &rows, &total, &ms, &input.progress.capture_no) < 3)
        fail_msg("not a progress: %s", words);
    input.progress.phase = NSC_PHASE_ROWS;
    send(play, &input);
    input.progress.rows = rows;
    input.progress.rows_total = total;
    input.now = ms;
    send(play, &input);
}

static void set_size(struct play *play, const char *words)
{
    struct nsc_input input = {.type = NSC_INPUT_RESIZE};

    if (sscanf(words, "%ux%u", &input.cols, &input.rows) != 2)
        fail_msg("not a size: %s", words);
    send(play, &input);
}

/* That many exports, before anything else. */
static void set_files(struct play *play, const char *words)
{
    static const char *const files[] = {"/traces/example.sqlite", "/traces/second.sqlite",
                                        "/traces/third.sqlite"};

    play->options.files = files;
    if (sscanf(words, "%u", &play->options.n_files) != 1 || play->options.n_files > 3)
        fail_msg("not a number of files: %s", words);
}

static void skip_expected(struct play *play)
{
    char line[LINE_BYTES];

    while (*play->from == '|')
        (void)next_line(play, line);
}

static void write_cells(struct play *play, bool roles)
{
    nsc_app_draw(play->world.app, &play->world.grid);
    for (uint32_t i = 0; i < play->world.grid.rows * play->world.grid.cols; i++) {
        const struct nsc_cell *cell = &play->world.grid.cells[i];
        uint32_t col = i % play->world.grid.cols;

        nsc_buf_puts(&play->out, col ? "" : "|");
        if (roles)
            nsc_buf_putc(&play->out, letters[nsc_cell_role(cell)]);
        else
            nsc_buf_add(&play->out, cell->text, cell->n);
        nsc_buf_puts(&play->out, col + 1 == play->world.grid.cols ? "|\n" : "");
    }
    skip_expected(play);
}

static void do_line(struct play *play, char *line)
{
    if (strcmp(line, "trace") == 0)
        load_trace(play);
    else if (strncmp(line, "loading ", 8) == 0)
        tell_progress(play, line + 8);
    else if (strncmp(line, "size ", 5) == 0)
        set_size(play, line + 5);
    else if (strncmp(line, "files ", 6) == 0)
        set_files(play, line + 6);
    else if (strcmp(line, "compare") == 0)
        play->options.compare = true;
    else if (strcmp(line, "glyphs ascii") == 0)
        play->options.ascii = true;
    else if (strncmp(line, "keys ", 5) == 0)
        nsc_test_press(&play->world, line + 5);
    else if (strncmp(line, "mouse ", 6) == 0)
        move_mouse(play, line + 6);
    else if (strcmp(line, "screen") == 0 || strcmp(line, "roles") == 0)
        write_cells(play, line[0] == 'r');
    else if (line[0] && line[0] != '#')
        fail_msg("not understood: %s", line);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, FILE_BYTES);

    if (!file || !text || fread(text, 1, FILE_BYTES - 1, file) == 0)
        fail_msg("cannot read %s", path);
    (void)fclose(file);
    return text;
}

/* Prints the lines that differ, expected and got. */
static void print_difference(const char *path, const char *expected, const char *got)
{
    unsigned number = 1;

    print_message("%s: what is drawn is not what is written (NSC_UPDATE=1 takes it over)\n", path);
    while (*expected || *got) {
        size_t n = strcspn(expected, "\n");
        size_t m = strcspn(got, "\n");

        if (n != m || memcmp(expected, got, n) != 0)
            print_message("%u\n-%.*s\n+%.*s\n", number, (int)n, expected, (int)m, got);
        expected += expected[n] ? n + 1 : n;
        got += got[m] ? m + 1 : m;
        number++;
    }
}

static void write_file(const char *path, const struct nsc_buf *text)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(text->bytes, 1, text->n, file) != text->n || fclose(file) != 0)
        fail_msg("cannot write %s", path);
}

static void plays_as_written(void **state)
{
    const char *path = *state;
    char *text = read_file(path);
    struct play play = {.options = {.file = "/traces/example.sqlite"}, .from = text};
    char line[LINE_BYTES];

    play.out = (struct nsc_buf)NSC_BUF_INIT(FILE_BYTES);
    while (next_line(&play, line)) {
        nsc_buf_printf(&play.out, "%s\n", line);
        do_line(&play, line);
    }
    nsc_test_world_fini(&play.world);
    if (strcmp(text, play.out.bytes) != 0) {
        print_difference(path, text, play.out.bytes);
        if (!getenv("NSC_UPDATE"))
            fail_msg("%s", path);
        write_file(path, &play.out);
    }
    nsc_buf_fini(&play.out);
    free(text);
}

int main(int argc, char **argv)
{
    int failed = 0;

    for (int i = 1; i < argc; i++) {
        const struct CMUnitTest tests[] = {
            {argv[i], plays_as_written, NULL, NULL, argv[i]},
        };

        failed += cmocka_run_group_tests_name("screens", tests, NULL, NULL);
    }
    return failed != 0 || argc < 2;
}
