/* Property tests of PithTrain's figures: streams and stages equal naive ones on random traces. */
#include "analysis/pith/pith.h"
#include "core/text.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

/* ---- a whole run ---- */

#define ROWS 300

struct world {
    struct nsc_test_row rows[ROWS];
    uint32_t n;
    nsc_time start, end;
};

static const char label_text[] = "rank=3; pp=1/2 dp=0/1 cp=0/2 ep=0/2; mbs=1 seq=2048";

static void add(struct world *world, struct nsc_test_row row)
{
    world->rows[world->n++] = row;
}

static void roll_world(struct world *world, struct dice *dice)
{
    static const char *const ranges[] = {"layer00.stage2_f",
                                         "layer1_stage1_b_layer0_stage4_f",
                                         "pipeline send/recv",
                                         "ncclAllReduce",
                                         "step",
                                         "stage5_w"};
    static const char *const kernels[] = {"gemm", "ncclDevKernel_SendRecv", "NCCLThing", "attn"};

    *world = (struct world){.start = 20, .end = 20 + (nsc_time)dice_below(dice, 400)};
    add(world, (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                     .process = 77,
                                     .tid = 1,
                                     .start = 0,
                                     .end = 1000,
                                     .name = label_text});
    for (uint32_t i = 0; i < 40; i++) {
        nsc_time start = (nsc_time)dice_below(dice, 400) - 10;

        add(world, (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                         .process = 77,
                                         .tid = 1 + (uint32_t)dice_below(dice, 2),
                                         .start = start,
                                         .end = start + (nsc_time)dice_below(dice, 90),
                                         .name = ranges[dice_below(dice, 6)]});
    }
    for (uint32_t i = 1; i <= 80; i++) {
        nsc_time launch = 1 + (nsc_time)dice_below(dice, 400);
        nsc_time start = launch + (nsc_time)dice_below(dice, 50);
        uint32_t stream = (uint32_t)dice_below(dice, 5);

        if (dice_below(dice, 5))
            add(world, (struct nsc_test_row){.kind = NSC_KIND_API_RUNTIME,
                                             .process = 77,
                                             .tid = 2,
                                             .start = launch,
                                             .end = launch + 2,
                                             .correlation = i,
                                             .name = "cudaLaunchKernel"});
        add(world, (struct nsc_test_row){.kind = NSC_KIND_KERNEL,
                                         .process = 77,
                                         .device = stream & 1,
                                         .stream = stream,
                                         .start = start,
                                         .end = start + (nsc_time)dice_below(dice, 30),
                                         .correlation = i,
                                         .name = kernels[stream < 2 ? dice_below(dice, 4) : 1]});
    }
}

static bool is_in(const struct world *world, const struct nsc_test_row *row)
{
    return row->kind == NSC_KIND_KERNEL && row->start >= world->start && row->end <= world->end;
}

static bool is_nccl(const char *name)
{
    return strncmp(name, "nccl", 4) == 0 || strncmp(name, "NCCL", 4) == 0;
}

static struct nsc_pith_stream stream_by_hand(const struct world *world, int64_t stream)
{
    struct nsc_pith_stream sum = {.stream = stream};

    for (uint32_t i = 0; i < world->n; i++) {
        const struct nsc_test_row *row = &world->rows[i];

        if (!is_in(world, row) || row->stream != stream)
            continue;
        if (is_nccl(row->name)) {
            sum.n_comm++;
            sum.comm += row->end - row->start;
        } else {
            sum.n_comp++;
            sum.comp += row->end - row->start;
        }
    }
    return sum;
}

static nsc_time launch_by_hand(const struct world *world, const struct nsc_test_row *kernel)
{
    for (uint32_t i = 0; i < world->n; i++)
        if (world->rows[i].kind == NSC_KIND_API_RUNTIME &&
            world->rows[i].correlation == kernel->correlation)
            return world->rows[i].start;
    return kernel->start;
}

static const char *range_by_hand(const struct world *world, nsc_time t)
{
    const struct nsc_test_row *best = NULL;

    for (uint32_t i = 0; i < world->n; i++) {
        const struct nsc_test_row *row = &world->rows[i];

        if (row->kind != NSC_KIND_NVTX_RANGE || row->start < 0 || row->name == label_text ||
            strncmp(row->name, "nccl", 4) == 0 || row->start > t || row->end < t)
            continue;
        if (!best || row->end - row->start < best->end - best->start ||
            (row->end - row->start == best->end - best->start && row->start >= best->start))
            best = row;
    }
    return best ? best->name : "";
}

/* ns of [start, end) in which a compute kernel runs, counted one by one. */
static nsc_time hidden_by_hand(const struct world *world, nsc_time start, nsc_time end)
{
    nsc_time hidden = 0;

    for (nsc_time t = start; t < end; t++) {
        bool covered = false;

        for (uint32_t i = 0; i < world->n && !covered; i++) {
            const struct nsc_test_row *row = &world->rows[i];

            covered = is_in(world, row) && row->start <= t && row->end > t &&
                      strncmp(row->name, "nccl", 4) != 0 &&
                      stream_by_hand(world, row->stream).n_comp > 0;
        }
        hidden += covered;
    }
    return hidden;
}

static struct nsc_pith_stage stage_by_hand(const struct world *world, uint8_t number, char pass)
{
    struct nsc_pith_stage sum = {.number = number, .pass = pass};
    const char word[] = {'s', 't', 'a', 'g', 'e', (char)('0' + number), '_', pass, '\0'};

    for (uint32_t i = 0; i < world->n; i++) {
        const struct nsc_test_row *row = &world->rows[i];
        const char *range;
        nsc_time hidden;

        if (!is_in(world, row) || stream_by_hand(world, row->stream).n_comp > 0)
            continue;
        range = range_by_hand(world, launch_by_hand(world, row));
        /* of a fused range's two stages, the last one counts */
        if (!strstr(range, word) || (strstr(range, "stage1_b") && strcmp(word, "stage1_b") == 0))
            continue;
        hidden = hidden_by_hand(world, row->start, row->end);
        sum.n++;
        sum.comm += row->end - row->start;
        sum.exposed += row->end - row->start - hidden;
    }
    return sum;
}

static void compare(const struct world *world, const struct nsc_pith *pith)
{
    uint32_t n_streams = 0, n_stages = 0;

    for (size_t i = 0; i < pith->streams.n; i++) {
        struct nsc_pith_stream want = stream_by_hand(world, pith->streams.at[i].stream);

        assert_int_equal(pith->streams.at[i].n_comm, want.n_comm);
        assert_int_equal(pith->streams.at[i].n_comp, want.n_comp);
        assert_int_equal(pith->streams.at[i].comm, want.comm);
        assert_int_equal(pith->streams.at[i].comp, want.comp);
        assert_int_equal(pith->streams.at[i].purpose == NSC_PITH_COMPUTE, want.n_comp > 0);
    }
    for (int64_t stream = 0; stream < 5; stream++) {
        struct nsc_pith_stream want = stream_by_hand(world, stream);

        n_streams += want.n_comm + want.n_comp > 0;
    }
    assert_int_equal(pith->streams.n, n_streams);
    for (uint8_t number = 1; number <= 5; number++)
        for (const char *pass = "bfw"; *pass; pass++)
            n_stages += stage_by_hand(world, number, *pass).n > 0;
    assert_int_equal(pith->stages.n, n_stages);
    for (size_t i = 0; i < pith->stages.n; i++) {
        const struct nsc_pith_stage *stage = &pith->stages.at[i];
        struct nsc_pith_stage want = stage_by_hand(world, stage->number, stage->pass);

        assert_int_equal(stage->n, want.n);
        assert_int_equal(stage->comm, want.comm);
        assert_int_equal(stage->exposed, want.exposed);
    }
}

TEST(test_whole_runs)
{
    struct dice dice = dice_new(0x9172);
    unsigned answered = 0;

    for (int round = 0; round < 60; round++) {
        struct world world;
        struct nsc_trace *trace;
        struct nsc_pith pith;
        struct nsc_error error = {NSC_OK, ""};

        roll_world(&world, &dice);
        trace = nsc_test_trace_build(world.rows, world.n);
        if (nsc_pith_build(
                &pith,
                &(struct nsc_pith_query){
                    .trace = trace, .has_window = true, .start = world.start, .end = world.end},
                &error) == NSC_OK) {
            assert_int_equal(pith.ranks.at[0].rank, 3);
            answered++;
        } else {
            assert_int_equal(error.status, NSC_ENODATA);
        }
        compare(&world, &pith);
        nsc_pith_fini(&pith);
        nsc_trace_free(trace);
    }
    assert_true(answered > 30);
}

/* ---- labels ---- */

TEST(test_labels)
{
    struct nsc_pith_label label;

    assert_true(nsc_pith_label_parse(&label, nsc_text_from(label_text)));
    assert_int_equal(label.rank, 3);
    assert_int_equal(label.pp.rank, 1);
    assert_int_equal(label.cp.size, 2);
    assert_int_equal(label.seq, 2048);
    assert_true(nsc_pith_label_parse(
        &label, nsc_text_from("seq=1 mbs=2 ;ep=0/1; cp=0/1 dp=0/1 pp=0/1 rank=1 word rank=9;")));
    assert_int_equal(label.rank, 9);
    assert_false(nsc_pith_label_parse(&label, nsc_text_from("rank=3; pp=1/2")));
    assert_false(nsc_pith_label_parse(
        &label, nsc_text_from("rank=x; pp=1/2 dp=0/1 cp=0/2 ep=0/2; mbs=1 seq=2048")));
    assert_true(nsc_pith_label_is_strict(nsc_text_from(label_text)));
    assert_false(nsc_pith_label_is_strict(
        nsc_text_from("rank=3; pp=1/2 dp=0/1 cp=0/2 ep=0/2; mbs=1 seq=2048 more")));
    assert_false(nsc_pith_label_is_strict(nsc_text_from("rank=; pp=1/2")));
}
