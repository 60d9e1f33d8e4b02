// SPDX-License-Identifier: MIT
// The overlays of the picture.
#include "view/overlay.h"

#include "view/style.h"
#include "view/attachments.h"

#include <math.h>
#include <stdio.h>

static const view_color BONE = {255, 181, 71, 235}, BOUNDS = {30, 96, 178, 255}, NORMAL = {16, 132, 128, 190};
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

// Draws the bounds of the selected file.
static void draw_selected(view_brush *brush, const view_state *state) {
    const sinew_box box = sinew_scene_bounds(state->scene->scene, state->selected);
    if (box.min.x <= box.max.x) draw_box(brush, box.min, box.max, 1.0f * state->scale, ACCENT);
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

static sinew_vec3 position_of(const view_scene *scene, int32_t node) {
    return view_scene_node_position(scene, &scene->actors[0], node);
}

static uint8_t mix_byte(uint8_t a, uint8_t b, float t) {
    return (uint8_t)((float)a + t * ((float)b - (float)a));
}

// The colour of a bone: mixed with the layer's colour by its weight in the layer's mask.
static view_color bone_color(const view_scene *scene, int32_t node) {
    const view_layer *layer = &scene->player.layer;
    const float t = layer->shown ? layer->mask->nodes[node] * layer->weight : 0.0f;
    return (view_color){mix_byte(BONE.r, LAYER.r, t), mix_byte(BONE.g, LAYER.g, t), mix_byte(BONE.b, LAYER.b, t),
                        BONE.a};
}

// The brush, the colour and the camera position of a solid.
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

// Two pyramids with a common square base at the fraction `waist` of the line from `from` to `to`.
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
    const sinew_skeleton *skeleton = scene->actors[0].asset->skeleton;
    const float joint_size = 0.006f * state->orbit.radius;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (!scene->is_joint[i]) continue;
        const sinew_vec3 at = position_of(scene, i);
        const int32_t parent = skeleton->parents[i];
        const solid joint = {brush, bone_color(scene, i), eye};
        draw_joint(&joint, at, joint_size);
        if (parent == SINEW_NO_NODE || !scene->is_joint[parent]) continue;
        const solid bone = {brush, bone_color(scene, parent), eye};
        const sinew_vec3 from = position_of(scene, parent);
        const float length = sinew_vec3_length(sinew_vec3_subtract(at, from));
        if (length > 2.0f * joint_size) draw_octahedron(&bone, from, at, 0.15f, 0.06f * length);
    }
}

// ---- Root motion ---------------------------------------------------------------------------------------------

// The root path, slightly above the ground; older parts are fainter.
static void draw_path(view_brush *brush, const view_state *state, int side) {
    const view_scene *scene = state->scene;
    const view_walk *walk = &scene->player.walks[side];
    const float lift = scene->ground + 0.004f * state->orbit.radius;
    const view_color color = side == 0 ? BONE : COMPARED;
    for (int age = 0; age < walk->count; age++) {
        const sinew_vec3 newer = age == 0 ? walk->at : view_walk_point(walk, age - 1);
        sinew_vec3 a = view_scene_position(scene, side, newer);
        sinew_vec3 b = view_scene_position(scene, side, view_walk_point(walk, age));
        a.y += lift;
        b.y += lift;
        view_brush_line(brush, a, b, 3.0f * state->scale,
                        faded(color, 1.0f - 0.8f * (float)age / (float)VIEW_WALK_POINTS));
    }
}

static void draw_paths(view_brush *brush, const view_state *state) {
    const view_player *player = &state->scene->player;
    if (player->warp.acts) {
        view_overlay_warp(brush, state);
        return;
    }
    for (int side = 0; side < VIEW_SIDES && player->root != SINEW_NO_NODE && player->mixers[side]; side++) {
        draw_path(brush, state, side);
    }
}

void view_overlay_draw(view_brush *brush, const view_state *state, const draw_camera *camera) {
    const view_toggles *toggles = &state->toggles;
    if (state->scene->actor_count == 0) return;
    view_brush_begin(brush, &camera->view_projection, state->width, state->height);
    if (toggles->bounds) draw_box(brush, state->scene->least, state->scene->most, 1.5f * state->scale, BOUNDS);
    if (toggles->normals) draw_normals(brush, state);
    draw_paths(brush, state);
    draw_selected(brush, state);
    view_brush_end(brush);
    if (!toggles->skeleton && !toggles->colliders) return;
    glClear(GL_DEPTH_BUFFER_BIT); // draws both over the mesh, with their own depth order
    view_brush_begin(brush, &camera->view_projection, state->width, state->height);
    if (toggles->skeleton) draw_skeleton(brush, state, camera->eye);
    if (toggles->colliders) view_overlay_colliders(brush, state);
    view_brush_end(brush);
}

// ---- Comparison ----------------------------------------------------------------------------------------------

// The position of a character's topmost joint.
static sinew_vec3 top_of(const view_scene *scene, int side) {
    const view_actor *actor = view_scene_actor(scene, scene->player.nodes[side]);
    sinew_vec3 top = {0.0f, -INFINITY, 0.0f};
    for (int32_t i = 0; i < actor->asset->skeleton->node_count; i++) {
        const sinew_vec3 at = view_scene_node_position(scene, actor, i);
        if (scene->is_joint[i] && at.y > top.y) top = at;
    }
    return top;
}

void view_overlay_sides(view_canvas *canvas, const view_brush *brush, const view_state *state) {
    const view_scene *scene = state->scene;
    const int height = px(state, 20.0f), inset = px(state, 7.0f), away = px(state, 44.0f);
    if (scene->actor_count == 0 || !view_player_is_comparing(&scene->player)) return;
    for (int side = 0; side < VIEW_SIDES; side++) {
        const char *name = view_kind_name(scene->player.settings.kinds[side]);
        float x, y;
        if (!view_brush_project(brush, top_of(scene, side), &x, &y)) continue;
        if (!(fabsf(x) < 1e5f && fabsf(y) < 1e5f)) continue;
        const int width = view_canvas_text_width(canvas, VIEW_FONT_SMALL, name) + 2 * inset;
        const view_rect r = {(int)x - width / 2, (int)y - away, width, height};
        panel(canvas, state, r, NAME_BACK);
        view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + inset, r.y, r.height, 0, side_color(side), name);
    }
}

// ---- Names ---------------------------------------------------------------------------------------------------

static bool overlap(view_rect a, view_rect b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

enum { MAX_NAMES = 96 };

// Whether a bone is at least 14 pixels long on an unscaled screen, so that its name is readable next to its parent's.
static bool is_long_enough(const view_brush *brush, const view_state *state, int32_t node, float x, float y) {
    const view_scene *scene = state->scene;
    const int32_t parent = scene->actors[0].asset->skeleton->parents[node];
    float parent_x, parent_y;
    if (parent == SINEW_NO_NODE || !scene->is_joint[parent]) return true;
    if (!view_brush_project(brush, position_of(scene, parent), &parent_x, &parent_y)) return false;
    return fabsf(parent_x - x) + fabsf(parent_y - y) > 14.0f * state->scale;
}

// Parents come first, so that the names of larger bones have priority where names would overlap.
void view_overlay_names(view_canvas *canvas, const view_brush *brush, const view_state *state) {
    const view_scene *scene = state->scene;
    if (scene->actor_count == 0 || !state->toggles.skeleton) return;
    const sinew_skeleton *skeleton = scene->actors[0].asset->skeleton;
    const int height = view_pixels(state->scale, 16.0f), inset = view_pixels(state->scale, 4.0f);
    const int away = view_pixels(state->scale, 7.0f);
    view_rect taken[MAX_NAMES];
    int count = 0;
    for (int32_t i = 0; i < skeleton->node_count && count < MAX_NAMES; i++) {
        float x, y;
        if (!scene->is_joint[i] || !skeleton->names[i][0]) continue;
        if (!view_brush_project(brush, position_of(scene, i), &x, &y)) continue;
        if (!(fabsf(x) < 1e5f && fabsf(y) < 1e5f) || !is_long_enough(brush, state, i, x, y)) continue;
        const int width = view_canvas_text_width(canvas, VIEW_FONT_SMALL, skeleton->names[i]) + 2 * inset;
        const view_rect r = {(int)x + away, (int)y - height / 2, width, height};
        bool free = !overlap(r, state->layout.list) && !overlap(r, state->layout.timeline) &&
                    !overlap(r, state->layout.mixing) && !overlap(r, state->layout.attachments) &&
                    !overlap(r, state->layout.body);
        for (int k = 0; k < count && free; k++) free = !overlap(r, taken[k]);
        if (!free) continue;
        taken[count++] = (view_rect){r.x - away, r.y - away / 2, r.width + 2 * away, r.height + away};
        view_canvas_panel(canvas, r, 3.0f * state->scale, NAME_BACK);
        view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + inset, r.y, height, 0, NAME, skeleton->names[i]);
    }
}

// The name is to the right of its joint, or to the left if a panel is there. It is not drawn over the list of clips or
// the timeline.
void view_overlay_joint(view_canvas *canvas, const view_brush *brush, const view_state *state) {
    char text[96];
    float x, y;
    const view_actor *actor = view_scene_actor(state->scene, state->joint);
    if (!actor || !view_attachments_name(state, state->joint, text, sizeof text)) return;
    if (!view_brush_project(brush, view_scene_node_position(state->scene, actor, state->joint.joint), &x, &y))
        return;
    if (!(fabsf(x) < 1e5f && fabsf(y) < 1e5f)) return;
    const int height = px(state, 18.0f), inset = px(state, 6.0f), away = px(state, 9.0f);
    const int width = view_canvas_text_width(canvas, VIEW_FONT_SMALL, text) + 2 * inset;
    const view_layout *l = &state->layout;
    view_rect r = {(int)x + away, (int)y - height / 2, width, height};
    const bool is_hidden = overlap(r, l->mixing) || overlap(r, l->attachments) || overlap(r, l->body);
    if (is_hidden || r.x + r.width > l->width) r.x = (int)x - away - width;
    view_canvas_dot(canvas, x, y, 4.0f * state->scale, ACCENT);
    if (overlap(r, l->list) || overlap(r, l->timeline)) return;
    panel(canvas, state, r, NAME_BACK);
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + inset, r.y, height, 0, ACCENT, text);
}
