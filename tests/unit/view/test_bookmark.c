/*
 * Unit tests of bookmarks: the list, stamps, hand-made and hostile files, and the names of tracks.
 * promises: D13
 */
#include "support/cm.h"
#include "support/hand_trace.h"
#include "view/model/bookmark.h"

#include <stdio.h>
#include <string.h>

static struct nsc_text text_of(const char *z)
{
    return (struct nsc_text){z, (uint32_t)strlen(z)};
}

static size_t add(struct nsc_bookmarks *list, nsc_time time, const char *name)
{
    struct nsc_bookmark b = nsc_bookmark_new(time);

    nsc_bookmark_set_text(&b, NSC_BOOKMARK_NAME, text_of(name));
    return nsc_bookmarks_add(list, &b);
}

TEST(the_list_is_in_order)
{
    struct nsc_bookmarks list = {0};

    assert_int_equal(add(&list, 30, "c"), 0);
    assert_int_equal(add(&list, 10, "a"), 0);
    assert_int_equal(add(&list, 20, "b"), 1);
    assert_int_equal(nsc_bookmarks_live(&list), 3);
    nsc_bookmarks_remove(&list, 1); /* never stamped: gone */
    assert_int_equal(list.n, 2);
    nsc_bookmarks_set_stamp(&list, 100, 7);
    nsc_bookmarks_remove(&list, 0);
    assert_int_equal(list.n, 2);
    assert_int_equal(nsc_bookmarks_live(&list), 1);
    assert_string_equal(nsc_bookmark_text(&list.at[0], NSC_BOOKMARK_NAME), "c");
    assert_true(list.at[1].deleted && list.at[1].changed);
    nsc_bookmarks_fini(&list);
}

TEST(an_edit_keeps_its_id)
{
    struct nsc_bookmarks list = {0};
    struct nsc_bookmark b = nsc_bookmark_new(0);
    uint64_t id;
    size_t i;

    (void)add(&list, 10, "a");
    (void)add(&list, 20, "b");
    nsc_bookmarks_set_stamp(&list, 100, 7);
    list.at[0].changed = list.at[1].changed = false;
    id = list.at[0].id;
    b.has_range = true;
    b.range = (struct nsc_window){25, 30};
    i = nsc_bookmarks_edit(&list, 0, &b);
    assert_int_equal(i, 1);
    assert_true(list.at[1].id == id && list.at[1].created == 100);
    nsc_bookmarks_set_stamp(&list, 50, 8); /* the clock went back */
    assert_int_equal(list.at[1].modified, 101);
    assert_int_equal(list.at[0].modified, 100);
    nsc_bookmarks_fini(&list);
}

TEST(stamps_give_each_an_id)
{
    struct nsc_bookmarks list = {0};

    for (int i = 0; i < 100; i++)
        (void)add(&list, i % 3, "x");
    nsc_bookmarks_set_stamp(&list, 1, 0);
    for (size_t i = 0; i < list.n; i++) {
        assert_true(list.at[i].id != 0);
        assert_int_equal(nsc_bookmarks_find(&list, list.at[i].id), i);
    }
    nsc_bookmarks_fini(&list);
}

static struct nsc_bookmarks_report parse(struct nsc_bookmarks *list,
                                         struct nsc_session_state *session, const char *text)
{
    struct nsc_bookmarks_report report;

    nsc_bookmarks_fini(list);
    nsc_bookmarks_parse(list, session, text_of(text), &report);
    return report;
}

TEST(a_hand_made_file_is_read)
{
    struct nsc_bookmarks list = {0};
    struct nsc_bookmarks_report report;
    uint64_t id;
    const char *text = "{\"bookmarks\":[{\"time\":5,\"name\":\"a\"},\n\n {\"range\":\n[7,9]}],"
                       "\"format\":\"nsyscope-bookmarks-1\",\"more\":[1,{}]}";

    report = parse(&list, NULL, text);
    assert_false(report.damaged);
    assert_int_equal(list.n, 2);
    assert_int_equal(list.at[1].time, 7);
    id = list.at[0].id;
    assert_true(id != 0 && list.at[1].id != id);
    (void)parse(&list, NULL, text);
    assert_true(list.at[0].id == id);
    nsc_bookmarks_fini(&list);
}

TEST(versions_are_told)
{
    struct nsc_bookmarks list = {0};

    assert_int_equal(
        parse(&list, NULL, "{\"format\":\"nsyscope-bookmarks-7\",\"bookmarks\":[]}").version, 7);
    assert_int_equal(
        parse(&list, NULL, "{\"format\":\"nsyscope-bookmarks-x\",\"bookmarks\":[]}").version, 0);
    assert_int_equal(
        parse(&list, NULL, "{\"format\":\"nsyscope-bookmarks-99999999999\",\"bookmarks\":[]}")
            .version,
        0);
    assert_true(parse(&list, NULL, "").damaged);
    assert_true(parse(&list, NULL, "{}").damaged);
    nsc_bookmarks_fini(&list);
}

/* Each entry but the last has one wrong member. */
TEST(entries_without_a_time_are_lost)
{
    static const char *const bad[] = {
        "{}",
        "7",
        "[]",
        "null",
        "{\"time\":\"5\"}",
        "{\"time\":1.5}",
        "{\"range\":[2,1]}",
        "{\"range\":[1]}",
        "{\"range\":[1,2,3]}",
        "{\"time\":99999999999999999999}",
        "{\"time\":1,\"id\":\"0000000000000000\"}",
        "{\"time\":1,\"id\":\"xyz\"}",
        "{\"time\":1,\"id\":17}",
        "{\"deleted\":true}",
    };
    struct nsc_bookmarks list = {0};
    char text[256];

    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct nsc_bookmarks_report report;

        (void)snprintf(text, sizeof text, "{\"bookmarks\":[%s,{\"time\":1}]}", bad[i]);
        report = parse(&list, NULL, text);
        assert_true(report.damaged);
        assert_int_equal(report.lost, 1);
        assert_int_equal(list.n, 1);
    }
    nsc_bookmarks_fini(&list);
}

TEST(bad_members_cost_themselves)
{
    static const char *const bad[] = {
        "\"name\":5",
        "\"color\":\"red\"",
        "\"color\":\"#12345g\"",
        "\"zoom\":[3,3]",
        "\"event\":{\"kind\":\"NO\",\"row\":1}",
        "\"event\":{\"kind\":\"KERNEL\",\"row\":-1}",
        "\"event\":{\"kind\":\"KERNEL\",\"row\":4294967295}",
        "\"event\":[]",
        "\"track\":{\"kind\":\"no\"}",
        "\"track\":{\"kind\":\"nvtx\",\"lane\":-1}",
        "\"track\":{\"kind\":\"nvtx\",\"nth\":4294967296}",
        "\"track\":7",
        "\"created\":-1",
    };
    struct nsc_bookmarks list = {0};
    char text[256];

    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct nsc_bookmarks_report report;

        (void)snprintf(text, sizeof text, "{\"bookmarks\":[{\"time\":1,%s,\"note\":\"n\"}]}",
                       bad[i]);
        report = parse(&list, NULL, text);
        assert_true(report.damaged && report.parts == 1 && report.lost == 0);
        assert_int_equal(list.n, 1);
        assert_string_equal(nsc_bookmark_text(&list.at[0], NSC_BOOKMARK_NOTE), "n");
        assert_false(list.at[0].has_zoom || list.at[0].has_event || list.at[0].has_track);
        assert_int_equal(list.at[0].color, -1);
    }
    nsc_bookmarks_fini(&list);
}

TEST(a_nul_ends_no_text)
{
    struct nsc_bookmarks list = {0};

    (void)parse(&list, NULL, "{\"bookmarks\":[{\"time\":1,\"name\":\"a\\u0000b\"}]}");
    assert_string_equal(nsc_bookmark_text(&list.at[0], NSC_BOOKMARK_NAME), "a\xef\xbf\xbd"
                                                                           "b");
    nsc_bookmarks_fini(&list);
}

TEST(a_session_is_read)
{
    struct nsc_bookmarks list = {0};
    struct nsc_session_state session = {0};
    struct nsc_bookmarks_report report;

    report = parse(&list, &session,
                   "{\"bookmarks\":[],\"session\":{\"modified\":3,\"window\":[1,9],\"folds\":"
                   "[{\"kind\":\"thread\",\"pid\":1,\"tid\":2},{\"kind\":\"no\"},5],"
                   "\"settings\":{\"axis\":\"relative\",\"pane\":1}}}");
    assert_int_equal(report.parts, 3);
    assert_int_equal(session.tracks[NSC_SESSION_FOLDS].n, 1);
    assert_int_equal(session.tracks[NSC_SESSION_FOLDS].at[0].tid, 2);
    assert_true(session.has_window && session.window.t1 == 9 && session.cursor == 1);
    assert_string_equal(session.settings[NSC_SESSION_AXIS], "relative");
    assert_null(session.settings[NSC_SESSION_PANE]);
    nsc_session_state_fini(&session);
    nsc_bookmarks_fini(&list);
}

TEST(tracks_are_found_again)
{
    static const uint8_t kinds[] = {NSC_TRACK_DEVICE, NSC_TRACK_STREAM, NSC_TRACK_COUNTER,
                                    NSC_TRACK_COUNTER, NSC_TRACK_COUNTER};
    struct hand_trace hand;
    struct nsc_trace *trace;
    struct nsc_track_id id = {0};

    hand_trace_init(&hand);
    for (unsigned i = 0; i < sizeof kinds; i++) {
        struct nsc_track *track = hand_trace_track(&hand, kinds[i]);

        track->device = 3;
        track->stream = kinds[i] == NSC_TRACK_STREAM ? 7 : -1;
    }
    trace = hand_trace_end(&hand, NULL);
    for (uint32_t i = 0; i < sizeof kinds; i++) {
        id = nsc_track_id(trace, i, 0);
        assert_int_equal(id.nth, i >= 2 ? i - 2 : 0);
        assert_int_equal(nsc_track_id_find(trace, &id), i);
    }
    id.nth = 3;
    assert_true(nsc_track_id_find(trace, &id) == NSC_NONE);
    hand_trace_fini(&hand);
}
