// SPDX-License-Identifier: MIT
// Skins: joints, inverse bind matrices, and the scales of their ancestors.
#include "lint/weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// How far a joint's bind pose may be from its rest pose: 0.5 degrees, and a fraction of the model's size.
#define BIND_ANGLE    0.0087
#define BIND_FRACTION 0.005

// Axes aren't orthogonal if their cosine is larger than this.
#define SHEAR_COSINE 1e-3

static const double degrees = 57.295779513082323;

typedef struct skin {
    int32_t index;
    int32_t joint_count;
    const int32_t *joints;
    const double *binds; // [joint_count × 16], or NULL
    bool in_use;         // a mesh uses it
    bool *used;          // [joint_count]; a vertex has a weight above 0 for it
} skin;

// ---- Joints with vertices ------------------------------------------------------------------------------------------

// The joints that one or more primitives' vertices have weights for, each once.
typedef struct used_joints {
    int32_t count;
    const int32_t *joints; // indices into a skin's joints
    int32_t last_skin;     // 1 + the last skin it was added to
    lint_influences from;
} used_joints;

// The meshes that use skins. Primitives share vertices, nodes share meshes, and skins share both. Each is read once.
typedef struct skin_users {
    int32_t *first_node,
        *next_node;               // [skins], [nodes]; list of nodes with a mesh and a skin; -1 ends it
    int32_t *last_skin;           // [meshes]; 1 + the last skin it was added to
    bool *read;                   // [meshes]
    bool *is_compressed;          // [meshes]; a primitive is compressed, so it isn't checked
    ref_list *primitives;         // [meshes]
    used_joints ***of_primitives; // [meshes][primitives]; NULL if the primitive isn't skinned
    used_joints **of_weights;     // [accessors of WEIGHTS_0]; the last one that was read
    bool *is_used;                // [65536]; false between uses
    int32_t *found;               // [65536]
} skin_users;

enum { MAX_JOINTS = 65536 }; // joint indices in glTF have at most 16 bits

static bool begin_skin_users(lint_subject *s, skin_users *w) {
    const ref_document *document = s->document;
    w->first_node = lint_array(s, int32_t, document->skins.count);
    w->next_node = lint_array(s, int32_t, s->node_count);
    w->last_skin = lint_array(s, int32_t, document->meshes.count);
    w->read = lint_array(s, bool, document->meshes.count);
    w->is_compressed = lint_array(s, bool, document->meshes.count);
    w->primitives = lint_array(s, ref_list, document->meshes.count);
    w->of_primitives = lint_array(s, used_joints **, document->meshes.count);
    w->of_weights = lint_array(s, used_joints *, document->accessors.count);
    w->is_used = lint_array(s, bool, MAX_JOINTS);
    w->found = lint_array(s, int32_t, MAX_JOINTS);
    if (s->out_of_memory) return false;
    for (int32_t i = 0; i < document->skins.count; i++) w->first_node[i] = -1;
    for (int32_t i = s->node_count - 1; i >= 0;
         i--) { // backward, because each is inserted at the front of its list
        if (s->nodes[i].skin < 0 || s->nodes[i].mesh < 0) continue;
        w->next_node[i] = w->first_node[s->nodes[i].skin];
        w->first_node[s->nodes[i].skin] = i;
    }
    return true;
}

static used_joints *list_used_joints(lint_subject *s, skin_users *w, const lint_influences *in) {
    int32_t count = 0;
    for (int32_t v = 0; v < in->vertex_count; v++) {
        for (int32_t i = 0; i < 4 * in->sets; i++) {
            double joint = in->joints[i / 4][4 * (size_t)v + (size_t)(i % 4)];
            if (!(lint_weight(in, v, i) > 0.0) || !(joint >= 0.0 && joint < MAX_JOINTS)) continue;
            if (w->is_used[(int32_t)joint]) continue;
            w->is_used[(int32_t)joint] = true;
            w->found[count++] = (int32_t)joint;
        }
    }
    used_joints *out = lint_array(s, used_joints, 1);
    int32_t *joints = lint_array(s, int32_t, count);
    for (int32_t i = 0; i < count; i++) {
        w->is_used[w->found[i]] = false;
        if (joints) joints[i] = w->found[i];
    }
    if (!out || !joints) return NULL;
    *out = (used_joints){.count = count, .joints = joints, .from = *in};
    return out;
}

static bool same_accessors(const lint_influences *a, const lint_influences *b) {
    bool same = a->sets == b->sets;
    for (int32_t set = 0; same && set < a->sets; set++) {
        same = a->accessors[set] == b->accessors[set] && a->joint_accessors[set] == b->joint_accessors[set];
    }
    return same;
}

static used_joints *read_used_joints(lint_subject *s, skin_users *w, sinewi_json_value primitive) {
    lint_influences in = lint_read_influences(s, primitive);
    if (in.sets == 0) return NULL;
    used_joints **last = &w->of_weights[in.accessors[0]];
    if (!*last || !same_accessors(&(*last)->from, &in)) *last = list_used_joints(s, w, &in);
    return *last;
}

static void read_mesh(lint_subject *s, skin_users *w, int32_t mesh) {
    w->read[mesh] = true;
    w->primitives[mesh] = ref_elements(s->document, s->document->meshes.values[mesh], "primitives");
    int32_t count = w->primitives[mesh].count;
    w->of_primitives[mesh] = lint_array(s, used_joints *, count);
    for (int32_t p = 0; w->of_primitives[mesh] && p < count; p++) {
        sinewi_json_value primitive = w->primitives[mesh].values[p];
        w->is_compressed[mesh] |= lint_is_compressed(s, primitive);
        w->of_primitives[mesh][p] = read_used_joints(s, w, primitive);
    }
}

static void mark_mesh(skin_users *w, int32_t mesh, skin *k) {
    if (w->is_compressed[mesh]) memset(k->used, true, (size_t)k->joint_count * sizeof *k->used);
    for (int32_t p = 0; p < w->primitives[mesh].count; p++) {
        used_joints *f = w->of_primitives[mesh][p];
        if (!f || f->last_skin == k->index + 1) continue;
        f->last_skin = k->index + 1;
        for (int32_t i = 0; i < f->count; i++) {
            if (f->joints[i] < k->joint_count) k->used[f->joints[i]] = true;
        }
    }
}

static void mark_used(lint_subject *s, skin_users *w, skin *k) {
    for (int32_t i = w->first_node[k->index]; i >= 0; i = w->next_node[i]) {
        int32_t mesh = s->nodes[i].mesh;
        k->in_use = true;
        if (w->last_skin[mesh] == k->index + 1) continue;
        w->last_skin[mesh] = k->index + 1;
        if (!w->read[mesh]) read_mesh(s, w, mesh);
        if (s->out_of_memory) return;
        mark_mesh(w, mesh, k);
    }
}

// ---- Reading -------------------------------------------------------------------------------------------------------

static skin read_skin(lint_subject *s, skin_users *w, int32_t index) {
    ref_document *document = s->document;
    sinewi_json_value value = document->skins.values[index];
    ref_list list = ref_elements(document, value, "joints");
    int32_t *joints = lint_array(s, int32_t, list.count);
    for (int32_t i = 0; joints && i < list.count; i++) {
        joints[i] = (int32_t)sinewi_json_number(&document->json, list.values[i]);
    }
    skin out = {.index = index, .joint_count = joints ? list.count : 0, .joints = joints};
    ref_accessor binds;
    int32_t accessor = lint_index(document, value, "inverseBindMatrices", document->accessors.count);
    if (accessor >= 0 && ref_read_accessor(document, accessor, &binds) && binds.components == 16 &&
        binds.count >= list.count) {
        out.binds = binds.values;
    }
    out.used = lint_array(s, bool, out.joint_count);
    if (out.used) mark_used(s, w, &out);
    return out;
}

static const char *skin_place(lint_subject *s, const skin *k, const char *member) {
    return lint_location(s, "skins[%d]%s", (int)k->index, member);
}

// ---- Roots ---------------------------------------------------------------------------------------------------------

static void check_roots(lint_subject *s, const skin *k) {
    for (int32_t i = 1; i < k->joint_count; i++) {
        if (s->nodes[k->joints[i]].root == s->nodes[k->joints[0]].root) continue;
        lint_add(s, LINT_SKIN_ROOTS, 0, lint_location(s, "skins[%d].joints[%d]", (int)k->index, (int)i),
                 "%s has no common ancestor with joint 0, %s", lint_node_label(s, k->joints[i]),
                 lint_node_label(s, k->joints[0]));
        return;
    }
}

// ---- Inverse binds -------------------------------------------------------------------------------------------------

// Multiplies matrices whose last row is 0 0 0 1, like the library does.
static void multiply(double out[16], const double a[16], const double b[16]) {
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 3; r++) {
            double sum = c == 3 ? a[12 + r] : 0.0;
            for (int i = 0; i < 3; i++) sum += a[4 * i + r] * b[4 * c + i];
            out[4 * c + r] = sum;
        }
        out[4 * c + 3] = c == 3 ? 1.0 : 0.0;
    }
}

static void check_row(lint_subject *s, const skin *k) {
    for (int32_t i = 0; i < k->joint_count; i++) {
        const double *m = k->binds + 16 * (size_t)i;
        double off = fabs(m[3]) + fabs(m[7]) + fabs(m[11]) + fabs(m[15] - 1.0);
        if (off <= 1e-6) continue;
        lint_add(s, LINT_INVERSE_BINDS_ROW, 0,
                 lint_location(s, "skins[%d].inverseBindMatrices: matrix %d", (int)k->index, (int)i),
                 "the last row is %.3g %.3g %.3g %.3g", m[3], m[7], m[11], m[15]);
        return;
    }
}

// A joint's skinning matrix in the rest pose. If the bind pose is the rest pose, all joints have the same one.
typedef struct bound {
    double moved[16]; // world × inverse bind
    double origin[3]; // the joint's position in the mesh, which is the origin of its bind matrix
    bool good;        // the joint has vertices and its inverse bind is invertible
} bound;

// Computes the point that an inverse bind matrix maps to the origin, using Cramer's rule.
static bool origin_of(const double m[16], double out[3]) {
    const double *a = m, *b = m + 4, *c = m + 8, *t = m + 12;
    const double bc[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]};
    const double ca[3] = {c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2], c[0] * a[1] - c[1] * a[0]};
    const double ab[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    double volume = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
    if (volume == 0.0 || !isfinite(1.0 / volume)) return false;
    out[0] = -(t[0] * bc[0] + t[1] * bc[1] + t[2] * bc[2]) / volume;
    out[1] = -(t[0] * ca[0] + t[1] * ca[1] + t[2] * ca[2]) / volume;
    out[2] = -(t[0] * ab[0] + t[1] * ab[1] + t[2] * ab[2]) / volume;
    return true;
}

// Computes the difference between two skinning matrices: the distance at a joint's position, and the largest angle
// between axes.
static void compare(const bound *a, const double b[16], double *distance, double *turn) {
    double sum = 0.0;
    for (int r = 0; r < 3; r++) {
        double d = a->moved[12 + r] - b[12 + r];
        for (int c = 0; c < 3; c++) d += (a->moved[4 * c + r] - b[4 * c + r]) * a->origin[c];
        sum += d * d;
    }
    *distance = sqrt(sum);
    *turn = 0.0;
    for (size_t c = 0; c < 3; c++) {
        const double *p = a->moved + 4 * c, *q = b + 4 * c;
        double lengths =
            sqrt((p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]));
        double cosine = lengths > 0.0 ? (p[0] * q[0] + p[1] * q[1] + p[2] * q[2]) / lengths : 1.0;
        *turn = fmax(*turn, acos(fmax(-1.0, fmin(1.0, cosine))));
    }
}

static bool agrees(const lint_subject *s, const bound *a, const double b[16]) {
    double distance, turn;
    compare(a, b, &distance, &turn);
    return turn <= BIND_ANGLE && distance <= BIND_FRACTION * s->size;
}

// Tries the first five joints and returns the one that most others agree with. A single displaced joint doesn't count.
static const bound *find_agreed(const lint_subject *s, const bound *bounds, int32_t count) {
    const bound *best = NULL;
    int32_t largest = -1;
    for (int32_t i = 0, tried = 0; i < count && tried < 5; i++) {
        if (!bounds[i].good) continue;
        int32_t agreed = 0;
        for (int32_t k = 0; k < count; k++) agreed += bounds[k].good && agrees(s, &bounds[k], bounds[i].moved);
        if (agreed > largest) {
            largest = agreed;
            best = &bounds[i];
        }
        tried++;
    }
    return best;
}

static void check_rest(lint_subject *s, const skin *k) {
    bound *bounds = lint_array(s, bound, k->joint_count);
    if (!bounds) return;
    for (int32_t i = 0; i < k->joint_count; i++) {
        const double *bind = k->binds + 16 * (size_t)i;
        multiply(bounds[i].moved, s->nodes[k->joints[i]].world, bind);
        bounds[i].good = k->used[i] && origin_of(bind, bounds[i].origin);
    }
    const bound *agreed = find_agreed(s, bounds, k->joint_count);
    int32_t off = 0, good = 0, worst = 0;
    double worst_turn = -1.0, worst_distance = 0.0;
    for (int32_t i = 0; agreed && i < k->joint_count; i++) {
        double distance, turn;
        good += bounds[i].good;
        if (!bounds[i].good || agrees(s, &bounds[i], agreed->moved)) continue;
        off++;
        compare(&bounds[i], agreed->moved, &distance, &turn);
        if (turn <= worst_turn) continue;
        worst = i;
        worst_turn = turn;
        worst_distance = distance;
    }
    if (off == 0) return;
    lint_add(s, LINT_INVERSE_BINDS_REST, 0, skin_place(s, k, ".inverseBindMatrices"),
             "%d of %d joints do not match; the worst, %s, is rotated by %.1f degrees and moved by %.3g", (int)off,
             (int)good, lint_node_label(s, k->joints[worst]), worst_turn * degrees, worst_distance);
}

// ---- Unused joints -------------------------------------------------------------------------------------------------

// Lists up to three names, then ", ...".
static void list_unused(lint_subject *s, const skin *k, char *text, size_t size) {
    size_t length = 0;
    int listed = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < k->joint_count && length < size; i++) {
        if (k->used[i]) continue;
        if (listed++ == 3) {
            snprintf(text + length, size - length, ", ...");
            return;
        }
        length += (size_t)snprintf(text + length, size - length, "%s%.40s", listed > 1 ? ", " : "",
                                   lint_node_label(s, k->joints[i]));
    }
}

static void check_unused(lint_subject *s, const skin *k) {
    int32_t unused = 0;
    for (int32_t i = 0; i < k->joint_count; i++) unused += !k->used[i];
    if (!k->in_use || unused == 0) return; // another rule reports unused skins
    char names[160];
    list_unused(s, k, names, sizeof names);
    lint_add(s, LINT_JOINT_UNUSED, k->binds ? (size_t)unused * 64 : 0, skin_place(s, k, ".joints"),
             "%d of %d joints: %s", (int)unused, (int)k->joint_count, names);
}

// ---- Scales --------------------------------------------------------------------------------------------------------

static double cosine_of(const double *a, const double *b) {
    double lengths = sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
    return lengths > 0.0 ? fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / lengths : 0.0;
}

static double shear_of(const lint_node *node) {
    const double *m = node->world;
    return fmax(cosine_of(m, m + 4), fmax(cosine_of(m + 4, m + 8), cosine_of(m + 8, m)));
}

static bool is_mirrored(const lint_node *node) {
    const double *a = node->world, *b = a + 4, *c = a + 8;
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]) <
           0.0;
}

// Reports the node where a mirror or shear starts, because that's the one to fix, and not the nodes below it.
static void check_node(lint_subject *s, int32_t index) {
    const lint_node *node = &s->nodes[index], *parent = node->parent >= 0 ? &s->nodes[node->parent] : NULL;
    if (!node->chain) return;
    const char *location = lint_location(s, "nodes[%d]", (int)index);
    if (is_mirrored(node) && !(parent && is_mirrored(parent))) {
        lint_add(s, LINT_JOINT_MIRRORED, 0, location, "%s mirrors everything below it", lint_node_label(s, index));
    }
    double shear = shear_of(node);
    if (shear > SHEAR_COSINE && !(parent && shear_of(parent) > SHEAR_COSINE)) {
        lint_add(s, LINT_JOINT_SHEAR, 0, location, "the axes of %s are %.1f degrees apart instead of 90",
                 lint_node_label(s, index), 90.0 - asin(fmin(1.0, shear)) * degrees);
    }
}

static void check_scale_keys(lint_subject *s, const lint_sampler *sampler) {
    if (sampler->node < 0 || sampler->path != SINEW_TARGET_SCALE || !s->nodes[sampler->node].chain) return;
    for (int32_t k = 0; k < sampler->key_count; k++) {
        const double *scale = lint_key(sampler, k), *rest = s->nodes[sampler->node].rest[SINEW_TARGET_SCALE];
        if (!(scale[0] * scale[1] * scale[2] < 0.0) || rest[0] * rest[1] * rest[2] < 0.0) continue;
        lint_add(s, LINT_JOINT_MIRRORED, 0,
                 lint_location(s, "animations[%d].samplers[%d].output: key %d", (int)sampler->animation,
                               (int)sampler->index, (int)k),
                 "scales %s by %.3g %.3g %.3g", lint_node_label(s, sampler->node), scale[0], scale[1], scale[2]);
        return;
    }
}

// ---- The rules -----------------------------------------------------------------------------------------------------

void lint_check_skins(lint_subject *s) {
    skin_users w;
    if (!begin_skin_users(s, &w)) return;
    for (int32_t i = 0; i < s->document->skins.count; i++) {
        skin k = read_skin(s, &w, i);
        if (s->out_of_memory) return;
        check_roots(s, &k);
        check_unused(s, &k);
        if (!k.binds) {
            lint_add(s, LINT_INVERSE_BINDS_MISSING, 0, skin_place(s, &k, ""), "%d joints, no inverseBindMatrices",
                     (int)k.joint_count);
            continue;
        }
        check_row(s, &k);
        check_rest(s, &k);
    }
    for (int32_t i = 0; i < s->node_count; i++) check_node(s, i);
    for (int32_t i = 0; i < s->animation_count; i++) {
        for (int32_t k = 0; k < s->animations[i].sampler_count; k++) {
            check_scale_keys(s, &s->animations[i].samplers[k]);
        }
    }
}

void lint_check_short_binds(lint_subject *s) {
    ref_document *document = s->document;
    for (int32_t i = 0; i < document->skins.count; i++) {
        sinewi_json_value value = document->skins.values[i];
        ref_accessor binds;
        int32_t accessor = lint_index(document, value, "inverseBindMatrices", document->accessors.count);
        int32_t joints = ref_elements(document, value, "joints").count;
        if (accessor < 0 || !ref_read_accessor(document, accessor, &binds) || binds.count >= joints) continue;
        lint_add(s, LINT_INVERSE_BINDS_SHORT, 0, lint_location(s, "skins[%d].inverseBindMatrices", (int)i),
                 "%d matrices for %d joints", (int)binds.count, (int)joints);
    }
}
