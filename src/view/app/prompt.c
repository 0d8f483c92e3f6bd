/*
 * The prompt at the bottom: opens it, and makes its offers: commands, actions, settings, questions
 * and names for the command line; keys, kinds and names for the filter.
 */
#include "view/app/prompt.h"

#include "analysis/skill/skill.h"
#include "core/text.h"
#include "core/units.h"
#include "view/app/setting.h"
#include "view/kit/words.h"
#include "view/pane/panes.h"

#include <stdio.h>
#include <string.h>

enum {
    NAME_LEAST = 2,    /* typed bytes needed to offer names */
    MEANING_LEAST = 3, /* typed bytes needed to offer what means the same */
    FIRST = 100000,
    SCATTERED = 1 << 20 /* names that only have the letters in order come after all others */
};

struct nsc_text nsc_app_prompt_text(const struct nsc_app *app)
{
    const struct nsc_prompt *line = &app->prompt.lines[app->prompt.open];
    struct nsc_text text = {line->text, (uint32_t)line->n};

    return text;
}

void nsc_app_prompt_open(struct nsc_app *app, enum nsc_prompt_id id, struct nsc_text text)
{
    app->prompt.open = id;
    app->prompt.is_wrong = app->prompt.completing = false;
    nsc_prompt_set(&app->prompt.lines[id], text);
    nsc_offers_clear(&app->prompt.offers, 0);
    app->prompt.offering = text.n == 0;
}

void nsc_app_prompt_offer(struct nsc_app *app, enum nsc_prompt_id id, struct nsc_text text)
{
    nsc_app_prompt_open(app, id, text);
    app->prompt.lines[id].offered = 0;
}

void nsc_app_prompt_wrong(struct nsc_app *app, uint32_t column, const char *text)
{
    app->prompt.is_wrong = true;
    app->prompt.column = column;
    (void)snprintf(app->prompt.error.text, sizeof app->prompt.error.text, "%s", text);
}

void nsc_app_prompt_fini(struct nsc_app *app)
{
    for (int i = 0; i < NSC_N_PROMPTS; i++)
        nsc_prompt_fini(&app->prompt.lines[i]);
    nsc_buf_fini(&app->prompt.word);
}

/* ---- offers ---- */

/* The score of an offer: by its name, or lower by its note. */
static int32_t score_of(const char *name, const char *note, struct nsc_text typed)
{
    int32_t score = nsc_fuzzy_score(nsc_text_from(name), typed);
    int32_t by_note = NSC_FUZZY_NONE;

    if (nsc_text_contains_folded(nsc_text_from(note), typed))
        by_note = nsc_fuzzy_score(nsc_text_from(note), typed) / 2;
    return score > by_note ? score : by_note;
}

/* Other words of the field for what names and notes say. */
static const struct {
    const char *word, *means;
} synonyms[] = {{"bubbles", "idle"},     {"starvation", "idle"},  {"stalls", "idle"},
                {"steps", "iteration"},  {"epochs", "iteration"}, {"hotspots", "slowest"},
                {"flamegraph", "flame"}, {"samples", "flame"},    {"search", "find"}};

/* As score_of, or by a word that means the same as a word of the name or the note. */
static int32_t score_by_meaning(const char *name, const char *note, struct nsc_text typed)
{
    int32_t score = score_of(name, note, typed);

    for (size_t i = 0; typed.n >= MEANING_LEAST && i < sizeof synonyms / sizeof *synonyms; i++) {
        struct nsc_text means = nsc_text_from(synonyms[i].means);

        if (score == NSC_FUZZY_NONE &&
            nsc_text_begins_folded(nsc_text_from(synonyms[i].word), typed) &&
            (nsc_text_contains_folded(nsc_text_from(name), means) ||
             nsc_text_contains_folded(nsc_text_from(note), means)))
            score = nsc_fuzzy_score(nsc_text_from(synonyms[i].word), typed) / 2;
    }
    return score;
}

/* As score_of, or by a word that leads to the skill, "gap* idle", or its beginning. */
static int32_t score_skill(const struct nsc_skill *skill, struct nsc_text typed)
{
    int32_t score = score_of(skill->name, skill->question, typed);
    const char *words = typed.n >= MEANING_LEAST ? skill->words : "";

    while (*words && score == NSC_FUZZY_NONE) {
        struct nsc_text word = {words, (uint32_t)strcspn(words, " ")};
        struct nsc_text stem = word;

        words += word.n + (words[word.n] == ' ');
        stem.n -= stem.bytes[stem.n - 1] == '*';
        if (nsc_text_begins_folded(stem, typed))
            score = nsc_fuzzy_score(stem, typed) / 2;
        else if (stem.n < word.n && nsc_text_begins_folded(typed, stem) &&
                 !memchr(typed.bytes, ' ', typed.n)) /* several words are a question */
            score = nsc_fuzzy_score(stem, stem) / 2;
    }
    return score;
}

/* ---- names ---- */

static bool is_plain(struct nsc_text text)
{
    for (uint32_t i = 0; i < text.n; i++)
        if (!nsc_is_digit(text.bytes[i]) && text.bytes[i] != '_' &&
            !(nsc_ascii_lower(text.bytes[i]) >= 'a' && nsc_ascii_lower(text.bytes[i]) <= 'z'))
            return false;
    return true;
}

static const char *count_note(char out[64], const struct nsc_name_counts *counts, uint32_t name)
{
    char count[NSC_UNITS_BYTES];

    nsc_units_count(count, counts->count[name]);
    (void)snprintf(out, 64, "%s, %s x", nsc_kind_label((enum nsc_kind)counts->kind[name]), count);
    return out;
}

/* The text before the typed value, the quotes of the value, and the names that match. */
struct name_wish {
    struct nsc_text before;
    struct nsc_text typed;
    bool quotes;
    bool nvtx_only, whole_only;
};

static void name_offer(struct nsc_offers *offers, const struct nsc_name_counts *counts,
                       uint32_t name, const struct name_wish *wish)
{
    struct nsc_text text = nsc_name_counts_text(counts, name);
    int32_t score = nsc_fuzzy_score(text, wish->typed);
    struct nsc_buf line = NSC_BUF_INIT(sizeof offers->items->text);
    char note[64];

    if (score == NSC_FUZZY_NONE || !text.n || !counts->count[name])
        return;
    if (!nsc_text_contains_folded(text, wish->typed)) /* the filter would not match it as typed */
        score -= SCATTERED;
    nsc_buf_add(&line, wish->before.bytes, wish->before.n);
    if (wish->quotes && !is_plain(text))
        nsc_filter_quote(&line, text);
    else
        nsc_buf_add(&line, text.bytes, text.n);
    if (!line.overflow)
        nsc_offers_add(offers, score, nsc_text_of_buf(&line), count_note(note, counts, name), "");
    nsc_buf_fini(&line);
}

static void names_offer(struct nsc_app *app, const struct name_wish *wish)
{
    struct nsc_name_counts *counts = &app->prompt.names;

    nsc_name_counts_of(counts, app->scene->trace);
    for (uint32_t name = 0; name < counts->n; name++) {
        bool is_whole = nsc_trace_names(counts->trace)->counters[name] == 0;
        bool is_nvtx = counts->kind[name] == NSC_KIND_NVTX_RANGE;

        if ((is_nvtx || !wish->nvtx_only) && (!wish->whole_only || is_whole))
            name_offer(&app->prompt.offers, counts, name, wish);
    }
}

/* ---- the filter ---- */

/* The value being typed: the text after the last comma, or after the key. */
static struct nsc_text last_value(struct nsc_text word, uint32_t key)
{
    uint32_t at = word.n;

    while (at > key && word.bytes[at - 1] != ',')
        at--;
    return (struct nsc_text){word.bytes + at, word.n - at};
}

static bool is_stem(const char *text, struct nsc_text stem)
{
    return strlen(text) >= stem.n && memcmp(text, stem.bytes, stem.n) == 0;
}

/* Offers the words for kinds, each once, with the number of events. */
static void kinds_offer(struct nsc_app *app, struct nsc_text word, uint32_t key)
{
    struct nsc_text stem = last_value(word, key);
    const char *before = "";

    for (int kind = 1; kind < NSC_N_KINDS; kind++) {
        const char *text = nsc_kind_word((enum nsc_kind)kind);
        struct nsc_buf line = NSC_BUF_INIT(NSC_PROMPT_BYTES);

        if (strcmp(text, before) != 0 && is_stem(text, stem)) {
            nsc_buf_add(&line, word.bytes, word.n - stem.n);
            nsc_buf_puts(&line, text);
            nsc_offers_add(&app->prompt.offers, 0, nsc_text_of_buf(&line),
                           nsc_kind_label((enum nsc_kind)kind), "");
            before = text;
        }
        nsc_buf_fini(&line);
    }
}

static void keys_offer(struct nsc_app *app, struct nsc_text stem, bool negated)
{
    for (uint32_t p = 0; !negated && p < app->filter.n_presets; p++)
        if (is_stem(app->filter.presets[p].name, stem))
            nsc_offers_add(&app->prompt.offers, FIRST + 1,
                           nsc_text_from(app->filter.presets[p].text), app->filter.presets[p].name,
                           "");
    for (uint32_t k = 0; nsc_filter_key(k); k++) {
        char text[32];

        (void)snprintf(text, sizeof text, "%s%s", negated ? "!" : "", nsc_filter_key(k));
        if (is_stem(nsc_filter_key(k), stem))
            nsc_offers_add(&app->prompt.offers, FIRST, nsc_text_from(text), nsc_filter_key_help(k),
                           "");
    }
}

/* word: the term being typed, up to the cursor. */
static void filter_offer(struct nsc_app *app, struct nsc_text word)
{
    uint32_t negated = word.n > 0 && word.bytes[0] == '!';
    struct nsc_text term = {word.bytes + negated, word.n - negated};
    bool is_exact = nsc_text_begins(term, "name=");
    bool is_nvtx = nsc_text_begins(term, "nvtx:");
    bool is_name = is_exact || is_nvtx || nsc_text_begins(term, "name:");
    struct name_wish wish = {.quotes = true, .nvtx_only = is_nvtx, .whole_only = is_exact};
    char before[8];

    if (nsc_text_begins(term, "kind:")) {
        kinds_offer(app, word, negated + 5);
        return;
    }
    if (!is_name)
        keys_offer(app, term, negated > 0);
    wish.typed = is_name ? last_value(word, negated + 5) : term;
    wish.before = (struct nsc_text){word.bytes, word.n - wish.typed.n};
    if (!is_name) {
        (void)snprintf(before, sizeof before, "%sname:", negated ? "!" : "");
        wish.before = nsc_text_from(before);
    }
    while (wish.typed.n && wish.typed.bytes[0] == '"')
        wish.typed = (struct nsc_text){wish.typed.bytes + 1, wish.typed.n - 1};
    if (is_name || (term.n >= NAME_LEAST && !memchr(term.bytes, ':', term.n)))
        names_offer(app, &wish);
}

/* ---- the command line ---- */

bool nsc_app_command_offers(const struct nsc_app *app, enum nsc_action action)
{
    enum nsc_key_scope wanted = nsc_actions[action].scope;

    if (wanted == NSC_KEY_SCOPE_GLOBAL || wanted == NSC_KEY_SCOPE_TIMELINE)
        return action != NSC_ACTION_COMMAND;
    return nsc_key_scope_has(nsc_app_scope_behind(app), wanted);
}

bool nsc_app_knows_question(const struct nsc_app *app, struct nsc_text name)
{
    char text[64];

    (void)snprintf(text, sizeof text, "%.*s", (int)name.n, name.bytes);
    return name.n > 0 && name.n < sizeof text &&
           (nsc_skill_find_in(app->skills, app->n_skills, text) ||
            strcmp(text, NSC_SCHEMA_QUESTION) == 0 || strcmp(text, NSC_RANKS_QUESTION) == 0 ||
            (app->scene->compare.on && strcmp(text, NSC_DIFF_QUESTION) == 0));
}

static void action_offer(struct nsc_app *app, enum nsc_action action, struct nsc_text typed)
{
    const char *name = nsc_actions[action].name;
    char key[32];

    if (!nsc_app_command_offers(app, action) ||
        nsc_command_line_find(nsc_text_from(name)) != NSC_N_COMMAND_LINES)
        return;
    nsc_offers_add(&app->prompt.offers, score_by_meaning(name, nsc_actions[action].help, typed),
                   nsc_text_from(name), nsc_actions[action].help,
                   nsc_keymap_key(key, app->keymap, action));
}

static void settings_offer(struct nsc_app *app, struct nsc_text typed)
{
    char text[NSC_SETTING_BYTES];

    for (unsigned s = 0; s < NSC_N_SETTINGS; s++) {
        (void)snprintf(text, sizeof text, "set %s", nsc_settings[s].name);
        nsc_offers_add(&app->prompt.offers,
                       score_by_meaning(nsc_settings[s].name, nsc_settings[s].help, typed),
                       nsc_text_from(text), nsc_settings[s].help, "");
    }
}

static void questions_offer(struct nsc_app *app, struct nsc_text typed)
{
    const struct nsc_skill *skills = app->skills;
    char text[NSC_SETTING_BYTES];

    for (uint32_t i = 0; i < app->n_skills; i++) {
        (void)snprintf(text, sizeof text, "answer %s", skills[i].name);
        nsc_offers_add(&app->prompt.offers, score_skill(&skills[i], typed), nsc_text_from(text),
                       skills[i].question, "");
    }
    nsc_offers_add(&app->prompt.offers, score_of(NSC_RANKS_QUESTION, NSC_RANKS_TEXT, typed),
                   nsc_text_from("answer " NSC_RANKS_QUESTION), NSC_RANKS_TEXT, "");
}

/* No command and no action has this name. */
static bool is_no_command(struct nsc_text name)
{
    return nsc_command_line_find(name) == NSC_N_COMMAND_LINES &&
           nsc_action_find(name) == NSC_ACTION_NONE;
}

/* Several words that are no command are a question. */
static void words_offer(struct nsc_app *app, struct nsc_text typed)
{
    const char *ask = nsc_command_lines[NSC_COMMAND_LINE_ASK].name;
    const char *blank = memchr(typed.bytes, ' ', typed.n);
    struct nsc_text first = {typed.bytes, blank ? (uint32_t)(blank - typed.bytes) : 0};
    char text[NSC_PROMPT_BYTES + 8];

    if (!blank || !is_no_command(first))
        return;
    (void)snprintf(text, sizeof text, "%s %.*s", ask, (int)typed.n, typed.bytes);
    nsc_offers_add(&app->prompt.offers, 0, nsc_text_from(text),
                   nsc_command_lines[NSC_COMMAND_LINE_ASK].help, "");
}

/* The whole line is the text searched for. */
static void command_offer(struct nsc_app *app, struct nsc_text typed)
{
    struct name_wish wish = {.before = nsc_text_from("find "), .typed = typed};

    for (unsigned c = 0; c < NSC_N_COMMAND_LINES; c++)
        nsc_offers_add(&app->prompt.offers,
                       score_of(nsc_command_lines[c].name, nsc_command_lines[c].help, typed),
                       nsc_text_from(nsc_command_lines[c].name), nsc_command_lines[c].help, "");
    for (unsigned a = NSC_ACTION_NONE + 1; a < NSC_N_ACTIONS; a++)
        action_offer(app, (enum nsc_action)a, typed);
    settings_offer(app, typed);
    questions_offer(app, typed);
    if (typed.n >= NAME_LEAST)
        names_offer(app, &wish);
    if (!app->prompt.offers.n)
        words_offer(app, typed);
    app->prompt.offers.is_runner =
        typed.n > 0 && is_no_command(typed) &&
        !nsc_app_knows_question(app, nsc_command_line_split(typed, &(struct nsc_text){0}));
}

/* ---- any prompt ---- */

/* The start of the word before the cursor; a quoted blank belongs to the word. */
static size_t word_begin(const struct nsc_prompt *line)
{
    size_t begin = 0;
    bool quoted = false;

    for (size_t i = 0; i < line->at; i++) {
        if (line->text[i] == '"')
            quoted = !quoted;
        if (line->text[i] == ' ' && !quoted)
            begin = i + 1;
    }
    return begin;
}

void nsc_app_offers_build(struct nsc_app *app, const struct nsc_prompt_kind *kind)
{
    struct nsc_offers *offers = &app->prompt.offers;
    const struct nsc_prompt *line = &app->prompt.lines[app->prompt.open];
    struct nsc_text word;
    bool has_words =
        app->prompt.open == NSC_PROMPT_COMMAND && memchr(line->text, ' ', line->at) != NULL;
    struct nsc_text name =
        nsc_command_line_split((struct nsc_text){line->text, (uint32_t)line->at}, &word);
    enum nsc_command_line command = has_words ? nsc_command_line_find(name) : NSC_N_COMMAND_LINES;
    size_t from = word_begin(line);
    bool is_command = command != NSC_N_COMMAND_LINES;

    if (app->prompt.open == NSC_PROMPT_FIND ||
        (app->prompt.open == NSC_PROMPT_COMMAND && !is_command))
        from = 0;
    app->prompt.from = from;
    app->prompt.offering = false;
    nsc_offers_clear(offers, from);
    word = (struct nsc_text){line->text + from, (uint32_t)(line->at - from)};
    if (app->prompt.open == NSC_PROMPT_FILTER || command == NSC_COMMAND_LINE_FILTER)
        filter_offer(app, word);
    else if (app->prompt.open == NSC_PROMPT_FIND && word.n >= NAME_LEAST)
        names_offer(app, &(struct name_wish){.typed = word});
    else if (app->prompt.open == NSC_PROMPT_COMMAND && !is_command)
        command_offer(app, word);
    else if (kind->complete)
        kind->complete(app, word);
}
