/*
 * The names of the roles, as themes call them, what they mean, and which of them are surfaces.
 */
#include "view/kit/grid.h"

static const char *const keys[NSC_N_ROLES] = {
#define NSC_ROLE(id, key, meaning) key,
#include "view/kit/role.def"
#undef NSC_ROLE
};

static const char *const meanings[NSC_N_ROLES] = {
#define NSC_ROLE(id, key, meaning) meaning,
#include "view/kit/role.def"
#undef NSC_ROLE
};

const char *nsc_role_key(enum nsc_role role)
{
    return keys[role];
}

const char *nsc_role_meaning(enum nsc_role role)
{
    return meanings[role];
}

enum nsc_role nsc_surface_role(enum nsc_surface surface)
{
    static const uint8_t roles[NSC_N_SURFACES] = {
        [NSC_SURFACE_NONE] = NSC_ROLE_TEXT,     [NSC_SURFACE_TITLE] = NSC_ROLE_TITLE,
        [NSC_SURFACE_STATUS] = NSC_ROLE_STATUS, [NSC_SURFACE_LABEL_CURSOR] = NSC_ROLE_LABEL_CURSOR,
        [NSC_SURFACE_PROMPT] = NSC_ROLE_PROMPT,
    };

    return (enum nsc_role)roles[surface];
}
