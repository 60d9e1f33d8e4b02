// SPDX-License-Identifier: MIT
// The bounds of a baked asset (core/bounds_object.h). They are stored, because creating them means
// reading all vertices.
#include "io/baked_asset_coder.h"
#include "core/bounds_object.h"

#include <assert.h>
#include <string.h>

// All members are 4-byte numbers, so the layout is the same for all compilers.
static_assert(sizeof(sinew_box) == 24 && sizeof(sinewi_bound_target) == 32, "structs have padding");
static_assert(sizeof(sinewi_bound_block) == 8 * sizeof(float) * SINEW_LANES, "structs have padding");

static void check_blocks(sinewi_coder *c, const sinewi_bounds_object *object) {
    const int32_t nodes = c->asset->skeleton->node_count;
    for (size_t i = 0; i < object->unmorphed_blocks + object->morph_blocks; i++) {
        for (int l = 0; l < SINEW_LANES; l++) {
            int32_t node = object->blocks[i].nodes[l];
            sinewi_code_check(c, node >= 0 && node < nodes, "a box's node isn't in the skeleton");
        }
    }
    for (int32_t i = 0; i < object->bounds.box_count; i++) {
        int32_t node = object->bounds.nodes[i];
        sinewi_code_check(c, node >= 0 && node < nodes, "a box's node isn't in the skeleton");
        sinewi_code_check(c, !sinew_box_is_empty(object->bounds.boxes[i]), "a box is empty");
    }
}

static void check_targets(sinewi_coder *c, const sinewi_bounds_object *object, int32_t target_count) {
    const int32_t *first = object->first_targets, last = object->morph_count;
    bool valid = first[0] == 0 && first[last] == target_count;
    for (int32_t i = 0; i < last; i++) valid = valid && first[i] <= first[i + 1];
    for (int32_t i = 0; i < target_count; i++) {
        int32_t weight = object->targets[i].weight;
        valid = valid && weight >= 0 && weight < c->asset->skeleton->weight_count;
    }
    sinewi_code_check(c, valid, "a morph target is out of range");
}

// Returns the number of morph targets over all boxes.
static int32_t code_arrays(sinewi_coder *c, sinewi_bounds_object *object) {
    size_t blocks = object->unmorphed_blocks + object->morph_blocks;
    SINEWI_CODE_SMALL(c, object->bounds.nodes, const int32_t, object->bounds.box_count);
    SINEWI_CODE_SMALL(c, object->bounds.boxes, const sinew_box, object->bounds.box_count);
    SINEWI_CODE_ARRAY(c, object->blocks, const sinewi_bound_block, blocks);
    SINEWI_CODE_SMALL(c, object->first_targets, const int32_t, (size_t)object->morph_count + 1);
    int32_t target_count = sinewi_coder_writes(c) ? object->first_targets[object->morph_count] : 0;
    sinewi_code_count(c, &target_count);
    SINEWI_CODE_ARRAY(c, object->targets, const sinewi_bound_target, target_count);
    return target_count;
}

void sinewi_code_bounds(sinewi_coder *c, sinew_asset *asset) {
    c->part = "bounds";
    const size_t bytes = c->bytes;
    sinewi_bounds_object object;
    memset(&object, 0, sizeof object);
    if (sinewi_coder_writes(c)) object = *(const sinewi_bounds_object *)asset->bounds;
    sinewi_code_count(c, &object.unmorphed_count);
    sinewi_code_count(c, &object.morph_count);
    sinewi_code_float(c, &object.slack);
    if (object.morph_count > INT32_MAX - object.unmorphed_count) sinewi_code_damaged(c, "it has too many boxes");
    if (c->failed) return;
    object.bounds.skeleton = asset->skeleton;
    object.bounds.box_count = object.unmorphed_count + object.morph_count;
    object.unmorphed_blocks = sinewi_block_count(object.unmorphed_count);
    object.morph_blocks = sinewi_block_count(object.morph_count);
    int32_t target_count = code_arrays(c, &object);
    if (sinewi_coder_loads(c)) check_blocks(c, &object);
    if (sinewi_coder_loads(c)) check_targets(c, &object, target_count);
    sinewi_bounds_object *to = (sinewi_bounds_object *)sinewi_code_memory(c, 1, sizeof *to);
    if (!to) return;
    object.bounds.memory = c->bytes - bytes;
    *to = object;
    asset->bounds = &to->bounds;
}
