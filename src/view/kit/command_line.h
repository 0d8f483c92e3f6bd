/* The table of commands of the command line, from command.def, and lookup in it. */
#ifndef NSC_VIEW_KIT_COMMAND_LINE_H
#define NSC_VIEW_KIT_COMMAND_LINE_H

#include "nsyscope/types.h"

enum nsc_command_line {
#define NSC_COMMAND_LINE(id, name, arguments, help) NSC_COMMAND_LINE_##id,
#include "view/kit/command.def"
#undef NSC_COMMAND_LINE
    NSC_N_COMMAND_LINES
};

struct nsc_command_line_row {
    const char *name, *arguments, *help;
};
extern const struct nsc_command_line_row nsc_command_lines[NSC_N_COMMAND_LINES];

/* NSC_N_COMMAND_LINES if there is none with that name. */
enum nsc_command_line nsc_command_line_find(struct nsc_text name);
/* The first word of a line; *rest is the remainder without blanks around it. */
struct nsc_text nsc_command_line_split(struct nsc_text line, struct nsc_text *arguments);

#endif
