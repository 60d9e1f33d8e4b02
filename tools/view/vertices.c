// SPDX-License-Identifier: MIT
// Poses vertices and computes their bounds.
#include "view/vertices.h"

#include "render/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Memory --------------------------------------------------------------------------------------------------

void view_vertices_free(view_vertices *v) {
    free(v->positions);
    free(v->normals);
    free(v->morphed);
    free(v->joints);
    free(v->weights);
    free(v->palette);
    *v = (view_vertices){0};
}

typedef struct needs {
    size_t vertices, largest_primitive, largest_skin;
} needs;

static void add_needs(needs *n, const sinew_asset *asset) {
    for (int32_t i = 0; i < asset->skin_count; i++) {
        size_t joints = (size_t)asset->skins[i].joint_count;
        if (joints > n->largest_skin) n->largest_skin = joints;
    }
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh *mesh = &asset->meshes[asset->mesh_nodes[i].mesh];
        for (int32_t k = 0; draw_is_shown(&asset->mesh_nodes[i]) && k < mesh->primitive_count; k++) {
            size_t count = (size_t)mesh->primitives[k].vertex_count;
            n->vertices += count;
            if (count > n->largest_primitive) n->largest_primitive = count;
        }
    }
}

bool view_vertices_make_room(view_vertices *vertices, const sinew_scene *scene) {
    view_vertices room = {0}, *v = &room;
    needs n = {1, 1, 1}; // nothing may have size 0
    for (int32_t i = 0; i < sinew_scene_instance_count(scene); i++) {
        add_needs(&n, sinew_scene_asset(scene, sinew_scene_instance(scene, i)));
    }
    if (n.vertices > INT32_MAX) return false;
    v->capacity = (int32_t)n.vertices;
    v->positions = malloc(n.vertices * 3 * sizeof *v->positions);
    v->normals = malloc(n.vertices * 3 * sizeof *v->normals);
    v->morphed = malloc(n.largest_primitive * 6 * sizeof *v->morphed);
    v->joints = calloc(n.largest_primitive * 4, sizeof *v->joints);
    v->weights = calloc(n.largest_primitive * 4, sizeof *v->weights);
    v->palette = malloc(n.largest_skin * sizeof *v->palette);
    const bool good = v->positions && v->normals && v->morphed && v->joints && v->weights && v->palette;
    for (size_t i = 0; good && i < n.largest_primitive; i++) v->weights[4 * i] = 1.0f;
    view_vertices_free(good ? vertices : v);
    if (good) *vertices = room;
    return good;
}

// ---- Posing --------------------------------------------------------------------------------------------------

// Writes the palette in world space. For a mesh without a skin, that's the node's world matrix.
static void write_palette(view_vertices *v, const sinew_scene *scene, sinew_scene_node node,
                          const sinew_mesh_node *mesh_node, bool skinned) {
    const sinew_affine world = sinew_scene_world(scene, node);
    if (!skinned) {
        v->palette[0] = sinew_scene_world(scene, sinew_scene_joint(node, mesh_node->node));
        return;
    }
    const sinew_affine *palette = sinew_scene_palette(scene, node, mesh_node->skin);
    const int32_t joints = sinew_scene_asset(scene, node)->skins[mesh_node->skin].joint_count;
    for (int32_t i = 0; i < joints; i++) v->palette[i] = sinew_affine_multiply(world, palette[i]);
}

static void skin_primitive(view_vertices *v, const sinew_scene *scene, sinew_scene_node node,
                           const sinew_mesh_node *mesh_node, const sinew_primitive *p) {
    const size_t floats = (size_t)p->vertex_count * 3;
    sinew_skin_job job = sinew_primitive_skin_job(p);
    if (p->target_count > 0) {
        const int32_t *offsets = sinew_scene_asset(scene, node)->skeleton->weight_offsets;
        const float *mine = sinew_scene_weights(scene, node) + offsets[mesh_node->node];
        sinew_morph(p->positions, p->target_positions, mine, p->target_count, (int32_t)floats, v->morphed);
        job.positions = v->morphed;
        if (p->normals) {
            sinew_morph(p->normals, p->target_normals, mine, p->target_count, (int32_t)floats, v->morphed + floats);
            job.normals = v->morphed + floats;
        }
    }
    const bool skinned = mesh_node->skin >= 0 && p->influences > 0;
    write_palette(v, scene, node, mesh_node, skinned);
    if (!skinned) {
        job.influences = 4;
        job.joints = v->joints;
        job.weights = v->weights;
    }
    job.out_positions = v->positions + 3 * (size_t)v->count;
    float *normals = v->normals + 3 * (size_t)v->count;
    job.out_normals = p->normals ? normals : NULL;
    if (!p->normals) memset(normals, 0, floats * sizeof *normals);
    sinew_skin_vertices(&job, v->palette, 0, p->vertex_count);
    v->count += p->vertex_count;
}

void view_vertices_pose(view_vertices *vertices, const sinew_scene *scene) {
    vertices->count = 0;
    for (int32_t n = 0; n < sinew_scene_instance_count(scene); n++) {
        const sinew_scene_node node = sinew_scene_instance(scene, n);
        const sinew_asset *asset = sinew_scene_asset(scene, node);
        for (int32_t i = 0; i < asset->mesh_node_count; i++) {
            const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
            const sinew_mesh *mesh = &asset->meshes[mesh_node->mesh];
            for (int32_t k = 0; draw_is_shown(mesh_node) && k < mesh->primitive_count; k++) {
                skin_primitive(vertices, scene, node, mesh_node, &mesh->primitives[k]);
            }
        }
    }
}

// ---- Bounds --------------------------------------------------------------------------------------------------

typedef struct box {
    sinew_vec3 least, most;
    bool empty;
} box;

static void add_to_box(box *b, sinew_vec3 p) {
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) return;
    if (b->empty) *b = (box){p, p, false};
    b->least = (sinew_vec3){fminf(b->least.x, p.x), fminf(b->least.y, p.y), fminf(b->least.z, p.z)};
    b->most = (sinew_vec3){fmaxf(b->most.x, p.x), fmaxf(b->most.y, p.y), fmaxf(b->most.z, p.z)};
}

sinew_box view_vertices_box(const view_vertices *v, const sinew_scene *scene) {
    box b = {.empty = true};
    for (size_t i = 0; i < (size_t)v->count; i++) {
        add_to_box(&b, (sinew_vec3){v->positions[3 * i], v->positions[3 * i + 1], v->positions[3 * i + 2]});
    }
    for (int32_t n = 0; v->count == 0 && n < sinew_scene_instance_count(scene); n++) {
        const sinew_scene_node node = sinew_scene_instance(scene, n);
        for (int32_t i = 0; i < sinew_scene_asset(scene, node)->skeleton->node_count; i++) {
            const sinew_affine m = sinew_scene_world(scene, sinew_scene_joint(node, i));
            add_to_box(&b, (sinew_vec3){m.m[0][3], m.m[1][3], m.m[2][3]});
        }
    }
    const sinew_vec3 half = {0.5f, 0.5f, 0.5f};
    if (!b.empty && sinew_vec3_length(sinew_vec3_subtract(b.most, b.least)) > 0.0f)
        return (sinew_box){b.least, b.most};
    return (sinew_box){sinew_vec3_subtract(b.least, half), sinew_vec3_add(b.most, half)};
}
