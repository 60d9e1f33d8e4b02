// SPDX-License-Identifier: MIT
// The module's functions for EXT_meshopt_compression (web/meshopt), against the meshoptimizer library: the same bytes
// in both directions, for every stride, block length and bit count. Also damaged data.
#include <meshoptimizer.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The functions of web/meshopt, which are compiled with these names.
size_t web_encodeVertexBufferBound(size_t vertex_count, size_t vertex_size);
size_t web_encodeVertexBuffer(unsigned char *buffer, size_t buffer_size, const void *vertices, size_t vertex_count,
                              size_t vertex_size);
int web_decodeVertexBuffer(void *destination, size_t vertex_count, size_t vertex_size, const unsigned char *buffer,
                           size_t buffer_size);
void web_encodeFilterOct(void *destination, size_t count, size_t stride, int bits, const float *data);
void web_decodeFilterOct(void *buffer, size_t count, size_t stride);
void web_encodeFilterQuat(void *destination, size_t count, size_t stride, int bits, const float *data);
void web_decodeFilterQuat(void *buffer, size_t count, size_t stride);
void web_decodeFilterExp(void *buffer, size_t count, size_t stride);

static uint32_t seed = 1;

static uint32_t next_random(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

// A random walk where bytes change by up to `range` from element to element, so groups of every bit count occur.
static uint8_t *make_vertices(size_t count, size_t size, uint32_t range) {
    uint8_t *vertices = malloc(count * size + 1);
    assert_non_null(vertices);
    for (size_t i = 0; i < count * size; i++) {
        const uint32_t step = next_random() % 4 == 0 ? next_random() % (range + 1) : 0;
        vertices[i] = (uint8_t)((i < size ? next_random() : vertices[i - size]) + step - range / 2);
    }
    return vertices;
}

static void compare_codecs(size_t count, size_t size, uint32_t range) {
    uint8_t *vertices = make_vertices(count, size, range);
    const size_t room = web_encodeVertexBufferBound(count, size);
    const size_t library_room = meshopt_encodeVertexBufferBound(count, size);
    uint8_t *own = malloc(room), *library = malloc(library_room), *decoded = malloc(count * size + 1);
    assert_true(own && library && decoded);
    const size_t length = web_encodeVertexBuffer(own, room, vertices, count, size);
    assert_int_equal(length, meshopt_encodeVertexBuffer(library, library_room, vertices, count, size));
    assert_memory_equal(own, library, length);
    assert_int_equal(meshopt_decodeVertexBuffer(decoded, count, size, own, length), 0);
    assert_memory_equal(decoded, vertices, count * size);
    memset(decoded, 0, count * size);
    assert_int_equal(web_decodeVertexBuffer(decoded, count, size, library, length), 0);
    assert_memory_equal(decoded, vertices, count * size);
    free(vertices);
    free(own);
    free(library);
    free(decoded);
}

static void test_buffers(void **state) {
    (void)state;
    static const size_t sizes[] = {4, 8, 12, 16, 32, 36, 64, 200, 256},
                        counts[] = {1, 2, 15, 16, 17, 255, 256, 257, 1000};
    static const uint32_t ranges[] = {0, 2, 6, 40, 255};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
                compare_codecs(counts[c], sizes[s], ranges[r]);
        }
    }
}

static void test_room(void **state) {
    (void)state;
    uint8_t vertices[64] = {1}, buffer[2048];
    const size_t room = web_encodeVertexBufferBound(16, 4);
    assert_true(room <= sizeof buffer);
    assert_int_equal(web_encodeVertexBuffer(buffer, room - 1, vertices, 16, 4), 0);
    assert_true(web_encodeVertexBuffer(buffer, room, vertices, 16, 4) > 0);
}

// Every truncation and every excess is refused. Damage does what it does to the library, and reads and writes nothing
// outside of the buffers (found by sanitizers).
static void test_damaged(void **state) {
    (void)state;
    enum { COUNT = 300, SIZE = 12 };
    uint8_t *vertices = make_vertices(COUNT, SIZE, 40), *decoded = malloc((size_t)COUNT * SIZE),
            *other = malloc((size_t)COUNT * SIZE);
    uint8_t *buffer = malloc(web_encodeVertexBufferBound(COUNT, SIZE));
    assert_true(decoded && other && buffer);
    const size_t length =
        web_encodeVertexBuffer(buffer, web_encodeVertexBufferBound(COUNT, SIZE), vertices, COUNT, SIZE);
    for (size_t cut = 0; cut < length; cut++) {
        uint8_t *part = malloc(cut + 1);
        assert_non_null(part);
        memcpy(part, buffer, cut);
        assert_int_not_equal(web_decodeVertexBuffer(decoded, COUNT, SIZE, part, cut), 0);
        free(part);
    }
    for (int count = 1; count < COUNT; count++)
        assert_int_not_equal(web_decodeVertexBuffer(decoded, (size_t)count / 16 * 16, SIZE, buffer, length), 0);
    for (int round = 0; round < 20000; round++) {
        uint8_t *copy = malloc(length);
        assert_non_null(copy);
        memcpy(copy, buffer, length);
        copy[next_random() % length] ^= (uint8_t)(1u << next_random() % 8);
        const int result = web_decodeVertexBuffer(decoded, COUNT, SIZE, copy, length);
        assert_int_equal(result == 0, meshopt_decodeVertexBuffer(other, COUNT, SIZE, copy, length) == 0);
        if (result == 0) assert_memory_equal(decoded, other, (size_t)COUNT * SIZE);
        free(copy);
    }
    free(vertices);
    free(decoded);
    free(other);
    free(buffer);
}

// Vectors of any length, which the filter makes unit: random ones, those on axes and diagonals, with zeros of both signs.
// The fourth component is the handedness of tangents, or any other number.
static void make_vector(int kind, float v[4]) {
    for (int i = 0; i < 3; i++) {
        v[i] = (float)next_random() / (float)(1 << 23) - 1.0f;
        if (kind % 4 == 0) v[i] = (float)(next_random() % 3) - 1.0f;
        if (kind % 4 == 1 && i != kind / 4 % 3) v[i] = next_random() % 2 ? 0.0f : -0.0f;
    }
    v[3] = kind % 3 == 0 ? (float)next_random() / (float)(1 << 22) - 2.0f : (float)(kind % 3 * 2 - 3);
}

// Of a filtered vector, from the formulas of the specification in double.
static void expect_direction(const int stored[3], double max, double direction[3]) {
    const double u = (double)stored[0] / stored[2], v = (double)stored[1] / stored[2];
    const double z = 1.0 - fabs(u) - fabs(v), outside = fmin(z, 0.0);
    const double x = u - copysign(outside, u), y = v - copysign(outside, v);
    const double length = sqrt(x * x + y * y + z * z);
    direction[0] = x / length * max;
    direction[1] = y / length * max;
    direction[2] = z / length * max;
}

static int component(const void *elements, size_t stride, size_t i) {
    return stride == 4 ? ((const int8_t *)elements)[i] : ((const int16_t *)elements)[i];
}

// The library's vector code takes an approximate square root for bytes, which differs between processors.
static void compare_directions(const void *stored, size_t count, size_t stride) {
    void *own = malloc(count * stride), *library = malloc(count * stride);
    assert_true(own && library);
    memcpy(own, stored, count * stride);
    memcpy(library, stored, count * stride);
    web_decodeFilterOct(own, count, stride);
    meshopt_decodeFilterOct(library, count, stride);
#if defined(__SSE2__)
    if (stride == 8) assert_memory_equal(own, library, count * stride);
#endif
    for (size_t k = 0; k < 4 * count; k += 4) {
        double expected[3];
        const int elements[3] = {component(stored, stride, k), component(stored, stride, k + 1),
                                 component(stored, stride, k + 2)};
        expect_direction(elements, stride == 4 ? 127.0 : 32767.0, expected);
        for (size_t i = 0; i < 3; i++) {
            const int read = component(own, stride, k + i);
            assert_in_range(read - component(library, stride, k + i) + 1, 0, 2);
            assert_true(fabs(read - expected[i]) <= (stride == 4 ? 0.501 : 0.51));
        }
        assert_int_equal(component(own, stride, k + 3), component(stored, stride, k + 3));
    }
    free(own);
    free(library);
}

static void test_directions(void **state) {
    (void)state;
    enum { COUNT = 4099 };
    float *v = malloc((size_t)4 * COUNT * sizeof *v);
    void *own = malloc((size_t)8 * COUNT), *library = malloc((size_t)8 * COUNT);
    assert_true(v && own && library);
    for (size_t stride = 4; stride <= 8; stride += 4) {
        for (int bits = 2; bits <= (int)stride * 2; bits++) {
            for (int k = 0; k < COUNT; k++) make_vector(k, v + (ptrdiff_t)4 * k);
            web_encodeFilterOct(own, COUNT, stride, bits, v);
            meshopt_encodeFilterOct(library, COUNT, stride, bits, v);
            assert_memory_equal(own, library, stride * COUNT);
            compare_directions(own, COUNT, stride);
        }
    }
    free(v);
    free(own);
    free(library);
}

// Unit quaternions: random ones, and those with equal components or zeros, of both signs.
static void make_quaternion(int kind, float q[4]) {
    float square = 0.0f;
    for (int i = 0; i < 4; i++) {
        q[i] = (float)next_random() / (float)(1 << 23) - 1.0f;
        if (kind % 8 == 0) q[i] = next_random() % 2 ? 0.5f : -0.5f;
        if (kind % 8 == 1) q[i] = i == kind / 8 % 4 ? -1.0f : 0.0f;
        square += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrtf(square);
}

static void test_quaternions(void **state) {
    (void)state;
    enum { COUNT = 4099 };
    float *q = malloc((size_t)4 * COUNT * sizeof *q);
    int16_t *own = malloc((size_t)8 * COUNT), *library = malloc((size_t)8 * COUNT);
    assert_true(q && own && library);
    for (int bits = 4; bits <= 16; bits++) {
        for (int k = 0; k < COUNT; k++) make_quaternion(k, q + (ptrdiff_t)4 * k);
        web_encodeFilterQuat(own, COUNT, 8, bits, q);
        meshopt_encodeFilterQuat(library, COUNT, 8, bits, q);
        assert_memory_equal(own, library, (size_t)8 * COUNT);
        web_decodeFilterQuat(own, COUNT, 8);
        meshopt_decodeFilterQuat(library, COUNT, 8);
#if defined(__SSE2__)
        assert_memory_equal(own, library, (size_t)8 * COUNT);
#endif
        // On other machines the library may round the last bit differently.
        for (int i = 0; i < 4 * COUNT; i++) assert_in_range(own[i] - library[i] + 1, 0, 2);
    }
    free(q);
    free(own);
    free(library);
}

static void test_floats(void **state) {
    (void)state;
    enum { COUNT = 4096 };
    uint32_t *own = malloc((size_t)4 * COUNT), *library = malloc((size_t)4 * COUNT);
    assert_true(own && library);
    for (uint32_t i = 0; i < COUNT; i++)
        library[i] = own[i] = (uint32_t)((int32_t)(next_random() % 201) - 100) << 24 | next_random() % (1u << 24);
    web_decodeFilterExp(own, COUNT / 3, 12);
    meshopt_decodeFilterExp(library, COUNT / 3, 12);
    assert_memory_equal(own, library, (size_t)COUNT / 3 * 12);
    free(own);
    free(library);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffers),    cmocka_unit_test(test_room),        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_directions), cmocka_unit_test(test_quaternions), cmocka_unit_test(test_floats),
    };
    meshopt_encodeVertexVersion(0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
