/*
 * Reports of Nsight Systems, opened as exports that nsys makes of them in the user's cache.
 */
#ifndef NSC_OPEN_REPORT_H
#define NSC_OPEN_REPORT_H

#include "open/cache.h"

/* The reports of one command line. */
struct nsc_reports {
    const char *nsys; /* --nsys; NULL: none */
    unsigned n, done; /* how many may have to be exported, and how many are dealt with */
    time_t began;     /* exports used since then stay in the cache */
};

/* Whether nsys export reads files of this name: *.nsys-rep and *.qdrep. */
bool nsc_report_is(const char *path);
/* The length of the path without the suffix of a report or an export. */
size_t nsc_report_stem(const char *path);
/*
 * Sets *path to an export of the report: the one beside it if that is not older, or the one in the cache,
 * or a new one there. NULL, and NSC_OK, if there is no nsys: opening the report says what to do. The
 * caller frees it. Draws a line of progress on the terminal, where Esc and Ctrl-C cancel.
 *
 * Starts programs, so it comes before the rights are given up. NSC_EIO: nsys fails; NSC_EWRITE: no place
 * for the export; NSC_EINVAL; NSC_ECANCELLED.
 */
NSC_NODISCARD enum nsc_status nsc_report_export(char **path, const char *report,
                                                struct nsc_reports *reports,
                                                struct nsc_error *error);

#endif
