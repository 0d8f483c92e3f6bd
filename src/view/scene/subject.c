/* The subject of a pane: its rows, window and events. */
#include "view/scene/subject.h"

#include "core/vec.h"

#include <string.h>

struct nsc_subject nsc_scene_subject(const struct nsc_scene *scene, bool every)
{
    const struct nsc_line *line = nsc_scene_cursor_line(scene);
    struct nsc_subject question = {
        .summary = scene->summary,
        .count = nsc_summary_count(scene->summary),
        .busy = nsc_summary_busy(scene->summary),
        .window = scene->has_range ? scene->range : nsc_viewport_window(&scene->viewport),
        .is_range = scene->has_range,
        .every = every || (line && line->kind == NSC_LINE_REST),
        .track = NSC_NONE,
        .lane = NSC_NONE,
        .brief = !scene->demangled,
    };

    if (!question.every && line) {
        question.track = line->track;
        question.lane = line->lane;
    }
    return question;
}

bool nsc_subject_equal(const struct nsc_subject *a, const struct nsc_subject *b)
{
    return a->summary == b->summary && a->count == b->count && a->busy == b->busy &&
           a->window.t0 == b->window.t0 && a->window.t1 == b->window.t1 && a->every == b->every &&
           a->track == b->track && a->lane == b->lane && a->brief == b->brief;
}

/* Whether the subject includes a track. */
static bool is_wanted(const struct nsc_scene *scene, const struct nsc_subject *question,
                      const struct nsc_track *tracks, uint32_t track)
{
    uint32_t group = 0;

    if (question->every)
        return tracks[track].kind == NSC_TRACK_STREAM;
    if (question->track == NSC_NONE)
        return false;
    group = nsc_trace_group_of(scene->trace, question->track);
    return track >= group && track < tracks[group].skip;
}

uint32_t *nsc_subject_lanes(const struct nsc_scene *scene, const struct nsc_subject *question,
                            uint32_t *n)
{
    NSC_VEC(uint32_t) found = {0};
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, &n_tracks);

    if (question->lane != NSC_NONE)
        *NSC_VEC_ADD(&found) = question->lane;
    for (uint32_t i = 0; i < n_tracks && question->lane == NSC_NONE; i++)
        for (uint32_t k = 0; is_wanted(scene, question, tracks, i) && k < tracks[i].n_lanes; k++)
            *NSC_VEC_ADD(&found) = tracks[i].first_lane + k;
    *n = (uint32_t)found.n;
    return found.at;
}

void nsc_event_put(const struct nsc_scene *scene, struct nsc_page *page, enum nsc_role role,
                   nsc_event event)
{
    char scratch[NSC_NAME_BYTES];

    nsc_page_text(page, role,
                  nsc_trace_event_text(scene->trace, event, !scene->demangled, scratch));
}

uint32_t nsc_place_parts(const struct nsc_scene *scene, uint32_t track,
                         struct nsc_text out[NSC_PLACE_PARTS], char scratch[NSC_NAME_BYTES])
{
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);
    uint32_t group = nsc_trace_group_of(scene->trace, track);

    out[0] = nsc_trace_string(scene->trace, tracks[track].label);
    out[1] = nsc_trace_string(scene->trace, tracks[group].label);
    out[2] = nsc_scene_capture_label(scene, track, scratch);
    return group == track ? 1 : tracks[group].depth ? NSC_PLACE_PARTS : 2;
}

void nsc_place_add(const struct nsc_scene *scene, struct nsc_buf *out, uint32_t track)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text parts[NSC_PLACE_PARTS];
    uint32_t n = nsc_place_parts(scene, track, parts, scratch);

    for (uint32_t i = 0; i < n; i++) {
        nsc_buf_puts(out, !i ? "" : scene->ascii ? " . " : " · ");
        nsc_label_add(out, parts[i], scene->ascii);
    }
}

void nsc_place_put(const struct nsc_scene *scene, struct nsc_page *page, uint32_t track)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text parts[NSC_PLACE_PARTS];
    uint32_t n = nsc_place_parts(scene, track, parts, scratch);

    for (uint32_t i = 0; i < n; i++) {
        if (i)
            nsc_page_puts(page, NSC_ROLE_DIM, " · ");
        nsc_label_put(page, NSC_ROLE_TEXT, parts[i]);
    }
}

uint32_t nsc_scene_capture_no(const struct nsc_scene *scene)
{
    if (scene->line >= scene->lines.n)
        return 0;
    return nsc_trace_track(scene->trace, scene->lines.at[scene->line].track)->capture_no;
}

void nsc_export_put(const struct nsc_scene *scene, struct nsc_page *page, uint32_t capture_no)
{
    uint32_t n = 0;
    const struct nsc_trace_info *exports = nsc_trace_captures(scene->trace, &n);
    char scratch[NSC_NAME_BYTES];

    if (n < 2 || capture_no >= n)
        return;
    nsc_page_text(page, NSC_ROLE_TEXT,
                  nsc_scene_side_label(
                      scene, nsc_trace_string(scene->trace, exports[capture_no].label), scratch));
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
}

struct nsc_text nsc_scene_side_label(const struct nsc_scene *scene, struct nsc_text label,
                                     char scratch[NSC_NAME_BYTES])
{
    if (!scene->compare.on || label.n < 2 || label.n > NSC_NAME_BYTES || label.bytes[1] != ':' ||
        (label.bytes[0] != '0' && label.bytes[0] != '1'))
        return label;
    memcpy(scratch, label.bytes, label.n);
    scratch[0] = label.bytes[0] == '0' ? 'A' : 'B';
    return (struct nsc_text){scratch, label.n};
}

struct nsc_text nsc_scene_capture_label(const struct nsc_scene *scene, uint32_t track,
                                        char scratch[NSC_NAME_BYTES])
{
    uint32_t capture_no = nsc_trace_track(scene->trace, track)->capture_no;
    nsc_str label = nsc_trace_captures(scene->trace, NULL)[capture_no].label;

    return nsc_scene_side_label(scene, nsc_trace_string(scene->trace, label), scratch);
}

void nsc_subject_put(const struct nsc_scene *scene, const struct nsc_subject *question,
                     struct nsc_page *page)
{
    nsc_page_puts(page, NSC_ROLE_DIM, question->is_range ? "range " : "window ");
    nsc_page_duration(page, question->is_range ? NSC_ROLE_RANGE : NSC_ROLE_TEXT,
                      nsc_window_length(question->window));
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    if (question->every)
        nsc_page_puts(page, NSC_ROLE_TEXT, "all GPU rows");
    else if (question->track != NSC_NONE)
        nsc_place_put(scene, page,
                      question->lane != NSC_NONE
                          ? question->track
                          : nsc_trace_group_of(scene->trace, question->track));
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
}

struct nsc_text nsc_scene_name_text(const struct nsc_scene *scene, nsc_name name, char scratch[])
{
    const struct nsc_names *names = nsc_trace_names(scene->trace);
    struct nsc_text text =
        nsc_trace_string(scene->trace, scene->demangled ? names->full[name] : names->brief[name]);

    if (!names->counters[name])
        return text;
    text.n = text.n < NSC_NAME_BYTES ? text.n : NSC_NAME_BYTES;
    for (uint32_t i = 0; i < text.n; i++)
        scratch[i] = (char)(text.bytes[i] == NSC_COUNTER_BYTE ? '#' : text.bytes[i]);
    text.bytes = scratch;
    return text;
}

struct nsc_text nsc_digits_fold(struct nsc_text text, char scratch[NSC_NAME_BYTES])
{
    bool digits = false;
    uint32_t n = 0;

    for (uint32_t i = 0; i < text.n && n < NSC_NAME_BYTES; i++) {
        char c = text.bytes[i];
        bool digit = c >= '0' && c <= '9';

        if (!digit || !digits)
            scratch[n++] = digit ? '#' : c;
        digits = digit;
    }
    return (struct nsc_text){scratch, n};
}
