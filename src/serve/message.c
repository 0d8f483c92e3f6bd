/* Reads JSON-RPC messages strictly, and writes errors. */
#include "serve/message.h"

#include "core/text.h"

#include <string.h>

bool nsc_message_id_read(struct nsc_message_id *out, const struct nsc_json_tree *tree,
                         uint32_t node, const char *key)
{
    struct nsc_buf json = NSC_BUF_INIT(NSC_MESSAGE_ID - 1);
    uint32_t value = nsc_json_find(tree, node, key);
    struct nsc_text text;
    int64_t number = 0;
    bool is_id;

    out->json[0] = '\0';
    if (nsc_json_get_int(&number, tree, value))
        nsc_buf_int(&json, number);
    else if (nsc_json_get_text(&text, tree, value))
        nsc_json_string(&json, text);
    is_id = json.n > 0 && !json.overflow;
    if (is_id)
        memcpy(out->json, json.bytes, json.n + 1);
    nsc_buf_fini(&json);
    return is_id || value == NSC_NONE;
}

static int refuse(struct nsc_error *error, int code, const char *why)
{
    (void)nsc_fail(error, NSC_EFORMAT, "%s", why);
    return code;
}

int nsc_message_read(struct nsc_message *message, struct nsc_text line, struct nsc_error *error)
{
    const struct nsc_json_tree *tree = &message->tree;
    bool has_id;

    message->id.json[0] = '\0';
    message->method = (struct nsc_text){0};
    if (nsc_json_parse(&message->tree, line, error) != NSC_OK)
        return NSC_MESSAGE_PARSE;
    if (!nsc_json_is(tree, 0, NSC_JSON_OBJECT))
        return refuse(error, NSC_MESSAGE_REQUEST, "give one request, an object, a line");
    has_id = nsc_message_id_read(&message->id, tree, 0, "id");
    if (!nsc_text_is(nsc_json_member_text(tree, 0, "jsonrpc"), "2.0"))
        return refuse(error, NSC_MESSAGE_REQUEST, "give \"jsonrpc\": \"2.0\"");
    if (nsc_json_find(tree, 0, "method") == NSC_NONE &&
        (nsc_json_find(tree, 0, "result") != NSC_NONE ||
         nsc_json_find(tree, 0, "error") != NSC_NONE))
        return 0;
    if (!has_id)
        return refuse(error, NSC_MESSAGE_REQUEST,
                      "give an id that is a whole number or a text of at most 256 bytes");
    if (!nsc_json_get_text(&message->method, tree, nsc_json_find(tree, 0, "method")))
        return refuse(error, NSC_MESSAGE_REQUEST, "give a method, a text");
    message->params = nsc_json_find(tree, 0, "params");
    if (message->params != NSC_NONE && !nsc_json_is(tree, message->params, NSC_JSON_OBJECT))
        return refuse(error, NSC_MESSAGE_PARAMS, "give params, an object");
    return 0;
}

void nsc_message_fini(struct nsc_message *message)
{
    nsc_json_fini(&message->tree);
}

void nsc_message_begin(struct nsc_json *json, struct nsc_buf *out, const struct nsc_message_id *id)
{
    nsc_json_init(json, out, false);
    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "jsonrpc", "2.0");
    nsc_buf_printf(out, ",\"id\":%s", id->json[0] ? id->json : "null");
}

void nsc_message_fail(struct nsc_buf *out, const struct nsc_message_id *id, int code,
                      const char *text, const char *data)
{
    struct nsc_json json;

    nsc_message_begin(&json, out, id);
    nsc_json_open(&json, "error", '{');
    nsc_json_int(&json, "code", code);
    nsc_json_puts(&json, "message", text);
    if (data)
        nsc_buf_printf(out, ",\"data\":%s", data);
    nsc_json_close(&json, '}');
    nsc_json_close(&json, '}');
}
