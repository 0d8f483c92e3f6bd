/*
 * Chooses a terminal description and reads the strings that the program handles itself.
 *
 * Entering and leaving are bytes prepared at the start, so that a signal handler can undo them.
 */
#include "tui/terminfo.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

void nsc_terminfo_forget(void)
{
    if (cur_term)
        del_curterm(cur_term);
}

static bool load(const char *type)
{
    int found = 0;

    nsc_terminfo_forget();
    return setupterm(type, 1, &found) == OK && found == 1;
}

/* Hands the description to ncurses in $TERMINFO, which gets its old value back. */
static bool load_compiled(const char *type)
{
    const struct nsc_terminal *terminal = nsc_terminals;
    const char *set = getenv("TERMINFO");
    char *old = set ? strdup(set) : NULL;
    bool done = false;

    while (terminal->name && strcmp(terminal->name, type) != 0)
        terminal++;
    done = terminal->name && !setenv("TERMINFO", terminal->description, 1) && load(type);
    (void)(old ? setenv("TERMINFO", old, 1) : unsetenv("TERMINFO"));
    free(old);
    return done;
}

bool nsc_terminfo_load(const char *type)
{
    return type[0] && strlen(type) < NSC_TERM_TYPE_BYTES && !strchr(type, '/') &&
           (load(type) || load_compiled(type));
}

const char *nsc_terminfo_string(const char *name)
{
    char *value = tigetstr(name);

    return value && (intptr_t)value != -1 && value[0] ? value : NULL;
}

/* ---- choosing a description ---- */

static enum nsc_status choose_type(struct nsc_terminfo *info, const char *term,
                                   struct nsc_error *error)
{
    bool known = term && nsc_terminfo_load(term);
    const char *type = known ? term : "xterm-256color";

    if (!term || !term[0])
        return nsc_fail(error, NSC_EINVAL,
                        "TERM is not set: no terminal to draw on; try TERM=xterm-256color");
    if (!strcmp(term, "dumb"))
        return nsc_fail(error, NSC_EINVAL,
                        "TERM is dumb: it cannot place text on the screen; "
                        "nsyscope info FILE and nsyscope render FILE need no terminal");
    if ((!known && !nsc_terminfo_load(type)) || !nsc_terminfo_string("cup") ||
        !nsc_terminfo_string("clear"))
        return nsc_fail(error, NSC_EINVAL, "the terminal %s (TERM) cannot place text on the screen",
                        type);
    (void)snprintf(info->type, sizeof info->type, "%s", type);
    return NSC_OK;
}

/* Finds the direct-colour description for type: "tmux-direct" for "tmux-256color". */
static bool find_direct(char out[NSC_TERM_TYPE_BYTES], const char *type)
{
    int stem = (int)strcspn(type, "-");

    (void)snprintf(out, NSC_TERM_TYPE_BYTES, "%.*s-direct", stem < 40 ? stem : 40, type);
    if (!nsc_terminfo_load(out))
        (void)snprintf(out, NSC_TERM_TYPE_BYTES, "xterm-direct");
    return nsc_terminfo_load(out) && tigetnum("colors") >= 1 << 24;
}

static void choose_color(struct nsc_terminfo *info, enum nsc_color_mode wanted)
{
    char direct[NSC_TERM_TYPE_BYTES];
    struct nsc_color_facts facts = {getenv("NO_COLOR"), getenv("COLORTERM"), tigetnum("colors"),
                                    false};

    facts.direct = info->modern && facts.colors >= 8 && find_direct(direct, info->type);
    info->color = nsc_color_choose(wanted, &facts);
    if (info->color == NSC_COLOR_TRUE)
        (void)snprintf(info->type, sizeof info->type, "%s", direct);
}

/* ---- strings ---- */

/* Appends a string without the padding marks "$<5>", which only hardware terminals need. False if
 * it does not fit. */
static bool append(char out[NSC_TERMINFO_STRING], const char *bytes)
{
    size_t n = strlen(out);

    while (bytes && *bytes) {
        if (bytes[0] == '$' && bytes[1] == '<' && strchr(bytes, '>')) {
            bytes = strchr(bytes, '>') + 1;
            continue;
        }
        if (n + 1 >= NSC_TERMINFO_STRING)
            return false;
        out[n++] = *bytes++;
        out[n] = 0;
    }
    return true;
}

/* Builds the strings. Leaving undoes entering in reverse order; it also ends an update that a
 * signal interrupted. */
static bool build_strings(struct nsc_terminfo *info)
{
    bool fits = append(info->enter, nsc_terminfo_string("smcup")) &&
                append(info->enter, nsc_terminfo_string("sgr0")) &&
                append(info->enter, nsc_terminfo_string("rmir")) &&
                append(info->enter, nsc_terminfo_string("smam"));

    if (info->modern) {
        fits = fits && append(info->enter, "\x1b[r\x1b[?2004h") &&
               append(info->leave, "\x1b[?1006l\x1b[?1002l\x1b[?2004l\x1b[?2026l");
    }
    return fits && append(info->leave, nsc_terminfo_string("sgr0")) &&
           append(info->leave, nsc_terminfo_string("op")) &&
           append(info->leave, nsc_terminfo_string("cnorm")) &&
           append(info->leave, nsc_terminfo_string("rmcup")) &&
           /* Without an alternate screen, clear ours so that the shell does not write over it. */
           append(info->leave, nsc_terminfo_string("rmcup") ? "" : nsc_terminfo_string("clear"));
}

/* ---- keys ---- */

static void add_key(struct nsc_terminfo *info, const char *name, nsc_key key)
{
    const char *bytes = nsc_terminfo_string(name);
    char *copy = info->key_bytes[info->n_keys % NSC_TERMINFO_KEYS];

    /* The decoder handles single bytes itself. */
    if (!bytes || bytes[0] != 0x1b || strlen(bytes) < 2 || strlen(bytes) >= 16 ||
        info->n_keys == NSC_TERMINFO_KEYS)
        return;
    (void)snprintf(copy, 16, "%s", bytes);
    info->keys[info->n_keys++] = (struct nsc_key_string){copy, key};
}

/* kLFT3 is Alt+Left: the digit is xterm's modifier; names without a digit mean 2 (Shift). */
static void add_modified_keys(struct nsc_terminfo *info)
{
    static const struct {
        const char *name;
        nsc_key key;
    } stems[] = {{"kLFT", NSC_KEY_LEFT},    {"kRIT", NSC_KEY_RIGHT},    {"kUP", NSC_KEY_UP},
                 {"kDN", NSC_KEY_DOWN},     {"kHOM", NSC_KEY_HOME},     {"kEND", NSC_KEY_END},
                 {"kPRV", NSC_KEY_PAGE_UP}, {"kNXT", NSC_KEY_PAGE_DOWN}};

    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        char name[16];

        add_key(info, stems[i].name, stems[i].key | NSC_KEY_SHIFT);
        (void)snprintf(name, sizeof name, "%s3", stems[i].name);
        add_key(info, name, stems[i].key | NSC_KEY_ALT);
        (void)snprintf(name, sizeof name, "%s5", stems[i].name);
        add_key(info, name, stems[i].key | NSC_KEY_CTRL);
        (void)snprintf(name, sizeof name, "%s6", stems[i].name);
        add_key(info, name, stems[i].key | NSC_KEY_CTRL | NSC_KEY_SHIFT);
    }
}

static void read_keys(struct nsc_terminfo *info)
{
    static const struct {
        const char *name;
        nsc_key key;
    } plain[] = {{"kcub1", NSC_KEY_LEFT},
                 {"kcuf1", NSC_KEY_RIGHT},
                 {"kcuu1", NSC_KEY_UP},
                 {"kcud1", NSC_KEY_DOWN},
                 {"khome", NSC_KEY_HOME},
                 {"kend", NSC_KEY_END},
                 {"kpp", NSC_KEY_PAGE_UP},
                 {"knp", NSC_KEY_PAGE_DOWN},
                 {"kich1", NSC_KEY_INSERT},
                 {"kdch1", NSC_KEY_DELETE},
                 {"kbs", NSC_KEY_BACKSPACE},
                 {"kent", NSC_KEY_ENTER},
                 {"kcbt", NSC_KEY_TAB | NSC_KEY_SHIFT},
                 {"kri", NSC_KEY_UP | NSC_KEY_SHIFT},
                 {"kind", NSC_KEY_DOWN | NSC_KEY_SHIFT}};

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        add_key(info, plain[i].name, plain[i].key);
    for (unsigned i = 0; i < 12; i++) {
        char name[16];

        (void)snprintf(name, sizeof name, "kf%u", i + 1);
        add_key(info, name, NSC_KEY_F1 + i);
    }
    add_modified_keys(info);
}

enum nsc_status nsc_terminfo_init(struct nsc_terminfo *info, const char *term,
                                  enum nsc_color_mode color, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    memset(info, 0, sizeof *info);
    status = choose_type(info, term, error);
    if (status) {
        nsc_terminfo_forget();
        return status;
    }
    info->modern = nsc_terminfo_string("kmous") != NULL;
    read_keys(info);
    if (!build_strings(info))
        status = nsc_fail(error, NSC_EINVAL,
                          "the description of the terminal %s (TERM) has strings too long to use",
                          info->type);
    choose_color(info, color);
    nsc_terminfo_forget();
    return status;
}
