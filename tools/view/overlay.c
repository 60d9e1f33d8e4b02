// SPDX-License-Identifier: MIT
// Draws the picture's overlays.
#include "view/overlay.h"

#include "view/style.h"

#include <math.h>
#include <stdio.h>

static const view_color BONE = {255, 181, 71, 235}, BOUNDS = {30, 96, 178, 255}, NORMAL = {16, 132, 128, 190},
                        COLLIDER = {94, 205, 228, 255};
static const view_color NAME = {255, 255, 255, 255}, NAME_BACK = {18, 20, 24, 190};

// ---- Bounds and normals --------------------------------------------------------------------------------------

static void draw_box(view_brush *brush, sinew_vec3 l, sinew_vec3 m, float width, view_color color) {
    for (int corner = 0; corner < 8; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            int other = corner | 1 << axis;
            if (other == corner) continue;
            sinew_vec3 a = {corner & 1 ? m.x : l.x, corner & 2 ? m.y : l.y, corner & 4 ? m.z : l.z};
            sinew_vec3 b = {other & 1 ? m.x : l.x, other & 2 ? m.y : l.y, other & 4 ? m.z : l.z};
            view_brush_line(brush, a, b, width, color);
        }
    }
}

static void draw_normals(view_brush *brush, const view_state *state) {
    const view_vertices *v = &state->scene->vertices;
    const float length = 0.025f * state->orbit.radius;
    for (size_t i = 0; i < (size_t)v->count; i++) {
        const float *p = v->positions + 3 * i, *n = v->normals + 3 * i;
        sinew_vec3 from = {p[0], p[1], p[2]};
        sinew_vec3 to = {p[0] + length * n[0], p[1] + length * n[1], p[2] + length * n[2]};
        view_brush_line(brush, from, to, 1.0f * state->scale, NORMAL);
    }
}

// ---- The skeleton --------------------------------------------------------------------------------------------

// A solid's brush and color, and the camera position.
typedef struct solid {
    view_brush *brush;
    view_color color;
    sinew_vec3 eye;
} solid;

// Shades a face by the angle between its normal and the direction to the camera.
static void draw_face(const solid *body, sinew_vec3 a, sinew_vec3 b, sinew_vec3 c, sinew_vec3 toward_eye) {
    sinew_vec3 normal =
        sinew_vec3_normalize(sinew_vec3_cross(sinew_vec3_subtract(b, a), sinew_vec3_subtract(c, a)));
    float light = 0.55f + 0.45f * fabsf(sinew_vec3_dot(normal, toward_eye));
    view_color color = {(uint8_t)((float)body->color.r * light), (uint8_t)((float)body->color.g * light),
                        (uint8_t)((float)body->color.b * light), body->color.a};
    view_brush_triangle(body->brush, a, b, c, color);
}

// Draws two pyramids with a shared square base, at the fraction `waist` of the line from `from` to `to`.
static void draw_octahedron(const solid *body, sinew_vec3 from, sinew_vec3 to, float waist, float half_width) {
    const sinew_vec3 way = sinew_vec3_subtract(to, from), along = sinew_vec3_normalize(way);
    const sinew_vec3 aside = fabsf(along.y) < 0.9f ? (sinew_vec3){0, 1, 0} : (sinew_vec3){1, 0, 0};
    const sinew_vec3 u = sinew_vec3_scale(sinew_vec3_normalize(sinew_vec3_cross(along, aside)), half_width);
    const sinew_vec3 v = sinew_vec3_scale(sinew_vec3_normalize(sinew_vec3_cross(along, u)), half_width);
    const sinew_vec3 middle = sinew_vec3_add(from, sinew_vec3_scale(way, waist));
    const sinew_vec3 ring[4] = {sinew_vec3_add(middle, u), sinew_vec3_add(middle, v),
                                sinew_vec3_subtract(middle, u), sinew_vec3_subtract(middle, v)};
    const sinew_vec3 toward_eye = sinew_vec3_normalize(sinew_vec3_subtract(body->eye, middle));
    for (int i = 0; i < 4; i++) {
        draw_face(body, from, ring[i], ring[(i + 1) % 4], toward_eye);
        draw_face(body, to, ring[(i + 1) % 4], ring[i], toward_eye);
    }
}

static void draw_joint(const solid *body, sinew_vec3 at, float size) {
    draw_octahedron(body, (sinew_vec3){at.x, at.y - size, at.z}, (sinew_vec3){at.x, at.y + size, at.z}, 0.5f, size);
}

static void draw_skeleton(view_brush *brush, const view_state *state, sinew_vec3 eye) {
    const view_scene *scene = state->scene;
    const sinew_skeleton *skeleton = scene->asset->skeleton;
    const solid body = {brush, BONE, eye};
    const float joint_size = 0.006f * state->orbit.radius;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (!scene->is_joint[i]) continue;
        const sinew_vec3 at = view_scene_node_position(scene, i);
        const int32_t parent = skeleton->parents[i];
        draw_joint(&body, at, joint_size);
        if (parent == SINEW_NO_NODE || !scene->is_joint[parent]) continue;
        const sinew_vec3 from = view_scene_node_position(scene, parent);
        const float length = sinew_vec3_length(sinew_vec3_subtract(at, from));
        if (length > 2.0f * joint_size) draw_octahedron(&body, from, at, 0.15f, 0.06f * length);
    }
}

// ---- Colliders -----------------------------------------------------------------------------------------------

enum { SEGMENTS = 24 };

// Draws an arc around `center` from the radius `u` through the radius `v`. A full circle has SEGMENTS segments, and the
// arc has `count` of them.
static void draw_arc(view_brush *brush, sinew_vec3 center, sinew_vec3 u, sinew_vec3 v, int count, float width) {
    sinew_vec3 before = sinew_vec3_add(center, u);
    for (int i = 1; i <= count; i++) {
        const float angle = 6.28318531f * (float)i / (float)SEGMENTS;
        const sinew_vec3 radius =
            sinew_vec3_add(sinew_vec3_scale(u, cosf(angle)), sinew_vec3_scale(v, sinf(angle)));
        const sinew_vec3 at = sinew_vec3_add(center, radius);
        view_brush_line(brush, before, at, width, COLLIDER);
        before = at;
    }
}

// Draws a capsule's outline in the plane through its axis and `u`, which is as long as the radius.
static void draw_outline(view_brush *brush, sinew_vec3 a, sinew_vec3 b, sinew_vec3 axis, sinew_vec3 u,
                         float width) {
    const sinew_vec3 across = sinew_vec3_scale(u, -1.0f), down = sinew_vec3_scale(axis, -1.0f);
    draw_arc(brush, b, u, axis, SEGMENTS / 2, width);
    draw_arc(brush, a, across, down, SEGMENTS / 2, width);
    view_brush_line(brush, sinew_vec3_add(a, u), sinew_vec3_add(b, u), width, COLLIDER);
    view_brush_line(brush, sinew_vec3_add(a, across), sinew_vec3_add(b, across), width, COLLIDER);
}

// Finds two vectors of this length, at right angles to a unit vector and to each other.
static void find_sides(sinew_vec3 axis, float length, sinew_vec3 *u, sinew_vec3 *v) {
    const sinew_vec3 other = fabsf(axis.y) < 0.9f ? (sinew_vec3){0, 1, 0} : (sinew_vec3){1, 0, 0};
    *u = sinew_vec3_scale(sinew_vec3_normalize(sinew_vec3_cross(axis, other)), length);
    *v = sinew_vec3_scale(sinew_vec3_normalize(sinew_vec3_cross(axis, *u)), length);
}

// Draws a sphere, or a capsule from `a` to `b`.
static void draw_round(view_brush *brush, sinew_vec3 a, sinew_vec3 b, float radius, float width) {
    const sinew_vec3 way = sinew_vec3_subtract(b, a);
    const bool is_sphere = !(sinew_vec3_length(way) > 0.0f);
    const sinew_vec3 along = is_sphere ? (sinew_vec3){0, 1, 0} : sinew_vec3_normalize(way);
    sinew_vec3 u, v;
    find_sides(along, radius, &u, &v);
    const sinew_vec3 axis = sinew_vec3_scale(along, radius);
    draw_outline(brush, a, b, axis, u, width);
    draw_outline(brush, a, b, axis, v, width);
    draw_arc(brush, a, u, v, SEGMENTS, width);
    if (!is_sphere) draw_arc(brush, b, u, v, SEGMENTS, width);
}

// Draws a square of the plane with its normal.
static void draw_plane(view_brush *brush, sinew_vec3 at, sinew_vec3 normal, float size, float width) {
    sinew_vec3 u, v;
    find_sides(normal, size, &u, &v);
    const sinew_vec3 corners[4] = {sinew_vec3_add(u, v), sinew_vec3_subtract(v, u),
                                   sinew_vec3_scale(sinew_vec3_add(u, v), -1.0f), sinew_vec3_subtract(u, v)};
    for (int i = 0; i < 4; i++) {
        view_brush_line(brush, sinew_vec3_add(at, corners[i]), sinew_vec3_add(at, corners[(i + 1) % 4]), width,
                        COLLIDER);
    }
    view_brush_line(brush, at, sinew_vec3_add(at, sinew_vec3_scale(normal, size)), width, COLLIDER);
}

static float column_length(const sinew_affine *m, int c) {
    return sinew_vec3_length((sinew_vec3){m->m[0][c], m->m[1][c], m->m[2][c]});
}

static void draw_collider(view_brush *brush, const view_state *state, const sinew_vrm_collider *c,
                          sinew_affine world) {
    const float scale = fmaxf(column_length(&world, 0), fmaxf(column_length(&world, 1), column_length(&world, 2)));
    const float width = 1.5f * state->scale;
    const sinew_vec3 a = sinew_affine_point(world, c->offset), b = sinew_affine_point(world, c->tail);
    if (c->shape == SINEW_VRM_COLLIDER_SHAPE_PLANE)
        draw_plane(brush, a, sinew_vec3_normalize(sinew_affine_direction(world, c->normal)),
                   0.2f * state->orbit.radius, width);
    else
        draw_round(brush, a, b, scale * c->radius, width);
}

static void draw_colliders(view_brush *brush, const view_state *state) {
    const view_scene *scene = state->scene;
    const sinew_vrm *vrm = scene->asset->vrm;
    for (int32_t i = 0; vrm && i < vrm->collider_count; i++) {
        const sinew_scene_node joint = sinew_scene_joint(scene->node, vrm->colliders[i].node);
        draw_collider(brush, state, &vrm->colliders[i], sinew_scene_world(scene->scene, joint));
    }
}

// ---- All lines -----------------------------------------------------------------------------------------------

void view_overlay_draw(view_brush *brush, const view_state *state, const draw_camera *camera) {
    const view_toggles *toggles = &state->toggles;
    if (!view_state_has_file(state)) return;
    view_brush_begin(brush, &camera->view_projection, state->width, state->height);
    if (toggles->bounds) draw_box(brush, state->scene->least, state->scene->most, 1.5f * state->scale, BOUNDS);
    if (toggles->normals) draw_normals(brush, state);
    view_brush_end(brush);
    if (!toggles->skeleton && !toggles->colliders) return;
    glClear(GL_DEPTH_BUFFER_BIT); // draw both over the mesh, sorted by their own depth
    view_brush_begin(brush, &camera->view_projection, state->width, state->height);
    if (toggles->skeleton) draw_skeleton(brush, state, camera->eye);
    if (toggles->colliders) draw_colliders(brush, state);
    view_brush_end(brush);
}

// ---- Names ---------------------------------------------------------------------------------------------------

static bool overlap(view_rect a, view_rect b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

enum { MAX_NAMES = 96 };

// Returns whether a bone is at least 14 pixels long on an unscaled screen. Then its name is readable next to its
// parent's.
static bool is_long_enough(const view_brush *brush, const view_state *state, int32_t node, float x, float y) {
    const view_scene *scene = state->scene;
    const int32_t parent = scene->asset->skeleton->parents[node];
    float parent_x, parent_y;
    if (parent == SINEW_NO_NODE || !scene->is_joint[parent]) return true;
    if (!view_brush_project(brush, view_scene_node_position(scene, parent), &parent_x, &parent_y)) return false;
    return fabsf(parent_x - x) + fabsf(parent_y - y) > 14.0f * state->scale;
}

// Draws names. If they'd overlap, larger bones' names win, because parents come first.
void view_overlay_names(view_canvas *canvas, const view_brush *brush, const view_state *state) {
    const view_scene *scene = state->scene;
    if (!view_state_has_file(state) || !state->toggles.skeleton) return;
    const sinew_skeleton *skeleton = scene->asset->skeleton;
    const int height = view_pixels(state->scale, 16.0f), inset = view_pixels(state->scale, 4.0f);
    const int away = view_pixels(state->scale, 7.0f);
    view_rect taken[MAX_NAMES];
    int count = 0;
    for (int32_t i = 0; i < skeleton->node_count && count < MAX_NAMES; i++) {
        float x, y;
        if (!scene->is_joint[i] || !skeleton->names[i][0]) continue;
        if (!view_brush_project(brush, view_scene_node_position(scene, i), &x, &y)) continue;
        if (!(fabsf(x) < 1e5f && fabsf(y) < 1e5f) || !is_long_enough(brush, state, i, x, y)) continue;
        const int width = view_canvas_text_width(canvas, VIEW_FONT_SMALL, skeleton->names[i]) + 2 * inset;
        const view_rect r = {(int)x + away, (int)y - height / 2, width, height};
        bool free = !overlap(r, state->layout.list) && !overlap(r, state->layout.timeline);
        for (int k = 0; k < count && free; k++) free = !overlap(r, taken[k]);
        if (!free) continue;
        taken[count++] = (view_rect){r.x - away, r.y - away / 2, r.width + 2 * away, r.height + away};
        view_canvas_panel(canvas, r, 3.0f * state->scale, NAME_BACK);
        view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + inset, r.y, height, 0, NAME, skeleton->names[i]);
    }
}

// Draws the name to the right of its joint, or to the left at the picture's edge. It isn't drawn over a panel.
void view_overlay_joint(view_canvas *canvas, const view_brush *brush, const view_state *state) {
    const int32_t joint = state->joint;
    char text[96];
    float x, y;
    if (joint == SINEW_NO_NODE) return;
    if (!view_brush_project(brush, view_scene_node_position(state->scene, joint), &x, &y)) return;
    if (!(fabsf(x) < 1e5f && fabsf(y) < 1e5f)) return;
    const char *name = state->scene->asset->skeleton->names[joint];
    snprintf(text, sizeof text, "%.90s", name);
    if (!name[0]) snprintf(text, sizeof text, "node %d", (int)joint);
    const int height = px(state, 18.0f), inset = px(state, 6.0f), away = px(state, 9.0f);
    const int width = view_canvas_text_width(canvas, VIEW_FONT_SMALL, text) + 2 * inset;
    const view_layout *l = &state->layout;
    view_rect r = {(int)x + away, (int)y - height / 2, width, height};
    if (r.x + r.width > l->width) r.x = (int)x - away - width;
    view_canvas_dot(canvas, x, y, 4.0f * state->scale, ACCENT);
    if (overlap(r, l->list) || overlap(r, l->timeline)) return;
    panel(canvas, state, r, NAME_BACK);
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + inset, r.y, height, 0, ACCENT, text);
}
