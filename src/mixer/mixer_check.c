// Checks of what is to be played.
#include "mixer/mixer_check.h"
#include "core/def_cookie.h"

static bool has_source(const sinew_mixer *mixer, const sinew_source *source) {
    if (source->clip) return !source->blend_space && source->clip->skeleton == mixer->def.skeleton;
    return source->blend_space && source->blend_space->skeleton == mixer->def.skeleton;
}

static bool is_def_valid(const sinew_mixer *mixer, const sinew_play_def *def) {
    if (!def) return true;
    if (def->cookie != SINEW_DEF_COOKIE) return false;
    if (!sinew_layer_exists(mixer, def->layer)) return false;
    if (def->sync < 0 || def->sync > UINT8_MAX) return false;
    return sinew_loop_exists(def->loop) && sinew_curve_exists(def->curve);
}

static bool is_transition_valid(const sinew_transition *transition) {
    if (!transition) return true;
    if (transition->cookie != SINEW_DEF_COOKIE) return false;
    bool is_kind =
        (int)transition->kind >= SINEW_TRANSITION_FADE && (int)transition->kind <= SINEW_TRANSITION_DEAD_BLEND;
    return is_kind && sinew_curve_exists(transition->curve);
}

static bool space_is_additive(const sinew_blend_space *space, bool additive) {
    for (int32_t i = 0; i < space->sample_count; i++) {
        if (space->samples[i].clip->additive != additive) return false;
    }
    return true;
}

// Additive clips need an additive layer, and other clips an overriding one.
static bool fits_layer(const sinew_mixer *mixer, play_request request) {
    int32_t layer = request.def ? request.def->layer : request.default_layer;
    bool additive = mixer->layers[layer].mode == SINEW_LAYER_ADDITIVE;
    const sinew_source *source = request.source;
    return source->clip ? source->clip->additive == additive : space_is_additive(source->blend_space, additive);
}

bool sinew_may_play(const sinew_mixer *mixer, play_request request) {
    return has_source(mixer, request.source) && is_def_valid(mixer, request.def) &&
           is_transition_valid(request.transition) && fits_layer(mixer, request);
}

bool sinew_check_transition(const sinew_transition *transition) {
    assert((!transition || transition->cookie == SINEW_DEF_COOKIE) &&
           "sinew_transition: start from sinew_transition_default()");
    assert(is_transition_valid(transition) && "kind or curve of the sinew_transition is out of range");
    return is_transition_valid(transition);
}

bool sinew_check_play(const sinew_mixer *mixer, play_request request) {
    assert(mixer);
    assert((request.source->clip || request.source->blend_space) &&
           "the clip or blend space is NULL: a misspelt name?");
    assert(!(request.source->clip && request.source->blend_space) &&
           "a source is a clip or a blend space, not both");
    assert(has_source(mixer, request.source) && "the clip or blend space is of another skeleton: sinew_clip_bind");
    assert((!request.def || request.def->cookie == SINEW_DEF_COOKIE) &&
           "sinew_play_def: start from sinew_play_default()");
    assert(is_def_valid(mixer, request.def) && "layer, sync, loop or curve of the sinew_play_def is out of range");
    sinew_check_transition(request.transition);
    assert(fits_layer(mixer, request) && "an additive clip in an overriding layer, or the reverse");
    return sinew_may_play(mixer, request);
}

sinew_source sinew_checked_source(sinew_source source) {
    source.x = sinew_checked_number(source.x, 0.0f);
    source.y = sinew_checked_number(source.y, 0.0f);
    return source;
}

sinew_play_def sinew_checked_play_def(const sinew_play_def *def) {
    sinew_play_def checked = *def;
    checked.time = sinew_checked_number(def->time, SINEW_TIME_AUTO);
    checked.speed = sinew_checked_number(def->speed, 0.0f);
    checked.weight = sinew_checked_weight(def->weight);
    checked.fade = sinew_checked_duration(def->fade);
    return checked;
}

sinew_transition sinew_checked_transition(const sinew_transition *transition) {
    sinew_transition checked = *transition;
    checked.duration = sinew_checked_duration(transition->duration);
    return checked;
}
