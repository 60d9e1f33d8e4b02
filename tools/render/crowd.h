// SPDX-License-Identifier: MIT
// A crowd: many characters from one file, in a square with a free center. Each plays one clip at its own time and
// playback rate. All are drawn at once, as GPU instances.
#ifndef DRAW_CROWD_H
#define DRAW_CROWD_H

#include "render/camera.h"
#include "render/model.h"

#include <sinew/motion/crowd.h>

enum { DRAW_MAX_CROWD = 100000 };

// How to create a crowd.
typedef struct draw_crowd_def {
    const sinew_asset *asset; // must outlive the crowd
    const char *path;         // path of its file, for messages
    int32_t count;            // from 1 to DRAW_MAX_CROWD
    bool baked;               // poses come from an animation texture instead of a mixer per character
} draw_crowd_def;

typedef struct draw_character {
    sinew_affine transform; // from the file's axes to world space
    int32_t clip;           // index into the crowd's clips
    float time, speed;      // at the start
} draw_character;

// A mesh node in the crowd's records.
typedef struct draw_crowd_instance {
    int32_t first_joint;  // its skin's first joint
    int32_t node_joint;   // its node's joint, for meshes without a skin
    draw_winding winding; // in all clips
} draw_crowd_instance;

typedef struct draw_crowd {
    draw_crowd_def def;
    const sinew_clip **clips; // the file's locomotion clips, or all of its clips
    int32_t clip_count;
    sinew_skin *skin;               // a record's joints: those of all skins, then the nodes of meshes without one
    draw_crowd_instance *instances; // [asset->instance_count]
    sinew_box box;                  // bounds of one character in all clips, in the file's axes
    sinew_box all;                  // bounds of the crowd in world space
    sinew_affine upright;           // from the file's axes to world space, with the box centered over the origin
    float spacing;                  // meters between neighbors
    draw_character *characters;     // [count]
    sinew_batch_item *items;        // [count]; NULL if baked
    sinew_batch_budget budget;      // budget of an advance; unlimited until draw_crowd_limit
    sinew_asset asset;              // copy of the asset with only that skin, for the animation texture
    sinew_bake *bake;               // NULL unless baked
    sinew_bake_state *states;       // [count]; NULL unless baked
    int32_t first_weight;           // where the morph weights start in a record, in floats
    int32_t weight_count;           // number of morph weights
    draw_model model;               // draws the crowd, after draw_crowd_upload
} draw_crowd;

// Creates the characters. On failure, returns false with the reason in `error`: the file has no clips or nothing to
// draw, or memory ran out. Call draw_crowd_free either way.
bool draw_crowd_create(draw_crowd *crowd, const draw_crowd_def *def, sinew_error *error);
void draw_crowd_free(draw_crowd *crowd);

// Uploads meshes and records. On failure, returns false with the reason in `error`.
bool draw_crowd_upload(draw_crowd *crowd, sinew_gl *gl, sinew_error *error);

// Limits how many characters are posed in each advance. Those nearest to the eye are posed more often. No-op if baked.
void draw_crowd_limit(draw_crowd *crowd, int32_t max_poses, sinew_vec3 eye);

// Advances all characters by `dt` seconds.
void draw_crowd_advance(draw_crowd *crowd, float dt);

// Uploads all characters' poses in one call.
void draw_crowd_pose(draw_crowd *crowd);

// Adds every character's bounds in all clips to the framing.
void draw_crowd_frame(const draw_crowd *crowd, draw_framing *framing);

#endif
