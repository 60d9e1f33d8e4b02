// SPDX-License-Identifier: MIT
// Finds the jumps in a recording.
#include "cli/jumps.h"
#include "continuity/continuity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AROUND = 4,              // frames before and after one, which it is compared with
    WINDOW = 2 * AROUND + 1, // frames in memory
    MAX_ACTIONS = 64
};

#define LEVER            0.1f   // of the model's height: the length that a joint turns
#define WEIGHT_DEGREES   150.0f // of a joint's rotation that count as much as a whole morph weight
#define MIN_CONTRIBUTION 0.1f   // of the largest weight: lighter actions excuse nothing

// A frame: the steps of its rows, which are the nodes, the root, and the morph weights.
typedef struct frame {
    cli_jump jump;            // with the number, the time and the calls; the rest is found later
    float *steps, *clips;     // [rows], of the mixer, and the largest of the clips
    const sinew_clip **owner; // [rows], the clip of the largest
} frame;

// The time of an action in the last frame.
typedef struct action_time {
    sinew_action action;
    float time, advance; // in the clip's seconds
} action_time;

typedef struct finder {
    const sinew_skeleton *skeleton;
    sinew_mixer *mixer;
    int32_t rows;
    float limit, weight_limit; // the largest excess that is not a jump
    sinew_continuity *shown, *own;
    sinew_pose *pose, *rest;
    sinew_affine *model;
    float *weights; // [weight_count], of the last frame
    action_time times[MAX_ACTIONS], last_times[MAX_ACTIONS];
    int32_t time_count, last_time_count;
    frame window[WINDOW];
    int64_t count; // of frames
    float dt;      // advanced since the last frame
    cli_jump next; // the calls since the last frame
    cli_jumps *out;
} finder;

// ---- Memory --------------------------------------------------------------------------------------------------

static bool create_frames(finder *f) {
    size_t rows = (size_t)f->rows;
    bool good = true;
    for (int i = 0; i < WINDOW; i++) {
        frame *one = &f->window[i];
        one->steps = calloc(rows, sizeof *one->steps);
        one->clips = calloc(rows, sizeof *one->clips);
        one->owner = calloc(rows, sizeof *one->owner);
        good = good && one->steps && one->clips && one->owner;
    }
    return good;
}

static bool create(finder *f, const sinew_skeleton *skeleton) {
    size_t nodes = (size_t)skeleton->node_count, weights = (size_t)skeleton->weight_count;
    f->skeleton = skeleton;
    f->rows = skeleton->node_count + 1 + skeleton->weight_count;
    f->model = calloc(nodes + 1, sizeof *f->model);
    f->weights = calloc(weights + 1, sizeof *f->weights);
    return f->model && f->weights && create_frames(f) &&
           sinew_continuity_create(skeleton, NULL, &f->shown) == SINEW_OK &&
           sinew_continuity_create(skeleton, NULL, &f->own) == SINEW_OK &&
           sinew_pose_create(skeleton, NULL, &f->pose) == SINEW_OK &&
           sinew_pose_create(skeleton, NULL, &f->rest) == SINEW_OK;
}

static void destroy(finder *f) {
    for (int i = 0; i < WINDOW; i++) {
        free(f->window[i].steps);
        free(f->window[i].clips);
        free((void *)f->window[i].owner);
    }
    free(f->model);
    free(f->weights);
    sinew_continuity_destroy(f->shown);
    sinew_continuity_destroy(f->own);
    sinew_pose_destroy(f->pose);
    sinew_pose_destroy(f->rest);
}

// ---- The clips' own motion -----------------------------------------------------------------------------------

static const action_time *last_time_of(const finder *f, sinew_action action) {
    for (int32_t i = 0; i < f->last_time_count; i++) {
        if (f->last_times[i].action.id == action.id) return &f->last_times[i];
    }
    return NULL;
}

// The time from which an action has played to its current time. After a seek, and in its first frame, that is at its
// speed: the jump is not the clip's.
static float time_before(const finder *f, sinew_action action, float time, float *advance) {
    const sinew_clip *clip = sinew_action_clip(f->mixer, action);
    const action_time *last = last_time_of(f, action);
    float by_speed = sinew_action_speed(f->mixer, action) * f->dt, duration = clip->duration;
    *advance = by_speed;
    if (last) {
        float advanced = time - last->time;
        if (fabsf(advanced) > 0.5f * duration) advanced -= copysignf(duration, advanced);
        float largest = 2.0f * fmaxf(fabsf(by_speed), fabsf(last->advance)) + 1e-3f;
        *advance = advanced;
        if (fabsf(advanced) <= largest) return last->time;
    }
    return fminf(duration, fmaxf(0.0f, time - by_speed));
}

static sinew_jump measure_clip(finder *f, const sinew_clip *clip, float time) {
    sinew_clip_sample(clip, time, f->pose);
    if (clip->additive) sinew_pose_add(f->pose, f->rest, f->pose, 1.0f, NULL);
    sinew_pose_to_model(f->pose, f->model);
    const sinew_continuity_frame one = {f->model, NULL, sinew_root_delta_identity(), f->dt};
    return sinew_continuity_measure(f->own, &one);
}

static void keep_larger(frame *to, int32_t row, float step, const sinew_clip *clip) {
    if (!(step > to->clips[row])) return;
    to->clips[row] = step;
    to->owner[row] = clip;
}

// Adds the steps of a clip. What the root motion took from the pose is not a step of a node.
static void add_clip(finder *f, frame *to, const sinew_clip *clip, float before, float time) {
    sinew_root_delta root = sinew_mixer_root_delta(f->mixer);
    float advanced = hypotf(hypotf(root.translation.x, root.translation.y), root.translation.z);
    float size = sinew_continuity_size(f->own);
    sinew_continuity_restart(f->own);
    measure_clip(f, clip, before);
    for (int32_t i = 0; i < f->skeleton->weight_count; i++) f->weights[i] = f->pose->weights[i];
    measure_clip(f, clip, time);
    for (int32_t i = 0; i < f->skeleton->node_count; i++)
        keep_larger(to, i, fmaxf(0.0f, sinew_continuity_node_step(f->own, i) * size - advanced), clip);
    int32_t first = f->skeleton->node_count + 1;
    for (int32_t i = 0; i < f->skeleton->weight_count; i++)
        keep_larger(to, first + i, fabsf(f->pose->weights[i] - f->weights[i]), clip);
}

static void add_clips(finder *f, frame *to) {
    sinew_action actions[MAX_ACTIONS];
    int32_t count = sinew_mixer_actions(f->mixer, actions, MAX_ACTIONS);
    float largest = 0.0f;
    if (count > MAX_ACTIONS) count = MAX_ACTIONS;
    for (int32_t i = 0; i < count; i++) largest = fmaxf(largest, sinew_action_weight(f->mixer, actions[i]));
    f->time_count = 0;
    for (int32_t i = 0; i < count; i++) {
        const sinew_clip *clip = sinew_action_clip(f->mixer, actions[i]);
        float time = sinew_action_time(f->mixer, actions[i]), advance = 0.0f;
        float before = time_before(f, actions[i], time, &advance);
        f->times[f->time_count++] = (action_time){actions[i], time, advance};
        float weight = sinew_action_weight(f->mixer, actions[i]);
        if (weight > 0.0f && weight >= MIN_CONTRIBUTION * largest) add_clip(f, to, clip, before, time);
    }
    memcpy(f->last_times, f->times, sizeof f->times);
    f->last_time_count = f->time_count;
}

// ---- Jumps ---------------------------------------------------------------------------------------------------

static float beyond(const finder *f, int64_t number, int32_t row, bool clips_count) {
    const frame *one = &f->window[number % WINDOW];
    return fmaxf(0.0f, one->steps[row] - (clips_count ? one->clips[row] : 0.0f));
}

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// The lower median of the frames on one side of a frame; 0 without any.
static float usual(const finder *f, int64_t from, int64_t to, int32_t row, bool clips_count) {
    float values[AROUND];
    int count = 0;
    for (int64_t i = from; i < to; i++) {
        if (i >= 0 && i < f->count) values[count++] = beyond(f, i, row, clips_count);
    }
    if (count == 0) return 0.0f;
    qsort(values, (size_t)count, sizeof *values, compare_floats);
    return values[(count - 1) / 2];
}

// By how much a row's step exceeds those in the frames before or after, which may vary by half.
static float excess_over_frames(const finder *f, int64_t number, int32_t row, bool clips_count) {
    float now = beyond(f, number, row, clips_count);
    float before = usual(f, number - AROUND, number, row, clips_count);
    float after = usual(f, number + 1, number + 1 + AROUND, row, clips_count);
    return now - 1.5f * fmaxf(before, after);
}

// By how much a row jumps. With `clips_count`, beyond the clips' own steps as well: a clip that is slow in this frame
// and fast in those around it does not make a pop of an even fade.
static float excess_of(const finder *f, int64_t number, int32_t row, bool clips_count) {
    float excess = excess_over_frames(f, number, row, false);
    return clips_count ? fminf(excess, excess_over_frames(f, number, row, true)) : excess;
}

static float limit_of(const finder *f, int32_t row) {
    return row > f->skeleton->node_count ? f->weight_limit : f->limit;
}

// The row that jumps most, relative to its limit; -1: none.
static int32_t find_row(const finder *f, int64_t number, bool clips_count) {
    int32_t worst = -1;
    float most = 1.0f;
    for (int32_t row = 0; row < f->rows; row++) {
        if (!(beyond(f, number, row, clips_count) > limit_of(f, row))) continue;
        float excess = excess_of(f, number, row, clips_count);
        // A clip may be fast for a moment; a jump of its own is several times the steps around it.
        bool is_fast = !clips_count && excess < 0.6f * beyond(f, number, row, false);
        if (is_fast || !(excess > most * limit_of(f, row))) continue;
        most = excess / limit_of(f, row);
        worst = row;
    }
    return worst;
}

// Whether `a` is listed before `b`.
static bool is_worse(const cli_jump *a, const cli_jump *b) {
    if (a->kind != b->kind) return a->kind == CLI_JUMP_POP;
    return a->excess > b->excess;
}

static void list_jump(cli_jumps *to, const cli_jump *jump) {
    int32_t place = to->worst_count;
    if (place == CLI_MAX_JUMPS) {
        if (!is_worse(jump, &to->worst[--place])) return;
    } else {
        to->worst_count++;
    }
    for (; place > 0 && is_worse(jump, &to->worst[place - 1]); place--) to->worst[place] = to->worst[place - 1];
    to->worst[place] = *jump;
}

// Judges a frame, of which the frames before and after are known.
static void judge(finder *f, int64_t number) {
    frame *one = &f->window[number % WINDOW];
    cli_jump *jump = &one->jump;
    bool pops = true;
    int32_t row = find_row(f, number, true);
    if (row < 0) row = find_row(f, number, pops = false);
    if (row < 0) return;
    int32_t nodes = f->skeleton->node_count;
    jump->kind = pops ? CLI_JUMP_POP : CLI_JUMP_CLIP;
    jump->part = row < nodes ? CLI_JUMP_NODE : row == nodes ? CLI_JUMP_ROOT : CLI_JUMP_WEIGHT;
    jump->index = row < nodes ? row : row - nodes - 1;
    jump->step = one->steps[row];
    jump->clips = one->clips[row];
    jump->excess = excess_of(f, number, row, pops);
    jump->clip = one->owner[row];
    if (pops) {
        f->out->pops++;
    } else {
        f->out->clip_jumps++;
    }
    list_jump(f->out, jump);
}

// ---- Frames --------------------------------------------------------------------------------------------------

// Measures the mixer's pose as a new frame, and judges the one AROUND frames before.
static void add_frame(finder *f) {
    frame *to = &f->window[f->count % WINDOW];
    float size = sinew_continuity_size(f->shown);
    const sinew_continuity_frame one = {sinew_mixer_model_matrices(f->mixer), sinew_mixer_weights(f->mixer),
                                        sinew_mixer_root_delta(f->mixer), f->dt};
    memset(to->clips, 0, (size_t)f->rows * sizeof *to->clips);
    memset((void *)to->owner, 0, (size_t)f->rows * sizeof *to->owner);
    sinew_jump jump = sinew_continuity_measure(f->shown, &one);
    int32_t nodes = f->skeleton->node_count;
    for (int32_t i = 0; i < nodes; i++) to->steps[i] = sinew_continuity_node_step(f->shown, i) * size;
    if (f->count == 0) memset(to->steps, 0, (size_t)f->rows * sizeof *to->steps);
    to->steps[nodes] = jump.root * size;
    memset(to->steps + nodes + 1, 0, (size_t)f->skeleton->weight_count * sizeof *to->steps);
    if (jump.weight_index >= 0) to->steps[nodes + 1 + jump.weight_index] = jump.weight;
    add_clips(f, to);
    to->jump = f->next;
    to->jump.frame = f->count;
    f->next = (cli_jump){.call_count = 0};
    f->dt = 0.0f;
    f->count++;
    if (f->count > AROUND) judge(f, f->count - 1 - AROUND);
}

static bool begins_with(const char *text, const char *word) {
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && (text[length] == ' ' || text[length] == '\0');
}

static void note_call(finder *f, int64_t number, const char *text) {
    if (begins_with(text, "evaluate") || begins_with(text, "save")) return;
    if (f->next.call_count < CLI_JUMP_CALLS) {
        f->next.calls[f->next.call_count].number = number;
        snprintf(f->next.calls[f->next.call_count].text, sizeof f->next.calls[0].text, "%.159s", text);
    }
    f->next.call_count++;
}

// Makes the next call. A frame is a pose that is shown after the time has advanced.
static bool make_call(finder *f, const char *path, sinew_replay *replay) {
    cli_call_line line;
    int64_t number = replay->calls_made;
    double seconds = replay->seconds;
    if (!cli_recorded_step(path, replay, &line)) return false;
    bool shows = begins_with(line.text, "show") || begins_with(line.text, "to_model");
    bool advances = begins_with(line.text, "advance");
    if (advances) f->dt += (float)(replay->seconds - seconds);
    if (!advances && !shows) note_call(f, number, line.text);
    if (!shows || !(f->dt > 0.0f)) return true;
    f->next.call = number;
    f->next.seconds = replay->seconds;
    add_frame(f);
    return true;
}

static void read_percentiles(const finder *f, cli_jumps *out) {
    static const float percents[CLI_PERCENTILES] = {50.0f, 95.0f, 99.0f};
    float size = out->size = sinew_continuity_size(f->shown);
    out->height = sinew_continuity_height(f->shown);
    for (int i = 0; i < CLI_PERCENTILES; i++) {
        out->acceleration[i] =
            size * sinew_continuity_percentile(f->shown, SINEW_CONTINUITY_ACCELERATION, percents[i]);
        out->jerk[i] = size * sinew_continuity_percentile(f->shown, SINEW_CONTINUITY_JERK, percents[i]);
    }
}

bool cli_find_jumps(const char *path, const sinew_asset *asset, sinew_replay *replay, float degrees,
                    cli_jumps *jumps) {
    finder f = {.mixer = replay->mixer, .out = jumps};
    bool good = create(&f, asset->skeleton);
    if (!good) cli_fail("%s: out of memory", path);
    if (good) {
        float sine = sinf(degrees * 0.00872664626f); // of half the angle
        f.limit = 2.0f * sine * LEVER * sinew_continuity_height(f.shown);
        f.weight_limit = degrees / WEIGHT_DEGREES;
    }
    *jumps = (cli_jumps){.frames = 0};
    while (good && replay->calls_made < replay->call_count) good = make_call(&f, path, replay);
    for (int64_t i = f.count > AROUND ? f.count - AROUND : 0; good && i < f.count; i++) judge(&f, i);
    if (good) read_percentiles(&f, jumps);
    jumps->frames = f.count;
    jumps->seconds = replay->seconds;
    destroy(&f);
    return good;
}
