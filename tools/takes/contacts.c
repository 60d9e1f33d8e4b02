// SPDX-License-Identifier: MIT
// Finds when feet are planted and how much they slip.
//
// The library looks for contacts (feet.h) with soles near height 0. A take's ground can be anywhere, so it's lowered
// for the search by a first estimate: in a quarter of the frames, the lowest sole point is below this height.
#include "takes/takes.h"

#include "takes/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUND_PART 0.25
#define HEIGHT      0.03f // for a sole in contact, in leg lengths
#define LOW         0.01f // for a sole that's certainly planted
#define SPEED       0.45f // for a sole in contact, in leg lengths per second
#define SLOW        0.3f  // for a sole that's certainly planted
#define STILL       0.1f  // slower ground isn't moving; in character heights per second

// ---- Soles ---------------------------------------------------------------------------------------------------

typedef struct soles {
    sinew_vec3 *points; // [number of frames × TAKES_LEGS × SINEW_MAX_FOOT_POINTS]
} soles;

static sinew_vec3 *soles_at(const soles *s, int32_t frame, int leg) {
    return s->points + ((size_t)frame * TAKES_LEGS + (size_t)leg) * SINEW_MAX_FOOT_POINTS;
}

static bool find_soles(soles *s, take *t, const takes_body *body) {
    s->points = calloc((size_t)t->count * TAKES_LEGS * SINEW_MAX_FOOT_POINTS, sizeof *s->points);
    if (!s->points) return false;
    for (int32_t f = 0; f < t->count; f++) {
        take_pose(t, f);
        for (int leg = 0; leg < TAKES_LEGS; leg++) {
            const sinew_foot *foot = &body->feet.feet[leg];
            for (int32_t k = 0; k < foot->point_count; k++)
                soles_at(s, f, leg)[k] = sinew_affine_point(t->model[foot->points[k].node], foot->points[k].point);
        }
    }
    return true;
}

// Returns a sole's lowest point in an interval.
static int32_t lowest_point(const takes_body *body, const sinew_vec3 *from, const sinew_vec3 *to, int leg) {
    int32_t lowest = 0;
    for (int32_t k = 1; k < body->feet.feet[leg].point_count; k++)
        if (from[k].y + to[k].y < from[lowest].y + to[lowest].y) lowest = k;
    return lowest;
}

// Computes slips and heights.
static void find_slips(takes_contacts *c, const take *t, const takes_body *body, const soles *s) {
    for (int leg = 0; leg < TAKES_LEGS; leg++) {
        for (int32_t i = 0; i < c->count; i++) {
            const sinew_vec3 *from = soles_at(s, i, leg), *to = soles_at(s, i + 1, leg);
            const int32_t k = lowest_point(body, from, to, leg);
            const float rate = 1.0f / (t->times[i + 1] - t->times[i]);
            sinew_vec3 slip = sinew_vec3_scale(sinew_vec3_subtract(to[k], from[k]), rate);
            slip.y = 0.0f;
            c->slips[leg * c->count + i] = sinew_vec3_subtract(slip, c->ground);
            c->heights[leg * c->count + i] = 0.5f * (from[k].y + to[k].y);
        }
    }
}

// ---- Medians -------------------------------------------------------------------------------------------------

static int compare_floats(const void *a, const void *b) {
    const float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

static float part_of(float *numbers, int32_t count, double part) {
    if (count == 0) return 0.0f;
    qsort(numbers, (size_t)count, sizeof *numbers, compare_floats);
    return numbers[(int32_t)(part * (double)(count - 1))];
}

// Returns a height that's above the lower sole in a quarter of the intervals.
static float first_ground(const takes_contacts *c, float *numbers) {
    int32_t count = 0;
    for (int32_t i = 0; i < c->count; i++) {
        const float height = fminf(c->heights[i], c->heights[c->count + i]);
        if (isfinite(height)) numbers[count++] = height;
    }
    return part_of(numbers, count, GROUND_PART);
}

typedef float (*read_number)(const takes_contacts *c, int32_t i);

static float height_of(const takes_contacts *c, int32_t i) {
    return c->heights[i];
}

static float x_of(const takes_contacts *c, int32_t i) {
    return c->slips[i].x;
}

static float z_of(const takes_contacts *c, int32_t i) {
    return c->slips[i].z;
}

static float planted_median(const takes_contacts *c, read_number read, float *numbers) {
    int32_t count = 0;
    for (int32_t i = 0; i < TAKES_LEGS * c->count; i++)
        if (c->weights[i] > 0.0f && isfinite(read(c, i))) numbers[count++] = read(c, i);
    return part_of(numbers, count, 0.5);
}

// ---- Contacts ------------------------------------------------------------------------------------------------

static void raise_by(take *t, const takes_body *body, float height) {
    for (int32_t f = 0; f < t->count; f++) {
        take_pose(t, f);
        take_move(t, f, body->hips, (sinew_vec3){0, height, 0});
    }
}

// Marks the planted intervals: their middle is in a contact.
static void mark_planted(takes_contacts *c, const take *t, const sinew_clip_contacts *of_clip) {
    for (int leg = 0; leg < TAKES_LEGS; leg++) {
        for (int32_t i = 0; i < c->count; i++) {
            const float middle = 0.5f * (t->times[i] + t->times[i + 1]);
            c->weights[leg * c->count + i] = sinew_clip_contacts_at(of_clip, leg, middle) ? 1.0f : 0.0f;
        }
    }
}

// Finds contacts with ground at a given height.
static sinew_result find_at(takes_contacts *c, take *t, const takes_body *body, float ground, sinew_error *error) {
    const size_t bytes = (size_t)t->count * (size_t)t->skeleton->node_count * sizeof *t->transforms;
    sinew_transform *kept = malloc(bytes + 1);
    uint8_t *changed = malloc((size_t)t->skeleton->node_count + 1);
    sinew_clip *lowered = NULL;
    sinew_foot_contacts *contacts = NULL;
    sinew_result result = kept && changed ? SINEW_OK : takes_fail_memory(error);
    if (result == SINEW_OK) {
        memcpy(kept, t->transforms, bytes);
        memcpy(changed, t->changed, (size_t)t->skeleton->node_count);
        raise_by(t, body, -ground);
        result = take_create_clip(t, NULL, &lowered, error);
        memcpy(t->transforms, kept, bytes);
        memcpy(t->changed, changed, (size_t)t->skeleton->node_count);
    }
    free(kept);
    free(changed);
    if (result != SINEW_OK) return result;
    sinew_foot_contacts_def def = sinew_foot_contacts_default();
    const sinew_clip *clips[] = {lowered};
    def.skeleton = t->skeleton;
    def.clips = clips;
    def.clip_count = 1;
    def.foot_count = TAKES_LEGS;
    def.feet = body->feet.feet;
    def.height = HEIGHT * body->leg_length;
    def.speed = SPEED * body->leg_length;
    result = sinew_foot_contacts_create(&def, &contacts, error);
    if (result == SINEW_OK) mark_planted(c, t, &contacts->clips[0]);
    sinew_foot_contacts_destroy(contacts);
    sinew_clip_destroy(lowered);
    return result;
}

// Adds up the slips of planted feet.
static void sum_slips(takes_contacts *c, const take *t) {
    double sum = 0.0, seconds = 0.0;
    c->most = 0.0f;
    for (int32_t i = 0; i < TAKES_LEGS * c->count; i++) {
        const int32_t f = i % c->count;
        const double step = (double)c->weights[i] * ((double)t->times[f + 1] - (double)t->times[f]);
        const float slip = sinew_vec3_length(c->slips[i]);
        sum += step * (double)slip;
        seconds += step;
        if (c->weights[i] == 1.0f) c->most = fmaxf(c->most, slip);
    }
    c->seconds = (float)seconds;
    c->slide = seconds > 0.0 ? (float)(sum / seconds) : 0.0f;
}

static bool has_any(const takes_contacts *c) {
    for (int32_t i = 0; i < TAKES_LEGS * c->count; i++)
        if (c->weights[i] > 0.0f) return true;
    return false;
}

// Fades smoothly from 1 at `from` to 0 at `to`.
static float fading(float x, float from, float to) {
    const float u = fminf(fmaxf((to - x) / (to - from), 0.0f), 1.0f);
    return u * u * (3.0f - 2.0f * u);
}

// Reduces the weights of feet that are being lifted or set down. They're higher than planted feet and move faster over
// the ground.
static void fade_lifted(takes_contacts *c, const takes_body *body) {
    for (int32_t i = 0; i < TAKES_LEGS * c->count; i++) {
        const float raised = (c->heights[i] - c->level) / body->leg_length;
        const float speed = sinew_vec3_length(c->slips[i]) / body->leg_length;
        c->weights[i] *= fading(raised, LOW, HEIGHT) * fading(speed, SLOW, SPEED);
    }
}

// Returns how fast the hips move along the ground from their first position to their last. If the ground is slower than
// that, it's a slide.
static float travel_speed(take *t, const takes_body *body) {
    const sinew_affine *hips = &t->model[body->hips];
    take_pose(t, 0);
    const sinew_vec3 first = {hips->m[0][3], 0, hips->m[2][3]};
    take_pose(t, t->count - 1);
    const sinew_vec3 last = {hips->m[0][3], 0, hips->m[2][3]};
    return sinew_vec3_length(sinew_vec3_subtract(last, first)) / t->times[t->count - 1];
}

static sinew_result find_contacts(takes_contacts *c, take *t, const takes_body *body, const soles *s,
                                  float *numbers, sinew_error *error) {
    find_slips(c, t, body, s);
    const float ground = first_ground(c, numbers);
    const sinew_result result = find_at(c, t, body, ground, error);
    if (result != SINEW_OK) return result;
    c->level = has_any(c) ? planted_median(c, height_of, numbers) : ground;
    c->ground = (sinew_vec3){planted_median(c, x_of, numbers), 0, planted_median(c, z_of, numbers)};
    const float least = fmaxf(STILL * body->feet.height, travel_speed(t, body));
    if (sinew_vec3_length(c->ground) < least) c->ground = (sinew_vec3){0, 0, 0};
    for (int32_t i = 0; i < TAKES_LEGS * c->count; i++) c->slips[i] = sinew_vec3_subtract(c->slips[i], c->ground);
    fade_lifted(c, body);
    sum_slips(c, t);
    return SINEW_OK;
}

sinew_result takes_find_contacts(takes_contacts *c, take *t, const takes_body *body, sinew_error *error) {
    *c = (takes_contacts){.count = t->count - 1};
    const size_t count = TAKES_LEGS * (size_t)c->count;
    soles s = {NULL};
    float *numbers = malloc(count * sizeof *numbers);
    c->weights = calloc(count, sizeof *c->weights);
    c->slips = calloc(count, sizeof *c->slips);
    c->heights = calloc(count, sizeof *c->heights);
    const bool has_memory = numbers && c->weights && c->slips && c->heights && find_soles(&s, t, body);
    const sinew_result result =
        has_memory ? find_contacts(c, t, body, &s, numbers, error) : takes_fail_memory(error);
    free(numbers);
    free(s.points);
    return result;
}

sinew_result takes_measure_slips(takes_contacts *c, take *t, const takes_body *body, sinew_error *error) {
    soles s = {NULL};
    if (!find_soles(&s, t, body)) return takes_fail_memory(error);
    find_slips(c, t, body, &s);
    sum_slips(c, t);
    free(s.points);
    return SINEW_OK;
}

void takes_contacts_free(takes_contacts *c) {
    free(c->weights);
    free(c->slips);
    free(c->heights);
    *c = (takes_contacts){0};
}
