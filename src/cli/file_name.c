/* Makes file names from the path of an export. */
#include "cli/file_name.h"

#include "open/report.h"

#include <inttypes.h>
#include <string.h>

const char *nsc_file_leaf(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

void nsc_file_number_name(struct nsc_buf *out, const char *path, uint32_t number)
{
    const char *name = nsc_file_leaf(path);

    nsc_buf_printf(out, "%" PRIu32 "_", number);
    nsc_buf_add(out, name, nsc_report_stem(name));
}
