/*
 * Moves times of rows, checked for overflow.
 */
#include "nsys/tables/table_reader.h"

#include <string.h>

static void shift_column(struct nsc_shifted *out, int64_t times[NSC_SCAN_ROWS], int column,
                         nsc_time offset)
{
    const int64_t *from = NULL;

    if (column < 0)
        return;
    from = out->batch.value[column];
    for (uint32_t i = 0; i < out->batch.n; i++) {
        times[i] = from[i];
        if (out->batch.type[i][column] == NSC_CELL_INT &&
            __builtin_add_overflow(from[i], offset, &times[i]))
            out->lost[i] = true;
    }
    out->batch.value[column] = times;
}

void nsc_shift(struct nsc_shifted *out, const struct nsc_batch *batch, int start, int end,
               nsc_time offset)
{
    out->batch = *batch;
    memset(out->lost, 0, sizeof out->lost);
    shift_column(out, out->start, start, offset);
    shift_column(out, out->end, end, offset);
}
