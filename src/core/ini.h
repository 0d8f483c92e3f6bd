/*
 * The file format of themes, keymaps and settings: sections, key = value, # comments.
 *
 * The parser owns nothing: it calls back for each entry with parts of the text. Lines it cannot
 * read are reported with their number and skipped; they are warnings, never errors.
 */
#ifndef NSC_CORE_INI_H
#define NSC_CORE_INI_H

#include "nsyscope/types.h"

struct nsc_ini_entry {
    struct nsc_text section, key, value; /* trimmed; value without a trailing " # comment" */
    unsigned line;                       /* from 1 */
};

/*
 * Calls entry() for each key and warning() (may be NULL) for each unreadable line. A '#' starts a
 * comment at the start of a line or after white space, unless a hex digit follows directly
 * ("#2e3440" is a value).
 */
void nsc_ini_parse(struct nsc_text text,
                   void (*entry)(void *context, const struct nsc_ini_entry *entry),
                   void (*warning)(void *context, unsigned line, const char *what), void *context);

#endif
