// SPDX-License-Identifier: MIT
// Calls that a program's function must not make while an object calls it. The object knows that it is `busy`.
#ifndef SINEWI_CALLBACK_H
#define SINEWI_CALLBACK_H

#include "base/fail.h"

#include <assert.h>

// Whether the call may go on; asserted. `message` is a literal: the call, where it is forbidden, and what to do instead.
#define SINEWI_IS_IDLE(busy, message) (assert(!(busy) && (message)), !(busy))

// The same as a result: SINEW_ERROR_ARGUMENT, with the message in `error`, while the object is busy.
#define SINEWI_CHECK_IDLE(busy, message, error)                                                                    \
    (SINEWI_IS_IDLE(busy, message) ? SINEW_OK : sinewi_fail(error, SINEW_ERROR_ARGUMENT, message))

#endif
