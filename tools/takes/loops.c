// SPDX-License-Identifier: MIT
// Finds the parts of a take that repeat.
//
// The take is compared with itself on a grid. Frames consist of node positions and velocities, relative to the heading
// and the hips' position on the ground. A pair of frames is a candidate if it's more alike than all pairs around it and
// the poses in between differ much more. The best candidates are refined to milliseconds, using the seam that's
// reported.
#include "takes/takes.h"

#include "takes/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RATE       30.0 // the grid's frames per second
#define SHORTEST   0.4  // seconds
#define LONGEST    12.0
#define LOOK       0.1f   // seconds; velocities count as the distance moved in this time
#define MOST_ALIKE 0.35f  // fraction of the largest difference in the loop; above this, it isn't a loop
#define PER_SECOND 0.005f // added to the score, to prefer shorter loops
#define CLOSE      0.25f  // of a loop's length; if both ends are this close to another's, it's the same loop
#define DEGREES    3.0f   // a seam that's as bad as METRES
#define SECOND     0.05f  // this much length counts like such a seam, to prefer the shortest among equal loops
#define METRES     0.01f

enum { MAX_NODES = 32, CANDIDATES = 4 * TAKES_LOOPS, MAX_FRAMES = 36000, HALVINGS = 8 };

typedef struct candidate {
    int32_t start, end;
    float score;
} candidate;

typedef struct searcher {
    const sinew_clip *clip;
    const takes_body *body;
    double from, step; // seconds
    int32_t count;     // number of frames
    int32_t nodes[MAX_NODES];
    int32_t node_count, width; // floats per frame: positions, and each one's velocity
    float *features;           // [count × width]
    float *row;                // [count]; one frame's distances
    candidate found[CANDIDATES];
    int32_t found_count;
    sinew_pose *poses[2];
    sinew_affine *models[2]; // [node_count]
    sinew_transform *locals[2];
} searcher;

// ---- Features ------------------------------------------------------------------------------------------------

// Chooses evenly spread nodes below the hips.
static void choose_nodes(searcher *s) {
    const int32_t first = s->body->hips, last = s->clip->skeleton->subtree_ends[first];
    const int32_t all = last - first, count = all < MAX_NODES ? all : MAX_NODES;
    for (int32_t i = 0; i < count; i++) s->nodes[i] = first + (int32_t)((int64_t)i * all / count);
    s->node_count = count;
    s->width = 6 * count + 3;
}

static void pose_at(searcher *s, int which, double time) {
    sinew_clip_sample(s->clip, (float)time, s->poses[which]);
    sinew_pose_to_model(s->poses[which], s->models[which]);
}

static float *feature_of(const searcher *s, int32_t frame) {
    return s->features + (size_t)frame * (size_t)s->width;
}

// Returns a node's position relative to the hips' position on the ground, turned back by the heading.
static sinew_vec3 relative(const searcher *s, int32_t node, double heading) {
    const sinew_affine *m = &s->models[0][node], *hips = &s->models[0][s->body->hips];
    const sinew_vec3 arm = {m->m[0][3] - hips->m[0][3], m->m[1][3], m->m[2][3] - hips->m[2][3]};
    return takes_turned(arm, -heading);
}

// Computes positions. The last three numbers are the hips' velocity along the heading.
static void fill_positions(searcher *s) {
    double heading = 0.0;
    sinew_affine last = sinew_affine_identity();
    for (int32_t f = 0; f < s->count; f++) {
        pose_at(s, 0, s->from + s->step * (double)f);
        const sinew_affine *hips = &s->models[0][s->body->hips];
        const double turn = f > 0 ? takes_yaw_between(&last, hips) : 0.0;
        float *out = feature_of(s, f);
        heading += turn;
        for (int32_t i = 0; i < s->node_count; i++) {
            const sinew_vec3 p = relative(s, s->nodes[i], heading);
            memcpy(out + (size_t)3 * (size_t)i, &p, sizeof p);
        }
        sinew_vec3 moved = {hips->m[0][3] - last.m[0][3], 0, hips->m[2][3] - last.m[2][3]};
        moved = takes_turned(sinew_vec3_scale(moved, (float)((double)LOOK / s->step)), -heading);
        if (f == 0) moved = (sinew_vec3){0, 0, 0};
        memcpy(out + (size_t)6 * (size_t)s->node_count, &moved, sizeof moved);
        last = *hips;
    }
    if (s->count > 1) memcpy(feature_of(s, 0) + s->width - 3, feature_of(s, 1) + s->width - 3, 3 * sizeof(float));
}

static void fill_velocities(const searcher *s) {
    const int32_t n = 3 * s->node_count;
    for (int32_t f = 0; f < s->count; f++) {
        const int32_t a = f > 0 ? f - 1 : f, b = f + 1 < s->count ? f + 1 : f;
        const float scale = b > a ? LOOK / (float)(s->step * (double)(b - a)) : 0.0f;
        float *out = feature_of(s, f) + n;
        for (int32_t i = 0; i < n; i++) out[i] = scale * (feature_of(s, b)[i] - feature_of(s, a)[i]);
    }
}

// Returns the distance between two frames in meters: the root mean square over the nodes.
static float distance(const searcher *s, int32_t i, int32_t j) {
    const float *a = feature_of(s, i), *b = feature_of(s, j);
    float sum = 0.0f;
    for (int32_t k = 0; k < s->width; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrtf(sum / (float)(s->node_count + 1));
}

// ---- Candidates ----------------------------------------------------------------------------------------------

static bool are_same(const candidate *a, const candidate *b) {
    const float near = CLOSE * (float)(a->end - a->start);
    return fabsf((float)(a->start - b->start)) < near && fabsf((float)(a->end - b->end)) < near;
}

// Keeps the best candidates, sorted. Among candidates for the same loop, keeps the better one.
static void add_candidate(searcher *s, candidate c) {
    for (int32_t i = 0; i < s->found_count; i++) {
        if (!are_same(&s->found[i], &c)) continue;
        if (s->found[i].score <= c.score) return;
        memmove(&s->found[i], &s->found[i + 1], (size_t)(s->found_count - i - 1) * sizeof c);
        s->found_count--;
        i--;
    }
    int32_t at = s->found_count;
    while (at > 0 && s->found[at - 1].score > c.score) at--;
    if (at == CANDIDATES) return;
    if (s->found_count == CANDIDATES) s->found_count--;
    memmove(&s->found[at + 1], &s->found[at], (size_t)(s->found_count - at) * sizeof c);
    s->found[at] = c;
    s->found_count++;
}

// Computes the distances from frame i to later frames, up to the longest loop.
static void fill_row(const searcher *s, int32_t i, int32_t end, float *row) {
    for (int32_t j = i; j < end; j++) row[j] = distance(s, i, j);
}

// Compares frame i with later frames. Looks for a local minimum along j that's much closer than the frames in between.
static void search_row(searcher *s, int32_t i) {
    const int32_t shortest = (int32_t)ceil(SHORTEST / s->step), longest = (int32_t)(LONGEST / s->step);
    const int32_t end = i + longest + 2 < s->count ? i + longest + 2 : s->count;
    fill_row(s, i, end, s->row);
    float farthest = 0.0f;
    for (int32_t j = i + 1; j < end; j++) {
        const float d = s->row[j];
        const bool is_lowest = d <= s->row[j - 1] && (j + 1 == end || d <= s->row[j + 1]);
        if (j - i >= shortest && j - i <= longest && is_lowest && d < MOST_ALIKE * farthest) {
            const float seconds = (float)(s->step * (double)(j - i));
            add_candidate(s, (candidate){i, j, d / farthest + PER_SECOND * seconds});
        }
        farthest = fmaxf(farthest, d);
    }
}

// ---- Refining ------------------------------------------------------------------------------------------------

static takes_seam seam_of(searcher *s, double start, double end) {
    const double times[2] = {start, end};
    takes_pose poses[2];
    for (int k = 0; k < 2; k++) {
        pose_at(s, k, times[k]);
        for (int32_t n = 0; n < s->clip->skeleton->node_count; n++)
            s->locals[k][n] = sinew_pose_get(s->poses[k], n);
        poses[k] = (takes_pose){s->locals[k], s->models[k]};
    }
    return takes_seam_between(s->body, &poses[0], &poses[1]);
}

static float badness(const takes_seam *seam) {
    return seam->degrees / DEGREES + seam->metres / METRES;
}

// Moves both ends to the best seam within one grid step.
static takes_loop refine(searcher *s, const candidate *c, double until) {
    static const int directions[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}};
    double start = s->from + s->step * (double)c->start, end = s->from + s->step * (double)c->end;
    takes_seam seam = seam_of(s, start, end);
    for (int halving = 0; halving < HALVINGS; halving++) {
        const double step = s->step / (double)(1 << halving);
        for (int k = 0; k < 6; k++) {
            const double a = start + step * directions[k][0], b = end + step * directions[k][1];
            if (a < s->from || b > until || b - a < SHORTEST) continue;
            const takes_seam tried = seam_of(s, a, b);
            if (!(badness(&tried) < badness(&seam))) continue;
            start = a, end = b, seam = tried;
            k = -1;
        }
    }
    start = floor(start * 1000.0 + 0.5) / 1000.0;
    end = floor(end * 1000.0 + 0.5) / 1000.0;
    return (takes_loop){(float)start, (float)end, seam_of(s, start, end)};
}

static float rank_of(const takes_loop *loop) {
    return badness(&loop->seam) + SECOND * (loop->end - loop->start);
}

static int compare_loops(const void *a, const void *b) {
    const float first = rank_of(a), second = rank_of(b);
    return (first > second) - (first < second);
}

static int32_t refine_all(searcher *s, double until, takes_loop loops[TAKES_LOOPS]) {
    takes_loop all[CANDIDATES];
    int32_t count = 0;
    for (int32_t i = 0; i < s->found_count; i++) {
        all[count] = refine(s, &s->found[i], until);
        count += isfinite(rank_of(&all[count])) != 0;
    }
    qsort(all, (size_t)count, sizeof *all, compare_loops);
    if (count > TAKES_LOOPS) count = TAKES_LOOPS;
    memcpy(loops, all, (size_t)count * sizeof *all);
    return count;
}

// ---- The search ----------------------------------------------------------------------------------------------

static bool reserve(searcher *s) {
    const size_t nodes = (size_t)s->clip->skeleton->node_count + 1;
    s->features = calloc((size_t)s->count * (size_t)s->width, sizeof *s->features);
    s->row = calloc((size_t)s->count + 1, sizeof *s->row);
    bool good = s->features && s->row;
    for (int k = 0; k < 2; k++) {
        s->models[k] = malloc(nodes * sizeof *s->models[k]);
        s->locals[k] = malloc(nodes * sizeof *s->locals[k]);
        good = sinew_pose_create(s->clip->skeleton, NULL, &s->poses[k]) == SINEW_OK && good;
        good = good && s->models[k] && s->locals[k];
    }
    return good;
}

static void release(searcher *s) {
    free(s->features);
    free(s->row);
    for (int k = 0; k < 2; k++) {
        free(s->models[k]);
        free(s->locals[k]);
        sinew_pose_destroy(s->poses[k]);
    }
}

sinew_result takes_find_loops(const sinew_clip *clip, const takes_body *body, float start, float end,
                              void (*progress)(int done, int total), takes_loop loops[TAKES_LOOPS],
                              int32_t *loop_count, sinew_error *error) {
    *loop_count = 0;
    const double seconds = (double)end - (double)start, steps = floor(seconds * RATE);
    if (!(steps < MAX_FRAMES))
        return takes_fail(error, SINEW_ERROR_LIMIT, "is longer than 20 minutes; use --range");
    if (seconds < SHORTEST || steps < 2.0) return SINEW_OK;
    searcher s = {
        .clip = clip, .body = body, .from = (double)start, .step = seconds / steps, .count = (int32_t)steps + 1};
    choose_nodes(&s);
    const bool has_memory = reserve(&s);
    if (has_memory) {
        fill_positions(&s);
        fill_velocities(&s);
        for (int32_t i = 0; i < s.count; i++) {
            search_row(&s, i);
            if (progress) progress(i + 1, s.count);
        }
        *loop_count = refine_all(&s, (double)end, loops);
    }
    release(&s);
    return has_memory ? SINEW_OK : takes_fail_memory(error);
}
