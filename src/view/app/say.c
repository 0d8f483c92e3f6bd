/*
 * Messages in the status line.
 */
#include "view/app/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void nsc_app_say(struct nsc_app *app, const char *text)
{
    size_t n = strlen(text);

    n = n < sizeof app->message ? n : sizeof app->message - 1;
    memcpy(app->message, text, n);
    app->message[n] = '\0';
}

bool nsc_app_refuse(struct nsc_app *app, const char *text)
{
    nsc_app_say(app, text);
    return false;
}

void nsc_app_sayf(struct nsc_app *app, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(app->message, sizeof app->message, format, args);
    va_end(args);
}

bool nsc_app_wait_for_rest(struct nsc_app *app)
{
    if (app->scene->early)
        nsc_app_say(app, "That comes with the rest of the export, which is still being read.");
    return app->scene->early;
}

void nsc_app_say_nothing(struct nsc_app *app, enum nsc_action action)
{
    if (!app->message[0])
        nsc_app_say(app, nsc_actions[action].why);
}
