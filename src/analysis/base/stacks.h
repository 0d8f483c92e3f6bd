/*
 * The call stacks of the CPU samples of a trace, folded into a tree of frames; and CUDA calls under
 * the program's own function that makes them (own_code.h).
 *
 * A frame stands for one function below one path of callers. A function without a symbol is named
 * after its library, "[libcuda.so.1]", and several of them in a row of one library are one frame.
 * The caller owns the stacks (nsc_stacks_free). Texts are raw bytes.
 */
#ifndef NSC_ANALYSIS_STACKS_H
#define NSC_ANALYSIS_STACKS_H

#include "nsyscope/trace.h"

#include "analysis/base/field_sets.h"
#include "core/vec.h"
#include "index/idtable.h"

#define NSC_STACKS_MOST  262144 /* most frames of all stacks */
#define NSC_STACKS_DEPTH 1024   /* most frames of one stack */
#define NSC_STACKS_NONE  "[no call stack]"

struct nsc_stack_frame {
    uint32_t parent; /* less than its own number; NSC_NONE for the outermost */
    nsc_str name;    /* in texts */
};

struct nsc_sample_stack {
    nsc_event event;
    uint32_t frame; /* the innermost */
};

struct nsc_call_stack {
    nsc_event event;
    uint32_t frame, idle; /* below its function: its name, and the idle time of GPUs before it */
};

struct nsc_stacks {
    NSC_VEC(struct nsc_stack_frame) frames;
    NSC_VEC(struct nsc_sample_stack) samples; /* in the order in which they were added */
    NSC_VEC(struct nsc_call_stack) calls;     /* by export in the order of the trace */
    struct nsc_strpool texts;
    bool is_cut; /* a limit was met: inner functions count as part of the frame around them */
    struct nsc_idtable known; /* the frames by parent and name */
};

/* The rows of a table of call stacks (the columns of NSC_FIELDS_CALLCHAINS), by id, then depth. */
struct nsc_chain_row {
    int64_t id, depth; /* depth: 0 for the innermost */
    uint32_t row;
};
struct nsc_chains {
    NSC_VEC(struct nsc_chain_row) rows;
};
void nsc_chains_read(struct nsc_chains *out, const struct nsc_fields *fields);
/* The first row of a stack, or where it would be. */
size_t nsc_chains_find(const struct nsc_chains *chains, int64_t id);

struct nsc_stacks *nsc_stacks_new(void);
void nsc_stacks_free(struct nsc_stacks *stacks); /* NULL is fine */

/* Adds the stacks of all samples of an export, from NSC_FIELDS_SAMPLES and NSC_FIELDS_CALLCHAINS,
 * below a frame `root`; "": none. False, without any change, if the export has no call stacks, or
 * they cannot be read. */
bool nsc_stacks_add_export(struct nsc_stacks *stacks, const struct nsc_field_sets *sets,
                           struct nsc_text root);
/* Frees what only adding needs. Call it once, before the first use. */
void nsc_stacks_end(struct nsc_stacks *stacks);

/* The same step by step: for each sample its names and add. */
nsc_str nsc_stacks_add_name(struct nsc_stacks *stacks, struct nsc_text text);
/* The frame of a stack; names: the outermost first. */
uint32_t nsc_stacks_find(struct nsc_stacks *stacks, const nsc_str names[], uint32_t n);
/* Without any name the sample is in the frame NSC_STACKS_NONE. */
void nsc_stacks_add(struct nsc_stacks *stacks, nsc_event event, const nsc_str names[], uint32_t n);

#endif
