// SPDX-License-Identifier: MIT
// Evaluates clips in double precision (glTF 2.0, appendix C), and measures how far another clip of the same skeleton
// is from them.
#ifndef EXACT_CLIP_H
#define EXACT_CLIP_H

#include "support/check.h"

typedef struct exact_channel {
    sinew_channel channel;
    int32_t key_count, width; // width: floats per key, including tangents
    float *times, *values;
} exact_channel;

typedef struct exact_clip {
    const sinew_clip *clip;
    exact_channel *channels;
} exact_clip;

exact_clip read_exact(const sinew_clip *clip);

void free_exact(exact_clip *e);

// How a sampled clip differs from the exact one at a time.
typedef struct clip_displacement {
    double axes;    // metres: nodes, and points on their axes
    double ball;    // metres: any point up to a distance from a node
    double weights; // morph weights and curves
} clip_displacement;

typedef struct displacement_meter {
    const exact_clip *exact;
    const sinew_clip *clip;
    double distance; // the points' distance from their nodes
    double found;    // metres: skip nodes whose points move less when searching for the largest move
    sinew_pose *pose;
    void *memory;
} displacement_meter;

displacement_meter displacement_begin(const exact_clip *exact, const sinew_clip *clip, double distance);

void displacement_end(displacement_meter *m);

// The displacement at one time.
clip_displacement displacement_at(displacement_meter *m, float time);

// The largest over evenly spaced times.
clip_displacement largest_displacement(const exact_clip *exact, const sinew_clip *clip, double distance, int count);

// The largest at all keys of the exact clip, just before them, and at `parts` times between each two.
clip_displacement displacement_between_keys(const exact_clip *exact, const sinew_clip *clip, double distance,
                                            int parts);

#endif
