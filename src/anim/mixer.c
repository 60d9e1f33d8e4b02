// Mixers: making one, and evaluating what it plays into a pose and model matrices.
#include "anim/mixer_state.h"
#include "anim/skeleton_object.h"
#include "base/memory.h"

#include <string.h>

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
    fields->shares = sinew_layout_array(layout, mixer_share, actions + 1, sizeof(void *));
    sinew_pose_lay_out(layout, def->skeleton, &fields->pose);
    size_t nodes = sinew_padded(def->skeleton->node_count);
    fields->model = sinew_layout_array(layout, sinew_affine, nodes, SINEW_ALIGNMENT);
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
    bool all = def->root == SINEW_NO_NODE;
    fields.nodes.first = all ? 0 : def->root;
    fields.nodes.end = all ? def->skeleton->node_count : def->skeleton->subtree_ends[def->root];
    fields.lanes = fields.nodes;
    if (fields.nodes.end == def->skeleton->node_count) fields.lanes.end = (int32_t)sinew_padded(fields.nodes.end);
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

// ---- Who has a share -----------------------------------------------------------------------------------------

#define MOST_SHARES 256 // one for each action, and the rest pose

// Heaviest first, then oldest first, whatever slot each sits in: sums are taken in this order, and a rotation is
// added on the hemisphere of the sum so far.
static bool comes_before(const mixer_share *a, const mixer_share *b) {
    if (a->weight != b->weight) return a->weight > b->weight;
    return a->serial < b->serial;
}

static void insert(mixer_share *sorted, int32_t count, const mixer_share *one) {
    int32_t place = count;
    while (place > 0 && comes_before(one, &sorted[place - 1])) {
        sorted[place] = sorted[place - 1];
        place--;
    }
    sorted[place] = *one;
}

// What plays now, with weights that sum to 1; 0 when nothing plays.
static int32_t gather(const sinew_mixer *mixer, mixer_share *shares) {
    int32_t count = 0;
    float sum = 0.0f;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *action = &mixer->actions[i];
        if (!action->clip || !(action->weight > 0.0f)) continue;
        mixer_share one = {action->clip, sinew_action_clip_time(action), action->weight, action->serial, i};
        insert(shares, count++, &one);
    }
    for (int32_t i = 0; i < count; i++) sum += shares[i].weight;
    if (count > 0 && mixer->def.underweight == SINEW_UNDERWEIGHT_REST && sum < 1.0f) {
        mixer_share rest = {.weight = 1.0f - sum};
        insert(shares, count++, &rest);
        return count;
    }
    for (int32_t i = 0; i < count; i++) shares[i].weight = count == 1 ? 1.0f : shares[i].weight / sum;
    return count;
}

static bool same_shares(const mixer_share *a, const mixer_share *b, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (a[i].clip != b[i].clip || a[i].time != b[i].time || a[i].weight != b[i].weight) return false;
        if (a[i].serial != b[i].serial) return false;
    }
    return true;
}

typedef enum change { HELD, SAME, CHANGED } change; // nothing plays; what played plays on, unmoved; neither

// Brings the mixer's shares up to what plays now.
static change update_shares(sinew_mixer *mixer) {
    mixer_share shares[MOST_SHARES];
    int32_t count = gather(mixer, shares);
    if (count == 0) return HELD;
    if (count == mixer->share_count && same_shares(shares, mixer->shares, count)) return SAME;
    memcpy(mixer->shares, shares, (size_t)count * sizeof *shares);
    mixer->share_count = count;
    return CHANGED;
}

// ---- Evaluating ----------------------------------------------------------------------------------------------

// A mix as the kernels take it.
typedef struct ready_mix {
    sinew_mix mix;
    sinew_share shares[MOST_SHARES];
    sinew_key keys[SINEW_MIX_KEYS];
} ready_mix;

static void make_ready(const sinew_mixer *mixer, ready_mix *ready) {
    int32_t keys = 0, hints = mixer->def.hints_per_action;
    for (int32_t i = 0; i < mixer->share_count; i++) {
        const mixer_share *share = &mixer->shares[i];
        ready->shares[i] = (sinew_share){.time = share->time, .weight = share->weight};
        ready->shares[i].clip = share->clip ? share->clip->data : sinew_skeleton_rest(mixer->def.skeleton);
        keys += sinew_share_find_keys(&ready->shares[i], ready->keys + keys, SINEW_MIX_KEYS - keys,
                                      mixer->hints + (ptrdiff_t)share->slot * hints, hints);
    }
    ready->mix = (sinew_mix){ready->shares, mixer->share_count};
}

static void evaluate_pose(sinew_mixer *mixer) {
    ready_mix ready;
    make_ready(mixer, &ready);
    sinew_mix_to_pose(&ready.mix, mixer->lanes, &mixer->pose);
    sinew_mix_to_weights(&ready.mix, mixer->def.skeleton, mixer->nodes, mixer->pose.weights);
    mixer->pose_is_behind = false;
}

void sinew_mixer_catch_up(sinew_mixer *mixer) {
    if (mixer->pose_is_behind) evaluate_pose(mixer);
}

void sinew_mixer_evaluate(sinew_mixer *mixer) {
    if (update_shares(mixer) == HELD) {
        sinew_mixer_catch_up(mixer);
    } else {
        evaluate_pose(mixer);
    }
    mixer->model_is_current = false;
}

void sinew_mixer_to_model(sinew_mixer *mixer) {
    sinew_mixer_catch_up(mixer);
    sinew_pose_to_local(&mixer->pose, mixer->lanes, mixer->model);
    sinew_local_to_model(mixer->def.skeleton, mixer->nodes, &mixer->model, 1);
    mixer->model_is_current = true;
}

bool sinew_mixer_evaluate_local(sinew_mixer *mixer) {
    change since = update_shares(mixer);
    if (since != CHANGED && mixer->model_is_current && !mixer->pose_is_out) return false;
    mixer->model_is_current = true;
    if (since == HELD) {
        sinew_mixer_catch_up(mixer);
        sinew_pose_to_local(&mixer->pose, mixer->lanes, mixer->model);
        return true;
    }
    ready_mix ready;
    make_ready(mixer, &ready);
    sinew_mix_to_local(&ready.mix, mixer->lanes, mixer->model);
    sinew_mix_to_weights(&ready.mix, mixer->def.skeleton, mixer->nodes, mixer->pose.weights);
    mixer->pose_is_behind = true;
    return true;
}

bool sinew_mixer_update(sinew_mixer *mixer, float dt) {
    sinew_mixer_advance(mixer, dt);
    if (!sinew_mixer_evaluate_local(mixer)) return false;
    sinew_local_to_model(mixer->def.skeleton, mixer->nodes, &mixer->model, 1);
    return true;
}

// ---- What came out -------------------------------------------------------------------------------------------

sinew_pose *sinew_mixer_pose(sinew_mixer *mixer) {
    sinew_mixer_catch_up(mixer);
    mixer->pose_is_out = true;
    return &mixer->pose;
}

const float *sinew_mixer_weights(const sinew_mixer *mixer) {
    return mixer->pose.weights;
}

const sinew_affine *sinew_mixer_model_matrices(const sinew_mixer *mixer) {
    return mixer->model;
}
