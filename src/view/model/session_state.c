/* Stores the state of a view as identities and named settings. */
#include "core/die.h"
#include "view/model/bookmark.h"

#include <stdlib.h>
#include <string.h>

void nsc_session_state_fini(struct nsc_session_state *state)
{
    for (uint32_t i = 0; i < state->n_settings; i++) {
        free(state->settings[i].name);
        free(state->settings[i].value);
    }
    free(state->settings);
    for (int i = 0; i < NSC_N_SESSION_TRACKS; i++)
        free(state->tracks[i].at);
    free(state->filter);
    *state = (struct nsc_session_state){0};
}

static uint32_t find_setting(const struct nsc_session_state *state, const char *name)
{
    uint32_t i = 0;

    while (i < state->n_settings && strcmp(state->settings[i].name, name) != 0)
        i++;
    return i;
}

void nsc_session_state_set(struct nsc_session_state *state, const char *name, const char *value)
{
    uint32_t i = find_setting(state, name);

    if (i < state->n_settings) {
        free(state->settings[i].name);
        free(state->settings[i].value);
        state->settings[i] = state->settings[--state->n_settings];
    }
    if (!value || !*value)
        return;
    state->settings =
        nsc_xrealloc(state->settings, (size_t)state->n_settings + 1, sizeof *state->settings);
    state->settings[state->n_settings++] = (struct nsc_session_setting){
        nsc_xcopy(name, strlen(name)), nsc_xcopy(value, strlen(value))};
}

const char *nsc_session_state_get(const struct nsc_session_state *state, const char *name)
{
    uint32_t i = find_setting(state, name);

    return i < state->n_settings ? state->settings[i].value : "";
}

void nsc_session_state_set_tracks(struct nsc_session_state *state, enum nsc_session_tracks which,
                                  const struct nsc_track_id *ids, uint32_t n)
{
    struct nsc_track_id *copy = n ? nsc_xcalloc(n, sizeof *copy) : NULL;

    if (n)
        memcpy(copy, ids, n * sizeof *copy);
    free(state->tracks[which].at);
    state->tracks[which] = (struct nsc_track_ids){copy, n};
}

const char *nsc_session_tracks_word(enum nsc_session_tracks which)
{
    static const char *const words[NSC_N_SESSION_TRACKS] = {
        [NSC_SESSION_FOLDS] = "folds", [NSC_SESSION_PINS] = "pins", [NSC_SESSION_HIDDEN] = "hidden",
        [NSC_SESSION_ORDER] = "order", [NSC_SESSION_TALL] = "tall",
    };

    return words[which];
}
