// SPDX-License-Identifier: MIT
// Foot contacts: from markers, from the motion of the soles, and blended by a mixer's weights.
//
// To find contacts, the clip is divided into intervals of equal length. A sole point is in contact during an interval
// if it is low and moves with the ground. A foot is in contact if any of its points is, from heel strike to toe-off.
#include <sinew/body/feet.h>

#include "core/mixer_evaluation.h"
#include "base/def_cookie.h"
#include "base/float_rules.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct sinew_foot_contacts_data {
    sinew_allocator allocator;
};

enum { MAX_INTERVALS = 4096, INTERVALS_PER_SECOND = 240 };

// ---- Intervals of a clip -------------------------------------------------------------------------------------

// Motion of one sole point in one interval.
typedef struct sole_motion {
    sinew_vec3 velocity; // meters per second
    float height;        // at the higher end of the interval, meters
} sole_motion;

// Motion of all sole points in a clip, and scratch memory to find it.
typedef struct clip_motion {
    int32_t interval_count;
    double interval;   // seconds
    sinew_vec3 ground; // velocity of the ground, meters per second
    int32_t point_count;
    int32_t first_points[SINEW_MAX_FEET + 1]; // index of each foot's first point
    sole_motion *motions;                     // [interval_count × point_count]
    float *numbers;                           // [interval_count × point_count]
    bool *touches;                            // [interval_count], for one foot
    sinew_vec3 *positions;                    // [point_count]
    sinew_affine *model;                      // [node_count]
    sinew_pose *pose;
    void *block;
    size_t size;
} clip_motion;

static int32_t interval_count_of(const sinew_clip *clip) {
    double count = ceil((double)clip->duration * INTERVALS_PER_SECOND);
    if (!(count > 1.0)) return 1;
    return count < MAX_INTERVALS ? (int32_t)count : MAX_INTERVALS;
}

static void lay_out_motion(sinewi_layout *layout, clip_motion *m, const sinew_skeleton *skeleton) {
    size_t points = (size_t)m->point_count, intervals = (size_t)m->interval_count;
    m->model = sinewi_layout_array(layout, sinew_affine, (size_t)skeleton->node_count, SINEWI_ALIGNMENT);
    m->motions = sinewi_layout_array(layout, sole_motion, points * intervals, alignof(sole_motion));
    m->positions = sinewi_layout_array(layout, sinew_vec3, points, alignof(sinew_vec3));
    m->numbers = sinewi_layout_array(layout, float, points *intervals, alignof(float));
    m->touches = sinewi_layout_array(layout, bool, intervals, alignof(bool));
}

// Allocates for the clip with the most intervals.
static sinew_result take_motion(const sinew_foot_contacts_def *def, clip_motion *m, sinew_error *error) {
    *m = (clip_motion){.interval_count = 1};
    for (int32_t i = 0; i < def->clip_count; i++) {
        int32_t count = interval_count_of(def->clips[i]);
        if (count > m->interval_count) m->interval_count = count;
    }
    for (int32_t i = 0; i < def->foot_count; i++) {
        m->first_points[i] = m->point_count;
        m->point_count += def->feet[i].point_count;
    }
    m->first_points[def->foot_count] = m->point_count;
    sinewi_layout measure = {0};
    lay_out_motion(&measure, m, def->skeleton);
    m->size = measure.size;
    m->block = sinewi_allocate(&def->allocator, m->size, SINEWI_ALIGNMENT);
    if (!m->block) return sinewi_fail_memory(error);
    sinewi_layout layout = {(char *)m->block, 0};
    lay_out_motion(&layout, m, def->skeleton);
    return sinew_pose_create(def->skeleton, &def->allocator, &m->pose) == SINEW_OK ? SINEW_OK
                                                                                   : sinewi_fail_memory(error);
}

static void free_motion(const sinew_foot_contacts_def *def, clip_motion *m) {
    sinew_pose_destroy(m->pose);
    sinewi_release(&def->allocator, m->block, m->size, SINEWI_ALIGNMENT);
}

static float dot(sinew_vec3 a, sinew_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static sinew_vec3 point_position(const sinew_foot_point *sole, const sinew_affine *model) {
    const sinew_affine *node = &model[sole->node];
    return sinew_affine_point(*node, sole->point);
}

static void pose_at(const sinew_clip *clip, double time, clip_motion *m) {
    sinew_clip_sample(clip, (float)time, m->pose);
    sinew_pose_to_model(m->pose, m->model);
}

// A clip without a duration gets one interval, where nothing moves.
static void measure_motion(const sinew_foot_contacts_def *def, const sinew_clip *clip, clip_motion *m) {
    m->interval_count = interval_count_of(clip);
    m->interval = (double)clip->duration / m->interval_count;
    float rate = m->interval > 0.0 ? (float)(1.0 / m->interval) : 0.0f;
    for (int32_t i = -1; i < m->interval_count; i++) {
        pose_at(clip, m->interval * (i + 1), m);
        for (int32_t foot = 0; foot < def->foot_count; foot++) {
            int32_t first = m->first_points[foot];
            for (int32_t k = first; k < m->first_points[foot + 1]; k++) {
                sinew_vec3 was = m->positions[k], p = point_position(&def->feet[foot].points[k - first], m->model);
                m->positions[k] = p;
                if (i < 0) continue;
                sinew_vec3 velocity = {(p.x - was.x) * rate, (p.y - was.y) * rate, (p.z - was.z) * rate};
                m->motions[i * m->point_count + k] =
                    (sole_motion){velocity, fmaxf(dot(p, def->up), dot(was, def->up))};
            }
        }
    }
}

// ---- The velocity of the ground ------------------------------------------------------------------------------

static void swap(float *a, float *b) {
    float was = *a;
    *a = *b;
    *b = was;
}

// Returns the number that sorting would put at index `k`. Reorders the numbers (Hoare, "Find", 1961).
static float nth_smallest(float *numbers, int32_t count, int32_t k) {
    int32_t first = 0, last = count - 1;
    while (first < last) {
        float middle = numbers[first + (last - first) / 2];
        int32_t i = first, j = last;
        while (i <= j) {
            while (numbers[i] < middle) i++;
            while (numbers[j] > middle) j--;
            if (i <= j) swap(&numbers[i++], &numbers[j--]);
        }
        if (k > j && k < i) return numbers[k];
        if (k <= j)
            last = j;
        else
            first = i;
    }
    return numbers[k];
}

// Median of one velocity component over the low sole points, without the part along `up`. 0 if no point is low.
static float median_component(const sinew_foot_contacts_def *def, const clip_motion *m, int component) {
    int32_t count = 0, all = m->interval_count * m->point_count;
    for (int32_t i = 0; i < all; i++) {
        const sole_motion *motion = &m->motions[i];
        if (!(motion->height < def->height)) continue;
        float along = dot(motion->velocity, def->up);
        const float level[3] = {motion->velocity.x - along * def->up.x, motion->velocity.y - along * def->up.y,
                                motion->velocity.z - along * def->up.z};
        if (isfinite(level[component])) m->numbers[count++] = level[component];
    }
    if (count == 0) return 0.0f;
    return nth_smallest(m->numbers, count, count / 2);
}

static sinew_vec3 ground_velocity(const sinew_foot_contacts_def *def, const clip_motion *m) {
    return (sinew_vec3){median_component(def, m, 0), median_component(def, m, 1), median_component(def, m, 2)};
}

// ---- Contacts from the motion --------------------------------------------------------------------------------

static bool is_in_contact(const sinew_foot_contacts_def *def, const sole_motion *motion, sinew_vec3 ground) {
    sinew_vec3 v = {motion->velocity.x - ground.x, motion->velocity.y - ground.y, motion->velocity.z - ground.z};
    return motion->height < def->height && dot(v, v) < def->speed * def->speed;
}

static void find_touches(const sinew_foot_contacts_def *def, int32_t foot, const clip_motion *m) {
    for (int32_t i = 0; i < m->interval_count; i++) {
        bool touches = false;
        for (int32_t k = m->first_points[foot]; k < m->first_points[foot + 1]; k++) {
            touches = touches || is_in_contact(def, &m->motions[i * m->point_count + k], m->ground);
        }
        m->touches[i] = touches;
    }
}

// Returns the first interval that differs from the one before, or -1 if all are the same. The ends of a loop meet.
static int32_t first_change(const clip_motion *m) {
    for (int32_t i = 0; i < m->interval_count; i++) {
        if (m->touches[i] != m->touches[i > 0 ? i - 1 : m->interval_count - 1]) return i;
    }
    return -1;
}

// Counts equal intervals from `first` on, at most `left`.
static int32_t run_length(const clip_motion *m, int32_t first, int32_t left) {
    int32_t length = 1;
    while (length < left && m->touches[(first + length) % m->interval_count] == m->touches[first]) length++;
    return length;
}

// Inverts runs of `value` that are shorter than `duration`.
static void drop_short_runs(const clip_motion *m, bool value, double duration) {
    int32_t first = first_change(m), n = m->interval_count;
    if (first < 0) return;
    for (int32_t done = 0, length; done < n; done += length) {
        int32_t start = (first + done) % n;
        length = run_length(m, start, n - done);
        if (m->touches[start] != value || length * m->interval >= duration) continue;
        for (int32_t i = 0; i < length; i++) m->touches[(start + i) % n] = !value;
    }
}

// Counts a foot's contacts. Also writes them in order of their start, unless `out` is NULL.
static int32_t write_touches(const clip_motion *m, const sinew_clip *clip, int32_t foot, sinew_foot_contact *out) {
    int32_t count = 0, n = m->interval_count;
    if (first_change(m) < 0) {
        if (m->touches[0] && out) out[0] = (sinew_foot_contact){foot, 0.0f, clip->duration};
        return m->touches[0] ? 1 : 0;
    }
    for (int32_t i = 0; i < n; i++) {
        if (!m->touches[i] || m->touches[i > 0 ? i - 1 : n - 1]) continue;
        int32_t end = (i + run_length(m, i, n) - 1) % n + 1;
        if (out) out[count] = (sinew_foot_contact){foot, (float)(i * m->interval), (float)(end * m->interval)};
        count++;
    }
    return count;
}

static int32_t write_motion(const sinew_foot_contacts_def *def, const sinew_clip *clip, const clip_motion *m,
                            sinew_foot_contact *out) {
    int32_t count = 0;
    for (int32_t foot = 0; foot < def->foot_count; foot++) {
        find_touches(def, foot, m);
        drop_short_runs(m, false, (double)def->duration);
        drop_short_runs(m, true, (double)def->duration);
        count += write_touches(m, clip, foot, out ? out + count : NULL);
    }
    return count;
}

// ---- Contacts from markers -----------------------------------------------------------------------------------

// Returns the foot's next marker after marker `i`, wrapping at the end of the loop. It's `i` itself if the
// foot has no other.
static int32_t next_marker(const sinew_foot_contacts_def *def, const sinew_clip *clip, int32_t foot, int32_t i) {
    for (int32_t k = 1; k < clip->marker_count; k++) {
        int32_t next = (i + k) % clip->marker_count;
        const char *name = clip->markers[next].name;
        if (strcmp(name, def->down_names[foot]) == 0 || strcmp(name, def->up_names[foot]) == 0) return next;
    }
    return i;
}

// Counts the down-up marker pairs of all feet. Also writes them as contacts, unless `out` is NULL. If a foot comes down
// twice before it's lifted, the second time counts.
static int32_t write_markers(const sinew_foot_contacts_def *def, const sinew_clip *clip, sinew_foot_contact *out) {
    int32_t count = 0;
    if (!def->down_names) return 0;
    for (int32_t foot = 0; foot < def->foot_count; foot++) {
        for (int32_t i = 0; i < clip->marker_count; i++) {
            if (strcmp(clip->markers[i].name, def->down_names[foot]) != 0) continue;
            const sinew_marker *next = &clip->markers[next_marker(def, clip, foot, i)];
            if (strcmp(next->name, def->up_names[foot]) != 0) continue;
            if (out) out[count] = (sinew_foot_contact){foot, clip->markers[i].time, next->time};
            count++;
        }
    }
    return count;
}

// ---- Creating ------------------------------------------------------------------------------------------------

sinew_foot_contacts_def sinew_foot_contacts_default(void) {
    return (sinew_foot_contacts_def){
        .up = {0, 1, 0},
        .height = 0.03f,
        .speed = 0.4f,
        .duration = 0.05f,
        .cookie = SINEWI_DEF_COOKIE,
    };
}

static sinew_result check_clips(const sinew_foot_contacts_def *def, sinew_error *error) {
    for (int32_t i = 0; i < def->clip_count; i++) {
        const sinew_clip *clip = def->clips[i];
        if (!clip) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "clips[%d] is NULL", (int)i);
        if (clip->skeleton != def->skeleton)
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "clips[%d], '%s', belongs to a different skeleton",
                               (int)i, clip->name);
        if (clip->additive)
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "clips[%d], '%s', is additive", (int)i, clip->name);
    }
    return SINEW_OK;
}

static sinew_result check_names(const sinew_foot_contacts_def *def, sinew_error *error) {
    if (!def->down_names != !def->up_names)
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "down_names and up_names must both be set, or neither");
    for (int32_t i = 0; def->down_names && i < def->foot_count; i++) {
        if (!def->down_names[i] || !def->up_names[i])
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "foot %d is missing a marker name", (int)i);
    }
    return SINEW_OK;
}

static bool has_points(const sinew_foot *foot, const sinew_skeleton *skeleton) {
    if (foot->point_count < 1 || foot->point_count > SINEW_MAX_FOOT_POINTS) return false;
    for (int32_t k = 0; k < foot->point_count; k++) {
        if (foot->points[k].node < 0 || foot->points[k].node >= skeleton->node_count) return false;
    }
    return true;
}

static sinew_result check_feet(const sinew_foot_contacts_def *def, sinew_error *error) {
    for (int32_t i = 0; def->feet && i < def->foot_count; i++) {
        if (has_points(&def->feet[i], def->skeleton)) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "feet[%d] has no sole points on the skeleton: start from sinew_foot_from_rest()",
                           (int)i);
    }
    return SINEW_OK;
}

static sinew_result check(const sinew_foot_contacts_def *def, sinew_error *error) {
    if (!def->skeleton) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "skeleton is NULL");
    if (def->foot_count < 1 || def->foot_count > SINEW_MAX_FEET)
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "foot_count is %d; it must be 1 to %d",
                           (int)def->foot_count, SINEW_MAX_FEET);
    if (def->clip_count < 0 || (def->clip_count > 0 && !def->clips))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "clip_count is %d; it must match clips",
                           (int)def->clip_count);
    if (!isfinite(def->height) || !isfinite(def->speed) || !isfinite(def->duration))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "height, speed or duration is not finite");
    sinew_result result = check_clips(def, error);
    if (result == SINEW_OK) result = check_names(def, error);
    return result == SINEW_OK ? check_feet(def, error) : result;
}

// Decides where a clip's contacts come from, and counts them.
static void find_source(const sinew_foot_contacts_def *def, clip_motion *m, sinew_clip_contacts *of_clip) {
    of_clip->contact_count = write_markers(def, of_clip->clip, NULL);
    if (of_clip->contact_count > 0) {
        of_clip->source = SINEW_FOOT_CONTACT_SOURCE_MARKERS;
    } else if (def->feet) {
        measure_motion(def, of_clip->clip, m);
        m->ground = ground_velocity(def, m);
        of_clip->contact_count = write_motion(def, of_clip->clip, m, NULL);
        if (of_clip->contact_count > 0) of_clip->source = SINEW_FOOT_CONTACT_SOURCE_MOTION;
    }
}

// Writes the contacts that find_source has just counted.
static void write_contacts(const sinew_foot_contacts_def *def, clip_motion *m, const sinew_clip_contacts *of_clip,
                           sinew_foot_contact *out) {
    if (of_clip->source == SINEW_FOOT_CONTACT_SOURCE_MARKERS) write_markers(def, of_clip->clip, out);
    if (of_clip->source == SINEW_FOOT_CONTACT_SOURCE_MOTION) write_motion(def, of_clip->clip, m, out);
}

typedef struct contacts_arrays {
    sinew_foot_contacts *contacts;
    struct sinew_foot_contacts_data *data;
    sinew_clip_contacts *clips;
    sinew_foot_contact *all;
} contacts_arrays;

static contacts_arrays lay_out(sinewi_layout *layout, int32_t clip_count, size_t contact_count) {
    contacts_arrays a;
    a.contacts = sinewi_layout_array(layout, sinew_foot_contacts, 1, SINEWI_ALIGNMENT);
    a.data =
        sinewi_layout_array(layout, struct sinew_foot_contacts_data, 1, alignof(struct sinew_foot_contacts_data));
    a.clips = sinewi_layout_array(layout, sinew_clip_contacts, (size_t)clip_count, alignof(sinew_clip_contacts));
    a.all = sinewi_layout_array(layout, sinew_foot_contact, contact_count, alignof(sinew_foot_contact));
    return a;
}

static sinew_result create(const sinew_foot_contacts_def *def, clip_motion *m, sinew_foot_contacts **contacts,
                           sinew_error *error) {
    size_t count = 0;
    for (int32_t i = 0; i < def->clip_count; i++) {
        sinew_clip_contacts of_clip = {.clip = def->clips[i]};
        find_source(def, m, &of_clip);
        count += (size_t)of_clip.contact_count;
    }
    sinewi_layout measure = {0};
    lay_out(&measure, def->clip_count, count);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(error);
    contacts_arrays a = lay_out(&layout, def->clip_count, count);
    sinew_foot_contact *next = a.all;
    for (int32_t i = 0; i < def->clip_count; i++) {
        sinew_clip_contacts of_clip = {.clip = def->clips[i]};
        find_source(def, m, &of_clip);
        write_contacts(def, m, &of_clip, next);
        of_clip.contacts = next;
        a.clips[i] = of_clip;
        next += of_clip.contact_count;
    }
    a.data->allocator = def->allocator;
    *a.contacts = (sinew_foot_contacts){.foot_count = def->foot_count,
                                        .clip_count = def->clip_count,
                                        .clips = a.clips,
                                        .memory = measure.size,
                                        .data = a.data};
    *contacts = a.contacts;
    return SINEW_OK;
}

sinew_result sinew_foot_contacts_create(const sinew_foot_contacts_def *def, sinew_foot_contacts **contacts,
                                        sinew_error *error) {
    assert(contacts);
    *contacts = NULL;
    sinew_result result =
        SINEWI_CHECK_DEF(def, "sinew_foot_contacts_def: start from sinew_foot_contacts_default()", error);
    if (result == SINEW_OK) result = check(def, error);
    if (result != SINEW_OK) return result;
    clip_motion motion = {0};
    if (def->feet) result = take_motion(def, &motion, error);
    if (result == SINEW_OK) result = create(def, &motion, contacts, error);
    if (def->feet) free_motion(def, &motion);
    return result;
}

void sinew_foot_contacts_destroy(sinew_foot_contacts *contacts) {
    if (!contacts) return;
    sinew_allocator allocator = contacts->data->allocator;
    sinewi_release(&allocator, contacts, contacts->memory, SINEWI_ALIGNMENT);
}

// ---- In a frame ----------------------------------------------------------------------------------------------

const sinew_clip_contacts *sinew_foot_contacts_find(const sinew_foot_contacts *contacts, const sinew_clip *clip) {
    assert(contacts);
    for (int32_t i = 0; i < contacts->clip_count; i++) {
        if (contacts->clips[i].clip == clip) return &contacts->clips[i];
    }
    return NULL;
}

bool sinew_clip_contacts_at(const sinew_clip_contacts *clip, int32_t foot, float time) {
    assert(clip);
    for (int32_t i = 0; i < clip->contact_count; i++) {
        const sinew_foot_contact *contact = &clip->contacts[i];
        if (contact->foot != foot) continue;
        bool after = time >= contact->start, before = time <= contact->end;
        if (contact->end < contact->start ? after || before : after && before) return true;
    }
    return false;
}

// A clip that an action plays, and its weight in the action.
typedef struct playing_clip {
    const sinew_clip_contacts *contacts;
    float time, weight;
} playing_clip;

// Finds the clips of an action that have contacts. Returns their number.
static int32_t find_playing(const sinew_foot_contacts *contacts, const sinew_mixer *mixer,
                            const action_state *state, playing_clip clips[SINEW_MAX_BLEND_WEIGHTS]) {
    const space_state *space = sinewi_action_space(mixer, state);
    if (!space) {
        clips[0] =
            (playing_clip){sinew_foot_contacts_find(contacts, state->clip), sinewi_action_clip_time(state), 1};
        return clips[0].contacts ? 1 : 0;
    }
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    const int32_t count = sinewi_space_weights(mixer, state, space, weights);
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t sample = weights[i].sample;
        const sinew_clip_contacts *of = sinew_foot_contacts_find(contacts, space->space->samples[sample].clip);
        if (of)
            clips[found++] = (playing_clip){of, sinewi_space_time(mixer, state, sample, 0.0), weights[i].weight};
    }
    return found;
}

static bool leaves_ground(const sinew_clip_contacts *clip, int32_t foot) {
    const float duration = clip->clip->duration;
    float down = 0.0f;
    for (int32_t i = 0; i < clip->contact_count; i++) {
        const sinew_foot_contact *contact = &clip->contacts[i];
        if (contact->foot != foot) continue;
        down += contact->end - contact->start + (contact->end < contact->start ? duration : 0.0f);
    }
    return down < 0.999f * duration;
}

// Returns whether a foot is on the ground in an action. In a blend space, the clip with the largest weight tells. A clip
// that keeps the foot down, such as an idle, doesn't count while clips that lift it have a tenth of the weight.
// Otherwise the feet of a slow walk would be on the ground all the time.
static bool is_down(const playing_clip *clips, int32_t count, int32_t foot) {
    const playing_clip *heaviest = &clips[0], *lifting = NULL;
    float weight = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        if (clips[i].weight > heaviest->weight) heaviest = &clips[i];
        if (count == 1 || !leaves_ground(clips[i].contacts, foot)) continue;
        weight += clips[i].weight;
        if (!lifting || clips[i].weight > lifting->weight) lifting = &clips[i];
    }
    if (lifting && weight >= 0.1f) heaviest = lifting;
    return sinew_clip_contacts_at(heaviest->contacts, foot, heaviest->time);
}

void sinew_foot_contacts_evaluate(const sinew_foot_contacts *contacts, const sinew_mixer *mixer, float *blended) {
    assert(contacts && mixer && blended);
    sinew_action actions[SINEW_MAX_ACTIONS];
    int32_t count = sinew_mixer_actions(mixer, actions, SINEW_MAX_ACTIONS);
    double sum = 0.0, on[SINEW_MAX_FEET] = {0.0};
    for (int32_t i = 0; i < count; i++) {
        const action_state *state = sinewi_mixer_action_state(mixer, actions[i]);
        if (state->layer != 0) continue;
        playing_clip clips[SINEW_MAX_BLEND_WEIGHTS];
        const int32_t clip_count = find_playing(contacts, mixer, state, clips);
        if (clip_count == 0) continue;
        const double weight = (double)state->weight.value;
        for (int32_t foot = 0; foot < contacts->foot_count; foot++) {
            if (is_down(clips, clip_count, foot)) on[foot] += weight;
        }
        sum += weight;
    }
    for (int32_t foot = 0; foot < contacts->foot_count; foot++) {
        blended[foot] = sum > 0.0 ? (float)(on[foot] / sum) : 0.0f;
    }
}
