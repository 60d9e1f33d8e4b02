// SPDX-License-Identifier: MIT
// Time: moves actions through their clips, advances fades, and collects events. Part of control.
#include "core/mixer_control.h"
#include "core/blend_space_data.h"
#include "base/wrap.h"

// ---- Event queue ---------------------------------------------------------------------------------------------

// Sorts events by moment, then by the action's serial. Events of one action keep their order.
static bool is_event_before(const sinew_event *a, const sinew_event *b) {
    if (a->moment != b->moment) return a->moment < b->moment;
    return a->action.id >> 8 < b->action.id >> 8; // the serial
}

static void drop_events(sinew_mixer *mixer, double count) {
    double rest = (double)(INT32_MAX - mixer->state->dropped_event_count);
    mixer->state->dropped_event_count += count < rest ? (int32_t)count : (int32_t)rest;
}

static void add_event(sinew_mixer *mixer, const sinew_event *event) {
    if (mixer->state->event_count == mixer->def.max_events) {
        drop_events(mixer, 1.0);
        return;
    }
    int32_t index = mixer->state->event_count++;
    for (; index > 0 && is_event_before(event, &mixer->events[index - 1]); index--) {
        mixer->events[index] = mixer->events[index - 1];
    }
    mixer->events[index] = *event;
}

// ---- Events --------------------------------------------------------------------------------------------------

// An action and its path in a step.
typedef struct path_events {
    sinew_mixer *mixer;
    const action_state *state;
    const clip_path *path;
    double duration;
} path_events;

// Adds an event at a position on the path.
static void add_path_event(const path_events *p, sinew_event_type type, double position,
                           const sinew_marker *marker) {
    double moment = position > p->path->from ? (position - p->path->from) / p->path->rate : 0.0;
    const space_state *space = sinewi_action_space(p->mixer, p->state);
    sinew_event event = {
        .type = type,
        .action = sinewi_mixer_handle(p->mixer, p->state),
        .clip = p->state->clip,
        .marker = marker,
        .moment = (float)(p->mixer->step_start + moment),
        .weight = sinewi_fade_value_after(p->mixer, &p->state->weight, moment),
        .layer = p->state->layer,
        .blend_space = space ? space->space : NULL,
    };
    add_event(p->mixer, &event);
}

// Returns whether the clip plays backward in a cycle.
static bool runs_backward(const path_events *p, double cycle) {
    if (p->state->loop != SINEW_LOOP_PING_PONG) return p->path->backward;
    double number = p->path->backward ? -(cycle + 1.0) : cycle; // numbered like the phase
    bool is_second_half = fmod(number, 2.0) != 0.0;
    return is_second_half != p->path->backward;
}

static void add_markers(const path_events *p, double cycle) {
    const sinew_clip *clip = p->state->clip;
    bool back = runs_backward(p, cycle), seeked = (p->state->flags & ACTION_SEEKED) != 0;
    double start = cycle * p->duration;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        const sinew_marker *marker = &clip->markers[back ? clip->marker_count - 1 - i : i];
        double time = (double)marker->time, distance = back ? p->duration - time : time,
               position = start + distance;
        if (position > p->path->to) return;
        bool starts_here = seeked && position == p->path->from;
        if (!(position > p->path->from) && !starts_here) continue;
        // If a ping-pong reverses at a marker, it was an event of the previous cycle.
        if (p->state->loop == SINEW_LOOP_PING_PONG && distance == 0.0 && !starts_here) continue;
        add_path_event(p, SINEW_EVENT_MARKER, position, marker);
    }
}

// Returns the number of markers at the start of a ping-pong cycle. These were events of the previous cycle.
static double repeated_markers(const path_events *p, double cycle) {
    if (p->state->loop != SINEW_LOOP_PING_PONG) return 0.0;
    double start = runs_backward(p, cycle) ? p->duration : 0.0, count = 0.0;
    for (int32_t i = 0; i < p->state->clip->marker_count; i++) {
        count += (double)p->state->clip->markers[i].time == start;
    }
    return count;
}

// Once the queue is full, counts the events of whole cycles instead of visiting each cycle. Returns the last cycle
// visited.
static double skip_cycles(const path_events *p, double cycle, double last) {
    double count = last - cycle - 1.0;
    if (p->mixer->state->event_count < p->mixer->def.max_events || !(count > 0.0)) return cycle;
    double odd = ceil(count / 2.0) * repeated_markers(p, cycle + 1.0);
    double even = floor(count / 2.0) * repeated_markers(p, cycle + 2.0);
    drop_events(p->mixer, count * ((double)p->state->clip->marker_count + 1.0) - odd - even);
    return last - 1.0;
}

// Adds the events on an action's path.
SINEWI_NOINLINE void add_events(sinew_mixer *mixer, const action_state *state, const clip_path *path) {
    path_events p = {mixer, state, path, (double)state->clip->duration};
    if (!(p.duration > 0.0)) { // the whole clip is one moment
        for (int32_t i = 0; i < state->clip->marker_count && (state->flags & ACTION_SEEKED) != 0; i++) {
            add_path_event(&p, SINEW_EVENT_MARKER, path->from, &state->clip->markers[i]);
        }
        if (path->finishes) add_path_event(&p, SINEW_EVENT_FINISHED, path->from, NULL);
        return;
    }
    double cycle = path->first;
    add_markers(&p, cycle);
    while (cycle < path->last) {
        add_path_event(&p, SINEW_EVENT_LOOPED, (cycle + 1.0) * p.duration, NULL);
        double next = skip_cycles(&p, cycle, path->last) + 1.0;
        cycle = next > cycle ? next : path->last; // beyond 2^53 cycles, numbers are more than 1 apart
        add_markers(&p, cycle);
    }
    if (path->finishes) add_path_event(&p, SINEW_EVENT_FINISHED, path->to, NULL);
}

// ---- Paths through a clip ------------------------------------------------------------------------------------

// Returns the number of the cycle that a position is in. An end belongs to the cycle that starts there. Most positions
// are in or next to cycle 0, which doesn't need a division.
static double cycle_at(double position, double duration) {
    if (position >= 0.0 && position < duration) return 0.0;
    if (position < 0.0 && position >= -duration) return -1.0;
    return floor(position / duration);
}

// Returns how many ends a path reaches, not counting one where it starts. ONCE reaches its end from any position.
static double count_ends(const action_state *state, const clip_path *path, double duration) {
    if (state->loop == SINEW_LOOP_ONCE) return path->to >= (path->backward ? 0.0 : duration) ? 1.0 : 0.0;
    return path->last - path->first;
}

static void stop_at_last_end(clip_path *path, double reached, double duration) {
    path->last = path->first + reached - 1.0;
    path->to = (path->last + 1.0) * duration;
    path->finishes = true;
}

static void reach_ends(action_state *state, clip_path *path, double reached, double duration) {
    double left = sinewi_action_cycles_left(state);
    if (reached >= left) {
        reached = left;
        stop_at_last_end(path, reached, duration);
        state->flags |= ACTION_FINISHED;
    }
    int32_t max = INT32_MAX - state->loops_done;
    state->loops_done += reached < (double)max ? (int32_t)reached : max;
}

// Returns the path for `delta` clip seconds. Negative is backward.
static clip_path path_of(const action_state *state, double delta, double rate) {
    clip_path path = {.rate = rate, .backward = delta < 0.0};
    path.from = path.backward ? -state->phase : state->phase;
    path.to = path.from + fabs(delta);
    return path;
}

// The same, but it ends exactly at this clip time, because the next step starts there.
static clip_path path_to(const action_state *state, double delta, double seconds, double time) {
    clip_path path = path_of(state, delta, fabs(delta) / seconds);
    double duration = (double)state->clip->duration, end = path.backward ? -time : time;
    if (duration > 0.0) path.to = end + duration * floor((path.to - end) / duration + 0.5);
    return path;
}

// Counts how often a position wrapped around the clip's ends. After an odd number of loops, rotations may continue on
// the other side.
static void count_loops(action_state *state, double wrapped) {
    if (wrapped == 0.0) return;
    if (fmod(floor(wrapped / (double)state->clip->duration + 0.5), 2.0) != 0.0) state->flags ^= ACTION_ODD_LOOPS;
}

// Moves an action along a path. If the action finishes, cuts the path there.
static inline void follow_path(action_state *state, clip_path *path) {
    double duration = (double)state->clip->duration;
    bool once = state->loop == SINEW_LOOP_ONCE;
    path->first = once ? (path->backward ? -1.0 : 0.0) : cycle_at(path->from, duration);
    path->last = once ? path->first : cycle_at(path->to, duration);
    double reached = count_ends(state, path, duration);
    if (reached > 0.0) reach_ends(state, path, reached, duration);
    double phase = path->backward ? -path->to : path->to;
    if (state->loop == SINEW_LOOP_PING_PONG) {
        phase = sinewi_wrapped(phase, 2.0 * duration);
    } else if (path->finishes) { // on the clip's last pose instead of its first
        phase = path->backward ? 0.0 : duration;
    } else if (state->loop == SINEW_LOOP_REPEAT) {
        phase = sinewi_wrapped(phase, duration);
    }
    if (state->loop == SINEW_LOOP_REPEAT) count_loops(state, (path->backward ? -path->to : path->to) - phase);
    state->phase = phase;
}

// A clip without a duration is always at its end. It finishes, or loops without events.
static clip_path stay_at_end(action_state *state) {
    clip_path path = {.finishes = state->loop == SINEW_LOOP_ONCE || state->loop_count != SINEW_FOREVER};
    state->phase = 0.0;
    if (path.finishes) state->flags |= ACTION_FINISHED;
    return path;
}

// Returns an action's path at its own speed, which changes during a warp.
static clip_path own_path(const action_state *state, double seconds) {
    double speed = (double)state->speed, factor = (double)state->warp.value;
    if (!sinewi_fade_is_active(&state->warp)) return path_of(state, factor * seconds * speed, fabs(factor * speed));
    double delta = sinewi_fade_integral(&state->warp, seconds) * speed;
    return path_of(state, delta, fabs(delta) / seconds);
}

// Returns false if no marker is on a path. This is fast for most paths, which go forward in the clip's first cycle.
static bool may_reach_marker(const action_state *state, const clip_path *path) {
    const sinew_clip *clip = state->clip;
    if (clip->marker_count == 0) return false;
    if (path->backward || path->first != 0.0 || state->loop == SINEW_LOOP_PING_PONG) return true;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        double time = (double)clip->markers[i].time;
        if (time >= path->from) return time <= path->to;
    }
    return false;
}

// Moves an action along a path that takes `seconds`, and reports it.
static inline void move_along(sinew_mixer *mixer, action_state *state, clip_path *path, double seconds) {
    if (state->clip->duration > 0.0f) {
        follow_path(state, path);
    } else {
        *path = stay_at_end(state);
    }
    if (mixer->root) sinewi_mixer_root_pass(mixer, state, path, seconds);
    if (path->finishes || path->first < path->last || may_reach_marker(state, path)) {
        add_events(mixer, state, path);
    }
    state->flags &= (uint8_t)~ACTION_SEEKED;
}

// Records which clips of a blend space loop an odd number of times in a step. If a rotation ends a loop on the other
// side, as -q, it is negated after that.
static void note_odd_sample_loops(const sinew_mixer *mixer, const action_state *state, const action_step *step) {
    space_state *space = sinewi_action_space(mixer, state);
    for (int32_t i = 0; i < SINEW_MAX_BLEND_WEIGHTS; i++) {
        if (space->samples[i] == 0) continue;
        int32_t sample = space->samples[i] - 1;
        const sinew_clip *clip = space->space->samples[sample].clip;
        const sinewi_sync_intervals *intervals = &space->space->data->intervals[sample];
        double position = sinewi_sync_time_at_phase(clip, intervals, step->from) +
                          sinewi_sync_seconds(clip, intervals, step->from, step->to - step->from);
        double wrapped = position - sinewi_sync_time_at_phase(clip, intervals, step->to);
        double loops = clip->duration > 0.0f ? floor(wrapped / (double)clip->duration + 0.5) : 0.0;
        if (fmod(loops, 2.0) != 0.0) space->odd_loops ^= (uint32_t)1 << i;
    }
}

// Returns a blend space clip's time at a phase. A blend space that was set to the end starts there, like a clip,
// because it has no loop behind it.
static double time_of_space(const action_state *state, double phase) {
    double time = sinewi_sync_time_at_phase(state->clip, &state->intervals, phase);
    bool is_end = (state->flags & ACTION_SEEKED) != 0 && (float)time == state->clip->duration;
    return is_end ? (double)state->clip->duration : time;
}

// Moves an action from one phase to another. A blend space moves through its heaviest sample's clip and reports its
// events.
static void move_by_phase(sinew_mixer *mixer, action_state *state, action_step *step, double seconds) {
    if (step->to == step->from) return;
    if (state->space) note_odd_sample_loops(mixer, state, step);
    if (state->space) state->phase = time_of_space(state, step->from);
    double delta = sinewi_sync_seconds(state->clip, &state->intervals, step->from, step->to - step->from);
    double time = sinewi_sync_time_at_phase(state->clip, &state->intervals, step->to);
    clip_path path = path_to(state, delta, seconds, time);
    if (!state->space) step->rate = path.backward ? -path.rate : path.rate;
    move_along(mixer, state, &path, seconds);
    if ((state->flags & ACTION_FINISHED) == 0) state->phase = state->space ? step->to : time;
}

static inline void advance_phase(sinew_mixer *mixer, action_state *state, action_step *step, double seconds) {
    if (sinewi_action_is_frozen(state)) return;
    if (step && step->by_phase) {
        move_by_phase(mixer, state, step, seconds);
        return;
    }
    clip_path path = own_path(state, seconds);
    if (path.from != path.to || !(state->clip->duration > 0.0f)) move_along(mixer, state, &path, seconds);
}

// ---- Steps ---------------------------------------------------------------------------------------------------

// Advances a fade. Returns true if it ends.
static inline bool advance_fade(const sinew_mixer *mixer, sinewi_fade *fade, double seconds) {
    if (!sinewi_fade_is_active(fade)) return false;
    fade->value = sinewi_fade_value_after(mixer, fade, seconds);
    fade->elapsed += seconds;
    if (fade->elapsed < (double)fade->duration) return false;
    fade->duration = 0.0f;
    return true;
}

// Returns whether any base action has or gets a weight above 0.
static bool base_keeps_weight(const sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!state->clip || state->layer != 0) continue;
        if ((sinewi_fade_is_active(&state->weight) ? state->weight.to : state->weight.value) > 0.0f) return true;
    }
    return false;
}

// Returns whether all of the base's weights reach 0 within a step.
static bool base_fades_out(const sinew_mixer *mixer, double dt) {
    if (base_keeps_weight(mixer)) return false;
    bool any = false;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!state->clip || state->layer != 0) continue;
        if (sinewi_fade_value_after(mixer, &state->weight, dt) > 0.0f) return false;
        any |= state->weight.value > 0.0f;
    }
    return any;
}

// Returns an action's rate at the end of a step.
static float rate_after(const action_state *action, const action_step *step) {
    if (sinewi_action_is_frozen(action)) return 0.0f;
    if (step && step->by_phase) return (float)step->rate;
    float own = action->warp.value * action->speed;
    return sinewi_action_is_returning(action) ? -own : own;
}

// Returns true if the action has faded out.
static inline bool advance_action(sinew_mixer *mixer, action_state *action, sync_step *steps, double dt) {
    action_step *step = steps ? &steps->actions[action - mixer->actions] : NULL;
    action->flags &= (uint8_t)~ACTION_NEW;
    advance_phase(mixer, action, step, sinewi_action_active_seconds(action, dt));
    if (action->space) sinewi_space_advance(mixer, action, dt);
    advance_fade(mixer, &action->warp, dt);
    if (dt > 0.0) action->last_rate = rate_after(action, step); // a step of 0 seconds has no rate
    advance_fade(mixer, &action->proportion, dt);
    bool ends = sinewi_action_is_fading_out(action);
    return advance_fade(mixer, &action->weight, dt) && ends;
}

static void advance_layers(sinew_mixer *mixer, double dt) {
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        advance_fade(mixer, &mixer->layers[i].weight, dt);
    }
    advance_fade(mixer, &mixer->state->held_proportion, dt);
}

// Which actions a step ends. Bit i is the action in slot i.
typedef uint64_t ended_actions;

static bool settles(const sinew_mixer *mixer) {
    for (int32_t l = 0; l < mixer->def.layer_count; l++)
        if (sinewi_layer_has_settled(mixer, l)) return true;
    return false;
}

// Ends actions that have faded out, and the fades of layers, at the end of a step.
static void end_fades(sinew_mixer *mixer, ended_actions ended) {
    if (ended == 0 && !settles(mixer)) return;
    sinewi_mixer_begin_seam(mixer, mixer->def.smoothing);
    for (int32_t i = 0; ended != 0; i++, ended >>= 1)
        if ((ended & 1) != 0) sinewi_action_end(mixer, &mixer->actions[i]);
    for (int32_t l = 0; l < mixer->def.layer_count; l++) sinewi_layer_settle_proportions(mixer, l);
    sinewi_mixer_end_seam(mixer);
}

// Sets the last rates of actions that moved by their phase. The step only has mean rates while weights and warps
// change.
static void update_last_rates(sinew_mixer *mixer, const sync_step *steps) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *action = &mixer->actions[i];
        if (action->clip && steps->actions[i].by_phase)
            action->last_rate = (float)sinewi_action_rate(mixer, action);
    }
}

// Advances everything by one step. Nothing queued may start during it.
static void advance_step(sinew_mixer *mixer, double dt) {
    sinewi_mixer_begin_proportions(mixer);
    if (mixer->root) sinewi_mixer_root_keep_held(mixer);
    const bool fades_out = base_fades_out(mixer, dt), to_rest = sinewi_mixer_fades_to_rest(mixer);
    if (fades_out && mixer->root) sinewi_mixer_stop_faded_root(mixer, dt);
    sync_step steps, *step = mixer->state->synced_count > 0 ? &steps : NULL;
    if (step) sinewi_mixer_compute_sync_step(mixer, dt, step);
    if (mixer->root) {
        if (!sinewi_fade_is_active(&mixer->state->held_proportion))
            mixer->state->root.held = (root_velocity){.yaw = 0.0f};
        sinewi_mixer_root_begin(mixer, step);
    }
    ended_actions ended = 0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *action = &mixer->actions[i];
        if (action->clip && advance_action(mixer, action, step, dt)) ended |= (ended_actions)1 << i;
    }
    if (mixer->root) sinewi_mixer_root_end(mixer, dt);
    if (step && dt > 0.0) update_last_rates(mixer, step);
    if (fades_out) sinewi_mixer_hold_faded_pose(mixer, to_rest);
    advance_layers(mixer, dt);
    const mixer_state *state = mixer->state;
    bool decays = state->extrapolation.duration > 0.0f || state->offsets.duration > 0.0f;
    decays |= state->root.decay.duration > 0.0f || state->finish.decay.duration > 0.0f;
    if (decays) sinewi_mixer_advance_decay(mixer, dt);
    end_fades(mixer, ended);
    mixer->state->has_advanced = true;
}

static void play_queued(sinew_mixer *mixer, action_state *ending) {
    const float duration = mixer->queued[ending - mixer->actions].transition.duration;
    sinewi_mixer_begin_seam(mixer, duration);
    sinewi_mixer_play_queued(mixer, ending);
    sinewi_mixer_end_seam(mixer);
}

// Advances to each moment when something queued starts, and starts it. Returns the time that is left. Each pass takes
// one queued transition, and new actions have nothing queued, so the number of passes is bounded.
static double advance_to_queued(sinew_mixer *mixer, double left) {
    for (;;) {
        action_state *ending;
        double next = sinewi_mixer_next_queued(mixer, left, &ending);
        if (!ending || next > left) return left;
        double rate = sinewi_action_rate(mixer, ending);
        advance_step(mixer, next);
        if ((ending->flags & ACTION_FINISHED) != 0) ending->last_rate = (float)rate; // it moved until now
        mixer->step_start += next;
        left -= next;
        if (ending->clip) play_queued(mixer, ending);
        sinewi_mixer_leave_set_pose(mixer);
    }
}

void sinewi_mixer_advance_time(sinew_mixer *mixer, double dt) {
    mixer->state->event_count = mixer->state->dropped_event_count = 0;
    mixer->step_start = 0.0;
    bool is_requested = mixer->state->set_pose.change > 0.0f; // or the pose was never finished
    if (!is_requested) mixer->state->finish.requested = 0.0f;
    sinewi_mixer_leave_set_pose(mixer);
    if (mixer->root) sinewi_mixer_root_reset(mixer);
    double left = mixer->state->queued_count > 0 ? advance_to_queued(mixer, dt) : dt;
    advance_step(mixer, left);
    if (mixer->state->set_pose.is_kept) sinewi_mixer_age_set_pose(mixer, dt);
}
