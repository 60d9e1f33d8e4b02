// SPDX-License-Identifier: MIT
// Defaults of rigs and their steps.
#include <sinew/motion/rig.h>

#include "base/def_cookie.h"
#include "base/float_rules.h"

sinew_rig_def sinew_rig_default(void) {
    return (sinew_rig_def){.cookie = SINEWI_DEF_COOKIE};
}

sinew_rig_goal sinew_rig_goal_empty(void) {
    return (sinew_rig_goal){.parameter = SINEW_GRAPH_NONE, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
}

// A limb's settings without nodes. The rest pose provides the bend axis.
static sinew_ik_two_bone default_limb(void) {
    return (sinew_ik_two_bone){.upper = SINEW_NO_NODE,
                               .lower = SINEW_NO_NODE,
                               .end = SINEW_NO_NODE,
                               .pole_weight = 1.0f,
                               .weight = 1.0f,
                               .end_rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
}

static sinew_ik_chain default_chain(void) {
    return (sinew_ik_chain){.root = SINEW_NO_NODE, .tip = SINEW_NO_NODE, .pole_weight = 1.0f, .weight = 1.0f};
}

// An aim without a limit, like sinew_ik_aim_from_rest.
static sinew_ik_aim default_aim(void) {
    return (sinew_ik_aim){.node = SINEW_NO_NODE,
                          .tip = SINEW_NO_NODE,
                          .limit = 3.14159265f,
                          .pitch_up = 3.14159265f,
                          .pitch_down = 3.14159265f,
                          .weight = 1.0f,
                          .settle_time = 0.15f};
}

static void set_kind_defaults(sinew_rig_step *step) {
    switch (step->kind) {
    case SINEW_RIG_ROOT_WARP:
        step->root_warp.settings = sinew_root_warp_default();
        step->damping = 0.0f;
        break;
    case SINEW_RIG_AIM_OFFSET:
        step->aim_offset = (sinew_rig_grid){.yaw_count = 1, .pitch_count = 1};
        break;
    case SINEW_RIG_ORIENTATION_WARP:
        step->orientation_warp = sinew_orientation_warp_default();
        break;
    case SINEW_RIG_STRIDE_WARP:
        step->stride_warp = sinew_stride_warp_default();
        step->stride_warp.direction = (sinew_vec3){0.0f, 0.0f, 0.0f};
        break;
    case SINEW_RIG_FOOT_LOCK:
        step->foot_lock = sinew_foot_lock_default();
        break;
    case SINEW_RIG_FOOT_PLACEMENT:
        step->foot_placement = sinew_foot_placement_default();
        break;
    case SINEW_RIG_LIMB:
        step->limb = default_limb();
        break;
    case SINEW_RIG_CHAIN:
        step->chain = default_chain();
        break;
    case SINEW_RIG_BODY:
        step->body.settings = sinew_ik_body_default();
        break;
    case SINEW_RIG_AIM:
        step->aim = default_aim();
        break;
    case SINEW_RIG_SPRINGS:
    case SINEW_RIG_CALLBACK:
        break;
    }
}

sinew_rig_step sinew_rig_step_of_kind(sinew_rig_kind kind) {
    sinew_rig_step step = {.kind = kind,
                           .weight = 1.0f,
                           .weight_parameter = SINEW_GRAPH_NONE,
                           .damping = 0.1f,
                           .input = SINEW_GRAPH_NONE,
                           .goal = sinew_rig_goal_empty(),
                           .pole = sinew_rig_goal_empty(),
                           .cookie = SINEWI_DEF_COOKIE};
    set_kind_defaults(&step);
    return step;
}
