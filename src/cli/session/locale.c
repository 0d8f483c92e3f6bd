/*
 * Sets the locale.
 */
#include "cli/commands.h"
#include "cli/session/startup.h"

#include <langinfo.h>
#include <locale.h>
#include <strings.h>

/* Cluster nodes often lack the user's locale, and an empty container has none, although the terminal
 * uses UTF-8. A locale of another codeset may load code of the system's C library: it stays out. */
bool nsc_locale_set(void)
{
    bool is_utf8 = setlocale(LC_CTYPE, "") ? !strcasecmp(nl_langinfo(CODESET), "UTF-8")
                                           : !nsc_output_is_ascii();

    if (!is_utf8 || strcasecmp(nl_langinfo(CODESET), "UTF-8") != 0)
        (void)setlocale(LC_CTYPE, is_utf8 ? "C.UTF-8" : "C");
    return is_utf8;
}
