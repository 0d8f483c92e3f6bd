/*
 * Recognizes matrix kernels by the words of their names.
 */
#include "analysis/names/matrix_kernel.h"

#include "core/text.h"

#include <string.h>

static bool begins_folded(const char *at, const char *end, const char *word)
{
    for (; *word; word++, at++)
        if (at == end || nsc_ascii_lower(*at) != *word)
            return false;
    return true;
}

/* The length of a word at `at` that contains a word of a matrix kernel but means something else; 0
 * if there is none. */
static size_t misleading_at(const char *at, const char *end)
{
    /* these contain "mma", "gemm", "conv", "linear" or "flash" */
    static const char *const words[] = {"gamma",
                                        "gemma",
                                        "comma",
                                        "convert",
                                        "convers",
                                        "convex",
                                        "convey",
                                        "mmap",
                                        "bilinear",
                                        "trilinear",
                                        "nonlinear",
                                        "linear_ind",
                                        "linearind",
                                        "linearoff",
                                        "linear_off",
                                        "converge",
                                        "splitkreduce",
                                        "splitk_reduce",
                                        "gemv",
                                        "summa",
                                        "linear_upsample",
                                        "linear1d",
                                        "flashinfer",
                                        "deep_gemm",
                                        "deepgemm",
                                        "gemm::",
                                        "kernel_cutlass",
                                        "cutlass_kernels",
                                        NULL};

    for (size_t i = 0; words[i]; i++)
        if (begins_folded(at, end, words[i]))
            return strlen(words[i]);
    return 0;
}

/* Whether two words of a name in camel case meet in "mMa": "FusedAdamMathFunctor", "NormMask". */
static bool is_hump(const char *at, const char *end)
{
    return at + 1 < end && at[0] == 'm' && at[1] == 'M';
}

static bool is_matrix(struct nsc_text name)
{
    static const char *const words[] = {
        "gemm",        "conv",        "linear",     "attention",  "matmul", "flash", "fmha",
        "nvjet",       "mma",         "scudnn",     "winograd",   "wgrad",  "dgrad", "cutlass",
        "triton_tem_", "prefillwith", "decodewith", "mqa_logits", NULL};
    const char *end = name.bytes + name.n;

    for (const char *at = name.bytes; at < end;) {
        size_t skip = is_hump(at, end) ? 1 : misleading_at(at, end);

        if (skip) {
            at += skip;
            continue;
        }
        for (size_t i = 0; words[i]; i++)
            if (begins_folded(at, end, words[i]))
                return true;
        at++;
    }
    return false;
}

/* Whether PyTorch's compiler fused a kernel, and named it after its parts: such kernels pass over
 * elements or sum them up; matrices have templates ("triton_tem_"). */
static bool is_fused_by_inductor(struct nsc_text name)
{
    return nsc_text_begins(name, "triton_poi_") || nsc_text_begins(name, "triton_red_") ||
           nsc_text_begins(name, "triton_per_") || nsc_text_begins(name, "triton_for_");
}

/* cuBLAS for Hopper and later: "nvjet_tst_128x256_..." and "nvjet_sm100_qqtst_...". The letters are
 * the types: h fp16, t bf16, s fp32 (as TF32), q fp8, o fp4, d fp64, i int8. */
static enum nsc_matrix nvjet_of(struct nsc_text name)
{
    static const char word[] = "nvjet_";
    uint32_t at = 0;

    while (at + sizeof word - 1 < name.n && memcmp(name.bytes + at, word, sizeof word - 1) != 0)
        at++;
    at += sizeof word - 1;
    if (at + 2 < name.n && name.bytes[at] == 's' && name.bytes[at + 1] == 'm')
        while (at < name.n && name.bytes[at++] != '_') {
        }
    switch (at < name.n ? name.bytes[at] : 0) {
    case 'q':
        return NSC_MATRIX_FP8;
    case 'o':
        return NSC_MATRIX_FP4;
    case 's':
        return NSC_MATRIX_TF32;
    case 'd':
        return NSC_MATRIX_FP64;
    case 'i':
        return NSC_MATRIX_INT8;
    default:
        return NSC_MATRIX_TENSOR;
    }
}

/* Whether a CUTLASS kernel for Ampere uses TF32, which its name leaves out:
 * "cutlass_80_tensorop_s1688gemm_". */
static bool is_tf32(struct nsc_text name)
{
    static const char *const others[] = {"f16", "fp16", "turing", "_75_", "volta", NULL};

    return nsc_text_contains_folded(name, nsc_text_from("tf32")) ||
           (nsc_text_contains_folded(name, nsc_text_from("s1688gemm")) &&
            !nsc_text_contains_any(name, others));
}

enum nsc_matrix nsc_matrix_of(struct nsc_text name)
{
    /* kernels that prepare or sum up the work of matrix kernels */
    static const char *const none[] = {"splitkreduce",
                                       "split_k_reduce",
                                       "reducesplitk",
                                       "gemmk1",
                                       "dot_kernel",
                                       "reduce_1block",
                                       "splitkv_combine",
                                       "dot_do_o",
                                       "convert_dq",
                                       "convert_dk",
                                       "flash_bwd_preprocess",
                                       "flashattnbwdpre",
                                       "flashattnbwdpost",
                                       "gemm_starts",
                                       "gemm_offsets",
                                       "paddinggemm",
                                       NULL};
    static const char *const always[] = {"flash", "fmha", NULL};
    static const char *const fp64[] = {"dgemm", "d884", "zgemm", "f64f64", NULL};
    static const char *const fp32[] = {"ffma", "simt", "sgemm", "cgemm", "scudnn", NULL};
    static const char *const fp8[] = {"fp8", "e4m3", "e5m2", "qmma", NULL};
    static const char *const fp4[] = {"fp4", "e2m1", "nvf4", "mxf4", NULL};
    static const char *const int8[] = {"imma", "i8816gemm", "i16832gemm", "i8i8",
                                       "s8s8", "gemm_s8",   NULL};
    /* without "xmma", which also names kernels without tensor cores:
     * "sm80_xmma_gemm_..._ffma_..." */
    static const char *const tensor[] = {"mma_sync", "wmma",   "16816",    "1688",      "884",
                                         "8816",     "16832",  "tensorop", "tensor_op", "wgmma",
                                         "gmma",     "hmma",   "imma",     "utcmma",    "tcgen05",
                                         "bf16",     "sm90",   "sm100",    "sm103",     "s64x",
                                         "h64x",     "f16f16", "sm120",    "cutlass3x", NULL};

    if (nsc_text_contains_any(name, none) || is_fused_by_inductor(name) || !is_matrix(name))
        return NSC_MATRIX_NONE;
    if (nsc_text_contains_any(name, always))
        return nsc_text_contains_any(name, fp8)                                ? NSC_MATRIX_FP8
               : nsc_text_contains_folded(name, nsc_text_from("_f32_aligned")) ? NSC_MATRIX_UNKNOWN
                                                                               : NSC_MATRIX_TENSOR;
    if (nsc_text_contains_folded(name, nsc_text_from("nvjet")))
        return nvjet_of(name);
    if (nsc_text_contains_any(name, fp64))
        return NSC_MATRIX_FP64;
    if (nsc_text_contains_any(name, fp32))
        return NSC_MATRIX_FP32;
    if (nsc_text_contains_any(name, fp4))
        return NSC_MATRIX_FP4;
    if (nsc_text_contains_any(name, fp8))
        return NSC_MATRIX_FP8;
    if (nsc_text_contains_any(name, int8))
        return NSC_MATRIX_INT8;
    if (is_tf32(name))
        return NSC_MATRIX_TF32;
    if (nsc_text_contains_folded(name, nsc_text_from("gemm_f32f32_f32f32_f32")))
        return NSC_MATRIX_FP32; /* types of xmma's inputs, sums and outputs */
    return nsc_text_contains_any(name, tensor) ? NSC_MATRIX_TENSOR : NSC_MATRIX_UNKNOWN;
}
