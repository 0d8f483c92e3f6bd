/*
 * Sets the locale of the session.
 */
#include "cli/session/startup.h"

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

/* Cluster nodes often lack the user's locale, although the terminal uses UTF-8. */
void nsc_session_locale_set(void)
{
    const char *all = getenv("LC_ALL");
    const char *ctype = getenv("LC_CTYPE");
    const char *name = all && all[0] ? "LC_ALL" : ctype && ctype[0] ? "LC_CTYPE" : "LANG";

    if (!setlocale(LC_CTYPE, "") && says_utf8(name))
        setlocale(LC_CTYPE, "C.UTF-8");
}
