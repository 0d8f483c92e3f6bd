/*
 * The copies of a device by direction and by the memory they touch.
 *
 * A group is a direction (copyKind) and the kinds of memory at both ends. Bytes and memory are
 * columns beside the index (NSC_FIELDS_COPIES). Without them a group is only a direction. The
 * achieved rate is bytes divided by summed duration. An asynchronous copy from or to pageable
 * memory is synchronous. Sums add whole durations; busy and no_compute are lengths of unions
 * clipped to the device's window.
 */
#ifndef NSC_ANALYSIS_COPIES_H
#define NSC_ANALYSIS_COPIES_H

#include "analysis/base/field_sets.h"
#include "analysis/base/limit.h"
#include "analysis/device/breakdown.h"
#include "analysis/device/sweep.h"

#define NSC_COPY_SMALL    (1024 * NSC_LIMIT_SMALL_COPY) /* bytes; a smaller copy is small */
#define NSC_COPY_PAGEABLE 0                             /* ENUM_CUDA_MEM_KIND */

struct nsc_copy_group {
    int64_t direction; /* copyKind of the export; -1: not known, see kind */
    int64_t from, to;  /* srcKind, dstKind; -1: not known */
    uint8_t kind;      /* enum nsc_kind of the first copy */
    uint64_t count;
    uint64_t sized;      /* copies whose bytes are known */
    int64_t bytes;       /* of sized copies; saturating */
    nsc_time duration;   /* summed, of sized copies; saturating */
    nsc_time work;       /* summed, of all copies */
    nsc_time busy;       /* union */
    nsc_time no_compute; /* part of busy without compute */
    uint64_t small;      /* sized copies below NSC_COPY_SMALL */
    nsc_event best;      /* the first sized copy of the greatest rate above 0; NSC_NONE: none */
    int64_t best_bytes;
    double best_rate;  /* bytes a ns */
    uint64_t blocking; /* copies that held the host: the call's name lacks "async", or the memory
                          * is pageable and the call covers at least half of the copy */
};

#define NSC_COPY_GROUPS 48 /* further groups are added to the last one */

struct nsc_copies {
    struct nsc_window window;
    bool has_bytes, has_memory; /* the export has these columns */
    uint32_t n;
    struct nsc_copy_group at[NSC_COPY_GROUPS]; /* sorted by work, the greatest first; n are set */
};

/* False when the device has no work in the scope. */
bool nsc_copies_build(struct nsc_copies *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, uint32_t device);
/* "host to device", "unified, device to host"; "pageable", "pinned", "device"; "" for -1. */
const char *nsc_copy_direction_word(const struct nsc_copy_group *group);
const char *nsc_copy_memory_word(int64_t memory);

/* ---- copies between host and device, added up ---- */

struct nsc_transfers {
    struct nsc_breakdown time; /* transfer, transfer_exposed, whole */
    uint64_t count, sized, small, blocking;
    int64_t bytes, pageable; /* saturating */
    int64_t to_device, to_host;
    nsc_time to_device_ns, to_host_ns; /* summed durations of sized copies */
    bool has_bytes, has_memory;
};

/* False when the device has no work in the scope. */
bool nsc_transfers_build(struct nsc_transfers *out, const struct nsc_scope *scope,
                         const struct nsc_field_sets *fields, uint32_t device);

extern const struct nsc_rider nsc_copies_rider; /* param: nsc_field_sets, or NULL */

/* Whether copies of this name are migrations of unified memory. */
bool nsc_copies_is_migration(const struct nsc_trace *trace, nsc_name name);

#endif
