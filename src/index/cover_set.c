/*
 * Union and intersection of two covers, in one pass over both.
 */
#include "index/cover_data.h"

/* The end of time after the last interval. */
static struct nsc_window interval_at(const struct nsc_cover *cover, uint32_t i)
{
    return i < nsc_cover_count(cover) ? nsc_cover_at(cover, i)
                                      : (struct nsc_window){INT64_MAX, INT64_MAX};
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
    uint32_t i = 0, j = 0;

    if (!init_writer(&writer, a, b))
        return NULL;
    while (i < nsc_cover_count(a) || j < nsc_cover_count(b)) {
        struct nsc_window x = interval_at(a, i), y = interval_at(b, j);
        bool is_x = x.t0 <= y.t0 && i < nsc_cover_count(a);

        nsc_cover_writer_add(&writer, is_x ? x.t0 : y.t0, is_x ? x.t1 : y.t1);
        i += is_x;
        j += !is_x;
    }
    return nsc_cover_writer_end(&writer);
}

struct nsc_cover *nsc_cover_intersect(const struct nsc_cover *a, const struct nsc_cover *b)
{
    struct nsc_cover_writer writer;
    uint32_t i = 0, j = 0;

    if (!init_writer(&writer, a, b))
        return NULL;
    while (i < nsc_cover_count(a) && j < nsc_cover_count(b)) {
        struct nsc_window x = nsc_cover_at(a, i), y = nsc_cover_at(b, j);

        nsc_cover_writer_add(&writer, x.t0 > y.t0 ? x.t0 : y.t0, x.t1 < y.t1 ? x.t1 : y.t1);
        i += x.t1 < y.t1;
        j += x.t1 >= y.t1;
    }
    return nsc_cover_writer_end(&writer);
}
