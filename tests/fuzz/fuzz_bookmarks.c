/*
 * Any bytes as a bookmarks file: reading is harmless, numbers are checked, and the result survives
 * writing and reading again.
 * promises: D11
 */
#include "support/roll_bookmarks.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_list(const struct nsc_bookmarks *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct nsc_bookmark *b = &list->at[i];

        assert(b->id != 0 && b->modified >= 0 && b->color < 0x1000000);
        assert(i == 0 || list->at[i - 1].deleted <= b->deleted);
        assert(i == 0 || b->deleted || list->at[i - 1].time <= b->time);
        assert(!b->has_range || (b->range.t0 < b->range.t1 && b->range.t0 == b->time));
        assert(!b->has_zoom || b->zoom.t0 < b->zoom.t1);
        assert(!b->has_track || b->track.kind < NSC_N_TRACK_KINDS);
        assert(!b->has_event || (b->kind < NSC_N_KINDS && b->source != NSC_NONE));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nsc_bookmarks list = {0};
    struct nsc_bookmarks again = {0};
    struct nsc_session_state state = {0};
    struct nsc_bookmarks_report report;
    struct nsc_buf first = NSC_BUF_INIT(1 << 26);
    struct nsc_buf second = NSC_BUF_INIT(1 << 26);

    nsc_bookmarks_parse(&list, &state, (struct nsc_text){(const char *)data, (uint32_t)size},
                        &report);
    check_list(&list);
    assert(report.damaged || (report.lost == 0 && report.parts == 0));
    nsc_bookmarks_format(&first, &list, &state, report.identity, true);
    nsc_session_state_fini(&state);
    nsc_bookmarks_parse(&again, &state, (struct nsc_text){first.bytes, (uint32_t)first.n}, &report);
    assert(!report.damaged && report.version == NSC_BOOKMARKS_VERSION);
    nsc_bookmarks_format(&second, &again, &state, report.identity, true);
    assert(first.n == second.n && memcmp(first.bytes, second.bytes, first.n) == 0);
    nsc_buf_fini(&first);
    nsc_buf_fini(&second);
    nsc_bookmarks_fini(&list);
    nsc_bookmarks_fini(&again);
    nsc_session_state_fini(&state);
    return 0;
}
