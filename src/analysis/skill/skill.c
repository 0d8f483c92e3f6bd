/* The table of skills and their parameters. */
#include "analysis/skill/skill.h"

#include "analysis/ranges/named_range.h"
#include "core/units.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct nsc_skill skills[] = {
#define NSC_SKILL(stem, group, when, asks, terms, takes) \
    {.name = #stem,                                      \
     .category = (group),                                \
     .window = NSC_SKILL_##when,                         \
     .question = (asks),                                 \
     .words = (terms),                                   \
     .params = (takes),                                  \
     .columns = nsc_skill_##stem##_columns,              \
     .run = nsc_skill_##stem},
#include "analysis/skill/skill.def"
};

static const struct nsc_param_row rows[NSC_N_PARAMS] = {
#define NSC_SKILL_PARAM(id, name, type, help) {name, help, NSC_PARAM_TYPE_##type},
#include "analysis/skill/skill_param.def"
#undef NSC_SKILL_PARAM
};

const struct nsc_skill *nsc_skills(uint32_t *n)
{
    *n = sizeof skills / sizeof *skills;
    return skills;
}

/* Of the scope, with captures as launches. False, with a note, if no capture is known. */
static bool take_captured(struct nsc_sheets *out, struct nsc_scope *captured,
                          struct nsc_question *question)
{
    const struct nsc_skill *skill = question->skill;

    *captured = *question->scope;
    captured->trace = nsc_trace_captured(captured->trace);
    captured->shared = NULL;
    if (captured->trace) {
        question->scope = captured;
        return true;
    }
    nsc_sheet_note(nsc_question_sheet(out, question, skill->name, skill->columns),
                   "No capture of a CUDA graph is known. Record its nodes (nsys profile "
                   "--cuda-graph-trace=node), and begin the recording before the warm-up that "
                   "captures: with --capture-range=cudaProfilerApi, call cudaProfilerStart first.");
    return false;
}

void nsc_skill_run(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_skill *skill = question->skill;
    struct nsc_question own = *question;
    struct nsc_scope captured;
    size_t first = out->list.n;

    if (skill->window == NSC_SKILL_STEADY && own.scope->steady)
        own.scope = own.scope->steady;
    if (own.params[NSC_PARAM_CAPTURED].integer && !take_captured(out, &captured, &own))
        return;
    skill->run(out, &own);
    if (out->list.n == first)
        return;
    if (own.params[NSC_PARAM_CAPTURED].integer)
        nsc_sheet_note(&out->list.at[first], "Captured, not launched: work of a CUDA graph belongs "
                                             "to the ranges around the capture of its node, and "
                                             "all other work to none.");
    if (skill->window == NSC_SKILL_STEADY && own.scope->words)
        nsc_sheet_note(&out->list.at[first], "%s", own.scope->words);
    if (skill->window == NSC_SKILL_WHOLE && own.scope->steady &&
        nsc_sheet_rows(&out->list.at[first]) > 0)
        nsc_sheet_note(&out->list.at[first], "Counts the whole recording, not only its steady "
                                             "state; a range of time selects another.");
}

void nsc_skill_run_named(struct nsc_sheets *out, const char *name, const struct nsc_scope *scope,
                         const struct nsc_field_sets *fields)
{
    const struct nsc_question question = nsc_question_of(nsc_skill_find(name), scope, fields);

    nsc_skill_run(out, &question);
}

static bool is_name(const char *name, const char *given)
{
    while (*name && (*name == *given || (*name == '_' && *given == '-')))
        name++, given++;
    return *name == *given;
}

/* Names of the same skills in nsys-ai. */
static const struct {
    const char *name, *skill;
} aliases[] = {
#define NSC_SKILL_ALIAS(name, skill) {name, skill},
#include "analysis/skill/skill_alias.def"
#undef NSC_SKILL_ALIAS
};

const struct nsc_skill *nsc_skill_find_in(const struct nsc_skill among[], uint32_t n,
                                          const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (is_name(aliases[i].name, name))
            name = aliases[i].skill;
    while (n-- > 0) {
        if (is_name(among[n].name, name))
            return &among[n];
        for (uint32_t k = 0; among[n].aliases && among[n].aliases[k]; k++)
            if (is_name(among[n].aliases[k], name))
                return &among[n];
    }
    return NULL;
}

const struct nsc_skill *nsc_skill_find(const char *name)
{
    return nsc_skill_find_in(skills, sizeof skills / sizeof *skills, name);
}

const char *nsc_skill_alias(const struct nsc_skill *skill, uint32_t i)
{
    for (uint32_t k = 0; skill->aliases && skill->aliases[k]; k++)
        if (i-- == 0)
            return skill->aliases[k];
    for (size_t k = 0; k < sizeof aliases / sizeof *aliases; k++)
        if (strcmp(aliases[k].skill, skill->name) == 0 && i-- == 0)
            return aliases[k].name;
    return NULL;
}

/* ---- parameters ---- */

const char *nsc_param_name(enum nsc_param param)
{
    return rows[param].name;
}

const char *nsc_param_help(enum nsc_param param)
{
    return rows[param].help;
}

enum { NO_PARAM = NSC_N_PARAMS + NSC_SKILL_OWN_PARAMS };

static const struct nsc_param_row *row_of(const struct nsc_skill *skill, unsigned param)
{
    return param < NSC_N_PARAMS ? &rows[param] : &skill->own[param - NSC_N_PARAMS];
}

/* The number of the parameter with the name before "=": a row of skill_param.def, unless all
 * parameters are the skill's own. NO_PARAM: none. */
static unsigned find_param(const struct nsc_skill *skill, const char *text)
{
    unsigned i = skill->answer ? NSC_N_PARAMS : 0;
    unsigned end = skill->answer ? NSC_N_PARAMS + skill->n_own : NSC_N_PARAMS;

    for (; i < end; i++) {
        size_t n = strlen(row_of(skill, i)->name);

        if (strncmp(text, row_of(skill, i)->name, n) == 0 && text[n] == '=')
            return i;
    }
    return NO_PARAM;
}

/* Whether the skill's row lists it, with a value ("limit=15") or without ("name"). */
static bool takes_param(const struct nsc_skill *skill, unsigned param)
{
    const char *name = row_of(skill, param)->name;
    size_t n = strlen(name);

    for (const char *at = skill->params; *at; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        if (strncmp(at, name, n) == 0 && (at[n] == '=' || at[n] == ' ' || !at[n]))
            return true;
    }
    return false;
}

const char *nsc_skill_param_help(const struct nsc_skill *skill, const char *text)
{
    unsigned param = find_param(skill, text);

    return param == NO_PARAM ? "" : row_of(skill, param)->help;
}

static bool parse_number(double *out, const char *text)
{
    char *end = NULL;

    errno = 0;
    *out = strtod(text, &end);
    return !errno && end != text && !*end && isfinite(*out);
}

static bool parse_count(int64_t *out, const char *text)
{
    char *end = NULL;

    errno = 0;
    *out = strtoll(text, &end, 10);
    return !errno && end != text && !*end && *out >= 0;
}

static bool parse_value(struct nsc_param_value *out, enum nsc_param_type type, const char *text)
{
    struct nsc_error ignored = {0};

    switch (type) {
    case NSC_PARAM_TYPE_COUNT:
        out->is_set = parse_count(&out->integer, text);
        break;
    case NSC_PARAM_TYPE_DURATION:
        out->is_set = nsc_units_parse_time(&out->integer, text, NSC_UNITS_NS, &ignored) == NSC_OK &&
                      out->integer >= 0;
        break;
    case NSC_PARAM_TYPE_NUMBER:
        out->is_set = parse_number(&out->number, text);
        break;
    case NSC_PARAM_TYPE_SWITCH:
        out->integer = strcmp(text, "on") == 0;
        out->is_set = out->integer == 1 || strcmp(text, "off") == 0;
        break;
    case NSC_PARAM_TYPE_TEXT:
        out->text = text;
        out->is_set = text[0] != '\0';
        break;
    }
    return out->is_set;
}

enum nsc_status nsc_question_set(struct nsc_question *question, const char *text,
                                 struct nsc_error *error)
{
    const struct nsc_skill *skill = question->skill;
    unsigned param = find_param(skill, text);
    struct nsc_param_value value = {0};
    const char *given = strchr(text, '=');

    if (param == NO_PARAM || !takes_param(skill, param))
        return nsc_fail(error, NSC_EINVAL, "%.80s: %s takes %s", text, skill->name,
                        skill->params[0] ? skill->params : "no parameters");
    if (!parse_value(&value, row_of(skill, param)->type, given + 1) ||
        (param == NSC_PARAM_TYPE && !nsc_search_kinds(given + 1)))
        return nsc_fail(error, NSC_EINVAL, "%.80s: no such value; %s", text,
                        row_of(skill, param)->help);
    question->params[param] = value;
    return NSC_OK;
}

/* Parses "limit=15 min=1ms name" word by word. */
struct nsc_question nsc_question_of(const struct nsc_skill *skill, const struct nsc_scope *scope,
                                    const struct nsc_field_sets *fields)
{
    struct nsc_question question = {.skill = skill, .scope = scope, .fields = fields};
    char word[64];

    for (const char *at = skill->params; *at;) {
        size_t n = strcspn(at, " ");
        unsigned param;

        (void)snprintf(word, sizeof word, "%.*s", (int)n, at);
        param = find_param(skill, word);
        if (param != NO_PARAM && row_of(skill, param)->type != NSC_PARAM_TYPE_TEXT)
            (void)parse_value(&question.params[param], row_of(skill, param)->type,
                              word + strlen(row_of(skill, param)->name) + 1);
        at += n + strspn(at + n, " ");
    }
    return question;
}

/* ---- the iterations ---- */

void nsc_question_refuse_marker(const struct nsc_question *question)
{
    const struct nsc_param_value *marker = &question->params[NSC_PARAM_MARKER];
    struct nsc_iterations usual;
    char near[NSC_NEAREST_WORDS];

    if (!marker->is_set || nsc_scope_is_stopped(question->scope))
        return;
    (void)nsc_named_ranges_nearest(near, question->scope->trace, nsc_text_from(marker->text));
    if (!near[0] && nsc_iterations_ask(&usual, question->scope)) {
        (void)snprintf(near, sizeof near, "; without a marker: %s %.60s",
                       nsc_iterations_by_word(usual.by), usual.label);
        nsc_iterations_fini(&usual);
    }
    (void)nsc_fail(question->error, NSC_ENODATA,
                   "marker=%.60s: no NVTX range repeats with a name like that%s", marker->text,
                   near);
}

bool nsc_question_iterations(struct nsc_iterations *out, const struct nsc_question *question)
{
    const struct nsc_param_value *marker = &question->params[NSC_PARAM_MARKER];
    bool found = marker->is_set
                     ? nsc_iterations_named(out, question->scope, nsc_text_from(marker->text))
                     : nsc_iterations_ask(out, question->scope);

    if (!found)
        nsc_question_refuse_marker(question);
    return found;
}

/* ---- the first sheet ---- */

uint32_t nsc_columns_count(const struct nsc_sheet_column columns[])
{
    uint32_t n = 0;

    while (columns[n].key)
        n++;
    return n;
}

struct nsc_sheet *nsc_question_sheet(struct nsc_sheets *out, const struct nsc_question *question,
                                     const char *name, const struct nsc_sheet_column columns[])
{
    const struct nsc_skill *skill = nsc_skill_find(name);

    return nsc_question_more(out, question, skill->name, skill->question, columns);
}

struct nsc_sheet *nsc_question_more(struct nsc_sheets *out, const struct nsc_question *question,
                                    const char *key, const char *title,
                                    const struct nsc_sheet_column columns[])
{
    struct nsc_sheet *sheet = nsc_sheets_add(out, key, title, columns, nsc_columns_count(columns));

    sheet->has_window = true;
    sheet->window = question->scope->window;
    return sheet;
}

size_t nsc_question_limit(const struct nsc_question *question, struct nsc_sheet *sheet, size_t n)
{
    const struct nsc_param_value *limit = &question->params[NSC_PARAM_LIMIT];

    if (!limit->is_set || limit->integer == 0 || (uint64_t)limit->integer >= n)
        return n;
    sheet->n_left_out = n - (uint64_t)limit->integer;
    return (size_t)limit->integer;
}

struct nsc_kept_text nsc_rank_label(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                    uint32_t track)
{
    uint32_t n = 0;
    const struct nsc_trace_info *exports = nsc_trace_captures(trace, &n);

    if (n < 2)
        return (struct nsc_kept_text){0};
    return nsc_sheet_keep(
        sheet, nsc_trace_string(trace, exports[nsc_trace_track(trace, track)->capture_no].label));
}
