/*
 * JSON-RPC 2.0 messages, one a line: reads one, writes errors.
 */
#ifndef NSC_SERVE_MESSAGE_H
#define NSC_SERVE_MESSAGE_H

#include "core/json.h"
#include "core/json_write.h"

#define NSC_MESSAGE_BYTES ((size_t)1 << 20) /* longest line */
#define NSC_MESSAGE_ID    256               /* longest id, in bytes as JSON */

enum nsc_message_error {
    NSC_MESSAGE_PARSE = -32700,
    NSC_MESSAGE_REQUEST = -32600, /* JSON, but no request */
    NSC_MESSAGE_METHOD = -32601,
    NSC_MESSAGE_PARAMS = -32602,
    NSC_MESSAGE_BUSY = -32000,
    NSC_MESSAGE_VERSION = -32022 /* a revision of the protocol that is not supported */
};

/* The id of a request as JSON: a text or a whole number of 64 bits. "": a notification. */
struct nsc_message_id {
    char json[NSC_MESSAGE_ID];
};
/* Reads a member of an object as an id. False if it is there and no id. */
bool nsc_message_id_read(struct nsc_message_id *out, const struct nsc_json_tree *tree,
                         uint32_t node, const char *key);

/* All zero is empty; reading into it again reuses its memory; free with fini. */
struct nsc_message {
    struct nsc_json_tree tree;
    struct nsc_message_id id;
    struct nsc_text method; /* borrowed from the tree; NULL: an answer, which needs nothing */
    uint32_t params;        /* an object of the tree; NSC_NONE: none */
};

/* 0, or the code of the error with its text in *error; the id is set if it could be read. */
int nsc_message_read(struct nsc_message *message, struct nsc_text line, struct nsc_error *error);
void nsc_message_fini(struct nsc_message *message);

/* Begins a message on one line with the id, null for none; the caller adds "result" and closes it. */
void nsc_message_begin(struct nsc_json *json, struct nsc_buf *out, const struct nsc_message_id *id);
/* Writes an error. data: more about it as JSON; NULL: none. */
void nsc_message_fail(struct nsc_buf *out, const struct nsc_message_id *id, int code,
                      const char *text, const char *data);

#endif
