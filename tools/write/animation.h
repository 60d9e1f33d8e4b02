// SPDX-License-Identifier: MIT
// A clip as a glTF animation, before its place in a file is known.
#ifndef WRITE_ANIMATION_H
#define WRITE_ANIMATION_H

#include "write/keys.h"

#include <sinew/asset.h>

// A sampler. Its accessors are indices into the animation's list.
typedef struct write_sampler {
    int32_t times, values;
    sinew_interpolation interpolation;
} write_sampler;

typedef struct write_animation {
    write_sampler *samplers; // [sampler_count]; one per channel
    int32_t sampler_count, sampler_capacity;
    lint_text channels; // elements of "channels"
    lint_text extras;   // a comma and the member "extras" with markers and curves, or empty
    write_accessors accessors;
} write_animation;

// Returns whether a channel is part of an animation.
typedef bool (*write_keeps_channel)(const sinew_channel *channel, void *user);

// Makes a clip's animation. Property curves (KHR_animation_pointer) become channels. `asset` has the properties; it may
// be NULL. `keeps` is called for each channel; NULL keeps all of them. Returns false if memory runs out. Call
// write_animation_free either way. Any thread.
bool write_animation_make(write_animation *animation, const sinew_clip *clip, const sinew_asset *asset,
                          write_keeps_channel keeps, void *user);

// Appends the animation as a JSON object with this name. Accessor i gets the index numbers[i] in the file.
void write_animation_json(const write_animation *animation, const char *name, const int32_t *numbers,
                          lint_text *out);

void write_animation_free(write_animation *animation);

#endif
