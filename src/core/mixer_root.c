// SPDX-License-Identifier: MIT
// A mixer's root motion: the combined motion of its actions in a step, and the root node's transform without it.
#include "core/blend_space_data.h"
#include "core/mixer_evaluation.h"
#include "base/rotation_vector.h"

#include <assert.h>

void sinewi_mixer_root_lay_out(sinewi_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields) {
    if (!def->root_motion) return;
    size_t actions = (size_t)def->max_actions, spaces = (size_t)def->max_blend_spaces;
    size_t item_count = actions + spaces * SINEW_MAX_BLEND_WEIGHTS + 2;
    fields->root = sinewi_layout_array(layout, mixer_root, 1, sizeof(double));
    root_step *steps = sinewi_layout_array(layout, root_step, actions, sizeof(double));
    float *weights = sinewi_layout_array(layout, float, actions, sizeof(float));
    kept_root_clip *clips =
        sinewi_layout_array(layout, kept_root_clip, sinewi_kept_clip_count(def), sizeof(double));
    sinewi_root_contribution *items =
        sinewi_layout_array(layout, sinewi_root_contribution, item_count, sizeof(float));
    if (!layout->base) return;
    *fields->root = (mixer_root){.steps = steps, .weights = weights, .clips = clips, .contributions = items};
    sinewi_mixer_root_reset(fields);
}

void sinewi_mixer_root_reset(sinew_mixer *mixer) {
    mixer->root->motion = sinewi_motion_identity();
    mixer->root->delta = (sinew_root_delta){.rotation = {0, 0, 0, 1}};
}

// ---- A step --------------------------------------------------------------------------------------------------

void sinewi_mixer_root_keep_held(sinew_mixer *mixer) {
    mixer->root->held = (root_hold){mixer->state->held_proportion, mixer->state->root.held, HUGE_VAL};
}

void sinewi_mixer_root_begin(sinew_mixer *mixer, const sync_step *sync) {
    mixer->root->step_count = mixer->state->slot_end;
    for (int32_t i = 0; i < mixer->root->step_count; i++) {
        const action_state *state = &mixer->actions[i];
        root_step *step = &mixer->root->steps[i];
        *step = (root_step){.action = NULL};
        if (!state->clip || state->layer != 0) continue;
        step->action = state;
        step->weight = state->proportion;
        if (!sync || !state->space) continue;
        step->space = *sinewi_action_space(mixer, state);
        step->phases = sync->actions[i];
    }
}

void sinewi_mixer_root_pass(sinew_mixer *mixer, const action_state *state, const clip_path *path, double seconds) {
    if (state->layer != 0) return;
    root_step *step = &mixer->root->steps[state - mixer->actions];
    step->path = (sinewi_root_path){path->from, path->to, path->backward, (sinewi_root_loop)state->loop};
    step->rate = path->rate;
    step->seconds = seconds;
}

// Returns an action's clip, or a sample's in a blend space.
static sinewi_root_clip *clip_of(const sinew_mixer *mixer, const action_state *action, int32_t sample) {
    const mixer_root *root = mixer->root;
    kept_root_clip *kept = &root->clips[action - mixer->actions];
    const sinew_clip *clip = action->clip;
    const space_state *space = sinewi_action_space(mixer, action);
    if (space) {
        assert(space->space);
        const int32_t first = mixer->def.max_actions + (action->space - 1) * SINEWI_ROOT_SAMPLES;
        kept = &root->clips[first + sample % SINEWI_ROOT_SAMPLES];
        clip = space->space->samples[sample].clip;
    }
    if (kept->serial == action->serial && kept->clip.clip == clip) return &kept->clip;
    kept->serial = action->serial;
    kept->clip = sinewi_root_clip_of(&root->root, clip);
    return &kept->clip;
}

static sinewi_motion motion_on(const sinew_mixer *mixer, const action_state *action, int32_t sample,
                               sinewi_root_path path) {
    return sinewi_root_motion_on(&mixer->root->root, clip_of(mixer, action, sample), &path);
}

// Returns the position on a step's path, or a blend space's phase, `time` seconds after the start.
static double position_at(const root_step *step, double time) {
    double distance = step->rate * time;
    bool at_end = time >= step->seconds || distance > step->path.to - step->path.from;
    return at_end ? step->path.to : step->path.from + distance;
}

static double phase_at(const root_step *step, double time) {
    double part = time < step->seconds ? time / step->seconds : 1.0;
    return step->phases.from + part * (step->phases.to - step->phases.from);
}

// Returns a blend space's motion. Each sample moves through its own clip by the same change of phase, using the weights
// in the middle of the time.
static sinewi_motion motion_of_space(const sinew_mixer *mixer, const root_step *step, double from, double to) {
    double phase = phase_at(step, from), change = phase_at(step, to) - phase;
    space_state middle = sinewi_space_state_after(&step->space, 0.5 * (from + to));
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinewi_space_weights_within_step(mixer, step->action, &middle, weights);
    sinewi_motion_sum sum = {0};
    for (int32_t i = 0; i < count; i++) {
        const sinew_clip *clip = middle.space->samples[weights[i].sample].clip;
        const sinewi_sync_intervals *intervals = &middle.space->data->intervals[weights[i].sample];
        double time = sinewi_sync_time_at_phase(clip, intervals, phase),
               seconds = sinewi_sync_seconds(clip, intervals, phase, change);
        sinewi_root_path path = {time, time + seconds, false, SINEWI_ROOT_REPEAT};
        if (seconds < 0.0) path = (sinewi_root_path){-time, -time - seconds, true, SINEWI_ROOT_REPEAT};
        sinewi_motion_add(&sum, motion_on(mixer, step->action, weights[i].sample, path), weights[i].weight);
    }
    return sinewi_motion_mean(&sum);
}

static sinewi_motion motion_between(const sinew_mixer *mixer, const root_step *step, double from, double to) {
    if (step->space.space) return motion_of_space(mixer, step, from, to);
    sinewi_root_path path = step->path;
    path.from = position_at(step, from);
    path.to = position_at(step, to);
    return motion_on(mixer, step->action, 0, path);
}

// Returns the slot after `last`, sorted by weight with the heaviest first, then by age. Start with -1. Returns -1 at
// the end.
static int32_t next_slot(const sinew_mixer *mixer, int32_t last) {
    const float *weights = mixer->root->weights;
    const root_step *steps = mixer->root->steps;
    int32_t next = -1;
    for (int32_t i = 0; i < mixer->root->step_count; i++) {
        if (!(weights[i] > 0.0f)) continue;
        uint32_t serial = steps[i].action->serial;
        if (last >= 0) {
            bool was =
                weights[i] > weights[last] || (weights[i] == weights[last] && serial <= steps[last].action->serial);
            if (was) continue;
        }
        bool is_before = next < 0 || weights[i] > weights[next] ||
                         (weights[i] == weights[next] && serial < steps[next].action->serial);
        if (is_before) next = i;
    }
    return next;
}

// ---- Velocities ----------------------------------------------------------------------------------------------

static root_velocity velocity_over(sinewi_motion motion, double seconds) {
    sinew_quat turn = {0.0f, (float)motion.half_sin, 0.0f, (float)motion.half_cos};
    root_velocity velocity = {.yaw = sinewi_rotation_logarithm(turn).y / (float)seconds};
    for (int i = 0; i < 3; i++) velocity.move[i] = (float)(motion.move[i] / seconds);
    return velocity;
}

static sinewi_motion motion_of_velocity(root_velocity velocity, double seconds) {
    sinew_quat turn = sinewi_rotation_exponential((sinew_vec3){0.0f, velocity.yaw * (float)seconds, 0.0f});
    sinewi_motion motion = {.half_cos = (double)turn.w, .half_sin = (double)turn.y};
    for (int i = 0; i < 3; i++) motion.move[i] = (double)velocity.move[i] * seconds;
    return motion;
}

// The velocity before an inertialized change has the weight 1 - 3/2 u + 1/2 u^3, with u = t / (0.55 d). What plays has
// the rest. This keeps the velocity between the two, even if the new clip is stopped, paused or faded out. At first the
// weight falls as fast as a pose's offset, so feet slide the least. Its slope is less than twice a smoothstep's over d.
#define DECAY_PART 0.55

static double decay_time(const decay_state *decay, double seconds) {
    double u = (decay->elapsed + seconds) / (DECAY_PART * (double)decay->duration);
    return u < 0.0 ? 0.0 : u < 1.0 ? u : 1.0;
}

static double decay_weight(double u) {
    return 1.0 - 1.5 * u + 0.5 * u * u * u;
}

static double decay_integral(double u) {
    return u - 0.75 * u * u + 0.125 * u * u * u * u;
}

// Returns the mean weight between two moments of a step. 0 before the decay starts.
static double mean_decay_weight(const decay_state *decay, double from, double to) {
    if (!(decay->duration > 0.0f) || !(to > from)) return 0.0;
    double part = decay_integral(decay_time(decay, to)) - decay_integral(decay_time(decay, from));
    return part * DECAY_PART * (double)decay->duration / (to - from);
}

// Returns the base's motion, including what is left of the velocity before the last change.
static sinewi_motion with_decaying(const root_state *root, sinewi_motion base, double from, double to) {
    float weight = (float)mean_decay_weight(&root->decay, from, to);
    if (!(weight > 0.0f)) return base;
    sinewi_motion_sum sum = {0};
    sinewi_motion_add(&sum, motion_of_velocity(root->decaying, to - from), weight);
    sinewi_motion_add(&sum, base, 1.0f - weight);
    return sinewi_motion_mean(&sum);
}

// Returns an action's next SINEWI_VELOCITY_SECONDS, because poses are measured the same way. So a corner in the motion
// at this moment doesn't become part of a transition. At the end of a clip that doesn't repeat, returns the last ones.
static root_step velocity_step(const sinew_mixer *mixer, const action_state *state) {
    double rate = (double)state->last_rate, distance = fabs(rate) * SINEWI_VELOCITY_SECONDS;
    root_step step = {.action = state, .rate = fabs(rate), .seconds = SINEWI_VELOCITY_SECONDS};
    if (state->space) {
        step.space = *sinewi_action_space(mixer, state);
        step.phases = (action_step){.from = state->phase, .to = state->phase + (rate < 0.0 ? -distance : distance)};
        return step;
    }
    double from = rate < 0.0 ? -sinewi_action_exact_time(state) : sinewi_action_exact_time(state);
    double end = rate < 0.0 ? 0.0 : (double)state->clip->duration;
    if (state->loop != SINEW_LOOP_REPEAT && from + distance > end) from -= distance;
    sinewi_root_loop loop = state->loop == SINEW_LOOP_REPEAT ? SINEWI_ROOT_REPEAT : SINEWI_ROOT_ONCE;
    step.path = (sinewi_root_path){from, from + distance, rate < 0.0, loop};
    return step;
}

static sinewi_motion velocity_motion(const sinew_mixer *mixer, const action_state *state) {
    root_step step = velocity_step(mixer, state);
    return motion_between(mixer, &step, 0.0, SINEWI_VELOCITY_SECONDS);
}

// Returns whether part of the base doesn't move the root. This is the rest pose, or how much of a held pose has faded
// out without a replacement.
static bool leaves_rest(const sinew_mixer *mixer, float actions, float held) {
    bool fills = mixer->def.underweight == SINEW_UNDERWEIGHT_REST || !(actions > 0.0f);
    return fills && actions + held < 1.0f;
}

root_velocity sinewi_mixer_base_root_velocity(const sinew_mixer *mixer) {
    if (!mixer->root) return (root_velocity){.yaw = 0.0f};
    sinewi_motion_sum sum = {0};
    float weight = 0.0f, held = mixer->state->held_proportion.value;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        bool counts = state->clip && state->layer == 0 && state->proportion.value > 0.0f;
        if (!counts || (state->flags & ACTION_NEW) != 0) continue;
        sinewi_motion_add(&sum, velocity_motion(mixer, state), state->proportion.value);
        weight += state->proportion.value;
    }
    const root_state *root = &mixer->state->root;
    if (held > 0.0f) sinewi_motion_add(&sum, motion_of_velocity(root->held, SINEWI_VELOCITY_SECONDS), held);
    if (leaves_rest(mixer, weight, held)) sinewi_motion_add(&sum, sinewi_motion_identity(), 1.0f - weight - held);
    return velocity_over(sinewi_motion_mean(&sum), SINEWI_VELOCITY_SECONDS);
}

root_velocity sinewi_mixer_root_velocity(const sinew_mixer *mixer) {
    root_velocity velocity = sinewi_mixer_base_root_velocity(mixer);
    const root_state *root = &mixer->state->root;
    bool decays = root->decay.duration > 0.0f && root->decay.elapsed >= 0.0;
    if (!decays) return velocity;
    float weight = (float)decay_weight(decay_time(&root->decay, 0.0));
    for (int i = 0; i < 3; i++) velocity.move[i] += weight * (root->decaying.move[i] - velocity.move[i]);
    velocity.yaw += weight * (root->decaying.yaw - velocity.yaw);
    return velocity;
}

// ---- The motion of a step ------------------------------------------------------------------------------------

// Returns the mean motion over part of a step, using the proportions in its middle. Actions that stand still and the
// rest pose count as no motion. The held pose moves like the actions it came from.
static sinewi_motion mean_between(const sinew_mixer *mixer, double from, double to) {
    const mixer_root *root = mixer->root;
    double middle = 0.5 * (from + to);
    for (int32_t i = 0; i < mixer->root->step_count; i++) {
        const root_step *step = &root->steps[i];
        root->weights[i] = step->action ? sinewi_fade_value_after(mixer, &step->weight, middle) : 0.0f;
    }
    sinewi_motion_sum sum = {0};
    float all = 0.0f,
          held = middle < root->held.seconds ? sinewi_fade_value_after(mixer, &root->held.weight, middle) : 0.0f;
    for (int32_t i = next_slot(mixer, -1); i >= 0; i = next_slot(mixer, i)) {
        all += root->weights[i];
        bool is_still = !(root->steps[i].seconds > 0.0);
        sinewi_motion motion =
            is_still ? sinewi_motion_identity() : motion_between(mixer, &root->steps[i], from, to);
        sinewi_motion_add(&sum, motion, root->weights[i]);
    }
    if (held > 0.0f) sinewi_motion_add(&sum, motion_of_velocity(root->held.velocity, to - from), held);
    if (leaves_rest(mixer, all, held)) sinewi_motion_add(&sum, sinewi_motion_identity(), 1.0f - all - held);
    return with_decaying(&mixer->state->root, sinewi_motion_mean(&sum), from, to);
}

// Returns the end of a fade if it is between two moments of a step, otherwise `to`.
static double end_between(const sinewi_fade *fade, double from, double to) {
    double end = (double)fade->duration - fade->elapsed;
    return sinewi_fade_is_active(fade) && end > from && end < to ? end : to;
}

// The same for the start of a decay.
static double start_between(const decay_state *decay, double from, double to) {
    double start = -decay->elapsed;
    return decay->duration > 0.0f && start > from && start < to ? start : to;
}

// If a step mixes several clips, its parts are at most this long, in seconds. They use the weights and the clips'
// headings in their middle.
#define MAX_MEAN_SECONDS 0.02

// The most parts like this in a step.
#define MAX_MEAN_PARTS 64

// Returns whether only one clip moves in a step, because then there is nothing to average.
static bool is_single_clip(const sinew_mixer *mixer) {
    int32_t count = 0;
    for (int32_t i = 0; i < mixer->root->step_count; i++) {
        const root_step *step = &mixer->root->steps[i];
        if (step->action) count += step->space.space ? 2 : 1;
    }
    bool is_filled = mixer->def.underweight == SINEW_UNDERWEIGHT_REST;
    bool is_held = mixer->root->held.weight.value > 0.0f;
    return count <= 1 && !is_filled && !is_held && !(mixer->state->root.decay.duration > 0.0f);
}

// Splits a step where fades end and decays start. Makes short parts where clips are mixed. The path then doesn't depend
// on how you divide time into steps.
void sinewi_mixer_root_end(sinew_mixer *mixer, double dt) {
    if (!mixer->root) return;
    double from = 0.0, longest = is_single_clip(mixer) ? dt : MAX_MEAN_SECONDS;
    if (longest < dt / MAX_MEAN_PARTS) longest = dt / MAX_MEAN_PARTS;
    while (from < dt) {
        double to = end_between(&mixer->root->held.weight, from, dt - from < longest ? dt : from + longest);
        to = start_between(&mixer->state->root.decay, from, to);
        for (int32_t i = 0; i < mixer->root->step_count; i++) {
            const root_step *step = &mixer->root->steps[i];
            if (step->action) to = end_between(&step->weight, from, to);
        }
        mixer->root->motion = sinewi_motion_then(mixer->root->motion, mean_between(mixer, from, to));
        from = to;
    }
    mixer->root->delta = sinewi_root_delta_of(&mixer->root->root, mixer->root->motion);
}

// ---- The remainder -------------------------------------------------------------------------------------------

static sinew_transform held_transform(const sinew_mixer *mixer) {
    int32_t node = mixer->root->root.node, lane = node % SINEW_LANES;
    const sinewi_block *block = &mixer->held.blocks[node / SINEW_LANES];
    sinew_quat q = {block->lane[SINEWI_RX][lane], block->lane[SINEWI_RY][lane], block->lane[SINEWI_RZ][lane],
                    block->lane[SINEWI_RW][lane]};
    return (sinew_transform){
        {block->lane[SINEWI_TX][lane], block->lane[SINEWI_TY][lane], block->lane[SINEWI_TZ][lane]},
        q,
        {block->lane[SINEWI_SX][lane], block->lane[SINEWI_SY][lane], block->lane[SINEWI_SZ][lane]},
    };
}

static sinew_transform remainder_of(const sinew_mixer *mixer, const contribution *item) {
    if (item->slot == SINEWI_HELD_SLOT) return held_transform(mixer);
    if (item->slot == SINEWI_REST_SLOT) return mixer->root->root.rest;
    const action_state *action = &mixer->actions[item->slot];
    sinewi_root_clip *clip = clip_of(mixer, action, item->sample);
    return sinewi_root_remainder(&mixer->root->root, clip, item->time, action->loop == SINEW_LOOP_REPEAT);
}

sinew_transform sinewi_mixer_root_remainder(const sinew_mixer *mixer, const contributions *from, int32_t first,
                                            int32_t end) {
    sinewi_root_contribution *to = mixer->root->contributions;
    for (int32_t i = first; i < end; i++)
        to[i - first] = (sinewi_root_contribution){remainder_of(mixer, &from->items[i]), from->items[i].weight};
    return sinewi_root_mix(to, end - first);
}
