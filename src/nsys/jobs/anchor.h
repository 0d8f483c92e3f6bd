/*
 * The anchors of an export in time: the time of day at which it began, its first events, and the
 * starts of one range.
 *
 * An anchor ignores --trim, --gpu, --pid and --tables, so that they do not move an export. All
 * times are ns on the export's own clock.
 */
#ifndef NSC_NSYS_ANCHOR_H
#define NSC_NSYS_ANCHOR_H

#include "nsyscope/open.h"

#include "core/vec.h"

#define NSC_HOST_BYTES 64

struct nsc_pool;

struct nsc_anchor {
    const char *path;  /* borrowed from the capture */
    int64_t utc;       /* time 0 of the export in ns since 1970; 0: unknown */
    nsc_time duration; /* ns of the recording; 0: unknown */
    bool has_work, has_event;
    nsc_time work, event;        /* starts of the first op and of the first event */
    NSC_VEC(nsc_time) instances; /* starts of the ranges and marks with the name, ascending */
    char host[NSC_HOST_BYTES];   /* raw bytes, cut; "": unknown */
};

/* Reads the anchors in small tables. An anchor that is missing or damaged there stays unknown, without
 * an error. NSC_EIO. */
NSC_NODISCARD enum nsc_status nsc_anchor_init(struct nsc_anchor *anchor,
                                              const struct nsc_capture *capture,
                                              struct nsc_error *error);
void nsc_anchor_fini(struct nsc_anchor *anchor);

/* The threads of a scan and its progress, which may cancel it. */
struct nsc_anchor_scan {
    struct nsc_pool *pool;
    struct nsc_progress *progress; /* may be NULL */
};

/* Scans the tables of events for `work` and `event`. NSC_ECANCELLED, NSC_EDAMAGED, NSC_EIO. */
NSC_NODISCARD enum nsc_status nsc_anchor_find_first(struct nsc_anchor *anchor,
                                                    struct nsc_capture *capture,
                                                    struct nsc_anchor_scan by,
                                                    struct nsc_error *error);
/* Scans NVTX_EVENTS for ranges and marks whose whole text is name; fills instances. */
NSC_NODISCARD enum nsc_status nsc_anchor_find_range(struct nsc_anchor *anchor,
                                                    struct nsc_capture *capture, const char *name,
                                                    struct nsc_anchor_scan by,
                                                    struct nsc_error *error);

#endif
