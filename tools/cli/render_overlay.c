// SPDX-License-Identifier: MIT
// Paints overlays in the picture's pixels.
#include "cli/render_overlay.h"

#include "render/paint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t HALO = 0xffffff, JOINT = 0xff6a00, BONE = 0xffa040, OTHER = 0x6f8296, DARK = 0x30231a;

// Returns the line scale, which is proportional to the picture's height.
static float scale_of(const draw_picture *picture) {
    return fmaxf((float)picture->height / 480.0f, 0.5f);
}

static sinew_vec3 position_of(const cli_stage *stage, const cli_actor *actor, int32_t node) {
    const sinew_affine world = cli_stage_world(stage, actor, node);
    return (sinew_vec3){world.m[0][3], world.m[1][3], world.m[2][3]};
}

static bool end_at(const draw_camera *camera, const draw_picture *picture, sinew_vec3 point, float radius,
                   draw_end *end) {
    float x, y;
    if (!draw_camera_project(camera, point, &x, &y)) return false;
    *end = (draw_end){x * (float)picture->width, y * (float)picture->height, radius};
    return true;
}

static draw_end wider(draw_end end, float more) {
    end.radius += more;
    return end;
}

// ---- Trails --------------------------------------------------------------------------------------------------

enum { POINTS_PER_TICK = 8 };

bool cli_trails_find(cli_trails *trails, const cli_stage *stage, const cli_render_args *args) {
    const cli_actor *actor = &stage->actors[0];
    for (int i = 0; i < args->trail_count; i++) {
        trails->nodes[i] = cli_find_node(actor->asset, actor->path, args->trails[i]);
        if (trails->nodes[i] == SINEW_NO_NODE) return false;
        trails->count++;
    }
    return true;
}

static void play(cli_trails *trails, cli_stage *stage) {
    for (int k = 0; k < trails->point_count; k++) {
        if (k > 0) cli_stage_advance(stage);
        for (int i = 0; i < trails->count; i++) {
            trails->points[i][k] = position_of(stage, &stage->actors[0], trails->nodes[i]);
        }
    }
}

bool cli_trails_record(cli_trails *trails, const cli_stage *stage, int ticks, float step) {
    if (trails->count == 0) return true;
    trails->tick_count = ticks;
    trails->point_count = ticks * POINTS_PER_TICK;
    trails->step = step;
    bool good = true;
    for (int i = 0; i < trails->count; i++) {
        free(trails->points[i]);
        trails->points[i] = calloc((size_t)trails->point_count + 1, sizeof(sinew_vec3));
        good = good && trails->points[i];
    }
    if (!good) {
        cli_fail("%s: out of memory", stage->actors[0].path);
        return false;
    }
    cli_stage player;
    good = cli_stage_echo(&player, stage, 0.0f);
    player.step = step / (float)POINTS_PER_TICK;
    good = good && cli_stage_start(&player);
    if (good) play(trails, &player);
    cli_stage_free(&player);
    return good;
}

void cli_trails_free(cli_trails *trails) {
    for (int i = 0; i < trails->count; i++) free(trails->points[i]);
    *trails = (cli_trails){0};
}

void cli_trails_frame(const cli_trails *trails, draw_framing *framing) {
    for (int i = 0; i < trails->count; i++) {
        for (int k = 0; k < trails->point_count; k++) draw_framing_add(framing, &trails->points[i][k].x, 1);
    }
}

// Returns the color of a time, given as a fraction of the whole.
static uint32_t time_color(float part) {
    static const uint32_t stops[] = {0x2a4bd7, 0x9a3fc8, 0xee5a6a, 0xffc21f};
    enum { LAST = sizeof stops / sizeof stops[0] - 1 };
    float position = fminf(fmaxf(part, 0.0f), 1.0f) * (float)LAST;
    int stop = position < (float)LAST ? (int)position : LAST - 1;
    return draw_paint_mix(stops[stop], stops[stop + 1], position - (float)stop);
}

typedef struct trail_brush {
    const cli_trails *trails;
    const draw_camera *camera;
    draw_picture *picture;
    const sinew_vec3 *points;
    float scale;
} trail_brush;

// Paints the line itself if `more` is 0. Otherwise paints a halo with that width.
static void paint_trail(const trail_brush *b, float more, float opacity) {
    const cli_trails *trails = b->trails;
    draw_end from = {0}, to;
    for (int k = 0; k < trails->point_count; k++) {
        float part = (float)k / (float)trails->point_count;
        uint32_t color = more > 0.0f ? HALO : time_color(part);
        bool tick = k % POINTS_PER_TICK == 0;
        bool there = end_at(b->camera, b->picture, b->points[k], 1.1f * b->scale, &to);
        if (there && k > 0) draw_paint_stroke(b->picture, wider(from, more), wider(to, more), color, opacity);
        if (there && tick) {
            draw_end dot = wider(to, 1.2f * b->scale + more);
            draw_paint_stroke(b->picture, dot, dot, color, opacity);
        }
        if (!there) return;
        from = to;
    }
}

static void paint_current(const trail_brush *b, float now) {
    const float moment = now / b->trails->step * (float)POINTS_PER_TICK;
    const int point = (int)lrintf(fminf(fmaxf(moment, 0.0f), (float)(b->trails->point_count - 1)));
    draw_end dot;
    if (!end_at(b->camera, b->picture, b->points[point], 3.6f * b->scale, &dot)) return;
    draw_paint_stroke(b->picture, wider(dot, 1.6f * b->scale), wider(dot, 1.6f * b->scale), HALO, 1.0f);
    draw_paint_stroke(b->picture, dot, dot, time_color((float)point / (float)b->trails->point_count), 1.0f);
}

void cli_trails_paint(const cli_trails *trails, const draw_camera *camera, float now, draw_picture *picture) {
    for (int i = 0; i < trails->count && trails->point_count > 0; i++) {
        trail_brush b = {trails, camera, picture, trails->points[i], scale_of(picture)};
        paint_trail(&b, 1.0f * b.scale, 0.55f);
        paint_trail(&b, 0.0f, 1.0f);
        paint_current(&b, now);
    }
}

// ---- Skeletons -----------------------------------------------------------------------------------------------

static bool *find_joints(const sinew_asset *asset) {
    bool *is_joint = calloc((size_t)asset->skeleton->node_count + 1, sizeof *is_joint);
    for (int32_t i = 0; is_joint && cli_is_motion(asset) && i < asset->skeleton->node_count; i++) {
        is_joint[i] = true; // nothing else will be drawn
    }
    for (int32_t i = 0; is_joint && i < asset->skin_count; i++) {
        const sinew_skin *skin = &asset->skins[i];
        for (int32_t k = 0; k < skin->joint_count; k++) is_joint[skin->joints[k]] = true;
    }
    return is_joint;
}

typedef struct bone_brush {
    const cli_stage *stage;
    const cli_actor *actor;
    const draw_camera *camera;
    draw_picture *picture;
    const bool *is_joint;
    float scale;
} bone_brush;

static bool node_at(const bone_brush *b, int32_t node, draw_end *end) {
    return end_at(b->camera, b->picture, position_of(b->stage, b->actor, node), 0.0f, end);
}

// Returns the size of a joint's dot. It depends on the bone that leads to the joint, so finger dots don't overlap.
static float joint_size(const bone_brush *b, int32_t node) {
    int32_t parent = b->actor->asset->skeleton->parents[node];
    draw_end from, to;
    if (parent == SINEW_NO_NODE || !node_at(b, parent, &from) || !node_at(b, node, &to)) return b->scale;
    float length = hypotf(to.x - from.x, to.y - from.y);
    return b->scale * fminf(fmaxf(0.09f * length / b->scale, 0.45f), 1.0f);
}

// Paints a bone that tapers from its joint to the next one. Between nodes that aren't joints, paints a thin line.
static void paint_bone(const bone_brush *b, int32_t node, bool joints) {
    int32_t parent = b->actor->asset->skeleton->parents[node];
    if (parent == SINEW_NO_NODE || joints != (b->is_joint[node] && b->is_joint[parent])) return;
    const float size = joints ? joint_size(b, node) : b->scale;
    draw_end from, to;
    if (!node_at(b, parent, &from) || !node_at(b, node, &to)) return;
    from.radius = (joints ? 2.6f : 0.7f) * size;
    to.radius = (joints ? 0.9f : 0.7f) * size;
    if (joints) {
        float edge = 0.9f * size;
        draw_paint_stroke(b->picture, wider(from, edge), wider(to, edge), DARK, 0.55f);
    }
    draw_paint_stroke(b->picture, from, to, joints ? BONE : OTHER, joints ? 1.0f : 0.7f);
}

static void paint_node(const bone_brush *b, int32_t node, bool joint) {
    draw_end dot;
    if (b->is_joint[node] != joint || !node_at(b, node, &dot)) return;
    const float size = joint ? joint_size(b, node) : b->scale;
    dot.radius = (joint ? 2.9f : 1.9f) * size;
    draw_end edge = wider(dot, 0.9f * size);
    if (joint) draw_paint_stroke(b->picture, edge, edge, DARK, 0.7f);
    draw_paint_stroke(b->picture, dot, dot, joint ? JOINT : OTHER, joint ? 1.0f : 0.7f);
}

static void paint_actor(const bone_brush *b) {
    const int32_t count = b->actor->asset->skeleton->node_count;
    for (int joints = 0; joints <= 1; joints++) {
        for (int32_t i = 0; i < count; i++) paint_bone(b, i, joints);
        for (int32_t i = 0; i < count; i++) paint_node(b, i, joints);
    }
}

void cli_skeleton_paint(const cli_stage *stage, bool all, const draw_camera *camera, draw_picture *picture) {
    for (int i = 0; i < stage->actor_count; i++) {
        const cli_actor *actor = &stage->actors[i];
        if (!all && !cli_is_motion(actor->asset)) continue;
        bool *is_joint = find_joints(actor->asset);
        bone_brush b = {stage, actor, camera, picture, is_joint, scale_of(picture)};
        if (is_joint) paint_actor(&b);
        free(is_joint);
    }
}

// ---- Labels --------------------------------------------------------------------------------------------------

void cli_label_paint(const draw_font *font, draw_picture *picture, int x, int y, int width, uint32_t color,
                     const char *text) {
    char fitted[256];
    const int margin = font->size / 2;
    draw_text_fit(font, text, width - 2 * margin, fitted, sizeof fitted);
    draw_text_paint(font, picture, x + margin, y - margin - font->descent / 2, color, fitted);
}
