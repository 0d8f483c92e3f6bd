/*
 * The user's cache: exports of reports, by the content of the report.
 *
 * The folder is $NSYSCOPE_CACHE, or nsyscope/reports in the user's folder of caches (XDG), mode 0700. An
 * entry is a folder in it, "report-SIZE-HASH", with one export, under each name that the report has
 * had. Other files there are left alone.
 */
#ifndef NSC_OPEN_CACHE_H
#define NSC_OPEN_CACHE_H

#include "nsyscope/types.h"

#include "open/recordings.h"

#define NSC_CACHE_SIZE "20G" /* the most bytes, unless $NSYSCOPE_CACHE_SIZE says it */

/* Finds the folder, which need not exist, and lists the entries. NSC_EWRITE: there is no place for it,
 * or others may write there. The caller calls fini, also then. */
NSC_NODISCARD enum nsc_status nsc_cache_open(struct nsc_recordings *cache, struct nsc_error *error);
/* Appends the name of the entry of a report, from its content. NSC_EIO. */
NSC_NODISCARD enum nsc_status nsc_cache_name(struct nsc_buf *out, const char *report,
                                             struct nsc_error *error);
/* Appends the path of the entry's export, with this stem, and counts it as used; false if there is none. */
bool nsc_cache_find(struct nsc_buf *out, const struct nsc_recordings *cache, const char *name,
                    struct nsc_text stem);
/* Removes the entries that were used longest ago, until the rest keeps the limit; those used at `since`
 * or later stay. Before an export is added: the limit holds but for the last one. NSC_EINVAL:
 * $NSYSCOPE_CACHE_SIZE is no size. */
NSC_NODISCARD enum nsc_status nsc_cache_trim(const struct nsc_recordings *cache, time_t since,
                                             struct nsc_error *error);
/* Removes all entries. Returns whether all are gone. */
bool nsc_cache_clear(const struct nsc_recordings *cache);

#endif
