/* Spans of time with texts as a separate trace: rows that the timeline shows above all others. */
#ifndef NSC_VIEW_MODEL_SPAN_TRACK_H
#define NSC_VIEW_MODEL_SPAN_TRACK_H

#include "nsyscope/status.h"
#include "nsyscope/trace.h"

/* The tid of the track names the source of the rows. */
enum { NSC_SPAN_QUERY = 1, NSC_SPAN_ANSWER = 2 };

struct nsc_track_span {
    struct nsc_window at; /* not empty */
    struct nsc_text text; /* n 0: none */
    int64_t gpu;          /* each has a track, whose domain is its number + 1; -1: none, domain 0 */
};

/* Builds tracks with the label of their source: an answer or a query. Overlapping spans of a track
 * get separate lanes. The caller frees the trace. NULL, with an error, without spans or memory. */
struct nsc_trace *nsc_span_track(const struct nsc_track_span *spans, uint32_t n, bool is_answer,
                                 struct nsc_error *error);

#endif
