/* Reads sets of columns on first use. */
#include "cli/field_reader.h"

#include "analysis/base/captured.h"
#include "core/die.h"
#include "nsys/tables/fields.h"

#include <stdlib.h>

/* The reader must be locked. */
static const struct nsc_fields *read_once(struct nsc_field_reader *reader, enum nsc_field_set set)
{
    const struct nsc_field_set_source *source = nsc_field_set_source(set);
    struct nsc_fields_query query = {
        source->kind, source->table,      source->asks, nsc_field_set_columns(set),
        NULL,         reader->capture_no, source->only, source->wants};
    enum nsc_status status;

    if (reader->is_tried[set])
        return reader->read[set];
    reader->is_tried[set] = true;
    if (source->table)
        status = nsc_fields_read_table(&reader->read[set], reader->capture, &query, &reader->error);
    else
        status = nsc_fields_read(&reader->read[set], reader->capture, reader->trace, &query,
                                 &reader->error);
    if (status != NSC_OK)
        reader->read[set] = NULL;
    return reader->read[set];
}

static const struct nsc_fields *read_set(void *context, enum nsc_field_set set)
{
    struct nsc_field_reader *reader = context;
    const struct nsc_fields *fields;

    if (!reader->capture)
        return NULL;
    pthread_mutex_lock(&reader->mutex);
    fields = read_once(reader, set);
    pthread_mutex_unlock(&reader->mutex);
    return fields;
}

void nsc_field_reader_init(struct nsc_field_reader *reader, struct nsc_capture *capture,
                           const struct nsc_trace *trace)
{
    *reader = (struct nsc_field_reader){.capture = capture, .trace = trace};
    pthread_mutex_init(&reader->mutex, NULL);
    reader->sets = (struct nsc_field_sets){read_set, reader};
}

void nsc_field_reader_fini(struct nsc_field_reader *reader)
{
    for (int i = 0; i < NSC_N_FIELD_SETS; i++)
        nsc_fields_free(reader->read[i]);
    pthread_mutex_destroy(&reader->mutex);
    *reader = (struct nsc_field_reader){0};
}

void nsc_field_readers_init(struct nsc_field_readers *readers, const struct nsc_trace *trace,
                            struct nsc_job *job, uint32_t first)
{
    (void)nsc_trace_captures(trace, &readers->n);
    readers->at = nsc_xcalloc(readers->n, sizeof *readers->at);
    readers->sets = nsc_xcalloc(readers->n, sizeof *readers->sets);
    for (uint32_t i = 0; i < readers->n; i++) {
        nsc_field_reader_init(&readers->at[i], nsc_job_capture(job, first + i), trace);
        readers->at[i].capture_no = i;
        readers->sets[i] = &readers->at[i].sets;
    }
}

void nsc_field_readers_fini(struct nsc_field_readers *readers)
{
    for (uint32_t i = 0; i < readers->n; i++)
        nsc_field_reader_fini(&readers->at[i]);
    free(readers->sets);
    free(readers->at);
}

enum nsc_status nsc_find_captures(struct nsc_trace *trace, struct nsc_job *job, uint32_t first,
                                  struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;
    struct nsc_field_readers readers;

    nsc_field_readers_init(&readers, trace, job, first);
    nsc_captured_link(trace, readers.sets);
    for (uint32_t i = 0; i < readers.n && status == NSC_OK; i++)
        if (readers.at[i].error.status != NSC_EDAMAGED) /* its load has told that */
            status = nsc_fail(error, readers.at[i].error.status, "%s", readers.at[i].error.text);
    nsc_field_readers_fini(&readers);
    return status;
}
