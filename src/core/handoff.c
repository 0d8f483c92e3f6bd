/*
 * A ring of blocks. Either side touches a block only while the ring gives it to that side; the lock
 * is taken once for each block.
 */
#include "core/handoff.h"

#include "core/die.h"

#include <pthread.h>
#include <stdlib.h>

#ifdef NSC_SMALL
enum { BLOCKS = 2, RECORDS = 3 };
#else
enum { BLOCKS = 4, RECORDS = 8192 };
#endif

struct nsc_handoff {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t record_bytes;
    char *records;   /* BLOCKS of RECORDS */
    size_t filled;   /* of the writer: records in its block */
    bool is_reading; /* of the reader: it holds a block */
    /* Protected by the mutex. */
    size_t n[BLOCKS];     /* records of each block that is written */
    size_t written, read; /* blocks; the writer's is number written, the reader's number read */
    bool has_ended;
};

struct nsc_handoff *nsc_handoff_new(size_t record_bytes)
{
    struct nsc_handoff *handoff = nsc_xcalloc(1, sizeof *handoff);

    handoff->record_bytes = record_bytes;
    handoff->records = nsc_xmalloc(BLOCKS * RECORDS * record_bytes);
    if (pthread_mutex_init(&handoff->mutex, NULL) || pthread_cond_init(&handoff->changed, NULL))
        nsc_die_oom();
    return handoff;
}

void nsc_handoff_free(struct nsc_handoff *handoff)
{
    if (!handoff)
        return;
    pthread_cond_destroy(&handoff->changed);
    pthread_mutex_destroy(&handoff->mutex);
    free(handoff->records);
    free(handoff);
}

static char *block_at(const struct nsc_handoff *handoff, size_t block)
{
    return handoff->records + block % BLOCKS * RECORDS * handoff->record_bytes;
}

/* Gives the writer's block to the reader, and waits until the next block is free. */
static void pass_block(struct nsc_handoff *handoff, bool is_last)
{
    pthread_mutex_lock(&handoff->mutex);
    handoff->n[handoff->written % BLOCKS] = handoff->filled;
    handoff->written += handoff->filled > 0;
    handoff->has_ended = is_last;
    pthread_cond_broadcast(&handoff->changed);
    while (!is_last && handoff->written - handoff->read == BLOCKS)
        pthread_cond_wait(&handoff->changed, &handoff->mutex);
    pthread_mutex_unlock(&handoff->mutex);
    handoff->filled = 0;
}

void *nsc_handoff_add(struct nsc_handoff *handoff)
{
    if (handoff->filled == RECORDS)
        pass_block(handoff, false);
    /* only the writer changes the number of blocks written */
    return block_at(handoff, handoff->written) + handoff->filled++ * handoff->record_bytes;
}

void nsc_handoff_end(struct nsc_handoff *handoff)
{
    pass_block(handoff, true);
}

const void *nsc_handoff_take(struct nsc_handoff *handoff, size_t *n)
{
    const char *block = NULL;

    pthread_mutex_lock(&handoff->mutex);
    if (handoff->is_reading) {
        handoff->read++; /* returns the block before */
        pthread_cond_broadcast(&handoff->changed);
    }
    while (handoff->read == handoff->written && !handoff->has_ended)
        pthread_cond_wait(&handoff->changed, &handoff->mutex);
    handoff->is_reading = handoff->read < handoff->written;
    if (handoff->is_reading) {
        block = block_at(handoff, handoff->read);
        *n = handoff->n[handoff->read % BLOCKS];
    }
    pthread_mutex_unlock(&handoff->mutex);
    return block;
}
