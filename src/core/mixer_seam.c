// SPDX-License-Identifier: MIT
// A seam is a moment at which what contributes to the pose changes abruptly, on its own or through a call. Part of
// control.
//
// The pose is smooth between seams. At a seam this compares the contributions on both sides: each one's time, part of
// the layer and side. If they differ, it captures the pose before and inertializes the difference. So no individual
// change has to avoid jumps itself.
//
// The state before a change is copied when the change begins. Most changes don't jump, for example because a fade
// starts at the action's current weight. These only cost the copy.
#include "core/mixer_control.h"

#include <string.h>

// Smaller differences between parts of a layer count as equal. This covers rounding and is below 1e-4 degrees.
#define SAME_PART 1e-6f

// ---- The state before ----------------------------------------------------------------------------------------

static void *moved(const sinew_mixer *mixer, void *pointer) {
    return mixer->seam.before + ((char *)pointer - (char *)mixer->state);
}

// Returns a mixer that has the state before the change. It shares outputs, held poses and offsets.
static sinew_mixer view_before(const sinew_mixer *mixer) {
    sinew_mixer before = *mixer;
    before.state = (mixer_state *)moved(mixer, mixer->state);
    before.layers = (layer_state *)moved(mixer, mixer->layers);
    before.actions = (action_state *)moved(mixer, mixer->actions);
    before.hints = (uint32_t *)moved(mixer, mixer->hints);
    before.queued = (queued_state *)moved(mixer, mixer->queued);
    before.previous = (previous_source *)moved(mixer, mixer->previous);
    before.spaces = (space_state *)moved(mixer, mixer->spaces);
    before.sides = (uint16_t *)moved(mixer, mixer->sides);
    before.is_dirty = mixer->seam.was_dirty;
    return before;
}

static void copy_state(sinew_mixer *mixer) {
    if (!mixer->seam.is_open || mixer->seam.is_captured) return;
    memcpy(mixer->seam.before, mixer->state, mixer->head_size);
    mixer->seam.was_dirty = mixer->is_dirty;
}

void sinewi_mixer_begin_seam(sinew_mixer *mixer, float duration) {
    const bool is_shown = mixer->state->has_advanced || sinewi_mixer_has_set_pose(mixer);
    mixer->seam.is_open = mixer->def.inertialization && is_shown && duration >= SINEWI_MIN_TRANSITION_SECONDS;
    mixer->seam.is_captured = mixer->seam.holds = false;
    mixer->seam.duration = duration;
    if (mixer->seam.is_open && mixer->root) mixer->seam.root = sinewi_mixer_root_velocity(mixer);
    copy_state(mixer);
}

void sinewi_mixer_restart_seam(sinew_mixer *mixer) {
    mixer->seam.holds = true;
    copy_state(mixer);
}

// ---- Comparing -----------------------------------------------------------------------------------------------

// One side of a seam.
typedef struct side_of_seam {
    const sinew_mixer *mixer;
    contribution_buffer buffer;
} side_of_seam;

static void gather_side(const sinew_mixer *mixer, side_of_seam *side) {
    side->mixer = mixer;
    side->buffer.all = (contributions){.items = side->buffer.items};
    sinewi_mixer_gather(mixer, 0.0, ALL_ACTIONS, &side->buffer.all);
}

static int32_t first_of(const side_of_seam *side, int32_t layer) {
    return layer > 0 ? side->buffer.all.ends[layer - 1] : 0;
}

static bool adds(const side_of_seam *side, int32_t layer) {
    return side->mixer->layers[layer].mode == SINEW_LAYER_ADDITIVE;
}

// Returns how much an override layer replaces of the layers below, or the weight at which an additive layer adds.
static float strength_of(const side_of_seam *side, int32_t layer) {
    const contributions *all = &side->buffer.all;
    if (first_of(side, layer) == all->ends[layer]) return 0.0f;
    if (adds(side, layer)) return all->strengths[layer];
    const float strength = all->strengths[layer] < 1.0f ? all->strengths[layer] : 1.0f;
    return layer > 0 && all->sums[layer] < 1.0f ? strength * all->sums[layer] : strength;
}

static float part_of(const side_of_seam *side, int32_t layer, const contribution *item) {
    return adds(side, layer) ? item->weight : item->weight / side->buffer.all.sums[layer];
}

static const contribution *find_alike(const side_of_seam *in, int32_t layer, const contribution *item) {
    for (int32_t i = first_of(in, layer); i < in->buffer.all.ends[layer]; i++) {
        const contribution *other = &in->buffer.all.items[i];
        if (other->slot == item->slot && other->serial == item->serial && other->sample == item->sample)
            return other;
    }
    return NULL;
}

static const uint16_t *sides_of(const side_of_seam *side, const contribution *item) {
    if (item->slot == SINEWI_HELD_SLOT) return NULL;
    return sinewi_side_row(side->mixer, sinewi_side_row_of(side->mixer, item));
}

static bool same_rows(const sinew_mixer *mixer, const uint16_t *a, const uint16_t *b) {
    if (!a || !b) return a == b;
    return memcmp(a, b, sinewi_mixer_block_end(mixer) * sizeof *a) == 0;
}

// A pose with only one contribution has no sides.
static bool same_side(const side_of_seam *a, const side_of_seam *b, const contribution *in_a,
                      const contribution *in_b) {
    if (a->buffer.all.count == 1 && b->buffer.all.count == 1) return true;
    return (in_a->side & SIDE_ODD_LOOPS) == (in_b->side & SIDE_ODD_LOOPS) &&
           same_rows(a->mixer, sides_of(a, in_a), sides_of(b, in_b));
}

// Returns whether each contribution on one side is also on the other.
static bool has_all(const side_of_seam *a, const side_of_seam *b, int32_t layer) {
    for (int32_t i = first_of(a, layer); i < a->buffer.all.ends[layer]; i++) {
        const contribution *item = &a->buffer.all.items[i], *other = find_alike(b, layer, item);
        const float part = part_of(a, layer, item);
        if (!(fabsf(part - (other ? part_of(b, layer, other) : 0.0f)) <= SAME_PART)) return false;
        if (!other || !(part > SAME_PART)) continue;
        if (item->time != other->time || !same_side(a, b, item, other)) return false;
    }
    return true;
}

static bool same_layer(const side_of_seam *a, const side_of_seam *b, int32_t layer) {
    const float in_a = strength_of(a, layer), in_b = strength_of(b, layer);
    if (!(fabsf(in_a - in_b) <= SAME_PART)) return false;
    if (!(in_a > SAME_PART)) return true;
    if (adds(a, layer) != adds(b, layer)) return false;
    const size_t row = sinewi_side_row_of_layer(&a->mixer->def, layer);
    const bool hides_all = layer > 0 && in_a >= 1.0f && !a->mixer->layers[layer].mask;
    if (layer > 0 && !adds(a, layer) && !hides_all &&
        !same_rows(a->mixer, sinewi_side_row(a->mixer, row), sinewi_side_row(b->mixer, row)))
        return false;
    return has_all(a, b, layer) && has_all(b, a, layer);
}

// Not inlined, to keep the contributions off the stack while capturing a pose.
SINEWI_NOINLINE bool is_seamless(const sinew_mixer *mixer) {
    const sinew_mixer view = view_before(mixer);
    side_of_seam before, after;
    gather_side(&view, &before);
    gather_side(mixer, &after);
    for (int32_t l = 0; l < mixer->def.layer_count; l++)
        if (!same_layer(&before, &after, l)) return false;
    return true;
}

// ---- Absorbing -----------------------------------------------------------------------------------------------

// Captures the pose before the change, unless the program has set it or an earlier change has captured one.
static void capture(sinew_mixer *mixer) {
    mixer->seam.is_captured = true;
    sinewi_mixer_capture_root(mixer, mixer->seam.root);
    if (mixer->state->set_pose.is_current) return;
    sinew_mixer before = view_before(mixer);
    sinewi_mixer_capture_current(&before);
    mixer->pose_is_stale = before.pose_is_stale;
    mixer->pose_is_edited = before.pose_is_edited;
    mixer->state->finish.is_finished = before.state->finish.is_finished;
    mixer->state->offsets.duration = 0.0f;
    const bool is_base = mixer->state->set_pose.is_base;
    mixer->state->set_pose = before.state->set_pose;
    mixer->state->set_pose.is_base |= is_base;
    mixer->state->root.captured = mixer->seam.root;
}

void sinewi_mixer_capture_shown(sinew_mixer *mixer) {
    if (mixer->seam.is_open && !mixer->seam.is_captured) capture(mixer);
}

// A pose that the program has set always differs from what plays.
void sinewi_mixer_capture_seam(sinew_mixer *mixer) {
    if (!mixer->seam.is_open || mixer->seam.is_captured) return;
    if (sinewi_mixer_has_set_pose(mixer) || !is_seamless(mixer)) capture(mixer);
}

// Differences below this are rounding, in meters and radians per second.
#define SAME_VELOCITY 1e-4f

// Handles the case that only the root's velocity differs, because a held pose doesn't move.
static void absorb_root(sinew_mixer *mixer) {
    const root_velocity before = mixer->seam.root, now = sinewi_mixer_root_velocity(mixer);
    bool differs = fabsf(now.yaw - before.yaw) > SAME_VELOCITY;
    for (int i = 0; i < 3; i++) differs |= fabsf(now.move[i] - before.move[i]) > SAME_VELOCITY;
    if (!differs) return;
    mixer->state->root.decaying = before;
    mixer->state->root.decay = (decay_state){.duration = mixer->seam.duration};
}

void sinewi_mixer_end_seam(sinew_mixer *mixer) {
    sinewi_mixer_choose_sides(mixer);
    sinewi_mixer_capture_seam(mixer);
    const bool was_open = mixer->seam.is_open;
    mixer->seam.is_open = false;
    if (!was_open) return;
    if (mixer->seam.is_captured) {
        sinewi_mixer_note_change(mixer, mixer->seam.duration);
    } else if (mixer->root && mixer->seam.holds) {
        absorb_root(mixer);
    }
}
