/*
 * make_export SHAPE KERNELS OUT, make_export SHAPE+ KERNELS OUT, make_export --tile EXPORT TIMES OUT:
 * makes an export of a shape of shape.def, its rows in no order with a "+"; or repeats an export.
 */
#include "support/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char shape[64];
    size_t n;

    if (argc == 5 && strcmp(argv[1], "--tile") == 0)
        return tile_export(argv[4], argv[2], strtoull(argv[3], NULL, 10), false) ? 0 : 1;
    if (argc != 4) {
        fputs("make_export SHAPE[+] KERNELS OUT | --tile EXPORT TIMES OUT\n", stderr);
        return 2;
    }
    snprintf(shape, sizeof shape, "%s", argv[1]);
    n = strcspn(shape, "+");
    shape[n] = '\0';
    return shape_export(argv[3], shape, strtoull(argv[2], NULL, 10), argv[1][n] == '+') ? 0 : 1;
}
