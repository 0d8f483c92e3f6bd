/*
 * What the screen of a job costs: reading its sketches, the first picture, and keys with their pictures.
 *
 *     bench_job FOLDER
 */
#include "board/board.h"
#include "core/text.h"
#include "fleet/job.h"

#include <locale.h>
#include <stdio.h>
#include <time.h>

enum { ROWS = 60, COLS = 200 };

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void complain(void *context, const struct nsc_error *error)
{
    (void)context;
    (void)fprintf(stderr, "%s\n", error->text);
}

/* Prints what each key takes with its picture. */
static void time_keys(struct nsc_board *board, struct nsc_grid *grid)
{
    static const char *const keys[] = {
        "Right", "Down", "v",     "v",     "v", "o",    "o",   "o", "+", "+",     "-",        "-",
        "w",     "w",    "Space", "Space", "e", "PgDn", "End", "/", "1", "Enter", "Backspace"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct nsc_input input = {.type = NSC_INPUT_KEY};
        double start = now_ms();

        if (!nsc_key_parse(&input.key, nsc_text_from(keys[i])))
            continue;
        (void)nsc_board_input(board, &input);
        nsc_board_draw(board, grid);
        printf("%-10s %6.2f ms\n", keys[i], now_ms() - start);
    }
}

static void show(const struct nsc_judged *judged)
{
    struct nsc_input resize = {.type = NSC_INPUT_RESIZE, .rows = ROWS, .cols = COLS};
    struct nsc_keymap keymap;
    struct nsc_job_values values;
    struct nsc_board board;
    struct nsc_grid grid;
    struct nsc_error error = {0};
    double start = now_ms();

    nsc_keymap_init(&keymap);
    if (nsc_job_values_build(&values, &judged->meetings, &error) != NSC_OK) {
        complain(NULL, &error);
        return;
    }
    printf("%-10s %6.0f ms, %u ranks, %u columns\n", "figures", now_ms() - start, values.n_ranks,
           values.n_columns);
    start = now_ms();
    nsc_grid_init(&grid, false);
    board = (struct nsc_board){
        .keymap = &keymap, .name = "job", .values = &values, .verdicts = &judged->verdicts};
    nsc_board_init(&board);
    (void)nsc_board_input(&board, &resize);
    nsc_board_draw(&board, &grid);
    printf("%-10s %6.2f ms\n", "picture", now_ms() - start);
    time_keys(&board, &grid);
    nsc_board_fini(&board);
    nsc_grid_fini(&grid);
    nsc_job_values_fini(&values);
}

int main(int argc, char **argv)
{
    struct nsc_documents documents = {.complain = complain};
    struct nsc_judged judged;
    struct nsc_fleet fleet;
    struct nsc_error error = {0};
    double start = now_ms();

    (void)setlocale(LC_ALL, "C.UTF-8");
    if (argc != 2 || nsc_documents_take(&documents, argv[1], &error) != NSC_OK)
        return 2;
    nsc_documents_sort(&documents);
    nsc_fleet_job_ranks(&fleet, &documents, true, NULL);
    printf("%-10s %6.0f ms\n", "reading", now_ms() - start);
    start = now_ms();
    nsc_judge(&judged, &fleet);
    printf("%-10s %6.0f ms\n", "verdicts", now_ms() - start);
    show(&judged);
    nsc_judged_fini(&judged);
    nsc_fleet_fini(&fleet);
    nsc_documents_fini(&documents);
    return 0;
}
