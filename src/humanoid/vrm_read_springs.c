// SPDX-License-Identifier: MIT
// Spring bones: VRMC_springBone 1.0, and secondaryAnimation in VRM 0.x. They are only read here. vrm_spring.c turns
// them into springs.
//
// Colliders, joints and springs of nodes that aren't loaded are dropped, and so are references to them.
//
// `g` is the import in progress (core/gltf_import.h), and `v` is the VRM data in progress (humanoid/vrm_read.h).
// Functions return false once the error is set.
#include "humanoid/vrm_read.h"

// The file's lists, and each collider's index in the asset. -1 if it was dropped.
typedef struct springs {
    sinewi_gltf_list colliders, groups, springs;
    int32_t *collider_indices; // [colliders.count], VRM 1.0
} springs;

// Reads an array of indices below `count` into the asset. Drops those with -1 in `indices`, which may be NULL.
static bool read_indices(sinewi_import *g, sinewi_json_value object, const char *key, int32_t count,
                         const char *array, const int32_t *indices, int32_t *out_count, const int32_t **out) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, object, key, SINEWI_JSON_NUMBER, &list)) return false;
    int32_t *found = sinewi_gltf_array(g, g->arena, int32_t, (size_t)list.count), index;
    if (!found) return false;
    *out = found;
    *out_count = 0;
    for (int32_t i = 0; i < list.count; i++) {
        if (!sinewi_gltf_check_index(g, list.values[i], count, array, &index)) return false;
        if (indices) index = indices[index];
        if (index >= 0) found[(*out_count)++] = index;
    }
    return true;
}

// ---- Colliders of VRM 1.0 ------------------------------------------------------------------------------------------

// Reads a shape: a sphere, a capsule or a plane. Any other shape sets `*found` to false.
static bool read_shape(sinewi_import *g, sinewi_json_value shape, sinew_vrm_collider *c, bool *found) {
    sinewi_json_value sphere, capsule, plane;
    if (!sinewi_gltf_get_object(g, shape, "sphere", &sphere) ||
        !sinewi_gltf_get_object(g, shape, "capsule", &capsule) ||
        !sinewi_gltf_get_object(g, shape, "plane", &plane))
        return false;
    sinewi_json_value object = sphere;
    if (sphere == SINEWI_JSON_ABSENT && capsule != SINEWI_JSON_ABSENT) {
        object = capsule;
        c->shape = SINEW_VRM_COLLIDER_SHAPE_CAPSULE;
    } else if (sphere == SINEWI_JSON_ABSENT && plane != SINEWI_JSON_ABSENT) {
        object = plane;
        c->shape = SINEW_VRM_COLLIDER_SHAPE_PLANE;
    }
    *found = object != SINEWI_JSON_ABSENT;
    if (!sinewi_gltf_get_vector(g, object, "offset", &c->offset)) return false;
    c->tail = c->offset;
    if (c->shape == SINEW_VRM_COLLIDER_SHAPE_PLANE) {
        c->normal = (sinew_vec3){0.0f, 0.0f, 1.0f};
        return sinewi_gltf_get_vector(g, object, "normal", &c->normal);
    }
    if (c->shape == SINEW_VRM_COLLIDER_SHAPE_CAPSULE) {
        c->tail = (sinew_vec3){0.0f, 0.0f, 0.0f};
        if (!sinewi_gltf_get_vector(g, object, "tail", &c->tail)) return false;
    }
    return sinewi_gltf_get_float(g, object, "radius", &c->radius) &&
           sinewi_gltf_get_bool(g, object, "inside", &c->inside);
}

// Reads the shape from VRMC_springBone_extended_collider, if the file has one. Otherwise reads the collider's own
// shape, which can't be a plane or an inside collider.
static bool read_collider(sinewi_import *g, sinewi_json_value value, sinew_vrm_collider *c, bool *found) {
    sinewi_json_value extensions, extension, shape;
    if (!sinewi_gltf_get_node(g, value, "node", &c->node) ||
        !sinewi_gltf_get_object(g, value, "extensions", &extensions) ||
        !sinewi_gltf_get_object(g, extensions, "VRMC_springBone_extended_collider", &extension) ||
        !sinewi_gltf_get_object(g, extension, "shape", &shape) || !read_shape(g, shape, c, found))
        return false;
    if (*found) return true;
    *c = (sinew_vrm_collider){.node = c->node};
    if (!sinewi_gltf_get_object(g, value, "shape", &shape) || !read_shape(g, shape, c, found)) return false;
    if (c->shape == SINEW_VRM_COLLIDER_SHAPE_PLANE) *found = false;
    c->inside = false;
    return true;
}

static bool read_colliders(sinewi_import *g, sinew_vrm *out, springs *s) {
    sinew_vrm_collider *colliders = sinewi_gltf_array(g, g->arena, sinew_vrm_collider, (size_t)s->colliders.count);
    s->collider_indices = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)s->colliders.count);
    if (!colliders || !s->collider_indices) return false;
    out->colliders = colliders;
    for (int32_t i = 0; i < s->colliders.count; i++) {
        sinew_vrm_collider c = {.radius = 0.0f};
        bool found;
        if (!read_collider(g, s->colliders.values[i], &c, &found)) return false;
        const bool kept = found && c.node != SINEW_NO_NODE;
        s->collider_indices[i] = kept ? out->collider_count : -1;
        if (kept) colliders[out->collider_count++] = c;
    }
    return true;
}

static bool read_groups(sinewi_import *g, sinew_vrm *out, const springs *s) {
    sinew_vrm_collider_group *groups =
        sinewi_gltf_zeros(g, g->arena, sinew_vrm_collider_group, (size_t)s->groups.count);
    if (!groups) return false;
    for (int32_t i = 0; i < s->groups.count; i++) {
        sinewi_json_value value = s->groups.values[i];
        if (!sinewi_gltf_get_string(g, value, "name", g->arena, &groups[i].name) ||
            !read_indices(g, value, "colliders", s->colliders.count, "colliders", s->collider_indices,
                          &groups[i].collider_count, &groups[i].colliders))
            return false;
    }
    out->collider_groups = groups;
    out->collider_group_count = s->groups.count;
    return true;
}

// ---- Springs of VRM 1.0 --------------------------------------------------------------------------------------------

static bool read_joint(sinewi_import *g, sinewi_json_value value, sinew_vrm_spring_joint *joint) {
    *joint = (sinew_vrm_spring_joint){.stiffness = 1.0f, .gravity = {0.0f, -1.0f, 0.0f}, .drag = 0.5f};
    return sinewi_gltf_get_node(g, value, "node", &joint->node) &&
           sinewi_gltf_get_float(g, value, "hitRadius", &joint->hit_radius) &&
           sinewi_gltf_get_float(g, value, "stiffness", &joint->stiffness) &&
           sinewi_gltf_get_float(g, value, "gravityPower", &joint->gravity_power) &&
           sinewi_gltf_get_vector(g, value, "gravityDir", &joint->gravity) &&
           sinewi_gltf_get_float(g, value, "dragForce", &joint->drag);
}

static bool read_joints(sinewi_import *g, sinewi_json_value value, sinew_vrm_spring *spring) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, value, "joints", SINEWI_JSON_OBJECT, &list)) return false;
    sinew_vrm_spring_joint *joints = sinewi_gltf_array(g, g->arena, sinew_vrm_spring_joint, (size_t)list.count);
    if (!joints) return false;
    spring->joints = joints;
    for (int32_t i = 0; i < list.count; i++) {
        sinew_vrm_spring_joint joint;
        if (!read_joint(g, list.values[i], &joint)) return false;
        if (joint.node != SINEW_NO_NODE) joints[spring->joint_count++] = joint;
    }
    return true;
}

// Logs the first joint that isn't a descendant of the one before it.
static void check_chain(const sinewi_import *g, const sinew_vrm_spring *spring) {
    const sinew_skeleton *skeleton = g->asset->skeleton;
    for (int32_t i = 1; i < spring->joint_count; i++) {
        const int32_t above = spring->joints[i - 1].node, node = spring->joints[i].node;
        if (node > above && node < skeleton->subtree_ends[above]) continue;
        sinewi_gltf_log(g, "VRM: a spring has nodes[%d] after nodes[%d], which is not its ancestor",
                        (int)skeleton->source_of_node[node], (int)skeleton->source_of_node[above]);
        return;
    }
}

static bool read_spring(sinewi_import *g, const springs *s, sinewi_json_value value, sinew_vrm_spring *spring) {
    int32_t center;
    if (!sinewi_gltf_get_index(g, value, "center", g->node_values.count, "nodes", &center)) return false;
    spring->center = center < 0 ? SINEW_NO_NODE : g->asset->skeleton->node_of_source[center];
    if (!sinewi_gltf_get_string(g, value, "name", g->arena, &spring->name) || !read_joints(g, value, spring) ||
        !read_indices(g, value, "colliderGroups", s->groups.count, "colliderGroups", NULL, &spring->group_count,
                      &spring->groups))
        return false;
    check_chain(g, spring);
    return true;
}

// ---- VRM 0.x -------------------------------------------------------------------------------------------------------

// Each collider group belongs to one node.
static bool read_group_0(sinewi_import *g, sinewi_json_value value, sinew_vrm_collider *colliders, sinew_vrm *out,
                         sinew_vrm_collider_group *group) {
    sinewi_gltf_list list;
    int32_t node;
    if (!sinewi_gltf_get_node_0(g, value, "node", &node) ||
        !sinewi_gltf_get_list(g, value, "colliders", SINEWI_JSON_OBJECT, &list))
        return false;
    int32_t *indices = sinewi_gltf_array(g, g->arena, int32_t, (size_t)list.count);
    if (!indices) return false;
    group->name = "";
    group->colliders = indices;
    for (int32_t i = 0; i < list.count; i++) {
        sinew_vrm_collider c = {.node = node};
        if (!sinewi_gltf_get_vector_0(g, list.values[i], "offset", &c.offset) ||
            !sinewi_gltf_get_float(g, list.values[i], "radius", &c.radius))
            return false;
        c.tail = c.offset;
        if (node == SINEW_NO_NODE) continue;
        indices[group->collider_count++] = out->collider_count;
        colliders[out->collider_count++] = c;
    }
    return true;
}

// Counts the colliders of all groups.
static bool count_colliders_0(sinewi_import *g, const sinewi_gltf_list *groups, size_t *count) {
    *count = 0;
    for (int32_t i = 0; i < groups->count; i++) {
        sinewi_gltf_list list;
        if (!sinewi_gltf_get_list(g, groups->values[i], "colliders", SINEWI_JSON_OBJECT, &list)) return false;
        *count += (size_t)list.count;
    }
    return true;
}

static bool read_groups_0(sinewi_import *g, sinew_vrm *out, const springs *s) {
    size_t count;
    sinew_vrm_collider_group *groups =
        sinewi_gltf_zeros(g, g->arena, sinew_vrm_collider_group, (size_t)s->groups.count);
    if (!groups || !count_colliders_0(g, &s->groups, &count)) return false;
    sinew_vrm_collider *colliders = sinewi_gltf_array(g, g->arena, sinew_vrm_collider, count);
    if (!colliders) return false;
    out->colliders = colliders;
    for (int32_t i = 0; i < s->groups.count; i++)
        if (!read_group_0(g, s->groups.values[i], colliders, out, &groups[i])) return false;
    out->collider_groups = groups;
    out->collider_group_count = s->groups.count;
    return true;
}

// A spring's values apply to each of its roots.
static bool read_roots_0(sinewi_import *g, sinewi_json_value value, sinew_vrm_spring *spring) {
    sinew_vrm_spring_joint joint = {.stiffness = 1.0f, .gravity = {0.0f, -1.0f, 0.0f}, .drag = 0.5f};
    int32_t root_count;
    const int32_t *roots;
    bool read = sinewi_gltf_get_float(g, value, "hitRadius", &joint.hit_radius) &&
                sinewi_gltf_get_float(g, value, "stiffiness", &joint.stiffness) && // VRM 0.x spells it like this
                sinewi_gltf_get_float(g, value, "gravityPower", &joint.gravity_power) &&
                sinewi_gltf_get_vector_0(g, value, "gravityDir", &joint.gravity) &&
                sinewi_gltf_get_float(g, value, "dragForce", &joint.drag) &&
                read_indices(g, value, "bones", g->node_values.count, "nodes", g->asset->skeleton->node_of_source,
                             &root_count, &roots);
    if (!read) return false;
    sinew_vrm_spring_joint *joints = sinewi_gltf_array(g, g->arena, sinew_vrm_spring_joint, (size_t)root_count);
    if (!joints) return false;
    for (int32_t i = 0; i < root_count; i++) {
        joints[i] = joint;
        joints[i].node = roots[i];
    }
    spring->joints = joints;
    spring->joint_count = root_count;
    return true;
}

static bool read_spring_0(sinewi_import *g, const springs *s, sinewi_json_value value, sinew_vrm_spring *spring) {
    spring->subtrees = true;
    return sinewi_gltf_get_node_0(g, value, "center", &spring->center) &&
           sinewi_gltf_get_string(g, value, "comment", g->arena, &spring->name) && read_roots_0(g, value, spring) &&
           read_indices(g, value, "colliderGroups", s->groups.count, "colliderGroups", NULL, &spring->group_count,
                        &spring->groups);
}

// ---- Both versions -------------------------------------------------------------------------------------------------

static bool read_springs(sinewi_import *g, sinew_vrm *out, const springs *s, bool is_0) {
    sinew_vrm_spring *all = sinewi_gltf_zeros(g, g->arena, sinew_vrm_spring, (size_t)s->springs.count);
    if (!all) return false;
    for (int32_t i = 0; i < s->springs.count; i++)
        if (!(is_0 ? read_spring_0 : read_spring)(g, s, s->springs.values[i], &all[i])) return false;
    out->springs = all;
    out->spring_count = s->springs.count;
    return true;
}

bool sinewi_gltf_read_vrm_springs(sinewi_import *g, sinewi_gltf_vrm *v) {
    sinewi_json_value extensions, object;
    springs s = {.collider_indices = NULL};
    if (!sinewi_gltf_get_object(g, 0, "extensions", &extensions) ||
        !sinewi_gltf_get_object(g, extensions, "VRMC_springBone", &object))
        return false;
    const bool is_0 = object == SINEWI_JSON_ABSENT && sinewi_gltf_is_vrm_0(v);
    if (is_0 && !sinewi_gltf_get_object(g, v->avatar, "secondaryAnimation", &object)) return false;
    if (!sinewi_gltf_get_list(g, object, "colliderGroups", SINEWI_JSON_OBJECT, &s.groups) ||
        !sinewi_gltf_get_list(g, object, is_0 ? "boneGroups" : "springs", SINEWI_JSON_OBJECT, &s.springs))
        return false;
    if (is_0) return read_groups_0(g, v->out, &s) && read_springs(g, v->out, &s, true);
    return sinewi_gltf_get_list(g, object, "colliders", SINEWI_JSON_OBJECT, &s.colliders) &&
           read_colliders(g, v->out, &s) && read_groups(g, v->out, &s) && read_springs(g, v->out, &s, false);
}
