/* Unit tests of findings on the screen: requested once, listed, and visited one after the other. */
#include "support/app_world.h"
#include "support/cm.h"

#include <string.h>

static int begin(void **state)
{
    static struct nsc_test_world world;

    nsc_test_world_init(&world, NULL);
    *state = &world;
    return 0;
}

static int end(void **state)
{
    nsc_test_world_fini(*state);
    return 0;
}

static bool asks(const struct nsc_test_world *world)
{
    return world->effects.set & NSC_EFFECT_FINDINGS;
}

/* Two with places, one without. */
static void tell(struct nsc_test_world *world)
{
    struct nsc_findings findings = {.ascii = false};
    struct nsc_input input = {.type = NSC_INPUT_FINDINGS, .findings = &findings};
    struct nsc_finding *finding =
        nsc_findings_add(&findings, "one", NSC_SEVERITY_HIGH, "the slow one");

    finding->event = 3;
    finding->ns = 5000;
    nsc_finding_evidence(finding, "it takes %d %% of all", 60);
    nsc_finding_next(finding, "look at it");
    finding = nsc_findings_add(&findings, "two", NSC_SEVERITY_LOW, "a gap");
    finding->has_window = true;
    finding->window = (struct nsc_window){world->app->scene->viewport.extent.t0 + 10,
                                          world->app->scene->viewport.extent.t0 + 5010};
    (void)nsc_findings_add_unassessed(&findings, "three", "Copies", "there are none");
    world->effects = nsc_app_input(world->app, &input);
    assert_int_equal(findings.list.n, 0); /* taken over */
    nsc_findings_fini(&findings);
}

TEST_WITH(they_are_asked_for_once, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_input part = {.type = NSC_INPUT_FINDINGS, .progress = {.rows = 2, .rows_total = 7}};

    assert_true(world->app->findings.asked); /* for the summary */
    nsc_test_press(world, "Right");
    assert_false(asks(world));
    nsc_test_press(world, "F");
    nsc_test_press(world, "Esc F");
    assert_false(asks(world));
    (void)nsc_app_input(world->app, &part);
    nsc_test_press(world, "Esc");
    assert_int_equal(world->app->pane, NSC_PANE_FINDINGS);
    assert_false(world->app->findings.made);
    tell(world);
    assert_true(world->app->findings.made);
}

/* Without a list used before, n begins with the findings that are shown. */
TEST_WITH(a_step_begins_with_shown_findings, begin, end)
{
    struct nsc_test_world *world = *state;
    const struct nsc_events *events = nsc_trace_events(world->trace);

    tell(world);
    nsc_test_press(world, "F n");
    assert_string_equal(world->app->message, "finding 1 of 2: the slow one");
    assert_int_equal(world->app->scene->range.t0, events->start[3]); /* as the place of a gap */
    assert_int_equal(world->app->scene->range.t1, nsc_event_end(events, 3));
    nsc_test_press(world, "n");
    assert_string_equal(world->app->message, "finding 2 of 2: a gap");
}

/* A finding without a place of its own has that of the one it explains. */
TEST_WITH(a_cause_without_a_place_has_that_of_its_head, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_findings findings = {.ascii = false};
    struct nsc_input input = {.type = NSC_INPUT_FINDINGS, .findings = &findings};
    struct nsc_window gap = {world->app->scene->viewport.extent.t0 + 10,
                             world->app->scene->viewport.extent.t0 + 5010};

    nsc_finding_place(nsc_findings_add(&findings, "idle", NSC_SEVERITY_HIGH, "idle"), 0, 5000, gap);
    nsc_findings_add(&findings, "cause", NSC_SEVERITY_HIGH, "the cause")->leader = 0;
    (void)nsc_app_input(world->app, &input);
    nsc_test_press(world, "F Down Enter");
    assert_string_equal(world->app->message, "finding 2 of 2: the cause");
    assert_int_equal(world->app->scene->range.t1, gap.t1);
    nsc_findings_fini(&findings);
}

/* No place of the screen answers with an option of the command line. */
TEST_WITH(advice_names_places_of_the_screen, begin, end)
{
    static const struct {
        const char *says, *shown;
    } advices[] = {
        {"Check with: nsyscope skill run idle FILE.", "Check with: :answer idle."},
        {"hung: nsyscope skill run idle FILE --whole.", "hung: :answer idle."},
        {"nsyscope skill run iteration_detail FILE -p iteration=3",
         ":answer iteration_detail iteration=3"},
        {"see nsyscope ranks FILE... of all ranks.", "see :answer ranks, with all ranks."},
        {"run: nsyscope diff FILE FILE with --trim on either side.",
         "run: :statistics of a range on either side."},
        {"Measure the end, with --trim.", "Measure the end, in a range."},
        {"Record with nsys profile --cuda-graph-trace=node.",
         "Record with nsys profile --cuda-graph-trace=node."},
    };
    struct nsc_test_world *world = *state;

    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++) {
        struct nsc_findings findings = {.ascii = false};
        struct nsc_input input = {.type = NSC_INPUT_FINDINGS, .findings = &findings};
        bool found = false;

        nsc_finding_next(nsc_findings_add(&findings, "one", NSC_SEVERITY_HIGH, "it"), "%s",
                         advices[i].says);
        (void)nsc_app_input(world->app, &input);
        if (!i)
            nsc_test_press(world, "F z");
        for (int row = 0; row < (int)world->app->scene->rows; row++)
            found |= strstr(nsc_test_row(world, row), advices[i].shown) != NULL;
        assert_true(found);
        nsc_findings_fini(&findings);
    }
}

/* The summary leads to findings, not to questions that were not assessed. */
TEST_WITH(the_summary_lists_what_was_assessed, begin, end)
{
    struct nsc_test_world *world = *state;
    const struct nsc_pane_summary *summary = &world->app->summary;
    size_t n = 0;

    tell(world);
    nsc_test_work(world);
    for (size_t i = 0; i < summary->list.n; i++)
        n += summary->items[i].line == NSC_SUMMARY_FINDING;
    assert_int_equal(n, 2);
}

TEST_WITH(e_goes_from_one_to_the_next, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_press(world, "e");
    assert_true(world->app->findings.asked);
    tell(world);
    assert_int_equal(app->scene->selected, 3); /* the first as soon as they are there */
    assert_non_null(strstr(nsc_test_row(world, -1), "the slow one"));
    nsc_test_press(world, "e");
    assert_int_equal(app->findings.table.list.cursor, 1);
    assert_int_equal(app->scene->range.t0, app->scene->viewport.extent.t0 + 10); /* its window */
    assert_true(app->scene->cursor >= app->scene->range.t0);
    nsc_test_press(world, "e");
    assert_int_equal(app->findings.table.list.cursor, 2);
    assert_non_null(strstr(nsc_test_row(world, -1), " Copies: not assessable"));
    nsc_test_press(world, "e");
    assert_int_equal(app->scene->selected, 3);
    nsc_test_press(world, "E E");
    assert_int_equal(app->findings.table.list.cursor, 1);
}

/* "/" lists only the findings with a text, also of their severity; Esc lists all again. */
TEST_WITH(a_text_narrows_the_list, begin, end)
{
    struct nsc_test_world *world = *state;
    const struct nsc_list *list = &world->app->findings.table.list;

    nsc_test_press(world, "F");
    tell(world);
    nsc_test_press(world, "/");
    nsc_test_type(world, "GAP");
    nsc_test_press(world, "Enter");
    assert_int_equal(list->n, 1);
    assert_string_equal(world->app->filter.text, "");
    nsc_test_press(world, "Enter");
    assert_string_equal(world->app->message, "finding 2 of 2: a gap");
    nsc_test_press(world, "Esc");
    assert_int_equal(list->n, 3);
    nsc_test_press(world, "/");
    nsc_test_type(world, "high");
    assert_int_equal(nsc_list_item(list), 0);
}

/* A text that no finding has: the list says so, and how all are listed again. */
TEST_WITH(an_empty_list_says_what_to_do, begin, end)
{
    struct nsc_test_world *world = *state;
    bool said = false;

    nsc_test_press(world, "F");
    tell(world);
    nsc_test_press(world, "/");
    nsc_test_type(world, "zzz");
    nsc_test_press(world, "Enter");
    for (int row = 0; row < 24; row++)
        said = said || strstr(nsc_test_row(world, row), "No line has this text.");
    assert_true(said);
}

/* The keys of the order sort by each column in turn, then restore the first order; y copies. */
TEST_WITH(the_list_is_sorted_and_copied_as_tables_are, begin, end)
{
    struct nsc_test_world *world = *state;
    const struct nsc_list *list = &world->app->findings.table.list;

    nsc_test_press(world, "F");
    tell(world);
    nsc_test_press(world, "y");
    assert_true(world->effects.set & NSC_EFFECT_COPY);
    assert_true(nsc_text_is(world->effects.text, "the slow one"));
    nsc_test_press(world, "Left");
    assert_int_equal(list->items[0], 2); /* "Copies", "a gap", "the slow one" by the title */
    assert_int_equal(list->items[2], 0);
    nsc_test_press(world, "Right");
    assert_int_equal(list->items[0], 0);
    nsc_test_press(world, "Right Right Right");
    assert_int_equal(list->items[0], 2);
    nsc_test_press(world, "Right");
    assert_int_equal(list->items[0], 0);
}

TEST_WITH(the_list_shows_evidence_and_enter_jumps, begin, end)
{
    struct nsc_test_world *world = *state;
    bool evidence = false;
    bool next = false;
    bool twice = false;
    bool short_word = false;

    nsc_test_press(world, "F");
    tell(world);
    assert_non_null(strstr(nsc_test_row(world, 0), "▴2")); /* of three lines */
    nsc_test_press(world, "z");
    for (int row = 0; row < 24; row++) {
        twice = twice || strstr(nsc_test_row(world, row), "n/a   Copies: not");
        short_word = short_word || strstr(nsc_test_row(world, row), "n/a   Copies");
        evidence = evidence || strstr(nsc_test_row(world, row), "it takes 60 % of all");
        next = next || strstr(nsc_test_row(world, row), "look at it");
    }
    assert_true(evidence && next && !twice && short_word);
    nsc_test_press(world, "Enter");
    assert_int_equal(world->app->scene->selected, 3);
    assert_false(world->app->pane_full);
    nsc_test_press(world, "Down Down Enter");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
}

TEST_WITH(nothing_found_is_said, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_findings none = {.ascii = false};
    struct nsc_input input = {.type = NSC_INPUT_FINDINGS, .findings = &none};
    bool said = false;

    nsc_test_press(world, "F");
    (void)nsc_app_input(world->app, &input);
    for (int row = 0; row < 24; row++)
        said = said || strstr(nsc_test_row(world, row), "Nothing was found.");
    assert_true(said);
    nsc_test_press(world, "Esc e");
    assert_non_null(strstr(nsc_test_row(world, -1), "Nothing was found."));
}
