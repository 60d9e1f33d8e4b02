// SPDX-License-Identifier: MIT
// Guards the functions that a callback must not call on the object that called it. `busy` is true during a callback.
#ifndef SINEWI_CALLBACK_H
#define SINEWI_CALLBACK_H

#include "base/fail.h"

#include <assert.h>

// Asserts that the object isn't in a callback, and returns whether that's true. `message` is a literal. It names the
// call, says where it's forbidden and what to do instead.
#define SINEWI_IS_IDLE(busy, message) (assert(!(busy) && (message)), !(busy))

// Like SINEWI_IS_IDLE, but returns SINEW_ERROR_ARGUMENT and fills `error` while the object is busy.
#define SINEWI_CHECK_IDLE(busy, message, error)                                                                    \
    (SINEWI_IS_IDLE(busy, message) ? SINEW_OK : sinewi_fail(error, SINEW_ERROR_ARGUMENT, message))

#endif
