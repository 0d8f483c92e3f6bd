/*
 * The label by which a process of a PithTrain run says which rank it is.
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

/* "rank=N; pp=R/S dp=R/S cp=R/S ep=R/S; mbs=M seq=Q": tokens in any order, the last of a key wins.
 * False when one is missing or is no number. */
bool nsc_pith_label_parse(struct nsc_pith_label *out, struct nsc_text text);
/* Whether the text begins and ends as the grammar has it, to the blank. */
bool nsc_pith_label_is_strict(struct nsc_text text);

#endif
