// SPDX-License-Identifier: MIT
// Decodes a mixer's state from bytes that may come from anywhere: the mixer itself, its layers and its actions. Each
// function here reads what the one with the same name in mixer_snapshot_write.c writes. Whatever passes must be safe for
// all later calls, so everything that the mixer's files take for granted is checked here.
#include "motion/mixer_snapshot_format.h"
#include "core/blend_space_data.h"
#include "core/mixer_control.h"
#include "base/def_cookie.h"

#include <float.h>
#include <string.h>

// What is being decoded, and for which mixer.
typedef struct decoder {
    state_reader in;
    const sinew_mixer *mixer;
    mixer_image *image;
} decoder;

// ---- Parts ---------------------------------------------------------------------------------------------------

static sinewi_fade read_fade(decoder *d, float most) {
    const uint32_t kind = sinewi_state_byte(&d->in, 3);
    if (kind < 2) return sinewi_fade_constant((float)kind);
    sinewi_fade fade = sinewi_fade_constant(sinewi_state_amount(&d->in, most));
    if (kind == 2) return fade;
    fade.from = sinewi_state_amount(&d->in, most);
    fade.to = sinewi_state_amount(&d->in, most);
    fade.duration = sinewi_state_amount(&d->in, FLT_MAX);
    fade.slope = sinewi_state_float(&d->in);
    fade.easing = (uint8_t)sinewi_state_byte(&d->in, UINT8_MAX - 1);
    fade.elapsed = sinewi_state_double(&d->in);
    const bool is_running = fade.elapsed >= 0.0 && fade.elapsed < (double)fade.duration;
    if (!is_running) sinewi_state_fail(&d->in, "a fade that isn't running");
    return fade;
}

// `least` is the lowest elapsed time.
static decay_state read_decay(decoder *d, double least) {
    decay_state decay = {.duration = sinewi_state_amount(&d->in, FLT_MAX)};
    if (!(decay.duration > 0.0f)) return decay;
    decay.elapsed = sinewi_state_double(&d->in);
    const bool is_running = decay.elapsed >= least && decay.elapsed < (double)decay.duration;
    if (!is_running) sinewi_state_fail(&d->in, "a decay that isn't running");
    return decay;
}

// A decay of poses. They divide by its duration.
static decay_state read_pose_decay(decoder *d) {
    const decay_state decay = read_decay(d, 0.0);
    const bool is_long = !(decay.duration > 0.0f) || decay.duration >= SINEWI_MIN_TRANSITION_SECONDS;
    if (!is_long) sinewi_state_fail(&d->in, "a transition shorter than a microsecond");
    return decay;
}

// A duration of something that starts later. 0 if nothing does.
static float read_requested(decoder *d) {
    const float duration = sinewi_state_amount(&d->in, FLT_MAX);
    const bool is_long = duration == 0.0f || duration >= SINEWI_MIN_TRANSITION_SECONDS;
    if (!is_long) sinewi_state_fail(&d->in, "a transition shorter than a microsecond");
    return duration;
}

static root_velocity read_velocity(decoder *d) {
    root_velocity velocity;
    for (int i = 0; i < 3; i++) velocity.move[i] = sinewi_state_float(&d->in);
    velocity.yaw = sinewi_state_float(&d->in);
    return velocity;
}

// A written layer's number here, or -1.
static int32_t read_layer_number(decoder *d) {
    const uint32_t number = sinewi_state_byte(&d->in, SINEWI_MAX_LAYERS - 1);
    if (number < (uint32_t)d->image->written_layers) return d->image->layer_of[number];
    sinewi_state_fail(&d->in, "a layer that doesn't exist");
    return -1;
}

static int32_t read_loop_count(decoder *d) {
    const int32_t count = sinewi_read_i32(&d->in.in);
    return d->in.in.is_cut ? 1 : count;
}

static uint8_t read_group(decoder *d) {
    return d->in.file->groups[sinewi_state_byte(&d->in, UINT8_MAX)];
}

static const state_found *read_object(decoder *d, bool is_source) {
    const state_found *found = sinewi_state_object(&d->in);
    if (!found || (found->kind != WRITTEN_MASK) == is_source) return found;
    sinewi_state_fail(&d->in, "a mask that is played, or a clip as a mask");
    return NULL;
}

// Returns false if the source can't play here, apart from the clip's and blend space's own names.
static bool read_play_def(decoder *d, sinew_play_def *def) {
    memset(def, 0, sizeof *def); // snapshots contain its padding
    def->time = sinewi_state_float(&d->in);
    def->speed = sinewi_state_float(&d->in);
    def->weight = sinewi_state_amount(&d->in, SINEW_MAX_WEIGHT);
    def->fade = sinewi_state_amount(&d->in, FLT_MAX);
    def->easing = (sinew_easing)sinewi_state_byte(&d->in, UINT8_MAX - 1);
    def->layer = read_layer_number(d);
    def->sync = read_group(d);
    def->loop = (sinew_loop)sinewi_state_byte(&d->in, SINEW_LOOP_PING_PONG);
    def->loop_count = read_loop_count(d);
    const uint32_t flags = sinewi_state_byte(&d->in, 3);
    def->allow_duplicate = (flags & 1) != 0;
    def->restart = (flags & 2) != 0;
    def->cookie = SINEWI_DEF_COOKIE;
    return def->layer >= 0;
}

static sinew_action read_handle(decoder *d) {
    const uint64_t bits = sinewi_read_number(&d->in.in, 8), tag = d->image->state.tag;
    if (bits >> SINEWI_HANDLE_BITS != 0) sinewi_state_fail(&d->in, "a handle with too many bits");
    return (sinew_action){bits == 0 ? 0 : tag << SINEWI_HANDLE_BITS | bits};
}

// Scales a time to a clip that has another duration now.
static double scaled_time(const state_found *found, double time) {
    const double before = (double)found->duration, now = (double)((const sinew_clip *)found->object)->duration;
    if (now == before) return time;
    return before > 0.0 ? fmin(time / before, 2.0) * now : 0.0;
}

static bool is_clip(const state_found *found) {
    return found->kind == WRITTEN_CLIP;
}

// Returns false for a source that is empty or isn't found.
static bool read_source(decoder *d, previous_source *previous) {
    const state_found *found = read_object(d, true);
    *previous = (previous_source){.source = {.clip = NULL}};
    if (!found) return false;
    const float x = sinewi_state_float(&d->in), y = sinewi_state_float(&d->in);
    previous_source read = {.source = {.clip = NULL}};
    const bool plays = read_play_def(d, &read.def);
    read.action = read_handle(d);
    if (!plays || !found->object || d->in.in.is_cut) return false;
    read.source.x = x;
    read.source.y = y;
    if (is_clip(found)) {
        read.source.clip = (const sinew_clip *)found->object;
        if (read.def.time > 0.0f) read.def.time = (float)scaled_time(found, (double)read.def.time);
    } else {
        read.source.blend_space = (const sinew_blend_space *)found->object;
    }
    if (read.source.clip && read.source.clip->additive && read.def.layer == 0) return false;
    sinewi_mixer_keep_source(previous, &read);
    return true;
}

// ---- The mixer -----------------------------------------------------------------------------------------------

static void read_set_pose(decoder *d) {
    set_pose_state *set = &d->image->state.set_pose;
    set->seconds = sinewi_state_double(&d->in);
    set->steps = (int32_t)sinewi_state_count(&d->in, INT32_MAX / 2); // because it is counted up
    set->change = read_requested(d);
    set->scope = (uint8_t)sinewi_state_byte(&d->in, SMOOTH_ANYTHING);
    set->layer = (int8_t)sinewi_state_byte(&d->in, SINEWI_MAX_LAYERS - 1);
    const uint32_t flags = sinewi_state_byte(&d->in, 15);
    set->is_current = (flags & 1) != 0;
    set->is_kept = (flags & 2) != 0;
    set->has_root = (flags & 4) != 0;
    set->is_base = (flags & 8) != 0;
    const bool has_pose = set->is_current || set->is_kept;
    if (set->seconds < 0.0) sinewi_state_fail(&d->in, "a pose that was set in the future");
    if (set->change > 0.0f && !has_pose) sinewi_state_fail(&d->in, "a change without a pose that it starts from");
    if (has_pose && d->image->state.offsets.duration > 0.0f)
        sinewi_state_fail(&d->in, "a captured pose while offsets are running");
}

static void read_finish(decoder *d) {
    finish_state *finish = &d->image->state.finish;
    finish->requested = read_requested(d);
    const uint32_t flags = sinewi_state_byte(&d->in, 7);
    finish->is_finished = (flags & 1) != 0;
    finish->saves_pose = (flags & 2) != 0;
    finish->saves_edits = (flags & 4) != 0;
    finish->decay = read_pose_decay(d);
    if (finish->requested > 0.0f && finish->decay.duration > 0.0f)
        sinewi_state_fail(&d->in, "finished poses with offsets that both run and are requested");
}

static void read_root(decoder *d) {
    root_state *root = &d->image->state.root;
    root->held = read_velocity(d);
    root->captured = read_velocity(d);
    root->decaying = read_velocity(d);
    root->decay = read_decay(d, -DBL_MAX);
}

static void read_head(decoder *d) {
    mixer_state *state = &d->image->state;
    state->tag = (uint32_t)sinewi_read_number(&d->in.in, 4);
    if (state->tag == 0 || state->tag > 0xffffff) sinewi_state_fail(&d->in, "a tag that isn't from 1 to 16777215");
    state->next_serial = (uint32_t)sinewi_read_number(&d->in.in, 4);
    const uint32_t flags = sinewi_state_byte(&d->in, 7);
    state->has_advanced = (flags & 1) != 0;
    state->has_sideless = (flags & 2) != 0;
    state->rest_is_sideless = (flags & 4) != 0;
    state->held_proportion = read_fade(d, FLT_MAX);
    state->extrapolation = read_pose_decay(d);
    state->offsets = read_pose_decay(d);
    read_set_pose(d);
    read_finish(d);
    read_root(d);
}

// ---- Layers --------------------------------------------------------------------------------------------------

// The layer here with this name, or else with this place among the layers without a name. -1 if there isn't one.
static int32_t find_layer(const decoder *d, const char *name, int32_t unnamed) {
    const state_lookup *lookup = d->in.file->lookup;
    for (int32_t l = 1; l < d->mixer->def.layer_count; l++) {
        const char *own = lookup->layer(lookup, l);
        if (name ? own && strcmp(own, name) == 0 : !own && unnamed-- == 0) return l;
    }
    return -1;
}

static bool is_taken(const decoder *d, int32_t layer, int32_t end) {
    for (int32_t i = 0; i < end; i++)
        if (d->image->layer_of[i] == layer) return true;
    return false;
}

static void report_layer(const decoder *d, const char *name, int32_t number) {
    char digit[2] = {(char)('0' + number), '\0'};
    sinewi_state_report_unknown(d->in.file, "layer", name ? name : digit);
}

// A layer that a state doesn't have, or the mask of one that it has.
static layer_state quiet_layer(const sinew_mixer *mixer, int32_t l) {
    const layer_state *own = &mixer->layers[l];
    return (layer_state){.mask = own->mask,
                         .weight = sinewi_fade_constant(own->weight.value),
                         .is_sideless = true,
                         .mode = own->mode};
}

static void read_layer(decoder *d, int32_t number, int32_t *unnamed) {
    const char *name = sinewi_state_string(&d->in);
    int32_t l = number == 0 ? 0 : find_layer(d, name, *unnamed);
    if (number > 0 && !name) ++*unnamed;
    if (is_taken(d, l, number)) l = -1;
    d->image->layer_of[number] = l;
    const state_found *mask = read_object(d, false);
    const uint32_t flags = sinewi_state_byte(&d->in, 15);
    layer_state layer = {.proportions_fade = (flags & 1) != 0,
                         .weights_changed = (flags & 2) != 0,
                         .is_sideless = (flags & 4) != 0,
                         .mode = (flags & 8) != 0 ? SINEW_LAYER_ADDITIVE : SINEW_LAYER_OVERRIDE};
    layer.weight = read_fade(d, SINEWI_STATE_MAX_WEIGHT);
    layer.change_duration = sinewi_state_amount(&d->in, FLT_MAX);
    layer.change_easing = (uint8_t)sinewi_state_byte(&d->in, UINT8_MAX - 1);
    const bool is_plain = !mask && layer.mode == SINEW_LAYER_OVERRIDE && layer.weight.value == 1.0f &&
                          !sinewi_fade_is_active(&layer.weight);
    if (number == 0 && !is_plain) sinewi_state_fail(&d->in, "a base with a mask, a mode or a weight");
    const bool fits = l <= 0 || layer.mode == d->mixer->layers[l].mode || sinewi_mixer_is_untouched(d->mixer);
    if (!fits) l = d->image->layer_of[number] = -1;
    if (l < 0) report_layer(d, name, number);
    if (l < 0) return;
    layer.mask = mask ? (const sinew_mask *)mask->object : NULL;
    if (mask && !mask->object) layer.mask = d->mixer->layers[l].mask;
    d->image->layers[l] = layer;
}

static void read_layers(decoder *d) {
    const int32_t count = (int32_t)sinewi_state_count(&d->in, SINEWI_MAX_LAYERS);
    int32_t unnamed = 0;
    if (count < 1) sinewi_state_fail(&d->in, "no layers");
    for (int32_t l = 0; l < d->mixer->def.layer_count; l++) d->image->layers[l] = quiet_layer(d->mixer, l);
    for (int32_t i = 0; i < count && !d->in.in.is_cut; i++) read_layer(d, i, &unnamed);
    d->image->written_layers = count;
    const int32_t kept = d->image->layer_of[d->image->state.set_pose.layer % SINEWI_MAX_LAYERS];
    const bool has_layer = d->image->state.set_pose.layer < count && kept >= 0;
    d->image->state.set_pose.layer = (int8_t)(has_layer ? kept : 0);
    for (int32_t i = 0; i < count && !d->in.in.is_cut; i++) {
        previous_source previous;
        const bool is_found = read_source(d, &previous);
        const int32_t l = d->image->layer_of[i];
        if (is_found && previous.def.layer != l) sinewi_state_fail(&d->in, "a previous source of another layer");
        if (is_found && l >= 0) d->image->previous[l] = previous;
    }
}

// ---- Actions -------------------------------------------------------------------------------------------------

// An action that is being decoded, and whether it can play here.
typedef struct read_state {
    action_state action;
    space_state space;
    queued_state queued;
    int32_t slot;
    bool plays;
} read_state;

// The sample that plays the n-th clip with this name. The number before is tried first. -1 if there isn't one.
static int32_t find_sample(const sinew_blend_space *space, const char *name, int32_t ordinal) {
    for (int32_t i = 0; i < space->sample_count; i++)
        if (strcmp(space->samples[i].clip->name, name) == 0 && ordinal-- == 0) return i;
    return -1;
}

static bool has_sample(const space_state *space, int32_t sample) {
    for (int32_t i = 0; i < SINEW_MAX_BLEND_WEIGHTS; i++)
        if (space->samples[i] == sample + 1) return true;
    return false;
}

static void read_entry(decoder *d, space_state *space, int32_t *last) {
    const int32_t entry = (int32_t)sinewi_state_byte(&d->in, SINEW_MAX_BLEND_WEIGHTS - 1);
    const char *name = sinewi_state_string(&d->in);
    const int32_t ordinal = (int32_t)sinewi_state_byte(&d->in, SINEW_MAX_BLEND_SAMPLES - 1);
    if (entry <= *last || !name) sinewi_state_fail(&d->in, "a sample without a name, or out of order");
    *last = entry;
    if (!space->space || !name || d->in.in.is_cut) return;
    const int32_t sample = find_sample(space->space, name, ordinal);
    if (sample < 0) sinewi_state_report_unknown(d->in.file, "sample", name);
    if (sample >= 0 && has_sample(space, sample)) sinewi_state_fail(&d->in, "a sample that occurs twice");
    if (sample >= 0) space->samples[entry] = (uint8_t)(sample + 1);
}

static void read_space(decoder *d, read_state *read) {
    space_state *space = &read->space;
    const int32_t number = (int32_t)sinewi_state_byte(&d->in, SINEWI_MAX_SPACES);
    double parameter[4];
    for (int i = 0; i < 4; i++) parameter[i] = sinewi_state_double(&d->in);
    for (int i = 0; i < 4; i++)
        if (fabs(parameter[i]) > (double)FLT_MAX) sinewi_state_fail(&d->in, "a parameter that is too large");
    space->parameter = (sinew_blend_parameter){parameter[0], parameter[1], parameter[2], parameter[3]};
    space->x = sinewi_state_float(&d->in);
    space->y = sinewi_state_float(&d->in);
    space->sideless = (uint32_t)sinewi_read_number(&d->in.in, 4);
    space->odd_loops = (uint32_t)sinewi_read_number(&d->in.in, 4);
    const int32_t count = (int32_t)sinewi_state_byte(&d->in, SINEW_MAX_BLEND_WEIGHTS);
    int32_t last = -1;
    for (int32_t i = 0; i < count && !d->in.in.is_cut; i++) read_entry(d, space, &last);
    if (number == 0) sinewi_state_fail(&d->in, "a blend space without a number");
    read->action.space = (uint8_t)number;
    if (number > d->mixer->def.max_blend_spaces) read->plays = false;
}

static void read_queued(decoder *d, queued_state *queued) {
    const queued_kind kind = (queued_kind)sinewi_state_byte(&d->in, QUEUED_FADE_OUT);
    if (kind == QUEUED_NOTHING) return;
    memset(&queued->transition, 0, sizeof queued->transition); // snapshots contain its padding
    queued->transition.kind = (sinew_transition_kind)sinewi_state_byte(&d->in, SINEW_TRANSITION_DEAD_BLEND);
    queued->transition.duration = sinewi_state_amount(&d->in, FLT_MAX);
    queued->transition.easing = (sinew_easing)sinewi_state_byte(&d->in, UINT8_MAX);
    queued->transition.match_rate = sinewi_state_byte(&d->in, 1) != 0;
    queued->kind = kind;
    if (kind == QUEUED_FADE_OUT) return;
    queued->transition.cookie = SINEWI_DEF_COOKIE;
    if (!read_source(d, &queued->target)) queued->kind = QUEUED_NOTHING;
}

static void read_numbers(decoder *d, action_state *action) {
    action->serial = (uint32_t)sinewi_read_number(&d->in.in, 4);
    action->flags = (uint8_t)sinewi_state_byte(&d->in, UINT8_MAX);
    const int32_t layer = read_layer_number(d);
    action->layer = layer >= 0 ? (uint8_t)layer : UINT8_MAX;
    action->loop = (uint8_t)sinewi_state_byte(&d->in, SINEW_LOOP_PING_PONG);
    action->easing = (uint8_t)sinewi_state_byte(&d->in, UINT8_MAX - 1);
    action->sync = read_group(d);
    action->intervals.count = (uint8_t)sinewi_state_byte(&d->in, UINT8_MAX);
    action->loop_count = read_loop_count(d);
    action->loops_done = (int32_t)sinewi_state_count(&d->in, INT32_MAX);
    action->phase = sinewi_state_double(&d->in);
    action->weight = read_fade(d, SINEWI_STATE_MAX_WEIGHT);
    action->proportion = read_fade(d, FLT_MAX);
    action->warp = read_fade(d, SINEWI_STATE_MAX_WEIGHT);
    action->target_weight = sinewi_state_amount(&d->in, SINEW_MAX_WEIGHT);
    action->speed = sinewi_state_float(&d->in);
    action->last_rate = sinewi_state_float(&d->in);
    const bool ends = (action->flags & ACTION_STOP_AFTER_FADE) != 0;
    if (ends && !sinewi_fade_is_active(&action->weight))
        sinewi_state_fail(&d->in, "an action that ends with a fade that it doesn't have");
    if (action->loop_count != SINEW_FOREVER && action->loop_count < 1)
        sinewi_state_fail(&d->in, "an action without loops");
    if (action->serial == 0 || action->intervals.count == 0)
        sinewi_state_fail(&d->in, "an action without a serial number or without sync intervals");
}

// Sets a clip's phase and sync intervals. A clip that has sync markers now may have had none, or other ones.
static void settle_clip(decoder *d, action_state *action, const state_found *found) {
    const sinew_mixer_def *def = &d->mixer->def;
    const double turns = action->loop == SINEW_LOOP_PING_PONG ? 2.0 : 1.0, before = (double)found->duration;
    if (!(action->phase >= 0.0) || action->phase > turns * before)
        sinewi_state_fail(&d->in, "a time outside of the clip");
    if (!found->object) return;
    action->clip = (const sinew_clip *)found->object;
    action->phase = fmin(scaled_time(found, action->phase), turns * (double)action->clip->duration);
    const uint8_t count = action->intervals.count;
    action->intervals = sinewi_sync_find_intervals(action->clip, def->sync_names, def->sync_name_count);
    if (action->intervals.marker_bits == 0) action->intervals.count = count;
}

static void read_action(decoder *d, read_state *read) {
    action_state *action = &read->action;
    read->slot = (int32_t)sinewi_state_byte(&d->in, SINEW_MAX_ACTIONS - 1);
    const state_found *found = read_object(d, true);
    if (!found) sinewi_state_fail(&d->in, "an action that plays nothing");
    if (d->in.in.is_cut) return;
    read->plays = found->object && read->slot < d->mixer->def.max_actions;
    read_numbers(d, action);
    if (action->layer == UINT8_MAX) read->plays = false;
    if (is_clip(found)) {
        settle_clip(d, action, found);
        if (action->clip && action->clip->additive && action->layer == 0) read->plays = false;
    } else {
        const bool repeats = action->loop == SINEW_LOOP_REPEAT && action->loop_count == SINEW_FOREVER &&
                             (action->flags & ACTION_FINISHED) == 0;
        if (!repeats) sinewi_state_fail(&d->in, "a blend space that ends");
        read->space.space = (const sinew_blend_space *)found->object;
        read_space(d, read);
    }
    read_queued(d, &read->queued);
}

static void report_action(const decoder *d, const read_state *read) {
    const sinew_clip *clip = read->action.clip;
    if (clip) sinewi_state_report_unknown(d->in.file, "action", clip->name);
    if (read->space.space && read->space.space->sample_count > 0)
        sinewi_state_report_unknown(d->in.file, "action", read->space.space->samples[0].clip->name);
}

// Serials order actions, also in mixers with fewer slots.
static void check_serials(decoder *d, const uint32_t *serials, int32_t count) {
    const uint32_t next = d->image->state.next_serial;
    for (int32_t i = 0; i < count; i++) {
        if (next - serials[i] > UINT32_MAX / 2) sinewi_state_fail(&d->in, "an action newer than the newest");
        for (int32_t j = 0; j < i; j++)
            if (serials[i] == serials[j]) sinewi_state_fail(&d->in, "two actions with the same serial number");
    }
}

static void add_action(decoder *d, const read_state *read) {
    mixer_image *image = d->image;
    const action_state *action = &read->action;
    if (!read->plays) {
        report_action(d, read);
        if (action->layer < SINEWI_MAX_LAYERS) image->lost |= (uint8_t)(1u << action->layer);
        return;
    }
    if (action->space && image->spaces[action->space - 1].space)
        sinewi_state_fail(&d->in, "two actions with the same blend space number");
    if (action->space) image->spaces[action->space - 1] = read->space;
    image->actions[read->slot] = *action;
    image->queued[read->slot] = read->queued;
}

static void read_actions(decoder *d) {
    const int32_t count = (int32_t)sinewi_state_count(&d->in, SINEW_MAX_ACTIONS);
    uint32_t serials[SINEW_MAX_ACTIONS];
    int32_t last = -1;
    for (int32_t i = 0; i < count && !d->in.in.is_cut; i++) {
        read_state read = {.slot = 0};
        read_action(d, &read);
        serials[i] = read.action.serial;
        if (read.slot <= last) sinewi_state_fail(&d->in, "actions out of order");
        last = read.slot;
        if (!d->in.in.is_cut) add_action(d, &read);
    }
    if (!d->in.in.is_cut) check_serials(d, serials, count);
}

// ---- Everything ----------------------------------------------------------------------------------------------

static void open_section(decoder *d, state_section section) {
    d->in = sinewi_state_read_section(d->in.file, section);
}

void sinewi_state_read_mixer(state_file *file, const sinew_mixer *mixer, mixer_image *image) {
    decoder d = {.in = {.file = file}, .mixer = mixer, .image = image};
    memset(image, 0, sizeof *image);
    open_section(&d, SECTION_MIXER);
    read_head(&d);
    sinewi_state_close_section(&d.in);
    open_section(&d, SECTION_LAYERS);
    read_layers(&d);
    sinewi_state_close_section(&d.in);
    open_section(&d, SECTION_ACTIONS);
    read_actions(&d);
    sinewi_state_close_section(&d.in);
}
