// SPDX-License-Identifier: MIT
// A character's hips, legs and soles.
#include "takes/takes.h"

#include "takes/fail.h"

static const sinew_vec3 up = {0, 1, 0};

typedef struct leg_roles {
    int32_t thigh, shin, foot, toes;
} leg_roles;

static const leg_roles roles_of_legs[TAKES_LEGS] = {
    {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_LEFT_LOWER_LEG, SINEW_HUMANOID_LEFT_FOOT,
     SINEW_HUMANOID_LEFT_TOES},
    {SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_RIGHT_LOWER_LEG, SINEW_HUMANOID_RIGHT_FOOT,
     SINEW_HUMANOID_RIGHT_TOES},
};

static bool is_in(const sinew_skeleton *skeleton, int32_t node) {
    return node >= 0 && node < skeleton->node_count;
}

// Returns a bone's length in the rest pose, in model space.
static float bone_length(const sinew_skeleton *skeleton, int32_t upper, int32_t lower) {
    sinew_affine between = sinew_affine_identity(), above = sinew_affine_identity();
    int32_t node = lower;
    for (; node != upper && node != SINEW_NO_NODE; node = skeleton->parents[node])
        between = sinew_affine_multiply(sinew_affine_from_transform(skeleton->rest[node]), between);
    for (; node != SINEW_NO_NODE; node = skeleton->parents[node])
        above = sinew_affine_multiply(sinew_affine_from_transform(skeleton->rest[node]), above);
    const sinew_vec3 bone = {between.m[0][3], between.m[1][3], between.m[2][3]};
    return sinew_vec3_length(sinew_affine_direction(above, bone));
}

static sinew_result make_leg(takes_body *body, const sinew_humanoid *humanoid, int leg, sinew_ik_two_bone *made,
                             sinew_error *error) {
    const sinew_skeleton *s = body->skeleton;
    const leg_roles *roles = &roles_of_legs[leg];
    const int32_t thigh = humanoid->nodes[roles->thigh], shin = humanoid->nodes[roles->shin];
    const int32_t foot = humanoid->nodes[roles->foot], toes = humanoid->nodes[roles->toes];
    if (!is_in(s, thigh) || !is_in(s, shin) || !is_in(s, foot))
        return takes_fail(error, SINEW_ERROR_FORMAT, "a leg is missing some of its roles");
    *made = sinew_foot_from_rest(s, thigh, shin, foot, is_in(s, toes) ? toes : SINEW_NO_NODE, up).leg;
    if (made->upper == SINEW_NO_NODE) {
        return takes_fail(error, SINEW_ERROR_UNSUPPORTED,
                          "the feet aren't below the shins; prepare the take before you retarget it");
    }
    body->leg_length += 0.5f * (bone_length(s, thigh, shin) + bone_length(s, shin, foot));
    return SINEW_OK;
}

sinew_result takes_body_from_roles(takes_body *body, const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                                   sinew_error *error) {
    *body = (takes_body){.skeleton = skeleton, .hips = humanoid->nodes[SINEW_HUMANOID_HIPS]};
    if (!is_in(skeleton, body->hips)) return takes_fail(error, SINEW_ERROR_FORMAT, "the hips are missing");
    sinew_ik_two_bone legs[TAKES_LEGS] = {{0}};
    int32_t feet[TAKES_LEGS];
    for (int leg = 0; leg < TAKES_LEGS; leg++) {
        const sinew_result result = make_leg(body, humanoid, leg, &legs[leg], error);
        if (result != SINEW_OK) return result;
        feet[leg] = humanoid->nodes[roles_of_legs[leg].foot];
    }
    // Their sole points show where the rest pose has its ground.
    const sinew_result result = sinew_feet_from_nodes(skeleton, feet, TAKES_LEGS, SINEW_UP_Y, &body->feet, error);
    if (result != SINEW_OK) return result;
    if (!(body->leg_length > 0.0f)) return takes_fail(error, SINEW_ERROR_UNSUPPORTED, "the legs' length is 0");
    for (int leg = 0; leg < TAKES_LEGS; leg++) body->feet.feet[leg].leg = legs[leg];
    body->has_legs = true;
    return SINEW_OK;
}

takes_body takes_body_from_clip(const sinew_clip *clip) {
    takes_body body = {.skeleton = clip->skeleton, .hips = 0};
    for (int32_t i = clip->channel_count - 1; i >= 0; i--) { // they're sorted by node, and parents come first
        const sinew_channel *channel = &clip->channels[i];
        if (channel->target <= SINEW_TARGET_ROTATION && channel->timeline >= 0) body.hips = channel->node;
    }
    return body;
}
