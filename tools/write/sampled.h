// SPDX-License-Identifier: MIT
// Makes a clip from poses, with one LINEAR key per pose.
#ifndef WRITE_SAMPLED_H
#define WRITE_SAMPLED_H

#include <sinew/clip.h>

typedef struct sampled_poses {
    const sinew_skeleton *skeleton;
    int32_t count, capacity;
    float *times;                // [count]
    sinew_transform *transforms; // [count × node_count]
    float *weights;              // [count × (weight_count + curve_count)]
} sampled_poses;

// Adds a pose. Ignores it if it isn't later than the last one. Returns false if memory runs out.
bool sampled_add(sampled_poses *poses, float time, const sinew_pose *pose);

// Creates a clip from everything that isn't always in the rest pose. Free it with sinew_clip_destroy.
sinew_result sampled_create(const sampled_poses *poses, const char *name, sinew_clip **clip, sinew_error *error);

void sampled_free(sampled_poses *poses);

#endif
