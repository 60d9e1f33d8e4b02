// SPDX-License-Identifier: MIT
// Defaults of springs.
#include <sinew/body/spring.h>

#include "base/def_cookie.h"
#include "base/float_rules.h"

static const float pi = 0x1.921fb6p+1f;

sinew_spring_collider sinew_spring_collider_default(void) {
    sinew_spring_collider collider = {.shape = SINEW_SPRING_SHAPE_SPHERE, .node = SINEW_NO_NODE};
    collider.normal = (sinew_vec3){0.0f, 1.0f, 0.0f};
    collider.cookie = SINEWI_DEF_COOKIE;
    return collider;
}

sinew_spring_joint sinew_spring_joint_default(void) {
    sinew_spring_joint joint = {.node = SINEW_NO_NODE, .stiffness = 20.0f, .damping = 0.15f, .drag = 0.5f};
    joint.gravity = (sinew_vec3){0.0f, -9.81f, 0.0f};
    joint.wind = 1.0f;
    joint.limit = pi;
    joint.cookie = SINEWI_DEF_COOKIE;
    return joint;
}

sinew_spring_chain sinew_spring_chain_default(void) {
    sinew_spring_chain chain = {.center = SINEW_NO_NODE, .weight = 1.0f};
    chain.cookie = SINEWI_DEF_COOKIE;
    return chain;
}

sinew_springs_def sinew_springs_default(void) {
    sinew_springs_def def = {.step = 1.0f / 60.0f, .max_steps = 8, .teleport_distance = 2.0f};
    def.cookie = SINEWI_DEF_COOKIE;
    return def;
}

sinew_springs_input sinew_springs_input_default(void) {
    sinew_springs_input input = {.world = sinew_affine_identity(), .weight = 1.0f};
    input.cookie = SINEWI_DEF_COOKIE;
    return input;
}
