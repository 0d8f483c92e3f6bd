/*
 * setup, window, streams and stages print byte for byte the output of PithTrain's scripts on the
 * same exports, unless those scripts fail.
 */
#include "support/cm.h"
#include "support/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 65536

static const char *exports, *golden;

static const struct sample {
    const char *capture, *golden, *arguments;
    int status;
} samples[] = {
    {"pith_small", "pith_small/show_setup.out", "setup", 0},
    {"pith_small", "pith_small/find_window.out", "window", 0},
    {"pith_small", "pith_small/classify_streams.out", "streams", 0},
    {"pith_small", "pith_small/classify_streams.out", "streams --parity", 0},
    {"pith_small", "pith_small/classify_streams.rank7.out", "streams --rank 7", 0},
    {"pith_small", "pith_small/classify_streams.start0_end20ms.out",
     "streams --start 0 --end 20000000", 0},
    {"pith_small", "pith_small/compute_overlap.out", "stages", 0},
    {"pith_small", "pith_small/compute_overlap.out", "stages --parity", 0},
    {"pith_small", "pith_small/compute_overlap.only_start.out", "stages --start 5", 0},
    {"pith_small", "pith_small/compute_overlap.start0_end20ms.out", "stages --start 0 --end 20ms",
     0},
    {"pith_small", NULL, "streams --rank 3", 7},
    {"pith_small", NULL, "stages --start 5 --end 6", 7},
    {"pith_variants/duprt", "variant_duprt/show_setup.out", "setup", 0},
    {"pith_variants/duprt", "variant_duprt/find_window.out", "window", 0},
    {"pith_variants/duprt", "variant_duprt/classify_streams.out", "streams --parity", 0},
    {"pith_variants/duprt", "variant_duprt/compute_overlap.out", "stages --parity", 0},
    /* Each kernel counts once: a second record of a call changes nothing. */
    {"pith_variants/duprt", "pith_small/compute_overlap.out", "stages", 0},
    /* Where the scripts fail, the rest of the run still gets an answer. */
    {"pith_variants/launcher", "pith_small/show_setup.out", "setup", 0},
    {"pith_variants/launcher", "pith_small/compute_overlap.out", "stages", 0},
    {"pith_variants/nochunk", "variant_nochunk/show_setup.out", "setup", 0},
    {"pith_variants/nolabel", NULL, "setup", 7},
    {"pith_variants/nolabel", "pith_small/compute_overlap.out", "stages", 0},
    {"pith_variants/openchunk", "variant_openchunk/show_setup.out", "setup", 0},
    {"pith_variants/openchunk", "variant_openchunk/find_window.out", "window --parity", 0},
    {"pith_variants/openchunk", "variant_openchunk/classify_streams.out", "streams --parity", 0},
    {"pith_variants/openchunk", "variant_openchunk/compute_overlap.out", "stages --parity", 0},
};

static size_t read_stream(char *out, FILE *file)
{
    size_t n = fread(out, 1, BYTES - 1, file);

    out[n] = '\0';
    return n;
}

static void check(const struct sample *sample)
{
    static char got[BYTES], want[BYTES];
    char command[4096], path[4096];
    FILE *pipe, *file;
    int status;

    snprintf(command, sizeof command, "'%s' %s '%s/%s.sqlite' 2>/dev/null", NSC_PROGRAM,
             sample->arguments, exports, sample->capture);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    read_stream(got, pipe);
    status = pclose(pipe);
    printf("%s\n", command);
    assert_int_equal(status >> 8, sample->status);
    if (!sample->golden)
        return;
    snprintf(path, sizeof path, "%s/pithtrain/%s", golden, sample->golden);
    file = fopen(path, "r");
    assert_non_null(file);
    read_stream(want, file);
    fclose(file);
    assert_string_equal(got, want);
}

TEST(test_golden)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        check(&samples[i]);
}

TEST_MAIN
{
    exports = nsc_test_exports();
    golden = nsc_test_golden();
    return exports && golden ? nsc_test_run(NULL, NULL) : NSC_TEST_SKIPPED;
}
