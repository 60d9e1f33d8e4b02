// Layers: their weights, masks and modes.
#include "anim/mixer_call.h"
#include "anim/mixer_state.h"

#include <assert.h>

static layer_state *layer_at(const sinew_mixer *mixer, int32_t layer) {
    assert(layer >= 0 && layer < mixer->def.layer_count);
    return &mixer->layers[layer];
}

float sinew_layer_weight(const sinew_mixer *mixer, int32_t layer) {
    return layer_at(mixer, layer)->weight.value;
}

void sinew_layer_fade_to(sinew_mixer *mixer, int32_t layer, float weight, float duration, sinew_curve curve) {
    if (mixer->recorder)
        sinew_note(
            mixer,
            (mixer_call){
                .kind = CALL_LAYER_FADE_TO, .layer = layer, .x = weight, .y = duration, .choice = (int32_t)curve});
    assert(layer > 0);
    sinew_fade_begin(mixer, &layer_at(mixer, layer)->weight, weight > 0.0f ? weight : 0.0f, duration,
                     (uint8_t)curve);
}

void sinew_layer_set_weight(sinew_mixer *mixer, int32_t layer, float weight) {
    sinew_layer_fade_to(mixer, layer, weight, 0.0f, SINEW_CURVE_LINEAR);
}

void sinew_layer_set_mask(sinew_mixer *mixer, int32_t layer, const sinew_mask *mask) {
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_LAYER_SET_MASK, .layer = layer, .mask = mask});
    assert(layer > 0 && (!mask || mask->skeleton == mixer->def.skeleton));
    sinew_mixer_catch_up(mixer); // with the mask that it was shown with
    layer_at(mixer, layer)->mask = mask;
    mixer->is_touched = true;
}

void sinew_layer_set_mode(sinew_mixer *mixer, int32_t layer, sinew_layer_mode mode) {
    if (mixer->recorder)
        sinew_note(mixer, (mixer_call){.kind = CALL_LAYER_SET_MODE, .layer = layer, .choice = (int32_t)mode});
    assert(layer > 0);
    sinew_mixer_catch_up(mixer);
    layer_at(mixer, layer)->mode = (uint8_t)mode;
    mixer->is_touched = true;
}
