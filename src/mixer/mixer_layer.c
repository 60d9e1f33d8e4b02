// Layers: their weights, masks and modes.
#include "record/mixer_call.h"
#include "mixer/mixer_check.h"
#include "mixer/mixer_state.h"

float sinew_layer_weight(const sinew_mixer *mixer, int32_t layer) {
    assert(mixer && sinew_layer_exists(mixer, layer));
    return sinew_layer_exists(mixer, layer) ? mixer->layers[layer].weight.value : 0.0f;
}

void sinew_layer_fade_to(sinew_mixer *mixer, int32_t layer, float weight, float duration, sinew_curve curve) {
    assert(sinew_curve_exists(curve));
    if (!sinew_check_upper_layer(mixer, layer) || !sinew_curve_exists(curve)) return;
    weight = sinew_checked_weight(weight);
    duration = sinew_checked_duration(duration);
    if (mixer->recorder)
        sinew_note(
            mixer,
            (mixer_call){
                .kind = CALL_LAYER_FADE_TO, .layer = layer, .x = weight, .y = duration, .choice = (int32_t)curve});
    sinew_mixer_start_from_set(mixer, duration);
    sinew_fade_begin(mixer, &mixer->layers[layer].weight, weight, duration, (uint8_t)curve);
}

void sinew_layer_set_weight(sinew_mixer *mixer, int32_t layer, float weight) {
    sinew_layer_fade_to(mixer, layer, weight, 0.0f, SINEW_CURVE_LINEAR);
}

void sinew_layer_set_mask(sinew_mixer *mixer, int32_t layer, const sinew_mask *mask) {
    if (!sinew_check_upper_layer(mixer, layer)) return;
    assert(!mask || mask->skeleton == mixer->def.skeleton);
    if (mask && mask->skeleton != mixer->def.skeleton) return;
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_LAYER_SET_MASK, .layer = layer, .mask = mask});
    sinew_mixer_catch_up(mixer); // with the mask that it was shown with
    mixer->layers[layer].mask = mask;
    mixer->is_touched = true;
}

void sinew_layer_set_mode(sinew_mixer *mixer, int32_t layer, sinew_layer_mode mode) {
    bool is_mode = mode == SINEW_LAYER_OVERRIDE || mode == SINEW_LAYER_ADDITIVE;
    assert(is_mode);
    if (!sinew_check_upper_layer(mixer, layer) || !is_mode) return;
    if (mixer->recorder)
        sinew_note(mixer, (mixer_call){.kind = CALL_LAYER_SET_MODE, .layer = layer, .choice = (int32_t)mode});
    sinew_mixer_catch_up(mixer);
    mixer->layers[layer].mode = (uint8_t)mode;
    mixer->is_touched = true;
}
