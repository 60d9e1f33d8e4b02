// What may be wrong in a file that the library refuses: numbers that are none, too few inverse binds.
#include "lint/weights.h"

#include <math.h>

#define VERTEX_WEIGHTS (-1)

// For each accessor the first reference to it, plus 1.
static int32_t *find_uses(lint_subject *s) {
    int32_t *uses = lint_array(s, int32_t, s->document->accessors.count);
    for (int32_t i = s->reference_count - 1; uses && i >= 0; i--) {
        if (s->references[i].kind == LINT_ACCESSOR) uses[s->references[i].target] = i + 1;
    }
    return uses;
}

// Where an accessor is used, for people who do not know it by its number.
static const char *describe_use(lint_subject *s, int32_t use) {
    if (use == 0) return "";
    char place[192];
    sinew_json_location(&s->document->json, s->references[use - 1].value, place, sizeof place);
    return lint_place(s, ", which %s refers to", place);
}

// Marks the accessors of vertex weights, which have a rule of their own.
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
    sinew_json_value value = document->accessors.values[accessor];
    return sinew_json_get(&document->json, value, "bufferView") == SINEW_JSON_ABSENT &&
           sinew_json_get(&document->json, value, "sparse") == SINEW_JSON_ABSENT;
}

// Zeros are not read: a few bytes of JSON may stand for gigabytes of them.
static void check_accessor(lint_subject *s, int32_t index, int32_t use) {
    ref_accessor accessor;
    if (is_zeros(s->document, index)) return;
    if (!ref_read_accessor(s->document, index, &accessor) || accessor.component_type != 5126) return;
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
    lint_add(s, LINT_NOT_FINITE, 0, lint_place(s, "accessors[%d]: element %d", (int)index, (int)first),
             "infinite, or not a number; %d of %d elements are so%s", (int)count, (int)accessor.count,
             describe_use(s, use));
}

void lint_check_finite(lint_subject *s) {
    const sinew_json *json = &s->document->json;
    int32_t *uses = find_uses(s);
    if (!uses) return;
    mark_weights(s, uses);
    for (int32_t i = 0; i < s->document->accessors.count; i++) {
        if (uses[i] != VERTEX_WEIGHTS) check_accessor(s, i, uses[i]);
    }
    for (sinew_json_value v = 0; v < json->node_count; v++) {
        if (json->nodes[v].kind != SINEW_JSON_NUMBER || isfinite(sinew_json_number(json, v))) continue;
        char place[192];
        sinew_json_location(json, v, place, sizeof place);
        lint_add(s, LINT_NOT_FINITE, 0, lint_place(s, "%s", place), "too large for a number");
    }
}

void lint_check_short_binds(lint_subject *s) {
    ref_document *document = s->document;
    for (int32_t i = 0; i < document->skins.count; i++) {
        sinew_json_value skin = document->skins.values[i];
        ref_accessor binds;
        int32_t accessor = lint_index(document, skin, "inverseBindMatrices", document->accessors.count);
        int32_t joints = ref_elements(document, skin, "joints").count;
        if (accessor < 0 || !ref_read_accessor(document, accessor, &binds) || binds.count >= joints) continue;
        lint_add(s, LINT_INVERSE_BINDS_SHORT, 0, lint_place(s, "skins[%d].inverseBindMatrices", (int)i),
                 "%d matrices for %d joints", (int)binds.count, (int)joints);
    }
}
