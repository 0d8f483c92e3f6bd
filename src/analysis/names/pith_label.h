/*
 * The label that names the rank of a process in a PithTrain run.
 */
#ifndef NSC_ANALYSIS_PITH_LABEL_H
#define NSC_ANALYSIS_PITH_LABEL_H

#include "core/text.h"

struct nsc_pith_mesh {
    int64_t rank, size;
};

struct nsc_pith_label {
    int64_t rank;
    struct nsc_pith_mesh pp, dp, cp, ep;
    int64_t mbs, seq;
};

/* Parses "rank=N; pp=R/S dp=R/S cp=R/S ep=R/S; mbs=M seq=Q". Tokens come in any order; the last of
 * a key wins. False if one is missing or not a number. */
bool nsc_pith_label_parse(struct nsc_pith_label *out, struct nsc_text text);
/* Whether the text matches the grammar exactly, with single blanks. */
bool nsc_pith_label_is_strict(struct nsc_text text);

#endif
