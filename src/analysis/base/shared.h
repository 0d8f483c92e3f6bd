/*
 * Answers that many questions begin with, worked out once for a scope.
 *
 * A command that asks everything (`analyze`) asks a dozen times what each device does with its
 * time. The one who asks makes a store for its scope; the questions go through it without knowing,
 * and scopes that were narrowed meanwhile go past it. Of one thread; the store owns the answers and
 * must outlive what was built of them.
 */
#ifndef NSC_ANALYSIS_SHARED_H
#define NSC_ANALYSIS_SHARED_H

#include "analysis/base/scope.h"

struct nsc_shared;

/* How an answer is made. */
struct nsc_shared_kind {
    size_t bytes; /* of the value */
    /* What it returns is kept with the value. */
    bool (*build)(void *out, const struct nsc_scope *scope, uint32_t device);
    void (*fini)(void *value); /* NULL: the value owns nothing */
};

/* For this trace, mask and window, which stay as they are; the caller's scope->shared points to the
 * store from now on. */
void nsc_shared_open(struct nsc_scope *scope);
/* Forgets all answers. */
void nsc_shared_close(struct nsc_scope *scope);

/*
 * The answer of that kind for the device (any number, 0 where the question is of all). True in
 * *is_kept (may be NULL): the store owns what the value owns; else the caller does.
 */
bool nsc_shared_ask(void *out, bool *is_kept, const struct nsc_shared_kind *kind,
                    const struct nsc_scope *scope, uint32_t device);

#endif
