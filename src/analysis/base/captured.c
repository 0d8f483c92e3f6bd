/* Follows the clones of graph nodes in a list of all that were made, in order of process and id. */
#include "analysis/base/captured.h"

#include "analysis/base/correlate.h"
#include "analysis/base/scope.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/vec.h"
#include "index/derived_trace.h"

enum { MOST_CLONES = 64 }; /* more of one node are damage */

struct made {
    uint64_t process;
    int64_t node, original;
    nsc_event event;
    bool is_clone;
};

struct captured {
    NSC_VEC(struct made) list;
    NSC_VEC(struct nsc_capture_link) links;
};

NSC_COMPARE(compare_nodes, struct made, NSC_LEAST(process) || NSC_LEAST(node) || NSC_LEAST(event))

static void read_made(struct captured *captured, const struct nsc_trace *trace,
                      const struct nsc_fields *fields)
{
    for (uint32_t row = 0; fields && row < fields->n; row++) {
        struct made made = {.event = fields->event[row]};

        if (!nsc_fields_int(&made.node, fields, NSC_NODE_ID, row))
            continue;
        made.process = nsc_trace_track(trace, nsc_event_track(trace, made.event))->process;
        made.is_clone = nsc_fields_int(&made.original, fields, NSC_NODE_ORIGINAL, row) &&
                        made.original != 0 && made.original != made.node;
        *NSC_VEC_ADD(&captured->list) = made;
    }
}

/* The first row of a node, or where it would be. */
static size_t find_node(const struct captured *captured, uint64_t process, int64_t node)
{
    struct made least = {.process = process, .node = node};
    size_t low = 0, high = captured->list.n;

    NSC_BISECT(low, high, middle, compare_nodes(&captured->list.at[middle], &least) < 0);
    return low;
}

/* Goes from a node to its original. True if it has one; else *event is what made it, or NSC_NONE. */
static bool follow(const struct captured *captured, uint64_t process, int64_t *node,
                   nsc_event *event)
{
    const struct made *clone = NULL;
    int64_t of = *node;
    uint32_t n = 0;

    *event = NSC_NONE;
    for (size_t i = find_node(captured, process, of);
         i < captured->list.n && captured->list.at[i].process == process &&
         captured->list.at[i].node == of;
         i++) {
        const struct made *made = &captured->list.at[i];

        if (made->is_clone && clone && clone->original != made->original) {
            *event = NSC_NONE;
            return false;
        }
        clone = made->is_clone ? made : clone;
        *event = n++ == 0 ? made->event : NSC_NONE;
    }
    if (clone) {
        *node = clone->original;
        *event = NSC_NONE;
    }
    return clone != NULL;
}

/* What made the original of a node; NSC_NONE: not known. */
static nsc_event find_event(const struct captured *captured, uint64_t process, int64_t node)
{
    nsc_event event = NSC_NONE;

    for (uint32_t i = 0; i < MOST_CLONES; i++)
        if (!follow(captured, process, &node, &event))
            return event;
    return NSC_NONE;
}

static void link_ops(struct captured *captured, const struct nsc_trace *trace,
                     const struct nsc_fields *fields)
{
    for (uint32_t row = 0; fields && row < fields->n; row++) {
        struct nsc_capture_link link = {fields->event[row], NSC_NONE};
        int64_t node;

        if (!nsc_fields_int(&node, fields, 0, row) || node == 0)
            continue;
        link.made = find_event(
            captured, nsc_trace_track(trace, nsc_event_track(trace, link.op))->process, node);
        if (link.made != NSC_NONE)
            *NSC_VEC_ADD(&captured->links) = link;
    }
}

void nsc_captured_link(struct nsc_trace *trace, const struct nsc_field_sets *const fields[])
{
    struct captured captured = {0};
    uint32_t n = 0;

    /* Looks at tracks: reading the columns would go through all events to find that none has them. */
    if (!nsc_trace_has_tracks(trace, NSC_TRACK_GRAPH_EVENTS, NSC_TRACK_GRAPH_EVENTS) ||
        nsc_trace_captured(trace))
        return;
    (void)nsc_trace_captures(trace, &n);
    for (uint32_t i = 0; i < n; i++) {
        read_made(&captured, trace, nsc_field_set(fields[i], NSC_FIELDS_NODES));
        read_made(&captured, trace, nsc_field_set(fields[i], NSC_FIELDS_OLD_NODES));
    }
    NSC_VEC_SORT(&captured.list, compare_nodes);
    for (uint32_t i = 0; captured.list.n > 0 && i < n; i++)
        for (uint32_t set = NSC_FIELDS_KERNEL_NODES; set <= NSC_FIELDS_MEMSET_NODES; set++)
            link_ops(&captured, trace, nsc_field_set(fields[i], (enum nsc_field_set)set));
    if (captured.links.n > 0 && !nsc_captures_add(trace, captured.links.at, captured.links.n))
        nsc_die_oom();
    NSC_VEC_FINI(&captured.list);
    NSC_VEC_FINI(&captured.links);
}
