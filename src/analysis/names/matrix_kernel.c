/*
 * Judges kernels by the words in their names; the first list with a word in the name decides.
 */
#include "analysis/names/matrix_kernel.h"

#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>

static bool has_any(struct nsc_text name, const char *const words[])
{
    for (size_t i = 0; words[i]; i++)
        if (nsc_text_contains_folded(name, nsc_text_from(words[i])))
            return true;
    return false;
}

enum nsc_matrix_units nsc_matrix_units_of(struct nsc_text kernel)
{
    static const char *const none[] = {"splitkreduce", "split_k_reduce", "gemmk1", "gemv",
                                       "dot_kernel",   "reduce_1block",  NULL};
    static const char *const always[] = {"flash_fwd", "flash_bwd", "fmha", "nvjet", NULL};
    static const char *const matrix[] = {"gemm",    "xmma",  "convolve", "scudnn", "winograd",
                                         "cutlass", "wgrad", "dgrad",    NULL};
    static const char *const fp64[] = {"dgemm", "zgemm", "d884gemm", "f64f64", NULL};
    static const char *const tensor[] = {
        "s16816", "h16816", "i16832", "s1688", "h1688", "s884",      "h884",     "16816gemm",
        "tf32",   "wgmma",  "gmma",   "hmma",  "qmma",  "tensorop",  "mma_sync", "tcgen05",
        "sm100_", "sm90_",  "e4m3",   "s64x",  "h64x",  "tensor_op", NULL};
    static const char *const fp32[] = {"sgemm", "cgemm", "ffma", "simt", "scudnn", NULL};

    if (has_any(kernel, none))
        return NSC_MATRIX_NONE;
    if (has_any(kernel, always))
        return NSC_MATRIX_TENSOR;
    if (!has_any(kernel, matrix))
        return NSC_MATRIX_NONE;
    if (has_any(kernel, fp64))
        return NSC_MATRIX_FP64;
    if (has_any(kernel, fp32)) /* "sm80_xmma_gemm_..._ffma_": xmma alone says nothing */
        return NSC_MATRIX_FP32;
    return has_any(kernel, tensor) ? NSC_MATRIX_TENSOR : NSC_MATRIX_UNKNOWN;
}
