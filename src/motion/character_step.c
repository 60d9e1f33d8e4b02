// SPDX-License-Identifier: MIT
// A frame's steps: fills in what changes in the structs of the parts, and calls them.
#include "motion/character_state.h"
#include "base/float_rules.h"

// ---- Goals ---------------------------------------------------------------------------------------------------

static const sinew_graph_parameter *parameter_of(const character_frame *frame, const sinewi_rig_place *place) {
    return &frame->character->def.rig->binding->graph->parameters[place->goal->parameter];
}

static bool is_in_world(const character_frame *frame, const sinewi_rig_place *place) {
    return place->node == SINEW_NO_NODE && parameter_of(frame, place)->space == SINEW_PARAMETER_SPACE_WORLD;
}

// A goal in world space or in model space.
static sinew_transform goal_of(const character_frame *frame, const sinewi_rig_place *place) {
    const sinew_rig_goal *goal = place->goal;
    sinew_transform at = sinew_transform_identity();
    bool turns_offset = true;
    if (place->node != SINEW_NO_NODE) {
        at = sinew_affine_decompose(frame->model[place->node]);
    } else {
        const sinew_animator *animator = frame->character->animator;
        turns_offset = parameter_of(frame, place)->type == SINEW_PARAMETER_TRANSFORM;
        if (turns_offset) at = sinew_animator_transform(animator, goal->parameter);
        if (!turns_offset) at.translation = sinew_animator_vector3(animator, goal->parameter);
    }
    const sinew_vec3 offset = turns_offset ? sinew_quat_rotate(at.rotation, place->offset) : place->offset;
    at.translation = sinew_vec3_add(at.translation, offset);
    at.rotation = sinew_quat_multiply(at.rotation, place->rotation);
    return at;
}

static sinew_transform goal_in_model(const character_frame *frame, const sinewi_rig_place *place) {
    sinew_transform at = goal_of(frame, place);
    if (!is_in_world(frame, place)) return at;
    at.translation = sinew_affine_point(frame->to_model, at.translation);
    at.rotation = sinew_quat_multiply(sinew_quat_conjugate(frame->character->place.world.rotation), at.rotation);
    return at;
}

static sinew_vec3 place_in_model(const character_frame *frame, const sinewi_rig_place *place) {
    return goal_in_model(frame, place).translation;
}

// How far the character has moved a place in model space since the last update, by its own motion.
static sinew_vec3 own_motion(const character_frame *frame, const sinewi_rig_place *place) {
    if (!is_in_world(frame, place)) return (sinew_vec3){0.0f, 0.0f, 0.0f};
    const sinew_vec3 at = goal_of(frame, place).translation;
    return sinew_vec3_subtract(sinew_affine_point(frame->to_model, at),
                               sinew_affine_point(frame->last_to_model, at));
}

static bool is_set(const sinewi_rig_place *place) {
    return place->node != SINEW_NO_NODE || place->goal->parameter != SINEW_GRAPH_NONE;
}

// ---- The ground ----------------------------------------------------------------------------------------------

// Asks the program for the ground, in world space. Feet ask about twenty times in each frame.
static bool find_ground(sinew_vec3 point, sinew_foot_ground *ground, void *user) {
    const character_frame *frame = (const character_frame *)user;
    sinew_character *character = frame->character;
    const sinew_character_def *def = &character->def;
    const sinew_vec3 place = sinew_affine_point(frame->world, point);
    sinew_ground found;
    const bool is_answered = character->ground_count > 0;
    if (is_answered) sinewi_character_find_answer(character, place, &found);
    const bool is_found = is_answered || (def->ground && def->ground(place, &found, def->user));
    if (character->recorder) character->recorder->ground(character, place, is_found ? &found : NULL);
    if (!is_found) return false;
    const sinew_vec3 below = sinew_affine_point(frame->to_model, found.position);
    ground->height = character->up.z > 0.0f ? below.z : below.y;
    ground->normal = sinew_affine_direction(frame->to_model, found.normal); // divided by the scale
    const float scale = character->place.world.scale.x;
    if (scale != 1.0f) ground->normal = sinew_vec3_scale(ground->normal, scale);
    return true;
}

// ---- The kinds -----------------------------------------------------------------------------------------------

static void run_foot_lock(character_frame *frame, const sinewi_rig_step *step, float weight) {
    const sinew_character *character = frame->character;
    float contacts[SINEW_MAX_FEET];
    sinew_foot_contacts_evaluate(character->def.rig->contacts, character->mixer, contacts);
    const sinew_affine world =
        sinew_affine_from_transform(sinewi_character_on_platform(character, character->place.world));
    sinew_foot_lock lock = step->foot_lock;
    lock.weight = weight;
    sinew_foot_lock_solve(&lock, &world, contacts, frame->dt,
                          (sinew_foot_lock_state *)character_step_state(character, step), frame->pose,
                          frame->model);
}

static void run_foot_placement(character_frame *frame, const sinewi_rig_step *step, float weight) {
    const sinew_character *character = frame->character;
    const sinew_transform world = sinewi_character_on_platform(character, character->place.world);
    sinew_foot_placement placement = step->foot_placement;
    placement.ground = find_ground;
    placement.user = frame;
    placement.elevation = sinew_vec3_dot(world.translation, character->up) / world.scale.x;
    placement.velocity = frame->velocity;
    placement.weight = weight;
    sinew_foot_placement_solve(&placement, frame->dt,
                               (sinew_foot_placement_state *)character_step_state(character, step), frame->pose,
                               frame->model);
}

static void run_orientation_warp(character_frame *frame, const sinewi_rig_step *step, float weight) {
    const sinew_character *character = frame->character;
    sinew_orientation_warp warp = step->orientation_warp;
    warp.weight = weight;
    sinew_orientation_warp_solve(&warp, sinew_animator_float(character->animator, step->step->input), frame->dt,
                                 (sinew_orientation_warp_state *)character_step_state(character, step), frame->pose,
                                 frame->model);
}

static void run_stride_warp(character_frame *frame, const sinewi_rig_step *step, float weight) {
    const sinew_character *character = frame->character;
    sinew_stride_warp warp = step->stride_warp;
    warp.weight = weight;
    sinew_stride_warp_solve(&warp, sinew_animator_float(character->animator, step->step->input), frame->dt,
                            (sinew_stride_warp_state *)character_step_state(character, step), frame->pose,
                            frame->model);
}

static void run_aim_offset(character_frame *frame, const sinewi_rig_step *step, float weight) {
    float yaw, pitch;
    sinew_animator_vector2(frame->character->animator, step->step->input, &yaw, &pitch);
    sinew_aim_offset_apply(step->aim_offset, yaw, pitch, weight, frame->pose, frame->model);
}

static void run_limb(character_frame *frame, const sinewi_rig_step *step, float weight) {
    const sinew_transform goal = goal_in_model(frame, &step->goal);
    sinew_ik solver = {.kind = SINEW_IK_TWO_BONE, .two_bone = step->limb};
    solver.two_bone.target = goal.translation;
    solver.two_bone.end_rotation = goal.rotation;
    solver.two_bone.weight = weight;
    if (is_set(&step->pole)) solver.two_bone.pole = place_in_model(frame, &step->pole);
    sinew_ik_solve(&solver, 1, frame->pose, frame->model);
}

static void run_chain(character_frame *frame, const sinewi_rig_step *step, float weight) {
    sinew_ik solver = {.kind = SINEW_IK_CHAIN, .chain = step->chain};
    solver.chain.target = place_in_model(frame, &step->goal);
    solver.chain.weight = weight;
    if (is_set(&step->pole)) solver.chain.pole = place_in_model(frame, &step->pole);
    sinew_ik_solve(&solver, 1, frame->pose, frame->model);
}

// The effectors' weights rise instead of the body's, because a body at a weight between 0 and 1 doesn't keep pinned
// effectors in place.
static void run_body(character_frame *frame, const sinewi_rig_step *step, float weight) {
    sinew_ik_effector effectors[SINEW_MAX_EFFECTORS];
    for (int32_t i = 0; i < step->body.effector_count; i++) {
        effectors[i] = step->effectors->effectors[i];
        if (effectors[i].pin) continue;
        const sinew_transform goal = goal_in_model(frame, &step->effectors->places[i]);
        effectors[i].target = goal.translation;
        effectors[i].rotation = goal.rotation;
        effectors[i].position_weight = weight;
        effectors[i].rotation_weight *= weight;
    }
    sinew_ik solver = {.kind = SINEW_IK_BODY, .body = step->body};
    solver.body.effectors = effectors;
    sinew_ik_solve(&solver, 1, frame->pose, frame->model);
}

static void run_aim(character_frame *frame, const sinewi_rig_step *step, float weight) {
    sinew_ik_aim aim = step->aim;
    aim.target = place_in_model(frame, &step->goal);
    aim.own_motion = own_motion(frame, &step->goal);
    aim.weight = weight;
    sinew_ik_aim_follow(&aim, frame->dt, (sinew_ik_aim_state *)character_step_state(frame->character, step),
                        frame->pose, frame->model);
    sinew_pose_to_model_below(frame->pose, aim.node, frame->model);
}

static void run_springs(character_frame *frame, const sinewi_rig_step *step, float weight) {
    if (!step->springs) return;
    sinew_springs_input input = sinew_springs_input_default();
    input.world = frame->world;
    input.wind = frame->character->place.wind;
    input.weight = weight;
    sinew_springs_solve(step->springs, &input, frame->dt,
                        (sinew_spring_state *)character_step_state(frame->character, step), frame->pose,
                        frame->model);
}

static void run_callback(character_frame *frame, const sinewi_rig_step *step, float weight) {
    sinew_character *character = frame->character;
    const int32_t index = (int32_t)(step - character_steps(character));
    character_recorder *recorder = character->recorder;
    if (recorder) recorder->before_step(character, frame->pose, frame->model);
    character->in_step = true;
    character->def.step(character, index, weight, frame->dt, frame->pose, frame->model, character->def.user);
    character->in_step = false;
    if (recorder) recorder->after_step(character, index, frame->pose, frame->model);
}

void sinewi_character_run_step(character_frame *frame, const sinewi_rig_step *step, float weight) {
    switch (step->step->kind) {
    case SINEW_RIG_ROOT_WARP: // ran before the pose was computed
        break;
    case SINEW_RIG_AIM_OFFSET:
        run_aim_offset(frame, step, weight);
        break;
    case SINEW_RIG_ORIENTATION_WARP:
        run_orientation_warp(frame, step, weight);
        break;
    case SINEW_RIG_STRIDE_WARP:
        run_stride_warp(frame, step, weight);
        break;
    case SINEW_RIG_FOOT_LOCK:
        run_foot_lock(frame, step, weight);
        break;
    case SINEW_RIG_FOOT_PLACEMENT:
        run_foot_placement(frame, step, weight);
        break;
    case SINEW_RIG_LIMB:
        run_limb(frame, step, weight);
        break;
    case SINEW_RIG_CHAIN:
        run_chain(frame, step, weight);
        break;
    case SINEW_RIG_BODY:
        run_body(frame, step, weight);
        break;
    case SINEW_RIG_AIM:
        run_aim(frame, step, weight);
        break;
    case SINEW_RIG_SPRINGS:
        run_springs(frame, step, weight);
        break;
    case SINEW_RIG_CALLBACK:
        run_callback(frame, step, weight);
        break;
    }
}
