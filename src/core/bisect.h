/* Finds places in lists that ascend. */
#ifndef NSC_CORE_BISECT_H
#define NSC_CORE_BISECT_H

/*
 * Sets low and high, two variables, to the first place in [low, high) that is not before what is
 * searched; to high if all are before it. is_before is an expression of the variable `middle`, a
 * place, and must hold up to some place and for none from there on.
 *
 *     NSC_BISECT(low, high, middle, rows[middle].start < t);
 */
/* NOLINTBEGIN(bugprone-macro-parentheses): a variable is declared without them */
#define NSC_BISECT(low, high, middle, is_before)                   \
    do {                                                           \
        while ((low) < (high)) {                                   \
            __typeof__(low) middle = (low) + ((high) - (low)) / 2; \
                                                                   \
            if (is_before)                                         \
                (low) = (middle) + 1;                              \
            else                                                   \
                (high) = (middle);                                 \
        }                                                          \
    } while (0)
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
