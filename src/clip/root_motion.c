// SPDX-License-Identifier: MIT
// Root motion: extracts a node's motion over the ground, and computes the node's pose without it.
//
// Let G(t) be the model matrix of the node in a clip, A that of its parent in the rest pose, and P(t) its local
// matrix, so that G = A P. It is split into G(t) = M(t) G'(t): M is the motion of the character, a yaw about the up
// axis and a translation, and G' is the rest, which stays in the pose. M(0) is the identity.
//
//   - The yaw of M is the twist about the up axis of the rotation from G(0) to G(t).
//   - Its translation keeps G' at the position of G(0) along each extracted axis: M(t) moves that position to that of
//     G(t). Along the other axes M has no translation.
//
// M moves the character's origin, so the steps of a clip and of consecutive loops can be composed: from M(a) to
// M(b) the character moves by M(a)^-1 M(b), and after n loops it is at M(end)^n.
#include "clip/root_motion.h"
#include "pose/skeleton_object.h"
#include "core/def_cookie.h"
#include "core/fail.h"

#include <assert.h>
#include <math.h>

sinew_root_motion_def sinew_root_motion_default(void) {
    return (sinew_root_motion_def){
        .node = SINEW_NO_NODE,
        .x = true,
        .z = true,
        .yaw = true,
        .up = SINEW_UP_Y,
        .cookie = SINEW_DEF_COOKIE,
    };
}

// ---- Motions -------------------------------------------------------------------------------------------------

// Rotates by the yaw of a motion. Written as two differences, because gcc's vectoriser makes fused instructions
// from a difference next to a sum, even with -ffp-contract=off.
static void turn(const sinew_motion *by, const double v[3], double out[3]) {
    double c = by->half_cos, s = by->half_sin;
    double first = (c * c - s * s) * v[0] - 2.0 * c * s * v[1], second = v[1] - 2.0 * s * (s * v[1] - c * v[0]);
    out[0] = first, out[1] = second, out[2] = v[2];
}

sinew_motion sinew_motion_identity(void) {
    return (sinew_motion){{0.0, 0.0, 0.0}, 1.0, 0.0};
}

sinew_motion sinew_motion_then(sinew_motion a, sinew_motion b) {
    sinew_motion both = {.half_cos = a.half_cos * b.half_cos - a.half_sin * b.half_sin,
                         .half_sin = a.half_sin * b.half_cos + a.half_cos * b.half_sin};
    turn(&a, b.move, both.move);
    for (int i = 0; i < 3; i++) both.move[i] += a.move[i];
    return both;
}

sinew_motion sinew_motion_inverse(sinew_motion motion) {
    sinew_motion inverse = {.half_cos = motion.half_cos, .half_sin = -motion.half_sin};
    turn(&inverse, motion.move, inverse.move);
    for (int i = 0; i < 3; i++) inverse.move[i] = -inverse.move[i];
    return inverse;
}

// Normalizes the yaw. A sum that cancels has no direction, and becomes the identity.
static sinew_motion with_unit_turn(sinew_motion motion) {
    double length = sqrt(motion.half_cos * motion.half_cos + motion.half_sin * motion.half_sin);
    motion.half_cos = length > 0.0 ? motion.half_cos / length : 1.0;
    motion.half_sin = length > 0.0 ? motion.half_sin / length : 0.0;
    return motion;
}

// By repeated squaring: one step for each binary digit of the count.
sinew_motion sinew_motion_repeat(sinew_motion motion, double count) {
    sinew_motion whole = sinew_motion_identity();
    sinew_motion power = count < 0.0 ? sinew_motion_inverse(motion) : motion;
    double left = fabs(count);
    while (left >= 1.0) {
        double half = floor(left / 2.0);
        if (left != 2.0 * half) whole = sinew_motion_then(whole, power);
        power = with_unit_turn(sinew_motion_then(power, power));
        left = half;
    }
    return whole;
}

void sinew_motion_add(sinew_motion_sum *sum, sinew_motion motion, float weight) {
    double w = (double)weight;
    bool other_side = sum->sum.half_cos * motion.half_cos + sum->sum.half_sin * motion.half_sin < 0.0;
    double of_turn = other_side ? -w : w;
    for (int i = 0; i < 3; i++) sum->sum.move[i] += w * motion.move[i];
    sum->sum.half_cos += of_turn * motion.half_cos;
    sum->sum.half_sin += of_turn * motion.half_sin;
    sum->weight += w;
}

sinew_motion sinew_motion_mean(const sinew_motion_sum *sum) {
    if (!(sum->weight > 0.0)) return sinew_motion_identity();
    sinew_motion mean = with_unit_turn(sum->sum);
    for (int i = 0; i < 3; i++) mean.move[i] /= sum->weight;
    return mean;
}

// ---- Deltas --------------------------------------------------------------------------------------------------

// The yaw from the cosine and sine of its half; the cosine is not negative. After three more halvings its tangent
// is at most tan(pi / 16) = 0.199, where seven terms of the series of atan have a relative error of 1e-11.
static double yaw_of(double half_cos, double half_sin) {
    double t = half_sin / (1.0 + half_cos);
    for (int i = 0; i < 2; i++) t /= 1.0 + sqrt(1.0 + t * t);
    static const double odd[] = {1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13};
    double square = t * t, series = 0.0;
    for (int i = 5; i >= 0; i--) series = square * (odd[i] - series);
    return 16.0 * t * (1.0 - series);
}

sinew_root_delta sinew_root_delta_of(const sinew_root *root, sinew_motion motion) {
    motion = with_unit_turn(motion);
    double side = motion.half_cos < 0.0 ? -1.0 : 1.0;
    float move[3], axis[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 3; i++) move[root->axes[i]] = (float)motion.move[i];
    axis[root->axes[2]] = (float)(side * motion.half_sin);
    return (sinew_root_delta){
        {move[0], move[1], move[2]},
        {axis[0], axis[1], axis[2], (float)(side * motion.half_cos)},
        (float)yaw_of(side * motion.half_cos, side * motion.half_sin),
    };
}

sinew_root_delta sinew_root_delta_identity(void) {
    return (sinew_root_delta){{0, 0, 0}, {0, 0, 0, 1}, 0};
}

sinew_root_delta sinew_root_delta_compose(sinew_root_delta a, sinew_root_delta b) {
    sinew_vec3 move = sinew_quat_rotate(a.rotation, b.translation);
    return (sinew_root_delta){
        {a.translation.x + move.x, a.translation.y + move.y, a.translation.z + move.z},
        sinew_quat_normalize(sinew_quat_multiply(a.rotation, b.rotation)),
        a.yaw + b.yaw,
    };
}

// ---- Definitions ---------------------------------------------------------------------------------------------

// Multiplies a matrix by a node's local rest matrix.
static void multiply_local(double m[3][4], sinew_affine local) {
    for (int i = 0; i < 3; i++) {
        double row[4] = {0.0, 0.0, 0.0, m[i][3]};
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 3; k++) row[j] += m[i][k] * (double)local.m[k][j];
        }
        for (int j = 0; j < 4; j++) m[i][j] = row[j];
    }
}

// Computes the rest model matrix of a node's parent, with rows in the order of the axes. Without recursion, whose
// depth a file would decide.
static void find_parent(sinew_root *root, const sinew_skeleton *skeleton) {
    double(*m)[4] = root->parent;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) m[i][j] = root->axes[i] == j ? 1.0 : 0.0;
    }
    // In depth-first order, a node's ancestors are the nodes before it whose subtrees contain it.
    for (int32_t i = 0; i < root->node; i++) {
        if (skeleton->subtree_ends[i] > root->node) multiply_local(m, sinew_skeleton_rest_local(skeleton, i));
    }
}

static double cofactor(double m[3][4], int i, int j) {
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
}

// Inverts the parent's matrix; false if it is singular. Also finds the up axis in the parent's local space,
// reversed if the matrix mirrors, because mirroring reverses rotations about it.
static bool invert_parent(sinew_root *root) {
    double(*m)[4] = root->parent;
    double determinant = 0.0, square = 0.0;
    for (int j = 0; j < 3; j++) determinant += m[0][j] * cofactor(m, 0, j);
    if (!(fabs(determinant) > 0.0) || !isfinite(determinant)) return false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) root->to_parent[j][i] = cofactor(m, i, j) / determinant;
    }
    for (int j = 0; j < 3; j++) square += root->to_parent[j][2] * root->to_parent[j][2];
    double length = determinant < 0.0 ? -sqrt(square) : sqrt(square);
    for (int j = 0; j < 3; j++) root->up[j] = root->to_parent[j][2] / length;
    return isfinite(length) && square > 0.0;
}

// Whether the columns have equal lengths and are perpendicular, to within a ten-thousandth.
static bool scales_evenly(double m[3][4]) {
    double products[3][3] = {{0.0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) products[i][j] = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double expected = i == j ? products[0][0] : 0.0;
            if (!(fabs(products[i][j] - expected) <= 1e-4 * products[0][0])) return false;
        }
    }
    return true;
}

sinew_result sinew_root_init(sinew_root *root, const sinew_root_motion_def *def, sinew_error *error) {
    const sinew_skeleton *skeleton = def->skeleton;
    if (!skeleton) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "root motion: no skeleton");
    if (def->node < 0 || def->node >= skeleton->node_count) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "root motion: node %d, but the skeleton has %d nodes",
                          def->node, skeleton->node_count);
    }
    if (def->up != SINEW_UP_Y && def->up != SINEW_UP_Z) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "root motion: up is %d, neither SINEW_UP_Y nor SINEW_UP_Z",
                          (int)def->up);
    }
    bool taken[3] = {def->x, def->y, def->z};
    *root = (sinew_root){
        .node = def->node, .rest = skeleton->rest[def->node], .yaw = def->yaw, .close_loops = def->close_loops};
    for (int i = 0; i < 3; i++) {
        root->axes[i] = def->up == SINEW_UP_Z ? i : (i + 2) % 3;
        root->taken[i] = taken[root->axes[i]];
    }
    find_parent(root, skeleton);
    const char *name = skeleton->names[def->node];
    if (!invert_parent(root)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT,
                          "root motion: an ancestor of node %d (%s) has a scale of 0 in the rest pose", def->node,
                          name);
    }
    if ((def->yaw || def->close_loops) && !scales_evenly(root->parent)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT,
                          "root motion: the ancestors of node %d (%s) have non-uniform scale, so its yaw cannot be "
                          "extracted; choose a node above, or neither yaw nor close_loops",
                          def->node, name);
    }
    return SINEW_OK;
}

// ---- One clip ------------------------------------------------------------------------------------------------

static void position_of(const sinew_root *root, const sinew_transform *node, double out[3]) {
    sinew_vec3 t = node->translation;
    for (int i = 0; i < 3; i++) {
        const double *row = root->parent[i];
        out[i] = row[0] * (double)t.x + row[1] * (double)t.y + row[2] * (double)t.z + row[3];
    }
}

// The twist about the up axis of the rotation from one pose of the node to another: the scalar of the quaternion q
// p^-1, and its vector part along the axis. Computed in the parent's local space, where it is the same rotation
// about the same axis. For a swing of 180 degrees both are 0, except for rounding, and the twist is the identity.
static sinew_motion turn_between(const sinew_root *root, sinew_quat from, sinew_quat to) {
    double px = (double)from.x, py = (double)from.y, pz = (double)from.z, pw = (double)from.w;
    double qx = (double)to.x, qy = (double)to.y, qz = (double)to.z, qw = (double)to.w;
    double x = pw * qx - qw * px - (qy * pz - qz * py);
    double y = pw * qy - qw * py - (qz * px - qx * pz);
    double z = pw * qz - qw * pz - (qx * py - qy * px);
    double w = qx * px + qy * py + qz * pz + qw * pw, s = x * root->up[0] + y * root->up[1] + z * root->up[2];
    const double noise = 1e-6;
    if (w * w + s * s < noise * noise) return sinew_motion_identity();
    return with_unit_turn((sinew_motion){.half_cos = w < 0.0 ? -w : w, .half_sin = w < 0.0 ? -s : s});
}

sinew_root_clip sinew_root_clip_of(const sinew_root *root, const sinew_clip *clip) {
    return (sinew_root_clip){
        clip,
        sinew_clip_sample_node(clip, 0.0f, root->node),
        sinew_clip_sample_node(clip, clip->duration, root->node),
    };
}

// M for the pose `now`; `first` is the clip's pose at time 0.
static sinew_motion motion_to(const sinew_root *root, const sinew_transform *first, const sinew_transform *now) {
    sinew_motion motion = sinew_motion_identity();
    if (root->yaw) motion = turn_between(root, first->rotation, now->rotation);
    double start[3], position[3];
    position_of(root, first, start);
    position_of(root, now, position);
    turn(&motion, start, start);
    for (int i = 0; i < 3; i++) motion.move[i] = root->taken[i] ? position[i] - start[i] : 0.0;
    return motion;
}

static sinew_motion motion_at(const sinew_root *root, const sinew_root_clip *clip, float time) {
    sinew_transform now = sinew_clip_sample_node(clip->clip, time, root->node);
    return motion_to(root, &clip->first, &now);
}

// A time of an action: the clip's time, and the number of whole loops before it. Where one loop ends and the next
// starts both representations are right: the character's position is the same.
typedef struct moment {
    float time;
    double loops;
} moment;

static double within(double time, double duration) {
    if (!(time > 0.0)) return 0.0;
    return time < duration ? time : duration;
}

static moment moment_at(const sinew_root_path *path, double position, double duration) {
    double at = path->backward ? -position : position;
    if (path->loop == SINEW_ROOT_ONCE) return (moment){(float)within(at, duration), 0.0};
    if (path->loop == SINEW_ROOT_PING_PONG) {
        double phase = within(at - 2.0 * duration * floor(at / (2.0 * duration)), 2.0 * duration);
        return (moment){(float)(phase > duration ? 2.0 * duration - phase : phase), 0.0};
    }
    double loops = floor(at / duration);
    return (moment){(float)within(at - loops * duration, duration), loops};
}

sinew_motion sinew_root_motion_on(const sinew_root *root, const sinew_root_clip *clip,
                                  const sinew_root_path *path) {
    assert(isfinite(path->from) && isfinite(path->to));
    double duration = (double)clip->clip->duration;
    if (!(duration > 0.0)) return sinew_motion_identity();
    moment from = moment_at(path, path->from, duration), to = moment_at(path, path->to, duration);
    sinew_motion motion = sinew_motion_inverse(motion_at(root, clip, from.time));
    double loops = to.loops - from.loops;
    if (loops != 0.0) {
        sinew_motion loop = motion_to(root, &clip->first, &clip->last);
        motion = sinew_motion_then(motion, sinew_motion_repeat(loop, loops));
    }
    return sinew_motion_then(motion, motion_at(root, clip, to.time));
}

// ---- The remainder -------------------------------------------------------------------------------------------

// The position that remains in the pose: that of G' = M^-1 G.
static void position_left(const sinew_root *root, const sinew_motion *motion, const sinew_transform *now,
                          double out[3]) {
    sinew_motion back = sinew_motion_inverse(*motion);
    position_of(root, now, out);
    turn(&back, out, out);
    for (int i = 0; i < 3; i++) out[i] += back.move[i];
}

// Closes the loop: subtracts the part of the drift at the clip's end that is due at this time, linearly for the
// position, and by a normalized mean for the rotation, whose deviation from a constant rate is 1e-5 rad for a drift
// of 10°.
static void close_loop(const sinew_root *root, const sinew_root_contribution *item, double position[3],
                       sinew_motion *turned) {
    const sinew_transform *first = &item->clip->first, *last = &item->clip->last;
    double duration = (double)item->clip->clip->duration;
    if (!root->close_loops || !item->repeats || !(duration > 0.0)) return;
    double due = within((double)item->time, duration) / duration;
    sinew_motion motion = motion_to(root, first, last);
    double start[3], end[3];
    position_of(root, first, start);
    position_left(root, &motion, last, end);
    for (int i = 0; i < 3; i++) position[i] -= due * (end[i] - start[i]);
    if (root->yaw) return;
    sinew_motion drift = turn_between(root, first->rotation, last->rotation);
    turned->half_cos = 1.0 - due + due * drift.half_cos;
    turned->half_sin = due * drift.half_sin;
    *turned = with_unit_turn(*turned);
}

// Removes a yaw from a rotation of the node.
static sinew_quat turned_back(const sinew_root *root, const sinew_motion *turned, sinew_quat q) {
    double c = turned->half_cos, s = -turned->half_sin;
    double x = s * root->up[0], y = s * root->up[1], z = s * root->up[2];
    double qx = (double)q.x, qy = (double)q.y, qz = (double)q.z, qw = (double)q.w;
    return (sinew_quat){
        (float)(c * qx + x * qw + y * qz - z * qy),
        (float)(c * qy + y * qw + z * qx - x * qz),
        (float)(c * qz + z * qw + x * qy - y * qx),
        (float)(c * qw - x * qx - y * qy - z * qz),
    };
}

// Moves the node to a position. Without an extracted translation the bits are kept, because exactly 0 is added.
static sinew_vec3 moved_to(const sinew_root *root, const sinew_transform *now, const double position[3]) {
    double was[3], moved[3];
    position_of(root, now, was);
    for (int i = 0; i < 3; i++) {
        const double *row = root->to_parent[i];
        moved[i] =
            row[0] * (position[0] - was[0]) + row[1] * (position[1] - was[1]) + row[2] * (position[2] - was[2]);
    }
    sinew_vec3 t = now->translation;
    return (sinew_vec3){
        (float)((double)t.x + moved[0]),
        (float)((double)t.y + moved[1]),
        (float)((double)t.z + moved[2]),
    };
}

// The local transform of the node without the motion: what one contribution leaves in the pose.
static sinew_transform remainder_of(const sinew_root *root, const sinew_root_contribution *item) {
    if (!item->clip) return item->held ? *item->held : root->rest;
    sinew_transform now = sinew_clip_sample_node(item->clip->clip, item->time, root->node);
    sinew_motion motion = motion_to(root, &item->clip->first, &now);
    double position[3];
    position_left(root, &motion, &now, position);
    close_loop(root, item, position, &motion);
    return (sinew_transform){
        moved_to(root, &now, position),
        turned_back(root, &motion, now.rotation),
        now.scale,
    };
}

// ---- Mixing the remainder -------------------------------------------------------------------------------------

static void add_vector(sinew_vec3 *sum, sinew_vec3 v, float weight) {
    sum->x += weight * v.x;
    sum->y += weight * v.y;
    sum->z += weight * v.z;
}

static float dot4(sinew_quat a, sinew_quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// Adds a rotation on the hemisphere of the sum so far.
static void add_rotation(sinew_quat *sum, sinew_quat q, float weight) {
    float w = (dot4(*sum, q) < 0.0f ? -weight : weight) / sqrtf(dot4(q, q));
    sum->x += w * q.x;
    sum->y += w * q.y;
    sum->z += w * q.z;
    sum->w += w * q.w;
}

// Blends the remainders of all contributions, the local transforms of the node without its motion. Weights are divided by
// their sum, which must not be 0 for more than one contribution.
sinew_transform sinew_root_mix(const sinew_root *root, const sinew_root_contribution *contributions,
                               int32_t count) {
    assert(count > 0);
    if (count == 1) return remainder_of(root, contributions); // its weight is irrelevant, and may be 0
    float sum = 0.0f;
    for (int32_t i = 0; i < count; i++) sum += contributions[i].weight;
    sinew_transform mixed = {{0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0}};
    for (int32_t i = 0; i < count; i++) {
        sinew_transform remainder = remainder_of(root, &contributions[i]);
        float weight = contributions[i].weight / sum;
        add_vector(&mixed.translation, remainder.translation, weight);
        add_rotation(&mixed.rotation, remainder.rotation, weight);
        add_vector(&mixed.scale, remainder.scale, weight);
    }
    mixed.rotation = sinew_quat_normalize(mixed.rotation);
    return mixed;
}
