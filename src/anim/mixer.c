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
        .max_events = 32,
        .underweight = SINEW_UNDERWEIGHT_NORMALIZE,
    };
}

static sinew_mixer *lay_out(sinew_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields) {
    size_t actions = (size_t)def->max_actions, hints = actions * (size_t)def->hints_per_action;
    sinew_mixer *mixer = sinew_layout_array(layout, sinew_mixer, 1, SINEW_ALIGNMENT);
    fields->state = sinew_layout_array(layout, mixer_state, 1, SINEW_ALIGNMENT);
    fields->actions = sinew_layout_array(layout, action_state, actions, sizeof(double));
    fields->hints = sinew_layout_array(layout, uint32_t, hints, sizeof(uint32_t));
    fields->events = sinew_layout_array(layout, sinew_event, (size_t)def->max_events, sizeof(void *));
    fields->shares = sinew_layout_array(layout, mixer_share, actions + 1, sizeof(float));
    sinew_pose_lay_out(layout, def->skeleton, &fields->pose);
    size_t nodes = sinew_padded(def->skeleton->node_count);
    fields->model = sinew_layout_array(layout, sinew_affine, nodes, SINEW_ALIGNMENT);
    return mixer;
}

static bool is_valid(const sinew_mixer_def *def) {
    if (!def->skeleton) return false;
    if (def->root < SINEW_NO_NODE || def->root >= def->skeleton->node_count) return false;
    if (def->max_actions < 1 || def->max_actions > 255) return false;
    if (def->max_events < 0 || def->max_events > 65535) return false;
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

// The rest pose among the slots.
#define REST_SLOT 255

// Slots in the order in which their actions are added up, and what they sum to.
typedef struct slot_order {
    uint8_t slots[SINEW_MOST_SHARES];
    int32_t count;
    float sum;
} slot_order;

// Heaviest first, then oldest first, whatever slot each sits in: a rotation is added on the hemisphere of the sum so
// far.
static bool comes_before(const action_state *a, const action_state *b) {
    if (a->weight != b->weight) return a->weight > b->weight;
    return a->serial < b->serial;
}

static void sort_slots(const sinew_mixer *mixer, slot_order *order) {
    const action_state *actions = mixer->actions;
    order->count = 0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (!actions[i].clip || !(actions[i].weight > 0.0f)) continue;
        int32_t place = order->count++;
        while (place > 0 && comes_before(&actions[i], &actions[order->slots[place - 1]])) {
            order->slots[place] = order->slots[place - 1];
            place--;
        }
        order->slots[place] = (uint8_t)i;
    }
    order->sum = 0.0f;
    for (int32_t i = 0; i < order->count; i++) order->sum += actions[order->slots[i]].weight;
}

// Fills weights that sum to less than 1 up with the rest pose, which takes its place by its weight.
static void add_rest(const sinew_mixer *mixer, slot_order *order) {
    if (mixer->def.underweight != SINEW_UNDERWEIGHT_REST || order->count == 0 || !(order->sum < 1.0f)) return;
    float weight = 1.0f - order->sum;
    int32_t place = order->count++;
    while (place > 0 && mixer->actions[order->slots[place - 1]].weight <= weight) {
        order->slots[place] = order->slots[place - 1];
        place--;
    }
    order->slots[place] = REST_SLOT;
}

// Writes one share; false where it is what it was.
static bool put_share(mixer_share *share, float time, float weight, uint32_t serial) {
    if (share->time == time && share->weight == weight && share->serial == serial) return false;
    share->time = time;
    share->weight = weight;
    share->serial = serial;
    return true;
}

typedef enum change { HELD, SAME, CHANGED } change; // nothing plays; what played plays on, unmoved; neither

// Brings the mixer's shares up to what plays now.
static change update_shares(sinew_mixer *mixer) {
    slot_order order;
    sort_slots(mixer, &order);
    add_rest(mixer, &order);
    if (order.count == 0) return HELD;
    bool changed = mixer->share_count != order.count;
    mixer->share_count = order.count;
    for (int32_t i = 0; i < order.count; i++) {
        mixer_share *share = &mixer->shares[i];
        share->slot = order.slots[i];
        if (share->slot == REST_SLOT) {
            changed |= put_share(share, 0.0f, 1.0f - order.sum, 0);
        } else {
            const action_state *action = &mixer->actions[share->slot];
            changed |= put_share(share, sinew_action_clip_time(action), action->weight, action->serial);
        }
    }
    return changed ? CHANGED : SAME;
}

// ---- Evaluating ----------------------------------------------------------------------------------------------

static void make_ready(const sinew_mixer *mixer, sinew_ready_mix *ready) {
    int32_t keys = 0, hints = mixer->def.hints_per_action, count = mixer->share_count;
    ready->mix.keys_found = true;
    float sum = 0.0f;
    for (int32_t i = 0; i < count; i++) sum += mixer->shares[i].weight;
    for (int32_t i = 0; i < count; i++) {
        const mixer_share *from = &mixer->shares[i];
        sinew_share *share = &ready->shares[i];
        bool rest = from->slot == REST_SLOT;
        share->clip = rest ? sinew_skeleton_rest(mixer->def.skeleton) : mixer->actions[from->slot].clip->data;
        share->time = from->time;
        share->weight = from->weight / sum;
        uint32_t *own_hints = !rest ? mixer->hints + (ptrdiff_t)from->slot * hints : NULL;
        keys += sinew_share_find_keys(share, ready->keys + keys, SINEW_MIX_KEYS - keys, own_hints, hints);
        if (share->key_count < share->clip->row_count) ready->mix.keys_found = false;
    }
    ready->mix.shares = ready->shares;
    ready->mix.count = count;
}

static void evaluate_pose(sinew_mixer *mixer) {
    sinew_ready_mix ready;
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

bool sinew_mixer_prepare(sinew_mixer *mixer, sinew_ready_mix *ready) {
    change since = update_shares(mixer);
    if (since != CHANGED && mixer->model_is_current && !mixer->pose_is_out) return false;
    mixer->model_is_current = true;
    if (since == HELD) {
        ready->mix.count = 0;
    } else {
        make_ready(mixer, ready);
    }
    return true;
}

void sinew_mixer_mix_to_local(sinew_mixer *mixer, const sinew_ready_mix *ready) {
    if (ready->mix.count == 0) {
        sinew_mixer_catch_up(mixer);
        sinew_pose_to_local(&mixer->pose, mixer->lanes, mixer->model);
        return;
    }
    sinew_mix_to_local(&ready->mix, mixer->lanes, mixer->model);
    sinew_mix_to_weights(&ready->mix, mixer->def.skeleton, mixer->nodes, mixer->pose.weights);
    mixer->pose_is_behind = true;
}

bool sinew_mixer_update(sinew_mixer *mixer, float dt) {
    sinew_ready_mix ready;
    sinew_mixer_advance(mixer, dt);
    if (!sinew_mixer_prepare(mixer, &ready)) return false;
    sinew_mixer_mix_to_local(mixer, &ready);
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
