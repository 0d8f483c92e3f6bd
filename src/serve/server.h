/*
 * The server: reads the lines of a client, gives calls to keepers and writes the answers as they come.
 *
 * It waits in one place for the client and all keepers, never for one of them. A client that sends too
 * much, too fast, or reads nothing harms only itself: a line has at most 1 MB, a client has at most 32
 * calls at once, and nothing is read from it while many answers wait.
 */
#ifndef NSC_SERVE_SERVER_H
#define NSC_SERVE_SERVER_H

#include "serve/keeper.h"

/* Serves one client until it closes its side and its calls are answered. files: those that a call
 * without files means; loading begins with the first call. */
void nsc_serve(const struct nsc_serve_host *host, const struct nsc_argv *files, int in, int out);

#endif
