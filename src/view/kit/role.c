/* The names of roles in themes, their meanings, and which of them are surfaces. */
#include "view/kit/grid.h"

enum { SHAPES, LETTERS };

const struct nsc_role_row nsc_roles[NSC_N_ROLES] = {
#define NSC_ROLE(id, key, kind, meaning) {key, meaning, (kind) == LETTERS},
#include "view/kit/role.def"
};

const enum nsc_role nsc_surface_roles[NSC_N_SURFACES] = {
    [NSC_SURFACE_NONE] = NSC_ROLE_TEXT,     [NSC_SURFACE_TITLE] = NSC_ROLE_TITLE,
    [NSC_SURFACE_STATUS] = NSC_ROLE_STATUS, [NSC_SURFACE_LABEL_CURSOR] = NSC_ROLE_LABEL_CURSOR,
    [NSC_SURFACE_PROMPT] = NSC_ROLE_PROMPT,
};
