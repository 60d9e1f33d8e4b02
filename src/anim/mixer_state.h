// What a mixer remembers, shared by the files that play, move time and evaluate.
#ifndef SINEW_MIXER_STATE_H
#define SINEW_MIXER_STATE_H

#include <sinew/mixer.h>

#include "anim/clip_data.h"

typedef enum action_flag {
    ACTION_PAUSED = 1,
    ACTION_FINISHED = 2,
    ACTION_STOP_AFTER_FADE = 4,
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
    uint32_t generation; // of the slot: grows each time the slot is taken, so that old handles go stale
    uint32_t serial;     // grows with each action of the mixer: the order in which they were started
    uint8_t loop;        // sinew_loop
    uint8_t flags;       // action_flag
} action_state;

// The playback state: one block, without pointers into itself, apart from the outputs.
typedef struct mixer_state {
    uint32_t next_serial;
    int32_t event_count;
    // action_state actions[max_actions] and uint32_t hints[max_actions × hints_per_action] follow: see sinew_mixer.
} mixer_state;

struct sinew_mixer {
    sinew_mixer_def def;
    size_t size;
    int32_t first, end; // the nodes that are animated
    mixer_state *state;
    action_state *actions;              // in the state's block
    uint32_t *hints;                    // in the state's block
    sinew_event *events;                // [2 × max_actions]: at most one of each type for an action in one step
    sinew_key *keys;                    // [max_actions × hints_per_action], scratch of evaluate
    struct contribution *contributions; // [max_actions + 1], scratch of evaluate
    sinew_pose pose;
    sinew_affine *model;
};

// id = generation × 256 + slot + 1: never 0, and stale once the slot has been taken again.
static inline sinew_action sinew_mixer_handle(const sinew_mixer *mixer, const action_state *state) {
    uint32_t slot = (uint32_t)(state - mixer->actions);
    sinew_action handle = {state->generation << 8 | (slot + 1)};
    return handle;
}

// The slot of a handle, or NULL when the handle is stale.
action_state *sinew_mixer_slot(const sinew_mixer *mixer, sinew_action action);

// Where an action with this speed starts: SINEW_TIME_AUTO resolved, clamped to the clip.
double sinew_action_start(const sinew_clip *clip, float time, float speed);

// The clip's time for an action's phase.
float sinew_action_clip_time(const action_state *state);

void sinew_action_end(action_state *state);

// Starts a fade from the action's weight; one of no duration happens at once.
void sinew_action_begin_fade(action_state *state, float weight, float duration, bool stop_after);

#endif
