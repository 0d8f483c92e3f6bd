/*
 * Which thread was at work while another one slept (the rule of device/gaps.h).
 */
#ifndef NSC_ANALYSIS_PARKED_H
#define NSC_ANALYSIS_PARKED_H

#include "analysis/device/host_walk.h"

/* Whether a call sleeps until another thread wakes it. */
bool nsc_parked_is(const struct nsc_trace *trace, nsc_event call);
/* The group of the thread that was at work in [t0, t1), a part of the sleep, and hands over at its
 * end; NSC_NONE: none is known. */
uint32_t nsc_parked_find(struct nsc_host_walk *host, nsc_event sleep, nsc_time t0, nsc_time t1);

#endif
