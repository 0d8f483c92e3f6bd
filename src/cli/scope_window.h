/*
 * The window of --range or --bookmark.
 */
#ifndef NSC_CLI_SCOPE_WINDOW_H
#define NSC_CLI_SCOPE_WINDOW_H

#include "cli/scope_options.h"

/*
 * Narrows asked->scope (the window of --trim, or everything) and adds notes. Does nothing without
 * these options. NSC_EINVAL: no such range or bookmark; NSC_ENODATA: its window is empty.
 */
NSC_NODISCARD enum nsc_status nsc_asked_window(struct nsc_asked *asked,
                                               const struct nsc_options *options,
                                               struct nsc_error *error);

#endif
