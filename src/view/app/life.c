/* Creates and frees the application. */
#include "analysis/skill/skill.h"
#include "core/die.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/model/tree.h"

#include <stdlib.h>
#include <string.h>

enum { COPIED_BYTES = 1 << 20 };

static void panes_init(struct nsc_app *app)
{
    app->panes.copied = (struct nsc_buf)NSC_BUF_INIT(COPIED_BYTES);
    app->details.bin = app->details.bin_of = NSC_NONE;
    app->panes.events.cursor_of = app->panes.events.like = NSC_NONE;
}

static void panes_fini(struct nsc_app *app)
{
    nsc_app_selection_fini(app);
    nsc_app_summary_fini(app);
    nsc_flame_view_fini(&app->flame);
    nsc_app_events_fini(app);
    nsc_buf_fini(&app->panes.copied);
}

struct nsc_app *nsc_app_new(const struct nsc_app_options *options)
{
    struct nsc_app *app = nsc_xcalloc(1, sizeof *app);
    const char *file = options->file ? options->file : "";
    size_t n = strlen(file) + 1;

    app->sources.file = nsc_xmalloc(n);
    memcpy(app->sources.file, file, n);
    app->files = options->files;
    app->sources.n_files = options->files ? options->n_files : 0;
    app->align = options->align;
    app->compare.wanted = options->compare;
    app->edit = nsc_scene_new();
    app->scene = nsc_scene_of(app->edit);
    nsc_app_config_init(app, options);
    nsc_keymap_init(&app->own_keymap);
    app->keymap = options->keymap ? options->keymap : &app->own_keymap;
    app->details.waited = app->details.row_of = app->details.wanted = app->details.held =
        app->details.facts.event = NSC_NONE;
    app->details.facts.gap.lane = NSC_NONE;
    app->pool = options->pool;
    app->builds_apart = options->builds_apart;
    app->builds[NSC_BUILDS_TREE].reveal = NSC_NONE;
    nsc_scene_set(app->edit, NSC_SCENE_EXPORT_COLORS, options->export_colors);
    app->skills = options->skills;
    app->n_skills = options->n_skills;
    if (!app->skills)
        app->skills = nsc_skills(&app->n_skills);
    app->filter.presets = options->presets;
    app->filter.n_presets = options->n_presets;
    app->query_words = options->query_words ? options->query_words : "";
    nsc_scene_set(app->edit, NSC_SCENE_DIM, true);
    if (options->filter && strlen(options->filter) < sizeof app->filter.text)
        memcpy(app->filter.text, options->filter, strlen(options->filter) + 1);
    app->sql.table.sorted = app->answers.table.sorted = NSC_NONE;
    app->kinds = nsc_panes;
    app->pane_open = true;
    panes_init(app);
    app->title = (struct nsc_buf)NSC_BUF_INIT(1u << 16);
    nsc_app_title_name(app);
    return app;
}

void nsc_app_free(struct nsc_app *app)
{
    if (!app)
        return;
    nsc_app_details_clear(app);
    panes_fini(app);
    nsc_app_bookmarks_fini(app);
    nsc_findings_fini(&app->findings.found);
    nsc_table_fini(&app->findings.table);
    nsc_sheet_fini(&app->findings.sheet);
    nsc_facts_fini(app);
    nsc_app_prompt_fini(app);
    nsc_app_filter_fini(app);
    nsc_app_search_fini(app);
    nsc_app_build_fini(app);
    nsc_tree_free(app->tree);
    nsc_app_compare_fini(app);
    nsc_explore_fini(app);
    nsc_app_sql_fini(app);
    nsc_app_answers_fini(app);
    nsc_scene_free(app->edit);
    nsc_buf_fini(&app->title);
    free(app->sources.file);
    free(app);
}
