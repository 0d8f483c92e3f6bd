/*
 * The formats in which events are given to other programs, by name: what share/dump writes and the
 * screen offers.
 */
#ifndef NSC_VIEW_MODEL_DUMP_FORMAT_H
#define NSC_VIEW_MODEL_DUMP_FORMAT_H

#include "nsyscope/types.h"

enum nsc_dump_format {
#define NSC_DUMP_FORMAT(id, name, ending, help) NSC_DUMP_##id,
#include "view/model/dump_format.def"
#undef NSC_DUMP_FORMAT
    NSC_N_DUMP_FORMATS
};

/* "chrome", "perfetto", ... Borrowed for ever, as are the others. */
const char *nsc_dump_format_name(enum nsc_dump_format format);
/* How files of it usually end: "json", "perfetto-trace", ... */
const char *nsc_dump_format_ending(enum nsc_dump_format format);
/* What it is for, a few words. */
const char *nsc_dump_format_help(enum nsc_dump_format format);
/* NSC_N_DUMP_FORMATS when there is none of that name. */
enum nsc_dump_format nsc_dump_format_find(struct nsc_text name);

#endif
