/*
 * The Model Context Protocol in both its forms: with a handshake (2024-11-05 to 2025-11-25) and without
 * (2026-07-28), where each request names its revision.
 */
#ifndef NSC_SERVE_PROTOCOL_H
#define NSC_SERVE_PROTOCOL_H

#include "serve/keeper.h"
#include "serve/message.h"
#include "serve/tool.h"

#define NSC_MCP_STATELESS "2026-07-28" /* the form without a handshake */
#define NSC_MCP_META      "io.modelcontextprotocol/"

/* One client's. All zero but files at first; the message is freed with nsc_message_fini. */
struct nsc_protocol {
    const struct nsc_argv *files; /* those of calls without files; borrowed */
    bool has_handshake;           /* initialize was answered */
    struct nsc_message message;   /* the last one */
    int fds[NSC_LINE_FDS];        /* the last that came beside it; a command line takes all */
    unsigned n_fds;
};

/* What a line leaves to do, beside what was answered already. */
struct nsc_request {
    enum { NSC_REQUEST_NONE, NSC_REQUEST_CALL, NSC_REQUEST_CANCEL } type;
    struct nsc_message_id id;  /* of the request, or of the one to cancel */
    bool is_stateless;         /* of revision 2026-07-28 */
    struct nsc_tool_call call; /* CALL: the caller frees it */
};

/* Reads a line and appends the answers that need no export to out. */
void nsc_protocol_read(struct nsc_request *request, struct nsc_buf *out,
                       struct nsc_protocol *protocol, struct nsc_text line,
                       const struct nsc_serve_host *host);

/* Appends the result of a call that the keeper has done. */
void nsc_protocol_answer(struct nsc_buf *out, const struct nsc_request *request,
                         const struct nsc_keeper *keeper);
/* Appends the result of a call that could not be made: isError with the text. */
void nsc_protocol_refuse(struct nsc_buf *out, const struct nsc_request *request, const char *text);

#endif
