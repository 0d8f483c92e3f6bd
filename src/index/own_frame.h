/*
 * Which frame of a call stack is the user's own code: one with a symbol that belongs neither to a
 * system library, to CUDA, to the profiler, to the interpreter nor to a framework.
 */
#ifndef NSC_INDEX_OWN_FRAME_H
#define NSC_INDEX_OWN_FRAME_H

#include "core/text.h"

static inline bool nsc_frame_is_own(struct nsc_text symbol, struct nsc_text module)
{
    static const char *const modules[] = {
        "/lib64/",     "/lib/x86_64",   "/lib/aarch64",  "/usr/lib",
        "/ld-",        "/libc.",        "/libc-",        "/libpthread",
        "/libstdc++",  "/libgomp",      "[vdso",         "[kernel",
        "[unknown",    "[max",          "libcuda",       "libcupti",
        "libcublas",   "libcudnn",      "libcufft",      "libcusparse",
        "libcusolver", "libnvidia",     "libnvrtc",      "libnccl",
        "libmpi",      "libucp",        "nsight",        "toolsinjection",
        "libtorch",    "libc10",        "/torch/",       "/numpy/",
        "/triton/",    "/jax/",         "/jaxlib/",      "/tensorflow/",
        "/cupy/",      "site-packages", "dist-packages", "libpython",
        "/bin/python", "/lib/python",   "importlib",     NULL};
    static const char *const symbols[] = {
        "0x",         "cudaError",      "cudaMalloc", "cudaMem",  "cudaLaunch",
        "cudaStream", "cudaEvent",      "cudaDevice", "cudaFree", "cudaGraph",
        "cudaHost",   "cudaFunc",       "cudaGet",    "cudaSet",  "cuLaunch",
        "__cuda",     "__device_stub_", "_start",     "__libc_",  "_Py",
        "PyEval",     "PyObject",       "at::",       "c10::",    "torch::"};

    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (nsc_text_begins(symbol, symbols[i]))
            return false;
    return symbol.n > 0 && !nsc_text_contains_any(module, modules);
}

#endif
