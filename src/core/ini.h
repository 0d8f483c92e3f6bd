/*
 * The file format of themes, keymaps and settings: sections, key = value, # comments.
 *
 * The parser calls back for each entry with parts of the text and owns nothing. It skips unreadable
 * lines with a warning that has their number.
 */
#ifndef NSC_CORE_INI_H
#define NSC_CORE_INI_H

#include "nsyscope/types.h"

struct nsc_ini_entry {
    struct nsc_text section, key, value; /* trimmed; value without a trailing " # comment" */
    unsigned line;                       /* from 1 */
};

/*
 * Calls entry() for each key and warning() (NULL: none) for each unreadable line. A '#' begins a
 * comment at the start of a line or after white space, unless a hex digit follows ("#2e3440" is a
 * value).
 */
void nsc_ini_parse(struct nsc_text text,
                   void (*entry)(void *context, const struct nsc_ini_entry *entry),
                   void (*warning)(void *context, unsigned line, const char *what), void *context);

#endif
