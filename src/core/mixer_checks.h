// SPDX-License-Identifier: MIT
// Shared by the files with the mixer's public functions: argument checks, and reporting to the recorder.
#ifndef SINEWI_MIXER_CHECKS_H
#define SINEWI_MIXER_CHECKS_H

#include "core/mixer_call.h"
#include "core/mixer_control.h"
#include "base/callback.h"

#include <assert.h>
#include <float.h>

// Reports an upcoming call. This is a macro, so mixers without a recorder don't even set up the call.
#define SINEWI_NOTE_CALL(mixer, ...)                                                                               \
    do {                                                                                                           \
        assert(!sinewi_mixer_is_in_easing(mixer) &&                                                                \
               "a mixer was called in its `easing`: call it after the update");                                    \
        if ((mixer)->recorder) {                                                                                   \
            mixer_call noted = {__VA_ARGS__};                                                                      \
            (mixer)->recorder->note((mixer), &noted);                                                              \
        }                                                                                                          \
    } while (0)

// Returns whether this call may advance the mixer or replace its state now.
#define SINEWI_MIXER_IS_IDLE(mixer, call)                                                                          \
    (SINEWI_IS_IDLE((mixer)->in_event, call " in on_event: defer it until after the update") &&                    \
     SINEWI_IS_IDLE((mixer)->in_batch, call " in sinew_batch_update: defer it until after the update"))

// Durations below 0 count as 0.
static inline float sinewi_checked_duration(float duration) {
    assert(isfinite(duration));
    if (!(duration > 0.0f)) return 0.0f;
    return duration < FLT_MAX ? duration : FLT_MAX;
}

static inline bool sinewi_layer_exists(const sinew_mixer *mixer, int32_t layer) {
    return layer >= 0 && layer < mixer->def.layer_count;
}

// The base's weight, mask and mode are fixed.
static inline bool sinewi_check_upper_layer(const sinew_mixer *mixer, int32_t layer) {
    assert(mixer);
    assert(layer > 0 && sinewi_layer_exists(mixer, layer));
    return layer > 0 && sinewi_layer_exists(mixer, layer);
}

#endif
