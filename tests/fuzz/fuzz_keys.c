/*
 * Any stream of keys, mouse events and sizes leaves the application valid and every cell of the
 * grid written.
 * promises: E16
 */
#include "support/app_world.h"
#include "support/roll_input.h"
#include "support/screen_trace.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUTS = 300, INPUT_BYTES = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nsc_app_options options = {.file = "fuzz.sqlite", .ascii = size % 2 != 0};
    struct nsc_test_world world;

    nsc_test_world_open(&world, &options, NULL, 24, 80);
    nsc_test_app_check(world.app, &world.grid);
    nsc_test_world_load(&world, nsc_test_trace_sample);
    for (size_t i = 0; i + INPUT_BYTES <= size && i < (size_t)MAX_INPUTS * INPUT_BYTES;
         i += INPUT_BYTES) {
        nsc_test_send(&world, nsc_test_input_of(data + i));
        nsc_test_app_check(world.app, &world.grid);
    }
    nsc_test_world_fini(&world);
    return 0;
}
