/*
 * Marking what is rarely called.
 *
 * Inlined, such a function takes registers from the loop around it: in the innermost loops of
 * opening an export that is a tenth of all instructions.
 */
#ifndef NSC_CORE_RARE_H
#define NSC_CORE_RARE_H

#define NSC_RARE __attribute__((noinline, cold))

#endif
