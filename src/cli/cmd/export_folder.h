/*
 * nsyscope export FILE -o FOLDER: one Perfetto file a GPU.
 */
#ifndef NSC_CLI_CMD_EXPORT_FOLDER_H
#define NSC_CLI_CMD_EXPORT_FOLDER_H

#include "share/dump.h"

/*
 * Writes trace_gpuN.json for each GPU of the query's trace into the folder, which is made if it is
 * missing (not the folders above it): the work of that GPU and the threads of the processes that
 * use it. The query's mask and window apply; its format is ignored. NSC_ENODATA: no GPU work;
 * NSC_EINVAL: a file exists and force is not set.
 */
NSC_NODISCARD enum nsc_status nsc_export_folder(const struct nsc_dump_query *query,
                                                const char *folder, bool force,
                                                struct nsc_error *error);

#endif
