/*
 * Families of kernels: what kind of work a kernel does, and whose code it is, by its name.
 *
 * The rules are the rows of kernel_family.def. A name that no rule knows is "other" and of no engine:
 * nothing is guessed.
 */
#ifndef NSC_ANALYSIS_KERNEL_FAMILY_H
#define NSC_ANALYSIS_KERNEL_FAMILY_H

#include "nsyscope/trace.h"

#include "core/text.h"

enum nsc_kernel_family {
#define KERNEL_FAMILY(id, word, meaning) NSC_FAMILY_##id,
#include "analysis/names/kernel_family.def"
    NSC_N_KERNEL_FAMILIES
};

/* The family by the full name, or by its beginning. */
enum nsc_kernel_family nsc_kernel_family_of(struct nsc_text name);
/* "gemm". */
const char *nsc_kernel_family_word(enum nsc_kernel_family family);
/* "cuBLAS", or NULL. */
const char *nsc_kernel_engine_of(struct nsc_text name);
/*
 * The word for the family or the engine, an empty text for none. The user's words come first
 * (nsc_trace_info.words): "[families]" and below "my_family = pattern pattern", as in
 * kernel_family.def, looked for in the whole name. The text lives as long as the trace.
 */
struct nsc_text nsc_kernel_family_text(const struct nsc_trace *trace, struct nsc_text name);
struct nsc_text nsc_kernel_engine_text(const struct nsc_trace *trace, struct nsc_text name);

#endif
