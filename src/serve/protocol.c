/* Answers the requests of the protocol, and writes the results of calls. */
#include "serve/protocol.h"

#include "core/text.h"

#include <string.h>

#define STATELESS   NSC_MCP_STATELESS
#define META        NSC_MCP_META
#define VERSION_KEY META "protocolVersion"
#define INSTRUCTIONS                                                                          \
    "Exact answers about Nsight Systems exports (.sqlite). Begin with findings, then ask or " \
    "answer; query for the rest. Each table names its window, units and denominators; "       \
    "left_out counts rows that did not fit. No data is not the same as healthy: see info."

/* Revisions with a handshake, the newest first. */
static const char *const handshakes[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

/* A line being answered. */
struct reading {
    struct nsc_protocol *protocol;
    struct nsc_request *request;
    struct nsc_buf *out;
    const struct nsc_serve_host *host;
    uint32_t params;
};

static void fail(const struct reading *reading, int code, const char *text)
{
    nsc_message_fail(reading->out, &reading->request->id, code, text, NULL);
}

/* ---- results ---- */

static void begin_result(struct nsc_json *json, struct nsc_buf *out,
                         const struct nsc_request *request)
{
    nsc_message_begin(json, out, &request->id);
    nsc_json_open(json, "result", '{');
    if (request->is_stateless)
        nsc_json_puts(json, "resultType", "complete");
}

static void end_result(struct nsc_json *json)
{
    nsc_json_close(json, '}');
    nsc_json_close(json, '}');
}

/* Adds a document as it is, without its line ends and what indents the next line: neither stands in a
 * text of JSON. */
static void add_document(struct nsc_json *json, const char *key, struct nsc_text text)
{
    struct nsc_buf *out = json->out;

    nsc_buf_printf(out, "%s\"%s\":", json->comma ? "," : "", key);
    json->comma = true;
    for (size_t i = 0; i < text.n;) {
        const char *end = memchr(text.bytes + i, '\n', text.n - i);
        size_t n = end ? (size_t)(end - text.bytes) - i : text.n - i;

        nsc_buf_add(out, text.bytes + i, n);
        for (i += n + 1; i < text.n && text.bytes[i] == ' ';)
            i++;
    }
}

/* ---- methods ---- */

/* The answer is the same for an hour, and for everybody. */
static void write_caching(struct nsc_json *json)
{
    nsc_json_int(json, "ttlMs", 3600000);
    nsc_json_puts(json, "cacheScope", "public");
}

static void write_server(struct nsc_json *json, const char *key, const char *version)
{
    nsc_json_open(json, key, '{');
    nsc_json_puts(json, "name", "nsyscope");
    nsc_json_puts(json, "version", version);
    nsc_json_close(json, '}');
}

/* The revision of a handshake: the one that the client wants, else the newest. */
static const char *choose_version(const struct reading *reading)
{
    const struct nsc_json_tree *tree = &reading->protocol->message.tree;
    struct nsc_text wanted = nsc_json_member_text(tree, reading->params, "protocolVersion");
    size_t i = 0;

    while (i < sizeof handshakes / sizeof *handshakes && !nsc_text_is(wanted, handshakes[i]))
        i++;
    return handshakes[i < sizeof handshakes / sizeof *handshakes ? i : 0];
}

/* initialize and server/discover: what the server is and can. */
static void describe(struct reading *reading)
{
    struct nsc_json json;

    begin_result(&json, reading->out, reading->request);
    if (reading->request->is_stateless) {
        nsc_json_open(&json, "supportedVersions", '[');
        nsc_json_puts(&json, NULL, STATELESS);
        nsc_json_close(&json, ']');
        write_caching(&json);
        nsc_json_open(&json, "_meta", '{');
        write_server(&json, META "serverInfo", reading->host->version);
        nsc_json_close(&json, '}');
    } else {
        reading->protocol->has_handshake = true;
        nsc_json_puts(&json, "protocolVersion", choose_version(reading));
    }
    nsc_json_open(&json, "capabilities", '{');
    nsc_json_open(&json, "tools", '{');
    nsc_json_close(&json, '}');
    nsc_json_close(&json, '}');
    nsc_json_puts(&json, "instructions", INSTRUCTIONS);
    write_server(&json, "serverInfo", reading->host->version);
    end_result(&json);
}

static void ping(struct reading *reading)
{
    struct nsc_json json;

    begin_result(&json, reading->out, reading->request);
    end_result(&json);
}

static void list_tools(struct reading *reading)
{
    struct nsc_json json;

    begin_result(&json, reading->out, reading->request);
    add_document(&json, "tools", nsc_text_from(nsc_tool_files[0].text));
    if (reading->request->is_stateless)
        write_caching(&json);
    end_result(&json);
}

static void call_tool(struct reading *reading)
{
    const struct nsc_json_tree *tree = &reading->protocol->message.tree;
    struct nsc_request *request = reading->request;
    struct nsc_error error = {0};
    enum nsc_status status = nsc_tool_call_parse(
        &request->call, nsc_json_member_text(tree, reading->params, "name"), tree,
        nsc_json_find(tree, reading->params, "arguments"), reading->protocol->files, &error);

    if (status == NSC_OK)
        request->type = NSC_REQUEST_CALL;
    else if (status == NSC_ENODATA)
        fail(reading, NSC_MESSAGE_PARAMS, "no tool has this name; tools/list lists them");
    else
        nsc_protocol_refuse(reading->out, request, error.text);
}

/* nsyscope/run, of a session only: the command line of a client in its own place, which writes to the
 * client's descriptors. The result is its exit status. */
static void run_line(struct reading *reading)
{
    struct nsc_protocol *protocol = reading->protocol;
    const struct nsc_json_tree *tree = &protocol->message.tree;
    struct nsc_tool_call *call = &reading->request->call;

    if (protocol->n_fds == NSC_LINE_FDS &&
        nsc_tool_words(&call->words, tree, nsc_json_find(tree, reading->params, "words")) &&
        nsc_tool_words(&call->environment, tree,
                       nsc_json_find(tree, reading->params, "environment"))) {
        memcpy(call->fds, protocol->fds, sizeof call->fds);
        call->has_fds = true;
        protocol->n_fds = 0;
        reading->request->type = NSC_REQUEST_CALL;
        return;
    }
    nsc_tool_call_fini(call);
    fail(reading, NSC_MESSAGE_PARAMS, "give words, environment and four descriptors");
}

/* ---- a line ---- */

static void dispatch(struct reading *reading)
{
    static const struct {
        const char *name;
        void (*run)(struct reading *reading);
        bool in_handshake, in_stateless; /* the forms of the protocol that have it */
    } methods[] = {
        {"initialize", describe, true, false},      {"ping", ping, true, false},
        {"server/discover", describe, false, true}, {"tools/list", list_tools, true, true},
        {"tools/call", call_tool, true, true},      {"nsyscope/run", run_line, false, true},
    };
    bool is_stateless = reading->request->is_stateless;
    size_t i = 0;

    while (i < sizeof methods / sizeof *methods &&
           (!nsc_text_is(reading->protocol->message.method, methods[i].name) ||
            !(is_stateless ? methods[i].in_stateless : methods[i].in_handshake) ||
            (methods[i].run == run_line && !reading->host->warm)))
        i++;
    if (!is_stateless && !reading->protocol->has_handshake &&
        (i == sizeof methods / sizeof *methods || methods[i].in_stateless))
        fail(reading, NSC_MESSAGE_PARAMS,
             "begin with initialize, or name a revision: _meta \"" VERSION_KEY "\": \"" STATELESS
             "\"");
    else if (i == sizeof methods / sizeof *methods)
        fail(reading, NSC_MESSAGE_METHOD, "no such method");
    else
        methods[i].run(reading);
}

/* The revision that the request names. False, with the error written, if it is not supported. */
static bool read_version(struct reading *reading)
{
    const struct nsc_json_tree *tree = &reading->protocol->message.tree;
    uint32_t meta = nsc_json_find(tree, reading->params, "_meta");
    struct nsc_buf data = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_text version;

    reading->request->is_stateless =
        nsc_json_get_text(&version, tree, nsc_json_find(tree, meta, VERSION_KEY));
    if (!reading->request->is_stateless || nsc_text_is(version, STATELESS))
        return true;
    nsc_buf_puts(&data, "{\"supported\":[\"" STATELESS "\"],\"requested\":");
    nsc_json_string(&data, version);
    nsc_buf_putc(&data, '}');
    nsc_message_fail(reading->out, &reading->request->id, NSC_MESSAGE_VERSION,
                     "this revision of the protocol is not supported", data.bytes);
    nsc_buf_fini(&data);
    return false;
}

/* Of the notifications only one matters. */
static void take_notice(struct reading *reading)
{
    const struct nsc_message *message = &reading->protocol->message;
    struct nsc_request *request = reading->request;

    if (nsc_text_is(message->method, "notifications/cancelled") &&
        nsc_message_id_read(&request->id, &message->tree, reading->params, "requestId") &&
        request->id.json[0])
        request->type = NSC_REQUEST_CANCEL;
}

void nsc_protocol_read(struct nsc_request *request, struct nsc_buf *out,
                       struct nsc_protocol *protocol, struct nsc_text line,
                       const struct nsc_serve_host *host)
{
    struct nsc_message *message = &protocol->message;
    struct reading reading = {protocol, request, out, host, NSC_NONE};
    struct nsc_error error = {0};
    int code = nsc_message_read(message, line, &error);

    *request = (struct nsc_request){.type = NSC_REQUEST_NONE, .id = message->id};
    reading.params = message->params;
    if (code != 0)
        nsc_message_fail(out, &message->id, code, error.text, NULL);
    else if (message->method.bytes && !message->id.json[0])
        take_notice(&reading);
    else if (message->method.bytes && read_version(&reading))
        dispatch(&reading);
}

/* ---- the result of a call ---- */

static void write_text(struct nsc_json *json, struct nsc_text text)
{
    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "type", "text");
    nsc_json_text(json, "text", text);
    nsc_json_close(json, '}');
}

static void write_result(struct nsc_buf *out, const struct nsc_request *request,
                         struct nsc_text text, struct nsc_text trouble, bool is_error)
{
    struct nsc_json json;

    begin_result(&json, out, request);
    nsc_json_open(&json, "content", '[');
    write_text(&json, text);
    if (trouble.n)
        write_text(&json, trouble);
    nsc_json_close(&json, ']');
    if (!is_error && request->call.is_json) {
        add_document(&json, "structuredContent", text);
    } else if (!is_error) {
        nsc_json_open(&json, "structuredContent", '{');
        nsc_json_text(&json, "screen", text);
        nsc_json_close(&json, '}');
    }
    nsc_json_bool(&json, "isError", is_error);
    end_result(&json);
}

void nsc_protocol_refuse(struct nsc_buf *out, const struct nsc_request *request, const char *text)
{
    write_result(out, request, nsc_text_from(text), (struct nsc_text){"", 0}, true);
}

void nsc_protocol_answer(struct nsc_buf *out, const struct nsc_request *request,
                         const struct nsc_keeper *keeper)
{
    size_t most = request->call.most ? (size_t)request->call.most : NSC_KEEPER_LIMIT - 1;
    struct nsc_text answer = nsc_text_of_buf(&keeper->answer);
    struct nsc_text trouble = nsc_text_of_buf(&keeper->trouble);
    struct nsc_buf why = NSC_BUF_INIT(512);
    struct nsc_json json;

    if (request->call.has_fds) {
        begin_result(&json, out, request);
        nsc_json_int(&json, "status", keeper->status); /* NSC_SESSION_STATUS */
        end_result(&json);
        return;
    }
    while (trouble.n > 0 && trouble.bytes[trouble.n - 1] == '\n')
        trouble.n--;
    if (answer.n > most)
        nsc_buf_printf(&why,
                       "The answer has more than %zu bytes; give max_bytes more, or ask for less "
                       "with trim, filter, range or size.",
                       most);
    else if (answer.n > 0 && (keeper->status == 0 || keeper->status == 1 || keeper->status == 7))
        write_result(out, request, answer, trouble,
                     false); /* done, a failed gate, too little data */
    else if (trouble.n > 0)
        write_result(out, request, trouble, (struct nsc_text){"", 0}, true);
    else
        nsc_buf_printf(
            &why,
            "The process of the answer ended with status %d (128 and more: a signal); ask "
            "again, or for less.",
            keeper->status);
    if (why.n > 0)
        nsc_protocol_refuse(out, request, why.bytes);
    nsc_buf_fini(&why);
}
