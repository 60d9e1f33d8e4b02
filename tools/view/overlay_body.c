// SPDX-License-Identifier: MIT
// The overlays of the body panel: the colliders of the springs, and the rings of the effectors.
#include "view/overlay.h"

#include "view/body.h"
#include "view/style.h"

#include <math.h>

static const view_color COLLIDER = {94, 205, 228, 255};

// ---- Colliders -----------------------------------------------------------------------------------------------

enum { SEGMENTS = 24 };

// An arc about `center` from the radius `u` on through the radius `v`, of so many of SEGMENTS of a circle.
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

// The outline of a capsule in the plane of its axis and of `u`, which is as long as the radius.
static void draw_outline(view_brush *brush, sinew_vec3 a, sinew_vec3 b, sinew_vec3 axis, sinew_vec3 u,
                         float width) {
    const sinew_vec3 across = sinew_vec3_scale(u, -1.0f), down = sinew_vec3_scale(axis, -1.0f);
    draw_arc(brush, b, u, axis, SEGMENTS / 2, width);
    draw_arc(brush, a, across, down, SEGMENTS / 2, width);
    view_brush_line(brush, sinew_vec3_add(a, u), sinew_vec3_add(b, u), width, COLLIDER);
    view_brush_line(brush, sinew_vec3_add(a, across), sinew_vec3_add(b, across), width, COLLIDER);
}

// Two vectors of that length at right angles to a unit vector and to each other.
static void find_sides(sinew_vec3 axis, float length, sinew_vec3 *u, sinew_vec3 *v) {
    const sinew_vec3 other = fabsf(axis.y) < 0.9f ? (sinew_vec3){0, 1, 0} : (sinew_vec3){1, 0, 0};
    *u = sinew_vec3_scale(sinew_vec3_normalize(sinew_vec3_cross(axis, other)), length);
    *v = sinew_vec3_scale(sinew_vec3_normalize(sinew_vec3_cross(axis, *u)), length);
}

// A sphere, or a capsule from `a` to `b`.
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

// A square of the plane, with its normal.
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

void view_overlay_colliders(view_brush *brush, const view_state *state) {
    const view_scene *scene = state->scene;
    const sinew_vrm *vrm = scene->actors[0].asset->vrm;
    for (int side = 0; side < VIEW_SIDES && scene->player.mixers[side]; side++) {
        for (int32_t i = 0; vrm && i < vrm->collider_count; i++) {
            const sinew_scene_node joint = sinew_scene_joint(scene->player.nodes[side], vrm->colliders[i].node);
            draw_collider(brush, state, &vrm->colliders[i], sinew_scene_world(scene->scene, joint));
        }
    }
}

// ---- The warp ------------------------------------------------------------------------------------------------

enum { WARP_POINTS = 48 };

// A path over the duration of the clip, slightly above the ground; the part outside the window is faint.
static void draw_warp_path(view_brush *brush, const view_state *state,
                           sinew_warp_transform (*at)(const view_warp *warp, float time), view_color color) {
    const view_scene *scene = state->scene;
    const view_warp *warp = &scene->player.warp;
    const float lift = scene->ground + 0.004f * state->orbit.radius;
    const float duration =
        warp->def.clip->duration * 0.9999f; // the end of the cycle, not the start of the next one
    sinew_vec3 before = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i <= WARP_POINTS; i++) {
        const float time = duration * (float)i / (float)WARP_POINTS;
        sinew_vec3 point = view_scene_position(scene, 0, at(warp, time).position);
        point.y += lift;
        const bool is_inside = time > warp->def.start && time <= warp->def.end;
        if (i > 0)
            view_brush_line(brush, before, point, 3.0f * state->scale, faded(color, is_inside ? 1.0f : 0.35f));
        before = point;
    }
}

void view_overlay_warp(view_brush *brush, const view_state *state) {
    draw_warp_path(brush, state, view_warp_unwarped_at, DIM);
    draw_warp_path(brush, state, view_warp_at, ACCENT);
}

// ---- Effectors -----------------------------------------------------------------------------------------------

static void draw_ring(view_canvas *canvas, float x, float y, float radius, float width, view_color color) {
    for (int i = 0; i < SEGMENTS; i++) {
        const float a = 6.28318531f * (float)i / (float)SEGMENTS,
                    b = 6.28318531f * (float)(i + 1) / (float)SEGMENTS;
        view_canvas_line(canvas, x + radius * cosf(a), y + radius * sinf(a), x + radius * cosf(b),
                         y + radius * sinf(b), width, color);
    }
}

// A ring with a dot, in the colour of the warp's path.
static void draw_goal(view_canvas *canvas, const view_brush *brush, const view_state *state) {
    const float s = state->scale;
    float x, y;
    if (!view_brush_project(brush, view_body_goal(state), &x, &y)) return;
    if (!(fabsf(x) < 1e5f && fabsf(y) < 1e5f)) return;
    const bool is_under = state->drag == VIEW_DRAG_GOAL || view_body_goal_is_at(state, state->x, state->y);
    draw_ring(canvas, x, y, VIEW_RING * s, 4.0f * s, BACK);
    draw_ring(canvas, x, y, VIEW_RING * s, 2.0f * s, is_under ? TEXT : ACCENT);
    view_canvas_dot(canvas, x, y, 3.0f * s, is_under ? TEXT : ACCENT);
}

void view_overlay_effectors(view_canvas *canvas, const view_brush *brush, const view_state *state) {
    const view_scene *scene = state->scene;
    if (state->toggles.body && scene->actor_count > 0 && scene->player.warp.acts) draw_goal(canvas, brush, state);
    if (!state->toggles.body || scene->actor_count == 0 || !view_effectors_exist(&scene->effectors)) return;
    const bool drags = state->drag == VIEW_DRAG_EFFECTOR;
    const int under = drags ? state->effector : view_body_effector_at(state, state->x, state->y);
    const float s = state->scale;
    for (int i = 0; i < VIEW_EFFECTORS; i++) {
        float x, y;
        if (!view_brush_project(brush, view_body_position(state, i), &x, &y)) continue;
        if (!(fabsf(x) < 1e5f && fabsf(y) < 1e5f)) continue;
        draw_ring(canvas, x, y, VIEW_RING * s, 4.0f * s, BACK);
        draw_ring(canvas, x, y, VIEW_RING * s, 2.0f * s, i == under ? ACCENT : COMPARED);
    }
}
