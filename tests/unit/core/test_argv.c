/* Unit tests of argument vectors: words are kept, and a shell reads the printed form back. */
#include "core/argv.h"
#include "core/text.h"
#include "support/cm.h"

#include <stdio.h>
#include <string.h>

static void expect_quoted(const char *word, const char *wanted)
{
    struct nsc_buf out = NSC_BUF_INIT(1000);

    nsc_argv_quote(&out, word);
    assert_string_equal(out.bytes, wanted);
    nsc_buf_fini(&out);
}

TEST(test_only_what_needs_it_is_quoted)
{
    expect_quoted("--trace=cuda,nvtx", "--trace=cuda,nvtx");
    expect_quoted("", "''");
    expect_quoted("two words", "'two words'");
    expect_quoted("it's", "'it'\\''s'");
    expect_quoted("$HOME", "'$HOME'");
    expect_quoted("~", "'~'");
    expect_quoted("*", "'*'");
    expect_quoted("\x1b", "''\"$(printf '\\033')\"");
    expect_quoted("a\x1b[31m\nb", "'a'\"$(printf '\\033')\"'[31m\nb'");
    expect_quoted("\u00e9 \u4e2d", "'\u00e9 \u4e2d'");
}

/* Cleaning changes nothing but line ends. */
static void assert_safe(const char *line)
{
    struct nsc_buf clean = NSC_BUF_INIT(4000);
    struct nsc_text text = nsc_text_from(line);

    while (text.n > 0) {
        size_t n = strcspn(text.bytes, "\n");

        nsc_buf_clear(&clean);
        nsc_text_clean(&clean, (struct nsc_text){text.bytes, (uint32_t)n}, false);
        assert_int_equal(clean.n, n);
        assert_memory_equal(clean.bytes, text.bytes, n);
        n += text.bytes[n] == '\n';
        text.bytes += n;
        text.n -= (uint32_t)n;
    }
    nsc_buf_fini(&clean);
}

/* printf %s\0 of every word, as the shell hears them. */
TEST(test_a_shell_reads_the_same_words)
{
    static const char *const words[] = {
        "plain",
        "",
        " ",
        "a\nb",
        "'",
        "\\",
        "\"$x`y`!",
        "-n",
        "\x1b[31m\n",
        "\x7f\x01'\xff\xc3",
        "%d\\n\xc2\x9b",
        "\u202e\u0301e\u0301 e\u0301\u0301\u0301\u0301\u0301\u0301\n\n"};
    struct nsc_argv argv = {0};
    struct nsc_buf line = NSC_BUF_INIT(1000);
    char heard[400] = "";
    size_t n = 0;
    size_t at = 0;
    FILE *shell = NULL;

    nsc_argv_add(&argv, "printf");
    nsc_argv_add(&argv, "%s\\0");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        nsc_argv_printf(&argv, "%s", words[i]);
    nsc_argv_print(&line, &argv);
    assert_safe(line.bytes);
    shell = popen(line.bytes, "r");
    assert_non_null(shell);
    n = fread(heard, 1, sizeof heard, shell);
    assert_int_equal(pclose(shell), 0);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_true(at < n);
        assert_string_equal(heard + at, words[i]);
        at += strlen(words[i]) + 1;
    }
    assert_int_equal(at, n);
    assert_null(nsc_argv_vector(&argv)[2 + sizeof words / sizeof *words]);
    nsc_buf_fini(&line);
    nsc_argv_fini(&argv);
}
