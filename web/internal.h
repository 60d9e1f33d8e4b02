// SPDX-License-Identifier: MIT
// Functions that several files use.
#ifndef SINEW_WEB_INTERNAL_H
#define SINEW_WEB_INTERNAL_H

#include "web.h"

#ifndef WEB_CHARACTERS
#define WEB_CHARACTERS 0 // 1 in the character modules. Elsewhere the compiler leaves rigs and avatars out
#endif

// Sets web_error's message.
void web_fail(const char *message);

// Returns an array with the start of each of `count` consecutive strings. The caller frees it. NULL if memory ran out.
const char **web_split(const char *names, int32_t count);

// The transition that the last web_transition set.
const sinew_transition *web_next_transition(void);

// The root motion that the character's mixer extracts, or NULL.
const sinew_root_motion_def *web_mixer_root_motion(const web_mixer *character);

// Write the numbers of a vector or rotation. Return the address after them.
float *web_put_vector(float *to, sinew_vec3 v);
float *web_put_rotation(float *to, sinew_quat q);

// Writes to web_numbers: translation, rotation, yaw.
void web_put_root_delta(sinew_root_delta delta);

// Finds the roles of an asset's nodes. On failure, web_roles_refusal has the reason.
sinew_result web_find_roles(const sinew_asset *asset, sinew_humanoid *humanoid);

// Makes a character from a mixer's definition, at the origin.
sinew_result web_character_create(const sinew_rig *rig, const sinew_mixer_def *mixer, sinew_character **character);

#endif
