// SPDX-License-Identifier: MIT
#include "support/parts.h"

static int32_t node_of(const parts *p, const char *name) {
    const int32_t node = sinew_skeleton_find(p->asset->skeleton, name);
    assert_int_not_equal(node, SINEW_NO_NODE);
    return node;
}

static const sinew_clip *clip_of(const parts *p, const char *name) {
    const sinew_clip *clip = sinew_asset_find_clip(p->asset, name);
    assert_non_null(clip);
    return clip;
}

// ---- Making them ---------------------------------------------------------------------------------------------

static void make_offset(parts *p) {
    static const float yaws[2] = {0, 1};
    const sinew_clip *clips[2] = {clip_of(p, "Idle"), clip_of(p, "Wave")};
    const sinew_mask_part spine = {.name = "Spine", .factor = 1};
    sinew_mask *mask;
    assert_int_equal(sinew_mask_from_names(p->asset->skeleton, 0, &spine, 1, NULL, &mask, NULL), SINEW_OK);
    sinew_aim_offset_def def = sinew_aim_offset_default();
    def.skeleton = p->asset->skeleton;
    def.yaw_count = 2;
    def.yaws = yaws;
    def.clips = clips;
    def.mask = mask;
    assert_int_equal(sinew_aim_offset_create(&def, &p->offset, NULL), SINEW_OK);
    sinew_mask_destroy(mask);
}

static void make_springs(parts *p) {
    static const char *const names[6] = {"Hair1", "Hair2", "Hair3", "Scarf1", "Scarf2", "Scarf3"};
    sinew_spring_joint joints[6];
    for (int i = 0; i < 6; i++) {
        joints[i] = sinew_spring_joint_default();
        joints[i].node = node_of(p, names[i]);
        if (i >= 3) joints[i].stiffness = 10;
    }
    sinew_spring_chain chains[2] = {sinew_spring_chain_default(), sinew_spring_chain_default()};
    for (int i = 0; i < 2; i++) {
        chains[i].joints = joints + (ptrdiff_t)3 * i;
        chains[i].joint_count = 3;
    }
    chains[1].tail = (sinew_vec3){0, -0.12f, 0};
    sinew_springs_def def = sinew_springs_default();
    def.skeleton = p->asset->skeleton;
    def.chains = chains;
    def.chain_count = 2;
    assert_int_equal(sinew_springs_create(&def, &p->springs, NULL), SINEW_OK);
    p->swing = malloc(sinew_springs_state_size(p->springs));
    assert_non_null(p->swing);
    sinew_springs_reset(p->springs, p->swing);
}

void parts_create(parts *p, const sinew_rig *rig, const sinew_mixer_def *mixer, float (*height)(sinew_vec3 place)) {
    *p = (parts){.asset = rig->binding->asset, .graph = rig->binding->graph, .height = height};
    p->facing = (sinew_quat){0, 0, 0, 1};
    p->root_motion = *mixer->root_motion;
    p->feet = rig->feet;
    p->contacts = rig->contacts;
    sinew_animator_def def = sinew_animator_default();
    def.binding = rig->binding;
    def.mixer = mixer;
    assert_int_equal(sinew_animator_create(&def, &p->animator, NULL), SINEW_OK);
    p->mixer = sinew_animator_mixer(p->animator);
    p->to_model = sinew_affine_identity();
    make_offset(p);
    make_springs(p);
}

void parts_destroy(parts *p) {
    sinew_animator_destroy(p->animator);
    sinew_aim_offset_destroy(p->offset);
    sinew_springs_destroy(p->springs);
    free(p->swing);
}

// ---- Input ---------------------------------------------------------------------------------------------------

void parts_set(sinew_animator *animator, const parts_input *input) {
    enum { MOVE, JUMP, AWARE, CARRIES, AIM, AIMING, STRAFE, STRIDE, LOOK_AT, RAIL, LEDGE }; // as in the file
    sinew_animator_set_vector2(animator, MOVE, input->move[0], input->move[1]);
    if (input->jump) sinew_animator_fire(animator, JUMP);
    sinew_animator_set_bool(animator, AWARE, input->aware);
    sinew_animator_set_bool(animator, CARRIES, input->carries);
    sinew_animator_set_vector2(animator, AIM, input->aim[0], input->aim[1]);
    sinew_animator_set_float(animator, AIMING, input->aiming);
    sinew_animator_set_float(animator, STRAFE, input->strafe);
    sinew_animator_set_float(animator, STRIDE, input->stride);
    sinew_animator_set_vector3(animator, LOOK_AT, input->look_at);
    sinew_animator_set_transform(animator, RAIL, input->rail.translation, input->rail.rotation);
    sinew_animator_set_transform(animator, LEDGE, input->ledge.translation, input->ledge.rotation);
}

// ---- Weights -------------------------------------------------------------------------------------------------

// A critically damped spring with a half-life, in closed form.
static void follow(parts_weight *weight, double target, double half_life, double dt) {
    const double pull = 1.6783469900166607 / half_life, d = weight->value - target;
    if (d == 0.0 && weight->velocity == 0.0) return;
    double slope = weight->velocity + pull * d;
    if ((d >= 0 && slope < 0) || (d <= 0 && slope > 0)) slope = 0;
    const double far = (d + slope * dt) * exp(-pull * dt);
    const double velocity = (slope - pull * (d + slope * dt)) * exp(-pull * dt);
    const bool arrived = fabs(far) <= 0x1p-10 && fabs(velocity) <= pull * 0x1p-10;
    weight->value = arrived ? target : target + far;
    weight->velocity = arrived ? 0 : velocity;
}

static float weight_of(const parts *p, int step) {
    return (float)p->weights[step].value;
}

static void follow_weights(parts *p, const parts_input *input) {
    const bool airborne = sinew_animator_has_tag(p->animator, 0);
    const double carries = input->carries, aiming = (double)input->aiming;
    const double targets[PARTS_STEPS] = {1,       aiming,        1, 1, !airborne, 1, aiming, input->aware,
                                         carries, 0.5 * carries, 1, 1};
    for (int i = 0; i < PARTS_STEPS; i++) {
        if (p->frames == 0 || i == PARTS_CLIMB) p->weights[i] = (parts_weight){targets[i], 0};
        follow(&p->weights[i], targets[i], i == PARTS_LOOK ? 0.2f : 0.1f, (double)input->dt);
        p->weights[i] = (parts_weight){(double)(float)p->weights[i].value, (double)(float)p->weights[i].velocity};
    }
}

// ---- The root ------------------------------------------------------------------------------------------------

// The jump lands at the ledge.
static sinew_root_delta climb(parts *p, const parts_input *input, sinew_action jump, float before, float share) {
    const sinew_root_delta delta = sinew_mixer_root_delta(p->mixer);
    sinew_root_warp_def def = sinew_root_warp_default();
    def.clip = clip_of(p, "Jump");
    def.root_motion = &p->root_motion;
    def.start = 0.1f;
    def.end = 0.9f;
    const sinew_root_warp_transform here = {p->position, p->facing};
    const sinew_root_warp_transform goal = {input->ledge.translation, input->ledge.rotation};
    const bool applies = jump.id != 0 && before < def.end;
    if (applies && p->warps && before == p->warp_time) {
        const sinew_root_warp_transform at = sinew_root_warp_at(&def, &p->warp, before);
        const sinew_vec3 off = sinew_vec3_subtract(here.position, at.position);
        const float dot = here.facing.x * at.facing.x + here.facing.y * at.facing.y + here.facing.z * at.facing.z +
                          here.facing.w * at.facing.w;
        if (memcmp(&goal, &p->goal, sizeof goal) != 0 ||
            !(sinew_vec3_dot(off, off) < 1e-8f && fabsf(dot) > 1.0f - 1e-7f))
            sinew_root_warp_set_goal(&def, &p->warp, before, &here, goal);
    } else if (applies) {
        p->warps = sinew_root_warp_begin(&def, before, here, goal, &p->warp, NULL) == SINEW_OK;
    }
    p->warps &= applies;
    p->goal = goal;
    if (!p->warps) return delta;
    p->warp_time = sinew_action_time(p->mixer, jump);
    return sinew_root_delta_blend(delta, sinew_root_warp_delta(&def, &p->warp, before, p->warp_time), share);
}

static void advance(parts *p, const parts_input *input) {
    sinew_animator_advance(p->animator, input->dt);
    sinew_action actions[SINEW_MAX_ACTIONS], jump = {0};
    const int32_t count = sinew_mixer_actions(p->mixer, actions, SINEW_MAX_ACTIONS);
    float before = 0, share = 0, total = 0;
    for (int32_t i = 0; i < count; i++) {
        const sinew_action_state state = sinew_action_get(p->mixer, actions[i]);
        if (state.layer != 0) continue;
        total += state.weight;
        if (state.source.clip != clip_of(p, "Jump") || (jump.id != 0 && state.weight <= share)) continue;
        jump = actions[i], before = state.time, share = state.weight;
    }
    share = total > 0 ? share / total : 1;
    sinew_mixer_advance(p->mixer, input->dt);
    const sinew_root_delta delta = climb(p, input, jump, before, share);
    p->position = sinew_vec3_add(p->position, sinew_quat_rotate(p->facing, delta.translation));
    p->facing = sinew_quat_normalize(sinew_quat_multiply(p->facing, delta.rotation));
    const sinew_vec3 walked = {0, 0, input->move[1] * input->dt}; // the clips walk in place
    p->position = sinew_vec3_add(p->position, sinew_quat_rotate(p->facing, walked));
    p->position.y = p->height(p->position);
}

// ---- The pose ------------------------------------------------------------------------------------------------

static bool find_ground(sinew_vec3 point, sinew_foot_ground *ground, void *user) {
    const parts *p = user;
    sinew_vec3 place = sinew_affine_point(p->world, point);
    place.y = p->height(place);
    ground->height = sinew_vec3_dot(sinew_affine_point(p->to_model, place), (sinew_vec3){0, 1, 0});
    ground->normal = sinew_affine_direction(p->to_model, (sinew_vec3){0, 1, 0});
    return true;
}

static void warp_legs(parts *p, const parts_input *input, sinew_pose *pose, sinew_affine *model) {
    sinew_orientation_warp turn = sinew_orientation_warp_default();
    turn.hips = node_of(p, "Hips");
    turn.spine[0] = node_of(p, "Spine"), turn.spine[1] = node_of(p, "Chest"),
    turn.spine[2] = node_of(p, "UpperChest");
    turn.spine_count = 3;
    sinew_orientation_warp_solve(&turn, input->strafe, input->dt, &p->orientation, pose, model);
    sinew_stride_warp stride = sinew_stride_warp_default();
    stride.pelvis = node_of(p, "Hips");
    stride.feet = p->feet;
    stride.foot_count = 2;
    sinew_stride_warp_solve(&stride, input->stride, input->dt, &p->stride, pose, model);
}

static void place_feet(parts *p, const parts_input *input, sinew_pose *pose, sinew_affine *model) {
    float contacts[2];
    sinew_foot_contacts_evaluate(p->contacts, p->mixer, contacts);
    sinew_foot_lock lock = sinew_foot_lock_default();
    lock.feet = p->feet;
    lock.foot_count = 2;
    lock.weight = weight_of(p, PARTS_PLANTED);
    if (lock.weight > 0) {
        sinew_foot_lock_solve(&lock, &p->world, contacts, input->dt, &p->lock, pose, model);
    } else {
        p->lock = (sinew_foot_lock_state){0};
    }
    sinew_foot_placement placement = sinew_foot_placement_default();
    placement.pelvis = node_of(p, "Hips");
    placement.feet = p->feet;
    placement.foot_count = 2;
    placement.max_stair = 0.4f;
    placement.ground = find_ground;
    placement.user = p;
    placement.elevation = p->position.y;
    if (p->frames > 0 && input->dt > 0) {
        const sinew_vec3 moved = sinew_vec3_subtract(p->position, p->before);
        placement.velocity =
            sinew_quat_rotate(sinew_quat_conjugate(p->facing), sinew_vec3_scale(moved, 1 / input->dt));
    }
    sinew_foot_placement_solve(&placement, input->dt, &p->placed, pose, model);
}

static void crouch(parts *p, sinew_pose *pose, sinew_affine *model) {
    const sinew_transform rail = sinew_animator_transform(p->animator, 9);
    sinew_ik_effector effectors[3] = {sinew_ik_effector_default(), sinew_ik_effector_default(),
                                      sinew_ik_effector_default()};
    effectors[0].node = node_of(p, "Foot_L"), effectors[0].pin = true;
    effectors[1].node = node_of(p, "Foot_R"), effectors[1].pin = true;
    effectors[2].node = node_of(p, "Hand_R");
    const sinew_vec3 aside = sinew_quat_rotate(rail.rotation, (sinew_vec3){0.5f, 0, 0});
    effectors[2].target = sinew_vec3_add(rail.translation, aside);
    effectors[2].position_weight = weight_of(p, PARTS_CROUCH);
    sinew_ik solver = {.kind = SINEW_IK_BODY, .body = sinew_ik_body_default()};
    solver.body.root = node_of(p, "Hips");
    solver.body.effectors = effectors;
    solver.body.effector_count = 3;
    if (effectors[2].position_weight > 0) sinew_ik_solve(&solver, 1, pose, model);
}

static void use_hands(parts *p, sinew_pose *pose, sinew_affine *model) {
    const sinew_skeleton *skeleton = p->asset->skeleton;
    const sinew_transform rail = sinew_animator_transform(p->animator, 9);
    sinew_ik hand = {.kind = SINEW_IK_TWO_BONE,
                     .two_bone = sinew_ik_two_bone_from_rest(skeleton, node_of(p, "UpperArm_L"),
                                                             node_of(p, "LowerArm_L"), node_of(p, "Hand_L"))};
    hand.two_bone.target = rail.translation;
    hand.two_bone.end_mode = SINEW_IK_LIMB_END_ROTATE;
    hand.two_bone.end_rotation = rail.rotation;
    hand.two_bone.weight = weight_of(p, PARTS_HAND);
    if (hand.two_bone.weight > 0) sinew_ik_solve(&hand, 1, pose, model);

    const sinew_transform head = sinew_affine_decompose(model[node_of(p, "Head")]);
    sinew_ik reach = {.kind = SINEW_IK_CHAIN,
                      .chain = sinew_ik_chain_from_rest(skeleton, node_of(p, "UpperArm_R"), node_of(p, "Hand_R"))};
    reach.chain.restarts = 0;
    reach.chain.target =
        sinew_vec3_add(head.translation, sinew_quat_rotate(head.rotation, (sinew_vec3){0, 0, 0.3f}));
    reach.chain.weight = weight_of(p, PARTS_REACH);
    if (reach.chain.weight > 0) sinew_ik_solve(&reach, 1, pose, model);
}

static void look(parts *p, const parts_input *input, sinew_pose *pose, sinew_affine *model) {
    sinew_humanoid humanoid;
    sinew_humanoid_report report;
    assert_int_equal(sinew_humanoid_find(p->asset, NULL, &humanoid, &report, NULL), SINEW_OK);
    const int32_t head = node_of(p, "Head");
    sinew_quat rest = {0, 0, 0, 1};
    for (int32_t i = head; i != SINEW_NO_NODE; i = p->asset->skeleton->parents[i])
        rest = sinew_quat_multiply(p->asset->skeleton->rest[i].rotation, rest);
    const sinew_vec3 forward = sinew_quat_rotate(sinew_quat_conjugate(rest), report.forward);
    sinew_ik_aim aim = sinew_ik_aim_from_rest(p->asset->skeleton, head, head, forward);
    aim.limit = 1;
    aim.weight = weight_of(p, PARTS_LOOK);
    const sinew_vec3 target = sinew_animator_vector3(p->animator, 8);
    aim.target = sinew_affine_point(p->to_model, target);
    aim.own_motion = sinew_vec3_subtract(aim.target, sinew_affine_point(p->last_to_model, target));
    if (aim.weight > 0) {
        sinew_ik_aim_follow(&aim, input->dt, &p->look, pose, model);
        sinew_pose_to_model_below(pose, head, model);
    } else {
        p->look = (sinew_ik_aim_state){0};
    }
}

void parts_update(parts *p, const parts_input *input) {
    parts_set(p->animator, input);
    advance(p, input);
    sinew_mixer_evaluate(p->mixer);
    follow_weights(p, input);
    const sinew_transform world = {p->position, p->facing, {1, 1, 1}};
    p->world = sinew_affine_from_transform(world);
    p->last_to_model = p->to_model;
    p->to_model = sinew_affine_inverse(p->world);
    sinew_pose *pose = sinew_mixer_edit_pose(p->mixer);
    sinew_affine *model = sinew_mixer_edit_model(p->mixer);
    if (weight_of(p, PARTS_AIM) > 0)
        sinew_aim_offset_apply(p->offset, input->aim[0], input->aim[1], weight_of(p, PARTS_AIM), pose, model);
    warp_legs(p, input, pose, model);
    place_feet(p, input, pose, model);
    crouch(p, pose, model);
    look(p, input, pose, model);
    use_hands(p, pose, model);
    sinew_mixer_finish_pose(p->mixer);
    sinew_springs_input springs = sinew_springs_input_default();
    springs.world = p->world;
    sinew_springs_solve(p->springs, &springs, input->dt, p->swing, pose, model);
    p->before = p->position;
    p->frames++;
}
