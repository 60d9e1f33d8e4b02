// SPDX-License-Identifier: MIT
// The character of tests/graph/samples/character.graph.json, part by part: what a program does without rigs, step by
// step. It only shares the feet, with their soles and contacts, with the rig.
#ifndef PARTS_H
#define PARTS_H

#include "support/check.h"

typedef struct parts_weight {
    double value, velocity;
} parts_weight;

enum {
    PARTS_CLIMB,
    PARTS_AIM,
    PARTS_TURN,
    PARTS_STRIDE,
    PARTS_PLANTED,
    PARTS_GROUND,
    PARTS_CROUCH,
    PARTS_LOOK,
    PARTS_HAND,
    PARTS_REACH,
    PARTS_RECOIL,
    PARTS_HAIR,
    PARTS_STEPS
};

// What the program sets each frame.
typedef struct parts_input {
    float move[2], aim[2], aiming, strafe, stride, dt;
    bool jump, aware, carries;
    sinew_vec3 look_at;
    sinew_transform rail, ledge;
} parts_input;

typedef struct parts {
    const sinew_asset *asset;
    const sinew_graph *graph;
    sinew_animator *animator;
    sinew_mixer *mixer;
    sinew_aim_offset *offset;
    const sinew_foot *feet;
    const sinew_foot_contacts *contacts;
    sinew_springs *springs;
    sinew_root_motion_def root_motion;
    sinew_foot_placement placement;
    float (*height)(sinew_vec3 place); // of the ground
    // The state.
    sinew_vec3 position, before;
    sinew_quat facing;
    int frames;
    parts_weight weights[PARTS_STEPS];
    sinew_root_warp warp;
    sinew_root_warp_transform goal;
    float warp_time;
    bool warps;
    sinew_orientation_warp_state orientation;
    sinew_stride_warp_state stride;
    sinew_foot_lock_state lock;
    sinew_foot_placement_state placed;
    sinew_ik_aim_state look;
    sinew_spring_state *swing;
    sinew_affine world, to_model, last_to_model; // this frame's, and the last frame's
} parts;

// Creates the parts. `binding` must be the rig's, so both play the same clips.
void parts_create(parts *p, const sinew_rig *rig, const sinew_mixer_def *mixer, float (*height)(sinew_vec3 place));
void parts_destroy(parts *p);

void parts_update(parts *p, const parts_input *input);

// Sets an animator's parameters.
void parts_set(sinew_animator *animator, const parts_input *input);

#endif
