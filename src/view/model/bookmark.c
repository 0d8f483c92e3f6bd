/* The list of bookmarks: sorts, changes, stamps and merges it. */
#include "view/model/bookmark.h"

#include "core/die.h"
#include "core/text.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- one bookmark ---- */

struct nsc_bookmark nsc_bookmark_new(nsc_time time)
{
    return (struct nsc_bookmark){.time = time, .color = -1, .changed = true};
}

void nsc_bookmark_fini(struct nsc_bookmark *bookmark)
{
    for (unsigned i = 0; i < NSC_N_BOOKMARK_TEXTS; i++)
        free(bookmark->texts[i]);
    *bookmark = nsc_bookmark_new(0);
}

void nsc_bookmark_set_text(struct nsc_bookmark *bookmark, enum nsc_bookmark_text which,
                           struct nsc_text text)
{
    char *copy = NULL;

    if (text.n) {
        copy = nsc_xmalloc((size_t)text.n + 1);
        memcpy(copy, text.bytes, text.n);
        copy[text.n] = '\0';
    }
    free(bookmark->texts[which]);
    bookmark->texts[which] = copy;
}

struct nsc_bookmark nsc_bookmark_copy(const struct nsc_bookmark *bookmark)
{
    struct nsc_bookmark copy = *bookmark;

    for (unsigned i = 0; i < NSC_N_BOOKMARK_TEXTS; i++) {
        copy.texts[i] = NULL;
        nsc_bookmark_set_text(
            &copy, (enum nsc_bookmark_text)i,
            nsc_text_from(nsc_bookmark_text(bookmark, (enum nsc_bookmark_text)i)));
    }
    return copy;
}

const char *nsc_bookmark_text(const struct nsc_bookmark *bookmark, enum nsc_bookmark_text which)
{
    return bookmark->texts[which] ? bookmark->texts[which] : "";
}

/* ---- the order of the list ---- */

NSC_COMPARE(compare_place, struct nsc_bookmark,
            NSC_LEAST(deleted) || NSC_BY(x->deleted ? 0 : NSC_ORDER(x->time, y->time)) ||
                NSC_LEAST(id))

/* By id; of one id, the one to keep comes first. */
NSC_COMPARE(order_by_id, struct nsc_bookmark,
            NSC_LEAST(id) || NSC_MOST(deleted) || NSC_MOST(modified) ||
                NSC_BY(x->deleted ? 0 : NSC_ORDER(y->created, x->created)) ||
                NSC_BY(x->deleted ? 0 : nsc_bookmark_compare(y, x)))

static void sort_list(struct nsc_bookmarks *list, int (*order)(const void *a, const void *b))
{
    NSC_VEC_SORT(list, order);
}

static size_t insert(struct nsc_bookmarks *list, const struct nsc_bookmark *bookmark)
{
    size_t i = list->n;

    (void)NSC_VEC_ADD(list);
    while (i > 0 && compare_place(&list->at[i - 1], bookmark) > 0)
        i--;
    memmove(&list->at[i + 1], &list->at[i], (list->n - 1 - i) * sizeof *list->at);
    list->at[i] = *bookmark;
    return i;
}

/* Removes a bookmark from the list; the caller owns its texts. */
static struct nsc_bookmark take(struct nsc_bookmarks *list, size_t i)
{
    struct nsc_bookmark taken = list->at[i];

    list->n--;
    memmove(&list->at[i], &list->at[i + 1], (list->n - i) * sizeof *list->at);
    return taken;
}

/* ---- changing it ---- */

void nsc_bookmarks_fini(struct nsc_bookmarks *list)
{
    for (size_t i = 0; i < list->n; i++)
        nsc_bookmark_fini(&list->at[i]);
    NSC_VEC_FINI(list);
}

void nsc_bookmarks_copy(struct nsc_bookmarks *out, const struct nsc_bookmarks *list)
{
    *out = (struct nsc_bookmarks){0};
    for (size_t i = 0; i < list->n; i++)
        *NSC_VEC_ADD(out) = nsc_bookmark_copy(&list->at[i]);
}

size_t nsc_bookmarks_live(const struct nsc_bookmarks *list)
{
    size_t n = list->n;

    while (n > 0 && list->at[n - 1].deleted)
        n--;
    return n;
}

size_t nsc_bookmarks_add(struct nsc_bookmarks *list, struct nsc_bookmark *bookmark)
{
    size_t i;

    if (bookmark->has_range)
        bookmark->time = bookmark->range.t0;
    i = insert(list, bookmark);
    *bookmark = nsc_bookmark_new(0);
    return i;
}

size_t nsc_bookmarks_edit(struct nsc_bookmarks *list, size_t i, struct nsc_bookmark *bookmark)
{
    struct nsc_bookmark old = take(list, i);

    bookmark->id = old.id;
    bookmark->created = old.created;
    bookmark->modified = old.modified;
    bookmark->deleted = false;
    bookmark->changed = true;
    nsc_bookmark_fini(&old);
    return nsc_bookmarks_add(list, bookmark);
}

void nsc_bookmarks_remove(struct nsc_bookmarks *list, size_t i)
{
    struct nsc_bookmark old = take(list, i);
    struct nsc_bookmark mark = nsc_bookmark_new(0);

    mark.id = old.id;
    mark.modified = old.modified;
    mark.deleted = true;
    nsc_bookmark_fini(&old);
    if (mark.id) /* never saved, so nobody else has it */
        (void)insert(list, &mark);
}

size_t nsc_bookmarks_find(const struct nsc_bookmarks *list, uint64_t id)
{
    size_t i = 0;

    while (i < list->n && list->at[i].id != id)
        i++;
    return i;
}

/* ---- between programs ---- */

/* The next number of a sequence without repetitions. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void nsc_bookmarks_set_stamp(struct nsc_bookmarks *list, int64_t utc, uint64_t random)
{
    for (size_t i = 0; i < list->n; i++) {
        struct nsc_bookmark *b = &list->at[i];

        if (!b->changed)
            continue;
        while (b->id == 0)
            b->id = next_random(&random);
        if (b->modified < INT64_MAX)
            b->modified = utc > b->modified ? utc : b->modified + 1;
        if (b->created == 0)
            b->created = b->modified;
    }
    sort_list(list, compare_place);
}

void nsc_bookmarks_merge(struct nsc_bookmarks *list, struct nsc_bookmarks *other)
{
    size_t n = 0;

    for (size_t i = 0; i < other->n; i++)
        *NSC_VEC_ADD(list) = other->at[i];
    NSC_VEC_FINI(other);
    sort_list(list, order_by_id);
    for (size_t i = 0; i < list->n; i++) {
        if (n > 0 && list->at[i].id && list->at[n - 1].id == list->at[i].id)
            nsc_bookmark_fini(&list->at[i]);
        else
            list->at[n++] = list->at[i];
    }
    list->n = n;
    sort_list(list, compare_place);
}
