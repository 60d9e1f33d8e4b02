// SPDX-License-Identifier: MIT
// An evaluator of clips in double precision, by glTF 2.0, appendix C, and the displacement of another clip of the same
// skeleton from it.
#ifndef EXACT_CLIP_H
#define EXACT_CLIP_H

#include "support/check.h"

typedef struct exact_channel {
    sinew_channel channel;
    int32_t key_count, width; // width: floats of a key, tangents included
    float *times, *values;
} exact_channel;

typedef struct exact_clip {
    const sinew_clip *clip;
    exact_channel *channels;
} exact_clip;

exact_clip read_exact(const sinew_clip *clip);

void free_exact(exact_clip *e);

// What another clip, as it is sampled, has another than the exact one at a time.
typedef struct clip_displacement {
    double axes;    // metres: of nodes, and of points on their axes
    double ball;    // metres: of any point up to the distance from a node
    double weights; // of morph weights and curves
} clip_displacement;

typedef struct displacement_meter {
    const exact_clip *exact;
    const sinew_clip *clip;
    double distance; // of the points from their nodes
    double found;    // metres: nodes whose points move less are not searched for the one that moves furthest
    sinew_pose *pose;
    void *memory;
} displacement_meter;

displacement_meter displacement_begin(const exact_clip *exact, const sinew_clip *clip, double distance);

void displacement_end(displacement_meter *m);

// At one time.
clip_displacement displacement_at(displacement_meter *m, float time);

// The largest over evenly spaced times.
clip_displacement largest_displacement(const exact_clip *exact, const sinew_clip *clip, double distance, int count);

// The largest over `parts` times between each two keys of the exact clip, at all keys and right before them.
clip_displacement displacement_between_keys(const exact_clip *exact, const sinew_clip *clip, double distance,
                                            int parts);

#endif
