/*
 * The table of settings and their values, for the command line and the config panel.
 */
#ifndef NSC_VIEW_APP_SETTING_H
#define NSC_VIEW_APP_SETTING_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#define NSC_SETTING_BYTES 64

struct nsc_app;

enum nsc_setting {
#define NSC_SETTING(id, name, option, kind, values, help) NSC_SETTING_##id,
#include "view/app/setting.def"
    NSC_N_SETTINGS
};

enum nsc_setting_kind { NSC_SETTING_IS_WORDS, NSC_SETTING_IS_NUMBER, NSC_SETTING_IS_TIME };

struct nsc_setting_row {
    const char *name, *values, *help; /* values: "off on", "2 to 20" */
    enum nsc_setting_kind kind;
    uint8_t option; /* enum nsc_scene_option; NSC_N_SCENE_OPTIONS: it is none of the scene */
};
extern const struct nsc_setting_row nsc_settings[NSC_N_SETTINGS];

/* NSC_N_SETTINGS if there is none with that name. */
enum nsc_setting nsc_setting_find(struct nsc_text name);
/* Its value as text that set() accepts. */
void nsc_app_setting_text(const struct nsc_app *app, enum nsc_setting setting,
                          char out[NSC_SETTING_BYTES]);
NSC_NODISCARD enum nsc_status nsc_app_setting_set(struct nsc_app *app, enum nsc_setting setting,
                                                  struct nsc_text value, struct nsc_error *error);
/* Changes it to the next or previous value; words wrap around. False at the end of a range. */
bool nsc_app_setting_step(struct nsc_app *app, enum nsc_setting setting, bool up);

#endif
