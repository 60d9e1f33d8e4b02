// SPDX-License-Identifier: MIT
// The ground speed of a clip, measured from its planted feet.
//
// The clip is divided into short steps. In each step, a foot's lowest sole point is its contact. If the foot is
// planted, the character moves over the ground at the root motion's velocity minus the contact's velocity. Planted feet
// crowd around the ground velocity, and swinging feet scatter. So the ground velocity is the mean of the densest
// cluster. Mean shift finds it, and no swing can pull it away.
#include "body/feet_data.h"
#include "base/fail.h"
#include "base/angle.h"
#include "base/float_rules.h"
#include "core/blend_space_data.h"
#include "core/skeleton_object.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// One for each foot and step, so two feet get at most 512 steps. The limit keeps the stack small.
#define MAX_FOOT_STEPS 1024

#define MIN_STEPS        16
#define MAX_SEEDS        256
#define STEPS_PER_SECOND 60.0         // if the clip has at least a quarter as many keys
#define MAX_STEP         (1.0 / 30.0) // seconds, when the step count is at its limit

// Fractions of the character's height.
#define LOW         0.02f // a contact is low up to this height above the foot's lowest contact
#define NEAR_GROUND 0.1f  // a foot lands if its lowest contact comes this near to the lowest foot's
#define CLOSED      0.15f // a clip is a loop if its feet end this near to where they start
#define STILL       0.1   // per second: slower means standing
#define NOISE       0.05  // per second: the radius of a cluster at rest

// The cluster radius as a fraction of the speed. It starts wide and shrinks as long as most of the steps stay inside.
static const double cluster_widths[] = {0.6, 0.4, 0.25, 0.15, 0.1};

#define WIDEST           cluster_widths[0]
#define MIN_CLUSTER_KEPT 0.85 // of the widest cluster's weight
#define MIN_CLUSTER_PART 0.6  // of the weight of all low contacts, if the clip moves

// One foot during one step.
typedef struct foot_step {
    float velocity[2]; // of the character over the ground if the foot is planted, m/s, along the two ground axes
    float height;      // of the contact, meters
    float weight;      // 1 at the foot's lowest height, 0 for a raised foot
} foot_step;

typedef struct measurement {
    const sinew_clip *clip;
    const sinew_feet *feet;
    int axes[3];    // ground, ground, up: a quarter turn about up leads from the first to the second
    int32_t body;   // the lowest common ancestor of the feet, or SINEW_NO_NODE
    int32_t count;  // number of steps
    double seconds; // duration of all steps
    double yaw;     // of the body over that time, radians
    double root[2]; // mean velocity of the body, m/s, relative to its heading
    bool whole;     // the steps cover the whole clip, not only its start
    bool closed;    // the clip is a loop; also true if only its start is covered, because then it's unknown
    foot_step steps[MAX_FOOT_STEPS]; // [foot_count][count]
} measurement;

static foot_step *steps_of(measurement *m, int32_t foot) {
    return &m->steps[(ptrdiff_t)foot * m->count];
}

// ---- Poses ---------------------------------------------------------------------------------------------------

// A node's matrix relative to an ancestor, or in model space for SINEW_NO_NODE.
static sinew_affine relative_at(const sinew_clip *clip, float time, int32_t node, int32_t ancestor) {
    sinew_affine matrix = sinew_affine_identity();
    for (; node != ancestor; node = clip->skeleton->parents[node]) {
        sinew_transform local = sinew_clip_sample_node(clip, time, node);
        matrix = sinew_affine_multiply(sinewi_skeleton_local(clip->skeleton, node, local), matrix);
    }
    return matrix;
}

static float time_of(const measurement *m, int32_t edge) {
    return (float)(m->seconds * (double)edge / (double)m->count);
}

// Model-space positions of a foot's points, [point_count][3], in the order of the axes.
typedef struct foot_pose {
    float points[SINEW_MAX_FOOT_POINTS][3];
} foot_pose;

static void pose_feet(const measurement *m, int32_t edge, foot_pose poses[SINEW_MAX_FEET]) {
    float time = time_of(m, edge);
    sinew_affine body = relative_at(m->clip, time, m->body, SINEW_NO_NODE);
    for (int32_t i = 0; i < m->feet->foot_count; i++) {
        const sinew_foot *foot = &m->feet->feet[i];
        sinew_affine ankle = sinew_affine_multiply(body, relative_at(m->clip, time, foot->node, m->body));
        for (int32_t k = 0; k < foot->point_count; k++) {
            sinew_affine node = relative_at(m->clip, time, foot->points[k].node, foot->node);
            sinew_vec3 p = sinew_affine_point(sinew_affine_multiply(ankle, node), foot->points[k].point);
            const float xyz[3] = {p.x, p.y, p.z};
            for (int axis = 0; axis < 3; axis++) poses[i].points[k][axis] = xyz[m->axes[axis]];
        }
    }
}

// ---- Root motion ---------------------------------------------------------------------------------------------

// The angle about the up axis between two matrices of a node, in [-pi, pi]. It's the twist of the
// rotation between them.
static double twist_between(const measurement *m, const sinew_affine *from, const sinew_affine *to) {
    double cosine = 0.0, sine = 0.0;
    const float *a0 = from->m[m->axes[0]], *b0 = from->m[m->axes[1]];
    const float *a1 = to->m[m->axes[0]], *b1 = to->m[m->axes[1]];
    for (int k = 0; k < 3; k++) {
        cosine += (double)a0[k] * (double)a1[k] + (double)b0[k] * (double)b1[k];
        sine += (double)a0[k] * (double)b1[k] - (double)b0[k] * (double)a1[k];
    }
    return sinewi_angle(cosine, sine);
}

static sinew_affine body_at(const measurement *m, int32_t edge) {
    return relative_at(m->clip, time_of(m, edge), m->body, SINEW_NO_NODE);
}

// Rotates a ground vector into the heading at the middle of a step. Assumes a constant yaw rate.
static void turn_back(const measurement *m, int32_t step, double v[2]) {
    sinewi_sine_cosine heading = sinewi_sine_cosine_of(m->yaw * ((double)step + 0.5) / (double)m->count);
    double along = heading.cosine * v[0] + heading.sine * v[1];
    v[1] = heading.cosine * v[1] - heading.sine * v[0];
    v[0] = along;
}

// Finds the body's yaw from the first pose to the last. Summing the steps only serves to count whole turns.
static void find_yaw(measurement *m) {
    const double turn = 0x1.921fb54442d18p+2;
    sinew_affine first = body_at(m, 0), last = first;
    double sum = 0.0;
    for (int32_t edge = 1; edge <= m->count; edge++) {
        sinew_affine next = body_at(m, edge);
        sum += twist_between(m, &last, &next);
        last = next;
    }
    double yaw = twist_between(m, &first, &last);
    m->yaw = yaw + turn * floor((sum - yaw) / turn + 0.5);
}

// Finds the body's mean velocity relative to its heading.
static void find_root_velocity(measurement *m) {
    double sum[2] = {0.0, 0.0};
    sinew_affine last = body_at(m, 0);
    for (int32_t step = 0; step < m->count; step++) {
        sinew_affine next = body_at(m, step + 1);
        double moved[2];
        for (int axis = 0; axis < 2; axis++)
            moved[axis] = (double)next.m[m->axes[axis]][3] - (double)last.m[m->axes[axis]][3];
        turn_back(m, step, moved);
        for (int axis = 0; axis < 2; axis++) sum[axis] += moved[axis];
        last = next;
    }
    for (int axis = 0; axis < 2; axis++) m->root[axis] = sum[axis] / m->seconds;
}

// ---- Steps ---------------------------------------------------------------------------------------------------

// The foot's lowest point during a step, by mean height.
static int32_t contact_of(const sinew_foot *foot, const foot_pose *from, const foot_pose *to) {
    int32_t contact = 0;
    for (int32_t k = 1; k < foot->point_count; k++) {
        float height = from->points[k][2] + to->points[k][2];
        if (height < from->points[contact][2] + to->points[contact][2]) contact = k;
    }
    return contact;
}

static foot_step step_of(const measurement *m, int32_t step, const float from[3], const float to[3]) {
    double moved[2] = {(double)to[0] - (double)from[0], (double)to[1] - (double)from[1]};
    turn_back(m, step, moved);
    double rate = (double)m->count / m->seconds;
    return (foot_step){
        .velocity = {(float)(m->root[0] - moved[0] * rate), (float)(m->root[1] - moved[1] * rate)},
        .height = 0.5f * (from[2] + to[2]),
    };
}

// Whether the feet stand in the same place relative to the body in both poses.
static bool are_alike(const measurement *m, const foot_pose *first, const foot_pose *last) {
    float from[3], to[3];
    sinewi_sine_cosine yaw = sinewi_sine_cosine_of(m->yaw);
    sinew_affine start = body_at(m, 0), end = body_at(m, m->count);
    for (int32_t i = 0; i < m->feet->foot_count; i++) {
        float distance = 0.0f;
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = first[i].points[0][axis] - start.m[m->axes[axis]][3];
            to[axis] = last[i].points[0][axis] - end.m[m->axes[axis]][3];
        }
        float c = (float)yaw.cosine, s = (float)yaw.sine;
        const float back[3] = {c * to[0] + s * to[1], c * to[1] - s * to[0], to[2]};
        for (int axis = 0; axis < 3; axis++) distance += (back[axis] - from[axis]) * (back[axis] - from[axis]);
        if (!(sqrtf(distance) <= CLOSED * m->feet->height)) return false;
    }
    return true;
}

static void fill_steps(measurement *m) {
    foot_pose poses[2][SINEW_MAX_FEET], first[SINEW_MAX_FEET];
    pose_feet(m, 0, poses[0]);
    memcpy(first, poses[0], sizeof first);
    for (int32_t step = 0; step < m->count; step++) {
        foot_pose *from = poses[step % 2], *to = poses[(step + 1) % 2];
        pose_feet(m, step + 1, to);
        for (int32_t i = 0; i < m->feet->foot_count; i++) {
            int32_t contact = contact_of(&m->feet->feet[i], &from[i], &to[i]);
            steps_of(m, i)[step] = step_of(m, step, from[i].points[contact], to[i].points[contact]);
        }
    }
    m->closed = !m->whole || are_alike(m, first, poses[m->count % 2]);
}

// ---- Planted feet --------------------------------------------------------------------------------------------

static float floor_of(const foot_step *steps, int32_t count) {
    float lowest = steps[0].height;
    for (int32_t k = 1; k < count; k++) lowest = fminf(lowest, steps[k].height);
    return lowest;
}

// Weights steps by how far the contact is above the foot's lowest contact: 1 there, falling to 0 at LOW of the
// character's height. A foot that never comes within NEAR_GROUND of the lowest foot gets no weight.
static void weight_steps(measurement *m) {
    float floors[SINEW_MAX_FEET], ground = INFINITY, low = LOW * m->feet->height;
    for (int32_t i = 0; i < m->feet->foot_count; i++) {
        floors[i] = floor_of(steps_of(m, i), m->count);
        ground = fminf(ground, floors[i]);
    }
    for (int32_t i = 0; i < m->feet->foot_count; i++) {
        bool lands = floors[i] <= ground + NEAR_GROUND * m->feet->height;
        foot_step *steps = steps_of(m, i);
        for (int32_t k = 0; k < m->count; k++) {
            float x = (steps[k].height - floors[i]) / low;
            steps[k].weight = lands && x < 1.0f ? 1.0f - x * x : 0.0f;
        }
    }
}

static double distance2(const foot_step *step, const double v[2]) {
    double x = (double)step->velocity[0] - v[0], y = (double)step->velocity[1] - v[1];
    return x * x + y * y;
}

static double length2(const double v[2]) {
    return v[0] * v[0] + v[1] * v[1];
}

// Squared cluster radius around a velocity: a fraction of the speed, plus a small constant.
static double radius2(const measurement *m, const double v[2], double width) {
    double radius = width * sqrt(length2(v)) + NOISE * (double)m->feet->height;
    return radius * radius;
}

static int32_t total_of(const measurement *m) {
    return m->feet->foot_count * m->count;
}

// Density of steps around a velocity.
static double density_at(const measurement *m, const double v[2]) {
    double limit = radius2(m, v, WIDEST), sum = 0.0;
    for (int32_t i = 0; i < total_of(m); i++) {
        double d = distance2(&m->steps[i], v);
        if (d < limit) sum += (double)m->steps[i].weight * (1.0 - d / limit);
    }
    return sum;
}

// Moves a velocity to the mean of the steps within the radius, until it settles. Returns the weight of those steps.
static double shift_to_mean(const measurement *m, double width, double v[2]) {
    double weight = 0.0;
    for (int pass = 0; pass < 16; pass++) {
        double limit = radius2(m, v, width), sum[2] = {0.0, 0.0};
        weight = 0.0;
        for (int32_t i = 0; i < total_of(m); i++) {
            const foot_step *step = &m->steps[i];
            if (!(step->weight > 0.0f) || distance2(step, v) >= limit) continue;
            weight += (double)step->weight;
            for (int axis = 0; axis < 2; axis++) sum[axis] += (double)step->weight * (double)step->velocity[axis];
        }
        if (!(weight > 0.0)) return 0.0;
        for (int axis = 0; axis < 2; axis++) v[axis] = sum[axis] / weight;
    }
    return weight;
}

// A dense region of velocities.
typedef struct speed_cluster {
    double velocity[2]; // the mean
    double width;       // one of cluster_widths
    double widest[2];   // the mean at the widest radius
    double part;        // share of all low contacts within the widest radius, by weight
} speed_cluster;

// Finds the low contact with the most neighbors in velocity. Tries about MAX_SEEDS of them.
static bool find_densest(const measurement *m, double v[2]) {
    double densest = 0.0;
    for (int32_t i = 0; i < total_of(m); i += 1 + total_of(m) / MAX_SEEDS) {
        const foot_step *step = &m->steps[i];
        if (!(step->weight > 0.0f)) continue;
        const double at[2] = {(double)step->velocity[0], (double)step->velocity[1]};
        double density = density_at(m, at);
        if (!(density > densest)) continue;
        densest = density;
        v[0] = at[0], v[1] = at[1];
    }
    return densest > 0.0;
}

// Finds the densest cluster of velocities. Returns false if no contact is low.
static bool find_cluster(const measurement *m, speed_cluster *cluster) {
    double all = 0.0, v[2] = {0.0, 0.0};
    if (!find_densest(m, v)) return false;
    for (int32_t i = 0; i < total_of(m); i++) all += (double)m->steps[i].weight;
    double widest = 0.0;
    for (size_t i = 0; i < sizeof cluster_widths / sizeof *cluster_widths; i++) {
        double weight = shift_to_mean(m, cluster_widths[i], v);
        if (i == 0) widest = weight, cluster->widest[0] = v[0], cluster->widest[1] = v[1];
        if (!(weight >= MIN_CLUSTER_KEPT * widest)) break;
        cluster->velocity[0] = v[0], cluster->velocity[1] = v[1];
        cluster->width = cluster_widths[i];
    }
    cluster->part = widest / all;
    const double limit = 1e30; // far from overflow in a float
    return widest > 0.0 && fabs(v[0]) < limit && fabs(v[1]) < limit;
}

static double spread_of(const measurement *m, const speed_cluster *cluster) {
    double limit = radius2(m, cluster->velocity, cluster->width), weight = 0.0, sum = 0.0;
    for (int32_t i = 0; i < total_of(m); i++) {
        double d = distance2(&m->steps[i], cluster->velocity);
        if (!(d < limit)) continue;
        weight += (double)m->steps[i].weight;
        sum += (double)m->steps[i].weight * d;
    }
    return weight > 0.0 ? sqrt(sum / weight) : 0.0;
}

// ---- Planted intervals ---------------------------------------------------------------------------------------

static bool is_planted(const measurement *m, const speed_cluster *cluster, const foot_step *step) {
    return step->weight > 0.0f && distance2(step, cluster->widest) < radius2(m, cluster->widest, WIDEST);
}

static bool wraps(const measurement *m) {
    return m->whole && m->closed;
}

// Whether a foot is planted during a step, or both before and after it. Steps wrap around the ends of a loop.
static bool is_planted_around(const measurement *m, const speed_cluster *cluster, int32_t foot, int32_t step) {
    const foot_step *steps = &m->steps[(ptrdiff_t)foot * m->count];
    if (is_planted(m, cluster, &steps[step])) return true;
    int32_t before = step - 1, after = step + 1;
    if (wraps(m)) before = (before + m->count) % m->count, after %= m->count;
    return before >= 0 && after < m->count && is_planted(m, cluster, &steps[before]) &&
           is_planted(m, cluster, &steps[after]);
}

static sinew_foot_contact contact_in(const measurement *m, int32_t foot, int32_t start, int32_t end) {
    double seconds = m->seconds / (double)m->count;
    if (end > m->count) end -= m->count;
    return (sinew_foot_contact){foot, (float)((double)start * seconds), (float)((double)end * seconds)};
}

// Lists a foot's first contacts. Returns how many of its steps are planted.
static int32_t list_contacts(const measurement *m, const speed_cluster *cluster, int32_t foot,
                             sinew_clip_speed *speed) {
    int32_t planted = 0, first = 0, listed = 0;
    if (wraps(m) && is_planted_around(m, cluster, foot, m->count - 1)) {
        while (first < m->count && is_planted_around(m, cluster, foot, first)) first++;
    }
    if (first == m->count) {
        speed->contacts[speed->contact_count++] = contact_in(m, foot, 0, m->count);
        return m->count;
    }
    for (int32_t step = first; step < first + m->count; step++) {
        int32_t start = step;
        while (step < first + m->count && is_planted_around(m, cluster, foot, step % m->count)) step++;
        if (step == start) continue;
        planted += step - start;
        if (listed++ < SINEW_MAX_FOOT_CONTACTS)
            speed->contacts[speed->contact_count++] = contact_in(m, foot, start, step);
    }
    return planted;
}

// ---- Measuring -----------------------------------------------------------------------------------------------

static int32_t step_count_of(const sinew_clip *clip, int32_t foot_count) {
    int32_t key_count = 0, limit = MAX_FOOT_STEPS / foot_count;
    for (int32_t i = 0; i < clip->timeline_count; i++) {
        if (clip->timelines[i].key_count > key_count) key_count = clip->timelines[i].key_count;
    }
    double count = ceil(STEPS_PER_SECOND * (double)clip->duration - 1e-3);
    count = fmin(count, 4.0 * (double)key_count);
    return count > MIN_STEPS ? (count < limit ? (int32_t)count : limit) : MIN_STEPS;
}

static void begin_measurement(measurement *m, const sinew_clip *clip, const sinew_feet *feet) {
    static const int axes[2][3] = {{2, 0, 1}, {0, 1, 2}};
    m->clip = clip;
    m->feet = feet;
    for (int i = 0; i < 3; i++) m->axes[i] = axes[feet->up == SINEW_UP_Z][i];
    m->body = sinewi_feet_body(feet);
    m->count = step_count_of(clip, feet->foot_count);
    const int32_t most = MAX_FOOT_STEPS / feet->foot_count;
    m->seconds = fmin((double)clip->duration, (double)most * MAX_STEP);
    m->whole = !(m->seconds < (double)clip->duration);
    m->yaw = m->root[0] = m->root[1] = 0.0;
}

static sinew_vec3 along_axes(const measurement *m, double a, double b) {
    float v[3] = {0.0f, 0.0f, 0.0f};
    v[m->axes[0]] = (float)a, v[m->axes[1]] = (float)b;
    return (sinew_vec3){v[0], v[1], v[2]};
}

static void report_cluster(const measurement *m, const speed_cluster *cluster, sinew_clip_speed *speed) {
    int32_t planted = 0, landing_feet = 0;
    for (int32_t i = 0; i < m->feet->foot_count; i++) {
        int32_t steps = list_contacts(m, cluster, i, speed);
        planted += steps;
        landing_feet += steps > 0;
    }
    double length = sqrt(length2(cluster->velocity));
    bool stands = length < STILL * (double)m->feet->height;
    bool walks = m->closed && cluster->part >= MIN_CLUSTER_PART && (landing_feet > 1 || m->feet->foot_count == 1);
    if (!stands && !walks) {
        speed->contact_count = 0;
        return;
    }
    speed->gait = stands ? SINEW_GAIT_STANDS : SINEW_GAIT_MOVES;
    speed->planted = (float)((double)planted / (double)total_of(m));
    speed->spread = (float)spread_of(m, cluster);
    if (stands) return;
    speed->velocity = along_axes(m, cluster->velocity[0], cluster->velocity[1]);
    speed->speed = (float)length;
}

bool sinew_clip_measure_speed(const sinew_clip *clip, const sinew_feet *feet, sinew_clip_speed *speed) {
    assert(clip && feet && speed && clip->skeleton == feet->skeleton);
    *speed = (sinew_clip_speed){.gait = SINEW_GAIT_NONE};
    if (feet->foot_count <= 0 || clip->additive) return false;
    if (!(clip->duration > 0.0f)) { // a single pose
        speed->gait = SINEW_GAIT_STANDS;
        speed->planted = 1.0f;
        return true;
    }
    measurement m = {.count = 0};
    begin_measurement(&m, clip, feet);
    find_yaw(&m);
    find_root_velocity(&m);
    fill_steps(&m);
    weight_steps(&m);
    speed_cluster cluster;
    if (find_cluster(&m, &cluster)) report_cluster(&m, &cluster, speed);
    if (speed->gait == SINEW_GAIT_NONE) return false;
    speed->yaw_rate = (float)(m.yaw / m.seconds);
    return true;
}

// ---- Positions of samples ------------------------------------------------------------------------------------

static void set_position(sinew_blend_sample *sample, sinew_blend_space_kind kind, sinew_up up,
                         const sinew_clip_speed *measured) {
    float forward = up == SINEW_UP_Z ? -measured->velocity.y : measured->velocity.z;
    if (kind == SINEW_BLEND_SPACE_LINE) {
        sample->x = sample->speed * (forward < 0.0f ? -measured->speed : measured->speed);
        sample->y = 0.0f;
        return;
    }
    sample->x = sample->speed * -measured->velocity.x;
    sample->y = sample->speed * forward;
}

sinew_result sinew_blend_samples_measure(sinew_blend_sample *samples, int32_t sample_count,
                                         sinew_blend_space_kind kind, const sinew_feet *feet, sinew_error *error) {
    assert((samples || sample_count == 0) && feet);
    for (int32_t i = 0; i < sample_count; i++) {
        const sinew_clip *clip = samples[i].clip;
        if (!clip) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "samples[%d]: no clip", (int)i);
        if (clip->skeleton != feet->skeleton) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                               "samples[%d]: its clip '%s' belongs to a different skeleton than the feet", (int)i,
                               clip->name);
        }
        if (samples[i].speed == 0.0f) return sinewi_blend_fail_speed(i, error);
        sinew_clip_speed measured;
        if (!sinew_clip_measure_speed(clip, feet, &measured)) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                               "samples[%d]: its clip '%s' has no measurable ground speed; set the position",
                               (int)i, clip->name);
        }
        set_position(&samples[i], kind, feet->up, &measured);
    }
    return SINEW_OK;
}
