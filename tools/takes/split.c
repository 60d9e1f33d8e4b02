// SPDX-License-Identifier: MIT
// Cuts takes into pieces.
#include "takes/takes.h"

#include "takes/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RATE     60.0  // frames per second
#define WINDOW   0.1   // seconds to measure speeds over
#define STILL    0.08f // in character sizes per second
#define PAUSE    0.5   // seconds
#define KEPT     0.25  // seconds of a pause to keep on each side
#define SHORTEST 0.2f  // seconds per piece

enum { MAX_FRAMES = 216000 };

static bool add_piece(takes_pieces *pieces, float start, float end) {
    if (end - start < SHORTEST) return true;
    takes_piece *list = realloc(pieces->list, ((size_t)pieces->count + 1) * sizeof *list);
    if (!list) return false;
    pieces->list = list;
    pieces->list[pieces->count++] = (takes_piece){start, end};
    return true;
}

// ---- Markers -------------------------------------------------------------------------------------------------

sinew_result takes_split_at_markers(const sinew_clip *clip, float start, float end, takes_pieces *pieces,
                                    sinew_error *error) {
    *pieces = (takes_pieces){0};
    float from = start;
    bool good = true;
    for (int32_t i = 0; i < clip->marker_count && good; i++) {
        const float time = clip->markers[i].time;
        if (time <= from || time >= end) continue;
        good = add_piece(pieces, from, time);
        from = time;
    }
    good = good && add_piece(pieces, from, end);
    return good ? SINEW_OK : takes_fail_memory(error);
}

// ---- Pauses --------------------------------------------------------------------------------------------------

typedef struct mover {
    const sinew_clip *clip;
    int32_t first, count; // the character's nodes
    double from, step;
    int32_t frame_count, window; // frames
    sinew_pose *pose;
    sinew_affine *model;
    sinew_vec3 *positions; // [window × count]; a ring buffer
    bool *still;           // [frame_count]
} mover;

static void read_positions(mover *m, int32_t frame, sinew_vec3 *out) {
    sinew_clip_sample(m->clip, (float)(m->from + m->step * (double)frame), m->pose);
    sinew_pose_to_model(m->pose, m->model);
    for (int32_t i = 0; i < m->count; i++) {
        const sinew_affine *node = &m->model[m->first + i];
        out[i] = (sinew_vec3){node->m[0][3], node->m[1][3], node->m[2][3]};
    }
}

static float size_of(const sinew_vec3 *points, int32_t count) {
    sinew_vec3 low = points[0], high = points[0];
    for (int32_t i = 1; i < count; i++) {
        low = (sinew_vec3){fminf(low.x, points[i].x), fminf(low.y, points[i].y), fminf(low.z, points[i].z)};
        high = (sinew_vec3){fmaxf(high.x, points[i].x), fmaxf(high.y, points[i].y), fmaxf(high.z, points[i].z)};
    }
    return sinew_vec3_length(sinew_vec3_subtract(high, low));
}

// Marks the frames where no node is faster than STILL, measured over the window that starts there.
static void find_still(mover *m) {
    float size = 0.0f;
    const float seconds = (float)(m->step * (double)m->window);
    for (int32_t f = 0; f < m->frame_count; f++) {
        sinew_vec3 *now = m->positions + (size_t)(f % m->window) * (size_t)m->count;
        sinew_vec3 *out = m->positions + (size_t)m->window * (size_t)m->count;
        read_positions(m, f, out);
        if (f == 0) size = size_of(out, m->count);
        float most = 0.0f;
        for (int32_t i = 0; f >= m->window && i < m->count; i++)
            most = fmaxf(most, sinew_vec3_length(sinew_vec3_subtract(out[i], now[i])));
        if (f >= m->window) m->still[f - m->window] = most < STILL * size * seconds;
        memcpy(now, out, (size_t)m->count * sizeof *out);
    }
    const int32_t last = m->frame_count - m->window;
    for (int32_t f = last > 0 ? last : 0; f < m->frame_count; f++) m->still[f] = last > 0 && m->still[last - 1];
}

// Adds the pieces between pauses.
static bool add_pieces(const mover *m, float start, float end, takes_pieces *pieces) {
    float from = start;
    for (int32_t f = 0; f < m->frame_count;) {
        int32_t until = f;
        while (until < m->frame_count && m->still[until]) until++;
        const double pause = m->step * (double)(until - f), at = m->from + m->step * (double)f;
        if (pause >= PAUSE) {
            if (f > 0 && !add_piece(pieces, from, (float)(at + KEPT))) return false;
            from = until == m->frame_count ? end : (float)(at + pause - KEPT);
        }
        f = until + 1;
    }
    return add_piece(pieces, from, end);
}

static bool reserve(mover *m) {
    m->model = malloc(((size_t)m->clip->skeleton->node_count + 1) * sizeof *m->model);
    m->positions = calloc(((size_t)m->window + 1) * (size_t)m->count, sizeof *m->positions);
    m->still = calloc((size_t)m->frame_count, sizeof *m->still);
    return m->model && m->positions && m->still && sinew_pose_create(m->clip->skeleton, NULL, &m->pose) == SINEW_OK;
}

sinew_result takes_split_at_pauses(const sinew_clip *clip, const takes_body *body, float start, float end,
                                   takes_pieces *pieces, sinew_error *error) {
    *pieces = (takes_pieces){0};
    const double seconds = (double)end - (double)start, frames = floor(seconds * RATE) + 1.0;
    if (!(frames < MAX_FRAMES)) return takes_fail(error, SINEW_ERROR_LIMIT, "is longer than an hour; use --range");
    mover m = {.clip = clip, .first = body->hips, .from = (double)start, .frame_count = (int32_t)frames};
    m.count = clip->skeleton->subtree_ends[m.first] - m.first;
    m.step = 1.0 / RATE;
    m.window = (int32_t)(WINDOW * RATE);
    bool good = reserve(&m);
    if (good) {
        find_still(&m);
        good = add_pieces(&m, start, end, pieces);
    }
    free(m.model);
    free(m.positions);
    free(m.still);
    sinew_pose_destroy(m.pose);
    return good ? SINEW_OK : takes_fail_memory(error);
}
