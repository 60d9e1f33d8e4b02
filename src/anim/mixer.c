// Making mixers.
#include <sinew/recording.h>

#include "anim/mixer_state.h"
#include "base/memory.h"

#include <string.h>

// ---- Making --------------------------------------------------------------------------------------------------

sinew_mixer_def sinew_mixer_default_def(void) {
    return (sinew_mixer_def){
        .root = SINEW_NO_NODE,
        .max_actions = 16,
        .layer_count = 2,
        .hints_per_action = 8,
        .max_events = 32,
        .max_blend_spaces = 1,
        .inertialization = true,
        .underweight = SINEW_UNDERWEIGHT_NORMALIZE,
    };
}

// What each frame needs comes first and side by side, the matrices even before the mixer itself.
static sinew_mixer *lay_out(sinew_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields) {
    size_t actions = (size_t)def->max_actions, hints = actions * (size_t)def->hints_per_action;
    size_t layers = (size_t)def->layer_count, spaces = (size_t)def->max_blend_spaces;
    size_t shares = actions + spaces * SINEW_BLEND_SPACE_MOST + layers + 1;
    size_t nodes = sinew_padded(def->skeleton->node_count);
    fields->model = sinew_layout_array(layout, sinew_affine, nodes, SINEW_ALIGNMENT);
    sinew_mixer *mixer = sinew_layout_array(layout, sinew_mixer, 1, SINEW_ALIGNMENT);
    fields->shown.shares = sinew_layout_array(layout, mixer_share, shares, sizeof(float));
    fields->state = sinew_layout_array(layout, mixer_state, 1, SINEW_ALIGNMENT);
    fields->layers = sinew_layout_array(layout, layer_state, layers, sizeof(double));
    fields->actions = sinew_layout_array(layout, action_state, actions, sizeof(double));
    fields->hints = sinew_layout_array(layout, uint32_t, hints, sizeof(uint32_t));
    fields->follows = sinew_layout_array(layout, follow_state, actions, sizeof(void *));
    fields->left = sinew_layout_array(layout, left_state, layers, sizeof(void *));
    fields->spaces = sinew_layout_array(layout, space_state, spaces, sizeof(double));
    sinew_mixer_held_lay_out(layout, def, fields);
    fields->events = sinew_layout_array(layout, sinew_event, (size_t)def->max_events, sizeof(void *));
    sinew_pose_lay_out(layout, def->skeleton, &fields->pose);
    sinew_mixer_root_lay_out(layout, def, fields);
    return mixer;
}

static bool is_valid(const sinew_mixer_def *def) {
    if (!def->skeleton) return false;
    if (def->root < SINEW_NO_NODE || def->root >= def->skeleton->node_count) return false;
    if (def->max_actions < 1 || def->max_actions > SINEW_MOST_ACTIONS) return false;
    if (def->layer_count < 1 || def->layer_count > SINEW_MOST_LAYERS) return false;
    if (def->max_blend_spaces < 0 || def->max_blend_spaces > SINEW_MOST_SPACES) return false;
    if (def->sync_name_count < 0 || (def->sync_name_count > 0 && !def->sync_names)) return false;
    if (def->max_events < 0 || def->max_events > 65535) return false;
    return def->hints_per_action >= 0 && def->hints_per_action <= 255;
}

static sinew_range animated_nodes(const sinew_mixer_def *def) {
    if (def->root == SINEW_NO_NODE) return (sinew_range){0, def->skeleton->node_count};
    return (sinew_range){def->root, def->skeleton->subtree_ends[def->root]};
}

sinew_result sinew_mixer_create(const sinew_mixer_def *def, sinew_mixer **mixer) {
    *mixer = NULL;
    if (!is_valid(def)) return SINEW_ERROR_ARGUMENT;
    sinew_root root;
    if (def->root_motion && def->root_motion->skeleton != def->skeleton) return SINEW_ERROR_ARGUMENT;
    if (def->root_motion && sinew_root_init(&root, def->root_motion, NULL) != SINEW_OK) return SINEW_ERROR_ARGUMENT;
    sinew_mixer fields = {.def = *def, .nodes = animated_nodes(def)};
    if (def->root_motion && (root.node < fields.nodes.first || root.node >= fields.nodes.end))
        return SINEW_ERROR_ARGUMENT;
    sinew_layout measure = {0};
    lay_out(&measure, def, &fields);
    sinew_layout layout = {(char *)sinew_allocate(&def->allocator, measure.size, SINEW_ALIGNMENT), 0};
    if (!layout.base) return SINEW_ERROR_OUT_OF_MEMORY;
    memset(layout.base, 0, measure.size);
    *mixer = lay_out(&layout, def, &fields);
    fields.size = measure.size;
    fields.lanes = fields.nodes;
    if (fields.nodes.end == def->skeleton->node_count) fields.lanes.end = (int32_t)sinew_padded(fields.nodes.end);
    **mixer = fields;
    if (fields.root) fields.root->root = root;
    for (int32_t i = 0; i < def->layer_count; i++) fields.layers[i].weight = sinew_fade_at(1.0f);
    sinew_mixer_held_reset(*mixer);
    sinew_pose_reset(&fields.pose);
    sinew_pose_to_model(&fields.pose, fields.model);
    (*mixer)->def.root_motion = NULL; // the caller's; what it says has been read
    return SINEW_OK;
}

void sinew_mixer_destroy(sinew_mixer *mixer) {
    if (!mixer) return;
    sinew_mixer_record(mixer, NULL, NULL);
    sinew_allocator allocator = mixer->def.allocator;
    sinew_release(&allocator, mixer->model, mixer->size, SINEW_ALIGNMENT); // the block starts with them
}
