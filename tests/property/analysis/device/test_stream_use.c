/* Property tests of streams' figures and of the longest kernels: each equals a plain loop. */
#include "analysis/base/longest.h"
#include "analysis/device/stream_use.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { MAX_ROWS = 50, ROUNDS = 300, END = 140 };

static struct nsc_test_row roll_row(struct dice *dice)
{
    bool is_copy = dice_below(dice, 5) == 0;
    struct nsc_test_row row = {.kind = is_copy ? NSC_KIND_COPY_DTOH : NSC_KIND_KERNEL,
                               .process = 1,
                               .device = (int64_t)dice_below(dice, 2),
                               .stream = (int64_t)dice_below(dice, 2),
                               .name = is_copy                   ? NULL
                                       : dice_below(dice, 3) > 0 ? "gemm"
                                                                 : "ncclAllReduce",
                               .start = (nsc_time)dice_below(dice, 100)};

    row.end = row.start + (nsc_time)dice_below(dice, 12);
    return row;
}

static bool is_in(const struct nsc_test_row *row, const struct nsc_track *track,
                  struct nsc_window w)
{
    return row->kind == NSC_KIND_KERNEL && row->device == track->device &&
           row->stream == track->stream && row->start < w.t1 &&
           (row->end > row->start ? row->end : row->start + 1) > w.t0;
}

static void check_use(const struct nsc_stream_use *use, const struct nsc_track *track,
                      const struct nsc_test_row rows[], uint32_t n, struct nsc_window w)
{
    bool busy[END] = {false};
    uint32_t kernels = 0;
    uint32_t comm = 0;
    nsc_time work = 0;
    nsc_time first = END;
    nsc_time last = -1;
    nsc_time covered = 0;
    nsc_time longest = 0;
    nsc_time run = 0;

    for (uint32_t i = 0; i < n; i++) {
        nsc_time start = rows[i].start > w.t0 ? rows[i].start : w.t0;
        nsc_time end = rows[i].end < w.t1 ? rows[i].end : w.t1;

        if (!is_in(&rows[i], track, w))
            continue;
        kernels++;
        comm += rows[i].name[0] == 'n';
        work += rows[i].end - rows[i].start;
        end = end < start ? start : end;
        for (nsc_time t = start; t < end; t++)
            busy[t] = true;
        first = start < first ? start : first;
        last = end > last ? end : last;
    }
    assert_int_equal(use ? use->kernels : 0, kernels);
    if (!use)
        return;
    for (nsc_time t = first; t < last; t++) {
        covered += busy[t];
        run = busy[t] ? 0 : run + 1;
        longest = run > longest ? run : longest;
    }
    assert_int_equal(use->comm_kernels, comm);
    assert_int_equal(use->work, work);
    assert_int_equal(use->span.t0, first);
    assert_int_equal(use->span.t1, last);
    assert_int_equal(use->busy, covered);
    assert_int_equal(use->paused, last - first - covered);
    assert_true(use->longest_pause <= longest); /* an instant cuts a pause in two */
    assert_int_equal(use->pauses == 0, use->paused == 0);
}

static const struct nsc_stream_use *find_use(const struct nsc_stream_uses *uses, uint32_t track)
{
    for (uint32_t i = 0; i < uses->n; i++)
        if (uses->at[i].track == track)
            return &uses->at[i];
    return NULL;
}

static void check(const struct nsc_scope *scope, const struct nsc_test_row rows[], uint32_t n)
{
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n_tracks);

    for (uint32_t d = 0; d < n_tracks; d++) {
        struct nsc_stream_uses uses;

        if (tracks[d].kind != NSC_TRACK_DEVICE)
            continue;
        nsc_stream_uses_build(&uses, scope, d, 3);
        for (uint32_t t = d + 1; t < tracks[d].skip; t++)
            check_use(find_use(&uses, t), &tracks[t], rows, n, scope->window);
        nsc_stream_uses_fini(&uses);
    }
}

TEST(test_streams_are_what_a_loop_says)
{
    struct dice dice = dice_new(74);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_test_row rows[MAX_ROWS];
        uint32_t n = 1 + (uint32_t)dice_below(&dice, MAX_ROWS);
        struct nsc_trace *trace;
        struct nsc_scope scope;

        for (uint32_t i = 0; i < n; i++)
            rows[i] = roll_row(&dice);
        trace = nsc_test_trace_build(rows, n);
        scope = nsc_scope_all(trace);
        check(&scope, rows, n);
        scope.window.t0 = (nsc_time)dice_below(&dice, 100);
        scope.window.t1 = scope.window.t0 + 1 + (nsc_time)dice_below(&dice, 30);
        check(&scope, rows, n);
        nsc_trace_free(trace);
    }
}

TEST(test_the_longest_are_the_first_of_all_sorted)
{
    struct dice dice = dice_new(75);

    for (int round = 0; round < ROUNDS; round++) {
        size_t limit = (size_t)dice_below(&dice, 8);
        uint32_t n = (uint32_t)dice_below(&dice, 40);
        struct nsc_longest all = nsc_longest_new(0);
        struct nsc_longest few = nsc_longest_new(limit);

        for (uint32_t i = 0; i < n; i++) {
            nsc_time length = (nsc_time)dice_below(&dice, 10);

            nsc_longest_add(&all, i, length);
            nsc_longest_add(&few, i, length);
        }
        nsc_longest_end(&all);
        nsc_longest_end(&few);
        assert_int_equal(few.kept.n, limit == 0 || n < limit ? n : limit);
        for (size_t i = 0; i < few.kept.n; i++)
            assert_int_equal(few.kept.at[i].event, all.kept.at[i].event);
        for (size_t i = 1; i < all.kept.n; i++)
            assert_true(all.kept.at[i - 1].length >= all.kept.at[i].length);
        assert_int_equal(few.offered, n);
        nsc_longest_fini(&all);
        nsc_longest_fini(&few);
    }
}
