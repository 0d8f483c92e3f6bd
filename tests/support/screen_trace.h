/*
 * A small language for traces in tests. Each line is a row or a series of rows:
 *
 *     KIND WHERE START END NAME ...            kernel 0:7 10us 40us gemm
 *     *N PERIOD KIND WHERE START END NAME      *20 100us nvtx 111 0 90us step
 *
 * KIND is kernel, htod, dtoh, dtod, memset, graph, api, sync, nvtx, span, mark, os or sample. WHERE is
 * device:stream for GPU work and a thread for the rest. "#12" after the name is a correlation id,
 * which increments in a series. Names may contain blanks; "%d" becomes the number in the series.
 * Lines that start with # are comments; "export" begins the next of several exports, which are
 * aligned by UTC.
 */
#ifndef NSC_TEST_SCREEN_TRACE_H
#define NSC_TEST_SCREEN_TRACE_H

#include "nsyscope/trace.h"

/* Parses a trace; fails the test at an invalid line. Free it with nsc_trace_free. */
struct nsc_trace *nsc_test_trace_parse(const char *text);

/* A device with two streams and copies, two threads with NVTX, API calls and OS calls: for tests of
 * the application. */
extern const char nsc_test_trace_sample[];

#endif
