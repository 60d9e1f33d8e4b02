// SPDX-License-Identifier: MIT
// Functions that several files share.
#ifndef SINEW_WEB_INTERNAL_H
#define SINEW_WEB_INTERNAL_H

#include "web.h"

// Sets the message of web_error.
void web_fail(const char *message);

// The start of each of `count` consecutive strings, as an array to be freed. NULL without memory.
const char **web_split(const char *names, int32_t count);

// The transition of the last web_transition.
const sinew_transition *web_next_transition(void);

#endif
