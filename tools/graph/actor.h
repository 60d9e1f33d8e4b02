// SPDX-License-Identifier: MIT
// A character that plays a graph with a rig, for tools. It walks over level ground or stairs as fast as its clips carry
// it. This keeps planted feet in place.
#ifndef GRAPH_ACTOR_H
#define GRAPH_ACTOR_H

#include <sinew/all.h>

typedef enum graph_ground { GRAPH_GROUND_LEVEL, GRAPH_GROUND_STAIR } graph_ground;

// How fast a clip's feet carry the character, in m/s in model space.
typedef struct graph_gait {
    const sinew_clip *clip;
    sinew_vec3 velocity;
} graph_gait;

// What all of a rig's actors share.
typedef struct graph_stand {
    sinew_rig *rig;
    graph_gait *gaits; // [gait_count]; clips that the base plays; empty if no step moves feet
    int32_t gait_count;
    float stair; // height of a stair in meters
} graph_stand;

// Creates a binding's rig. The binding must outlive it. Fails like sinew_rig_create. Call graph_stand_free in any case.
sinew_result graph_stand_create(graph_stand *stand, const sinew_graph_binding *binding, sinew_error *error);
void graph_stand_free(graph_stand *stand);

// Returns whether a springs step moves a node.
bool graph_stand_swings(const graph_stand *stand, int32_t node);

enum { GRAPH_ACTOR_PLAYED = 64 };

// An action in the base layer, after a frame.
typedef struct graph_played {
    sinew_action action;
    const sinew_clip *clip;
    float phase; // 0 to 1
    float rate;  // cycles per second
} graph_played;

typedef struct graph_actor {
    const graph_stand *stand;
    sinew_character *character;
    graph_ground ground;
    graph_played played[GRAPH_ACTOR_PLAYED]; // [played_count]
    int32_t played_count;
} graph_actor;

// Creates a character at the world's origin. The stand must outlive the actor, and the actor must not move in memory.
// Fails like sinew_character_create.
sinew_result graph_actor_create(graph_actor *actor, const graph_stand *stand, graph_ground ground,
                                int32_t max_events, sinew_error *error);
void graph_actor_free(graph_actor *actor);

// Plays a frame.
void graph_actor_update(graph_actor *actor, float dt);

// Copies the character's pose and model matrices, for example to an instance in a scene.
void graph_actor_copy(const graph_actor *actor, sinew_pose *pose, sinew_affine *model);

// Returns how far the character has walked. Add it to world-space positions that are relative to the character's start.
sinew_vec3 graph_actor_walked(const graph_actor *actor);

#endif
