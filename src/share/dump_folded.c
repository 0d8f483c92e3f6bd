/*
 * Writes folded stacks, one line "outer;inner;leaf ns" per stack: GPU work under the NVTX path of
 * its launch, the own time of NVTX ranges, the number of CPU samples by call stack, and CUDA calls
 * and what the GPU waits for them by the function of the program that makes them.
 *
 * Equal stacks are summed; when the memory is full, the sums are written and start again. Readers
 * add up equal lines, so sums stay exact with bounded memory. In a name ';' becomes ':' and a line
 * break becomes '_'; a name never ends in a blank and a number, which would read as its ns.
 */
#include "analysis/base/correlate.h"
#include "analysis/base/path_memo.h"
#include "analysis/device/idle.h"
#include "core/die.h"
#include "core/strpool.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"
#include "share/dump_data.h"

#include <inttypes.h>
#include <stdlib.h>

#ifdef NSC_SMALL
enum { STACKS_MOST = 8, STACK_BYTES = 1 << 12 };
#else
enum { STACKS_MOST = 1 << 16, STACK_BYTES = 1 << 24 };
#endif
/* Most frames of a stack: without this bound, each of n nested ranges would write up to n names. */

struct folded {
    struct nsc_dump *dump;
    struct nsc_strpool stacks;
    size_t stack_bytes;         /* bytes of the stacks */
    nsc_time *sums;             /* by stack */
    struct nsc_buf line;        /* current line */
    struct nsc_buf clean;       /* current name */
    struct nsc_path_memo *memo; /* paths of GPU work */
    NSC_VEC(size_t) ends;       /* for own times: length of the line before each open range */
};

static void init(struct folded *folded, struct nsc_dump *dump)
{
    *folded = (struct folded){.dump = dump};
    folded->line.limit = folded->clean.limit = SIZE_MAX;
    nsc_strpool_init(&folded->stacks);
    folded->sums = nsc_xcalloc(STACKS_MOST + 2, sizeof *folded->sums);
}

/* Writes the sums collected so far. */
static void write_sums(struct folded *folded)
{
    for (uint32_t i = 1; i < folded->stacks.n && folded->dump->status == NSC_OK; i++) {
        struct nsc_text stack = nsc_strpool_text(&folded->stacks, i);

        if (folded->sums[i] > 0) {
            nsc_buf_add(&folded->dump->out, stack.bytes, stack.n);
            nsc_buf_printf(&folded->dump->out, " %" PRId64 "\n", folded->sums[i]);
        }
        folded->sums[i] = 0;
    }
    nsc_strpool_fini(&folded->stacks);
    nsc_strpool_init(&folded->stacks);
    folded->stack_bytes = 0;
}

static void fini(struct folded *folded)
{
    write_sums(folded);
    nsc_strpool_fini(&folded->stacks);
    nsc_buf_fini(&folded->line);
    nsc_buf_fini(&folded->clean);
    NSC_VEC_FINI(&folded->ends);
    free(folded->sums);
}

static void stack_add(struct folded *folded, nsc_time ns)
{
    uint32_t id = 0;

    if (!folded->line.n || ns <= 0)
        return;
    if (folded->stacks.n > STACKS_MOST || folded->stack_bytes > STACK_BYTES)
        write_sums(folded);
    folded->stack_bytes += folded->line.n;
    id = nsc_strpool_add(&folded->stacks, folded->line.bytes, folded->line.n);
    folded->sums[id] = nsc_sum(folded->sums[id], ns);
}

/* Appends a name to the line; an empty name becomes "?". */
static void text_put(struct folded *folded, struct nsc_text text)
{
    struct nsc_buf *clean = &folded->clean;

    nsc_buf_clear(clean);
    nsc_text_clean(clean, text, false);
    if (folded->line.n)
        nsc_buf_putc(&folded->line, ';');
    for (size_t i = 0; i < clean->n; i++) {
        char c = clean->bytes[i];

        nsc_buf_putc(&folded->line, (char)(c == ';' ? ':' : c));
    }
    if (!clean->n)
        nsc_buf_putc(&folded->line, '?');
}

static void name_put(struct folded *folded, nsc_event event)
{
    text_put(folded, nsc_dump_text(folded->dump, event));
}

/* Puts one frame for all ranges or functions beyond the greatest depth. */
static void deeper_put(struct folded *folded)
{
    nsc_buf_puts(&folded->line, ";(deeper)");
}

/* The events that are to be written. */
static struct nsc_scope scope_of(const struct nsc_dump *dump)
{
    struct nsc_scope scope = nsc_scope_all(dump->trace);

    scope.mask = dump->query->mask;
    scope.window = dump->query->window;
    scope.has_window = scope.window.t0 > INT64_MIN;
    return scope;
}

/* ---- GPU work ---- */

/* call: what launched or captured the event. */
static void work_add(struct folded *folded, uint32_t lane, nsc_event event, nsc_event call)
{
    struct nsc_path path = nsc_path_memo_find(folded->memo, event, lane, call);

    nsc_buf_clear(&folded->line);
    for (uint32_t i = 0; i < path.n; i++)
        name_put(folded, path.rows[i]);
    if (path.is_cut)
        deeper_put(folded);
    name_put(folded, event);
    stack_add(folded, nsc_event_duration(folded->dump->events, event));
}

void nsc_dump_folded(struct nsc_dump *dump)
{
    bool is_captured = dump->query->format == NSC_DUMP_FOLDED_CAPTURED;
    const struct nsc_trace *trace = is_captured ? nsc_trace_captured(dump->trace) : dump->trace;
    struct nsc_scope scope = scope_of(dump);
    struct nsc_scope_cursor at = nsc_scope_open(&scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
    struct folded folded;

    if (!trace)
        return;
    init(&folded, dump);
    folded.memo = nsc_path_memo_new(dump->trace);
    while (nsc_dump_go_on(dump) && nsc_scope_next(&at)) {
        nsc_event call = nsc_event_launch(trace, at.row);

        if (!is_captured || call != NSC_NONE)
            work_add(&folded, at.lane, at.row, call);
    }
    nsc_path_memo_free(folded.memo);
    fini(&folded);
}

/* ---- own times of ranges ---- */

static void range_open(void *context, uint32_t where, nsc_event event, uint32_t depth)
{
    struct folded *folded = context;

    (void)depth;
    if (where)
        return;
    *NSC_VEC_ADD(&folded->ends) = folded->line.n;
    if (folded->ends.n <= NSC_PATH_MOST)
        name_put(folded, event);
    else if (folded->ends.n == NSC_PATH_MOST + 1)
        deeper_put(folded);
}

/* A range that crosses others becomes a separate stack. */
static void range_close(void *context, uint32_t where, nsc_event event, nsc_time self)
{
    struct folded *folded = context;
    struct nsc_buf inside = folded->line;

    if (where) {
        folded->line = (struct nsc_buf)NSC_BUF_INIT(SIZE_MAX);
        name_put(folded, event);
        stack_add(folded, self);
        nsc_buf_fini(&folded->line);
        folded->line = inside;
        return;
    }
    stack_add(folded, self);
    folded->line.n = folded->ends.at[--folded->ends.n];
}

void nsc_dump_folded_cpu(struct nsc_dump *dump)
{
    struct folded folded;
    struct nsc_nest nest = {range_open, range_close, &folded};

    init(&folded, dump);
    for (uint32_t t = 0; t < dump->n_tracks && dump->status == NSC_OK; t++) {
        if (dump->tracks[t].kind != NSC_TRACK_NVTX)
            continue;
        nsc_buf_clear(&folded.line);
        (void)nsc_dump_nest(dump, t, &nest);
    }
    fini(&folded);
}

/* ---- CPU samples and the program's own functions ---- */

static void stack_put(struct folded *folded, const struct nsc_flame *flame, uint32_t frame)
{
    uint32_t path[NSC_STACKS_DEPTH];
    uint32_t n = 0;

    nsc_buf_clear(&folded->line);
    for (; frame != NSC_NONE && n < NSC_STACKS_DEPTH; frame = flame->frames[frame].parent)
        path[n++] = frame;
    for (uint32_t i = 0; i < n && i < NSC_PATH_MOST; i++)
        text_put(folded, nsc_strpool_text(&folded->dump->query->stacks->texts,
                                          flame->frames[path[n - 1 - i]].name));
    if (n > NSC_PATH_MOST)
        deeper_put(folded);
}

void nsc_dump_folded_stacks(struct nsc_dump *dump)
{
    const struct nsc_dump_query *query = dump->query;
    struct nsc_flame_query asked = {.by = nsc_dump_flame(query->format),
                                    .mask = query->mask,
                                    .window = query->window,
                                    .is_whole = true,
                                    .stacks = query->stacks};
    struct nsc_flame *flame = nsc_idle_flame(dump->trace, asked, dump->progress);
    struct folded folded;

    init(&folded, dump);
    for (uint32_t i = 0; i < flame->n && nsc_dump_go_on(dump); i++) {
        stack_put(&folded, flame, i);
        stack_add(&folded, flame->frames[i].self);
    }
    fini(&folded);
    nsc_flame_free(flame);
}
