// SPDX-License-Identifier: MIT
// A step of a group of chains, joint by joint from root to tip, a lane for each chain.
//
// The kernels move the tails and rotate the joints; in between, colliders and limits act on each bone. What differs between
// chains is here: nodes between joints, centers, and chains that end, sleep or start at rest.
#include "spring/spring_step.h"

#include "ik/ik_math.h"
#include "kernels/kernels.h"

#include <string.h>

// Below this motion in a step, as a fraction of the bone's length, a joint is still. Rounding moves a tail by some 1e-7 of
// its coordinates.
#define STILL_MOTION   5e-6f
#define STILL_ROUNDING 5e-7f

// ---- Rigid motions -------------------------------------------------------------------------------------------

static const spring_rigid rest_motion = {{0, 0, 0, 1}, {0, 0, 0}};

spring_rigid sinew_spring_rigid_of(const sinew_affine *matrix) {
    const sinew_transform t = sinew_affine_decompose(*matrix);
    return (spring_rigid){t.rotation, t.translation};
}

// The motion from one placement to another.
spring_rigid sinew_spring_motion(const spring_rigid *from, const spring_rigid *to) {
    if (memcmp(from, to, sizeof *from) == 0) return rest_motion;
    const sinew_quat rotation = ik_quat_normalize(ik_multiply(to->rotation, ik_inverse(from->rotation)));
    return (spring_rigid){rotation, ik_subtract(to->translation, ik_rotate(rotation, from->translation))};
}

sinew_vec3 sinew_spring_move(const spring_rigid *motion, sinew_vec3 p) {
    return ik_add(ik_rotate(motion->rotation, p), motion->translation);
}

static sinew_vec3 vec3_from(const float *v) {
    return (sinew_vec3){v[0], v[1], v[2]};
}

static void put_vec3(float *out, sinew_vec3 v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

static void move_point(const spring_rigid *motion, float *p) {
    put_vec3(p, sinew_spring_move(motion, vec3_from(p)));
}

void sinew_spring_move_tail(const spring_rigid *motion, sinew_spring_tail *tail) {
    move_point(motion, tail->tail);
    move_point(motion, tail->last_tail);
    move_point(motion, tail->head);
    move_point(motion, tail->target);
}

// ---- Matrices ------------------------------------------------------------------------------------------------

static void set_column(sinew_affine *m, int column, sinew_vec3 v) {
    m->m[0][column] = v.x, m->m[1][column] = v.y, m->m[2][column] = v.z;
}

static sinew_vec3 get_column(const sinew_affine *m, int column) {
    return (sinew_vec3){m->m[0][column], m->m[1][column], m->m[2][column]};
}

// Columns keep their interpolated lengths, so that a parent that turns does not shrink its children.
static sinew_affine interpolate_affine(const sinew_affine *a, const sinew_affine *b, float t) {
    if (t >= 1.0f) return *b;
    sinew_affine result;
    for (int column = 0; column < 4; column++) {
        const sinew_vec3 from = get_column(a, column), to = get_column(b, column);
        sinew_vec3 v = sinew_vec3_lerp(from, to, t);
        const float length = ik_length(v), wanted = ik_length(from) + (ik_length(to) - ik_length(from)) * t;
        if (column < 3 && length > 0.1f * wanted) v = ik_scale(v, wanted / length);
        set_column(&result, column, v);
    }
    return result;
}

// Moves the frame to a child's space: frame × translation, rotation, scale. `head` is the child's position in the world.
static void enter(sinew_affine *frame, sinew_vec3 head, sinew_quat r, sinew_vec3 scale) {
    const float x = r.x + r.x, y = r.y + r.y, z = r.z + r.z;
    const float xx = r.x * x, yy = r.y * y, zz = r.z * z, xy = r.x * y, xz = r.x * z, yz = r.y * z;
    const float wx = r.w * x, wy = r.w * y, wz = r.w * z;
    const sinew_vec3 column_x = {1.0f - (yy + zz), xy + wz, xz - wy};
    const sinew_vec3 column_y = {xy - wz, 1.0f - (xx + zz), yz + wx};
    const sinew_vec3 column_z = {xz + wy, yz - wx, 1.0f - (xx + yy)};
    const sinew_vec3 a = ik_direction(frame, column_x), b = ik_direction(frame, column_y);
    const sinew_vec3 c = ik_direction(frame, column_z);
    set_column(frame, 0, ik_scale(a, scale.x));
    set_column(frame, 1, ik_scale(b, scale.y));
    set_column(frame, 2, ik_scale(c, scale.z));
    set_column(frame, 3, head);
}

// ---- A joint in the pose -------------------------------------------------------------------------------------

static sinew_vec3 get_translation(const sinew_pose *pose, int32_t node) {
    return (sinew_vec3){pose->tx[node], pose->ty[node], pose->tz[node]};
}

static sinew_vec3 get_scale(const sinew_pose *pose, int32_t node) {
    return (sinew_vec3){pose->sx[node], pose->sy[node], pose->sz[node]};
}

SINEW_INLINE sinew_quat get_unit_rotation(const sinew_pose *pose, int32_t node) {
    const sinew_quat q = ik_get_rotation(pose, node);
    const float square = ik_quat_square(q);
    if (fabsf(square - 1.0f) < 1e-6f) return q;
    return ik_is_normalizable(square) ? ik_quat_scale_to_unit(q, square) : ik_identity;
}

static sinew_vec3 multiply(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

SINEW_INLINE sinew_vec3 tail_of(const sinew_springs *springs, const spring_joint *joint, const sinew_pose *pose) {
    if (joint->link_count == 0) return joint->tail;
    const int32_t *links = springs->links + joint->first_link;
    sinew_vec3 tail = get_translation(pose, links[joint->link_count - 1]);
    for (int32_t i = joint->link_count - 2; i >= 0; i--) {
        tail = ik_rotate(get_unit_rotation(pose, links[i]), multiply(get_scale(pose, links[i]), tail));
        tail = ik_add(get_translation(pose, links[i]), tail);
    }
    return tail;
}

SINEW_INLINE void read_joint(const sinew_springs *springs, const spring_joint *joint, const sinew_pose *pose,
                             bool from_rest, sinew_spring_pose *p) {
    p->translation = get_translation(pose, joint->node);
    p->scale = get_scale(pose, joint->node);
    p->rotation = from_rest ? springs->skeleton->rest[joint->node].rotation : get_unit_rotation(pose, joint->node);
    p->bone = multiply(p->scale, tail_of(springs, joint, pose));
}

sinew_spring_pose sinew_spring_read_joint(const sinew_springs *springs, const spring_joint *joint,
                                          const sinew_pose *pose, bool from_rest) {
    sinew_spring_pose p;
    read_joint(springs, joint, pose, from_rest, &p);
    return p;
}

static void interpolate_joint(const spring_joint_state *last, float t, sinew_spring_pose *p) {
    if (t >= 1.0f) return;
    p->translation = sinew_vec3_lerp(last->translation, p->translation, t);
    p->bone = sinew_vec3_lerp(last->bone, p->bone, t);
    p->rotation = ik_blend(last->rotation, p->rotation, t);
}

// ---- Lanes ---------------------------------------------------------------------------------------------------

static void set_frame(sinew_spring_lanes *lanes, int lane, const sinew_affine *frame) {
    for (int i = 0; i < 12; i++) lanes->frames[i][lane] = frame->m[i / 4][i % 4];
}

static sinew_affine get_frame(const sinew_spring_lanes *lanes, int lane) {
    sinew_affine frame;
    for (int i = 0; i < 12; i++) frame.m[i / 4][i % 4] = lanes->frames[i][lane];
    return frame;
}

static const spring_joint *joint_of(const spring_solver *s, const spring_lane *lane, int32_t row) {
    return &s->springs->joints[lane->chain->first_joint + row];
}

// Whether the lane has a joint in this row and takes part.
static bool is_active(const spring_lane *lane, int32_t row) {
    return lane->runs && !lane->is_broken && row < lane->chain->joint_count;
}

static void load_joint(const spring_solver *s, const spring_step *step, int l, int32_t row,
                       sinew_spring_lanes *lanes) {
    const spring_lane *lane = &s->lanes[l];
    const spring_joint *joint = joint_of(s, lane, row);
    const spring_joint_state *state = &lane->joints[row];
    sinew_spring_pose *pose = &lanes->poses[l];
    read_joint(s->springs, joint, s->pose, lane->chain->from_rest, pose);
    interpolate_joint(state, step->alpha, pose);
    sinew_spring_values *values = &lanes->values[l];
    *values = joint->values;
    values->air[0] = s->wind.x * joint->wind;
    values->air[1] = s->wind.y * joint->wind;
    values->air[2] = s->wind.z * joint->wind;
    values->fraction = step->fraction;
    values->starts = step->starts ? 1.0f : 0.0f;
    lanes->tails[l] = state->tail;
    if (lane->has_motion) sinew_spring_move_tail(&lane->motion, &lanes->tails[l]);
}

// ---- Colliders and limits ------------------------------------------------------------------------------------

static void limit_angle(const spring_joint *joint, sinew_vec3 target, spring_bone *bone) {
    if (joint->limit_cosine < -1.0f) return;
    const sinew_vec3 axis = ik_scale(target, 1.0f / bone->length);
    if (ik_dot(bone->vector, axis) < joint->limit_cosine * bone->length) {
        sinew_spring_set_angle(bone, axis, joint->limit_cosine);
    }
}

static void constrain(const spring_solver *s, const spring_step *step, const spring_lane *lane,
                      const spring_joint *joint, const sinew_spring_pose *pose, sinew_spring_bone *out) {
    const bool collides =
        lane->chain->collider_count > 0 && !(step->starts && lane->chain->vrm); // a rest as specified
    if (!(out->length > 0.0f) || (!collides && !lane->chain->has_limits)) return;
    spring_bone bone = {.head = vec3_from(out->head), .vector = vec3_from(out->vector), .length = out->length};
    const sinew_vec3 local = pose->bone;
    if (joint->radius > 0.0f) bone.radius = joint->radius * out->length / ik_length(local);
    if (collides) sinew_spring_collide(s->springs, lane->chain, &s->parts, step->alpha, &bone);
    limit_angle(joint, vec3_from(out->in_pose), &bone);
    put_vec3(out->vector, bone.vector);
}

// ---- Results -------------------------------------------------------------------------------------------------

static void note_motion(const sinew_spring_tail *before, sinew_vec3 tail, float length, spring_lane *lane) {
    const sinew_vec3 d = ik_subtract(tail, vec3_from(before->tail));
    const float still = STILL_MOTION * length + STILL_ROUNDING * (fabsf(tail.x) + fabsf(tail.y) + fabsf(tail.z));
    if (!(ik_dot(d, d) <= still * still)) lane->moves = true;
}

static void store_tail(const spring_step *step, const sinew_spring_bone *bone, const sinew_spring_tail *before,
                       spring_lane *lane, sinew_spring_tail *out) {
    const sinew_vec3 head = vec3_from(bone->head), tail = ik_add(head, vec3_from(bone->vector));
    note_motion(before, tail, bone->length, lane);
    put_vec3(out->last_tail, step->starts ? tail : vec3_from(before->tail));
    put_vec3(out->tail, tail);
    put_vec3(out->head, head);
    put_vec3(out->target, ik_add(head, vec3_from(bone->in_pose)));
}

static void write_joint(const spring_solver *s, const spring_lane *lane, const spring_joint *joint,
                        const sinew_spring_pose *pose, sinew_quat rotation, spring_joint_state *state) {
    state->translation = pose->translation;
    state->bone = pose->bone;
    state->rotation = pose->rotation;
    state->result = rotation;
    ik_set_rotation(s->pose, joint->node, rotation, lane->weight);
}

// Moves the frame along the nodes between a joint and the next one, which keep their local transforms.
static void follow_links(const spring_solver *s, const spring_joint *joint, int lane, sinew_spring_lanes *lanes) {
    if (joint->link_count < 2) return;
    sinew_affine frame = get_frame(lanes, lane);
    for (int32_t i = 0; i + 1 < joint->link_count; i++) {
        const int32_t node = s->springs->links[joint->first_link + i];
        const sinew_vec3 head = ik_point(&frame, get_translation(s->pose, node));
        enter(&frame, head, get_unit_rotation(s->pose, node), get_scale(s->pose, node));
    }
    set_frame(lanes, lane, &frame);
}

// A rotation that is not unit, or a bone that is not finite, comes from a pose that is not finite.
static bool is_good(sinew_quat q, const sinew_spring_bone *bone) {
    const float square = ik_quat_square(q);
    const float size = bone->length + fabsf(bone->head[0]) + fabsf(bone->head[1]) + fabsf(bone->head[2]);
    return square > 0.9f && square < 1.1f && size <= FLT_MAX && fabsf(bone->vector[0]) <= FLT_MAX;
}

static void finish_joint(spring_solver *s, const spring_step *step, int l, int32_t row, sinew_spring_lanes *lanes) {
    spring_lane *lane = &s->lanes[l];
    const spring_joint *joint = joint_of(s, lane, row);
    const float *r = lanes->rotations[l];
    const sinew_quat rotation = {r[0], r[1], r[2], r[3]};
    if (!is_good(rotation, &lanes->bones[l])) {
        lane->is_broken = true;
        return;
    }
    spring_joint_state *state = &lane->joints[row];
    if (step->stores) store_tail(step, &lanes->bones[l], &lanes->tails[l], lane, &state->tail);
    if (step->writes) write_joint(s, lane, joint, &lanes->poses[l], rotation, state);
    follow_links(s, joint, l, lanes);
}

// ---- A step --------------------------------------------------------------------------------------------------

void sinew_spring_run_step(spring_solver *s, const spring_step *step) {
    const sinew_spring_kernels *kernels = sinew_spring_kernels_used();
    sinew_spring_lanes lanes;
    memset(&lanes, 0, sizeof lanes); // lanes without a joint are computed, too
    int32_t rows = 0;
    for (int l = 0; l < s->lane_count; l++) {
        spring_lane *lane = &s->lanes[l];
        if (!lane->runs) continue;
        const sinew_affine frame = interpolate_affine(&lane->state->root, &lane->root, step->alpha);
        set_frame(&lanes, l, &frame);
        lane->moves = false;
        if (lane->chain->joint_count > rows) rows = lane->chain->joint_count;
    }
    for (int32_t row = 0; row < rows; row++) {
        for (int l = 0; l < s->lane_count; l++) {
            if (is_active(&s->lanes[l], row)) load_joint(s, step, l, row, &lanes);
        }
        kernels->swing_bones(&lanes, (size_t)s->lane_count);
        for (int l = 0; l < s->lane_count; l++) {
            const spring_lane *lane = &s->lanes[l];
            if (!is_active(lane, row)) continue;
            constrain(s, step, lane, joint_of(s, lane, row), &lanes.poses[l], &lanes.bones[l]);
        }
        kernels->rotate_bones(&lanes, (size_t)s->lane_count);
        for (int l = 0; l < s->lane_count; l++) {
            if (is_active(&s->lanes[l], row)) finish_joint(s, step, l, row, &lanes);
        }
    }
}
