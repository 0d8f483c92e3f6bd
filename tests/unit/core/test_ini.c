/* Unit tests of ini files: sections, keys, values, comments, colours and warnings. */
#include "core/buf.h"
#include "core/ini.h"
#include "support/cm.h"

static void note_entry(void *context, const struct nsc_ini_entry *entry)
{
    nsc_buf_printf(context, "%u:%.*s/%.*s=%.*s;", entry->line, (int)entry->section.n,
                   entry->section.bytes, (int)entry->key.n, entry->key.bytes, (int)entry->value.n,
                   entry->value.bytes);
}

static void note_warning(void *context, unsigned line, const char *what)
{
    assert_true(what[0] != '\0');
    nsc_buf_printf(context, "%u!;", line);
}

static void expect(const char *text, const char *want)
{
    struct nsc_buf out = NSC_BUF_INIT(1000);
    struct nsc_text slice = {text, 0};

    while (text[slice.n])
        slice.n++;
    nsc_buf_clear(&out);
    nsc_ini_parse(slice, note_entry, note_warning, &out);
    assert_string_equal(out.bytes, want);
    nsc_buf_fini(&out);
}

TEST(entries_are_read)
{
    expect("", "");
    expect("a=1", "1:/a=1;");
    expect("\xef\xbb\xbf[ s ]\r\n  key  =  a b = c \r\n\n[t]\nx=", "2:s/key=a b = c;5:t/x=;");
}

TEST(comments_and_colours)
{
    expect("# a = 1\n  #fff = 2\nbg = #2e3440 # dark\nfg = #fff\nx = a#b\ny = 1 #",
           "3:/bg=#2e3440;4:/fg=#fff;5:/x=a#b;6:/y=1;");
    expect("[s] # note\nz = 1\t#! note", "2:s/z=1;");
}

TEST(unreadable_lines_are_warned_of)
{
    expect("[open\n[\nword\n= 5\n[]\nk=v", "1!;2!;3!;4!;6:/k=v;");
}

TEST(no_warning_function_is_needed)
{
    struct nsc_buf out = NSC_BUF_INIT(100);

    nsc_ini_parse((struct nsc_text){"word\nk=v", 8}, note_entry, NULL, &out);
    assert_string_equal(out.bytes, "2:/k=v;");
    nsc_buf_fini(&out);
}
