// SPDX-License-Identifier: MIT
// The window of a clip, and warps within it.
#include "view/warp.h"

#include <stdio.h>

static const float ADDED_SPEED = 6.0f; // m/s, so that clips on the spot reach a goal, too
static const float AHEAD = 1.0f;       // metres

static const sinew_warp_transform origin = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};

static void find_window(const sinew_clip *clip, float *start, float *end) {
    *start = 0.0f;
    *end = clip->duration;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        if (sinew_warp_window(clip, clip->markers[i].name, start, end)) return;
    }
    if (clip->marker_count < 2) return;
    const float first = clip->markers[0].time, last = clip->markers[clip->marker_count - 1].time;
    if (!(last > first)) return;
    *start = first;
    *end = last;
}

static sinew_warp_transform goal_of(const view_warp *w) {
    return (sinew_warp_transform){w->goal, view_warp_unwarped_at(w, w->def.end).facing};
}

// Limits of 0 leave the clip's own motion.
static bool begin_unwarped(view_warp *w, sinew_error *error) {
    sinew_warp_def def = w->def;
    def.max_speed = 1.0f;
    def.added_speed = 0.0f;
    def.max_turn_rate = 0.0f;
    return sinew_warp_begin(&def, 0.0f, origin, origin, &w->unwarped, error) == SINEW_OK;
}

bool view_warp_begin(view_warp *w, const sinew_clip *clip, const sinew_root_motion_def *motion,
                     sinew_error *error) {
    w->motion = *motion;
    w->def = sinew_warp_default();
    w->def.clip = clip;
    w->def.root_motion = &w->motion;
    w->def.added_speed = ADDED_SPEED;
    find_window(clip, &w->def.start, &w->def.end);
    if (!begin_unwarped(w, error)) return false;
    const sinew_vec3 ahead =
        motion->up == SINEW_UP_Z ? (sinew_vec3){0.0f, -AHEAD, 0.0f} : (sinew_vec3){0.0f, 0.0f, AHEAD};
    if (!w->is_held) w->goal = sinew_vec3_add(view_warp_unwarped_at(w, w->def.end).position, ahead);
    return sinew_warp_begin(&w->def, 0.0f, origin, goal_of(w), &w->warp, error) == SINEW_OK;
}

void view_warp_set_goal(view_warp *w, sinew_vec3 goal) {
    w->is_held = true;
    w->goal = goal;
    if (w->def.clip) sinew_warp_begin(&w->def, 0.0f, origin, goal_of(w), &w->warp, NULL);
}

sinew_warp_transform view_warp_at(const view_warp *w, float time) {
    return sinew_warp_at(&w->def, &w->warp, time);
}

sinew_warp_transform view_warp_unwarped_at(const view_warp *w, float time) {
    return sinew_warp_at(&w->def, &w->unwarped, time);
}

static const char *marker_at(const sinew_clip *clip, float time, const char *otherwise) {
    for (int32_t i = 0; i < clip->marker_count; i++) {
        if (clip->markers[i].time == time) return clip->markers[i].name;
    }
    return otherwise;
}

void view_warp_describe(const view_warp *w, char name[VIEW_WARP_NAME]) {
    const sinew_clip *clip = w->def.clip;
    snprintf(name, VIEW_WARP_NAME, "%.28s to %.28s", marker_at(clip, w->def.start, "start"),
             marker_at(clip, w->def.end, "end"));
}
