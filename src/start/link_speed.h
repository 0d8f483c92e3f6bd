/*
 * How fast the link to the terminal is.
 */
#ifndef NSC_START_LINK_SPEED_H
#define NSC_START_LINK_SPEED_H

#include <stdbool.h>

#define NSC_LINK_BYTES 80

/*
 * Asks the controlling terminal for the place of its cursor, then again behind bytes that draw nothing,
 * more each time, until they take time: "answers in 1.2 ms, takes about 300 KiB a second". False if it
 * does not answer each time within a fraction of a second, or is not ours now.
 */
bool nsc_link_measure(char out[NSC_LINK_BYTES]);

#endif
