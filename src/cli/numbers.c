/*
 * Parses the numbers of options.
 */
#include "cli/options.h"
#include "core/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool nsc_parse_number(double *out, const char *text, const char *unit)
{
    char *end = NULL;

    *out = strtod(text, &end);
    return end != text && isfinite(*out) && (!*end || strcmp(end, unit) == 0);
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
