// SPDX-License-Identifier: MIT
// The cookie of definitions: a number that only the default functions write. It finds a definition that was zeroed or
// made by hand, in which a field's 0 would be taken for a choice.
#ifndef SINEWI_DEF_COOKIE_H
#define SINEWI_DEF_COOKIE_H

#include "base/fail.h"

#include <assert.h>

#define SINEWI_DEF_COOKIE 0x53644331u

#define SINEWI_HAS_COOKIE(def) ((def) != NULL && (def)->cookie == SINEWI_DEF_COOKIE)

// Whether a definition was made by its default function, which one of NULL was not; asserted. `message` is a literal that
// names both, such as "sinew_mixer_def: start from sinew_mixer_default()".
#define SINEWI_IS_DEF(def, message) (assert(SINEWI_HAS_COOKIE(def) && (message)), SINEWI_HAS_COOKIE(def))

// The same as a result: SINEW_ERROR_ARGUMENT, with the message in `error`, for a definition without the cookie.
#define SINEWI_CHECK_DEF(def, message, error)                                                                      \
    (SINEWI_IS_DEF(def, message) ? SINEW_OK : sinewi_fail(error, SINEW_ERROR_ARGUMENT, message))

#endif
