// SPDX-License-Identifier: MIT
// Writes a mixer's state as names and numbers: the mixer itself, its layers and its actions. See
// motion/mixer_snapshot_format.h. mixer_snapshot_read.c has a function for each one here, in the same order.
#include "motion/mixer_snapshot_format.h"
#include "core/mixer_control.h"

#include <assert.h>
#include <string.h>

// ---- Parts ---------------------------------------------------------------------------------------------------

static bool is_one(float value) {
    return value == 1.0f;
}

static bool is_zero(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == 0;
}

// Most fades are constants. A fade that has ended is one too, because nothing reads its other fields.
static void write_fade(state_writer *to, const sinewi_fade *fade) {
    const bool is_active = sinewi_fade_is_active(fade);
    const int kind = is_active ? 3 : is_one(fade->value) ? 1 : is_zero(fade->value) ? 0 : 2;
    sinewi_state_put(to, (uint64_t)kind, 1);
    if (kind >= 2) sinewi_state_put_float(to, fade->value);
    if (!is_active) return;
    sinewi_state_put_float(to, fade->from);
    sinewi_state_put_float(to, fade->to);
    sinewi_state_put_float(to, fade->duration);
    sinewi_state_put_float(to, fade->slope);
    sinewi_state_put(to, fade->easing, 1);
    sinewi_state_put_double(to, fade->elapsed);
}

static void write_decay(state_writer *to, const decay_state *decay) {
    sinewi_state_put_float(to, decay->duration);
    if (decay->duration > 0.0f) sinewi_state_put_double(to, decay->elapsed);
}

static void write_velocity(state_writer *to, const root_velocity *velocity) {
    for (int i = 0; i < 3; i++) sinewi_state_put_float(to, velocity->move[i]);
    sinewi_state_put_float(to, velocity->yaw);
}

static void write_play_def(state_writer *to, const sinew_play_def *def) {
    const float floats[4] = {def->time, def->speed, def->weight, def->fade};
    for (int i = 0; i < 4; i++) sinewi_state_put_float(to, floats[i]);
    sinewi_state_put(to, (uint64_t)def->easing, 1);
    sinewi_state_put(to, (uint32_t)def->layer, 1);
    sinewi_state_put(to, (uint32_t)def->sync, 1);
    sinewi_state_put(to, (uint64_t)def->loop, 1);
    sinewi_state_put(to, (uint32_t)def->loop_count, 4);
    sinewi_state_put(to, (def->allow_duplicate ? 1u : 0u) | (def->restart ? 2u : 0u), 1);
}

static void write_source(state_writer *to, const sinew_mixer *mixer, const previous_source *previous) {
    const sinew_source *source = &previous->source;
    if (source->clip) {
        sinewi_state_put_object(to, WRITTEN_CLIP, source->clip);
    } else {
        sinewi_state_put_object(to, WRITTEN_BLEND_SPACE, source->blend_space);
    }
    if (!source->clip && !source->blend_space) return;
    sinewi_state_put_float(to, source->x);
    sinewi_state_put_float(to, source->y);
    write_play_def(to, &previous->def);
    sinewi_state_put(to, sinewi_handle_bits(mixer, previous->action), 8);
}

// ---- The mixer -----------------------------------------------------------------------------------------------

static void write_set_pose(state_writer *to, const set_pose_state *set) {
    sinewi_state_put_double(to, set->seconds);
    sinewi_state_put_count(to, (uint32_t)set->steps);
    sinewi_state_put_float(to, set->change);
    sinewi_state_put(to, set->scope, 1);
    sinewi_state_put(to, (uint8_t)set->layer, 1);
    sinewi_state_put(to,
                     (set->is_current ? 1u : 0u) | (set->is_kept ? 2u : 0u) | (set->has_root ? 4u : 0u) |
                         (set->is_base ? 8u : 0u),
                     1);
}

static void write_finish(state_writer *to, const finish_state *finish) {
    sinewi_state_put_float(to, finish->requested);
    sinewi_state_put(to,
                     (finish->is_finished ? 1u : 0u) | (finish->saves_pose ? 2u : 0u) |
                         (finish->saves_pose && finish->saves_edits ? 4u : 0u),
                     1);
    write_decay(to, &finish->decay);
}

static void write_root(state_writer *to, const root_state *root) {
    write_velocity(to, &root->held);
    write_velocity(to, &root->captured);
    write_velocity(to, &root->decaying);
    write_decay(to, &root->decay);
}

static void write_head(state_writer *to, const sinew_mixer *mixer) {
    const mixer_state *state = mixer->state;
    sinewi_state_begin_section(to, SECTION_MIXER);
    sinewi_state_put(to, state->tag, 4);
    sinewi_state_put(to, state->next_serial, 4);
    sinewi_state_put(
        to, (state->has_advanced ? 1u : 0u) | (state->has_sideless ? 2u : 0u) | (state->rest_is_sideless ? 4u : 0u),
        1);
    write_fade(to, &state->held_proportion);
    write_decay(to, &state->extrapolation);
    write_decay(to, &state->offsets);
    write_set_pose(to, &state->set_pose);
    write_finish(to, &state->finish);
    write_root(to, &state->root);
    sinewi_state_end_section(to);
}

// ---- Layers --------------------------------------------------------------------------------------------------

static void write_layer(state_writer *to, const sinew_mixer *mixer, int32_t l) {
    const layer_state *layer = &mixer->layers[l];
    sinewi_state_put_string(to, l > 0 ? to->lookup->layer(to->lookup, l) : NULL);
    sinewi_state_put_object(to, WRITTEN_MASK, layer->mask);
    sinewi_state_put(to,
                     (layer->proportions_fade ? 1u : 0u) | (layer->weights_changed ? 2u : 0u) |
                         (layer->is_sideless ? 4u : 0u) | (layer->mode == SINEW_LAYER_ADDITIVE ? 8u : 0u),
                     1);
    write_fade(to, &layer->weight);
    sinewi_state_put_float(to, layer->change_duration);
    sinewi_state_put(to, layer->change_easing, 1);
}

static void write_layers(state_writer *to, const sinew_mixer *mixer) {
    sinewi_state_begin_section(to, SECTION_LAYERS);
    sinewi_state_put_count(to, (uint32_t)mixer->def.layer_count);
    for (int32_t l = 0; l < mixer->def.layer_count; l++) write_layer(to, mixer, l);
    for (int32_t l = 0; l < mixer->def.layer_count; l++) write_source(to, mixer, &mixer->previous[l]);
    sinewi_state_end_section(to);
}

// ---- Actions -------------------------------------------------------------------------------------------------

// How many samples before this one play a clip with the same name.
static int32_t ordinal_of_sample(const sinew_blend_space *space, int32_t sample) {
    int32_t ordinal = 0;
    for (int32_t i = 0; i < sample; i++)
        ordinal += strcmp(space->samples[i].clip->name, space->samples[sample].clip->name) == 0;
    return ordinal;
}

static void write_entry(state_writer *to, const sinew_mixer *mixer, int32_t number, int32_t entry) {
    const space_state *space = &mixer->spaces[number - 1];
    const int32_t sample = space->samples[entry] - 1;
    sinewi_state_put(to, (uint32_t)entry, 1);
    sinewi_state_put_string(to, space->space->samples[sample].clip->name);
    sinewi_state_put(to, (uint32_t)ordinal_of_sample(space->space, sample), 1);
}

static void write_space(state_writer *to, const sinew_mixer *mixer, int32_t number) {
    const space_state *space = &mixer->spaces[number - 1];
    const double parameter[4] = {space->parameter.x, space->parameter.y, space->parameter.vx, space->parameter.vy};
    sinewi_state_put(to, (uint32_t)number, 1);
    for (int i = 0; i < 4; i++) sinewi_state_put_double(to, parameter[i]);
    sinewi_state_put_float(to, space->x);
    sinewi_state_put_float(to, space->y);
    sinewi_state_put(to, space->sideless, 4);
    sinewi_state_put(to, space->odd_loops, 4);
    int32_t count = 0;
    for (int32_t i = 0; i < SINEW_MAX_BLEND_WEIGHTS; i++) count += space->samples[i] != 0;
    sinewi_state_put(to, (uint32_t)count, 1);
    for (int32_t i = 0; i < SINEW_MAX_BLEND_WEIGHTS; i++)
        if (space->samples[i] != 0) write_entry(to, mixer, number, i);
}

static void write_queued(state_writer *to, const sinew_mixer *mixer, const queued_state *queued) {
    sinewi_state_put(to, (uint64_t)queued->kind, 1);
    if (queued->kind == QUEUED_NOTHING) return;
    sinewi_state_put(to, (uint64_t)queued->transition.kind, 1);
    sinewi_state_put_float(to, queued->transition.duration);
    sinewi_state_put(to, (uint64_t)queued->transition.easing, 1);
    sinewi_state_put(to, queued->transition.match_rate, 1);
    if (queued->kind != QUEUED_FADE_OUT) write_source(to, mixer, &queued->target);
}

static void write_action(state_writer *to, const sinew_mixer *mixer, int32_t slot) {
    const action_state *action = &mixer->actions[slot];
    const space_state *space = sinewi_action_space(mixer, action);
    sinewi_state_put(to, (uint32_t)slot, 1);
    if (space) {
        sinewi_state_put_object(to, WRITTEN_BLEND_SPACE, space->space);
    } else {
        sinewi_state_put_object(to, WRITTEN_CLIP, action->clip);
    }
    sinewi_state_put(to, action->serial, 4);
    const uint8_t bytes[6] = {action->flags,  action->layer, action->loop,
                              action->easing, action->sync,  action->intervals.count};
    for (int i = 0; i < 6; i++) sinewi_state_put(to, bytes[i], 1);
    sinewi_state_put(to, (uint32_t)action->loop_count, 4);
    sinewi_state_put_count(to, (uint32_t)action->loops_done);
    sinewi_state_put_double(to, action->phase);
    write_fade(to, &action->weight);
    write_fade(to, &action->proportion);
    write_fade(to, &action->warp);
    sinewi_state_put_float(to, action->target_weight);
    sinewi_state_put_float(to, action->speed);
    sinewi_state_put_float(to, action->last_rate);
    if (space) write_space(to, mixer, action->space);
    write_queued(to, mixer, &mixer->queued[slot]);
}

static void write_actions(state_writer *to, const sinew_mixer *mixer) {
    int32_t count = 0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) count += mixer->actions[i].clip != NULL;
    sinewi_state_begin_section(to, SECTION_ACTIONS);
    sinewi_state_put_count(to, (uint32_t)count);
    for (int32_t i = 0; i < mixer->state->slot_end; i++)
        if (mixer->actions[i].clip) write_action(to, mixer, i);
    sinewi_state_end_section(to);
}

// ---- Sync groups ---------------------------------------------------------------------------------------------

// Bit g is set if sync group g is used.
typedef struct group_set {
    uint64_t bits[4];
} group_set;

static void add_group(group_set *set, int32_t group) {
    set->bits[group / 64] |= UINT64_C(1) << group % 64;
}

static group_set used_groups(const sinew_mixer *mixer) {
    group_set set = {{0, 0, 0, 0}};
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (!mixer->actions[i].clip) continue;
        add_group(&set, mixer->actions[i].sync);
        if (mixer->queued[i].kind != QUEUED_NOTHING) add_group(&set, mixer->queued[i].target.def.sync);
    }
    for (int32_t l = 0; l < mixer->def.layer_count; l++) add_group(&set, mixer->previous[l].def.sync);
    return set;
}

static void write_groups(state_writer *to, const sinew_mixer *mixer) {
    const group_set set = used_groups(mixer);
    sinewi_state_begin_section(to, SECTION_GROUPS);
    for (int32_t g = 1; g <= UINT8_MAX; g++) {
        const char *name = (set.bits[g / 64] >> g % 64 & 1) != 0 ? to->lookup->sync_group(to->lookup, g) : NULL;
        if (!name) continue;
        sinewi_state_put(to, (uint32_t)g, 1);
        sinewi_state_put_string(to, name);
    }
    sinewi_state_end_section(to);
}

// ---- Everything ----------------------------------------------------------------------------------------------

void sinewi_state_write_mixer(state_writer *to, const sinew_mixer *mixer) {
    sinewi_mixer_prepare_snapshot(mixer);
    write_head(to, mixer);
    write_layers(to, mixer);
    write_actions(to, mixer);
    write_groups(to, mixer);
    sinewi_state_write_lanes(to, mixer);
}

static size_t write_state(const sinew_mixer *mixer, const state_lookup *lookup, uint8_t *bytes, size_t capacity) {
    state_writer to;
    sinewi_state_begin(&to, lookup, bytes, capacity);
    sinewi_state_write_mixer(&to, mixer);
    return sinewi_state_end(&to);
}

size_t sinew_mixer_write(const sinew_mixer *mixer, const sinew_state_names *names, void *bytes, size_t size) {
    assert(mixer);
    const state_lookup lookup = sinewi_state_lookup(mixer, names);
    const size_t needed = write_state(mixer, &lookup, NULL, 0);
    if (!bytes || needed > size) return needed;
    write_state(mixer, &lookup, (uint8_t *)bytes, needed);
    sinewi_state_seal((uint8_t *)bytes, needed);
    return needed;
}
