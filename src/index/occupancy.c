/*
 * Computes the occupancy of a kernel from the limits of a multiprocessor.
 */
#include "index/occupancy.h"

enum { REGISTER_UNIT = 256, WARP_UNIT = 4, MOST = 1 << 30 };

static int64_t round_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool is_sane(int64_t value)
{
    return value > 0 && value < MOST;
}

static int64_t by_registers(const struct nsc_sm_limits *sm, const struct nsc_block_needs *block,
                            int64_t warps)
{
    int64_t per_warp = round_up(block->registers * sm->threads_per_warp, REGISTER_UNIT);

    if (block->registers == 0)
        return INT64_MAX;
    return sm->registers / per_warp / WARP_UNIT * WARP_UNIT / warps;
}

static int64_t by_shared(const struct nsc_sm_limits *sm, const struct nsc_block_needs *block)
{
    bool is_new = sm->compute_major >= 8;
    int64_t need = round_up(block->shared + (is_new ? 1024 : 0), is_new ? 128 : 256);

    return need ? sm->shared / need : INT64_MAX;
}

bool nsc_occupancy_measure(struct nsc_occupancy *out, const struct nsc_sm_limits *sm,
                           const struct nsc_block_needs *block)
{
    if (!is_sane(sm->warps) || !is_sane(sm->blocks) || !is_sane(sm->registers) ||
        !is_sane(sm->shared) || !is_sane(sm->threads_per_warp) || !is_sane(block->threads) ||
        block->registers < 0 || block->registers > MOST / 1024 || block->shared < 0 ||
        block->shared >= MOST)
        return false;
    out->warps_per_block = round_up(block->threads, sm->threads_per_warp) / sm->threads_per_warp;
    out->by_warps = sm->warps / out->warps_per_block;
    out->by_blocks = sm->blocks;
    out->by_registers = by_registers(sm, block, out->warps_per_block);
    out->by_shared = by_shared(sm, block);
    out->blocks =
        least(least(out->by_warps, out->by_blocks), least(out->by_registers, out->by_shared));
    return true;
}
