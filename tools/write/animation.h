// SPDX-License-Identifier: MIT
// A clip as an animation of glTF, before it is known where in a file it will be.
#ifndef WRITE_ANIMATION_H
#define WRITE_ANIMATION_H

#include "write/keys.h"

#include <sinew/asset.h>

// A sampler: accessors by their index in the list of the animation.
typedef struct write_sampler {
    int32_t times, values;
    sinew_interpolation interpolation;
} write_sampler;

typedef struct write_animation {
    write_sampler *samplers; // [sampler_count]: one for each channel
    int32_t sampler_count, sampler_capacity;
    lint_text channels; // elements of "channels"
    lint_text extras;   // the member "extras" after a comma, with markers and curves; or empty
    write_accessors accessors;
} write_animation;

// Whether a channel is part of an animation.
typedef bool (*write_keeps_channel)(const sinew_channel *channel, void *user);

// Makes the animation of a clip. Curves of properties (KHR_animation_pointer) are channels. `asset` has the properties; NULL:
// none. `keeps` is asked for each channel; NULL: all are kept. Returns false if memory runs out. Free it with
// write_animation_free in either case. Any thread.
bool write_animation_make(write_animation *animation, const sinew_clip *clip, const sinew_asset *asset,
                          write_keeps_channel keeps, void *user);

// Appends it as a JSON object of that name. Its accessor i has the index numbers[i] in the file.
void write_animation_json(const write_animation *animation, const char *name, const int32_t *numbers,
                          lint_text *out);

void write_animation_free(write_animation *animation);

#endif
