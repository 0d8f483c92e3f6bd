/*
 * Sets the locale.
 */
#include "cli/session/startup.h"

#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool says_utf8(const char *variable)
{
    const char *value = getenv(variable);
    const char *codeset = value ? strchr(value, '.') : NULL;

    return codeset && (!strncasecmp(codeset, ".UTF-8", 6) || !strncasecmp(codeset, ".UTF8", 5));
}

/* Cluster nodes often lack the user's locale, and an empty container has none, although the terminal
 * uses UTF-8. A locale of another codeset may load code of the system's C library: it stays out. */
bool nsc_locale_set(void)
{
    const char *all = getenv("LC_ALL");
    const char *ctype = getenv("LC_CTYPE");
    const char *name = all && all[0] ? "LC_ALL" : ctype && ctype[0] ? "LC_CTYPE" : "LANG";
    bool is_utf8 =
        setlocale(LC_CTYPE, "") ? !strcasecmp(nl_langinfo(CODESET), "UTF-8") : says_utf8(name);

    if (!is_utf8 || strcasecmp(nl_langinfo(CODESET), "UTF-8") != 0)
        (void)setlocale(LC_CTYPE, is_utf8 ? "C.UTF-8" : "C");
    return is_utf8;
}
