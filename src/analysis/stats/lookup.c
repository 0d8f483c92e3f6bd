/* Looks up devices, threads and labels in the tables that a report requested. */
#include "analysis/stats/rows.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>

struct nsc_text nsc_stats_device(char out[NSC_STATS_DEVICE_BYTES],
                                 const struct nsc_stats_input *input, const struct nsc_track *track)
{
    const struct nsc_fields *gpus = input->fields[NSC_STATS_FIELDS_GPUS];
    uint32_t row = nsc_fields_row(gpus, 0, track->gpu);
    struct nsc_text name = nsc_fields_text(gpus, 1, row);
    int n;

    if (name.n > NSC_STATS_DEVICE_BYTES - 32)
        name.n = NSC_STATS_DEVICE_BYTES - 32;
    if (name.n)
        n = snprintf(out, NSC_STATS_DEVICE_BYTES, "%.*s (%" PRId64 ")", (int)name.n, name.bytes,
                     track->device);
    else
        n = snprintf(out, NSC_STATS_DEVICE_BYTES, "(%" PRId64 ")", track->device);
    return (struct nsc_text){out, (uint32_t)n};
}

struct nsc_text nsc_stats_memory_kind(const struct nsc_stats_input *input, int64_t kind)
{
    static const char *const known[] = {"Pageable", "Pinned",        "Device",         "Array",
                                        "Managed",  "Device Static", "Managed Static", "Unknown"};
    const struct nsc_fields *labels = input->fields[NSC_STATS_FIELDS_MEMORY_LABELS];
    uint32_t row = nsc_fields_row(labels, 0, kind);

    if (row != NSC_NONE)
        return nsc_fields_text(labels, 1, row);
    return kind >= 0 && kind < 8 ? nsc_text_from(known[kind]) : nsc_text_from("");
}

struct nsc_text nsc_stats_memory_name(struct nsc_text name)
{
    static const struct {
        const char *ours, *theirs;
    } names[] = {
        {"[CUDA Unified Memory memcpy HtoD]", "[CUDA memcpy Unified Host-to-Device]"},
        {"[CUDA Unified Memory memcpy DtoH]", "[CUDA memcpy Unified Device-to-Host]"},
        {"[CUDA Unified Memory memcpy DtoD]", "[CUDA memcpy Unified Device-to-Device]"},
        {"[CUDA memcpy]", "[CUDA memcpy Unknown]"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (nsc_text_is(name, names[i].ours))
            return nsc_text_from(names[i].theirs);
    return name;
}

uint32_t nsc_stats_thread(const struct nsc_stats_input *input, const struct nsc_track *track)
{
    uint64_t id = (track->process & 0xffffffffff) << 24 | (track->tid & 0xffffff);

    return nsc_fields_row(input->fields[NSC_STATS_FIELDS_THREADS], 0, (int64_t)id);
}
