/*
 * A thread that launches on one stream of a GPU, for scenarios.
 */
#include "scenarios/flow.h"

struct flow flow_begin(struct scenario *s, int pid, int device)
{
    struct flow f = {s, scenario_thread(s, pid, pid, "python"), device, MS(1), 0};

    scenario_gpu(s, device, "NVIDIA H100 80GB HBM3");
    return f;
}

void flow_run(struct flow *f, const char *kernel, int64_t ns)
{
    int64_t start = f->gpu > f->host + US(8) ? f->gpu : f->host + US(8);

    scenario_launch(f->s, f->thread, f->host, f->device, 7, kernel, start, start + ns);
    f->host += US(10);
    f->gpu = start + ns;
}

void flow_run_graph(struct flow *f, int graph, int64_t ns)
{
    int64_t start = f->gpu > f->host + US(8) ? f->gpu : f->host + US(8);
    int64_t call =
        scenario_call(f->s, f->thread, "cudaGraphLaunch_v10000", f->host, f->host + US(6));

    scenario_graph(f->s, call, f->device, 7, graph, start, start + ns);
    f->host += US(10);
    f->gpu = start + ns;
}

void flow_copy(struct flow *f, enum scenario_copy kind, int64_t bytes, int64_t ns)
{
    int64_t start = f->gpu > f->host + US(8) ? f->gpu : f->host + US(8);
    int64_t call =
        scenario_call(f->s, f->thread, "cudaMemcpyAsync_v3020", f->host, f->host + US(6));

    scenario_copy(f->s, call, f->device, 7, kind, false, bytes, start, start + ns);
    f->host += US(10);
    f->gpu = start + ns;
}

void flow_synchronize(struct flow *f)
{
    int64_t end = f->gpu > f->host ? f->gpu + US(4) : f->host + US(4);

    (void)scenario_call(f->s, f->thread, "cudaStreamSynchronize_v3020", f->host, end);
    f->host = end;
}

void flow_layer(struct flow *f, int64_t ns)
{
    flow_run(f, "layer_norm_kernel", ns / 10);
    flow_run(f, "sm90_gemm_qkv", ns * 3 / 10);
    flow_run(f, "flash_fwd_kernel", ns * 3 / 10);
    flow_run(f, "sm90_gemm_mlp", ns * 3 / 10);
}

void flow_train_step(struct flow *f, int64_t ns)
{
    flow_copy(f, HOST_TO_DEVICE, 1 << 20, US(50));
    flow_run(f, "embedding_kernel", ns / 20);
    for (int i = 0; i < 4; i++)
        flow_layer(f, ns / 5);
    flow_run(f, "cross_entropy_kernel", ns / 20);
    flow_run(f, "multi_tensor_apply_adam", ns / 10);
    flow_copy(f, DEVICE_TO_HOST, 4, US(2));
    flow_synchronize(f);
}
