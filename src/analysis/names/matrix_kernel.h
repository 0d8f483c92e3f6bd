/*
 * Matrix kernels by name: whether a kernel multiplies matrices, and on which units.
 *
 * Knows the names of cuBLAS, cuDNN and CUTLASS: "ampere_sgemm_128x64_tn" and "..._ffma_..." multiply
 * FP32 numbers outside the tensor cores, "..._s16816gemm_..." and "nvjet_..." use them. Kernels whose
 * name tells nothing of the units (Triton, XLA, hand-written ones) are unknown.
 */
#ifndef NSC_ANALYSIS_MATRIX_KERNEL_H
#define NSC_ANALYSIS_MATRIX_KERNEL_H

#include "nsyscope/types.h"

enum nsc_matrix_units {
    NSC_MATRIX_NONE,    /* no matrix kernel */
    NSC_MATRIX_TENSOR,  /* on tensor cores */
    NSC_MATRIX_FP32,    /* FP32 arithmetic outside the tensor cores */
    NSC_MATRIX_FP64,    /* FP64, on any units */
    NSC_MATRIX_UNKNOWN, /* a matrix kernel; the name does not tell the units */
};

enum nsc_matrix_units nsc_matrix_units_of(struct nsc_text kernel);

#endif
