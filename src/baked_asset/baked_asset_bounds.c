// SPDX-License-Identifier: MIT
// The bounds of a baked asset (spatial/bounds_object.h). They are stored, because creating them reads all vertices.
#include "baked_asset/baked_asset_coder.h"
#include "spatial/bounds_object.h"

#include <assert.h>
#include <string.h>

// Their members are numbers of 4 bytes: they are the same for all compilers.
static_assert(sizeof(sinew_box) == 24 && sizeof(sinew_bound_target) == 32, "structs have padding");
static_assert(sizeof(sinew_bound_block) == 8 * sizeof(float) * SINEW_LANES, "structs have padding");

static void check_blocks(sinew_coder *c, const sinew_bounds_object *object) {
    const int32_t nodes = c->asset->skeleton->node_count;
    for (size_t i = 0; i < object->unmorphed_blocks + object->morph_blocks; i++) {
        for (int l = 0; l < SINEW_LANES; l++) {
            int32_t node = object->blocks[i].nodes[l];
            sinew_code_check(c, node >= 0 && node < nodes, "a box is on no node of the skeleton");
        }
    }
    for (int32_t i = 0; i < object->bounds.box_count; i++) {
        int32_t node = object->bounds.nodes[i];
        sinew_code_check(c, node >= 0 && node < nodes, "a box is on no node of the skeleton");
        sinew_code_check(c, !sinew_box_is_empty(object->bounds.boxes[i]), "a box is empty");
    }
}

static void check_targets(sinew_coder *c, const sinew_bounds_object *object, int32_t target_count) {
    const int32_t *first = object->first_targets, last = object->morph_count;
    bool valid = first[0] == 0 && first[last] == target_count;
    for (int32_t i = 0; i < last; i++) valid = valid && first[i] <= first[i + 1];
    for (int32_t i = 0; i < target_count; i++) {
        int32_t weight = object->targets[i].weight;
        valid = valid && weight >= 0 && weight < c->asset->skeleton->weight_count;
    }
    sinew_code_check(c, valid, "a morph target is out of range");
}

// Returns the number of morph targets of all boxes.
static int32_t code_arrays(sinew_coder *c, sinew_bounds_object *object) {
    size_t blocks = object->unmorphed_blocks + object->morph_blocks;
    SINEW_CODE_SMALL(c, object->bounds.nodes, const int32_t, object->bounds.box_count);
    SINEW_CODE_SMALL(c, object->bounds.boxes, const sinew_box, object->bounds.box_count);
    SINEW_CODE_ARRAY(c, object->blocks, const sinew_bound_block, blocks);
    SINEW_CODE_SMALL(c, object->first_targets, const int32_t, (size_t)object->morph_count + 1);
    int32_t target_count = sinew_coder_writes(c) ? object->first_targets[object->morph_count] : 0;
    sinew_code_count(c, &target_count);
    SINEW_CODE_ARRAY(c, object->targets, const sinew_bound_target, target_count);
    return target_count;
}

void sinew_code_bounds(sinew_coder *c, sinew_asset *asset) {
    c->part = "bounds";
    const size_t bytes = c->bytes;
    sinew_bounds_object object;
    memset(&object, 0, sizeof object);
    if (sinew_coder_writes(c)) object = *(const sinew_bounds_object *)asset->bounds;
    sinew_code_count(c, &object.unmorphed_count);
    sinew_code_count(c, &object.morph_count);
    sinew_code_float(c, &object.slack);
    if (object.morph_count > INT32_MAX - object.unmorphed_count) sinew_code_damaged(c, "it has too many boxes");
    if (c->failed) return;
    object.bounds.skeleton = asset->skeleton;
    object.bounds.box_count = object.unmorphed_count + object.morph_count;
    object.unmorphed_blocks = sinew_block_count(object.unmorphed_count);
    object.morph_blocks = sinew_block_count(object.morph_count);
    int32_t target_count = code_arrays(c, &object);
    if (sinew_coder_loads(c)) check_blocks(c, &object);
    if (sinew_coder_loads(c)) check_targets(c, &object, target_count);
    sinew_bounds_object *to = (sinew_bounds_object *)sinew_code_memory(c, 1, sizeof *to);
    if (!to) return;
    object.bounds.memory = c->bytes - bytes;
    *to = object;
    asset->bounds = &to->bounds;
}
