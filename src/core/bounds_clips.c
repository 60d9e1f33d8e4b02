// SPDX-License-Identifier: MIT
// Bounds of everything that clips can show, proven between keys and not sampled.
//
// A clip's key times cut it into intervals, in which each channel is one curve. In an interval, `swing` bounds how far a
// local transform strays from the one in the middle, and `reach` how far the model matrix does. This enlarges the boxes
// of the middle pose. If they stick out of what poses reach, at key times and in the middle of intervals, the interval
// is cut in half. So most intervals are only looked at once, and the result is tight.
//
// A swing is the largest distance from the middle's value. For a curve that's straight in between, it's at one of the
// ends. `bend` is added for other curves. Distances are Euclidean, and a matrix is measured by how much it lengthens a
// vector. Lengths are in meters, times in seconds.
#include "base/fail.h"
#include "base/memory.h"
#include "core/bounds_object.h"
#include "core/clip_build.h"

#include <assert.h>
#include <float.h>
#include <math.h>

// How often an interval is cut in half, and how many cuts a clip has: some, and more for each interval.
enum { MAX_DEPTH = 12, MIN_CUTS = 2048, CUTS_PER_INTERVAL = 16 };

// How far the result may stick out of what poses reach, relative to its longest side.
#define TOLERANCE (1.0f / 128.0f)

// A relative bound of what a node's matrix loses by rounding, in two poses.
#define ROUNDING (16.0 / 16777216.0)

// Two rotations farther apart than this, as quaternions, may have any rotation in between.
#define MAX_CHORD 0.25

// How far a node's local transform strays from the middle.
typedef struct swing {
    double translation, rotation, scale;
} swing;

// How far a node's model matrix strays from the middle: its origin, and its linear part. `length` bounds the linear part.
typedef struct reach {
    double origin, linear, length;
} reach;

typedef struct sweep {
    const sinewi_bounds_object *object;
    const sinew_clip *clip;
    sinewi_arena arena;
    sinew_pose *first, *middle, *last; // at the ends of the interval, and in the middle
    sinew_affine *model;               // [node_count], of the middle
    swing *swings;                     // [node_count]
    reach *reaches;                    // [node_count]
    double *shears;                    // [node_count], how much a node's shear lengthens a vector
    double *weights;                   // [weight_count], how far morph weights stray
    sinew_box *boxes;                  // [box_count]
    const float **splines;             // [channel_count of the clip], keys of CUBICSPLINE channels
    double *roundings;                 // [channel_count], of channels with modes
    int32_t *next_keys;                // [timeline_count], the first key after the interval's start
    sinew_box reached;                 // by poses
    sinew_box box;                     // the result
    int64_t cuts;                      // that are left
} sweep;

// ---- Distances ---------------------------------------------------------------------------------------------------

static double larger_of(double a, double b) {
    return a > b || isnan(a) ? a : b;
}

static double length_of(const double *v, int32_t count) {
    double square = 0.0;
    for (int32_t i = 0; i < count; i++) square += v[i] * v[i];
    return sqrt(square);
}

static double distance_between(sinew_vec3 a, sinew_vec3 b) {
    const double v[3] = {(double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z};
    return length_of(v, 3);
}

// The distance between two rotations as quaternions. Both signs mean the same rotation.
static double chord_between(sinew_quat a, sinew_quat b) {
    const double x[4] = {(double)a.x, (double)a.y, (double)a.z, (double)a.w};
    const double y[4] = {(double)b.x, (double)b.y, (double)b.z, (double)b.w};
    double minus[4], plus[4];
    for (int i = 0; i < 4; i++) {
        minus[i] = x[i] - y[i];
        plus[i] = x[i] + y[i];
    }
    const double p = length_of(minus, 4), q = length_of(plus, 4);
    return p < q ? p : q;
}

static double largest_scale(sinew_vec3 s) {
    return larger_of(fabs((double)s.x), larger_of(fabs((double)s.y), fabs((double)s.z)));
}

// ---- Splines -----------------------------------------------------------------------------------------------------

// A segment of one component, over `duration`: values and scaled tangents at both ends.
typedef struct segment {
    double start, end, out, in;
} segment;

// The key before an interval, or -1 if the channel holds a value there.
static int32_t key_before(const sweep *s, const sinew_channel *channel) {
    const int32_t next = s->next_keys[channel->timeline];
    return next == channel->key_count ? -1 : next - 1;
}

static float key_time(const sweep *s, const sinew_channel *channel, int32_t key) {
    return sinew_timeline_time(&s->clip->timelines[channel->timeline], key);
}

static segment get_segment(const float *keys, int32_t key, ptrdiff_t width, int32_t component, double duration) {
    const float *k = keys + (ptrdiff_t)key * 3 * width + component;
    return (segment){(double)k[width], (double)k[4 * width], duration * (double)k[2 * width],
                     duration * (double)k[3 * width]};
}

// How far a component is from a straight line over `part` of its segment, at most. The second derivative is largest at
// an end.
static double segment_bend(segment g, double part) {
    const double d = 6.0 * (g.end - g.start);
    const double bend = larger_of(fabs(d - 4.0 * g.out - 2.0 * g.in), fabs(-d + 2.0 * g.out + 4.0 * g.in));
    return part * part / 8.0 * bend;
}

static double segment_value(segment g, double u) {
    const double v = 1.0 - u;
    return g.start * v * v * (1.0 + 2.0 * u) + g.out * u * v * v + g.end * u * u * (3.0 - 2.0 * u) -
           g.in * u * u * v;
}

// How far components [from, to) of a channel are from straight, in the interval from `a` to `b`. A pose's distance from
// the middle is measured with two of its points, which are off as well: three times the bend.
static double find_bend(const sweep *s, int32_t index, float a, float b, int32_t from, int32_t to) {
    const sinew_channel *channel = &s->clip->channels[index];
    if (!s->splines[index]) return s->roundings[index];
    const int32_t key = key_before(s, channel), width = sinew_clip_key_width(s->clip, index) / 3;
    if (key < 0) return 0.0;
    const double duration = (double)key_time(s, channel, key + 1) - (double)key_time(s, channel, key);
    const double part = 1.0001 * ((double)b - (double)a) / duration;
    double bends[4] = {0};
    for (int32_t i = from; i < to; i++)
        bends[i - from] = segment_bend(get_segment(s->splines[index], key, width, i, duration), part);
    return 3.0 * length_of(bends, to - from);
}

// How far a rotation on a spline strays from the middle, as a quaternion. Its components are normalized afterwards.
static double spline_chord(const sweep *s, int32_t index, float a, float m, float b) {
    const sinew_channel *channel = &s->clip->channels[index];
    const int32_t key = key_before(s, channel);
    if (key < 0) return 0.0;
    const double start = (double)key_time(s, channel, key);
    const double duration = (double)key_time(s, channel, key + 1) - start;
    double first[4], middle[4], last[4];
    for (int32_t i = 0; i < 4; i++) {
        const segment g = get_segment(s->splines[index], key, 4, i, duration);
        middle[i] = segment_value(g, ((double)m - start) / duration);
        first[i] = segment_value(g, ((double)a - start) / duration) - middle[i];
        last[i] = segment_value(g, ((double)b - start) / duration) - middle[i];
    }
    const double size = length_of(middle, 4);
    const double off = larger_of(length_of(first, 4), length_of(last, 4)) + find_bend(s, index, a, b, 0, 4);
    return off < size ? 2.0 * off / (2.0 * size - off) : 2.0;
}

// ---- Swings ------------------------------------------------------------------------------------------------------

// How much a rotation's matrix strays. It is at most twice the distance of the quaternions, and at most 2.
static double rotation_swing(const sweep *s, int32_t index, float a, float m, float b) {
    const int32_t node = s->clip->channels[index].node;
    const sinew_quat middle = sinew_pose_get(s->middle, node).rotation;
    double chord = larger_of(chord_between(sinew_pose_get(s->first, node).rotation, middle),
                             chord_between(sinew_pose_get(s->last, node).rotation, middle));
    if (s->splines[index]) {
        chord = spline_chord(s, index, a, m, b);
    } else if (chord < MAX_CHORD) {
        chord += 2.0 * s->roundings[index]; // a projection doubles them
    } else {
        chord = 2.0;
    }
    return chord < 1.0 ? 2.0 * chord : 2.0;
}

static void find_weight_swings(sweep *s, int32_t index, float a, float b) {
    const int32_t node = s->clip->channels[index].node;
    const int32_t first = s->clip->skeleton->weight_offsets[node],
                  end = s->clip->skeleton->weight_offsets[node + 1];
    for (int32_t i = first; i < end; i++) {
        const double middle = (double)s->middle->weights[i];
        s->weights[i] =
            larger_of(fabs((double)s->first->weights[i] - middle), fabs((double)s->last->weights[i] - middle)) +
            find_bend(s, index, a, b, i - first, i - first + 1);
    }
}

static void find_channel_swing(sweep *s, int32_t index, float a, float m, float b) {
    const sinew_channel *channel = &s->clip->channels[index];
    swing *to = &s->swings[channel->node];
    if (channel->target == SINEW_TARGET_WEIGHTS) {
        find_weight_swings(s, index, a, b);
        return;
    }
    if (channel->target == SINEW_TARGET_ROTATION) {
        to->rotation = rotation_swing(s, index, a, m, b);
        return;
    }
    const sinew_transform first = sinew_pose_get(s->first, channel->node),
                          middle = sinew_pose_get(s->middle, channel->node),
                          last = sinew_pose_get(s->last, channel->node);
    const double bend = find_bend(s, index, a, b, 0, 3);
    if (channel->target == SINEW_TARGET_SCALE) {
        to->scale = bend + larger_of(distance_between(first.scale, middle.scale),
                                     distance_between(last.scale, middle.scale));
    } else {
        to->translation = bend + larger_of(distance_between(first.translation, middle.translation),
                                           distance_between(last.translation, middle.translation));
    }
}

// STEP channels and constant ones keep the middle's value.
static void find_swings(sweep *s, float a, float m, float b) {
    for (int32_t i = 0; i < s->clip->channel_count; i++) {
        const sinew_channel *channel = &s->clip->channels[i];
        if (channel->target == SINEW_TARGET_CURVE || channel->timeline < 0) continue;
        if (channel->interpolation != SINEW_INTERPOLATION_STEP) find_channel_swing(s, i, a, m, b);
    }
}

// ---- Boxes of an interval ----------------------------------------------------------------------------------------

// A model matrix is parent × local: what strays in one is multiplied by the other.
static reach find_reach(const sweep *s, int32_t node, const reach *parent, sinew_vec3 at) {
    const swing *w = &s->swings[node];
    const sinew_transform local = sinew_pose_get(s->middle, node);
    const sinew_vec3 zero = {0.0f, 0.0f, 0.0f};
    const double scale = largest_scale(local.scale) + w->scale;
    const double offset = distance_between(local.translation, zero) + w->translation;
    const double length = scale * s->shears[node];
    const double linear = (w->rotation * scale + w->scale) * s->shears[node];
    reach r = {
        .origin = parent->origin + parent->linear * offset + parent->length * w->translation,
        .linear = parent->linear * length + parent->length * linear,
        .length = parent->length * length,
    };
    r.origin += ROUNDING * (distance_between(at, zero) + parent->length * offset);
    r.linear += ROUNDING * r.length;
    return r;
}

static void find_reaches(sweep *s) {
    const sinew_skeleton *skeleton = s->clip->skeleton;
    const reach still = {.length = 1.0};
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const int32_t parent = skeleton->parents[i];
        const sinew_affine *m = &s->model[parent < 0 ? i : parent];
        const sinew_vec3 at = {m->m[0][3], m->m[1][3], m->m[2][3]};
        s->reaches[i] = find_reach(s, i, parent < 0 ? &still : &s->reaches[parent], at);
    }
}

// How far the points of a box stray. Those of morph targets also move in the node's own space.
static double box_reach(const sweep *s, int32_t index) {
    const sinewi_bounds_object *object = s->object;
    const sinew_box *box = &object->bounds.boxes[index];
    const reach *r = &s->reaches[object->bounds.nodes[index]];
    const double corner[3] = {larger_of(fabs((double)box->min.x), fabs((double)box->max.x)),
                              larger_of(fabs((double)box->min.y), fabs((double)box->max.y)),
                              larger_of(fabs((double)box->min.z), fabs((double)box->max.z))};
    double distance = length_of(corner, 3), moved = 0.0;
    const int32_t part = index - object->unmorphed_count;
    for (int32_t t = part < 0 ? 0 : object->first_targets[part]; part >= 0 && t < object->first_targets[part + 1];
         t++) {
        const sinewi_bound_target *target = &object->targets[t];
        double extent[3];
        for (int i = 0; i < 3; i++) extent[i] = fabs((double)target->center[i]) + (double)target->half[i];
        distance += fabs((double)s->middle->weights[target->weight]) * length_of(extent, 3);
        moved += s->weights[target->weight] * length_of(extent, 3);
    }
    return r->origin + r->linear * (distance + moved) + r->length * moved;
}

// The margin of a box's rounding grows with the pose.
static sinew_box enlarge(sinew_box box, double by, float slack) {
    const float d = (float)(by * (1.000001 + 4.0 * (double)slack)) + FLT_MIN;
    return (sinew_box){{box.min.x - d, box.min.y - d, box.min.z - d},
                       {box.max.x + d, box.max.y + d, box.max.z + d}};
}

static void sample_to_model(const sweep *s, float time, sinew_pose *pose) {
    sinew_clip_sample(s->clip, time, pose);
    sinew_pose_to_model(pose, s->model);
}

// A box around all poses from `a` to `b`. No key is in between.
static sinew_box box_between(sweep *s, float a, float b) {
    float m = (float)(0.5 * ((double)a + (double)b));
    if (!(m < b)) m = a;
    sinew_clip_sample(s->clip, a, s->first);
    sinew_clip_sample(s->clip, b, s->last);
    sample_to_model(s, m, s->middle);
    find_swings(s, a, m, b);
    find_reaches(s);
    const sinew_bounds *bounds = &s->object->bounds;
    sinewi_bounds_pose_boxes(bounds, s->model, s->middle->weights, s->boxes);
    sinew_box box = sinew_box_empty();
    for (int32_t i = 0; i < bounds->box_count; i++) {
        s->reached = sinew_box_union(s->reached, s->boxes[i]);
        box = sinew_box_union(box, enlarge(s->boxes[i], box_reach(s, i), s->object->slack));
    }
    return box;
}

// ---- Clips -------------------------------------------------------------------------------------------------------

// Whether a box doesn't stick out of what poses reach by more than the tolerance.
static bool is_tight(const sweep *s, const sinew_box *box) {
    const sinew_box *r = &s->reached;
    const float x = r->max.x - r->min.x, y = r->max.y - r->min.y, z = r->max.z - r->min.z;
    const float longest = x > y ? (x > z ? x : z) : (y > z ? y : z);
    const sinew_box outer = enlarge(*r, (double)(TOLERANCE * longest), 0.0f);
    return box->min.x >= outer.min.x && box->min.y >= outer.min.y && box->min.z >= outer.min.z &&
           box->max.x <= outer.max.x && box->max.y <= outer.max.y && box->max.z <= outer.max.z;
}

// Adds the poses from `a` to `b`. Cuts the interval while that helps.
static void add_interval(sweep *s, float a, float b, int depth) {
    const sinew_box box = box_between(s, a, b);
    const float m = (float)(0.5 * ((double)a + (double)b));
    if (is_tight(s, &box) || depth == MAX_DEPTH || s->cuts == 0 || !(m > a && m < b)) {
        s->box = sinew_box_union(s->box, box);
        return;
    }
    s->cuts--;
    add_interval(s, a, m, depth + 1);
    add_interval(s, m, b, depth + 1);
}

static void visit_interval(sweep *s, float a, float b) {
    add_interval(s, a, b, 0);
}

// Only looks at the pose at the start, and counts.
static void visit_start(sweep *s, float a, float b) {
    (void)b;
    sinew_box box;
    sample_to_model(s, a, s->middle);
    sinew_bounds_pose(&s->object->bounds, s->model, s->middle->weights, &box, NULL);
    s->reached = sinew_box_union(s->reached, box);
    s->cuts += CUTS_PER_INTERVAL;
}

// Moves behind the keys up to `time`. Returns the time of the next key, or the clip's end.
static float pass_keys(sweep *s, float time) {
    float next = s->clip->duration;
    for (int32_t i = 0; i < s->clip->timeline_count; i++) {
        const sinew_timeline *timeline = &s->clip->timelines[i];
        int32_t *key = &s->next_keys[i];
        while (*key < timeline->key_count && sinew_timeline_time(timeline, *key) <= time) ++*key;
        if (*key == timeline->key_count) continue;
        const float at = sinew_timeline_time(timeline, *key);
        next = at < next ? at : next;
    }
    return next;
}

// Visits the times between keys, and the end on its own.
static void for_each_interval(sweep *s, void (*visit)(sweep *s, float a, float b)) {
    const float end = s->clip->duration;
    for (int32_t i = 0; i < s->clip->timeline_count; i++) s->next_keys[i] = 0;
    float time = 0.0f;
    while (time < end) {
        const float next = pass_keys(s, time);
        visit(s, time, next);
        time = next;
    }
    pass_keys(s, end);
    visit(s, end, end);
}

// Reads the tangents of splines, and how much modes round.
static bool read_channel(sweep *s, int32_t index) {
    const sinew_channel *channel = &s->clip->channels[index];
    s->splines[index] = NULL;
    s->roundings[index] = 0.0;
    if (channel->timeline < 0) return true;
    if (channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE) {
        sinew_channel_def unused;
        s->splines[index] = sinewi_clip_read_stored_channel(s->clip, index, &s->arena, &unused);
        return s->splines[index] != NULL;
    }
    const sinewi_mode_line line = sinewi_clip_mode_line(s->clip, index);
    if (line.count == 0) return true;
    double *parts = sinewi_arena_array(&s->arena, double, 3 * (size_t)line.count), sum[3] = {0};
    if (!parts) return false;
    sinewi_clip_read_mode_parts(s->clip, index, parts);
    for (int32_t i = 0; i < 3 * line.count; i++) sum[i % 3] += fabs(parts[i]);
    s->roundings[index] = 2.0 * length_of(sum, 3); // by one unit, in both of what is compared
    return true;
}

static bool read_clip(sweep *s, const sinew_clip *clip) {
    s->clip = clip;
    s->splines = sinewi_arena_array(&s->arena, const float *, (size_t)clip->channel_count);
    s->roundings = sinewi_arena_array(&s->arena, double, (size_t)clip->channel_count);
    s->next_keys = sinewi_arena_array(&s->arena, int32_t, (size_t)clip->timeline_count);
    if (!s->splines || !s->roundings || !s->next_keys) return false;
    for (int32_t i = 0; i < clip->channel_count; i++)
        if (!read_channel(s, i)) return false;
    return true;
}

// What a clip doesn't animate doesn't swing, whatever the clip before did.
static bool add_clip(sweep *s, const sinew_clip *clip) {
    if (!read_clip(s, clip)) return false;
    for (int32_t i = 0; i < clip->skeleton->node_count; i++) s->swings[i] = (swing){0};
    for (int32_t i = 0; i < clip->skeleton->weight_count; i++) s->weights[i] = 0.0;
    s->cuts = MIN_CUTS;
    for_each_interval(s, visit_start);
    for_each_interval(s, visit_interval);
    return true;
}

static void find_shears(sweep *s, const sinew_skeleton *skeleton) {
    for (int32_t i = 0; i < skeleton->node_count; i++) s->shears[i] = 1.0;
    for (int32_t i = 0; i < skeleton->shear_count; i++) {
        double square = 0.0;
        for (int k = 0; k < 9; k++) {
            const double v = (double)skeleton->shears[i].m[k / 3][k % 3];
            square += v * v;
        }
        s->shears[skeleton->shear_nodes[i]] = sqrt(square);
    }
}

static bool allocate(sweep *s, const sinew_skeleton *skeleton, const sinew_allocator *allocator) {
    const size_t nodes = (size_t)skeleton->node_count;
    s->model = sinewi_arena_array(&s->arena, sinew_affine, nodes);
    s->swings = sinewi_arena_array(&s->arena, swing, nodes);
    s->reaches = sinewi_arena_array(&s->arena, reach, nodes);
    s->shears = sinewi_arena_array(&s->arena, double, nodes);
    s->weights = sinewi_arena_array(&s->arena, double, (size_t)skeleton->weight_count);
    s->boxes = sinewi_arena_array(&s->arena, sinew_box, (size_t)s->object->bounds.box_count);
    return s->model && s->swings && s->reaches && s->shears && s->weights && s->boxes &&
           sinew_pose_create(skeleton, allocator, &s->first) == SINEW_OK &&
           sinew_pose_create(skeleton, allocator, &s->middle) == SINEW_OK &&
           sinew_pose_create(skeleton, allocator, &s->last) == SINEW_OK;
}

static sinew_result check_clips(const sinew_bounds *bounds, const sinew_clip *const *clips, int32_t count,
                                sinew_error *error) {
    if (count < 0 || (count > 0 && !clips))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "bounds: clip_count is negative, or clips is NULL");
    for (int32_t i = 0; i < count; i++) {
        if (!clips[i] || clips[i]->skeleton != bounds->skeleton)
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                               "bounds: clips[%d] is NULL, or belongs to a different skeleton", (int)i);
        if (clips[i]->additive)
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                               "bounds: clips[%d], \"%s\", is additive; it must have whole poses", (int)i,
                               clips[i]->name);
    }
    return SINEW_OK;
}

sinew_result sinew_bounds_clips(const sinew_bounds *bounds, const sinew_clip *const *clips, int32_t clip_count,
                                const sinew_allocator *allocator, sinew_box *box, sinew_error *error) {
    assert(bounds && box);
    *box = sinew_box_empty();
    const sinew_result result = check_clips(bounds, clips, clip_count, error);
    if (result != SINEW_OK || bounds->box_count == 0) return result;
    sweep s = {.object = (const sinewi_bounds_object *)bounds, .reached = *box, .box = *box};
    sinewi_arena_init(&s.arena, allocator);
    bool has_memory = allocate(&s, bounds->skeleton, allocator);
    if (has_memory) find_shears(&s, bounds->skeleton);
    for (int32_t i = 0; has_memory && i < clip_count; i++) has_memory = add_clip(&s, clips[i]);
    sinew_pose_destroy(s.first);
    sinew_pose_destroy(s.middle);
    sinew_pose_destroy(s.last);
    sinewi_arena_free(&s.arena);
    if (!has_memory) return sinewi_fail_memory(error);
    *box = s.box;
    return SINEW_OK;
}
