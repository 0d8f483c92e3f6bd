/* The state of exploring: time axis, mark, iterations, and the figures of the overlap pane. */
#ifndef NSC_VIEW_SCENE_AXIS_H
#define NSC_VIEW_SCENE_AXIS_H

#include "analysis/ranges/iterations.h"
#include "analysis/ranges/projection.h"
#include "analysis/select/overlap.h"
#include "core/units.h"
#include "view/scene/scene.h"

/* Origins of the time axis, in the order in which the key cycles. */
enum nsc_axis {
    NSC_AXIS_ABSOLUTE,
    NSC_AXIS_WINDOW,    /* left edge of the window */
    NSC_AXIS_MARK,      /* if there is a mark */
    NSC_AXIS_ITERATION, /* the iteration at the cursor, if there is one */
    NSC_AXIS_UTC,       /* time of day, if the export has it */
    NSC_N_AXES
};

#define NSC_AXIS_BYTES 160

struct nsc_explore {
    struct nsc_overlap overlap;
    bool has_overlap; /* begun, possibly not finished */
    bool has_mark;
    nsc_time mark;
    struct nsc_iterations iterations;  /* n == 0: none */
    bool has_found;                    /* they were found in the whole trace, not named by the
                                        * user */
    struct nsc_projection *projection; /* NULL until built */
    bool projection_tried;             /* built, impossible, or out of memory */
    bool projection_asked;             /* by a key: report the result */
    struct nsc_idle_row {
        struct nsc_idle_covers *of;
        uint32_t n;
    } idle;        /* by device with work */
    bool has_idle; /* idle is valid */
};

/* The time that ticks are counted from. */
nsc_time nsc_axis_origin(const struct nsc_scene *scene, const struct nsc_explore *explore);
void nsc_axis_tick(const struct nsc_scene *scene, const struct nsc_explore *explore,
                   char out[NSC_UNITS_BYTES + 1], nsc_time t, nsc_time step);
/* The meaning of the times: "time", "time from the mark", "UTC 2026-05-01". */
void nsc_axis_label(const struct nsc_scene *scene, const struct nsc_explore *explore,
                    char out[NSC_AXIS_BYTES]);
/* "mark +1.2 ms, 833 /s" from the mark to the cursor; "" without a mark. */
void nsc_axis_mark_text(const struct nsc_scene *scene, const struct nsc_explore *explore,
                        char out[NSC_AXIS_BYTES]);

/* The iterations of the process or thread that drives the cursor's GPU, or of the cursor's process; those of
 * the job if it has none of its own. Borrowed. */
struct nsc_iterations nsc_iterations_here(const struct nsc_scene *scene,
                                          const struct nsc_explore *explore);
/* ", Step 190 to 199" for an iteration whose name has another number than the iteration, which counts
 * from 0; else "". */
void nsc_iteration_name(const struct nsc_scene *scene, const struct nsc_iterations *all, uint32_t i,
                        char out[NSC_AXIS_BYTES]);
/* "3 warm-up; others: " before figures that leave the warm-up out; "" without one. Returns out. */
const char *nsc_iterations_others(const struct nsc_iterations *all, char out[NSC_UNITS_BYTES]);
/* "n 20, median 9.2 ms, min 9.1 ms, max 12 ms" and warnings; "" without iterations. */
void nsc_iterations_text(const struct nsc_scene *scene, const struct nsc_explore *explore,
                         char out[2 * NSC_AXIS_BYTES]);

/* Whether the trace has this origin. */
bool nsc_axis_is_known(const struct nsc_scene *scene, const struct nsc_explore *explore,
                       enum nsc_axis axis);

#endif
