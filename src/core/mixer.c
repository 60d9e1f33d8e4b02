// SPDX-License-Identifier: MIT
// Creates and destroys mixers. Checks the definition and allocates all memory as one block.
#include "core/mixer_control.h"
#include "core/mixer_interface.h"
#include "base/callback.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "core/skeleton_object.h"

#include <assert.h>
#include <string.h>

#if defined(_MSC_VER)
long _InterlockedExchangeAdd(long volatile *value, long added); // a compiler intrinsic. <intrin.h> also has it, but
                                                                // is large.
#pragma intrinsic(_InterlockedExchangeAdd)
#endif

// ---- Memory --------------------------------------------------------------------------------------------------

sinew_mixer_def sinew_mixer_default(void) {
    return (sinew_mixer_def){
        .root = SINEW_NO_NODE,
        .max_actions = 16,
        .layer_count = 2,
        .hints_per_action = 8,
        .max_events = 32,
        .max_blend_spaces = 2,
        .inertialization = true,
        .smoothing = 0.2f,
        .underweight = SINEW_UNDERWEIGHT_NORMALIZE,
        .cookie = SINEWI_DEF_COOKIE,
    };
}

// Lays out the poses in the state: the finished pose, the held pose, and the memory for inertialization.
static void lay_out_held(sinewi_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields) {
    size_t blocks = sinewi_block_count(def->skeleton->node_count);
    size_t lanes = sinewi_padded(sinewi_value_count(def->skeleton));
    size_t finished = def->inertialization ? 1 : 0;
    sinewi_block *first = sinewi_layout_array(layout, sinewi_block, finished * blocks, SINEWI_ALIGNMENT);
    float *first_weights = sinewi_layout_array(layout, float, finished *lanes, SINEWI_ALIGNMENT);
    sinewi_block *held = sinewi_layout_array(layout, sinewi_block, blocks, SINEWI_ALIGNMENT);
    float *held_weights = sinewi_layout_array(layout, float, lanes, SINEWI_ALIGNMENT);
    if (def->inertialization) {
        size_t weight_blocks = lanes / SINEW_LANES;
        fields->finished = (saved_pose){first, first_weights};
        fields->extrapolated.blocks = sinewi_layout_array(layout, sinewi_held_block, blocks, SINEWI_ALIGNMENT);
        fields->extrapolated.weights =
            sinewi_layout_array(layout, sinewi_held_weight_block, weight_blocks, SINEWI_ALIGNMENT);
        fields->offsets.blocks = sinewi_layout_array(layout, offset_block, blocks, SINEWI_ALIGNMENT);
        fields->offsets.weights = sinewi_layout_array(layout, weight_offset_block, weight_blocks, SINEWI_ALIGNMENT);
        fields->finish_offsets.blocks = sinewi_layout_array(layout, offset_block, blocks, SINEWI_ALIGNMENT);
        fields->finish_offsets.weights =
            sinewi_layout_array(layout, weight_offset_block, weight_blocks, SINEWI_ALIGNMENT);
    }
    sinewi_layout_take(layout, 0, 1, SINEWI_ALIGNMENT);
    const size_t end = layout->size;
    fields->not_plain = sinewi_layout_array(layout, uint8_t, blocks, 1);
    if (!layout->base) return;
    fields->finished_size = (size_t)((char *)held - (char *)fields->state);
    fields->state_size = (size_t)(layout->base + end - (char *)fields->state);
    fields->held = (held_pose){held, held_weights, *sinewi_skeleton_rest(def->skeleton)};
    fields->held.data.base = held;
    fields->held.data.base_weights = held_weights;
    fields->held.data.fast_paths = fields->not_plain;
}

// Lays out the block. Whatever each frame needs comes first and together. The matrices are before the mixer itself.
static sinew_mixer *lay_out(sinewi_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields) {
    size_t actions = (size_t)def->max_actions, hints = actions * (size_t)def->hints_per_action;
    size_t layers = (size_t)def->layer_count, spaces = (size_t)def->max_blend_spaces;
    size_t items = actions + spaces * SINEW_MAX_BLEND_WEIGHTS + 2;
    size_t nodes = sinewi_padded(def->skeleton->node_count);
    fields->model = sinewi_layout_array(layout, sinew_affine, nodes, SINEWI_ALIGNMENT);
    sinew_mixer *mixer = sinewi_layout_array(layout, sinew_mixer, 1, SINEWI_ALIGNMENT);
    fields->current.items = sinewi_layout_array(layout, contribution, items, sizeof(float));
    sinewi_layout_take(layout, 0, 1, SINEWI_ALIGNMENT);
    const size_t head = layout->size;
    fields->state = sinewi_layout_array(layout, mixer_state, 1, SINEWI_ALIGNMENT);
    fields->layers = sinewi_layout_array(layout, layer_state, layers, sizeof(double));
    fields->actions = sinewi_layout_array(layout, action_state, actions, sizeof(double));
    fields->hints = sinewi_layout_array(layout, uint32_t, hints, sizeof(uint32_t));
    fields->queued = sinewi_layout_array(layout, queued_state, actions, sizeof(void *));
    fields->previous = sinewi_layout_array(layout, previous_source, layers, sizeof(void *));
    fields->spaces = sinewi_layout_array(layout, space_state, spaces, sizeof(double));
    size_t sides = sinewi_side_row_count(def) * sinewi_block_count(def->skeleton->node_count);
    fields->sides = sinewi_layout_array(layout, uint16_t, sides, sizeof(uint16_t));
    sinewi_layout_take(layout, 0, 1, SINEWI_ALIGNMENT);
    fields->head_size = layout->size - head;
    lay_out_held(layout, def, fields);
    if (def->inertialization)
        fields->seam.before = sinewi_layout_array(layout, char, fields->head_size, SINEWI_ALIGNMENT);
    fields->weights = sinewi_layout_array(layout, kept_weights, spaces, sizeof(void *));
    fields->events = sinewi_layout_array(layout, sinew_event, (size_t)def->max_events, sizeof(void *));
    if (def->easing) fields->in_easing = sinewi_layout_array(layout, bool, 1, 1);
    sinewi_pose_lay_out(layout, def->skeleton, &fields->pose);
    sinewi_mixer_root_lay_out(layout, def, fields);
    return mixer;
}

static sinew_result check_range(const char *name, int32_t value, int32_t min, int32_t max, sinew_error *error) {
    if (value >= min && value <= max) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "mixer: %s is %d; it must be %d to %d", name, (int)value,
                       (int)min, (int)max);
}

static sinew_result check_ranges(const sinew_mixer_def *def, sinew_error *error) {
    const struct {
        const char *name;
        int32_t value, min, max;
    } ranges[] = {
        {"max_actions", def->max_actions, 1, SINEW_MAX_ACTIONS},
        {"layer_count", def->layer_count, 1, SINEWI_MAX_LAYERS},
        {"hints_per_action", def->hints_per_action, 0, 255},
        {"max_events", def->max_events, 0, 65535},
        {"max_blend_spaces", def->max_blend_spaces, 0, SINEWI_MAX_SPACES},
        {"sync_name_count", def->sync_name_count, 0, SINEWI_MAX_SYNC_MARKERS},
        {"underweight", (int32_t)def->underweight, SINEW_UNDERWEIGHT_NORMALIZE, SINEW_UNDERWEIGHT_REST},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        sinew_result result = check_range(ranges[i].name, ranges[i].value, ranges[i].min, ranges[i].max, error);
        if (result != SINEW_OK) return result;
    }
    return SINEW_OK;
}

static sinew_result check_sync_names(const sinew_mixer_def *def, sinew_error *error) {
    if (def->sync_name_count > 0 && !def->sync_names) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "mixer: sync_name_count is %d, but sync_names is NULL",
                           (int)def->sync_name_count);
    }
    for (int32_t i = 0; i < def->sync_name_count; i++) {
        if (def->sync_names[i]) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "mixer: sync_names[%d] is NULL", (int)i);
    }
    return SINEW_OK;
}

static sinew_result check_root(const sinew_mixer_def *def, sinew_error *error) {
    int32_t count = def->skeleton->node_count;
    if (def->root >= SINEW_NO_NODE && def->root < count) return SINEW_OK;
    return sinewi_fail(
        error, SINEW_ERROR_ARGUMENT,
        "mixer: root is node %d, but the skeleton has %d nodes; set it to one of them or to SINEW_NO_NODE",
        (int)def->root, (int)count);
}

static sinew_result check_smoothing(const sinew_mixer_def *def, sinew_error *error) {
    if (def->smoothing >= 0.0f && isfinite(def->smoothing)) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "mixer: smoothing is %g s; it must be 0 or more",
                       (double)def->smoothing);
}

static sinew_result check(const sinew_mixer_def *def, sinew_error *error) {
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_mixer_def: start from sinew_mixer_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->skeleton) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "mixer: def->skeleton is NULL");
    result = check_root(def, error);
    if (result == SINEW_OK) result = check_ranges(def, error);
    if (result == SINEW_OK) result = check_smoothing(def, error);
    return result == SINEW_OK ? check_sync_names(def, error) : result;
}

static sinewi_range animated_nodes(const sinew_mixer_def *def) {
    if (def->root == SINEW_NO_NODE) return (sinewi_range){0, def->skeleton->node_count};
    return (sinewi_range){def->root, def->skeleton->subtree_ends[def->root]};
}

static sinew_result init_root_motion(sinewi_root *root, const sinew_mixer_def *def, sinew_error *error) {
    if (!def->root_motion) return SINEW_OK;
    sinew_result result =
        SINEWI_CHECK_DEF(def->root_motion, "sinew_root_motion_def: start from sinew_root_motion_default()", error);
    if (result != SINEW_OK) return result;
    if (def->root_motion->skeleton != def->skeleton) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "mixer: root_motion->skeleton is not the mixer's skeleton");
    }
    result = sinewi_root_init(root, def->root_motion, error);
    if (result != SINEW_OK) return result;
    sinewi_range nodes = animated_nodes(def);
    if (root->node >= nodes.first && root->node < nodes.end) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                       "mixer: root_motion->node is %d, outside the subtree of root %d, nodes %d to %d",
                       (int)root->node, (int)def->root, (int)nodes.first, (int)nodes.end - 1);
}

// Hashes what a snapshot and a mixer must have in common: the layout of the state and the meaning of its numbers. The
// skeleton counts by address, like clips, because snapshots stay within a process.
static uint64_t definition_hash(const sinew_mixer *mixer) {
    const sinew_mixer_def *def = &mixer->def;
    uint64_t hash = SINEWI_FNV_START;
    const int32_t numbers[] = {def->root,
                               def->max_actions,
                               def->layer_count,
                               def->hints_per_action,
                               def->max_blend_spaces,
                               (int32_t)def->underweight,
                               def->inertialization,
                               mixer->root ? mixer->root->root.node : SINEW_NO_NODE};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sinewi_fnv_number(&hash, (uint32_t)numbers[i]);
    sinewi_fnv_number(&hash, (uintptr_t)def->skeleton);
    sinewi_fnv_number(&hash, mixer->state_size);
    sinewi_fnv_float(&hash, def->smoothing);
    for (int32_t i = 0; i < def->sync_name_count; i++) sinewi_fnv_string(&hash, def->sync_names[i]);
    return hash;
}

// Returns a tag for the handles of a new mixer. It goes from 1 to 2^24 - 1 and then wraps. Thread-safe.
static uint32_t next_tag(void) {
#if defined(_MSC_VER)
    static volatile long made;
    uint32_t number = (uint32_t)_InterlockedExchangeAdd(&made, 1);
#elif defined(__GNUC__)
    static uint32_t made;
    uint32_t number = __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
#else
    static uint32_t made;
    volatile uint32_t *place = &made;
    uint32_t number = (*place)++;
#endif
    return number % 0xffffff + 1;
}

sinew_result sinew_mixer_create(const sinew_mixer_def *def, sinew_mixer **mixer, sinew_error *error) {
    assert(mixer);
    *mixer = NULL;
    sinewi_root root;
    sinew_result result = check(def, error);
    if (result == SINEW_OK) result = init_root_motion(&root, def, error);
    if (result != SINEW_OK) return result;
    sinew_mixer fields = {.def = *def, .nodes = animated_nodes(def)};
    sinewi_layout measure = {0};
    lay_out(&measure, def, &fields);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(error);
    memset(layout.base, 0, measure.size);
    *mixer = lay_out(&layout, def, &fields);
    fields.size = measure.size;
    fields.lanes = fields.nodes;
    if (fields.nodes.end == def->skeleton->node_count) fields.lanes.end = (int32_t)sinewi_padded(fields.nodes.end);
    **mixer = fields;
    if (fields.root) fields.root->root = root;
    fields.state->magic = SINEWI_SNAPSHOT_MAGIC;
    fields.state->tag = next_tag();
    fields.state->definition = definition_hash(*mixer);
    for (int32_t i = 0; i < def->layer_count; i++) fields.layers[i].weight = sinewi_fade_constant(1.0f);
    sinewi_mixer_lose_layer_sides(*mixer, 1, def->layer_count);
    sinewi_mixer_lose_rest_side(*mixer);
    sinewi_mixer_hold_rest(*mixer);
    sinew_pose_reset(&fields.pose);
    sinew_pose_to_model(&fields.pose, fields.model);
    (*mixer)->def.root_motion = NULL; // belongs to the caller and isn't needed anymore
    return SINEW_OK;
}

void sinewi_mixer_forget(sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->def.max_blend_spaces; i++) mixer->weights[i].serial = 0;
    const size_t clips = mixer->root ? sinewi_kept_clip_count(&mixer->def) : 0;
    for (size_t i = 0; i < clips; i++) mixer->root->clips[i].serial = 0;
}

bool sinewi_mixer_destroy_idle(sinew_mixer *mixer) {
    bool is_idle =
        SINEWI_IS_IDLE(mixer->in_event,
                       "sinew_mixer_destroy or sinew_animator_destroy in on_event: destroy it after the update") &&
        SINEWI_IS_IDLE(
            mixer->in_batch,
            "sinew_mixer_destroy or sinew_animator_destroy in sinew_batch_update: destroy it after that") &&
        SINEWI_IS_IDLE(sinewi_mixer_is_in_easing(mixer),
                       "sinew_mixer_destroy or sinew_animator_destroy in `easing`: destroy it after the call");
    if (!is_idle) return false;
    if (mixer->recorder && !mixer->recorder->stop(mixer)) return false;
    sinew_allocator allocator = mixer->def.allocator;
    sinewi_release(&allocator, mixer->model, mixer->size, SINEWI_ALIGNMENT); // comes first in the block
    return true;
}

void sinew_mixer_destroy(sinew_mixer *mixer) {
    if (mixer) sinewi_mixer_destroy_idle(mixer);
}

bool sinewi_mixer_is_in_event(const sinew_mixer *mixer) {
    return mixer->in_event;
}
