/* Periodically compares the view with the saved one. */
#include "cli/session/kept_view.h"

#include "core/text.h"
#include "view/app/app.h"
#include "view/model/bookmark.h"

enum { VIEW_MS = 10000 };

bool nsc_kept_view_update(struct nsc_kept_view *kept, const struct nsc_app *app, uint64_t now,
                          struct nsc_session_state *out)
{
    const struct nsc_bookmarks none = {0};
    struct nsc_buf text = NSC_BUF_INIT(1u << 30);
    bool is_news = false;

    if (!kept->at)
        kept->at = now + VIEW_MS;
    kept->due = true;
    if (now < kept->at || !nsc_app_state(app, out))
        return false;
    kept->due = false;
    kept->at = now + VIEW_MS;
    nsc_bookmarks_format(&text, &none, out, "", false);
    is_news = nsc_text_compare(nsc_text_of_buf(&text), nsc_text_of_buf(&kept->text)) != 0;
    nsc_buf_fini(&kept->text);
    kept->text = text;
    if (!is_news)
        nsc_session_state_fini(out);
    return is_news;
}
