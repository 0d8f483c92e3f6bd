/* Finds the innermost frame of each stack that is the user's own, and the call that has the stack. */
#include "analysis/base/own_code.h"

#include "nsyscope/summary.h"

#include "analysis/base/stacks.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/names.h"
#include "index/own_frame.h"

#include <string.h>

struct reading {
    const struct nsc_trace *trace;
    const struct nsc_fields *stacks, *fields; /* fields: of the chains */
    struct nsc_chains chains;
    uint32_t capture_no;
};

/* The first outermost call of the thread that begins in the time of a row. */
static nsc_event find_call(const struct reading *reading, int64_t thread, struct nsc_window row)
{
    const struct nsc_track *tracks = nsc_trace_tracks(reading->trace, NULL);
    const struct nsc_lane *lanes = nsc_trace_lanes(reading->trace, NULL);
    uint64_t process = (uint64_t)thread >> 24 | (uint64_t)reading->capture_no << NSC_PROCESS_BITS;
    uint32_t group = nsc_trace_thread(reading->trace, process, (uint32_t)thread & 0xffffff);

    for (uint32_t t = group; group != NSC_NONE && t < nsc_group_end(tracks, group); t++) {
        const struct nsc_lane *lane = &lanes[tracks[t].first_lane];
        nsc_event call = NSC_NONE;

        if (tracks[t].kind == NSC_TRACK_API && tracks[t].n_lanes)
            call = nsc_lane_find(reading->trace, tracks[t].first_lane, row.t0);
        if (call != NSC_NONE && call - lane->first < lane->n &&
            nsc_trace_events(reading->trace)->start[call] <= row.t1)
            return call;
    }
    return NSC_NONE;
}

/* The user's own function in a stack; empty: none, or a frame is another call ("cudaMalloc" is that
 * of "cudaMalloc_v3020"). */
static struct nsc_text find_function(const struct reading *reading, nsc_event call, int64_t chain)
{
    struct nsc_text text = nsc_event_name(reading->trace, call);
    struct nsc_text own = nsc_text_from("");
    const struct nsc_chain_row *at = reading->chains.rows.at;

    for (size_t i = nsc_chains_find(&reading->chains, chain);
         i < reading->chains.rows.n && at[i].id == chain; i++) {
        struct nsc_text symbol = nsc_fields_text(reading->fields, NSC_CHAIN_SYMBOL, at[i].row);

        if (nsc_text_begins(symbol, "cuda") && !memchr(symbol.bytes, '(', symbol.n) &&
            (text.n < symbol.n || memcmp(text.bytes, symbol.bytes, symbol.n) != 0))
            return nsc_text_from("");
        if (own.n == 0 &&
            nsc_frame_is_own(symbol, nsc_fields_text(reading->fields, NSC_CHAIN_MODULE, at[i].row)))
            own = symbol;
    }
    return own;
}

static void read_stacks(struct nsc_own_code *out, const struct reading *reading)
{
    int64_t shift = 0; /* nsys 2022.2 numbers stacks from 1, and calls from 0 */
    nsc_time offset = nsc_trace_captures(reading->trace, NULL)[reading->capture_no].offset;

    if (nsc_fields_int(&shift, reading->stacks, NSC_CALL_STACK_CHAIN, 0))
        shift = shift == 0 && reading->chains.rows.n > 0 && reading->chains.rows.at[0].id == 1;
    for (uint32_t i = 0; i < reading->stacks->n; i++) {
        int64_t value[NSC_CALL_STACK_CHAIN + 1];
        struct nsc_window row;
        nsc_event call;
        uint32_t n = 0;

        while (n <= NSC_CALL_STACK_CHAIN && nsc_fields_int(&value[n], reading->stacks, n, i))
            n++;
        if (n <= NSC_CALL_STACK_CHAIN)
            continue;
        row = (struct nsc_window){nsc_sum(value[NSC_CALL_STACK_START], offset),
                                  nsc_sum(value[NSC_CALL_STACK_END], offset)};
        call = find_call(reading, value[NSC_CALL_STACK_THREAD], row);
        if (call != NSC_NONE)
            *(struct nsc_text *)nsc_sparse_at(&out->of_call, call) =
                find_function(reading, call, nsc_sum(value[NSC_CALL_STACK_CHAIN], shift));
    }
}

static void read_export(struct nsc_own_code *out, const struct nsc_trace *trace,
                        const struct nsc_field_sets *fields, uint32_t capture_no)
{
    struct reading reading = {.trace = trace,
                              .fields = nsc_field_set(fields, NSC_FIELDS_CALL_CHAINS),
                              .capture_no = capture_no};

    if (!out->of_call.blocks)
        nsc_sparse_init(&out->of_call, nsc_trace_events(trace)->n, sizeof(struct nsc_text));
    if (reading.fields && reading.fields->n)
        reading.stacks = nsc_field_set(fields, NSC_FIELDS_CALL_STACKS);
    if (!reading.stacks || !reading.stacks->n)
        return;
    nsc_chains_read(&reading.chains, reading.fields);
    read_stacks(out, &reading);
    NSC_VEC_FINI(&reading.chains.rows);
}

struct nsc_text nsc_own_code_find(struct nsc_own_code *own, const struct nsc_trace *trace,
                                  const struct nsc_field_sets *const fields[], nsc_event call)
{
    uint32_t n = 0;

    (void)nsc_trace_captures(trace, &n);
    for (uint32_t i = 0; !own->is_read && i < n; i++)
        read_export(own, trace, fields ? fields[i] : NULL, i);
    own->is_read = true;
    if (call == NSC_NONE || !own->of_call.blocks[call / NSC_SPARSE_BLOCK])
        return nsc_text_from(""); /* asking makes no block */
    return *(struct nsc_text *)nsc_sparse_at(&own->of_call, call);
}

void nsc_own_code_stacks(struct nsc_stacks *stacks, const struct nsc_trace *trace,
                         const struct nsc_field_sets *fields, uint32_t capture_no)
{
    struct nsc_own_code own = {.is_read = true};
    nsc_str idle = nsc_stacks_add_name(stacks, nsc_text_from(NSC_OWN_IDLE));
    char scratch[NSC_NAME_BYTES];

    read_export(&own, trace, fields, capture_no);
    for (nsc_event call = 0; call < nsc_trace_events(trace)->n; call++) {
        struct nsc_text function = nsc_own_code_find(&own, trace, NULL, call);
        nsc_str names[2];

        if (!own.of_call.blocks[call / NSC_SPARSE_BLOCK])
            call |= NSC_SPARSE_BLOCK - 1; /* nothing in this block */
        if (!function.n)
            continue;
        names[0] = nsc_stacks_add_name(stacks, function);
        names[1] = nsc_stacks_add_name(stacks, nsc_trace_event_text(trace, call, false, scratch));
        *NSC_VEC_ADD(&stacks->calls) =
            (struct nsc_call_stack){call, nsc_stacks_find(stacks, names, 2),
                                    nsc_stacks_find(stacks, (nsc_str[]){names[0], idle}, 2)};
    }
    nsc_own_code_fini(&own);
}

void nsc_own_code_fini(struct nsc_own_code *own)
{
    nsc_sparse_fini(&own->of_call);
}
