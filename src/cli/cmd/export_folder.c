/*
 * Writes a Chrome trace for each GPU into a folder.
 */
#include "cli/cmd/export_folder.h"

#include "analysis/base/device_ops.h"
#include "core/bits.h"
#include "core/buf.h"
#include "core/die.h"
#include "core/outfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum nsc_status make_folder(const char *folder, struct nsc_error *error)
{
    struct stat info;

    if (nsc_outfile_folder(folder, 0777) == 0)
        return NSC_OK;
    if (errno == EEXIST && stat(folder, &info) == 0 && S_ISDIR(info.st_mode))
        return NSC_OK;
    return nsc_fail(error, NSC_EIO, "cannot make the folder %s: %s", folder, strerror(errno));
}

/* Adds the lane's rows that the query keeps. */
static void add_lane(uint64_t *mask, const struct nsc_dump_query *query, uint32_t lane)
{
    struct nsc_row_range rows = nsc_lane_rows(query->trace, lane, query->window);

    for (nsc_event row = rows.first; row < rows.end; row++)
        if (!query->mask || nsc_bits_get(query->mask, row))
            nsc_bits_set(mask, row);
}

/* Whether a process has work on the device. */
static bool is_user(const struct nsc_trace *trace, const struct nsc_track *device, uint64_t process)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t i = 0; i < n; i++)
        if (tracks[i].kind == NSC_TRACK_STREAM && tracks[i].device == device->device &&
            tracks[i].capture_no == device->capture_no && tracks[i].process == process)
            return true;
    return false;
}

/* The GPU's own work, and all that processes with work on it did on the host. The caller frees
 * the mask. */
static uint64_t *mask_gpu(const struct nsc_dump_query *query, const struct nsc_track *device)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(query->trace, &n);
    uint64_t *mask =
        nsc_xcalloc(nsc_bits_words(nsc_trace_events(query->trace)->n) + 1, sizeof *mask);

    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_track *track = &tracks[i];

        if (track->n_lanes == 0 || track->capture_no != device->capture_no ||
            (track->device >= 0 ? track->device != device->device
                                : !is_user(query->trace, device, track->process)))
            continue;
        for (uint32_t k = 0; k < track->n_lanes; k++)
            add_lane(mask, query, track->first_lane + k);
    }
    return mask;
}

/* "traces/trace_gpu0.json"; of several exports "traces/1_trace_gpu0.json". */
static enum nsc_status write_gpu(const struct nsc_dump_query *query, const struct nsc_track *device,
                                 bool is_job, const char *folder, bool force,
                                 struct nsc_error *error)
{
    struct nsc_dump_query one = *query;
    struct nsc_buf path = NSC_BUF_INIT(1u << 16);
    uint64_t *mask = mask_gpu(query, device);
    enum nsc_status status;

    one.mask = mask;
    one.device = device;
    one.format = NSC_DUMP_CHROME;
    nsc_buf_printf(&path, "%s/", folder);
    if (is_job)
        nsc_buf_printf(&path, "%" PRIu32 "_", device->capture_no);
    nsc_buf_printf(&path, "trace_gpu%" PRId64 ".json", device->device);
    status = nsc_dump_file(&one, path.bytes, force, NULL, error);
    nsc_buf_fini(&path);
    free(mask);
    return status;
}

enum nsc_status nsc_export_folder(const struct nsc_dump_query *query, const char *folder,
                                  bool force, struct nsc_error *error)
{
    uint32_t n_captures = 0;
    enum nsc_status status = NSC_OK;
    uint32_t n = 0;

    (void)nsc_trace_captures(query->trace, &n_captures);
    for (uint32_t d = NSC_NONE;
         (d = nsc_device_next(query->trace, d)) != NSC_NONE && status == NSC_OK;) {
        if (n == 0)
            status = make_folder(folder, error);
        if (status == NSC_OK)
            status = write_gpu(query, nsc_trace_track(query->trace, d), n_captures > 1, folder,
                               force, error);
        n += status == NSC_OK;
        if (status == NSC_ENODATA) /* the window may hold work of other GPUs */
            status = NSC_OK;
    }
    if (status == NSC_OK && n == 0)
        status =
            nsc_fail(error, NSC_ENODATA, "export: no GPU work is left by the window and filter");
    return status;
}
