// SPDX-License-Identifier: MIT
// A magic number that only the sinew_*_default functions write. It catches definitions that were zeroed or filled by
// hand, where a 0 in some field would be mistaken for a choice.
#ifndef SINEWI_DEF_COOKIE_H
#define SINEWI_DEF_COOKIE_H

#include "base/fail.h"

#include <assert.h>

#define SINEWI_DEF_COOKIE 0x53644331u

#define SINEWI_HAS_COOKIE(def) ((def) != NULL && (def)->cookie == SINEWI_DEF_COOKIE)

// Asserts that a definition comes from its default function, and returns whether that's true. NULL doesn't. `message`
// is a literal that names the definition and the function, such as "sinew_mixer_def: start from sinew_mixer_default()".
#define SINEWI_IS_DEF(def, message) (assert(SINEWI_HAS_COOKIE(def) && (message)), SINEWI_HAS_COOKIE(def))

// Like SINEWI_IS_DEF, but returns SINEW_ERROR_ARGUMENT and fills `error` if the cookie is missing.
#define SINEWI_CHECK_DEF(def, message, error)                                                                      \
    (SINEWI_IS_DEF(def, message) ? SINEW_OK : sinewi_fail(error, SINEW_ERROR_ARGUMENT, message))

#endif
