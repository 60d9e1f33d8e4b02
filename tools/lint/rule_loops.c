// SPDX-License-Identifier: MIT
// Loops: clips that look like loops but don't close, and loops that lack their last frame.
#include "lint/keys.h"
#include "lint/loop.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// The smallest visible difference: 0.5 degrees, and a thousandth of the model's size.
#define VISIBLE_ANGLE    0.0087
#define VISIBLE_FRACTION 1e-3

// A clip looks like a loop if no joint's last key differs much from its first: at most by this fraction of how far any
// joint ever moves from its first key.
#define LOOP_FRACTION 0.15

static const double degrees = 57.295779513082323;

// Returns the difference between two keys: radians for rotations, otherwise a length.
static double between(const lint_sampler *sampler, int32_t a, int32_t b) {
    const double *p = lint_key(sampler, a), *q = lint_key(sampler, b);
    if (sampler->path == SINEW_TARGET_ROTATION) {
        double lengths = sqrt(lint_dot4(p, p) * lint_dot4(q, q));
        return lengths > 0.0 ? 2.0 * acos(fmin(1.0, fabs(lint_dot4(p, q)) / lengths)) : 0.0;
    }
    double sum = 0.0;
    for (int i = 0; i < 3; i++) sum += (p[i] - q[i]) * (p[i] - q[i]);
    return sqrt(sum);
}

static double furthest(const lint_sampler *sampler) {
    double largest = 0.0;
    for (int32_t k = 1; k < sampler->key_count; k++) largest = fmax(largest, between(sampler, 0, k));
    return largest;
}

static bool contains_word(const char *name, const char *word) {
    size_t length = strlen(word);
    for (; *name; name++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)name[i]) == word[i]) i++;
        if (i == length) return true;
    }
    return false;
}

static bool is_named_like_a_loop(const char *name) {
    static const char *const words[] = {"idle", "walk", "run", "loop", "cycle"};
    static const char *const others[] = {"start", "stop", "end", "attack", "jump", "turn"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (contains_word(name, others[i])) return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (contains_word(name, words[i])) return true;
    }
    return false;
}

// The sampler with the largest difference between its first and last key, and the largest difference in any sampler.
typedef struct seam {
    const lint_sampler *worst;
    double gap, range;
} seam;

static seam seam_of(const lint_animation *animation, sinew_channel_target path) {
    seam found = {NULL, 0.0, 0.0};
    for (int32_t i = 0; i < animation->sampler_count; i++) {
        const lint_sampler *sampler = &animation->samplers[i];
        if (sampler->node < 0 || sampler->path != path || sampler->key_count < 3) continue;
        double gap = between(sampler, 0, sampler->key_count - 1);
        found.range = fmax(found.range, furthest(sampler));
        if (!(gap > found.gap)) continue;
        found.gap = gap;
        found.worst = sampler;
    }
    return found;
}

// Returns whether a sampler's keys look like a loop without its last frame: evenly spaced at both ends, and starting
// and ending with the clip.
static bool has_frames(const lint_animation *animation, const lint_sampler *sampler, double *frame) {
    const int32_t count = sampler->key_count;
    if (count < 4 || sampler->interpolation == SINEW_INTERPOLATION_STEP) return false;
    *frame = sampler->times[count - 1] - sampler->times[count - 2];
    const double rounding = 0.01 * *frame, second = sampler->times[1] - sampler->times[0];
    return fabs(second - *frame) <= rounding && sampler->times[0] <= animation->start + rounding &&
           sampler->times[count - 1] >= animation->end - rounding;
}

// Returns whether a clip lacks its last frame, and how long that is.
static bool is_short(const lint_animation *animation, sinew_channel_target path, double *frame) {
    lint_seam steps = {0};
    for (int32_t i = 0; i < animation->sampler_count; i++) {
        const lint_sampler *sampler = &animation->samplers[i];
        if (sampler->node < 0 || sampler->path != path || !has_frames(animation, sampler, frame)) continue;
        const int32_t last = sampler->key_count - 1;
        const lint_seam_keys keys = {lint_key(sampler, last - 1), lint_key(sampler, last), lint_key(sampler, 0),
                                     lint_key(sampler, 1)};
        lint_seam_add(&steps, &keys, path == SINEW_TARGET_ROTATION);
    }
    return lint_seam_is_short(&steps);
}

// Checks a clip's rotations, because a walk's hips may travel. Checks translations only if nothing rotates.
static void check_animation(lint_subject *s, int32_t index) {
    const lint_animation *animation = &s->animations[index];
    seam rotations = seam_of(animation, SINEW_TARGET_ROTATION);
    bool rotating = rotations.range > VISIBLE_ANGLE;
    seam found = rotating ? rotations : seam_of(animation, SINEW_TARGET_TRANSLATION);
    double visible = rotating ? VISIBLE_ANGLE : VISIBLE_FRACTION * s->size;
    if (!found.worst || found.gap < visible) return;
    double frame = 0.0;
    if (is_short(animation, rotating ? SINEW_TARGET_ROTATION : SINEW_TARGET_TRANSLATION, &frame)) {
        lint_add(s, LINT_LOOP_SHORT, 0, lint_location(s, "animations[%d]", (int)index),
                 "%s ends at %.6g s, one frame (%.4g s) before it would be back at its first pose",
                 lint_clip_label(s, index), animation->end, frame);
        return;
    }
    if (found.gap > LOOP_FRACTION * found.range && !(rotating && is_named_like_a_loop(animation->name))) return;
    const char *clip = lint_clip_label(s, index), *node = lint_node_label(s, found.worst->node);
    const char *location = lint_location(s, "animations[%d].samplers[%d].output: key %d", (int)index,
                                         (int)found.worst->index, (int)found.worst->key_count - 1);
    if (rotating) {
        lint_add(s, LINT_LOOP_SEAM, 0, location, "%s: the last key of %s differs from the first by %.2f degrees",
                 clip, node, found.gap * degrees);
    } else {
        lint_add(s, LINT_LOOP_SEAM, 0, location, "%s: the last key of %s differs from the first by %.3g", clip,
                 node, found.gap);
    }
}

void lint_check_loops(lint_subject *s) {
    for (int32_t i = 0; i < s->animation_count; i++) check_animation(s, i);
}
