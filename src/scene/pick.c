// SPDX-License-Identifier: MIT
// Picks posed assets: bounds first, then the triangles of meshes whose bounds the ray hits.
//
// The ray is in model space, and distances are in lengths of its direction. `r` is scratch memory from the caller. `t`
// is the primitive whose triangles are tested. `p` is a primitive or the corners of a triangle. Barycentrics are the
// weights of a triangle's three corners at the hit.
#include <sinew/scene/pick.h>

#include "base/float_rules.h"
#include "base/memory.h"
#include "core/bounds_object.h"

#include <math.h>

// ---- Scratch memory --------------------------------------------------------------------------------------------

typedef struct pick_scratch {
    sinew_box *boxes;      // [box_count], in the pose
    sinew_box *node_boxes; // [node_count], the union of each node's boxes
    sinew_affine *palette; // [largest joint count of any skin]
    float *morphed;        // [3 × largest vertex count of any primitive], after morph targets
    float *posed;          // [same], after skinning
} pick_scratch;

// The arrays in scratch memory, sized for the asset's largest skin and primitive.
static pick_scratch lay_out(sinewi_layout *layout, const sinew_asset *asset) {
    size_t joints = 0, vertices = 0;
    for (int32_t i = 0; i < asset->skin_count; i++) {
        size_t count = (size_t)asset->skins[i].joint_count;
        joints = count > joints ? count : joints;
    }
    for (int32_t i = 0; i < asset->mesh_count; i++) {
        for (int32_t k = 0; k < asset->meshes[i].primitive_count; k++) {
            size_t count = (size_t)asset->meshes[i].primitives[k].vertex_count;
            vertices = count > vertices ? count : vertices;
        }
    }
    pick_scratch r;
    r.boxes = sinewi_layout_array(layout, sinew_box, (size_t)asset->bounds->box_count, alignof(sinew_box));
    r.node_boxes = sinewi_layout_array(layout, sinew_box, (size_t)asset->skeleton->node_count, alignof(sinew_box));
    r.palette = sinewi_layout_array(layout, sinew_affine, joints, alignof(sinew_affine));
    r.morphed = sinewi_layout_array(layout, float, 3 * vertices, alignof(float));
    r.posed = sinewi_layout_array(layout, float, 3 * vertices, alignof(float));
    return r;
}

size_t sinew_asset_pick_size(const sinew_asset *asset) {
    sinewi_layout measure = {0};
    lay_out(&measure, asset);
    return measure.size;
}

// ---- Bounds --------------------------------------------------------------------------------------------------

// Bounds of each node in the pose.
static void compute_boxes(const pick_scratch *r, const sinew_asset *asset, const sinew_affine *model,
                          const float *weights) {
    const sinew_bounds *bounds = asset->bounds;
    sinewi_bounds_pose_boxes(bounds, model, weights, r->boxes);
    for (int32_t i = 0; i < asset->skeleton->node_count; i++) r->node_boxes[i] = sinew_box_empty();
    for (int32_t i = 0; i < bounds->box_count; i++) {
        sinew_box *box = &r->node_boxes[bounds->nodes[i]];
        *box = sinew_box_union(*box, r->boxes[i]);
    }
}

// Bounds of a mesh node. A skinned vertex is a mean over its joints, so the union of all joints' boxes contains it.
static sinew_box instance_box(const pick_scratch *r, const sinew_asset *asset, const sinew_mesh_node *mesh_node) {
    sinew_box box = r->node_boxes[mesh_node->node];
    if (mesh_node->skin < 0) return box;
    const sinew_skin *skin = &asset->skins[mesh_node->skin];
    for (int32_t i = 0; i < skin->joint_count; i++) box = sinew_box_union(box, r->node_boxes[skin->joints[i]]);
    return box;
}

// ---- Vertices ------------------------------------------------------------------------------------------------

// One primitive of a mesh node.
typedef struct pick_target {
    const sinew_asset *asset;
    const sinew_mesh_node *mesh_node;
    const sinew_primitive *primitive;
    const sinew_affine *model;
    const float *weights; // of the mesh node's node; may be NULL
} pick_target;

static bool is_skinned(const pick_target *t) {
    return t->mesh_node->skin >= 0 && t->primitive->influences > 0;
}

static const float *morph_positions(const pick_scratch *r, const pick_target *t) {
    const sinew_primitive *p = t->primitive;
    if (!t->weights || p->target_count == 0) return p->positions;
    sinew_morph(p->positions, p->target_positions, t->weights, p->target_count, 3 * p->vertex_count, r->morphed);
    return r->morphed;
}

// Computes the primitive's vertices in model space: morphed, then skinned or moved by the mesh node's node.
static void pose_vertices(const pick_scratch *r, const pick_target *t) {
    const sinew_primitive *p = t->primitive;
    const float *from = morph_positions(r, t);
    if (is_skinned(t)) {
        sinew_skin_job job = sinew_primitive_skin_job(p);
        job.positions = from;
        job.out_positions = r->posed;
        sinew_skin_vertices(&job, r->palette, 0, p->vertex_count);
        return;
    }
    const sinew_affine world = t->model[t->mesh_node->node];
    for (ptrdiff_t i = 0; i < p->vertex_count; i++) {
        sinew_vec3 v = sinew_affine_point(world, (sinew_vec3){from[3 * i], from[3 * i + 1], from[3 * i + 2]});
        r->posed[3 * i] = v.x, r->posed[3 * i + 1] = v.y, r->posed[3 * i + 2] = v.z;
    }
}

// ---- The hit -------------------------------------------------------------------------------------------------

static sinew_vec3 get_corner(const pick_scratch *r, const pick_target *t, int32_t triangle, int32_t corner) {
    const float *at = r->posed + 3 * (size_t)t->primitive->indices[3 * triangle + corner];
    return (sinew_vec3){at[0], at[1], at[2]};
}

typedef struct dvec3 {
    double x, y, z;
} dvec3;

static dvec3 difference(sinew_vec3 a, sinew_vec3 b) {
    return (dvec3){(double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z};
}

// The normal that faces the ray. In double precision, so no triangle size overflows or underflows when squared.
static sinew_vec3 normal_towards(sinew_ray ray, const sinew_vec3 p[3]) {
    dvec3 a = difference(p[1], p[0]), b = difference(p[2], p[0]);
    dvec3 n = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    double along = n.x * (double)ray.direction.x + n.y * (double)ray.direction.y + n.z * (double)ray.direction.z;
    double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    double factor = (along > 0.0 ? -1.0 : 1.0) / length;
    return (sinew_vec3){(float)(factor * n.x), (float)(factor * n.y), (float)(factor * n.z)};
}

// A joint's skin weight at the hit position.
static float joint_weight(const sinew_primitive *p, int32_t triangle, const float barycentrics[3], uint16_t joint) {
    float sum = 0.0f;
    for (int32_t c = 0; c < 3; c++) {
        size_t first = (size_t)p->indices[3 * triangle + c] * (size_t)p->influences;
        for (size_t i = first; i < first + (size_t)p->influences; i++)
            if (p->joints[i] == joint) sum += barycentrics[c] * p->weights[i];
    }
    return sum;
}

// The node of a hit: the joint with the largest weight at the hit position, or the mesh node's node without a skin.
static int32_t find_hit_node(const pick_target *t, const sinew_triangle_hit *hit) {
    const sinew_primitive *p = t->primitive;
    if (!is_skinned(t)) return t->mesh_node->node;
    float most = -1.0f;
    uint16_t joint = 0;
    for (int32_t c = 0; c < 3; c++) {
        const uint16_t *joints = p->joints + (size_t)p->indices[3 * hit->triangle + c] * (size_t)p->influences;
        for (int32_t i = 0; i < p->influences; i++) {
            float weight = joint_weight(p, hit->triangle, hit->barycentrics, joints[i]);
            if (weight > most) most = weight, joint = joints[i];
        }
    }
    return t->asset->skins[t->mesh_node->skin].joints[joint];
}

static float interpolate(const float barycentrics[3], float a, float b, float c) {
    return barycentrics[0] * a + barycentrics[1] * b + barycentrics[2] * c;
}

// Describes a triangle hit: its place, mesh node, primitive and node. `r` holds the posed vertices of `t`.
static void fill_hit(const pick_scratch *r, const pick_target *t, sinew_ray ray, const sinew_triangle_hit *found,
                     sinew_asset_hit *hit) {
    sinew_vec3 p[3];
    for (int32_t c = 0; c < 3; c++) p[c] = get_corner(r, t, found->triangle, c);
    const float *b = found->barycentrics;
    *hit = (sinew_asset_hit){
        .mesh_node = (int32_t)(t->mesh_node - t->asset->mesh_nodes),
        .primitive = (int32_t)(t->primitive - t->asset->meshes[t->mesh_node->mesh].primitives),
        .triangle = found->triangle,
        .barycentrics = {b[0], b[1], b[2]},
        .node = find_hit_node(t, found),
        .distance = found->distance,
        .position = {interpolate(b, p[0].x, p[1].x, p[2].x), interpolate(b, p[0].y, p[1].y, p[2].y),
                     interpolate(b, p[0].z, p[1].z, p[2].z)},
        .normal = normal_towards(ray, p),
    };
}

// ---- Instances -----------------------------------------------------------------------------------------------

// Finds an instance's nearest hit that is closer than max_distance.
static bool pick_instance(const pick_scratch *r, pick_target *t, sinew_ray ray, float max_distance,
                          sinew_asset_hit *hit) {
    const sinew_mesh *mesh = &t->asset->meshes[t->mesh_node->mesh];
    bool hit_any = false;
    if (t->mesh_node->skin >= 0) sinew_skin_palette(&t->asset->skins[t->mesh_node->skin], t->model, r->palette);
    for (int32_t k = 0; k < mesh->primitive_count; k++) {
        sinew_triangle_hit found;
        t->primitive = &mesh->primitives[k];
        if (t->primitive->index_count == 0) continue;
        pose_vertices(r, t);
        if (!sinew_pick_triangles(ray, r->posed, t->primitive->indices, t->primitive->index_count, max_distance,
                                  &found))
            continue;
        fill_hit(r, t, ray, &found, hit);
        max_distance = found.distance;
        hit_any = true;
    }
    return hit_any;
}

// Tests the bounds of the pose, then the bounds of each drawn mesh node, then its triangles. The nearest hit wins.
bool sinew_asset_pick(const sinew_asset *asset, const sinew_affine *model, const float *weights, sinew_ray ray,
                      void *scratch, sinew_asset_hit *hit) {
    sinew_box all;
    sinew_bounds_pose(asset->bounds, model, weights, &all, NULL);
    if (!sinew_ray_box(ray, all, NULL)) return false;
    sinewi_layout layout = {(char *)scratch, 0};
    pick_scratch r = lay_out(&layout, asset);
    compute_boxes(&r, asset, model, weights);
    bool hit_any = false;
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        float enters, max_distance = hit_any ? hit->distance : INFINITY;
        if (!mesh_node->in_scene || !mesh_node->visible) continue;
        sinew_box box = instance_box(&r, asset, mesh_node);
        if (!sinew_ray_box(ray, box, &enters) || enters > max_distance) continue;
        pick_target t = {.asset = asset, .mesh_node = mesh_node, .model = model};
        if (weights) t.weights = weights + asset->skeleton->weight_offsets[mesh_node->node];
        if (pick_instance(&r, &t, ray, max_distance, hit)) hit_any = true;
    }
    return hit_any;
}
