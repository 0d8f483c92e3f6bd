/*
 * Reading the word for an alignment.
 */
#include "index/align_word.h"

#include <string.h>

bool nsc_align_parse(enum nsc_align *out, const char **range, const char *text)
{
    static const char nvtx[] = "nvtx:";

    *range = NULL;
    if (strcmp(text, "utc") == 0)
        *out = NSC_ALIGN_UTC;
    else if (strcmp(text, "start") == 0)
        *out = NSC_ALIGN_START;
    else if (strncmp(text, nvtx, strlen(nvtx)) == 0 && text[strlen(nvtx)])
        *out = NSC_ALIGN_NVTX;
    else
        return false;
    if (*out == NSC_ALIGN_NVTX)
        *range = text + strlen(nvtx);
    return true;
}
