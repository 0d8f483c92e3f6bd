/* The formats for exporting events, by name: share/dump writes them, the screen offers them. */
#ifndef NSC_VIEW_MODEL_DUMP_FORMAT_H
#define NSC_VIEW_MODEL_DUMP_FORMAT_H

#include "nsyscope/types.h"

enum nsc_dump_format {
#define NSC_DUMP_FORMAT(id, name, ending, help) NSC_DUMP_##id,
#include "view/model/dump_format.def"
#undef NSC_DUMP_FORMAT
    NSC_N_DUMP_FORMATS
};

/* "chrome", "perfetto", ... Static, like the others. */
const char *nsc_dump_format_name(enum nsc_dump_format format);
/* The usual file name ending: "json", "perfetto-trace", ... */
const char *nsc_dump_format_ending(enum nsc_dump_format format);
/* The purpose, in a few words. */
const char *nsc_dump_format_help(enum nsc_dump_format format);
/* NSC_N_DUMP_FORMATS if there is none with that name. */
enum nsc_dump_format nsc_dump_format_find(struct nsc_text name);

#endif
