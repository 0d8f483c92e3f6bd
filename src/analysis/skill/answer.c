/* Finds the row that a question means, and the name in it. */

#include "analysis/base/device_ops.h"
#include "analysis/skill/route.h"
#include "core/die.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 48, GROUP_BYTES = 256 };

static const struct nsc_people_question rows[] = {
#define NSC_QUESTION(words, skill, params, sheet, sentence, none, advice) \
    {words, #skill, params, sheet, sentence, none, advice},
#include "analysis/skill/question.def"
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* The words of a question, for the groups of a row. */
struct said {
    const char *text;
    bool has_number, has_name; /* names an iteration; a kernel or range */
};

/* Whether the question has a word of a group; "N" matches an iteration's number, "NAME" a name. */
static bool has_word_of(const struct said *said, const char *group)
{
    struct nsc_route_entry entry = {"", "", group};
    struct nsc_route route;

    if (strcmp(group, "N") == 0)
        return said->has_number;
    if (strcmp(group, "NAME") == 0)
        return said->has_name;
    return nsc_route_find(&route, 1, &entry, 1, said->text) > 0;
}

/* The number of matching groups of the best alternative; a number counts as three, a name as five. 0
 * if none matches. */
static uint32_t count_groups(const struct nsc_people_question *row, const struct said *said)
{
    const char *at = row->words;
    uint32_t most = 0;

    while (*at) {
        bool matches = true;
        uint32_t n = 0;

        for (at += strspn(at, "| "); *at && *at != '|'; at += strspn(at, ", ")) {
            char group[GROUP_BYTES];
            size_t length = strcspn(at, ",|");

            (void)snprintf(group, sizeof group, "%.*s", (int)length, at);
            matches &= has_word_of(said, group) != (group[0] == '!');
            n += strcmp(group, "NAME") == 0 ? 5 : strcmp(group, "N") == 0 ? 3 : group[0] != '!';
            at += length;
        }
        most = matches && n > most ? n : most;
    }
    return most;
}

/* Whether findings of a row's rules answer it. */
static bool is_cause(const struct nsc_people_question *row)
{
    return strchr(row->sheet, '=') != NULL;
}

static const struct nsc_people_question *find_best(const struct said *said, bool causes)
{
    const struct nsc_people_question *best = NULL;
    uint32_t most = 0;

    for (uint32_t i = 0; i < N_ROWS; i++) {
        uint32_t n = is_cause(&rows[i]) == causes ? count_groups(&rows[i], said) : 0;

        if (n > most) {
            most = n;
            best = &rows[i];
        }
    }
    return best;
}

const struct nsc_people_question *nsc_people_question_of(const char *skill)
{
    for (uint32_t i = 0; i < N_ROWS; i++)
        if (strcmp(rows[i].skill, skill) == 0 && !is_cause(&rows[i]))
            return &rows[i];
    return NULL;
}

/* Questions that no skill answers. */
static const struct nsc_people_question told[] = {
#define NSC_TOLD(words_, sentence_, advice_) \
    {.words = (words_), .sentence = (sentence_), .advice = (advice_)},
#include "analysis/skill/question.def"
#undef NSC_TOLD
};

const struct nsc_people_question *nsc_people_question_elsewhere(const char *question)
{
    const struct said said = {question, false, false};

    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (count_groups(&told[i], &said) > 0)
            return &told[i];
    return NULL;
}

/* Whether a row sums a family of kernels. Their names need not have its word; a range that has it comes first. */
static bool is_of_family(const struct nsc_people_question *row)
{
    return strncmp(row->sheet, "families~", 9) == 0;
}

/* Whether a row is about kernels, ranges, iterations or everything in general, so that a number or
 * name may narrow it; one with "~" or "=" picks a row about one thing. */
static bool is_general(const struct nsc_people_question *row)
{
    static const char skills[] =
        "findings gpu_summary top_kernels iteration_stats layers nvtx_tree "
        "iteration_timing name_totals breakdown thread_utilization";

    if (!row || is_of_family(row))
        return true;
    return strstr(skills, row->skill) && !strpbrk(row->sheet, "~=");
}

/* Words that ask for the other end than that from which most answers rank. */
static const char turns[] = "shortest least fewest fastest smallest lowest rarest rarely minimum";

/* Whether the question asks for that end and the answer of the row does not have it. */
static bool is_turned(const struct said *said, const struct nsc_people_question *row)
{
    return has_word_of(said, turns) && !strstr(said->text, "at least") &&
           !strchr(row->sheet, '<') && !strstr(row->sentence, "min_ns}") &&
           !has_word_of(&(const struct said){.text = row->words}, turns);
}

const struct nsc_people_question *nsc_people_question_find(const struct nsc_narrowing *narrowing,
                                                           const char *question)
{
    bool is_one = narrowing->has_steps && narrowing->step == narrowing->last_step;
    const struct said rest = {narrowing->rest, false, false};
    const struct said whole = {question, is_one, narrowing->name[0] != '\0'};
    const struct nsc_people_question *best = find_best(&rest, false);

    if (is_general(best) && (whole.has_number || whole.has_name))
        best = find_best(&whole, false);
    if (!best)
        best = find_best(&whole, true);
    if (!best && nsc_narrowing_is_any(narrowing))
        best = &rows[N_ROWS - 1]; /* the overview */
    if (best &&
        ((narrowing->lacks_inference && strstr(best->words, "prefill")) || is_turned(&rest, best)))
        return NULL;
    if (best && narrowing->is_cpu_only && strncmp(best->none, "No GPU has work", 15) == 0 &&
        !strstr(best->none, "nothing is idle") && !has_word_of(&rest, "gpu* device* cuda"))
        return find_best(&(const struct said){.text = "wrong"}, false);
    return best;
}

uint32_t nsc_people_question_groups(const struct nsc_people_question *row,
                                    const struct nsc_narrowing *narrowing)
{
    return count_groups(row, &(const struct said){narrowing->rest, narrowing->has_steps,
                                                  narrowing->name[0] != '\0'});
}

const struct nsc_people_question *nsc_people_question_cause(bool *is_first,
                                                            const struct nsc_narrowing *narrowing,
                                                            const struct nsc_people_question *row)
{
    const struct said said = {narrowing->rest, false, false};
    const struct nsc_people_question *cause = is_cause(row) ? NULL : find_best(&said, true);
    uint32_t n = cause ? count_groups(cause, &said) : 0;

    *is_first = n > 0 && (n >= nsc_people_question_groups(row, narrowing) ||
                          (n > 1 && strcmp(row->words, "NAME") == 0));
    return cause ? cause : &rows[0];
}

/* ---- a name without quotes ---- */

enum named { IN_RANGES, IN_WORK, IN_CALLS }; /* ranges; kernels and ranges; calls */

/* Whether the name of such an event contains the word, in any case. */
static bool is_in_names(const struct nsc_trace *trace, const char *word, enum named of)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    const struct nsc_events *events = nsc_trace_events(trace);
    uint8_t *seen = nsc_xcalloc((size_t)names->n + 1, 1);
    bool found = false;

    for (nsc_event i = 0; i < events->n && !found; i++) {
        nsc_name name = events->name[i];
        uint8_t kind = events->kind[i];
        bool counts = of == IN_CALLS ? nsc_kind_is_api(kind) || kind == NSC_KIND_OSRT ||
                                           (kind >= NSC_KIND_MPI_P2P && kind <= NSC_KIND_MPI_OTHER)
                                     : kind == NSC_KIND_NVTX_RANGE ||
                                           (of == IN_WORK && kind == NSC_KIND_KERNEL);

        if (!counts || name >= names->n || seen[name])
            continue;
        seen[name] = 1;
        found = nsc_text_contains_folded(nsc_trace_string(trace, names->full[name]),
                                         nsc_text_from(word));
    }
    free(seen);
    return found;
}

static bool is_plain(const char *name)
{
    static const char plain[] =
        "duration average mean median maximum minimum least size less device* stream* kernel* "
        "range* layer* data thread* void fraction part* portion ratio comput* busy slower input* "
        "smaller driver compare* balanc* imbalance against versus batch* python improv* entire "
        "shortest fastest fewest function* float const char fast hour step* iteration* token* "
        "epoch*";
    const struct said said = {name, false, false};

    if (strlen(name) < 4 || nsc_route_is_plain(name) || has_word_of(&said, plain))
        return true;
    return find_best(&said, false) && !is_general(find_best(&said, false));
}

/* The next word of text that may be a name; false at the end. What the asker does is none: "should I optimize". */
static bool next_name(const char **text, char word[WORD_BYTES])
{
    bool is_deed = false;

    while (**text) {
        size_t n;

        *text += strspn(*text, " \t,;:?!.()");
        n = strcspn(*text, " \t,;:?!()");
        *text += n;
        if (n == 0 || n >= WORD_BYTES)
            continue;
        memcpy(word, *text - n, n);
        word[n - (word[n - 1] == '.')] = '\0';
        if (!is_deed && !is_plain(word))
            return true;
        is_deed = strcmp(word, "i") == 0 || strcmp(word, "I") == 0 || strcmp(word, "we") == 0;
    }
    return false;
}

/* Whether a trace has no sign of a language model that answers: no such kernel or range; graphs
 * recorded whole may hide the kernels. */
static bool lacks_inference(const struct nsc_trace *trace)
{
    static const char *const signs[] = {"prefill", "decod", "generat", "token",  "kv_cache",
                                        "paged",   "vllm",  "sglang",  "trtllm", "flashinfer",
                                        "mmha",    "sampl", "logits",  "beam",   "llama"};
    const struct nsc_events *events = nsc_trace_events(trace);

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (is_in_names(trace, signs[i], IN_WORK))
            return false;
    for (nsc_event i = 0; i < events->n; i++)
        if (events->kind[i] == NSC_KIND_GRAPH)
            return is_in_names(trace, "backward", IN_WORK) || is_in_names(trace, "adam", IN_WORK);
    return true;
}

/* Cuts "gemms" to "gemm", and "sampling" to "sampl", if only the latter occurs in a name. */
static void cut_ending(char word[WORD_BYTES], const struct nsc_trace *trace)
{
    size_t n = strlen(word);
    size_t cut = n > 4 && word[n - 1] == 's'                 ? 1
                 : n > 7 && strcmp(word + n - 3, "ing") == 0 ? 3
                                                             : 0;
    char end = word[n - cut];

    if (cut == 0 || is_in_names(trace, word, IN_WORK))
        return;
    word[n - cut] = '\0';
    if (!is_in_names(trace, word, IN_WORK))
        word[n - cut] = end;
}

void nsc_people_question_name(struct nsc_narrowing *narrowing, const struct nsc_trace *trace,
                              const char *question)
{
    const struct said rest = {narrowing->rest, false, false};
    const char *at = narrowing->rest;
    const struct nsc_people_question *row;
    char word[WORD_BYTES];
    char first[WORD_BYTES] = "";

    narrowing->is_cpu_only = nsc_device_next(trace, NSC_NONE) == NSC_NONE;
    narrowing->lacks_inference =
        has_word_of(&rest, "prefill decode decoding") && lacks_inference(trace);
    if (narrowing->name[0])
        narrowing->is_call = !is_in_names(trace, narrowing->name, IN_WORK) &&
                             is_in_names(trace, narrowing->name, IN_CALLS);
    row = narrowing->name[0] ? NULL : nsc_people_question_find(narrowing, question);
    if (narrowing->name[0] || !is_general(row))
        return;
    while (next_name(&at, word)) {
        const struct said one = {word, false, false};

        cut_ending(word, trace);
        if (row && is_of_family(row) && !is_in_names(trace, word, IN_RANGES))
            continue; /* the family has all its kernels */
        narrowing->is_call = !is_in_names(trace, word, IN_WORK);
        if (!narrowing->is_call ||
            (strncmp(word, "cu", 2) == 0 && is_in_names(trace, word, IN_CALLS))) {
            memcpy(narrowing->name, word, sizeof word);
            return;
        }
        if (!first[0] && !(find_best(&one, false) && is_of_family(find_best(&one, false))))
            memcpy(first, word, sizeof first);
    }
    narrowing->is_call = false;
    if (has_word_of(&rest,
                    row ? "spent spend* goes cost*" : "take* took pass cost* spent spend* time"))
        memcpy(narrowing->name, first, sizeof first);
}

uint32_t nsc_people_questions_near(const struct nsc_people_question *out[], uint32_t max,
                                   const char *question)
{
    struct nsc_route_entry entries[N_ROWS];
    struct nsc_route routes[N_ROWS + 3];
    static const char *const common[] = {"findings", "idle", "top_kernels"};
    uint32_t n = 0;
    uint32_t found;

    for (uint32_t i = 0; i < N_ROWS; i++)
        entries[i] = (struct nsc_route_entry){rows[i].skill, rows[i].sentence, rows[i].words};
    found = nsc_route_find(routes, N_ROWS, entries, N_ROWS, question);
    for (uint32_t i = 0; i < 3; i++)
        routes[found++].entry = (uint32_t)(nsc_people_question_of(common[i]) - rows);
    for (uint32_t i = 0, k; i < found && n < max; i++) {
        const struct nsc_people_question *row = &rows[routes[i].entry];

        for (k = 0; k < n && strcmp(out[k]->skill, row->skill) != 0; k++)
            continue;
        if (k == n)
            out[n++] = row;
    }
    return n;
}

const struct nsc_people_question *nsc_people_question_next(const struct nsc_people_question *row)
{
    const struct nsc_people_question *next = row + 1;

    return next < rows + N_ROWS && strcmp(next->words, row->words) == 0 &&
                   strcmp(next->skill, row->skill) == 0
               ? next
               : NULL;
}
