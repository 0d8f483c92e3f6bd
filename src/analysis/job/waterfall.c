/* Matches the parts of two recordings, and shows them as a sheet with bars. */
#include "analysis/job/waterfall.h"

#include "analysis/names/kernel_name.h"
#include "core/buf.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>

enum { BAR_COLS = 12 }; /* columns of a bar that fit a narrow screen */

/* ---- the parts ---- */

/* The weight of an ns of a kind in the mean of an iteration. */
static double share_of(const struct nsc_diff *diff, unsigned side, uint32_t kind)
{
    const struct nsc_recording *run = side ? diff->b : diff->a;
    double devices = run->n_devices ? (double)run->n_devices : 1;
    double weights = 0;
    double weight = 0;

    if (run->n_found == 0)
        return 1 / devices;
    for (uint32_t k = 0; k < run->n_kinds; k++) {
        uint32_t at = diff->by_kind ? diff->kinds[side][k] : k;
        double of = diff->by_kind ? nsc_diff_weight(diff, k) : (double)run->kinds[at].n;

        weights += of;
        weight = at == kind ? of : weight;
    }
    return weights > 0 && run->kinds[kind].n
               ? weight / weights / (double)run->kinds[kind].n / devices
               : 0;
}

NSC_COMPARE(by_name, struct nsc_fall,
            NSC_LEAST(class) || NSC_BY(nsc_text_compare(x->name, y->name)))

NSC_COMPARE(by_change, struct nsc_fall,
            NSC_BY(NSC_ORDER(fabs(y->after - y->before), fabs(x->after - x->before))) ||
                NSC_BY(by_name(x, y)))

static void add_side(struct nsc_waterfall *out, const struct nsc_diff *diff, unsigned side)
{
    const struct nsc_recording *run = side ? diff->b : diff->a;

    for (size_t i = 0; i < run->parts.list.n; i++) {
        const struct nsc_recording_part *part = &run->parts.list.at[i];
        double ns = (double)part->total * share_of(diff, side, part->kind);

        *NSC_VEC_ADD(&out->list) =
            (struct nsc_fall){.class = (enum nsc_part_class)part->class,
                              .name = nsc_strpool_text(&run->texts, part->name),
                              .before = side ? 0 : ns,
                              .after = side ? ns : 0};
    }
}

/* Merges kinds and sides of one name. */
static void merge(struct nsc_waterfall *out)
{
    size_t n = 0;

    if (out->list.n == 0)
        return;
    NSC_VEC_SORT(&out->list, by_name);
    for (size_t i = 1; i < out->list.n; i++) {
        if (by_name(&out->list.at[n], &out->list.at[i]) != 0) {
            out->list.at[++n] = out->list.at[i];
            continue;
        }
        out->list.at[n].before += out->list.at[i].before;
        out->list.at[n].after += out->list.at[i].after;
    }
    out->list.n = n + 1;
    NSC_VEC_SORT(&out->list, by_change);
}

bool nsc_waterfall_build(struct nsc_waterfall *out, const struct nsc_diff *diff)
{
    bool found = diff->a->n_found > 0;

    *out = (struct nsc_waterfall){0};
    if (found != (diff->b->n_found > 0))
        return false;
    out->before = found ? diff->mean[0] : diff->a->metrics[NSC_RECORDING_ITERATION].mean;
    out->after = found ? diff->mean[1] : diff->b->metrics[NSC_RECORDING_ITERATION].mean;
    add_side(out, diff, 0);
    add_side(out, diff, 1);
    merge(out);
    out->rest = out->after - out->before;
    for (size_t i = 0; i < out->list.n; i++)
        out->rest -= out->list.at[i].after - out->list.at[i].before;
    return true;
}

void nsc_waterfall_fini(struct nsc_waterfall *waterfall)
{
    NSC_VEC_FINI(&waterfall->list);
}

/* ---- the sheet ---- */

struct fall_row {
    struct nsc_kept_text bar, name;
    const char *class;
    nsc_time a, b, change, so_far; /* a, b: or not known */
    double change_pct;
};

#define COLUMNS(whole, each)                                                                      \
    {                                                                                             \
        NSC_COL_NS(fall_row, change, "change_ns", "Change"),                                      \
            NSC_COL_PERCENT(fall_row, change_pct, "change_pct", "Change %", "A's " whole),        \
            NSC_COL_TEXT(fall_row, bar, "bar", "From A to B"),                                    \
            NSC_COL_TEXT(fall_row, class, "class", "Is"),                                         \
            NSC_COL_TEXT(fall_row, name, "name", "What"),                                         \
            NSC_COL_NS(fall_row, so_far, "so_far_ns", "So far"),                                  \
            NSC_COL_NS(fall_row, a, "a_ns", "A" each), NSC_COL_NS(fall_row, b, "b_ns", "B" each), \
    }

/* By whether iterations are compared. */
static const struct nsc_sheet_column columns[][8] = {
    COLUMNS("whole time", " in all"),
    COLUMNS("mean period", " an iteration"),
};

struct falling {
    struct nsc_sheet *sheet;
    const struct nsc_waterfall *of;
    double at;        /* where the fall has come to */
    nsc_time shown;   /* the same in whole ns */
    double low, high; /* what the bars span */
};

/* The lowest and the highest point of the waterfall over the shown parts. */
static void find_span(struct falling *falling, size_t n)
{
    double at = falling->of->before;

    falling->low = fmin(falling->of->before, falling->of->after);
    falling->high = fmax(falling->of->before, falling->of->after);
    for (size_t i = 0; i < n; i++) {
        at += falling->of->list.at[i].after - falling->of->list.at[i].before;
        falling->low = fmin(falling->low, at);
        falling->high = fmax(falling->high, at);
    }
    falling->low -= (falling->high - falling->low) / BAR_COLS; /* the lower mean is seen too */
}

/* Draws "| ++|" for a rise, "| -- |" for a fall, "|==" for a mean period. Every change other than 0
 * gets a sign. */
static struct nsc_kept_text keep_bar(const struct falling *falling, double from, double to,
                                     char sign)
{
    double span = falling->high - falling->low;
    char bar[BAR_COLS + 1];
    int first = 0;
    int last = 0;

    if (span > 0) {
        first = (int)((fmin(from, to) - falling->low) / span * BAR_COLS);
        last = (int)ceil((fmax(from, to) - falling->low) / span * BAR_COLS) - 1;
    }
    first = first < BAR_COLS ? first : BAR_COLS - 1;
    last = last < first ? first : last < BAR_COLS ? last : BAR_COLS - 1;
    for (int i = 0; i < BAR_COLS; i++)
        bar[i] = i < first ? '.' : i > last || from == to ? ' ' : sign;
    return nsc_sheet_keep(falling->sheet, (struct nsc_text){bar, (uint32_t)last + 1});
}

static struct nsc_kept_text keep_name(struct nsc_sheet *sheet, const struct nsc_fall *fall)
{
    struct nsc_buf text = NSC_BUF_INIT(2 * NSC_NAME_BYTES);

    if (fall->class == NSC_PART_COMPUTE || fall->class == NSC_PART_EXPOSED)
        nsc_kernel_plain(&text, fall->name);
    else
        nsc_buf_add(&text, fall->name.bytes, fall->name.n);
    return nsc_sheet_keep_buf(sheet, &text);
}

/* Adds a mean period: the first or last row of the waterfall. */
static void add_end(struct falling *falling, const char *name, double mean)
{
    NSC_ADD_ROW(
        falling->sheet, fall_row, .name = nsc_sheet_keep(falling->sheet, nsc_text_from(name)),
        .bar = keep_bar(falling, falling->low, mean, '='), .change = NSC_UNKNOWN, .change_pct = NAN,
        .so_far = (nsc_time)llround(mean), .a = NSC_UNKNOWN, .b = NSC_UNKNOWN);
    falling->at = mean;
    falling->shown = (nsc_time)llround(mean);
}

static void add_change(struct falling *falling, struct nsc_kept_text name, const char *class,
                       double before, double after, bool has_means)
{
    double from = falling->at;
    nsc_time shown = falling->shown;

    falling->at += after - before;
    if (fabs(falling->at - falling->of->after) < 1e-3) /* ns: a rounding error of doubles is not
                                                        * shown as rest */
        falling->at = falling->of->after;
    falling->shown = (nsc_time)llround(falling->at);
    NSC_ADD_ROW(falling->sheet, fall_row, .name = name, .class = class,
                .bar = keep_bar(falling, from, falling->at, after < before ? '-' : '+'),
                .change = falling->shown - shown,
                .change_pct = 100 * (after - before) / falling->of->before,
                .so_far = falling->shown, .a = nsc_known(has_means, (nsc_time)llround(before)),
                .b = nsc_known(has_means, (nsc_time)llround(after)));
}

/* Adds the parts beyond the limit as one row. */
static void add_others(struct falling *falling, size_t n)
{
    struct nsc_sheet *sheet = falling->sheet;
    double before = 0;
    double after = 0;
    char text[64];

    for (size_t i = n; i < falling->of->list.n; i++) {
        before += falling->of->list.at[i].before;
        after += falling->of->list.at[i].after;
    }
    (void)snprintf(text, sizeof text, "%zu smaller changes", falling->of->list.n - n);
    if (n < falling->of->list.n)
        add_change(falling, nsc_sheet_keep(sheet, nsc_text_from(text)), "all", before, after, true);
}

static void fill(struct nsc_sheet *sheet, const struct nsc_waterfall *waterfall, uint32_t limit,
                 bool has_iterations)
{
    struct falling falling = {.sheet = sheet, .of = waterfall};
    size_t n = limit && limit < waterfall->list.n ? limit : waterfall->list.n;

    find_span(&falling, n);
    add_end(&falling, has_iterations ? "A's mean period" : "A's whole time", waterfall->before);
    for (size_t i = 0; i < n; i++) {
        const struct nsc_fall *fall = &waterfall->list.at[i];

        add_change(&falling, keep_name(sheet, fall), nsc_part_class_word(fall->class), fall->before,
                   fall->after, true);
    }
    add_others(&falling, n);
    add_change(&falling, nsc_sheet_keep(sheet, nsc_text_from("not explained")), "rest", falling.at,
               waterfall->after, false);
    add_end(&falling, has_iterations ? "B's mean period" : "B's whole time", waterfall->after);
}

void nsc_waterfall_sheet(struct nsc_sheets *out, const struct nsc_diff *diff, uint32_t limit)
{
    bool has_iterations = diff->a->n_found > 0;
    struct nsc_sheet *sheet =
        nsc_sheets_add(out, "waterfall", "What the change consists of", columns[has_iterations], 8);
    struct nsc_waterfall waterfall;

    if (!nsc_waterfall_build(&waterfall, diff)) {
        nsc_sheet_note(sheet,
                       "Only one of the two has iterations, so there are no two means to compare.");
        return;
    }
    fill(sheet, &waterfall, limit, has_iterations);
    nsc_sheet_note(sheet, "Each ns counts once: for the running compute kernel (of several, the "
                          "one that began first), else for a copy, else for communication, else "
                          "for the cause of idle time. Means over the GPUs with work.");
    if (!has_iterations)
        nsc_sheet_note(sheet, "Without iterations the whole recordings are compared.");
    if (diff->a->n_devices != diff->b->n_devices)
        nsc_sheet_note(sheet, "A works on %u GPUs, B on %u: both are means per GPU.",
                       diff->a->n_devices, diff->b->n_devices);
    nsc_waterfall_fini(&waterfall);
}
