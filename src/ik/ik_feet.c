// Feet on the ground.
//
// A clip has its feet on level ground through model space's origin. Each foot is carried from there to the real ground as
// one rigid body: from the place of the level ground below its joint to that of the real one above or below, and turned
// there as that slopes. So what rests on the one rests on the other, and what is raised is raised as much. Where the turn
// is held back, or the ground is no plane, a place of the sole may come to lie below it, and the foot goes up by that.
#include <sinew/ik.h>

#include "ik/ik_math.h"
#include "pose/skeleton_object.h"
#include "core/decay.h"
#include "core/def_cookie.h"

#include <assert.h>

// What becomes of one leg.
typedef struct placed {
    sinew_vec3 joint; // the foot's place, as it is to be
    sinew_quat turn;  // of the foot, in model space
    float raised;     // by how much it is
    float bound;      // the highest that the pelvis may go for the leg to reach
} placed;

// ---- Settling ------------------------------------------------------------------------------------------------

// What is left of a difference after a step.
static float left_after(float dt, float seconds) {
    return seconds > 0.0f ? (float)sinew_decay((double)dt / (double)seconds) : 0.0f;
}

// Settles in the world towards a height above model space's origin, and says how high it is above that. In double: far up
// in the world, floats are far apart.
static float settle(sinew_ik_settling *settling, float height, float elevation, float left) {
    double to = (double)elevation + (double)height, once = (double)settling->once, twice = (double)settling->twice;
    if (!isfinite(elevation + height)) return NAN; // which nothing is moved by, nor remembers
    once = to + (once - to) * (double)left;
    twice = once + (twice - once) * (double)left;
    settling->once = (float)once, settling->twice = (float)twice;
    return (float)(2.0 * once - twice - (double)elevation);
}

static void shift(sinew_ik_settling *settling, float by) {
    settling->once += by;
    settling->twice += by;
}

static sinew_vec3 settle_normal(sinew_vec3 *normal, sinew_vec3 to, float left) {
    sinew_vec3 mean = ik_plus(to, ik_scaled(ik_minus(*normal, to), left));
    if (ik_dot(mean, mean) > 0.0f) *normal = ik_unit(mean);
    return *normal;
}

// ---- The ground ----------------------------------------------------------------------------------------------

static bool is_place(sinew_vec3 place) {
    return isfinite(place.x) && isfinite(place.y) && isfinite(place.z);
}

// False where there is none, or none that a foot could be on.
static bool find_ground(const sinew_ik_foot_placement *p, sinew_vec3 place, sinew_ik_ground *ground) {
    return is_place(place) && p->ground(place, ground, p->user) && fabsf(ground->height) <= p->step;
}

// The ground that a foot is carried to. A wall has a height, but says nothing about how a foot stands on it.
static sinew_ik_ground ground_under(const sinew_ik_foot_placement *p, sinew_vec3 joint) {
    const float steepest = 0.1736f; // the cosine of 80 degrees
    sinew_ik_ground ground;
    if (!find_ground(p, joint, &ground)) return (sinew_ik_ground){0.0f, p->up};
    if (!(ik_dot(ground.normal, p->up) > steepest)) ground.normal = p->up;
    return ground;
}

// 1 on the level ground and 0 at the height `lift`, with no corner in between.
static float carried_part(const sinew_ik_foot_placement *p, float height) {
    float x = ik_clamp01(height / p->lift);
    return 1.0f - x * x * (3.0f - 2.0f * x);
}

// A part of the turn from level ground to one that slopes, and no more of it than the limit. In tangents of half angles.
static sinew_quat slope_turn(const sinew_ik_foot_placement *p, sinew_vec3 normal, float part) {
    sinew_vec3 up = p->up, axis = ik_cross(up, normal);
    float upright = 1.0f + ik_dot(up, normal), sine = ik_length(axis);
    if (!(upright > 0.0f) || !(sine > 0.0f)) return ik_no_turn;
    float limit = ik_half_tangent(p->tilt < 3.14f ? p->tilt : 3.14f), tangent = sine / upright;
    float held = part * (tangent < limit ? tangent : limit);
    return ik_normalized(ik_about(ik_scaled(axis, 1.0f / sine), held, 1.0f));
}

// ---- One foot ------------------------------------------------------------------------------------------------

static sinew_vec3 sole_point(const sinew_ik_sole_point *sole, const sinew_affine *model) {
    const sinew_affine *node = &model[sole->node];
    return sinew_affine_point(*node, sole->point);
}

// How high the lowest place of the sole is above the level ground.
static float height_of(const sinew_ik_leg *leg, sinew_vec3 up, const sinew_affine *model) {
    float lowest = ik_dot(ik_place(&model[leg->limb.end]), up);
    for (int32_t i = 0; i < leg->sole_count; i++) {
        float height = ik_dot(sole_point(&leg->sole[i], model), up);
        if (i == 0 || height < lowest) lowest = height;
    }
    return lowest;
}

// By how much the foot, carried, is to go up so that none of its sole is below the ground; 0 where none is. Both are
// measured from the plane on which the ground under the joint lies: the lowest place of the sole is to be above the highest
// ground under any of them, so that no edge between two places cuts into it.
static float depth_of(const sinew_ik_foot_placement *p, const sinew_ik_leg *leg, const placed *foot,
                      sinew_ik_ground plane, const sinew_affine *model) {
    sinew_vec3 joint = ik_place(&model[leg->limb.end]);
    float steep = ik_dot(plane.normal, p->up), highest = -FLT_MAX, lowest = FLT_MAX;
    for (int32_t i = 0; i < leg->sole_count; i++) {
        sinew_vec3 from_joint = ik_minus(sole_point(&leg->sole[i], model), joint);
        sinew_vec3 place = ik_plus(foot->joint, ik_rotate(foot->turn, from_joint));
        sinew_ik_ground ground;
        if (!find_ground(p, place, &ground)) continue;
        float height = ik_dot(place, p->up);
        float on_plane =
            plane.height - ik_dot(plane.normal, ik_minus(ik_beside(place, p->up), ik_beside(joint, p->up))) / steep;
        if (ground.height - on_plane > highest) highest = ground.height - on_plane;
        if (height - on_plane < lowest) lowest = height - on_plane;
    }
    return highest > lowest ? highest - lowest : 0.0f;
}

static void place_foot(const sinew_ik_foot_placement *p, int32_t which, float left,
                       sinew_ik_foot_placement_state *state, const sinew_affine *model, placed *foot) {
    const sinew_ik_leg *leg = &p->legs[which];
    sinew_vec3 joint = ik_place(&model[leg->limb.end]), up = p->up;
    float height = ik_dot(joint, up), part = carried_part(p, height_of(leg, up, model));
    sinew_ik_ground ground = ground_under(p, joint);
    float settled = settle(&state->feet[which], ground.height, p->elevation, left);
    sinew_vec3 normal = settle_normal(&state->normals[which], ground.normal, left);

    foot->turn = slope_turn(p, normal, part);
    foot->raised = part * settled;
    sinew_vec3 stands = ik_plus(joint, ik_scaled(up, foot->raised - height));
    foot->joint = ik_plus(stands, ik_rotate(foot->turn, ik_scaled(up, height)));
    float depth = depth_of(p, leg, foot, ground, model);
    foot->joint = ik_plus(foot->joint, ik_scaled(up, depth));
    foot->raised += depth;
    shift(&state->feet[which], depth);
}

// ---- The pelvis ----------------------------------------------------------------------------------------------

// A leg is not stretched beyond this part of its length, or beyond what its clip has.
static const float stretched = 0.98f;

static float bound_of(const sinew_ik_foot_placement *p, const sinew_ik_leg *leg, const placed *foot,
                      const sinew_affine *model) {
    sinew_vec3 hip = ik_place(&model[leg->limb.upper]), knee = ik_place(&model[leg->limb.lower]);
    sinew_vec3 ankle = ik_place(&model[leg->limb.end]), to_foot = ik_minus(foot->joint, hip);
    float length = ik_length(ik_minus(knee, hip)) + ik_length(ik_minus(ankle, knee));
    float reach = ik_length(ik_minus(ankle, hip));
    if (reach < stretched * length) reach = stretched * length;
    float along = ik_dot(to_foot, p->up), square = reach * reach - ik_dot(to_foot, to_foot) + along * along;
    return along + (square > 0.0f ? sqrtf(square) : 0.0f);
}

// How far the pelvis goes up, or down.
static float pelvis_move(const sinew_ik_foot_placement *p, float left, sinew_ik_settling *settling,
                         const placed *feet) {
    float lowest = p->leg_count > 0 ? feet[0].raised : 0.0f, bound = p->step;
    for (int32_t i = 0; i < p->leg_count; i++) {
        if (feet[i].raised < lowest) lowest = feet[i].raised;
        if (feet[i].bound < bound) bound = feet[i].bound;
    }
    if (bound < -p->step) bound = -p->step;
    float wanted = lowest > 0.0f ? lowest : 0.0f;
    float move = settle(settling, wanted < bound ? wanted : bound, p->elevation, left);
    if (!(move > bound)) return move;
    shift(settling, bound - move);
    return bound;
}

static void move_pelvis(const sinew_ik_foot_placement *p, float move, sinew_pose *pose, sinew_affine *model) {
    ik_matrix into = ik_into(model, pose->skeleton->parents[p->pelvis]);
    sinew_vec3 by = ik_scaled(ik_times(into, p->up), move / into.determinant);
    if (!is_place(by)) return;
    pose->tx[p->pelvis] += by.x, pose->ty[p->pelvis] += by.y, pose->tz[p->pelvis] += by.z;
    sinew_pose_to_model_below(pose, p->pelvis, model);
}

// ---- All of it -----------------------------------------------------------------------------------------------

static void solve_leg(const sinew_ik_leg *leg, const placed *foot, sinew_pose *pose, sinew_affine *model) {
    sinew_ik_two_bone limb = leg->limb;
    limb.target = foot->joint;
    limb.weight = 1.0f;
    limb.end_mode = SINEW_IK_LIMB_END_ROTATE;
    limb.end_rotation = ik_multiply(foot->turn, sinew_affine_decompose(model[limb.end]).rotation);
    sinew_ik_two_bone_solve(&limb, model, pose);
    sinew_pose_to_model_below(pose, limb.upper, model);
}

// A part of the way from where the foot was.
static void go_back(const sinew_ik_leg *leg, float part, placed *foot, const sinew_affine *model) {
    sinew_vec3 was = ik_place(&model[leg->limb.end]);
    foot->joint = ik_plus(was, ik_scaled(ik_minus(foot->joint, was), part));
    foot->turn = ik_blend(ik_no_turn, foot->turn, part);
}

// Whether the placement and its legs were made by their default functions; asserted.
static bool is_defined(const sinew_ik_foot_placement *p) {
    if (!SINEW_IS_DEF(p, "sinew_ik_foot_placement: start from sinew_ik_foot_placement_default()")) return false;
    for (int32_t i = 0; i < p->leg_count; i++) {
        if (!SINEW_IS_DEF(&p->legs[i], "sinew_ik_leg: start from sinew_ik_leg_from_rest()")) return false;
    }
    return true;
}

void sinew_ik_foot_placement_solve(const sinew_ik_foot_placement *p, float dt, sinew_ik_foot_placement_state *state,
                                   sinew_pose *pose, sinew_affine *model) {
    assert(p && state && pose && model);
    if (!is_defined(p)) return;
    assert(p->legs || p->leg_count == 0);
    assert(dt >= 0.0f && isfinite(dt));
    assert(p->ground && p->leg_count >= 0 && p->leg_count <= SINEW_MAX_LEGS);
    placed feet[SINEW_MAX_LEGS];
    float foot_left = state->started ? left_after(dt, p->foot_time) : 0.0f;
    float pelvis_left = state->started ? left_after(dt, p->pelvis_time) : 0.0f;
    for (int32_t i = 0; i < p->leg_count; i++) {
        place_foot(p, i, foot_left, state, model, &feet[i]);
        feet[i].bound = bound_of(p, &p->legs[i], &feet[i], model);
    }
    float move = pelvis_move(p, pelvis_left, &state->pelvis, feet), weight = ik_clamp01(p->weight);
    state->started = true;
    if (!(weight > 0.0f)) return;
    if (weight < 1.0f) {
        for (int32_t i = 0; i < p->leg_count; i++) go_back(&p->legs[i], weight, &feet[i], model);
    }
    if (p->pelvis != SINEW_NO_NODE) move_pelvis(p, weight * move, pose, model);
    for (int32_t i = 0; i < p->leg_count; i++) solve_leg(&p->legs[i], &feet[i], pose, model);
}

// ---- Defaults ------------------------------------------------------------------------------------------------

static sinew_affine rest_model(const sinew_skeleton *skeleton, int32_t node) {
    sinew_affine matrix = sinew_skeleton_rest_local(skeleton, node);
    for (int32_t i = skeleton->parents[node]; i != SINEW_NO_NODE; i = skeleton->parents[i]) {
        matrix = sinew_affine_multiply(sinew_skeleton_rest_local(skeleton, i), matrix);
    }
    return matrix;
}

void sinew_ik_leg_add_sole_point(sinew_ik_leg *leg, const sinew_skeleton *skeleton, int32_t node,
                                 sinew_vec3 place) {
    assert(leg && skeleton && node >= 0 && node < skeleton->node_count);
    assert(leg->sole_count >= 0 && leg->sole_count < SINEW_MAX_SOLE_PLACES);
    sinew_affine into = sinew_affine_inverse(rest_model(skeleton, node));
    leg->sole[leg->sole_count++] = (sinew_ik_sole_point){node, sinew_affine_point(into, place)};
}

static sinew_vec3 ground_below(const sinew_skeleton *skeleton, int32_t node, sinew_vec3 up) {
    sinew_affine model = rest_model(skeleton, node);
    return ik_beside(ik_place(&model), up);
}

sinew_ik_leg sinew_ik_leg_from_rest(const sinew_skeleton *skeleton, int32_t thigh, int32_t shin, int32_t foot,
                                    int32_t toes, sinew_vec3 up) {
    sinew_ik_leg leg = {.limb = sinew_ik_two_bone_from_rest(skeleton, thigh, shin, foot),
                        .cookie = SINEW_DEF_COOKIE};
    sinew_ik_leg_add_sole_point(&leg, skeleton, foot, ground_below(skeleton, foot, up));
    if (toes != SINEW_NO_NODE) sinew_ik_leg_add_sole_point(&leg, skeleton, toes, ground_below(skeleton, toes, up));
    return leg;
}

sinew_ik_foot_placement sinew_ik_foot_placement_default(void) {
    return (sinew_ik_foot_placement){
        .pelvis = SINEW_NO_NODE,
        .up = {0, 1, 0},
        .step = 0.5f,
        .lift = 0.4f,
        .tilt = 0.7f,
        .foot_time = 0.06f,
        .pelvis_time = 0.15f,
        .weight = 1.0f,
        .cookie = SINEW_DEF_COOKIE,
    };
}
