// SPDX-License-Identifier: MIT
// Samples the face in a .vrma file at its keys, and between keys that are far apart. An expression that's binary,
// overridden or out of range isn't linear between keys.
#include "retargeting/expressions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KEYS = 1000000, MAX_FLOATS = 1 << 27 }; // like sinew_clip_retarget

// A node's morph weights, or an eye's rotation.
typedef struct face_channel {
    int32_t node;
    sinew_channel_target target;
    int32_t width;
    float *values; // [time_count × width]
} face_channel;

// What the face moves on a node.
enum { MOVES_WEIGHTS = 1, MOVES_ROTATION = 2 };

typedef struct maker {
    const retargeting_face *face;
    const sinew_clip *motion, *body; // the source's, the target's
    sinew_pose *source, *target;
    float *weights;       // [expressions in the target]
    int32_t *expressions; // [tracks]; the target's expression, or SINEW_NO_EXPRESSION
    uint8_t *moves;       // [nodes in the target]
    bool *is_track;       // [nodes in the source]; an expression's or the gaze's
    bool looks;           // the gaze moves something
    float *times;
    int32_t time_count;
    face_channel *face_channels; // [face_count]
    int32_t face_count;
    sinew_channel_def *channels; // [channels in the body + face_count]
    float **keys;                // [channels in the body]; times, then values
    int32_t channel_count, key_count;
} maker;

// ---- What both have ------------------------------------------------------------------------------------------------

// Returns the target's expression for a track if it moves a morph target, otherwise SINEW_NO_EXPRESSION.
static int32_t find_expression(const retargeting_face *face, const sinew_vrm_track *track) {
    if (!face->target) return SINEW_NO_EXPRESSION;
    const int32_t i = sinew_vrm_find_expression(face->target, track->name);
    return i != SINEW_NO_EXPRESSION && face->target->expressions[i].morph_count > 0 ? i : SINEW_NO_EXPRESSION;
}

static bool has_gaze(const retargeting_face *face) {
    return face->source && face->source->animation.gaze_node != SINEW_NO_NODE;
}

// Returns the expression for a gaze direction if it moves a morph target, otherwise SINEW_NO_EXPRESSION.
static int32_t look_expression(const sinew_vrm *vrm, int preset) {
    const int32_t i = vrm->expression_of_preset[preset];
    return i != SINEW_NO_EXPRESSION && vrm->expressions[i].morph_count > 0 ? i : SINEW_NO_EXPRESSION;
}

// Returns whether a gaze moves anything on the target.
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
    if (!face->source) return NULL;
    const int32_t count = face->source->animation.track_count;
    while (*next < count) {
        const sinew_vrm_track *track = &face->source->animation.tracks[(*next)++];
        if (find_expression(face, track) == SINEW_NO_EXPRESSION) return track->name;
    }
    return (*next)++ == count && has_gaze(face) && !can_look(face) ? "lookAt" : NULL;
}

// ---- Channels ------------------------------------------------------------------------------------------------------

static void move_node(maker *m, int32_t node, uint8_t what) {
    if (node != SINEW_NO_NODE) m->moves[node] |= what;
}

static void move_morphs(maker *m, int32_t expression) {
    if (expression == SINEW_NO_EXPRESSION) return;
    const sinew_vrm_expression *e = &m->face->target->expressions[expression];
    for (int32_t i = 0; i < e->morph_count; i++) move_node(m, e->morphs[i].node, MOVES_WEIGHTS);
}

static void move_gaze(maker *m) {
    const sinew_vrm *vrm = m->face->target;
    if (vrm->look_at.type == SINEW_VRM_LOOK_AT_BONE) {
        move_node(m, vrm->look_at.left_eye.node, MOVES_ROTATION);
        move_node(m, vrm->look_at.right_eye.node, MOVES_ROTATION);
        return;
    }
    for (int i = SINEW_VRM_PRESET_LOOK_UP; i <= SINEW_VRM_PRESET_LOOK_RIGHT; i++)
        move_morphs(m, look_expression(vrm, i));
}

static void add_channel(maker *m, int32_t node, sinew_channel_target target) {
    const int32_t *offsets = &m->face->target->skeleton->weight_offsets[node];
    const int32_t width = target == SINEW_TARGET_WEIGHTS ? offsets[1] - offsets[0] : 4;
    m->face_channels[m->face_count++] = (face_channel){node, target, width, NULL};
}

static void list_channels(maker *m) {
    const retargeting_face *face = m->face;
    const sinew_vrm_animation *animation = &face->source->animation;
    for (int32_t i = 0; i < animation->track_count; i++) {
        m->is_track[animation->tracks[i].node] = true;
        m->expressions[i] = find_expression(face, &animation->tracks[i]);
        move_morphs(m, m->expressions[i]);
    }
    m->looks = has_gaze(face) && can_look(face);
    if (has_gaze(face)) m->is_track[animation->gaze_node] = true;
    if (m->looks) move_gaze(m);
    for (int32_t i = 0; i < face->target->skeleton->node_count; i++) {
        if (m->moves[i] & MOVES_WEIGHTS) add_channel(m, i, SINEW_TARGET_WEIGHTS);
        if (m->moves[i] & MOVES_ROTATION) add_channel(m, i, SINEW_TARGET_ROTATION);
    }
}

// ---- Times ---------------------------------------------------------------------------------------------------------

static bool is_of_face(const maker *m, const sinew_channel *channel) {
    return channel->target != SINEW_TARGET_CURVE && channel->timeline >= 0 && m->is_track[channel->node];
}

static int compare_floats(const void *a, const void *b) {
    const float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

// Returns how many intervals the rate's grid has.
static int32_t count_steps(const maker *m) {
    const double steps = ceil((double)m->motion->duration * (double)m->face->rate);
    return steps < MAX_KEYS ? (int32_t)steps : MAX_KEYS;
}

// Returns an upper bound on the number of times.
static size_t count_times(const maker *m) {
    size_t count = (size_t)count_steps(m) + 1;
    for (int32_t i = 0; i < m->motion->channel_count; i++)
        if (is_of_face(m, &m->motion->channels[i])) count += 2 * (size_t)m->motion->channels[i].key_count;
    return count;
}

// Lists the times of the face's keys, the moments before keys that jump, and the rate's grid.
static size_t list_times(const maker *m, float *times) {
    const sinew_clip *motion = m->motion;
    const int32_t steps = count_steps(m);
    size_t count = 0;
    for (int32_t i = 0; i <= steps; i++)
        times[count++] = steps > 0 ? motion->duration * ((float)i / (float)steps) : 0.0f;
    for (int32_t i = 0; i < motion->channel_count; i++) {
        const sinew_channel *channel = &motion->channels[i];
        for (int32_t k = 0; is_of_face(m, channel) && k < channel->key_count; k++) {
            const float time = sinew_timeline_time(&motion->timelines[channel->timeline], k);
            times[count++] = time;
            if (channel->interpolation == SINEW_INTERPOLATION_STEP) times[count++] = nextafterf(time, 0.0f);
        }
    }
    return count;
}

static bool make_times(maker *m) {
    m->times = malloc(count_times(m) * sizeof *m->times);
    if (!m->times) return false;
    const size_t count = list_times(m, m->times);
    size_t kept = 1;
    qsort(m->times, count, sizeof *m->times, compare_floats);
    for (size_t i = 1; i < count; i++)
        if (m->times[i] > m->times[kept - 1]) m->times[kept++] = m->times[i];
    m->time_count = (int32_t)kept;
    return true;
}

// ---- Values --------------------------------------------------------------------------------------------------------

// Poses the target at a time: the body, then the face on top.
static void pose_at(maker *m, float time) {
    const retargeting_face *face = m->face;
    const sinew_vrm_animation *animation = &face->source->animation;
    sinew_clip_sample(m->motion, time, m->source);
    sinew_clip_sample(m->body, time, m->target);
    memset(m->weights, 0, (size_t)face->target->expression_count * sizeof *m->weights);
    for (int32_t i = 0; i < animation->track_count; i++)
        if (m->expressions[i] != SINEW_NO_EXPRESSION)
            m->weights[m->expressions[i]] = sinew_vrm_track_weight(&animation->tracks[i], m->source);
    if (m->looks)
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
    if (channel->target == SINEW_TARGET_CURVE) return false;
    const uint8_t moves = m->moves[channel->node];
    return (channel->target == SINEW_TARGET_WEIGHTS && (moves & MOVES_WEIGHTS)) ||
           (channel->target == SINEW_TARGET_ROTATION && (moves & MOVES_ROTATION));
}

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
    const size_t nodes = (size_t)target->skeleton->node_count;
    m->face_channels = calloc(2 * nodes + 1, sizeof *m->face_channels);
    m->moves = calloc(nodes + 1, sizeof *m->moves);
    m->is_track = calloc((size_t)m->motion->skeleton->node_count + 1, sizeof *m->is_track);
    m->weights = calloc((size_t)target->expression_count + 1, sizeof *m->weights);
    m->expressions = calloc((size_t)m->face->source->animation.track_count + 1, sizeof *m->expressions);
    m->keys =
        calloc((size_t)m->body->channel_count + 1, sizeof *m->keys); // NOLINT(bugprone-sizeof-expression): pointers
    return m->face_channels && m->moves && m->is_track && m->weights && m->expressions && m->keys &&
           sinew_pose_create(m->motion->skeleton, NULL, &m->source) == SINEW_OK &&
           sinew_pose_create(m->body->skeleton, NULL, &m->target) == SINEW_OK;
}

static bool make_keys(maker *m) {
    m->channels = calloc((size_t)m->body->channel_count + (size_t)m->face_count, sizeof *m->channels);
    return m->channels && make_times(m) && sample_face(m) && make_channels(m);
}

static bool is_too_long(const maker *m) {
    size_t width = 0;
    for (int32_t i = 0; i < m->face_count; i++) width += (size_t)m->face_channels[i].width;
    const size_t count = count_times(m);
    return count_steps(m) == MAX_KEYS || (width > 0 && count > MAX_FLOATS / width);
}

static sinew_result fail(sinew_error *error, sinew_result result, const char *message) {
    error->result = result;
    snprintf(error->message, sizeof error->message, "%s", message);
    return result;
}

static sinew_result add_face(maker *m, sinew_clip **clip, sinew_error *error) {
    if (!allocate(m)) return fail(error, SINEW_ERROR_OUT_OF_MEMORY, "out of memory");
    list_channels(m);
    if (m->face_count == 0) return SINEW_OK;
    if (is_too_long(m)) return fail(error, SINEW_ERROR_LIMIT, "the face has too many keys; lower the rate");
    if (!make_keys(m)) return fail(error, SINEW_ERROR_OUT_OF_MEMORY, "out of memory");
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
    free(m->expressions);
    free(m->weights);
    free(m->is_track);
    free(m->moves);
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
