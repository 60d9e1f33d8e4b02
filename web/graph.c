// SPDX-License-Identifier: MIT
// Graphs, their bindings and animators for JavaScript.
#include "internal.h"

#include <string.h>

// ---- Graphs --------------------------------------------------------------------------------------------------

sinew_graph *web_graph_load(const char *text, size_t size) {
    sinew_graph *graph;
    sinew_error error;
    if (sinew_graph_load_memory(text, size, NULL, &graph, &error) != SINEW_OK) web_fail(error.message);
    return graph;
}

// ---- Bindings ------------------------------------------------------------------------------------------------

// Clips made for the asset: its file doesn't have them.
typedef struct bound_clips {
    const sinew_clip *const *clips;
    int32_t count;
} bound_clips;

static const sinew_clip *find_bound_clip(const char *name, void *user) {
    const bound_clips *bound = user;
    for (int32_t i = 0; i < bound->count; i++)
        if (strcmp(bound->clips[i]->name, name) == 0) return bound->clips[i];
    return NULL;
}

sinew_graph_binding *web_graph_bind(const sinew_graph *graph, const sinew_asset *asset,
                                    const sinew_clip *const *clips, int32_t clip_count) {
    bound_clips bound = {clips, clip_count};
    sinew_humanoid humanoid;
    sinew_graph_binding_def def = sinew_graph_binding_default();
    if (WEB_CHARACTERS) {
        const sinew_result found = web_find_roles(asset, &humanoid);
        if (found == SINEW_OK) def.humanoid = &humanoid;
        if (found == SINEW_ERROR_OUT_OF_MEMORY) {
            web_fail("out of memory");
            return NULL;
        }
    }
    def.graph = graph;
    def.asset = asset;
    def.find_clip = find_bound_clip;
    def.user = &bound;
    sinew_graph_binding *binding;
    sinew_error error;
    if (sinew_graph_bind(&def, &binding, &error) != SINEW_OK) web_fail(error.message);
    return binding;
}

const sinew_clip *web_binding_clip(const sinew_graph_binding *binding, int32_t state) {
    return binding->sources[state].clip;
}

const sinew_blend_space *web_binding_space(const sinew_graph_binding *binding, int32_t state) {
    return binding->sources[state].blend_space;
}

const sinew_clip *web_binding_sample_clip(const sinew_graph_binding *binding, int32_t state, int32_t sample) {
    return binding->sources[state].blend_space->samples[sample].clip;
}

const sinew_mask *web_binding_mask(const sinew_graph_binding *binding, int32_t layer) {
    return binding->masks[layer];
}

// ---- Animators -----------------------------------------------------------------------------------------------

void web_animator_vector2(const sinew_animator *animator, int32_t parameter) {
    sinew_animator_vector2(animator, parameter, &web_numbers()[0], &web_numbers()[1]);
}

void web_animator_set_vector3(sinew_animator *animator, int32_t parameter, float x, float y, float z) {
    sinew_animator_set_vector3(animator, parameter, (sinew_vec3){x, y, z});
}

void web_animator_vector3(const sinew_animator *animator, int32_t parameter) {
    const sinew_vec3 value = sinew_animator_vector3(animator, parameter);
    memcpy(web_numbers(), &value, sizeof value);
}

void web_animator_set_transform(sinew_animator *animator, int32_t parameter) {
    const float *n = web_numbers();
    sinew_animator_set_transform(animator, parameter, (sinew_vec3){n[0], n[1], n[2]},
                                 (sinew_quat){n[3], n[4], n[5], n[6]});
}

void web_animator_transform(const sinew_animator *animator, int32_t parameter) {
    const sinew_transform value = sinew_animator_transform(animator, parameter);
    memcpy(web_numbers(), &value.translation, sizeof value.translation);
    memcpy(web_numbers() + 3, &value.rotation, sizeof value.rotation);
}

void web_animator_force_state(sinew_animator *animator, int32_t state) {
    sinew_animator_force_state(animator, state, web_next_transition());
}

const sinew_graph_event *web_animator_events(const sinew_animator *animator) {
    return sinew_animator_events(animator).items;
}

int32_t web_animator_event_count(const sinew_animator *animator) {
    return sinew_animator_events(animator).count;
}
