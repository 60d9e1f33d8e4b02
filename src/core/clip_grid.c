// SPDX-License-Identifier: MIT
// Adds keys that tools have dropped from a regular grid.
//
// Tools leave out keys that interpolation can reproduce. Then each channel has its own times, and sampling takes twice
// as long. Usually all keys were dropped from the same grid. Adding them back lets the channels share one timeline
// again.
//
// A grid has a start, a step, and a slot for each key time. A channel is on the grid if each of its keys is near its
// own slot. Authored keys keep their bits: a slot takes the channels' time, and a channel with other bits gets another
// grid. Added keys are on the line or arc between authored ones. They are computed in double for their exact float
// time, so the motion doesn't depend on how regular the grid is.
#include "core/clip_grid.h"

#include "core/clip_build.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

// How far a key may be from its slot, in steps. Times rounded to milliseconds at 60 keys per second are within this. It
// is also far below a quarter, where sampling would start to need a search.
static const double tolerance = 0.05;

// A step is the shortest time between two keys, divided by at most this.
#define MAX_DIVISOR 4

// Channels whose times differ in their last bits get separate grids.
#define MAX_GRIDS 4

// With more slots, sampling needs a search.
#define MAX_SLOTS (1 << 22)

// Channels may grow by this many times the allowed growth before measuring memory. Rows have lanes without a channel,
// and tracks have an index.
#define ROUGH_FACTOR 4.0

// A channel that may be filled.
typedef struct candidate {
    int32_t channel;
    bool fits;           // on the last grid that was tried
    int32_t first, last; // slots
    int32_t grid;        // index, or -1
} candidate;

typedef struct key_grid {
    double start, step;
} key_grid;

// The state while filling one clip.
typedef struct filler {
    const sinew_clip_def *def;
    float growth;
    sinewi_arena *scratch;
    sinew_channel_def *channels; // [channel_count]: a copy
    candidate *candidates;
    int32_t count;
    key_grid grid;
    int32_t first, slot_count; // of all channels that fit
    float *slots[MAX_GRIDS];   // times. Negative if empty.
    int64_t added;
} filler;

static const sinew_channel_def *channel_of(const filler *f, const candidate *c) {
    return &f->def->channels[c->channel];
}

// Returns whether all keys of a LINEAR channel have the same bits.
static bool is_still(const sinew_clip_def *def, const sinew_channel_def *channel) {
    const size_t width = (size_t)sinewi_channel_width(def->skeleton, channel->node, channel->target);
    for (int32_t k = 1; k < channel->key_count; k++) {
        const float *key = channel->values + (size_t)k * width;
        if (memcmp(key, channel->values, width * sizeof *key) != 0) return false;
    }
    return true;
}

// The channels haven't been checked yet. Skips invalid ones, because creating the clip will report them.
static bool may_be_filled(const sinew_clip_def *def, const sinew_channel_def *channel) {
    const bool is_linear =
        channel->interpolation == SINEW_INTERPOLATION_LINEAR && (unsigned)channel->target <= SINEW_TARGET_WEIGHTS;
    const bool is_complete =
        channel->key_count > 1 && channel->times && channel->values && channel->times[0] >= 0.0f;
    const bool has_node = channel->node >= 0 && channel->node < def->skeleton->node_count;
    return is_linear && is_complete && has_node && !is_still(def, channel);
}

static bool share_times(const sinew_channel_def *a, const sinew_channel_def *b) {
    return a->key_count == b->key_count && a->times == b->times;
}

static bool have_same_times(const sinew_channel_def *a, const sinew_channel_def *b) {
    return share_times(a, b) ||
           (a->key_count == b->key_count && memcmp(a->times, b->times, (size_t)a->key_count * sizeof(float)) == 0);
}

// Lists the candidates. Returns false if all have the same timeline, or if memory runs out, which also sets `*result`.
static bool list_candidates(filler *f, sinew_result *result) {
    const sinew_clip_def *def = f->def;
    bool differ = false;
    f->candidates = sinewi_arena_array(f->scratch, candidate, (size_t)def->channel_count);
    if (!f->candidates) *result = SINEW_ERROR_OUT_OF_MEMORY;
    for (int32_t i = 0; f->candidates && i < def->channel_count; i++) {
        if (!may_be_filled(def, &def->channels[i])) continue;
        f->candidates[f->count] = (candidate){.channel = i, .grid = -1};
        differ = differ || !have_same_times(channel_of(f, &f->candidates[0]), &def->channels[i]);
        f->count++;
    }
    return differ;
}

// ---- Finding the grid --------------------------------------------------------------------------------------------

// Finds the slots of a channel's first and last key. Returns false if two keys share a slot, or if one is too far from
// its slot.
static bool fits_grid(const key_grid *g, const sinew_channel_def *channel, int32_t *first, int32_t *last) {
    double before = -HUGE_VAL;
    for (int32_t k = 0; k < channel->key_count; k++) {
        const double position = ((double)channel->times[k] - g->start) / g->step, slot = floor(position + 0.5);
        if (!(fabs(position - slot) <= tolerance) || slot <= before || fabs(slot) >= MAX_SLOTS) return false;
        if (k == 0) *first = (int32_t)slot;
        before = slot;
    }
    *last = (int32_t)before;
    return true;
}

// Tries a grid and returns how many candidates are on it.
static int32_t try_grid(filler *f, key_grid g) {
    int32_t fitting = 0;
    for (int32_t i = 0; i < f->count; i++) {
        candidate *c = &f->candidates[i];
        if (i > 0 && share_times(channel_of(f, c), channel_of(f, c - 1))) {
            c->fits = c[-1].fits, c->first = c[-1].first, c->last = c[-1].last;
        } else {
            c->fits = fits_grid(&g, channel_of(f, c), &c->first, &c->last);
        }
        fitting += c->fits;
    }
    f->grid = g;
    return fitting;
}

// Returns the candidate with the most keys.
static const sinew_channel_def *find_densest(const filler *f) {
    const sinew_channel_def *densest = channel_of(f, &f->candidates[0]);
    for (int32_t i = 1; i < f->count; i++) {
        const sinew_channel_def *channel = channel_of(f, &f->candidates[i]);
        if (channel->key_count > densest->key_count) densest = channel;
    }
    return densest;
}

// Refines an estimate of the step. Each key makes it more precise.
static double refine_step(const sinew_channel_def *channel, double step) {
    for (int32_t k = 1; k < channel->key_count; k++) {
        const double time = (double)channel->times[k] - (double)channel->times[0], slot = floor(time / step + 0.5);
        if (slot >= 1.0) step = time / slot;
    }
    return step;
}

// Finds the grid that most candidates are on. It comes from the densest candidate, whose shortest interval is one or a
// few steps.
static bool find_grid(filler *f) {
    const sinew_channel_def *densest = find_densest(f);
    double shortest = HUGE_VAL;
    for (int32_t k = 1; k < densest->key_count; k++) {
        // Don't use fmin: gcc 12 for AArch64 fails to compile this loop with -O3.
        const double interval = (double)densest->times[k] - (double)densest->times[k - 1];
        shortest = interval < shortest ? interval : shortest;
    }
    key_grid best = {0.0, 0.0};
    int32_t most = 1;
    for (int divisor = 1; divisor <= MAX_DIVISOR; divisor++) {
        const key_grid g = {(double)densest->times[0], refine_step(densest, shortest / divisor)};
        const int32_t fitting = try_grid(f, g);
        if (fitting <= most) continue;
        most = fitting;
        best = g;
    }
    return most > 1 && try_grid(f, best) > 1;
}

// ---- Slots -------------------------------------------------------------------------------------------------------

// Sets the range of slots for all channels that fit. Returns false if the clip would grow far too much.
static bool find_range(filler *f) {
    int32_t first = INT32_MAX, last = INT32_MIN;
    double width = 0.0, numbers = 0.0;
    for (int32_t i = 0; i < f->count; i++) {
        const candidate *c = &f->candidates[i];
        const sinew_channel_def *channel = channel_of(f, c);
        const double per_key = 1.0 + sinewi_channel_width(f->def->skeleton, channel->node, channel->target);
        numbers += per_key * channel->key_count;
        if (!c->fits) continue;
        width += per_key;
        first = c->first < first ? c->first : first;
        last = c->last > last ? c->last : last;
    }
    f->first = first;
    f->slot_count = last - first + 1;
    return f->slot_count <= MAX_SLOTS && width * f->slot_count <= ROUGH_FACTOR * (double)f->growth * numbers;
}

static float *slot_of(const filler *f, float *slots, float time) {
    const double slot = floor(((double)time - f->grid.start) / f->grid.step + 0.5);
    return slots + ((int32_t)slot - f->first);
}

// Gives a channel's keys their slots, unless a slot already has another time.
static bool take_slots(const filler *f, float *slots, const sinew_channel_def *channel) {
    for (int32_t k = 0; k < channel->key_count; k++) {
        const float *slot = slot_of(f, slots, channel->times[k]);
        if (*slot >= 0.0f && *slot != channel->times[k]) return false;
    }
    for (int32_t k = 0; k < channel->key_count; k++) *slot_of(f, slots, channel->times[k]) = channel->times[k];
    return true;
}

// Puts as many candidates as possible on a grid and returns their number.
static int32_t take_grid(filler *f, int32_t index) {
    float *slots = f->slots[index] = sinewi_arena_array(f->scratch, float, (size_t)f->slot_count);
    int32_t count = 0;
    if (!slots) return -1;
    for (int32_t i = 0; i < f->slot_count; i++) slots[i] = -1.0f;
    for (int32_t i = 0; i < f->count; i++) {
        candidate *c = &f->candidates[i];
        if (!c->fits || c->grid >= 0) continue;
        const bool has_slots = i > 0 && c[-1].grid == index && share_times(channel_of(f, c), channel_of(f, c - 1));
        if (!has_slots && !take_slots(f, slots, channel_of(f, c))) continue;
        c->grid = index;
        count++;
    }
    return count;
}

// Computes times for a grid's empty slots between its first and last key. Returns the number of times. Returns 0 if
// they don't increase, because the step is too short for floats.
static int32_t complete_times(const filler *f, float **slots) {
    float *times = *slots;
    int32_t first = 0, last = f->slot_count - 1;
    while (times[first] < 0.0f) first++;
    while (times[last] < 0.0f) last--;
    for (int32_t i = first; i <= last; i++) {
        if (times[i] < 0.0f) times[i] = (float)(f->grid.start + f->grid.step * (double)(f->first + i));
        if (i > first && !(times[i] > times[i - 1])) return 0;
    }
    *slots = times + first;
    return last - first + 1;
}

// ---- Keys --------------------------------------------------------------------------------------------------------

typedef struct quat {
    double of[4];
} quat;

static quat normalize(quat q) {
    const double length = sqrt(q.of[0] * q.of[0] + q.of[1] * q.of[1] + q.of[2] * q.of[2] + q.of[3] * q.of[3]);
    for (int i = 0; i < 4; i++) q.of[i] = length > 0.0 ? q.of[i] / length : i == 3;
    return q;
}

static quat mix(quat a, quat b, double u) {
    quat sum;
    for (int i = 0; i < 4; i++) sum.of[i] = a.of[i] + (b.of[i] - a.of[i]) * u;
    return normalize(sum);
}

// Slerps along the shorter arc. If both are equal, the stored signs decide. Halves the arc until a normalized lerp is
// just as good. This avoids functions that machines round differently.
static void slerp(const float *from, const float *to, double u, float *out) {
    enum { HALVINGS = 18 };
    quat a, b;
    double dot = 0.0;
    for (int i = 0; i < 4; i++) a.of[i] = (double)from[i], b.of[i] = (double)to[i];
    for (int i = 0; i < 4; i++)
        dot += a.of[i] * b.of[i]; // before rounding them again, because this decides the side at half a turn
    a = normalize(a), b = normalize(b);
    for (int i = 0; i < 4 && dot < 0.0; i++) b.of[i] = -b.of[i];
    for (int i = 0; i < HALVINGS; i++) {
        const quat middle = mix(a, b, 0.5);
        u *= 2.0;
        if (u < 1.0) {
            b = middle;
        } else {
            a = middle, u -= 1.0;
        }
    }
    a = mix(a, b, u);
    for (int i = 0; i < 4; i++) out[i] = (float)a.of[i];
}

void sinewi_channel_between(const sinew_channel_def *channel, int32_t width, int32_t k, float time, float *out) {
    const float *from = channel->values + (size_t)k * (size_t)width, *to = from + width;
    const double start = (double)channel->times[k],
                 u = ((double)time - start) / ((double)channel->times[k + 1] - start);
    if (memcmp(from, to, (size_t)width * sizeof *out) == 0) {
        memcpy(out, from, (size_t)width * sizeof *out);
    } else if (channel->target == SINEW_TARGET_ROTATION) {
        slerp(from, to, u, out);
    } else {
        for (int32_t i = 0; i < width; i++)
            out[i] = (float)((double)from[i] + ((double)to[i] - (double)from[i]) * u);
    }
}

// Writes a channel's value at each time. Uses its own keys and interpolates between them. The first and last keys
// extend to the ends.
static void write_keys(const sinew_channel_def *channel, int32_t width, const float *times, int32_t count,
                       float *out) {
    int32_t k = 0;
    for (int32_t i = 0; i < count; i++, out += width) {
        while (k + 1 < channel->key_count && channel->times[k + 1] <= times[i]) k++;
        const bool holds = times[i] <= channel->times[k] || k + 1 == channel->key_count;
        if (holds) {
            memcpy(out, channel->values + (size_t)k * (size_t)width, (size_t)width * sizeof *out);
        } else {
            sinewi_channel_between(channel, width, k, times[i], out);
        }
    }
}

static bool fill_channel(filler *f, const candidate *c, const float *times, int32_t count) {
    const sinew_channel_def *from = channel_of(f, c);
    const int32_t width = sinewi_channel_width(f->def->skeleton, from->node, from->target);
    if (from->key_count == count) return true; // already has all of them
    float *values =
        (float *)sinewi_arena_take(f->scratch, (size_t)count, (size_t)width * sizeof(float), sizeof(float));
    if (!values) return false;
    write_keys(from, width, times, count, values);
    f->added += count - from->key_count;
    sinew_channel_def *to = &f->channels[c->channel];
    to->key_count = count;
    to->times = times;
    to->values = values;
    return true;
}

static bool fill_grid(filler *f, int32_t index) {
    const int32_t members = take_grid(f, index);
    if (members < 2) return members >= 0;
    float *times = f->slots[index];
    const int32_t count = complete_times(f, &times);
    for (int32_t i = 0; count > 0 && i < f->count; i++)
        if (f->candidates[i].grid == index && !fill_channel(f, &f->candidates[i], times, count)) return false;
    return true;
}

// Fills f->channels, unless the clip has no grid or would grow far too much.
static sinew_result fill_channels(filler *f) {
    sinew_result result = SINEW_OK;
    if (!list_candidates(f, &result) || !find_grid(f) || !find_range(f)) return result;
    const size_t size = (size_t)f->def->channel_count;
    f->channels = sinewi_arena_array(f->scratch, sinew_channel_def, size);
    if (!f->channels) return SINEW_ERROR_OUT_OF_MEMORY;
    memcpy(f->channels, f->def->channels, size * sizeof *f->channels);
    for (int32_t i = 0; i < MAX_GRIDS; i++)
        if (!fill_grid(f, i)) return SINEW_ERROR_OUT_OF_MEMORY;
    return SINEW_OK;
}

// ---- The def -----------------------------------------------------------------------------------------------------

// Decides whether the added keys are worth their memory, because they put separate channels together.
static sinew_result compare(const sinew_clip_def *def, const sinew_clip_def *filled, float growth, bool *is_better,
                            sinew_error *error) {
    sinewi_clip_size before, after;
    sinew_result result = sinewi_clip_measure(def, &before, error);
    if (result == SINEW_OK) result = sinewi_clip_measure(filled, &after, error);
    if (result != SINEW_OK) return result;
    *is_better = (double)after.bytes <= (double)growth * (double)before.bytes &&
                 (after.strips < before.strips || after.tracks < before.tracks);
    return SINEW_OK;
}

sinew_result sinewi_clip_fill_grid(const sinew_clip_def *def, float growth, sinewi_arena *scratch,
                                   sinew_clip_def *filled, int32_t *added, sinew_error *error) {
    *filled = *def;
    *added = 0;
    if (!(growth > 0.0f) || !def->skeleton || !def->channels || def->channel_count <= 0) return SINEW_OK;
    filler f = {.def = def, .growth = growth, .scratch = scratch};
    if (fill_channels(&f) != SINEW_OK) return sinewi_fail_memory(error);
    if (f.added == 0) return SINEW_OK;
    sinew_clip_def with_keys = *def;
    with_keys.channels = f.channels;
    bool is_better = false;
    const sinew_result result = compare(def, &with_keys, growth, &is_better, error);
    if (result != SINEW_OK || !is_better) return result;
    *filled = with_keys;
    *added = f.added < INT32_MAX ? (int32_t)f.added : INT32_MAX;
    return SINEW_OK;
}
