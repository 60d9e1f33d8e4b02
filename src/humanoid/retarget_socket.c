// SPDX-License-Identifier: MIT
// Places on the source's nodes, such as grips, and where they are on the target.
#include "humanoid/retarget_data.h"

#include <assert.h>

static rt_vec from_vec3(sinew_vec3 v) {
    return rt_make_vec((double)v.x, (double)v.y, (double)v.z);
}

static rt_quat from_quat(sinew_quat q) {
    return rt_make_quat((double)q.x, (double)q.y, (double)q.z, (double)q.w);
}

// A node's scale in model space, in the rest pose.
static double rest_scale(const sinew_skeleton *skeleton, int32_t node) {
    double scale = 1.0;
    for (; node != SINEW_NO_NODE; node = skeleton->parents[node]) {
        const sinew_vec3 s = skeleton->rest[node].scale;
        scale *= rt_mean_scale((double)s.x, (double)s.y, (double)s.z);
    }
    return scale;
}

static int32_t find_slot(const sinew_retarget_data *data, int32_t source) {
    int32_t slot = 0;
    while (slot < data->source_count && data->source_slots[slot].node != source) slot++;
    return slot < data->source_count ? slot : RT_NONE;
}

// The pair whose target a source node corresponds to: by its role, or else by driving it alone.
static int32_t find_pair(const sinew_retarget *map, int32_t source) {
    const sinew_retarget_data *data = map->data;
    const int32_t role = sinew_humanoid_role_of(&data->source_humanoid, source);
    const int32_t target = role == SINEW_NO_ROLE ? SINEW_NO_NODE : data->target_humanoid.nodes[role];
    for (int32_t i = 0; i < map->pair_count; i++) {
        const bool drives = map->pairs[i].source == source && data->drives[i].second_part == 0.0;
        if (role == SINEW_NO_ROLE ? drives : map->pairs[i].target == target) return i;
    }
    return RT_NONE;
}

// The rotation of a pair's target relative to a source node, in the aligned references.
static rt_quat turn_between(const sinew_retarget_data *data, int32_t slot, int32_t pair) {
    const rt_drive *drive = &data->drives[pair];
    const rt_quat aligned = rt_multiply(data->source_turns[drive->source], drive->post);
    return rt_multiply(rt_conjugate(data->source_turns[slot]), aligned);
}

// Makes a place relative to the node's parent.
static void move_to_parent(const sinew_skeleton *skeleton, int32_t node, rt_vec *offset, rt_quat *rotation) {
    const sinew_transform *rest = &skeleton->rest[node];
    const rt_vec above = rt_scale(from_vec3(rest->translation), rest_scale(skeleton, skeleton->parents[node]));
    *offset = rt_add(above, rt_rotate(from_quat(rest->rotation), *offset));
    *rotation = rt_multiply(from_quat(rest->rotation), *rotation);
}

static sinew_transform make_socket(const sinew_retarget *map, rt_vec offset, rt_quat rotation, int32_t source,
                                   int32_t target) {
    const double size = map->data->scale / rest_scale(map->target, target);
    const float scale = (float)(rest_scale(map->source, source) * size);
    offset = rt_scale(offset, size);
    rotation = rt_normalize(rotation);
    return (sinew_transform){{(float)offset.x, (float)offset.y, (float)offset.z},
                             {(float)rotation.x, (float)rotation.y, (float)rotation.z, (float)rotation.w},
                             {scale, scale, scale}};
}

sinew_transform sinew_retarget_socket(const sinew_retarget *map, int32_t source, int32_t *target) {
    assert(map && target && source >= 0 && source < map->source->node_count);
    rt_vec offset = {0, 0, 0}; // in meters, along the axes of `node`
    rt_quat rotation = rt_identity();
    for (int32_t node = source; node != SINEW_NO_NODE; node = map->source->parents[node]) {
        const int32_t pair = find_pair(map, node), slot = find_slot(map->data, node);
        if (pair == RT_NONE || slot == RT_NONE) {
            move_to_parent(map->source, node, &offset, &rotation);
            continue;
        }
        const rt_quat back = rt_conjugate(turn_between(map->data, slot, pair));
        *target = map->pairs[pair].target;
        return make_socket(map, rt_rotate(back, offset), rt_multiply(back, rotation), source, *target);
    }
    *target = SINEW_NO_NODE;
    return sinew_transform_identity();
}
