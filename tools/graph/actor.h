// SPDX-License-Identifier: MIT
// A character that plays a graph with a rig, for tools. It walks as fast as its clips carry it, over ground that is level
// or a stair, so that planted feet stay where they are.
#ifndef GRAPH_ACTOR_H
#define GRAPH_ACTOR_H

#include <sinew/all.h>

typedef enum graph_ground { GRAPH_GROUND_LEVEL, GRAPH_GROUND_STAIR } graph_ground;

// How fast a clip's feet carry the character, in meters per second in model space.
typedef struct graph_gait {
    const sinew_clip *clip;
    sinew_vec3 velocity;
} graph_gait;

// What all actors of a rig share.
typedef struct graph_stand {
    sinew_rig *rig;
    graph_gait *gaits; // [gait_count], of the clips that the base plays; none if no step moves feet
    int32_t gait_count;
    float stair; // the height of a stair's step, meters
} graph_stand;

// Creates the rig of a binding, which must outlive it. Fails like sinew_rig_create. Freed with graph_stand_free in all
// cases.
sinew_result graph_stand_create(graph_stand *stand, const sinew_graph_binding *binding, sinew_error *error);
void graph_stand_free(graph_stand *stand);

// Whether a step of springs moves a node.
bool graph_stand_swings(const graph_stand *stand, int32_t node);

enum { GRAPH_ACTOR_PLAYED = 64 };

// An action of the base after a frame.
typedef struct graph_played {
    sinew_action action;
    const sinew_clip *clip;
    float phase; // 0 to 1
    float rate;  // cycles a second
} graph_played;

typedef struct graph_actor {
    const graph_stand *stand;
    sinew_character *character;
    graph_ground ground;
    graph_played played[GRAPH_ACTOR_PLAYED]; // [played_count]
    int32_t played_count;
} graph_actor;

// Creates a character at the world's origin. The stand must outlive it, and the actor must stay at its address. Fails
// like sinew_character_create.
sinew_result graph_actor_create(graph_actor *actor, const graph_stand *stand, graph_ground ground,
                                int32_t max_events, sinew_error *error);
void graph_actor_free(graph_actor *actor);

// Plays a frame.
void graph_actor_update(graph_actor *actor, float dt);

// Copies the character's pose and model matrices, for example to an instance of a scene.
void graph_actor_copy(const graph_actor *actor, sinew_pose *pose, sinew_affine *model);

// How far the character has walked. Add it to positions in world space that are meant relative to the character's start:
// the world comes along.
sinew_vec3 graph_actor_walked(const graph_actor *actor);

#endif
