/* Adds up and writes a job of sketches. */
#include "fleet/job.h"

#include "analysis/job/merge.h"
#include "core/outfile.h"
#include "fleet/late_sheets.h"
#include "fleet/sketch.h"
#include "index/idtable.h"

#include <inttypes.h>
#include <stdio.h>

static enum nsc_status read_one(struct nsc_sketch_reader *reader, struct nsc_documents *documents,
                                size_t i, struct nsc_merge *merge, struct nsc_error *error)
{
    const struct nsc_document *document = &documents->list.at[i];
    enum nsc_status status = nsc_documents_read(documents, i, true, error);

    if (status == NSC_OK && (document->is_sketch || !merge))
        status = nsc_sketch_read(reader, &documents->tree, error);
    if (status == NSC_OK && merge)
        status = nsc_merge_add(merge, &documents->tree, document->file, error);
    return status;
}

void nsc_fleet_job_ranks(struct nsc_fleet *fleet, struct nsc_documents *documents, bool keeps_parts,
                         struct nsc_merge *merge)
{
    struct nsc_sketch_reader reader;

    nsc_fleet_init(fleet);
    nsc_sketch_reader_init(&reader, fleet, documents->n_sketches);
    reader.keeps_parts = keeps_parts;
    nsc_progress_set_rows(documents->progress, documents->list.n);
    for (size_t i = 0; i < documents->list.n; i++) {
        const struct nsc_document *document = &documents->list.at[i];
        struct nsc_error error = {0};
        size_t n = fleet->ranks.n;

        if (read_one(&reader, documents, i, merge, &error) != NSC_OK)
            nsc_documents_fail(documents, document->path ? document->path : document->file, &error);
        nsc_progress_add(documents->progress, 1, 0);
        for (; n < fleet->ranks.n; n++)
            fleet->ranks.at[n].document = (uint32_t)i;
    }
    nsc_sketch_reader_fini(&reader);
}

void nsc_fleet_job_read(struct nsc_sheets *out, struct nsc_documents *documents,
                        struct nsc_merge *merge, uint32_t limit)
{
    struct nsc_fleet fleet;

    nsc_fleet_job_ranks(&fleet, documents, false, merge);
    nsc_fleet_add_ops(&fleet, &merge->ops);
    if (fleet.ranks.n > 1) {
        struct nsc_judged judged;

        nsc_judge(&judged, &fleet);
        nsc_late_sheets(out, &judged, limit);
        if (merge->ops.exports.n)
            nsc_sheet_note(&out->list.at[0],
                           "Of a report the first %d collectives of each name and stream count.",
                           NSC_RANK_TEXT_OPS);
        nsc_judged_fini(&judged);
    }
    nsc_fleet_fini(&fleet);
}

enum nsc_status nsc_fleet_job_write(struct nsc_documents *documents, const char *path,
                                    bool replaces, struct nsc_error *error)
{
    struct nsc_outfile file;
    unsigned flags =
        NSC_OUTFILE_DEVICE | (replaces || nsc_sketch_is(path) ? NSC_OUTFILE_REPLACE : 0);
    enum nsc_status status = nsc_outfile_open(&file, path, flags, error);

    for (size_t i = 0; i < documents->list.n && status == NSC_OK; i++) {
        status = nsc_documents_read(documents, i, false, error);
        nsc_buf_putc(&documents->text, '\n');
        if (status == NSC_OK)
            status = nsc_outfile_write(&file, &documents->text, error);
    }
    if (status == NSC_OK)
        status = nsc_outfile_commit(&file, error);
    nsc_outfile_drop(&file);
    return status;
}

void nsc_fleet_job_identity(char out[NSC_FLEET_IDENTITY], const struct nsc_documents *documents)
{
    uint64_t a = 0, b = 1;

    for (size_t i = 0; i < documents->list.n; i++) {
        a = nsc_hash_mix(a, documents->list.at[i].hash);
        b = nsc_hash_mix(b, documents->list.at[i].hash);
    }
    (void)snprintf(out, NSC_FLEET_IDENTITY, "%016" PRIx64 "%016" PRIx64, a, b);
}

/* Names the gaps in the ranks' numbers, if at least half are there and no number is. */
static void note_missing(struct nsc_sheet *sheet, const struct nsc_documents *documents)
{
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);
    const struct nsc_document *list = documents->list.at;
    size_t n = documents->n_sketches;
    bool is_job = n > 1 && list[n - 1].number >= 0 && list[n - 1].number < (int64_t)(2 * n);
    int64_t next = is_job && list[0].number == 1 ? 1 : 0; /* ranks may count from 1 */

    for (size_t i = 0; i < n && is_job; i++) {
        is_job = i == 0 || list[i].number > list[i - 1].number;
        if (list[i].number > next)
            nsc_buf_printf(&line, "%s%" PRId64, line.n ? ", " : "", next);
        if (list[i].number > next + 1)
            nsc_buf_printf(&line, "-%" PRId64, list[i].number - 1);
        next = list[i].number + 1;
    }
    if (line.n && is_job)
        nsc_sheet_note(sheet, "Missing between the others: rank %s.", line.bytes);
    nsc_buf_fini(&line);
}

void nsc_fleet_job_notes(struct nsc_sheet *sheet, const struct nsc_documents *documents)
{
    note_missing(sheet, documents);
    for (size_t i = 0; i < documents->twice.n; i++)
        nsc_sheet_note(sheet, "%s", documents->twice.at[i]);
    if (documents->failed)
        nsc_sheet_note(sheet, "%u files could not be read and are left out.", documents->failed);
}
