// SPDX-License-Identifier: MIT
// Finds soles from vertices. A vertex belongs to the node that moves it most. For each of many directions, from
// straight down to steeply tilted, one vertex of a foot is outermost. It touches the ground when the foot tilts that
// way. A sole's few points are the ones without which the foot would sink deepest.
#include <sinew/humanoid/reference.h>

#include "base/fail.h"
#include "base/float_rules.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>

enum { TILTS = 3, AZIMUTHS = 8, DIRECTIONS = 1 + TILTS * AZIMUTHS, FEET = 2 };
// Over all instances. Vertices beyond this are ignored, or a mesh with many nodes would take minutes.
enum { MAX_VERTICES = 1 << 24 };

static const int32_t foot_roles[FEET] = {SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_RIGHT_FOOT};
static const int32_t leg_roles[FEET] = {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_RIGHT_UPPER_LEG};

typedef struct support {
    double height; // along the direction; -INFINITY without a vertex
    sinew_vec3 position;
    int32_t node;
} support;

typedef struct finder {
    const sinew_asset *asset;
    const sinew_humanoid *humanoid;
    sinew_vec3 directions[DIRECTIONS];
    sinew_affine *model, *palette;
    support supports[FEET][DIRECTIONS];
    int32_t vertices_left;
} finder;

// ---- Directions ----------------------------------------------------------------------------------------------------

// Straight down, then tilted by each angle to all sides. Bit-identical on every machine, because the
// points end up in files.
static void make_directions(finder *f) {
    static const float tilts[TILTS] = {0.3f, 0.6f, 0.9f}; // radians
    const bool z_up = f->asset->up == SINEW_UP_Z;
    const sinew_vec3 down = {0.0f, z_up ? 0.0f : -1.0f, z_up ? -1.0f : 0.0f}, level = {1.0f, 0.0f, 0.0f};
    f->directions[0] = down;
    for (int i = 1; i < DIRECTIONS; i++) {
        const float azimuth = 6.2831853f * (float)((i - 1) % AZIMUTHS) / AZIMUTHS;
        const sinew_quat tilt = sinew_quat_from_axis_angle(level, tilts[(i - 1) / AZIMUTHS]);
        const sinew_quat turn = sinew_quat_from_axis_angle(down, azimuth);
        f->directions[i] = sinew_quat_rotate(sinew_quat_multiply(turn, tilt), down);
    }
}

// ---- Vertices ------------------------------------------------------------------------------------------------------

static void add_point(const finder *f, int32_t node, sinew_vec3 position, support *supports) {
    for (int i = 0; i < DIRECTIONS; i++) {
        const double height = (double)sinew_vec3_dot(f->directions[i], position);
        if (height > supports[i].height) supports[i] = (support){height, position, node};
    }
}

// Adds a vertex that moves with a node, if the node belongs to a foot.
static void add_vertex(finder *f, int32_t node, sinew_vec3 position) {
    for (int side = 0; side < FEET; side++) {
        const int32_t foot = f->humanoid->nodes[foot_roles[side]];
        if (foot == SINEW_NO_NODE || node < foot || node >= f->asset->skeleton->subtree_ends[foot]) continue;
        add_point(f, node, position, f->supports[side]);
    }
}

// Skins a vertex, and finds the joint that moves it most.
static sinew_vec3 skin_vertex(const finder *f, const sinew_primitive *p, int32_t vertex, sinew_vec3 position,
                              int32_t *joint) {
    const float *weights = p->weights + (size_t)vertex * (size_t)p->influences;
    const uint16_t *joints = p->joints + (size_t)vertex * (size_t)p->influences;
    sinew_vec3 sum = {0.0f, 0.0f, 0.0f};
    int32_t most = 0;
    for (int32_t i = 0; i < p->influences; i++) {
        if (weights[i] > weights[most]) most = i;
        if (weights[i] == 0.0f) continue;
        const sinew_vec3 moved = sinew_affine_point(f->palette[joints[i]], position);
        sum = sinew_vec3_add(sum, sinew_vec3_scale(moved, weights[i]));
    }
    *joint = joints[most];
    return sum;
}

static void add_primitive(finder *f, const sinew_mesh_node *mesh_node, const sinew_primitive *p) {
    const sinew_skin *skin = mesh_node->skin >= 0 && p->influences > 0 ? &f->asset->skins[mesh_node->skin] : NULL;
    if (p->vertex_count > f->vertices_left) return;
    f->vertices_left -= p->vertex_count;
    for (int32_t i = 0; i < p->vertex_count; i++) {
        const float *v = p->positions + 3 * (size_t)i;
        const sinew_vec3 position = {v[0], v[1], v[2]};
        if (skin) {
            int32_t joint;
            const sinew_vec3 skinned = skin_vertex(f, p, i, position, &joint);
            add_vertex(f, skin->joints[joint], skinned);
        } else {
            add_vertex(f, mesh_node->node, sinew_affine_point(f->model[mesh_node->node], position));
        }
    }
}

static void add_meshes(finder *f) {
    const sinew_asset *asset = f->asset;
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        if (!mesh_node->in_scene || !mesh_node->visible) continue;
        if (mesh_node->skin >= 0) sinew_skin_palette(&asset->skins[mesh_node->skin], f->model, f->palette);
        const sinew_mesh *mesh = &asset->meshes[mesh_node->mesh];
        for (int32_t k = 0; k < mesh->primitive_count; k++) add_primitive(f, mesh_node, &mesh->primitives[k]);
    }
}

// ---- Points --------------------------------------------------------------------------------------------------------

// How far the outermost vertex in a direction is beyond the foot's points.
static double find_gap(const finder *f, const sinew_foot *foot, const support *supports, int direction) {
    double reached = -(double)INFINITY;
    for (int32_t i = 0; i < foot->point_count; i++) {
        const sinew_vec3 at = sinew_affine_point(f->model[foot->points[i].node], foot->points[i].point);
        const double height = (double)sinew_vec3_dot(f->directions[direction], at);
        if (height > reached) reached = height;
    }
    return supports[direction].height - reached;
}

// Adds points. Each time, takes the vertex that is furthest beyond the others.
static void choose_points(const finder *f, const support *supports, sinew_foot *foot) {
    const double rounding = 1e-5 * (double)fabsf((float)supports[0].height) + 1e-7;
    while (foot->point_count < SINEW_MAX_FOOT_POINTS && supports[0].height > -(double)INFINITY) {
        int widest = 0;
        double gap = 0.0;
        for (int i = 0; i < DIRECTIONS; i++) {
            const double wide = find_gap(f, foot, supports, i);
            if (wide > gap) gap = wide, widest = i;
        }
        if (!(gap > rounding)) return;
        const support *s = &supports[widest];
        const sinew_vec3 local = sinew_affine_point(sinew_affine_inverse(f->model[s->node]), s->position);
        if (!isfinite(local.x) || !isfinite(local.y) || !isfinite(local.z)) return;
        foot->points[foot->point_count++] = (sinew_foot_point){s->node, local};
    }
}

static void list_feet(const finder *f, sinew_feet *feet) {
    for (int side = 0; side < FEET; side++) {
        sinew_foot *foot = &feet->feet[feet->foot_count];
        const int32_t *leg = &f->humanoid->nodes[leg_roles[side]]; // upper leg, lower leg, foot
        foot->node = leg[2];
        foot->leg = sinew_ik_two_bone_from_rest(f->asset->skeleton, leg[0], leg[1], leg[2]);
        choose_points(f, f->supports[side], foot);
        if (foot->point_count > 0) feet->foot_count++;
    }
}

// ---- All -----------------------------------------------------------------------------------------------------------

static bool allocate(finder *f, sinewi_arena *scratch) {
    int32_t joints = 1;
    for (int32_t i = 0; i < f->asset->skin_count; i++)
        if (f->asset->skins[i].joint_count > joints) joints = f->asset->skins[i].joint_count;
    f->model = sinewi_arena_array(scratch, sinew_affine, (size_t)f->asset->skeleton->node_count);
    f->palette = sinewi_arena_array(scratch, sinew_affine, (size_t)joints);
    return f->model && f->palette;
}

sinew_result sinew_reference_find_soles(const sinew_asset *asset, const sinew_humanoid *humanoid,
                                        const sinew_pose *pose, const sinew_allocator *allocator, sinew_feet *feet,
                                        sinew_error *error) {
    assert(asset && humanoid && pose && feet && pose->skeleton == asset->skeleton);
    finder f = {.asset = asset, .humanoid = humanoid, .vertices_left = MAX_VERTICES};
    *feet = (sinew_feet){.skeleton = asset->skeleton, .up = asset->up};
    for (int side = 0; side < FEET; side++)
        for (int i = 0; i < DIRECTIONS; i++) f.supports[side][i].height = -(double)INFINITY;
    sinewi_arena scratch;
    sinewi_arena_init(&scratch, allocator);
    const bool is_ready = allocate(&f, &scratch);
    if (is_ready) {
        sinew_pose_to_model(pose, f.model);
        make_directions(&f);
        add_meshes(&f);
        list_feet(&f, feet);
    }
    sinewi_arena_free(&scratch);
    return is_ready ? SINEW_OK : sinewi_fail_memory(error);
}
