// What the mixer's public calls demand of their arguments. Each fault is asserted. Without asserts a wrong pointer, enum,
// layer or group is refused, and a wrong number becomes a safe one, so that no pose becomes non-finite.
#ifndef SINEW_MIXER_CHECK_H
#define SINEW_MIXER_CHECK_H

#include "mixer/mixer_state.h"

#include <assert.h>
#include <float.h>

// ---- Numbers -------------------------------------------------------------------------------------------------

static inline float sinew_checked_number(float value, float otherwise) {
    assert(isfinite(value));
    return isfinite(value) ? value : otherwise;
}

// A weight below 0 counts as 0.
static inline float sinew_checked_weight(float weight) {
    assert(weight <= SINEW_MAX_WEIGHT);
    if (!(weight > 0.0f)) return 0.0f;
    return weight < SINEW_MAX_WEIGHT ? weight : SINEW_MAX_WEIGHT;
}

// A duration below 0 counts as 0.
static inline float sinew_checked_duration(float duration) {
    assert(isfinite(duration));
    if (!(duration > 0.0f)) return 0.0f;
    return duration < FLT_MAX ? duration : FLT_MAX;
}

// ---- Layers --------------------------------------------------------------------------------------------------

static inline bool sinew_layer_exists(const sinew_mixer *mixer, int32_t layer) {
    return layer >= 0 && layer < mixer->def.layer_count;
}

// For what the base's weight, mask and mode are fixed for.
static inline bool sinew_check_upper_layer(const sinew_mixer *mixer, int32_t layer) {
    assert(mixer);
    assert(layer > 0 && sinew_layer_exists(mixer, layer));
    return layer > 0 && sinew_layer_exists(mixer, layer);
}

// ---- Enums ---------------------------------------------------------------------------------------------------

static inline bool sinew_loop_exists(sinew_loop loop) {
    return (int)loop >= SINEW_LOOP_ONCE && (int)loop <= SINEW_LOOP_PING_PONG;
}

static inline bool sinew_curve_exists(sinew_curve curve) {
    return (int)curve >= SINEW_CURVE_LINEAR && (int)curve <= UINT8_MAX;
}

// ---- Playing -------------------------------------------------------------------------------------------------

// What a call is asked to play. `transition` and `def` may be NULL.
typedef struct play_request {
    const sinew_source *source;
    const sinew_transition *transition;
    const sinew_play_def *def;
    int32_t default_layer; // where `def` is NULL
} play_request;

// Whether a request may be played: what hostile recordings ask for before they play it.
bool sinew_may_play(const sinew_mixer *mixer, play_request request);

// The same, asserted.
bool sinew_check_play(const sinew_mixer *mixer, play_request request);

// Whether a transition may be made, asserted; NULL may.
bool sinew_check_transition(const sinew_transition *transition);

// Copies with safe numbers.
sinew_source sinew_checked_source(sinew_source source);
sinew_play_def sinew_checked_play_def(const sinew_play_def *def);
sinew_transition sinew_checked_transition(const sinew_transition *transition);

#endif
