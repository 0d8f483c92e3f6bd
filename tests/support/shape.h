/*
 * Synthetic exports beside the training job of `nsyscope generate`, and exports repeated in time.
 *
 * Equal inputs give equal rows. An existing file is replaced. False, with a line on stderr, if a file
 * cannot be read or written.
 */
#ifndef SUPPORT_SHAPE_H
#define SUPPORT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

/* shape: a name of shape.def. shuffle: the rows of each table of events stand in no order. */
bool shape_export(const char *path, const char *shape, uint64_t kernels, bool shuffle);

/*
 * Copies all tables to a new file, and tables with events once per repetition: times, correlation
 * ids and keys move on by the range of the original.
 */
bool tile_export(const char *path, const char *from, uint64_t times, bool shuffle);

#endif
