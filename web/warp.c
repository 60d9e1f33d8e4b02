// SPDX-License-Identifier: MIT
// Root motion warping for JavaScript.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

struct web_warp {
    sinew_root_motion_def root_motion; // a copy: the warp outlives its mixer
    sinew_root_warp_def def;
    sinew_root_warp warp;
};

web_warp *web_warp_create(const web_mixer *character, const sinew_clip *clip) {
    const sinew_root_motion_def *root_motion = web_mixer_root_motion(character);
    web_fail(root_motion ? "out of memory" : "this Mixer has no root motion: pass it the option rootMotion");
    web_warp *warp = root_motion ? calloc(1, sizeof *warp) : NULL;
    if (!warp) return NULL;
    warp->root_motion = *root_motion;
    warp->def = sinew_root_warp_default();
    warp->def.clip = clip;
    warp->def.root_motion = &warp->root_motion;
    return warp;
}

void web_warp_destroy(web_warp *warp) {
    free(warp);
}

float *web_warp_settings(web_warp *warp) {
    return &warp->def.start;
}

sinew_root_warp *web_warp_state(web_warp *warp) {
    return &warp->warp;
}

bool web_warp_find_window(web_warp *warp, const char *name) {
    return sinew_root_warp_window(warp->def.clip, name, &warp->def.start, &warp->def.end);
}

// Reads a transform from web_numbers: position, facing.
static sinew_root_warp_transform transform_at(int32_t index) {
    sinew_root_warp_transform transform;
    memcpy(&transform, web_numbers() + index, sizeof transform);
    return transform;
}

enum { TRANSFORM_LENGTH = sizeof(sinew_root_warp_transform) / sizeof(float) };

bool web_warp_begin(web_warp *warp, float time) {
    sinew_error error;
    sinew_result result = sinew_root_warp_begin(&warp->def, time, transform_at(0), transform_at(TRANSFORM_LENGTH),
                                                &warp->warp, &error);
    if (result != SINEW_OK) web_fail(error.message);
    return result == SINEW_OK;
}

void web_warp_set_goal(web_warp *warp, float time, bool has_now) {
    sinew_root_warp_transform now = transform_at(0);
    sinew_root_warp_set_goal(&warp->def, &warp->warp, time, has_now ? &now : NULL, transform_at(TRANSFORM_LENGTH));
}

void web_warp_at(const web_warp *warp, float time) {
    sinew_root_warp_transform transform = sinew_root_warp_at(&warp->def, &warp->warp, time);
    web_put_rotation(web_put_vector(web_numbers(), transform.position), transform.facing);
}

void web_warp_root(const web_warp *warp, float from, float to) {
    web_put_root_delta(sinew_root_warp_delta(&warp->def, &warp->warp, from, to));
}
