// Fades: numbers on their way, by a curve.
#include "mixer/mixer_state.h"

#include <assert.h>

// A curve may overshoot. Beyond this it is broken, and a weight may overflow.
#define MOST_BENT 1e6f

double sinew_fade_bend(const sinew_mixer *mixer, uint8_t curve, double u) {
    if (curve == SINEW_CURVE_SMOOTHSTEP) return u * u * (3.0 - 2.0 * u);
    if (curve == SINEW_CURVE_LINEAR || !mixer->def.curve) return u;
    float bent = mixer->def.curve(curve - SINEW_CURVE_USER, (float)u, mixer->def.user);
    assert(fabsf(bent) <= MOST_BENT);
    return fabsf(bent) <= MOST_BENT ? (double)bent : u;
}

static float slope_between(float from, float to) {
    return (float)((double)(to - from) / SINEW_SEEN_SECONDS);
}

// How fast the value went in the last step, whatever has begun since.
static float slope_seen(const sinew_mixer *mixer, const sinew_fade *fade) {
    if (fade->elapsed == 0.0) return fade->slope;
    return slope_between(sinew_fade_after(mixer, fade, -SINEW_SEEN_SECONDS), fade->value);
}

void sinew_fade_begin(const sinew_mixer *mixer, sinew_fade *fade, float to, float duration, uint8_t curve) {
    bool at_once = !(duration > 0.0f);
    *fade = (sinew_fade){
        .value = at_once ? to : fade->value,
        .from = fade->value,
        .to = to,
        .duration = at_once ? 0.0f : duration,
        .slope = at_once ? 0.0f : slope_seen(mixer, fade),
        .curve = curve,
    };
}

float sinew_fade_seen_after(const sinew_mixer *mixer, const sinew_fade *fade, double seconds) {
    if (fade->elapsed > 0.0) return sinew_fade_after(mixer, fade, seconds);
    double value = (double)fade->value + (double)fade->slope * seconds;
    return value > 0.0 ? (float)value : 0.0f;
}

void sinew_fade_see(const sinew_mixer *mixer, sinew_fade *fade) {
    if (fade->elapsed > 0.0) return;
    fade->slope = slope_between(fade->value, sinew_fade_after(mixer, fade, SINEW_SEEN_SECONDS));
}

double sinew_fade_mean(const sinew_mixer *mixer, const sinew_fade *fade, double seconds) {
    double left = (double)fade->duration - fade->elapsed;
    if (!sinew_fade_runs(fade) || !(seconds > left)) return (double)sinew_fade_after(mixer, fade, 0.5 * seconds);
    double middle = (double)sinew_fade_after(mixer, fade, 0.5 * left);
    return (middle * left + (double)fade->to * (seconds - left)) / seconds;
}

double sinew_fade_integral(const sinew_fade *fade, double seconds) {
    double left = (double)fade->duration - fade->elapsed, on_the_way = seconds < left ? seconds : left;
    double slope = (double)(fade->to - fade->from) / (double)fade->duration;
    double start = (double)fade->from + slope * fade->elapsed, end = start + slope * on_the_way;
    return 0.5 * (start + end) * on_the_way + (double)fade->to * (seconds - on_the_way);
}
