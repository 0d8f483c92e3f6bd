/*
 * Recognizes matrix kernels by the words of their names.
 */
#include "analysis/names/matrix_kernel.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

static bool has_any(struct nsc_text name, const char *const words[])
{
    for (size_t i = 0; words[i]; i++)
        if (nsc_text_contains_folded(name, nsc_text_from(words[i])))
            return true;
    return false;
}

static bool begins_folded(const char *at, const char *end, const char *word)
{
    for (; *word; word++, at++)
        if (at == end || nsc_ascii_lower(*at) != *word)
            return false;
    return true;
}

/* The bytes of the word at `at` that hold a word of a matrix kernel but mean another thing; 0. */
static size_t misleading_at(const char *at, const char *end)
{
    /* "mma", "gemm", "conv" and "linear" stand in these */
    static const char *const words[] = {
        "gamma",           "gemma",         "comma",      "convert",
        "bilinear",        "trilinear",     "nonlinear",  "linear_ind",
        "linearind",       "linearoff",     "linear_off", "converge",
        "splitkreduce",    "splitk_reduce", "gemv",       "summa",
        "linear_upsample", "linear1d",      NULL};

    for (size_t i = 0; words[i]; i++)
        if (begins_folded(at, end, words[i]))
            return strlen(words[i]);
    return 0;
}

static bool is_matrix(struct nsc_text name)
{
    static const char *const words[] = {"gemm",     "conv",  "linear", "attention", "matmul",
                                        "flash",    "fmha",  "nvjet",  "mma",       "scudnn",
                                        "winograd", "wgrad", "dgrad",  "cutlass",   NULL};
    const char *end = name.bytes + name.n;

    for (const char *at = name.bytes; at < end;) {
        size_t skip = misleading_at(at, end);

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

enum nsc_matrix nsc_matrix_of(struct nsc_text name)
{
    static const char *const none[] = {"splitkreduce", "split_k_reduce", "gemmk1",
                                       "dot_kernel",   "reduce_1block",  NULL};
    static const char *const always[] = {"flash", "fmha", "nvjet", NULL};
    static const char *const fp64[] = {"dgemm", "d884", "zgemm", "f64f64", NULL};
    static const char *const fp32[] = {"ffma", "simt", "sgemm", "cgemm", "scudnn", NULL};
    static const char *const fp8[] = {"fp8", "e4m3", "e5m2", "qmma", NULL};
    /* "xmma" alone says nothing: "sm80_xmma_gemm_..._ffma_..." */
    static const char *const tensor[] = {"mma_sync", "wmma",   "16816",    "1688",      "884",
                                         "8816",     "16832",  "tensorop", "tensor_op", "wgmma",
                                         "gmma",     "hmma",   "imma",     "utcmma",    "tcgen05",
                                         "bf16",     "sm90",   "sm100",    "sm103",     "s64x",
                                         "h64x",     "f16f16", "sm120",    "cutlass3x", NULL};

    if (has_any(name, none) || !is_matrix(name))
        return NSC_MATRIX_NONE;
    if (has_any(name, always))
        return has_any(name, fp8) ? NSC_MATRIX_FP8 : NSC_MATRIX_TENSOR;
    if (has_any(name, fp64))
        return NSC_MATRIX_FP64;
    if (has_any(name, fp32))
        return NSC_MATRIX_FP32;
    if (has_any(name, fp8))
        return NSC_MATRIX_FP8;
    if (nsc_text_contains_folded(name, nsc_text_from("tf32")))
        return NSC_MATRIX_TF32;
    return has_any(name, tensor) ? NSC_MATRIX_TENSOR : NSC_MATRIX_UNKNOWN;
}
