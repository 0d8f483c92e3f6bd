/* Unit tests of findings: keeping, ranking, listing, and asking every source. */
#include "analysis/finding/finding.h"
#include "core/progress.h"
#include "support/cm.h"
#include "support/screen_trace.h"

#include <string.h>

TEST(the_longest_comes_first_and_the_unknown_last)
{
    struct nsc_findings findings = {0};

    nsc_findings_add(&findings, "a", NSC_SEVERITY_LOW, "one of %d", 3)->ns = 5;
    (void)nsc_findings_add_unassessed(&findings, "b", "Waits", "no %s", "calls");
    nsc_findings_add(&findings, "c", NSC_SEVERITY_LOW, "two")->ns = 9;
    nsc_findings_add(&findings, "d", NSC_SEVERITY_HIGH, "three")->ns = 5;
    nsc_findings_add(&findings, "e", NSC_SEVERITY_HIGH, "four")->ns = 5;
    nsc_findings_rank(&findings);
    assert_string_equal(findings.list.at[0].key, "c");
    assert_string_equal(findings.list.at[1].key, "d");
    assert_string_equal(findings.list.at[2].key, "e");
    assert_string_equal(findings.list.at[3].key, "a");
    assert_string_equal(findings.list.at[3].title, "one of 3");
    assert_string_equal(findings.list.at[4].title, "Waits: not assessable: no calls");
    assert_int_equal(findings.list.at[4].severity, NSC_SEVERITY_NOT_ASSESSABLE);
    nsc_findings_fini(&findings);
}

static void check_text(const struct nsc_sheet *sheet, uint32_t column, const char *want)
{
    struct nsc_text text = nsc_sheet_text(sheet, nsc_sheet_at(sheet, 0, column));

    assert_int_equal(text.n, strlen(want));
    assert_memory_equal(text.bytes, want, text.n);
}

TEST(a_sheet_has_a_row_a_finding)
{
    struct nsc_trace *trace = nsc_test_trace_parse(nsc_test_trace_sample);
    struct nsc_scope scope = nsc_scope_all(trace);
    struct nsc_findings findings = {0};
    struct nsc_sheets sheets = {0};
    const struct nsc_sheet *sheet;
    struct nsc_finding *finding = nsc_findings_add(&findings, "a", NSC_SEVERITY_LOW, "one");

    nsc_finding_evidence(finding, "%d %%", 40);
    nsc_finding_evidence(finding, "twice");
    nsc_finding_next(finding, "look");
    nsc_finding_next(finding, "look again");
    finding->ns = 7;
    nsc_findings_sheet(&sheets, &findings, &scope);
    sheet = nsc_sheets_find(&sheets, "findings");
    assert_non_null(sheet);
    assert_int_equal(nsc_sheet_rows(sheet), 1);
    assert_int_equal(nsc_sheet_at(sheet, 0, 2)->integer, 7);
    check_text(sheet, 4, "40 %; twice");
    check_text(sheet, 5, "look again");
    assert_false(nsc_sheet_at(sheet, 0, 7)->is_set);
    nsc_sheets_fini(&sheets);
    nsc_findings_fini(&findings);
    nsc_trace_free(trace);
}

/* Every finding can be shown: it has a title, a known severity, valid places and windows. */
static void check_findings(const struct nsc_findings *findings, const struct nsc_trace *trace)
{
    uint32_t n_tracks = 0;

    (void)nsc_trace_tracks(trace, &n_tracks);
    for (size_t i = 0; i < findings->list.n; i++) {
        const struct nsc_finding *finding = &findings->list.at[i];

        assert_true(finding->title && finding->title[0]);
        assert_true(finding->severity < NSC_N_SEVERITIES);
        assert_true(finding->ns >= 0);
        assert_true(finding->event == NSC_NONE || finding->event < nsc_trace_events(trace)->n);
        assert_true(finding->track == NSC_NONE || finding->track < n_tracks);
        assert_true(!finding->has_window || finding->window.t0 < finding->window.t1);
        assert_true(finding->severity == NSC_SEVERITY_NOT_ASSESSABLE || finding->evidence.n > 0);
    }
}

TEST(every_source_answers_and_cancels)
{
    const char *const texts[] = {nsc_test_trace_sample, "nvtx 111 0 90us step\n", "",
                                 "os 111 5us 5us read\n"};
    struct nsc_progress progress = {0};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct nsc_trace *trace = nsc_test_trace_parse(texts[i]);
        struct nsc_scope scope = nsc_scope_all(trace);
        struct nsc_findings findings = {0};

        assert_true(nsc_findings_run(&findings, &scope, NULL, NULL));
        assert_true(findings.list.n > 0);
        check_findings(&findings, trace);
        nsc_findings_fini(&findings);
        atomic_store(&progress.cancel, true);
        findings = (struct nsc_findings){0};
        assert_false(nsc_findings_run(&findings, &scope, NULL, &progress));
        assert_int_equal(findings.list.n, 0);
        nsc_findings_fini(&findings);
        nsc_trace_free(trace);
    }
}
