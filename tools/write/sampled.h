// SPDX-License-Identifier: MIT
// A clip from poses: one LINEAR key for each.
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

// Adds a pose. One that is not later than the last one is ignored. Returns false if memory runs out.
bool sampled_add(sampled_poses *poses, float time, const sinew_pose *pose);

// Creates a clip of what is not the rest pose at all times; free it with sinew_clip_destroy.
sinew_result sampled_create(const sampled_poses *poses, const char *name, sinew_clip **clip, sinew_error *error);

void sampled_free(sampled_poses *poses);

#endif
