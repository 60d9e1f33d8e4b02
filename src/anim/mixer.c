// Mixers: making one, and evaluating what it plays into a pose and model matrices.
#include "anim/mixer_state.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// An action's share of the pose, in the order in which shares are added up.
typedef struct contribution {
    sinew_sampler sampler; // its clip is NULL for the rest pose
    float weight;
    uint32_t serial;
} contribution;

// ---- Making --------------------------------------------------------------------------------------------------

sinew_mixer_def sinew_mixer_default_def(void) {
    return (sinew_mixer_def){
        .root = SINEW_NO_NODE,
        .max_actions = 16,
        .hints_per_action = 8,
        .underweight = SINEW_UNDERWEIGHT_NORMALIZE,
    };
}

static sinew_mixer *lay_out(sinew_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields) {
    size_t actions = (size_t)def->max_actions, hints = actions * (size_t)def->hints_per_action;
    sinew_mixer *mixer = sinew_layout_array(layout, sinew_mixer, 1, SINEW_ALIGNMENT);
    fields->state = sinew_layout_array(layout, mixer_state, 1, SINEW_ALIGNMENT);
    fields->actions = sinew_layout_array(layout, action_state, actions, sizeof(double));
    fields->hints = sinew_layout_array(layout, uint32_t, hints, sizeof(uint32_t));
    fields->events = sinew_layout_array(layout, sinew_event, 2 * actions, sizeof(void *));
    fields->keys = sinew_layout_array(layout, sinew_key, hints, SINEW_ALIGNMENT);
    fields->contributions = sinew_layout_array(layout, contribution, actions + 1, SINEW_ALIGNMENT);
    sinew_pose_lay_out(layout, def->skeleton, &fields->pose);
    fields->model = sinew_layout_array(layout, sinew_affine, (size_t)def->skeleton->node_count, SINEW_ALIGNMENT);
    return mixer;
}

static bool is_valid(const sinew_mixer_def *def) {
    if (!def->skeleton) return false;
    if (def->root < SINEW_NO_NODE || def->root >= def->skeleton->node_count) return false;
    if (def->max_actions < 1 || def->max_actions > 255) return false;
    return def->hints_per_action >= 0 && def->hints_per_action <= 255;
}

sinew_result sinew_mixer_create(const sinew_mixer_def *def, sinew_mixer **mixer) {
    *mixer = NULL;
    if (!is_valid(def)) return SINEW_ERROR_ARGUMENT;
    sinew_mixer fields = {.def = *def};
    sinew_layout measure = {0};
    lay_out(&measure, def, &fields);
    sinew_layout layout = {(char *)sinew_allocate(&def->allocator, measure.size, SINEW_ALIGNMENT), 0};
    if (!layout.base) return SINEW_ERROR_OUT_OF_MEMORY;
    memset(layout.base, 0, measure.size);
    *mixer = lay_out(&layout, def, &fields);
    fields.size = measure.size;
    fields.first = def->root == SINEW_NO_NODE ? 0 : def->root;
    fields.end = def->root == SINEW_NO_NODE ? def->skeleton->node_count : def->skeleton->subtree_ends[def->root];
    **mixer = fields;
    sinew_pose_reset(&fields.pose);
    sinew_pose_to_model(&fields.pose, fields.model);
    return SINEW_OK;
}

void sinew_mixer_destroy(sinew_mixer *mixer) {
    if (!mixer) return;
    sinew_allocator allocator = mixer->def.allocator;
    sinew_release(&allocator, mixer, mixer->size, SINEW_ALIGNMENT);
}

sinew_pose *sinew_mixer_pose(sinew_mixer *mixer) {
    return &mixer->pose;
}

const sinew_affine *sinew_mixer_model_matrices(const sinew_mixer *mixer) {
    return mixer->model;
}

// ---- Who contributes -----------------------------------------------------------------------------------------

// Heaviest first, then oldest first, whatever slot each sits in: sums are taken in this order, and a rotation is
// added on the hemisphere of the sum so far.
static bool comes_before(const contribution *a, const contribution *b) {
    if (a->weight != b->weight) return a->weight > b->weight;
    return a->serial < b->serial;
}

static void insert(contribution *sorted, int32_t count, const contribution *one) {
    int32_t place = count;
    while (place > 0 && comes_before(one, &sorted[place - 1])) {
        sorted[place] = sorted[place - 1];
        place--;
    }
    sorted[place] = *one;
}

// Fills mixer->contributions with weights that sum to 1; 0 of them when nothing plays.
static int32_t gather(sinew_mixer *mixer) {
    int32_t count = 0;
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        const action_state *action = &mixer->actions[i];
        if (!action->clip || !(action->weight > 0.0f)) continue;
        contribution one = {
            {action->clip, sinew_action_clip_time(action), NULL, 0}, action->weight, action->serial};
        int32_t hints = mixer->def.hints_per_action;
        sinew_key *keys = &mixer->keys[(size_t)i * (size_t)hints];
        sinew_find_keys(action->clip, one.sampler.time, &mixer->hints[(size_t)i * (size_t)hints], hints, keys);
        one.sampler.keys = keys;
        one.sampler.key_count = hints;
        insert(mixer->contributions, count++, &one);
    }
    if (count == 0) return 0;

    float sum = 0.0f;
    for (int32_t i = 0; i < count; i++) sum += mixer->contributions[i].weight;
    if (mixer->def.underweight == SINEW_UNDERWEIGHT_REST && sum < 1.0f) {
        contribution rest = {.weight = 1.0f - sum, .serial = 0};
        insert(mixer->contributions, count++, &rest);
        return count;
    }
    if (count == 1) {
        mixer->contributions[0].weight = 1.0f; // not weight / weight: tiny ones would not give 1
        return 1;
    }
    for (int32_t i = 0; i < count; i++) mixer->contributions[i].weight /= sum;
    return count;
}

// ---- Blending a block ----------------------------------------------------------------------------------------

static void sample(const sinew_mixer *mixer, const contribution *one, size_t index, sinew_block *out) {
    if (one->sampler.clip) {
        sinew_sample_block(&one->sampler, index, out);
    } else {
        sinew_block_rest(mixer->def.skeleton, index, out);
    }
}

static void scale_block(sinew_block *block, float weight) {
    for (int p = 0; p < SINEW_PLANES; p++) {
        for (int l = 0; l < SINEW_LANES; l++) block->lane[p][l] *= weight;
    }
}

static void add_block(sinew_block *sum, const sinew_block *one, float weight) {
    float side[SINEW_LANES]; // the weight, negative where the rotation lies on the other hemisphere
    for (int l = 0; l < SINEW_LANES; l++) {
        float d = sum->lane[SINEW_RX][l] * one->lane[SINEW_RX][l] +
                  sum->lane[SINEW_RY][l] * one->lane[SINEW_RY][l] +
                  sum->lane[SINEW_RZ][l] * one->lane[SINEW_RZ][l] + sum->lane[SINEW_RW][l] * one->lane[SINEW_RW][l];
        side[l] = d < 0.0f ? -weight : weight;
    }
    for (int p = 0; p < SINEW_PLANES; p++) {
        bool rotation = p >= SINEW_RX && p <= SINEW_RW;
        for (int l = 0; l < SINEW_LANES; l++) {
            sum->lane[p][l] += (rotation ? side[l] : weight) * one->lane[p][l];
        }
    }
}

static void normalize_rotations(sinew_block *block) {
    for (int l = 0; l < SINEW_LANES; l++) {
        sinew_quat q = sinew_quat_normalize((sinew_quat){block->lane[SINEW_RX][l], block->lane[SINEW_RY][l],
                                                         block->lane[SINEW_RZ][l], block->lane[SINEW_RW][l]});
        block->lane[SINEW_RX][l] = q.x, block->lane[SINEW_RY][l] = q.y;
        block->lane[SINEW_RZ][l] = q.z, block->lane[SINEW_RW][l] = q.w;
    }
}

static void blend_block(const sinew_mixer *mixer, int32_t count, size_t index, sinew_block *out) {
    const contribution *c = mixer->contributions;
    sample(mixer, &c[0], index, out);
    if (count == 1) return;
    scale_block(out, c[0].weight);
    for (int32_t i = 1; i < count; i++) {
        sinew_block one;
        sample(mixer, &c[i], index, &one);
        add_block(out, &one, c[i].weight);
    }
    normalize_rotations(out);
}

static void blend_weights(const sinew_mixer *mixer, int32_t count, size_t index, float *out) {
    const sinew_skeleton *skeleton = mixer->def.skeleton;
    float sum[SINEW_LANES] = {0};
    for (int32_t i = 0; i < count; i++) {
        const contribution *c = &mixer->contributions[i];
        float one[SINEW_LANES] = {0};
        if (c->sampler.clip) {
            sinew_sample_weights(&c->sampler, index, one);
        } else {
            size_t first = index * SINEW_LANES, left = (size_t)skeleton->weight_count - first;
            memcpy(one, skeleton->rest_weights + first, (left < SINEW_LANES ? left : SINEW_LANES) * sizeof(float));
        }
        for (int l = 0; l < SINEW_LANES; l++) sum[l] += c->weight * one[l];
    }
    memcpy(out, sum, sizeof sum);
}

// ---- Evaluating ----------------------------------------------------------------------------------------------

// Stores the lanes of a block that belong to elements [first, end).
static void store_range(const sinew_mixer *mixer, const sinew_block *block, size_t index) {
    sinew_planes planes = sinew_pose_planes(&mixer->pose);
    int32_t start = (int32_t)(index * SINEW_LANES);
    if (mixer->def.root == SINEW_NO_NODE || (start >= mixer->first && start + SINEW_LANES <= mixer->end)) {
        sinew_block_store(block, &planes, index);
        return;
    }
    for (int32_t node = start; node < start + SINEW_LANES; node++) {
        if (node < mixer->first || node >= mixer->end) continue;
        for (int p = 0; p < SINEW_PLANES; p++) planes.plane[p][node] = block->lane[p][node - start];
    }
}

static void evaluate_weights(const sinew_mixer *mixer, int32_t count) {
    const int32_t *offsets = mixer->def.skeleton->weight_offsets;
    int32_t first = offsets[mixer->first], end = offsets[mixer->end];
    for (int32_t block = first / SINEW_LANES; block * SINEW_LANES < end; block++) {
        float values[SINEW_LANES];
        blend_weights(mixer, count, (size_t)block, values);
        int32_t start = block * SINEW_LANES;
        for (int32_t w = start < first ? first : start; w < end && w < start + SINEW_LANES; w++) {
            mixer->pose.weights[w] = values[w - start];
        }
    }
}

void sinew_mixer_evaluate(sinew_mixer *mixer) {
    int32_t count = gather(mixer);
    if (count == 0) return; // the last pose is held
    for (int32_t block = mixer->first / SINEW_LANES; block * SINEW_LANES < mixer->end; block++) {
        sinew_block blended;
        blend_block(mixer, count, (size_t)block, &blended);
        store_range(mixer, &blended, (size_t)block);
    }
    evaluate_weights(mixer, count);
}

void sinew_mixer_to_model(sinew_mixer *mixer) {
    sinew_pose_to_model_range(&mixer->pose, mixer->first, mixer->end, mixer->model);
}

void sinew_mixer_update(sinew_mixer *mixer, float dt) {
    sinew_mixer_advance(mixer, dt);
    sinew_mixer_evaluate(mixer);
    sinew_mixer_to_model(mixer);
}
