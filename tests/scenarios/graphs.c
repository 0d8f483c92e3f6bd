/*
 * CUDA graphs as nsys records them node by node: which code captured the work that a graph replays,
 * beside which code launched it.
 */
#include "scenarios/scenario.h"

#include <stdio.h>
#include <string.h>

enum { LAYERS = 4, SIZES = 3, REPLAYS = 5, NODES = 64 };

/* An executable graph: its nodes, clones of those that were captured in a layer. */
struct graph {
    int n;
    int64_t node[NODES];
    int layer[NODES]; /* of the code that captured it; -1: none, or not recorded */
};

/* What a server does: captures graphs, replays them. */
struct server {
    struct scenario *s;
    int64_t thread, now;
    int64_t next_node; /* ids of nodes begin at 2^32, as in real exports */
    uint32_t random;
    int64_t of_layer[LAYERS]; /* ns of replayed work, by the layer that captured it */
    int64_t other;            /* ns of all other work */
};

static struct server begin(void **state)
{
    struct server server = {.s = *state, .next_node = INT64_C(1) << 32, .random = 7};

    scenario_gpu(server.s, 0, "NVIDIA H100 80GB HBM3");
    server.thread = scenario_thread(server.s, 100, 100, "python");
    scenario_sql(server.s,
                 "CREATE TABLE CUDA_GRAPH_NODE_EVENTS (start INTEGER NOT NULL, end INTEGER "
                 "NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, nameId INTEGER "
                 "NOT NULL, graphNodeId INTEGER NOT NULL, originalGraphNodeId INTEGER)");
    return server;
}

static int64_t pass(struct server *server, int64_t ns)
{
    server->now += ns;
    return server->now;
}

static int64_t duration(struct server *server)
{
    server->random = server->random * 1664525 + 1013904223;
    return US(1) + (server->random >> 16);
}

/* original 0: none. */
static void made(struct server *server, int64_t node, int64_t original)
{
    int64_t t = pass(server, US(2));

    scenario_sql(server->s,
                 "INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES (%lld, %lld, 77, %lld, %lld, %lld, "
                 "nullif(%lld, 0))",
                 (long long)t, (long long)t, (long long)server->thread,
                 (long long)scenario_string(server->s, "Graph Node Creation"), (long long)node,
                 (long long)original);
}

/* Captures n nodes in the code of a layer. */
static void capture_layer(struct server *server, struct graph *graph, int layer, int n)
{
    int64_t start = pass(server, US(5));
    char text[32];

    for (int i = 0; i < n; i++) {
        graph->layer[graph->n] = layer;
        graph->node[graph->n++] = server->next_node;
        made(server, server->next_node++, 0);
    }
    snprintf(text, sizeof text, "layer_%d", layer);
    scenario_range(server->s, server->thread, text, start, pass(server, US(5)));
}

/* Instantiates a captured graph: each node is cloned, which nsys records once with and once without
 * the original. */
static void instantiate(struct server *server, struct graph *graph)
{
    int64_t start = pass(server, US(5));

    for (int i = 0; i < graph->n; i++) {
        made(server, server->next_node, 0);
        made(server, server->next_node, graph->node[i]);
        graph->node[i] = server->next_node++;
    }
    scenario_call(server->s, server->thread, "cudaGraphInstantiateWithFlags_v11040", start,
                  pass(server, US(5)));
}

static void add_op(struct server *server, int64_t call, int64_t node, int layer, int64_t start,
                   int64_t end, bool is_memset)
{
    const char *table = is_memset ? "MEMSET" : "KERNEL";

    if (is_memset)
        scenario_memset(server->s, call, 0, 7, 4096, start, end);
    else
        scenario_kernel(server->s, call, 0, 7, "nvjet_tst_128x64", start, end);
    scenario_sql(server->s,
                 "UPDATE CUPTI_ACTIVITY_KIND_%s SET graphNodeId = nullif(%lld, 0) WHERE rowid = "
                 "(SELECT max(rowid) FROM CUPTI_ACTIVITY_KIND_%s)",
                 table, (long long)node, table);
    if (layer >= 0)
        server->of_layer[layer] += end - start;
    else
        server->other += end - start;
}

/* Launches the graph from the code of a step; each node runs as often as turns says. */
static void replay(struct server *server, const struct graph *graph, int turns)
{
    int64_t start = pass(server, US(20));
    int64_t call = scenario_call(server->s, server->thread, "cudaGraphLaunch_v10000", start + US(1),
                                 start + US(6));

    pass(server, US(10));
    for (int turn = 0; turn < turns; turn++)
        for (int i = 0; i < graph->n; i++) {
            int64_t from = server->now, to = pass(server, duration(server));

            add_op(server, call, graph->node[i], graph->layer[i], from, to, i % 7 == 6);
        }
    scenario_range(server->s, server->thread, "decode", start, start + US(8));
}

/* Work of the same kernel outside of graphs, launched in a layer: prefill. */
static void run_eagerly(struct server *server)
{
    for (int layer = 0; layer < LAYERS; layer++) {
        int64_t start = pass(server, US(20));
        int64_t call = scenario_call(server->s, server->thread, "cudaLaunchKernel_v7000",
                                     start + US(1), start + US(6));
        int64_t from = pass(server, US(10)), to = pass(server, duration(server));

        add_op(server, call, 0, -1, from, to, false);
        scenario_range(server->s, server->thread, "prefill_layer", start, start + US(8));
    }
}

/* Captured work adds up by layer and over all; nothing that was launched counts there. */
static void is_by_layer(struct server *server)
{
    struct scenario *s = server->s;
    int64_t all = server->other;
    char where[64], line[128];

    for (int layer = 0; layer < LAYERS; layer++)
        all += server->of_layer[layer];
    scenario_ask(s, "skill run layers @ -p captured=on -p fold=off -p limit=0");
    for (int layer = 0; layer < LAYERS; layer++) {
        snprintf(where, sizeof where, "path LIKE '%%layer_%d'", layer);
        assert_int_equal(scenario_sum(s, "layers", where, "work_ns"), server->of_layer[layer]);
    }
    assert_int_equal(scenario_sum(s, "layers", "path = '(none)'", "work_ns"), server->other);
    assert_int_equal(scenario_sum(s, "layers", "path LIKE '%decode%'", "work_ns"), 0);
    scenario_ask(s, "skill run layers @ -p fold=off -p limit=0");
    assert_int_equal(scenario_sum(s, "layers", "path LIKE '%/ layer_%'", "work_ns"), 0);
    assert_int_equal(scenario_sum(s, "layers", NULL, "work_ns"), all);
    scenario_ask(s, "tree @ -p captured=on -p fold=off");
    for (int layer = 0; layer < LAYERS; layer++) {
        snprintf(where, sizeof where, "range LIKE '%%layer_%d'", layer);
        assert_int_equal(scenario_sum(s, "nvtx_tree", where, "gpu_work_ns"),
                         server->of_layer[layer]);
    }
    for (int layer = 0; layer < LAYERS; layer++) {
        snprintf(line, sizeof line,
                 "sql @ \"SELECT coalesce(sum(dur), 0) AS ns FROM op\" --filter captured:layer_%d",
                 layer);
        scenario_ask(s, line);
        assert_int_equal(scenario_int(s, "query", NULL, "ns"), server->of_layer[layer]);
    }
}

/* One graph of the whole step for each batch size; the largest is captured first. */
SCENARIO(test_whole_steps_of_several_sizes)
{
    struct server server = begin(state);
    struct graph graphs[SIZES] = {0};

    for (int size = 0; size < SIZES; size++) {
        int64_t start = pass(&server, US(10));

        for (int layer = 0; layer < LAYERS; layer++)
            capture_layer(&server, &graphs[size], layer, 1 + (layer + size) % 3);
        instantiate(&server, &graphs[size]);
        scenario_range(server.s, server.thread, "capture", start, pass(&server, US(1)));
    }
    run_eagerly(&server);
    for (int i = 0; i < REPLAYS; i++)
        for (int size = 0; size < SIZES; size++)
            replay(&server, &graphs[size], 1);
    is_by_layer(&server);
}

/* Somebody who does not know the program asks for the slowest kernel (D) and sees its layer, on the
 * smallest screen. One of prefill is slower: n goes on to the next. */
SCENARIO(test_a_stranger_finds_the_layer_of_the_slowest_kernel)
{
    struct server server = begin(state);
    struct graph graph = {0};
    int64_t capture = pass(&server, US(10));
    int64_t start, call;

    for (int layer = 0; layer < LAYERS; layer++)
        capture_layer(&server, &graph, layer, 3);
    instantiate(&server, &graph);
    scenario_range(server.s, server.thread, "capture batch size 8", capture, pass(&server, US(1)));
    run_eagerly(&server);
    for (int i = 0; i < REPLAYS; i++)
        replay(&server, &graph, 1);
    start = pass(&server, US(20));
    call = scenario_call(server.s, server.thread, "cudaGraphLaunch_v10000", start, start + US(5));
    add_op(&server, call, graph.node[7], graph.layer[7], start + US(10), start + US(310), false);
    assert_int_equal(scenario_run(server.s, "render @ --size 80x24 --keys D"), 0);
    assert_non_null(
        strstr(scenario_output(server.s), "captured in layer_2 ‹ capture batch size 8"));
    start = pass(&server, US(400));
    call = scenario_call(server.s, server.thread, "cudaLaunchKernel_v7000", start, start + US(5));
    add_op(&server, call, 0, -1, start + US(10), start + US(410), false);
    assert_int_equal(scenario_run(server.s, "render @ --size 80x24 --keys D"), 0);
    assert_null(strstr(scenario_output(server.s), "captured in"));
    assert_int_equal(scenario_run(server.s, "render @ --size 80x24 --keys 'D n'"), 0);
    assert_non_null(
        strstr(scenario_output(server.s), "captured in layer_2 ‹ capture batch size 8"));
}

/* One graph for each layer, as compilers cut them, and eager work in between. */
SCENARIO(test_piecewise_graphs)
{
    struct server server = begin(state);
    struct graph graphs[LAYERS] = {0};

    for (int layer = 0; layer < LAYERS; layer++) {
        capture_layer(&server, &graphs[layer], layer, 3);
        instantiate(&server, &graphs[layer]);
    }
    for (int i = 0; i < REPLAYS; i++)
        for (int layer = 0; layer < LAYERS; layer++) {
            replay(&server, &graphs[layer], 1);
            run_eagerly(&server);
        }
    is_by_layer(&server);
}

/* A graph is captured anew and updates the executable one, whose nodes stay those of the first. */
SCENARIO(test_an_update_keeps_the_nodes)
{
    struct server server = begin(state);
    struct graph graph = {0}, later = {0};
    int64_t start;

    for (int layer = 0; layer < LAYERS; layer++)
        capture_layer(&server, &graph, layer, 2);
    instantiate(&server, &graph);
    replay(&server, &graph, 1);
    for (int layer = 0; layer < LAYERS; layer++)
        capture_layer(&server, &later, layer, 2);
    start = pass(&server, US(1));
    scenario_call(server.s, server.thread, "cudaGraphExecUpdate_v12000", start,
                  pass(&server, US(5)));
    replay(&server, &graph, 1);
    is_by_layer(&server);
}

/* The body of a conditional node is a graph of its own, whose nodes run several times a launch; and
 * a graph that is a child of another is cloned twice. */
SCENARIO(test_conditional_and_child_graphs)
{
    struct server server = begin(state);
    struct graph body = {0}, child = {0};

    capture_layer(&server, &body, 1, 5);
    instantiate(&server, &body);
    capture_layer(&server, &child, 2, 9);
    instantiate(&server, &child);
    instantiate(&server, &child);
    for (int i = 0; i < REPLAYS; i++) {
        replay(&server, &body, 3);
        replay(&server, &child, 1);
    }
    is_by_layer(&server);
}

/* The recording begins after the capture: no event made the nodes. Another graph is known. */
SCENARIO(test_captured_before_the_recording)
{
    struct server server = begin(state);
    struct graph known = {0};
    struct graph unknown = {
        .n = 2, .node = {INT64_C(9) << 32, (INT64_C(9) << 32) + 1}, .layer = {-1, -1}};

    capture_layer(&server, &known, 0, 2);
    instantiate(&server, &known);
    replay(&server, &known, 1);
    replay(&server, &unknown, 1);
    is_by_layer(&server);
}

/* A graph is destroyed and the ids of its nodes are used again by another layer: either may be meant. */
SCENARIO(test_ids_used_again)
{
    struct server server = begin(state);
    struct graph first = {0}, second = {0}, other = {0};

    capture_layer(&server, &other, 3, 2);
    instantiate(&server, &other);
    capture_layer(&server, &first, 0, 2);
    server.next_node -= 2;
    capture_layer(&server, &second, 1, 2);
    first.layer[0] = first.layer[1] = second.layer[0] = second.layer[1] = -1;
    replay(&server, &first, 1);
    replay(&server, &second, 1);
    replay(&server, &other, 1);
    is_by_layer(&server);
}

/* Nothing is known: the answer says which recording would tell. */
SCENARIO(test_no_capture_is_known)
{
    struct server server = begin(state);
    struct graph unknown = {.n = 1, .node = {INT64_C(9) << 32}, .layer = {-1}};

    replay(&server, &unknown, 1);
    scenario_ask(server.s, "skill run layers @ -p captured=on");
    assert_int_equal(scenario_count(server.s, "layers", NULL), 0);
    assert_non_null(strstr(scenario_output(server.s), "--cuda-graph-trace=node"));
    assert_non_null(strstr(scenario_output(server.s), "before the warm-up"));
}
