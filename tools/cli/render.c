// SPDX-License-Identifier: MIT
// sinew render: draws a still, a sheet of frames or an animation without a display.
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/render_args.h"
#include "cli/render_overlay.h"
#include "cli/render_shots.h"

#include "numbers/numbers.h"
#include "render/crowd.h"
#include "render/egl_context.h"
#include "render/paint.h"
#include "render/properties.h"
#include "render/renderer.h"
#include "render/target.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    cli_render_args args;
    cli_script script; // for --graph
    cli_stage stage;
    cli_stage ghosts[CLI_MAX_GHOSTS]; // oldest first
    cli_shots shots;
    cli_trails trails;
    cli_pose_warps warps;
    draw_framing framing;
    float ground;                         // height
    draw_camera camera;                   // of the current frame
    int32_t focus;                        // the node that the camera follows, or SINEW_NO_NODE
    const sinew_camera_node *file_camera; // for --camera; may be NULL
    const cli_actor *camera_actor;        // the actor that has file_camera
    draw_egl egl;
    sinew_gl *gl;
    draw_target target;
    draw_renderer renderer;
    draw_model models[CLI_MAX_ACTORS];
    int model_count;
    draw_crowd crowd; // around the first actor; empty without --crowd
    draw_font font;
    bool labels;
    int label_height; // the label is at the bottom of a frame
    int row_label_width;
    draw_picture frame; // the last one drawn
    draw_picture sheet;
    draw_webp webp;
    cli_output output;
} run;

// ---- The stage -----------------------------------------------------------------------------------------------

static bool find_focus(run *r) {
    const cli_actor *actor = &r->stage.actors[0];
    r->focus = SINEW_NO_NODE;
    if (!r->args.focus[0]) return true;
    r->focus = cli_find_node(actor->asset, actor->path, r->args.focus);
    return r->focus != SINEW_NO_NODE;
}

// Finds a camera by its node's name, its own name, or its number among all files' cameras.
static bool find_camera(run *r) {
    const char *name = r->args.camera;
    const char *digits = name ? name + 1 : NULL;
    int number = 0, index = -1;
    if (name && name[0] == '#' && (!numbers_read_whole(&digits, 0, INT_MAX, &index) || *digits)) index = -1;
    for (int i = 0; name && i < r->stage.actor_count; i++) {
        const sinew_asset *asset = r->stage.actors[i].asset;
        for (int32_t k = 0; k < asset->camera_node_count; k++) {
            const sinew_camera_node *camera = &asset->camera_nodes[k];
            const char *node_name = asset->skeleton->names[camera->node];
            bool is_named = strcmp(name, node_name) == 0 || strcmp(name, asset->cameras[camera->camera].name) == 0;
            if (!is_named && number++ != index) continue;
            r->file_camera = camera;
            r->camera_actor = &r->stage.actors[i];
            return true;
        }
    }
    if (name) cli_fail("%s: no camera '%s'; the files have %d", r->args.file, name, number);
    return !name;
}

static bool make_crowd(run *r) {
    const cli_actor *actor = &r->stage.actors[0];
    const draw_crowd_def def = {actor->asset, actor->path, r->args.crowd, r->args.baked};
    sinew_error error;
    if (def.count == 0 || draw_crowd_create(&r->crowd, &def, &error)) return true;
    cli_fail("%s", error.message);
    return false;
}

static bool load_script(run *r) {
    const cli_render_args *args = &r->args;
    if (!args->graph) return true;
    r->stage.script = &r->script;
    const sinew_asset *asset = r->stage.actors[0].asset;
    if (!cli_script_load(&r->script, args->graph, asset, args->inputs, args->input_count)) return false;
    return !args->recording || cli_script_load_recording(&r->script, args->recording);
}

static bool combine_clips(run *r) {
    if (!r->args.play_all) return true;
    sinew_error error;
    draw_all_clips *all = &r->stage.all;
    if (!draw_all_clips_make(all, r->stage.actors[0].asset, &error)) {
        cli_fail("%s: %s", r->args.file, error.message);
        return false;
    }
    cli_warn_left_out(all, r->args.file);
    return true;
}

// Makes the first clip's pose warps from the options.
static bool make_warps(run *r) {
    const cli_render_args *args = &r->args;
    if (args->leg_turn == 0.0f && args->stride == 1.0f) return true;
    const cli_actor *actor = &r->stage.actors[0];
    r->stage.warps = &r->warps;
    return cli_pose_warps_make(&r->warps, args->file, actor->asset, r->shots.shots[0].clip, args->leg_turn,
                               args->stride);
}

static bool load_stage(run *r) {
    r->stage.up = r->args.up;
    r->stage.wind = r->args.springs.wind;
    if (!cli_stage_add(&r->stage, r->args.file, NULL) || !load_script(r) || !combine_clips(r)) return false;
    if (!cli_springs_create(&r->args.springs, r->stage.actors[0].asset, r->args.file, &r->stage.springs))
        return false;
    for (int i = 0; i < r->args.other_count; i++) {
        const cli_actor_arg *other = &r->args.others[i];
        if (!cli_stage_add(&r->stage, other->path, other)) return false;
    }
    return cli_shots_choose(&r->shots, &r->stage, &r->args) && make_warps(r) &&
           cli_trails_find(&r->trails, &r->stage, &r->args) && find_focus(r) && find_camera(r) && make_crowd(r);
}

// Records trails over the whole clip for a still, and from the first to the last frame otherwise.
static bool record_trails(run *r, const cli_shot *shot) {
    if (r->args.sheet || r->args.webp) {
        return cli_trails_record(&r->trails, &r->stage, shot->frame_count, shot->step);
    }
    float ticks = fminf(fmaxf(roundf(cli_shot_span(shot, &r->stage) / shot->step), 1.0f), 3000.0f);
    cli_stage from_start = r->stage;
    from_start.clip_time = 0.0f;
    return cli_trails_record(&r->trails, &from_start, (int)ticks, shot->step);
}

static bool start_shot(run *r, const cli_shot *shot) {
    cli_shot_set(shot, &r->stage);
    for (int i = 0; i < r->args.ghosts; i++) {
        cli_stage_free(&r->ghosts[i]);
        float delay = (float)(r->args.ghosts - i) * r->args.ghost_gap;
        if (!cli_stage_echo(&r->ghosts[i], &r->stage, delay) || !cli_stage_start(&r->ghosts[i])) return false;
    }
    return cli_stage_start(&r->stage) && record_trails(r, shot);
}

static void advance_shot(run *r) {
    cli_stage_advance(&r->stage);
    for (int i = 0; i < r->args.ghosts; i++) cli_stage_advance(&r->ghosts[i]);
}

static bool add_to_framing(run *r) {
    for (int i = 0; i < r->args.ghosts; i++) {
        if (!cli_stage_frame(&r->ghosts[i], &r->framing)) return false;
    }
    return cli_stage_frame(&r->stage, &r->framing);
}

// Plays everything once to find its extent in pictures with this aspect ratio.
static bool frame_stage(run *r, float aspect) {
    const float radians = 3.14159265f / 180.0f;
    r->framing = draw_framing_start(aspect, r->args.yaw * radians, r->args.pitch * radians);
    draw_crowd_frame(&r->crowd, &r->framing);
    for (int i = 0; i < r->shots.count; i++) {
        const cli_shot *shot = &r->shots.shots[i];
        if (!start_shot(r, shot)) return false;
        for (int k = 0; k < shot->frame_count; k++) {
            if (k > 0) advance_shot(r);
            if (!add_to_framing(r)) return false;
        }
        cli_trails_frame(&r->trails, &r->framing);
    }
    if (r->framing.empty) {
        cli_fail("%s: its scene has nothing to draw", r->args.file);
        return false;
    }
    r->ground = draw_framing_add_ground(&r->framing);
    return true;
}

// ---- Sizes ---------------------------------------------------------------------------------------------------

// --clips draws smaller frames, because a sheet has more of them.
enum { FRAME_PIXELS = 320 * 240, CLIP_FRAME_PIXELS = 150 * 150 };

static bool choose_size(run *r) {
    cli_render_args *args = &r->args;
    if (args->width > 0) return true;
    if (!frame_stage(r, 1.0f)) return false;
    float aspect = fminf(fmaxf(draw_framing_aspect(&r->framing), 0.6f), 2.0f);
    if (r->focus != SINEW_NO_NODE) aspect = 1.0f;
    float pixels = args->clips ? (float)CLIP_FRAME_PIXELS : (float)FRAME_PIXELS;
    args->height = (int)sqrtf(pixels / aspect);
    args->width = (int)((float)args->height * aspect);
    return true;
}

enum { MIN_LABELLED_WIDTH = 90, MIN_LABELLED_HEIGHT = 80, MAX_ROW_LABEL = 200 };

static bool choose_labels(run *r) {
    const cli_render_args *args = &r->args;
    bool large = args->width >= MIN_LABELLED_WIDTH && args->height >= MIN_LABELLED_HEIGHT;
    r->labels = args->sheet && args->labels && large;
    if (!r->labels) return true;
    int size = args->height / 17;
    if (!draw_font_create(&r->font, size < 12 ? 12 : size > 22 ? 22 : size)) {
        cli_fail("%s: out of memory", args->output);
        return false;
    }
    r->label_height = r->font.size * 3 / 2;
    for (int i = 0; args->clips && i < r->shots.count; i++) {
        int width = draw_text_width(&r->font, r->shots.shots[i].clip->name) + 2 * r->font.size;
        if (width > r->row_label_width) r->row_label_width = width < MAX_ROW_LABEL ? width : MAX_ROW_LABEL;
    }
    return true;
}

static bool choose_framing(run *r) {
    if (!choose_size(r) || !choose_labels(r)) return false;
    const int free_height = r->args.height - r->label_height;
    return frame_stage(r, (float)r->args.width / (float)free_height);
}

static draw_camera close_up(const run *r) {
    const sinew_affine node = cli_stage_world(&r->stage, &r->stage.actors[0], r->focus);
    const sinew_vec3 target = {node.m[0][3], node.m[1][3], node.m[2][3]};
    const float size = 2.0f * draw_framing_radius(&r->framing);
    const float height = r->args.focus_height > 0.0f ? r->args.focus_height : 0.25f * size;
    return draw_framing_close_up(&r->framing, target, height);
}

static draw_camera camera_of_file(const run *r) {
    const sinew_asset *asset = r->camera_actor->asset;
    const float aspect = (float)r->args.width / (float)(r->args.height - r->label_height);
    const sinew_mixer *mixer = sinew_scene_mixer(r->stage.scene, r->camera_actor->node);
    const float *curves = mixer ? sinew_mixer_curves(mixer) : asset->skeleton->rest_curves;
    const sinew_camera camera = draw_animate_camera(asset, r->file_camera->camera, curves);
    return draw_camera_of(&camera, asset->up, cli_stage_world(&r->stage, r->camera_actor, r->file_camera->node),
                          aspect);
}

static void aim_camera(run *r) {
    r->camera = r->file_camera              ? camera_of_file(r)
                : r->focus == SINEW_NO_NODE ? draw_framing_camera(&r->framing)
                                            : close_up(r);
    draw_camera_lift(&r->camera, (float)r->label_height / (float)r->args.height);
}

// ---- OpenGL --------------------------------------------------------------------------------------------------

static bool make_models(run *r, sinew_error *error) {
    for (int i = 0; i < r->stage.actor_count; i++) {
        const cli_actor *actor = &r->stage.actors[i];
        if (!draw_model_create(&r->models[r->model_count++], r->gl, actor->asset, actor->path, error)) return false;
    }
    return r->args.crowd == 0 || draw_crowd_upload(&r->crowd, r->gl, error);
}

static bool open_gl(run *r) {
    sinew_error error;
    sinew_gl_def def = sinew_gl_default();
    def.get_proc_address = draw_egl_proc;
    bool good = draw_egl_open(&r->egl, DRAW_EGL_DESKTOP, &error) &&
                sinew_gl_create(&def, &r->gl, &error) == SINEW_OK &&
                draw_target_create(&r->target, r->args.width, r->args.height, &error) &&
                draw_renderer_create(&r->renderer, r->gl, r->args.crowd, &error) && make_models(r, &error);
    if (!good) cli_fail("%s", error.message);
    return good;
}

static draw_look look_of(const cli_render_args *args) {
    if (!args->background) return draw_look_default();
    if (strcmp(args->background, "none") == 0) return draw_look_transparent();
    return draw_look_even((uint32_t)strtoul(args->background, NULL, 16));
}

static void pose_models(int ghost, void *user) {
    run *r = user;
    const cli_stage *stage = ghost < r->args.ghosts ? &r->ghosts[ghost] : &r->stage;
    sinew_scene_node nodes[CLI_MAX_ACTORS];
    for (int i = 0; i < r->model_count; i++) {
        nodes[i] = stage->actors[i].node;
        draw_model_pose(&r->models[i], stage->scene, nodes[i]);
    }
    draw_models_cull(r->models, nodes, r->model_count, stage->scene, &r->camera.view_projection);
}

static void paint_over(run *r) {
    const cli_stage *stage = &r->stage;
    bool still = !r->args.sheet && !r->args.webp;
    cli_skeleton_paint(stage, r->args.skeleton, &r->camera, &r->frame);
    cli_trails_paint(&r->trails, &r->camera, still ? stage->clip_time : (float)stage->frame * stage->step,
                     &r->frame);
}

static bool draw_frame(run *r) {
    aim_camera(r);
    const float radius = draw_framing_radius(&r->framing);
    draw_view view = {r->camera, r->framing.least,   r->framing.most, draw_framing_center(&r->framing),
                      radius,    .show_ground = true};
    view.ground.y = r->ground;
    draw_look look = look_of(&r->args);
    look.fade = r->args.skeleton ? 0.2f : 0.0f;
    look.ghost_count = r->args.ghosts;
    look.pose = pose_models;
    look.user = r;
    pose_models(r->args.ghosts, r);
    if (r->args.crowd > 0) {
        draw_crowd_pose(&r->crowd);
        view.crowd = &r->crowd.model;
    }
    sinew_error error;
    if (!draw_renderer_draw(&r->renderer, r->target.framebuffer, r->args.width, r->args.height, &look, &view,
                            r->models, r->model_count, &error)) {
        cli_fail("%s", error.message);
        return false;
    }
    draw_target_read(&r->target, &r->frame);
    paint_over(r);
    return true;
}

// ---- Labels --------------------------------------------------------------------------------------------------

static bool is_dark(uint32_t rgb) {
    return 3 * (rgb >> 16 & 255) + 6 * (rgb >> 8 & 255) + (rgb & 255) < 1000;
}

static uint32_t label_color(const run *r) {
    const char *background = r->args.background;
    if (!background) return 0x49525d;
    if (strcmp(background, "none") == 0) return 0x7d8790; // readable on light and dark backgrounds
    return is_dark((uint32_t)strtoul(background, NULL, 16)) ? 0xc9d0d8 : 0x3c434c;
}

// Fills a label's background with the lower end of the gradient, like below the frames.
static void fill_label(run *r, int x, int y, int width, int height) {
    uint8_t rgba[4] = {0xf1, 0xf1, 0xee, 255};
    const char *background = r->args.background;
    const uint32_t color = background ? (uint32_t)strtoul(background, NULL, 16) : 0;
    for (int i = 0; background && i < 3; i++) rgba[i] = (uint8_t)(color >> (16 - 8 * i) & 255u);
    if (background && strcmp(background, "none") == 0) memset(rgba, 0, sizeof rgba);
    draw_paint_fill(&r->sheet, x, y, width, height, rgba);
}

// Labels a frame. In a sheet of clips, names are to the left of each row.
static void label_frame(run *r, int x, int y) {
    char text[300];
    if (r->focus != SINEW_NO_NODE) { // a close-up extends below the label
        fill_label(r, x, y + r->args.height - r->label_height, r->args.width, r->label_height);
    }
    if (r->args.clips) {
        const float time = (float)r->stage.frame * r->stage.step;
        snprintf(text, sizeof text, "%.2f s", (double)time);
    } else {
        cli_stage_describe(&r->stage, text, sizeof text);
    }
    cli_label_paint(&r->font, &r->sheet, x, y + r->args.height, r->args.width, label_color(r), text);
}

static void label_row(run *r, int shot, int y) {
    const sinew_clip *clip = r->shots.shots[shot].clip;
    char text[32];
    snprintf(text, sizeof text, "%.2f s", (double)clip->duration);
    const int middle = y + r->args.height / 2;
    const uint32_t color = label_color(r);
    cli_label_paint(&r->font, &r->sheet, 0, middle, r->row_label_width, color, clip->name);
    cli_label_paint(&r->font, &r->sheet, 0, middle + r->font.line_height, r->row_label_width,
                    draw_paint_mix(color, 0x9aa3ac, 0.6f), text);
}

// ---- Output --------------------------------------------------------------------------------------------------

static int milliseconds(const run *r, int frame) {
    return (int)lrint(1000.0 * frame * (double)r->shots.shots[0].step);
}

static bool begin_output(run *r) {
    const cli_render_args *args = &r->args;
    bool good = draw_picture_create(&r->frame, args->width, args->height);
    if (good && args->sheet) {
        good = draw_picture_create(&r->sheet, r->row_label_width + r->shots.columns * args->width,
                                   r->shots.rows * args->height);
    }
    if (good && args->webp) good = draw_webp_begin(&r->webp, args->width, args->height);
    if (!good) cli_fail("%s: out of memory", args->output);
    if (good && r->row_label_width > 0) fill_label(r, 0, 0, r->row_label_width, r->sheet.height);
    return good;
}

static bool take_frame(run *r, int frame) {
    const cli_render_args *args = &r->args;
    if (args->sheet) {
        int x = r->row_label_width + frame % r->shots.columns * args->width;
        int y = frame / r->shots.columns * args->height;
        draw_picture_paste(&r->sheet, &r->frame, x, y);
        if (r->labels) label_frame(r, x, y);
    }
    if (!args->webp || draw_webp_add(&r->webp, &r->frame, milliseconds(r, frame))) return true;
    cli_fail("%s: %s", args->output, draw_webp_reason(&r->webp));
    return false;
}

static bool write_picture(run *r, FILE *file) {
    if (!r->args.webp) return draw_picture_write_png(r->args.sheet ? &r->sheet : &r->frame, file);
    return draw_webp_write(&r->webp, milliseconds(r, r->shots.frame_count), file);
}

static int write_output(run *r) {
    if (write_picture(r, r->output.file)) return cli_output_close(&r->output);
    return cli_fail("%s: %s", r->args.output, r->args.webp ? draw_webp_reason(&r->webp) : "out of memory");
}

// ---- The command ---------------------------------------------------------------------------------------------

enum { POSED_RATE = 60, POSED_FRAMES = 2 * POSED_RATE };

// Advances a crowd with limited poses in steps of about 1/60 s. Runs a little longer before the first frame, to make
// the limit visible.
static void advance_posed_crowd(run *r, float seconds, bool is_first) {
    aim_camera(r);
    draw_crowd_limit(&r->crowd, r->args.poses, r->camera.eye);
    for (int i = 0; is_first && i < POSED_FRAMES; i++) draw_crowd_advance(&r->crowd, 1.0f / POSED_RATE);
    const int steps = (int)ceilf(seconds * POSED_RATE - 0.01f);
    for (int i = 0; i < steps; i++) draw_crowd_advance(&r->crowd, seconds / (float)steps);
}

static void advance_crowd(run *r, bool is_first) {
    const float seconds = is_first ? r->args.time : r->stage.step;
    if (r->args.poses > 0) {
        advance_posed_crowd(r, seconds, is_first);
    } else {
        draw_crowd_advance(&r->crowd, seconds);
    }
}

static bool draw_shot(run *r, int shot, int *done) {
    if (!start_shot(r, &r->shots.shots[shot])) return false;
    for (int i = 0; i < r->shots.shots[shot].frame_count; i++) {
        if (i > 0) advance_shot(r);
        advance_crowd(r, *done == 0);
        if (!draw_frame(r) || !take_frame(r, *done)) return false;
        cli_progress("drawing", ++*done, r->shots.frame_count);
    }
    if (r->row_label_width > 0) label_row(r, shot, shot * r->args.height);
    return true;
}

static bool draw_all(run *r) {
    int done = 0;
    cli_progress("drawing", done, r->shots.frame_count);
    for (int i = 0; i < r->shots.count; i++) {
        if (!draw_shot(r, i, &done)) return false;
    }
    return true;
}

static int render(run *r) {
    const bool is_drawn = choose_framing(r) && open_gl(r) && begin_output(r) && draw_all(r);
    return is_drawn ? write_output(r) : CLI_BAD_INPUT;
}

static void free_run(run *r) {
    draw_crowd_free(&r->crowd);
    for (int i = 0; i < r->model_count; i++) draw_model_free(&r->models[i]);
    if (r->gl) {
        draw_renderer_free(&r->renderer);
        draw_target_free(&r->target);
    }
    sinew_gl_destroy(r->gl);
    draw_egl_close(&r->egl);
    for (int i = 0; i < r->args.ghosts; i++) cli_stage_free(&r->ghosts[i]);
    cli_trails_free(&r->trails);
    cli_stage_free(&r->stage);
    cli_script_free(&r->script);
    draw_font_free(&r->font);
    draw_picture_free(&r->frame);
    draw_picture_free(&r->sheet);
    draw_webp_free(&r->webp);
}

// Opens the output before drawing, so an invalid one fails at once.
static int open_output(run *r) {
    const cli_output_def def = {"render", "-o", r->args.output};
    return cli_output_open(&r->output, &def);
}

int cli_render_draw(const cli_render_args *args) {
    run r = {.args = *args};
    int status = load_stage(&r) ? open_output(&r) : CLI_BAD_INPUT;
    if (status == CLI_GOOD) status = render(&r);
    free_run(&r);
    cli_output_discard(&r.output); // no-op if it was written
    return status;
}

int cli_render(int argc, char **argv) {
    int status;
    cli_render_args args;
    return cli_render_read_args(&args, argc, argv, &status) ? cli_render_draw(&args) : status;
}
