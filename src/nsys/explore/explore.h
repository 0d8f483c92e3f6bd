/*
 * The schema of exports as sheets, for people who write queries: which tables and columns there
 * are, what they mean and who reads them, what refers to what, and queries to begin with.
 *
 * Sheets: "tables"; "columns"; "references"; "concepts"; of an export "queries", and for each a
 * sheet "query_KEY" of its first rows; of the known versions "versions" and "changes".
 * The owner calls fini.
 */
#ifndef NSC_NSYS_EXPLORE_H
#define NSC_NSYS_EXPLORE_H

#include "nsyscope/open.h"

#include "core/relation.h"

struct nsc_explored {
    struct nsc_sheets sheets;
    NSC_VEC(struct nsc_relation *) kept; /* have the columns of the query sheets; owned */
};

/* The tables of every version of the exporter that is known, and what changed when. */
void nsc_explore_versions(struct nsc_explored *out);
/* Everything is borrowed. */
struct nsc_explore_ask {
    const char *path;
    const struct nsc_open_options *options;
    bool brief;                    /* for a screen: tables without area and times, all queries that
                                    have their tables, none of their results */
    struct nsc_progress *progress; /* NULL: cannot be cancelled */
};

/*
 * The tables of one export. Times and queries that take longer than 2 s each are cut, and a note
 * says so. Errors are those of opening; NSC_EIO also if the file changed meanwhile. Once cancelled,
 * what is missing is unknown.
 */
NSC_NODISCARD enum nsc_status nsc_explore_export(struct nsc_explored *out,
                                                 const struct nsc_explore_ask *ask,
                                                 struct nsc_error *error);
void nsc_explored_fini(struct nsc_explored *explored);

#endif
