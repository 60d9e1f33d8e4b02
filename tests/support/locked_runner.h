// SPDX-License-Identifier: MIT
// The runner with locked feet, somewhere in the world.
#ifndef LOCKED_RUNNER_H
#define LOCKED_RUNNER_H

#include "support/runner.h"

// ---- The world -----------------------------------------------------------------------------------------------

// A character's place: model space mirrored, scaled, turned about `up` and moved.
typedef struct location {
    double x, y, z, heading, scale;
    bool mirrored, z_up;
} location;

static const location origin = {.scale = 1};

static inline sinew_affine world_of(const location *at) {
    sinew_transform t = {{(float)at->x, (float)at->y, (float)at->z},
                         at->z_up ? about_z(at->heading) : about_y(at->heading),
                         {(float)(at->mirrored ? -at->scale : at->scale), (float)at->scale, (float)at->scale}};
    return sinew_affine_from_transform(t);
}

static inline vec world_point(const location *at, sinew_vec3 p) {
    double x = at->scale * p.x * (at->mirrored ? -1 : 1), y = at->scale * p.y, z = at->scale * p.z;
    double c = cos(at->heading), s = sin(at->heading);
    if (at->z_up) return (vec){at->x + c * x - s * y, at->y + s * x + c * y, at->z + z};
    return (vec){at->x + c * x + s * z, at->y + y, at->z - s * x + c * z};
}

// ---- The character -------------------------------------------------------------------------------------------

typedef struct actor {
    sinew_skeleton *skeleton;
    sinew_pose *pose;
    sinew_foot legs[2];
    sinew_foot_lock lock;
    sinew_foot_lock_state state;
    float contacts[2];
    location at;
    sinew_affine model[RUNNER_NODES + 1], posed[RUNNER_NODES + 1]; // with and without foot locking
} actor;

static inline void make_actor(actor *a, sinew_transform top, bool with_toes) {
    *a = (actor){.at = origin, .contacts = {1, 1}};
    a->skeleton = make_runner(top);
    assert_int_equal(sinew_pose_create(a->skeleton, NULL, &a->pose), SINEW_OK);
    make_legs(a->skeleton, with_toes, a->legs);
    a->lock = sinew_foot_lock_default();
    a->lock.foot_count = 2;
}

static inline void free_actor(actor *a) {
    sinew_pose_destroy(a->pose);
    sinew_skeleton_destroy(a->skeleton);
}

// Locks the feet of the actor's pose.
static inline void lock_feet(actor *a, double dt) {
    a->lock.feet = a->legs;
    sinew_affine world = world_of(&a->at);
    sinew_pose_to_model(a->pose, a->model);
    memcpy(a->posed, a->model, sizeof a->model);
    sinew_foot_lock_solve(&a->lock, &world, a->contacts, (float)dt, &a->state, a->pose, a->model);
}

static inline void stand(actor *a, double dt) {
    sinew_pose_reset(a->pose);
    lock_feet(a, dt);
}

static inline vec node_in_world(const actor *a, const sinew_affine *model, int32_t node) {
    return world_point(&a->at, (sinew_vec3){model[node].m[0][3], model[node].m[1][3], model[node].m[2][3]});
}

static inline vec shown(const actor *a, int32_t node) {
    return node_in_world(a, a->model, node);
}

static inline double gap(const actor *a, int32_t node) {
    return distance(shown(a, node), node_in_world(a, a->posed, node));
}

static inline void check_matrices(const actor *a) {
    sinew_affine fresh[RUNNER_NODES + 1];
    sinew_pose_to_model(a->pose, fresh);
    assert_memory_equal(fresh, a->model, RUNNER_NODES * sizeof *fresh);
}

#endif
