/*
 * Any bytes as an export: opening and loading end with a trace or an error.
 * promises: A30 A31
 */
#include "nsyscope/open.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/nsyscope-fuzz-XXXXXX";
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {0};
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;
    int fd = mkstemp(path);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    options.threads = 1;
    options.memory = (uint64_t)256 << 20;
    if (nsc_capture_open(&capture, path, &options, &error) == NSC_OK) {
        if (nsc_capture_load(&trace, capture, NULL, &error) == NSC_OK) {
            const struct nsc_events *events = nsc_trace_events(trace);

            for (nsc_event e = 0; e < events->n && e < 64; e++) {
                struct nsc_details details = {0};

                if (nsc_capture_details(&details, capture, events->kind[e], events->source[e],
                                        NULL) == NSC_OK)
                    nsc_details_fini(&details);
            }
        }
        nsc_trace_free(trace);
        nsc_capture_close(capture);
    }
    unlink(path);
    return 0;
}
