// SPDX-License-Identifier: MIT
#include "cli/mirror.h"

#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

// ---- References ----------------------------------------------------------------------------------------------

// Sets the joints of a skin whose parents are joints, too, to the bind pose. False if there is no memory.
static bool set_bind_pose(const sinew_skin *skin, sinew_pose *pose) {
    const sinew_skeleton *skeleton = skin->skeleton;
    int32_t *joint_of = malloc((size_t)skeleton->node_count * sizeof *joint_of);
    if (!joint_of) return false;
    for (int32_t i = 0; i < skeleton->node_count; i++) joint_of[i] = -1;
    for (int32_t i = 0; i < skin->joint_count; i++) joint_of[skin->joints[i]] = i;
    for (int32_t i = 0; i < skin->joint_count; i++) {
        const int32_t node = skin->joints[i], parent = skeleton->parents[node];
        if (parent == SINEW_NO_NODE || joint_of[parent] < 0) continue;
        const sinew_affine bind = sinew_affine_inverse(skin->inverse_binds[i]);
        const sinew_affine local = sinew_affine_multiply(skin->inverse_binds[joint_of[parent]], bind);
        const sinew_transform t = sinew_affine_decompose(local);
        if (isfinite(t.translation.x + t.translation.y + t.translation.z)) sinew_pose_set(pose, node, t);
    }
    free(joint_of);
    return true;
}

// Finds the largest absolute coordinate of a node in a pose. False if there is no memory.
static bool find_size(const sinew_skeleton *skeleton, const sinew_pose *pose, float *size) {
    sinew_affine *model = malloc((size_t)skeleton->node_count * sizeof *model);
    if (!model) return false;
    *size = 0.0f;
    sinew_pose_to_model(pose, model);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        for (int row = 0; row < 3; row++) *size = fmaxf(*size, fabsf(model[i].m[row][3]));
    }
    free(model);
    return true;
}

// ---- Maps ----------------------------------------------------------------------------------------------------

// Finds the roles that a file without VRM data gets, if it is a humanoid. False if there is no memory.
static bool guess_roles(const sinew_asset *asset, sinew_mirror_def *def, sinew_humanoid *guessed) {
    def->humanoid = asset->humanoid;
    if (def->humanoid) return true;
    const sinew_result result = sinew_humanoid_guess(asset->skeleton, asset->up, NULL, guessed, NULL, NULL);
    if (result == SINEW_OK) def->humanoid = guessed;
    return result != SINEW_ERROR_OUT_OF_MEMORY;
}

// Replaces the map by one with the bind pose as the reference if that is more symmetric. False if there is no memory.
static bool try_bind_pose(const sinew_asset *asset, sinew_mirror_def *def, sinew_pose *pose,
                          sinew_mirror **mirror) {
    if (asset->skin_count == 0) return true;
    if (!set_bind_pose(&asset->skins[0], pose)) return false;
    def->reference = pose;
    sinew_mirror *other = NULL;
    const sinew_result result = sinew_mirror_create(def, &other, NULL);
    if (other && other->asymmetry < (*mirror)->asymmetry) {
        sinew_mirror *replaced = *mirror;
        *mirror = other;
        other = replaced;
    }
    sinew_mirror_destroy(other);
    return result != SINEW_ERROR_OUT_OF_MEMORY;
}

static void warn_of_asymmetry(const sinew_mirror *mirror, const char *path, float tolerance) {
    if (!(mirror->asymmetry > tolerance)) return;
    const int32_t node = mirror->asymmetric_node;
    cli_warn(
        "%s: the rest pose is not symmetric: '%s' is %.3g m from the mirror image of '%s'; mirrored poses keep "
        "that difference",
        path, mirror->skeleton->names[node], (double)mirror->asymmetry,
        mirror->skeleton->names[mirror->counterparts[node]]);
}

// Makes the map; NULL, with the error, if that fails.
static sinew_mirror *create(const sinew_asset *asset, const char *path, sinew_pose *pose, sinew_error *error) {
    const float part = 0.02f; // of the size: what is not seen
    float size;
    sinew_humanoid guessed;
    sinew_mirror_def def = sinew_mirror_default();
    sinew_mirror *mirror = NULL;
    def.skeleton = asset->skeleton;
    bool has_memory = guess_roles(asset, &def, &guessed) && find_size(asset->skeleton, pose, &size);
    if (has_memory && sinew_mirror_create(&def, &mirror, error) != SINEW_OK) return NULL;
    if (has_memory && mirror->asymmetry > part * size) has_memory = try_bind_pose(asset, &def, pose, &mirror);
    if (has_memory) {
        warn_of_asymmetry(mirror, path, part * size);
        return mirror;
    }
    sinew_mirror_destroy(mirror);
    return NULL;
}

sinew_mirror *cli_mirror_create(const sinew_asset *asset, const char *path) {
    sinew_pose *pose;
    sinew_mirror *mirror = NULL;
    sinew_error error = {SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
    if (sinew_pose_create(asset->skeleton, NULL, &pose) == SINEW_OK) mirror = create(asset, path, pose, &error);
    if (!mirror) cli_fail("%s: %s", path, error.message);
    sinew_pose_destroy(pose);
    return mirror;
}
