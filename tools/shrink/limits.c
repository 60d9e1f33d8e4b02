// SPDX-License-Identifier: MIT
// Counts how much work a pose is, and its limit.
#include "shrink/limits.h"

#include <stdio.h>
#include <sys/stat.h>

// The library's own limits, in numbers per byte of the file.
#define FREE_NUMBERS 4194304.0
#define EXPANSION    256.0

// An asset takes up at least this fraction of the bytes read. This makes external buffers count.
#define MIN_PART 8

// Numbers in a matrix. A position with a morph target or an influence counts as one.
#define MATRIX 16.0

// Counts in double, which can't overflow.
static double primitive_work(const sinew_primitive *primitive, double joints) {
    double vectors = 1.0 + (double)primitive->target_count + (double)primitive->influences;
    return MATRIX * (1.0 + joints) + vectors * (double)primitive->vertex_count;
}

double limits_pose_work(const sinew_asset *asset) {
    double work = MATRIX * (double)asset->skeleton->node_count;
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        const sinew_mesh *mesh = &asset->meshes[mesh_node->mesh];
        const double joints = mesh_node->skin >= 0 ? (double)asset->skins[mesh_node->skin].joint_count : 0.0;
        work += MATRIX * (1.0 + joints);
        for (int32_t k = 0; k < mesh->primitive_count; k++) work += primitive_work(&mesh->primitives[k], joints);
    }
    return work;
}

double limits_allowed_work(const sinew_asset *asset, const char *path) {
    struct stat status;
    double size = stat(path, &status) == 0 ? (double)status.st_size : 0.0;
    double part = (double)asset->memory / MIN_PART;
    return FREE_NUMBERS + EXPANSION * (size > part ? size : part);
}

bool limits_allow_pose(const sinew_asset *asset, const char *path, char *error, size_t size) {
    const double work = limits_pose_work(asset), allowed = limits_allowed_work(asset, path);
    if (work <= allowed) return true;
    snprintf(error, size,
             "%.400s: nodes share meshes or skins too often: a pose has %.0f numbers, but a file of this size may "
             "have %.0f; share them among fewer nodes",
             path, work, allowed);
    return false;
}
