/* Thresholds: rates a share, cites the threshold in a finding, and lists them. */
#include "analysis/finding/threshold.h"

#include <stdarg.h>
#include <stdio.h>

const struct nsc_threshold nsc_thresholds[NSC_N_THRESHOLDS] = {
#define NSC_THRESHOLD(name, rule, low, medium, high, of, about) \
    {rule, low, medium, high, of, about},
#include "analysis/base/threshold.def"
};

enum nsc_severity nsc_threshold_severity(enum nsc_threshold_name name, double share)
{
    const struct nsc_threshold *of = &nsc_thresholds[name];

    if (share >= of->high)
        return NSC_SEVERITY_HIGH;
    if (share >= of->medium)
        return NSC_SEVERITY_MEDIUM;
    return share >= of->low ? NSC_SEVERITY_LOW : NSC_SEVERITY_INFO;
}

struct nsc_finding *nsc_findings_add_share(struct nsc_findings *findings,
                                           enum nsc_threshold_name name, const char *rule,
                                           double share, const char *title, ...)
{
    char text[4096];
    struct nsc_finding *finding;
    va_list args;

    va_start(args, title);
    (void)vsnprintf(text, sizeof text, title, args);
    va_end(args);
    finding = nsc_findings_add(findings, rule, nsc_threshold_severity(name, share), "%s", text);
    finding->threshold = name;
    finding->share = share;
    return finding;
}

void nsc_findings_cite(struct nsc_findings *findings)
{
    for (size_t i = 0; i < findings->list.n; i++) {
        struct nsc_finding *finding = &findings->list.at[i];
        const struct nsc_threshold *of;

        if (finding->threshold >= NSC_N_THRESHOLDS)
            continue;
        of = &nsc_thresholds[finding->threshold];
        nsc_finding_evidence(finding,
                             "threshold: low from %g %%, medium from %g %%, high from "
                             "%g %% of %s",
                             of->low, of->medium, of->high, of->of);
    }
}

void nsc_thresholds_print(struct nsc_buf *out)
{
    static const struct {
        const char *rule, *unit, *about;
        double value;
    } limits[] = {
#define NSC_LIMIT(name, rule, value, unit, about) {rule, unit, about, value},
#include "analysis/base/threshold.def"
    };

    nsc_buf_puts(out, "| rule | time that could be saved | of | low | medium | high |\n"
                      "| --- | --- | --- | --- | --- | --- |\n");
    for (unsigned i = 0; i < NSC_N_THRESHOLDS; i++) {
        const struct nsc_threshold *of = &nsc_thresholds[i];

        nsc_buf_printf(out, "| %s | %s | %s | %g %% | %g %% | %g %% |\n", of->rule, of->about,
                       of->of, of->low, of->medium, of->high);
    }
    nsc_buf_puts(out, "\n| rule | value | condition |\n| --- | --- | --- |\n");
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++)
        nsc_buf_printf(out, "| %s | %g %s | %s |\n", limits[i].rule, limits[i].value,
                       limits[i].unit, limits[i].about);
}
