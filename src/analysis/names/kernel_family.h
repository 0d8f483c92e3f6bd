/*
 * Families of compute kernels by name: what kind of work a kernel does, for colours.
 *
 * Knows the names of PyTorch, cuBLAS, cuDNN, CUTLASS, FlashAttention, Apex, Triton and XLA. A name
 * that tells several kinds belongs to the first one below: a fused attention kernel with a softmax
 * is attention.
 */
#ifndef NSC_ANALYSIS_KERNEL_FAMILY_H
#define NSC_ANALYSIS_KERNEL_FAMILY_H

#include "core/text.h"

enum nsc_kernel_family {
    NSC_FAMILY_ATTENTION,
    NSC_FAMILY_MATRIX, /* products and convolutions */
    NSC_FAMILY_NORM,   /* layer, batch and RMS normalisation, softmax */
    NSC_FAMILY_REDUCTION,
    NSC_FAMILY_ELEMENTWISE, /* also copies, fills and gathers by kernels, and optimizers */
    NSC_FAMILY_OTHER,
    NSC_N_FAMILIES
};

enum nsc_kernel_family nsc_kernel_family_of(struct nsc_text kernel);

#endif
