/* Recognizes families and makers of kernels by words in their names. */
#include "analysis/names/kernel_family.h"

#include "analysis/names/matrix_kernel.h"
#include "core/ini.h"

#include <string.h>

enum { LOOKED_AT = 1000 }; /* bytes of a name that are searched: templates are long */

enum place { OWN, WHOLE, PRODUCT, FUSED };

struct rule {
    enum nsc_kernel_family family;
    enum place place;
    const char *patterns;
};

static const struct rule rules[] = {
#define KERNEL_RULE(id, place, patterns) {NSC_FAMILY_##id, place, patterns},
#include "analysis/names/kernel_family.def"
};

struct maker {
    const char *engine, *patterns;
};

static const struct maker makers[] = {
#define KERNEL_ENGINE(engine, patterns) {engine, patterns},
#include "analysis/names/kernel_family.def"
};

/* A name in lower case, and the same without what stands in brackets; both end in 0. */
struct folded {
    char whole[LOOKED_AT + 1], own[LOOKED_AT + 1];
};

/* The length of a bracket at `at` that is a word: a namespace without a name. */
static size_t unnamed_at(const char *at)
{
    static const char *const words[] = {"<unnamed>", "(anonymous namespace)"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return strlen(words[i]);
    return 0;
}

static void fold(struct folded *out, struct nsc_text name)
{
    size_t n = 0, depth = 0, own = 0;

    for (; n < name.n && n < LOOKED_AT; n++)
        out->whole[n] = name.bytes[n] ? nsc_ascii_lower(name.bytes[n]) : ' ';
    out->whole[n] = 0;
    for (size_t i = 0; i < n; i++) {
        size_t skip = unnamed_at(out->whole + i);

        if (skip > 0) {
            i += skip - 1;
            continue;
        }
        depth -= depth > 0 && strchr(">)]", out->whole[i]);
        if (depth == 0 && !strchr("<([>)]", out->whole[i]))
            out->own[own++] = out->whole[i];
        depth += strchr("<([", out->whole[i]) != NULL;
    }
    out->own[own] = 0;
}

/* Where a part of n bytes ends in the name; NULL: it is not there. memmem would be shorter, but prepares a
 * table for each part, which costs more than these short names. */
static const char *find_part(const char *name, const char *end, const char *part, size_t n)
{
    while (name && (size_t)(end - name) >= n && memcmp(name, part, n) != 0)
        name = memchr(name + 1, part[0], (size_t)(end - name - 1));
    return name && (size_t)(end - name) >= n ? name + n : NULL;
}

/* Whether the parts of a pattern of n bytes, between its "*", follow each other in the name. */
static bool matches(const char *name, const char *end, const char *pattern, size_t n)
{
    while (name && n > 0) {
        const char *star = memchr(pattern, '*', n);
        size_t part = star ? (size_t)(star - pattern) : n;

        name = find_part(name, end, pattern, part);
        pattern += star ? part + 1 : part;
        n -= star ? part + 1 : part;
    }
    return name != NULL;
}

static bool matches_any(const char *name, const char *patterns)
{
    const char *end = name + strlen(name);

    while (*patterns) {
        size_t n = strcspn(patterns, " ");

        if (matches(name, end, patterns, n))
            return true;
        patterns += n + (patterns[n] == ' ');
    }
    return false;
}

/* The length of the longest of the words, apart from blanks, that ends at '_' or the end of at; 0: none. */
static size_t word_at(const char *at, const char *words)
{
    size_t longest = 0;

    for (; *words; words += *words == ' ') {
        size_t n = strcspn(words, " ");

        if (n > longest && strncmp(at, words, n) == 0 && (at[n] == '_' || at[n] == 0))
            longest = n;
        words += n;
    }
    return longest;
}

/* Whether the name is TorchInductor's for these operations alone: "triton_poi_fused_cat_clone_3". */
static bool fuses_only(const char *name, const char *words)
{
    static const char prefix[] = "triton_poi_fused_";
    bool any = false;

    if (strncmp(name, prefix, strlen(prefix)) != 0)
        return false;
    for (name += strlen(prefix); *name;) {
        size_t blank = strspn(name, "_0123456789");
        size_t n = blank > 0 ? blank : word_at(name, words);

        if (n == 0)
            return false;
        any = any || blank == 0;
        name += n;
    }
    return any;
}

static bool holds(const struct rule *rule, const struct folded *folded, struct nsc_text name)
{
    if (rule->place == PRODUCT)
        return nsc_matrix_of(name) != NSC_MATRIX_NONE;
    if (rule->place == FUSED)
        return fuses_only(folded->own, rule->patterns);
    return matches_any(rule->place == OWN ? folded->own : folded->whole, rule->patterns);
}

enum nsc_kernel_family nsc_kernel_family_of(struct nsc_text name)
{
    struct folded folded;

    fold(&folded, name);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (holds(&rules[i], &folded, name))
            return rules[i].family;
    return NSC_FAMILY_OTHER;
}

const char *nsc_kernel_family_word(enum nsc_kernel_family family)
{
    static const char *const words[] = {
#define KERNEL_FAMILY(id, word, meaning) word,
#include "analysis/names/kernel_family.def"
    };

    return words[family];
}

const char *nsc_kernel_engine_of(struct nsc_text name)
{
    struct folded folded;

    fold(&folded, name);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (matches_any(folded.whole, makers[i].patterns))
            return makers[i].engine;
    return NULL;
}

/* A name that is looked up in the user's words. */
struct lookup {
    struct folded folded;
    const char *section;
    struct nsc_text word; /* "": not found yet */
};

static void look(void *context, const struct nsc_ini_entry *entry)
{
    struct lookup *lookup = context;
    struct folded patterns;

    if (lookup->word.n > 0 || !nsc_text_is(entry->section, lookup->section))
        return;
    fold(&patterns, entry->value);
    if (matches_any(lookup->folded.whole, patterns.whole))
        lookup->word = entry->key;
}

/* The user's word, or an empty text. */
static struct nsc_text user_word(const struct nsc_trace *trace, struct nsc_text name,
                                 const char *section)
{
    struct nsc_text words = nsc_trace_string(trace, nsc_trace_info(trace)->words);
    struct lookup lookup = {.section = section};

    if (words.n > 0) {
        fold(&lookup.folded, name);
        nsc_ini_parse(words, look, NULL, &lookup);
    }
    return lookup.word;
}

struct nsc_text nsc_kernel_family_text(const struct nsc_trace *trace, struct nsc_text name)
{
    struct nsc_text word = user_word(trace, name, "families");

    return word.n > 0 ? word : nsc_text_from(nsc_kernel_family_word(nsc_kernel_family_of(name)));
}

struct nsc_text nsc_kernel_engine_text(const struct nsc_trace *trace, struct nsc_text name)
{
    struct nsc_text word = user_word(trace, name, "engines");
    const char *engine = word.n > 0 ? NULL : nsc_kernel_engine_of(name);

    return engine ? nsc_text_from(engine) : word;
}
