/* Computes the answers of a page with the same skills and findings as the subcommands. */
#include "share/page_answers.h"

#include "analysis/base/shared.h"
#include "analysis/finding/finding.h"
#include "analysis/finding/steady.h"
#include "analysis/skill/skill.h"

enum { MOST_SKILLS = 4 };

static const struct {
    const char *key, *title;
    const char *skills[MOST_SKILLS];
} panes[] = {
    {"summary", "Summary", {"gpu_summary", "breakdown", "idle"}},
    {"overlap", "Overlap", {"exposed", "kernel_overlap_matrix"}},
    {"tree", "Tree", {"nvtx_tree"}},
    {"iterations", "Iterations", {"iteration_timing", "iteration_stats"}},
    {"kernels", "Kernels", {"top_kernels", "nccl_breakdown"}},
    {"streams", "Streams", {"stream_concurrency", "concurrency"}},
    {"copies", "Copies", {"copies", "sync"}},
};
enum { N_PANES = sizeof panes / sizeof *panes };

/* Lists may be longer than on a screen, because the page scrolls and sorts them. */
static void ask(struct nsc_sheets *out, const char *name, const struct nsc_scope *scope,
                const struct nsc_field_sets *fields)
{
    struct nsc_question question = nsc_question_of(nsc_skill_find(name), scope, fields);
    struct nsc_error ignored = {0};

    (void)(nsc_question_set(&question, "limit=1000", &ignored) == NSC_OK);
    nsc_skill_run(out, &question);
}

enum nsc_status nsc_page_write(struct nsc_buf *out, const struct nsc_page_request *request,
                               struct nsc_progress *progress, struct nsc_error *error)
{
    struct nsc_scope scope = *request->scope;
    struct nsc_steady steady;
    struct nsc_viewer_pane answers[N_PANES] = {0};
    struct nsc_findings findings = {.ascii = request->ascii};
    struct nsc_viewer viewer = {.scope = &scope,
                                .detail = request->detail,
                                .window = request->window,
                                .panes = answers,
                                .n_panes = N_PANES,
                                .findings = &findings,
                                .bookmarks = request->bookmarks,
                                .fields = request->fields,
                                .command = request->command,
                                .notes = request->notes,
                                .n_notes = request->n_notes};
    enum nsc_status status = NSC_OK;

    viewer.max_size = request->max_size ? request->max_size : NSC_VIEWER_MAX_SIZE;
    nsc_shared_open(&scope);
    nsc_steady_share(&steady, &scope, request->fields);
    if (!nsc_findings_run(&findings, &scope, request->fields, progress))
        status = nsc_fail(error, NSC_ECANCELLED, "cancelled");
    for (int i = 0; i < N_PANES && status == NSC_OK; i++) {
        answers[i] = (struct nsc_viewer_pane){.key = panes[i].key, .title = panes[i].title};
        for (int k = 0; k < MOST_SKILLS && panes[i].skills[k]; k++)
            ask(&answers[i].sheets, panes[i].skills[k], &scope, request->fields);
    }
    if (status == NSC_OK)
        status = nsc_viewer_write(out, &viewer, error);
    nsc_steady_close(&steady, &scope);
    nsc_shared_close(&scope);
    for (int i = 0; i < N_PANES; i++)
        nsc_sheets_fini(&answers[i].sheets);
    nsc_findings_fini(&findings);
    return status;
}
