// SPDX-License-Identifier: MIT
// The exact ends of clips with rounded keys.
//
// Root motion adds up the displacement from a clip's first to its last key, loop after loop. Rounding this by a tenth
// of a millimeter puts a character half a meter off after an hour and a half. So a compressed or 16-bit clip also
// stores the exact ends of the channels that move a character.
#ifndef SINEWI_CLIP_ENDS_H
#define SINEWI_CLIP_ENDS_H

#include <sinew/clip.h>

#include "base/memory.h"
#include "kernels/layout.h"

// Finds the ends of a clip with float keys. Only takes the topmost translations and rotations that move. Returns an
// array in scratch memory, or NULL if there aren't any.
sinewi_exact_end *sinewi_clip_find_ends(const sinew_clip *exact, sinewi_arena *scratch, int32_t *count);

// Samples a node at the start and end of a clip, with exact ends.
void sinewi_clip_sample_ends(const sinew_clip *clip, int32_t node, sinew_transform *first, sinew_transform *last);

// `values` are keys read from a channel. Replaces the first and the last one with exact ends.
void sinewi_clip_restore_ends(const sinew_clip *clip, const sinew_channel *channel, float *values);

#endif
