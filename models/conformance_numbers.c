// conformance_numbers.c - cases about accessors: component types, sparse ones, strides, influences, quantisation.
#include "conformance.h"

static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const double lifts[] = {0, 0, 1, 0, 0, 2, 0, 0, 3};

static int add_carrier(document *d, int mesh_index) {
    int n = add_node(d, NULL, NONE);
    d->nodes[n].mesh = mesh_index;
    return n;
}

// ---- integer keys ----

/// Rotations and morph weights of one integer type. The squares of the quaternions sum to exactly the square of the
/// type's largest number, so that the time of normalisation does not matter.
static void add_integer_keys(document *d, int component, const double *turns, const double *weights) {
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    primitive *p = &d->meshes[m].primitives[0];
    p->target_positions[p->target_count++] = add_positions(d, F32, false, 3, lifts);
    int n = add_carrier(d, m), c = add_clip(d, "integers");
    int times = add_times(d, 2, (const double[]){0, 1});
    add_channel(d, c, n, ROTATION, LINEAR, times, add_keys(d, component, true, 4, 2, turns));
    add_channel(d, c, n, WEIGHTS, LINEAR, times, add_keys(d, component, true, 1, 2, weights));
    expect_poses(d, c, 3, (const double[]){0, 0.25, 1});
}

static void keys_i8(document *d) {
    add_integer_keys(d, I8, (const double[]){5, -8, 34, 122, -38, 112, 5, 46}, (const double[]){-127, 63});
}

static void keys_u8(document *d) {
    add_integer_keys(d, U8, (const double[]){5, 6, 80, 242, 198, 14, 160, 5}, (const double[]){255, 51});
}

static void keys_i16(document *d) {
    add_integer_keys(d, I16, (const double[]){9364, -9737, 11540, 27532, -29997, 8386, 4572, 9090},
                     (const double[]){-32767, 12345});
}

static void keys_u16(document *d) {
    add_integer_keys(d, U16, (const double[]){6402, 20651, 4894, 61672, 57852, 8879, 27844, 9688},
                     (const double[]){65535, 40000});
}

static void keys_least(document *d) {
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    primitive *p = &d->meshes[m].primitives[0];
    p->target_positions[p->target_count++] = add_positions(d, F32, false, 3, lifts);
    int n = add_carrier(d, m), other = add_carrier(d, m), c = add_clip(d, "least");
    int times = add_times(d, 2, (const double[]){0, 1});
    add_channel(d, c, n, WEIGHTS, STEP, times, add_keys(d, I8, true, 1, 2, (const double[]){-128, -127}));
    add_channel(d, c, other, WEIGHTS, STEP, times, add_keys(d, I16, true, 1, 2, (const double[]){-32768, -32767}));
    expect_poses(d, c, 2, (const double[]){0, 1});
}

// ---- sparse accessors ----

/// Adds a sparse accessor. `view` is NONE where the base is zeros.
static int add_sparse(document *d, int view, int width, int count, const double *meant, int index_component,
                      int changed, const double *indices, const double *values, const char *bounds) {
    size_t start = d->bin.length;
    for (int i = 0; i < changed; i++) {
        put_component(&d->bin, index_component, indices[i]);
    }
    int index_view = add_view(d, start, NULL);
    start = d->bin.length;
    for (int i = 0; i < changed * width; i++) {
        put_component(&d->bin, F32, values[i]);
    }
    int value_view = add_view(d, start, NULL);
    buffer more = {0};
    say_json(&more,
             "%s,'sparse':{'count':%d,'indices':{'bufferView':%d,'componentType':%d},'values':{'bufferView':%d}}",
             bounds, changed, index_view, index_component, value_view);
    put(&more, "", 1);
    int accessor = add_accessor(d, view, 0, F32, false, width, count, meant, more.data);
    free_buffer(&more);
    return accessor;
}

static int add_float_view(document *d, int count, const double *values, const char *more) {
    size_t start = d->bin.length;
    for (int i = 0; i < count; i++) {
        put_component(&d->bin, F32, values[i]);
    }
    return add_view(d, start, more);
}

static void sparse_positions(document *d) {
    const double meant[] = {0, 0, 0, 1, 0, 0, 0, 2, 3, 4, 0, 0, 7, 5, 6, 6, 0, 0};
    const double base[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 4, 0, 0, 5, 0, 0, 6, 0, 0};
    int view = add_float_view(d, 18, base, ",'target':34962");
    add_carrier(d, add_mesh(d, add_sparse(d, view, 3, 6, meant, U16, 2, (const double[]){2, 4},
                                          (const double[]){0, 2, 3, 7, 5, 6}, ",'min':[0,0,0],'max':[7,5,6]")));
    expect_rest(d);
}

static void sparse_over_nothing(document *d) {
    const double meant[] = {0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 3};
    int m = add_mesh(d, add_positions(d, F32, false, 4, (const double[]){0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}));
    primitive *p = &d->meshes[m].primitives[0];
    p->indices = add_indices(d, U8, 6, (const double[]){0, 1, 2, 2, 1, 3});
    p->target_positions[p->target_count++] =
        add_sparse(d, NONE, 3, 4, meant, U8, 2, (const double[]){1, 3}, (const double[]){0, 2, 0, 0, 0, 3},
                   ",'min':[0,0,0],'max':[0,2,3]");
    static const double half[] = {0.5};
    d->meshes[m].weights = half;
    add_carrier(d, m);
    expect_rest(d);
}

static void sparse_keys(document *d) {
    const double meant[] = {0, 0, 0, 1, 0, 0, 5, 6, 7, 3, 0, 0}, base[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
    int times = add_times(d, 4, (const double[]){0, 1, 2, 3}), c = add_clip(d, "sparse");
    int moves = add_sparse(d, add_float_view(d, 12, base, NULL), 3, 4, meant, U32, 1, (const double[]){2},
                           (const double[]){5, 6, 7}, "");
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, times, moves);
    expect_poses(d, c, 4, (const double[]){1, 1.5, 2, 2.5});
}

// ---- where bytes lie ----

static void interleaved(document *d) {
    const double normals[] = {0, 0, 1, 0, 1, 0, 1, 0, 0}, joints[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    const double weights[] = {1, 0, 0, 0, 0.25, 0.75, 0, 0, 1, 0, 0, 0};
    put(&d->bin, "behind it", 8); // so that the view begins after 0
    size_t start = d->bin.length;
    for (int i = 0; i < 3; i++) {
        put(&d->bin, "\xff\xff\xff\xff", 4); // a gap between them
        for (int k = 0; k < 3; k++) {
            put_component(&d->bin, F32, corners[3 * i + k]);
        }
        for (int k = 0; k < 4; k++) {
            put_component(&d->bin, U8, joints[4 * i + k]);
        }
        for (int k = 0; k < 3; k++) {
            put_component(&d->bin, F32, normals[3 * i + k]);
        }
        for (int k = 0; k < 4; k++) {
            put_component(&d->bin, F32, weights[4 * i + k]);
        }
    }
    int view = add_view(d, start, ",'byteStride':48,'target':34962");
    int m = add_mesh(d, add_accessor(d, view, 4, F32, false, 3, 3, corners, ",'min':[0,0,0],'max':[1,1,0]"));
    primitive *p = &d->meshes[m].primitives[0];
    p->joints[0] = add_accessor(d, view, 16, U8, false, 4, 3, joints, NULL);
    p->normal = add_accessor(d, view, 20, F32, false, 3, 3, normals, NULL);
    p->weights[0] = add_accessor(d, view, 32, F32, false, 4, 3, weights, NULL);
    int hip = add_node(d, NULL, NONE), knee = add_node(d, NULL, hip);
    move(d, knee, 0, 1, 0);
    turn(d, knee, q_x(90 * DEG));
    const int both[] = {hip, knee};
    d->nodes[add_carrier(d, m)].skin = add_skin(d, 2, both, NONE);
    expect_rest(d);
}

static void offsets(document *d) {
    const double values[] = {9, 9, 9, 0, 0, 0, 1, 2, 3, 4, 5, 6};
    put(&d->bin, "12 bytes off", 12);
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "offsets");
    int view = add_float_view(d, 12, values, NULL);
    int first = add_accessor(d, view, 12, F32, false, 3, 2, values + 3, NULL);
    int second = add_accessor(d, view, 24, F32, false, 3, 2, values + 6, NULL);
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, times, first);
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, times, second);
    expect_poses(d, c, 2, (const double[]){0, 0.5});
}

static void triangles(document *d) {
    const double places[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 2, 0};
    int positions = add_positions(d, F32, false, 5, places), m = add_mesh(d, positions);
    d->meshes[m].primitives[0].mode = 5;
    d->meshes[m].primitives[0].indices = add_indices(d, U16, 4, (const double[]){0, 1, 3, 2});
    primitive *fan = add_primitive(d, m, positions), *list = add_primitive(d, m, positions);
    primitive *bare = add_primitive(d, m, add_positions(d, F32, false, 3, corners));
    fan->mode = 6;
    fan->indices = add_indices(d, U32, 4, (const double[]){0, 1, 2, 3});
    list->indices = add_indices(d, U8, 6, (const double[]){0, 1, 2, 2, 4, 3});
    bare->mode = 4;
    add_carrier(d, m);
    expect(d, "'triangles':[{'mesh':0,'primitive':0,'indices':[0,1,3,1,2,3]},\n"
              " {'mesh':0,'primitive':1,'indices':[1,2,0,2,3,0]},\n"
              " {'mesh':0,'primitive':2,'indices':[0,1,2,2,4,3]},{'mesh':0,'primitive':3,'indices':[0,1,2]}]");
    expect_rest(d);
}

static void colors(document *d) {
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    add_primitive(d, m, d->meshes[m].primitives[0].position);
    primitive *first = &d->meshes[m].primitives[0], *second = &d->meshes[m].primitives[1];
    first->color = add_vertices(d, U8, true, 3, 3, (const double[]){255, 0, 0, 0, 51, 0, 0, 0, 102});
    second->color =
        add_vertices(d, U16, true, 4, 3, (const double[]){65535, 0, 0, 13107, 0, 1, 0, 0, 0, 0, 2, 65535});
    add_carrier(d, m);
    expect(d,
           "'colors':[{'mesh':0,'primitive':0,'colors':[1,0,0,1,0,0.2,0,1,0,0,0.4,1]},\n"
           " {'mesh':0,'primitive':1,'colors':[1,0,0,0.2,0,%.9g,0,0,0,0,%.9g,1]}]",
           1 / 65535.0, 2 / 65535.0);
    expect_rest(d);
}

// ---- influences ----

/// Adds a skin of `count` joints in a row along x, each with a different rotation and translation.
static int add_row_of_joints(document *d, int count) {
    int joints[MAX_SMALL];
    for (int i = 0; i < count; i++) {
        joints[i] = add_node(d, NULL, i ? joints[i - 1] : NONE);
        move(d, joints[i], 1, 0.25 * i, 0);
        turn(d, joints[i], q_axis(v3(1, i, 2), 15 * (i + 1) * DEG));
    }
    return add_skin(d, count, joints, NONE);
}

static void add_influenced(document *d, int joint_count, int joint_type, int weight_type, bool normalized,
                           const double *weights) {
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    primitive *p = &d->meshes[m].primitives[0];
    const double joints[] = {0, 1, 2, 3, 3, 2, 1, 0, 2, 3, 0, 1};
    p->normal = add_vertices(d, F32, false, 3, 3, (const double[]){0, 0, 1, 0, 1, 0, 1, 0, 0});
    p->joints[0] = add_vertices(d, joint_type, false, 4, 3, joints);
    p->weights[0] = add_vertices(d, weight_type, normalized, 4, 3, weights);
    int s = add_row_of_joints(d, joint_count);
    d->nodes[add_carrier(d, m)].skin = s;
    expect_rest(d);
}

static void weights_u8(document *d) {
    add_influenced(d, 4, U8, U8, true, (const double[]){51, 102, 70, 32, 255, 0, 0, 0, 1, 2, 4, 248});
}

static void weights_u16(document *d) {
    add_influenced(d, 4, U16, U16, true,
                   (const double[]){20000, 30000, 15000, 535, 65535, 0, 0, 0, 1, 2, 4, 65528});
}

static void weights_sum(document *d) {
    add_influenced(d, 4, U8, F32, false, (const double[]){0.5, 0.25, 0, 0, 2, 1, 1, 0.5, 0.125, 0, 0, 0});
}

/// Weights of NaN: an exporter divides the weights of an unpainted vertex by their sum of 0.
static void weights_not_finite(document *d) {
    const double nan = (double)NAN;
    add_influenced(d, 4, U8, F32, false, (const double[]){0.5, 0.25, 0.25, 0, nan, nan, nan, nan, 1, 0, nan, 0});
}

static void eight_influences(document *d) {
    add_influenced(d, 8, U8, F32, false, (const double[]){0.125, 0.125, 0.25, 0, 0.5, 0, 0, 0, 0.25, 0.25, 0, 0});
    primitive *p = &d->meshes[0].primitives[0];
    p->joints[1] = add_vertices(d, U8, false, 4, 3, (const double[]){4, 5, 6, 7, 7, 6, 5, 4, 6, 7, 4, 5});
    p->weights[1] = add_vertices(d, F32, false, 4, 3,
                                 (const double[]){0.125, 0.125, 0.125, 0.125, 0.5, 0, 0, 0, 0, 0, 0.25, 0.25});
}

static void many_joints(document *d) {
    enum { JOINTS = 260 };
    static const int told[] = {2, 256, 258};
    int joints[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        joints[i] = add_node(d, NULL, i ? 0 : NONE);
    }
    move(d, 2, 0, 0, 7);
    move(d, 256, 0, 0, 5);
    move(d, 258, 0, 3, 0);
    turn(d, 258, q_z(90 * DEG));
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    primitive *p = &d->meshes[m].primitives[0];
    p->joints[0] = add_vertices(d, U16, false, 4, 3, (const double[]){258, 0, 0, 0, 258, 256, 0, 0, 256, 0, 0, 0});
    p->weights[0] = add_vertices(d, F32, false, 4, 3, (const double[]){1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0});
    int s = add_skin(d, JOINTS, joints, NONE);
    d->nodes[add_carrier(d, m)].skin = s;
    d->told_nodes = told;
    d->told_node_count = 3;
    expect_rest(d);
}

// ---- quantisation ----

static void require(document *d, const char *extension) {
    add_section(d, "'extensionsUsed':['%s'],'extensionsRequired':['%s']", extension, extension);
}

static void quantised_normalised(document *d) {
    require(d, "KHR_mesh_quantization");
    int m = add_mesh(
        d, add_positions(d, I16, true, 3, (const double[]){-32767, 0, 100, 32767, 12345, 0, 0, -20000, 32767}));
    primitive *p = &d->meshes[m].primitives[0];
    p->normal = add_vertices(d, I8, true, 3, 3, (const double[]){127, 0, 0, 0, -127, 0, 0, 0, 127});
    p->tangent = add_vertices(d, I8, true, 4, 3, (const double[]){0, 127, 0, 127, 127, 0, 0, -127, 0, 127, 0, 127});
    int n = add_carrier(d, m);
    move(d, n, 0.5, 1, 0);
    stretch(d, n, 2, 2, 2);
    expect_rest(d);
}

static void quantised_plain(document *d) {
    require(d, "KHR_mesh_quantization");
    int m = add_mesh(d, add_positions(d, U16, false, 3, (const double[]){0, 0, 0, 1000, 0, 65535, 40000, 500, 1}));
    primitive *p = &d->meshes[m].primitives[0];
    p->normal = add_vertices(d, I16, true, 3, 3, (const double[]){0, 32767, 0, 32767, 0, 0, 0, 0, -32767});
    p->target_positions[p->target_count++] =
        add_positions(d, I8, false, 3, (const double[]){-100, 0, 0, 0, 127, 0, 0, 0, -128});
    static const double half[] = {0.5};
    d->meshes[m].weights = half;
    int n = add_carrier(d, m);
    move(d, n, -1, 0, 2);
    stretch(d, n, 0.0009765625, 0.0009765625, 0.0009765625);
    expect_rest(d);
}

static void quantised_skin(document *d) {
    require(d, "KHR_mesh_quantization");
    int m = add_mesh(d, add_positions(d, U8, true, 3, (const double[]){0, 0, 255, 255, 102, 0, 51, 255, 0}));
    primitive *p = &d->meshes[m].primitives[0];
    p->joints[0] = add_vertices(d, U8, false, 4, 3, (const double[]){0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
    p->weights[0] = add_vertices(d, U8, true, 4, 3, (const double[]){255, 0, 0, 0, 255, 0, 0, 0, 102, 153, 0, 0});
    int hip = add_node(d, NULL, NONE), knee = add_node(d, NULL, hip);
    move(d, knee, 0, 1, 0);
    turn(d, knee, q_z(-60 * DEG));
    const int joints[] = {hip, knee};
    const matrix binds[] = {from_parts(v3(-1, 0, -1), q_identity(), v3(2, 2, 2)),
                            from_parts(v3(-1, -1, -1), q_identity(), v3(2, 2, 2))};
    int s = add_skin(d, 2, joints, add_matrices(d, 2, binds));
    d->nodes[add_carrier(d, m)].skin = s;
    expect_rest(d);
}

static const conformance_case cases[] = {
    {"keys-i8.gltf", "int8 rotation and weight keys", "dividing by 128; reading unsigned", keys_i8, false},
    {"keys-u8.gltf", "uint8 keys", "dividing by 256; reading signed", keys_u8, false},
    {"keys-i16.gltf", "int16 keys", "dividing by 32768; reading unsigned", keys_i16, false},
    {"keys-u16.gltf", "uint16 keys", "dividing by 65536; reading signed", keys_u16, false},
    {"keys-least-integers.gltf", "-128 and -32768, which mean -1", "getting -1.008", keys_least, false},
    {"sparse-positions.gltf", "sparse positions", "ignoring `sparse`", sparse_positions, false},
    {"sparse-without-view.gltf", "a sparse morph target without a buffer view", "refusing it; uninitialized memory",
     sparse_over_nothing, false},
    {"sparse-keys.gltf", "a sparse animation accessor", "supporting `sparse` for vertices only", sparse_keys,
     false},
    {"interleaved.gltf", "interleaved attributes with gaps, at an offset", "assuming packed data", interleaved,
     false},
    {"offsets-add-up.gltf", "overlapping accessors that start inside a view", "using one of the two offsets",
     offsets, false},
    {"triangle-strip-fan-list.gltf", "strips, fans, lists, no indices, 8, 16 and 32-bit indices",
     "flipping every other triangle of a strip", triangles, false},
    {"colors-normalised.gltf", "uint8 and uint16 vertex colors, with and without alpha", "alpha 0 by default",
     colors, false},
    {"weights-u8.gltf", "uint8 weights", "dividing by 256; not dividing", weights_u8, false},
    {"weights-u16.gltf", "uint16 weights and joints", "reading them as bytes", weights_u16, false},
    {"weights-sum-to-one.gltf", "weights that sum to 0.75, 4.5 and 0.125", "not normalizing them", weights_sum,
     true},
    {"weights-not-finite.gltf", "NaN weights: the vertex follows the skin's first joint",
     "refusing the file; NaN vertices", weights_not_finite, true},
    {"eight-influences.gltf", "JOINTS_1 and WEIGHTS_1", "using the first four", eight_influences, false},
    {"joints-beyond-256.gltf", "joints 256 and 258 of 260", "storing joints in a byte", many_joints, false},
    {"quantised-normalised.glb", "KHR_mesh_quantization: 16-bit positions, 8-bit normals with stride 4",
     "stride 3 for normals; dividing int16 by 32768", quantised_normalised, false},
    {"quantised-plain.glb", "integer positions and targets that aren't normalized", "normalizing them",
     quantised_plain, false},
    {"quantised-skin.glb", "quantized positions, scaled by the inverse binds",
     "applying the node's scale; ignoring inverse binds", quantised_skin, false},
};

const conformance_group number_cases = {"Numbers", cases, sizeof cases / sizeof cases[0]};
