/*
 * A line on the terminal with the progress of a command that takes long; cleared at its end.
 *
 * A thread draws it a few times a second from counters that the work increments. It writes only to
 * a terminal that can clear a line (not TERM=dumb).
 */
#ifndef NSC_OPEN_PROGRESS_LINE_H
#define NSC_OPEN_PROGRESS_LINE_H

#include "nsyscope/open.h"

#define NSC_PROGRESS_LINE_MS    1000 /* the line appears after this time */
#define NSC_PROGRESS_LINE_BYTES 80

struct nsc_progress_line;

/*
 * what: the things counted, such as "findings"; NULL: rows loaded; must outlive the line. Returns
 * NULL without a suitable terminal; all functions accept NULL.
 */
struct nsc_progress_line *nsc_progress_line_open(int fd, unsigned after_ms, const char *what);
/* The counters for the work to increment; NULL without a line. */
struct nsc_progress *nsc_progress_line_counters(struct nsc_progress_line *line);
/* Clears the line. Call it before other output to the terminal. */
void nsc_progress_line_close(struct nsc_progress_line *line);

/* "nsyscope: reading, 43 %", "nsyscope: findings, 3 of 16". */
void nsc_progress_line_text(char out[NSC_PROGRESS_LINE_BYTES], const struct nsc_progress_view *view,
                            const char *what);

#endif
