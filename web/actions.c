// Actions for JavaScript: by the number of their slot. A handle of 64 bits would be a BigInt there, and garbage each time.
#include "names.h"

#include "mixer/mixer_data.h"

sinew_action web_action_handle(const sinew_mixer *mixer, uint32_t action) {
    if (action == 0 || action > (uint32_t)mixer->def.max_actions) return (sinew_action){0};
    return sinew_mixer_handle(mixer, &mixer->actions[action - 1]);
}

uint32_t web_action_of(sinew_action handle) {
    return (uint32_t)(handle.id & 0xff);
}

uint32_t web_action_find(const sinew_mixer *mixer, int32_t layer, const sinew_clip *clip,
                         const sinew_blend_space *space) {
    return web_action_of(sinew_mixer_find_in(mixer, layer, (sinew_source){.clip = clip, .blend_space = space}));
}

void web_action_stop(sinew_mixer *mixer, uint32_t action) {
    sinew_action_stop(mixer, web_action_handle(mixer, action));
}

void web_action_pause(sinew_mixer *mixer, uint32_t action) {
    sinew_action_pause(mixer, web_action_handle(mixer, action));
}

void web_action_resume(sinew_mixer *mixer, uint32_t action) {
    sinew_action_resume(mixer, web_action_handle(mixer, action));
}

void web_action_reset(sinew_mixer *mixer, uint32_t action) {
    sinew_action_reset(mixer, web_action_handle(mixer, action));
}

void web_action_fade_to(sinew_mixer *mixer, uint32_t action, float weight, float duration) {
    sinew_action_fade_to(mixer, web_action_handle(mixer, action), weight, duration);
}

void web_action_fade_out(sinew_mixer *mixer, uint32_t action, float duration) {
    sinew_action_fade_out(mixer, web_action_handle(mixer, action), duration);
}

void web_action_then_fade_out(sinew_mixer *mixer, uint32_t action, float duration) {
    sinew_action_queue_fade_out(mixer, web_action_handle(mixer, action), duration);
}

bool web_action_is_paused(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_is_paused(mixer, web_action_handle(mixer, action));
}

bool web_action_is_finished(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_is_finished(mixer, web_action_handle(mixer, action));
}

const sinew_clip *web_action_clip(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_clip(mixer, web_action_handle(mixer, action));
}

float web_action_time(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_time(mixer, web_action_handle(mixer, action));
}

void web_action_set_time(sinew_mixer *mixer, uint32_t action, float time) {
    sinew_action_set_time(mixer, web_action_handle(mixer, action), time);
}

float web_action_speed(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_speed(mixer, web_action_handle(mixer, action));
}

void web_action_set_speed(sinew_mixer *mixer, uint32_t action, float speed) {
    sinew_action_set_speed(mixer, web_action_handle(mixer, action), speed);
}

float web_action_weight(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_weight(mixer, web_action_handle(mixer, action));
}

void web_action_set_weight(sinew_mixer *mixer, uint32_t action, float weight) {
    sinew_action_set_weight(mixer, web_action_handle(mixer, action), weight);
}

void web_action_set_loop(sinew_mixer *mixer, uint32_t action, sinew_loop loop, int32_t loop_count) {
    sinew_action_set_loop(mixer, web_action_handle(mixer, action), loop, loop_count);
}

void web_action_set_parameter(sinew_mixer *mixer, uint32_t action, float x, float y) {
    sinew_action_set_parameter(mixer, web_action_handle(mixer, action), x, y);
}

void web_action_parameter(const sinew_mixer *mixer, uint32_t action) {
    sinew_blend_parameter at = sinew_action_parameter(mixer, web_action_handle(mixer, action));
    web_numbers()[0] = (float)at.x;
    web_numbers()[1] = (float)at.y;
}
