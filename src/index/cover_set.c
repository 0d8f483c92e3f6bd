/*
 * Union and intersection of two covers, in one pass over both.
 */
#include "index/cover_data.h"

struct cursor {
    const struct nsc_cover *cover;
    uint32_t i;
    struct nsc_window at; /* valid while i < the count */
};

static bool load(struct cursor *cursor)
{
    if (cursor->i >= nsc_cover_count(cursor->cover))
        return false;
    cursor->at = nsc_cover_at(cursor->cover, cursor->i);
    return true;
}

static bool step(struct cursor *cursor)
{
    cursor->i++;
    return load(cursor);
}

/* A result has at most as many intervals as both covers together. */
static bool init_writer(struct nsc_cover_writer *writer, const struct nsc_cover *a,
                        const struct nsc_cover *b)
{
    uint32_t bound = 0;

    if (__builtin_add_overflow(nsc_cover_count(a), nsc_cover_count(b), &bound))
        bound = UINT32_MAX - 1;
    return nsc_cover_writer_init(writer, bound);
}

struct nsc_cover *nsc_cover_union(const struct nsc_cover *a, const struct nsc_cover *b)
{
    struct nsc_cover_writer writer;
    struct cursor x = {.cover = a};
    struct cursor y = {.cover = b};
    bool more_x = load(&x);
    bool more_y = load(&y);

    if (!init_writer(&writer, a, b))
        return NULL;
    while (more_x || more_y) {
        if (more_x && (!more_y || x.at.t0 <= y.at.t0)) {
            nsc_cover_writer_add(&writer, x.at.t0, x.at.t1);
            more_x = step(&x);
        } else {
            nsc_cover_writer_add(&writer, y.at.t0, y.at.t1);
            more_y = step(&y);
        }
    }
    return nsc_cover_writer_end(&writer);
}

struct nsc_cover *nsc_cover_intersect(const struct nsc_cover *a, const struct nsc_cover *b)
{
    struct nsc_cover_writer writer;
    struct cursor x = {.cover = a};
    struct cursor y = {.cover = b};
    bool more = load(&x) && load(&y);

    if (!init_writer(&writer, a, b))
        return NULL;
    while (more) {
        nsc_time t0 = x.at.t0 > y.at.t0 ? x.at.t0 : y.at.t0;
        nsc_time t1 = x.at.t1 < y.at.t1 ? x.at.t1 : y.at.t1;

        nsc_cover_writer_add(&writer, t0, t1);
        more = x.at.t1 < y.at.t1 ? step(&x) : step(&y);
    }
    return nsc_cover_writer_end(&writer);
}
