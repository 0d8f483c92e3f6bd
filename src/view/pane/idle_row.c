/* Draws the idle row of a device: the height shows idle time, the colour its main cause. */
#include "analysis/device/idle_covers.h"
#include "view/model/bars.h"
#include "view/pane/lines.h"

enum { BUSY = NSC_N_IDLE_CLASSES, OTHER_KERNELS = 11, HUE = 16 };
_Static_assert(NSC_N_IDLE_CLASSES + 1 <= NSC_SCENE_TIMES, "a row of the scratch for each");

/* A cause has the colour of the row that shows it. */
static enum nsc_role role_of(int class, uint8_t *shade)
{
    static const uint8_t roles[NSC_N_IDLE_CLASSES + 1] = {
        [NSC_IDLE_CALLS] = NSC_ROLE_API,     [NSC_IDLE_WAITS] = NSC_ROLE_SYNC,
        [NSC_IDLE_CPU] = NSC_ROLE_SCHED,     [NSC_IDLE_OS] = NSC_ROLE_OS,
        [NSC_IDLE_MPI] = NSC_ROLE_LIBRARY,   [NSC_IDLE_PROFILER] = NSC_ROLE_OVERHEAD,
        [NSC_IDLE_QUEUED] = NSC_ROLE_KERNEL, [NSC_N_IDLE_CLASSES] = NSC_ROLE_DIMMED};

    *shade = class == NSC_IDLE_QUEUED ? OTHER_KERNELS * HUE : 0;
    return (enum nsc_role)roles[class];
}

static nsc_time *scratch_row(const struct nsc_scene *scene, int row)
{
    return scene->times + (size_t)row * scene->scratch_cols;
}

static void cell_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                      uint32_t col, nsc_time whole)
{
    nsc_time idle = whole - scratch_row(scene, BUSY)[col];
    nsc_time rest = idle;
    nsc_time most = 0;
    int class = NSC_N_IDLE_CLASSES;
    uint8_t shade = 0;
    enum nsc_role role = NSC_ROLE_DIMMED;

    for (int i = 0; i < NSC_N_IDLE_CLASSES; i++) {
        nsc_time ns = scratch_row(scene, i)[col];

        rest -= ns;
        if (ns > most) {
            most = ns;
            class = i;
        }
    }
    if (idle <= 0)
        return;
    role = role_of(rest > most ? NSC_N_IDLE_CLASSES : class, &shade);
    nsc_grid_put(grid, rect.row, rect.col + (int)col, role, shade,
                 nsc_bars_lower[nsc_bars_eighths(idle, whole)]);
}

void nsc_lines_idle_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                         uint32_t track)
{
    const struct nsc_device_covers *device = nsc_trace_device_covers(scene->trace, track);
    const struct nsc_idle_covers *covers = NULL;
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    uint32_t cols = (uint32_t)rect.cols;

    for (uint32_t i = 0; i < scene->n_idle; i++)
        if (scene->idle[i].device == track)
            covers = &scene->idle[i];
    for (int i = 0; i < NSC_N_IDLE_CLASSES; i++)
        (void)nsc_lines_cover(scene, covers ? covers->of[i] : NULL, (uint32_t)i, cols);
    (void)nsc_lines_cover(scene, device ? device->busy : NULL, BUSY, cols);
    for (uint32_t c = 0; c < cols; c++)
        cell_draw(scene, grid, rect, c, nsc_window_column(w, c, cols));
}
