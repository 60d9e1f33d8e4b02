// SPDX-License-Identifier: MIT
// The window: passes GLFW's events to the state and draws frames from it.
#include "view/window.h"

#include "view/input.h"
#include "view/overlay.h"
#include "view/panel.h"

#include "render/program.h"
#include "render/renderer.h"
#include "render/target.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>
#include <string.h>

typedef struct window {
    view_state *state;
    GLFWwindow *handle;
    sinew_gl *gl;
    draw_renderer renderer;
    draw_target target;
    view_canvas canvas;
    view_brush brush;
    bool has_renderer;
    double watched; // when the file was checked, in seconds
    double last;    // start of the previous frame in seconds; 0 if there wasn't one since the last wait
} window;

// ---- Failing -------------------------------------------------------------------------------------------------

static char glfw_error[200];

static void on_glfw_error(int code, const char *description) {
    (void)code;
    snprintf(glfw_error, sizeof glfw_error, "%s", description);
}

// ---- Events --------------------------------------------------------------------------------------------------

static view_state *state_of(GLFWwindow *handle) {
    return ((window *)glfwGetWindowUserPointer(handle))->state;
}

// Returns the key as printed. GLFW names keys after the American keyboard, which is wrong for letters, minus and plus.
static int printed_key(int key, int scancode) {
    const char *name = glfwGetKeyName(key, scancode);
    if (!name || !name[0] || name[1]) return key;
    if (name[0] >= 'a' && name[0] <= 'z') return GLFW_KEY_A + (name[0] - 'a');
    if (name[0] == '-') return GLFW_KEY_MINUS;
    if (name[0] == '+' || name[0] == '=') return GLFW_KEY_EQUAL;
    return key;
}

static bool repeats(int key) {
    return key == GLFW_KEY_MINUS || key == GLFW_KEY_EQUAL || key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT ||
           key == GLFW_KEY_UP || key == GLFW_KEY_DOWN;
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers) {
    const int printed = printed_key(key, scancode);
    if (action == GLFW_PRESS || (action == GLFW_REPEAT && repeats(key)))
        view_key(state_of(handle), printed, modifiers);
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers) {
    view_button(state_of(handle), button, action == GLFW_PRESS, modifiers);
}

// The pointer's position is in screen units, which may not be pixels.
static void on_move(GLFWwindow *handle, double x, double y) {
    view_state *state = state_of(handle);
    int width, height;
    glfwGetWindowSize(handle, &width, &height);
    if (width <= 0 || height <= 0) return;
    view_move(state, (float)(x * state->width / width), (float)(y * state->height / height));
}

static void on_wheel(GLFWwindow *handle, double x, double y) {
    (void)x;
    view_wheel(state_of(handle), (float)y);
}

// Loads only the first of several files.
static void on_drop(GLFWwindow *handle, int count, const char **paths) {
    if (count > 0) view_state_drop(state_of(handle), paths[0]);
}

static void on_refresh(GLFWwindow *handle) {
    state_of(handle)->changed = true;
}

static void listen(window *w) {
    glfwSetWindowUserPointer(w->handle, w);
    glfwSetKeyCallback(w->handle, on_key);
    glfwSetMouseButtonCallback(w->handle, on_button);
    glfwSetCursorPosCallback(w->handle, on_move);
    glfwSetScrollCallback(w->handle, on_wheel);
    glfwSetDropCallback(w->handle, on_drop);
    glfwSetWindowRefreshCallback(w->handle, on_refresh);
}

// ---- Opening -------------------------------------------------------------------------------------------------

static sinew_gl_proc gl_proc(const char *name, void *user) {
    (void)user;
    return (sinew_gl_proc)glfwGetProcAddress(name);
}

static bool open_window(window *w, int width, int height, sinew_error *error) {
    glfwSetErrorCallback(on_glfw_error);
    if (!glfwInit()) {
        draw_fail(error, "can't open a window: no display (%s); 'sinew render' doesn't need one", glfw_error);
        return false;
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE); // required on macOS
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); // frames are drawn into another framebuffer
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    w->handle = glfwCreateWindow(width, height, "Sinew", NULL, NULL);
    if (!w->handle) {
        draw_fail(error, "can't open a window with OpenGL 3.3 (%s); 'sinew render' doesn't need one", glfw_error);
        return false;
    }
    glfwSetWindowSizeLimits(w->handle, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(w->handle);
    glfwSwapInterval(1);
    listen(w);
    return true;
}

static bool open_gl(window *w, sinew_error *error) {
    sinew_gl_def def = sinew_gl_default();
    def.get_proc_address = gl_proc;
    if (sinew_gl_create(&def, &w->gl, error) != SINEW_OK) return false;
    w->has_renderer = true;
    return draw_renderer_create(&w->renderer, w->gl, w->state->scene->player.settings.crowd, error) &&
           view_canvas_create(&w->canvas, w->gl, error) && view_brush_create(&w->brush, w->gl, error);
}

static void close_window(window *w) {
    view_scene_free(w->state->scene);
    if (w->state->pending) view_scene_free(w->state->pending);
    if (w->has_renderer) {
        view_brush_free(&w->brush);
        view_canvas_free(&w->canvas);
        draw_target_free(&w->target);
        draw_renderer_free(&w->renderer);
    }
    sinew_gl_destroy(w->gl);
    if (w->handle) glfwDestroyWindow(w->handle);
    // Don't call glfwTerminate, because the process ends here. It would unload the OpenGL driver, and leak checkers
    // would report the memory that the driver keeps until the process ends.
}

// ---- Between frames ------------------------------------------------------------------------------------------

static void set_title(const window *w) {
    char title[300];
    snprintf(title, sizeof title, "%.250s - Sinew", view_file_name(w->state->scene->path));
    glfwSetWindowTitle(w->handle, title);
}

// Measures the clip names in their font, to set the list's width.
static void measure_names(const window *w) {
    const view_scene *scene = w->state->scene;
    int widest = 0;
    for (int32_t i = 0; scene->asset && i < scene->asset->clip_count; i++) {
        const char *name = scene->asset->clips[i].name;
        const int width = view_canvas_text_width(&w->canvas, VIEW_FONT_TEXT, name);
        if (width > widest) widest = width;
    }
    view_state_set_names(w->state, widest);
}

// Shows the pending scene. If it can't be uploaded, returns false with the reason in `error`.
static bool take_pending(window *w, sinew_error *error) {
    view_state *state = w->state;
    if (!state->pending) return true;
    if (!view_scene_upload(state->pending, w->gl, error)) return false;
    view_state_accept(state);
    measure_names(w);
    set_title(w);
    return true;
}

// Updates the target and the fonts to the window's size and scale. If memory runs out, returns false with the reason.
static bool follow_size(window *w, sinew_error *error) {
    int width, height;
    float x_scale, y_scale;
    glfwGetFramebufferSize(w->handle, &width, &height);
    glfwGetWindowContentScale(w->handle, &x_scale, &y_scale);
    if (width <= 0 || height <= 0) return true;
    view_state_resize(w->state, width, height, x_scale);
    if (width != w->target.width || height != w->target.height) {
        draw_target_free(&w->target);
        if (!draw_target_create(&w->target, width, height, error)) return false;
    }
    if (x_scale == w->canvas.scale) return true;
    if (!view_canvas_set_scale(&w->canvas, x_scale)) {
        *error = (sinew_error){SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
        return false;
    }
    measure_names(w);
    return true;
}

static bool is_seen(const window *w) {
    int width, height;
    glfwGetFramebufferSize(w->handle, &width, &height);
    return width > 0 && height > 0 && !glfwGetWindowAttrib(w->handle, GLFW_ICONIFIED);
}

// ---- A frame -------------------------------------------------------------------------------------------------

static draw_view view_of(const view_state *state) {
    const view_scene *scene = state->scene;
    draw_view view = {.camera = view_orbit_camera(&state->orbit),
                      .least = {-1.0f, 0.0f, -1.0f},
                      .most = {1.0f, 1.0f, 1.0f},
                      .radius = state->orbit.radius,
                      .show_ground = state->toggles.ground,
                      .wireframe = state->toggles.wireframe};
    if (!view_state_has_file(state)) return view;
    const sinew_box box = view_scene_box(scene);
    view.least = box.min;
    view.most = box.max;
    view.ground = (sinew_vec3){0.5f * (box.min.x + box.max.x), scene->ground, 0.5f * (box.min.z + box.max.z)};
    if (scene->crowd.model.records) view.crowd = &scene->crowd.model;
    return view;
}

// Resolves the multisampled target in linear light.
static void resolve(const draw_target *target) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved_framebuffer);
    glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

// Copies the bytes to the window's framebuffer without converting colors.
static void show(const draw_target *target) {
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->resolved_framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

static bool draw_frame(window *w, sinew_error *error) {
    view_state *state = w->state;
    const draw_look look = draw_look_default();
    const draw_view view = view_of(state);
    view_scene_pose_models(state->scene, &view.camera.view_projection);
    if (!draw_renderer_draw(&w->renderer, w->target.framebuffer, state->width, state->height, &look, &view,
                            &state->scene->model, view_state_has_file(state) ? 1 : 0, error)) {
        return false;
    }
    view_overlay_draw(&w->brush, state, &view.camera);
    resolve(&w->target);
    glBindFramebuffer(GL_FRAMEBUFFER, w->target.resolved_framebuffer);
    view_canvas_begin(&w->canvas, state->width, state->height);
    view_overlay_names(&w->canvas, &w->brush, state);
    view_overlay_joint(&w->canvas, &w->brush, state);
    view_panels_draw(&w->canvas, state);
    view_canvas_end(&w->canvas);
    show(&w->target);
    return true;
}

// Updates an average over about twelve frames.
static void note_time(float *average, double seconds) {
    *average += ((float)seconds - *average) * (*average > 0.0f ? 0.08f : 1.0f);
}

static bool run_frame(window *w, sinew_error *error) {
    view_state *state = w->state;
    const double now = glfwGetTime(), dt = w->last > 0.0 ? now - w->last : 0.0;
    w->last = now;
    if (dt > 0.0) note_time(&state->seconds_a_frame, dt);
    if (!take_pending(w, error)) view_state_refuse(state, error->message);
    if (!follow_size(w, error)) return false;
    state->changed = false; // later changes are drawn in the next frame
    view_state_advance(state, (float)dt);
    if (!draw_frame(w, error)) return false;
    note_time(&state->busy_a_frame, glfwGetTime() - now);
    glfwSwapBuffers(w->handle);
    return true;
}

// ---- The loop ------------------------------------------------------------------------------------------------

// Returns the seconds per frame from the screen's refresh rate. Needed if swapping buffers doesn't wait, which happens
// with some drivers and behind other windows.
static double frame_seconds(void) {
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    return mode && mode->refreshRate > 0 ? 0.9 / mode->refreshRate : 0.9 / 60.0;
}

static void wait_for_next(window *w, double seconds_a_frame) {
    static const double idle = 0.5; // seconds; some systems don't report that a window must be redrawn
    if (!is_seen(w) || (!w->state->changed && !view_state_moves(w->state))) {
        w->last = 0.0;
        glfwWaitEventsTimeout(idle);
        return;
    }
    // An event ends a wait. The loop then waits for the rest of the time.
    for (;;) {
        const double left = w->last + seconds_a_frame - glfwGetTime();
        if (left <= 0.0005) break;
        glfwWaitEventsTimeout(left);
    }
    glfwPollEvents();
}

// Reads the file again when it was saved, even if nothing moves.
static void watch_file(window *w) {
    static const double seconds = 0.5;
    if (glfwGetTime() - w->watched < seconds) return;
    w->watched = glfwGetTime();
    view_state_watch(w->state);
}

static bool run(window *w, sinew_error *error) {
    const double seconds_a_frame = frame_seconds();
    while (!w->state->quit && !glfwWindowShouldClose(w->handle)) {
        watch_file(w);
        const bool draws = w->state->changed || view_state_moves(w->state);
        if (draws && is_seen(w) && !run_frame(w, error)) return false;
        wait_for_next(w, seconds_a_frame);
    }
    return true;
}

bool view_window_run(view_state *state, int width, int height, sinew_error *error) {
    window w = {.state = state};
    glfw_error[0] = '\0';
    // If a file from the command line can't be uploaded, that's an error.
    const bool good = open_window(&w, width, height, error) && open_gl(&w, error) && follow_size(&w, error) &&
                      take_pending(&w, error) && run(&w, error);
    close_window(&w);
    return good;
}
