// Channels and samplers against the specification's rules for animations (glTF 2.0, section 5.5 to 5.9).
#include "lint/subject.h"

// ---- Targets -------------------------------------------------------------------------------------------------------

static bool has_targets(const lint_subject *s, const lint_node *node) {
    if (node->mesh < 0) return false;
    ref_list primitives = ref_elements(s->document, s->document->meshes.values[node->mesh], "primitives");
    return primitives.count > 0 && ref_elements(s->document, primitives.values[0], "targets").count > 0;
}

static const char *channel_place(lint_subject *s, int32_t animation, const lint_channel *channel) {
    return lint_place(s, "animations[%d].channels[%d]", (int)animation, (int)channel->index);
}

static void check_channel(lint_subject *s, int32_t animation, const lint_channel *channel) {
    static const char *const paths[] = {"translation", "rotation", "scale"};
    if (channel->node < 0) return;
    const lint_node *node = &s->nodes[channel->node];
    if (channel->path != SINEW_TARGET_WEIGHTS) {
        if (!node->has_matrix) return;
        lint_add(s, LINT_MATRIX_ANIMATED, 0, channel_place(s, animation, channel),
                 "animates the %s of %s, which has a matrix", paths[channel->path],
                 lint_node_label(s, channel->node));
        return;
    }
    if (has_targets(s, node)) return;
    lint_add(s, LINT_WEIGHTS_WITHOUT_TARGETS, 0, channel_place(s, animation, channel),
             "animates the weights of %s, which has no morph targets", lint_node_label(s, channel->node));
}

// ---- Key times -----------------------------------------------------------------------------------------------------

static void check_input(lint_subject *s, const lint_sampler *sampler) {
    const sinew_json *json = &s->document->json;
    sinew_json_value accessor = s->document->accessors.values[sampler->input];
    const char *place = lint_place(s, "accessors[%d]", (int)sampler->input);
    double type = ref_number(s->document, accessor, "componentType", 5126.0);
    if (type != 5126.0) {
        lint_add(s, LINT_TIMES_NOT_FLOAT, 0, place,
                 "component type %d instead of 5126; they are the key times of animations[%d].samplers[%d]",
                 (int)type, (int)sampler->animation, (int)sampler->index);
    }
    bool has_min = sinew_json_get(json, accessor, "min") != SINEW_JSON_ABSENT;
    bool has_max = sinew_json_get(json, accessor, "max") != SINEW_JSON_ABSENT;
    if (has_min && has_max) return;
    lint_add(s, LINT_TIMES_BOUNDS, 0, place, "no %s; they are the key times of animations[%d].samplers[%d]",
             has_min   ? "max"
             : has_max ? "min"
                       : "min and max",
             (int)sampler->animation, (int)sampler->index);
}

// ---- All of them ---------------------------------------------------------------------------------------------------

void lint_check_channels(lint_subject *s) {
    bool *checked = lint_array(s, bool, s->document->accessors.count); // samplers share their key times
    for (int32_t i = 0; checked && i < s->animation_count; i++) {
        const lint_animation *animation = &s->animations[i];
        for (int32_t k = 0; k < animation->channel_count; k++) check_channel(s, i, &animation->channels[k]);
        for (int32_t k = 0; k < animation->sampler_count; k++) {
            const lint_sampler *sampler = &animation->samplers[k];
            if (sampler->key_count == 0 || checked[sampler->input]) continue;
            checked[sampler->input] = true;
            check_input(s, sampler);
        }
    }
}
