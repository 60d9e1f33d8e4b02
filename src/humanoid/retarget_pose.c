// SPDX-License-Identifier: MIT
// Retargets a pose: computes the model transforms of the source's slots, then the target's. Each node comes after its
// parent and after the node that it's placed relative to.
#include "humanoid/retarget_data.h"

#include <assert.h>

static const rt_similarity model_space = {{0, 0, 0}, {0, 0, 0, 1}, 1};

// Computes the part of a node's model transform that is needed.
static void read_slot(const rt_slot *slot, const rt_similarity *parent, const sinew_pose *pose,
                      rt_similarity *out) {
    if (slot->has_position) {
        *out = rt_child(parent, pose, slot->node);
    } else if (slot->has_rotation) {
        out->rotation = rt_multiply(parent->rotation, rt_pose_rotation(pose, slot->node));
    }
}

static void read_source(const sinew_retarget_data *data, const sinew_pose *pose, rt_similarity *source) {
    const rt_similarity rotated = {{0, 0, 0}, data->rotation, 1};
    for (int32_t i = 0; i < data->source_count; i++) {
        const rt_slot *slot = &data->source_slots[i];
        read_slot(slot, slot->parent == RT_NONE ? &rotated : &source[slot->parent], pose, &source[i]);
    }
}

// ---- Rotation ------------------------------------------------------------------------------------------------

// The model-space rotation that a drive gives.
static rt_quat driven_rotation(const rt_drive *drive, const rt_similarity *source) {
    rt_quat rotation = rt_multiply(source[drive->source].rotation, drive->post);
    if (drive->second_part == 0.0) return rotation;
    return rt_blend(rotation, rt_multiply(source[drive->second].rotation, drive->second_post), drive->second_part);
}

static void write_rotation(rt_quat local, sinew_pose *pose, int32_t node) {
    local = rt_renormalize(local);
    pose->rx[node] = (float)local.x, pose->ry[node] = (float)local.y;
    pose->rz[node] = (float)local.z, pose->rw[node] = (float)local.w;
}

// ---- Translation ---------------------------------------------------------------------------------------------

// The target's offset from its space, for a source's offset from its own.
static rt_vec driven_offset(const rt_drive *drive, rt_vec source_offset) {
    rt_vec change = rt_subtract(source_offset, drive->source_offset);
    if (change.x == 0.0 && change.y == 0.0 && change.z == 0.0) return drive->target_offset;
    change = rt_rotate(drive->offset_rotation, change);
    return rt_add(drive->target_offset, rt_scale(change, drive->offset_scale));
}

// The local translation of a drive whose spaces aren't the parents of its nodes.
static rt_vec translation_by_model(const rt_drive *drive, const rt_similarity *source, const rt_similarity *target,
                                   const rt_similarity *parent) {
    rt_vec offset = drive->target_offset;
    if (drive->follows) {
        rt_vec position = source[drive->source].position;
        if (drive->space_source != RT_NONE) position = rt_point_to_local(&source[drive->space_source], position);
        offset = driven_offset(drive, position);
    }
    if (drive->space_target != RT_NONE) offset = rt_point(&target[drive->space_target], offset);
    return rt_point_to_local(parent, offset);
}

static void write_translation(rt_vec local, sinew_pose *pose, int32_t node) {
    pose->tx[node] = (float)local.x, pose->ty[node] = (float)local.y, pose->tz[node] = (float)local.z;
}

// ---- Scale ---------------------------------------------------------------------------------------------------

static void write_scale(const rt_drive *drive, const sinew_pose *source, sinew_pose *target, int32_t node) {
    const int32_t from = drive->source_node;
    target->sx[node] = drive->scale.x + drive->scale_factor.x * source->sx[from];
    target->sy[node] = drive->scale.y + drive->scale_factor.y * source->sy[from];
    target->sz[node] = drive->scale.z + drive->scale_factor.z * source->sz[from];
}

// ---- A frame -------------------------------------------------------------------------------------------------

// Poses of the source and the target, and the model transforms of their slots.
typedef struct retargeting {
    const sinew_retarget_data *data;
    const sinew_pose *source;
    sinew_pose *target;
    const rt_similarity *from;
    rt_similarity *to;
} retargeting;

// Sets a driven node's rotation: locally and, if needed, in model space.
static void rotate_node(const retargeting *r, const rt_slot *slot, const rt_similarity *parent,
                        rt_similarity *out) {
    const rt_drive *drive = &r->data->drives[slot->drive];
    rt_quat local;
    if (drive->is_relative) {
        local = rt_multiply(drive->pre, rt_multiply(rt_pose_rotation(r->source, drive->source_node), drive->post));
    } else {
        out->rotation = driven_rotation(drive, r->from);
        local = rt_multiply(rt_conjugate(parent->rotation), out->rotation);
    }
    write_rotation(local, r->target, slot->node);
}

// Sets a driven node, and the parts of its model transform that are needed.
static void drive_node(const retargeting *r, const rt_slot *slot, const rt_similarity *parent, rt_similarity *out) {
    const rt_drive *drive = &r->data->drives[slot->drive];
    rt_vec translation = drive->target_offset;
    if (!drive->is_local) {
        translation = translation_by_model(drive, r->from, r->to, parent);
    } else if (drive->follows) {
        translation = driven_offset(drive, rt_pose_translation(r->source, drive->source_node));
    }
    rotate_node(r, slot, parent, out);
    write_translation(translation, r->target, slot->node);
    write_scale(drive, r->source, r->target, slot->node);
    if (!slot->has_position) return;
    out->position = rt_point(parent, translation);
    out->scale = parent->scale * rt_pose_scale(r->target, slot->node);
}

static void twist_node(const retargeting *r, const rt_slot *slot, const rt_similarity *parent, rt_similarity *out) {
    const rt_twist *twist = &r->data->twists[slot->twist];
    rt_quat other = twist->end == RT_NONE ? r->to[twist->above].rotation
                                          : driven_rotation(&r->data->drives[twist->end], r->from);
    rt_quat local = sinewi_retarget_twist_rotation(twist, r->to[twist->limb].rotation, other);
    write_rotation(local, r->target, slot->node);
    read_slot(slot, parent, r->target, out);
}

void sinew_retarget_pose(const sinew_retarget *map, const sinew_pose *source, sinew_pose *target) {
    assert(map && source && target);
    assert(source->skeleton == map->source && target->skeleton == map->target);
    const sinew_retarget_data *data = map->data;
    rt_similarity from[SINEW_MAX_RETARGET_NODES], to[SINEW_MAX_RETARGET_NODES];
    const retargeting r = {data, source, target, from, to};
    read_source(data, source, from);
    for (int32_t i = 0; i < data->target_count; i++) {
        const rt_slot *slot = &data->target_slots[i];
        const rt_similarity *parent = slot->parent == RT_NONE ? &model_space : &to[slot->parent];
        if (slot->drive != RT_NONE) {
            drive_node(&r, slot, parent, &to[i]);
        } else if (slot->twist != RT_NONE) {
            twist_node(&r, slot, parent, &to[i]);
        } else {
            read_slot(slot, parent, target, &to[i]);
        }
    }
    for (int32_t i = 0; i < data->weights_count; i++) {
        const rt_weights *w = &data->weights[i];
        for (int32_t k = 0; k < w->count; k++) target->weights[w->target + k] = source->weights[w->source + k];
    }
    for (int32_t i = 0; i < data->curve_count; i++) {
        target->curves[data->curves[i].target] = source->curves[data->curves[i].source];
    }
}
