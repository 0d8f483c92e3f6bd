/*
 * nsyscope ask: finds the skills that share words with a question and prints their answers as
 * evidence; --llm passes both to a command of the user's.
 */
#include "cli/commands.h"
#include "cli/field_reader.h"
#include "cli/skill_list.h"
#include "cli/subprocess.h"

#include <stdio.h>

enum { MOST_SKILLS = 4, EVIDENCE_LIMIT = 64 << 20 };

struct answer {
    struct nsc_skill_list list;
    struct nsc_route routes[MOST_SKILLS];
    uint32_t n;
    struct nsc_sheets sheets;
    struct nsc_kept_relations kept;
};

struct routing_row {
    const char *skill, *words, *answers;
    uint32_t score;
};

static void add_routing(struct answer *answer, const char *question)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(routing_row, skill, "skill", "Skill"),
        NSC_COL_COUNT(routing_row, score, "score", "Score"),
        NSC_COL_TEXT(routing_row, words, "words", "By the words"),
        NSC_COL_TEXT(routing_row, answers, "answers", "What it answers"),
    };
    struct nsc_sheet *sheet = nsc_sheets_add(&answer->sheets, "routing", "Who answers", columns, 4);

    for (uint32_t i = 0; i < answer->n; i++) {
        const struct nsc_route *route = &answer->routes[i];

        NSC_ADD_ROW(sheet, routing_row, .skill = answer->list.entries[route->entry].name,
                    .score = route->score, .words = route->matched,
                    .answers = answer->list.entries[route->entry].question);
    }
    nsc_sheet_note(sheet, "Question: %s", question);
    if (answer->routes[0].score == 0)
        nsc_sheet_note(sheet, "No skill has a word of it, so this is the summary; nsyscope skill "
                              "list shows what can be asked.");
}

/* Without a matching word the summary answers. */
static void find_routes(struct answer *answer, const char *question)
{
    struct nsc_error ignored = {0};

    answer->n =
        nsc_route_find(answer->routes, MOST_SKILLS, answer->list.entries, answer->list.n, question);
    if (answer->n > 0)
        return;
    answer->routes[0] =
        (struct nsc_route){.entry = nsc_skill_list_find(&answer->list, "gpu_summary", &ignored)};
    answer->n = 1;
}

static enum nsc_status gather(struct answer *answer, struct nsc_asked *asked,
                              const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_field_reader fields;
    enum nsc_status status;
    const struct nsc_skill_asking asking = {&answer->sheets, &answer->kept, asked, &fields.sets,
                                            options};

    nsc_field_reader_init(&fields, asked->capture, asked->trace);
    add_routing(answer, options->operands[1]);
    for (uint32_t i = 0; i < answer->n; i++)
        nsc_skill_list_ask(&asking, &answer->list, answer->routes[i].entry);
    status = nsc_field_reader_check(&fields, asked, error);
    nsc_field_reader_fini(&fields);
    return status;
}

/*
 * A shell runs the user's command line, which may have quotes and pipes. Nothing of the export
 * becomes part of it: question and evidence go to its standard input.
 */
static int ask_model(struct answer *answer, struct nsc_asked *asked,
                     const struct nsc_options *options)
{
    char shell[] = "sh";
    char flag[] = "-c";
    struct nsc_buf command = NSC_BUF_INIT(1 << 20);
    struct nsc_sheet_style style = {.format = NSC_SHEET_AS_MD, .kind = "nsyscope.ask"};
    struct nsc_buf input = NSC_BUF_INIT(EVIDENCE_LIMIT);
    struct nsc_subprocess_options run = {.has_input = true};
    struct nsc_error error = {0};
    int status = 0;
    enum nsc_status ran;

    nsc_buf_puts(&command, options->arg[NSC_OPTION_LLM][0]);
    nsc_buf_printf(&input,
                   "Answer the question about a GPU trace from the evidence alone. Say which rows "
                   "you rely on, and what the evidence cannot tell.\n\nQuestion: %s\n\nEvidence "
                   "(nsyscope, Markdown):\n\n",
                   options->operands[1]);
    for (size_t i = 0; i < asked->notes.n; i++)
        nsc_buf_printf(&input, "Note: %s\n\n", asked->notes.at[i]);
    nsc_sheets_write(&input, &answer->sheets, &style);
    run.input = nsc_text_of_buf(&input);
    ran = nsc_subprocess_run(&status, (char *const[]){shell, flag, command.bytes, NULL}, &run,
                             &error);
    nsc_buf_fini(&input);
    if (ran == NSC_OK && status != 0)
        (void)nsc_fail(&error, NSC_EINVAL, "--llm %.80s: ended with status %d", command.bytes,
                       status);
    nsc_buf_fini(&command);
    return error.status == NSC_OK ? NSC_EXIT_DONE : nsc_complain(&error);
}

int nsc_cmd_ask(const struct nsc_options *options)
{
    struct answer answer = {0};
    struct nsc_error error = {0};
    struct nsc_asked asked;
    int result;

    if (!options->operands[1] || !options->operands[1][0]) {
        (void)nsc_fail(&error, NSC_EINVAL, "give FILE and a question in quotes");
        return nsc_complain(&error);
    }
    if (nsc_asked_open_file(&asked, options->file, options, &error) != NSC_OK)
        return nsc_complain(&error);
    nsc_skill_list_init(&answer.list);
    find_routes(&answer, options->operands[1]);
    if (gather(&answer, &asked, options, &error) != NSC_OK)
        result = nsc_complain(&error);
    else if (options->set[NSC_OPTION_LLM])
        result = ask_model(&answer, &asked, options);
    else
        result = nsc_asked_print(&asked, &answer.sheets, "nsyscope.ask");
    nsc_sheets_fini(&answer.sheets);
    nsc_kept_relations_fini(&answer.kept);
    nsc_skill_list_fini(&answer.list);
    nsc_asked_close(&asked);
    return result;
}
