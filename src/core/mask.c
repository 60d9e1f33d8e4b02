// SPDX-License-Identifier: MIT
// A mask has a factor from 0 to 1 for each node, which multiplies a layer's or blend's weight there. Morph weights use
// their node's factor. Curves have separate factors, which follow the morph weights' factors.
//
// A feather is how many levels of the hierarchy it takes to reach a subtree's factor gradually.
#include <sinew/mask.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/nearest_name.h"
#include "core/mask_part.h"
#include "core/pose_block.h"

#include <assert.h>
#include <string.h>

// A mask with writable pointers to its arrays.
typedef struct mask_object {
    sinew_mask mask;
    float *nodes, *weights;
    sinew_allocator allocator;
    size_t size;
} mask_object;

// ---- Factors -------------------------------------------------------------------------------------------------

static float clamp_factor(float factor) {
    if (!(factor > 0.0f)) return 0.0f; // also for NaN
    return factor < 1.0f ? factor : 1.0f;
}

// Copies the factors of nodes [first, end) to their morph weights.
static void copy_to_weights(mask_object *object, int32_t first, int32_t end) {
    const int32_t *offsets = object->mask.skeleton->weight_offsets;
    for (int32_t node = first; node < end; node++) {
        for (int32_t w = offsets[node]; w < offsets[node + 1]; w++) object->weights[w] = object->nodes[node];
    }
}

// Sets the factors of nodes [first, end) and of their morph weights.
static void set_range(mask_object *object, int32_t first, int32_t end, float factor) {
    for (int32_t i = first; i < end; i++) object->nodes[i] = factor;
    copy_to_weights(object, first, end);
}

void sinew_mask_set(sinew_mask *mask, int32_t node, float factor) {
    assert(mask);
    assert(node >= 0 && node < mask->skeleton->node_count);
    set_range((mask_object *)mask, node, node + 1, clamp_factor(factor));
}

// Writes how deep each node is below the range's first node. Uses the array of factors as scratch. Floats can represent
// every possible depth.
static void write_depths(const sinew_skeleton *skeleton, int32_t first, int32_t end, float *depths) {
    depths[first] = 0.0f;
    for (int32_t i = first + 1; i < end; i++) depths[i] = depths[skeleton->parents[i]] + 1.0f;
}

// Factors change linearly with depth. They start with the factor of the parent of `node` and reach `factor` after
// `feather` levels.
void sinew_mask_set_subtree(sinew_mask *mask, int32_t node, float factor, int32_t feather) {
    assert(mask);
    const sinew_skeleton *skeleton = mask->skeleton;
    assert(node >= 0 && node < skeleton->node_count && feather >= 0);
    mask_object *object = (mask_object *)mask;
    int32_t parent = skeleton->parents[node], end = skeleton->subtree_ends[node];
    float above = parent == SINEW_NO_NODE ? 0.0f : object->nodes[parent];
    factor = clamp_factor(factor);
    write_depths(skeleton, node, end, object->nodes);
    for (int32_t i = node; i < end; i++) {
        float fraction = (object->nodes[i] + 1.0f) / ((float)feather + 1.0f);
        object->nodes[i] = fraction < 1.0f ? above + fraction * (factor - above) : factor;
    }
    copy_to_weights(object, node, end);
}

void sinewi_mask_set_curve(sinew_mask *mask, int32_t curve, float factor) {
    assert(mask);
    assert(curve >= 0 && curve < mask->skeleton->curve_count);
    ((mask_object *)mask)->weights[mask->skeleton->weight_count + curve] = clamp_factor(factor);
}

// ---- The object ----------------------------------------------------------------------------------------------

static mask_object *lay_out(sinewi_layout *layout, const sinew_skeleton *skeleton, float **nodes, float **weights) {
    mask_object *object = sinewi_layout_array(layout, mask_object, 1, SINEWI_ALIGNMENT);
    *nodes = sinewi_layout_array(layout, float, sinewi_padded(skeleton->node_count), SINEWI_ALIGNMENT);
    *weights = sinewi_layout_array(layout, float, sinewi_padded(sinewi_value_count(skeleton)), SINEWI_ALIGNMENT);
    return object;
}

sinew_result sinew_mask_create(const sinew_skeleton *skeleton, float others, const sinew_allocator *allocator,
                               sinew_mask **mask) {
    assert(skeleton && mask);
    *mask = NULL;
    float *nodes, *weights;
    sinewi_layout measure = {0};
    lay_out(&measure, skeleton, &nodes, &weights);
    sinewi_layout layout = {(char *)sinewi_allocate(allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return SINEW_ERROR_OUT_OF_MEMORY;
    memset(layout.base, 0, measure.size);
    mask_object *object = lay_out(&layout, skeleton, &nodes, &weights);
    *object = (mask_object){.mask = {skeleton, nodes, weights}, .nodes = nodes, .weights = weights};
    object->size = measure.size;
    if (allocator) object->allocator = *allocator;
    set_range(object, 0, skeleton->node_count, clamp_factor(others));
    *mask = &object->mask;
    return SINEW_OK;
}

void sinew_mask_destroy(sinew_mask *mask) {
    if (!mask) return;
    mask_object *object = (mask_object *)mask;
    sinew_allocator allocator = object->allocator;
    sinewi_release(&allocator, object, object->size, SINEWI_ALIGNMENT);
}

// ---- By name -------------------------------------------------------------------------------------------------

static sinew_result fail_missing(sinew_error *error, int32_t index, const char *what, const char *name,
                                 const char *const *names, int32_t count) {
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "parts[%d]: the skeleton has no %s '%s'%s", index, what, name,
                       sinewi_nearest_in(name, names, count).text);
}

static sinew_result apply_curve(sinew_mask *mask, const sinew_mask_part *part, int32_t index, sinew_error *error) {
    const sinew_skeleton *s = mask->skeleton;
    const int32_t curve = sinew_skeleton_find_curve(s, part->name);
    if (curve == SINEW_NO_CURVE)
        return fail_missing(error, index, "curve", part->name, s->curve_names, s->curve_count);
    sinewi_mask_set_curve(mask, curve, part->factor);
    return SINEW_OK;
}

// Sets the factor of a named node, subtree or curve.
sinew_result sinewi_mask_apply_part(sinew_mask *mask, const sinew_mask_part *parts, int32_t index,
                                    sinew_error *error) {
    const sinew_mask_part *part = &parts[index];
    if (!part->name || part->name[0] == '\0') {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "parts[%d]: no name", index);
    }
    if (part->curve) return apply_curve(mask, part, index, error);
    if (part->feather < 0 && !part->alone) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "parts[%d] '%s': feather is %d; it must be 0 or more",
                           index, part->name, part->feather);
    }
    int32_t node = sinew_skeleton_find(mask->skeleton, part->name);
    const sinew_skeleton *s = mask->skeleton;
    if (node == SINEW_NO_NODE) return fail_missing(error, index, "node", part->name, s->names, s->node_count);
    sinewi_mask_apply_to_node(mask, part, node);
    return SINEW_OK;
}

void sinewi_mask_apply_to_node(sinew_mask *mask, const sinew_mask_part *part, int32_t node) {
    if (part->alone) {
        sinew_mask_set(mask, node, part->factor);
    } else {
        sinew_mask_set_subtree(mask, node, part->factor, part->feather);
    }
}

// Starts with the same factor for all nodes, then applies the parts in order.
sinew_result sinew_mask_from_names(const sinew_skeleton *skeleton, float others, const sinew_mask_part *parts,
                                   int32_t part_count, const sinew_allocator *allocator, sinew_mask **mask,
                                   sinew_error *error) {
    if (sinew_mask_create(skeleton, others, allocator, mask) != SINEW_OK) return sinewi_fail_memory(error);
    for (int32_t i = 0; i < part_count; i++) {
        sinew_result result = sinewi_mask_apply_part(*mask, parts, i, error);
        if (result == SINEW_OK) continue;
        sinew_mask_destroy(*mask);
        *mask = NULL;
        return result;
    }
    return SINEW_OK;
}
