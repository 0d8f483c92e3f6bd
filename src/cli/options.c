/* Parses the command line by the tables in command.def and option.def. */
#include "nsyscope/trace.h"

#include "cli/option_sets.h"
#include "core/nearest.h"
#include "core/text.h"
#include "core/units.h"
#include "core/vec.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct nsc_command_row nsc_commands[NSC_N_COMMANDS] = {
#define NSC_COMMAND(id, operands, name, arguments, help, function) \
    {name, arguments, help, operands},
#include "cli/command.def"
};

const struct nsc_option_row nsc_option_rows[NSC_N_OPTIONS] = {
#define NSC_OPTION(id, name, n, arguments, commands, help) {name, arguments, help, commands, n},
#include "cli/option.def"
#undef NSC_OPTION
};

bool nsc_option_applies(enum nsc_option option, enum nsc_command command)
{
    return nsc_option_rows[option].commands >> command & 1;
}

/* Whether the command takes another command after "--". */
static bool takes_command(enum nsc_command command)
{
    return strstr(nsc_commands[command].arguments, "CMD ...") != NULL;
}

/* Options with a number: where it goes, as 32 or 64 bits, and its range. */
static const struct number {
    enum nsc_option option;
    size_t at, bytes;
    int64_t least, most;
} numbers[] = {
#define NUMBER(id, member, least, most)                            \
    {                                                              \
        NSC_OPTION_##id, offsetof(struct nsc_options, member),     \
            sizeof(((struct nsc_options *)0)->member), least, most \
    }
    NUMBER(THREADS, open.threads, 0, UINT32_MAX - 1),
    NUMBER(KERNELS, generate.kernels, 0, 1000000000),
    NUMBER(DEVICES, generate.devices, 0, UINT32_MAX - 1),
    NUMBER(STREAMS, generate.streams, 0, UINT32_MAX - 1),
    NUMBER(DEPTH, generate.depth, 0, UINT32_MAX - 1),
    NUMBER(LAYERS, generate.layers, 0, UINT32_MAX - 1),
    NUMBER(SEED, generate.seed, 0, INT64_MAX),
    NUMBER(COLUMNS, columns, 1, 10000000),
    NUMBER(LANE, lane, 0, UINT32_MAX - 1),
    NUMBER(MAX_BYTES, max_bytes, 0, INT64_MAX),
    NUMBER(LIMIT, limit, 0, UINT32_MAX - 1),
    NUMBER(TOP, top, 1, UINT32_MAX - 1),
    NUMBER(LAUNCH_COUNT, launch_count, 1, UINT32_MAX - 1),
    NUMBER(KERNEL_LIMIT, kernel_limit, 1, 1000000),
    NUMBER(TOP_KERNELS, kernel_limit, 1, 1000000),
    NUMBER(DEVICE, device, INT64_MIN, INT64_MAX),
    NUMBER(PITH_RANK, rank, INT64_MIN, INT64_MAX),
#undef NUMBER
};

static enum nsc_status set_number(struct nsc_options *options, const struct number *number,
                                  const char *text, struct nsc_error *error)
{
    const char *what = nsc_option_rows[number->option].name;
    char *place = (char *)options + number->at;
    char *end = NULL;
    int64_t value;
    uint32_t small;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno || end == text || *end)
        return nsc_fail(error, NSC_EINVAL, "--%s %s: not a whole number", what, text);
    if (value < number->least || value > number->most)
        return nsc_fail(error, NSC_EINVAL, "--%s %s: give %" PRId64 " to %" PRId64, what, text,
                        number->least, number->most);
    small = (uint32_t)value;
    if (number->bytes == sizeof small)
        memcpy(place, &small, sizeof small);
    else
        memcpy(place, &value, sizeof value);
    return NSC_OK;
}

/* Parses "0,1,7". Both element types fit into int64. */
static enum nsc_status parse_list(int64_t **out, uint32_t *n, enum nsc_option option,
                                  const char *text, struct nsc_error *error)
{
    NSC_VEC(int64_t) list = {0};
    const char *at = text;

    do {
        char *end = NULL;

        errno = 0;
        *NSC_VEC_ADD(&list) = strtoll(at, &end, 10);
        if (errno || end == at || (*end && *end != ',')) {
            NSC_VEC_FINI(&list);
            return nsc_fail(error, NSC_EINVAL, "--%s %s: give whole numbers, as 0,1,7",
                            nsc_option_rows[option].name, text);
        }
        at = *end ? end + 1 : NULL;
    } while (at);
    *out = list.at;
    *n = (uint32_t)list.n;
    return NSC_OK;
}

static enum nsc_status parse_gpus(struct nsc_options *options, const char *text,
                                  struct nsc_error *error)
{
    int64_t *list = NULL;
    enum nsc_status status = parse_list(&list, &options->open.n_gpus, NSC_OPTION_GPU, text, error);

    options->open.gpus = list;
    return status;
}

static enum nsc_status parse_pids(struct nsc_options *options, const char *text,
                                  struct nsc_error *error)
{
    int64_t *list = NULL;
    uint32_t n = 0;
    uint32_t *pids = NULL;
    enum nsc_status status = parse_list(&list, &n, NSC_OPTION_PID, text, error);

    if (status != NSC_OK)
        return status;
    pids = nsc_xcalloc(n, sizeof *pids);
    for (uint32_t i = 0; i < n; i++)
        pids[i] = (uint32_t)list[i];
    free(list);
    options->open.pids = pids;
    options->open.n_pids = n;
    return NSC_OK;
}

static enum nsc_status parse_window(struct nsc_window *out, enum nsc_option option,
                                    char *const *args, enum nsc_units_default unit,
                                    struct nsc_error *error)
{
    struct nsc_error why = {NSC_OK, ""};
    enum nsc_status status = nsc_units_parse_time(&out->t0, args[0], unit, &why);

    if (status == NSC_OK)
        status = nsc_units_parse_time(&out->t1, args[1], unit, &why);
    if (status != NSC_OK)
        status = nsc_fail(error, status, "--%s: %s; a number without a unit is %s",
                          nsc_option_rows[option].name, why.text,
                          unit == NSC_UNITS_S ? "seconds" : "ns");
    else if (out->t0 >= out->t1)
        status = nsc_fail(error, NSC_EINVAL, "--%s %s %s: the end must lie after the start",
                          nsc_option_rows[option].name, args[0], args[1]);
    return status;
}

/* "120x40" */
static enum nsc_status parse_size(struct nsc_options *options, const char *text,
                                  struct nsc_error *error)
{
    char *end = NULL;
    unsigned long cols = strtoul(text, &end, 10);
    unsigned long rows = 0;

    if (end != text && *end == 'x')
        rows = strtoul(end + 1, &end, 10);
    if (*end || cols < 1 || rows < 1 || cols > 4096 || rows > 4096)
        return nsc_fail(error, NSC_EINVAL, "--size %s: give columns x rows, as 120x40", text);
    options->cols = (uint32_t)cols;
    options->rows = (uint32_t)rows;
    return NSC_OK;
}

/* "0:7" */
static enum nsc_status parse_stream(struct nsc_options *options, const char *text,
                                    struct nsc_error *error)
{
    char *end = NULL;

    errno = 0;
    options->device = strtoll(text, &end, 10);
    if (end != text && *end == ':') {
        const char *stream = end + 1;

        options->stream = strtoll(stream, &end, 10);
        if (!errno && end != stream && !*end)
            return NSC_OK;
    }
    return nsc_fail(error, NSC_EINVAL, "--stream %s: give device:stream, as 0:7", text);
}

/* Compared recordings are aligned by their first work: their clocks are unrelated. */
static enum nsc_status check_compare(struct nsc_options *options, struct nsc_error *error)
{
    if (options->n_operands != 2)
        return nsc_fail(error, NSC_EINVAL, "--compare: give two exports, the one before first");
    if (!options->set[NSC_OPTION_ALIGN])
        options->align = NSC_ALIGN_START;
    return NSC_OK;
}

static enum nsc_status parse_align(struct nsc_options *options, const char *text,
                                   struct nsc_error *error)
{
    if (nsc_align_parse(&options->align, &options->align_range, text))
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL, "--align %s: give " NSC_ALIGN_WORDS, text);
}

/* Adds a value of a repeatable option. */
static void add_text(const char ***list, uint32_t *n, const char *text)
{
    *list = nsc_xrealloc(*list, (size_t)*n + 1, sizeof **list);
    (*list)[(*n)++] = text;
}

/* The place of the word in the option's arguments, "a|b|c"; the number of words there if it is none
 * of them. */
static unsigned find_word(enum nsc_option option, const char *word)
{
    struct nsc_text words = nsc_text_from(nsc_option_rows[option].arguments);
    unsigned i = 0;

    while (words.n && !nsc_text_is(nsc_text_split(&words, '|'), word))
        i++;
    return i;
}

/* An option whose arguments are plain words takes one of these; options->word has its place. */
static enum nsc_status take_word(struct nsc_options *options, enum nsc_option option,
                                 const char *word, struct nsc_error *error)
{
    const char *words = nsc_option_rows[option].arguments;
    unsigned n = find_word(option, "");

    if (words[strspn(words, "abcdefghijklmnopqrstuvwxyz0123456789-|")] || n < 2 ||
        option == NSC_OPTION_SHEET_FORMAT || option == NSC_OPTION_TIMEUNIT)
        return NSC_OK;
    options->word[option] = (uint8_t)find_word(option, word);
    return options->word[option] < n ? NSC_OK
                                     : nsc_fail(error, NSC_EINVAL, "--%s %.60s: give %s",
                                                nsc_option_rows[option].name, word, words);
}

static enum nsc_status set_option(struct nsc_options *options, enum nsc_option option,
                                  char *const *args, struct nsc_error *error)
{
    struct nsc_open_options *open = &options->open;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].option == option)
            return set_number(options, &numbers[i], args[0], error);
    switch (option) {
    case NSC_OPTION_TRIM:
        open->has_trim = true;
        return parse_window(&open->trim, option, args, NSC_UNITS_S, error);
    case NSC_OPTION_GPU:
        return parse_gpus(options, args[0], error);
    case NSC_OPTION_PID:
        return parse_pids(options, args[0], error);
    case NSC_OPTION_MEM:
        return nsc_option_bytes(&open->memory, options, option, error);
    case NSC_OPTION_ALIGN:
        return parse_align(options, args[0], error);
    case NSC_OPTION_SIZE:
        return parse_size(options, args[0], error);
    case NSC_OPTION_WINDOW:
    case NSC_OPTION_PAGE_WINDOW:
    case NSC_OPTION_RANGE:
        options->has_window = true;
        return parse_window(&options->window, option, args,
                            option == NSC_OPTION_WINDOW ? NSC_UNITS_NS : NSC_UNITS_S, error);
    case NSC_OPTION_NVTX_INCLUDE:
        options->set[NSC_OPTION_RANGE_NAME] = true;
        options->arg[NSC_OPTION_RANGE_NAME][0] = args[0];
        return NSC_OK;
    case NSC_OPTION_COMMAND:
        add_text(&options->commands, &options->n_commands, args[0]);
        return NSC_OK;
    case NSC_OPTION_PARAM:
        add_text(&options->params, &options->n_params, args[0]);
        return NSC_OK;
    case NSC_OPTION_STREAM:
        return parse_stream(options, args[0], error);
    default:
        return take_word(options, option, args[0], error);
    }
}

/* Fields that follow from other options. */
static void take_flags(struct nsc_options *options)
{
    const bool *set = options->set;

    options->open.wal = set[NSC_OPTION_WAL];
    options->open.no_pages = set[NSC_OPTION_NO_PAGES];
    options->open.tables = options->arg[NSC_OPTION_TABLES][0];
    options->generate.force = set[NSC_OPTION_FORCE];
}

/* Short forms. */
static enum nsc_option find_short(const char *word, enum nsc_command command)
{
    static const struct {
        const char *word;
        enum nsc_option option;
    } shorts[] = {
        {"-r", NSC_OPTION_REPORT},       {"-r", NSC_OPTION_RULE},
        {"-f", NSC_OPTION_STATS_FORMAT}, {"-f", NSC_OPTION_SHEET_FORMAT},
        {"-o", NSC_OPTION_STATS_OUTPUT}, {"-o", NSC_OPTION_OUTPUT},
        {"-p", NSC_OPTION_PARAM},        {"-q", NSC_OPTION_QUERY},
        {"-h", NSC_OPTION_HELP},         {"-c", NSC_OPTION_COMMAND},
    };
    enum nsc_option found = NSC_N_OPTIONS;

    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
        if (strcmp(shorts[i].word, word) == 0 &&
            (found == NSC_N_OPTIONS || !nsc_option_applies(found, command)))
            found = shorts[i].option; /* the caller reports one that is not of this command */
    return found;
}

/* Whether the word is "name" or "name=value". */
static bool is_named(const char *word, const char *name)
{
    size_t n = strlen(name);

    return strncmp(word, name, n) == 0 && (word[n] == '\0' || word[n] == '=');
}

/*
 * Finds the option of "--name" or of a short form; NSC_N_OPTIONS if there is none. If several share
 * a name, the subcommand's own wins.
 */
static enum nsc_option find_option(const char *word, enum nsc_command command)
{
    enum nsc_option other = NSC_N_OPTIONS;

    for (unsigned i = 0; word[1] == '-' && i < NSC_N_OPTIONS; i++) {
        if (!is_named(word + 2, nsc_option_rows[i].name))
            continue;
        if (nsc_option_applies((enum nsc_option)i, command))
            return (enum nsc_option)i;
        other = (enum nsc_option)i;
    }
    if (other != NSC_N_OPTIONS)
        return other;
    return find_short(word, command);
}

static void find_command(struct nsc_options *options, int argc, char *const *argv)
{
    for (unsigned i = 0; argc > 1 && i < NSC_N_COMMANDS; i++)
        if (strcmp(argv[1], nsc_commands[i].name) == 0) {
            options->command = (enum nsc_command)i;
            options->has_command = true;
        }
}

/* The first word that is neither an option nor its value; argc if there is none. */
static int first_operand(int argc, char *const *argv)
{
    int at = 1;

    while (at < argc && argv[at][0] == '-' && argv[at][1]) {
        enum nsc_option option = find_option(argv[at], NSC_COMMAND_OPEN);

        if (option == NSC_N_OPTIONS)
            return argc;
        at += 1 + (strchr(argv[at], '=') ? 0 : nsc_option_rows[option].n);
    }
    return at < argc ? at : argc;
}

int nsc_options_lead(int argc, char **argv)
{
    int at = first_operand(argc, argv);
    int n = 0;

    if (at == argc)
        return 1;
    if (!nsc_command_alias_find(argc - at + 1, argv + at - 1, &n))
        for (unsigned i = 0; i < NSC_N_COMMANDS && !n; i++)
            n = strcmp(argv[at], nsc_commands[i].name) == 0;
    for (int i = 0; i < n; i++) {
        char *word = argv[at + i];

        memmove(argv + 2 + i, argv + 1 + i, (size_t)(at - 1) * sizeof *argv);
        argv[1 + i] = word;
    }
    return n ? 1 : at;
}

static void expand_alias(struct nsc_options *options, int *argc, char *const **argv)
{
    int n = 0;

    options->alias = nsc_command_alias_find(*argc, *argv, &n);
    if (!options->alias)
        return;
    nsc_command_alias_expand(&options->words, options->alias, *argc, *argv, n);
    *argc = (int)options->words.words.n;
    *argv = nsc_argv_vector(&options->words);
}

/* Takes the value of "--name=value". */
static enum nsc_status take_value(struct nsc_options *options, enum nsc_option option, char *value,
                                  struct nsc_error *error)
{
    options->set[option] = true;
    options->arg[option][0] = value;
    return set_option(options, option, &value, error);
}

static enum nsc_status parse_option(struct nsc_options *options, int *at, int argc,
                                    char *const *argv, struct nsc_error *error)
{
    const char *word = argv[*at];
    enum nsc_option option = find_option(word, options->command);
    const char *command = nsc_commands[options->command].name;
    struct nsc_nearest nearest;
    char near[NSC_NEAREST_WORDS];
    char *equals;
    int n = 0;

    nsc_nearest_init(&nearest, nsc_text_from(word));
    for (unsigned i = 0; option == NSC_N_OPTIONS && i < NSC_N_OPTIONS; i++)
        if (nsc_option_applies((enum nsc_option)i, options->command))
            nsc_nearest_add(&nearest, nsc_text_from(nsc_option_rows[i].name));
    if (option == NSC_N_OPTIONS)
        return nsc_fail(error, NSC_EINVAL, "%s: no such option%s; nsyscope %s --help lists them",
                        word, nsc_nearest_words(near, &nearest), command);
    if (!nsc_option_applies(option, options->command))
        return nsc_fail(error, NSC_EINVAL,
                        "%s: not for nsyscope %s; nsyscope %s --help lists what is", word, command,
                        command);
    n = nsc_option_rows[option].n;
    equals = word[1] == '-' ? strchr(word, '=') : NULL;
    if (equals && n != 1)
        return nsc_fail(error, NSC_EINVAL, "--%s %s, without \"=\"", nsc_option_rows[option].name,
                        n ? nsc_option_rows[option].arguments : "takes no value");
    if (equals)
        return take_value(options, option, equals + 1, error);
    if (*at + n >= argc)
        return nsc_fail(error, NSC_EINVAL, "%s needs %s", word, nsc_option_rows[option].arguments);
    options->set[option] = true;
    for (int i = 0; i < n; i++) {
        options->arg[option][i] = argv[*at + 1 + i];
        if (strncmp(options->arg[option][i], "--", 2) == 0)
            return nsc_fail(error, NSC_EINVAL, "%s needs %s, and %.60s follows", word,
                            nsc_option_rows[option].arguments, options->arg[option][i]);
    }
    *at += n;
    return set_option(options, option, argv + *at - n + 1, error);
}

static enum nsc_status add_operand(struct nsc_options *options, const char *word,
                                   struct nsc_error *error)
{
    const struct nsc_command_row *command = &nsc_commands[options->command];

    if (command->operands == 0)
        return nsc_fail(error, NSC_EINVAL, "%s: put -- before the command to run", word);
    if (options->n_operands == command->operands && options->n_operands == 1)
        return nsc_fail(error, NSC_EINVAL, "%s: one %s at a time, and %s is given already", word,
                        command->arguments, options->file);
    if (options->n_operands == command->operands)
        return nsc_fail(error, NSC_EINVAL, "%s: one word too many; nsyscope %s takes %s", word,
                        command->name, command->arguments);
    if (options->n_operands == 0)
        options->file = word;
    options->operands[options->n_operands++] = word;
    return NSC_OK;
}

/* A rule of analyze prints in the formats of stats. */
static enum nsc_status take_format(struct nsc_options *options, struct nsc_error *error)
{
    const char *name = options->arg[NSC_OPTION_SHEET_FORMAT][0];

    options->format = options->command == NSC_COMMAND_BINS ? NSC_SHEET_AS_CSV : NSC_SHEET_AS_TABLE;
    if (options->set[NSC_OPTION_JSON])
        options->format = NSC_SHEET_AS_JSON;
    if (name && !options->set[NSC_OPTION_RULE] && !nsc_sheet_format_parse(&options->format, name))
        return nsc_fail(error, NSC_EINVAL, "--format %s: give %s", name,
                        nsc_option_rows[NSC_OPTION_SHEET_FORMAT].arguments);
    if (options->set[NSC_OPTION_RAW_CSV] && options->format == NSC_SHEET_AS_CSV)
        options->format = NSC_SHEET_AS_RAW_CSV;
    if (options->set[NSC_OPTION_RAW_CSV] && options->format == NSC_SHEET_AS_TSV)
        options->format = NSC_SHEET_AS_RAW_TSV;
    return NSC_OK;
}

/* "-o -" means standard output, like no -o. */
static void clear_dash(struct nsc_options *options)
{
    const char *file = options->arg[NSC_OPTION_OUTPUT][0];

    if (!file || strcmp(file, "-") != 0)
        return;
    options->set[NSC_OPTION_OUTPUT] = false;
    options->arg[NSC_OPTION_OUTPUT][0] = NULL;
}

enum nsc_status nsc_options_parse(struct nsc_options *options, int argc, char *const *argv,
                                  struct nsc_error *error)
{
    static const struct nsc_generate_options generate = NSC_GENERATE_OPTIONS_INIT;
    bool words_only = false;
    enum nsc_status status = NSC_OK;

    memset(options, 0, sizeof *options);
    options->generate = generate;
    options->cols = 120;
    options->rows = 40;
    options->columns = 100;
    options->limit = 20;
    options->envelope = nsc_xcalloc(1, sizeof *options->envelope);
    options->top = 5;
    options->launch_count = 1;
    options->kernel_limit = 30;
    options->lane = NSC_NONE;
    expand_alias(options, &argc, &argv);
    options->named = options->operands = nsc_xcalloc((size_t)argc + 1, sizeof *options->operands);
    find_command(options, argc, argv);
    for (int i = options->has_command ? 2 : 1; i < argc && status == NSC_OK; i++) {
        if (!words_only && strcmp(argv[i], "--") == 0) {
            words_only = true;
            if (takes_command(options->command)) {
                options->rest = argv + i + 1;
                options->n_rest = argc - i - 1;
                break;
            }
        } else if (!words_only && argv[i][0] == '-' && argv[i][1])
            status = parse_option(options, &i, argc, argv, error);
        else
            status = add_operand(options, argv[i], error);
    }
    clear_dash(options);
    take_flags(options);
    if (status == NSC_OK)
        status = take_format(options, error);
    if (status == NSC_OK && options->set[NSC_OPTION_COMPARE])
        status = check_compare(options, error);
    if (status != NSC_OK)
        nsc_options_fini(options);
    return status;
}

void nsc_options_fini(struct nsc_options *options)
{
    free((void *)(uintptr_t)options->open.gpus); /* the readers borrow both as const */
    free((void *)(uintptr_t)options->open.pids);
    free(options->commands);
    free(options->operands);
    for (int i = 0; i < 3; i++)
        nsc_argv_fini(&options->found[i]);
    free(options->params);
    nsc_argv_fini(&options->words);
    nsc_buf_fini(&options->config);
    if (options->envelope)
        nsc_envelope_fini(options->envelope);
    free(options->envelope);
    *options = (struct nsc_options){0};
}
