/* Folds the rows of call chains into a tree of frames. */
#include "analysis/base/stacks.h"

#include "core/bisect.h"
#include "core/die.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- the tree ---- */

struct nsc_stacks *nsc_stacks_new(void)
{
    struct nsc_stacks *stacks = nsc_xcalloc(1, sizeof *stacks);

    nsc_strpool_init(&stacks->texts);
    return stacks;
}

void nsc_stacks_free(struct nsc_stacks *stacks)
{
    if (!stacks)
        return;
    NSC_VEC_FINI(&stacks->frames);
    NSC_VEC_FINI(&stacks->samples);
    NSC_VEC_FINI(&stacks->calls);
    nsc_strpool_fini(&stacks->texts);
    nsc_idtable_fini(&stacks->known);
    free(stacks);
}

nsc_str nsc_stacks_add_name(struct nsc_stacks *stacks, struct nsc_text text)
{
    return nsc_strpool_add(&stacks->texts, text.bytes, text.n);
}

static bool equals_frame(const void *context, uint32_t id, const void *key)
{
    const struct nsc_stacks *stacks = context;
    const struct nsc_stack_frame *frame = key;

    return stacks->frames.at[id].parent == frame->parent &&
           stacks->frames.at[id].name == frame->name;
}

/* The frame; its parent if there are too many frames. */
static uint32_t find_frame(struct nsc_stacks *stacks, struct nsc_stack_frame frame)
{
    uint64_t hash = nsc_hash_mix(nsc_hash_mix(0, frame.parent), frame.name);
    uint32_t id = nsc_idtable_find(&stacks->known, hash, equals_frame, stacks, &frame);

    if (id != NSC_NONE)
        return id;
    if (stacks->frames.n >= NSC_STACKS_MOST && frame.parent != NSC_NONE) {
        stacks->is_cut = true;
        return frame.parent;
    }
    id = (uint32_t)stacks->frames.n;
    *NSC_VEC_ADD(&stacks->frames) = frame;
    nsc_idtable_add(&stacks->known, hash, id);
    return id;
}

uint32_t nsc_stacks_find(struct nsc_stacks *stacks, const nsc_str names[], uint32_t n)
{
    uint32_t frame = NSC_NONE;

    for (uint32_t i = 0; i < n && i < NSC_STACKS_DEPTH; i++)
        frame = find_frame(stacks, (struct nsc_stack_frame){frame, names[i]});
    stacks->is_cut = stacks->is_cut || n > NSC_STACKS_DEPTH;
    return frame;
}

void nsc_stacks_add(struct nsc_stacks *stacks, nsc_event event, const nsc_str names[], uint32_t n)
{
    nsc_str none = n ? 0 : nsc_stacks_add_name(stacks, nsc_text_from(NSC_STACKS_NONE));
    uint32_t frame = nsc_stacks_find(stacks, n ? names : &none, n ? n : 1);

    *NSC_VEC_ADD(&stacks->samples) = (struct nsc_sample_stack){event, frame};
}

/* ---- the rows of call chains ---- */

struct reading {
    struct nsc_stacks *stacks;
    const struct nsc_fields *chains;
    nsc_str root; /* the frame around all; 0: none */
    struct nsc_chains rows;
    NSC_VEC(nsc_str) names; /* of the stack being read, the outermost first */
};

NSC_COMPARE(compare_rows, struct nsc_chain_row, NSC_LEAST(id) || NSC_LEAST(depth) || NSC_LEAST(row))

void nsc_chains_read(struct nsc_chains *out, const struct nsc_fields *fields)
{
    bool is_sorted = true;

    for (uint32_t row = 0; row < fields->n; row++) {
        struct nsc_chain_row at = {.row = row};

        if (!nsc_fields_int(&at.id, fields, NSC_CHAIN_ID, row))
            continue;
        (void)nsc_fields_int(&at.depth, fields, NSC_CHAIN_DEPTH, row);
        *NSC_VEC_ADD(&out->rows) = at;
        is_sorted = is_sorted &&
                    (out->rows.n == 1 || compare_rows(&out->rows.at[out->rows.n - 2], &at) < 0);
    }
    if (!is_sorted)
        NSC_VEC_SORT(&out->rows, compare_rows);
}

size_t nsc_chains_find(const struct nsc_chains *chains, int64_t id)
{
    size_t low = 0;
    size_t high = chains->rows.n;

    NSC_BISECT(low, high, middle, chains->rows.at[middle].id < id);
    return low;
}

/* "[libcuda.so.1]"; pseudo libraries have brackets already. */
static struct nsc_text name_of_module(struct nsc_text module, char scratch[NSC_NAME_BYTES])
{
    uint32_t from = module.n;

    if (!module.n)
        return nsc_text_from("[unknown]");
    if (module.bytes[0] == '[')
        return module;
    while (from > 0 && module.bytes[from - 1] != '/')
        from--;
    module = (struct nsc_text){module.bytes + from, module.n - from};
    module.n = module.n < NSC_NAME_BYTES - 2 ? module.n : NSC_NAME_BYTES - 2;
    scratch[0] = '[';
    memcpy(scratch + 1, module.bytes, module.n);
    scratch[module.n + 1] = ']';
    return (struct nsc_text){scratch, module.n + 2};
}

/* Adds the function of a row to names, unless it has no symbol and its caller is in the same
 * library, and has none either. */
static void add_function(struct reading *reading, uint32_t row)
{
    struct nsc_text text = nsc_fields_text(reading->chains, NSC_CHAIN_SYMBOL, row);
    char scratch[NSC_NAME_BYTES];
    int64_t value = 0;
    bool is_unresolved =
        text.n == 0 || (text.n > 1 && memcmp(text.bytes, "0x", 2) == 0) ||
        (nsc_fields_int(&value, reading->chains, NSC_CHAIN_UNRESOLVED, row) && value != 0);
    nsc_str name = 0;

    if (is_unresolved)
        text = name_of_module(nsc_fields_text(reading->chains, NSC_CHAIN_MODULE, row), scratch);
    name = nsc_stacks_add_name(reading->stacks, text);
    if (!is_unresolved || !reading->names.n || reading->names.at[reading->names.n - 1] != name)
        *NSC_VEC_ADD(&reading->names) = name;
}

static void add_sample(struct reading *reading, nsc_event event, bool has_id, int64_t id)
{
    size_t first = has_id ? nsc_chains_find(&reading->rows, id) : reading->rows.rows.n;
    size_t end = first;

    reading->names.n = 0;
    if (reading->root)
        *NSC_VEC_ADD(&reading->names) = reading->root;
    while (end < reading->rows.rows.n && reading->rows.rows.at[end].id == id)
        end++;
    if (end == first)
        *NSC_VEC_ADD(&reading->names) =
            nsc_stacks_add_name(reading->stacks, nsc_text_from(NSC_STACKS_NONE));
    while (end-- > first)
        add_function(reading, reading->rows.rows.at[end].row);
    nsc_stacks_add(reading->stacks, event, reading->names.at, (uint32_t)reading->names.n);
}

bool nsc_stacks_add_export(struct nsc_stacks *stacks, const struct nsc_field_sets *sets,
                           struct nsc_text root)
{
    const struct nsc_fields *samples = nsc_field_set(sets, NSC_FIELDS_SAMPLES);
    struct reading reading = {.stacks = stacks,
                              .chains = nsc_field_set(sets, NSC_FIELDS_CALLCHAINS)};

    if (!samples || !reading.chains || !reading.chains->n)
        return false;
    reading.root = nsc_stacks_add_name(stacks, root);
    nsc_chains_read(&reading.rows, reading.chains);
    for (uint32_t i = 0; i < samples->n; i++) {
        int64_t id = 0;
        bool has_id = nsc_fields_int(&id, samples, NSC_SAMPLE_ID, i);

        add_sample(&reading, samples->event[i], has_id, id);
    }
    NSC_VEC_FINI(&reading.rows.rows);
    NSC_VEC_FINI(&reading.names);
    return true;
}

void nsc_stacks_end(struct nsc_stacks *stacks)
{
    nsc_strpool_end(&stacks->texts);
    nsc_idtable_fini(&stacks->known);
}
