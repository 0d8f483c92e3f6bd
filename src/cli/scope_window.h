/* The window of --range or --bookmark, and the bookmarks of the exports. */
#ifndef NSC_CLI_SCOPE_WINDOW_H
#define NSC_CLI_SCOPE_WINDOW_H

#include "analysis/ranges/named_range.h"
#include "cli/scope_options.h"
#include "view/model/bookmark.h"

/*
 * Narrows loaded->scope (the window of --trim, or everything) and adds notes. Does nothing without
 * these options. NSC_EINVAL: no such range or bookmark; NSC_ENODATA: its window is empty.
 */
NSC_NODISCARD enum nsc_status nsc_loaded_scope_window(struct nsc_loaded_scope *loaded,
                                                      struct nsc_error *error);

/* Finds the ranges that an option names. The caller calls nsc_named_ranges_fini, also after an error.
 * name borrows the option's value. NSC_EINVAL: there is none; names the nearest. */
NSC_NODISCARD enum nsc_status nsc_loaded_scope_ranges(struct nsc_named_ranges *out,
                                                      struct nsc_range_name *name,
                                                      const struct nsc_loaded_scope *loaded,
                                                      enum nsc_option option,
                                                      struct nsc_error *error);

/* Adds the bookmarks that are stored for an identity: in the file of --bookmarks, or in the state folder. */
NSC_NODISCARD enum nsc_status nsc_bookmarks_load(struct nsc_bookmarks *list, const char *identity,
                                                 const struct nsc_options *options,
                                                 struct nsc_error *error);
/* Adds the bookmarks of the exports to list, from --bookmarks FILE or the state folder, and returns
 * the identity for which they are stored. Several exports have bookmarks of their own together;
 * those of each single export follow, on the joint axis. */
NSC_NODISCARD enum nsc_status nsc_loaded_scope_bookmarks(struct nsc_bookmarks *list,
                                                         char identity[NSC_IDENTITY_BYTES],
                                                         const struct nsc_loaded_scope *loaded,
                                                         struct nsc_error *error);

#endif
