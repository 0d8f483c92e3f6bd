/*
 * The identity of a timeline row in files. It names contents, not a number, so that a filtered,
 * trimmed or newer view of the same export finds the row again.
 */
#ifndef NSC_VIEW_MODEL_TRACK_ID_H
#define NSC_VIEW_MODEL_TRACK_ID_H

#include "nsyscope/trace.h"

struct nsc_track_id {
    uint8_t kind;  /* enum nsc_track_kind */
    uint32_t nth;  /* index among tracks equal in all other fields but lane */
    uint32_t lane; /* depth within the track, from 0 */
    uint32_t pid, tid;
    uint64_t process; /* as in struct nsc_track */
    int64_t device, context, stream, domain;
};

/* track < number of tracks; lane is a depth of it. O(tracks). */
struct nsc_track_id nsc_track_id(const struct nsc_trace *trace, uint32_t track, uint32_t lane);
/* The track with that identity; NSC_NONE if there is none. The caller must check lane: a track may
 * have fewer lanes now. O(tracks). */
uint32_t nsc_track_id_find(const struct nsc_trace *trace, const struct nsc_track_id *id);

/* "stream", "nvtx" ...; never NULL below NSC_N_TRACK_KINDS. */
const char *nsc_track_kind_word(uint8_t kind);
bool nsc_track_kind_find(uint8_t *out, struct nsc_text word);

#endif
