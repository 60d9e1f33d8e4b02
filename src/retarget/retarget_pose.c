// SPDX-License-Identifier: MIT
// Retargets a pose: model transforms of the source's slots, then those of the target's, each node after its parent and
// after the node relative to which it is placed.
#include "retarget/retarget_data.h"

#include <assert.h>

static const rt_similarity model_space = {{0, 0, 0}, {0, 0, 0, 1}, 1};

static void read_source(const sinew_retarget_data *data, const sinew_pose *pose, rt_similarity *source) {
    const rt_similarity rotated = {{0, 0, 0}, data->rotation, 1};
    for (int32_t i = 0; i < data->source_count; i++) {
        const rt_slot *slot = &data->source_slots[i];
        source[i] = rt_child(slot->parent == RT_NONE ? &rotated : &source[slot->parent], pose, slot->node);
    }
}

// The rotation that a drive gives, in model space.
static rt_quat driven_rotation(const rt_drive *drive, const rt_similarity *source) {
    rt_quat rotation = rt_multiply(source[drive->source].rotation, drive->post);
    if (drive->second_part == 0.0) return rotation;
    return rt_blend(rotation, rt_multiply(source[drive->second].rotation, drive->second_post), drive->second_part);
}

// The position that a drive gives, in model space.
static rt_vec driven_position(const rt_drive *drive, const rt_similarity *source, const rt_similarity *target) {
    rt_vec offset = drive->target_offset;
    if (drive->follows) {
        rt_vec position = source[drive->source].position;
        if (drive->space_source != RT_NONE) position = rt_point_to_local(&source[drive->space_source], position);
        rt_vec change = rt_rotate(drive->offset_rotation, rt_subtract(position, drive->source_offset));
        offset = rt_add(offset, rt_scale(change, drive->offset_scale));
    }
    return drive->space_target == RT_NONE ? offset : rt_point(&target[drive->space_target], offset);
}

static float scale_change(float value, float reference) {
    return reference != 0.0f ? value / reference : 1.0f;
}

static void write_scale(const rt_drive *drive, const sinew_pose *source, int32_t from, sinew_pose *target,
                        int32_t to) {
    target->sx[to] = drive->target_scale.x, target->sy[to] = drive->target_scale.y;
    target->sz[to] = drive->target_scale.z;
    if (!drive->scales) return;
    target->sx[to] *= scale_change(source->sx[from], drive->source_scale.x);
    target->sy[to] *= scale_change(source->sy[from], drive->source_scale.y);
    target->sz[to] *= scale_change(source->sz[from], drive->source_scale.z);
}

// Writes a local transform from those in model space.
static void write_local(const rt_similarity *parent, rt_quat rotation, sinew_pose *pose, int32_t node) {
    rt_quat local = rt_normalize(rt_multiply(rt_conjugate(parent->rotation), rotation));
    pose->rx[node] = (float)local.x, pose->ry[node] = (float)local.y;
    pose->rz[node] = (float)local.z, pose->rw[node] = (float)local.w;
}

static void write_position(const rt_similarity *parent, rt_vec position, sinew_pose *pose, int32_t node) {
    rt_vec local = rt_point_to_local(parent, position);
    pose->tx[node] = (float)local.x, pose->ty[node] = (float)local.y, pose->tz[node] = (float)local.z;
}

// Sets a driven node, and returns its model transform.
static rt_similarity drive_node(const rt_drive *drive, const rt_similarity *parent, const rt_similarity *source,
                                const rt_similarity *target, sinew_pose *pose, int32_t node) {
    rt_similarity result;
    result.rotation = driven_rotation(drive, source);
    result.position = driven_position(drive, source, target);
    result.scale = parent->scale * rt_pose_scale(pose, node);
    write_local(parent, result.rotation, pose, node);
    write_position(parent, result.position, pose, node);
    return result;
}

void sinew_retarget_pose(const sinew_retarget *map, const sinew_pose *source, sinew_pose *target) {
    assert(map && source && target);
    assert(source->skeleton == map->source && target->skeleton == map->target);
    const sinew_retarget_data *data = map->data;
    rt_similarity from[SINEW_MAX_RETARGET_NODES], to[SINEW_MAX_RETARGET_NODES];
    read_source(data, source, from);
    for (int32_t i = 0; i < data->target_count; i++) {
        const rt_slot *slot = &data->target_slots[i];
        const rt_similarity *parent = slot->parent == RT_NONE ? &model_space : &to[slot->parent];
        if (slot->drive == RT_NONE) {
            to[i] = rt_child(parent, target, slot->node);
            continue;
        }
        const rt_drive *drive = &data->drives[slot->drive];
        write_scale(drive, source, data->source_slots[drive->source].node, target, slot->node);
        to[i] = drive_node(drive, parent, from, to, target, slot->node);
    }
    for (int32_t i = 0; i < data->weights_count; i++) {
        const rt_weights *w = &data->weights[i];
        for (int32_t k = 0; k < w->count; k++) target->weights[w->target + k] = source->weights[w->source + k];
    }
}
