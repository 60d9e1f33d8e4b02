// Weights: made to sum to 1 as the importer makes them.
#include "lint/fix.h"
#include "lint/weights.h"

#include <math.h>

// What is known of an accessor of weights.
typedef struct weights_use {
    bool seen;
    bool shared;       // with other vertices' sets: its sums are not one thing
    int32_t beside[2]; // the sets that it stands in, -1 for a second set that is not there
    bool done;
    int32_t target; // what refers to it is to refer to now
} weights_use;

static void note_set(weights_use *use, const lint_influences *in) {
    int32_t second = in->sets > 1 ? in->accessors[1] : -1;
    if (use->seen && (use->beside[0] != in->accessors[0] || use->beside[1] != second)) use->shared = true;
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

// Negative weights become 0, the rest is divided by its sum. A vertex without weights is left as it is. False where
// nothing changed.
static bool normalize_set(const lint_influences *in, int32_t set, double *out) {
    bool changed = false;
    for (int32_t v = 0; v < in->vertex_count; v++) {
        double sum = lint_weight_sum(in, v);
        bool good = sum == 0.0 || lint_weights_good(in, v);
        for (int32_t k = 0; k < 4; k++) {
            double weight = lint_weight(in, v, 4 * set + k);
            out[4 * (size_t)v + (size_t)k] = good ? weight : fmax(0.0, weight) / sum;
        }
        changed |= !good;
    }
    return changed;
}

static void fix_primitive(fixer *f, sinew_json_value primitive, weights_use *uses) {
    static const char *const names[] = {"WEIGHTS_0", "WEIGHTS_1"};
    lint_influences in = lint_read_influences(f->s, primitive);
    if (!may_normalize(uses, &in)) return;
    sinew_json_value attributes = sinew_json_get(&f->s->document->json, primitive, "attributes");
    for (int32_t set = 0; set < in.sets; set++) {
        weights_use *use = &uses[in.accessors[set]];
        if (!use->done) {
            double *weights = lint_array(f->s, double, 4 * (size_t)in.vertex_count);
            if (!weights) return;
            use->done = true;
            use->target = in.accessors[set];
            if (normalize_set(&in, set, weights)) {
                use->target = fix_content_of(f, in.accessors[set], false, true, in.vertex_count, weights);
                f->mended->of_rule[LINT_WEIGHTS_SUM] += set == 0;
            }
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
                for (int32_t set = 0; set < in.sets; set++) note_set(&uses[in.accessors[set]], &in);
            }
        }
    }
}
