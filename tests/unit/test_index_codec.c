// SPDX-License-Identifier: MIT
// The module's index codecs for EXT_meshopt_compression (web/meshopt), against the meshoptimizer library: the same
// bytes in both directions, for random triangles, models' triangles, degenerate ones and hostile indices. Also
// damaged data.
#include "support/check.h"
#include "support/trials.h"

#include <meshoptimizer.h>

// The functions of web/meshopt, which are compiled with these names.
size_t web_encodeIndexBufferBound(size_t index_count, size_t vertex_count);
size_t web_encodeIndexBuffer(unsigned char *buffer, size_t buffer_size, const unsigned int *indices,
                             size_t index_count);
int web_decodeIndexBuffer(void *destination, size_t index_count, size_t index_size, const unsigned char *buffer,
                          size_t buffer_size);
size_t web_encodeIndexSequenceBound(size_t index_count, size_t vertex_count);
size_t web_encodeIndexSequence(unsigned char *buffer, size_t buffer_size, const unsigned int *indices,
                               size_t index_count);
int web_decodeIndexSequence(void *destination, size_t index_count, size_t index_size, const unsigned char *buffer,
                            size_t buffer_size);

typedef size_t bound_function(size_t, size_t);
typedef size_t encode_function(unsigned char *, size_t, const unsigned int *, size_t);
typedef int decode_function(void *, size_t, size_t, const unsigned char *, size_t);

// A codec of the module, and the library's.
typedef struct codec {
    bound_function *bounds[2];
    encode_function *encode[2];
    decode_function *decode[2];
    bool has_triangles; // which may start at another corner
} codec;

enum { OWN, LIBRARY, CODECS = 2 };

static const codec codecs[CODECS] = {
    {{web_encodeIndexBufferBound, meshopt_encodeIndexBufferBound},
     {web_encodeIndexBuffer, meshopt_encodeIndexBuffer},
     {web_decodeIndexBuffer, meshopt_decodeIndexBuffer},
     true},
    {{web_encodeIndexSequenceBound, meshopt_encodeIndexSequenceBound},
     {web_encodeIndexSequence, meshopt_encodeIndexSequence},
     {web_decodeIndexSequence, meshopt_decodeIndexSequence},
     false},
};

static uint32_t seed = 1;

static uint32_t next_random(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void *allocate(size_t size) {
    void *memory = malloc(size + 1);
    assert_non_null(memory);
    return memory;
}

// ---- Comparing -----------------------------------------------------------------------------------------------------

// Whether decoded indices are the encoded ones, or triangles the same from another corner.
static bool are_same(const codec *c, const uint32_t *decoded, const uint32_t *indices, size_t count) {
    if (!c->has_triangles) return memcmp(decoded, indices, count * sizeof *indices) == 0;
    for (size_t i = 0; i < count; i += 3) {
        size_t turn = 0;
        while (turn < 3 && (decoded[i] != indices[i + turn] || decoded[i + 1] != indices[i + (turn + 1) % 3] ||
                            decoded[i + 2] != indices[i + (turn + 2) % 3]))
            turn++;
        if (turn == 3) return false;
    }
    return true;
}

// `is_exact`: the indices can be restored. The library restores no index of 2^32 - 1 reliably.
static void compare_decoders(const codec *c, const uint8_t *bytes, size_t size, const uint32_t *indices,
                             size_t count, bool is_exact) {
    for (size_t width = 2; width <= 4; width += 2) {
        void *own = allocate(width * count), *library = allocate(width * count);
        assert_int_equal(c->decode[OWN](own, count, width, bytes, size), 0);
        assert_int_equal(c->decode[LIBRARY](library, count, width, bytes, size), 0);
        assert_memory_equal(own, library, width * count);
        if (width == 4 && is_exact) assert_true(are_same(c, own, indices, count));
        free(own);
        free(library);
    }
}

static void compare_codecs(const codec *c, const uint32_t *indices, size_t count, bool is_exact) {
    const size_t room = c->bounds[OWN](count, SIZE_MAX);
    uint8_t *own = allocate(room), *library = allocate(room);
    const size_t size = c->encode[OWN](own, room, indices, count);
    assert_true(size > 0);
    assert_int_equal(size, c->encode[LIBRARY](library, room, indices, count));
    assert_memory_equal(own, library, size);
    compare_decoders(c, own, size, indices, count, is_exact);
    free(own);
    free(library);
}

static void compare_both(const uint32_t *indices, size_t count, bool is_exact) {
    for (int i = 0; i < CODECS; i++) compare_codecs(&codecs[i], indices, count, is_exact);
}

// ---- Random indices ------------------------------------------------------------------------------------------------

// Few vertices: degenerate triangles, and edges in both directions.
static uint32_t draw_few(uint32_t *next) {
    (void)next;
    return next_random() % 4;
}

static uint32_t draw_some(uint32_t *next) {
    (void)next;
    return next_random() % 12;
}

// New vertices, and any of those before.
static uint32_t draw_growing(uint32_t *next) {
    return next_random() % 3 == 0 ? (*next)++ : next_random() % (*next + 1);
}

// New vertices, and the latest ones.
static uint32_t draw_latest(uint32_t *next) {
    return next_random() % 2 && *next > 20 ? *next - 1 - next_random() % 20 : (*next)++;
}

static uint32_t draw_far(uint32_t *next) {
    (void)next;
    return next_random() % (1u << 24) << next_random() % 6;
}

typedef uint32_t draw_function(uint32_t *next);

static draw_function *const draws[] = {draw_few, draw_some, draw_growing, draw_latest, draw_far};

enum { DRAWS = sizeof draws / sizeof *draws, MAX_DRAWN = 300 };

// Some triangles are 0, 1, 2, which restarts a list of triangles.
static void draw_indices(draw_function *draw, bool restarts, uint32_t *indices, size_t count) {
    uint32_t next = 0;
    for (size_t i = 0; i < count; i += 3) {
        const bool is_first = restarts && next_random() % 6 == 0;
        for (uint32_t k = 0; k < 3; k++) indices[i + k] = is_first ? k : draw(&next);
    }
}

static void test_random(void **state) {
    (void)state;
    uint32_t indices[MAX_DRAWN];
    for (int round = 0; round < TRIALS(20000, 500); round++) {
        const size_t count = (size_t)(next_random() % (MAX_DRAWN / 3 + 1)) * 3;
        draw_indices(draws[round % DRAWS], round / DRAWS % 2 == 1, indices, count);
        compare_both(indices, count, true);
    }
}

// Neighbours of the last stored vertex: the codes of those before and after it, also where numbers wrap.
static void test_neighbours(void **state) {
    (void)state;
    uint32_t indices[3 * 64];
    for (int round = 0; round < TRIALS(20000, 500); round++) {
        uint32_t at = round % 2 ? next_random() : next_random() % 3;
        for (size_t i = 0; i < 64; i++) {
            const uint32_t third = at + next_random() % 5 - 2;
            indices[3 * i] = i ? indices[3 * i - 1] : at;
            indices[3 * i + 1] =
                i ? indices[3 * i - 3] : at + 100; // the edge of the triangle before, in its direction
            indices[3 * i + 2] = at = third % (1u << 30);
        }
        compare_both(indices, (size_t)3 * 64, true);
    }
}

// Indices that no mesh has, such as all ones, which the codec's empty lists contain. No two are 2^31 apart: the
// library's arithmetic would be undefined.
static void test_hostile(void **state) {
    (void)state;
    static const uint32_t values[] = {0,          1,          2,          5,          0x3fffffff,
                                      0x40000001, 0x7ffffff0, 0xfffffff8, 0xfffffffe, 0xffffffff};
    uint32_t indices[MAX_DRAWN];
    for (int round = 0; round < TRIALS(20000, 500); round++) {
        const size_t count = (size_t)(next_random() % (MAX_DRAWN / 3 + 1)) * 3;
        for (size_t i = 0; i < count; i++) indices[i] = values[next_random() % 10];
        compare_both(indices, count, false);
    }
}

// ---- Meshes --------------------------------------------------------------------------------------------------------

static void shuffle(uint32_t *indices, size_t count) {
    for (size_t i = count / 3; i > 1; i--) {
        uint32_t other[3];
        const size_t k = next_random() % i;
        memcpy(other, indices + 3 * (i - 1), sizeof other);
        memmove(indices + 3 * (i - 1), indices + 3 * k, sizeof other);
        memcpy(indices + 3 * k, other, sizeof other);
    }
}

static void compare_model(const char *path) {
    sinew_asset *asset = load_gltf(path, NULL);
    for (int32_t m = 0; m < asset->mesh_count; m++) {
        for (int32_t p = 0; p < asset->meshes[m].primitive_count; p++) {
            const sinew_primitive *primitive = &asset->meshes[m].primitives[p];
            const size_t count = (size_t)primitive->index_count;
            uint32_t *indices = allocate(count * sizeof *indices);
            memcpy(indices, primitive->indices, count * sizeof *indices);
            compare_both(indices, count, true);
            shuffle(indices, count);
            compare_both(indices, count, true);
            free(indices);
        }
    }
    sinew_asset_destroy(asset);
}

static void test_models(void **state) {
    (void)state;
    compare_model(SINEW_MODELS "/hero.glb");
    compare_model(SINEW_MODELS "/golem.glb");
    compare_model(SINEW_MODELS "/windmill.glb");
}

// Rows of squares: nearly all triangles take one byte.
static void test_grid(void **state) {
    (void)state;
    enum { SIDE = 40, COUNT = 6 * SIDE * SIDE };
    uint32_t *indices = allocate(COUNT * sizeof *indices), *out = indices;
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++, out += 6) {
            const uint32_t at = y * (SIDE + 1) + x;
            const uint32_t square[] = {at, at + 1, at + SIDE + 1, at + SIDE + 1, at + 1, at + SIDE + 2};
            memcpy(out, square, sizeof square);
        }
    }
    compare_both(indices, COUNT, true);
    free(indices);
}

// ---- Room ----------------------------------------------------------------------------------------------------------

static void test_bounds(void **state) {
    (void)state;
    for (int i = 0; i < CODECS; i++) {
        const codec *c = &codecs[i];
        for (size_t count = 0; count <= 30; count += 3) {
            for (unsigned bit = 0; bit < 32; bit++) {
                for (size_t add = 0; add < 3; add++) {
                    const size_t vertices = ((size_t)1 << bit) + add - 1;
                    assert_int_equal(c->bounds[OWN](count, vertices), c->bounds[LIBRARY](count, vertices));
                }
            }
        }
    }
}

// The encoders write nothing outside of the buffer (found by sanitizers), and fail if it is too small by any number of bytes.
static void test_room(void **state) {
    (void)state;
    uint32_t indices[60];
    uint8_t whole[1024];
    for (int round = 0; round < 100; round++) {
        const codec *c = &codecs[round % CODECS];
        draw_indices(draws[round / CODECS % DRAWS], false, indices, 60);
        const size_t size = c->encode[OWN](whole, sizeof whole, indices, 60);
        assert_in_range(size, 1, c->bounds[OWN](60, SIZE_MAX));
        for (size_t room = 0; room <= size; room++) {
            uint8_t *buffer = malloc(room > 0 ? room : 1);
            assert_non_null(buffer);
            assert_int_equal(c->encode[OWN](buffer, room, indices, 60), room == size ? size : 0);
            free(buffer);
        }
    }
}

// ---- Damage --------------------------------------------------------------------------------------------------------

// Decodes as the library does, or is refused by both.
static void compare_damaged(const codec *c, const uint8_t *bytes, size_t size, size_t count) {
    uint32_t *own = allocate(count * sizeof *own), *library = allocate(count * sizeof *library);
    const bool is_whole = c->decode[OWN](own, count, 4, bytes, size) == 0;
    assert_int_equal(is_whole, c->decode[LIBRARY](library, count, 4, bytes, size) == 0);
    if (is_whole) assert_memory_equal(own, library, count * sizeof *own);
    free(own);
    free(library);
}

// Every truncation is refused. Other damage does what it does to the library, and reads and writes nothing outside of the
// buffers (found by sanitizers).
static void damage(const codec *c, const uint32_t *indices, size_t count) {
    uint8_t whole[2048];
    const size_t size = c->encode[OWN](whole, sizeof whole, indices, count);
    uint32_t *decoded = allocate(count * sizeof *decoded);
    assert_true(size > 0);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *part = malloc(cut > 0 ? cut : 1);
        assert_non_null(part);
        memcpy(part, whole, cut);
        assert_int_not_equal(c->decode[OWN](decoded, count, 4, part, cut), 0);
        free(part);
    }
    for (size_t fewer = 0; fewer < count; fewer += 3) compare_damaged(c, whole, size, fewer);
    for (int round = 0; round < TRIALS(20000, 2000); round++) {
        uint8_t *copy = allocate(size);
        memcpy(copy, whole, size);
        for (uint32_t k = next_random() % 3; k < 3; k++)
            copy[1 + next_random() % (size - 1)] ^= 1u << next_random() % 8;
        compare_damaged(c, copy, size, count);
        free(copy);
    }
    free(decoded);
}

static void test_damaged(void **state) {
    (void)state;
    uint32_t indices[150];
    for (int i = 0; i < CODECS; i++) {
        for (int k = 0; k < DRAWS; k++) {
            draw_indices(draws[k], true, indices, 150);
            damage(&codecs[i], indices, 150);
        }
    }
}

// Other versions, which EXT_meshopt_compression does not allow.
static void test_versions(void **state) {
    (void)state;
    static const uint32_t indices[] = {0, 1, 2};
    uint32_t decoded[3];
    uint8_t bytes[64];
    for (int i = 0; i < CODECS; i++) {
        const size_t size = codecs[i].encode[OWN](bytes, sizeof bytes, indices, 3);
        assert_int_equal(bytes[0] & 15, 1);
        for (unsigned flip = 1; flip < 256; flip++) {
            bytes[0] ^= (uint8_t)flip;
            assert_int_not_equal(codecs[i].decode[OWN](decoded, 3, 4, bytes, size), 0);
            bytes[0] ^= (uint8_t)flip;
        }
        assert_int_equal(codecs[i].decode[OWN](decoded, 3, 4, bytes, size), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_neighbours), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_models), cmocka_unit_test(test_grid),       cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_room),   cmocka_unit_test(test_damaged),    cmocka_unit_test(test_versions),
    };
    meshopt_encodeIndexVersion(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
