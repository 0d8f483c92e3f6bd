/* Periodically compares the view with the saved one, and requests saving it. */
#include "cli/session/kept_view.h"

#include "cli/session/loader.h"
#include "view/app/app.h"

#include <string.h>

enum { VIEW_MS = 10000 };

void nsc_kept_view_fini(struct nsc_kept_view *kept)
{
    nsc_buf_fini(&kept->text);
}

static bool is_same(const struct nsc_buf *a, const struct nsc_buf *b)
{
    return a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

void nsc_kept_view_update(struct nsc_kept_view *kept, const struct nsc_app *app,
                          struct nsc_loader *loader, uint64_t now)
{
    const struct nsc_bookmarks none = {0};
    struct nsc_session_state state = {0};
    struct nsc_buf text = NSC_BUF_INIT(1u << 30);

    if (!kept->at)
        kept->at = now + VIEW_MS;
    kept->due = true;
    if (now < kept->at || !nsc_app_state(app, &state))
        return;
    kept->due = false;
    kept->at = now + VIEW_MS;
    nsc_bookmarks_format(&text, &none, &state, "", false);
    if (!is_same(&text, &kept->text))
        nsc_loader_save_view(loader, &state);
    nsc_session_state_fini(&state);
    nsc_buf_fini(&kept->text);
    kept->text = text;
}
