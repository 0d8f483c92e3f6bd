/*
 * Rolls bookmarks.
 */
#include "support/roll_bookmarks.h"

#include "core/vec.h"

static const char *const texts[] = {
    "",
    "a",
    "warm-up \"step\" 3",
    "\xc3\xa9\xe2\x80\xae\x1b[31m\\",
    "gemm\tA\nB",
    "\xf0\x9f\x98\x80",
};

static struct nsc_text roll_text(struct dice *dice)
{
    const char *z = texts[dice_below(dice, sizeof texts / sizeof *texts)];
    struct nsc_text text = {z, 0};

    while (z[text.n])
        text.n++;
    return text;
}

static nsc_time roll_time(struct dice *dice)
{
    static const nsc_time times[] = {0, 1, -5, 1000, 155382104882, INT64_MIN, INT64_MAX - 1};

    return times[dice_below(dice, sizeof times / sizeof *times)];
}

static struct nsc_window roll_window(struct dice *dice)
{
    struct nsc_window window = {roll_time(dice), INT64_MAX};

    if (dice_below(dice, 2) && window.t0 < 0)
        window.t1 = 7;
    return window;
}

static struct nsc_track_id roll_track(struct dice *dice)
{
    return (struct nsc_track_id){.kind = (uint8_t)dice_below(dice, NSC_N_TRACK_KINDS),
                                 .nth = (uint32_t)dice_below(dice, 2),
                                 .lane = (uint32_t)dice_below(dice, 3),
                                 .pid = (uint32_t)dice_below(dice, 2) * UINT32_MAX,
                                 .tid = (uint32_t)dice_below(dice, 2) * 17,
                                 .process = dice_below(dice, 2) * UINT64_MAX,
                                 .device = (int64_t)dice_below(dice, 3) - 1,
                                 .context = (int64_t)dice_below(dice, 3) - 1,
                                 .stream = roll_time(dice),
                                 .domain = (int64_t)dice_below(dice, 3) - 1};
}

static struct nsc_bookmark roll_bookmark(struct dice *dice)
{
    struct nsc_bookmark b = nsc_bookmark_new(roll_time(dice));

    b.id = 1 + dice_below(dice, 12);
    b.modified = (int64_t)dice_below(dice, 4);
    b.deleted = dice_below(dice, 6) == 0;
    b.changed = false;
    if (b.deleted) {
        b.time = 0;
        return b;
    }
    b.created = (int64_t)dice_below(dice, 2);
    b.has_range = dice_below(dice, 3) == 0;
    b.range = roll_window(dice);
    b.has_zoom = dice_below(dice, 3) == 0;
    b.zoom = roll_window(dice);
    b.has_track = dice_below(dice, 3) == 0;
    b.track = roll_track(dice);
    b.has_event = dice_below(dice, 3) == 0;
    b.kind = (uint8_t)dice_below(dice, NSC_N_KINDS);
    b.source = (uint32_t)dice_below(dice, 2) * (NSC_NONE - 1);
    b.color = dice_below(dice, 2) ? -1 : (int32_t)dice_below(dice, 0x1000000);
    for (unsigned i = 0; i < NSC_N_BOOKMARK_TEXTS; i++)
        if (dice_below(dice, 2))
            nsc_bookmark_set_text(&b, (enum nsc_bookmark_text)i, roll_text(dice));
    return b;
}

void roll_bookmarks(struct nsc_bookmarks *out, struct dice *dice, unsigned n)
{
    struct nsc_bookmarks empty = {0};

    for (unsigned i = 0; i < n; i++) {
        struct nsc_bookmark b = roll_bookmark(dice);

        (void)nsc_bookmarks_add(out, &b);
    }
    nsc_bookmarks_merge(out, &empty); /* one a id */
}

void roll_session(struct nsc_session_state *out, struct dice *dice)
{
    nsc_session_state_fini(out);
    out->modified = (int64_t)dice_below(dice, 100);
    out->has_window = dice_below(dice, 2);
    out->window = roll_window(dice);
    out->cursor = roll_time(dice);
    out->has_row = dice_below(dice, 2);
    out->row = roll_track(dice);
    for (int i = 0; i < NSC_N_SESSION_TRACKS; i++)
        for (uint64_t n = dice_below(dice, 4); n; n--)
            *NSC_VEC_ADD(&out->tracks[i]) = roll_track(dice);
    if (dice_below(dice, 2))
        out->settings[NSC_SESSION_AXIS] = nsc_xcopy("relative", 8);
    out->settings[NSC_SESSION_PANE] = nsc_xcopy("\"by\" name\n", 10);
}

struct nsc_buf print_bookmarks(const struct nsc_bookmarks *list)
{
    struct nsc_buf out = NSC_BUF_INIT(1 << 24);

    nsc_bookmarks_format(&out, list, NULL, "", true);
    return out;
}
