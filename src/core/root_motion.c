// SPDX-License-Identifier: MIT
// Root motion: splits the motion of one node, the root node, into the character's motion over the ground and a
// remainder that stays in the pose.
//
// In a clip, let P(t) be the root node's local matrix, and G = A P its model matrix. A is its parent's model matrix in
// the rest pose. Then G(t) = M(t) G'(t). M is the character's motion: a yaw about the up axis, then a translation. M(0)
// is the identity. G' = M^-1 G is the remainder in model space. A^-1 G' is the local transform that stays in the pose.
//
//   - The yaw of M is the twist about the up axis in the rotation from G(0) to G(t).
//   - The translation of M only has the axes that the definition extracts. Along these axes, G' stays where it was at
//     time 0.
//
// M moves the character's origin, so you can compose the motions of steps and loops. From M(a) to M(b), the character
// moves by M(a)^-1 M(b). After n loops, it is at M(end)^n.
//
// `root` is the checked definition, with A and the order of the axes: two ground axes, then up (see
// core/root_motion.h). A sinewi_motion is M in this order, in meters and in double precision. A contribution is one
// clip, held pose or rest pose with its weight in the mixer.
#include "core/root_motion.h"
#include "core/clip_ends.h"
#include "core/skeleton_object.h"
#include "base/def_cookie.h"
#include "base/fail.h"

#include <assert.h>
#include <math.h>
#include <string.h>

sinew_root_motion_def sinew_root_motion_default(void) {
    return (sinew_root_motion_def){
        .node = SINEW_NO_NODE,
        .x = true,
        .z = true,
        .yaw = true,
        .up = SINEW_UP_Y,
        .cookie = SINEWI_DEF_COOKIE,
    };
}

// ---- Motions -------------------------------------------------------------------------------------------------

// Rotates a vector (ground, ground, up) by a motion's yaw. This uses two differences, because gcc's vectorizer makes
// fused instructions from a difference next to a sum, even with -ffp-contract=off.
static void rotate_by_yaw(const sinewi_motion *by, const double v[3], double out[3]) {
    double c = by->half_cos, s = by->half_sin;
    double first = (c * c - s * s) * v[0] - 2.0 * c * s * v[1], second = v[1] - 2.0 * s * (s * v[1] - c * v[0]);
    out[0] = first, out[1] = second, out[2] = v[2];
}

sinewi_motion sinewi_motion_identity(void) {
    return (sinewi_motion){{0.0, 0.0, 0.0}, 1.0, 0.0};
}

// Returns a × b, the motion a and then b in the frame that a has moved.
sinewi_motion sinewi_motion_then(sinewi_motion a, sinewi_motion b) {
    sinewi_motion both = {.half_cos = a.half_cos * b.half_cos - a.half_sin * b.half_sin,
                          .half_sin = a.half_sin * b.half_cos + a.half_cos * b.half_sin};
    rotate_by_yaw(&a, b.move, both.move);
    for (int i = 0; i < 3; i++) both.move[i] += a.move[i];
    return both;
}

// Returns the motion that undoes a motion.
sinewi_motion sinewi_motion_inverse(sinewi_motion motion) {
    sinewi_motion inverse = {.half_cos = motion.half_cos, .half_sin = -motion.half_sin};
    rotate_by_yaw(&inverse, motion.move, inverse.move);
    for (int i = 0; i < 3; i++) inverse.move[i] = -inverse.move[i];
    return inverse;
}

// Normalizes the yaw. A sum that cancels out has no direction and becomes the identity.
static sinewi_motion normalize_yaw(sinewi_motion motion) {
    double length = sqrt(motion.half_cos * motion.half_cos + motion.half_sin * motion.half_sin);
    motion.half_cos = length > 0.0 ? motion.half_cos / length : 1.0;
    motion.half_sin = length > 0.0 ? motion.half_sin / length : 0.0;
    return motion;
}

// Applies the motion `count` times by repeated squaring. This takes one step per binary digit of the count.
sinewi_motion sinewi_motion_repeat(sinewi_motion motion, double count) {
    sinewi_motion product = sinewi_motion_identity();
    sinewi_motion power = count < 0.0 ? sinewi_motion_inverse(motion) : motion;
    double remaining = fabs(count);
    while (remaining >= 1.0) {
        double half = floor(remaining / 2.0);
        if (remaining != 2.0 * half) product = sinewi_motion_then(product, power);
        power = normalize_yaw(sinewi_motion_then(power, power));
        remaining = half;
    }
    return product;
}

// Adds a motion to a weighted sum. Picks the quaternion q or -q that is on the same side as the sum so far.
void sinewi_motion_add(sinewi_motion_sum *sum, sinewi_motion motion, float weight) {
    double w = (double)weight;
    bool is_opposite = sum->sum.half_cos * motion.half_cos + sum->sum.half_sin * motion.half_sin < 0.0;
    double rotation_weight = is_opposite ? -w : w;
    for (int i = 0; i < 3; i++) sum->sum.move[i] += w * motion.move[i];
    sum->sum.half_cos += rotation_weight * motion.half_cos;
    sum->sum.half_sin += rotation_weight * motion.half_sin;
    sum->weight += w;
}

// Returns the weighted mean of the motions that were added. The identity if the weights sum to 0.
sinewi_motion sinewi_motion_mean(const sinewi_motion_sum *sum) {
    if (!(sum->weight > 0.0)) return sinewi_motion_identity();
    sinewi_motion mean = normalize_yaw(sum->sum);
    for (int i = 0; i < 3; i++) mean.move[i] /= sum->weight;
    return mean;
}

// ---- Deltas --------------------------------------------------------------------------------------------------

// Returns the yaw in radians from the cosine and sine of its half. The cosine must not be negative. Three more halvings
// leave a tangent of at most tan(pi / 16) = 0.199. There, seven terms of the series for atan have a relative error of
// 1e-11.
static double yaw_of(double half_cos, double half_sin) {
    double t = half_sin / (1.0 + half_cos);
    for (int i = 0; i < 2; i++) t /= 1.0 + sqrt(1.0 + t * t);
    static const double odd[] = {1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13};
    double square = t * t, series = 0.0;
    for (int i = 5; i >= 0; i--) series = square * (odd[i] - series);
    return 16.0 * t * (1.0 - series);
}

// Converts a motion to the public form: x, y, z in model space, and a quaternion whose w isn't negative.
sinew_root_delta sinewi_root_delta_of(const sinewi_root *root, sinewi_motion motion) {
    motion = normalize_yaw(motion);
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

// ---- Definitions ---------------------------------------------------------------------------------------------

// Replaces m with m × a node's local rest matrix.
static void multiply_local(double m[3][4], sinew_affine local) {
    for (int i = 0; i < 3; i++) {
        double row[4] = {0.0, 0.0, 0.0, m[i][3]};
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 3; k++) row[j] += m[i][k] * (double)local.m[k][j];
        }
        for (int j = 0; j < 4; j++) m[i][j] = row[j];
    }
}

// Computes A, the rest model matrix of the root node's parent. Its rows are in the order of the axes. Not recursive,
// because a file would control the depth.
static void find_parent_matrix(sinewi_root *root, const sinew_skeleton *skeleton) {
    double(*m)[4] = root->parent;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) m[i][j] = root->axes[i] == j ? 1.0 : 0.0;
    }
    // In depth-first order, a node's ancestors are the earlier nodes whose subtrees contain it.
    for (int32_t i = 0; i < root->node; i++) {
        if (skeleton->subtree_ends[i] > root->node) multiply_local(m, sinewi_skeleton_rest_local(skeleton, i));
    }
}

static double cofactor(double m[3][4], int i, int j) {
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
}

// Inverts A. Returns false if it is singular. Also finds the up axis in the parent's local space. If A mirrors, the
// axis is reversed, because mirroring reverses rotations about it.
static bool invert_parent(sinewi_root *root) {
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

// Returns whether the columns have equal lengths and are perpendicular, to within a ten-thousandth. Otherwise a yaw of
// G isn't a rotation of P.
static bool has_uniform_scale(double m[3][4]) {
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

// Checks a definition and computes everything that doesn't depend on a clip. `axes` maps ground, ground, up to x, y, z.
// These are z, x, y with +Y up, and x, y, z with +Z up.
sinew_result sinewi_root_init(sinewi_root *root, const sinew_root_motion_def *def, sinew_error *error) {
    const sinew_skeleton *skeleton = def->skeleton;
    if (!skeleton) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "root motion: no skeleton");
    if (def->node < 0 || def->node >= skeleton->node_count) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "root motion: node %d, but the skeleton has %d nodes",
                           def->node, skeleton->node_count);
    }
    if (def->up != SINEW_UP_Y && def->up != SINEW_UP_Z) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "root motion: up is %d; it must be SINEW_UP_Y or SINEW_UP_Z", (int)def->up);
    }
    bool extracted[3] = {def->x, def->y, def->z};
    *root = (sinewi_root){
        .node = def->node, .rest = skeleton->rest[def->node], .yaw = def->yaw, .close_loops = def->close_loops};
    for (int i = 0; i < 3; i++) {
        root->axes[i] = def->up == SINEW_UP_Z ? i : (i + 2) % 3;
        root->taken[i] = extracted[root->axes[i]];
    }
    find_parent_matrix(root, skeleton);
    const char *name = skeleton->names[def->node];
    if (!invert_parent(root)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "root motion: an ancestor of node %d (%s) has a scale of 0 in the rest pose", def->node,
                           name);
    }
    if ((def->yaw || def->close_loops) && !has_uniform_scale(root->parent)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "root motion: the ancestors of node %d (%s) have non-uniform scale, so its yaw cannot "
                           "be extracted; choose a node above, or turn off yaw and close_loops",
                           def->node, name);
    }
    return SINEW_OK;
}

// ---- One clip ------------------------------------------------------------------------------------------------

// Returns the root node's model-space position in meters, in the order of the axes. `node` is its local transform.
static void root_position(const sinewi_root *root, const sinew_transform *node, double out[3]) {
    sinew_vec3 t = node->translation;
    for (int i = 0; i < 3; i++) {
        const double *row = root->parent[i];
        out[i] = row[0] * (double)t.x + row[1] * (double)t.y + row[2] * (double)t.z + row[3];
    }
}

// Returns the twist about the up axis in the rotation from one local rotation p of the root node to another, q. It is
// the scalar of the quaternion q p^-1, and its vector part along the axis. This works in the parent's local space,
// where it is the same rotation about the same axis. For a swing of 180 degrees, both are 0 except for rounding, and
// the twist is the identity.
static sinewi_motion find_yaw_between(const sinewi_root *root, sinew_quat from, sinew_quat to) {
    double px = (double)from.x, py = (double)from.y, pz = (double)from.z, pw = (double)from.w;
    double qx = (double)to.x, qy = (double)to.y, qz = (double)to.z, qw = (double)to.w;
    double x = pw * qx - qw * px - (qy * pz - qz * py);
    double y = pw * qy - qw * py - (qz * px - qx * pz);
    double z = pw * qz - qw * pz - (qx * py - qy * px);
    double w = qx * px + qy * py + qz * pz + qw * pw, s = x * root->up[0] + y * root->up[1] + z * root->up[2];
    const double noise = 1e-6;
    if (w * w + s * s < noise * noise) return sinewi_motion_identity();
    return normalize_yaw((sinewi_motion){.half_cos = w < 0.0 ? -w : w, .half_sin = w < 0.0 ? -s : s});
}

// Returns the correction from the sampled transform at an end to the exact one.
static sinew_transform correction_of(sinew_transform exact, sinew_transform sampled) {
    const sinew_vec3 a = exact.translation, b = sampled.translation;
    const sinew_quat turn = sinew_quat_multiply(exact.rotation, sinew_quat_conjugate(sampled.rotation));
    const float side = turn.w < 0.0f ? -1.0f : 1.0f;
    return (sinew_transform){.translation = {a.x - b.x, a.y - b.y, a.z - b.z},
                             .rotation = {side * turn.x, side * turn.y, side * turn.z, side * turn.w}};
}

// Samples the root node at both ends of a clip. Every motion is measured from these, so this is done once.
sinewi_root_clip sinewi_root_clip_of(const sinewi_root *root, const sinew_clip *clip) {
    sinewi_root_clip of = {.clip = clip, .is_rounded = clip->data->end_count > 0};
    sinewi_clip_sample_ends(clip, root->node, &of.first, &of.last);
    if (!of.is_rounded) return of;
    of.at_first = correction_of(of.first, sinew_clip_sample_node(clip, 0.0f, root->node));
    of.at_last = correction_of(of.last, sinew_clip_sample_node(clip, clip->duration, root->node));
    return of;
}

static float lerp(float a, float b, float t) {
    return a + t * (b - a);
}

// Returns the node's transform at a time, corrected to be exact at both ends of the clip.
static sinew_transform correct(const sinewi_root_clip *clip, float time, sinew_transform now) {
    if (!clip->is_rounded) return now;
    const float t = time / clip->clip->duration;
    const sinew_transform *a = &clip->at_first, *b = &clip->at_last;
    const sinew_quat turn = {lerp(a->rotation.x, b->rotation.x, t), lerp(a->rotation.y, b->rotation.y, t),
                             lerp(a->rotation.z, b->rotation.z, t), lerp(a->rotation.w, b->rotation.w, t)};
    now.translation.x += lerp(a->translation.x, b->translation.x, t);
    now.translation.y += lerp(a->translation.y, b->translation.y, t);
    now.translation.z += lerp(a->translation.z, b->translation.z, t);
    now.rotation = sinew_quat_normalize(sinew_quat_multiply(turn, now.rotation));
    return now;
}

// Returns M for the root node's local transform `now`. `first` is its transform at time 0. M takes the rotated first
// position to the current one along the extracted axes.
static sinewi_motion find_motion(const sinewi_root *root, const sinew_transform *first,
                                 const sinew_transform *now) {
    sinewi_motion motion = sinewi_motion_identity();
    if (root->yaw) motion = find_yaw_between(root, first->rotation, now->rotation);
    double start[3], position[3];
    root_position(root, first, start);
    root_position(root, now, position);
    rotate_by_yaw(&motion, start, start);
    for (int i = 0; i < 3; i++) motion.move[i] = root->taken[i] ? position[i] - start[i] : 0.0;
    return motion;
}

// Compares the time's bits, because samples at 0 and -0 may differ.
static const sinewi_root_moment *sample(const sinewi_root *root, sinewi_root_clip *clip, float time) {
    sinewi_root_moment *moment = &clip->moment;
    if (moment->is_known && memcmp(&moment->time, &time, sizeof time) == 0) return moment;
    const sinew_transform node = sinew_clip_sample_node(clip->clip, time, root->node);
    const sinew_transform corrected = correct(clip, time, node);
    *moment = (sinewi_root_moment){true, time, node, find_motion(root, &clip->first, &corrected)};
    return moment;
}

// A time of an action: the clip's time, and the number of whole loops before it. Where two loops meet, both
// representations are right, because the character's position is the same.
typedef struct clip_moment {
    float time;
    double loops;
} clip_moment;

// Clamps to [0, duration]. NaN becomes 0.
static double clamp_time(double time, double duration) {
    if (!(time > 0.0)) return 0.0;
    return time < duration ? time : duration;
}

// Returns the moment at a path position in seconds, which may be past the clip's ends. `loops` is only nonzero for
// repeating actions, because the motions of ping-pong and once don't accumulate.
static clip_moment find_moment(const sinewi_root_path *path, double position, double duration) {
    double at = path->backward ? -position : position;
    if (path->loop == SINEWI_ROOT_ONCE) return (clip_moment){(float)clamp_time(at, duration), 0.0};
    if (path->loop == SINEWI_ROOT_PING_PONG) {
        double phase = clamp_time(at - 2.0 * duration * floor(at / (2.0 * duration)), 2.0 * duration);
        return (clip_moment){(float)(phase > duration ? 2.0 * duration - phase : phase), 0.0};
    }
    double loops = floor(at / duration);
    return (clip_moment){(float)clamp_time(at - loops * duration, duration), loops};
}

// M(from)^-1 × M(end)^loops × M(to): the motion back to the clip's start, whole loops, and the motion to the path's
// end.
sinewi_motion sinewi_root_motion_on(const sinewi_root *root, sinewi_root_clip *clip, const sinewi_root_path *path) {
    assert(isfinite(path->from) && isfinite(path->to));
    double duration = (double)clip->clip->duration;
    if (!(duration > 0.0)) return sinewi_motion_identity();
    clip_moment from = find_moment(path, path->from, duration), to = find_moment(path, path->to, duration);
    sinewi_motion motion = sinewi_motion_inverse(sample(root, clip, from.time)->motion);
    double loops = to.loops - from.loops;
    if (loops != 0.0) {
        sinewi_motion loop = find_motion(root, &clip->first, &clip->last);
        motion = sinewi_motion_then(motion, sinewi_motion_repeat(loop, loops));
    }
    return sinewi_motion_then(motion, sample(root, clip, to.time)->motion);
}

// ---- The remainder -------------------------------------------------------------------------------------------

// Finds the position of the remainder G' = M^-1 G in model space, in the order of the axes.
static void find_remaining_position(const sinewi_root *root, const sinewi_motion *motion,
                                    const sinew_transform *now, double out[3]) {
    sinewi_motion back = sinewi_motion_inverse(*motion);
    root_position(root, now, out);
    rotate_by_yaw(&back, out, out);
    for (int i = 0; i < 3; i++) out[i] += back.move[i];
}

// Closes the loop of a repeating action if the definition asks for it. The drift is the difference between the clip's end
// and start. Subtracts as much of it from the remainder as is due at this time. The position uses a line, and the
// rotation a normalized mean, which is within 1e-5 rad of a constant rate for a drift of 10°. `yaw` is the yaw to
// remove from the pose.
static void close_loop(const sinewi_root *root, const sinewi_root_clip *clip, float time, double position[3],
                       sinewi_motion *yaw) {
    const sinew_transform *first = &clip->first, *last = &clip->last;
    double duration = (double)clip->clip->duration;
    if (!root->close_loops || !(duration > 0.0)) return;
    double due = clamp_time((double)time, duration) / duration;
    sinewi_motion motion = find_motion(root, first, last);
    double start[3], end[3];
    root_position(root, first, start);
    find_remaining_position(root, &motion, last, end);
    for (int i = 0; i < 3; i++) position[i] -= due * (end[i] - start[i]);
    if (root->yaw) return;
    sinewi_motion drift = find_yaw_between(root, first->rotation, last->rotation);
    yaw->half_cos = 1.0 - due + due * drift.half_cos;
    yaw->half_sin = due * drift.half_sin;
    *yaw = normalize_yaw(*yaw);
}

// Returns the root node's local rotation without a yaw about the up axis.
static sinew_quat remove_yaw(const sinewi_root *root, const sinewi_motion *yaw, sinew_quat q) {
    double c = yaw->half_cos, s = -yaw->half_sin;
    double x = s * root->up[0], y = s * root->up[1], z = s * root->up[2];
    double qx = (double)q.x, qy = (double)q.y, qz = (double)q.z, qw = (double)q.w;
    return (sinew_quat){
        (float)(c * qx + x * qw + y * qz - z * qy),
        (float)(c * qy + y * qw + z * qx - x * qz),
        (float)(c * qz + z * qw + x * qy - y * qx),
        (float)(c * qw - x * qx - y * qy - z * qz),
    };
}

// Returns the local translation that puts the root node at a model-space position. Without an extracted translation it
// keeps its bits, because it adds exactly 0.
static sinew_vec3 move_to_position(const sinewi_root *root, const sinew_transform *now, const double position[3]) {
    double was[3], moved[3];
    root_position(root, now, was);
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

sinew_transform sinewi_root_remainder(const sinewi_root *root, sinewi_root_clip *clip, float time, bool repeats) {
    const sinewi_root_moment *moment = sample(root, clip, time);
    const sinew_transform *node = &moment->node;
    sinewi_motion motion = moment->motion;
    double position[3];
    find_remaining_position(root, &motion, node, position);
    if (repeats) close_loop(root, clip, time, position, &motion);
    return (sinew_transform){
        move_to_position(root, node, position),
        remove_yaw(root, &motion, node->rotation),
        node->scale,
    };
}

// ---- Blending the remainders ----------------------------------------------------------------------------------

static void add_vector(sinew_vec3 *sum, sinew_vec3 v, float weight) {
    sum->x += weight * v.x;
    sum->y += weight * v.y;
    sum->z += weight * v.z;
}

static float dot4(sinew_quat a, sinew_quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// Normalizes a rotation and adds it to a weighted sum. Picks q or -q, whichever is on the same side as the sum so far.
static void add_rotation(sinew_quat *sum, sinew_quat q, float weight) {
    float w = (dot4(*sum, q) < 0.0f ? -weight : weight) / sqrtf(dot4(q, q));
    sum->x += w * q.x;
    sum->y += w * q.y;
    sum->z += w * q.z;
    sum->w += w * q.w;
}

// Divides the weights by their sum. If there are several, it must not be 0.
sinew_transform sinewi_root_mix(const sinewi_root_contribution *contributions, int32_t count) {
    assert(count > 0);
    if (count == 1) return contributions->node; // its weight doesn't matter and may be 0
    float sum = 0.0f;
    for (int32_t i = 0; i < count; i++) sum += contributions[i].weight;
    sinew_transform mixed = {{0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0}};
    for (int32_t i = 0; i < count; i++) {
        const sinew_transform *node = &contributions[i].node;
        float weight = contributions[i].weight / sum;
        add_vector(&mixed.translation, node->translation, weight);
        add_rotation(&mixed.rotation, node->rotation, weight);
        add_vector(&mixed.scale, node->scale, weight);
    }
    mixed.rotation = sinew_quat_normalize(mixed.rotation);
    return mixed;
}
