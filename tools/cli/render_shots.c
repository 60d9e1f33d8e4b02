// SPDX-License-Identifier: MIT
// Chooses clips and cross-fades, and the number and times of frames.
#include "cli/render_shots.h"

#include <math.h>
#include <stdlib.h>

static const float DEFAULT_FPS = 30.0f;
enum { MAX_DEFAULT_FRAMES = 300, DEFAULT_COLUMNS = 4, DEFAULT_ROWS = 2, CLIP_COLUMNS = 6 };

// ---- Clips ---------------------------------------------------------------------------------------------------

static int compare_starts(const void *a, const void *b) {
    float x = ((const cli_crossfade *)a)->start, y = ((const cli_crossfade *)b)->start;
    return (x > y) - (x < y);
}

static bool find_clips(cli_stage *stage, const cli_render_args *args) {
    const cli_actor *actor = &stage->actors[0];
    stage->clip_time = args->time;
    if (stage->script) return true;
    if (stage->all.count > 0) {
        stage->clip = stage->all.clips[0];
    } else if (args->clip) {
        stage->clip = cli_find_clip(actor->asset, actor->path, args->clip);
        if (!stage->clip) return false;
    } else if (actor->asset->clip_count > 0) {
        stage->clip = &actor->asset->clips[0];
    }
    stage->clip_time = stage->clip ? fminf(args->time, stage->clip->duration) : 0.0f;
    for (int i = 0; i < args->crossfade_count; i++) {
        const cli_crossfade_arg *fade = &args->crossfades[i];
        const sinew_clip *clip = cli_find_clip(actor->asset, actor->path, fade->clip);
        if (!clip) return false;
        stage->crossfades[i] = (cli_crossfade){clip, fade->start, fade->duration, fade->once};
    }
    stage->crossfade_count = args->crossfade_count;
    qsort(stage->crossfades, (size_t)stage->crossfade_count, sizeof stage->crossfades[0], compare_starts);
    return true;
}

static const float AFTER_LAST_INPUT = 2.0f; // seconds

// Returns one loop of the clip. With cross-fades, the span ends when the last one is over and its clip has played once.
// A script ends some time after the last input, and a recording at its end.
float cli_shot_span(const cli_shot *shot, const cli_stage *stage) {
    if (stage->script) {
        const float after = stage->script->recorded.bytes ? 0.0f : AFTER_LAST_INPUT;
        return fmaxf(cli_script_span(stage->script) + after - stage->clip_time, 0.0f);
    }
    if (stage->crossfade_count == 0) return shot->clip ? shot->clip->duration : 0.0f;
    const cli_crossfade *last = &stage->crossfades[stage->crossfade_count - 1];
    return last->start + fmaxf(last->duration, last->clip->duration);
}

// ---- One shot ------------------------------------------------------------------------------------------------

static void choose_grid(cli_shots *shots, const cli_render_args *args) {
    shots->columns = args->columns;
    shots->rows = args->rows;
    if (args->columns == 0 && args->frames == 0) {
        shots->columns = DEFAULT_COLUMNS;
        shots->rows = DEFAULT_ROWS;
    } else if (args->columns == 0) {
        shots->columns = (int)ceilf(sqrtf((float)args->frames));
        shots->rows = (args->frames + shots->columns - 1) / shots->columns;
    }
}

// Spreads the frames over the whole span to close a loop, unless both their number and rate are given.
static cli_shot one_shot(cli_shots *shots, const cli_stage *stage, const cli_render_args *args) {
    cli_shot shot = {.clip = stage->clip, .frame_count = args->frames};
    const float span = cli_shot_span(&shot, stage);
    const float fps = args->fps > 0.0f ? args->fps : DEFAULT_FPS;
    shot.step = 1.0f / fps;
    if (args->sheet) {
        choose_grid(shots, args);
        if (shot.frame_count == 0) shot.frame_count = shots->columns * shots->rows;
        if (args->fps <= 0.0f) shot.step = span / (float)shot.frame_count;
    } else if (!args->webp) {
        shot.frame_count = 1;
    } else if (args->frames == 0) {
        float count = fminf(fmaxf(roundf(span * fps), 1.0f), (float)MAX_DEFAULT_FRAMES);
        shot.frame_count = (int)count;
        bool whole = shot.frame_count < MAX_DEFAULT_FRAMES && span > 0.0f;
        if (args->fps <= 0.0f && whole) shot.step = span / count;
    }
    return shot;
}

// ---- A row for each clip -------------------------------------------------------------------------------------

static bool choose_rows(cli_shots *shots, const cli_stage *stage, const cli_render_args *args) {
    const cli_actor *actor = &stage->actors[0];
    const int total = actor->asset->clip_count;
    if (total == 0) {
        cli_fail("%s: the file has no clips", actor->path);
        return false;
    }
    if (args->first_clip >= total) {
        cli_fail("%s: no clip %d; the last one is %d", actor->path, args->first_clip, total - 1);
        return false;
    }
    int most = args->rows > 0 && args->rows < CLI_MAX_CLIP_ROWS ? args->rows : CLI_MAX_CLIP_ROWS;
    shots->columns = args->columns > 0 ? args->columns : CLIP_COLUMNS;
    shots->count = total - args->first_clip < most ? total - args->first_clip : most;
    shots->rows = shots->count;
    for (int i = 0; i < shots->count; i++) {
        const sinew_clip *clip = &actor->asset->clips[args->first_clip + i];
        shots->shots[i] = (cli_shot){clip, clip->duration / (float)shots->columns, shots->columns};
    }
    int next = args->first_clip + shots->count;
    if (args->first_clip > 0 || next < total) {
        char following[64] = "";
        if (next < total) snprintf(following, sizeof following, "; use --clips %d for the next ones", next);
        cli_warn("%s: drawing clips %d to %d of 0 to %d%s", actor->path, args->first_clip, next - 1, total - 1,
                 following);
    }
    return true;
}

// ---- All -----------------------------------------------------------------------------------------------------

bool cli_shots_choose(cli_shots *shots, cli_stage *stage, const cli_render_args *args) {
    *shots = (cli_shots){0};
    if (!find_clips(stage, args)) return false;
    if (args->clips) {
        if (!choose_rows(shots, stage, args)) return false;
    } else {
        shots->shots[0] = one_shot(shots, stage, args);
        shots->count = 1;
    }
    for (int i = 0; i < shots->count; i++) shots->frame_count += shots->shots[i].frame_count;
    return true;
}

void cli_shot_set(const cli_shot *shot, cli_stage *stage) {
    stage->clip = shot->clip;
    stage->step = shot->step;
}
