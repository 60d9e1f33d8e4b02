// sinew render: a still, a contact sheet or an animation, drawn without a display.
#include "cli.h"
#include "render_args.h"

#include "draw/egl_context.h"
#include "draw/renderer.h"
#include "draw/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float DEFAULT_FPS = 30.0f;
enum { MOST_DEFAULT_FRAMES = 300, DEFAULT_COLUMNS = 4, DEFAULT_ROWS = 2 };

// Everything that a run holds.
typedef struct run {
    cli_render_args args;
    cli_stage stage;
    draw_framing framing;
    draw_egl egl;
    sinew_gl *gl;
    draw_target target;
    draw_renderer renderer;
    draw_model models[CLI_MOST_ACTORS];
    int model_count;
    int frame_count;
    draw_picture frame; // the one just drawn
    draw_picture sheet;
    draw_webp webp;
} run;

// ---- The stage -----------------------------------------------------------------------------------------------

static int compare_starts(const void *a, const void *b) {
    float x = ((const cli_crossfade *)a)->start, y = ((const cli_crossfade *)b)->start;
    return (x > y) - (x < y);
}

static bool find_clips(run *r) {
    cli_stage *stage = &r->stage;
    const cli_actor *actor = &stage->actors[0];
    if (r->args.clip) {
        stage->clip = cli_find_clip(actor->asset, actor->path, r->args.clip);
        if (!stage->clip) return false;
    } else if (actor->asset->clip_count > 0) {
        stage->clip = &actor->asset->clips[0];
    }
    stage->clip_time = stage->clip ? fminf(r->args.time, stage->clip->duration) : 0.0f;
    for (int i = 0; i < r->args.crossfade_count; i++) {
        const cli_crossfade_arg *fade = &r->args.crossfades[i];
        const sinew_clip *clip = cli_find_clip(actor->asset, actor->path, fade->clip);
        if (!clip) return false;
        stage->crossfades[i] = (cli_crossfade){clip, fade->start, fade->duration, fade->once};
    }
    stage->crossfade_count = r->args.crossfade_count;
    qsort(stage->crossfades, (size_t)stage->crossfade_count, sizeof stage->crossfades[0], compare_starts);
    return true;
}

// How long there is something to see: one loop of the clip, or until the last cross-fade is done and its clip was
// played once.
static float natural_span(const cli_stage *stage) {
    if (stage->crossfade_count == 0) return stage->clip ? stage->clip->duration : 0.0f;
    const cli_crossfade *last = &stage->crossfades[stage->crossfade_count - 1];
    return last->start + fmaxf(last->duration, last->clip->duration);
}

static void choose_sheet(run *r) {
    cli_render_args *args = &r->args;
    if (args->columns == 0 && args->frames == 0) {
        args->columns = DEFAULT_COLUMNS;
        args->rows = DEFAULT_ROWS;
    } else if (args->columns == 0) {
        args->columns = (int)ceilf(sqrtf((float)args->frames));
        args->rows = (args->frames + args->columns - 1) / args->columns;
    }
    r->frame_count = args->frames > 0 ? args->frames : args->columns * args->rows;
}

// Frames are spread over the whole span where their number or rate leaves it open, so that a loop closes.
static void choose_frames(run *r) {
    const cli_render_args *args = &r->args;
    const float span = natural_span(&r->stage);
    const float fps = args->fps > 0.0f ? args->fps : DEFAULT_FPS;
    r->frame_count = args->frames;
    r->stage.step = 1.0f / fps;
    if (args->sheet) {
        choose_sheet(r);
        if (args->fps <= 0.0f) r->stage.step = span / (float)r->frame_count;
    } else if (!args->webp) {
        r->frame_count = 1;
    } else if (args->frames == 0) {
        float count = fminf(fmaxf(roundf(span * fps), 1.0f), (float)MOST_DEFAULT_FRAMES);
        r->frame_count = (int)count;
        bool whole = r->frame_count < MOST_DEFAULT_FRAMES && span > 0.0f;
        if (args->fps <= 0.0f && whole) r->stage.step = span / count;
    }
}

static bool load_stage(run *r) {
    if (!cli_stage_add(&r->stage, r->args.file, NULL)) return false;
    for (int i = 0; i < r->args.attachment_count; i++) {
        const cli_attach_arg *attachment = &r->args.attachments[i];
        if (!cli_stage_add(&r->stage, attachment->path, attachment->node)) return false;
    }
    if (!find_clips(r)) return false;
    choose_frames(r);
    return true;
}

// Plays everything once to see how much room it takes.
static bool frame_stage(run *r) {
    const cli_render_args *args = &r->args;
    r->framing = draw_framing_start((float)args->width / (float)args->height);
    if (!cli_stage_start(&r->stage)) return false;
    for (int i = 0; i < r->frame_count; i++) {
        if (i > 0) cli_stage_advance(&r->stage);
        if (!cli_stage_frame(&r->stage, &r->framing)) return false;
    }
    if (r->framing.empty) cli_fail("%s: there is nothing to draw in its scene", args->file);
    return !r->framing.empty;
}

// ---- OpenGL --------------------------------------------------------------------------------------------------

static bool make_models(run *r, sinew_error *error) {
    for (int i = 0; i < r->stage.actor_count; i++) {
        const cli_actor *actor = &r->stage.actors[i];
        if (!draw_model_create(&r->models[r->model_count++], r->gl, actor->asset, actor->path, error)) return false;
    }
    return true;
}

static bool open_gl(run *r) {
    sinew_error error;
    sinew_gl_def def = sinew_gl_default_def();
    def.get_proc_address = draw_egl_proc;
    bool good = draw_egl_open(&r->egl, DRAW_EGL_DESKTOP, &error) &&
                sinew_gl_create(&def, &r->gl, &error) == SINEW_OK &&
                draw_target_create(&r->target, r->args.width, r->args.height, &error) &&
                draw_renderer_create(&r->renderer, r->gl, &error) && make_models(r, &error);
    if (!good) cli_fail("%s", error.message);
    return good;
}

static draw_look look_of(const cli_render_args *args) {
    if (!args->background) return draw_look_default();
    if (strcmp(args->background, "none") == 0) return draw_look_transparent();
    return draw_look_even((uint32_t)strtoul(args->background, NULL, 16));
}

static bool draw_frame(run *r) {
    for (int i = 0; i < r->model_count; i++) {
        const cli_actor *actor = &r->stage.actors[i];
        draw_model_pose(&r->models[i], actor->world, cli_actor_weights(actor));
    }
    const draw_look look = look_of(&r->args);
    sinew_error error;
    if (!draw_renderer_draw(&r->renderer, r->target.framebuffer, r->args.width, r->args.height, &look, &r->framing,
                            r->models, r->model_count, &error)) {
        cli_fail("%s", error.message);
        return false;
    }
    draw_target_read(&r->target, &r->frame);
    return true;
}

// ---- Output --------------------------------------------------------------------------------------------------

static int milliseconds(const run *r, int frame) {
    return (int)lrint(1000.0 * frame * (double)r->stage.step);
}

static bool begin_output(run *r) {
    const cli_render_args *args = &r->args;
    bool good = draw_picture_create(&r->frame, args->width, args->height);
    if (good && args->sheet) {
        good = draw_picture_create(&r->sheet, args->columns * args->width, args->rows * args->height);
    }
    if (good && args->webp) good = draw_webp_begin(&r->webp, args->width, args->height);
    if (!good) cli_fail("%s: out of memory", args->output);
    return good;
}

static bool take_frame(run *r, int frame) {
    const cli_render_args *args = &r->args;
    if (args->sheet) {
        draw_picture_paste(&r->sheet, &r->frame, frame % args->columns * args->width,
                           frame / args->columns * args->height);
    }
    if (!args->webp || draw_webp_add(&r->webp, &r->frame, milliseconds(r, frame))) return true;
    cli_fail("%s: %s", args->output, draw_webp_reason(&r->webp));
    return false;
}

static bool write_picture(run *r, FILE *file) {
    if (!r->args.webp) return draw_picture_write_png(r->args.sheet ? &r->sheet : &r->frame, file);
    return draw_webp_write(&r->webp, milliseconds(r, r->frame_count), file);
}

static bool write_output(run *r) {
    const char *path = r->args.output;
    FILE *file = cli_open_output(path, "wb");
    if (!file) return false;
    bool encoded = write_picture(r, file);
    if (!encoded) cli_fail("%s: %s", path, r->args.webp ? draw_webp_reason(&r->webp) : "out of memory");
    bool written = cli_close_output(file, path);
    if (encoded && written) return true;
    remove(path);
    return false;
}

// ---- The command ---------------------------------------------------------------------------------------------

static bool draw_all(run *r) {
    if (!cli_stage_start(&r->stage)) return false;
    for (int i = 0; i < r->frame_count; i++) {
        if (i > 0) cli_stage_advance(&r->stage);
        if (!draw_frame(r) || !take_frame(r, i)) return false;
        cli_progress("drawing", i + 1, r->frame_count);
    }
    return true;
}

static bool render(run *r) {
    if (!load_stage(r) || !frame_stage(r) || !open_gl(r)) return false;
    return begin_output(r) && draw_all(r) && write_output(r);
}

static void free_run(run *r) {
    for (int i = 0; i < r->model_count; i++) draw_model_free(&r->models[i]);
    if (r->gl) {
        draw_renderer_free(&r->renderer);
        draw_target_free(&r->target);
    }
    sinew_gl_destroy(r->gl);
    draw_egl_close(&r->egl);
    cli_stage_free(&r->stage);
    draw_picture_free(&r->frame);
    draw_picture_free(&r->sheet);
    draw_webp_free(&r->webp);
}

// Whether the output can be written is asked first, so that nothing is rendered for a minute in vain, and without
// harming what is there: an older picture stays until the new one is ready.
static bool check_output(const char *path, bool *made) {
    FILE *file = cli_open_output(path, "ab");
    if (!file) return false;
    *made = fseek(file, 0, SEEK_END) == 0 && ftell(file) == 0;
    return cli_close_output(file, path);
}

int cli_render(int argc, char **argv) {
    int status;
    run r = {0};
    bool made = false;
    if (!cli_render_read_args(&r.args, argc, argv, &status)) return status;
    if (!check_output(r.args.output, &made)) return CLI_BAD_INPUT;
    bool good = render(&r);
    free_run(&r);
    if (!good && made) remove(r.args.output);
    return good ? CLI_GOOD : CLI_BAD_INPUT;
}
