// SPDX-License-Identifier: MIT
// Damped least squares over a tree of joints (body/ik_chain_tree.h).
//
// Let e be the errors of the effectors, J their derivatives by joint rotations, and W the joints' mobilities. A step
// solves (J W Jt + D) y = e and rotates by W Jt y. The system has three rows for each effector's position and three
// for each effector's rotation, however many joints there are. D is the damping plus the effectors' give. The bias
// is a step back towards the pose. It's subtracted from e first, so only the part of it remains that doesn't move
// the effectors (A. Liégeois, "Automatic supervisory control of the configuration and behavior of multibody
// mechanisms", 1977).
//
// Limits form an active set. A joint at a limit loses the axis that would take it past the limit. The axis is the
// gradient of the swing angle or the twist angle, and the two are perpendicular. After the step, rotations are clamped
// to their limits. A step that increases the error is undone and repeated with more damping (Levenberg, Marquardt).
#include "body/ik_chain_tree.h"

#include "base/finite.h"
#include "core/skeleton_object.h"
#include "base/def_cookie.h"

#include <assert.h>
#include <string.h>

#define ROW_BLOCK 4
#define MAX_ROWS  (6 * IK_MAX_EFFECTORS) // a multiple of ROW_BLOCK

static const ik_linear linear_identity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// ---- Linear maps ---------------------------------------------------------------------------------------------

static ik_linear linear_multiply(const ik_linear *a, const ik_linear *b) {
    return (ik_linear){ik_linear_apply(a, b->x), ik_linear_apply(a, b->y), ik_linear_apply(a, b->z)};
}

static ik_linear linear_transpose(const ik_linear *a) {
    return (ik_linear){{a->x.x, a->y.x, a->z.x}, {a->x.y, a->y.y, a->z.y}, {a->x.z, a->y.z, a->z.z}};
}

// Multiplies the transposed map by a vector.
SINEWI_INLINE sinew_vec3 apply_transposed(const ik_linear *a, sinew_vec3 v) {
    return (sinew_vec3){ik_dot(a->x, v), ik_dot(a->y, v), ik_dot(a->z, v)};
}

// The rows of the inverse are the cross products of the columns, divided by the determinant.
static ik_linear linear_inverse(const ik_linear *a, float *determinant) {
    sinew_vec3 x = ik_cross(a->y, a->z), y = ik_cross(a->z, a->x), z = ik_cross(a->x, a->y);
    *determinant = ik_dot(a->x, x);
    float factor = 1.0f / *determinant;
    ik_linear rows = {ik_scale(x, factor), ik_scale(y, factor), ik_scale(z, factor)};
    return linear_transpose(&rows);
}

static ik_linear linear_from_rotation(sinew_quat q) {
    float xx = 2.0f * q.x * q.x, yy = 2.0f * q.y * q.y, zz = 2.0f * q.z * q.z;
    float xy = 2.0f * q.x * q.y, xz = 2.0f * q.x * q.z, yz = 2.0f * q.y * q.z;
    float wx = 2.0f * q.w * q.x, wy = 2.0f * q.w * q.y, wz = 2.0f * q.w * q.z;
    return (ik_linear){
        {1.0f - yy - zz, xy + wz, xz - wy}, {xy - wz, 1.0f - xx - zz, yz + wx}, {xz + wy, yz - wx, 1.0f - xx - yy}};
}

static ik_linear linear_of(const sinew_affine *m) {
    return (ik_linear){{m->m[0][0], m->m[1][0], m->m[2][0]},
                       {m->m[0][1], m->m[1][1], m->m[2][1]},
                       {m->m[0][2], m->m[1][2], m->m[2][2]}};
}

// ---- Making a tree -------------------------------------------------------------------------------------------

void sinewi_ik_tree_begin(ik_tree *tree) {
    tree->joint_count = tree->effector_count = 0;
    tree->is_rigid = true;
    tree->size = 1.0f;
    tree->root_mobility = tree->bias = 0.0f;
    tree->root = tree->kept_root = tree->root_step = (sinew_vec3){0, 0, 0};
    tree->base_linear = linear_identity;
    tree->base_turn = ik_identity;
}

ik_tree_joint *sinewi_ik_tree_add(ik_tree *tree, const sinew_pose *pose, int32_t node, int32_t parent) {
    ik_tree_joint *joint = &tree->joints[tree->joint_count++];
    joint->node = node, joint->parent = parent;
    joint->offset = (sinew_vec3){pose->tx[node], pose->ty[node], pose->tz[node]};
    joint->start = joint->rotation = joint->kept = ik_get_rotation(pose, node);
    joint->mobility = 1.0f;
    joint->limit.kind = SINEW_IK_LIMIT_FREE;
    joint->at = joint->blocked = 0;
    const sinew_affine *shear = sinewi_skeleton_shear(pose->skeleton, node);
    joint->has_post = shear || pose->sx[node] != 1.0f || pose->sy[node] != 1.0f || pose->sz[node] != 1.0f;
    if (joint->has_post) {
        ik_linear scale = {{pose->sx[node], 0, 0}, {0, pose->sy[node], 0}, {0, 0, pose->sz[node]}};
        ik_linear sheared = shear ? linear_of(shear) : linear_identity;
        joint->post = linear_multiply(&scale, &sheared);
        tree->is_rigid = false;
    }
    return joint;
}

void sinewi_ik_tree_set_limits(ik_tree *tree, const sinew_ik_limit *limits, int32_t count) {
    assert(limits || count <= 0);
    for (int32_t i = 0; i < count; i++) {
        if (!SINEWI_IS_DEF(&limits[i], "sinew_ik_limit: start from sinew_ik_limit_from_rest()")) continue;
        for (int32_t k = 0; k < tree->joint_count; k++) {
            if (tree->joints[k].node != limits[i].node) continue;
            tree->joints[k].limit = sinewi_ik_limit_from(&limits[i]);
            tree->joints[k].mobility = 1.0f - ik_clamp01(limits[i].stiffness);
        }
    }
}

void sinewi_ik_tree_connect(ik_tree *tree) {
    for (int32_t i = 0; i < tree->joint_count; i++) tree->joints[i].moves = tree->joints[i].turns = 0;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        uint32_t bit = 1u << (uint32_t)e;
        int32_t joint = tree->effectors[e].joint;
        if (tree->effectors[e].has_rotation) tree->joints[joint].turns |= bit;
        while ((joint = tree->joints[joint].parent) >= 0) {
            tree->joints[joint].moves |= bit;
            if (tree->effectors[e].has_rotation) tree->joints[joint].turns |= bit;
        }
    }
}

bool sinewi_ik_tree_copy_limb(const ik_tree *tree, int32_t effector, ik_tree *limb) {
    uint32_t bit = 1u << (uint32_t)effector;
    int32_t last = tree->effectors[effector].joint, count = 1, first = last;
    while (tree->joints[first].parent >= 0 && tree->joints[tree->joints[first].parent].moves == bit) {
        first = tree->joints[first].parent;
        count++;
    }
    if (count == 1 || tree->joints[last].moves != 0 || tree->joints[first].parent < 0) return false;

    sinewi_ik_tree_begin(limb);
    limb->is_rigid = tree->is_rigid;
    limb->joint_count = count;
    for (int32_t i = count - 1, k = last; i >= 0; i--, k = tree->joints[k].parent) {
        limb->joints[i] = tree->joints[k];
        limb->joints[i].parent = i - 1;
    }
    limb->root = limb->joints[0].position;
    limb->base_linear = limb->joints[0].linear;
    limb->base_turn = limb->joints[0].turn;
    limb->effectors[0] = tree->effectors[effector];
    limb->effectors[0].joint = count - 1;
    limb->effectors[0].give = 0.0f;
    limb->effectors[0].has_rotation = false;
    limb->effector_count = 1;
    sinewi_ik_tree_connect(limb);
    return true;
}

void sinewi_ik_tree_apply_limits(ik_tree *tree) {
    for (int32_t i = 0; i < tree->joint_count; i++) {
        ik_tree_joint *joint = &tree->joints[i];
        joint->at = sinewi_ik_limit_apply(&joint->limit, &joint->rotation);
        joint->blocked = joint->at;
    }
}

void sinewi_ik_tree_place_one(ik_tree *tree, int32_t i) {
    ik_tree_joint *joint = &tree->joints[i];
    if (joint->parent < 0) {
        float determinant;
        joint->linear = tree->base_linear;
        joint->into =
            tree->is_rigid ? linear_transpose(&joint->linear) : linear_inverse(&joint->linear, &determinant);
        joint->turn = tree->base_turn;
        joint->position = tree->root;
    } else {
        const ik_tree_joint *parent = &tree->joints[joint->parent];
        float determinant;
        joint->linear = parent->own_linear;
        joint->into =
            tree->is_rigid ? linear_transpose(&joint->linear) : linear_inverse(&joint->linear, &determinant);
        joint->turn = parent->own_turn;
        joint->position = ik_add(parent->position, ik_linear_apply(&joint->linear, joint->offset));
    }
    joint->own_turn = ik_multiply(joint->turn, joint->rotation);
    if (tree->is_rigid) {
        joint->own_linear = linear_from_rotation(joint->own_turn);
        return;
    }
    ik_linear rotation = linear_from_rotation(joint->rotation);
    if (joint->has_post) rotation = linear_multiply(&rotation, &joint->post);
    joint->own_linear = linear_multiply(&joint->linear, &rotation);
}

void sinewi_ik_tree_place(ik_tree *tree) {
    for (int32_t i = 0; i < tree->joint_count; i++) sinewi_ik_tree_place_one(tree, i);
}

// ---- Errors --------------------------------------------------------------------------------------------------

// An effector's rotation counts like the displacement of a point this far away, as a part of the tree's size.
static const float rotation_lever = 0.25f;

static sinew_vec3 position_error(const ik_tree *tree, int32_t e) {
    return ik_subtract(tree->effectors[e].target, tree->joints[tree->effectors[e].joint].position);
}

static sinew_vec3 rotation_error(const ik_tree *tree, int32_t e) {
    sinew_quat current = tree->joints[tree->effectors[e].joint].own_turn;
    sinew_quat turn = ik_multiply(tree->effectors[e].rotation, ik_inverse(current));
    return ik_scale(sinewi_rotation_logarithm(turn), rotation_lever * tree->size);
}

float sinewi_ik_tree_error(const ik_tree *tree) {
    float sum = 0.0f;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        sinew_vec3 error = position_error(tree, e);
        sum += ik_dot(error, error) / (1.0f + tree->effectors[e].give);
        if (!tree->effectors[e].has_rotation) continue;
        error = rotation_error(tree, e);
        sum += ik_dot(error, error) / (1.0f + tree->effectors[e].rotation_give);
    }
    return sum;
}

// ---- The axes of a joint -------------------------------------------------------------------------------------

// The axes that increase the swing and twist angles, in the parent's local space. With c the bone's direction at rest
// and d its current one, swing increases about c × d and twist about c + d.
static void limit_axes(const ik_tree_joint *joint, sinew_vec3 *swing, sinew_vec3 *twist) {
    sinew_vec3 rest = joint->limit.axis_in_parent, bone = ik_rotate(joint->rotation, joint->limit.axis);
    sinew_vec3 across = ik_cross(rest, bone), sum = ik_add(rest, bone);
    float across2 = ik_dot(across, across), sum2 = ik_dot(sum, sum);
    *swing = across2 > 1e-12f ? ik_scale(across, 1.0f / sqrtf(across2)) : ik_perpendicular(rest);
    *twist = sum2 > 1e-12f ? ik_scale(sum, 1.0f / sqrtf(sum2)) : ik_cross(*swing, rest);
}

static void find_axes(ik_tree_joint *joint) {
    joint->axis_count = 0;
    if (!(joint->mobility > 0.0f)) return;
    if (joint->limit.kind == SINEW_IK_LIMIT_HINGE) {
        joint->axes[0] = joint->limit.axis_in_parent;
        joint->axis_count = joint->blocked ? 0 : 1;
        return;
    }
    if (!joint->blocked) {
        joint->axes[0] = linear_identity.x, joint->axes[1] = linear_identity.y, joint->axes[2] = linear_identity.z;
        joint->axis_count = 3;
        return;
    }
    sinew_vec3 swing, twist;
    limit_axes(joint, &swing, &twist);
    joint->axes[joint->axis_count++] = ik_cross(swing, twist);
    if (!(joint->blocked & IK_AT_CONE)) joint->axes[joint->axis_count++] = swing;
    if (!(joint->blocked & (IK_AT_LEAST | IK_AT_MOST))) joint->axes[joint->axis_count++] = twist;
}

// The limits that a rotation vector pushes against.
static int find_blocked(const ik_tree_joint *joint, sinew_vec3 wanted) {
    if (joint->at == 0) return 0;
    sinew_vec3 swing = {0, 0, 0}, twist = joint->limit.axis_in_parent;
    if (joint->limit.kind == SINEW_IK_LIMIT_CONE) limit_axes(joint, &swing, &twist);
    float more_twist = ik_dot(wanted, twist);
    int blocked = 0;
    if ((joint->at & IK_AT_CONE) && ik_dot(wanted, swing) > 0.0f) blocked |= IK_AT_CONE;
    if ((joint->at & IK_AT_MOST) && more_twist > 0.0f) blocked |= IK_AT_MOST;
    if ((joint->at & IK_AT_LEAST) && more_twist < 0.0f) blocked |= IK_AT_LEAST;
    return blocked;
}

// ---- The system ----------------------------------------------------------------------------------------------

typedef struct ik_system {
    float m[MAX_ROWS][MAX_ROWS]; // lower triangle
    float y[MAX_ROWS];
    int32_t positions[IK_MAX_EFFECTORS]; // first row of each effector's position
    int32_t rotations[IK_MAX_EFFECTORS]; // first row of each effector's rotation; -1 for none
    int32_t row_count;
} ik_system;

static void lay_out(const ik_tree *tree, ik_system *s) {
    s->row_count = 0;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        s->positions[e] = s->row_count;
        s->row_count += 3;
        s->rotations[e] = tree->effectors[e].has_rotation ? s->row_count : -1;
        if (tree->effectors[e].has_rotation) s->row_count += 3;
    }
    for (int32_t i = 0; i < s->row_count; i++) {
        memset(s->m[i], 0, (size_t)(i / ROW_BLOCK + 1) * ROW_BLOCK * sizeof *s->m[i]);
    }
}

// The vector from a joint to an effector.
static sinew_vec3 lever_of(const ik_tree *tree, const ik_tree_joint *joint, int32_t e) {
    return ik_subtract(tree->joints[tree->effectors[e].joint].position, joint->position);
}

// Derivatives of three rows by a joint's axes.
typedef struct ik_columns {
    int32_t row;
    sinew_vec3 axes[3];
} ik_columns;

static int32_t find_columns(const ik_tree *tree, const ik_system *s, const ik_tree_joint *joint,
                            ik_columns columns[2 * IK_MAX_EFFECTORS]) {
    int32_t count = 0;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        if (joint->moves >> (uint32_t)e & 1u) {
            ik_columns *c = &columns[count++];
            sinew_vec3 lever = ik_linear_apply(&joint->into, lever_of(tree, joint, e));
            c->row = s->positions[e];
            for (int k = 0; k < joint->axis_count; k++)
                c->axes[k] = ik_linear_apply(&joint->linear, ik_cross(joint->axes[k], lever));
        }
        if (joint->turns >> (uint32_t)e & 1u) {
            ik_columns *c = &columns[count++];
            c->row = s->rotations[e];
            for (int k = 0; k < joint->axis_count; k++)
                c->axes[k] = ik_scale(ik_rotate(joint->turn, joint->axes[k]), rotation_lever * tree->size);
        }
    }
    return count;
}

// Adds a bt to the three rows of a and the three columns of b. Only the lower triangle is used.
SINEWI_INLINE void add_product(ik_system *s, int32_t row, int32_t column, sinew_vec3 a, sinew_vec3 b) {
    float *first = &s->m[row][column], *second = &s->m[row + 1][column], *third = &s->m[row + 2][column];
    first[0] += a.x * b.x, first[1] += a.x * b.y, first[2] += a.x * b.z;
    second[0] += a.y * b.x, second[1] += a.y * b.y, second[2] += a.y * b.z;
    third[0] += a.z * b.x, third[1] += a.z * b.y, third[2] += a.z * b.z;
}

static void add_joint_by_axes(const ik_tree *tree, ik_system *s, const ik_tree_joint *joint) {
    ik_columns columns[2 * IK_MAX_EFFECTORS];
    int32_t count = find_columns(tree, s, joint, columns);
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k <= i; k++) {
            for (int axis = 0; axis < joint->axis_count; axis++)
                add_product(s, columns[i].row, columns[k].row, ik_scale(columns[i].axes[axis], joint->mobility),
                            columns[k].axes[axis]);
        }
    }
}

// The same for a joint that rotates about any axis, without scale. For levers a and b from the joint to two effectors,
// the products of derivatives sum to (a . b) 1 - b at over the axes (Lagrange's identity).
static void add_free_joint(const ik_tree *tree, ik_system *s, const ik_tree_joint *joint) {
    sinew_vec3 levers[IK_MAX_EFFECTORS];
    int32_t rows[IK_MAX_EFFECTORS], count = 0;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        if (!(joint->moves >> (uint32_t)e & 1u)) continue;
        levers[count] = lever_of(tree, joint, e);
        rows[count++] = s->positions[e];
    }
    for (int32_t i = 0; i < count; i++) {
        sinew_vec3 a = ik_scale(levers[i], joint->mobility);
        for (int32_t k = 0; k <= i; k++) {
            sinew_vec3 b = levers[k];
            float dot = ik_dot(a, b), *x = &s->m[rows[i]][rows[k]], *y = &s->m[rows[i] + 1][rows[k]],
                  *z = &s->m[rows[i] + 2][rows[k]];
            x[0] += dot - b.x * a.x, x[1] -= b.x * a.y, x[2] -= b.x * a.z;
            y[0] -= b.y * a.x, y[1] += dot - b.y * a.y, y[2] -= b.y * a.z;
            z[0] -= b.z * a.x, z[1] -= b.z * a.y, z[2] += dot - b.z * a.z;
        }
    }
}

static void add_joint(const ik_tree *tree, ik_system *s, const ik_tree_joint *joint) {
    if (joint->axis_count == 0) return;
    if (tree->is_rigid && joint->axis_count == 3 && joint->turns == 0)
        add_free_joint(tree, s, joint);
    else
        add_joint_by_axes(tree, s, joint);
}

static void add_root(const ik_tree *tree, ik_system *s) {
    if (!(tree->root_mobility > 0.0f)) return;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        for (int32_t f = 0; f <= e; f++) {
            for (int k = 0; k < 3; k++) s->m[s->positions[e] + k][s->positions[f] + k] += tree->root_mobility;
        }
    }
}

static void add_damping(const ik_tree *tree, ik_system *s, float damping) {
    float trace = 0.0f;
    for (int32_t i = 0; i < s->row_count; i++) trace += s->m[i][i];
    float mean = trace / (float)s->row_count;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        float give = mean * (damping + tree->effectors[e].give);
        float rotation_give = mean * (damping + tree->effectors[e].rotation_give);
        for (int k = 0; k < 3; k++) {
            s->m[s->positions[e] + k][s->positions[e] + k] += give;
            if (s->rotations[e] >= 0) s->m[s->rotations[e] + k][s->rotations[e] + k] += rotation_give;
        }
    }
}

static void set_rows(float *rows, sinew_vec3 v) {
    rows[0] = v.x, rows[1] = v.y, rows[2] = v.z;
}

static sinew_vec3 get_rows(const float *rows) {
    return (sinew_vec3){rows[0], rows[1], rows[2]};
}

// Shortens a vector to a maximum length.
static sinew_vec3 shorten(sinew_vec3 v, float longest) {
    float square = ik_dot(v, v);
    return square > longest * longest ? ik_scale(v, longest / sqrtf(square)) : v;
}

static void set_errors(const ik_tree *tree, ik_system *s) {
    for (int32_t e = 0; e < tree->effector_count; e++) {
        set_rows(&s->y[s->positions[e]], shorten(position_error(tree, e), 0.5f * tree->size));
        if (s->rotations[e] >= 0)
            set_rows(&s->y[s->rotations[e]], shorten(rotation_error(tree, e), 0.25f * tree->size));
    }
}

// Subtracts factor × column from part of a row. Works in blocks of four, which the compiler vectorizes. Outside that
// part the column is 0.
SINEWI_INLINE void subtract_from_row(float *row, const float *column, float factor, int32_t first, int32_t end) {
    for (int32_t j = first / ROW_BLOCK * ROW_BLOCK; j < end; j += ROW_BLOCK) {
        float a = row[j] - factor * column[j], b = row[j + 1] - factor * column[j + 1];
        float c = row[j + 2] - factor * column[j + 2], d = row[j + 3] - factor * column[j + 3];
        row[j] = a, row[j + 1] = b, row[j + 2] = c, row[j + 3] = d;
    }
}

// Cholesky decomposition and forward substitution, column by column, then back substitution. Each element is one sum in
// a fixed order. The diagonal ends up inverted.
static void solve_system(ik_system *s) {
    float column[MAX_ROWS] = {0};
    int32_t count = s->row_count;
    for (int32_t k = 0; k < count; k++) {
        float square = s->m[k][k], inverse = 1.0f / sqrtf(square > FLT_MIN ? square : FLT_MIN);
        s->m[k][k] = inverse;
        s->y[k] *= inverse;
        column[k] = 0.0f;
        for (int32_t i = k + 1; i < count; i++) {
            column[i] = s->m[i][k] = s->m[i][k] * inverse;
            s->y[i] -= column[i] * s->y[k];
        }
        for (int32_t i = k + 1; i < count; i++) subtract_from_row(s->m[i], column, column[i], k + 1, i + 1);
    }
    for (int32_t k = count - 1; k >= 0; k--) {
        float y = s->y[k] *= s->m[k][k];
        for (int32_t i = 0; i < k; i++) s->y[i] -= s->m[k][i] * y;
    }
}

// ---- A step --------------------------------------------------------------------------------------------------

// The rotation vector by which the effectors pull at a joint, in the parent's local space. With the joint's matrix A,
// it's the sum of (inverse of A × lever) × (At × force). Without scale that is At × (lever × force).
static sinew_vec3 joint_pull(const ik_tree *tree, const ik_system *s, const ik_tree_joint *joint) {
    sinew_vec3 pull = {0, 0, 0}, scaled_pull = {0, 0, 0};
    for (int32_t e = 0; e < tree->effector_count; e++) {
        if (joint->moves >> (uint32_t)e & 1u) {
            sinew_vec3 lever = lever_of(tree, joint, e), force = get_rows(&s->y[s->positions[e]]);
            if (tree->is_rigid)
                pull = ik_add(pull, ik_cross(lever, force));
            else
                scaled_pull = ik_add(scaled_pull, ik_cross(ik_linear_apply(&joint->into, lever),
                                                           apply_transposed(&joint->linear, force)));
        }
        if (joint->turns >> (uint32_t)e & 1u) {
            sinew_vec3 force = ik_scale(get_rows(&s->y[s->rotations[e]]), rotation_lever * tree->size);
            scaled_pull = ik_add(scaled_pull, ik_rotate(ik_inverse(joint->turn), force));
        }
    }
    return ik_add(apply_transposed(&joint->linear, pull), scaled_pull);
}

// The part of a rotation vector along a joint's axes.
static sinew_vec3 along_axes(const ik_tree_joint *joint, sinew_vec3 v) {
    if (joint->axis_count == 3) return v;
    sinew_vec3 sum = {0, 0, 0};
    for (int k = 0; k < joint->axis_count; k++)
        sum = ik_add(sum, ik_scale(joint->axes[k], ik_dot(joint->axes[k], v)));
    return sum;
}

// The step back towards the pose. Twice the sine of half the angle is close enough to the angle.
static sinew_vec3 bias_step(const ik_tree *tree, const ik_tree_joint *joint) {
    sinew_quat back = ik_multiply(joint->start, ik_inverse(joint->rotation));
    float factor = back.w < 0.0f ? -2.0f * tree->bias : 2.0f * tree->bias;
    return along_axes(joint, (sinew_vec3){factor * back.x, factor * back.y, factor * back.z});
}

// Subtracts the bias's effect on the effectors from their errors.
static void subtract_bias(ik_tree *tree, ik_system *s) {
    if (!(tree->bias > 0.0f)) return;
    for (int32_t i = 0; i < tree->joint_count; i++) {
        ik_tree_joint *joint = &tree->joints[i];
        joint->step = bias_step(tree, joint);
        for (int32_t e = 0; e < tree->effector_count; e++) {
            if (!(joint->moves >> (uint32_t)e & 1u)) continue;
            sinew_vec3 lever = ik_linear_apply(&joint->into, lever_of(tree, joint, e));
            sinew_vec3 moved = ik_linear_apply(&joint->linear, ik_cross(joint->step, lever));
            float *rows = &s->y[s->positions[e]];
            rows[0] -= moved.x, rows[1] -= moved.y, rows[2] -= moved.z;
        }
    }
}

// Computes the steps of all joints. Returns true if they are blocked by other limits than assumed.
static bool find_steps(ik_tree *tree, ik_system *s, float damping) {
    lay_out(tree, s);
    for (int32_t i = 0; i < tree->joint_count; i++) {
        find_axes(&tree->joints[i]);
        add_joint(tree, s, &tree->joints[i]);
        tree->joints[i].step = (sinew_vec3){0, 0, 0};
    }
    add_root(tree, s);
    add_damping(tree, s, damping);
    set_errors(tree, s);
    subtract_bias(tree, s);
    solve_system(s);

    bool differs = false;
    for (int32_t i = 0; i < tree->joint_count; i++) {
        ik_tree_joint *joint = &tree->joints[i];
        sinew_vec3 pull = joint_pull(tree, s, joint);
        joint->step = ik_add(joint->step, ik_scale(along_axes(joint, pull), joint->mobility));
        int blocked = find_blocked(joint, pull);
        differs = differs || blocked != joint->blocked;
        joint->blocked = blocked;
    }
    tree->root_step = (sinew_vec3){0, 0, 0};
    for (int32_t e = 0; e < tree->effector_count; e++) {
        sinew_vec3 pull = get_rows(&s->y[s->positions[e]]);
        tree->root_step = ik_add(tree->root_step, ik_scale(pull, tree->root_mobility));
    }
    return differs;
}

// Applies the steps, all scaled by one factor that keeps every joint's rotation within about a radian.
static void make_steps(ik_tree *tree) {
    const float longest = 1.0f;
    float square = 0.0f;
    for (int32_t i = 0; i < tree->joint_count; i++) {
        float step2 = ik_dot(tree->joints[i].step, tree->joints[i].step);
        square = step2 > square ? step2 : square;
    }
    float factor = square > longest * longest ? longest / sqrtf(square) : 1.0f;
    for (int32_t i = 0; i < tree->joint_count; i++) {
        ik_tree_joint *joint = &tree->joints[i];
        joint->kept = joint->rotation, joint->kept_at = joint->at;
        if (joint->axis_count == 0) continue;
        sinew_quat turn = sinewi_rotation_exponential(ik_scale(joint->step, factor));
        joint->rotation = ik_quat_normalize(ik_multiply(turn, joint->rotation));
        joint->at = sinewi_ik_limit_apply(&joint->limit, &joint->rotation);
    }
    tree->kept_root = tree->root;
    tree->root = ik_add(tree->root, ik_scale(tree->root_step, factor));
}

static void undo_steps(ik_tree *tree) {
    for (int32_t i = 0; i < tree->joint_count; i++) {
        ik_tree_joint *joint = &tree->joints[i];
        joint->rotation = joint->kept, joint->at = joint->kept_at;
    }
    tree->root = tree->kept_root;
}

void sinewi_ik_tree_step(ik_tree *tree, float damping) {
    ik_system system;
    if (find_steps(tree, &system, damping)) (void)find_steps(tree, &system, damping);
    make_steps(tree);
    sinewi_ik_tree_place(tree);
}

float sinewi_ik_tree_solve(ik_tree *tree, int32_t iterations, float tolerance, float slowest) {
    ik_system system;
    float error = sinewi_ik_tree_error(tree), damping = 1e-3f;
    for (int32_t i = 0; i < iterations && error > tolerance; i++) {
        if (find_steps(tree, &system, damping)) (void)find_steps(tree, &system, damping);
        make_steps(tree);
        sinewi_ik_tree_place(tree);
        float next = sinewi_ik_tree_error(tree);
        if (next < error) {
            bool is_slow = next > slowest * error;
            error = next;
            if (is_slow) break;
            damping = damping > 1e-5f ? 0.1f * damping : 1e-6f;
        } else {
            undo_steps(tree);
            sinewi_ik_tree_place(tree);
            damping = damping < 1.0f ? 10.0f * damping : damping;
        }
    }
    return error;
}

void sinewi_ik_tree_store(const ik_tree *tree, float weight, sinew_pose *pose) {
    for (int32_t i = 0; i < tree->joint_count; i++) {
        const ik_tree_joint *joint = &tree->joints[i];
        bool changed = joint->rotation.x != joint->start.x || joint->rotation.y != joint->start.y ||
                       joint->rotation.z != joint->start.z || joint->rotation.w != joint->start.w;
        if (changed) ik_set_rotation(pose, joint->node, joint->rotation, weight);
    }
}

// ---- Spaces --------------------------------------------------------------------------------------------------

bool sinewi_ik_tree_space_from(const sinew_affine *model, const sinew_skeleton *skeleton, int32_t root,
                               ik_tree_space *space) {
    int32_t parent = skeleton->parents[root];
    *space = (ik_tree_space){linear_identity, ik_position(&model[root]), ik_identity, false};
    if (parent == SINEW_NO_NODE) return true;
    ik_linear linear = linear_of(&model[parent]);
    float determinant;
    space->into = linear_inverse(&linear, &determinant);
    space->is_mirrored = determinant < 0.0f;
    sinew_affine inverse = {{{space->into.x.x, space->into.y.x, space->into.z.x, 0},
                             {space->into.x.y, space->into.y.y, space->into.z.y, 0},
                             {space->into.x.z, space->into.y.z, space->into.z.z, 0}}};
    if (!(fabsf(determinant) > FLT_MIN) || !sinewi_affine_is_finite(&inverse)) return false;
    space->turn = ik_inverse(sinew_affine_decompose(model[parent]).rotation);
    return true;
}

// sinew_affine_decompose puts a reflection into the x scale, which applies before the rotation. That negates
// rotations about y and z.
sinew_quat sinewi_ik_tree_rotation(const ik_tree_space *space, sinew_quat decomposed) {
    sinew_quat q = ik_multiply(space->turn, decomposed);
    return space->is_mirrored ? (sinew_quat){q.x, -q.y, -q.z, q.w} : q;
}
