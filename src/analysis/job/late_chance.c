/* Bounds the chance of a rank's lateness. */
#include "analysis/job/late_chance.h"

#include "analysis/base/limit.h"

#include <math.h>

struct nsc_late_chance nsc_late_chance_measure(const float late[], float cap, uint32_t n,
                                               uint32_t steps, uint32_t k)
{
    struct nsc_late_chance chance = {.log_ways = lgamma(n + 1.0) - lgamma(k + 1.0) -
                                                 lgamma(n - k + 1.0) - log(n)};
    double of_variance = n > 1 ? k * (double)(n - k) / (n - 1) : 0; /* drawn without return */

    for (uint32_t s = 0; s < steps; s++) {
        double sum = 0;
        double squares = 0;
        double latest = 0;

        for (uint32_t m = 0; m < n; m++) {
            double of = (double)fminf(late[(size_t)m * steps + s], cap);

            sum += of;
            squares += of * of;
            latest = fmax(latest, of);
        }
        chance.mean += k * sum / n;
        chance.variance += of_variance * (squares / n - pow(sum / n, 2));
        chance.latest += latest;
        chance.longest = fmax(chance.longest, fmin(sum, k * latest));
        chance.n += latest > 0;
    }
    return chance;
}

/* x ln(x / y), 0 for x = 0. */
static double surprise(double x, double y)
{
    return x > 0 ? x * log(x / y) : 0;
}

bool nsc_late_chance_is_unlikely(const struct nsc_late_chance *chance, double kept, double n_tests)
{
    double least = log(n_tests) + chance->log_ways - log(NSC_SHARE(LATE_LEVEL));
    double most = chance->n * chance->longest;
    double u = chance->longest * (kept - chance->mean) / chance->variance;
    double bennett = chance->variance / pow(chance->longest, 2) * ((1 + u) * log1p(u) - u);
    double hoeffding = chance->n * (surprise(kept / most, chance->mean / most) +
                                    surprise(1 - kept / most, 1 - chance->mean / most));

    return kept > chance->mean && chance->variance > 0 && fmax(bennett, hoeffding) > least;
}
