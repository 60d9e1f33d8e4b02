// SPDX-License-Identifier: MIT
// Fixes a file: first tracks, then nodes, then weights. Finally packs everything into one buffer.
//
// Weights are normalized like in the importer: a weightless vertex gets weight 1 for the skin's first joint.
#include "lint/fix.h"
#include "lint/weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// ---- Nodes ---------------------------------------------------------------------------------------------------------

static void fix_nodes(fixer *f) {
    for (int32_t i = 0; i < f->s->node_count; i++) {
        const lint_node *node = &f->s->nodes[i];
        const double *q = node->rest[SINEW_TARGET_ROTATION];
        double length = sqrt(lint_dot4(q, q));
        if (lint_is_unit(length, REF_F32) || length == 0.0) continue;
        sinewi_json_value value = sinewi_json_get(&f->s->document->json, node->value, "rotation");
        lint_replace(&f->edits, value, "[%.9g,%.9g,%.9g,%.9g]", q[0] / length, q[1] / length, q[2] / length,
                     q[3] / length);
        f->fixed->of_rule[LINT_ROTATION_NOT_UNIT]++;
    }
}

// ---- Vertex weights -------------------------------------------------------------------------------------------------

// How a weights accessor is used.
typedef struct weights_use {
    bool used;
    bool shared;       // used in different pairs of sets, so its vertices have different sums
    int32_t sets[2];   // accessors of the sets that it's used in; -1 if there's no second one
    int32_t joints;    // accessor of its joints
    bool other_joints; // also used with another joints accessor
    bool done;
    int32_t target; // where references to it will point
} weights_use;

static void note_set(weights_use *use, const lint_influences *in, int32_t set) {
    int32_t second = in->sets > 1 ? in->accessors[1] : -1;
    if (use->used && (use->sets[0] != in->accessors[0] || use->sets[1] != second)) use->shared = true;
    if (use->used && use->joints != in->joint_accessors[set]) use->other_joints = true;
    use->joints = in->joint_accessors[set];
    use->used = true;
    use->sets[0] = in->accessors[0];
    use->sets[1] = second;
}

// Returns whether to fix weights. They must be floats, because integers can't be exact, and in at most two sets,
// because the importer doesn't read more.
static bool may_normalize(const weights_use *uses, const lint_influences *in) {
    if (in->sets == 0 || in->sets > 2 || in->component_type != REF_F32) return false;
    for (int32_t set = 0; set < in->sets; set++) {
        if (uses[in->accessors[set]].shared) return false;
    }
    return in->sets == 1 || in->accessors[0] != in->accessors[1];
}

// How many of a primitive's vertices are faulty.
typedef struct weight_faults {
    int32_t not_finite, sums;
} weight_faults;

static weight_faults count_faults(const lint_influences *in) {
    weight_faults found = {0};
    for (int32_t v = 0; v < in->vertex_count; v++) {
        bool finite = lint_weights_finite(in, v);
        found.not_finite += !finite;
        found.sums += finite && !lint_weights_good(in, v);
    }
    return found;
}

// Returns the vertex's influence that is the skin's first joint, or -1. Joints aren't rewritten. Without such an
// influence, a weightless vertex gets weights of 0, which the importer treats the same way.
static int32_t first_joint_of(const weights_use *use, const lint_influences *in, int32_t vertex) {
    for (int32_t i = 0; !use->other_joints && i < 4 * in->sets; i++) {
        if (in->joints[i / 4][4 * (size_t)vertex + (size_t)(i % 4)] == 0.0) return i;
    }
    return -1;
}

// Normalizes one set of weights: negative weights become 0, and the rest are divided by their sum.
static void normalize_set(const weights_use *use, const lint_influences *in, int32_t set, double *out) {
    for (int32_t v = 0; v < in->vertex_count; v++) {
        double sum = lint_weight_sum(in, v), *to = out + 4 * (size_t)v;
        bool good = lint_weights_good(in, v);
        int32_t only = sum == 0.0 ? first_joint_of(use, in, v) : -1;
        for (int32_t k = 0; k < 4; k++) {
            double weight = lint_weight(in, v, 4 * set + k);
            to[k] = good ? weight : sum == 0.0 ? (double)(only == 4 * set + k) : fmax(0.0, weight) / sum;
        }
    }
}

static void fix_set(fixer *f, const lint_influences *in, int32_t set, weights_use *use) {
    weight_faults found = count_faults(in);
    if (found.not_finite + found.sums == 0) return;
    double *weights = lint_array(f->s, double, 4 * (size_t)in->vertex_count);
    if (!weights) return;
    normalize_set(use, in, set, weights);
    use->target = fix_content_of(f, in->accessors[set], false, true, in->vertex_count, weights);
    if (set > 0) return;
    f->fixed->of_rule[LINT_WEIGHTS_NOT_FINITE] += found.not_finite > 0;
    f->fixed->of_rule[LINT_WEIGHTS_SUM] += found.sums > 0;
}

static void fix_primitive(fixer *f, sinewi_json_value primitive, weights_use *uses) {
    static const char *const names[] = {"WEIGHTS_0", "WEIGHTS_1"};
    lint_influences in = lint_read_influences(f->s, primitive);
    if (in.sets > 2 || !may_normalize(uses, &in)) return;
    sinewi_json_value attributes = sinewi_json_get(&f->s->document->json, primitive, "attributes");
    for (int32_t set = 0; set < in.sets; set++) {
        weights_use *use = &uses[in.accessors[set]];
        if (!use->done) {
            use->done = true;
            use->target = in.accessors[set];
            fix_set(f, &in, set, use);
        }
        fix_retarget(f, sinewi_json_get(&f->s->document->json, attributes, names[set]), use->target);
    }
}

static void fix_weights(fixer *f) {
    ref_document *document = f->s->document;
    weights_use *uses = lint_array(f->s, weights_use, document->accessors.count);
    for (int pass = 0; uses && pass < 2; pass++) {
        for (int32_t i = 0; i < document->meshes.count; i++) {
            ref_list primitives = ref_elements(document, document->meshes.values[i], "primitives");
            for (int32_t p = 0; p < primitives.count; p++) {
                if (pass == 1) {
                    fix_primitive(f, primitives.values[p], uses);
                    continue;
                }
                lint_influences in = lint_read_influences(f->s, primitives.values[p]);
                for (int32_t set = 0; set < in.sets; set++) note_set(&uses[in.accessors[set]], &in, set);
            }
        }
    }
}

// ---- Files ---------------------------------------------------------------------------------------------------------

static void fix_all(fixer *f) {
    fix_find_first(f);
    if (f->s->out_of_memory) return;
    fix_tracks(f);
    fix_nodes(f);
    fix_weights(f);
}

static size_t file_size(const ref_document *document, const char *path) {
    struct stat status;
    size_t size = stat(path, &status) == 0 ? (size_t)status.st_size : 0;
    for (int32_t i = 0; i < document->buffers.count; i++) {
        sinewi_json_value uri = sinewi_json_get(&document->json, document->buffers.values[i], "uri");
        if (sinewi_json_kind_of(&document->json, uri) != SINEWI_JSON_STRING) continue;
        size_t length;
        const char *text = sinewi_json_raw_string(&document->json, uri, &length);
        bool inside = text && length >= 5 && memcmp(text, "data:", 5) == 0;
        if (!inside) size += document->buffer_bytes[i].size;
    }
    return size;
}

// What to do before packing the file.
typedef struct changes {
    bool fixes;
    const lint_left_out *left_out; // may be NULL
} changes;

static void empty_animations(fixer *f, const bool *emptied) {
    const sinewi_json *json = &f->s->document->json;
    for (int32_t i = 0; i < f->s->animation_count; i++) {
        const lint_animation *animation = &f->s->animations[i];
        if (!emptied[i]) continue;
        for (int32_t k = 0; k < animation->sampler_count; k++) {
            fix_retarget(f, sinewi_json_get(json, animation->samplers[k].value, "input"), -1);
            fix_retarget(f, sinewi_json_get(json, animation->samplers[k].value, "output"), -1);
        }
        lint_replace(&f->edits, sinewi_json_get(json, animation->value, "samplers"), "[]");
        lint_replace(&f->edits, sinewi_json_get(json, animation->value, "channels"), "[]");
    }
}

static void remove_members(fixer *f, const bool *members) {
    for (sinewi_json_value key = 0; members && key < f->s->document->json.node_count; key++) {
        if (!members[key]) continue;
        fix_retarget(f, key + 1, -1);
        lint_remove_element(&f->edits, key);
    }
}

static bool fix_document(lint_fixed *fixed, ref_document *document, const char *path, const changes *wanted) {
    lint_subject s;
    fixer f = {.s = &s, .fixed = fixed, .path = path};
    if (wanted->left_out) f.unstored = wanted->left_out->accessors;
    fixed->size_before = file_size(document, path);
    ref_budget_share(document, &fixed->arena);
    bool good = lint_read_subject(&s, document, &fixed->arena, NULL);
    f.edits = lint_edits_begin(&document->json, &fixed->arena);
    fixed->kept_for = s.opaque;
    good = good && !f.edits.failed && fix_list_references(&f);
    if (good && wanted->fixes) fix_all(&f);
    if (good && wanted->left_out) {
        empty_animations(&f, wanted->left_out->animations);
        remove_members(&f, wanted->left_out->members);
    }
    good = good && !s.out_of_memory && fix_pack(&f);
    if (!fixed->error[0] && !ref_within_budget(document)) {
        snprintf(fixed->error, sizeof fixed->error, "%.80s: %.400s", path, document->error);
        return false;
    }
    if (!good && !fixed->error[0]) snprintf(fixed->error, sizeof fixed->error, "%.400s: out of memory", path);
    return good;
}

static bool rewrite(lint_fixed *fixed, const char *path, const changes *wanted, sinew_meshopt_decode decode,
                    void *decode_user) {
    memset(fixed, 0, sizeof *fixed);
    sinewi_arena_init(&fixed->arena, NULL);
    sinew_error error = {SINEW_OK, ""};
    if (lint_try_to_load(path, decode, decode_user, NULL, &error) != SINEW_OK) {
        snprintf(fixed->error, sizeof fixed->error, "%s", error.message);
        return false;
    }
    ref_document document;
    bool good = ref_open(&document, path, decode, decode_user);
    if (!good) snprintf(fixed->error, sizeof fixed->error, "%.80s: %.400s", path, document.error);
    good = good && fix_document(fixed, &document, path, wanted);
    ref_budget_end(&fixed->arena);
    ref_close(&document);
    return good;
}

bool lint_fix(lint_fixed *fixed, const char *path, sinew_meshopt_decode decode, void *decode_user) {
    return rewrite(fixed, path, &(changes){.fixes = true}, decode, decode_user);
}

bool lint_pack(lint_fixed *fixed, const char *path, sinew_meshopt_decode decode, void *decode_user) {
    return rewrite(fixed, path, &(changes){.fixes = false}, decode, decode_user);
}

bool lint_pack_without(lint_fixed *fixed, const char *path, const lint_left_out *left_out,
                       sinew_meshopt_decode decode, void *decode_user) {
    return rewrite(fixed, path, &(changes){.left_out = left_out}, decode, decode_user);
}

void lint_fixed_end(lint_fixed *fixed) {
    sinewi_arena_free(&fixed->arena);
}
