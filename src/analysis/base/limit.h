/* Thresholds from threshold.def as constants: NSC_LIMIT_LARGE, in the unit of its row. */
#ifndef NSC_ANALYSIS_LIMIT_H
#define NSC_ANALYSIS_LIMIT_H

enum nsc_limit_name {
#define NSC_LIMIT(name, rule, value, unit, about) NSC_LIMIT_##name = (value),
#include "analysis/base/threshold.def"
    NSC_LIMIT_END
};

/* A limit in percent as a share. */
#define NSC_SHARE(name) (NSC_LIMIT_##name / 100.0)

#endif
