/*
 * Says what of a newer schema is not read.
 */
#include "open/newer_schema.h"

#include "core/text.h"
#include "nsys/jobs/table_use.h"

#include <stdio.h>

enum { MOST_NAMES = 6 };

/* "3.31.0" as 3031; 0: no version. */
static unsigned number_of(const char *version)
{
    unsigned major = 0;
    unsigned minor = 0;

    return sscanf(version, "%4u.%3u", &major, &minor) == 2 ? major * 1000 + minor : 0;
}

/* Tables with rows that no row of table_use.def describes. */
static void add_unknown(struct nsc_buf *out, struct nsc_capture *capture)
{
    struct nsc_unread_tables tables;
    struct nsc_error ignored = {NSC_OK, ""};
    unsigned n = 0;

    nsc_unread_tables_init(&tables, capture, &ignored);
    for (size_t i = 0; i < tables.list.n; i++) {
        if (tables.list.at[i].holds[0] || n++ >= MOST_NAMES)
            continue;
        nsc_buf_puts(out, n == 1 ? "tables " : ", ");
        nsc_text_clip(out, nsc_text_from(tables.list.at[i].name), 40, true);
    }
    if (n > MOST_NAMES)
        nsc_buf_printf(out, " and %u more", n - MOST_NAMES);
    nsc_buf_puts(out, n ? "; new columns" : "new columns");
    nsc_unread_tables_fini(&tables);
}

bool nsc_newer_schema(char out[NSC_NEWER_BYTES], const struct nsc_trace *trace, struct nsc_job *job)
{
    uint32_t n = 0;
    const struct nsc_trace_info *infos = nsc_trace_captures(trace, &n);
    struct nsc_buf line = NSC_BUF_INIT(NSC_NEWER_BYTES);

    for (uint32_t i = 0; i < n && !line.n; i++) {
        struct nsc_buf version = NSC_BUF_INIT(40);

        nsc_text_clip(&version, nsc_trace_string(trace, infos[i].schema), 12, true);
        if (version.n && number_of(version.bytes) > number_of(NSC_SCHEMA_KNOWN)) {
            nsc_buf_printf(
                &line, "schema %s is newer than " NSC_SCHEMA_KNOWN "; not read: ", version.bytes);
            add_unknown(&line, nsc_job_capture(job, i));
        }
        nsc_buf_fini(&version);
    }
    (void)snprintf(out, NSC_NEWER_BYTES, "%s", line.n ? line.bytes : "");
    nsc_buf_fini(&line);
    return out[0] != '\0';
}
