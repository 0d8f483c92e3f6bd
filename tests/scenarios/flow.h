/*
 * A thread that launches on one stream of a GPU, for scenarios: calls follow each other, and work
 * starts when it is launched and the stream is free.
 */
#ifndef NSC_TESTS_FLOW_H
#define NSC_TESTS_FLOW_H

#include "scenarios/scenario.h"

struct flow {
    struct scenario *s;
    int64_t thread;
    int device;
    int64_t host; /* when the thread makes its next call */
    int64_t gpu;  /* when the stream is free */
};

/* The main thread of a process, on stream 7 of a new H100. */
struct flow flow_begin(struct scenario *s, int pid, int device);
/* Launches a kernel or a graph of ns. A graph is recorded whole. */
void flow_run(struct flow *f, const char *kernel, int64_t ns);
void flow_run_graph(struct flow *f, int graph, int64_t ns);
/* An asynchronous copy from or to pinned memory that takes ns. */
void flow_copy(struct flow *f, enum scenario_copy kind, int64_t bytes, int64_t ns);
/* Waits until the stream is free. */
void flow_synchronize(struct flow *f);
/* Four kernels of a transformer's layer that take ns in all. */
void flow_layer(struct flow *f, int64_t ns);
/* Input, 4 layers, loss, optimizer, and the wait for the loss: about ns of GPU time. */
void flow_train_step(struct flow *f, int64_t ns);

#endif
