/*
 * Property tests of ranges by name: finds exactly the ranges whose text equals the name, in order; if
 * there are none, those that begin with it.
 */
#include "analysis/ranges/named_range.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 60, ROUNDS = 300 };

static const char *const texts[] = {"step 1",  "step 2", "step 12", "step",  "step #",
                                    "step 1a", "a7b8",   "a7b9",    "a70b8", "",
                                    "x/3",     "x@y",    "7",       "77 ",   "step 12 layer 7"};
static const char *const names[] = {"step 1", "step #",  "step", "a#b#",
                                    "a7b#",   "#",       "##",   "",
                                    "x/3",    "step #a", "77 ",  "step # layer #"};

enum { N_TEXTS = sizeof texts / sizeof *texts, N_NAMES = sizeof names / sizeof *names };

/* The naive meaning: tries "#" as itself and as every length of digits. begins: a blank may follow. */
static bool is_name(const char *name, const char *text, bool begins)
{
    size_t digits = strspn(text, "0123456789");

    if (!*name)
        return !*text || (begins && *text == ' ');
    if (*name == '#' && digits > 0)
        return is_name(name + 1, text + digits, begins);
    return *name == *text && is_name(name + 1, text + 1, begins);
}

static struct nsc_test_row roll_row(struct dice *dice, uint64_t exports)
{
    static const uint8_t kinds[] = {NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_SPAN, NSC_KIND_KERNEL,
                                    NSC_KIND_NVTX_MARK};
    struct nsc_test_row row = {.kind = kinds[dice_below(dice, 4)],
                               .process = 1 + dice_below(dice, 2),
                               .tid = 1,
                               .domain = (int64_t)dice_below(dice, 3),
                               .start = (nsc_time)dice_below(dice, 50),
                               .name = texts[dice_below(dice, N_TEXTS)],
                               .capture_no = (uint32_t)dice_below(dice, exports)};

    row.end = row.start + (row.kind == NSC_KIND_NVTX_MARK ? 0 : (nsc_time)dice_below(dice, 20));
    return row;
}

static int64_t domain_of(const struct nsc_trace *trace, nsc_event event)
{
    uint32_t lane = nsc_trace_lane_of(trace, event);

    return nsc_trace_track(trace, nsc_trace_lanes(trace, NULL)[lane].track)->domain;
}

static bool comes_before(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    if (events->start[a] != events->start[b])
        return events->start[a] < events->start[b];
    if (nsc_event_duration(events, a) != nsc_event_duration(events, b))
        return nsc_event_duration(events, a) > nsc_event_duration(events, b);
    return a < b;
}

/* Notes which rows have the name. Returns their number. */
static uint32_t mark_rows(bool marks[], const struct nsc_trace *trace,
                          const struct nsc_test_row rows[], uint32_t n_rows, const char *name,
                          bool begins, int64_t domain)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_rows; i++) {
        nsc_event event = nsc_test_event_of(trace, i);

        marks[i] = event != NSC_NONE &&
                   (rows[i].kind == NSC_KIND_NVTX_RANGE || rows[i].kind == NSC_KIND_NVTX_SPAN) &&
                   is_name(name, rows[i].name, begins) &&
                   (domain < 0 || domain_of(trace, event) == domain);
        n += marks[i];
    }
    return n;
}

/* Returns whether the ranges are found by their beginning. */
static bool check(const struct nsc_trace *trace, const struct nsc_test_row rows[], uint32_t n_rows,
                  const struct nsc_range_name *name, int64_t domain)
{
    struct nsc_named_ranges ranges;
    bool marks[MAX_ROWS];
    char wanted[64];
    bool begins = false;
    uint32_t n;

    (void)snprintf(wanted, sizeof wanted, "%.*s", (int)name->name.n, name->name.bytes);
    nsc_named_ranges_find(&ranges, trace, name);
    n = mark_rows(marks, trace, rows, n_rows, wanted, false, domain);
    if (n == 0 && name->name.n > 0 && wanted[name->name.n - 1] == '#') {
        n = mark_rows(marks, trace, rows, n_rows, wanted, true, domain);
        begins = n > 0;
    }
    for (uint32_t i = 0; i < n_rows; i++) {
        bool found = false;

        for (uint32_t k = 0; k < ranges.n; k++)
            found |= ranges.event[k] == nsc_test_event_of(trace, i);
        assert_int_equal(found, marks[i]);
    }
    assert_int_equal(ranges.n, n);
    for (uint32_t k = 1; k < ranges.n; k++)
        assert_true(comes_before(nsc_trace_events(trace), ranges.event[k - 1], ranges.event[k]));
    nsc_named_ranges_fini(&ranges);
    return begins;
}

TEST(test_ranges_are_those_of_the_name)
{
    struct dice dice = dice_new(72);
    uint32_t n_begin = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_test_row rows[MAX_ROWS];
        uint32_t n = (uint32_t)dice_below(&dice, MAX_ROWS);
        uint64_t exports = 1 + dice_below(&dice, 2);
        struct nsc_trace *trace;

        for (uint32_t i = 0; i < n; i++)
            rows[i] = roll_row(&dice, exports);
        trace = nsc_test_trace_build(rows, n);
        for (uint32_t i = 0; i < N_NAMES; i++) {
            struct nsc_range_name name = {.name = nsc_text_from(names[i]), .domain = {"", 0}};

            n_begin += check(trace, rows, n, &name, -1);
            name.domain = nsc_text_from("2");
            n_begin += check(trace, rows, n, &name, 2);
        }
        nsc_trace_free(trace);
    }
    assert_true(n_begin > 0);
}

TEST(test_a_name_is_taken_apart)
{
    const struct nsc_test_row rows[] = {
        {.kind = NSC_KIND_NVTX_RANGE, .process = 1, .tid = 1, .domain = 5, .end = 9, .name = "a"}};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 1);
    struct nsc_range_name name = nsc_range_name_parse(trace, nsc_text_from("a b@5/12"));

    assert_true(name.has_index && name.index == 12);
    assert_true(name.name.n == 3 && name.domain.n == 1 && name.domain.bytes[0] == '5');
    name = nsc_range_name_parse(trace, nsc_text_from("a@6"));
    assert_true(name.name.n == 3 && name.domain.n == 0 && !name.has_index);
    name = nsc_range_name_parse(trace, nsc_text_from("a/b"));
    assert_true(name.name.n == 3 && !name.has_index);
    name = nsc_range_name_parse(trace, nsc_text_from("/3"));
    assert_true(name.name.n == 2 && !name.has_index);
    name = nsc_range_name_parse(trace, nsc_text_from("a/99999999999999999999"));
    assert_true(name.has_index && name.index == NSC_NONE - 1);
    nsc_trace_free(trace);
}
