// SPDX-License-Identifier: MIT
// Cuts out the range, then edits each channel's keys: first the direction, then the difference between the ends.
//
// A key has parts: one value, or in-tangent, value and out-tangent. Each part is `width` floats.
#include "write/edit_clip.h"

#include "lint/loop.h"
#include "write/unit_ends.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_TURN 0.08715574274765817 // for a walk: the sine of half of 10 degrees

typedef struct edited_keys {
    sinew_channel_target target;
    sinew_interpolation interpolation;
    float *times, *values;
    int32_t count, width, parts;
} edited_keys;

static float *key_at(const edited_keys *keys, int32_t k) {
    return keys->values + (size_t)k * (size_t)keys->width * (size_t)keys->parts;
}

// Returns a key's value, which is between its tangents.
static float *value_at(const edited_keys *keys, int32_t k) {
    return key_at(keys, k) + (keys->parts == 3 ? keys->width : 0);
}

// Reads a channel, with room for more keys.
static bool read_keys(const sinew_clip *clip, int32_t channel, edited_keys *keys) {
    const sinew_channel *c = &clip->channels[channel];
    keys->target = c->target;
    keys->interpolation = c->interpolation;
    keys->parts = c->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    keys->width = sinew_clip_key_width(clip, channel) / keys->parts;
    keys->count = sinew_clip_channel_keys(clip, channel, NULL, NULL);
    const size_t count = (size_t)keys->count + UNIT_ENDS_ADDED + 2,
                 floats = (size_t)keys->width * (size_t)keys->parts;
    keys->times = malloc(count * sizeof(float));
    keys->values = malloc(count * floats * sizeof(float));
    if (!keys->times || !keys->values) return false;
    sinew_clip_channel_keys(clip, channel, keys->times, keys->values);
    return true;
}

// ---- Rotations -----------------------------------------------------------------------------------------------

static double dot4(const float *a, const float *b) {
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2] +
           (double)a[3] * (double)b[3];
}

static void slerp(const float *a, const float *b, double u, float *out) {
    const double cosine = dot4(a, b), angle = acos(fmin(1.0, fabs(cosine))), sine = sin(angle);
    const double from = sine > 1e-9 ? sin((1.0 - u) * angle) / sine : 1.0 - u;
    const double to = (sine > 1e-9 ? sin(u * angle) / sine : u) * (cosine < 0.0 ? -1.0 : 1.0);
    for (int i = 0; i < 4; i++) out[i] = (float)(from * (double)a[i] + to * (double)b[i]);
}

static sinew_quat quat_of(const float *values) {
    return (sinew_quat){values[0], values[1], values[2], values[3]};
}

// ---- Direction -----------------------------------------------------------------------------------------------

static void swap_floats(float *a, float *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const float kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

// Reverses steps. A value holds until the next key, so backward it starts where that key was.
static void reverse_steps(edited_keys *keys, float duration) {
    const bool drops_last = keys->times[keys->count - 1] >= duration && keys->count > 1;
    for (int32_t k = keys->count - 1; k > 0; k--) keys->times[k] = duration - keys->times[k];
    // The order is already reversed: value k starts at the time of key k + 1, and the last one at 0.
    const int32_t count = keys->count;
    for (int32_t k = 0; k + 1 < count; k++) keys->times[k] = keys->times[k + 1];
    keys->times[count - 1] = 0.0f;
    for (int32_t k = 0; k < count / 2; k++) {
        swap_floats(key_at(keys, k), key_at(keys, count - 1 - k), (size_t)keys->width);
        swap_floats(&keys->times[k], &keys->times[count - 1 - k], 1);
    }
    if (!drops_last) return;
    keys->count--; // its value only lasts an instant
    memmove(keys->times, keys->times + 1, (size_t)keys->count * sizeof(float));
    memmove(keys->values, key_at(keys, 1), (size_t)keys->count * (size_t)keys->width * sizeof(float));
}

static void reverse(edited_keys *keys, float duration) {
    if (keys->interpolation == SINEW_INTERPOLATION_STEP) {
        reverse_steps(keys, duration);
        return;
    }
    const size_t width = (size_t)keys->width, floats = width * (size_t)keys->parts;
    for (int32_t k = 0; k < keys->count / 2; k++) {
        swap_floats(key_at(keys, k), key_at(keys, keys->count - 1 - k), floats);
        swap_floats(&keys->times[k], &keys->times[keys->count - 1 - k], 1);
    }
    for (int32_t k = 0; k < keys->count; k++) {
        keys->times[k] = fmaxf(duration - keys->times[k], 0.0f);
        if (keys->parts == 1) continue;
        float *key = key_at(keys, k);
        swap_floats(key, key + 2 * width, width);
        for (size_t i = 0; i < width; i++) key[i] = -key[i], key[2 * width + i] = -key[2 * width + i];
    }
}

// ---- Closing -------------------------------------------------------------------------------------------------

// Returns the first key, turned about +Y like the last one if that's by more than 10 degrees, in the parent's space.
// `ground` is the parent's model matrix at rest.
static sinew_quat turned_first(sinew_quat first, sinew_quat last, const sinew_affine *ground) {
    const sinew_quat parent = sinew_affine_decompose(*ground).rotation, back = sinew_quat_conjugate(parent);
    const sinew_quat between = sinew_quat_multiply(last, sinew_quat_conjugate(first));
    const sinew_quat q = sinew_quat_multiply(sinew_quat_multiply(parent, between), back);
    const double size = hypot((double)q.y, (double)q.w), sine = size > 0.0 ? fabs((double)q.y) / size : 0.0;
    if (!(sine > LEAST_TURN)) return first;
    const sinew_quat turn = sinew_quat_normalize((sinew_quat){0, q.y, 0, q.w});
    return sinew_quat_multiply(sinew_quat_multiply(back, sinew_quat_multiply(turn, parent)), first);
}

// If a node walks away, `turns` is its ground, and it keeps its turn. Otherwise `turns` is NULL.
static void close_rotations(const edited_keys *keys, double span, const sinew_affine *turns) {
    const sinew_quat last = quat_of(value_at(keys, keys->count - 1)), start = quat_of(value_at(keys, 0));
    const sinew_quat first = turns ? turned_first(start, last, turns) : start;
    const sinew_quat difference = sinew_quat_multiply(sinew_quat_conjugate(last), first);
    const float from[4] = {0, 0, 0, 1}, to[4] = {difference.x, difference.y, difference.z, difference.w};
    for (int32_t k = 1; k < keys->count; k++) {
        float part[4];
        slerp(from, to, ((double)keys->times[k] - (double)keys->times[0]) / span, part);
        const sinew_quat closed = sinew_quat_multiply(quat_of(value_at(keys, k)), quat_of(part));
        memcpy(value_at(keys, k), &closed, sizeof closed);
    }
}

// Closes a channel's values. In a rotation spline, the last key may have the other sign, so this uses the difference to
// the nearer one. A translation keeps `kept`.
static void close_values(const edited_keys *keys, double span, const float kept[3]) {
    const bool turns = keys->target == SINEW_TARGET_ROTATION, moves = keys->target == SINEW_TARGET_TRANSLATION;
    const int32_t last = keys->count - 1;
    const double sign = turns && dot4(value_at(keys, 0), value_at(keys, last)) < 0.0 ? -1.0 : 1.0;
    for (int32_t i = 0; i < keys->width; i++) {
        const double whole = sign * (double)value_at(keys, 0)[i] - (double)value_at(keys, last)[i];
        const double difference = moves ? whole + (double)kept[i] : whole;
        for (int32_t k = 0; k <= last; k++) {
            const double u = ((double)keys->times[k] - (double)keys->times[0]) / span;
            float *value = &value_at(keys, k)[i];
            *value = (float)((double)*value + u * difference);
            if (keys->parts == 1) continue;
            value[keys->width] = (float)((double)value[keys->width] + difference / span);
            value[-keys->width] = (float)((double)value[-keys->width] + difference / span);
        }
    }
}

// Finds the part of a motion along the ground, in the parent's space, or 0 if it isn't longer than `least`. `ground` is
// the parent's model matrix at rest.
static void find_ground_part(sinew_vec3 motion, const sinew_affine *ground, float least, float part[3]) {
    sinew_vec3 moved = sinew_affine_direction(*ground, motion);
    moved.y = 0.0f;
    if (!(sinew_vec3_length(moved) > least)) return;
    const sinew_vec3 local = sinew_affine_direction(sinew_affine_inverse(*ground), moved);
    if (!isfinite(local.x) || !isfinite(local.y) || !isfinite(local.z)) return;
    memcpy(part, &local, sizeof local);
}

static sinew_vec3 motion_between(const edited_keys *keys, int32_t from, int32_t to) {
    const float *a = value_at(keys, from), *b = value_at(keys, to);
    return (sinew_vec3){b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

// Finds how a node walks away, or 0. `size` is the skeleton's.
static void find_travel(const edited_keys *keys, const sinew_affine *ground, float size, float travel[3]) {
    find_ground_part(motion_between(keys, 0, keys->count - 1), ground, 0.1f * size, travel);
}

// ---- Missing frames ------------------------------------------------------------------------------------------

// Returns the length of the last frame if keys are evenly spaced at both ends of the clip, otherwise 0.
static float frame_of(const edited_keys *keys, float duration) {
    if (keys->count < 4 || keys->interpolation == SINEW_INTERPOLATION_STEP) return 0.0f;
    const float *times = keys->times, last = times[keys->count - 1], frame = last - times[keys->count - 2];
    const float rounding = 0.01f * frame;
    const bool is_even = fabsf(times[1] - times[0] - frame) <= rounding;
    return is_even && times[0] <= rounding && last >= duration - rounding ? frame : 0.0f;
}

static void add_seam(lint_seam *seam, const edited_keys *keys) {
    const int32_t at[4] = {keys->count - 2, keys->count - 1, 0, 1};
    double values[4][4] = {{0}};
    for (int k = 0; k < 4; k++)
        for (int32_t i = 0; i < keys->width; i++) values[k][i] = (double)value_at(keys, at[k])[i];
    const lint_seam_keys four = {values[0], values[1], values[2], values[3]};
    lint_seam_add(seam, &four, keys->target == SINEW_TARGET_ROTATION);
}

// Returns how long the frame is that a loop lacks, in seconds, or 0. Only rotations count, because a character may
// travel. Without rotations, translations count.
static float find_missing_frame(const edited_keys *keys, int32_t count, float duration) {
    for (int pass = 0; pass < 2; pass++) {
        const sinew_channel_target target = pass == 0 ? SINEW_TARGET_ROTATION : SINEW_TARGET_TRANSLATION;
        lint_seam seam = {0};
        float frame = 0.0f;
        bool moves = false;
        for (int32_t i = 0; i < count; i++) {
            if (keys[i].target != target || keys[i].count < 2) continue;
            moves = true;
            const float own = frame_of(&keys[i], duration);
            if (own > 0.0f) add_seam(&seam, &keys[i]);
            if (own > 0.0f) frame = own;
        }
        if (moves) return lint_seam_is_short(&seam) ? frame : 0.0f;
    }
    return 0.0f;
}

// Appends the value of key `from` with its tangents, because a loop continues like it starts.
static void append_copy(edited_keys *keys, int32_t from, float time) {
    const size_t width = (size_t)keys->width, floats = width * (size_t)keys->parts;
    float *added = key_at(keys, keys->count);
    memcpy(added, key_at(keys, from), floats * sizeof(float));
    if (keys->parts == 3 && from == 0) memcpy(added, added + 2 * width, width * sizeof(float));
    const bool flips = keys->target == SINEW_TARGET_ROTATION &&
                       dot4(value_at(keys, keys->count - 1), value_at(keys, keys->count)) < 0.0;
    for (size_t i = 0; flips && i < floats; i++) added[i] = -added[i];
    keys->times[keys->count++] = time;
}

// Appends a copy of the last key, to hold it until `time`.
static void append_held(edited_keys *keys, float time) {
    const int32_t last = keys->count - 1;
    const size_t width = (size_t)keys->width;
    append_copy(keys, last, time);
    if (keys->parts == 1) return;
    memset(key_at(keys, last) + 2 * width, 0, width * sizeof(float));
    memset(key_at(keys, last + 1), 0, width * sizeof(float));
    memset(key_at(keys, last + 1) + 2 * width, 0, width * sizeof(float));
}

// For a node that walks away, moves the last key to where the steps before and after the seam lead.
static void walk_on(const edited_keys *keys, const sinew_affine *ground, const float travel[3]) {
    const int32_t added = keys->count - 1;
    const sinew_vec3 before = motion_between(keys, added - 2, added - 1), after = motion_between(keys, 0, 1);
    const double frame = (double)keys->times[added] - (double)keys->times[added - 1];
    const double before_time = (double)keys->times[added - 1] - (double)keys->times[added - 2];
    const double after_time = (double)keys->times[1] - (double)keys->times[0];
    const float b = (float)(0.5 * frame / before_time), a = (float)(0.5 * frame / after_time);
    float step[3] = {0, 0, 0};
    find_ground_part(sinew_vec3_add(sinew_vec3_scale(before, b), sinew_vec3_scale(after, a)), ground, 0.0f, step);
    for (int i = 0; i < 3; i++) value_at(keys, added)[i] += travel[i] + step[i];
}

// Adds the last frame. It's the first pose, except for a node that walks away. Keys that end before the clip hold until
// its end.
static void add_frame(edited_keys *keys, const sinew_affine *ground, float size, float end, float frame) {
    if (keys->count < 2 || keys->interpolation == SINEW_INTERPOLATION_STEP) return;
    float travel[3] = {0, 0, 0};
    if (keys->target == SINEW_TARGET_TRANSLATION) find_travel(keys, ground, size, travel);
    const bool travels = fabsf(travel[0]) + fabsf(travel[1]) + fabsf(travel[2]) > 0.0f;
    if (keys->times[keys->count - 1] < end - 0.01f * frame) append_held(keys, end);
    append_copy(keys, 0, end + frame);
    if (travels) walk_on(keys, ground, travel);
}

static void close_keys(const edited_keys *keys, const sinew_affine *ground, float size, bool walks) {
    if (keys->count < 2 || keys->interpolation == SINEW_INTERPOLATION_STEP) return;
    const double span = (double)keys->times[keys->count - 1] - (double)keys->times[0];
    float travel[3] = {0, 0, 0};
    if (keys->target == SINEW_TARGET_ROTATION && keys->parts == 1) {
        close_rotations(keys, span, walks ? ground : NULL);
        return;
    }
    if (keys->target == SINEW_TARGET_TRANSLATION) find_travel(keys, ground, size, travel);
    close_values(keys, span, travel);
}

// ---- The rest pose -------------------------------------------------------------------------------------------

// Returns the rest pose's model matrices, which the caller frees, or NULL if memory runs out.
static sinew_affine *rest_model(const sinew_skeleton *skeleton) {
    sinew_affine *model = malloc(((size_t)skeleton->node_count + 1) * sizeof *model);
    sinew_pose *pose;
    if (!model || sinew_pose_create(skeleton, NULL, &pose) != SINEW_OK) {
        free(model);
        return NULL;
    }
    sinew_pose_to_model(pose, model);
    sinew_pose_destroy(pose);
    return model;
}

// Returns the nodes' largest extent along an axis.
static float size_of(const sinew_affine *model, int32_t count) {
    float size = 0.0f;
    for (int row = 0; row < 3; row++) {
        float low = INFINITY, high = -INFINITY;
        for (int32_t i = 0; i < count; i++) {
            low = fminf(low, model[i].m[row][3]);
            high = fmaxf(high, model[i].m[row][3]);
        }
        size = fmaxf(size, high - low);
    }
    return size;
}

// ---- The clip ------------------------------------------------------------------------------------------------

typedef struct clip_editor {
    const sinew_clip *clip;
    bool is_part;
    const edit_clip_def *def;
    float duration;
    edited_keys *keys;           // [channel_count]
    sinew_channel_def *channels; // [channel_count]
    sinew_marker *markers;       // [marker_count]
    sinew_affine *model;         // [node_count]; in the rest pose, if the clip is closed
    float size;                  // the skeleton's
} clip_editor;

// Drops keys whose times became equal through rounding.
static void drop_equal_times(edited_keys *keys) {
    const size_t floats = (size_t)keys->width * (size_t)keys->parts;
    int32_t count = 1;
    for (int32_t k = 1; k < keys->count; k++) {
        if (!(keys->times[k] > keys->times[count - 1])) continue;
        keys->times[count] = keys->times[k];
        memmove(key_at(keys, count), key_at(keys, k), floats * sizeof(float));
        count++;
    }
    keys->count = count;
}

// Returns whether a node walks away.
static bool walks(const clip_editor *e, int32_t node, const sinew_affine *ground) {
    for (int32_t i = 0; i < e->clip->channel_count; i++) {
        const sinew_channel *channel = &e->clip->channels[i];
        if (channel->node != node || channel->target != SINEW_TARGET_TRANSLATION || e->keys[i].count < 2) continue;
        float travel[3] = {0, 0, 0};
        find_travel(&e->keys[i], ground, e->size, travel);
        return fabsf(travel[0]) + fabsf(travel[1]) + fabsf(travel[2]) > 0.0f;
    }
    return false;
}

static void close_channel(const clip_editor *e, int32_t index, float end, float frame) {
    const sinew_channel *channel = &e->clip->channels[index];
    edited_keys *keys = &e->keys[index];
    const bool is_curve = channel->target == SINEW_TARGET_CURVE;
    const int32_t parent = is_curve ? SINEW_NO_NODE : e->clip->skeleton->parents[channel->node];
    const sinew_affine ground = parent == SINEW_NO_NODE ? sinew_affine_identity() : e->model[parent];
    if (frame > 0.0f) {
        add_frame(keys, &ground, e->size, end, frame);
    } else if (!is_curve) {
        close_keys(keys, &ground, e->size, walks(e, channel->node, &ground));
    }
}

// Adds the frame that the loop lacks, or spreads the difference between its ends. Constant channels don't change.
static void close_clip(clip_editor *e) {
    const float end = e->duration, frame = find_missing_frame(e->keys, e->clip->channel_count, end);
    for (int32_t i = 0; i < e->clip->channel_count; i++) {
        if (e->clip->channels[i].timeline >= 0) close_channel(e, i, end, frame);
        e->channels[i].key_count = e->keys[i].count;
    }
    e->duration += frame;
}

static bool measure_rest(clip_editor *e) {
    e->model = rest_model(e->clip->skeleton);
    if (e->model) e->size = size_of(e->model, e->clip->skeleton->node_count);
    return e->model != NULL;
}

static bool edit_channel(clip_editor *e, int32_t index) {
    edited_keys *keys = &e->keys[index];
    const sinew_channel *channel = &e->clip->channels[index];
    if (!read_keys(e->clip, index, keys)) return false;
    if (e->is_part && channel->target == SINEW_TARGET_ROTATION && keys->parts == 3)
        keys->count = unit_ends(keys->times, (float(*)[12])keys->values, keys->count);
    if (channel->timeline >= 0 && e->def->reverse) { // a constant channel keeps its only key
        reverse(keys, e->duration);
        drop_equal_times(keys);
    }
    e->channels[index] = (sinew_channel_def){channel->node, channel->target, channel->interpolation,
                                             keys->count,   keys->times,     keys->values};
    return true;
}

static void edit_markers(const clip_editor *e) {
    for (int32_t i = 0; i < e->clip->marker_count; i++) {
        e->markers[i] = e->clip->markers[i];
        if (e->def->reverse) e->markers[i].time = e->duration - e->markers[i].time;
    }
}

static sinew_result create(const clip_editor *e, sinew_clip **edited, sinew_error *error) {
    sinew_clip_def def = sinew_clip_default();
    def.name = e->def->name ? e->def->name : e->clip->name;
    def.skeleton = e->clip->skeleton;
    def.channel_count = e->clip->channel_count;
    def.channels = e->channels;
    def.duration = e->duration;
    def.markers = e->markers;
    def.marker_count = e->clip->marker_count;
    def.key_format = e->clip->key_format;
    def.additive = e->clip->additive;
    return sinew_clip_create(&def, edited, error);
}

static sinew_result fail(sinew_error *error, sinew_result result, const char *message) {
    error->result = result;
    snprintf(error->message, sizeof error->message, "%s", message);
    return result;
}

static sinew_result edit_whole(const sinew_clip *clip, bool is_part, const edit_clip_def *def, sinew_clip **edited,
                               sinew_error *error) {
    clip_editor e = {.clip = clip, .is_part = is_part, .def = def, .duration = clip->duration};
    const size_t count = (size_t)clip->channel_count + 1;
    e.keys = calloc(count, sizeof *e.keys);
    e.channels = calloc(count, sizeof *e.channels);
    e.markers = calloc((size_t)clip->marker_count + 1, sizeof *e.markers);
    bool good = e.keys && e.channels && e.markers && (!def->close || measure_rest(&e));
    for (int32_t i = 0; i < clip->channel_count && good; i++) good = edit_channel(&e, i);
    if (good) edit_markers(&e);
    if (good && e.model) close_clip(&e);
    const sinew_result result =
        good ? create(&e, edited, error) : fail(error, SINEW_ERROR_OUT_OF_MEMORY, "out of memory");
    for (int32_t i = 0; i < clip->channel_count && e.keys; i++) {
        free(e.keys[i].times);
        free(e.keys[i].values);
    }
    free(e.model);
    free(e.keys);
    free(e.channels);
    free(e.markers);
    return result;
}

sinew_result edit_clip(const sinew_clip *clip, const edit_clip_def *def, sinew_clip **edited, sinew_error *error) {
    const float end = def->end == 0.0f || def->end > clip->duration ? clip->duration : def->end;
    *edited = NULL;
    if (def->start == 0.0f && end == clip->duration) return edit_whole(clip, false, def, edited, error);
    if (!(def->start >= 0.0f && def->start < end))
        return fail(error, SINEW_ERROR_ARGUMENT, "the range is outside the clip");
    sinew_clip *part;
    sinew_result result = sinew_clip_subclip(clip, def->start, end, NULL, NULL, &part, error);
    if (result == SINEW_OK) result = edit_whole(part, true, def, edited, error);
    sinew_clip_destroy(part);
    return result;
}
