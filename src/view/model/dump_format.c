/* The table of formats, and lookup in it. */
#include "view/model/dump_format.h"

#include "core/text.h"

const struct nsc_dump_format_row nsc_dump_formats[NSC_N_DUMP_FORMATS] = {
#define NSC_DUMP_FORMAT(id, name, ending, help) {name, ending, help},
#include "view/model/dump_format.def"
};

enum nsc_dump_format nsc_dump_format_find(struct nsc_text name)
{
    return (enum nsc_dump_format)NSC_TEXT_AMONG(name, nsc_dump_formats);
}
