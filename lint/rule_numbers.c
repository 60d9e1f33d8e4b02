// What may be wrong in a file that the library refuses: numbers that are none, too few inverse binds.
#include "lint/subject.h"

#include <math.h>

// Where an accessor is used first, for people who do not know it by its number.
static const char *use_of(lint_subject *s, int32_t accessor) {
    for (int32_t i = 0; i < s->reference_count; i++) {
        const lint_reference *reference = &s->references[i];
        if (reference->kind != LINT_ACCESSOR || reference->target != accessor) continue;
        char place[192];
        sinew_json_place(&s->document->json, reference->value, place, sizeof place);
        return lint_place(s, ", which %s refers to", place);
    }
    return "";
}

static void check_accessor(lint_subject *s, int32_t index) {
    ref_accessor accessor;
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
             use_of(s, index));
}

void lint_check_finite(lint_subject *s) {
    const sinew_json *json = &s->document->json;
    for (int32_t i = 0; i < s->document->accessors.count; i++) check_accessor(s, i);
    for (sinew_json_value v = 0; v < json->node_count; v++) {
        if (json->nodes[v].kind != SINEW_JSON_NUMBER || isfinite(sinew_json_number(json, v))) continue;
        char place[192];
        sinew_json_place(json, v, place, sizeof place);
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
