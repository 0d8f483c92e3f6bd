/*
 * Any stream of keys, mouse events and sizes leaves the application valid and every cell of the
 * grid written.
 */
#include "support/roll_input.h"
#include "support/screen_trace.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUTS = 300, INPUT_BYTES = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nsc_app_options options = {.file = "fuzz.sqlite", .ascii = size % 2 != 0};
    struct nsc_app *app = nsc_app_new(&options);
    struct nsc_trace *trace = nsc_test_trace_parse(nsc_test_trace_sample);
    struct nsc_input input = {.type = NSC_INPUT_RESIZE, .rows = 24, .cols = 80};
    struct nsc_grid grid;

    nsc_grid_init(&grid, options.ascii);
    (void)nsc_app_input(app, &input);
    nsc_test_app_check(app, &grid);
    input = (struct nsc_input){.type = NSC_INPUT_LOADED, .trace = trace};
    (void)nsc_app_input(app, &input);
    for (size_t i = 0; i + INPUT_BYTES <= size && i < (size_t)MAX_INPUTS * INPUT_BYTES;
         i += INPUT_BYTES) {
        input = nsc_test_input_of(data + i);
        (void)nsc_app_input(app, &input);
        nsc_test_app_check(app, &grid);
    }
    nsc_app_free(app);
    nsc_grid_fini(&grid);
    nsc_trace_free(trace);
    return 0;
}
