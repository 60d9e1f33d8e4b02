// SPDX-License-Identifier: MIT
// Steps a group of chains, row by row from root to tip, one chain per lane.
//
// The kernels do the work. This file gathers rows of joints from the pose and handles whatever differs between chains
// lane by lane: nodes between joints, centers, and tails that aren't joints.
#include "body/spring_step.h"

#include "body/ik_math.h"

#include <string.h>

// ---- Rigid motions -------------------------------------------------------------------------------------------

static const spring_rigid rest_motion = {{0, 0, 0, 1}, {0, 0, 0}};

spring_rigid sinewi_spring_rigid_of(const sinew_affine *matrix) {
    const sinew_transform t = sinew_affine_decompose(*matrix);
    return (spring_rigid){t.rotation, t.translation};
}

// The motion from one placement to another.
spring_rigid sinewi_spring_motion(const spring_rigid *from, const spring_rigid *to) {
    if (memcmp(from, to, sizeof *from) == 0) return rest_motion;
    const sinew_quat rotation = ik_quat_normalize(ik_multiply(to->rotation, ik_inverse(from->rotation)));
    return (spring_rigid){rotation, ik_subtract(to->translation, ik_rotate(rotation, from->translation))};
}

sinew_vec3 sinewi_spring_move(const spring_rigid *motion, sinew_vec3 p) {
    return ik_add(ik_rotate(motion->rotation, p), motion->translation);
}

static void move_vector(const spring_rigid *motion, bool is_point, size_t width, float *v) {
    sinew_vec3 moved = ik_rotate(motion->rotation, (sinew_vec3){v[0], v[width], v[2 * width]});
    if (is_point) moved = ik_add(moved, motion->translation);
    v[0] = moved.x, v[width] = moved.y, v[2 * width] = moved.z;
}

void sinewi_spring_move_bones(spring_solver *s, int32_t lane, const spring_rigid *motion) {
    const size_t width = (size_t)s->group->lane_count;
    float *row = s->parts.rows + s->group->first_state + lane;
    for (int32_t i = 0; i < s->lanes[lane].chain->joint_count; i++, row += width * SINEWI_SPRING_STATES) {
        move_vector(motion, false, width, row + SINEWI_SPRING_VECTOR * width);
        move_vector(motion, false, width, row + SINEWI_SPRING_MOTION * width);
        move_vector(motion, true, width, row + SINEWI_SPRING_HEAD * width);
        move_vector(motion, false, width, row + SINEWI_SPRING_IN_POSE * width);
    }
}

// ---- Matrices ------------------------------------------------------------------------------------------------

static void set_column(sinew_affine *m, int column, sinew_vec3 v) {
    m->m[0][column] = v.x, m->m[1][column] = v.y, m->m[2][column] = v.z;
}

static sinew_vec3 get_column(const sinew_affine *m, int column) {
    return (sinew_vec3){m->m[0][column], m->m[1][column], m->m[2][column]};
}

// Columns keep their interpolated lengths, so a turning parent doesn't shrink its children.
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

// Moves the frame to a child's space: frame × translation, rotation, scale. `head` is the child's world position.
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

// ---- Rows of the pose ----------------------------------------------------------------------------------------

static sinew_vec3 get_translation(const sinew_pose *pose, int32_t node) {
    return (sinew_vec3){pose->tx[node], pose->ty[node], pose->tz[node]};
}

static sinew_vec3 get_scale(const sinew_pose *pose, int32_t node) {
    return (sinew_vec3){pose->sx[node], pose->sy[node], pose->sz[node]};
}

static sinew_quat get_unit_rotation(const sinew_pose *pose, int32_t node) {
    const sinew_quat q = ik_get_rotation(pose, node);
    const float square = ik_quat_square(q);
    if (fabsf(square - 1.0f) < 1e-6f) return q;
    return ik_is_normalizable(square) ? ik_quat_scale_to_unit(q, square) : ik_identity;
}

static sinew_vec3 multiply(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static sinew_vec3 tail_of(const sinew_springs *springs, const spring_joint *joint, const sinew_pose *pose) {
    if (joint->link_count == 0) return joint->tail;
    const int32_t *links = springs->links + joint->first_link;
    sinew_vec3 tail = get_translation(pose, links[joint->link_count - 1]);
    for (int32_t i = joint->link_count - 2; i >= 0; i--) {
        tail = ik_rotate(get_unit_rotation(pose, links[i]), multiply(get_scale(pose, links[i]), tail));
        tail = ik_add(get_translation(pose, links[i]), tail);
    }
    return tail;
}

static const spring_joint *joint_of(const spring_solver *s, int32_t lane, int32_t row) {
    return &s->springs->joints[s->lanes[lane].chain->first_joint + row];
}

static const int32_t *nodes_of(const spring_solver *s, int32_t row) {
    return s->springs->nodes + s->group->first_node + (size_t)(row * s->group->lane_count);
}

static const spring_row *row_of(const spring_solver *s, int32_t row) {
    return &s->springs->rows[s->group->first_row + row];
}

static void gather_row(const sinewi_planes *planes, const int32_t *nodes, int32_t lane_count,
                       sinewi_spring_pose_row *out) {
    for (int plane = 0; plane < SINEWI_SPRING_POSE_PLANES; plane++) {
        const float *from = planes->plane[plane];
        for (int32_t l = 0; l < lane_count; l++) out->planes[plane][l] = from[nodes[l]];
    }
}

// Computes the tails of a row where some tails aren't the next nodes.
static void compute_own_tails(spring_solver *s, int32_t row) {
    const uint32_t own = row_of(s, row)->own_tails;
    spring_tail_row *tails = &s->tails[row % 8];
    memcpy(tails, s->poses[(row + 1) % 8].planes, sizeof *tails);
    for (int32_t l = 0; own >> l; l++) {
        if (!(own >> l & 1)) continue;
        const sinew_vec3 tail = tail_of(s->springs, joint_of(s, l, row), s->pose);
        tails->planes[0][l] = tail.x, tails->planes[1][l] = tail.y, tails->planes[2][l] = tail.z;
    }
}

// Gathers four rows of the pose. The row after the last joints is included, because it has their tails.
static void gather_four(spring_solver *s, int32_t row) {
    const spring_group *group = s->group;
    const sinewi_planes planes = sinewi_pose_planes(s->pose);
    if (group->is_consecutive) {
        s->kernels->gather_rows((const float *const *)planes.plane, nodes_of(s, row), (size_t)group->lane_count,
                                &s->poses[row % 8]);
        return;
    }
    for (int32_t i = row; i < row + 4 && i <= group->row_count; i++)
        gather_row(&planes, nodes_of(s, i), group->lane_count, &s->poses[i % 8]);
}

// Prepares a row's job. Rows are prepared in order and gathered four rows ahead, because a kernel would stall if it
// loaded vectors from floats that were just written one by one.
static void prepare_row(spring_solver *s, int32_t row, uint32_t lanes) {
    const spring_group *group = s->group;
    const size_t before = (size_t)row * (size_t)group->lane_count;
    if (row == 0) gather_four(s, 0);
    if (row % 4 == 0 && row + 4 <= group->row_count) gather_four(s, row + 4);
    const bool has_own_tails = row_of(s, row)->own_tails != 0;
    if (has_own_tails) compute_own_tails(s, row);
    s->job.row = row;
    s->job.lanes = lanes & row_of(s, row)->lanes;
    s->job.pose = s->poses[row % 8].planes[0];
    s->job.tails = has_own_tails ? s->tails[row % 8].planes[0] : s->poses[(row + 1) % 8].planes[0];
    s->job.constants = s->springs->constants + group->first_constant + before * SINEWI_SPRING_CONSTANTS;
    s->job.state = s->parts.rows + group->first_state + before * SINEWI_SPRING_STATES;
}

// ---- Lanes ---------------------------------------------------------------------------------------------------

static void set_frame(sinewi_spring_job *job, int32_t lane, const sinew_affine *frame) {
    for (int i = 0; i < 12; i++) job->frames[i][lane] = frame->m[i / 4][i % 4];
}

static sinew_affine get_frame(const sinewi_spring_job *job, int32_t lane) {
    sinew_affine frame;
    for (int i = 0; i < 12; i++) frame.m[i / 4][i % 4] = job->frames[i][lane];
    return frame;
}

// Moves frames along the nodes between a joint and the next. Those nodes keep their local transforms.
static void follow_links(spring_solver *s, int32_t row) {
    const uint32_t linked = row_of(s, row)->linked & s->job.lanes;
    for (int32_t l = 0; linked >> l; l++) {
        if (!(linked >> l & 1)) continue;
        const spring_joint *joint = joint_of(s, l, row);
        sinew_affine frame = get_frame(&s->job, l);
        for (int32_t i = 0; i + 1 < joint->link_count; i++) {
            const int32_t node = s->springs->links[joint->first_link + i];
            const sinew_vec3 head = ik_point(&frame, get_translation(s->pose, node));
            enter(&frame, head, get_unit_rotation(s->pose, node), get_scale(s->pose, node));
        }
        set_frame(&s->job, l, &frame);
    }
}

static spring_rigid interpolate_rigid(const spring_rigid *a, const spring_rigid *b, float t) {
    if (t >= 1.0f) return *b;
    return (spring_rigid){ik_blend(a->rotation, b->rotation, t),
                          sinew_vec3_lerp(a->translation, b->translation, t)};
}

sinew_affine sinewi_spring_root_at(const spring_lane *lane, float alpha) {
    return interpolate_affine(&lane->state->root, &lane->root, alpha);
}

spring_rigid sinewi_spring_center_at(const spring_lane *lane, float alpha) {
    return interpolate_rigid(&lane->state->center, &lane->center, alpha);
}

// Sets the motion of a lane's center since the last step.
static void set_motion(spring_solver *s, const spring_step *step, int32_t l) {
    const spring_lane *lane = &s->lanes[l];
    const spring_rigid center = sinewi_spring_center_at(lane, step->alpha);
    const spring_rigid motion = sinewi_spring_motion(&lane->state->step_center, &center);
    if (step->stores) lane->state->step_center = center;
    const float values[7] = {motion.rotation.x,    motion.rotation.y,    motion.rotation.z,   motion.rotation.w,
                             motion.translation.x, motion.translation.y, motion.translation.z};
    for (int i = 0; i < 7; i++) s->job.motion[i][l] = values[i];
}

// ---- A step --------------------------------------------------------------------------------------------------

static void begin_job(spring_solver *s) {
    const spring_group *group = s->group;
    s->job.lane_count = (size_t)group->lane_count;
    s->job.rest_lanes = group->rest_lanes;
}

static void set_roots(spring_solver *s, const spring_step *step) {
    for (int32_t l = 0; l < s->group->chain_count; l++) {
        if (!(s->running >> l & 1)) continue;
        const sinew_affine frame = sinewi_spring_root_at(&s->lanes[l], step->alpha);
        set_frame(&s->job, l, &frame);
    }
}

static void begin_step(spring_solver *s, const spring_step *step) {
    const spring_group *group = s->group;
    sinewi_spring_job *job = &s->job;
    begin_job(s);
    job->volumes = s->parts.volumes;
    job->last_volumes = s->parts.last_volumes;
    job->collisions = s->springs->collisions + group->first_collision;
    job->collision_count = step->starts && group->is_vrm ? 0 : group->collision_count; // as VRM specifies
    job->wind[0] = s->wind.x, job->wind[1] = s->wind.y, job->wind[2] = s->wind.z;
    job->alpha = step->alpha;
    job->fraction = step->fraction;
    job->is_vrm = group->is_vrm;
    job->has_limits = group->has_limits;
    job->has_motion = group->has_centers;
    job->starts = step->starts;
    job->stores = step->stores;
    job->writes = step->writes;
    job->skips = step->skips;
    job->moved = 0;
    set_roots(s, step);
    for (int32_t l = 0; group->has_centers && l < group->chain_count; l++) {
        if (s->running >> l & 1) set_motion(s, step, l);
    }
}

// Swings a group's ropes. First finds where the pose alone points each bone, row by row, then swings all rows at once.
static void swing_ropes(spring_solver *s, const spring_step *step) {
    const spring_group *group = s->group;
    sinewi_spring_job *job = &s->job;
    job->all_constants = s->springs->constants + group->first_constant;
    job->work = s->parts.work;
    job->substeps = s->springs->substeps;
    job->row_count = 0;
    for (int32_t row = 0; row < group->row_count; row++) {
        prepare_row(s, row, s->running);
        if (job->lanes == 0) break; // the running chains are shorter
        s->kernels->aim_row(job);
        follow_links(s, row);
        job->row_count++;
    }
    if (step->skips) return;
    job->lanes = s->running;
    s->kernels->swing_rows(job);
    set_roots(s, step);
}

void sinewi_spring_run_step(spring_solver *s, const spring_step *step) {
    begin_step(s, step);
    if (!s->group->is_vrm && !step->starts) swing_ropes(s, step);
    for (int32_t row = 0; row < s->group->row_count && !step->skips; row++) {
        prepare_row(s, row, s->running);
        if (s->job.lanes == 0) return; // the running chains are shorter
        s->kernels->solve_row(&s->job);
        follow_links(s, row);
    }
}

uint32_t sinewi_spring_changed_lanes(spring_solver *s, uint32_t lanes) {
    uint32_t changed = 0;
    begin_job(s);
    for (int32_t row = 0; row < s->group->row_count && changed != lanes; row++) {
        prepare_row(s, row, lanes);
        if (s->job.lanes) changed |= s->kernels->changed_lanes(&s->job);
    }
    return changed;
}

// Writes a row's results. The pose's planes stay in registers. Going through `pose` would reload them for each joint.
static void write_row(const float *q, size_t width, const int32_t *nodes, uint32_t lanes,
                      const sinewi_planes *pose) {
    float *const x = pose->plane[SINEWI_RX], *const y = pose->plane[SINEWI_RX + 1];
    float *const z = pose->plane[SINEWI_RX + 2], *const w = pose->plane[SINEWI_RX + 3];
    for (size_t l = 0; lanes >> l; l++) {
        if (!(lanes >> l & 1)) continue;
        const int32_t node = nodes[l];
        const float qx = q[l], qy = q[width + l], qz = q[2 * width + l], qw = q[3 * width + l];
        x[node] = qx, y[node] = qy, z[node] = qz, w[node] = qw;
    }
}

static void blend_row(spring_solver *s, const float *q, const int32_t *nodes, uint32_t lanes) {
    const size_t width = (size_t)s->group->lane_count;
    for (size_t l = 0; lanes >> l; l++) {
        const sinew_quat rotation = {q[l], q[width + l], q[2 * width + l], q[3 * width + l]};
        if (lanes >> l & 1) ik_set_rotation(s->pose, nodes[l], rotation, s->lanes[l].weight);
    }
}

void sinewi_spring_write_results(spring_solver *s, uint32_t lanes) {
    const size_t width = (size_t)s->group->lane_count;
    const sinewi_planes planes = sinewi_pose_planes(s->pose);
    const float *q = s->parts.rows + s->group->first_state + SINEWI_SPRING_RESULT * width;
    uint32_t whole = 0;
    for (int32_t l = 0; l < s->group->chain_count; l++) whole |= (s->lanes[l].weight >= 1.0f ? 1u : 0u) << l;
    for (int32_t row = 0; row < s->group->row_count; row++, q += SINEWI_SPRING_STATES * width) {
        const uint32_t written = lanes & row_of(s, row)->lanes;
        write_row(q, width, nodes_of(s, row), written & whole, &planes);
        blend_row(s, q, nodes_of(s, row), written & ~whole);
    }
}
