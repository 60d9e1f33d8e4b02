// SPDX-License-Identifier: MIT
// Finds a body's size. That's the size of the animated character, not of a level around it or a placeholder that it
// carries.
#include "compare/internal.h"

#include <math.h>
#include <string.h>

// ---- The unfolded rest pose ----------------------------------------------------------------------------------------

// A rest scale below this fraction of the largest in any clip is replaced with that one.
#define FOLDED 0.5

// Enlarges scales[nodes × 3] to a clip's largest magnitudes.
static void extend_scales(const ref_animation *clip, double *scales) {
    for (int32_t c = 0; c < clip->channel_count; c++) {
        const ref_channel *channel = &clip->channels[c];
        if (channel->path != REF_SCALE) continue;
        double *out = scales + 3 * (ptrdiff_t)channel->node;
        for (ptrdiff_t k = 0; k < channel->key_count; k++) {
            const double *key = channel->values + 3 * (channel->interpolation == REF_CUBICSPLINE ? 3 * k + 1 : k);
            for (int i = 0; i < 3; i++) out[i] = fmax(out[i], fabs(key[i]));
        }
    }
}

static bool has_scales(const ref_model *model) {
    for (int32_t i = 0; i < model->animation_count; i++) {
        for (int32_t c = 0; c < model->animations[i].channel_count; c++) {
            if (model->animations[i].channels[c].path == REF_SCALE) return true;
        }
    }
    return false;
}

// Replaces a pose's folded scales. Returns how many there are.
static int32_t replace_scales(const double *scales, const ref_model *model, ref_pose *pose) {
    int32_t count = 0;
    for (ptrdiff_t i = 0; i < model->node_count; i++) {
        for (int k = 0; k < 3; k++) {
            double *scale = pose->locals + 10 * i + 7 + k;
            if (!(fabs(*scale) < FOLDED * scales[3 * i + k])) continue;
            *scale = scales[3 * i + k];
            count++;
        }
    }
    return count;
}

bool compare_unfold(compare_body *body, const ref_pose *rest) {
    const ref_model *model = body->models[0];
    const size_t nodes = (size_t)model->node_count;
    body->unfolded = *rest;
    if (!has_scales(model)) return true;
    ref_pose made;
    double *scales = sinewi_arena_zeros(body->arena, double, 3 * nodes);
    if (!scales || !ref_make_pose(body->arena, model, &made)) return false;
    for (int32_t i = 0; i < model->animation_count; i++) extend_scales(&model->animations[i], scales);
    memcpy(made.locals, rest->locals, 10 * nodes * sizeof *made.locals);
    memcpy(made.weights, rest->weights, (size_t)model->weight_count * sizeof *made.weights);
    if (replace_scales(scales, model, &made) == 0) return true;
    ref_make_worlds(model, &made);
    body->unfolded = made;
    return true;
}

// ---- Extents -------------------------------------------------------------------------------------------------------

typedef struct extent {
    double least[3], most[3];
} extent;

static const extent nothing = {{(double)INFINITY, (double)INFINITY, (double)INFINITY},
                               {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY}};

static void extend(extent *e, const double point[3]) {
    for (int i = 0; i < 3; i++) {
        if (!isfinite(point[i])) return;
    }
    for (int i = 0; i < 3; i++) {
        e->least[i] = fmin(e->least[i], point[i]);
        e->most[i] = fmax(e->most[i], point[i]);
    }
}

static double largest_side(const extent *e) {
    double side = 0.0;
    for (int i = 0; i < 3; i++) side = fmax(side, e->most[i] - e->least[i]);
    return side;
}

static void extend_by_part(const compare_body *body, const compare_part *part, extent *e) {
    for (int32_t v = 0; v < part->primitives[0]->vertex_count; v++) {
        double position[3];
        compare_position(body, part, 0, &body->unfolded, v, position);
        extend(e, position);
    }
}

static void extend_by_node(const compare_body *body, int32_t node, extent *e) {
    extend(e, body->unfolded.worlds + 16 * (ptrdiff_t)node + 12);
}

// Vertices are a placeholder if they're smaller than this fraction of the nodes that carry them.
#define PLACEHOLDER (1.0 / 3.0)

// Takes the larger one. Returns false if both are points.
static bool take_size(compare_body *body, double vertices, double nodes, compare_size_source source) {
    const bool is_placeholder = !(vertices > 0.0) || vertices < PLACEHOLDER * nodes;
    const double side = is_placeholder ? nodes : vertices;
    if (!(side > 0.0)) return false;
    body->size = side;
    body->size_source = is_placeholder ? source + 1 : source;
    return true;
}

// ---- Characters ----------------------------------------------------------------------------------------------------

// A body's characters. Skins that share joints are one character.
typedef struct characters {
    int32_t *same;             // [skins]; another skin of the same character, or itself
    int32_t *skin_of;          // [nodes]; a skin with this joint or one above it, or -1
    extent *vertices, *joints; // [skins]; stored at one skin per character
} characters;

static bool make_characters(const compare_body *body, characters *c) {
    const ref_model *model = body->models[0];
    const size_t skins = (size_t)model->skin_count;
    c->same = sinewi_arena_array(body->arena, int32_t, skins);
    c->skin_of = sinewi_arena_array(body->arena, int32_t, (size_t)model->node_count);
    c->vertices = sinewi_arena_array(body->arena, extent, skins);
    c->joints = sinewi_arena_array(body->arena, extent, skins);
    if (!c->same || !c->skin_of || !c->vertices || !c->joints) return false;
    for (int32_t i = 0; i < model->node_count; i++) c->skin_of[i] = -1;
    for (size_t s = 0; s < skins; s++) {
        c->same[s] = (int32_t)s;
        c->vertices[s] = c->joints[s] = nothing;
    }
    return true;
}

static int32_t character_of(characters *c, int32_t skin) {
    while (c->same[skin] != skin) {
        c->same[skin] = c->same[c->same[skin]];
        skin = c->same[skin];
    }
    return skin;
}

static void join_skins(const ref_model *model, characters *c) {
    for (int32_t s = 0; s < model->skin_count; s++) {
        for (int32_t i = 0; i < model->skins[s].joint_count; i++) {
            int32_t *other = &c->skin_of[model->skins[s].joints[i]];
            if (*other >= 0) c->same[character_of(c, s)] = character_of(c, *other);
            *other = s;
        }
    }
}

// Measures joints, skinned vertices, and vertices on joints.
static void extend_characters(const compare_body *body, characters *c) {
    const ref_model *model = body->models[0];
    for (int32_t i = 0; i < model->node_count; i++) {
        const int32_t node = model->order[i], parent = model->nodes[node].parent;
        if (c->skin_of[node] >= 0) {
            extend_by_node(body, node, &c->joints[character_of(c, c->skin_of[node])]);
        } else if (parent >= 0) {
            c->skin_of[node] = c->skin_of[parent];
        }
    }
    for (int32_t p = 0; p < body->part_count; p++) {
        const compare_part *part = &body->parts[p];
        const int32_t node = part->nodes[0], skin = part->skinned ? model->nodes[node].skin : c->skin_of[node];
        if (part->mesh >= 0 && skin >= 0) extend_by_part(body, part, &c->vertices[character_of(c, skin)]);
    }
}

// Sets *found if there is a skinned character.
static bool measure_characters(compare_body *body, bool *found) {
    const ref_model *model = body->models[0];
    characters c;
    if (!make_characters(body, &c)) return false;
    join_skins(model, &c);
    extend_characters(body, &c);
    double most = 0.0, vertices = 0.0, joints = 0.0;
    for (int32_t s = 0; s < model->skin_count; s++) {
        const double sides[2] = {largest_side(&c.vertices[s]), largest_side(&c.joints[s])};
        if (fmax(sides[0], sides[1]) <= most) continue;
        vertices = sides[0];
        joints = sides[1];
        most = fmax(vertices, joints);
    }
    *found = take_size(body, vertices, joints, COMPARE_SKINNED_VERTICES);
    return true;
}

// ---- Nodes ---------------------------------------------------------------------------------------------------------

// Marks nodes that A's clips animate, and the nodes below.
static void mark_moved(const ref_model *model, bool *moved) {
    for (int32_t i = 0; i < model->animation_count; i++) {
        for (int32_t c = 0; c < model->animations[i].channel_count; c++)
            moved[model->animations[i].channels[c].node] = true;
    }
    for (int32_t i = 0; i < model->node_count; i++) {
        const int32_t node = model->order[i], parent = model->nodes[node].parent;
        moved[node] |= parent >= 0 && moved[parent];
    }
}

// Measures the size of the marked nodes and their vertices, or of all nodes without marks.
static bool measure_nodes(compare_body *body, const bool *marks, compare_size_source source) {
    extent vertices = nothing, nodes = nothing;
    for (int32_t p = 0; p < body->part_count; p++) {
        if (body->parts[p].mesh >= 0 && (!marks || marks[body->parts[p].nodes[0]]))
            extend_by_part(body, &body->parts[p], &vertices);
    }
    for (int32_t i = 0; i < body->models[0]->node_count; i++) {
        if (!marks || marks[i]) extend_by_node(body, i, &nodes);
    }
    // A level's nodes may be far apart.
    return take_size(body, largest_side(&vertices), marks ? largest_side(&nodes) : 0.0, source) ||
           take_size(body, 0.0, largest_side(&nodes), source);
}

bool compare_measure_size(compare_body *body) {
    bool *moved = sinewi_arena_zeros(body->arena, bool, (size_t)body->models[0]->node_count), found = false;
    if (!moved || !measure_characters(body, &found)) return false;
    if (found) return true;
    mark_moved(body->models[0], moved);
    if (measure_nodes(body, moved, COMPARE_MOVED_VERTICES)) return true;
    if (measure_nodes(body, NULL, COMPARE_ALL_VERTICES)) return true;
    body->size = 1.0;
    body->size_source = COMPARE_NOTHING;
    return true;
}

const char *compare_size_name(compare_size_source source) {
    static const char *const names[] = {"the skinned vertices",
                                        "the joints",
                                        "the animated vertices",
                                        "the animated nodes",
                                        "the vertices",
                                        "the nodes",
                                        "one unit"};
    return names[source];
}
