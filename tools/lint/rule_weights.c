// Vertices: weights that are not finite or do not sum to 1, influences that hardly count.
#include "lint/weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Floats: the importer's own tolerance.
#define SUM_TOLERANCE 1e-4

// All weights but a vertex's four largest may sum to this and still be called small.
#define SMALL_WEIGHTS 0.01

// ---- Reading -------------------------------------------------------------------------------------------------------

static bool read_set(lint_subject *s, sinew_json_value attributes, const char *name, int set, int32_t *accessor,
                     ref_accessor *out) {
    char key[32];
    snprintf(key, sizeof key, "%s_%d", name, set);
    *accessor = lint_index(s->document, attributes, key, s->document->accessors.count);
    return *accessor >= 0 && ref_read_accessor(s->document, *accessor, out) && out->components == 4;
}

bool lint_is_compressed(const lint_subject *s, sinew_json_value primitive) {
    return lint_extension(s->document, primitive, "KHR_draco_mesh_compression") != SINEW_JSON_ABSENT;
}

lint_influences lint_read_influences(lint_subject *s, sinew_json_value primitive) {
    lint_influences in = {.sets = 0};
    if (lint_is_compressed(s, primitive)) return in;
    sinew_json_value attributes = sinew_json_get(&s->document->json, primitive, "attributes");
    for (int set = 0; set < LINT_MOST_SETS; set++) {
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

// Integers are off by half a step for each weight.
static double tolerance_of(const lint_influences *in) {
    double step = in->component_type == 5121 ? 1.0 / 255.0 : in->component_type == 5123 ? 1.0 / 65535.0 : 0.0;
    return fmax(SUM_TOLERANCE, 2.01 * step * in->sets);
}

bool lint_weights_good(const lint_influences *in, int32_t vertex) {
    for (int32_t i = 0; i < 4 * in->sets; i++) {
        if (lint_weight(in, vertex, i) < 0.0) return false;
    }
    return fabs(lint_weight_sum(in, vertex) - 1.0) <= tolerance_of(in);
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

static void check_finite(lint_subject *s, const lint_influences *in, const char *place) {
    int32_t count = 0, first = 0;
    for (int32_t v = 0; v < in->vertex_count; v++) {
        if (lint_weights_finite(in, v)) continue;
        if (count == 0) first = v;
        count++;
    }
    if (count == 0) return;
    lint_add(s, LINT_WEIGHTS_NOT_FINITE, 0, lint_place(s, "%s.WEIGHTS_0: vertex %d", place, (int)first),
             "a weight is infinite or not a number; %d of %d vertices have such weights", (int)count,
             (int)in->vertex_count);
}

static void check_sums(lint_subject *s, const lint_influences *in, const char *place) {
    int32_t count = 0, at = 0, without = 0;
    double worst = -1.0;
    for (int32_t v = 0; v < in->vertex_count; v++) {
        if (lint_weights_good(in, v) || !lint_weights_finite(in, v)) continue;
        double sum = lint_weight_sum(in, v), off = fabs(sum - 1.0);
        without += sum == 0.0;
        count++;
        if (off <= worst) continue;
        worst = off;
        at = v;
    }
    if (count == 0) return;
    char rest[64] = "";
    if (without > 0) snprintf(rest, sizeof rest, ", %d have none at all", (int)without);
    lint_add(s, LINT_WEIGHTS_SUM, 0, lint_place(s, "%s.WEIGHTS_0: vertex %d", place, (int)at),
             "its weights sum to %.4g; %d of %d vertices are off%s", lint_weight_sum(in, at), (int)count,
             (int)in->vertex_count, rest);
}

// What a vertex's weights beyond its four largest come to.
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

static void check_small(lint_subject *s, const lint_influences *in, const char *place) {
    double most = 0.0;
    for (int32_t v = 0; in->sets > 1 && v < in->vertex_count; v++) {
        most = fmax(most, small_part(in, v));
        if (most > SMALL_WEIGHTS) return;
    }
    if (in->sets < 2 || in->vertex_count == 0) return;
    size_t step = in->component_type == 5126 ? 16 : in->component_type == 5123 ? 8 : 4;
    lint_add(s, LINT_INFLUENCES_SMALL, (size_t)in->vertex_count * (size_t)(in->sets - 1) * (step + 4),
             lint_place(s, "%s.WEIGHTS_1", place),
             "beyond the four largest, weights come to at most %.2g in any of %d vertices", most,
             (int)in->vertex_count);
}

void lint_check_weights(lint_subject *s) {
    ref_document *document = s->document;
    bool *seen = lint_array(s, bool, document->accessors.count);
    for (int32_t i = 0; seen && i < document->meshes.count; i++) {
        ref_list primitives = ref_elements(document, document->meshes.values[i], "primitives");
        for (int32_t p = 0; p < primitives.count; p++) {
            lint_influences in = lint_read_influences(s, primitives.values[p]);
            if (in.sets == 0 || seen[in.accessors[0]]) continue; // primitives often share their vertices
            seen[in.accessors[0]] = true;
            const char *place = lint_place(s, "meshes[%d].primitives[%d].attributes", (int)i, (int)p);
            check_finite(s, &in, place);
            check_sums(s, &in, place);
            check_small(s, &in, place);
        }
    }
}
