/*
 * A pane's subject: the rows of one line or of all devices, in the range or the window.
 */
#ifndef NSC_VIEW_SCENE_SUBJECT_H
#define NSC_VIEW_SCENE_SUBJECT_H

#include "core/text.h"
#include "view/kit/page.h"
#include "view/scene/scene.h"

struct nsc_subject {
    const struct nsc_summary *summary; /* only for comparison: may be freed already */
    uint64_t count;                    /* events and busy ns of summary, to tell it from another one
                                        * at the same address */
    nsc_time busy;
    struct nsc_window window;
    bool is_range;
    bool every;           /* all rows of all devices */
    uint32_t track, lane; /* of the line; lane NSC_NONE: the whole group */
    bool brief;
};

/* The subject for the current row and window. */
struct nsc_subject nsc_scene_subject(const struct nsc_scene *scene, bool every);
bool nsc_subject_equal(const struct nsc_subject *a, const struct nsc_subject *b);
/* The lanes of the subject. The caller frees them. */
uint32_t *nsc_subject_lanes(const struct nsc_scene *scene, const struct nsc_subject *question,
                            uint32_t *n);
/* "range 6.80 ms  S21 nccl · GPU 0". */
struct nsc_page;
void nsc_subject_put(const struct nsc_scene *scene, const struct nsc_subject *question,
                     struct nsc_page *page);
/* Puts the name of an event. */
void nsc_event_put(const struct nsc_scene *scene, struct nsc_page *page, enum nsc_role role,
                   nsc_event event);
#define NSC_PLACE_PARTS 3

/* Labels of a row, of its group, and of its export if there are several. Returns how many. */
uint32_t nsc_place_parts(const struct nsc_scene *scene, uint32_t track,
                         struct nsc_text out[NSC_PLACE_PARTS], char scratch[NSC_NAME_BYTES]);
/* Puts a track's label, followed by its group's. */
/* The same as text, for a table. */
void nsc_place_add(const struct nsc_scene *scene, struct nsc_buf *out, uint32_t track);
void nsc_place_put(const struct nsc_scene *scene, struct nsc_page *page, uint32_t track);
/* The export of the row with the cursor. */
uint32_t nsc_scene_capture_no(const struct nsc_scene *scene);
/* Adds the label of an export, if there are several. */
void nsc_export_put(const struct nsc_scene *scene, struct nsc_page *page, uint32_t capture_no);
/* "A: before" for the label "0: before" of an export when comparing: the recordings are always
 * called A and B then. Other texts stay. */
struct nsc_text nsc_scene_side_label(const struct nsc_scene *scene, struct nsc_text label,
                                     char scratch[NSC_NAME_BYTES]);
/* The label of a track's export. */
struct nsc_text nsc_scene_capture_label(const struct nsc_scene *scene, uint32_t track,
                                        char scratch[NSC_NAME_BYTES]);
/* A text with # for each run of digits; scratch may hold the text. */
struct nsc_text nsc_digits_fold(struct nsc_text text, char scratch[NSC_NAME_BYTES]);
/* A name with # for each counter. */
struct nsc_text nsc_scene_name_text(const struct nsc_scene *scene, nsc_name name, char scratch[]);

#endif
