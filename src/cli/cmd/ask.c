/*
 * nsyscope ask: answers a question in people's words with sentences, evidence and a next step.
 * --llm passes the question and the sheets of the matching skills to the user's command.
 */
#include "analysis/device/gaps.h"
#include "analysis/skill/route.h"
#include "cli/ask_scope.h"
#include "cli/commands.h"
#include "cli/sandbox.h"
#include "cli/skill_list.h"
#include "core/argv.h"
#include "core/units.h"
#include "fleet/late_sheets.h"
#include "open/subprocess.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SKILLS = 4, EVIDENCE_LIMIT = 64 << 20 };

struct answer {
    struct nsc_skill_list list;
    struct nsc_sheets sheets;
    bool is_torn; /* the profiler lost events */
};

/* Asks the skills whose words the question has; the summary if there is none. */
static enum nsc_status gather(struct answer *answer, struct nsc_loaded_scope *loaded,
                              const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_error ignored = {0};
    struct nsc_route routes[MOST_SKILLS] = {
        {.entry = nsc_skill_list_find(&answer->list, "gpu_summary", &ignored)}};
    uint32_t n = nsc_route_find(routes, MOST_SKILLS, answer->list.entries, answer->list.n,
                                options->operands[1]);

    nsc_loaded_scope_steady(loaded);
    for (uint32_t i = 0; i < n || i == 0; i++)
        nsc_skill_list_ask(&answer->sheets, &answer->list, routes[i].entry, loaded);
    return nsc_loaded_scope_check(loaded, error);
}

/* Writes question and evidence: at most EVIDENCE_LIMIT bytes, in whole lines. */
static enum nsc_status write_evidence(int fd, const struct answer *answer,
                                      const struct nsc_loaded_scope *loaded,
                                      struct nsc_error *error)
{
    struct nsc_sheet_style style = {.format = NSC_SHEET_AS_MD};
    struct nsc_error cut = {NSC_OK, "warning: the evidence is cut at 64 MiB; ask less at once"};
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status;

    nsc_buf_printf(&text,
                   "Answer the question about a GPU trace from the evidence alone. Say which rows "
                   "you rely on, and what the evidence cannot tell.\n\nQuestion: %s\n\nEvidence "
                   "(nsyscope, Markdown):\n\n",
                   loaded->options->operands[1]);
    for (size_t i = 0; i < loaded->notes.n; i++)
        nsc_buf_printf(&text, "Note: %s\n\n", loaded->notes.at[i]);
    nsc_sheets_write(&text, &answer->sheets, &style);
    if (text.n > EVIDENCE_LIMIT) {
        for (text.n = EVIDENCE_LIMIT; text.bytes[text.n - 1] != '\n';)
            text.n--;
        nsc_buf_puts(&text, "\nNote: the evidence is cut here.\n");
        (void)nsc_complain(&cut);
    }
    status = nsc_subprocess_write(fd, nsc_text_of_buf(&text), error);
    nsc_buf_fini(&text);
    return status;
}

/* ---- in sentences ---- */

enum { EVIDENCE_ROWS = 3, EVIDENCE_CELLS = 6, NEAR = 3 };

struct answer_row {
    const char *part;
    struct nsc_text text;
};

static const struct nsc_sheet_column answer_columns[] = {
    NSC_COL_TEXT(answer_row, part, "part", "Part"),
    NSC_COL_TEXT(answer_row, text, "text", "Text"),
};

static void add_part(struct nsc_sheet *sheet, const char *part, const struct nsc_buf *text)
{
    NSC_ADD_ROW(sheet, answer_row, .part = part, .text = nsc_text_of_buf(text));
}

NSC_PRINTF(3, 4)
static void say(struct nsc_sheet *sheet, const char *part, const char *format, ...)
{
    char line[NSC_SHEET_NOTE_BYTES];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    NSC_ADD_ROW(sheet, answer_row, .part = part, .text = nsc_text_from(line));
}

/* Adds rows of a sheet, starting at the answering one and going on from the top after the last:
 * "Title value, Title value". */
static void add_evidence(struct nsc_sheet *out, const struct nsc_sheet *sheet, uint32_t first)
{
    uint32_t rows = nsc_sheet_rows(sheet);

    for (uint32_t i = 0; i < rows && i < EVIDENCE_ROWS; i++) {
        uint32_t r = (first + i) % rows;
        struct nsc_buf text = NSC_BUF_INIT(2048);
        unsigned n = 0;

        for (uint32_t c = 0; c < sheet->n_columns && n < EVIDENCE_CELLS; c++) {
            if (!nsc_sheet_at(sheet, r, c)->is_set)
                continue;
            nsc_buf_printf(&text, "%s%s ", n++ ? ", " : "", sheet->columns[c].title);
            nsc_sheet_show(&text, sheet, r, c, nsc_output_is_ascii());
        }
        add_part(out, "Evidence", &text);
        nsc_buf_fini(&text);
    }
}

/* A question and its scope. */
struct put_question {
    const struct nsc_skill_list *list;
    const struct nsc_narrowing *narrowing;
    const struct nsc_ask_scope *place;
    const struct nsc_loaded_scope *loaded;
    bool is_torn; /* the profiler lost events */
};

/* Whether the question's name occurs only in API calls. */
static bool asks_calls(const struct nsc_narrowing *of, const struct nsc_buf *params)
{
    return of->name[0] && of->is_call && params->n > 0;
}

static enum nsc_status set_params(struct nsc_question *question, const struct nsc_buf *params,
                                  const struct nsc_narrowing *of, struct nsc_error *error)
{
    struct nsc_error ignored = {0};
    enum nsc_status status = NSC_OK;

    if (params->n > 0)
        status = nsc_question_set(question, params->bytes, error);
    if (status == NSC_OK && asks_calls(of, params))
        status = nsc_question_set(question, "type=call", error);
    if (of->gpu >= 0 && nsc_question_set(question, "limit=0", &ignored) != NSC_OK)
        ignored.status = NSC_OK; /* without a limit no row of this GPU is dropped */
    return status;
}

/* What the skill of a row says. */
struct reply {
    const struct nsc_people_question *row;
    struct nsc_sheets sheets;
    const struct nsc_sheet *sheet;
    uint32_t at;         /* its row that answers; NSC_NONE */
    struct nsc_buf text; /* the answer */
    struct nsc_buf unheard;
    uint32_t n_unheard; /* words of the question that it leaves out */
};

static void reply_fini(struct reply *reply)
{
    nsc_sheets_fini(&reply->sheets);
    nsc_buf_fini(&reply->text);
    nsc_buf_fini(&reply->unheard);
}

/* "Between 1 s and 2 s: GPU 0 is idle ...", and the words that it leaves out. */
static void write_reply(struct reply *reply, const struct put_question *of)
{
    static const char whys[] = "findings idle dependencies critical_path bound iteration_detail";
    const struct nsc_people_question *row = reply->row;
    const struct nsc_skill *skill = nsc_skill_list_program(of->list, row->skill);
    const char *heard[] = {row->words, skill->words, skill->question, "", of->narrowing->name, ""};

    if (of->place->words[0])
        nsc_buf_printf(&reply->text, "%s: ", of->place->words);
    if (reply->at == NSC_NONE && of->narrowing->gpu >= 0 && reply->sheet &&
        nsc_sheet_rows(reply->sheet) > 0)
        nsc_buf_printf(&reply->text, "GPU %" PRId64 " has no part in this; other GPUs have.",
                       of->narrowing->gpu);
    else
        nsc_people_question_answer(&reply->text, row, of->narrowing, &reply->sheets, reply->at,
                                   nsc_output_is_ascii());
    heard[3] = reply->text.bytes;
    if (strstr(whys, row->skill))
        heard[5] = "why cause* reason* because hold* block* hurt* slow* improve* reduc* remov* "
                   "avoid* fix* chang*";
    reply->n_unheard = nsc_route_unheard(&reply->unheard, of->narrowing->rest, heard,
                                         sizeof heard / sizeof *heard);
}

/* Without an answer, a finding that names one of the words is it. */
static enum nsc_status reply_init(struct reply *out, const struct nsc_people_question *row,
                                  const struct put_question *of, const char *words,
                                  struct nsc_error *error)
{
    const struct nsc_skill *skill = nsc_skill_list_program(of->list, row->skill);
    struct nsc_question question =
        nsc_question_of(skill, &of->loaded->scope, &of->loaded->fields.sets);
    struct nsc_buf params = NSC_BUF_INIT(1024);
    enum nsc_status status;

    *out = (struct reply){.text = NSC_BUF_INIT(4096), .unheard = NSC_BUF_INIT(NSC_NARROW_BYTES)};
    nsc_people_question_params(&params, row, of->narrowing);
    status = set_params(&question, &params, of->narrowing, error);
    nsc_skill_run(&out->sheets, &question);
    do {
        out->row = row;
        out->sheet = nsc_people_question_sheet(&out->at, row, of->narrowing, &out->sheets);
        row = nsc_people_question_next(row);
    } while (out->at == NSC_NONE && row);
    if (out->at == NSC_NONE && strchr(out->row->sheet, '='))
        out->at = nsc_people_question_named_finding(&out->sheets, words);
    write_reply(out, of);
    nsc_buf_fini(&params);
    return status;
}

/* Asks the row, and for findings of the cause: nothing is denied that one of them states. */
static enum nsc_status find_reply(struct reply *out, const struct nsc_people_question *row,
                                  const struct put_question *of, struct nsc_error *error)
{
    bool is_first;
    const struct nsc_people_question *cause =
        nsc_people_question_cause(&is_first, of->narrowing, row);
    const struct nsc_people_question *second = is_first ? row : cause;
    enum nsc_status status = reply_init(out, is_first ? cause : row, of, "", error);
    bool has_answer = out->at != NSC_NONE;
    struct reply other = {.at = NSC_NONE};

    if (status != NSC_OK || (has_answer && (is_first || out->n_unheard == 0)) ||
        (!is_first && strcmp(second->skill, out->row->skill) == 0))
        return status;
    if (has_answer) /* only a finding that names what it leaves out is better */
        second = nsc_people_question_cause(&is_first, of->narrowing, cause);
    status = reply_init(&other, second, of, has_answer ? out->unheard.bytes : of->narrowing->rest,
                        error);
    if (is_first || other.at != NSC_NONE) {
        reply_fini(out);
        *out = other;
    } else {
        reply_fini(&other);
    }
    if (out->at == NSC_NONE && cause->words[0] && !of->narrowing->is_cpu_only)
        nsc_buf_puts(&out->text, of->is_torn ? " The profiler lost events: no finding tells."
                                             : " No finding is about it.");
    return status;
}

static void write_answer(struct nsc_sheet *out, const struct reply *reply,
                         const struct put_question *of)
{
    struct nsc_buf params = NSC_BUF_INIT(1024);
    struct nsc_buf line = NSC_BUF_INIT(8192);
    const char *doubt = nsc_gap_doubt(of->loaded->scope.trace);

    add_part(out, "Answer", &reply->text);
    if (reply->at != NSC_NONE)
        add_evidence(out, reply->sheet, reply->at);
    if (reply->at == NSC_NONE)
        say(out, "Confidence", "the recording does not tell more");
    else if (reply->n_unheard > 0)
        say(out, "Confidence", "measured, but not about %s: the question nearest to yours",
            reply->unheard.bytes);
    else if (doubt && strstr(reply->text.bytes, nsc_gap_part_word(NSC_GAP_CPU)))
        say(out, "Confidence", "measured; %s", doubt);
    else
        say(out, "Confidence", "measured from the recording");
    of->loaded->options->envelope->is_empty = reply->at == NSC_NONE;
    nsc_people_question_advice(&line, reply->row, &reply->sheets, reply->at);
    add_part(out, "Do", &line);
    line.n = 0;
    nsc_buf_printf(&line, "nsyscope skill run %s", reply->row->skill);
    nsc_people_question_params(&params, reply->row, of->narrowing);
    if (params.n > 0) {
        nsc_buf_puts(&line, " -p ");
        nsc_argv_quote(&line, params.bytes);
    }
    nsc_buf_printf(&line, "%s FILE%s", asks_calls(of->narrowing, &params) ? " -p type=call" : "",
                   of->place->options);
    add_part(out, "Check with", &line);
    nsc_buf_fini(&params);
    nsc_buf_fini(&line);
}

/* Declines a question that the table lacks, or that the recording has no sign of, and names the
 * nearest. */
static void decline(struct nsc_sheet *out, const struct nsc_skill_list *list, const char *asks,
                    const struct nsc_narrowing *narrowing, const struct nsc_options *options)
{
    const struct nsc_people_question *near[NEAR];
    uint32_t n = nsc_people_questions_near(near, NEAR, asks);

    say(out, "Answer", "%s",
        narrowing->lacks_inference
            ? "No kernel or range of this recording tells of prefill or decode."
            : "This is no question that is answered here.");
    for (uint32_t i = 0; i < n; i++)
        say(out, "Nearest", "%s nsyscope skill run %s FILE",
            nsc_skill_list_program(list, near[i]->skill)->question, near[i]->skill);
    say(out, "Check with", "nsyscope skill list");
    options->envelope->is_empty = true;
}

static void answer_ranks(struct nsc_sheet *out, const struct nsc_loaded_scope *loaded)
{
    struct nsc_sheets sheets = {0};
    struct nsc_sheets work = {0}; /* of each GPU, if collectives do not distinguish the ranks */

    nsc_ranks_of_trace(&sheets, &loaded->scope, &loaded->fields.sets);
    say(out, "Answer", "%s", sheets.list.at[0].notes.at[0]);
    add_evidence(out, &sheets.list.at[0], 0);
    nsc_skill_run_named(&work, "breakdown", &loaded->scope, &loaded->fields.sets);
    if (nsc_sheet_rows(&sheets.list.at[2]) == 0 && nsc_sheet_rows(&work.list.at[0]) > 1)
        add_evidence(out, &work.list.at[0], 0);
    nsc_sheets_fini(&work);
    say(out, "Confidence", "%zu ranks and %zu groups of collectives are in this recording",
        (size_t)nsc_sheet_rows(&sheets.list.at[4]), (size_t)nsc_sheet_rows(&sheets.list.at[2]));
    say(out, "Do", "%s",
        nsc_sheet_rows(&sheets.list.at[0])
            ? "Follow the cause on the late rank; the others only wait."
            : "Give the exports of all ranks.");
    say(out, "Check with", "nsyscope ranks FILE...");
    nsc_sheets_fini(&sheets);
}

/* The index of the user's file that matches best, if no question of the table leads to its name;
 * NSC_NONE: none. */
static uint32_t find_query(const struct nsc_skill_list *list, const char *question)
{
    struct nsc_route route;

    return nsc_route_find(&route, 1, list->entries, list->n, question) > 0 &&
                   route.entry >= list->n_program &&
                   !nsc_people_question_of(list->entries[route.entry].name) && route.score > 2
               ? route.entry
               : NSC_NONE;
}

/* Answers with the reason against asking the question there. */
static enum nsc_status answer_why_not(struct nsc_sheet *sheet, const struct put_question *of)
{
    say(sheet, "Answer", "%s", of->place->why);
    say(sheet, "Confidence", "the recording does not tell more");
    of->loaded->options->envelope->is_empty = true;
    say(sheet, "Do", "%s",
        of->is_torn ? "Record a shorter time."
                    : "Ask of a time, a stream or an iteration that is recorded.");
    say(sheet, "Check with", "nsyscope %s FILE", of->narrowing->has_steps ? "iters" : "info");
    return NSC_OK;
}

/* Gives the row's answer in the question's scope. */
static enum nsc_status answer_there(struct answer *answer, struct nsc_loaded_scope *loaded,
                                    struct nsc_narrowing *narrowing,
                                    const struct nsc_people_question *row, struct nsc_error *error)
{
    struct nsc_sheet *sheet = &answer->sheets.list.at[0];
    const struct nsc_skill_list *list = &answer->list;
    struct nsc_ask_scope place = {0};
    struct put_question of = {list, narrowing, &place, loaded, answer->is_torn};
    struct nsc_scope whole = loaded->scope;
    struct reply reply;
    enum nsc_status status;

    if (answer->is_torn && strstr("idle bound breakdown dependencies critical_path", row->skill))
        (void)snprintf(
            place.why, sizeof place.why, "%s",
            "That is not known: the profiler lost events, and lost work may run while the GPU "
            "looks idle.");
    if (place.why[0] || !nsc_ask_narrow_time(&place, loaded, narrowing))
        return answer_why_not(sheet, &of);
    if (strstr(row->params, "{N}")) { /* the skill itself selects the iteration */
        loaded->scope = whole;
        place = (struct nsc_ask_scope){0};
    }
    status = nsc_ask_narrow_stream(&place, loaded, narrowing,
                                   nsc_skill_list_program(list, row->skill)->category, error);
    if (status == NSC_OK && !place.why[0])
        status = nsc_ask_narrow_length(&place, loaded, narrowing, error);
    if (status != NSC_OK)
        return status;
    if (place.why[0])
        return answer_why_not(sheet, &of);
    if (!narrowing->has_length)
        nsc_loaded_scope_steady(loaded);
    status = find_reply(&reply, row, &of, error);
    if (reply.at != NSC_NONE && reply.n_unheard > 1 && !strchr(reply.row->params, '{') &&
        reply.n_unheard > nsc_people_question_groups(reply.row, narrowing))
        decline(sheet, list, narrowing->rest, narrowing, loaded->options);
    else
        write_answer(sheet, &reply, &of);
    reply_fini(&reply);
    return status;
}

static enum nsc_status answer_question(struct answer *answer, struct nsc_loaded_scope *loaded,
                                       const struct nsc_options *options, struct nsc_error *error)
{
    const char *asks = options->operands[1];
    struct nsc_sheet *sheet =
        nsc_sheets_add(&answer->sheets, "answer", "Answer", answer_columns, 2);
    uint32_t query = find_query(&answer->list, asks);
    struct nsc_narrowing narrowing;
    const struct nsc_people_question *row;
    const struct nsc_people_question *elsewhere = nsc_people_question_elsewhere(asks);
    enum nsc_status status = NSC_OK;

    nsc_narrowing_read(&narrowing, asks);
    nsc_people_question_name(&narrowing, loaded->trace, asks);
    row = nsc_people_question_find(&narrowing, asks);
    nsc_sheet_note(sheet, "Question: %s", asks);
    answer->is_torn = nsc_loss_note(loaded);
    if (query != NSC_NONE) {
        say(sheet, "Answer", "Your own query answers: %s", answer->list.entries[query].question);
        say(sheet, "Check with", "nsyscope skill run %s FILE", answer->list.entries[query].name);
        nsc_loaded_scope_steady(loaded);
        nsc_skill_list_ask(&answer->sheets, &answer->list, query, loaded);
    } else if (elsewhere && elsewhere->sentence[0]) {
        say(sheet, "Answer", "%s", elsewhere->sentence);
        say(sheet, "Check with", "%s", elsewhere->advice);
    } else if (elsewhere && elsewhere->advice[0]) {
        answer_ranks(sheet, loaded);
    } else if (row && !elsewhere) {
        status = answer_there(answer, loaded, &narrowing, row, error);
    } else {
        decline(sheet, &answer->list, asks, &narrowing, options);
    }
    return status;
}

/* ---- the command ---- */

struct asking {
    const struct nsc_options *options;
    int evidence; /* a file that gets question and evidence; -1: prints an answer */
};

static enum nsc_status ask(const struct asking *asking, struct nsc_error *error)
{
    const struct nsc_options *options = asking->options;
    struct answer answer = {0};
    struct nsc_loaded_scope loaded;
    enum nsc_status status = nsc_loaded_scope_open_file(&loaded, options->file, options, error);

    if (status != NSC_OK)
        return status;
    nsc_skill_list_init(&answer.list);
    if (asking->evidence < 0) {
        status = answer_question(&answer, &loaded, options, error);
        if (status == NSC_OK)
            status = nsc_loaded_scope_print(&loaded, &answer.sheets, "nsyscope.ask", error);
    } else {
        status = gather(&answer, &loaded, options, error);
        if (status == NSC_OK)
            status = write_evidence(asking->evidence, &answer, &loaded, error);
    }
    nsc_sheets_fini(&answer.sheets);
    nsc_skill_list_fini(&answer.list);
    nsc_loaded_scope_close(&loaded);
    return status;
}

/* The process that reads the export starts no program. */
static int ask_apart(void *context)
{
    const struct asking *asking = context;
    struct nsc_error error = {0};

    nsc_limits_enter(asking->options);
    return ask(asking, &error) == NSC_OK ? NSC_EXIT_DONE : nsc_complain(&error);
}

/*
 * Runs the user's command line in a shell, because it may have quotes and pipes. Export data never
 * becomes part of it: question and evidence go to its standard input. This process does not read the
 * export, because the command needs its rights.
 */
static enum nsc_status ask_model(const struct nsc_options *options, struct nsc_error *error)
{
    const char *command = options->arg[NSC_OPTION_LLM][0];
    struct asking asking = {options, -1};
    struct nsc_argv argv = {0};
    enum nsc_status status = nsc_subprocess_input(&asking.evidence, error);
    int result = 0;

    if (status == NSC_OK)
        status = nsc_subprocess_fork(&result, ask_apart, &asking, error);
    if (status == NSC_OK && result == NSC_EXIT_DONE) {
        nsc_argv_add(&argv, "sh");
        nsc_argv_add(&argv, "-c");
        nsc_argv_add(&argv, command);
        status = nsc_subprocess_run(&result, nsc_argv_vector(&argv), asking.evidence, error);
        nsc_argv_fini(&argv);
        if (status == NSC_OK && result != 0)
            status =
                nsc_fail(error, NSC_EINVAL, "--llm %.80s: ended with status %d", command, result);
    }
    if (asking.evidence >= 0)
        close(asking.evidence);
    *options->exit_status = result;
    return status;
}

enum nsc_status nsc_cmd_ask(const struct nsc_options *options, struct nsc_error *error)
{
    if (!options->operands[1] || !options->operands[1][0])
        return nsc_fail(error, NSC_EINVAL, "give FILE and a question in quotes");
    return options->set[NSC_OPTION_LLM] ? ask_model(options, error)
                                        : ask(&(struct asking){options, -1}, error);
}
