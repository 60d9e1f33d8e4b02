// Transitions that keep the way things move: dead blending, in which the old pose goes on by itself, and
// inertialization, in which what it differs by dies away. Both start from what is shown, whatever that is.
#include "mixer/held.h"
#include "mixer/mixer_state.h"
#include "mixer/offsets.h"
#include "mixer/velocity.h"

#include <string.h>

// Where what is shown began later than that, the way that it was about to go says the same.
#define STEP SINEW_SEEN_SECONDS

static size_t block_end(const sinew_mixer *mixer) {
    return sinew_block_count(mixer->nodes.end);
}

static size_t weight_block_end(const sinew_mixer *mixer) {
    return sinew_block_count(mixer->def.skeleton->weight_count);
}

static float time_after(const decay_state *decay, double seconds) {
    return (float)(decay->elapsed + seconds);
}

// ---- Moving on -----------------------------------------------------------------------------------------------

static void move_held_block(const sinew_mixer *mixer, double seconds, size_t block) {
    const decay_state *moving = &mixer->state->moving;
    if (!(moving->duration > 0.0f)) return;
    float tau = sinew_held_tau(time_after(moving, seconds), moving->duration), *planes[SINEW_PLANES];
    for (int i = 0; i < SINEW_PLANES; i++) planes[i] = mixer->held[0].blocks[block].lane[i];
    sinew_kernels_used()->extrapolate(mixer->moving.blocks, tau, block, block + 1, planes);
}

static void move_held_weights(const sinew_mixer *mixer, double seconds, size_t block) {
    const decay_state *moving = &mixer->state->moving;
    if (!(moving->duration > 0.0f)) return;
    float tau = sinew_held_tau(time_after(moving, seconds), moving->duration);
    float *to = mixer->held[0].weights + block * SINEW_LANES;
    sinew_kernels_used()->extrapolate_weights(mixer->moving.weights, tau, block, block + 1, to);
}

void sinew_mixer_move_moving(const sinew_mixer *mixer, double seconds) {
    for (size_t b = 0; b < block_end(mixer); b++) move_held_block(mixer, seconds, b);
    for (size_t b = 0; b < weight_block_end(mixer); b++) move_held_weights(mixer, seconds, b);
}

// ---- Looking at a moment -------------------------------------------------------------------------------------

static void mix_block(const sinew_mixer *mixer, const mixer_part *mix, double seconds, size_t block,
                      sinew_block *out) {
    move_held_block(mixer, seconds, block);
    sinew_mixer_blend_block(mixer, mix, block, out);
}

static void mix_weight_block(const sinew_mixer *mixer, const mixer_part *mix, double seconds, size_t block,
                             float *out) {
    move_held_weights(mixer, seconds, block);
    sinew_kernels_used()->mix_weights(&mix->mix, block, block + 1, out);
}

// ---- The way of what is shown --------------------------------------------------------------------------------

static bool is_young(const decay_state *decay) {
    return decay->duration > 0.0f && decay->elapsed < STEP;
}

// How far an action has gone in that time, as far as the last step tells.
static double way_seen(const action_state *action) {
    return (double)action->seen_rate * STEP;
}

static bool sample_starts_within_step(const sinew_mixer *mixer, const action_state *action, int32_t sample) {
    float duration = sinew_action_space(mixer, action)->space->samples[sample].clip->duration;
    float before = sinew_space_time(mixer, action, sample, -way_seen(action));
    return duration > 0.0f && (before == 0.0f || before == duration);
}

static bool space_starts_within_step(const sinew_mixer *mixer, const action_state *action) {
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinew_space_weights(sinew_action_space(mixer, action), weights);
    for (int32_t i = 0; i < count; i++) {
        if (sample_starts_within_step(mixer, action, weights[i].sample)) return true;
    }
    return false;
}

static bool starts_within_step(const sinew_mixer *mixer, const action_state *action) {
    bool turned = action->loop == SINEW_LOOP_PING_PONG && action->loops_done > 0;
    if (action->seen_rate == 0.0f || turned) return false;
    if (action->space) return space_starts_within_step(mixer, action);
    double before = (double)sinew_action_clip_time(action) - way_seen(action);
    return before < 0.0 || before > (double)action->clip->duration;
}

// When the way of what is shown can be seen: a step back, or a step ahead.
static double way_of(const sinew_mixer *mixer) {
    if (is_young(&mixer->state->moving) || is_young(&mixer->state->offsets)) return STEP;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *action = &mixer->actions[i];
        bool shows = action->clip && action->weight.value > 0.0f && (action->flags & ACTION_UNSEEN) == 0;
        if (shows && starts_within_step(mixer, action)) return STEP;
    }
    return -STEP;
}

// What is shown now, and then.
typedef struct shown_way {
    mixer_part now, then;
    double seconds; // from now to then
} shown_way;

static shown_way look_at_way(sinew_mixer *mixer, mixer_moment *now, mixer_moment *then) {
    shown_way way = {.seconds = way_of(mixer)};
    sinew_mixer_catch_up(mixer);
    sinew_mixer_look_up(mixer, 0.0, SEEN_ACTIONS, now);
    sinew_mixer_look_up(mixer, way.seconds, SEEN_ACTIONS, then);
    way.now = sinew_mixer_whole(now);
    way.then = sinew_mixer_whole(then);
    return way;
}

// A block as far back as it is ahead.
static void mirror_block(const sinew_block *now, sinew_block *ahead) {
    for (int lane = 0; lane < SINEW_LANES; lane++) {
        sinew_quat q = sinew_rotation_in(now, lane);
        q = sinew_quat_multiply(sinew_turn_between(q, sinew_rotation_in(ahead, lane)), q);
        for (int i = 0; i < SINEW_PLANES; i++)
            ahead->lane[i][lane] = 2.0f * now->lane[i][lane] - ahead->lane[i][lane];
        ahead->lane[SINEW_RX][lane] = q.x;
        ahead->lane[SINEW_RY][lane] = q.y;
        ahead->lane[SINEW_RZ][lane] = q.z;
        ahead->lane[SINEW_RW][lane] = q.w;
    }
}

static void mirror_weights(const float *now, float *ahead) {
    for (int i = 0; i < SINEW_LANES; i++) ahead[i] = 2.0f * now[i] - ahead[i];
}

// ---- Dead blending -------------------------------------------------------------------------------------------

static void let_block_move(sinew_mixer *mixer, const shown_way *way, float reach, size_t b) {
    sinew_block before, pose;
    mix_block(mixer, &way->then, way->seconds, b, &before);
    mix_block(mixer, &way->now, 0.0, b, &pose);
    if (way->seconds > 0.0) mirror_block(&pose, &before);
    mixer->held[0].blocks[b] = mixer->moving.blocks[b].pose = pose;
    sinew_held_block_begin(&mixer->moving.blocks[b], &before, (float)STEP, reach);
}

static void let_weights_move(sinew_mixer *mixer, const shown_way *way, float reach, size_t b) {
    float before[SINEW_LANES], pose[SINEW_LANES];
    mix_weight_block(mixer, &way->then, way->seconds, b, before);
    mix_weight_block(mixer, &way->now, 0.0, b, pose);
    if (way->seconds > 0.0) mirror_weights(pose, before);
    memcpy(mixer->held[0].weights + b * SINEW_LANES, pose, sizeof pose);
    memcpy(mixer->moving.weights[b].weight, pose, sizeof pose);
    sinew_held_weight_block_begin(&mixer->moving.weights[b], before, (float)STEP, reach);
}

void sinew_mixer_let_move(sinew_mixer *mixer, float duration) {
    mixer_moment now, then;
    shown_way way = look_at_way(mixer, &now, &then);
    way.now = sinew_mixer_part(&now, 0, now.room.all.ends[0]);
    way.then = sinew_mixer_part(&then, 0, then.room.all.ends[0]);
    float reach = sinew_held_tau(duration, duration);
    for (size_t b = 0; b < block_end(mixer); b++) let_block_move(mixer, &way, reach, b);
    for (size_t b = 0; b < weight_block_end(mixer); b++) let_weights_move(mixer, &way, reach, b);
    mixer->layers[0].held_is_sum = false;
    mixer->state->moving = (decay_state){.duration = duration};
    mixer->is_touched = true;
}

// ---- Inertialization -----------------------------------------------------------------------------------------

static void add_to_block(const sinew_mixer *mixer, double seconds, size_t block, sinew_block *pose) {
    const decay_state *offsets = &mixer->state->offsets;
    if (!(offsets->duration > 0.0f)) return;
    float *planes[SINEW_PLANES];
    for (int i = 0; i < SINEW_PLANES; i++) planes[i] = pose->lane[i];
    sinew_kernels_used()->add_offsets(&mixer->offsets.blocks->offsets, time_after(offsets, seconds), block,
                                      block + 1, planes);
}

static void add_to_weights(const sinew_mixer *mixer, double seconds, size_t block, float *weights) {
    const decay_state *offsets = &mixer->state->offsets;
    if (!(offsets->duration > 0.0f)) return;
    sinew_kernels_used()->add_weight_offsets(&mixer->offsets.weights->offsets, time_after(offsets, seconds), block,
                                             block + 1, weights);
}

static void keep_block(sinew_mixer *mixer, const shown_way *way, size_t b) {
    sinew_block source, before;
    mix_block(mixer, &way->then, way->seconds, b, &before);
    mix_block(mixer, &way->now, 0.0, b, &source);
    add_to_block(mixer, way->seconds, b, &before);
    add_to_block(mixer, 0.0, b, &source);
    if (way->seconds > 0.0) mirror_block(&source, &before);
    mixer->offsets.blocks[b].shown.source = source;
    mixer->offsets.blocks[b].shown.source_before = before;
}

static void keep_weights(sinew_mixer *mixer, const shown_way *way, size_t b) {
    float source[SINEW_LANES], before[SINEW_LANES];
    mix_weight_block(mixer, &way->then, way->seconds, b, before);
    mix_weight_block(mixer, &way->now, 0.0, b, source);
    add_to_weights(mixer, way->seconds, b, before);
    add_to_weights(mixer, 0.0, b, source);
    if (way->seconds > 0.0) mirror_weights(source, before);
    memcpy(mixer->offsets.weights[b].shown.source, source, sizeof source);
    memcpy(mixer->offsets.weights[b].shown.source_before, before, sizeof before);
}

void sinew_mixer_keep_shown(sinew_mixer *mixer) {
    if (mixer->state->set.is_current) return; // it lies there
    mixer_moment now, then;
    shown_way way = look_at_way(mixer, &now, &then);
    for (size_t b = 0; b < block_end(mixer); b++) keep_block(mixer, &way, b);
    for (size_t b = 0; b < weight_block_end(mixer); b++) keep_weights(mixer, &way, b);
}

// What lies outside the nodes that are animated has no offset.
static void leave_out(sinew_offset_block *offsets, size_t block, sinew_range lanes) {
    for (int32_t lane = 0; lane < SINEW_LANES; lane++) {
        int32_t at = (int32_t)block * SINEW_LANES + lane;
        if (at >= lanes.first && at < lanes.end) continue;
        for (int i = 0; i < SINEW_GROUPS; i++) offsets->decays[i].duration[lane] = 0.0f;
    }
}

static void begin_block(sinew_mixer *mixer, const mixer_part *now, const mixer_part *then, float duration,
                        size_t b) {
    sinew_block_change change = {.source = mixer->offsets.blocks[b].shown.source,
                                 .source_before = mixer->offsets.blocks[b].shown.source_before};
    mix_block(mixer, then, STEP, b, &change.target_after);
    mix_block(mixer, now, 0.0, b, &change.target);
    sinew_offset_block *offsets = &mixer->offsets.blocks[b].offsets;
    sinew_offset_block_begin(offsets, &change, (float)STEP, duration);
    leave_out(offsets, b, mixer->nodes);
}

static void begin_weights(sinew_mixer *mixer, const mixer_part *now, const mixer_part *then, float duration,
                          size_t b) {
    sinew_weight_change change;
    memcpy(change.source, mixer->offsets.weights[b].shown.source, sizeof change.source);
    memcpy(change.source_before, mixer->offsets.weights[b].shown.source_before, sizeof change.source);
    mix_weight_block(mixer, then, STEP, b, change.target_after);
    mix_weight_block(mixer, now, 0.0, b, change.target);
    sinew_weight_offset_block *offsets = &mixer->offsets.weights[b].offsets;
    sinew_weight_offset_block_begin(offsets, &change, (float)STEP, duration);
    const int32_t *of_nodes = mixer->def.skeleton->weight_offsets;
    for (int32_t i = 0; i < SINEW_LANES; i++) {
        int32_t at = (int32_t)b * SINEW_LANES + i;
        if (at < of_nodes[mixer->nodes.first] || at >= of_nodes[mixer->nodes.end]) offsets->duration[i] = 0.0f;
    }
}

// With the offsets all actions together show what was shown, as long as they go, and fade, as those were measured for.
static void see_all(sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *action = &mixer->actions[i];
        if (!action->clip) continue;
        action->seen_rate = (float)sinew_action_rate(mixer, action);
        action->flags &= (uint8_t)~ACTION_UNSEEN;
        sinew_fade_see(mixer, &action->weight);
    }
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        sinew_fade_see(mixer, &mixer->layers[i].weight);
        sinew_fade_see(mixer, &mixer->layers[i].held);
    }
}

void sinew_mixer_inertialize(sinew_mixer *mixer, float duration) {
    mixer_moment now, then;
    sinew_mixer_look_up(mixer, 0.0, ALL_ACTIONS, &now);
    sinew_mixer_look_up(mixer, STEP, ALL_ACTIONS, &then);
    mixer_part whole_now = sinew_mixer_whole(&now), whole_then = sinew_mixer_whole(&then);
    for (size_t b = 0; b < block_end(mixer); b++) {
        begin_block(mixer, &whole_now, &whole_then, duration, b);
    }
    for (size_t b = 0; b < weight_block_end(mixer); b++) {
        begin_weights(mixer, &whole_now, &whole_then, duration, b);
    }
    mixer->state->offsets = (decay_state){.duration = duration};
    mixer->state->set = (set_pose_state){.is_current = false};
    mixer->is_touched = true;
    see_all(mixer);
}

void sinew_mixer_drop_offsets(sinew_mixer *mixer) {
    mixer->is_touched |= mixer->state->offsets.duration > 0.0f;
    mixer->state->offsets.duration = 0.0f;
}

void sinew_mixer_add_offsets(sinew_mixer *mixer) {
    const decay_state *offsets = &mixer->state->offsets;
    if (!(offsets->duration > 0.0f)) return;
    const sinew_kernels *kernels = sinew_kernels_used();
    sinew_planes planes = sinew_pose_planes(&mixer->pose);
    kernels->add_offsets(&mixer->offsets.blocks->offsets, (float)offsets->elapsed, 0, block_end(mixer),
                         planes.plane);
    if (weight_block_end(mixer) == 0) return;
    kernels->add_weight_offsets(&mixer->offsets.weights->offsets, (float)offsets->elapsed, 0,
                                weight_block_end(mixer), mixer->pose.weights);
}

// ---- Dying away ----------------------------------------------------------------------------------------------

static void go_on(decay_state *decay, double dt) {
    if (!(decay->duration > 0.0f)) return;
    decay->elapsed += dt;
}

static bool is_over(const decay_state *decay) {
    return decay->duration > 0.0f && decay->elapsed >= (double)decay->duration;
}

void sinew_mixer_die_away(sinew_mixer *mixer, double dt) {
    mixer_state *state = mixer->state;
    go_on(&state->moving, dt);
    go_on(&state->offsets, dt);
    if (is_over(&state->moving)) {
        sinew_mixer_move_held(mixer, 0.0); // to where it stays
        state->moving.duration = 0.0f;
    }
    if (is_over(&state->offsets)) state->offsets.duration = 0.0f;
}
