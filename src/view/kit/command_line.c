/* Splits a line into a command and its arguments. */
#include "view/kit/command_line.h"

#include "core/text.h"
#include "view/kit/words.h"

const struct nsc_command_line_row nsc_command_lines[NSC_N_COMMAND_LINES] = {
#define NSC_COMMAND_LINE(id, name, arguments, help) {name, arguments, help},
#include "view/kit/command.def"
#undef NSC_COMMAND_LINE
};

enum nsc_command_line nsc_command_line_find(struct nsc_text name)
{
    for (unsigned i = 0; i < NSC_N_COMMAND_LINES; i++)
        if (nsc_text_is(name, nsc_command_lines[i].name))
            return (enum nsc_command_line)i;
    return NSC_N_COMMAND_LINES;
}

struct nsc_text nsc_command_line_split(struct nsc_text line, struct nsc_text *arguments)
{
    struct nsc_text name = nsc_word_next(&line);

    *arguments = nsc_text_trim(line);
    return name;
}
