// SPDX-License-Identifier: MIT
// The cookie of definitions: a number that only the default functions write. It finds a definition that was zeroed or
// made by hand, in which a field's 0 would be taken for a choice.
#ifndef SINEW_DEF_COOKIE_H
#define SINEW_DEF_COOKIE_H

#include "core/fail.h"

#include <assert.h>

#define SINEW_DEF_COOKIE 0x53644331u

#define SINEW_HAS_COOKIE(def) ((def) != NULL && (def)->cookie == SINEW_DEF_COOKIE)

// Whether a definition was made by its default function, which one of NULL was not; asserted. `message` is a literal that
// names both, such as "sinew_mixer_def: start from sinew_mixer_default()".
#define SINEW_IS_DEF(def, message) (assert(SINEW_HAS_COOKIE(def) && (message)), SINEW_HAS_COOKIE(def))

// The same as a result: SINEW_ERROR_ARGUMENT, with the message in `error`, for a definition without the cookie.
#define SINEW_CHECK_DEF(def, message, error)                                                                       \
    (SINEW_IS_DEF(def, message) ? SINEW_OK : sinew_fail(error, SINEW_ERROR_ARGUMENT, message))

#endif
