/*
 * Finds the NVTX ranges for "--range NAME[@DOMAIN][/N]", in order of time.
 *
 * The owner calls fini. Push/pop and start/end ranges of all threads match if their whole text
 * equals the name, byte by byte. "#" in the name matches any run of digits ("step #"). If nothing
 * matches a name that ends in "#", ranges whose text continues with a blank match too ("step 0 to
 * 10"). "@DOMAIN" at the end selects one domain, if one has that label or number. "/N" at the end
 * selects one of the ranges, counted from 0.
 */
#ifndef NSC_ANALYSIS_NAMED_RANGE_H
#define NSC_ANALYSIS_NAMED_RANGE_H

#include "nsyscope/trace.h"

#include "core/arena.h"
#include "core/nearest.h"

/* The parts of the name; texts are borrowed from it. */
struct nsc_range_name {
    struct nsc_text name;   /* without domain and number */
    struct nsc_text domain; /* "" if there is none */
    bool has_index;
    uint32_t index; /* 0 if there is none */
};

struct nsc_range_name nsc_range_name_parse(const struct nsc_trace *trace, struct nsc_text text);

struct nsc_named_ranges {
    uint32_t n;
    nsc_event *event; /* by start, the longer first, then by row */
};

void nsc_named_ranges_find(struct nsc_named_ranges *out, const struct nsc_trace *trace,
                           const struct nsc_range_name *name);
void nsc_named_ranges_fini(struct nsc_named_ranges *ranges);
/* Writes the names of NVTX ranges, with "#" for each counter, that are nearest to a text, as
 * nsc_nearest_words, and returns out. */
const char *nsc_named_ranges_nearest(char out[NSC_NEAREST_WORDS], const struct nsc_trace *trace,
                                     struct nsc_text text);

#endif
