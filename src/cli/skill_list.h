/* All skills, those in C, answers that are files, and the user's own, as one list. */
#ifndef NSC_CLI_SKILL_LIST_H
#define NSC_CLI_SKILL_LIST_H

#include "analysis/skill/route.h"
#include "analysis/skill/skill.h"
#include "cli/scope_options.h"
#include "query/answer_file.h"

struct nsc_skill_list {
    struct nsc_answers answers;
    struct nsc_skill *skills;        /* owned: skill.def's, then answers by name, then the user's */
    struct nsc_route_entry *entries; /* owned: of each skill */
    uint32_t n, n_program;           /* n_program: before the user's */
};

/* With the files *.sql in nsyscope/skills of the user's config folder, which replace skills of the
 * program with the same name. An invalid file is skipped, with a warning on stderr. */
void nsc_skill_list_init(struct nsc_skill_list *list);
/* Those of the program alone. */
void nsc_skill_list_init_program(struct nsc_skill_list *list);
void nsc_skill_list_fini(struct nsc_skill_list *list);
/* The index of the skill with this name; NSC_NONE if there is none, with the nearest name in *error
 * (NSC_EINVAL). */
uint32_t nsc_skill_list_find(const struct nsc_skill_list *list, const char *name,
                             struct nsc_error *error);

/* The skill of the program with this name, also if the user has another one; NULL: none. */
const struct nsc_skill *nsc_skill_list_program(const struct nsc_skill_list *list, const char *name);

/* Asks skill i with its defaults and adds its sheets to out; they borrow from the list. A failed
 * query gives a sheet with the error. */
void nsc_skill_list_ask(struct nsc_sheets *out, const struct nsc_skill_list *list, uint32_t i,
                        const struct nsc_loaded_scope *loaded);

/* Whether several exports are asked at once: by a file of SQL about the trace. */
bool nsc_skill_is_of_all(const struct nsc_skill *skill);

/* Notes that the profiler lost events, if it did: before anything is concluded from the hole. Returns whether. */
bool nsc_loss_note(struct nsc_loaded_scope *loaded);

/* Asks n questions of skills about a loaded export, with the columns beside its index, and adds their
 * sheets to out. The questions hold the parameters; the function fills in the scope and the rest.
 * NSC_EIO: a query failed. */
NSC_NODISCARD enum nsc_status nsc_skills_ask(struct nsc_sheets *out,
                                             struct nsc_loaded_scope *loaded,
                                             const struct nsc_question questions[], unsigned n,
                                             struct nsc_error *error);

enum { NSC_ASKED_SKILLS = 3 };

/* Skills that a command asks of exports, with the parameters of the command line. */
struct nsc_asked {
    const char *kind;          /* see nsc_loaded_scope_print */
    enum nsc_kind first, last; /* of the events that the answers come from */
    const char *events;        /* their name in messages; NULL: from anything */
    unsigned n;
    struct nsc_question questions[NSC_ASKED_SKILLS];
    bool is_found; /* at least one export has an answer or such events */
};
void nsc_asked_add(struct nsc_asked *asked, const struct nsc_skill *skill);
/* Asks, and prints tables without rows too. NSC_ENODATA: no export has such events. */
enum nsc_status nsc_asked_walk(struct nsc_asked *asked, const struct nsc_options *options,
                               struct nsc_files files, struct nsc_error *error);

#endif
