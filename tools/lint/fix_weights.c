// Weights: made to sum to 1 as the importer makes them. A weightless vertex follows the skin's first joint.
#include "lint/fix.h"
#include "lint/weights.h"

#include <math.h>

// What is known of an accessor of weights.
typedef struct weights_use {
    bool seen;
    bool shared;       // with other vertices' sets: its sums are not one thing
    int32_t beside[2]; // the sets that it stands in, -1 for a second set that is not there
    int32_t joints;    // the accessor of the joints that it weighs
    bool other_joints; // it weighs those of another accessor, too
    bool done;
    int32_t target; // what refers to it is to refer to now
} weights_use;

static void note_set(weights_use *use, const lint_influences *in, int32_t set) {
    int32_t second = in->sets > 1 ? in->accessors[1] : -1;
    if (use->seen && (use->beside[0] != in->accessors[0] || use->beside[1] != second)) use->shared = true;
    if (use->seen && use->joints != in->joint_accessors[set]) use->other_joints = true;
    use->joints = in->joint_accessors[set];
    use->seen = true;
    use->beside[0] = in->accessors[0];
    use->beside[1] = second;
}

// Integers cannot say it exactly, and of more than two sets the importer reads two.
static bool may_normalize(const weights_use *uses, const lint_influences *in) {
    if (in->sets == 0 || in->sets > 2 || in->component_type != 5126) return false;
    for (int32_t set = 0; set < in->sets; set++) {
        if (uses[in->accessors[set]].shared) return false;
    }
    return in->sets == 1 || in->accessors[0] != in->accessors[1];
}

// How many vertices of a primitive have which fault.
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

// The influence of a vertex that is the skin's first joint, or -1. Joints are not rewritten, so a weightless vertex
// without such an influence gets weights of 0, which the importer reads the same.
static int32_t first_joint_of(const weights_use *use, const lint_influences *in, int32_t vertex) {
    for (int32_t i = 0; !use->other_joints && i < 4 * in->sets; i++) {
        if (in->joints[i / 4][4 * (size_t)vertex + (size_t)(i % 4)] == 0.0) return i;
    }
    return -1;
}

// Negative weights become 0, the rest is divided by its sum.
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
    f->mended->of_rule[LINT_WEIGHTS_NOT_FINITE] += found.not_finite > 0;
    f->mended->of_rule[LINT_WEIGHTS_SUM] += found.sums > 0;
}

static void fix_primitive(fixer *f, sinew_json_value primitive, weights_use *uses) {
    static const char *const names[] = {"WEIGHTS_0", "WEIGHTS_1"};
    lint_influences in = lint_read_influences(f->s, primitive);
    if (!may_normalize(uses, &in)) return;
    sinew_json_value attributes = sinew_json_get(&f->s->document->json, primitive, "attributes");
    for (int32_t set = 0; set < in.sets; set++) {
        weights_use *use = &uses[in.accessors[set]];
        if (!use->done) {
            use->done = true;
            use->target = in.accessors[set];
            fix_set(f, &in, set, use);
        }
        fix_retarget(f, sinew_json_get(&f->s->document->json, attributes, names[set]), use->target);
    }
}

void fix_weights(fixer *f) {
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
