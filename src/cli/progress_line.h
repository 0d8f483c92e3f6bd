/*
 * A line on a terminal that says how far a command is, once it takes long; it is gone when the
 * command goes on.
 *
 * A thread of its own draws it, a few times a second, from counters that the work adds to. Nothing
 * is written where the descriptor is no terminal, or one that cannot clear a line (TERM=dumb).
 */
#ifndef NSC_CLI_PROGRESS_LINE_H
#define NSC_CLI_PROGRESS_LINE_H

#include "nsyscope/open.h"

#define NSC_PROGRESS_LINE_MS    1000 /* after which a command takes long */
#define NSC_PROGRESS_LINE_BYTES 80

struct nsc_progress_line;

/*
 * what: what is counted, "findings"; NULL: rows that are loaded. Lives as long as the line. NULL,
 * which all functions take, where there is nothing to draw on.
 */
struct nsc_progress_line *nsc_progress_line_open(int fd, unsigned after_ms, const char *what);
/* What the work is to count in; NULL without a line. */
struct nsc_progress *nsc_progress_line_counters(struct nsc_progress_line *line);
/* Clears it. Nothing else is to be written to the terminal before that. */
void nsc_progress_line_close(struct nsc_progress_line *line);

/* "nsyscope: reading, 43 %", "nsyscope: findings, 3 of 16". */
void nsc_progress_line_text(char out[NSC_PROGRESS_LINE_BYTES], const struct nsc_progress_view *view,
                            const char *what);

#endif
