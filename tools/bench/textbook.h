// SPDX-License-Identifier: MIT
// The textbook: skeletal animation like in tutorials. Sinew is compared with it.
//
// Each bone has three lists of keys, for position, rotation and scale. Each key has its own time. A pose is an array of
// transforms. A binary search finds a bone's keys in each list, acosf and sinf slerp rotations, and three 4x4 matrices
// multiply to the local matrix. World matrices and the palette are also products of 4x4 matrices. It's written with
// care and compiled with Sinew's options, so only the method is a tutorial's. It shares Sinew's plain data types, but
// calls none of its functions during a frame.
#ifndef BENCH_TEXTBOOK_H
#define BENCH_TEXTBOOK_H

#include <sinew/asset.h>

typedef struct textbook_vector_key {
    float time;
    sinew_vec3 value;
} textbook_vector_key;

typedef struct textbook_rotation_key {
    float time;
    sinew_quat value;
} textbook_rotation_key;

// One bone's keys. If a list is empty, the bone keeps that part of its rest transform.
typedef struct textbook_track {
    int32_t position_count, rotation_count, scale_count;
    textbook_vector_key *positions;
    textbook_rotation_key *rotations;
    textbook_vector_key *scales;
} textbook_track;

typedef struct textbook_clip {
    float duration;
    int32_t bone_count;
    textbook_track *tracks; // one per bone
    size_t bytes;           // total size
} textbook_clip;

typedef struct textbook_skeleton {
    int32_t bone_count;
    int32_t *parents;      // parents before children; -1 for roots
    sinew_transform *rest; // local
    int32_t joint_count;
    int32_t *joints;           // [joint_count]; bone indices
    sinew_mat4 *inverse_binds; // [joint_count]
} textbook_skeleton;

// Copies of Sinew's data. Free them with the functions below. Channels must be LINEAR. Morph weights are ignored.
textbook_skeleton *textbook_skeleton_create(const sinew_skin *skin);
void textbook_skeleton_destroy(textbook_skeleton *skeleton);
textbook_clip *textbook_clip_create(const textbook_skeleton *skeleton, const sinew_channel_def *channels,
                                    int32_t channel_count);
void textbook_clip_destroy(textbook_clip *clip);

// A clip that loops.
typedef struct textbook_action {
    const textbook_clip *clip;
    float time, speed;
    bool paused;
    float weight;
    float fade_from, fade_to, fade_elapsed, fade_duration; // a duration of 0 means no fade
} textbook_action;

// Advances the time and the fade.
void textbook_advance(textbook_action *action, float dt);

// All poses are [bone_count] local transforms.
void textbook_sample(const textbook_skeleton *skeleton, const textbook_clip *clip, float time,
                     sinew_transform *pose);
void textbook_blend(const sinew_transform *a, const sinew_transform *b, float t, int32_t count,
                    sinew_transform *out);
void textbook_world_matrices(const textbook_skeleton *skeleton, const sinew_transform *pose, sinew_mat4 *world);
void textbook_palette(const textbook_skeleton *skeleton, const sinew_mat4 *world, sinew_mat4 *palette);

// Arrays for textbook_skin_vertices. Strides are in floats.
typedef struct textbook_mesh {
    int32_t influences;     // joints per vertex
    const uint16_t *joints; // NULL to use byte_joints and byte_weights
    const float *weights;
    const uint8_t *byte_joints;
    const uint8_t *byte_weights;   // 255 is 1
    size_t stride, tangent_stride; // of the input; `stride` is for positions and normals
    const float *positions;        // x, y, z
    const float *normals;          // x, y, z; may be NULL
    const float *tangents;         // x, y, z, handedness; may be NULL
    size_t out_stride, out_tangent_stride;
    float *out_positions, *out_normals, *out_tangents;
} textbook_mesh;

void textbook_skin_vertices(const textbook_mesh *mesh, const sinew_mat4 *palette, int32_t first, int32_t count);

#endif
