/* Reads the formats of share/dump in the simplest way. */
#include "support/dump_check.h"

#include "core/die.h"
#include "core/text.h"
#include "core/vec.h"
#include "support/cm.h"

#include <string.h>

static bool add_bytes(void *context, const struct nsc_buf *bytes, struct nsc_error *error)
{
    (void)error;
    nsc_buf_join(context, bytes);
    return true;
}

struct nsc_buf dump_write(const struct nsc_dump_query *query, enum nsc_status wanted)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 30);
    struct nsc_dump_sink sink = {add_bytes, &out};
    struct nsc_error error = {0};

    assert_int_equal(nsc_dump(query, &sink, NULL, &error), wanted);
    assert_false(out.overflow);
    return out;
}

/* ---- rows of brackets, by a number ---- */

struct stack {
    uint64_t id;
    NSC_VEC(nsc_time) ends; /* or frames */
    nsc_time last;
};
struct stacks {
    NSC_VEC(struct stack) list;
};

static struct stack *stack_of(struct stacks *stacks, uint64_t id)
{
    for (size_t i = stacks->list.n; i-- > 0;)
        if (stacks->list.at[i].id == id)
            return &stacks->list.at[i];
    *NSC_VEC_ADD(&stacks->list) = (struct stack){.id = id, .last = INT64_MIN};
    return &stacks->list.at[stacks->list.n - 1];
}

static void stacks_fini(struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->list.n; i++)
        NSC_VEC_FINI(&stacks->list.at[i].ends);
    NSC_VEC_FINI(&stacks->list);
}

/* Checks that a slice lies inside all open ones and starts no earlier than the previous one. */
static void stack_slice(struct stack *stack, nsc_time start, nsc_time end)
{
    assert_true(start >= stack->last && end >= start);
    stack->last = start;
    while (stack->ends.n && stack->ends.at[stack->ends.n - 1] <= start)
        stack->ends.n--;
    assert_true(!stack->ends.n || end <= stack->ends.at[stack->ends.n - 1]);
    *NSC_VEC_ADD(&stack->ends) = end;
}

/* ---- JSON ---- */

static struct nsc_json_tree parse(struct nsc_text text)
{
    struct nsc_json_tree tree = {0};
    struct nsc_error error = {0};

    if (nsc_json_parse(&tree, text, &error) != NSC_OK)
        fail_msg("%s", error.text);
    return tree;
}

static struct nsc_text text_at(const struct nsc_json_tree *tree, uint32_t object, const char *key)
{
    struct nsc_text text = {"", 0};

    assert_true(nsc_json_get_text(&text, tree, nsc_json_find(tree, object, key)));
    return text;
}

static int64_t int_at(const struct nsc_json_tree *tree, uint32_t object, const char *key)
{
    int64_t value = 0;

    assert_true(nsc_json_get_int(&value, tree, nsc_json_find(tree, object, key)));
    return value;
}

static bool is(struct nsc_text text, const char *word)
{
    return text.n == strlen(word) && memcmp(text.bytes, word, text.n) == 0;
}

/* "12.345" µs as ns. */
static nsc_time ns_at(const struct nsc_json_tree *tree, uint32_t object, const char *key)
{
    uint32_t node = nsc_json_find(tree, object, key);
    nsc_time ns = 0;
    bool negative = false;
    uint32_t point = 0;

    assert_true(nsc_json_is(tree, node, NSC_JSON_NUMBER));
    for (uint32_t i = 0; i < tree->nodes[node].n; i++) {
        char c = tree->bytes[tree->nodes[node].at + i];

        negative = negative || c == '-';
        if (c == '.')
            point = i;
        if (c >= '0' && c <= '9')
            ns = ns * 10 + (c - '0');
    }
    assert_int_equal(tree->nodes[node].n - point, 4);
    return negative ? -ns : ns;
}

static void chrome_event(const struct nsc_json_tree *tree, uint32_t node, struct stacks *stacks,
                         struct dump_seen *seen)
{
    struct nsc_text phase = text_at(tree, node, "ph");
    int64_t thread = int_at(tree, node, "tid");

    assert_true(thread > 0 && int_at(tree, node, "pid") > 0);
    (void)text_at(tree, node, "name");
    if (is(phase, "M"))
        return;
    if (is(phase, "X")) {
        nsc_time start = ns_at(tree, node, "ts");
        nsc_time length = ns_at(tree, node, "dur");

        stack_slice(stack_of(stacks, (uint64_t)thread), start, start + length);
        seen->duration += length;
        seen->events++;
    } else {
        (void)ns_at(tree, node, "ts");
        seen->events += is(phase, "i");
        seen->counters += is(phase, "C");
        seen->arrows += is(phase, "f");
        assert_true(is(phase, "i") || is(phase, "C") || is(phase, "f") || is(phase, "s"));
    }
}

struct dump_seen dump_check_chrome(struct nsc_text text)
{
    struct nsc_json_tree tree = parse(text);
    uint32_t list = nsc_json_find(&tree, 0, "traceEvents");
    struct stacks stacks = {0};
    struct dump_seen seen = {0};

    assert_true(nsc_json_is(&tree, list, NSC_JSON_ARRAY));
    for (uint32_t i = list + 1; i < tree.nodes[list].next; i = tree.nodes[i].next)
        chrome_event(&tree, i, &stacks, &seen);
    seen.rows = stacks.list.n;
    stacks_fini(&stacks);
    nsc_json_fini(&tree);
    return seen;
}

static void speedscope_profile(const struct nsc_json_tree *tree, uint32_t profile,
                               uint32_t n_frames, struct dump_seen *seen)
{
    uint32_t list = nsc_json_find(tree, profile, "events");
    struct stack stack = {.last = int_at(tree, profile, "startValue")};
    NSC_VEC(nsc_time) starts = {0};

    for (uint32_t i = list + 1; i < tree->nodes[list].next; i = tree->nodes[i].next) {
        int64_t frame = int_at(tree, i, "frame");
        int64_t at = int_at(tree, i, "at");

        assert_true(at >= stack.last && frame >= 0 && frame < n_frames);
        stack.last = at;
        if (is(text_at(tree, i, "type"), "O")) {
            *NSC_VEC_ADD(&stack.ends) = frame;
            *NSC_VEC_ADD(&starts) = at;
            continue;
        }
        assert_true(is(text_at(tree, i, "type"), "C"));
        assert_true(stack.ends.n > 0 && stack.ends.at[--stack.ends.n] == frame);
        seen->duration += at - starts.at[--starts.n];
        seen->events++;
    }
    assert_int_equal(stack.ends.n, 0);
    assert_int_equal(stack.last, int_at(tree, profile, "endValue"));
    NSC_VEC_FINI(&stack.ends);
    NSC_VEC_FINI(&starts);
    seen->rows++;
}

struct dump_seen dump_check_speedscope(struct nsc_text text)
{
    struct nsc_json_tree tree = parse(text);
    uint32_t list = nsc_json_find(&tree, 0, "profiles");
    uint32_t frames = nsc_json_find(&tree, nsc_json_find(&tree, 0, "shared"), "frames");
    struct dump_seen seen = {0};

    assert_true(nsc_json_is(&tree, list, NSC_JSON_ARRAY));
    for (uint32_t i = list + 1; i < tree.nodes[list].next; i = tree.nodes[i].next)
        speedscope_profile(&tree, i, tree.nodes[frames].n, &seen);
    nsc_json_fini(&tree);
    return seen;
}

static void row_event(const struct nsc_json_tree *tree, uint32_t node, nsc_time *last,
                      struct dump_seen *seen)
{
    nsc_time start = int_at(tree, node, "start_ns");

    assert_true(start >= *last);
    *last = start;
    seen->duration += int_at(tree, node, "duration_ns");
    seen->events++;
    (void)text_at(tree, node, "name");
    (void)text_at(tree, node, "row");
}

struct dump_seen dump_check_json(struct nsc_text text)
{
    struct nsc_json_tree tree = parse(text);
    uint32_t list = nsc_json_find(&tree, 0, "events");
    struct dump_seen seen = {0};
    nsc_time last = INT64_MIN;

    assert_true(is(text_at(&tree, 0, "format"), "nsyscope-events-1"));
    for (uint32_t i = list + 1; i < tree.nodes[list].next; i = tree.nodes[i].next)
        row_event(&tree, i, &last, &seen);
    nsc_json_fini(&tree);
    return seen;
}

/* The next line without its end; false at the end of the text. Every line must have an end. */
static bool next_line(struct nsc_text *line, struct nsc_text *rest)
{
    const char *end = rest->n ? memchr(rest->bytes, '\n', rest->n) : NULL;

    if (!rest->n)
        return false;
    assert_non_null(end);
    *line = (struct nsc_text){rest->bytes, (uint32_t)(end - rest->bytes)};
    rest->n -= line->n + 1;
    rest->bytes = end + 1;
    return true;
}

struct dump_seen dump_check_ndjson(struct nsc_text text)
{
    struct dump_seen seen = {0};
    nsc_time last = INT64_MIN;
    struct nsc_text line;

    while (next_line(&line, &text)) {
        struct nsc_json_tree tree = parse(line);

        row_event(&tree, 0, &last, &seen);
        nsc_json_fini(&tree);
    }
    return seen;
}

/* ---- lines ---- */

static int64_t number(struct nsc_text text)
{
    int64_t value = 0;

    assert_true(text.n > 0);
    for (uint32_t i = 0; i < text.n; i++) {
        assert_true(text.bytes[i] >= '0' && text.bytes[i] <= '9');
        value = value * 10 + (text.bytes[i] - '0');
    }
    return value;
}

struct dump_seen dump_check_folded(struct nsc_text text)
{
    struct dump_seen seen = {0};
    struct nsc_text line;

    while (next_line(&line, &text)) {
        uint32_t blank = line.n;

        while (blank && line.bytes[blank - 1] != ' ')
            blank--;
        assert_true(blank > 1);
        seen.duration += number((struct nsc_text){line.bytes + blank, line.n - blank});
        seen.events++;
    }
    return seen;
}

static unsigned fields_in(struct nsc_text line)
{
    unsigned n = 1;
    bool quoted = false;

    for (uint32_t i = 0; i < line.n; i++) {
        quoted ^= line.bytes[i] == '"';
        n += !quoted && line.bytes[i] == ',';
    }
    assert_false(quoted);
    return n;
}

struct dump_seen dump_check_csv(struct nsc_text text)
{
    struct dump_seen seen = {0};
    struct nsc_text line;
    unsigned columns = 0;

    assert_true(next_line(&line, &text));
    columns = fields_in(line);
    while (next_line(&line, &text)) {
        const char *second = memchr(line.bytes, ',', line.n);
        uint32_t at = (uint32_t)(second - line.bytes) + 1;
        const char *third = memchr(line.bytes + at, ',', line.n - at);

        assert_int_equal(fields_in(line), columns);
        seen.duration +=
            number((struct nsc_text){line.bytes + at, (uint32_t)(third - line.bytes) - at});
        seen.events++;
    }
    return seen;
}

/* ---- protobuf ---- */

struct field {
    uint32_t number, wire;
    uint64_t value; /* varint, fixed64 */
    struct nsc_text bytes;
};

static uint64_t read_varint(struct nsc_text *from)
{
    uint64_t value = 0;

    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = 0;

        assert_true(from->n > 0 && shift < 64);
        byte = (uint8_t)from->bytes[0];
        from->bytes++;
        from->n--;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

static bool next_field(struct field *field, struct nsc_text *from)
{
    uint64_t key = 0;

    if (!from->n)
        return false;
    key = read_varint(from);
    *field = (struct field){(uint32_t)(key >> 3), (uint32_t)(key & 7), 0, {"", 0}};
    if (field->wire == 0) {
        field->value = read_varint(from);
        return true;
    }
    assert_true(field->wire == 1 || field->wire == 2);
    field->bytes.n = field->wire == 1 ? 8 : (uint32_t)read_varint(from);
    field->bytes.bytes = from->bytes;
    assert_true(field->bytes.n <= from->n);
    for (unsigned i = 0; field->wire == 1 && i < 8; i++)
        field->value |= (uint64_t)(uint8_t)field->bytes.bytes[i] << (8 * i);
    from->bytes += field->bytes.n;
    from->n -= field->bytes.n;
    return true;
}

/* The last field with that number; false if there is none. */
static bool find_field(struct field *out, struct nsc_text message, uint32_t number_wanted)
{
    bool found = false;
    struct field field;

    while (next_field(&field, &message))
        if (field.number == number_wanted) {
            *out = field;
            found = true;
        }
    return found;
}

struct proto_reader {
    struct stacks stacks; /* by uuid: starts of open slices */
    NSC_VEC(uint64_t) tracks, names;
    struct dump_seen seen;
};

static bool knows(const uint64_t *list, size_t n, uint64_t value)
{
    for (size_t i = n; i-- > 0;)
        if (list[i] == value)
            return true;
    return false;
}

static void proto_track(struct proto_reader *reader, struct nsc_text track)
{
    struct field uuid = {0};
    struct field parent;

    assert_true(find_field(&uuid, track, 1) && uuid.value > 0);
    assert_false(knows(reader->tracks.at, reader->tracks.n, uuid.value));
    if (find_field(&parent, track, 5))
        assert_true(knows(reader->tracks.at, reader->tracks.n, parent.value));
    *NSC_VEC_ADD(&reader->tracks) = uuid.value;
}

/* Reads interned names; each must occur once. */
static void proto_interned(struct proto_reader *reader, struct nsc_text data)
{
    struct field field;
    struct field iid = {0};

    while (next_field(&field, &data)) {
        if (field.number != 2)
            continue;
        assert_true(find_field(&iid, field.bytes, 1));
        assert_false(knows(reader->names.at, reader->names.n, iid.value));
        *NSC_VEC_ADD(&reader->names) = iid.value;
    }
}

static void proto_event(struct proto_reader *reader, struct nsc_text event, nsc_time time)
{
    struct field type = {0};
    struct field track = {0};
    struct field name;
    struct stack *stack = NULL;

    assert_true(find_field(&type, event, 9) && find_field(&track, event, 11));
    assert_true(knows(reader->tracks.at, reader->tracks.n, track.value));
    if (type.value == 4) {
        reader->seen.counters++;
        return;
    }
    stack = stack_of(&reader->stacks, track.value);
    assert_true(time >= stack->last);
    stack->last = time;
    reader->seen.arrows += find_field(&name, event, 47);
    if (type.value == 2) {
        assert_true(stack->ends.n > 0);
        reader->seen.duration += time - stack->ends.at[--stack->ends.n];
        return;
    }
    if (find_field(&name, event, 10))
        assert_true(knows(reader->names.at, reader->names.n, name.value));
    else
        assert_true(find_field(&name, event, 23));
    reader->seen.events++;
    if (type.value == 1)
        *NSC_VEC_ADD(&stack->ends) = time;
}

static void proto_packet(struct proto_reader *reader, struct nsc_text packet, bool first)
{
    struct field field;
    struct field time = {0};

    assert_true(find_field(&field, packet, 10) && field.value == 1);
    assert_true(find_field(&field, packet, 13) && field.value == (first ? 3 : 2));
    if (find_field(&field, packet, 12))
        for (struct nsc_text rest = packet; next_field(&field, &rest);)
            if (field.number == 12)
                proto_interned(reader, field.bytes);
    if (find_field(&field, packet, 60))
        proto_track(reader, field.bytes);
    if (!find_field(&field, packet, 11))
        return;
    assert_true(find_field(&time, packet, 8));
    proto_event(reader, field.bytes, (nsc_time)time.value);
}

struct dump_seen dump_check_perfetto(struct nsc_text bytes)
{
    struct proto_reader reader = {0};
    struct field field;
    bool first = true;

    for (; next_field(&field, &bytes); first = false) {
        assert_int_equal(field.number, 1);
        proto_packet(&reader, field.bytes, first);
    }
    for (size_t i = 0; i < reader.stacks.list.n; i++)
        assert_int_equal(reader.stacks.list.at[i].ends.n, 0);
    reader.seen.rows = reader.stacks.list.n;
    stacks_fini(&reader.stacks);
    NSC_VEC_FINI(&reader.tracks);
    NSC_VEC_FINI(&reader.names);
    return reader.seen;
}

struct dump_seen dump_check(enum nsc_dump_format format, struct nsc_text text)
{
    switch (format) {
    case NSC_DUMP_CHROME:
        return dump_check_chrome(text);
    case NSC_DUMP_PERFETTO:
        return dump_check_perfetto(text);
    case NSC_DUMP_SPEEDSCOPE:
        return dump_check_speedscope(text);
    case NSC_DUMP_CSV:
        return dump_check_csv(text);
    case NSC_DUMP_JSON:
        return dump_check_json(text);
    case NSC_DUMP_NDJSON:
        return dump_check_ndjson(text);
    default:
        return dump_check_folded(text);
    }
}
