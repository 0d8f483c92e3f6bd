/* Recognizes families of kernels by words in their names. */
#include "analysis/names/kernel_name.h"
#include "analysis/names/matrix_kernel.h"

#include <string.h>

enum { LOOKED_AT = 96 }; /* bytes of a name that are searched, because templates are long */

struct family_words {
    enum nsc_kernel_family family;
    const char *words[16]; /* lower case, up to a NULL */
};

static const struct family_words families[] = {
    {NSC_FAMILY_ATTENTION, {"flash", "attention", "fmha", "attn", "mha_", "paged_att"}},
    {NSC_FAMILY_MATRIX, {"gemv", "splitk"}}, /* in addition to those that names/matrix_kernel.h
                                              * recognizes */
    {NSC_FAMILY_NORM,
     {"layer_norm", "layernorm", "batch_norm", "bn_fw", "bn_bw", "rms_norm", "rmsnorm",
      "group_norm", "groupnorm", "softmax", "normalize"}},
    {NSC_FAMILY_REDUCTION, {"reduce", "reduction", "scan", "argmax", "topk", "histogram", "sort"}},
    {NSC_FAMILY_ELEMENTWISE,
     {"elementwise", "pointwise", "multi_tensor_apply", "multitensorapply", "adam", "dropout",
      "gelu", "relu", "silu", "triton_poi", "fill", "copy", "index", "gather", "cat"}},
};

static bool has_word(struct nsc_text name, const char *word)
{
    size_t n = strlen(word);

    for (size_t i = 0; i + n <= name.n; i++) {
        size_t k = 0;

        while (k < n && (name.bytes[i + k] | 0x20) == (word[k] | 0x20))
            k++;
        if (k == n)
            return true;
    }
    return false;
}

enum nsc_kernel_family nsc_kernel_family_of(struct nsc_text kernel)
{
    bool is_matrix = false;

    kernel.n = kernel.n < LOOKED_AT ? kernel.n : LOOKED_AT;
    is_matrix = nsc_matrix_of(kernel) != NSC_MATRIX_NONE;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        for (const char *const *word = families[i].words; *word; word++)
            if (has_word(kernel, *word))
                return families[i].family;
        if (families[i].family == NSC_FAMILY_MATRIX && is_matrix)
            return NSC_FAMILY_MATRIX;
    }
    return NSC_FAMILY_OTHER;
}
