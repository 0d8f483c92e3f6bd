/*
 * The most that could be gained if a loss were gone.
 */
#include "analysis/device/ceiling.h"

double nsc_gain_ceiling(nsc_time whole, nsc_time loss)
{
    if (whole <= 0 || loss < 0 || loss >= whole)
        return -1;
    return 100.0 * (double)loss / (double)(whole - loss);
}
