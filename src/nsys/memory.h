/*
 * SQLite's memory: a small allocation that fails ends the program in order, as all of its own do.
 *
 * Without this a failure while SQLite reads a schema or plans a statement looks like a table that is
 * not there. A large one (a value, a sort) is an error of the statement.
 */
#ifndef NSC_NSYS_MEMORY_H
#define NSC_NSYS_MEMORY_H

/* To be called once, before any other thread runs and before SQLite is used. */
void nsc_memory_init(void);

#endif
