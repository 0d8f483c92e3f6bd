/*
 * MFU from operations that the recording shows (markers of layers, shapes of ATen operators) or
 * that the user gives.
 */
#include "analysis/base/limit.h"
#include "analysis/ranges/launches.h"
#include "analysis/skill/flop_rate.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

enum { SHAPES = 4, DIMENSIONS = 8 };

enum source {
    OF_LINEAR,    /* markers of linear layers: "in_features", "out_features", "Inputs" */
    OF_MM,        /* aten::mm, aten::addmm with sizes */
    OF_BMM,       /* aten::bmm, aten::baddbmm */
    OF_ATTENTION, /* aten::_scaled_dot_product_* */
    N_SOURCES
};

static const char *const source_words[N_SOURCES] = {
    "markers of linear layers", "aten matrix products", "aten batched products", "aten attention"};

struct found {
    uint64_t count[N_SOURCES], unknown; /* not counted: convolutions, whose shapes do not suffice */
    double flops[N_SOURCES];
    nsc_time launched[N_SOURCES]; /* summed time of matrix kernels launched by these ranges */
    const struct nsc_trace *trace;
    bool *may_tell; /* by name: whether it may show operations */
    const struct nsc_scope *scope;
    struct nsc_launches *launches; /* built for the first such range */
    struct nsc_flop_work of_range; /* its matrix kernels */
};

/* ---- reading texts ---- */

/* The text after word; n 0 if word does not occur. */
static struct nsc_text after(struct nsc_text text, const char *word)
{
    size_t n = strlen(word);
    const char *end = text.bytes + text.n;

    for (const char *at = text.bytes; at + n <= end; at++) {
        at = memchr(at, word[0], (size_t)(end - at) - n + 1);
        if (!at)
            break;
        if (memcmp(at, word, n) == 0)
            return (struct nsc_text){at + n, (uint32_t)(end - at) - (uint32_t)n};
    }
    return (struct nsc_text){end, 0};
}

/* The first number within `most` bytes; -1: none. */
static double number_in(struct nsc_text text, uint32_t most)
{
    double value = 0;
    uint32_t i = 0;

    while (i < text.n && i < most && (text.bytes[i] < '0' || text.bytes[i] > '9'))
        i++;
    if (i == text.n || i == most)
        return -1;
    for (; i < text.n && text.bytes[i] >= '0' && text.bytes[i] <= '9'; i++)
        value = value * 10 + (text.bytes[i] - '0');
    return value;
}

struct shapes {
    double size[SHAPES][DIMENSIONS];
    unsigned dimensions[SHAPES], n;
};

/* Parses "[[2, 3], [3, 4], []]" after the word; also "[2, 3]" alone, and parentheses. */
static struct shapes shapes_after(struct nsc_text text, const char *word)
{
    struct shapes shapes = {0};
    struct nsc_text rest = after(text, word);
    unsigned depth = 0;

    for (uint32_t i = 0; i < rest.n; i++) {
        char c = rest.bytes[i];

        if (c == '[' || c == '(') {
            depth++;
        } else if (c == ']' || c == ')') {
            shapes.n += depth > 1 && shapes.n < SHAPES;
            if (depth <= 1)
                break;
            depth--;
        } else if (c >= '0' && c <= '9' && shapes.n < SHAPES && depth > 0) {
            unsigned *n = &shapes.dimensions[shapes.n];
            double value = number_in((struct nsc_text){rest.bytes + i, rest.n - i}, 1);

            if (*n < DIMENSIONS)
                shapes.size[shapes.n][(*n)++] = value;
            while (i + 1 < rest.n && rest.bytes[i + 1] >= '0' && rest.bytes[i + 1] <= '9')
                i++;
        } else if (depth == 0 && c != ' ' && c != ':' && c != '=' && c != '\'' && c != '"') {
            break;
        }
    }
    if (shapes.n == 0 && shapes.dimensions[0] > 0)
        shapes.n = 1;
    return shapes;
}

static double product(const struct shapes *shapes, unsigned of)
{
    double all = shapes->dimensions[of] ? 1 : 0;

    for (unsigned i = 0; i < shapes->dimensions[of]; i++)
        all *= shapes->size[of][i];
    return all;
}

/* ---- operations ---- */

/* 2 x rows x in x out; 0: not the marker of a linear layer. */
static double linear_flops(struct nsc_text text)
{
    double in = number_in(after(text, "in_features"), 4);
    double out = number_in(after(text, "out_features"), 4);
    struct shapes inputs;

    if (in <= 0 || out <= 0)
        in = number_in(after(text, "input_size"), 4),
        out = number_in(after(text, "output_size"), 4);
    if (in <= 0 || out <= 0)
        return 0;
    inputs = shapes_after(text, "Inputs");
    if (inputs.n == 0 || inputs.size[0][inputs.dimensions[0] - 1] != in)
        return 0;
    return 2 * product(&inputs, 0) * out;
}

/* Rows x shared x columns of two matrices, starting at shape `first`. */
static double product_flops(const struct shapes *shapes, unsigned first, unsigned dimensions)
{
    const unsigned *n = shapes->dimensions;

    if (shapes->n < first + 2 || n[first] != dimensions || n[first + 1] != dimensions ||
        shapes->size[first][dimensions - 1] != shapes->size[first + 1][dimensions - 2])
        return 0;
    return 2 * product(shapes, first) * shapes->size[first + 1][dimensions - 1];
}

/* Two products of queries with keys and values: [batch, heads, length, size]. */
static double attention_flops(const struct shapes *shapes)
{
    if (shapes->n < 2 || shapes->dimensions[0] != 4 || shapes->dimensions[1] != 4)
        return 0;
    return 4 * product(shapes, 0) * shapes->size[1][2];
}

static bool is_op(struct nsc_text text, const char *op)
{
    size_t n = strlen(op);

    return nsc_text_begins(text, op) &&
           (text.n == n || text.bytes[n] == ',' || text.bytes[n] == ' ');
}

static bool is_attention(struct nsc_text text)
{
    return nsc_text_begins(text, "aten::_scaled_dot_product_flash_attention,") ||
           nsc_text_begins(text, "aten::_scaled_dot_product_efficient_attention,") ||
           nsc_text_begins(text, "aten::_scaled_dot_product_cudnn_attention,");
}

/* Whether a text, or its template without numbers, may show operations. */
static bool may_tell(struct nsc_text text)
{
    if (!nsc_text_begins(text, "aten::"))
        return after(text, "Inputs").n > 0;
    if (after(text, "sizes =").n == 0)
        return nsc_text_begins(text, "aten::convolution");
    return is_op(text, "aten::mm") || is_op(text, "aten::addmm") || is_op(text, "aten::bmm") ||
           is_op(text, "aten::baddbmm") || is_attention(text) ||
           nsc_text_begins(text, "aten::convolution");
}

static double aten_flops(struct nsc_text text, enum source *source)
{
    struct shapes shapes = shapes_after(text, "sizes =");

    *source = OF_MM;
    if (is_op(text, "aten::mm"))
        return product_flops(&shapes, 0, 2);
    if (is_op(text, "aten::addmm"))
        return product_flops(&shapes, 1, 2);
    *source = OF_BMM;
    if (is_op(text, "aten::bmm"))
        return product_flops(&shapes, 0, 3);
    if (is_op(text, "aten::baddbmm"))
        return product_flops(&shapes, 1, 3);
    *source = OF_ATTENTION;
    return is_attention(text) ? attention_flops(&shapes) : 0;
}

/* Summed time of the scope's matrix kernels that the range launched; 0: it runs on the CPU, or is
 * captured into a graph. */
static nsc_time matrix_time(struct found *found, nsc_event range)
{
    struct nsc_positions in;

    if (!found->launches)
        found->launches = nsc_launches_ask(found->scope);
    if (!found->launches)
        return 0;
    found->of_range.matrices = (struct nsc_matrix_times){0};
    in = nsc_launches_inside(found->launches, range);
    for (uint32_t i = in.first; i < in.end; i++)
        nsc_flop_work_add(&found->of_range, found->trace, nsc_launches_op(found->launches, i));
    return nsc_matrix_times_sum(&found->of_range.matrices);
}

/* Fills may_tell. Returns whether any name may show operations. */
static bool judge_names(struct found *found)
{
    const struct nsc_names *names = nsc_trace_names(found->trace);
    bool any = false;

    found->may_tell = nsc_xcalloc((size_t)names->n + 1, sizeof *found->may_tell);
    for (nsc_name i = 0; i < names->n; i++) {
        found->may_tell[i] = may_tell(nsc_trace_string(found->trace, names->full[i]));
        any = any || found->may_tell[i];
    }
    return any;
}

static void add_range(struct found *found, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(found->trace);
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text;
    enum source source = OF_LINEAR;
    double flops = 0;
    nsc_time launched = 0;

    if (events->kind[event] != NSC_KIND_NVTX_RANGE || !found->may_tell[events->name[event]])
        return;
    text = nsc_trace_event_text(found->trace, event, false, scratch);
    found->unknown += nsc_text_begins(text, "aten::convolution,") ||
                      nsc_text_begins(text, "aten::convolution_backward,");
    flops = nsc_text_begins(text, "aten::") ? aten_flops(text, &source) : linear_flops(text);
    launched = flops > 0 ? matrix_time(found, event) : 0;
    if (launched == 0)
        return;
    found->count[source]++;
    found->flops[source] += flops;
    found->launched[source] = nsc_sum(found->launched[source], launched);
}

/* ---- mfu ---- */

const struct nsc_sheet_column nsc_skill_mfu_columns[] = {
    NSC_COL_TEXT(nsc_flop_row, time, "time", "Over"),
    NSC_COL_COUNT(nsc_flop_row, rate.gpus, "gpus", "GPUs"),
    NSC_COL_NS(nsc_flop_row, rate.ns, "ns", "Length"),
    NSC_COL_NUMBER(nsc_flop_row, flops, "tflop", "TFLOP", 3),
    NSC_COL_NUMBER(nsc_flop_row, rate.tflops, "tflops", "TFLOP/s", 2),
    NSC_COL_NUMBER(nsc_flop_row, rate.peak, "peak_tflops", "Peak", 1),
    NSC_COL_PERCENT(nsc_flop_row, rate.mfu, "mfu", "MFU", "peak of the GPUs that work"),
    {0},
};

/* The share of the matrix kernels' time launched by the counted ranges, %. */
static double covered_share(const struct found *found, const struct nsc_matrix_times *matrices)
{
    nsc_time launched = 0;

    for (int i = 0; i < N_SOURCES; i++)
        launched = nsc_sum(launched, found->count[i] ? found->launched[i] : 0);
    return nsc_percent(launched, nsc_sum(matrices->opaque, nsc_matrix_times_sum(matrices)));
}

/* found: from the recording; NULL if the user gives the operations. MFU is withheld if the counted ranges
 * launched too little of the matrix kernels' time: the operations of the rest (a backward pass, replays
 * of graphs) are unknown. */
static void add_rates(struct nsc_sheet *sheet, const struct nsc_question *question, double flops,
                      const struct found *found)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_flop_work work = nsc_flop_work_measure(scope);
    const struct nsc_flop_time times[] = {{"the window", nsc_window_length(scope->window)},
                                          {"the time kernels run", work.running}};
    bool is_rate = !found && question->params[NSC_PARAM_TOKENS].is_set;
    struct nsc_flop_peak peak = nsc_flop_peak_find(question, &work);
    double covered = found ? covered_share(found, &work.matrices) : 100;

    if (covered < (double)NSC_LIMIT_NEARLY_ALL)
        nsc_sheet_note(sheet,
                       "No MFU: ranges with recorded shapes launched %.1f %% of the time of matrix "
                       "kernels and graphs recorded whole, and %.0f %% are needed. Give -p flops=.",
                       covered, (double)NSC_LIMIT_NEARLY_ALL);
    else if (work.running > 0)
        nsc_flop_rates_add(sheet, times, is_rate ? 1 : 2, flops, 0, &peak);
    free(work.is_used);
}

/* The operations that the user gives: in all, or of one token with the tokens a second. */
static double given_flops(const struct nsc_question *question)
{
    double flops = question->params[NSC_PARAM_FLOPS].number;

    if (question->params[NSC_PARAM_TOKENS].is_set)
        flops *= question->params[NSC_PARAM_TOKENS].number *
                 ((double)nsc_window_length(question->scope->window) / 1e9);
    return flops;
}

static void note_sources(struct nsc_sheet *sheet, const struct found *found)
{
    for (int i = 0; i < N_SOURCES; i++)
        if (found->count[i] > 0)
            nsc_sheet_note(sheet, "%llu %s: %.4g TFLOP.", (unsigned long long)found->count[i],
                           source_words[i], found->flops[i] / 1e12);
    nsc_sheet_note(sheet, "A lower bound: only ranges with recorded shapes count; a backward pass "
                          "counts only if it has its own ranges.");
}

/* Markers of layers and ATen shapes may describe the same work, so only the source with more
 * operations counts. */
static double choose_source(struct found *found)
{
    double aten = found->flops[OF_MM] + found->flops[OF_BMM] + found->flops[OF_ATTENTION];

    if (aten >= found->flops[OF_LINEAR]) {
        found->count[OF_LINEAR] = 0;
        return aten;
    }
    found->count[OF_MM] = found->count[OF_BMM] = found->count[OF_ATTENTION] = 0;
    return found->flops[OF_LINEAR];
}

void nsc_skill_mfu(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, mfu);
    struct found found = {.trace = question->scope->trace, .scope = question->scope};
    double flops;

    if (question->params[NSC_PARAM_FLOPS].is_set) {
        add_rates(sheet, question, given_flops(question), NULL);
        return;
    }
    found.of_range = nsc_flop_work_new(found.trace);
    if (judge_names(&found))
        for (struct nsc_scope_cursor at = nsc_scope_open(question->scope, NSC_RANGE_TRACKS);
             nsc_scope_next(&at);)
            add_range(&found, at.row);
    nsc_launches_free(found.launches);
    free(found.of_range.is_used);
    free(found.may_tell);
    flops = choose_source(&found);
    if (flops <= 0) {
        nsc_sheet_note(sheet,
                       "No MFU: no range has the shapes of its matrices. Record with shapes (torch "
                       "emit_nvtx record_shapes, layer markers of vLLM), or give the operations "
                       "with -p flops=; with -p tokens= give those of one token.");
        return;
    }
    if (found.unknown > 0) {
        nsc_sheet_note(sheet,
                       "No MFU: %llu convolutions lack some of their shapes; give -p flops=.",
                       (unsigned long long)found.unknown);
        return;
    }
    add_rates(sheet, question, flops, &found);
    note_sources(sheet, &found);
}
