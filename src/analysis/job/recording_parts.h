/*
 * Splits the time of an iteration by class and name: the parts of a waterfall.
 *
 * Meaning: each ns of a segment, on each device, belongs to one part. If a compute kernel runs, it
 * is that kernel; else if a copy or memset runs, its direction; else if communication runs, that
 * kernel; else the device is idle, with the cause of device/gaps.h. Of several ops of the same
 * class the one that began first counts (at the same time: the first row). Parts are sums over the
 * devices and segments of a kind of iterations: they add up exactly to the segments' lengths times
 * the devices. Without devices all time is idle with an unknown cause.
 */
#ifndef NSC_ANALYSIS_RECORDING_PARTS_H
#define NSC_ANALYSIS_RECORDING_PARTS_H

#include "analysis/base/scope.h"
#include "core/strpool.h"
#include "core/vec.h"

enum nsc_part_class {
    NSC_PART_COMPUTE,
    NSC_PART_EXPOSED, /* communication while nothing else runs */
    NSC_PART_OTHER,   /* copies and memsets while nothing computes */
    NSC_PART_IDLE,
    NSC_N_PART_CLASSES
};

/* "compute", "exposed comm", "copies", "idle". */
const char *nsc_part_class_word(enum nsc_part_class of);

struct nsc_part_segment {
    struct nsc_window window;
    uint32_t kind; /* of iterations */
};

struct nsc_recording_part {
    uint32_t kind, class; /* class: enum nsc_part_class */
    nsc_str name;         /* full name of a kernel; word of a copy or a cause */
    nsc_time total;       /* ns over all devices and segments of the kind */
};

struct nsc_recording_parts {
    NSC_VEC(struct nsc_recording_part) list; /* unordered; each kind, class and name once */
};

struct nsc_part_question {
    const struct nsc_scope *scope;
    const uint32_t *devices; /* tracks */
    uint32_t n_devices;
    const struct nsc_part_segment *segments; /* ascending, without overlap */
    uint32_t n_segments;
};

/* Adds a name as a record keeps it: valid UTF-8 without control characters. */
nsc_str nsc_recording_keep(struct nsc_strpool *texts, struct nsc_text text);
/* Adds names to texts. */
void nsc_recording_parts_measure(struct nsc_recording_parts *out, struct nsc_strpool *texts,
                                 const struct nsc_part_question *question);

#endif
