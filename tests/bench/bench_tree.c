/*
 * Measures the tree of ranges in a large export, in CPU time: opening it, each face, walking it,
 * filtering it.
 */
#include "nsyscope/open.h"

#include "core/bits.h"
#include "view/model/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINES = 60, STEPS = 400 };

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* The slowest of many presses of a key, with the lines found again after each. */
static void measure_key(struct nsc_tree *tree, const char *what, enum nsc_action action, int times)
{
    double most = 0;
    double sum = 0;

    for (int i = 0; i < times; i++) {
        double start = now_ms();
        double took = 0;

        (void)nsc_tree_action(tree, action);
        nsc_tree_update(tree, LINES);
        took = now_ms() - start;
        most = took > most ? took : most;
        sum += took;
    }
    printf("%-32s mean %8.3f ms   most %8.3f ms\n", what, sum / times, most);
}

static void measure_filter(struct nsc_tree *tree, const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint64_t *mask = calloc(nsc_bits_words(events->n) + 1, sizeof *mask);
    double start = 0;

    for (nsc_event row = 0; mask && row < events->n; row++)
        if (events->duration[row] > 10000)
            nsc_bits_set(mask, row);
    start = now_ms();
    (void)nsc_tree_filter(tree, mask);
    nsc_tree_update(tree, LINES);
    printf("%-32s      %8.1f ms\n", "filter dur>10us", now_ms() - start);
    measure_key(tree, "filtered: line down", NSC_ACTION_TREE_DOWN, STEPS);
    free(mask);
}

static void measure(const struct nsc_trace *trace)
{
    double start = now_ms();
    struct nsc_tree *tree = nsc_tree_new(trace, NULL);

    if (!tree)
        abort();
    nsc_tree_update(tree, LINES);
    printf("%-32s      %8.1f ms for %u events\n", "open, instances", now_ms() - start,
           nsc_trace_events(trace)->n);
    measure_key(tree, "instances: line down", NSC_ACTION_TREE_DOWN, STEPS);
    measure_key(tree, "instances: page down", NSC_ACTION_TREE_PAGE_DOWN, STEPS);
    measure_key(tree, "instances: open every level", NSC_ACTION_TREE_LEVELS_ALL, 1);
    measure_key(tree, "instances: page down", NSC_ACTION_TREE_PAGE_DOWN, STEPS);
    measure_key(tree, "instances: end", NSC_ACTION_TREE_LAST, 2);
    measure_key(tree, "instances: page up", NSC_ACTION_TREE_PAGE_UP, STEPS);
    measure_key(tree, "instances: with idle times", NSC_ACTION_TREE_BUBBLES, 1);
    measure_key(tree, "instances: page up", NSC_ACTION_TREE_PAGE_UP, STEPS);
    start = now_ms();
    (void)nsc_tree_merge(tree);
    printf("%-32s      %8.1f ms for %u nodes\n", "merged", now_ms() - start, tree->merged.calls->n);
    measure_key(tree, "merged: show", NSC_ACTION_TREE_FACE, 1);
    measure_key(tree, "merged: sort", NSC_ACTION_TREE_SORT, 5);
    measure_key(tree, "merged by whole texts, and back", NSC_ACTION_TREE_ALIKE, 2);
    measure_key(tree, "instances: show", NSC_ACTION_TREE_FACE, 1);
    measure_filter(tree, trace);
    nsc_tree_free(tree);
}

int main(int argc, char **argv)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;
    struct nsc_error error = {0};

    if (argc != 2) {
        fprintf(stderr, "usage: bench_tree FILE\n");
        return 2;
    }
    if (nsc_capture_open(&capture, argv[1], &options, &error) != NSC_OK ||
        nsc_capture_load(&trace, capture, NULL, &error) != NSC_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    measure(trace);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
    return 0;
}
