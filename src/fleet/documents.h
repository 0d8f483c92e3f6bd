/*
 * The documents of a merge: sketches, merged sketches (one a line) and reports, in files, folders and standard input.
 *
 * The first pass reads each once and keeps where it lies and whose it is; broken ones are named and left out. Sorted,
 * they have an order of their own, whatever the order in which they were given; a rank that is there twice counts
 * once. The second pass reads them again one by one. The owner calls fini.
 */
#ifndef NSC_FLEET_DOCUMENTS_H
#define NSC_FLEET_DOCUMENTS_H

#include "nsyscope/status.h"

#include "core/buf.h"
#include "core/json.h"
#include "core/progress.h"
#include "core/vec.h"

struct nsc_document {
    char *path;        /* owned; NULL: bytes */
    char *bytes;       /* of standard input; owned */
    size_t at, n;      /* in the file */
    char *host, *file; /* of its identity; owned */
    int64_t number, utc_start;
    uint64_t hash;
    bool is_sketch;
    uint32_t given; /* its place in the order given */
};

struct nsc_documents {
    NSC_VEC(struct nsc_document) list;
    struct nsc_json_tree tree; /* of the last document read; its memory is used again */
    struct nsc_buf text;
    NSC_VEC(char *)
    twice; /* sentences about ranks that were left out because they are there twice */
    uint32_t n_sketches, failed;
    /* Says that a document cannot be read. */
    void (*complain)(void *context, const struct nsc_error *error);
    void *context;
    struct nsc_progress *progress; /* of reading the ranks; NULL: none */
};

/* Adds a file, all .json files of a folder, or with "-" standard input: documents, or names one a line. */
NSC_NODISCARD enum nsc_status nsc_documents_take(struct nsc_documents *documents, const char *path,
                                                 struct nsc_error *error);
/* Adds the names in a file, one a line; "-": standard input, names only. */
NSC_NODISCARD enum nsc_status nsc_documents_take_list(struct nsc_documents *documents,
                                                      const char *path, struct nsc_error *error);
/* Whether a path is a sketch, or a folder with one. */
bool nsc_documents_are(const char *path);
void nsc_documents_sort(struct nsc_documents *documents);
/* Reads document i to text, and with parse to the tree. */
NSC_NODISCARD enum nsc_status nsc_documents_read(struct nsc_documents *documents, size_t i,
                                                 bool parse, struct nsc_error *error);
/* Says that a document cannot be read, and counts it. */
void nsc_documents_fail(struct nsc_documents *documents, const char *path,
                        const struct nsc_error *why);
void nsc_documents_fini(struct nsc_documents *documents);

#endif
