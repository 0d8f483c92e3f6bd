/*
 * Answers that are files: a header of comments, then a SELECT about the trace (query/query.h), or
 * about the export's own tables.
 *
 *     -- name: longest_copies
 *     -- question: Which copies take longest?
 *     -- words: copy* slow
 *     -- category: memory
 *     -- window: whole                          whole, steady or own; see skill.h
 *     -- needs: copy "copies"                   a table of events: without rows there is no answer
 *     -- param: limit count 15 "most rows; 0: all"
 *     -- column start_ns time "Start"           the columns of the SELECT, in order
 *     -- column share percent "Share" of "all copies"
 *     -- note: A line below the rows.           also note-if: SELECT a text WHERE ..., once for each row,
 *                                               also below no rows
 *     -- empty: There are no copies.            below no rows
 *     -- left-out: SELECT the number of rows that the query cuts off
 *     SELECT start AS start_ns, ...
 *     -- sheet: next "Another table"            with its own columns, notes and SELECT
 *
 * docs/SKILLS.md describes every line; all are optional. A parameter is bound as :NAME, and NULL
 * if it is not given; :window_start and :window_end are those of the question. A parameter "limit"
 * of type count cuts the rows of the first SELECT: the program adds the LIMIT, and counts the rest.
 * If a SELECT names :limit, the answer cuts its rows itself.
 *
 * An answer is a skill (analysis/skill/skill.h): whoever lists or runs skills need not tell them
 * apart.
 */
#ifndef NSC_QUERY_ANSWER_FILE_H
#define NSC_QUERY_ANSWER_FILE_H

#include "nsyscope/status.h"

#include "analysis/skill/skill.h"
#include "core/arena.h"
#include "core/vec.h"

/* A text of src/query/answers, by file name without its ending. */
struct nsc_answer_file {
    const char *name, *text;
};
extern const struct nsc_answer_file nsc_answer_files[];
extern const unsigned nsc_n_answer_files;
/* Those of src/analysis/hotspots: tables of the hotspot report, which no list shows. */
extern const struct nsc_answer_file nsc_table_files[];
extern const unsigned nsc_n_table_files;
/* Those of src/analysis/stats: reports of stats (query/stats_answer.h). */
extern const struct nsc_answer_file nsc_stats_files[];

struct nsc_answer_note {
    bool is_query; /* text is a SELECT of the note */
    const char *text;
};

/* A table of an answer. */
struct nsc_answer_sheet {
    const char *key, *title;
    NSC_VEC(struct nsc_sheet_column) columns; /* ended by a NULL key; none: those of the rows */
    NSC_VEC(struct nsc_answer_note) notes;
    const char *empty;    /* NULL: none */
    const char *left_out; /* a SELECT of a number; NULL: none */
    const char *sql;
    unsigned line; /* of sql in the file, from 1 */
};

struct nsc_answer {
    struct nsc_skill skill;
    const char *file; /* for messages */
    bool is_program;  /* compiled in */
    bool is_raw;      /* "tables: export": about the export's own tables */
    bool has_limit;
    NSC_VEC(struct nsc_answer_sheet) sheets;
    NSC_VEC(struct nsc_param_row) params;
};

struct nsc_answers {
    struct nsc_arena arena;
    NSC_VEC(struct nsc_answer *) list; /* the program's by name, then those added */
};

/* The answers of the program. */
void nsc_answers_init(struct nsc_answers *answers);
/* The tables of the report. */
void nsc_answers_init_tables(struct nsc_answers *answers);
void nsc_answers_fini(struct nsc_answers *answers);
/* Adds the answer of a file; it replaces a skill of the program with its name. path: for messages
 * and, without a name in the header, for its name; copied, like the text. NSC_EINVAL: names file
 * and line. */
NSC_NODISCARD enum nsc_status nsc_answers_add(struct nsc_answers *answers, const char *path,
                                              struct nsc_text text, struct nsc_error *error);

/* Answers question->skill: as nsc_skill.run. */
void nsc_answer_run(struct nsc_sheets *out, const struct nsc_question *question);
/* Adds the sheets of the answer with that name: those of a report, an nsc_hotspots_ask. answers:
 * struct nsc_answers, which the sheets borrow. params: "limit=30" ..., ended by NULL; NULL: none. */
void nsc_answer_tables(struct nsc_sheets *out, const void *answers, const char *name,
                       const struct nsc_scope *scope, const char *const params[]);

#endif
