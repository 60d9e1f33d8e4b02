// conformance_file.c - describes a document, and writes it as glTF 2.0.
#include "conformance.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checked(int count, int most) {
    if (count >= most) {
        fprintf(stderr, "a document of the conformance set is too large\n");
        exit(1);
    }
    return count;
}

// ---- text ----

static void say_quoted(buffer *b, const char *format, va_list args) {
    char text[8192];
    int length = vsnprintf(text, sizeof text, format, args);
    checked(length, (int)sizeof text);
    for (int i = 0; i < length; i++) {
        if (text[i] == '\'') {
            text[i] = '"';
        }
    }
    put(b, text, (size_t)length);
}

void say_json(buffer *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say_quoted(b, format, args);
    va_end(args);
}

void add_section(document *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put(&d->sections, ",\n", 2);
    say_quoted(&d->sections, format, args);
    va_end(args);
}

void expect(document *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put(&d->expected, ",\n", 2);
    say_quoted(&d->expected, format, args);
    va_end(args);
}

// ---- nodes ----

int add_node(document *d, const char *name, int parent) {
    int index = checked(d->node_count, MAX_NODES);
    d->nodes[index] = (node){.name = name, .parent = parent, .mesh = NONE, .skin = NONE};
    d->nodes[index].r = q_identity();
    d->nodes[index].s = v3(1, 1, 1);
    d->node_count++;
    return index;
}

static double as_float(double x) {
    return (double)(float)x;
}

static vec3 as_floats(double x, double y, double z) {
    return v3(as_float(x), as_float(y), as_float(z));
}

void move(document *d, int index, double x, double y, double z) {
    d->nodes[index].t = as_floats(x, y, z);
    d->nodes[index].has_t = true;
}

void turn(document *d, int index, quat r) {
    d->nodes[index].r = (quat){as_float(r.x), as_float(r.y), as_float(r.z), as_float(r.w)};
    d->nodes[index].has_r = true;
}

void stretch(document *d, int index, double x, double y, double z) {
    d->nodes[index].s = as_floats(x, y, z);
    d->nodes[index].has_s = true;
}

// ---- accessors ----

static size_t size_of(int component) {
    return component == I8 || component == U8 ? 1 : component == I16 || component == U16 ? 2 : 4;
}

void put_component(buffer *b, int component, double stored) {
    if (component == F32) {
        put_float(b, stored);
        return;
    }
    int64_t whole = (int64_t)stored;
    const uint8_t bytes[4] = {(uint8_t)whole, (uint8_t)(whole >> 8), (uint8_t)(whole >> 16),
                              (uint8_t)(whole >> 24)};
    put(b, bytes, size_of(component));
}

/// glTF 2.0, section 3.6.2.2.
static double meaning(int component, bool normalized, double stored) {
    if (component == F32) {
        return as_float(stored);
    }
    if (!normalized) {
        return stored;
    }
    switch (component) {
    case I8:
        return fmax(stored / 127.0, -1.0);
    case U8:
        return stored / 255.0;
    case I16:
        return fmax(stored / 32767.0, -1.0);
    default:
        return stored / 65535.0;
    }
}

int add_view(document *d, size_t start, const char *more) {
    int index = next_item(&d->views);
    say_json(&d->views, "{'buffer':0,'byteOffset':%zu,'byteLength':%zu%s}", start, d->bin.length - start,
             more ? more : "");
    pad(&d->bin, 0);
    return index;
}

int add_accessor(document *d, int view, size_t offset, int component, bool normalized, int width, int count,
                 const double *stored, const char *more) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    int index = checked(next_item(&d->accessors), MAX_ACCESSORS);
    elements *e = &d->elements[index];
    *e = (elements){count, width, must_alloc((size_t)count * (size_t)width, sizeof(double))};
    for (int i = 0; i < count * width; i++) {
        e->values[i] = meaning(component, normalized, stored[i]);
    }
    say_json(&d->accessors, "{'componentType':%d,'count':%d,'type':'%s'", component, count,
             width == 16 ? "MAT4" : types[width - 1]);
    if (view != NONE) {
        say_json(&d->accessors, ",'bufferView':%d", view);
    }
    if (offset > 0) {
        say_json(&d->accessors, ",'byteOffset':%zu", offset);
    }
    if (normalized) {
        say_json(&d->accessors, ",'normalized':true");
    }
    say_json(&d->accessors, "%s}", more ? more : "");
    return index;
}

static void say_bounds(char *text, size_t size, int width, int count, const double *stored) {
    size_t at = 0;
    for (int side = 0; side < 2; side++) {
        at += (size_t)snprintf(text + at, size - at, side == 0 ? ",'min':[" : ",'max':[");
        for (int i = 0; i < width; i++) {
            double most = stored[i];
            for (int k = 1; k < count; k++) {
                double x = stored[k * width + i];
                most = side == 0 ? fmin(most, x) : fmax(most, x);
            }
            at += (size_t)snprintf(text + at, size - at, "%s%.9g", i ? "," : "", as_float(most) + 0.0);
        }
        at += (size_t)snprintf(text + at, size - at, "]");
    }
}

/// Adds a view. `alignment` is that of each element; `target` is the target of the view.
static int add_packed(document *d, int component, bool normalized, int width, int count, const double *stored,
                      size_t alignment, const char *target, bool bounds) {
    size_t start = d->bin.length, used = size_of(component) * (size_t)width;
    size_t stride = (used + alignment - 1) / alignment * alignment;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < width; k++) {
            put_component(&d->bin, component, stored[i * width + k]);
        }
        put(&d->bin, "\0\0\0", stride - used);
    }
    char view_more[64], more[512] = "";
    snprintf(view_more, sizeof view_more, "%s", target);
    if (stride != used) {
        snprintf(view_more, sizeof view_more, "%s,'byteStride':%zu", target, stride);
    }
    if (bounds) {
        say_bounds(more, sizeof more, width, count, stored);
    }
    int view = add_view(d, start, view_more);
    return add_accessor(d, view, 0, component, normalized, width, count, stored, more);
}

int add_keys(document *d, int component, bool normalized, int width, int count, const double *stored) {
    return add_packed(d, component, normalized, width, count, stored, 1, "", false);
}

int add_times(document *d, int count, const double *seconds) {
    return add_packed(d, F32, false, 1, count, seconds, 1, "", true);
}

int add_floats(document *d, int width, int count, const double *stored) {
    return add_keys(d, F32, false, width, count, stored);
}

int add_vertices(document *d, int component, bool normalized, int width, int count, const double *stored) {
    return add_packed(d, component, normalized, width, count, stored, 4, ",'target':34962", false);
}

int add_positions(document *d, int component, bool normalized, int count, const double *stored) {
    return add_packed(d, component, normalized, 3, count, stored, 4, ",'target':34962", true);
}

int add_indices(document *d, int component, int count, const double *stored) {
    return add_packed(d, component, false, 1, count, stored, 1, ",'target':34963", false);
}

int add_matrices(document *d, int count, const matrix *matrices) {
    double *columns = must_alloc((size_t)count * 16, sizeof *columns);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 16; k++) {
            columns[16 * i + k] = k % 4 == 3 ? (double)(k == 15) : matrices[i].m[k % 4][k / 4];
        }
    }
    int accessor = add_floats(d, 16, count, columns);
    free(columns);
    return accessor;
}

int add_inverse_binds(document *d, int count, const int *joints) {
    matrix binds[MAX_NODES];
    for (int i = 0; i < count; i++) {
        binds[i] = inverse_of(world_of(d, NONE, 0, joints[i]));
    }
    return add_matrices(d, count, binds);
}

// ---- meshes, skins, clips ----

primitive *add_primitive(document *d, int mesh_index, int positions) {
    mesh *m = &d->meshes[mesh_index];
    primitive *p = &m->primitives[checked(m->primitive_count, MAX_SMALL)];
    *p = (primitive){.position = positions, .normal = NONE, .tangent = NONE, .uv = NONE, .color = NONE};
    p->joints[0] = p->joints[1] = p->weights[0] = p->weights[1] = NONE;
    p->indices = p->mode = p->material = NONE;
    for (int i = 0; i < MAX_SMALL; i++) {
        p->target_positions[i] = p->target_normals[i] = p->target_tangents[i] = NONE;
    }
    m->primitive_count++;
    return p;
}

int add_mesh(document *d, int positions) {
    int index = checked(d->mesh_count, MAX_SMALL);
    d->mesh_count++;
    add_primitive(d, index, positions);
    return index;
}

int add_skin(document *d, int count, const int *joints, int inverse_binds) {
    int index = checked(d->skin_count, MAX_SMALL);
    int *copy = must_alloc((size_t)count, sizeof *copy);
    memcpy(copy, joints, (size_t)count * sizeof *copy);
    d->skins[index] = (skin){copy, count, inverse_binds, NONE};
    d->skin_count++;
    return index;
}

int add_clip(document *d, const char *name) {
    int index = checked(d->clip_count, MAX_SMALL);
    d->clips[index].name = name;
    d->clip_count++;
    return index;
}

void add_channel(document *d, int clip_index, int node_index, enum path path, enum interpolation interpolation,
                 int times, int values) {
    clip *c = &d->clips[clip_index];
    c->channels[checked(c->channel_count, MAX_CHANNELS)] =
        (channel){node_index, path, interpolation, times, values};
    c->channel_count++;
}

static void expect_moment(document *d, moment m) {
    d->moments[checked(d->moment_count, MAX_POSES)] = m;
    d->moment_count++;
}

void expect_poses(document *d, int clip_index, int count, const double *times) {
    for (int i = 0; i < count; i++) {
        expect_moment(d, (moment){clip_index, as_float(times[i]), false});
    }
}

void expect_rest(document *d) {
    expect_moment(d, (moment){NONE, 0, false});
}

void expect_z_up(document *d, int clip_index, double time) {
    expect_moment(d, (moment){clip_index, as_float(time), true});
}

// ---- writing: nodes ----

static void say_list(buffer *b, const char *key, int count, const double *numbers) {
    say_json(b, ",'%s':", key);
    say_numbers(b, count, numbers);
}

static void say_indices(buffer *b, const char *key, int count, const int *indices) {
    say_json(b, ",'%s':[", key);
    for (int i = 0; i < count; i++) {
        say(b, "%s%d", i ? "," : "", indices[i]);
    }
    say(b, "]");
}

static int children_of(const document *d, int parent, int *children) {
    int count = 0;
    for (int i = 0; i < d->node_count; i++) {
        if (d->nodes[i].parent == parent) {
            children[count++] = i;
        }
    }
    return count;
}

static void say_transform(buffer *b, const node *n) {
    if (n->whole) {
        double columns[16];
        for (int k = 0; k < 16; k++) {
            columns[k] = k % 4 == 3 ? (double)(k == 15) : n->whole->m[k % 4][k / 4];
        }
        say_list(b, "matrix", 16, columns);
    }
    if (n->has_t) {
        say_list(b, "translation", 3, (const double[]){n->t.x, n->t.y, n->t.z});
    }
    if (n->has_r) {
        say_list(b, "rotation", 4, (const double[]){n->r.x, n->r.y, n->r.z, n->r.w});
    }
    if (n->has_s) {
        say_list(b, "scale", 3, (const double[]){n->s.x, n->s.y, n->s.z});
    }
}

/// Appends members, which begin with a comma, as an object.
static void say_object(buffer *b, const buffer *members) {
    say(b, "{");
    if (members->length > 0) {
        put(b, members->data + 1, members->length - 1);
    }
    say(b, "}");
}

static void say_node(buffer *b, const document *d, int index) {
    const node *n = &d->nodes[index];
    buffer members = {0};
    int children[MAX_NODES];
    int count = children_of(d, index, children);
    if (n->name) {
        say_json(&members, ",'name':'%s'", n->name);
    }
    say_transform(&members, n);
    if (n->mesh != NONE) {
        say_json(&members, ",'mesh':%d", n->mesh);
    }
    if (n->skin != NONE) {
        say_json(&members, ",'skin':%d", n->skin);
    }
    if (n->weights) {
        say_list(&members, "weights", d->meshes[n->mesh].primitives[0].target_count, n->weights);
    }
    if (n->more) {
        say_json(&members, ",%s", n->more);
    }
    if (count > 0) {
        say_indices(&members, "children", count, children);
    }
    say_object(b, &members);
    free_buffer(&members);
}

static void say_nodes(buffer *b, const document *d) {
    int roots[MAX_NODES];
    int count = children_of(d, NONE, roots);
    if (d->node_count > 0 && !d->own_scenes) {
        say_json(b, ",\n'scene':0,\n'scenes':[{'nodes':[");
        for (int i = 0; i < count; i++) {
            say(b, "%s%d", i ? "," : "", roots[i]);
        }
        say(b, "]}]");
    }
    for (int i = 0; i < d->node_count; i++) {
        say_json(b, i ? "," : ",\n'nodes':[");
        say_node(b, d, i);
    }
    if (d->node_count > 0) {
        say(b, "]");
    }
}

// ---- writing: meshes, skins, clips ----

static void say_index(buffer *b, const char *key, int index) {
    if (index != NONE) {
        say_json(b, ",'%s':%d", key, index);
    }
}

static void say_target(buffer *b, const primitive *p, int target) {
    buffer members = {0};
    say_index(&members, "POSITION", p->target_positions[target]);
    say_index(&members, "NORMAL", p->target_normals[target]);
    say_index(&members, "TANGENT", p->target_tangents[target]);
    say_object(b, &members);
    free_buffer(&members);
}

static void say_primitive(buffer *b, const primitive *p) {
    buffer attributes = {0};
    say_index(&attributes, "POSITION", p->position);
    say_index(&attributes, "NORMAL", p->normal);
    say_index(&attributes, "TANGENT", p->tangent);
    say_index(&attributes, "TEXCOORD_0", p->uv);
    say_index(&attributes, "COLOR_0", p->color);
    say_index(&attributes, "JOINTS_0", p->joints[0]);
    say_index(&attributes, "WEIGHTS_0", p->weights[0]);
    say_index(&attributes, "JOINTS_1", p->joints[1]);
    say_index(&attributes, "WEIGHTS_1", p->weights[1]);
    say_json(b, "{'attributes':");
    say_object(b, &attributes);
    free_buffer(&attributes);
    say_index(b, "indices", p->indices);
    say_index(b, "mode", p->mode);
    say_index(b, "material", p->material);
    for (int i = 0; i < p->target_count; i++) {
        say_json(b, i ? "," : ",'targets':[");
        say_target(b, p, i);
    }
    say(b, p->target_count > 0 ? "]}" : "}");
}

static void say_meshes(buffer *b, const document *d) {
    for (int i = 0; i < d->mesh_count; i++) {
        const mesh *m = &d->meshes[i];
        say_json(b, "%s{'primitives':[", i ? "," : ",\n\"meshes\":[");
        for (int k = 0; k < m->primitive_count; k++) {
            say(b, k ? "," : "");
            say_primitive(b, &m->primitives[k]);
        }
        say(b, "]");
        if (m->weights) {
            say_list(b, "weights", m->primitives[0].target_count, m->weights);
        }
        say(b, "}");
    }
    say(b, d->mesh_count > 0 ? "]" : "");
}

static void say_skins(buffer *b, const document *d) {
    for (int i = 0; i < d->skin_count; i++) {
        const skin *s = &d->skins[i];
        buffer members = {0};
        say_indices(&members, "joints", s->joint_count, s->joints);
        say_index(&members, "inverseBindMatrices", s->inverse_binds);
        say_index(&members, "skeleton", s->skeleton);
        say(b, i ? "," : ",\n\"skins\":[");
        say_object(b, &members);
        free_buffer(&members);
    }
    say(b, d->skin_count > 0 ? "]" : "");
}

static bool same_sampler(const channel *a, const channel *b) {
    return a->interpolation == b->interpolation && a->times == b->times && a->values == b->values;
}

/// Finds the sampler of each channel: channels with the same keys have one sampler. Returns the count of samplers.
static int find_samplers(const clip *c, int *samplers) {
    int count = 0;
    for (int i = 0; i < c->channel_count; i++) {
        int first = 0;
        while (!same_sampler(&c->channels[first], &c->channels[i])) {
            first++;
        }
        samplers[i] = first == i ? count++ : samplers[first];
    }
    return count;
}

static void say_sampler(buffer *b, const channel *ch) {
    static const char *const words[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    say_json(b, "{'input':%d,'output':%d", ch->times, ch->values);
    if (ch->interpolation != UNSAID) {
        say_json(b, ",'interpolation':'%s'", words[ch->interpolation]);
    }
    say(b, "}");
}

static void say_channel(buffer *b, const channel *ch, int sampler) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    say_json(b, "{'sampler':%d,'target':{", sampler);
    if (ch->node != NONE) {
        say_json(b, "'node':%d,", ch->node);
    }
    say_json(b, "'path':'%s'}}", paths[ch->path]);
}

static void say_clip(buffer *b, const clip *c) {
    int samplers[MAX_CHANNELS];
    int written = 0, count = find_samplers(c, samplers);
    say_json(b, "{");
    if (c->name) {
        say_json(b, "'name':'%s',", c->name);
    }
    say_json(b, "'channels':[");
    for (int i = 0; i < c->channel_count; i++) {
        say(b, i ? "," : "");
        say_channel(b, &c->channels[i], samplers[i]);
    }
    say_json(b, "],'samplers':[");
    for (int i = 0; written < count; i++) {
        if (samplers[i] == written) {
            say(b, written++ ? "," : "");
            say_sampler(b, &c->channels[i]);
        }
    }
    say(b, "]}");
}

static void say_clips(buffer *b, const document *d) {
    for (int i = 0; i < d->clip_count; i++) {
        say(b, i ? "," : ",\n\"animations\":[");
        say_clip(b, &d->clips[i]);
    }
    say(b, d->clip_count > 0 ? "]" : "");
}

// ---- writing: the file ----

void put_base64(buffer *b, const buffer *bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *data = (const uint8_t *)bytes->data;
    for (size_t i = 0; i < bytes->length; i += 3) {
        size_t left = bytes->length - i;
        uint32_t bits = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                        (left > 2 ? (uint32_t)data[i + 2] : 0);
        char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63], digits[bits & 63]};
        if (left < 3) {
            four[3] = '=';
        }
        if (left < 2) {
            four[2] = '=';
        }
        put(b, four, 4);
    }
}

static void say_buffers(buffer *b, const document *d, bool glb) {
    if (d->bin.length == 0) {
        return;
    }
    say_json(b, ",\n'buffers':[{'byteLength':%zu", d->bin.length - d->bin_padding);
    if (d->bin_uri) {
        say_json(b, ",'uri':'%s'", d->bin_uri);
    } else if (!glb) {
        say_json(b, ",'uri':'data:application/octet-stream;base64,");
        put_base64(b, &d->bin);
        say_json(b, "'");
    }
    say(b, "}");
    if (d->second_buffer) {
        say_json(b, ",{'byteLength':12,'uri':'%s'}", d->second_buffer);
    }
    if (d->fallback_length > 0) {
        say_json(b, ",{'byteLength':%zu,'extensions':{'EXT_meshopt_compression':{'fallback':true}}}",
                 d->fallback_length);
    }
    say(b, "]");
}

static void say_array(buffer *b, const char *key, const buffer *items) {
    if (items->items > 0) {
        say_json(b, ",\n'%s':[", key);
        put(b, items->data, items->length);
        say(b, "]");
    }
}

static void say_document(buffer *b, const document *d, bool glb) {
    say_json(b, "{'asset':{'version':'2.0','generator':'Sinew conformance set'}");
    put(b, d->sections.data, d->sections.length);
    say_nodes(b, d);
    say_meshes(b, d);
    say_skins(b, d);
    say_clips(b, d);
    say_array(b, "accessors", &d->accessors);
    say_array(b, "bufferViews", &d->views);
    say_buffers(b, d, glb);
    say(b, "}");
}

void write_gltf(document *d, buffer *file) {
    say_document(file, d, false);
    say(file, "\n");
}

/// Appends a chunk of an unknown type after the others. The file's length includes it.
static void put_last_chunk(buffer *file, const char *type) {
    buffer content = {0};
    put(&content, "of no use to you", 16);
    put_chunk(file, type, &content);
    content.length = 0;
    put_u32(&content, file->length);
    memcpy(file->data + 8, content.data, 4);
    free_buffer(&content);
}

void write_glb(document *d, buffer *file) {
    buffer json = {0};
    say_document(&json, d, true);
    pad(&json, ' ');
    put_glb(file, &json, &d->bin);
    free_buffer(&json);
    if (d->last_chunk) {
        put_last_chunk(file, d->last_chunk);
    }
}
