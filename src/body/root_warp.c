// SPDX-License-Identifier: MIT
// Root motion warping (sinew/body/root_warp.h).
//
// Let A(t) be the clip's motion from the correction's start time t0, and T the time from there to the end of the
// window. Everything is in the space of the character at t0, with the axes in the order ground, ground, up
// (core/root_motion.h). The warped motion is
//
//     yaw       A's yaw + y(t)
//     position  the integral of A's velocity, rotated by y(t), + o(g(t))
//
// y is the added yaw. o is an offset over the progress g, in meters. The rate of g is the largest speed that may be
// added: (max_speed - 1) × A's speed + added_speed. So |o'(g)| <= 1 respects the limit at every moment.
//
// Both y and o are a *correction*. Over a length l, a correction starts with the slope s and ends at the value
//
//     s ramp / 2 + c,   ramp = l / 5
//
// Its slope goes linearly from s to the peak c / (0.8 l) in the first ramp, stays there, and goes linearly to 0 in the
// last ramp. So the slope never exceeds s and the peak, and a new goal only changes c.
//
// The integral runs over parts of the window. In each part, a clip that moves evenly moves along a circular arc.
#include <sinew/body/root_warp.h>

#include "core/root_motion.h"
#include "base/angle.h"
#include "base/def_cookie.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { PARTS = SINEW_ROOT_WARP_POINTS - 1 };

// The slope rises over this part of a correction, and falls over an equal part.
static const double ramp_part = 0.2;

sinew_root_warp_def sinew_root_warp_default(void) {
    return (sinew_root_warp_def){.max_speed = 2.0f, .max_turn_rate = 6.2831853f, .cookie = SINEWI_DEF_COOKIE};
}

// ---- Windows -------------------------------------------------------------------------------------------------

// Whether `text` is `name` with ".end" appended.
static bool is_end_name(const char *text, const char *name) {
    size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && strcmp(text + length, ".end") == 0;
}

bool sinew_root_warp_window(const sinew_clip *clip, const char *name, float *start, float *end) {
    assert(clip && name && start && end);
    const sinew_marker *first = NULL;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        const sinew_marker *marker = &clip->markers[i];
        if (!first && strcmp(marker->name, name) == 0) first = marker;
        if (!first || !is_end_name(marker->name, name) || !(marker->time > first->time)) continue;
        *start = first->time, *end = marker->time;
        return true;
    }
    return false;
}

// ---- Corrections ---------------------------------------------------------------------------------------------

// Value and slope of a correction at x, which is 0 to `length`: for a start slope of 1, and for a change of 1.
typedef struct correction_shape {
    double start, start_slope;
    double change, change_slope;
} correction_shape;

static correction_shape shape_at(double x, double length) {
    if (!(length > 0.0)) return (correction_shape){.change = 0.0};
    double ramp = ramp_part * length, peak = 1.0 / ((1.0 - ramp_part) * length), left = length - x;
    correction_shape shape = {.start = 0.5 * ramp, .change = peak * (x - 0.5 * ramp), .change_slope = peak};
    if (x < ramp) {
        shape.start = x - 0.5 * x * x / ramp;
        shape.start_slope = 1.0 - x / ramp;
        shape.change = 0.5 * peak * x * x / ramp;
        shape.change_slope = peak * x / ramp;
    } else if (left < ramp) {
        shape.change = 1.0 - 0.5 * peak * left * left / ramp;
        shape.change_slope = peak * left / ramp;
    }
    return shape;
}

// The largest change that keeps the slope within `slope`.
static double largest_change(double length, double slope) {
    return (1.0 - ramp_part) * length * slope;
}

// ---- The warped motion ---------------------------------------------------------------------------------------

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static sinewi_motion motion_of_yaw(double yaw) {
    sinewi_sine_cosine half = sinewi_sine_cosine_of(0.5 * yaw);
    return (sinewi_motion){.half_cos = half.cosine, .half_sin = half.sine};
}

// Rotates a vector by a yaw in radians.
static void rotate(double yaw, const double v[3], double out[3]) {
    sinewi_motion moved = {{v[0], v[1], v[2]}, 1.0, 0.0};
    moved = sinewi_motion_then(motion_of_yaw(yaw), moved);
    for (int i = 0; i < 3; i++) out[i] = moved.move[i];
}

// A warp's definition and everything derived from it.
typedef struct warper {
    const sinew_root_warp_def *def;
    sinewi_root root;
    sinewi_root_clip clip;
} warper;

// The clip's motion between two times.
static sinewi_motion clip_motion(const warper *w, double from, double to) {
    sinewi_root_path path = {from, to, false, SINEWI_ROOT_REPEAT};
    sinewi_root_clip clip = w->clip;
    return sinewi_root_motion_on(&w->root, &clip, &path);
}

static double part_time(const warper *w, const sinew_root_warp *warp, int part) {
    double start = (double)warp->time, end = (double)w->def->end;
    return start + (end - start) * part / PARTS;
}

static double added_yaw(const warper *w, const sinew_root_warp *warp, double time) {
    double start = (double)warp->time;
    correction_shape shape = shape_at(time - start, (double)w->def->end - start);
    return (double)warp->turn_rate * shape.start + (double)warp->turn * shape.change;
}

// The clip's motion since the start of the correction, and what the warp makes of it before the offset.
typedef struct warp_moment {
    double time;
    sinewi_motion clip;
    double position[3], progress, yaw;
} warp_moment;

// Chord length divided by arc length. `half` is half the arc's angle in radians.
static double chord_of_arc(double half) {
    return fabs(half) < 1e-4 ? 1.0 : sinewi_sine_cosine_of(half).sine / half;
}

// Distance between the positions of two motions.
static double distance_between(const sinewi_motion *a, const sinewi_motion *b) {
    double apart[3] = {b->move[0] - a->move[0], b->move[1] - a->move[1], b->move[2] - a->move[2]};
    return length_of(apart);
}

// The moment at a time, without position and progress.
static warp_moment clip_moment_at(const warper *w, const sinew_root_warp *warp, double time) {
    return (warp_moment){
        .time = time, .clip = clip_motion(w, (double)warp->time, time), .yaw = added_yaw(w, warp, time)};
}

// Continues the path from the start of a part to a moment inside it. The path turns with the clip's motion, not with
// time, so it rests while the clip rests.
static void continue_path(const warper *w, const warp_moment *from, const warp_moment *part_end, warp_moment *now) {
    double piece[3], length = distance_between(&from->clip, &now->clip);
    double whole = distance_between(&from->clip, &part_end->clip);
    double done = length < whole ? length / whole : 1.0;
    double half_turn = 0.5 * done * (part_end->yaw - from->yaw), shortened = chord_of_arc(half_turn);
    for (int i = 0; i < 3; i++) piece[i] = now->clip.move[i] - from->clip.move[i];
    rotate(from->yaw + half_turn, piece, piece);
    for (int i = 0; i < 2; i++) now->position[i] = from->position[i] + shortened * piece[i];
    now->position[2] = from->position[2] + piece[2];
    now->progress = from->progress + ((double)w->def->max_speed - 1.0) * length +
                    (double)w->def->added_speed * (now->time - from->time);
}

// The moment at a time within the correction.
static warp_moment moment_at(const warper *w, const sinew_root_warp *warp, double time) {
    double start = (double)warp->time, end = (double)w->def->end;
    int part = (int)((time - start) / (end - start) * PARTS);
    if (part > PARTS - 1) part = PARTS - 1;
    while (part > 0 && part_time(w, warp, part) > time) part--; // rounding
    warp_moment from = clip_moment_at(w, warp, part_time(w, warp, part));
    warp_moment part_end = clip_moment_at(w, warp, part_time(w, warp, part + 1));
    warp_moment now = clip_moment_at(w, warp, time);
    from.progress = (double)warp->progress[part];
    for (int i = 0; i < 3; i++) from.position[i] = (double)warp->path[part][i];
    continue_path(w, &from, &part_end, &now);
    return now;
}

// The character's motion since the start of the correction.
static sinewi_motion warped_motion(const warper *w, const sinew_root_warp *warp, double time) {
    double start = (double)warp->time, end = (double)w->def->end;
    if (time < start) return clip_motion(w, start, time);
    if (time > end) return sinewi_motion_then(warped_motion(w, warp, end), clip_motion(w, end, time));
    warp_moment moment = moment_at(w, warp, time);
    sinewi_motion motion = sinewi_motion_then(motion_of_yaw(moment.yaw), moment.clip);
    double length = (double)warp->progress[PARTS];
    correction_shape shape = shape_at(moment.progress < length ? moment.progress : length, length);
    for (int i = 0; i < 3; i++) {
        double offset = (double)warp->slope[i] * shape.start + (double)warp->correction[i] * shape.change;
        motion.move[i] = moment.position[i] + offset;
    }
    return motion;
}

// ---- Transforms ----------------------------------------------------------------------------------------------

// Rotates a vector by a unit quaternion in double precision.
static void rotate_by_quat(sinew_quat q, const double v[3], double out[3]) {
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double cx = y * v[2] - z * v[1] + w * v[0], cy = z * v[0] - x * v[2] + w * v[1],
           cz = x * v[1] - y * v[0] + w * v[2];
    double rotated[3] = {v[0] + 2.0 * (y * cz - z * cy), v[1] + 2.0 * (z * cx - x * cz),
                         v[2] + 2.0 * (x * cy - y * cx)};
    memcpy(out, rotated, sizeof rotated);
}

static sinew_root_warp_transform transform_of(const warper *w, sinew_root_warp_transform start,
                                              sinewi_motion motion) {
    double moved[3];
    for (int i = 0; i < 3; i++) moved[w->root.axes[i]] = motion.move[i];
    rotate_by_quat(start.facing, moved, moved);
    sinew_vec3 position = start.position;
    return (sinew_root_warp_transform){
        {(float)((double)position.x + moved[0]), (float)((double)position.y + moved[1]),
         (float)((double)position.z + moved[2])},
        sinew_quat_normalize(sinew_quat_multiply(start.facing, sinewi_root_delta_of(&w->root, motion).rotation)),
    };
}

// The motion from one transform to another. Only the twist about the up axis counts as rotation. A rotation without a
// twist (half a turn about a horizontal axis) counts as no rotation.
static sinewi_motion motion_between(const warper *w, sinew_root_warp_transform from, sinew_root_warp_transform to) {
    double apart[3] = {(double)to.position.x - (double)from.position.x,
                       (double)to.position.y - (double)from.position.y,
                       (double)to.position.z - (double)from.position.z};
    rotate_by_quat(sinew_quat_conjugate(from.facing), apart, apart);
    sinew_quat q = sinew_quat_multiply(sinew_quat_conjugate(from.facing), to.facing);
    double axes[3] = {(double)q.x, (double)q.y, (double)q.z};
    double sine = axes[w->root.axes[2]], cosine = (double)q.w, length = sqrt(sine * sine + cosine * cosine);
    const double noise = 1e-6;
    bool has_twist = length > noise;
    sinewi_motion motion = {.half_cos = has_twist ? cosine / length : 1.0,
                            .half_sin = has_twist ? sine / length : 0.0};
    for (int i = 0; i < 3; i++) motion.move[i] = apart[w->root.axes[i]];
    return motion;
}

static bool is_finite_transform(sinew_root_warp_transform t) {
    float sum = t.position.x + t.position.y + t.position.z + t.facing.x + t.facing.y + t.facing.z + t.facing.w;
    return isfinite(sum);
}

// ---- Aiming at a goal ----------------------------------------------------------------------------------------

static double yaw_of(sinewi_motion motion) {
    double c = motion.half_cos, s = motion.half_sin;
    return sinewi_angle(c * c - s * s, 2.0 * s * c);
}

// The same rotation's angle that is closest to `near`.
static double angle_near(double angle, double near) {
    const double turn = 0x1.921fb54442d18p+2;
    return angle + turn * floor((near - angle) / turn + 0.5);
}

// Chooses the yaw's change. `goal` is the angle to turn over the whole correction, in addition to the clip's own turn.
static void aim_yaw(const warper *w, sinew_root_warp *warp, double goal) {
    double length = (double)w->def->end - (double)warp->time;
    double change = goal - (double)warp->turn_rate * shape_at(length, length).start;
    double limit = largest_change(length, (double)w->def->max_turn_rate);
    double held = change > limit ? limit : change < -limit ? -limit : change;
    warp->turn = (float)held;
    warp->missed_turn = (float)(change - held);
}

// Computes the path without the offset, and its progress.
static void lay_path(const warper *w, sinew_root_warp *warp) {
    warp_moment from = clip_moment_at(w, warp, (double)warp->time);
    for (int part = 1; part <= PARTS; part++) {
        warp_moment now = clip_moment_at(w, warp, part_time(w, warp, part));
        continue_path(w, &from, &now, &now);
        warp->progress[part] = (float)now.progress;
        for (int i = 0; i < 3; i++) warp->path[part][i] = (float)now.position[i];
        from = now;
    }
}

// Chooses the offset's change. `goal` is the goal's position in the space of the start.
static void aim_offset(const warper *w, sinew_root_warp *warp, const double goal[3]) {
    double length = (double)warp->progress[PARTS], change[3];
    double carried = shape_at(length, length).start;
    for (int i = 0; i < 3; i++) {
        double apart = goal[i] - (double)warp->path[PARTS][i] - (double)warp->slope[i] * carried;
        change[i] = w->root.taken[i] ? apart : 0.0;
    }
    double distance = length_of(change), limit = largest_change(length, 1.0);
    double part = distance > limit ? limit / distance : 1.0;
    for (int i = 0; i < 3; i++) warp->correction[i] = (float)(part * change[i]);
    warp->missed_distance = distance > limit ? (float)(distance - limit) : 0.0f;
}

// Aims a warp at a goal, from a moment within the window. `warp` already has its time, its start and the slopes there.
// Of the goal's equivalent yaws, the one closest to `turn` is used.
static void aim(const warper *w, sinew_root_warp *warp, sinew_root_warp_transform goal, double turn) {
    sinewi_motion clip = clip_motion(w, (double)warp->time, (double)w->def->end);
    sinewi_motion to_goal = motion_between(w, warp->start, goal);
    sinewi_motion missing = sinewi_motion_then(
        sinewi_motion_inverse((sinewi_motion){.half_cos = clip.half_cos, .half_sin = clip.half_sin}), to_goal);
    aim_yaw(w, warp, angle_near(yaw_of(missing), turn));
    lay_path(w, warp);
    aim_offset(w, warp, to_goal.move);
}

// ---- The interface -------------------------------------------------------------------------------------------

static bool open_warp(warper *w, const sinew_root_warp_def *def, sinew_error *error) {
    w->def = def;
    if (sinewi_root_init(&w->root, def->root_motion, error) != SINEW_OK) return false;
    w->clip = sinewi_root_clip_of(&w->root, def->clip);
    return true;
}

static const char *fault_of(const sinew_root_warp_def *def) {
    if (!def->clip) return "no clip";
    if (!def->root_motion) return "no root motion";
    if (def->root_motion->skeleton != def->clip->skeleton) return "the root motion belongs to a different skeleton";
    if (def->clip->additive) return "the clip is additive";
    if (!(def->start >= 0.0f && def->end > def->start && def->end <= def->clip->duration)) {
        return "the window must be within the clip";
    }
    if (!(def->max_speed >= 1.0f && isfinite(def->max_speed))) return "max_speed must be 1 or more";
    if (!(def->added_speed >= 0.0f && isfinite(def->added_speed))) return "added_speed must be 0 or more";
    if (!(def->max_turn_rate >= 0.0f && isfinite(def->max_turn_rate))) return "max_turn_rate must be 0 or more";
    return NULL;
}

sinew_result sinew_root_warp_begin(const sinew_root_warp_def *def, float time, sinew_root_warp_transform start,
                                   sinew_root_warp_transform goal, sinew_root_warp *warp, sinew_error *error) {
    assert(warp);
    *warp = (sinew_root_warp){.time = 0.0f};
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_root_warp_def: start from sinew_root_warp_default()", error);
    if (result != SINEW_OK) return result;
    const char *fault = fault_of(def);
    if (fault) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "warp: %s", fault);
    result =
        SINEWI_CHECK_DEF(def->root_motion, "sinew_root_motion_def: start from sinew_root_motion_default()", error);
    if (result != SINEW_OK) return result;
    if (!(time < def->end) || !isfinite(time)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "warp: the time is %g s; it must be before the window's end at %g s", (double)time,
                           (double)def->end);
    }
    if (!is_finite_transform(start) || !is_finite_transform(goal)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "warp: the start or the goal is not finite");
    }
    warper w;
    if (!open_warp(&w, def, error)) return SINEW_ERROR_ARGUMENT;
    warp->time = time > def->start ? time : def->start;
    warp->start = transform_of(&w, start, clip_motion(&w, (double)time, (double)warp->time));
    aim(&w, warp, goal, 0.0);
    return SINEW_OK;
}

// Whether sinew_root_warp_begin has made the warp. {0} isn't one, because its facing isn't a rotation.
static bool is_made(const sinew_root_warp *warp) {
    sinew_quat q = warp->start.facing;
    return q.x != 0.0f || q.y != 0.0f || q.z != 0.0f || q.w != 0.0f;
}

static bool reopen(warper *w, const sinew_root_warp_def *def, const sinew_root_warp *warp) {
    assert(warp);
    if (!SINEWI_IS_DEF(def, "sinew_root_warp_def: start from sinew_root_warp_default()")) return false;
    return is_made(warp) && warp->time < def->end && open_warp(w, def, NULL);
}

// Slope of the offset at a moment, in the character's space at that moment.
static void find_slope(const sinew_root_warp *warp, const warp_moment *moment, float out[3]) {
    double length = (double)warp->progress[PARTS], slope[3];
    correction_shape shape = shape_at(moment->progress < length ? moment->progress : length, length);
    for (int i = 0; i < 3; i++) {
        slope[i] = (double)warp->slope[i] * shape.start_slope + (double)warp->correction[i] * shape.change_slope;
    }
    rotate(-(yaw_of(moment->clip) + moment->yaw), slope, slope);
    for (int i = 0; i < 3; i++) out[i] = (float)slope[i];
}

void sinew_root_warp_set_goal(const sinew_root_warp_def *def, sinew_root_warp *warp, float time,
                              const sinew_root_warp_transform *now, sinew_root_warp_transform goal) {
    warper w;
    if (!reopen(&w, def, warp) || !(time < def->end) || !is_finite_transform(goal)) return;
    if (now && !is_finite_transform(*now)) return;
    if (time < warp->time) time = warp->time;
    warp_moment moment = moment_at(&w, warp, (double)time);
    double start = (double)warp->time, length = (double)def->end - start;
    correction_shape shape = shape_at((double)time - start, length);
    double whole_turn = added_yaw(&w, warp, (double)def->end) + (double)warp->missed_turn;
    sinew_root_warp next = {
        .time = time,
        .start = now ? *now : transform_of(&w, warp->start, warped_motion(&w, warp, (double)time)),
        .turn_rate = (float)((double)warp->turn_rate * shape.start_slope + (double)warp->turn * shape.change_slope),
    };
    find_slope(warp, &moment, next.slope);
    aim(&w, &next, goal, whole_turn - moment.yaw);
    *warp = next;
}

sinew_root_warp_transform sinew_root_warp_at(const sinew_root_warp_def *def, const sinew_root_warp *warp,
                                             float time) {
    warper w;
    if (!reopen(&w, def, warp) || !isfinite(time)) return warp->start;
    return transform_of(&w, warp->start, warped_motion(&w, warp, (double)time));
}

sinew_root_delta sinew_root_warp_delta(const sinew_root_warp_def *def, const sinew_root_warp *warp, float from,
                                       float to) {
    warper w;
    if (!reopen(&w, def, warp) || !isfinite(from) || !isfinite(to))
        return (sinew_root_delta){.rotation = {0, 0, 0, 1}};
    sinewi_motion before = warped_motion(&w, warp, (double)from), after = warped_motion(&w, warp, (double)to);
    return sinewi_root_delta_of(&w.root, sinewi_motion_then(sinewi_motion_inverse(before), after));
}

// ---- Root deltas ------------------------------------------------------------------------------------------------

// a, then b in the frame that a has moved. Works on the public form.
sinew_root_delta sinew_root_delta_compose(sinew_root_delta a, sinew_root_delta b) {
    sinew_vec3 move = sinew_quat_rotate(a.rotation, b.translation);
    return (sinew_root_delta){
        {a.translation.x + move.x, a.translation.y + move.y, a.translation.z + move.z},
        sinew_quat_normalize(sinew_quat_multiply(a.rotation, b.rotation)),
        a.yaw + b.yaw,
    };
}

// Blends yaws of up to half a turn, which covers any single step, along the shorter arc like quaternions.
sinew_root_delta sinew_root_delta_blend(sinew_root_delta a, sinew_root_delta b, float t) {
    if (!(t > 0.0f)) return a;
    if (t >= 1.0f) return b;
    const float turn = 6.28318531f;
    float yaws = b.yaw - a.yaw;
    yaws -= turn * floorf(yaws / turn + 0.5f);
    return (sinew_root_delta){
        sinew_vec3_lerp(a.translation, b.translation, t),
        sinew_quat_slerp(a.rotation, b.rotation, t),
        a.yaw + t * yaws,
    };
}
