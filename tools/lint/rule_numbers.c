// SPDX-License-Identifier: MIT
// Numbers: accessors that aren't finite, and vertex weights that aren't finite, don't sum to 1 or hardly matter.
#include "lint/keys.h"
#include "lint/weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The importer's tolerance for sums of float weights.
#define SUM_TOLERANCE 1e-4

// A vertex's weights other than its four largest are small if their sum is at most this.
#define SMALL_WEIGHTS 0.01

// ---- Reading -------------------------------------------------------------------------------------------------------

static bool read_set(lint_subject *s, sinewi_json_value attributes, const char *name, int set, int32_t *accessor,
                     ref_accessor *out) {
    char key[32];
    snprintf(key, sizeof key, "%s_%d", name, set);
    *accessor = lint_index(s->document, attributes, key, s->document->accessors.count);
    return *accessor >= 0 && ref_read_accessor(s->document, *accessor, out) && out->components == 4;
}

bool lint_is_compressed(const lint_subject *s, sinewi_json_value primitive) {
    return lint_extension(s->document, primitive, "KHR_draco_mesh_compression") != SINEWI_JSON_ABSENT;
}

lint_influences lint_read_influences(lint_subject *s, sinewi_json_value primitive) {
    lint_influences in = {.sets = 0};
    if (lint_is_compressed(s, primitive)) return in;
    sinewi_json_value attributes = sinewi_json_get(&s->document->json, primitive, "attributes");
    for (int set = 0; set < LINT_MAX_SETS; set++) {
        ref_accessor joints, weights;
        if (!read_set(s, attributes, "JOINTS", set, &in.joint_accessors[set], &joints)) break;
        if (!read_set(s, attributes, "WEIGHTS", set, &in.accessors[set], &weights)) break;
        if (joints.count != weights.count || (set > 0 && joints.count != in.vertex_count)) break;
        in.joints[set] = joints.values;
        in.weights[set] = weights.values;
        in.vertex_count = joints.count;
        if (set == 0) in.component_type = weights.component_type;
        in.sets = set + 1;
    }
    return in;
}

double lint_weight(const lint_influences *in, int32_t vertex, int32_t i) {
    return in->weights[i / 4][4 * (size_t)vertex + (size_t)(i % 4)];
}

bool lint_weights_finite(const lint_influences *in, int32_t vertex) {
    for (int32_t i = 0; i < 4 * in->sets; i++) {
        if (!isfinite(lint_weight(in, vertex, i))) return false;
    }
    return true;
}

double lint_weight_sum(const lint_influences *in, int32_t vertex) {
    double sum = 0.0;
    if (!lint_weights_finite(in, vertex)) return 0.0;
    for (int32_t i = 0; i < 4 * in->sets; i++) sum += fmax(0.0, lint_weight(in, vertex, i));
    return sum;
}

// Returns the tolerance for a vertex's sum. Integers are off by half a step per weight.
static double tolerance_of(const lint_influences *in) {
    double step = in->component_type == REF_U8 ? 1.0 / 255.0 : in->component_type == REF_U16 ? 1.0 / 65535.0 : 0.0;
    return fmax(SUM_TOLERANCE, 2.01 * step * in->sets);
}

bool lint_weights_good(const lint_influences *in, int32_t vertex) {
    for (int32_t i = 0; i < 4 * in->sets; i++) {
        if (lint_weight(in, vertex, i) < 0.0) return false;
    }
    return fabs(lint_weight_sum(in, vertex) - 1.0) <= tolerance_of(in);
}

// ---- All accessors --------------------------------------------------------------------------------------------------

#define VERTEX_WEIGHTS (-1)

// Returns, for each accessor, 1 + the index of the first reference to it.
static int32_t *find_uses(lint_subject *s) {
    int32_t *uses = lint_array(s, int32_t, s->document->accessors.count);
    for (int32_t i = s->reference_count - 1; uses && i >= 0; i--) {
        if (s->references[i].kind == LINT_ACCESSOR) uses[s->references[i].target] = i + 1;
    }
    return uses;
}

// Describes how an accessor is used, for a message.
static const char *describe_use(lint_subject *s, int32_t use) {
    if (use == 0) return "";
    char location[192];
    sinewi_json_location(&s->document->json, s->references[use - 1].value, location, sizeof location);
    return lint_location(s, ", which %s refers to", location);
}

// Marks the accessors with vertex weights, because another rule checks them.
static void mark_weights(lint_subject *s, int32_t *uses) {
    ref_document *document = s->document;
    for (int32_t i = 0; i < document->meshes.count; i++) {
        ref_list primitives = ref_elements(document, document->meshes.values[i], "primitives");
        for (int32_t p = 0; p < primitives.count; p++) {
            lint_influences in = lint_read_influences(s, primitives.values[p]);
            for (int32_t set = 0; set < in.sets; set++) uses[in.accessors[set]] = VERTEX_WEIGHTS;
        }
    }
}

static bool is_zeros(const ref_document *document, int32_t accessor) {
    sinewi_json_value value = document->accessors.values[accessor];
    return sinewi_json_get(&document->json, value, "bufferView") == SINEWI_JSON_ABSENT &&
           sinewi_json_get(&document->json, value, "sparse") == SINEWI_JSON_ABSENT;
}

// Doesn't read zeros: a few bytes of JSON may stand for gigabytes of them.
static void check_accessor(lint_subject *s, int32_t index, int32_t use) {
    ref_accessor accessor;
    if (is_zeros(s->document, index)) return;
    if (!ref_read_accessor(s->document, index, &accessor) || accessor.component_type != REF_F32) return;
    int32_t first = -1, count = 0;
    for (int32_t i = 0; i < accessor.count; i++) {
        bool finite = true;
        for (int32_t k = 0; k < accessor.components; k++) {
            finite &= isfinite(accessor.values[(size_t)i * (size_t)accessor.components + (size_t)k]) != 0;
        }
        if (finite) continue;
        if (first < 0) first = i;
        count++;
    }
    if (first < 0) return;
    lint_add(s, LINT_NOT_FINITE, 0, lint_location(s, "accessors[%d]: element %d", (int)index, (int)first),
             "not finite; %d of %d elements are not finite%s", (int)count, (int)accessor.count,
             describe_use(s, use));
}

void lint_check_finite(lint_subject *s) {
    const sinewi_json *json = &s->document->json;
    int32_t *uses = find_uses(s);
    if (!uses) return;
    mark_weights(s, uses);
    for (int32_t i = 0; i < s->document->accessors.count; i++) {
        if (uses[i] != VERTEX_WEIGHTS) check_accessor(s, i, uses[i]);
    }
    for (sinewi_json_value v = 0; v < json->node_count; v++) {
        if (json->nodes[v].kind != SINEWI_JSON_NUMBER || isfinite(sinewi_json_number(json, v))) continue;
        char location[192];
        sinewi_json_location(json, v, location, sizeof location);
        lint_add(s, LINT_NOT_FINITE, 0, lint_location(s, "%s", location), "the number is too large for a double");
    }
}

// ---- Vertex weights -------------------------------------------------------------------------------------------------

static void check_finite(lint_subject *s, const lint_influences *in, const char *location) {
    int32_t count = 0, first = 0;
    for (int32_t v = 0; v < in->vertex_count; v++) {
        if (lint_weights_finite(in, v)) continue;
        if (count == 0) first = v;
        count++;
    }
    if (count == 0) return;
    lint_add(s, LINT_WEIGHTS_NOT_FINITE, 0, lint_location(s, "%s.WEIGHTS_0: vertex %d", location, (int)first),
             "a weight is infinite or NaN; %d of %d vertices have such weights", (int)count, (int)in->vertex_count);
}

static void check_sums(lint_subject *s, const lint_influences *in, const char *location) {
    int32_t count = 0, worst_vertex = 0, without = 0;
    double worst = -1.0;
    for (int32_t v = 0; v < in->vertex_count; v++) {
        if (lint_weights_good(in, v) || !lint_weights_finite(in, v)) continue;
        double sum = lint_weight_sum(in, v), off = fabs(sum - 1.0);
        without += sum == 0.0;
        count++;
        if (off <= worst) continue;
        worst = off;
        worst_vertex = v;
    }
    if (count == 0) return;
    char rest[64] = "";
    if (without > 0) snprintf(rest, sizeof rest, ", %d have no weights", (int)without);
    lint_add(s, LINT_WEIGHTS_SUM, 0, lint_location(s, "%s.WEIGHTS_0: vertex %d", location, (int)worst_vertex),
             "the weights sum to %.4g; %d of %d vertices do not sum to 1%s", lint_weight_sum(in, worst_vertex),
             (int)count, (int)in->vertex_count, rest);
}

// Returns the sum of a vertex's weights without the four largest.
static double small_part(const lint_influences *in, int32_t vertex) {
    double largest[4] = {0.0, 0.0, 0.0, 0.0};
    for (int32_t i = 0; i < 4 * in->sets; i++) {
        double weight = lint_weight(in, vertex, i);
        for (int k = 0; k < 4; k++) {
            if (weight <= largest[k]) continue;
            double smaller = largest[k];
            largest[k] = weight;
            weight = smaller;
        }
    }
    return lint_weight_sum(in, vertex) - largest[0] - largest[1] - largest[2] - largest[3];
}

static void check_small(lint_subject *s, const lint_influences *in, const char *location) {
    double largest = 0.0;
    for (int32_t v = 0; in->sets > 1 && v < in->vertex_count; v++) {
        largest = fmax(largest, small_part(in, v));
        if (largest > SMALL_WEIGHTS) return;
    }
    if (in->sets < 2 || in->vertex_count == 0) return;
    size_t step = 4 * lint_component_size(in->component_type);
    lint_add(s, LINT_INFLUENCES_SMALL, (size_t)in->vertex_count * (size_t)(in->sets - 1) * (step + 4),
             lint_location(s, "%s.WEIGHTS_1", location),
             "all but the four largest weights sum to at most %.2g in %d vertices", largest, (int)in->vertex_count);
}

void lint_check_weights(lint_subject *s) {
    ref_document *document = s->document;
    bool *visited = lint_array(s, bool, document->accessors.count);
    for (int32_t i = 0; visited && i < document->meshes.count; i++) {
        ref_list primitives = ref_elements(document, document->meshes.values[i], "primitives");
        for (int32_t p = 0; p < primitives.count; p++) {
            lint_influences in = lint_read_influences(s, primitives.values[p]);
            if (in.sets == 0 || visited[in.accessors[0]])
                continue; // already checked; primitives often share vertices
            visited[in.accessors[0]] = true;
            const char *location = lint_location(s, "meshes[%d].primitives[%d].attributes", (int)i, (int)p);
            check_finite(s, &in, location);
            check_sums(s, &in, location);
            check_small(s, &in, location);
        }
    }
}
