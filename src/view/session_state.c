/*
 * What a view is restored from, kept as identities and named settings.
 */
#include "core/die.h"
#include "view/bookmark.h"

#include <stdlib.h>
#include <string.h>

void nsc_session_state_fini(struct nsc_session_state *state)
{
    for (uint32_t i = 0; i < state->n_settings; i++) {
        free(state->settings[i].name);
        free(state->settings[i].value);
    }
    free(state->settings);
    free(state->folds);
    free(state->pins);
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

static struct nsc_track_id *copy_ids(const struct nsc_track_id *ids, uint32_t n)
{
    struct nsc_track_id *copy = n ? nsc_xcalloc(n, sizeof *copy) : NULL;

    if (n)
        memcpy(copy, ids, n * sizeof *copy);
    return copy;
}

void nsc_session_state_set_folds(struct nsc_session_state *state, const struct nsc_track_id *ids,
                                 uint32_t n)
{
    struct nsc_track_id *copy = copy_ids(ids, n);

    free(state->folds);
    state->folds = copy;
    state->n_folds = n;
}

void nsc_session_state_set_pins(struct nsc_session_state *state, const struct nsc_track_id *ids,
                                uint32_t n)
{
    struct nsc_track_id *copy = copy_ids(ids, n);

    free(state->pins);
    state->pins = copy;
    state->n_pins = n;
}
