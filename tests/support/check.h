// SPDX-License-Identifier: MIT
// Helpers for all tests: float comparisons, small skeletons and clips, and an allocator that counts and can fail.
#ifndef CHECK_H
#define CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#include <cmocka.h>

// Tells the static analyzer that failing and skipping end a test. cmocka's own declarations don't.
#ifdef __clang_analyzer__
#undef assert_true
#undef assert_non_null
#undef fail_msg
#undef skip
#define assert_true(condition)   ((condition) ? (void)0 : abort())
#define assert_non_null(pointer) ((pointer) ? (void)0 : abort())
#define fail_msg(...)            (print_error(__VA_ARGS__), abort())
#define skip()                   abort()
#endif

#include <sinew/all.h>

#define PI 3.14159265358979323846

// Fails and prints both numbers if they differ by more than `tolerance` or either isn't a number.
#define check_near(actual, expected, tolerance)                                                                    \
    check_near_at((double)(actual), (double)(expected), (double)(tolerance), #actual, __FILE__, __LINE__)

static inline void check_near_at(double actual, double expected, double tolerance, const char *what,
                                 const char *file, int line) {
    if (fabs(actual - expected) <= tolerance) return;
    print_error("%s is %.9g, not %.9g +- %g\n", what, actual, expected, tolerance);
    _fail(file, line);
}

#define check_vec3(v, ex, ey, ez, tolerance)                                                                       \
    do {                                                                                                           \
        sinew_vec3 check_vec3_value = (v);                                                                         \
        check_near(check_vec3_value.x, ex, tolerance);                                                             \
        check_near(check_vec3_value.y, ey, tolerance);                                                             \
        check_near(check_vec3_value.z, ez, tolerance);                                                             \
    } while (0)

// The angle between two rotations in radians, computed in double from the chord, which stays exact for small angles.
static inline double angle_between(sinew_quat a, sinew_quat b) {
    double d = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
    double s = d < 0.0 ? -1.0 : 1.0;
    double x = a.x - s * b.x, y = a.y - s * b.y, z = a.z - s * b.z, w = a.w - s * b.w;
    return 4.0 * asin(fmin(1.0, sqrt(x * x + y * y + z * z + w * w) / 2.0));
}

static inline sinew_quat about_x(double radians) {
    return (sinew_quat){(float)sin(radians / 2), 0, 0, (float)cos(radians / 2)};
}

static inline sinew_quat about_y(double radians) {
    return (sinew_quat){0, (float)sin(radians / 2), 0, (float)cos(radians / 2)};
}

static inline sinew_quat about_z(double radians) {
    return (sinew_quat){0, 0, (float)sin(radians / 2), (float)cos(radians / 2)};
}

// A small random generator, the same on every machine and in each run.
static inline uint32_t random_next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static inline float random_float(uint64_t *state, float low, float high) {
    return low + (high - low) * (float)random_next(state) / 2147483648.0f;
}

static inline sinew_quat random_quat(uint64_t *state) {
    sinew_quat q;
    float length;
    do {
        q = (sinew_quat){random_float(state, -1, 1), random_float(state, -1, 1), random_float(state, -1, 1),
                         random_float(state, -1, 1)};
        length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    } while (length < 0.01f || length > 1.0f);
    return sinew_quat_normalize(q);
}

// ---- Fixtures ------------------------------------------------------------------------------------------------

// `count` nodes in one chain, named "n0", "n1", ..., each 1 m above its parent.
static inline sinew_skeleton *make_chain(int32_t count) {
    sinew_node_def *nodes = calloc((size_t)count + 1, sizeof *nodes);
    char(*names)[16] = calloc((size_t)count + 1, sizeof *names);
    for (int32_t i = 0; i < count; i++) {
        names[i][0] = 'n';
        int at = 1;
        for (int32_t digit = 100000; digit > 0; digit /= 10) {
            if (i >= digit || digit == 1) names[i][at++] = (char)('0' + i / digit % 10);
        }
        nodes[i] = (sinew_node_def){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
        if (i > 0) nodes[i].rest.translation.y = 1.0f;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    sinew_error error = {0};
    if (sinew_skeleton_create(&def, &skeleton, &error) != SINEW_OK) fail_msg("%s", error.message);
    free(nodes);
    free(names);
    return skeleton;
}

static inline sinew_clip *make_clip(const sinew_skeleton *skeleton, const char *name,
                                    const sinew_channel_def *channels, int32_t count) {
    sinew_clip_def def = sinew_clip_default();
    def.name = name;
    def.skeleton = skeleton;
    def.channels = channels;
    def.channel_count = count;
    sinew_clip *clip;
    sinew_error error = {0};
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    return clip;
}

// A clip that moves one node's x linearly from 0 to `to` in `duration` seconds.
static inline sinew_clip *make_slide(const sinew_skeleton *skeleton, const char *name, int32_t node, float duration,
                                     float to) {
    float times[2] = {0.0f, duration}, values[6] = {0, 0, 0, to, 0, 0};
    sinew_channel_def channel = {
        node, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, duration > 0.0f ? 2 : 1, times, values};
    return make_clip(skeleton, name, &channel, 1);
}

// ---- Files ------------------------------------------------------------------------------------------------------

static inline sinew_asset *load_gltf(const char *path, const sinew_gltf_options *options) {
    sinew_asset *asset = NULL;
    sinew_error error = {0};
    if (sinew_gltf_load_file(path, options, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    return asset;
}

// ---- An allocator that counts, and fails when told ------------------------------------------------------------

typedef struct counting {
    int allocations; // so far
    int live;
    size_t bytes, peak; // live, and the peak
    int fail_at;        // index of the allocation that fails, from 1; 0: none
    bool fail_once;     // only this one fails, not all later ones
} counting;

// Windows has no aligned_alloc; its substitute needs its own free function.
#ifdef _WIN32
#include <malloc.h>
#define aligned_alloc(alignment, size) _aligned_malloc(size, alignment)
#define aligned_free(memory)           _aligned_free(memory)
#else
#define aligned_free(memory) free(memory)
#endif

// Each block starts with its size, to check that it's released with the same size.
enum { COUNTING_HEAD = 64 };

static inline void *counting_allocate(size_t size, size_t alignment, void *user) {
    counting *c = user;
    c->allocations++;
    if (c->fail_at && (c->fail_once ? c->allocations == c->fail_at : c->allocations >= c->fail_at)) return NULL;
    assert_true(size > 0);
    assert_true(alignment <= COUNTING_HEAD && (alignment & (alignment - 1)) == 0);
    size_t whole = COUNTING_HEAD + (size + COUNTING_HEAD - 1) / COUNTING_HEAD * COUNTING_HEAD;
    char *head = aligned_alloc(COUNTING_HEAD, whole);
    assert_non_null(head);
    memset(head, 0xcd, whole); // nothing may rely on zeros
    memcpy(head, &size, sizeof size);
    c->live++;
    c->bytes += size;
    if (c->bytes > c->peak) c->peak = c->bytes;
    return head + COUNTING_HEAD;
}

static inline void counting_release(void *memory, size_t size, size_t alignment, void *user) {
    counting *c = user;
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory & (alignment - 1), 0);
    char *head = (char *)memory - COUNTING_HEAD;
    size_t taken;
    memcpy(&taken, head, sizeof taken);
    assert_int_equal(size, taken);
    c->live--;
    c->bytes -= size;
    aligned_free(head);
}

static inline sinew_allocator counting_allocator(counting *c) {
    return (sinew_allocator){counting_allocate, counting_release, c};
}

// Loops over a test with each allocation failing in turn, until none does:
//     while (fail_next(&c, result)) { result = make(...); and free what was made }
// `result` starts as SINEW_ERROR_OUT_OF_MEMORY. A failure must leave nothing behind. At the end, c.fail_at is one
// more than the number of failures.
static inline bool fail_next(counting *c, sinew_result result) {
    assert_int_equal(c->live, 0);
    if (result == SINEW_OK) return false;
    assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
    *c = (counting){.fail_at = c->fail_at + 1, .fail_once = c->fail_once};
    return true;
}

#endif
