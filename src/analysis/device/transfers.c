/*
 * The groups of copies between host and device, added up.
 */
#include "analysis/device/transfers.h"

#include "core/sum.h"

static void add_group(struct nsc_transfers *out, const struct nsc_copy_group *group)
{
    bool up = group->kind == NSC_KIND_COPY_HTOD;
    int64_t *bytes = up ? &out->to_device : &out->to_host;
    nsc_time *time = up ? &out->to_device_ns : &out->to_host_ns;

    out->count += group->count;
    out->sized += group->sized;
    out->small += group->small;
    out->blocking += group->blocking;
    out->bytes = nsc_sum(out->bytes, group->bytes);
    if (nsc_copy_is_pageable(group))
        out->pageable = nsc_sum(out->pageable, group->bytes);
    *bytes = nsc_sum(*bytes, group->bytes);
    *time = nsc_sum(*time, group->duration);
}

bool nsc_transfers_build(struct nsc_transfers *out, const struct nsc_scope *scope,
                         const struct nsc_field_sets *fields, uint32_t device)
{
    struct nsc_copies copies;

    *out = (struct nsc_transfers){0};
    if (!nsc_breakdown_build(&out->time, scope, device) ||
        !nsc_copies_build(&copies, scope, fields, device))
        return false;
    out->has_bytes = copies.has_bytes;
    out->has_memory = copies.has_memory;
    for (uint32_t i = 0; i < copies.n; i++)
        if (nsc_copy_is_transfer(&copies.at[i]))
            add_group(out, &copies.at[i]);
    return true;
}
