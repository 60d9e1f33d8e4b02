// SPDX-License-Identifier: MIT
// A crowd: many characters of one file, in a square whose center is free. Each plays one clip at its own time and
// playback rate; all of them are drawn at once, as GPU instances.
#ifndef DRAW_CROWD_H
#define DRAW_CROWD_H

#include "render/camera.h"
#include "render/model.h"

#include <sinew/motion/crowd.h>

enum { DRAW_MAX_CROWD = 100000 };

// The definition of a crowd.
typedef struct draw_crowd_def {
    const sinew_asset *asset; // must outlive the crowd
    const char *path;         // of its file, for messages
    int32_t count;            // from 1 to DRAW_MAX_CROWD
    bool baked;               // poses come from an animation texture; otherwise each character has a mixer
} draw_crowd_def;

// A character of the crowd.
typedef struct draw_character {
    sinew_affine transform; // from the file's axes to world space
    int32_t clip;           // the index in the crowd's clips
    float time, speed;      // at the start
} draw_character;

// A mesh node, in the records of a crowd.
typedef struct draw_crowd_instance {
    int32_t first_joint;  // of its skin
    int32_t node_joint;   // the joint of its node, for meshes without a skin
    draw_winding winding; // in all clips
} draw_crowd_instance;

typedef struct draw_crowd {
    draw_crowd_def def;
    const sinew_clip **clips; // the locomotion clips of the file, or all of its clips
    int32_t clip_count;
    sinew_skin *skin; // the joints of a record: those of all skins, and the nodes of meshes without one
    draw_crowd_instance *instances; // [asset->instance_count]
    sinew_box box;                  // the bounds of one character in all clips, in the file's axes
    sinew_box all;                  // the bounds of the crowd, in world space
    sinew_affine upright;           // from the file's axes to world space, with the box's center over the origin
    float spacing;                  // metres between neighbours
    draw_character *characters;     // [count]
    sinew_batch_item *items;        // [count]; NULL if baked
    sinew_batch_budget budget;      // of an advance: without a limit, until draw_crowd_limit
    sinew_asset asset;              // a copy of the asset with that one skin, for the animation texture
    sinew_bake *bake;               // NULL unless baked
    sinew_bake_state *states;       // [count]; NULL unless baked
    int32_t first_weight;           // the offset of the morph weights in a record, in floats
    int32_t weight_count;           // of morph weights
    draw_model model;               // draws the crowd, after draw_crowd_upload
} draw_crowd;

// Creates the characters. Returns false, with the reason in `error`, for a file without clips or without anything to
// draw, or if memory runs out. Freed with draw_crowd_free in both cases.
bool draw_crowd_create(draw_crowd *crowd, const draw_crowd_def *def, sinew_error *error);
void draw_crowd_free(draw_crowd *crowd);

// Uploads meshes and records. False, with the reason in `error`, if that fails.
bool draw_crowd_upload(draw_crowd *crowd, sinew_gl *gl, sinew_error *error);

// Limits the characters that are posed in each advance: of those nearest to the eye more often. No-op if baked.
void draw_crowd_limit(draw_crowd *crowd, int32_t max_poses, sinew_vec3 eye);

// Advances all characters by `dt` seconds.
void draw_crowd_advance(draw_crowd *crowd, float dt);

// Uploads the poses of all characters, in one call.
void draw_crowd_pose(draw_crowd *crowd);

// Adds the bounds of every character in all clips to the framing.
void draw_crowd_frame(const draw_crowd *crowd, draw_framing *framing);

#endif
