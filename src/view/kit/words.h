/* Words that are typed: of settings files, commands, and how well a name matches. */
#ifndef NSC_VIEW_KIT_WORDS_H
#define NSC_VIEW_KIT_WORDS_H

#include "nsyscope/types.h"

/* The next word of text; text moves past it. n == 0 at the end. Words end at blanks and tabs. */
struct nsc_text nsc_word_next(struct nsc_text *text);

/* Copies text into out, which has room for it and the NUL; they may overlap. */
void nsc_text_keep(char out[], struct nsc_text text);

/* A list of words with spaces between them: how many, one of them, and where one is; their number if it is
 * none. */
uint32_t nsc_words_count(const char *words);
struct nsc_text nsc_words_at(const char *words, uint32_t i);
uint32_t nsc_words_find(const char *words, struct nsc_text wanted);

/* Warns about a line: "before 'text' after", with text of the file cleaned. Does nothing without a
 * function. */
struct nsc_word_warner {
    void (*warning)(void *context, unsigned line, const char *what); /* may be NULL */
    void *context;
};

void nsc_word_warn(const struct nsc_word_warner *warner, unsigned line, const char *before,
                   struct nsc_text text, const char *after);

/* Passes a warning of a whole line on; context begins with a warner. */
void nsc_word_warn_line(void *context, unsigned line, const char *what);

/* ---- commands ---- */

enum nsc_command_line {
#define NSC_COMMAND_LINE(id, name, arguments, help, run) NSC_COMMAND_LINE_##id,
#include "view/kit/command.def"
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

/* ---- scores ---- */

#define NSC_FUZZY_NONE INT32_MIN /* the text lacks the pattern's characters in this order */

/*
 * The score of a text; greater is better. The text must contain all bytes of the pattern, without
 * its blanks, in order; ASCII letters match in any case. The score is the maximum over all
 * placements: 1000 for a byte that follows the previous one, 800 at the start of a word, 700 for a
 * capital inside a word, 0 elsewhere; minus 5 for each byte before the first and after the last,
 * minus 10 for each between two. An empty pattern scores 0. Only the first 256 bytes of a text are
 * compared. A pattern longer than 64 bytes matches nothing.
 */
int32_t nsc_fuzzy_score(struct nsc_text text, struct nsc_text pattern);

#endif
