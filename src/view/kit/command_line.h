/*
 * The table of what the command line understands, and finding in it. All of it comes from
 * command.def.
 */
#ifndef NSC_VIEW_KIT_COMMAND_LINE_H
#define NSC_VIEW_KIT_COMMAND_LINE_H

#include "nsyscope/types.h"

#include "core/buf.h"

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

/* NSC_N_COMMAND_LINES when there is none of that name. */
enum nsc_command_line nsc_command_line_find(struct nsc_text name);
/* The first word of a line, and what follows without the blanks around it. */
struct nsc_text nsc_command_line_split(struct nsc_text line, struct nsc_text *arguments);
/*
 * Completing name by name: true, and the name appended, when it begins with stem and *i is 0. *i
 * counts down the names that begin so.
 */
bool nsc_command_line_offer(struct nsc_buf *out, const char *name, struct nsc_text stem,
                            uint32_t *i);
/* Appends the i-th word of a list, separated by spaces, that begins with stem; false past the
 * last. */
bool nsc_command_line_complete(struct nsc_buf *out, const char *words, struct nsc_text stem,
                               uint32_t i);

#endif
