// SPDX-License-Identifier: MIT
// glb.c - writes binary glTF 2.0. The document is collected as JSON fragments, one text per top-level array, and the
// binary chunk. glb_end joins them.
#include "models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 256, COMPONENT_U8 = 5121, COMPONENT_U16 = 5123, COMPONENT_F32 = 5126 };
enum { TARGET_NONE = 0, TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };

typedef struct node {
    char name[32];
    int parent, mesh, skin;
    rigid local;
    double scale;
    buffer extensions;
} node;

enum { EXTENSIONS_MAX = 8 };

struct glb {
    node nodes[NODES_MAX];
    int node_count;
    buffer accessors, views, meshes, materials, skins, animations, channels, samplers;
    buffer bin;
    buffer extensions;
    char extension_names[EXTENSIONS_MAX][32]; ///< used, each once
    int extension_count;
    char *animation_extras;
    char animation_name[32];
    int animation_view; ///< the view of all times and values of an animation
    size_t animation_start;
};

// ---- views and accessors ----

static int add_view(glb *g, size_t offset, int target, int stride) {
    int index = next_item(&g->views);
    say(&g->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", offset, g->bin.length - offset);
    if (stride != 0) {
        say(&g->views, ",\"byteStride\":%d", stride);
    }
    if (target != TARGET_NONE) {
        say(&g->views, ",\"target\":%d", target);
    }
    say(&g->views, "}");
    pad(&g->bin, 0);
    return index;
}

typedef struct accessor {
    int view;
    size_t offset, count;
    int component;
    const char *type;
    bool normalized;
    int bounds; ///< how many components of low and high to write
    float low[3], high[3];
    size_t sparse;      ///< how many elements are not zero; 0: all are in `view`
    int sparse_view[2]; ///< indices and values
} accessor;

static void say_bounds(buffer *b, const char *key, const float *values, int count) {
    say(b, ",\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        say(b, "%s%.9g", i > 0 ? "," : "", (double)values[i]);
    }
    say(b, "]");
}

static int add_accessor(glb *g, const accessor *a) {
    int index = next_item(&g->accessors);
    buffer *b = &g->accessors;
    say(b, "{");
    if (a->sparse == 0) {
        say(b, "\"bufferView\":%d,\"byteOffset\":%zu,", a->view, a->offset);
    }
    say(b, "\"componentType\":%d,\"count\":%zu", a->component, a->count);
    say(b, ",\"type\":\"%s\"", a->type);
    if (a->normalized) {
        say(b, ",\"normalized\":true");
    }
    if (a->bounds > 0) {
        say_bounds(b, "min", a->low, a->bounds);
        say_bounds(b, "max", a->high, a->bounds);
    }
    if (a->sparse > 0) {
        say(b, ",\"sparse\":{\"count\":%zu,\"indices\":{\"bufferView\":%d,\"componentType\":%d}", a->sparse,
            a->sparse_view[0], COMPONENT_U16);
        say(b, ",\"values\":{\"bufferView\":%d}}", a->sparse_view[1]);
    }
    say(b, "}");
    return index;
}

static void widen(accessor *a, vec3 p) {
    float c[3] = {(float)p.x + 0.0F, (float)p.y + 0.0F, (float)p.z + 0.0F};
    for (int i = 0; i < 3; i++) {
        a->low[i] = fminf(a->low[i], c[i]);
        a->high[i] = fmaxf(a->high[i], c[i]);
    }
}

// ---- nodes ----

glb *glb_begin(void) {
    return must_alloc(1, sizeof(glb));
}

int glb_node(glb *g, const char *name, int parent, rigid local) {
    if (g->node_count == NODES_MAX) {
        fprintf(stderr, "make-models: too many nodes\n");
        exit(1);
    }
    node *n = &g->nodes[g->node_count];
    *n = (node){.parent = parent, .mesh = -1, .skin = -1, .local = local, .scale = 1.0};
    snprintf(n->name, sizeof n->name, "%s", name);
    return g->node_count++;
}

void glb_node_mesh(glb *g, int index, int mesh_index) {
    g->nodes[index].mesh = mesh_index;
}
void glb_node_skin(glb *g, int index, int skin) {
    g->nodes[index].skin = skin;
}

void glb_node_scale(glb *g, int index, double scale) {
    g->nodes[index].scale = scale;
}

// ---- extensions ----

/// Adds a member to the object of extensions that `b` holds, and the name to those used.
static void add_extension(glb *g, buffer *b, const char *name, const char *json) {
    next_item(b);
    say(b, "\"%s\":", name);
    put(b, json, strlen(json));
    for (int i = 0; i < g->extension_count; i++) {
        if (strcmp(g->extension_names[i], name) == 0) {
            return;
        }
    }
    if (g->extension_count == EXTENSIONS_MAX) {
        fprintf(stderr, "make-models: too many extensions\n");
        exit(1);
    }
    snprintf(g->extension_names[g->extension_count++], sizeof g->extension_names[0], "%s", name);
}

void glb_node_extension(glb *g, int index, const char *name, const char *json) {
    add_extension(g, &g->nodes[index].extensions, name, json);
}

void glb_extension(glb *g, const char *name, const char *json) {
    add_extension(g, &g->extensions, name, json);
}

static void say_extensions(buffer *b, const buffer *extensions) {
    if (extensions->items == 0) {
        return;
    }
    say(b, ",\"extensions\":{");
    put(b, extensions->data, extensions->length);
    say(b, "}");
}

static void say_extension_names(buffer *b, const glb *g) {
    for (int i = 0; i < g->extension_count; i++) {
        say(b, "%s\"%s\"", i > 0 ? "," : ",\"extensionsUsed\":[", g->extension_names[i]);
    }
    if (g->extension_count > 0) {
        say(b, "]");
    }
}

// ---- materials ----

int glb_material(glb *g, const char *name, rgb color, double metallic, double roughness) {
    int index = next_item(&g->materials);
    say(&g->materials,
        "{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.6g,%.6g,%.6g,1],"
        "\"metallicFactor\":%.6g,\"roughnessFactor\":%.6g}}",
        name, color.r, color.g, color.b, metallic, roughness);
    return index;
}

// ---- meshes ----

static uint8_t byte_from_unit(double value) {
    return (uint8_t)(clamp(value, 0.0, 1.0) * 255.0 + 0.5);
}

static void put_vertex(buffer *b, const vertex *v, const glb_primitive *p) {
    const double floats[6] = {v->position.x, v->position.y, v->position.z, v->normal.x, v->normal.y, v->normal.z};
    for (int i = 0; i < 6; i++) {
        put_float(b, floats[i]);
    }
    if (p->colored) {
        const uint8_t color[4] = {byte_from_unit(v->color.r), byte_from_unit(v->color.g),
                                  byte_from_unit(v->color.b), 255};
        put(b, color, sizeof color);
    }
    if (p->skinned) {
        put(b, v->joint, sizeof v->joint);
        put(b, v->weight, sizeof v->weight);
    }
}

/// Writes the vertices of a primitive interleaved in one view. Its attributes are accessors into it.
static void add_attributes(glb *g, const glb_primitive *p) {
    const mesh *m = p->mesh;
    size_t start = g->bin.length;
    accessor position = {.count = m->vertex_count, .component = COMPONENT_F32, .type = "VEC3"};
    position.bounds = 3;
    for (int i = 0; i < 3; i++) {
        position.low[i] = INFINITY;
        position.high[i] = -INFINITY;
    }
    for (size_t i = 0; i < m->vertex_count; i++) {
        put_vertex(&g->bin, &m->vertices[i], p);
        widen(&position, m->vertices[i].position);
    }
    int stride = 24 + (p->colored ? 4 : 0) + (p->skinned ? 8 : 0);
    position.view = add_view(g, start, TARGET_VERTICES, stride);

    accessor normal = {.view = position.view, .offset = 12, .count = m->vertex_count};
    normal.component = COMPONENT_F32;
    normal.type = "VEC3";
    say(&g->meshes, "{\"attributes\":{\"POSITION\":%d", add_accessor(g, &position));
    say(&g->meshes, ",\"NORMAL\":%d", add_accessor(g, &normal));

    accessor bytes = {.view = position.view, .offset = 24, .count = m->vertex_count};
    bytes.component = COMPONENT_U8;
    bytes.type = "VEC4";
    if (p->colored) {
        bytes.normalized = true;
        say(&g->meshes, ",\"COLOR_0\":%d", add_accessor(g, &bytes));
        bytes.offset += 4;
    }
    if (p->skinned) {
        bytes.normalized = false;
        say(&g->meshes, ",\"JOINTS_0\":%d", add_accessor(g, &bytes));
        bytes.offset += 4;
        bytes.normalized = true;
        say(&g->meshes, ",\"WEIGHTS_0\":%d", add_accessor(g, &bytes));
    }
    say(&g->meshes, "}");
}

/// Writes the offsets that are not zero as a sparse accessor.
static int add_morph(glb *g, const mesh *m, const glb_morph *morph) {
    accessor a = {.count = m->vertex_count, .component = COMPONENT_F32, .type = "VEC3", .bounds = 3};
    buffer values = {0};
    size_t start = g->bin.length;
    for (size_t i = 0; i < m->vertex_count; i++) {
        vec3 offset = morph->offsets[i];
        if (v3_length(offset) < 1e-6) {
            continue;
        }
        const uint16_t index = (uint16_t)i;
        put(&g->bin, &index, sizeof index);
        put_float(&values, offset.x);
        put_float(&values, offset.y);
        put_float(&values, offset.z);
        widen(&a, offset);
        a.sparse++;
    }
    a.sparse_view[0] = add_view(g, start, TARGET_NONE, 0);
    start = g->bin.length;
    put(&g->bin, values.data, values.length);
    free_buffer(&values);
    a.sparse_view[1] = add_view(g, start, TARGET_NONE, 0);
    return add_accessor(g, &a);
}

static int add_indices(glb *g, const mesh *m) {
    size_t start = g->bin.length;
    bool wide = m->vertex_count > 65535;
    for (size_t i = 0; i < m->index_count; i++) {
        uint16_t narrow = (uint16_t)m->indices[i];
        put(&g->bin, wide ? (const void *)&m->indices[i] : &narrow, wide ? 4 : 2);
    }
    accessor a = {.count = m->index_count, .component = wide ? 5125 : COMPONENT_U16};
    a.type = "SCALAR";
    a.view = add_view(g, start, TARGET_INDICES, 0);
    return add_accessor(g, &a);
}

int glb_mesh(glb *g, const char *name, const glb_primitive *primitives, int count) {
    int index = next_item(&g->meshes);
    say(&g->meshes, "{\"name\":\"%s\",\"primitives\":[", name);
    for (int i = 0; i < count; i++) {
        if (i > 0) {
            say(&g->meshes, ",");
        }
        add_attributes(g, &primitives[i]);
        say(&g->meshes, ",\"indices\":%d", add_indices(g, primitives[i].mesh));
        say(&g->meshes, ",\"material\":%d}", primitives[i].material);
    }
    say(&g->meshes, "]}");
    return index;
}

int glb_morphed_mesh(glb *g, const char *name, const glb_primitive *primitive, const glb_morph *morphs, int count) {
    int index = next_item(&g->meshes);
    buffer *b = &g->meshes;
    say(b, "{\"name\":\"%s\",\"primitives\":[", name);
    add_attributes(g, primitive);
    say(b, ",\"indices\":%d,\"material\":%d", add_indices(g, primitive->mesh), primitive->material);
    for (int i = 0; i < count; i++) {
        int offsets = add_morph(g, primitive->mesh, &morphs[i]);
        say(b, "%s{\"POSITION\":%d}", i > 0 ? "," : ",\"targets\":[", offsets);
    }
    say(b, "]}],\"extras\":{\"targetNames\":");
    for (int i = 0; i < count; i++) {
        say(b, "%s\"%s\"", i > 0 ? "," : "[", morphs[i].name);
    }
    say(b, "]}}");
    return index;
}

// ---- skins ----

static void put_inverse_bind(buffer *b, rigid rest, double scale) {
    rigid inverse = rigid_inverse(rest);
    const vec3 columns[4] = {q_turn(inverse.r, v3(1, 0, 0)), q_turn(inverse.r, v3(0, 1, 0)),
                             q_turn(inverse.r, v3(0, 0, 1)), inverse.t};
    for (int c = 0; c < 4; c++) {
        put_float(b, columns[c].x / scale);
        put_float(b, columns[c].y / scale);
        put_float(b, columns[c].z / scale);
        put_float(b, c == 3 ? 1.0 : 0.0);
    }
}

int glb_skin(glb *g, const char *name, const int *joints, const rigid *rest, double scale, int count,
             int skeleton) {
    size_t start = g->bin.length;
    for (int i = 0; i < count; i++) {
        put_inverse_bind(&g->bin, rest[i], scale);
    }
    accessor a = {.count = (size_t)count, .component = COMPONENT_F32, .type = "MAT4"};
    a.view = add_view(g, start, TARGET_NONE, 0);
    int binds = add_accessor(g, &a);

    int index = next_item(&g->skins);
    say(&g->skins, "{\"name\":\"%s\",\"inverseBindMatrices\":%d,\"skeleton\":%d,\"joints\":[", name, binds,
        skeleton);
    for (int i = 0; i < count; i++) {
        say(&g->skins, "%s%d", i > 0 ? "," : "", joints[i]);
    }
    say(&g->skins, "]}");
    return index;
}

// ---- animations ----

void glb_animation_begin(glb *g, const char *name, const char *extras) {
    snprintf(g->animation_name, sizeof g->animation_name, "%s", name);
    size_t length = extras ? strlen(extras) + 1 : 0;
    g->animation_extras = must_alloc(length, 1);
    if (extras) {
        memcpy(g->animation_extras, extras, length);
    }
    g->channels.length = g->samplers.length = 0;
    g->channels.items = g->samplers.items = 0;
    g->animation_view = g->views.items;
    g->animation_start = g->bin.length;
}

int glb_times(glb *g, const double *times, int count) {
    accessor a = {.view = g->animation_view, .offset = g->bin.length - g->animation_start};
    for (int i = 0; i < count; i++) {
        put_float(&g->bin, times[i]);
    }
    a.count = (size_t)count;
    a.component = COMPONENT_F32;
    a.type = "SCALAR";
    a.bounds = 1;
    a.low[0] = (float)times[0];
    a.high[0] = (float)times[count - 1];
    return add_accessor(g, &a);
}

void glb_channel(glb *g, int node_index, enum glb_path path, enum glb_interpolation interpolation, int times,
                 const double *values, int count) {
    static const char *const paths[] = {"translation", "rotation"};
    static const char *const interpolations[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    int width = path == GLB_ROTATION ? 4 : 3;
    accessor a = {.view = g->animation_view, .offset = g->bin.length - g->animation_start};
    for (int i = 0; i < count * width; i++) {
        put_float(&g->bin, values[i]);
    }
    a.count = (size_t)count;
    a.component = COMPONENT_F32;
    a.type = path == GLB_ROTATION ? "VEC4" : "VEC3";
    int output = add_accessor(g, &a);

    int sampler = next_item(&g->samplers);
    say(&g->samplers, "{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", times, output,
        interpolations[interpolation]);
    next_item(&g->channels);
    say(&g->channels, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", sampler, node_index,
        paths[path]);
}

void glb_animation_end(glb *g) {
    add_view(g, g->animation_start, TARGET_NONE, 0);
    next_item(&g->animations);
    buffer *b = &g->animations;
    say(b, "{\"name\":\"%s\",\"channels\":[", g->animation_name);
    put(b, g->channels.data, g->channels.length);
    say(b, "],\"samplers\":[");
    put(b, g->samplers.data, g->samplers.length);
    say(b, "]");
    if (g->animation_extras[0] != '\0') {
        say(b, ",\"extras\":%s", g->animation_extras);
    }
    say(b, "}");
    free(g->animation_extras);
    g->animation_extras = NULL;
}

// ---- the file ----

static void say_children(buffer *b, const glb *g, int parent) {
    bool any = false;
    for (int i = 0; i < g->node_count; i++) {
        if (g->nodes[i].parent != parent) {
            continue;
        }
        say(b, any ? "," : parent < 0 ? "\"nodes\":[" : ",\"children\":[");
        say(b, "%d", i);
        any = true;
    }
    if (any) {
        say(b, "]");
    }
}

static void say_node(buffer *b, const glb *g, int index) {
    const node *n = &g->nodes[index];
    vec3 t = n->local.t;
    quat r = n->local.r;
    say(b, "{\"name\":\"%s\"", n->name);
    if (v3_length(t) > 0.0) {
        say(b, ",\"translation\":[%.9g,%.9g,%.9g]", t.x + 0.0, t.y + 0.0, t.z + 0.0);
    }
    if (fabs(r.w) < 1.0 - 1e-15) {
        say(b, ",\"rotation\":[%.9g,%.9g,%.9g,%.9g]", r.x, r.y, r.z, r.w);
    }
    if (n->scale < 1.0 || n->scale > 1.0) {
        say(b, ",\"scale\":[%.9g,%.9g,%.9g]", n->scale, n->scale, n->scale);
    }
    if (n->mesh >= 0) {
        say(b, ",\"mesh\":%d", n->mesh);
    }
    if (n->skin >= 0) {
        say(b, ",\"skin\":%d", n->skin);
    }
    say_children(b, g, index);
    say_extensions(b, &n->extensions);
    say(b, "}");
}

static void say_array(buffer *json, const char *key, const buffer *items) {
    if (items->items == 0) {
        return;
    }
    say(json, ",\"%s\":[", key);
    put(json, items->data, items->length);
    say(json, "]");
}

static void say_document(buffer *json, const glb *g) {
    say(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Sinew models\"}");
    say_extension_names(json, g);
    say_extensions(json, &g->extensions);
    say(json, ",\"scene\":0,");
    say(json, "\"scenes\":[{\"name\":\"Scene\",");
    say_children(json, g, -1);
    say(json, "}],\"nodes\":[");
    for (int i = 0; i < g->node_count; i++) {
        if (i > 0) {
            say(json, ",");
        }
        say_node(json, g, i);
    }
    say(json, "]");
    say_array(json, "meshes", &g->meshes);
    say_array(json, "materials", &g->materials);
    say_array(json, "skins", &g->skins);
    say_array(json, "animations", &g->animations);
    say_array(json, "accessors", &g->accessors);
    say_array(json, "bufferViews", &g->views);
    say(json, ",\"buffers\":[{\"byteLength\":%zu}]}", g->bin.length);
    pad(json, ' ');
}

static void glb_free(glb *g) {
    buffer *all[] = {&g->accessors,  &g->views,    &g->meshes,   &g->materials, &g->skins,
                     &g->animations, &g->channels, &g->samplers, &g->bin,       &g->extensions};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]->data);
    }
    for (int i = 0; i < g->node_count; i++) {
        free(g->nodes[i].extensions.data);
    }
    free(g);
}

bool glb_end(glb *g, const char *path) {
    buffer json = {0}, file = {0};
    say_document(&json, g);
    put_glb(&file, &json, &g->bin);
    bool written = write_file(path, &file);
    free(json.data);
    free(file.data);
    glb_free(g);
    return written;
}
