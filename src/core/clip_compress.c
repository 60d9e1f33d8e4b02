// SPDX-License-Identifier: MIT
// Compresses clips. Finds the modes of the channels (clip_modes.c), then the largest tolerance that keeps the clip
// within its error. Measures the error on the clip as it will be sampled.
#include "core/clip_error.h"
#include "core/clip_modes.h"
#include "base/def_cookie.h"
#include "base/fail.h"

#include <math.h>

// The tolerances to try, as multiples of the error, from large to small. The errors of joints in a chain add up or
// partly cancel. The error doesn't strictly follow the tolerance, so a few more are tried after the first that fits.
#define LARGEST_TOLERANCE  4.0
#define SMALLEST_TOLERANCE (1.0 / 16.0)
#define TOLERANCE_STEP     0.9
#define MORE_TRIALS        5

// A channel within this fraction of the error counts as still.
#define STILL_PART 0.05

sinew_compress_def sinew_compress_default(void) {
    return (sinew_compress_def){.max_error = 0.0001f, .point_distance = 0.03f, .cookie = SINEWI_DEF_COOKIE};
}

static sinew_result check_def(const sinew_compress_def *def, sinew_error *error) {
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_compress_def: start from sinew_compress_default()", error);
    if (result != SINEW_OK) return result;
    if (!(def->max_error > 0.0f) || !isfinite(def->max_error)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "sinew_compress_def: max_error is %g m; it must be above 0",
                           (double)def->max_error);
    }
    if (!(def->point_distance >= 0.0f) || !isfinite(def->point_distance)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "sinew_compress_def: point_distance is %g m; it must be 0 or more",
                           (double)def->point_distance);
    }
    return SINEW_OK;
}

#ifdef SINEW_NO_COMPRESSION

sinew_result sinew_clip_compress(const sinew_clip *clip, const sinew_compress_def *def, sinew_clip **compressed,
                                 sinew_error *error) {
    (void)clip;
    const sinew_compress_def default_def = sinew_compress_default();
    *compressed = NULL;
    sinew_result result = check_def(def ? def : &default_def, error);
    if (result != SINEW_OK) return result;
    return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, "clip: compression is not part of this build");
}

#else

// A strip interpolates between two keys while its line stays within this fraction of the error from the arc. Beyond
// that it slerps, which is much slower to sample but doesn't round any weights. The second entry is for clips that end
// up with a small tolerance, and therefore many modes. The last one is only tried if they would also take more than a
// quarter of their original bytes.
static const double slerp_parts[] = {1.0, 0.5, 0.2};
#define LAST_SLERP_PART  2
#define SMALL_TOLERANCE  (1.0 / 8.0)
#define SMALL_PART       4

// After the search, the tolerance of single strips is raised by these factors while the error stays within the limit.
// In the worst pose, only some strips move the worst point. The number of trials bounds the time for very large
// skeletons.
static const double tolerance_steps[] = {2.0, 1.5, 1.2};
#define MAX_STRIP_TRIALS 64

// A clip that is compressed with different tolerances.
typedef struct compressor {
    const sinew_clip *clip;
    const sinew_compress_def *def;
    sinewi_exact_clip exact; // the original clip, for measuring
    sinew_clip_def copy;     // of the clip, with its channels
    bool simplifies;         // simplify channels that don't move
    sinewi_mode_finder modes;
    sinew_clip *best;
    double worst_time; // when the last copy had its largest error, in seconds
    double best_tolerance, best_slerp_distance;
    sinew_error *error;
} compressor;

static bool read_channels(compressor *c) {
    const size_t count = (size_t)c->clip->channel_count;
    sinew_channel_def *channels = sinewi_arena_array(&c->modes.arena, sinew_channel_def, count);
    if (!channels) return false;
    for (size_t i = 0; i < count; i++)
        if (!sinewi_clip_read_channel(c->clip, (int32_t)i, &c->modes.arena, &channels[i])) return false;
    c->copy.channels = channels;
    c->copy.channel_count = c->clip->channel_count;
    // For clips with tracks, the error is only measured at the times of rows.
    if (!c->simplifies || c->clip->data->tracks.bucket_count > 0) return true;
    return sinewi_modes_simplify(&c->modes, &c->copy, channels, STILL_PART * (double)c->def->max_error);
}

static sinew_clip_def copy_def(const sinew_clip *clip, const sinew_allocator *allocator) {
    sinew_clip_def def = sinew_clip_default();
    def.name = clip->name;
    def.skeleton = clip->skeleton;
    def.channel_count = clip->channel_count;
    def.duration = clip->duration;
    def.marker_count = clip->marker_count;
    def.markers = clip->markers;
    def.key_format = SINEW_KEYS_COMPRESSED;
    def.additive = clip->additive;
    def.allocator = *allocator;
    return def;
}

// Bounds a copy's error, either closely or just to see whether it is within the limit. Stops at the first time with a
// larger error.
static sinew_result measure_copy(compressor *c, const sinew_clip *copy, bool closely, float *error) {
    const sinewi_error_measure measure = {c->def->point_distance, c->def->max_error, !closely, &c->worst_time};
    sinew_result result = sinewi_clip_measure_error(&c->exact, copy, &measure, error);
    return result == SINEW_OK ? result : sinewi_fail_memory(c->error);
}

// Compresses with one tolerance. Keeps the copy if it is the smallest so far and within the limit. Measuring takes
// longest, so only smaller copies are measured.
static sinew_result try_tolerance(compressor *c, double tolerance) {
    sinew_clip *copy;
    float error = 0.0f;
    c->modes.tolerance = tolerance;
    sinew_result result = sinewi_clip_build_keys(&c->copy, c->clip, c->clip, &c->modes, &copy, c->error);
    if (result != SINEW_OK) return result;
    const bool is_smaller = !c->best || copy->memory < c->best->memory;
    if (is_smaller && c->simplifies) result = measure_copy(c, copy, false, &error);
    if (result != SINEW_OK || !is_smaller || !(error <= c->def->max_error)) {
        sinew_clip_destroy(copy);
        return result;
    }
    sinew_clip_destroy(c->best);
    c->best = copy;
    c->best_tolerance = tolerance;
    c->best_slerp_distance = c->modes.max_slerp_distance;
    return SINEW_OK;
}

// Keeps all channels with float keys, which have no error.
static sinew_result keep_floats(compressor *c) {
    c->simplifies = c->modes.is_ready = false;
    return read_channels(c) ? try_tolerance(c, 0.0) : sinewi_fail_memory(c->error);
}

// Raises a strip's tolerance by a factor. Reverts this if the clip doesn't get smaller or exceeds the error.
static sinew_result try_strip(compressor *c, sinewi_mode_strip *strip, double factor) {
    const size_t memory = c->best->memory;
    const double before = strip->tolerance_factor;
    strip->tolerance_factor *= factor;
    sinew_result result = try_tolerance(c, c->best_tolerance);
    if (c->best->memory == memory) strip->tolerance_factor = before;
    return result;
}

static sinew_result raise_tolerances(compressor *c) {
    sinew_result result = SINEW_OK;
    int left = MAX_STRIP_TRIALS;
    c->modes.max_slerp_distance = c->best_slerp_distance;
    for (size_t step = 0; step < sizeof tolerance_steps / sizeof *tolerance_steps; step++) {
        for (int32_t i = 0; i < c->modes.strip_count && result == SINEW_OK && left > 0; i++) {
            if (c->modes.strips[i].set < 0) continue;
            result = try_strip(c, &c->modes.strips[i], tolerance_steps[step]);
            left--;
        }
    }
    return result;
}

// Finds the largest tolerance within the error, for a given distance beyond which strips slerp.
static sinew_result search_tolerance(compressor *c) {
    const double error = (double)c->def->max_error;
    const size_t memory = c->best ? c->best->memory : SIZE_MAX;
    sinew_result result = SINEW_OK;
    int left = MORE_TRIALS;
    double part = LARGEST_TOLERANCE;
    while (result == SINEW_OK && part >= SMALLEST_TOLERANCE && left >= 0) {
        result = try_tolerance(c, part * error);
        if (c->best && c->best->memory < memory) left--;
        part *= TOLERANCE_STEP;
    }
    return result;
}

// Returns whether the current copy makes the next entry of slerp_parts unnecessary.
static bool is_small_enough(const compressor *c, size_t next) {
    if (c->best_tolerance >= SMALL_TOLERANCE * (double)c->def->max_error) return true;
    return next == LAST_SLERP_PART && c->best && c->best->memory <= c->clip->memory / SMALL_PART;
}

static sinew_result search_copy(compressor *c) {
    const double error = (double)c->def->max_error;
    sinew_result result = SINEW_OK;
    for (size_t i = 0; i < sizeof slerp_parts / sizeof *slerp_parts; i++) {
        if (result != SINEW_OK || is_small_enough(c, i)) break;
        c->modes.max_slerp_distance = slerp_parts[i] * error;
        result = search_tolerance(c);
    }
    if (result != SINEW_OK) return result;
    return c->best ? raise_tolerances(c) : keep_floats(c);
}

// Sets the best copy's error. It can't exceed the limit, because its bound was already within it.
static sinew_result state_error(compressor *c) {
    float error = 0.0f;
    sinew_result result = c->simplifies ? measure_copy(c, c->best, true, &error) : SINEW_OK;
    c->best->max_error = fminf(error, c->def->max_error) + c->clip->max_error;
    return result;
}

sinew_result sinew_clip_compress(const sinew_clip *clip, const sinew_compress_def *def, sinew_clip **compressed,
                                 sinew_error *error) {
    const sinew_compress_def default_def = sinew_compress_default();
    if (!def) def = &default_def;
    *compressed = NULL;
    sinew_result result = check_def(def, error);
    if (result != SINEW_OK) return result;
    compressor c = {
        .clip = clip, .def = def, .copy = copy_def(clip, &def->allocator), .simplifies = true, .error = error};
    c.modes.plan = sinewi_modes_plan;
    c.modes.distance = (double)def->point_distance;
    c.modes.smallest = 0.5 * SMALLEST_TOLERANCE * (double)def->max_error;
    sinewi_arena_init(&c.modes.arena, &def->allocator);
    const bool is_read = sinewi_exact_clip_read(&c.exact, clip, &def->allocator) && read_channels(&c);
    result = is_read ? search_copy(&c) : sinewi_fail_memory(error);
    if (result == SINEW_OK) result = state_error(&c);
    sinewi_exact_clip_free(&c.exact);
    sinewi_arena_free(&c.modes.arena);
    if (result == SINEW_OK) {
        *compressed = c.best;
    } else {
        sinew_clip_destroy(c.best);
    }
    return result;
}

#endif

sinew_result sinewi_clip_create_compressed(const sinew_clip_def *def, float max_error, sinew_clip **clip,
                                           sinew_error *error) {
    sinew_result result = sinew_clip_create(def, clip, error);
    if (result != SINEW_OK || max_error == 0.0f) return result;
    sinew_compress_def compress = sinew_compress_default();
    compress.max_error = max_error;
    compress.allocator = def->allocator;
    sinew_clip *exact = *clip;
    result = sinew_clip_compress(exact, &compress, clip, error);
    sinew_clip_destroy(exact);
    return result;
}
