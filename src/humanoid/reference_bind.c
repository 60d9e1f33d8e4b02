// SPDX-License-Identifier: MIT
// The bind pose of an asset's skins.
//
// When the mesh was bound, a joint was at the inverse of its inverse bind matrix, in mesh space. The step from there to
// model space is the rest-pose skin matrix of the joint closest to the root. In most files that's the identity. In
// others it's quarter turns and a scale, like from an armature. Any other rotation means that the rest pose has turned
// that joint. Mesh space then counts as model space.
#include <sinew/humanoid/reference.h>

#include "base/fail.h"
#include "base/memory.h"
#include "core/skeleton_object.h"

#include <assert.h>
#include <math.h>

// A node's joint, in the first skin that has it.
typedef struct bound_joint {
    int32_t skin, joint; // skin is -1 if the node isn't a joint
} bound_joint;

typedef struct binding {
    const sinew_asset *asset;
    sinew_pose *pose;
    sinew_affine *rest, *model; // [node_count], model matrices
    bound_joint *joints;        // [node_count]
    sinew_affine *spaces;       // [skin_count], from mesh space to model space
} binding;

static bool is_finite(const sinew_affine *matrix) {
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            if (!isfinite(matrix->m[row][column])) return false;
    return true;
}

static void compute_rest(binding *b) {
    const sinew_skeleton *skeleton = b->asset->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const sinew_affine local = sinewi_skeleton_rest_local(skeleton, i);
        const int32_t parent = skeleton->parents[i];
        b->rest[i] = parent == SINEW_NO_NODE ? local : sinew_affine_multiply(b->rest[parent], local);
    }
}

// Whether a rotation maps axes to axes, within 1 degree.
static bool is_aligned(sinew_quat q) {
    const sinew_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        const sinew_vec3 v = sinew_quat_rotate(q, axes[i]);
        const float largest = fmaxf(fabsf(v.x), fmaxf(fabsf(v.y), fabsf(v.z)));
        if (!(largest > 0.99985f)) return false;
    }
    return true;
}

static bool is_one(sinew_transform t) {
    const float rounding = 1e-3f;
    return fabsf(t.rotation.w) > 1.0f - rounding && fabsf(t.scale.x - 1.0f) < rounding &&
           fabsf(t.scale.y - 1.0f) < rounding && fabsf(t.scale.z - 1.0f) < rounding;
}

// The transform from a skin's mesh space to model space.
static sinew_affine space_of(const binding *b, const sinew_skin *skin) {
    int32_t first = 0;
    for (int32_t i = 1; i < skin->joint_count; i++)
        if (skin->joints[i] < skin->joints[first]) first = i;
    const sinew_affine space = sinew_affine_multiply(b->rest[skin->joints[first]], skin->inverse_binds[first]);
    const sinew_transform t = sinew_affine_decompose(space);
    return is_aligned(t.rotation) && !is_one(t) ? space : sinew_affine_identity();
}

static void find_joints(binding *b) {
    for (int32_t i = 0; i < b->asset->skeleton->node_count; i++) b->joints[i] = (bound_joint){-1, 0};
    for (int32_t s = b->asset->skin_count - 1; s >= 0; s--) { // the first skin writes last
        const sinew_skin *skin = &b->asset->skins[s];
        if (skin->joint_count > 0) b->spaces[s] = space_of(b, skin);
        for (int32_t i = 0; i < skin->joint_count; i++) b->joints[skin->joints[i]] = (bound_joint){s, i};
    }
}

static bool is_near(float a, float b, float rounding) {
    return fabsf(a - b) <= rounding;
}

// Whether two transforms are equal within the rounding of inverse bind matrices.
static bool is_same(sinew_transform a, sinew_transform b) {
    const float rounding = 1e-4f, far = 1.0f + sinew_vec3_length(b.translation);
    const float size = 1.0f + sinew_vec3_length(b.scale);
    const float dot = a.rotation.x * b.rotation.x + a.rotation.y * b.rotation.y + a.rotation.z * b.rotation.z +
                      a.rotation.w * b.rotation.w;
    return sinew_vec3_length(sinew_vec3_subtract(a.translation, b.translation)) <= rounding * far &&
           sinew_vec3_length(sinew_vec3_subtract(a.scale, b.scale)) <= rounding * size &&
           is_near(fabsf(dot), 1.0f, 1e-6f);
}

// Sets a joint, and sets `differs` if it isn't at rest. Returns false if its matrix has no inverse.
static bool set_joint(binding *b, int32_t node, bool *differs) {
    const bound_joint joint = b->joints[node];
    const int32_t parent = b->asset->skeleton->parents[node];
    const sinew_affine bound = sinew_affine_inverse(b->asset->skins[joint.skin].inverse_binds[joint.joint]);
    sinew_affine local = sinew_affine_multiply(b->spaces[joint.skin], bound);
    if (parent != SINEW_NO_NODE) local = sinew_affine_multiply(sinew_affine_inverse(b->model[parent]), local);
    if (!is_finite(&local)) return false;
    const sinew_transform transform = sinew_affine_decompose(local);
    if (is_same(transform, sinew_pose_get(b->pose, node))) return true;
    sinew_pose_set(b->pose, node, transform);
    *differs = true;
    return true;
}

// Sets all joints, parents first.
static bool set_joints(binding *b, bool *differs) {
    const sinew_skeleton *skeleton = b->asset->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (b->joints[i].skin >= 0 && !set_joint(b, i, differs)) return false;
        const sinew_affine local = sinew_affine_from_transform(sinew_pose_get(b->pose, i));
        const int32_t parent = skeleton->parents[i];
        b->model[i] = parent == SINEW_NO_NODE ? local : sinew_affine_multiply(b->model[parent], local);
    }
    return true;
}

static sinew_result bind(binding *b, sinewi_arena *scratch, bool *differs, sinew_error *error) {
    const size_t nodes = (size_t)b->asset->skeleton->node_count;
    b->rest = sinewi_arena_array(scratch, sinew_affine, nodes);
    b->model = sinewi_arena_array(scratch, sinew_affine, nodes);
    b->joints = sinewi_arena_array(scratch, bound_joint, nodes);
    b->spaces = sinewi_arena_array(scratch, sinew_affine, (size_t)b->asset->skin_count);
    if (!b->rest || !b->model || !b->joints || !b->spaces) return sinewi_fail_memory(error);
    compute_rest(b);
    find_joints(b);
    if (set_joints(b, differs)) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, "an inverse bind matrix has no inverse");
}

sinew_result sinew_reference_bind_pose(const sinew_asset *asset, const sinew_allocator *allocator, sinew_pose *pose,
                                       bool *differs, sinew_error *error) {
    assert(asset && pose && pose->skeleton == asset->skeleton);
    bool unused;
    if (!differs) differs = &unused;
    *differs = false;
    sinew_pose_reset(pose);
    if (asset->skin_count == 0) return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, "the file has no skin");
    binding b = {.asset = asset, .pose = pose};
    sinewi_arena scratch;
    sinewi_arena_init(&scratch, allocator);
    const sinew_result result = bind(&b, &scratch, differs, error);
    sinewi_arena_free(&scratch);
    if (result != SINEW_OK) sinew_pose_reset(pose);
    return result;
}
