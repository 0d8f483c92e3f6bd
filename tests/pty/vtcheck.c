/*
 * Reads what a program sent to a terminal and fails on anything beyond text and the few sequences
 * that drawing needs.
 *
 *     vtcheck [--ascii] [--osc52 N] FILE
 *
 * Allowed: printable text (with --ascii no byte past 0x7e), CR, LF, BS, TAB, BEL, SO and SI,
 * character sets, and CSI sequences for colours, the cursor, erasing, scrolling, repeating and the
 * modes we set; the question for the colour of the background; with --osc52 exactly N requests to copy,
 * in base64. No other OSC, no DCS, APC, C1,
 * bidi control or invalid UTF-8.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input {
    const unsigned char *bytes;
    size_t n, at;
    unsigned violations;
    int copies; /* requests to copy still allowed; -1: never any */
    bool ascii;
};

static void object(struct input *in, size_t at, const char *what)
{
    if (in->violations++ < 10)
        fprintf(stderr, "vtcheck: byte %zu: %s\n", at, what);
}

static bool known_mode(const char *params)
{
    static const char *const modes[] = {"?1",    "?7",    "?12",   "?25",   "?1002",
                                        "?1006", "?1049", "?2004", "?2026", "?12;25",
                                        "?1000", "4",     "34"};

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(params, modes[i]))
            return true;
    return false;
}

static void check_control(struct input *in)
{
    size_t start = in->at;
    char params[64];
    size_t n = 0;
    unsigned char final;

    while (in->at < in->n && in->bytes[in->at] >= 0x20 && in->bytes[in->at] < 0x40) {
        if (n + 1 < sizeof params)
            params[n++] = (char)in->bytes[in->at];
        in->at++;
    }
    params[n] = 0;
    if (in->at == in->n) {
        object(in, start, "a sequence that does not end");
        return;
    }
    final = in->bytes[in->at++];
    if (final == 'h' || final == 'l') {
        if (!known_mode(params))
            object(in, start, "an unknown mode");
    } else if (final == 't') {
        if (strcmp(params, "22;0;0") != 0 && strcmp(params, "23;0;0") != 0)
            object(in, start, "a window operation");
    } else if (final == 'c') {
        if (strcmp(params, "?0") != 0 &&
            strcmp(params, "?1") != 0) /* the cursor of the Linux console */
            object(in, start, "a question to the terminal");
    } else if (!strchr("mABCDEFGHIJKLMPSTXZ@dfgrb", final)) {
        object(in, start, "an unknown control sequence");
    } else if (strspn(params, "0123456789;:") != n) {
        object(in, start, "odd parameters");
    }
}

/* ESC ] 11 ; ? BEL, or ESC ] 52 ; c ; base64 BEL, of at most 100 KB. */
static void check_string(struct input *in)
{
    static const char head[] = "52;c;";
    static const char question[] = "11;?\a";
    size_t start = in->at;
    size_t n = 0;
    size_t pad = 0;

    if (in->n - in->at >= sizeof question - 1 &&
        memcmp(in->bytes + in->at, question, sizeof question - 1) == 0) {
        in->at += sizeof question - 1;
        return;
    }
    if (in->copies <= 0 || in->n - in->at < sizeof head ||
        memcmp(in->bytes + in->at, head, sizeof head - 1) != 0) {
        object(in, start, "an OSC that was not asked for");
        return;
    }
    in->copies--;
    in->at += sizeof head - 1;
    for (; in->at < in->n && (isalnum(in->bytes[in->at]) || strchr("+/", in->bytes[in->at])); n++)
        in->at++;
    for (; in->at < in->n && in->bytes[in->at] == '='; pad++)
        in->at++;
    if (!n || (n + pad) % 4 || pad > 2 || n + pad > 100000)
        object(in, start, "not base64, or too much of it");
    if (in->at == in->n || in->bytes[in->at++] != '\a')
        object(in, start, "a request to copy that does not end");
}

static void check_escape(struct input *in)
{
    size_t start = in->at - 1;
    unsigned char next = in->at < in->n ? in->bytes[in->at++] : 0;

    if (next == '[')
        check_control(in);
    else if (next == ']')
        check_string(in);
    else if (next == '(' || next == ')')
        in->at++;
    else if (!next || !strchr("=>78MDE", next))
        object(in, start, "an escape sequence that is not for drawing");
}

/* The code point at in->at, which moves past it; 0 for invalid UTF-8. */
static uint32_t next_code(struct input *in)
{
    unsigned char lead = in->bytes[in->at++];
    unsigned more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    uint32_t code = lead & (0x3fu >> more);

    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    for (; more; more--) {
        if (in->at == in->n || (in->bytes[in->at] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (in->bytes[in->at++] & 0x3f);
    }
    return code;
}

static bool is_unseen(uint32_t code)
{
    return (code >= 0x80 && code < 0xa0) || code == 0xad || code == 0x61c || code == 0x180e ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
           (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe0fff);
}

static void check_text(struct input *in)
{
    size_t start = in->at;
    uint32_t code;

    if (in->ascii) {
        object(in, start, "a byte past ASCII");
        in->at++;
        return;
    }
    code = next_code(in);
    if (!code)
        object(in, start, "invalid UTF-8");
    else if (is_unseen(code))
        object(in, start, "an invisible or bidi character");
}

static void check(struct input *in)
{
    while (in->at < in->n) {
        unsigned char byte = in->bytes[in->at];

        if (byte == 0x1b) {
            in->at++;
            check_escape(in);
        } else if (byte >= 0x80) {
            check_text(in);
        } else {
            if (byte == 0x7f || (byte < 0x20 && (!byte || !strchr("\r\n\b\t\a\x0e\x0f", byte))))
                object(in, in->at, "a control character");
            in->at++;
        }
    }
}

/* False: not understood. */
static bool read_options(struct input *in, int argc, char **argv)
{
    bool counts = false;

    for (int i = 1; i + 1 < argc; i++) {
        if (counts)
            in->copies = atoi(argv[i]);
        else if (!strcmp(argv[i], "--ascii"))
            in->ascii = true;
        else if (strcmp(argv[i], "--osc52") != 0)
            return false;
        counts = !counts && !strcmp(argv[i], "--osc52");
    }
    return argc > 1 && !counts;
}

int main(int argc, char **argv)
{
    struct input in = {.copies = -1};
    bool understood = read_options(&in, argc, argv);
    FILE *file = understood ? fopen(argv[argc - 1], "rb") : NULL;
    unsigned char *bytes = malloc(64 << 20);

    if (!file || !bytes) {
        fprintf(stderr, "usage: vtcheck [--ascii] [--osc52 N] FILE\n");
        return 2;
    }
    in.n = fread(bytes, 1, 64 << 20, file);
    in.bytes = bytes;
    fclose(file);
    check(&in);
    if (in.copies > 0)
        object(&in, in.n, "fewer requests to copy than there should be");
    if (in.violations || !in.n)
        fprintf(stderr, "vtcheck: %s: %u violations in %zu bytes\n", argv[argc - 1], in.violations,
                in.n);
    free(bytes);
    return in.violations || !in.n ? 1 : 0;
}
