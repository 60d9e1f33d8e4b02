// SPDX-License-Identifier: MIT
// Computes the vertices of an asset in a pose.
#include "support/posed_asset.h"

#ifdef SINEW_HAVE_MESHOPTIMIZER
#include "cli/cli.h"
#endif

#include <stdio.h>

// ---- Files -------------------------------------------------------------------------------------------------------

#ifdef SINEW_HAVE_MESHOPTIMIZER
const bool posed_can_decode = true;
static const sinew_meshopt_decode decode = cli_decode_meshopt;
#else
const bool posed_can_decode = false;
static const sinew_meshopt_decode decode = NULL;
#endif

sinew_asset *posed_load(const char *path, sinew_up up) {
    sinew_gltf_options options = sinew_gltf_default();
    options.up = up;
    options.meshopt_decode = decode;
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_file(path, &options, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    return asset;
}

sinew_asset *posed_load_model(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", SINEW_MODELS, name);
    return posed_load(path, SINEW_UP_Y);
}

// ---- Vertices ----------------------------------------------------------------------------------------------------

posed posed_make(const sinew_asset *asset) {
    posed p = {.asset = asset};
    size_t joints = 1, vertices = 1;
    for (int32_t i = 0; i < asset->skin_count; i++)
        if ((size_t)asset->skins[i].joint_count > joints) joints = (size_t)asset->skins[i].joint_count;
    for (int32_t i = 0; i < asset->mesh_count; i++)
        for (int32_t k = 0; k < asset->meshes[i].primitive_count; k++)
            if ((size_t)asset->meshes[i].primitives[k].vertex_count > vertices)
                vertices = (size_t)asset->meshes[i].primitives[k].vertex_count;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &p.pose), SINEW_OK);
    p.model = calloc((size_t)asset->skeleton->node_count + 1, sizeof *p.model);
    p.palette = calloc(joints, sizeof *p.palette);
    p.morphed = calloc(3 * vertices, sizeof *p.morphed);
    p.moved = calloc(3 * vertices, sizeof *p.moved);
    p.exact = calloc(3 * vertices, sizeof *p.exact);
    return p;
}

void posed_free(posed *p) {
    sinew_pose_destroy(p->pose);
    free(p->model);
    free(p->palette);
    free(p->morphed);
    free(p->moved);
    free(p->exact);
}

static void multiply_point(const sinew_affine *m, const double v[3], double out[3]) {
    for (int r = 0; r < 3; r++) out[r] = m->m[r][0] * v[0] + m->m[r][1] * v[1] + m->m[r][2] * v[2] + m->m[r][3];
}

static void exact_vertex(const posed *p, const sinew_mesh_node *mesh_node, const sinew_primitive *of, int32_t v,
                         double out[3]) {
    const float *weights = p->pose->weights + p->asset->skeleton->weight_offsets[mesh_node->node];
    double at[3], in_joint[3], moved[3];
    for (int k = 0; k < 3; k++) {
        at[k] = of->positions[3 * v + k];
        for (int32_t t = 0; t < of->target_count; t++)
            if (of->target_positions[t]) at[k] += (double)weights[t] * of->target_positions[t][3 * v + k];
    }
    if (mesh_node->skin < 0 || of->influences == 0) {
        multiply_point(&p->model[mesh_node->node], at, out);
        return;
    }
    const sinew_skin *skin = &p->asset->skins[mesh_node->skin];
    out[0] = out[1] = out[2] = 0.0;
    for (int32_t i = 0; i < of->influences; i++) {
        int32_t joint = of->joints[v * of->influences + i];
        multiply_point(&skin->inverse_binds[joint], at, in_joint);
        multiply_point(&p->model[skin->joints[joint]], in_joint, moved);
        for (int k = 0; k < 3; k++) out[k] += (double)of->weights[v * of->influences + i] * moved[k];
    }
}

void posed_move(posed *p, const sinew_mesh_node *mesh_node, const sinew_primitive *of) {
    const float *weights = p->pose->weights + p->asset->skeleton->weight_offsets[mesh_node->node];
    for (int32_t v = 0; v < of->vertex_count; v++) exact_vertex(p, mesh_node, of, v, p->exact + 3 * (ptrdiff_t)v);
    sinew_morph(of->positions, of->target_positions, weights, of->target_count, 3 * of->vertex_count, p->morphed);
    if (mesh_node->skin >= 0 && of->influences > 0) {
        sinew_skin_palette(&p->asset->skins[mesh_node->skin], p->model, p->palette);
        sinew_skin_job job = sinew_primitive_skin_job(of);
        job.positions = p->morphed, job.out_positions = p->moved;
        sinew_skin_vertices(&job, p->palette, 0, of->vertex_count);
        return;
    }
    for (int32_t v = 0; v < of->vertex_count; v++) {
        const float *at = p->morphed + 3 * (ptrdiff_t)v;
        sinew_vec3 moved = sinew_affine_point(p->model[mesh_node->node], (sinew_vec3){at[0], at[1], at[2]});
        memcpy(p->moved + 3 * (ptrdiff_t)v, &moved, sizeof moved);
    }
}
