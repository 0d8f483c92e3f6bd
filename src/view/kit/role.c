/* The names of roles in themes, their meanings, and which of them are surfaces. */
#include "view/kit/grid.h"

static const char *const keys[NSC_N_ROLES] = {
#define NSC_ROLE(id, key, kind, meaning) key,
#include "view/kit/role.def"
#undef NSC_ROLE
};

static const char *const meanings[NSC_N_ROLES] = {
#define NSC_ROLE(id, key, kind, meaning) meaning,
#include "view/kit/role.def"
#undef NSC_ROLE
};

enum { SHAPES, LETTERS };

static const bool has_letters[NSC_N_ROLES] = {
#define NSC_ROLE(id, key, kind, meaning) (kind) == LETTERS,
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

bool nsc_role_has_letters(enum nsc_role role)
{
    return has_letters[role];
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
