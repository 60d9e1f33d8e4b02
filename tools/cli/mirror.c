// SPDX-License-Identifier: MIT
#include "cli/mirror.h"

#include "cli/cli.h"

#include <sinew/humanoid/reference.h>

#include <math.h>
#include <stdlib.h>

// ---- References ----------------------------------------------------------------------------------------------

// Finds the largest absolute coordinate of any node in a pose. Returns false if memory runs out.
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

// Finds the roles if a file without VRM data is a humanoid. Returns false if memory runs out.
static bool find_roles(const sinew_asset *asset, sinew_mirror_def *def, sinew_humanoid *found) {
    const sinew_result result = sinew_humanoid_find(asset, NULL, found, NULL, NULL);
    if (result == SINEW_OK) def->humanoid = found;
    return result != SINEW_ERROR_OUT_OF_MEMORY;
}

// Replaces the map if another reference makes it more symmetric. Returns false if memory runs out.
static bool try_pose(sinew_mirror_def *def, const sinew_pose *pose, sinew_mirror **mirror) {
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

// Tries the bind pose and the reference that retargeting would choose.
static bool try_other_poses(const sinew_asset *asset, sinew_mirror_def *def, sinew_pose *pose,
                            sinew_mirror **mirror) {
    sinew_result result = sinew_reference_bind_pose(asset, NULL, pose, NULL, NULL);
    if (result == SINEW_OK && !try_pose(def, pose, mirror)) return false;
    if (result == SINEW_ERROR_OUT_OF_MEMORY || !def->humanoid) return result != SINEW_ERROR_OUT_OF_MEMORY;
    result = sinew_reference_find(asset, def->humanoid, NULL, pose, NULL, NULL);
    return result == SINEW_OK ? try_pose(def, pose, mirror) : result != SINEW_ERROR_OUT_OF_MEMORY;
}

static void warn_of_asymmetry(const sinew_mirror *mirror, const char *path, float tolerance) {
    if (!(mirror->asymmetry > tolerance)) return;
    const int32_t node = mirror->asymmetric_node;
    cli_warn("%s: no pose is symmetric: '%s' is %.3g m from the mirror image of '%s', and mirrored poses keep "
             "that difference",
             path, mirror->skeleton->names[node], (double)mirror->asymmetry,
             mirror->skeleton->names[mirror->counterparts[node]]);
}

// Makes the map. On failure, fills in the error and returns NULL.
static sinew_mirror *create(const sinew_asset *asset, const char *path, sinew_pose *pose, sinew_error *error) {
    const float part = 0.02f; // fraction of the size; too small to see
    float size;
    sinew_humanoid found;
    sinew_mirror_def def = sinew_mirror_default();
    sinew_mirror *mirror = NULL;
    def.skeleton = asset->skeleton;
    bool has_memory = find_roles(asset, &def, &found) && find_size(asset->skeleton, pose, &size);
    if (has_memory && sinew_mirror_create(&def, &mirror, error) != SINEW_OK) return NULL;
    if (has_memory && mirror->asymmetry > part * size) has_memory = try_other_poses(asset, &def, pose, &mirror);
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
