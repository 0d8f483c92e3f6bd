/* Finds the row that a question means, and the name in it. */

#include "analysis/base/device_ops.h"
#include "analysis/skill/route.h"
#include "core/die.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 48, GROUP_BYTES = 256, NONE_BYTES = 256 };

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

/* The number of matching groups; a number counts as three, a name as five. 0 if one does not
 * match. */
static uint32_t count_groups(const struct nsc_people_question *row, const struct said *said)
{
    const char *at = row->words;
    uint32_t n = 0;

    while (*at) {
        char group[GROUP_BYTES];
        size_t length = strcspn(at, ",");

        (void)snprintf(group, sizeof group, "%.*s", (int)length, at);
        if (has_word_of(said, group) == (group[0] == '!'))
            return 0;
        n += strcmp(group, "NAME") == 0 ? 5 : strcmp(group, "N") == 0 ? 3 : group[0] != '!';
        at += length;
        at += strspn(at, ", ");
    }
    return n;
}

static const struct nsc_people_question *find_best(const struct said *said)
{
    const struct nsc_people_question *best = NULL;
    uint32_t most = 0;

    for (uint32_t i = 0; i < N_ROWS; i++) {
        uint32_t n = count_groups(&rows[i], said);

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
        if (strcmp(rows[i].skill, skill) == 0)
            return &rows[i];
    return NULL;
}

const struct nsc_people_question *nsc_people_question_overview(void)
{
    return &rows[N_ROWS - 1];
}

bool nsc_people_question_is_about_ranks(const char *question)
{
    struct nsc_route_entry ranks = {"", "", "rank* straggler* laggard*"};
    struct nsc_route_entry late = {"", "", "late later latest"};
    struct nsc_route_entry cpu = {"", "", "launch* kernel* cpu host gpu*"};
    struct nsc_route_entry hold = {"", "", "hold* held delay* block* keep* kept wait*"};
    struct nsc_route_entry meet = {"", "", "nccl allreduce all-reduce allgather collective*"};
    struct nsc_text text = nsc_text_from(question);
    struct nsc_route route;

    return nsc_route_find(&route, 1, &ranks, 1, question) > 0 ||
           (nsc_route_find(&route, 1, &late, 1, question) > 0 &&
            nsc_route_find(&route, 1, &cpu, 1, question) == 0) ||
           (nsc_text_contains_folded(text, nsc_text_from("who ")) &&
            nsc_route_find(&route, 1, &hold, 1, question) > 0 &&
            (nsc_text_contains_folded(text, nsc_text_from("whom")) ||
             nsc_route_find(&route, 1, &meet, 1, question) > 0));
}

/* Questions that another command answers. */
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
 * name may narrow it. */
static bool is_general(const struct nsc_people_question *row)
{
    static const char *const skills[] = {
        "findings",  "gpu_summary",      "top_kernels", "iteration_stats", "layers",
        "nvtx_tree", "iteration_timing", "name_totals", "breakdown",       "thread_utilization"};

    for (size_t i = 0; row && i < sizeof skills / sizeof *skills; i++)
        if (strcmp(row->skill, skills[i]) == 0)
            return !strchr(row->sheet, '~'); /* that picks a row about one thing */
    return !row || is_of_family(row);
}

/* Whether the question is about something that no recording tells. */
static bool is_beyond(const char *question)
{
    static const struct nsc_people_question beyond[] = {
        {.words = "converg* accura* perplexity hyperparameter* rewrite refactor price* buy safe"},
        {.words = "learning, rate rates"},
        {.words = "loss, going good bad low high explod* decreas* falling"},
    };
    const struct said said = {question, false, false};

    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        if (count_groups(&beyond[i], &said) > 0)
            return true;
    return false;
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
    const struct nsc_people_question *best = is_beyond(question) ? NULL : find_best(&rest);

    if (is_beyond(question))
        return NULL;
    if (is_general(best) && (whole.has_number || whole.has_name))
        best = find_best(&whole);
    if (!best && nsc_narrowing_is_any(narrowing))
        best = nsc_people_question_overview();
    if (best &&
        ((narrowing->lacks_inference && strstr(best->words, "prefill")) || is_turned(&rest, best)))
        return NULL;
    if (best && narrowing->is_cpu_only && strncmp(best->none, "No GPU has work", 15) == 0 &&
        !strstr(best->none, "nothing is idle") && !has_word_of(&rest, "gpu* device* cuda"))
        return find_best(&(const struct said){.text = "wrong"});
    return best;
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
        "take* took spend* spent time* run* ran running cost* duration total average mean median "
        "min max maximum minimum about happen* all any total sum call* called name* number* count* "
        "use* using most least size second seconds than more less big* gpu* cpu host device* "
        "stream* kernel* range* "
        "layer* train training inference "
        "data model code job program process* thread* work* would could should if but as per void "
        "share* fraction percent* part* portion ratio comput* busy go goes went over slower cuda "
        "into output* input* bigger smaller driver compare* balanc* imbalance against versus "
        "batch* python runtime "
        "shortest fastest fewest function* float int main const char long fast hour day step* "
        "iteration* token* epoch*";
    char word[WORD_BYTES] = "";
    const struct said said = {word, false, false};

    for (size_t i = 0; name[i] && i < sizeof word - 1; i++)
        word[i] = nsc_ascii_lower(name[i]);
    if (strlen(word) < 4 || nsc_route_is_little(word) || has_word_of(&said, plain))
        return true;
    return find_best(&said) && !is_general(find_best(&said));
}

/* The next word of text that may be a name; false at the end. */
static bool next_name(const char **text, char word[WORD_BYTES])
{
    while (**text) {
        size_t n;

        *text += strspn(*text, " \t,;:?!.()");
        n = strcspn(*text, " \t,;:?!()");
        *text += n;
        if (n == 0 || n >= WORD_BYTES)
            continue;
        memcpy(word, *text - n, n);
        word[n - (word[n - 1] == '.')] = '\0';
        if (!is_plain(word))
            return true;
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
        if (!first[0] && !(find_best(&one) && is_of_family(find_best(&one))))
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
    struct nsc_route routes[N_ROWS];
    static const char *const common[] = {"findings", "idle", "top_kernels"};
    uint32_t n = 0;

    for (uint32_t i = 0; i < N_ROWS; i++)
        entries[i] = (struct nsc_route_entry){rows[i].skill, rows[i].sentence, rows[i].words};
    n = nsc_route_find(routes, max < N_ROWS ? max : N_ROWS, entries, N_ROWS, question);
    for (uint32_t i = 0; i < n; i++)
        out[i] = &rows[routes[i].entry];
    for (uint32_t c = 0; n == 0 && c < 3 && c < max; c++)
        out[c] = nsc_people_question_of(common[c]);
    return n ? n : max < 3 ? max : 3;
}

const struct nsc_people_question *nsc_people_question_next(const struct nsc_people_question *row)
{
    const struct nsc_people_question *next = row + 1;

    return next < rows + N_ROWS && strcmp(next->words, row->words) == 0 &&
                   strcmp(next->skill, row->skill) == 0
               ? next
               : NULL;
}
