// SPDX-License-Identifier: MIT
// Local poses: creates, reads, blends and adds them, and converts them to model matrices.
//
// A pose has each node's transform relative to its parent, in planes: an array with all x translations, one with all y
// translations, and so on. Arrays are padded to whole blocks of SINEW_LANES. A mask has a factor for each node and may
// be NULL.
#include <sinew/pose.h>

#include "core/pose_block.h"
#include "core/skeleton_object.h"
#include "base/fail.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct pose_object {
    sinew_pose pose;
    sinew_allocator allocator;
    size_t size;
} pose_object;

// ---- Planes --------------------------------------------------------------------------------------------------

// Reserves a pose's planes and morph weights in a layout. See base/memory.h.
void sinewi_pose_lay_out(sinewi_layout *layout, const sinew_skeleton *skeleton, sinew_pose *pose) {
    size_t stride = sinewi_padded(skeleton->node_count);
    float **planes[SINEWI_PLANES] = {&pose->tx, &pose->ty, &pose->tz, &pose->rx, &pose->ry,
                                     &pose->rz, &pose->rw, &pose->sx, &pose->sy, &pose->sz};
    for (int i = 0; i < SINEWI_PLANES; i++) {
        *planes[i] = sinewi_layout_array(layout, float, stride, SINEWI_ALIGNMENT);
    }
    pose->weights =
        sinewi_layout_array(layout, float, sinewi_padded(sinewi_value_count(skeleton)), SINEWI_ALIGNMENT);
    pose->curves = pose->weights ? pose->weights + skeleton->weight_count : NULL;
    pose->skeleton = skeleton;
}

static void store_transform(const sinew_pose *pose, int32_t i, const sinew_transform *t) {
    pose->tx[i] = t->translation.x, pose->ty[i] = t->translation.y, pose->tz[i] = t->translation.z;
    pose->rx[i] = t->rotation.x, pose->ry[i] = t->rotation.y, pose->rz[i] = t->rotation.z;
    pose->rw[i] = t->rotation.w;
    pose->sx[i] = t->scale.x, pose->sy[i] = t->scale.y, pose->sz[i] = t->scale.z;
}

// Copies the rest pose, including the padding. The skeleton stores it in blocks.
void sinew_pose_reset(sinew_pose *pose) {
    assert(pose);
    const sinew_skeleton *skeleton = pose->skeleton;
    const sinew_clip_data *rest = sinewi_skeleton_rest(skeleton);
    sinewi_planes planes = sinewi_pose_planes(pose);
    for (size_t i = 0; i < sinewi_block_count(skeleton->node_count); i++) {
        for (int p = 0; p < SINEWI_PLANES; p++) {
            memcpy(planes.plane[p] + i * SINEW_LANES, rest->base[i].lane[p], sizeof rest->base[i].lane[p]);
        }
    }
    size_t weights = sinewi_padded(sinewi_value_count(skeleton));
    if (weights > 0) memcpy(pose->weights, rest->base_weights, weights * sizeof(float));
}

// ---- The object ----------------------------------------------------------------------------------------------

static pose_object *lay_out(sinewi_layout *layout, const sinew_skeleton *skeleton, sinew_pose *pose) {
    pose_object *object = sinewi_layout_array(layout, pose_object, 1, SINEWI_ALIGNMENT);
    sinewi_pose_lay_out(layout, skeleton, pose);
    return object;
}

sinew_result sinew_pose_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                               sinew_pose **pose) {
    assert(skeleton && pose);
    *pose = NULL;
    sinew_pose planes;
    sinewi_layout measure = {0};
    lay_out(&measure, skeleton, &planes);
    sinewi_layout layout = {(char *)sinewi_allocate(allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return SINEW_ERROR_OUT_OF_MEMORY;
    pose_object *object = lay_out(&layout, skeleton, &planes);
    *object = (pose_object){.pose = planes, .size = measure.size};
    if (allocator) object->allocator = *allocator;
    sinew_pose_reset(&object->pose);
    *pose = &object->pose;
    return SINEW_OK;
}

void sinew_pose_destroy(sinew_pose *pose) {
    if (!pose) return;
    pose_object *object = (pose_object *)pose;
    sinew_allocator allocator = object->allocator;
    sinewi_release(&allocator, object, object->size, SINEWI_ALIGNMENT);
}

void sinew_pose_copy(sinew_pose *to, const sinew_pose *from) {
    assert(to && from);
    assert(to->skeleton == from->skeleton);
    size_t size = sinewi_padded(to->skeleton->node_count) * sizeof(float);
    sinewi_planes a = sinewi_pose_planes(to), b = sinewi_pose_planes(from);
    for (int i = 0; i < SINEWI_PLANES; i++) memmove(a.plane[i], b.plane[i], size);
    memmove(to->weights, from->weights, sinewi_padded(sinewi_value_count(to->skeleton)) * sizeof(float));
}

// ---- Snapshots -----------------------------------------------------------------------------------------------

// Starts a snapshot. It's followed by the planes without padding, the morph weights and the curves.
typedef struct snapshot_head {
    uint32_t mark;
    int32_t node_count, weight_count, curve_count;
} snapshot_head;

#define SNAPSHOT_MARK 0x314f5053u // "SPO1"

static snapshot_head head_of(const sinew_skeleton *skeleton) {
    return (snapshot_head){SNAPSHOT_MARK, skeleton->node_count, skeleton->weight_count, skeleton->curve_count};
}

static size_t snapshot_size(const sinew_skeleton *skeleton) {
    const size_t floats = SINEWI_PLANES * (size_t)skeleton->node_count + (size_t)sinewi_value_count(skeleton);
    return sizeof(snapshot_head) + floats * sizeof(float);
}

size_t sinew_pose_save(const sinew_pose *pose, void *memory, size_t size) {
    assert(pose && (memory || size == 0));
    const size_t needed = snapshot_size(pose->skeleton);
    if (size < needed) return needed;
    const snapshot_head head = head_of(pose->skeleton);
    const sinewi_planes planes = sinewi_pose_planes(pose);
    const size_t plane = (size_t)pose->skeleton->node_count * sizeof(float);
    char *to = (char *)memory + sizeof head;
    memcpy(memory, &head, sizeof head);
    for (int i = 0; i < SINEWI_PLANES; i++, to += plane) memcpy(to, planes.plane[i], plane);
    memcpy(to, pose->weights, (size_t)sinewi_value_count(pose->skeleton) * sizeof(float));
    return needed;
}

bool sinew_pose_restore(sinew_pose *pose, const void *memory, size_t size) {
    assert(pose);
    const snapshot_head head = head_of(pose->skeleton);
    if (!memory || size != snapshot_size(pose->skeleton) || memcmp(memory, &head, sizeof head) != 0) return false;
    const sinewi_planes planes = sinewi_pose_planes(pose);
    const size_t plane = (size_t)pose->skeleton->node_count * sizeof(float);
    const char *from = (const char *)memory + sizeof head;
    for (int i = 0; i < SINEWI_PLANES; i++, from += plane) memcpy(planes.plane[i], from, plane);
    memcpy(pose->weights, from, (size_t)sinewi_value_count(pose->skeleton) * sizeof(float));
    return true;
}

// ---- Nodes ---------------------------------------------------------------------------------------------------

sinew_transform sinew_pose_get(const sinew_pose *pose, int32_t node) {
    assert(pose);
    assert(node >= 0 && node < pose->skeleton->node_count);
    return (sinew_transform){
        {pose->tx[node], pose->ty[node], pose->tz[node]},
        {pose->rx[node], pose->ry[node], pose->rz[node], pose->rw[node]},
        {pose->sx[node], pose->sy[node], pose->sz[node]},
    };
}

void sinew_pose_set(sinew_pose *pose, int32_t node, sinew_transform transform) {
    assert(pose);
    assert(node >= 0 && node < pose->skeleton->node_count);
    store_transform(pose, node, &transform);
}

// ---- Blending ------------------------------------------------------------------------------------------------

// Returns the normalized sum of two rotations, along the shorter arc.
static sinew_quat blend_rotation(sinew_quat a, sinew_quat b, float t) {
    float d = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    float s = 1.0f - t;
    if (d < 0.0f) t = -t;
    return sinew_quat_normalize(
        (sinew_quat){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z, s * a.w + t * b.w});
}

// Returns one node's morph weights.
static sinewi_range weights_of_node(const sinew_skeleton *skeleton, int32_t node) {
    return (sinewi_range){skeleton->weight_offsets[node], skeleton->weight_offsets[node + 1]};
}

static sinewi_range all_curves(const sinew_skeleton *skeleton) {
    return (sinewi_range){skeleton->weight_count, sinewi_value_count(skeleton)};
}

// Blends morph weights or curves. At t = 0, `a` keeps its bits.
static void blend_weights(sinew_pose *out, const sinew_pose *a, const sinew_pose *b, sinewi_range range, float t) {
    for (int32_t w = range.first; w < range.end; w++) {
        out->weights[w] = t == 0.0f ? a->weights[w] : (1.0f - t) * a->weights[w] + t * b->weights[w];
    }
}

// Each node is blended by the factor t × mask: translation and scale linearly, rotation with blend_rotation. A factor
// of 0 keeps the bits of `a`. A node mask doesn't apply to curves.
void sinew_pose_blend(sinew_pose *out, const sinew_pose *a, const sinew_pose *b, float t, const float *mask) {
    assert(out && a && b && isfinite(t));
    assert(out->skeleton == a->skeleton && out->skeleton == b->skeleton);
    for (int32_t i = 0; i < out->skeleton->node_count; i++) {
        float u = mask ? t * mask[i] : t;
        sinew_transform from = sinew_pose_get(a, i), to = sinew_pose_get(b, i);
        if (u != 0.0f) {
            from.translation = sinew_vec3_lerp(from.translation, to.translation, u);
            from.rotation = blend_rotation(from.rotation, to.rotation, u);
            from.scale = sinew_vec3_lerp(from.scale, to.scale, u);
        }
        sinew_pose_set(out, i, from);
        blend_weights(out, a, b, weights_of_node(out->skeleton, i), u);
    }
    blend_weights(out, a, b, all_curves(out->skeleton), mask ? 0.0f : t);
}

// ---- Adding --------------------------------------------------------------------------------------------------

static sinew_vec3 translate_partly(sinew_vec3 base, sinew_vec3 d, float f) {
    return (sinew_vec3){base.x + f * d.x, base.y + f * d.y, base.z + f * d.z};
}

// Multiplies a scale by the fraction `f` of the difference d: base × (1 + f (d - 1)). A difference of 1 has no effect.
static sinew_vec3 scale_partly(sinew_vec3 base, sinew_vec3 d, float f) {
    return (sinew_vec3){
        base.x * (1.0f + f * (d.x - 1.0f)),
        base.y * (1.0f + f * (d.y - 1.0f)),
        base.z * (1.0f + f * (d.z - 1.0f)),
    };
}

// Multiplies q by the fraction `f` of the rotation d, along the shorter arc. This fraction is the normalized sum of (1
// - f) times the identity and f times d.
static sinew_quat rotate_partly(sinew_quat q, sinew_quat d, float f) {
    float g = d.w < 0.0f ? -f : f;
    sinew_quat part = {g * d.x, g * d.y, g * d.z, (1.0f - f) + g * d.w};
    return sinew_quat_normalize(sinew_quat_multiply(q, sinew_quat_normalize(part)));
}

// Adds the fraction `f` of the difference to morph weights or curves. At f = 0, `base` keeps its bits.
static void add_weights(sinew_pose *out, const sinew_pose *base, const sinew_pose *difference, sinewi_range range,
                        float f) {
    for (int32_t w = range.first; w < range.end; w++) {
        out->weights[w] = f == 0.0f ? base->weights[w] : base->weights[w] + f * difference->weights[w];
    }
}

// Adds the fraction weight × mask of a difference to each node. A fraction of 0 keeps the bits of `base`.
void sinew_pose_add(sinew_pose *out, const sinew_pose *base, const sinew_pose *difference, float weight,
                    const float *mask) {
    assert(out && base && difference && isfinite(weight));
    assert(out->skeleton == base->skeleton && out->skeleton == difference->skeleton);
    for (int32_t i = 0; i < out->skeleton->node_count; i++) {
        float f = mask ? weight * mask[i] : weight;
        sinew_transform t = sinew_pose_get(base, i);
        if (f != 0.0f) {
            sinew_transform d = sinew_pose_get(difference, i);
            t.translation = translate_partly(t.translation, d.translation, f);
            t.rotation = rotate_partly(t.rotation, d.rotation, f);
            t.scale = scale_partly(t.scale, d.scale, f);
        }
        sinew_pose_set(out, i, t);
        add_weights(out, base, difference, weights_of_node(out->skeleton, i), f);
    }
    add_weights(out, base, difference, all_curves(out->skeleton), mask ? 0.0f : weight);
}

// ---- Model matrices ------------------------------------------------------------------------------------------

// Computes all local matrices first, then multiplies them by their parents' in place.
void sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model) {
    assert(pose && model);
    sinewi_range all = {0, pose->skeleton->node_count};
    sinewi_pose_to_local(pose, all, model);
    sinewi_local_to_model(pose->skeleton, all, &model, 1);
}

// Only computes model matrices for the subtree of `node`. Its parent's model matrix must be current.
void sinew_pose_to_model_below(const sinew_pose *pose, int32_t node, sinew_affine *model) {
    assert(pose && model);
    assert(node >= 0 && node < pose->skeleton->node_count);
    sinewi_range subtree = {node, pose->skeleton->subtree_ends[node]};
    sinewi_pose_to_local(pose, subtree, model);
    sinewi_local_to_model(pose->skeleton, subtree, &model, 1);
}
