// SPDX-License-Identifier: MIT
// Functions that several files share.
#ifndef SINEW_WEB_INTERNAL_H
#define SINEW_WEB_INTERNAL_H

#include "web.h"

#ifndef WEB_CHARACTERS
#define WEB_CHARACTERS 0 // 1 in the modules of characters; elsewhere the compiler leaves rigs and avatars out
#endif

// Sets the message of web_error.
void web_fail(const char *message);

// The start of each of `count` consecutive strings, as an array to be freed. NULL without memory.
const char **web_split(const char *names, int32_t count);

// The transition of the last web_transition.
const sinew_transition *web_next_transition(void);

// The root motion that the mixer of a character extracts, or NULL.
const sinew_root_motion_def *web_mixer_root_motion(const web_mixer *character);

// Write the numbers of a vector or a rotation, and return the address after them.
float *web_put_vector(float *to, sinew_vec3 v);
float *web_put_rotation(float *to, sinew_quat q);

// Writes to web_numbers: translation, rotation, yaw.
void web_put_root_delta(sinew_root_delta delta);

// Finds the roles of an asset's nodes. On failure web_roles_refusal has the reason.
sinew_result web_find_roles(const sinew_asset *asset, sinew_humanoid *humanoid);

// Makes a character of a mixer's definition, in the origin.
sinew_result web_character_create(const sinew_rig *rig, const sinew_mixer_def *mixer, sinew_character **character);

#endif
