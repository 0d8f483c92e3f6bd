/*
 * The functions that read the columns of event_column.def, and what they share. A function reads
 * all columns that name it; most need no argument.
 */
#ifndef NSC_QUERY_EVENT_GETTER_H
#define NSC_QUERY_EVENT_GETTER_H

#include "analysis/base/correlate.h"
#include "core/sum.h"
#include "query/query_data.h"

#define GETTER(name, argument)                                             \
    struct nsc_query_value nsc_query_get_##name(struct nsc_query_row *row, \
                                                uint32_t argument __attribute__((unused)))

#define QUERY_COLUMN(name, kind, use, level, getter, of_column, tables, help) \
    struct nsc_query_value nsc_query_get_##getter(struct nsc_query_row *row, uint32_t argument);
#include "query/event_column.def"

static inline struct nsc_query_value null_value(void)
{
    return (struct nsc_query_value){.type = NSC_QUERY_NULL};
}

static inline struct nsc_query_value int_value(int64_t integer)
{
    return (struct nsc_query_value){.type = NSC_QUERY_INT, .integer = integer};
}

static inline struct nsc_query_value known_value(bool is_known, int64_t integer)
{
    return is_known ? int_value(integer) : null_value();
}

static inline struct nsc_query_value text_value(struct nsc_text text)
{
    return (struct nsc_query_value){.type = NSC_QUERY_TEXT, .text = text};
}

static inline struct nsc_query_value event_value(nsc_event event)
{
    return known_value(event != NSC_NONE, event);
}

static inline uint8_t kind_of(const struct nsc_query_row *row)
{
    return row->query->events->kind[row->at];
}

static inline const struct nsc_track *track_of(const struct nsc_query_row *row)
{
    return nsc_trace_track(row->query->trace, row->track);
}

/* The call that launched an op, or that a synchronization belongs to. */
static inline nsc_event call_of(const struct nsc_query_row *row)
{
    return kind_of(row) == NSC_KIND_SYNC ? row->query->events->link[row->at]
                                         : nsc_event_launch(row->query->trace, row->at);
}

static inline nsc_time start_of(const struct nsc_query_row *row)
{
    return row->counter ? row->counter->time[row->at] : row->query->events->start[row->at];
}

/* The last sample of a counter holds until the end of the trace. */
static inline nsc_time end_of(const struct nsc_query_row *row)
{
    const struct nsc_counter *counter = row->counter;

    if (!counter)
        return nsc_event_end(row->query->events, row->at);
    return row->at + 1 < counter->n
               ? counter->time[row->at + 1]
               : nsc_later(counter->time[row->at], nsc_trace_extent(row->query->trace).t1);
}

#endif
