/*
 * The names of the roles, as themes call them, and what they mean.
 */
#include "view/grid.h"

static const char *const keys[NSC_N_ROLES] = {
#define NSC_ROLE(id, key, meaning) key,
#include "view/role.def"
#undef NSC_ROLE
};

static const char *const meanings[NSC_N_ROLES] = {
#define NSC_ROLE(id, key, meaning) meaning,
#include "view/role.def"
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
