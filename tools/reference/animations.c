// SPDX-License-Identifier: MIT
// Reads animations (sections 3.11 and 5.5). Several channels in the file may become one channel in the model, and one
// may become several. A pointer to a mesh's weights animates each of its nodes. A pointer to a single weight is part of
// the node's weights.
#include "reference/internal.h"
#include "reference/model.h"

#include <string.h>

// A sampler, read when it's first used. Many channels may share one.
typedef struct sampler {
    bool read;
    ref_interpolation interpolation;
    ref_accessor input, output;
} sampler;

// For each path of a node, 1 + the last animation that animates it.
typedef int32_t movers[REF_WEIGHTS + 1];

// The channel that a node's single weights share.
typedef struct weight_channel {
    int32_t animation; // 1 + the animation
    int32_t channel;
    bool *is_set; // [the node's weights]
} weight_channel;

typedef struct reader {
    ref_document *document;
    const ref_model *model;
    movers *moved;           // [node]
    weight_channel *weights; // [node]
    int32_t *first_of_mesh;  // [mesh]; its first node without its own weights, or -1
    int32_t *next_of_mesh;   // [node]
    int32_t animation;       // being read
    ref_channel *channels;   // its channels
    int32_t count, capacity;
} reader;

// ---- Samplers ------------------------------------------------------------------------------------------------------

static bool read_sampler(ref_document *document, sinewi_json_value value, sampler *s) {
    static const char *const words[] = {"STEP", "LINEAR", "CUBICSPLINE", NULL};
    if (s->read) return true;
    const int word = ref_word(document, value, "interpolation", words, REF_LINEAR);
    s->interpolation = word < 0 ? REF_LINEAR : (ref_interpolation)word; // like the library
    int32_t repeated;
    s->read = ref_read_times(document, ref_index(document, value, "input"), &s->input, &repeated) &&
              ref_read_accessor(document, ref_index(document, value, "output"), &s->output);
    return s->read;
}

static int32_t parts_of(ref_interpolation interpolation) {
    return interpolation == REF_CUBICSPLINE ? 3 : 1;
}

// Fills a channel whose keys have `width` numbers.
static bool use_sampler(ref_document *document, sinewi_json_value value, const sampler *s, int32_t width,
                        ref_channel *channel) {
    const int64_t numbers = (int64_t)s->input.count * width * parts_of(s->interpolation);
    if (s->input.components != 1 || (int64_t)s->output.count * s->output.components != numbers)
        return ref_fail(document, value, "the counts of input and output do not match");
    channel->width = width;
    channel->interpolation = s->interpolation;
    channel->key_count = s->input.count;
    channel->times = s->input.values;
    channel->values = s->output.values;
    return true;
}

// ---- Channels ------------------------------------------------------------------------------------------------------

static bool fail_memory(const reader *r) {
    return ref_fail_memory(r->document, SINEWI_JSON_ABSENT);
}

static bool add_channel(reader *r, ref_channel channel) {
    if (r->count == r->capacity) {
        const int32_t capacity = r->capacity < 8 ? 8 : 2 * r->capacity;
        ref_channel *grown = sinewi_arena_zeros(&r->document->arena, ref_channel, (size_t)capacity);
        if (!grown) return fail_memory(r);
        if (r->count > 0) memcpy(grown, r->channels, (size_t)r->count * sizeof *grown);
        r->channels = grown;
        r->capacity = capacity;
    }
    r->channels[r->count++] = channel;
    return true;
}

// Returns whether to use a channel. Ignores channels without a valid target, and a second channel for the same target,
// which the specification forbids.
static bool may_move(const reader *r, int32_t node, int path) {
    if (node < 0 || node >= r->model->node_count || path < 0) return false;
    return path != REF_WEIGHTS || r->model->nodes[node].weight_count > 0;
}

static bool take(const reader *r, int32_t node, int path) {
    if (!may_move(r, node, path) || r->moved[node][path] == r->animation + 1) return false;
    r->moved[node][path] = r->animation + 1;
    return true;
}

static int32_t width_of(const reader *r, int32_t node, int path) {
    if (path == REF_WEIGHTS) return r->model->nodes[node].weight_count;
    return path == REF_ROTATION ? 4 : 3;
}

// ---- Single weights ------------------------------------------------------------------------------------------------

// Starts the channel of a node's weights. Weights without a channel keep the rest pose's values.
static bool begin_weights(reader *r, int32_t node, const ref_channel *one) {
    const ref_node *owner = &r->model->nodes[node];
    const int32_t width = owner->weight_count, parts = parts_of(one->interpolation);
    const size_t keys = (size_t)one->key_count * (size_t)parts;
    double *values = sinewi_arena_zeros(&r->document->arena, double, keys *(size_t)width);
    bool *is_set = sinewi_arena_zeros(&r->document->arena, bool, (size_t)width);
    if (!values || !is_set) return fail_memory(r);
    for (ptrdiff_t k = 0; k < one->key_count; k++) // between the tangents
        memcpy(values + (k * parts + parts / 2) * width, r->model->rest_weights + owner->first_weight,
               (size_t)width * sizeof *values);
    ref_channel all = *one;
    all.node = node;
    all.path = REF_WEIGHTS;
    all.width = width;
    all.values = values;
    r->weights[node] = (weight_channel){r->animation + 1, r->count, is_set};
    return add_channel(r, all);
}

// Adds the keys of one of a node's weights. Like the library, ignores it if it has other key times than the first one.
static bool add_weight(reader *r, sinewi_json_value value, int32_t node, int32_t element, const sampler *s) {
    ref_channel one = {.node = node};
    weight_channel *w = &r->weights[node];
    if (!may_move(r, node, REF_WEIGHTS) || element >= r->model->nodes[node].weight_count) return true;
    if (!use_sampler(r->document, value, s, 1, &one)) return false;
    if (w->animation != r->animation + 1) {
        if (!take(r, node, REF_WEIGHTS)) return true;
        if (!begin_weights(r, node, &one)) return false;
    }
    const ref_channel *all = &r->channels[w->channel];
    if (w->is_set[element] || all->times != one.times || all->interpolation != one.interpolation) return true;
    w->is_set[element] = true;
    double *values = (double *)(uintptr_t)all->values; // allocated by begin_weights
    const ptrdiff_t keys = (ptrdiff_t)one.key_count * parts_of(one.interpolation);
    for (ptrdiff_t k = 0; k < keys; k++) values[k * all->width + element] = one.values[k];
    return true;
}

// ---- Targets -------------------------------------------------------------------------------------------------------

static bool add_of_node(reader *r, sinewi_json_value value, int32_t node, const ref_target *target,
                        const sampler *s) {
    if (target->element >= 0) return add_weight(r, value, node, target->element, s);
    ref_channel channel = {.node = node, .path = (ref_path)target->path};
    if (!take(r, node, target->path)) return true;
    return use_sampler(r->document, value, s, width_of(r, node, target->path), &channel) && add_channel(r, channel);
}

static bool add_of_mesh(reader *r, sinewi_json_value value, const ref_target *target, const sampler *s) {
    if (target->mesh >= r->model->mesh_count) return true;
    for (int32_t node = r->first_of_mesh[target->mesh]; node >= 0; node = r->next_of_mesh[node])
        if (!add_of_node(r, value, node, target, s)) return false;
    return true;
}

static ref_target read_target(ref_document *document, sinewi_json_value channel) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights", "pointer", NULL};
    const sinewi_json_value value = sinewi_json_get(&document->json, channel, "target");
    const int path = ref_word(document, value, "path", paths, -1), pointer = 4;
    if (path == pointer) return ref_read_pointer(document, value);
    return (ref_target){.node = ref_index(document, value, "node"), .mesh = -1, .path = path, .element = -1};
}

// Reads a channel, unless it animates nothing or has no keys.
static bool read_channel(reader *r, sinewi_json_value value, const ref_list *list, sampler *samplers) {
    const ref_target target = read_target(r->document, value);
    if (target.path < 0 || (target.mesh < 0 && !may_move(r, target.node, target.path))) return true;
    const int32_t index = ref_index(r->document, value, "sampler");
    if (index < 0 || index >= list->count)
        return ref_fail(r->document, value, "the sampler is missing or out of range");
    sampler *s = &samplers[index];
    if (!read_sampler(r->document, list->values[index], s)) return false;
    if (s->input.count == 0) return true;
    if (target.mesh >= 0) return add_of_mesh(r, list->values[index], &target, s);
    return add_of_node(r, list->values[index], target.node, &target, s);
}

static bool read_animation(reader *r, ref_animation *animation) {
    ref_document *document = r->document;
    const sinewi_json_value value = document->animations.values[r->animation];
    const ref_list list = ref_elements(document, value, "samplers"),
                   channels = ref_elements(document, value, "channels");
    sampler *samplers = sinewi_arena_zeros(&document->arena, sampler, (size_t)list.count);
    if (!samplers) return fail_memory(r);
    r->channels = NULL;
    r->count = r->capacity = 0;
    for (int32_t i = 0; i < channels.count; i++)
        if (!read_channel(r, channels.values[i], &list, samplers)) return false;
    *animation = (ref_animation){ref_string(document, value, "name"), r->count, r->channels};
    return true;
}

// Lists each mesh's nodes in file order.
static bool list_nodes(reader *r) {
    const ref_document *document = r->document;
    r->first_of_mesh = sinewi_arena_array(&r->document->arena, int32_t, (size_t)r->model->mesh_count);
    r->next_of_mesh = sinewi_arena_array(&r->document->arena, int32_t, (size_t)r->model->node_count);
    if (!r->first_of_mesh || !r->next_of_mesh) return false;
    for (int32_t i = 0; i < r->model->mesh_count; i++) r->first_of_mesh[i] = -1;
    for (int32_t i = r->model->node_count - 1; i >= 0; i--) {
        const int32_t mesh = r->model->nodes[i].mesh;
        if (mesh < 0 ||
            sinewi_json_get(&document->json, document->nodes.values[i], "weights") != SINEWI_JSON_ABSENT)
            continue;
        r->next_of_mesh[i] = r->first_of_mesh[mesh];
        r->first_of_mesh[mesh] = i;
    }
    return true;
}

bool ref_read_animations(ref_document *document, ref_model *model) {
    const size_t nodes = (size_t)model->node_count;
    reader r = {.document = document, .model = model};
    model->animation_count = document->animations.count;
    ref_animation *animations = sinewi_arena_zeros(&document->arena, ref_animation, (size_t)model->animation_count);
    r.moved = sinewi_arena_zeros(&document->arena, movers, nodes);
    r.weights = sinewi_arena_zeros(&document->arena, weight_channel, nodes);
    if (!animations || !r.moved || !r.weights || !list_nodes(&r)) return fail_memory(&r);
    for (; r.animation < model->animation_count; r.animation++)
        if (!read_animation(&r, &animations[r.animation])) return false;
    model->animations = animations;
    return true;
}
