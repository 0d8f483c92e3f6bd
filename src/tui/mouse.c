/*
 * Decodes mouse reports and recognises double clicks.
 */
#include "tui/keys.h"

enum { CODE_SHIFT = 4, CODE_CTRL = 16, CODE_MOTION = 32, CODE_WHEEL = 64, CODE_MORE = 128 };

static int cell_from(int n)
{
    return n < 1 ? 0 : n > 4096 ? 4095 : n - 1;
}

/* A press is a double click if it matches the last one in place, button and time. */
static enum nsc_mouse_action press(struct nsc_mouse *mouse, const struct nsc_input *in)
{
    bool same = mouse->armed && mouse->button == in->mouse.button && mouse->row == in->mouse.row &&
                mouse->col == in->mouse.col;
    bool twice = same && in->now - mouse->at <= NSC_MOUSE_DOUBLE_MS;

    *mouse = (struct nsc_mouse){in->mouse.button, in->mouse.row, in->mouse.col, in->now, !twice};
    return twice ? NSC_MOUSE_DOUBLE : NSC_MOUSE_PRESS;
}

/* The wheel has no release. A sideways tilt pans, like Shift with the wheel. */
static bool wheel(struct nsc_input *out, int code, bool released)
{
    if (released || code & CODE_MOTION)
        return false;
    out->mouse.action = code & 1 ? NSC_MOUSE_WHEEL_DOWN : NSC_MOUSE_WHEEL_UP;
    out->mouse.shift = out->mouse.shift || code & 2;
    return true;
}

bool nsc_mouse_input(struct nsc_mouse *mouse, int code, int col, int row, bool released,
                     struct nsc_input *out)
{
    int button = code & 3;

    out->type = NSC_INPUT_MOUSE;
    out->mouse.row = cell_from(row);
    out->mouse.col = cell_from(col);
    out->mouse.shift = code & CODE_SHIFT;
    out->mouse.ctrl = code & CODE_CTRL;
    out->mouse.button = 0;
    if (code < 0 || code & CODE_MORE)
        return false;
    if (code & CODE_WHEEL)
        return wheel(out, code, released);
    /* Three means "no button": a release in the old protocol, motion alone in both. */
    if (button == 3) {
        out->mouse.button = mouse->button ? mouse->button : 1;
        out->mouse.action = NSC_MOUSE_RELEASE;
        return !(code & CODE_MOTION);
    }
    out->mouse.button = button + 1;
    if (released)
        out->mouse.action = NSC_MOUSE_RELEASE;
    else
        out->mouse.action = code & CODE_MOTION ? NSC_MOUSE_DRAG : press(mouse, out);
    return true;
}
