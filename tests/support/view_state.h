// SPDX-License-Identifier: MIT
// A window's state without the window, and a heap that counts and can fail. Include it once per program.
#ifndef VIEW_STATE_H
#define VIEW_STATE_H

#include "support/avatar.h"
#include "support/check.h"

#include "view/input.h"
#include "view/state.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>

// ---- Watching the heap ---------------------------------------------------------------------------------------

static int heap_calls;
static int heap_fails_at; // index, from 1, of the first call that fails; all later ones also fail; 0: none

#ifdef SINEW_WRAPPED_HEAP
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's --wrap prescribes these names
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static inline bool heap_refuses(void) {
    heap_calls++;
    return heap_fails_at > 0 && heap_calls >= heap_fails_at;
}

void *__wrap_malloc(size_t size) {
    return heap_refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return heap_refuses() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    return heap_refuses() ? NULL : __real_realloc(memory, size);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#endif

// ---- States --------------------------------------------------------------------------------------------------

static inline bool load_file(const char *path, sinew_asset **asset, sinew_error *error) {
    *asset = NULL;
    return sinew_gltf_load_file(path, with_avatars(), asset, error) == SINEW_OK;
}

// A 1280 x 800 window that shows what the loader makes from a path, or nothing.
static inline view_state make_state_of(view_loader load, const char *path) {
    view_state state;
    sinew_error error;
    assert_true(view_state_create(&state, load));
    view_state_resize(&state, 1280, 800, 1.0f);
    if (!path) return state;
    if (!view_state_load(&state, path, true, &error)) fail_msg("%s", error.message);
    view_state_accept(&state);
    return state;
}

// Shows a demo model, or nothing.
static inline view_state make_state(const char *model) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", SINEW_MODELS, model ? model : "");
    return make_state_of(load_file, model ? path : NULL);
}

static inline view_player *player_of(view_state *state) {
    return &state->scene->player;
}

// Only clips make the pose then.
static inline void turn_springs_off(view_state *state) {
    player_of(state)->settings.keyed = true;
    state->scene->springs.weight = 0.0f;
}

// Loads a dropped file and shows it.
static inline void drop_model(view_state *state, const char *path) {
    view_state_drop(state, path);
    assert_non_null(state->pending);
    view_state_accept(state);
}

static inline void point_at(view_state *state, view_rect rect, float fraction) {
    view_move(state, (float)rect.x + fraction * (float)rect.width, (float)rect.y + 0.5f * (float)rect.height);
}

// Moves the pointer to a world position, with the projection written out here.
static inline void move_to(view_state *s, sinew_vec3 p) {
    const sinew_mat4 m = view_orbit_camera(&s->orbit).view_projection;
    const float w = m.m[3] * p.x + m.m[7] * p.y + m.m[11] * p.z + m.m[15];
    const float x = (m.m[0] * p.x + m.m[4] * p.y + m.m[8] * p.z + m.m[12]) / w;
    const float y = (m.m[1] * p.x + m.m[5] * p.y + m.m[9] * p.z + m.m[13]) / w;
    view_move(s, 0.5f * (1.0f + x) * (float)s->width, 0.5f * (1.0f - y) * (float)s->height);
}

// Advances by `seconds`, in frames of 1/60 s.
static inline void let_pass(view_state *state, float seconds) {
    const int frames = (int)lrintf(seconds * 60.0f);
    for (int i = 0; i < frames; i++) view_state_advance(state, 1.0f / 60.0f);
}

#endif
