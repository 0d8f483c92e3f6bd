/*
 * An export with one damaged page: what is answered is what plain SQL reads of the same file row by
 * row, or it is refused as damaged. A difference ends the program.
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
    struct damage_bytes copy;  /* to be damaged; damage_save writes it */
    uint32_t leaves[DAMAGE_TABLES][DAMAGE_LEAVES];
    uint32_t n_leaves[DAMAGE_TABLES];
    uint32_t root[DAMAGE_TABLES];
};

/* A synthetic export of so many kernels in /tmp. */
void damage_open(struct damage_file *f, uint64_t kernels);
void damage_close(struct damage_file *f);
/* The copy is whole again. */
void damage_mend(struct damage_file *f);
/*
 * Damages the copy as the bytes say: the first four choose a table and a leaf, each DAMAGE_OP after
 * them change its header, its cell pointers or its rows: bits, bytes, runs of zeros, cells
 * exchanged.
 */
void damage_apply(struct damage_file *f, const uint8_t *ops, size_t n);
void damage_save(const struct damage_file *f);
/* A number of the page of the copy, big end first, and the page itself. */
uint32_t damage_be(const unsigned char *at, int n);
unsigned char *damage_page(struct damage_file *f, uint32_t page);

struct damage_answer {
    enum nsc_status status;
    uint32_t n_events;
    uint64_t mix; /* of what was loaded */
    char text[240];
};

/* Opens and loads the file; what is answered is compared with SQL, a refusal must be NSC_EDAMAGED. */
struct damage_answer damage_ask(const struct damage_file *f, unsigned threads, bool no_pages);

#endif
