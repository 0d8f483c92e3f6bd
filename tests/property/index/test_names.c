/* Property tests of names: any bytes are preserved, and only equal texts share a name. */
#include "index/builder.h"
#include "index/fold.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { MAX_TEXT = 700, TEXTS = 600, ROUNDS = 60 };

struct text {
    char bytes[MAX_TEXT];
    uint32_t n;
};

/* Mostly digits, and difficult cases: leading zeros, long runs, NUL, the byte that represents
 * counters. */
static void make_text(struct dice *dice, struct text *out, bool hard)
{
    static const char easy[] = "ab 0123456789";
    static const char odd[] = "a0123456789000\xff\0\x80";
    uint32_t longest = dice_below(dice, 20) ? 12 : MAX_TEXT;

    out->n = (uint32_t)dice_below(dice, longest);
    for (uint32_t i = 0; i < out->n; i++)
        out->bytes[i] =
            hard ? odd[dice_below(dice, sizeof odd)] : easy[dice_below(dice, sizeof easy - 1)];
}

TEST(folding_and_expanding_is_the_identity)
{
    struct dice dice = dice_new(1);
    static struct text text;
    static struct nsc_fold fold;
    static char out[NSC_NAME_BYTES];
    uint32_t folded = 0;

    for (int i = 0; i < 100000; i++) {
        uint32_t n = 0;

        make_text(&dice, &text, dice_below(&dice, 2));
        if (!nsc_fold_text(&fold, (struct nsc_text){text.bytes, text.n}))
            continue;
        folded++;
        n = nsc_fold_expand(out, (struct nsc_text){fold.text, fold.n}, fold.packed);
        assert_int_equal(n, text.n);
        assert_memory_equal(out, text.bytes, n);
    }
    assert_true(folded > 1000);
}

/* How a text was fed. */
struct fed {
    unsigned worker;
    uint32_t name, link;
};

static bool are_equal(const struct text *a, const struct text *b)
{
    return a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

/* Feeds text i, sometimes as a known one if the worker has fed it before. */
static void feed_text(struct nsc_feed *feed, struct fed fed[], const struct text texts[],
                      uint32_t i, bool again)
{
    struct nsc_text text = {texts[i].bytes, texts[i].n};
    uint32_t k = 0;

    while (k < i && (fed[k].worker != fed[i].worker || !are_equal(&texts[k], &texts[i])))
        k++;
    if (again && k < i) {
        fed[i] = fed[k];
        nsc_feed_text_again(feed, fed[k].name, fed[k].link);
    } else
        fed[i].name = nsc_feed_text(feed, text, false, 0, &fed[i].link);
}

/* Builds a trace of the texts, distributed among feeds at random, and returns it. */
static struct nsc_trace *build(struct dice *dice, const struct text texts[], struct nsc_pool *pool)
{
    struct nsc_builder *builder = nsc_builder_new(TEXTS, pool, NULL);
    unsigned workers = 1 + (unsigned)dice_below(dice, 4);
    struct nsc_family *family = nsc_family_new(builder, workers);
    struct nsc_track_key key = {NSC_TRACK_NVTX, 1, 1, -1, -1, -1, 0};
    struct nsc_feed *feed = NULL;
    struct nsc_trace *trace = NULL;
    struct fed fed[TEXTS];
    unsigned worker = 0;

    for (uint32_t i = 0; i < TEXTS; i++) {
        struct nsc_row row = {.start = i, .end = i + 1, .source = i, .kind = NSC_KIND_NVTX_RANGE};

        if (i % 10 == 0) {
            worker = (unsigned)dice_below(dice, workers);
            feed = nsc_family_feed(family, worker);
            nsc_feed_begin_task(feed, i / 10);
        }
        row.track = nsc_feed_track(feed, &key);
        fed[i].worker = worker;
        feed_text(feed, fed, texts, i, dice_below(dice, 2) != 0);
        row.name = fed[i].name;
        row.link = fed[i].link;
        assert_true(nsc_feed_event(feed, &row));
    }
    assert_int_equal(nsc_family_end(family, NULL), NSC_OK);
    assert_int_equal(nsc_builder_finish(&trace, builder, NULL), NSC_OK);
    nsc_builder_free(builder);
    return trace;
}

static void assert_texts(const struct nsc_trace *trace, const struct text texts[])
{
    char scratch[NSC_NAME_BYTES];

    for (nsc_event i = 0; i < TEXTS; i++) { /* starts are in row order: event i is text i */
        struct nsc_text got = nsc_trace_event_text(trace, i, false, scratch);

        assert_int_equal(got.n, texts[i].n);
        if (got.n)
            assert_memory_equal(got.bytes, texts[i].bytes, got.n);
    }
}

static void assert_sameness(const struct nsc_trace *trace, const struct text texts[],
                            struct dice *dice)
{
    for (int i = 0; i < 2000; i++) {
        nsc_event a = (nsc_event)dice_below(dice, TEXTS);
        nsc_event b = (nsc_event)dice_below(dice, TEXTS);

        assert_int_equal(nsc_trace_same_text(trace, a, b), are_equal(&texts[a], &texts[b]));
    }
}

TEST(texts_come_back_and_only_equal_ones_are_the_same)
{
    struct dice dice = dice_new(2);
    struct nsc_pool *pool = nsc_pool_new(2);
    static struct text texts[TEXTS];
    uint32_t packed = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_trace *trace = NULL;
        const struct nsc_names *names = NULL;

        for (uint32_t i = 0; i < TEXTS; i++)
            if (i > 0 && dice_below(&dice, 3) == 0)
                texts[i] = texts[dice_below(&dice, i)];
            else
                make_text(&dice, &texts[i], round % 3 == 0);
        trace = build(&dice, texts, pool);
        assert_texts(trace, texts);
        assert_sameness(trace, texts, &dice);
        names = nsc_trace_names(trace);
        for (uint32_t i = 0; i < names->n; i++)
            packed += names->counters[i] > 0;
        nsc_trace_free(trace);
    }
    assert_true(packed > 0);
    nsc_pool_free(pool);
}
