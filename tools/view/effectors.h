// SPDX-License-Identifier: MIT
// The effectors of the first character: hands, feet, head and hips, which the mouse drags and the full-body solver follows.
#ifndef VIEWER_EFFECTORS_H
#define VIEWER_EFFECTORS_H

#include <sinew/all.h>

typedef enum view_effector_kind {
    VIEW_HAND_L,
    VIEW_HAND_R,
    VIEW_FOOT_L,
    VIEW_FOOT_R,
    VIEW_HEAD,
    VIEW_HIPS, // the last
    VIEW_EFFECTORS
} view_effector_kind;

typedef struct view_effector {
    int32_t node;      // SINEW_NO_NODE: the character has none
    bool is_held;      // by the mouse
    float weight;      // of the target, 0 to 1; after the release it falls to 0
    sinew_vec3 target; // in model space, so that it goes along with root motion
} view_effector;

enum { VIEW_HINGES = 4 };

typedef struct view_effectors {
    view_effector all[VIEW_EFFECTORS];
    sinew_ik_joint hinges[VIEW_HINGES]; // knees and elbows
    int hinge_count;
} view_effectors;

// Finds the effectors by the asset's humanoid roles, given or guessed. A character without them has no effectors.
void view_effectors_find(view_effectors *effectors, const sinew_asset *asset);

bool view_effectors_exist(const view_effectors *effectors);

// Holds an effector at a position, in model space, also one that is held; and releases all.
void view_effectors_hold(view_effectors *effectors, int effector, sinew_vec3 target);
void view_effectors_release(view_effectors *effectors);

// Advances the release by `dt` seconds of real time.
void view_effectors_advance(view_effectors *effectors, float dt);

// Whether an effector is moved.
bool view_effectors_act(const view_effectors *effectors);

// Whether time changes the pose: an effector that was released.
bool view_effectors_move(const view_effectors *effectors);

// Moves the body, with planted feet, to the effectors' targets, and updates its model matrices.
void view_effectors_solve(const view_effectors *effectors, sinew_pose *pose, sinew_affine *model);

#endif
