/* Unit tests of occupancy: equal to NVIDIA's calculator, and safe for impossible limits. */
#include "index/occupancy.h"
#include "support/cm.h"

static const struct nsc_sm_limits v100 = {64, 32, 65536, 98304, 32, 7};
static const struct nsc_sm_limits h100 = {64, 32, 65536, 233472, 32, 9};

TEST(blocks_are_limited_by_the_scarcest)
{
    static const struct {
        const struct nsc_sm_limits *sm;
        struct nsc_block_needs block;
        int64_t blocks, warps_per_block;
    } rows[] = {
        {&v100, {256, 32, 0}, 8, 8},      /* everything fits */
        {&v100, {128, 255, 33280}, 2, 4}, /* registers: 8 warps */
        {&v100, {1024, 40, 0}, 1, 32},    /* registers: 48 warps hold one block */
        {&v100, {64, 16, 49152}, 2, 2},   /* shared memory */
        {&v100, {32, 16, 0}, 32, 1},      /* blocks */
        {&v100, {33, 0, 0}, 32, 2},       /* a warp that is not full counts whole */
        {&h100, {384, 168, 201728}, 1, 12},
        {&h100, {128, 32, 1024}, 16, 4}, /* 2 KiB a block with that of the driver; warps decide */
        {&h100, {128, 32, 232448}, 1, 4},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct nsc_occupancy at;

        assert_true(nsc_occupancy_measure(&at, rows[i].sm, &rows[i].block));
        assert_int_equal(at.blocks, rows[i].blocks);
        assert_int_equal(at.warps_per_block, rows[i].warps_per_block);
    }
}

TEST(what_no_device_has_is_refused)
{
    static const struct nsc_block_needs good = {256, 32, 0};
    static const struct nsc_block_needs bad[] = {
        {0, 32, 0},          {-1, 32, 0},  {INT64_MAX, 32, 0},  {256, -1, 0},
        {256, INT64_MAX, 0}, {256, 0, -1}, {256, 32, INT64_MAX}};
    struct nsc_occupancy at;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(nsc_occupancy_measure(&at, &v100, &bad[i]));
    for (int i = 0; i < 5; i++) {
        struct nsc_sm_limits sm = v100;

        sm.warps = i == 0 ? 0 : sm.warps;
        sm.blocks = i == 1 ? -1 : sm.blocks;
        sm.registers = i == 2 ? INT64_MAX : sm.registers;
        sm.shared = i == 3 ? 0 : sm.shared;
        sm.threads_per_warp = i == 4 ? 0 : sm.threads_per_warp;
        assert_false(nsc_occupancy_measure(&at, &sm, &good));
    }
}
