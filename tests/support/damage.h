/*
 * An export with one damaged page. The program must answer like plain SQL on the same file, row by
 * row, or refuse the file as damaged. A difference ends the program.
 */
#ifndef NSC_TESTS_SUPPORT_DAMAGE_H
#define NSC_TESTS_SUPPORT_DAMAGE_H

#include "nsyscope/open.h"

#include <stddef.h>
#include <stdint.h>

enum { DAMAGE_TABLES = 6, DAMAGE_LEAVES = 4096, DAMAGE_OP = 8 };

extern const char *const damage_tables[DAMAGE_TABLES];

struct damage_bytes {
    unsigned char *at;
    size_t n;
    size_t page;
};

struct damage_file {
    char path[64];
    struct damage_bytes whole; /* as it was made */
    struct damage_bytes copy;  /* the copy to damage; damage_save writes it */
    uint32_t leaves[DAMAGE_TABLES][DAMAGE_LEAVES];
    uint32_t n_leaves[DAMAGE_TABLES];
    uint32_t root[DAMAGE_TABLES];
};

/* A synthetic export with this many kernels in /tmp. sql: statements that change it before it is
 * damaged; NULL: none. */
void damage_open(struct damage_file *f, uint64_t kernels, const char *sql);
void damage_close(struct damage_file *f);
/* Restores the copy. */
void damage_mend(struct damage_file *f);
/*
 * Damages the copy as the bytes say. The first four choose a table and a leaf; each DAMAGE_OP after
 * them changes its header, its cell pointers or its rows: bits, bytes, runs of zeros, swapped
 * cells.
 */
void damage_apply(struct damage_file *f, const uint8_t *ops, size_t n);
void damage_save(const struct damage_file *f);
/* A big-endian number in the page of the copy, and the page itself. */
uint32_t damage_be(const unsigned char *at, int n);
unsigned char *damage_page(struct damage_file *f, uint32_t page);

struct damage_answer {
    enum nsc_status status;
    uint32_t n_events;
    uint64_t mix;      /* of what was loaded */
    uint32_t n_damage; /* warnings that concern the answer */
    char text[240];
};

/* Opens and loads the file; compares an answer with SQL; requires NSC_EDAMAGED for a refusal. */
struct damage_answer damage_ask(const struct damage_file *f, unsigned threads, bool no_pages);

#endif
