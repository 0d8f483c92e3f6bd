/*
 * The verdict on what bounds a device.
 */
#include "analysis/device/bound.h"

#include "core/sum.h"

enum nsc_bound nsc_bound_of(const struct nsc_absent *absent)
{
    nsc_time whole = nsc_sum(absent->compute, absent->absent);
    nsc_time starved = absent->part[NSC_ABSENT_STARVED];
    nsc_time unknown = absent->part[NSC_ABSENT_UNKNOWN];

    if (nsc_percent(absent->compute, whole) >= NSC_BOUND_COMPUTE_PERCENT)
        return NSC_BOUND_GPU;
    if (nsc_percent(starved, whole) >= NSC_BOUND_STARVED_PERCENT &&
        starved >= absent->absent - starved)
        return NSC_BOUND_CPU;
    return unknown >= absent->absent - unknown ? NSC_BOUND_UNKNOWN : NSC_BOUND_MIXED;
}

const char *nsc_bound_word(enum nsc_bound bound)
{
    static const char *const words[] = {"CPU-bound", "GPU-bound", "mixed", "unknown"};

    return words[bound];
}
