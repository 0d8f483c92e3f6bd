/*
 * Parses the numbers of options.
 */
#include "cli/options.h"
#include "core/units.h"

#include <errno.h>
#include <stdlib.h>

enum nsc_status nsc_option_u32(uint32_t *out, const struct nsc_options *options,
                               enum nsc_option option, struct nsc_error *error)
{
    const char *text = options->arg[option][0];
    char *end = NULL;
    unsigned long value = 0;

    if (!options->set[option])
        return NSC_OK;
    errno = 0;
    value = strtoul(text, &end, 10);
    if (errno || text[0] < '0' || text[0] > '9' || *end || value >= UINT32_MAX)
        return nsc_fail(error, NSC_EINVAL, "--%s %s: give a whole number",
                        nsc_option_rows[option].name, text);
    *out = (uint32_t)value;
    return NSC_OK;
}

enum nsc_status nsc_option_bytes(uint64_t *out, const struct nsc_options *options,
                                 enum nsc_option option, struct nsc_error *error)
{
    struct nsc_error why = {0};

    if (!options->set[option] ||
        nsc_units_parse_bytes(out, options->arg[option][0], &why) == NSC_OK)
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL, "--%s: %s", nsc_option_rows[option].name, why.text);
}
