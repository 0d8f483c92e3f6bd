/* Unit tests of the filter's language: reading, printing, refusing, and the place of errors. */
#include "analysis/select/filter.h"
#include "core/text.h"
#include "support/cm.h"
#include "support/filter_print.h"

#include <stdlib.h>
#include <string.h>

/* Parsing text, printing, parsing again: text and filter stay. */
static void assert_prints(const char *text, const char *want)
{
    struct nsc_filter *filter = NULL;
    struct nsc_filter *again = NULL;
    struct nsc_buf out = NSC_BUF_INIT(100000);
    struct nsc_error error = {0};

    if (nsc_filter_parse(&filter, nsc_text_from(text), &error) != NSC_OK)
        fail_msg("%s: %s", text, error.text);
    filter_print(&out, filter);
    assert_string_equal(out.bytes ? out.bytes : "", want);
    assert_int_equal(nsc_filter_parse(&again, nsc_text_from(want), NULL), NSC_OK);
    assert_true(filter_equal(filter, again));
    nsc_filter_free(filter);
    nsc_filter_free(again);
    nsc_buf_fini(&out);
}

TEST(every_term_is_read_and_printed)
{
    assert_prints("", "");
    assert_prints("  \t ", "");
    assert_prints("gemm", "name:gemm");
    assert_prints("flash,attn", "name:flash,attn");
    assert_prints("kind:kernel,copy name:flash dur>100us  dur<2ms", "kind:kernel,copy name:flash "
                                                                    "dur>100000ns dur<2000000ns");
    assert_prints("gpu:0 stream:7,21 pid:111 tid:-5", "gpu:0 stream:7,21 pid:111 tid:-5");
    assert_prints("!name:nccl !kind:api", "!name:nccl !kind:api");
    assert_prints("!foo", "!name:foo");
    assert_prints("nvtx:forward domain:NCCL", "nvtx:forward domain:NCCL");
    assert_prints("time:39s..42s", "time:39000000000ns..42000000000ns");
    assert_prints("time:39..,..5ms", "time:39000000000ns..,..5000000ns");
    assert_prints("name~^void.*gemm,x", "name~\"^void.*gemm,x\"");
    assert_prints("name~\"a\\\\.b c\"", "name~\"a\\\\.b c\"");
    assert_prints("stream:-9223372036854775808", "stream:-9223372036854775808");
}

TEST(words_with_two_colons_are_names)
{
    assert_prints("aten::view", "name:aten::view");
    assert_prints("name::x", "name:name::x");
    assert_prints("kind::x,std::sort", "name:kind::x,std::sort");
    assert_prints("name:\":x\"", "name:\":x\"");
    assert_prints("vector<int", "name:vector<int");
    assert_prints("foo~bar", "name:foo~bar");
}

TEST(quotes_hold_anything)
{
    assert_prints("\"a b\"", "name:\"a b\"");
    assert_prints("name:\"x,y\",z", "name:\"x,y\",z");
    assert_prints("name:\"a\\\"b\\\\c\"", "name:\"a\\\"b\\\\c\"");
    assert_prints("name:\"a\\b\"", "name:a\\b");
    assert_prints("na\"me", "name:\"na\\\"me\"");
    assert_prints("\"kind:x\"", "name:kind:x");
}

static void assert_refused(const char *text, uint32_t at)
{
    struct nsc_filter *filter = (struct nsc_filter *)(uintptr_t)1;
    struct nsc_error error = {0};
    uint32_t column = UINT32_MAX;

    assert_int_equal(nsc_filter_parse_at(&filter, nsc_text_from(text), &column, &error),
                     NSC_EINVAL);
    assert_null(filter);
    assert_int_equal(column, at);
    assert_non_null(strstr(error.text, "column"));
}

TEST(trouble_is_told_with_its_column)
{
    assert_refused("foo:bar", 0);
    assert_refused("a !foo:bar", 3);
    assert_refused("!", 1);
    assert_refused("name:", 5);
    assert_refused("dur>5 us", 4);
    assert_refused("dur>5 u", 4); /* on the way to it */
    assert_refused("name:a,", 7);
    assert_refused("name:a,,b", 7);
    assert_refused("name:\"\"", 5);
    assert_refused("x \"a", 2);
    assert_refused("\"a\"b", 3);
    assert_refused("kind:kernl", 5);
    assert_refused("kind:kernel,x", 12);
    assert_refused("gpu:0x1", 4);
    assert_refused("gpu:-", 4);
    assert_refused("stream:9223372036854775808", 7);
    assert_refused("dur>", 4);
    assert_refused("dur>5parsecs", 4);
    assert_refused("dur>5us,6us", 4);
    assert_refused("dur:5us", 0);
    assert_refused("time:5s", 5);
    assert_refused("time:..", 5);
    assert_refused("time:5s..5s", 5);
    assert_refused("time:6s..5s", 5);
    assert_refused("time:..99999999999999s", 5);
}

TEST(dangerous_expressions_are_refused)
{
    char *text = malloc(5 + 300 + 1);

    assert_refused("name~(", 5);
    assert_refused("name~(a)\\1", 5);
    assert_refused("name~((a{255}){255}){255}", 5);
    assert_refused("name~a{30000}", 5);
    assert_refused("name~a++++++++++++++++++++++++++", 5); /* each + doubles the one before */
    assert_refused("name~(((((((((a+)+)+)+)+)+)+)+)+)+", 5);
    assert_refused("name~a++\x97\x92??++??++++?", 5); /* took seconds to compile */
    assert_refused("name~a*{2}", 5);
    assert_prints("name~a+b+c+d+e+f+g+h+i+j+", "name~a+b+c+d+e+f+g+h+i+j+");
    assert_prints("name~gemm.*?bf16+?(s|t)*?a{2,3}?", "name~\"gemm.*?bf16+?(s|t)*?a{2,3}?\"");
    assert_prints("name~\\++[+*?]+[]?+]*[^]*?]?", "name~\\++[+*?]+[]?+]*[^]*?]?");
    assert_refused("name~a{1,4294967297}", 5);
    assert_non_null(text);
    memcpy(text, "name~", 5);
    memset(text + 5, 'a', 300);
    text[305] = '\0';
    assert_refused(text, 5);
    free(text);
    assert_prints("name~a{2,20}b{3}", "name~\"a{2,20}b{3}\"");
}

TEST(there_are_limits)
{
    static char text[NSC_FILTER_BYTES + 2];
    struct nsc_filter *filter = NULL;

    memset(text, 'a', NSC_FILTER_BYTES + 1);
    assert_refused(text, NSC_FILTER_BYTES);
    for (size_t i = 0; i < NSC_FILTER_BYTES + 1; i += 2)
        text[i] = ' ';
    text[200] = '\0';
    assert_refused(text, 129); /* the 65th word */
    text[128] = '\0';
    assert_int_equal(nsc_filter_parse(&filter, nsc_text_from(text), NULL), NSC_OK);
    nsc_filter_free(filter);
    for (size_t i = 0; i < NSC_FILTER_BYTES; i++)
        text[i] = i % 2 ? ',' : 'a';
    text[520] = '\0';
    assert_refused(text, 512); /* the 257th value */
}
