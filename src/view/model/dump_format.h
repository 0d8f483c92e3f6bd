/* The formats for exporting events, by name: share/dump writes them, the screen offers them. */
#ifndef NSC_VIEW_MODEL_DUMP_FORMAT_H
#define NSC_VIEW_MODEL_DUMP_FORMAT_H

#include "analysis/ranges/flame.h"

enum nsc_dump_format {
#define NSC_DUMP_FORMAT(id, name, ending, help) NSC_DUMP_##id,
#include "view/model/dump_format.def"
    NSC_N_DUMP_FORMATS
};

/* A row of dump_format.def. */
struct nsc_dump_format_row {
    const char *name;   /* "chrome", "perfetto", ... */
    const char *ending; /* the usual one of a file name: "json", "perfetto-trace", ... */
    const char *help;   /* the purpose, in a few words */
};

extern const struct nsc_dump_format_row nsc_dump_formats[NSC_N_DUMP_FORMATS];

/* Whether it needs call stacks. */
static inline bool nsc_dump_has_stacks(enum nsc_dump_format format)
{
    return format == NSC_DUMP_FOLDED_SAMPLES || format == NSC_DUMP_FOLDED_OWN;
}

/* The kind of flame graph that a format of folded stacks has: they are in one order. */
static inline enum nsc_flame_by nsc_dump_flame(enum nsc_dump_format format)
{
    return (enum nsc_flame_by)(format - NSC_DUMP_FOLDED);
}

/* NSC_N_DUMP_FORMATS if there is none with that name. */
enum nsc_dump_format nsc_dump_format_find(struct nsc_text name);

#endif
