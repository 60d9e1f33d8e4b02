// conformance_meshopt.c - cases of EXT_meshopt_compression, with a simple encoder of its streams (the extension's
// appendix A): valid, deterministic, and without an effort to be small.
#include "conformance.h"

// ---- streams ----

static void put_byte(buffer *b, unsigned value) {
    uint8_t byte = (uint8_t)value;
    put(b, &byte, 1);
}

static unsigned zigzag_byte(unsigned delta) {
    return delta & 0x80 ? ~(delta << 1) & 0xff : delta << 1 & 0xff;
}

/// Mode 0. Each byte of an element is a stream of differences, in groups of sixteen: all zero, or uncompressed. The
/// first element follows them, in at least 32 bytes. At most 256 elements.
static void put_attributes(buffer *out, const uint8_t *data, size_t count, size_t stride) {
    size_t groups = (count + 15) / 16;
    put_byte(out, 0xa0);
    for (size_t column = 0; column < stride; column++) {
        buffer bytes = {0};
        uint8_t modes[4] = {0};
        unsigned before = data[column];
        for (size_t g = 0; g < groups; g++) {
            uint8_t deltas[16] = {0};
            bool any = false;
            for (size_t i = 16 * g; i < 16 * g + 16 && i < count; i++) {
                unsigned now = data[i * stride + column];
                deltas[i % 16] = (uint8_t)zigzag_byte((now - before) & 0xff);
                any = any || deltas[i % 16] != 0;
                before = now;
            }
            if (any) {
                modes[g / 4] |= (uint8_t)(3 << g % 4 * 2);
                put(&bytes, deltas, sizeof deltas);
            }
        }
        put(out, modes, (groups + 3) / 4);
        put(out, bytes.data, bytes.length);
        free_buffer(&bytes);
    }
    for (size_t i = stride; i < 32; i++) {
        put_byte(out, 0);
    }
    put(out, data, stride);
}

/// Mode 2: each index as its difference from the last, seven bits a byte.
static void put_indices(buffer *out, const int *indices, int count) {
    int last = 0;
    put_byte(out, 0xd1);
    for (int i = 0; i < count; i++) {
        int delta = indices[i] - last;
        unsigned code = (delta < 0 ? ~((unsigned)delta << 1) : (unsigned)delta << 1) << 1;
        for (; code > 127; code >>= 7) {
            put_byte(out, code | 0x80);
        }
        put_byte(out, code);
        last = indices[i];
    }
    put_u32(out, 0);
}

/// Mode 1, of the two triangles 0 1 2 and 2 1 3: three new vertices, then the edge 2 1 and one more.
static void put_two_triangles(buffer *out) {
    put_byte(out, 0xe1);
    put_byte(out, 0xf0);
    put_byte(out, 0x10);
    for (int i = 0; i < 16; i++) {
        put_byte(out, 0);
    }
}

// ---- views ----

/// Adds a view of `count` elements, the decoded stream at `start`. It is in the second buffer, which has no bytes.
static int add_coded_view(document *d, size_t start, size_t count, size_t stride, const char *mode,
                          const char *filter, const char *more) {
    size_t offset = d->fallback_length, length = d->bin.length - start;
    int index = next_item(&d->views);
    say_json(&d->views,
             "{'buffer':1,'byteOffset':%zu,'byteLength':%zu%s,'extensions':{'EXT_meshopt_compression':{'buffer':0,"
             "'byteOffset':%zu,'byteLength':%zu,'byteStride':%zu,'count':%zu,'mode':'%s'%s}}}",
             offset, count * stride, more, start, length, stride, count, mode, filter);
    pad(&d->bin, 0);
    d->fallback_length += (count * stride + 3) / 4 * 4;
    return index;
}

static int add_coded(document *d, const buffer *bytes, size_t stride, const char *filter, const char *more) {
    size_t start = d->bin.length, count = bytes->length / stride;
    put_attributes(&d->bin, (const uint8_t *)bytes->data, count, stride);
    return add_coded_view(d, start, count, stride, "ATTRIBUTES", filter, more);
}

static void put_all(buffer *b, int component, int count, const double *stored) {
    for (int i = 0; i < count; i++) {
        put_component(b, component, stored[i]);
    }
}

static void require_meshopt(document *d, const char *also) {
    add_section(d,
                "'extensionsUsed':['EXT_meshopt_compression'%s],'extensionsRequired':['EXT_meshopt_compression'%s]",
                also, also);
}

static const char vertex_stride[] = ",'byteStride':12,'target':34962", no_more[] = "";
static const double square[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.5};

static int add_coded_square(document *d) {
    buffer bytes = {0};
    put_all(&bytes, F32, 12, square);
    int view = add_coded(d, &bytes, 12, no_more, vertex_stride);
    free_buffer(&bytes);
    return add_mesh(d, add_accessor(d, view, 0, F32, false, 3, 4, square, ",'min':[0,0,0],'max':[1,1,0.5]"));
}

// ---- cases ----

static void attributes(document *d) {
    require_meshopt(d, "");
    int m = add_coded_square(d), n = add_node(d, NULL, NONE), c = add_clip(d, "coded");
    d->nodes[n].mesh = m;
    d->meshes[m].primitives[0].indices = add_indices(d, U8, 6, (const double[]){0, 1, 2, 2, 1, 3});
    double seconds[20], moves[60];
    for (int i = 0; i < 20; i++) { // more than one group of sixteen
        seconds[i] = i * 0.25;
        moves[3 * i] = i % 3;
        moves[3 * i + 1] = -i;
        moves[3 * i + 2] = 100;
    }
    buffer bytes = {0};
    put_all(&bytes, F32, 20, seconds);
    int view = add_coded(d, &bytes, 4, no_more, no_more);
    int times = add_accessor(d, view, 0, F32, false, 1, 20, seconds, ",'min':[0],'max':[4.75]");
    bytes.length = 0;
    put_all(&bytes, F32, 60, moves);
    view = add_coded(d, &bytes, 12, no_more, no_more);
    free_buffer(&bytes);
    add_channel(d, c, n, TRANSLATION, LINEAR, times, add_accessor(d, view, 0, F32, false, 3, 20, moves, NULL));
    expect_poses(d, c, 3, (const double[]){0, 1.125, 4.625});
}

static void indices(document *d) {
    static const int order[] = {0, 2, 1, 1, 2, 3};
    static const double meant[] = {0, 2, 1, 1, 2, 3}, coded[] = {0, 1, 2, 2, 1, 3};
    require_meshopt(d, "");
    int m = add_coded_square(d), n = add_node(d, NULL, NONE);
    d->nodes[n].mesh = m;
    size_t start = d->bin.length;
    put_two_triangles(&d->bin);
    int view = add_coded_view(d, start, 6, 2, "TRIANGLES", no_more, ",'target':34963");
    d->meshes[m].primitives[0].indices = add_accessor(d, view, 0, U16, false, 1, 6, coded, NULL);
    start = d->bin.length;
    put_indices(&d->bin, order, 6);
    view = add_coded_view(d, start, 6, 4, "INDICES", no_more, ",'target':34963");
    int position = d->meshes[m].primitives[0].position;
    add_primitive(d, m, position)->indices = add_accessor(d, view, 0, U32, false, 1, 6, meant, NULL);
    expect(d, "'triangles':[{'mesh':0,'primitive':0,'indices':[0,1,2,2,1,3]},\n"
              " {'mesh':0,'primitive':1,'indices':[0,2,1,1,2,3]}]");
    expect_rest(d);
}

/// The result of the octahedral filter for x, y and the integer of 1 (the extension's appendix B).
static vec3 from_octahedron(double x, double y, double one) {
    x /= one;
    y /= one;
    double z = 1.0 - fabs(x) - fabs(y), fold = fmin(z, 0.0);
    vec3 v = v3_unit(v3(x - copysign(fold, x), y - copysign(fold, y), z));
    return v3(round(v.x * 127), round(v.y * 127), round(v.z * 127));
}

static void octahedral(document *d) {
    const double coded[] = {0, 0, 127, 0, 64, 32, 127, 0, -100, 90, 127, 0, -127, 0, 127, 0};
    require_meshopt(d, ",'KHR_mesh_quantization'");
    int m = add_coded_square(d);
    double normals[12];
    for (int i = 0; i < 4; i++) {
        vec3 v = from_octahedron(coded[4 * i], coded[4 * i + 1], 127);
        normals[3 * i] = v.x;
        normals[3 * i + 1] = v.y;
        normals[3 * i + 2] = v.z;
    }
    buffer bytes = {0};
    put_all(&bytes, I8, 16, coded);
    int view = add_coded(d, &bytes, 4, ",'filter':'OCTAHEDRAL'", ",'byteStride':4,'target':34962");
    free_buffer(&bytes);
    d->meshes[m].primitives[0].normal = add_accessor(d, view, 0, I8, true, 3, 4, normals, NULL);
    d->meshes[m].primitives[0].indices = add_indices(d, U8, 6, (const double[]){0, 1, 2, 2, 1, 3});
    d->nodes[add_node(d, NULL, NONE)].mesh = m;
    expect_rest(d);
}

/// Encodes a key for the quaternion filter: the three components that cyclically follow the largest one, times the
/// square root of 2, and the index of the largest. Sets `key` to the decoded result.
static void put_filtered_quat(buffer *b, quat q, double *key) {
    const double one = 32767, c[4] = {q.x, q.y, q.z, q.w};
    int most = 0;
    double squares = 0;
    for (int i = 1; i < 4; i++) {
        most = fabs(c[i]) > fabs(c[most]) ? i : most;
    }
    for (int i = 1; i < 4; i++) {
        double part = c[(most + i) % 4] * (c[most] < 0 ? -1 : 1), coded = round(part * sqrt(2.0) * one);
        put_component(b, I16, coded);
        part = coded / one / sqrt(2.0);
        squares += part * part;
        key[(most + i) % 4] = round(part * one);
    }
    put_component(b, I16, 32764 + most);
    key[most] = round(sqrt(1.0 - squares) * one);
}

static void quaternion(document *d) {
    const quat turns[] = {q_x(30 * DEG), q_axis(v3(1, 5, 2), 160 * DEG), q_axis(v3(1, 1, -4), 250 * DEG)};
    require_meshopt(d, "");
    double keys[12];
    buffer bytes = {0};
    for (int i = 0; i < 3; i++) {
        put_filtered_quat(&bytes, turns[i], keys + 4 * (size_t)i);
    }
    int view = add_coded(d, &bytes, 8, ",'filter':'QUATERNION'", no_more);
    free_buffer(&bytes);
    int times = add_times(d, 3, (const double[]){0, 1, 2}), c = add_clip(d, "coded"), n = add_node(d, NULL, NONE);
    move(d, add_node(d, NULL, n), 0, 1, 0);
    add_channel(d, c, n, ROTATION, STEP, times, add_accessor(d, view, 0, I16, true, 4, 3, keys, NULL));
    expect_poses(d, c, 3, (const double[]){0, 1, 2});
}

static void exponential(document *d) {
    const int mantissas[] = {3, -5, 0, 1000, -1, 8388607}, exponents[] = {-2, 4, 0, -10, -30, -23};
    require_meshopt(d, "");
    double moves[6];
    buffer bytes = {0};
    for (int i = 0; i < 6; i++) {
        put_u32(&bytes, ((size_t)exponents[i] & 0xff) << 24 | ((size_t)mantissas[i] & 0xffffff));
        moves[i] = ldexp(mantissas[i], exponents[i]);
    }
    int view = add_coded(d, &bytes, 12, ",'filter':'EXPONENTIAL'", no_more);
    free_buffer(&bytes);
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "coded");
    int values = add_accessor(d, view, 0, F32, false, 3, 2, moves, NULL);
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, times, values);
    expect_poses(d, c, 3, (const double[]){0, 0.5, 1});
}

static const conformance_case cases[] = {
    {"meshopt-attributes.glb", "more than sixteen vertices and keys",
     "restarting deltas per group; using the view's bytes, not the extension's", attributes, false},
    {"meshopt-indices.glb", "triangles with a shared edge, and a sequence of indices",
     "flipping the second triangle; writing 16-bit indices instead of 32", indices, false},
    {"meshopt-octahedral.glb", "normals with the octahedral filter", "not folding the lower half; not filtering",
     octahedral, false},
    {"meshopt-quaternion.glb", "rotation keys with the quaternion filter", "always restoring the same component",
     quaternion, false},
    {"meshopt-exponential.glb", "translation keys with the exponential filter", "an unsigned exponent", exponential,
     false},
};

const conformance_group compressed_cases = {"Compressed", cases, sizeof cases / sizeof cases[0]};
