// SPDX-License-Identifier: MIT
// What the files with public functions of the mixer share: checks of arguments, and the report to the recorder.
#ifndef SINEWI_MIXER_CHECKS_H
#define SINEWI_MIXER_CHECKS_H

#include "core/mixer_call.h"
#include "core/mixer_control.h"
#include "base/callback.h"

#include <assert.h>
#include <float.h>

// Reports a call that is about to be made. A macro, so that a mixer that is not recorded does not even set up the
// call.
#define SINEWI_NOTE_CALL(mixer, ...)                                                                               \
    do {                                                                                                           \
        assert(!sinewi_mixer_is_in_easing(mixer) &&                                                                \
               "a mixer was called in its `easing`: call it after the update");                                    \
        if ((mixer)->recorder) {                                                                                   \
            mixer_call noted = {__VA_ARGS__};                                                                      \
            (mixer)->recorder->note((mixer), &noted);                                                              \
        }                                                                                                          \
    } while (0)

// Whether a call of that name may move the mixer on or replace its state.
#define SINEWI_MIXER_IS_IDLE(mixer, call)                                                                          \
    (SINEWI_IS_IDLE((mixer)->in_event, call " in on_event: note what to do, and do it after the update") &&        \
     SINEWI_IS_IDLE((mixer)->in_batch,                                                                             \
                    call " in sinew_batch_update: note what to do, and do it after the update"))

// A duration below 0 counts as 0.
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
