/*
 * Recognizes kernels that multiply matrices by their names: whether they use tensor cores, and in
 * which precision.
 *
 * Names of cuBLAS, cuDNN, CUTLASS, FlashAttention, nvjet and DeepGEMM show it. An export has no
 * other sign, so a name without one is "unknown". All code that needs matrix kernels uses this.
 */
#ifndef NSC_ANALYSIS_MATRIX_KERNEL_H
#define NSC_ANALYSIS_MATRIX_KERNEL_H

#include "nsyscope/types.h"

enum nsc_matrix {
    NSC_MATRIX_NONE,    /* multiplies no matrices */
    NSC_MATRIX_UNKNOWN, /* the name does not show the units (Triton, XLA, hand-written) */
    NSC_MATRIX_FP32,    /* outside tensor cores */
    NSC_MATRIX_FP64,    /* on them or not */
    NSC_MATRIX_TENSOR,  /* 16 bits, or not said */
    NSC_MATRIX_TF32,
    NSC_MATRIX_FP8,
    NSC_MATRIX_INT8,
    NSC_MATRIX_FP4,
    NSC_N_MATRICES
};

enum nsc_matrix nsc_matrix_of(struct nsc_text name);

#endif
