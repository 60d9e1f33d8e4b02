// SPDX-License-Identifier: MIT
// A clip as an animation of glTF.
#ifndef WRITE_ANIMATION_H
#define WRITE_ANIMATION_H

#include "write/keys.h"

#include <sinew/clip.h>

// Appends the clip as a JSON object: samplers, channels, name, and markers in its extras. Accessor i of `accessors` gets
// the index first_accessor + i. Returns false if memory runs out.
bool write_animation(const sinew_clip *clip, int32_t first_accessor, write_accessors *accessors, lint_text *out);

#endif
