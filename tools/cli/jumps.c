// SPDX-License-Identifier: MIT
// Finds the jumps in a recording.
#include "cli/jumps.h"
#include "continuity/continuity.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AROUND = 4,              // how many frames before and after a frame it's compared with
    WINDOW = 2 * AROUND + 1, // frames kept in memory
    MAX_ACTIONS = 64
};

#define LEVER            0.1f   // lever arm that a joint turns, as a fraction of the model's height
#define WEIGHT_DEGREES   150.0f // joint rotation that counts as much as a whole morph weight
#define MIN_CONTRIBUTION 0.1f   // fraction of the largest weight; lighter actions don't excuse a jump

enum { POINTS = 4 }; // a node's points: its origin, and one on each axis

// How far a node's points move in a step, in meters.
typedef struct node_steps {
    float points[POINTS][3];
} node_steps;

// The motion of one clip that contributes to a frame.
typedef struct clip_motion {
    const sinew_clip *clip;
    int32_t layer;
    float before, time; // seconds into the clip
} clip_motion;

// A frame with its rows: the steps of each node, the root and each morph weight. The clips' steps are only measured
// when needed, because few frames need them.
typedef struct frame {
    cli_jump jump;            // the number, the time and the calls; the rest is filled in later
    float dt, root_advance;   // seconds and meters
    bool is_split;            // the next frame is known
    float *even;              // [rows]; steps that transitions make with all clips paused
    float *steps, *clips;     // [rows]; steps of the mixer and of the clips: each layer's largest, summed
    const sinew_clip **owner; // [rows]; the clip that moves most
    node_steps *directions;   // [nodes]; the mixer's steps
    clip_motion motions[MAX_ACTIONS];
    int32_t motion_count, last_layer;
    bool has_clips;
} frame;

// An action's time in the last frame.
typedef struct action_time {
    sinew_action action;
    float time, advance; // in clip seconds
} action_time;

struct cli_jump_finder {
    const sinew_skeleton *skeleton;
    const sinew_mixer *mixer;
    const sinew_mask *const *masks; // [mask_count]; the layers' masks
    int32_t mask_count;
    bool *left_out; // [rows]
    int32_t rows;
    float limit, weight_limit; // largest excess that isn't a jump
    sinew_continuity *shown, *own;
    sinew_pose *pose, *rest;
    sinew_affine *model;
    bool is_split;  // for the next frame
    float *even;    // [rows]; for the next frame
    void *snapshot; // the mixer's, `snapshot_size` bytes
    size_t snapshot_size;
    node_steps *scratch;        // [nodes]
    node_steps *points;         // [nodes]; in the last frame
    float *axes;                // [nodes][3]; factors for a model matrix's columns
    float *weights;             // [weight_count]; in the last frame
    float *of_layer, *of_owner; // [rows]; while measuring clips: a layer's largest, and its owner's
    action_time times[MAX_ACTIONS], last_times[MAX_ACTIONS];
    int32_t time_count, last_time_count;
    frame window[WINDOW];
    int64_t count; // frames since the start
    cli_jumps *out;
};

typedef cli_jump_finder finder;

// ---- Memory --------------------------------------------------------------------------------------------------

static bool create_frames(finder *f) {
    size_t rows = (size_t)f->rows;
    bool good = true;
    for (int i = 0; i < WINDOW; i++) {
        frame *one = &f->window[i];
        one->steps = calloc(rows, sizeof *one->steps);
        one->clips = calloc(rows, sizeof *one->clips);
        one->owner = calloc(rows, sizeof *one->owner); // NOLINT(bugprone-sizeof-expression): pointers
        one->directions = calloc(rows, sizeof *one->directions);
        one->even = calloc(rows, sizeof *one->even);
        good = good && one->even && one->steps && one->clips && one->owner && one->directions;
    }
    return good;
}

static bool create_parts(finder *f, const sinew_skeleton *skeleton) {
    size_t nodes = (size_t)skeleton->node_count, weights = (size_t)skeleton->weight_count;
    f->skeleton = skeleton;
    f->rows = skeleton->node_count + 1 + skeleton->weight_count;
    f->model = calloc(nodes + 1, sizeof *f->model);
    f->weights = calloc(weights + 1, sizeof *f->weights);
    f->even = calloc((size_t)f->rows, sizeof *f->even);
    f->scratch = calloc(nodes + 1, sizeof *f->scratch);
    f->points = calloc(nodes + 1, sizeof *f->points);
    f->axes = calloc(3 * nodes + 1, sizeof *f->axes);
    f->of_layer = calloc((size_t)f->rows, sizeof *f->of_layer);
    f->of_owner = calloc((size_t)f->rows, sizeof *f->of_owner);
    f->left_out = calloc((size_t)f->rows, sizeof *f->left_out);
    return f->left_out && f->model && f->weights && f->even && f->scratch && f->points && f->axes && f->of_layer &&
           f->of_owner && create_frames(f) && sinew_continuity_create(skeleton, NULL, &f->shown) == SINEW_OK &&
           sinew_continuity_create(skeleton, NULL, &f->own) == SINEW_OK &&
           sinew_pose_create(skeleton, NULL, &f->pose) == SINEW_OK &&
           sinew_pose_create(skeleton, NULL, &f->rest) == SINEW_OK;
}

void cli_jump_finder_destroy(cli_jump_finder *f) {
    if (!f) return;
    for (int i = 0; i < WINDOW; i++) {
        free(f->window[i].steps);
        free(f->window[i].clips);
        free((void *)f->window[i].owner);
        free(f->window[i].directions);
        free(f->window[i].even);
    }
    free(f->model);
    free(f->weights);
    free(f->even);
    system_free(f->snapshot);
    free(f->scratch);
    free(f->points);
    free(f->axes);
    free(f->of_layer);
    free(f->of_owner);
    free(f->left_out);
    sinew_continuity_destroy(f->shown);
    sinew_continuity_destroy(f->own);
    sinew_pose_destroy(f->pose);
    sinew_pose_destroy(f->rest);
    free(f);
}

// Scales the rest pose's axes to a tenth of the height.
static void measure_axes(finder *f) {
    sinew_pose_to_model(f->rest, f->model);
    for (int32_t i = 0; i < 3 * f->skeleton->node_count; i++) {
        const sinew_affine *m = &f->model[i / 3];
        float length = hypotf(hypotf(m->m[0][i % 3], m->m[1][i % 3]), m->m[2][i % 3]);
        f->axes[i] = length > 0.0f ? LEVER * sinew_continuity_height(f->shown) / length : 0.0f;
    }
}

cli_jump_finder *cli_jump_finder_create(const sinew_skeleton *skeleton, float degrees) {
    finder *f = calloc(1, sizeof *f);
    if (!f || !create_parts(f, skeleton)) {
        cli_jump_finder_destroy(f);
        return NULL;
    }
    float sine = sinf(degrees * 0.00872664626f); // of half the angle
    f->limit = 2.0f * sine * LEVER * sinew_continuity_height(f->shown);
    f->weight_limit = degrees / WEIGHT_DEGREES;
    measure_axes(f);
    return f;
}

void cli_jump_finder_set_masks(cli_jump_finder *f, const sinew_mask *const *masks, int32_t count) {
    f->masks = masks;
    f->mask_count = count;
}

void cli_jump_finder_leave_out(cli_jump_finder *f, int32_t node) {
    f->left_out[node] = true;
}

void cli_jump_finder_leave_out_swinging(cli_jump_finder *f, const graph_stand *stand) {
    for (int32_t i = 0; i < f->skeleton->node_count; i++) {
        if (graph_stand_swings(stand, i)) cli_jump_finder_leave_out(f, i);
    }
}

void cli_jump_finder_start(cli_jump_finder *f, const sinew_mixer *mixer, cli_jumps *jumps) {
    f->mixer = mixer;
    f->out = jumps;
    f->count = 0;
    f->last_time_count = 0;
    sinew_continuity_restart(f->shown);
}

// ---- The clips' own motion -----------------------------------------------------------------------------------

static const action_time *last_time_of(const finder *f, sinew_action action) {
    for (int32_t i = 0; i < f->last_time_count; i++) {
        if (f->last_times[i].action.id == action.id) return &f->last_times[i];
    }
    return NULL;
}

// Returns the clip time at which this frame's part of the action starts. In its first frame and after a seek, it's
// computed from the speed, so the jump isn't blamed on the clip.
static float time_before(const finder *f, sinew_action action, float time, float dt, float *advance) {
    const sinew_action_state now = sinew_action_get(f->mixer, action);
    const action_time *last = last_time_of(f, action);
    float by_speed = now.speed * dt, duration = now.clip->duration;
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

// Measures a clip alone in its layer, with the layer's mask applied.
static void measure_clip(finder *f, const clip_motion *motion, float time, float dt) {
    const sinew_clip *clip = motion->clip;
    const sinew_mask *mask = motion->layer < f->mask_count ? f->masks[motion->layer] : NULL;
    sinew_clip_sample(clip, time, f->pose);
    if (clip->additive) {
        sinew_pose_add(f->pose, f->rest, f->pose, 1.0f, mask ? mask->nodes : NULL);
    } else if (mask) {
        sinew_pose_blend(f->pose, f->rest, f->pose, 1.0f, mask->nodes);
    }
    sinew_pose_to_model(f->pose, f->model);
    const sinew_continuity_frame one = {f->model, NULL, (sinew_root_delta){.rotation = {0, 0, 0, 1}}, dt};
    sinew_continuity_measure(f->own, &one);
}

static void keep_larger(finder *f, frame *to, int32_t row, float step, const sinew_clip *clip) {
    f->of_layer[row] = fmaxf(f->of_layer[row], step);
    if (!(step > f->of_owner[row])) return;
    f->of_owner[row] = step;
    to->owner[row] = clip;
}

// Adds a clip's steps. Motion that the root took from the pose isn't a node's step.
static void add_clip(finder *f, frame *to, const clip_motion *motion) {
    const sinew_clip *clip = motion->clip;
    float size = sinew_continuity_size(f->own);
    sinew_continuity_restart(f->own);
    measure_clip(f, motion, motion->before, to->dt);
    for (int32_t i = 0; i < f->skeleton->weight_count; i++) f->weights[i] = f->pose->weights[i];
    measure_clip(f, motion, motion->time, to->dt);
    for (int32_t i = 0; i < f->skeleton->node_count; i++)
        keep_larger(f, to, i, fmaxf(0.0f, sinew_continuity_node_step(f->own, i) * size - to->root_advance), clip);
    int32_t first = f->skeleton->node_count + 1;
    for (int32_t i = 0; i < f->skeleton->weight_count; i++)
        keep_larger(f, to, first + i, fabsf(f->pose->weights[i] - f->weights[i]), clip);
}

// Adds a layer's steps. Layers add up, because the base also moves what an upper layer moves.
static void add_layer(finder *f, frame *to, int32_t layer) {
    memset(f->of_layer, 0, (size_t)f->rows * sizeof *f->of_layer);
    for (int32_t i = 0; i < to->motion_count; i++) {
        if (to->motions[i].layer == layer) add_clip(f, to, &to->motions[i]);
    }
    for (int32_t row = 0; row < f->rows; row++) to->clips[row] += f->of_layer[row];
}

// Measures a frame's clips once.
static void need_clips(finder *f, frame *to) {
    if (to->has_clips) return;
    to->has_clips = true;
    memset(to->clips, 0, (size_t)f->rows * sizeof *to->clips);
    memset((void *)to->owner, 0,
           (size_t)f->rows * sizeof *to->owner); // NOLINT(bugprone-sizeof-expression): pointers
    memset(f->of_owner, 0, (size_t)f->rows * sizeof *f->of_owner);
    for (int32_t layer = 0; layer <= to->last_layer; layer++) add_layer(f, to, layer);
}

static void add_motion(frame *to, clip_motion motion) {
    if (to->motion_count == MAX_ACTIONS) return;
    to->motions[to->motion_count++] = motion;
    if (motion.layer > to->last_layer) to->last_layer = motion.layer;
}

// Adds what an action plays. A blend space's clips are all at the phase in `motion`.
static void add_source(frame *to, sinew_source source, clip_motion motion) {
    if (!source.blend_space) {
        add_motion(to, motion);
        return;
    }
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    const int32_t count = sinew_blend_space_weights(source.blend_space, source.x, source.y, weights);
    for (int32_t i = 0; i < count; i++) {
        const sinew_clip *clip = source.blend_space->samples[weights[i].sample].clip;
        const float factor = motion.clip->duration > 0.0f ? clip->duration / motion.clip->duration : 0.0f;
        if (weights[i].weight < MIN_CONTRIBUTION) continue;
        add_motion(to, (clip_motion){clip, motion.layer, motion.before * factor, motion.time * factor});
    }
}

static void note_motions(finder *f, frame *to) {
    sinew_action actions[MAX_ACTIONS];
    int32_t count = sinew_mixer_actions(f->mixer, actions, MAX_ACTIONS);
    float largest = 0.0f;
    if (count > MAX_ACTIONS) count = MAX_ACTIONS;
    for (int32_t i = 0; i < count; i++) largest = fmaxf(largest, sinew_action_weight(f->mixer, actions[i]));
    f->time_count = to->motion_count = to->last_layer = 0;
    to->has_clips = false;
    for (int32_t i = 0; i < count; i++) {
        const sinew_action_state now = sinew_action_get(f->mixer, actions[i]);
        float advance = 0.0f, before = time_before(f, actions[i], now.time, to->dt, &advance);
        f->times[f->time_count++] = (action_time){actions[i], now.time, advance};
        if (!(now.weight > 0.0f && now.weight >= MIN_CONTRIBUTION * largest)) continue;
        sinew_source source = now.source;
        source.x = (float)now.parameter.x; // the current value, not its target
        source.y = (float)now.parameter.y;
        add_source(to, source, (clip_motion){now.clip, now.layer, before, now.time});
    }
    memcpy(f->last_times, f->times, sizeof f->times);
    f->last_time_count = f->time_count;
}

// ---- Jumps ---------------------------------------------------------------------------------------------------

static float beyond(finder *f, int64_t number, int32_t row, bool clips_count) {
    frame *one = &f->window[number % WINDOW];
    if (clips_count) need_clips(f, one);
    return fmaxf(0.0f, one->steps[row] - (clips_count ? one->clips[row] : 0.0f));
}

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Returns the lower median of the frames on one side, scaled to a frame of `dt` seconds; 0 if there aren't any.
static float usual(finder *f, int64_t from, int64_t to, int32_t row, bool clips_count, float dt) {
    float values[AROUND];
    int count = 0;
    for (int64_t i = from; i < to; i++) {
        if (i >= 0 && i < f->count)
            values[count++] = beyond(f, i, row, clips_count) * dt / f->window[i % WINDOW].dt;
    }
    if (count == 0) return 0.0f;
    qsort(values, (size_t)count, sizeof *values, compare_floats);
    return values[(count - 1) / 2];
}

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Returns how far a node moves in another frame, along its direction in this one. If a pose is shown for only one
// frame, it just moves back.
static float step_along(const finder *f, int64_t number, int64_t other, int32_t node, float dt) {
    const node_steps *steps = &f->window[number % WINDOW].directions[node];
    int farthest = 0;
    for (int i = 1; i < POINTS; i++) {
        if (dot(steps->points[i], steps->points[i]) > dot(steps->points[farthest], steps->points[farthest]))
            farthest = i;
    }
    const float *direction = steps->points[farthest], length = sqrtf(dot(direction, direction));
    if (other < 0 || other >= f->count || !(length > 0.0f)) return 0.0f;
    const frame *near = &f->window[other % WINDOW];
    return fmaxf(0.0f, dot(direction, near->directions[node].points[farthest]) / length * dt / near->dt);
}

static float limit_of(const finder *f, int32_t row) {
    return row > f->skeleton->node_count ? f->weight_limit : f->limit;
}

// Returns by how much a row's step exceeds the frames before and after, which may vary by half.
static float excess_over_frames(finder *f, int64_t number, int32_t row, bool clips_count) {
    float now = beyond(f, number, row, clips_count), dt = f->window[number % WINDOW].dt;
    float before = usual(f, number - AROUND, number, row, clips_count, dt);
    float after = usual(f, number + 1, number + 1 + AROUND, row, clips_count, dt);
    return now - 1.5f * fmaxf(before, after);
}

// Returns by how much a node's step exceeds the steps just before and after, measured along its direction. In a fast
// transition, all of them move the same way.
static float excess_over_neighbors(const finder *f, int64_t number, int32_t row) {
    const frame *one = &f->window[number % WINDOW];
    if (row >= f->skeleton->node_count) return one->steps[row];
    float before = step_along(f, number, number - 1, row, one->dt);
    // In a split frame, springs also move parameters. Their steps vary more than the clips'.
    const float factor = one->is_split ? 2.0f : 1.5f;
    return one->steps[row] - factor * fmaxf(before, step_along(f, number, number + 1, row, one->dt));
}

// Returns by how much a row jumps. With `clips_count`, also subtracts the clips' own steps. Then a clip that's slow in
// this frame and fast around it doesn't turn an even fade into a pop.
static float excess_of(finder *f, int64_t number, int32_t row, bool clips_count) {
    float excess = excess_over_frames(f, number, row, false);
    if (!clips_count) return excess;
    excess = fminf(excess, excess_over_neighbors(f, number, row));
    if (!(excess > limit_of(f, row))) return excess;
    return fminf(excess, excess_over_frames(f, number, row, true));
}

// Returns whether clips and transitions, composed by layers, may have made a step. Only known if the frame was split.
static bool is_even(const finder *f, int64_t number, int32_t row) {
    const frame *one = &f->window[number % WINDOW];
    return one->is_split && !(one->steps[row] - 1.5f * (one->clips[row] + one->even[row]) > limit_of(f, row));
}

// Returns the row that jumps most relative to its limit, or -1.
static int32_t find_row(finder *f, int64_t number, bool clips_count) {
    int32_t worst = -1;
    float most = 1.0f;
    for (int32_t row = 0; row < f->rows; row++) {
        if (f->left_out[row] || !(beyond(f, number, row, false) > limit_of(f, row))) continue;
        float excess = excess_of(f, number, row, clips_count);
        if (!(excess > most * limit_of(f, row))) continue; // check before measuring clips, which is slow
        if (!(beyond(f, number, row, clips_count) > limit_of(f, row))) continue;
        if (clips_count && is_even(f, number, row)) continue;
        // A clip may be fast for a moment. A jump in the clip is several times larger than the steps around it.
        bool is_fast = !clips_count && excess < 0.6f * beyond(f, number, row, false);
        if (is_fast) continue;
        most = excess / limit_of(f, row);
        worst = row;
    }
    return worst;
}

// Returns whether `a` is listed before `b`.
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

// Judges a frame. The frames before and after it must be known.
static void judge(finder *f, int64_t number) {
    frame *one = &f->window[number % WINDOW];
    cli_jump *jump = &one->jump;
    bool pops = true;
    int32_t row = find_row(f, number, true);
    if (row < 0) row = find_row(f, number, pops = false);
    if (row < 0) return;
    need_clips(f, one);
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

// Computes the points of all nodes in the mixer's current pose.
static void read_points(const finder *f, node_steps *out) {
    const sinew_affine *model = sinew_mixer_model_matrices(f->mixer);
    for (int32_t i = 0; i < f->skeleton->node_count; i++) {
        for (int k = 0; k < POINTS; k++) {
            for (int axis = 0; axis < 3; axis++) {
                float at = model[i].m[axis][3];
                if (k > 0) at += f->axes[3 * i + k - 1] * model[i].m[axis][k - 1];
                out[i].points[k][axis] = at;
            }
        }
    }
}

// Measures all nodes' steps from one pose to the other.
static void measure_steps(const finder *f, const node_steps *from, const node_steps *to, float *steps) {
    for (int32_t i = 0; i < f->skeleton->node_count; i++) {
        steps[i] = 0.0f;
        for (int k = 0; k < POINTS; k++) {
            float step[3];
            for (int axis = 0; axis < 3; axis++) step[axis] = to[i].points[k][axis] - from[i].points[k][axis];
            steps[i] = fmaxf(steps[i], sqrtf(dot(step, step)));
        }
    }
}

// Plays the frame with all clips paused. First without time, to see what the calls move. Then with time, to see what
// transitions move.
static void split_frame(finder *f, sinew_mixer *mixer, float dt) {
    node_steps *next = f->window[f->count % WINDOW].directions; // overwritten with the frame
    sinew_action actions[MAX_ACTIONS];
    int32_t count = sinew_mixer_actions(mixer, actions, MAX_ACTIONS);
    for (int32_t i = 0; i < count; i++) sinew_action_set_paused(mixer, actions[i], true);
    sinew_mixer_update(mixer, 0.0f);
    read_points(f, next);
    sinew_mixer_update(mixer, dt);
    read_points(f, f->scratch);
    measure_steps(f, next, f->scratch, f->even);
    f->is_split = true;
}

bool cli_jump_finder_split(cli_jump_finder *f, sinew_mixer *mixer, float dt) {
    if (!f->snapshot) {
        f->snapshot_size = sinew_mixer_snapshot_size(mixer);
        f->snapshot = system_allocate(f->snapshot_size);
        if (!f->snapshot) return false;
    }
    sinew_mixer_save(mixer, f->snapshot);
    split_frame(f, mixer, dt);
    return sinew_mixer_restore(mixer, f->snapshot, f->snapshot_size);
}

static void note_directions(finder *f, frame *to) {
    read_points(f, f->scratch);
    for (int32_t i = 0; i < f->skeleton->node_count; i++) {
        for (int k = 0; k < 3 * POINTS; k++) {
            float step = f->scratch[i].points[k / 3][k % 3] - f->points[i].points[k / 3][k % 3];
            to->directions[i].points[k / 3][k % 3] = f->count > 0 ? step : 0.0f;
        }
    }
    node_steps *points = f->points;
    f->points = f->scratch;
    f->scratch = points;
}

void cli_jump_finder_add(cli_jump_finder *f, const cli_jump *jump, float dt) {
    frame *to = &f->window[f->count % WINDOW];
    float size = sinew_continuity_size(f->shown);
    const sinew_continuity_frame one = {sinew_mixer_model_matrices(f->mixer), sinew_mixer_morph_weights(f->mixer),
                                        sinew_mixer_root_delta(f->mixer), dt};
    sinew_jump step = sinew_continuity_measure(f->shown, &one);
    int32_t nodes = f->skeleton->node_count;
    for (int32_t i = 0; i < nodes; i++) to->steps[i] = sinew_continuity_node_step(f->shown, i) * size;
    if (f->count == 0) memset(to->steps, 0, (size_t)f->rows * sizeof *to->steps);
    to->steps[nodes] = step.root * size;
    memset(to->steps + nodes + 1, 0, (size_t)f->skeleton->weight_count * sizeof *to->steps);
    if (step.weight_index >= 0) to->steps[nodes + 1 + step.weight_index] = step.weight;
    to->dt = dt;
    to->root_advance = hypotf(hypotf(one.root.translation.x, one.root.translation.y), one.root.translation.z);
    to->is_split = f->is_split && f->count > 0;
    f->is_split = false;
    memcpy(to->even, f->even, (size_t)f->rows * sizeof *to->even);
    note_directions(f, to);
    note_motions(f, to);
    to->jump = *jump;
    f->count++;
    if (f->count > AROUND) judge(f, f->count - 1 - AROUND);
}

// Judges the last frames.
static void finish(finder *f) {
    for (int64_t i = f->count > AROUND ? f->count - AROUND : 0; i < f->count; i++) judge(f, i);
}

// ---- Recordings ----------------------------------------------------------------------------------------------

// Replays a recording frame by frame.
typedef struct playback {
    finder *finder;
    sinew_replay *replay;
    const char *path;
    float dt;       // time since the last frame
    int64_t frames; // so far
    cli_jump next;  // the calls since the last frame
} playback;

static bool begins_with(const char *text, const char *word) {
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && (text[length] == ' ' || text[length] == '\0');
}

static void note_call(cli_jump *next, int64_t number, const char *text) {
    if (begins_with(text, "evaluate") || begins_with(text, "save") || begins_with(text, "note hash")) return;
    if (next->call_count < CLI_JUMP_CALLS) {
        next->calls[next->call_count].number = number;
        snprintf(next->calls[next->call_count].text, sizeof next->calls[0].text, "%.159s", text);
    }
    next->call_count++;
}

// Makes the next call. A frame is a pose that's shown after time has advanced.
static bool make_call(playback *p) {
    cli_call_line line;
    int64_t number = p->replay->calls_made;
    double seconds = p->replay->seconds;
    if (!cli_recorded_step(p->path, p->replay, &line)) return false;
    bool shows = begins_with(line.text, "show") || begins_with(line.text, "to_model");
    bool advances = begins_with(line.text, "advance");
    if (advances) p->dt += (float)(p->replay->seconds - seconds);
    if (!advances && !shows) note_call(&p->next, number, line.text);
    if (!shows || !(p->dt > 0.0f)) return true;
    p->next.call = number;
    p->next.frame = p->frames++;
    p->next.seconds = p->replay->seconds;
    cli_jump_finder_add(p->finder, &p->next, p->dt);
    p->next = (cli_jump){.call_count = 0};
    p->dt = 0.0f;
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

// Reports what isn't known before the last frame.
static void finish_recording(finder *f, int64_t frames, double seconds) {
    finish(f);
    read_percentiles(f, f->out);
    f->out->frames = frames;
    f->out->seconds = seconds;
}

bool cli_find_jumps(const char *path, const sinew_asset *asset, sinew_replay *replay, float degrees,
                    cli_jumps *jumps) {
    *jumps = (cli_jumps){.frames = 0};
    playback p = {.finder = cli_jump_finder_create(asset->skeleton, degrees), .replay = replay, .path = path};
    if (!p.finder) {
        cli_fail("%s: out of memory", path);
        return false;
    }
    cli_jump_finder_start(p.finder, replay->mixer, jumps);
    bool good = true;
    while (good && replay->calls_made < replay->call_count) good = make_call(&p);
    if (good) finish_recording(p.finder, p.frames, replay->seconds);
    cli_jump_finder_destroy(p.finder);
    return good;
}

// ---- Recordings of characters --------------------------------------------------------------------------------

// Copies what happened in an update, except its length and what it asked about the ground. Returns whether there's
// anything.
static bool describe_update(const char *text, char *out, size_t capacity) {
    static const char grounds[] = " grounds";
    const char *first = strstr(text, "; ");
    snprintf(out, capacity, "%s", first ? first + 2 : "");
    char *last = strrchr(out, ';');
    const char *part = last ? last : out;
    const size_t length = strlen(part), suffix = sizeof grounds - 1;
    if (length >= suffix && strcmp(part + length - suffix, grounds) == 0) *(last ? last : out) = '\0';
    return *out != '\0';
}

static bool add_update(finder *f, cli_take *take) {
    const sinew_character_replay *replay = take->replay;
    cli_jump jump = {.frame = replay->updates_made, .call = replay->updates_made};
    const double before = replay->seconds;
    if (!cli_take_step(take)) return false;
    jump.seconds = replay->seconds;
    if (describe_update(take->text, jump.calls[0].text, sizeof jump.calls[0].text)) {
        jump.calls[0].number = jump.call;
        jump.call_count = 1;
    }
    const float dt = (float)(replay->seconds - before);
    if (dt > 0.0f) cli_jump_finder_add(f, &jump, dt);
    return true;
}

bool cli_find_character_jumps(const cli_cast *cast, cli_take *take, float degrees, cli_jumps *jumps) {
    const sinew_graph_binding *binding = cast->binding;
    *jumps = (cli_jumps){.frames = 0};
    finder *f = cli_jump_finder_create(binding->skeleton, degrees);
    if (!f) {
        cli_fail("%s: out of memory", take->path);
        return false;
    }
    cli_jump_finder_leave_out_swinging(f, &cast->stand);
    cli_jump_finder_set_masks(f, binding->masks, binding->graph->layer_count);
    cli_jump_finder_start(f, sinew_character_mixer(take->replay->character), jumps);
    bool good = true;
    while (good && !cli_take_is_at_end(take)) good = add_update(f, take);
    if (good) finish_recording(f, f->count, take->replay->seconds);
    cli_jump_finder_destroy(f);
    return good;
}
