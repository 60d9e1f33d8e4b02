// SPDX-License-Identifier: MIT
// The parts of the mixer oracle: fades, poses and offsets, used by its files only.
#ifndef ORACLE_PARTS_H
#define ORACLE_PARTS_H

#include "support/check.h"
#include "support/mixer_oracle.h"

// The seconds over which velocities are measured, before and after a moment: see docs/mixing.md.
#define LOOK_SECONDS (1.0 / 1024.0)

// ---- Fades ---------------------------------------------------------------------------------------------------

static inline double fade_after(const oracle_fade *fade, double seconds) {
    if (fade->duration == 0.0) return fade->to;
    double u = fmin(1.0, fmax(0.0, (fade->elapsed + seconds) / fade->duration));
    if (fade->curve == SINEW_CURVE_SMOOTHSTEP) u = u * u * (3.0 - 2.0 * u);
    return fade->from + (fade->to - fade->from) * u;
}

// On a line from the current value, at its current slope.
static inline double fade_on_line(const oracle_fade *fade, double seconds) {
    if (fade->duration == 0.0) return fade->to;
    double h = 1e-4 * fade->duration, now = fade_after(fade, 0.0);
    return fmax(0.0, now + (fade_after(fade, h) - now) / h * seconds);
}

// The slope before a change in the current frame.
static inline double fade_last_slope(const oracle_fade *fade) {
    if (fade->elapsed == 0.0 || fade->duration == 0.0) return fade->elapsed == 0.0 ? fade->slope : 0.0;
    double h = 1e-4 * fade->duration;
    return (fade_after(fade, 0.0) - fade_after(fade, -h)) / h;
}

// The value as it moved before a change in the current frame.
static inline double fade_as_before(const oracle_fade *fade, double seconds) {
    if (fade->elapsed > 0.0) return fade_after(fade, seconds);
    return fmax(0.0, fade_after(fade, 0.0) + fade->slope * seconds);
}

static inline void fade_begin(oracle_fade *fade, double to, double duration, int curve) {
    *fade = (oracle_fade){.from = fade_after(fade, 0.0),
                          .to = to,
                          .duration = duration,
                          .slope = duration > 0.0 ? fade_last_slope(fade) : 0.0,
                          .curve = curve};
}

static inline double fade_left(const oracle_fade *fade) {
    return fade->duration == 0.0 ? 0.0 : fade->duration - fade->elapsed;
}

static inline bool fade_advance(oracle_fade *fade, double seconds) {
    if (fade->duration == 0.0) return false;
    fade->elapsed += seconds;
    if (fade->elapsed < fade->duration - 1e-9) return false;
    fade->duration = 0.0;
    return true;
}

static inline oracle_fade fade_at(double value) {
    return (oracle_fade){.to = value};
}

// ---- Entries --------------------------------------------------------------------------------------------------

static inline bool is_action(const oracle_entry *entry) {
    return entry->is_used && entry->handle.id != 0;
}

static inline bool is_in(const oracle_entry *entry, int layer) {
    return entry->is_used && entry->layer == layer;
}

static inline double weight_now(const oracle_entry *entry) {
    return fade_after(&entry->weight, 0.0);
}

static inline double rate_of(const oracle_entry *entry) {
    return fabs(entry->speed) * entry->warp;
}

static inline bool is_out_of_phase(double a, double b) {
    double difference = fabs(a - b);
    return fmin(difference, fabs(1.0 - difference)) > 2e-3;
}

static inline void give_sign(double q[4], const double reference[4]) {
    if (quat_dot(q, reference) < 0.0) quat_negate(q);
}

// ---- Evaluation -----------------------------------------------------------------------------------------------

// The entries of a layer with their proportions.
typedef struct layer_sum {
    const oracle_entry *entries[ORACLE_MAX_ENTRIES];
    const oracle_pose *poses[ORACLE_MAX_ENTRIES];
    double shares[ORACLE_MAX_ENTRIES];
    int count;
    double sum;
} layer_sum;

// Which poses and which proportions: those before a frame, LOOK_SECONDS later, or after it.
typedef enum pose_time { BEFORE_FRAME, NEXT_MOMENT, AFTER_FRAME } pose_time;

// How proportions move: by their fades; on lines at the current slopes; or, those that changes of this frame move, at the
// slopes that they had before.
typedef enum share_motion { BY_FADES, ON_LINES, AS_BEFORE } share_motion;

typedef struct moment {
    pose_time poses;
    double share_seconds;
    share_motion motion;
} moment;

// The entries of a layer that have a proportion, oldest first.
layer_sum oracle_sum_layer(const mixer_oracle *o, int layer, moment at);

// The proportions of a layer's entries, divided by their sum. The rotation is unit, and the mixer's where theirs cancel out.
local_transform oracle_blend_node(const mixer_oracle *o, const layer_sum *sum, int32_t node);

// The proportions of the first layers at a moment.
typedef struct oracle_view {
    int layers;
    layer_sum sums[ORACLE_MAX_LAYERS];
    double strengths[ORACLE_MAX_LAYERS];
} oracle_view;

oracle_view oracle_view_layers(const mixer_oracle *o, int layers, moment at);
local_transform oracle_evaluate_node(const mixer_oracle *o, const oracle_view *view, int32_t node);

// Evaluates the first `layers` layers, without offsets. `base` may be NULL; it gets the pose of the base alone.
void oracle_evaluate(const mixer_oracle *o, int layers, moment at, oracle_pose *base, oracle_pose *out);

void oracle_copy_pose(const mixer_oracle *o, const oracle_pose *from, oracle_pose *to);
void oracle_read_pose(const mixer_oracle *o, const sinew_pose *pose, oracle_pose *out);

// Samples a clip. What root motion takes out of the pose stays as it is at the clip's start.
void oracle_sample_at(const mixer_oracle *o, const sinew_clip *clip, float time, oracle_pose *out);
void oracle_sample(const mixer_oracle *o, const oracle_entry *entry, oracle_pose *out);

// Computes an action's root velocity from that of its clip, which is the same from start to end.
void oracle_move_root(const mixer_oracle *o, oracle_entry *entry);

// Extrapolates a held pose by a frame.
void oracle_move_held(const mixer_oracle *o, oracle_entry *entry, double dt);
void oracle_move_held_on_line(const mixer_oracle *o, const oracle_entry *entry, double seconds,
                              oracle_pose *out); // at its current velocity

// ---- Offsets of inertialization: oracle_offset.c ---------------------------------------------------------------

// The factors of an offset's start and velocity: x(s) = (1 - s)^3 (X0 (1 - 9/4 s^2) + B (s + 3/2 s^2)) with
// B = V d + 3 X0.
typedef struct offset_factors {
    double start, velocity;
} offset_factors;

offset_factors oracle_offset_after(const mixer_oracle *o, double seconds);
offset_factors oracle_offset_on_line(const mixer_oracle *o, double seconds); // at its current velocity
local_motion oracle_offset_of(const mixer_oracle *o, const offset_start *start, offset_factors by);
void oracle_add_offsets(const mixer_oracle *o, offset_factors by, const oracle_pose *from, oracle_pose *to);

// The offset of a node by the sides that it has.
static inline offset_start *oracle_offset_start(const mixer_oracle *o, int32_t node) {
    return &o->offsets[node].starts[o->offsets[node].taken];
}

// Captures the difference of the shown pose and the new one, and of their velocities: at the end of the calls, so that
// any number of them take it over once. The new pose is that before the frame, its velocity that of LOOK_SECONDS.
void oracle_capture_offsets(mixer_oracle *o);

// Limits an extrapolation that lasts `seconds` to a quarter turn and to half of the scale.
void oracle_limit_velocity(local_motion *velocity, const local_transform *from, double seconds);

// ---- Sides: oracle_side.c ------------------------------------------------------------------------------------

// What is known about a side. An inertialization that starts without it has offsets that depend on it, relative to the
// entry that defines the sign of its layer's sum. The mixer has chosen those that are unread in an earlier frame. A side that
// is lost later is none of these: NO_SIDE is added as a bit.
enum { HAS_SIDE, NO_SIDE, NO_SIDE_AT_OFFSET = 2, DEFINES_SIGN = 4, UNREAD_SIDE = 8 };

#define CLEAR_COSINE 0.05 // of half the angle between two rotations, from which on the shorter arc is clear

// Forgets on which side the rotations of an entry, or of a layer and those above it, are added.
void oracle_forget_sides(const mixer_oracle *o, oracle_entry *entry);
void oracle_forget_layer_sides(mixer_oracle *o, int layer);

// A side that is not known.
typedef struct side_choice {
    oracle_entry *entry; // NULL: of a layer, or of the rest pose
    bool *is_opposite;
    uint8_t *has_no_side;
} side_choice;

// Lists the sides of a node that are not known and matter; changes those of some bits.
int oracle_list_sides(mixer_oracle *o, const oracle_view *view, int32_t node,
                      side_choice choices[ORACLE_MAX_CHOICES]);
void oracle_change_sides(const side_choice *choices, int count, int bits, int32_t node);

// Notes which entries define the signs of a node's sums, for an inertialization that starts.
void oracle_keep_definers(mixer_oracle *o, const oracle_view *view, int32_t node);

// Takes the sides on the shorter arcs, as of the last frame: an inertialization starts with them, and its offsets depend on
// them where that is not clear.
void oracle_take_shorter_sides(mixer_oracle *o);

// Reads the sides that were forgotten from the mixer's pose, which is `dt` seconds after the last frame.
void oracle_read_sides(mixer_oracle *o, double dt);

// Returns how far the pose is from the mixer's, by the sides that are the closest to it: the sum of the squares of all
// angles.
double oracle_difference(mixer_oracle *o, double dt);

// Reads the rates of all actions from a copy of the mixer that looks ahead.
void oracle_probe_rates(mixer_oracle *o);

// ---- Calls ---------------------------------------------------------------------------------------------------

// The group's phase that a member of the same mixer has; negative: none.
double oracle_phase_of_group(const mixer_oracle *o, int sync, const oracle_entry *but);

// The clip's time after a motion from `time`.
float oracle_time_after(const mixer_oracle *o, const oracle_entry *entry, double time, double motion);

// Begins the fades of all shares that changed since the last frame.
void oracle_begin_shares(mixer_oracle *o);

// Replaces everything in the base by its current pose.
oracle_entry *oracle_hold_base(mixer_oracle *o, bool keeps_actions);

#endif
