// SPDX-License-Identifier: MIT
// What an object that owns a mixer asks before it does something that a function of the program must not do.
#ifndef SINEWI_MIXER_BUSY_H
#define SINEWI_MIXER_BUSY_H

#include <sinew/mixer.h>

// sinew_mixer_destroy of a mixer, which is not NULL. False if a function that the mixer calls made the call (asserted):
// the mixer is unchanged then.
bool sinewi_mixer_destroy_idle(sinew_mixer *mixer);

// Whether on_event is being called.
bool sinewi_mixer_is_in_event(const sinew_mixer *mixer);

#endif
