// SPDX-License-Identifier: MIT
// Samples the face of a .vrma file at its keys, and between keys that are far apart: an expression that is binary, overridden
// or out of its range is not linear between them.
#include "retargeting/expressions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Morph weights of a node, or the rotation of an eye.
typedef struct face_channel {
    int32_t node;
    sinew_channel_target target;
    int32_t width;
    float *values; // [time_count × width]
} face_channel;

typedef struct maker {
    const retargeting_face *face;
    const sinew_clip *motion, *body; // of the source, of the target
    sinew_pose *source, *target;
    float *weights; // [expressions of the target]
    float *times;
    int32_t time_count;
    face_channel *face_channels; // [nodes of the target + 2]
    int32_t face_count;
    sinew_channel_def *channels; // [channels of the body + face_count]
    float **keys;                // [channels of the body]: times, then values
    int32_t channel_count, key_count;
} maker;

// ---- What both have ------------------------------------------------------------------------------------------------

// The target's expression of a track, if it moves a morph target, or SINEW_NO_EXPRESSION.
static int32_t find_expression(const retargeting_face *face, const sinew_vrm_track *track) {
    if (!face->target) return SINEW_NO_EXPRESSION;
    const int32_t i = sinew_vrm_find_expression(face->target, track->name);
    return i != SINEW_NO_EXPRESSION && face->target->expressions[i].morph_count > 0 ? i : SINEW_NO_EXPRESSION;
}

static bool has_gaze(const retargeting_face *face) {
    return face->source && face->source->animation.gaze_node != SINEW_NO_NODE;
}

// The expression of a direction of the gaze, if it moves a morph target, or SINEW_NO_EXPRESSION.
static int32_t look_expression(const sinew_vrm *vrm, int preset) {
    const int32_t i = vrm->expression_of_preset[preset];
    return i != SINEW_NO_EXPRESSION && vrm->expressions[i].morph_count > 0 ? i : SINEW_NO_EXPRESSION;
}

// Whether a gaze moves anything on the target.
static bool can_look(const retargeting_face *face) {
    const sinew_vrm *vrm = face->target;
    if (!vrm) return false;
    const sinew_vrm_look_at *look = &vrm->look_at;
    if (look->type == SINEW_VRM_LOOK_AT_BONE)
        return look->left_eye.node != SINEW_NO_NODE || look->right_eye.node != SINEW_NO_NODE;
    for (int i = SINEW_VRM_PRESET_LOOK_UP; i <= SINEW_VRM_PRESET_LOOK_RIGHT; i++)
        if (look->type == SINEW_VRM_LOOK_AT_EXPRESSION && look_expression(vrm, i) != SINEW_NO_EXPRESSION)
            return true;
    return false;
}

const char *retargeting_dropped(const retargeting_face *face, int32_t *next) {
    const int32_t count = face->source ? face->source->animation.track_count : 0;
    while (*next < count) {
        const sinew_vrm_track *track = &face->source->animation.tracks[(*next)++];
        if (find_expression(face, track) == SINEW_NO_EXPRESSION) return track->name;
    }
    return (*next)++ == count && has_gaze(face) && !can_look(face) ? "lookAt" : NULL;
}

// ---- Channels ------------------------------------------------------------------------------------------------------

static void add_channel(maker *m, int32_t node, sinew_channel_target target) {
    if (node == SINEW_NO_NODE) return;
    for (int32_t i = 0; i < m->face_count; i++)
        if (m->face_channels[i].node == node && m->face_channels[i].target == target) return;
    const int32_t *offsets = &m->face->target->skeleton->weight_offsets[node];
    const int32_t width = target == SINEW_TARGET_WEIGHTS ? offsets[1] - offsets[0] : 4;
    m->face_channels[m->face_count++] = (face_channel){node, target, width, NULL};
}

static void add_morphs(maker *m, int32_t expression) {
    if (expression == SINEW_NO_EXPRESSION) return;
    const sinew_vrm_expression *e = &m->face->target->expressions[expression];
    for (int32_t i = 0; i < e->morph_count; i++) add_channel(m, e->morphs[i].node, SINEW_TARGET_WEIGHTS);
}

static void list_channels(maker *m) {
    const retargeting_face *face = m->face;
    const sinew_vrm_animation *animation = &face->source->animation;
    for (int32_t i = 0; i < animation->track_count; i++)
        add_morphs(m, find_expression(face, &animation->tracks[i]));
    if (!has_gaze(face) || !can_look(face)) return;
    const sinew_vrm_look_at *look = &face->target->look_at;
    if (look->type == SINEW_VRM_LOOK_AT_BONE) {
        add_channel(m, look->left_eye.node, SINEW_TARGET_ROTATION);
        add_channel(m, look->right_eye.node, SINEW_TARGET_ROTATION);
        return;
    }
    for (int i = SINEW_VRM_PRESET_LOOK_UP; i <= SINEW_VRM_PRESET_LOOK_RIGHT; i++)
        add_morphs(m, look_expression(face->target, i));
}

// ---- Times ---------------------------------------------------------------------------------------------------------

static bool is_of_face(const maker *m, const sinew_channel *channel) {
    const sinew_vrm_animation *animation = &m->face->source->animation;
    if (channel->target == SINEW_TARGET_CURVE || channel->timeline < 0) return false;
    if (channel->node == animation->gaze_node) return true;
    for (int32_t i = 0; i < animation->track_count; i++)
        if (animation->tracks[i].node == channel->node) return true;
    return false;
}

static int compare_floats(const void *a, const void *b) {
    const float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

// The times of all keys of the face, the moments before keys that jump, and the grid of the rate.
static bool make_times(maker *m) {
    const sinew_clip *motion = m->motion;
    const int32_t steps = (int32_t)ceil((double)motion->duration * (double)m->face->rate);
    size_t capacity = (size_t)steps + 1;
    for (int32_t i = 0; i < motion->channel_count; i++)
        if (is_of_face(m, &motion->channels[i])) capacity += 2 * (size_t)motion->channels[i].key_count;
    m->times = malloc(capacity * sizeof *m->times);
    if (!m->times) return false;
    size_t count = 0, kept = 1;
    for (int32_t i = 0; i <= steps; i++)
        m->times[count++] = steps > 0 ? motion->duration * ((float)i / (float)steps) : 0.0f;
    for (int32_t i = 0; i < motion->channel_count; i++) {
        const sinew_channel *channel = &motion->channels[i];
        for (int32_t k = 0; is_of_face(m, channel) && k < channel->key_count; k++) {
            const float time = sinew_timeline_time(&motion->timelines[channel->timeline], k);
            m->times[count++] = time;
            if (channel->interpolation == SINEW_INTERPOLATION_STEP) m->times[count++] = nextafterf(time, 0.0f);
        }
    }
    qsort(m->times, count, sizeof *m->times, compare_floats);
    for (size_t i = 1; i < count; i++)
        if (m->times[i] > m->times[kept - 1]) m->times[kept++] = m->times[i];
    m->time_count = (int32_t)kept;
    return true;
}

// ---- Values --------------------------------------------------------------------------------------------------------

// Poses the target at a time: the body, and the face over it.
static void pose_at(maker *m, float time) {
    const retargeting_face *face = m->face;
    const sinew_vrm_animation *animation = &face->source->animation;
    sinew_clip_sample(m->motion, time, m->source);
    sinew_clip_sample(m->body, time, m->target);
    memset(m->weights, 0, (size_t)face->target->expression_count * sizeof *m->weights);
    for (int32_t i = 0; i < animation->track_count; i++) {
        const int32_t expression = find_expression(face, &animation->tracks[i]);
        if (expression != SINEW_NO_EXPRESSION)
            m->weights[expression] = sinew_vrm_track_weight(&animation->tracks[i], m->source);
    }
    if (has_gaze(face))
        sinew_vrm_gaze_apply(face->target, sinew_vrm_track_gaze(face->source, m->source), m->target, m->weights);
    sinew_vrm_expressions_apply(face->target, m->weights, m->target);
}

static void read_value(const maker *m, const face_channel *channel, float *value) {
    if (channel->target == SINEW_TARGET_ROTATION) {
        const sinew_quat q = sinew_pose_get(m->target, channel->node).rotation;
        memcpy(value, &q, sizeof q);
        return;
    }
    const float *weights = &m->target->weights[m->target->skeleton->weight_offsets[channel->node]];
    memcpy(value, weights, (size_t)channel->width * sizeof *value);
}

static bool sample_face(maker *m) {
    for (int32_t i = 0; i < m->face_count; i++) {
        face_channel *channel = &m->face_channels[i];
        channel->values = calloc((size_t)m->time_count * (size_t)channel->width, sizeof(float));
        if (!channel->values) return false;
    }
    for (int32_t k = 0; k < m->time_count; k++) {
        pose_at(m, m->times[k]);
        for (int32_t i = 0; i < m->face_count; i++) {
            face_channel *channel = &m->face_channels[i];
            read_value(m, channel, channel->values + (size_t)k * (size_t)channel->width);
        }
    }
    return true;
}

// ---- The clip ------------------------------------------------------------------------------------------------------

static bool is_replaced(const maker *m, const sinew_channel *channel) {
    for (int32_t i = 0; i < m->face_count; i++)
        if (m->face_channels[i].node == channel->node && m->face_channels[i].target == channel->target) return true;
    return false;
}

// Copies a channel of the body.
static bool copy_channel(maker *m, int32_t index) {
    const sinew_channel *from = &m->body->channels[index];
    const int32_t count = sinew_clip_channel_keys(m->body, index, NULL, NULL);
    const size_t floats = (size_t)count * (size_t)sinew_clip_key_width(m->body, index);
    float *keys = malloc(((size_t)count + floats) * sizeof *keys);
    if (!keys) return false;
    m->keys[m->key_count++] = keys;
    (void)sinew_clip_channel_keys(m->body, index, keys, keys + count);
    m->channels[m->channel_count++] = (sinew_channel_def){.node = from->node,
                                                          .target = from->target,
                                                          .interpolation = from->interpolation,
                                                          .key_count = count,
                                                          .times = keys,
                                                          .values = keys + count};
    return true;
}

static bool make_channels(maker *m) {
    for (int32_t i = 0; i < m->body->channel_count; i++)
        if (!is_replaced(m, &m->body->channels[i]) && !copy_channel(m, i)) return false;
    for (int32_t i = 0; i < m->face_count; i++) {
        const face_channel *channel = &m->face_channels[i];
        m->channels[m->channel_count++] = (sinew_channel_def){.node = channel->node,
                                                              .target = channel->target,
                                                              .interpolation = SINEW_INTERPOLATION_LINEAR,
                                                              .key_count = m->time_count,
                                                              .times = m->times,
                                                              .values = channel->values};
    }
    return true;
}

static sinew_result make_clip(const maker *m, sinew_clip **clip, sinew_error *error) {
    sinew_clip_def def = sinew_clip_default();
    def.name = m->body->name;
    def.skeleton = m->body->skeleton;
    def.channel_count = m->channel_count;
    def.channels = m->channels;
    def.duration = m->body->duration;
    def.marker_count = m->body->marker_count;
    def.markers = m->body->markers;
    def.key_format = m->body->key_format;
    return sinew_clip_create(&def, clip, error);
}

static bool allocate(maker *m) {
    const sinew_vrm *target = m->face->target;
    m->face_channels = calloc((size_t)target->skeleton->node_count + 2, sizeof *m->face_channels);
    m->weights = calloc((size_t)target->expression_count + 1, sizeof *m->weights);
    m->keys =
        calloc((size_t)m->body->channel_count + 1, sizeof *m->keys); // NOLINT(bugprone-sizeof-expression): pointers
    return m->face_channels && m->weights && m->keys &&
           sinew_pose_create(m->motion->skeleton, NULL, &m->source) == SINEW_OK &&
           sinew_pose_create(m->body->skeleton, NULL, &m->target) == SINEW_OK;
}

static bool make_keys(maker *m) {
    m->channels = calloc((size_t)m->body->channel_count + (size_t)m->face_count, sizeof *m->channels);
    return m->channels && make_times(m) && sample_face(m) && make_channels(m);
}

static sinew_result add_face(maker *m, sinew_clip **clip, sinew_error *error) {
    const sinew_error out_of_memory = {.result = SINEW_ERROR_OUT_OF_MEMORY, .message = "out of memory"};
    const bool is_ready = allocate(m);
    if (is_ready) list_channels(m);
    if (is_ready && m->face_count == 0) return SINEW_OK;
    if (!is_ready || !make_keys(m)) {
        *error = out_of_memory;
        return SINEW_ERROR_OUT_OF_MEMORY;
    }
    sinew_clip *made;
    const sinew_result result = make_clip(m, &made, error);
    if (result != SINEW_OK) return result;
    sinew_clip_destroy(*clip);
    *clip = made;
    return SINEW_OK;
}

static void free_maker(maker *m) {
    for (int32_t i = 0; i < m->key_count; i++) free(m->keys[i]);
    for (int32_t i = 0; i < m->face_count; i++) free(m->face_channels[i].values);
    free(m->keys);
    free(m->channels);
    free(m->times);
    free(m->weights);
    free(m->face_channels);
    sinew_pose_destroy(m->target);
    sinew_pose_destroy(m->source);
}

sinew_result retargeting_add_face(const retargeting_face *face, const sinew_clip *motion, sinew_clip **clip,
                                  sinew_error *error) {
    if (!face->source || !face->target) return SINEW_OK;
    maker m = {.face = face, .motion = motion, .body = *clip};
    const sinew_result result = add_face(&m, clip, error);
    free_maker(&m);
    return result;
}
