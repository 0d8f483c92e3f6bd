/*
 * The names of kernels and operations that a synthetic export is made of.
 */
#ifndef NSC_NSYS_GENERATE_NAMES_H
#define NSC_NSYS_GENERATE_NAMES_H

#include <stdint.h>

#define NSC_N_COMPUTE_NAMES 12
#define NSC_N_COMM_NAMES    3

struct nsc_kernel_name {
    const char *brief, *full;
    int64_t duration; /* ns, typical */
};

extern const struct nsc_kernel_name nsc_compute_names[NSC_N_COMPUTE_NAMES];
extern const struct nsc_kernel_name nsc_comm_names[NSC_N_COMM_NAMES];
extern const char *const nsc_op_names[NSC_N_COMPUTE_NAMES]; /* what launches each of the former */

#endif
