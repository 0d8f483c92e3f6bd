/* Settings: reads, changes and steps through them, by one table. */
#include "view/app/setting.h"

#include "analysis/select/filter.h"
#include "core/text.h"
#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/words.h"
#include "view/scene/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NSC_SCENE_NONE = NSC_N_SCENE_OPTIONS };

const struct nsc_setting_row nsc_settings[NSC_N_SETTINGS] = {
#define NSC_SETTING(id, name, option, kind, values, help) \
    {name, values, help, NSC_SETTING_IS_##kind, NSC_SCENE_##option},
#include "view/app/setting.def"
};

enum nsc_setting nsc_setting_find(struct nsc_text name)
{
    return (enum nsc_setting)NSC_TEXT_AMONG(name, nsc_settings);
}

/* ---- words and ranges ---- */

static void range_of(const char *values, uint32_t *low, uint32_t *high)
{
    *low = (uint32_t)strtoul(values, NULL, 10);
    *high = (uint32_t)strtoul(strrchr(values, ' '), NULL, 10);
}

/* ---- values as numbers: of words their place in the list ---- */

static bool glyphs_set(struct nsc_app *app, bool ascii)
{
    if (app->ascii_only && !ascii)
        nsc_app_say(app, "Nothing but ASCII can be shown here.");
    nsc_scene_change(app->edit, NSC_SCENE_ASCII, ascii || app->ascii_only);
    nsc_app_title_name(app);
    return true;
}

static uint32_t number_get(const struct nsc_app *app, enum nsc_setting setting)
{
    const struct nsc_setting_row *row = &nsc_settings[setting];
    uint32_t value = 0, low = 0, high = 0;

    if (row->option < NSC_N_SCENE_OPTIONS)
        value = nsc_scene_get(app->edit, (enum nsc_scene_option)row->option);
    if (row->kind == NSC_SETTING_IS_NUMBER)
        range_of(row->values, &low, &high); /* no height is set yet: it is the least */
    switch (setting) {
    case NSC_SETTING_THEME:
        /* a file has none */
        return nsc_words_find(row->values, nsc_text_from(app->config.theme)) %
               nsc_words_count(row->values);
    case NSC_SETTING_COLORS:
        return app->config.color;
    case NSC_SETTING_GLYPHS:
        return app->scene->ascii;
    case NSC_SETTING_MOUSE:
        return app->config.no_mouse;
    default:
        return value > low ? value : low;
    }
}

void nsc_app_theme_ask(struct nsc_app *app, struct nsc_text name)
{
    (void)snprintf(app->config.theme_wanted, sizeof app->config.theme_wanted, "%.*s", (int)name.n,
                   name.bytes);
    app->effects.set |= NSC_EFFECT_THEME | NSC_EFFECT_REPAINT;
    app->effects.text = nsc_text_from(app->config.theme_wanted);
}

/* Asks the terminal to have the colours and the mouse of the settings. */
static bool terminal_set(struct nsc_app *app)
{
    app->effects.set |= NSC_EFFECT_TERMINAL | NSC_EFFECT_REPAINT;
    app->effects.mouse = !app->config.no_mouse;
    app->effects.color = app->config.color;
    return true;
}

/* False if the trace does not support the value. */
static bool number_set(struct nsc_app *app, enum nsc_setting setting, uint32_t value)
{
    uint8_t option = nsc_settings[setting].option;

    if (setting == NSC_SETTING_AXIS &&
        !nsc_axis_is_known(app->scene, &app->explore, (enum nsc_axis)value))
        return false;
    if (option < NSC_N_SCENE_OPTIONS) {
        nsc_scene_change(app->edit, (enum nsc_scene_option)option, value);
        return true;
    }
    switch (setting) {
    case NSC_SETTING_THEME:
        nsc_app_theme_ask(app, nsc_words_at(nsc_settings[setting].values, value));
        return true;
    case NSC_SETTING_COLORS:
        app->config.color = value;
        return terminal_set(app);
    case NSC_SETTING_GLYPHS:
        return glyphs_set(app, value);
    case NSC_SETTING_MOUSE:
        app->config.no_mouse = value;
        return terminal_set(app);
    default:
        return false;
    }
}

/* Whether the text is one of the row's values, and its number. */
static bool number_read(uint32_t *out, const struct nsc_setting_row *row, struct nsc_text text)
{
    uint32_t low = 0, high = 0;

    *out = nsc_words_find(row->values, text);
    if (row->kind == NSC_SETTING_IS_WORDS)
        return *out < nsc_words_count(row->values);
    *out = 0;
    if (text.n == 0 || text.n > 6) /* no range has more digits */
        return false;
    for (uint32_t i = 0; i < text.n; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return false;
        *out = *out * 10 + (uint32_t)(text.bytes[i] - '0');
    }
    range_of(row->values, &low, &high);
    return *out >= low && *out <= high;
}

/* ---- the minimum duration: a term of the filter ---- */

static struct nsc_text duration_text(const struct nsc_app *app)
{
    struct nsc_text text = nsc_filter_find(nsc_text_from(app->filter.text), "dur>");

    return text.n ? text : nsc_text_from("0");
}

/* In ns; -1: it is no time. */
static nsc_time duration_of(struct nsc_text text)
{
    char copy[NSC_SETTING_BYTES];
    nsc_time ns = -1;

    nsc_text_keep(copy, text);
    return nsc_units_parse_time(&ns, copy, NSC_UNITS_NS, NULL) == NSC_OK ? ns : -1;
}

static bool duration_put(struct nsc_app *app, struct nsc_text text)
{
    return nsc_app_filter_least(app, nsc_text_is(text, "0") ? nsc_text_from("") : text);
}

static bool duration_step(struct nsc_app *app, bool up)
{
    const char *values = nsc_settings[NSC_SETTING_MIN_DURATION].values;
    uint32_t n = nsc_words_count(values), at = 0;
    nsc_time now = duration_of(duration_text(app));

    while (at < n && duration_of(nsc_words_at(values, at)) <= (up ? now : now - 1))
        at++;
    return (up ? at < n : at > 0) && duration_put(app, nsc_words_at(values, up ? at : at - 1));
}

static enum nsc_status duration_set(struct nsc_app *app, struct nsc_text value,
                                    struct nsc_error *error)
{
    if (value.n >= NSC_SETTING_BYTES || duration_of(value) < 0)
        return nsc_fail(error, NSC_EINVAL,
                        "set min-duration: a time like 100us is wanted; without a unit it is ns");
    return duration_put(app, value) ? NSC_OK : nsc_fail(error, NSC_EINVAL, "%s", app->message);
}

/* ---- any setting ---- */

void nsc_app_setting_text(const struct nsc_app *app, enum nsc_setting setting,
                          char out[NSC_SETTING_BYTES])
{
    const struct nsc_setting_row *row = &nsc_settings[setting];
    struct nsc_text word;

    if (row->kind == NSC_SETTING_IS_NUMBER) {
        (void)snprintf(out, NSC_SETTING_BYTES, "%u", number_get(app, setting));
        return;
    }
    word = setting == NSC_SETTING_THEME       ? nsc_text_from(app->config.theme)
           : row->kind == NSC_SETTING_IS_TIME ? duration_text(app)
                                              : nsc_words_at(row->values, number_get(app, setting));
    (void)snprintf(out, NSC_SETTING_BYTES, "%.*s", (int)word.n, word.bytes);
}

/* Reports a value that this trace does not support. */
static const char *why_not(enum nsc_setting setting, uint32_t number)
{
    if (setting == NSC_SETTING_AXIS && number == NSC_AXIS_MARK)
        return "there is no mark yet; mark sets one at the cursor";
    if (setting == NSC_SETTING_AXIS && number == NSC_AXIS_ITERATION)
        return "there are no iterations; iterations NAME says which ranges they are";
    return "this trace does not tell";
}

enum nsc_status nsc_app_setting_set(struct nsc_app *app, enum nsc_setting setting,
                                    struct nsc_text value, struct nsc_error *error)
{
    const struct nsc_setting_row *row = &nsc_settings[setting];
    uint32_t number = 0;

    if (row->kind == NSC_SETTING_IS_TIME)
        return duration_set(app, value, error);
    if (setting == NSC_SETTING_THEME && value.n < sizeof app->config.theme) {
        nsc_app_theme_ask(app, value); /* may also be a file */
        return NSC_OK;
    }
    if (!number_read(&number, row, value))
        return nsc_fail(error, NSC_EINVAL,
                        row->kind == NSC_SETTING_IS_WORDS ? "set %s: give one of %s"
                                                          : "set %s: give a number from %s",
                        row->name, row->values);
    if (!number_set(app, setting, number))
        return nsc_fail(error, NSC_EINVAL, "set %s %.*s: %s", row->name, (int)value.n, value.bytes,
                        why_not(setting, number));
    return NSC_OK;
}

bool nsc_app_setting_step(struct nsc_app *app, enum nsc_setting setting, bool up)
{
    const struct nsc_setting_row *row = &nsc_settings[setting];
    uint32_t now = number_get(app, setting);
    uint32_t low = 0, high = 0;

    if (row->kind == NSC_SETTING_IS_TIME)
        return duration_step(app, up);
    if (row->kind == NSC_SETTING_IS_NUMBER) {
        range_of(row->values, &low, &high);
        return (up ? now < high : now > low) && number_set(app, setting, up ? now + 1 : now - 1);
    }
    high = nsc_words_count(row->values);
    for (uint32_t i = 1; i < high; i++)
        if (number_set(app, setting, (now + (up ? i : high - i)) % high))
            return true;
    return false;
}
