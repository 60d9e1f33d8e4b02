// SPDX-License-Identifier: MIT
// A clip as an animation of glTF.
#ifndef WRITE_ANIMATION_H
#define WRITE_ANIMATION_H

#include "write/keys.h"

#include <sinew/asset.h>

// Appends the clip as a JSON object: samplers, channels, name, and markers and curves in its extras. Curves of properties
// (KHR_animation_pointer) are channels. Accessor i of `accessors` gets
// the index first_accessor + i. Returns false if memory runs out.
// `asset` has the properties; NULL: none.
bool write_animation(const sinew_clip *clip, const sinew_asset *asset, int32_t first_accessor,
                     write_accessors *accessors, lint_text *out);

#endif
