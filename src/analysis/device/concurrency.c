/*
 * Ops at once, from the times of a device.
 */
#include "analysis/device/concurrency.h"

#include <string.h>

bool nsc_concurrency_build(struct nsc_concurrency *out, const struct nsc_scope *scope,
                           uint32_t device)
{
    struct nsc_device_times times;
    bool result = nsc_device_times_build(&times, scope, device);

    *out = (struct nsc_concurrency){
        .window = times.window, .streams = times.streams, .most = times.most};
    if (result) {
        memcpy(out->level, times.level, sizeof out->level);
        out->busy = nsc_window_length(out->window) - out->level[0];
        out->mean = times.op_ns / (double)nsc_window_length(out->window);
        out->mean_of_busy = out->busy > 0 ? times.op_ns / (double)out->busy : 0;
    }
    nsc_device_times_fini(&times);
    return result;
}
