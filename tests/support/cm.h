/*
 * cmocka, with the headers it needs before it.
 */
#ifndef NSC_TESTS_CM_H
#define NSC_TESTS_CM_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#endif
