/*
 * The tools: what a client sees of each, docs/json/tools.json, and the command line that a call of one
 * stands for.
 */
#ifndef NSC_SERVE_TOOL_H
#define NSC_SERVE_TOOL_H

#include "core/argv.h"
#include "core/json.h"

struct nsc_tool_file {
    const char *name, *text;
};
extern const struct nsc_tool_file nsc_tool_files[]; /* the first is the tools' */
extern const unsigned nsc_n_tool_files;

#define NSC_LINE_FDS   4
#define NSC_TOOL_BYTES 20000 /* of an answer, by default */

/* A call: the words of a command line and the files that it reads. All zero is empty; free with fini. */
struct nsc_tool_call {
    struct nsc_argv words;       /* without the name of the program */
    struct nsc_argv files;       /* that are loaded ahead, as one trace */
    bool is_json;                /* it prints JSON, else a screen */
    int64_t most;                /* bytes of the answer; 0: any number */
    struct nsc_argv environment; /* of a client's own command line */
    int fds[NSC_LINE_FDS];       /* and its standard descriptors and folder, if has_fds; owned */
    bool has_fds;
};

/*
 * Turns the arguments, an object of the tree or NSC_NONE, into a command line. files: those that a
 * call without files means. NSC_ENODATA: no tool has this name; NSC_EINVAL with what to give.
 */
NSC_NODISCARD enum nsc_status nsc_tool_call_parse(struct nsc_tool_call *call, struct nsc_text name,
                                                  const struct nsc_json_tree *tree,
                                                  uint32_t arguments, const struct nsc_argv *files,
                                                  struct nsc_error *error);
/* Adds the plain values of a list as words. False: one is none. */
bool nsc_tool_words(struct nsc_argv *out, const struct nsc_json_tree *tree, uint32_t node);
void nsc_tool_call_fini(struct nsc_tool_call *call);

#endif
