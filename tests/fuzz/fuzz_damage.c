/*
 * An export with one page damaged as the bytes say: the answer equals plain SQL on the same file,
 * with and without pages, or the file is refused as damaged.
 */
#include "support/damage.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct damage_file file;

static void end(void)
{
    damage_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct damage_answer pages;
    struct damage_answer steps;

    if (!file.path[0]) {
        damage_open(&file, 200, NULL);
        if (atexit(end) != 0)
            abort();
    }
    damage_mend(&file);
    damage_apply(&file, data, size < 256 ? size : 256);
    damage_save(&file);
    pages = damage_ask(&file, 1, false);
    steps = damage_ask(&file, 1, true);
    if (pages.status == NSC_OK && steps.status == NSC_OK && pages.mix != steps.mix)
        abort();
    return 0;
}
