// What a mixer remembers, shared by the files that play, move time and evaluate.
#ifndef SINEW_MIXER_STATE_H
#define SINEW_MIXER_STATE_H

#include <sinew/mixer.h>

#include "anim/block.h"
#include "anim/sample.h"

typedef enum action_flag {
    ACTION_PAUSED = 1,
    ACTION_FINISHED = 2,
    ACTION_STOP_AFTER_FADE = 4,
    ACTION_FRESH = 8, // no step has passed the moment of the clip at which it is
} action_flag;

// One slot. An action is active while it has a clip.
typedef struct action_state {
    const sinew_clip *clip;
    // Where the action is, in seconds. ONCE and REPEAT: the clip's time. PING_PONG: [0, 2 × duration), the second
    // half being the way back.
    double phase;
    double fade_elapsed;
    float fade_from, fade_to, fade_duration; // no fade runs where the duration is 0
    float weight;
    float full_weight; // what it was played with: where a fade in goes
    float speed;
    int32_t loop_count;
    int32_t loops_done;
    uint32_t serial; // grows with each action of the mixer: the order in which they were started
    uint8_t loop;    // sinew_loop
    uint8_t flags;   // action_flag
} action_state;

// The playback state: one block, without pointers into itself, apart from the outputs.
typedef struct mixer_state {
    uint32_t next_serial;
    int32_t event_count;
    int32_t events_lost;
    int32_t slot_end; // no slot from here on has an action
    // action_state actions[max_actions] and uint32_t hints[max_actions × hints_per_action] follow: see sinew_mixer.
} mixer_state;

// An action's part of the pose that was evaluated last.
typedef struct mixer_share {
    float time;
    float weight;    // as it is: not yet divided by their sum
    uint32_t serial; // of the action; 0 for the rest pose
    int32_t slot;    // the action's
} mixer_share;

#define SINEW_MOST_SHARES 256 // one for each action, and the rest pose

// The shares as the kernels take them.
typedef struct sinew_ready_mix {
    sinew_mix mix; // count 0: nothing plays, the pose is held
    sinew_share shares[SINEW_MOST_SHARES];
    sinew_key keys[SINEW_MIX_KEYS];
} sinew_ready_mix;

struct sinew_mixer {
    sinew_mixer_def def;
    size_t size;
    sinew_range nodes; // those that are animated
    sinew_range lanes; // the same; where that is the last one, with the padding behind it
    mixer_state *state;
    action_state *actions; // in the state's block
    uint32_t *hints;       // in the state's block
    sinew_event *events;   // [max_events], by moment
    mixer_share *shares;   // [max_actions + 1], in the order in which they are added up
    int32_t share_count;   // of the pose that was evaluated last; 0 before the first
    bool pose_is_behind;   // the shares have been evaluated into model matrices, but not into the pose
    bool pose_is_out;      // the caller has a pointer to the pose, and may edit it at any time
    bool model_is_current; // the model matrices are those of the shares, or of the pose that is held
    sinew_pose pose;
    sinew_affine *model;
};

// id = serial × 256 + slot + 1: never 0, and stale once the slot has been taken again.
static inline sinew_action sinew_mixer_handle(const sinew_mixer *mixer, const action_state *state) {
    uint32_t slot = (uint32_t)(state - mixer->actions);
    sinew_action handle = {state->serial << 8 | (slot + 1)};
    return handle;
}

// The slot of a handle, or NULL when the handle is stale.
action_state *sinew_mixer_slot(const sinew_mixer *mixer, sinew_action action);

// The weight that a fade gives after so many seconds more.
float sinew_action_weight_after(const action_state *state, double seconds);

// The way of an action through its clip in one step, as far as it goes, whether forward or backward: from `from` to
// `to`, where the ends that it can reach are the multiples of the clip's duration.
typedef struct clip_way {
    double from, to;
    double first, last; // the numbers of the stretches between two ends in which it starts and stops
    double rate;        // of the clip's seconds a second
    bool backward;      // the numbers above are of the time the other way round
    bool finishes;      // at `to`
} clip_way;

// Adds the events of an action on such a way to the mixer's.
void sinew_action_add_events(sinew_mixer *mixer, const action_state *state, const clip_way *way);

// Where an action with this speed starts: SINEW_TIME_AUTO resolved, clamped to the clip.
double sinew_action_start(const sinew_clip *clip, float time, float speed);

// The clip's time for an action's phase.
float sinew_action_clip_time(const action_state *state);

// Ends an action, once the pose that it has a share in is there: its clip may be gone later.
void sinew_action_end(sinew_mixer *mixer, action_state *state);

// Brings the pose up to the shares, where it is behind.
void sinew_mixer_catch_up(sinew_mixer *mixer);

// Evaluating into local matrices, which sinew_local_to_model multiplies, in two steps: what has to be mixed (false
// where the model matrices stand as they are), and mixing it.
bool sinew_mixer_prepare(sinew_mixer *mixer, sinew_ready_mix *ready);
void sinew_mixer_mix_to_local(sinew_mixer *mixer, const sinew_ready_mix *ready);

// Starts a fade from the action's weight; one of no duration happens at once.
void sinew_action_begin_fade(sinew_mixer *mixer, action_state *state, float weight, float duration,
                             bool stop_after);

#endif
