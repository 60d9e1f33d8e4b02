// Clips that look like loops: whether their last key is where their first is.
#include "lint/keys.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// Less than this nobody sees: 0.5 degrees, a thousandth of the model's size.
#define SEEN_TURN 0.0087
#define SEEN_PART 1e-3

// A clip looks like a loop when no joint ends further from where it began than this part of the furthest that any
// joint went in between.
#define LOOP_PART 0.15

static const double degrees = 57.295779513082323;

// Radians, or lengths.
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
    double most = 0.0;
    for (int32_t k = 1; k < sampler->key_count; k++) most = fmax(most, between(sampler, 0, k));
    return most;
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

static bool is_called_a_loop(const char *name) {
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

// The joint that ends furthest from where it began, and how far any went.
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

// Rotations tell a loop; a walk's hips may travel. Only where nothing turns do translations tell.
static void check_animation(lint_subject *s, int32_t index) {
    const lint_animation *animation = &s->animations[index];
    seam turns = seam_of(animation, SINEW_TARGET_ROTATION);
    bool turning = turns.range > SEEN_TURN;
    seam found = turning ? turns : seam_of(animation, SINEW_TARGET_TRANSLATION);
    double seen = turning ? SEEN_TURN : SEEN_PART * s->size;
    if (!found.worst || found.gap < seen) return;
    if (found.gap > LOOP_PART * found.range && !(turning && is_called_a_loop(animation->name))) return;
    const char *clip = lint_clip_label(s, index), *node = lint_node_label(s, found.worst->node);
    const char *place = lint_place(s, "animations[%d].samplers[%d].output: key %d", (int)index,
                                   (int)found.worst->index, (int)found.worst->key_count - 1);
    if (turning) {
        lint_add(s, LINT_LOOP_SEAM, 0, place, "%s ends %.2f degrees from where %s began", clip, found.gap * degrees,
                 node);
    } else {
        lint_add(s, LINT_LOOP_SEAM, 0, place, "%s ends %.3g from where %s began", clip, found.gap, node);
    }
}

void lint_check_loops(lint_subject *s) {
    for (int32_t i = 0; i < s->animation_count; i++) check_animation(s, i);
}
