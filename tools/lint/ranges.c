// SPDX-License-Identifier: MIT
// Finds the used bytes of buffer views: images, and accessors' elements (with the bytes between interleaved ones).
#include "lint/ranges.h"

#include "lint/keys.h"

#include <stdlib.h>
#include <string.h>

bool lint_is_plain(const ref_document *document, sinewi_json_value value) {
    const sinewi_json *json = &document->json;
    return sinewi_json_get(json, value, "extras") == SINEWI_JSON_ABSENT &&
           sinewi_json_get(json, value, "extensions") == SINEWI_JSON_ABSENT;
}

bool *lint_find_live(lint_subject *s) {
    ref_document *document = s->document;
    bool *live = lint_array(s, bool, document->accessors.count);
    if (!live) return NULL;
    for (int32_t i = 0; i < document->accessors.count; i++) {
        live[i] = s->opaque || !lint_is_plain(document, document->accessors.values[i]);
    }
    for (int32_t i = 0; i < s->reference_count; i++) {
        if (s->references[i].kind == LINT_ACCESSOR) live[s->references[i].target] = true;
    }
    return live;
}

// ---- Sizes ---------------------------------------------------------------------------------------------------------

// Returns an element's size in bytes. Matrix columns start at multiples of 4 (section 3.6.2.4).
static size_t element_size(ref_document *document, sinewi_json_value accessor) {
    static const struct {
        const char *name;
        size_t columns, rows;
    } types[] = {{"SCALAR", 1, 1}, {"VEC2", 1, 2}, {"VEC3", 1, 3}, {"VEC4", 1, 4},
                 {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};
    size_t component = lint_component_size(ref_index(document, accessor, "componentType"));
    sinewi_json_value type = sinewi_json_get(&document->json, accessor, "type");
    if (sinewi_json_kind_of(&document->json, type) != SINEWI_JSON_STRING) return 0;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (!sinewi_json_equals(&document->json, type, types[i].name)) continue;
        size_t column = component * types[i].rows;
        if (types[i].columns > 1) column = (column + 3) / 4 * 4;
        return column * types[i].columns;
    }
    return 0;
}

static size_t size_member(ref_document *document, sinewi_json_value object, const char *key) {
    double number = ref_number(document, object, key, 0.0);
    return number > 0.0 && number < 0x1p53 ? (size_t)number : 0;
}

size_t lint_accessor_size(ref_document *document, int32_t accessor) {
    sinewi_json_value value = document->accessors.values[accessor];
    if (sinewi_json_get(&document->json, value, "bufferView") == SINEWI_JSON_ABSENT) return 0;
    return size_member(document, value, "count") * element_size(document, value);
}

// ---- Ranges --------------------------------------------------------------------------------------------------------

static void add_range(lint_view_use *use, size_t limit, size_t start, size_t size) {
    if (start >= limit || size == 0) return;
    use->used = true;
    use->ranges[use->count++] = (lint_range){start, size > limit - start ? limit : start + size};
}

static void add_accessor(lint_subject *s, lint_view_use *uses, int32_t view, sinewi_json_value accessor) {
    ref_document *document = s->document;
    size_t size = element_size(document, accessor);
    size_t stride = document->view_strides[view] > 0 ? (size_t)document->view_strides[view] : 0;
    size_t count = size_member(document, accessor, "count"), limit = document->view_bytes[view].size;
    if (stride == 0) stride = size;
    if (limit == 0 && count > 0) uses[view].used = uses[view].whole = true; // its bytes couldn't be read
    if (limit == 0 || count == 0 || stride == 0 || count > limit) return;
    const size_t offset = size_member(document, accessor, "byteOffset");
    // Use whole strides if the view has them, because three.js needs the bytes after the last element.
    const size_t before = stride > size ? offset % stride : 0;
    add_range(&uses[view], limit, offset - before, (count - 1) * stride + (stride > size ? stride : size));
}

// Adds the range of a sparse accessor's indices or values.
static void add_sparse(lint_subject *s, lint_view_use *uses, sinewi_json_value accessor, const char *key) {
    ref_document *document = s->document;
    sinewi_json_value sparse = sinewi_json_get(&document->json, accessor, "sparse");
    sinewi_json_value part = sinewi_json_get(&document->json, sparse, key);
    int32_t view = lint_index(document, part, "bufferView", document->views.count);
    if (view < 0) return;
    size_t size = strcmp(key, "indices") == 0 ? lint_component_size(ref_index(document, part, "componentType"))
                                              : element_size(document, accessor);
    size_t count = size_member(document, sparse, "count"), limit = document->view_bytes[view].size;
    if (count > limit) return;
    add_range(&uses[view], limit, size_member(document, part, "byteOffset"), count * size);
}

static int compare_ranges(const void *a, const void *b) {
    size_t x = ((const lint_range *)a)->start, y = ((const lint_range *)b)->start;
    return (x > y) - (x < y);
}

int32_t lint_merge_ranges(lint_range *ranges, int32_t count) {
    if (count == 0) return 0;
    qsort(ranges, (size_t)count, sizeof *ranges, compare_ranges);
    int32_t last = 0;
    for (int32_t i = 1; i < count; i++) {
        lint_range next = ranges[i], *before = &ranges[last];
        if (next.start > before->end) {
            ranges[++last] = next;
        } else if (next.end > before->end) {
            before->end = next.end;
        }
    }
    return last + 1;
}

// Marks views that are used as a whole: those with images or other direct references, and compressed ones.
static void mark_whole(lint_subject *s, lint_view_use *uses) {
    ref_document *document = s->document;
    for (int32_t i = 0; i < s->reference_count; i++) {
        const lint_reference *reference = &s->references[i];
        if (reference->kind != LINT_VIEW || reference->from == LINT_ACCESSOR) continue;
        uses[reference->target].used = uses[reference->target].whole = true;
    }
    for (int32_t i = 0; i < document->views.count; i++) {
        sinewi_json_value view = document->views.values[i];
        bool compressed = lint_meshopt(document, view) != SINEWI_JSON_ABSENT;
        bool kept = s->opaque || (!compressed && !lint_is_plain(document, view));
        uses[i].whole |= compressed || kept;
        uses[i].used |= kept;
    }
}

lint_view_use *lint_find_ranges(lint_subject *s, const bool *live) {
    ref_document *document = s->document;
    int32_t views = document->views.count;
    lint_view_use *uses = lint_array(s, lint_view_use, views);
    if (!uses) return NULL;
    for (int32_t i = 0; i < s->reference_count; i++) {
        const lint_reference *reference = &s->references[i];
        if (reference->kind == LINT_VIEW && reference->from == LINT_ACCESSOR) uses[reference->target].count++;
    }
    for (int32_t i = 0; i < views; i++) {
        uses[i].ranges = lint_array(s, lint_range, uses[i].count);
        uses[i].count = 0;
    }
    if (s->out_of_memory) return NULL;
    mark_whole(s, uses);
    for (int32_t i = 0; i < document->accessors.count; i++) {
        if (!live[i]) continue;
        sinewi_json_value accessor = document->accessors.values[i];
        int32_t view = lint_index(document, accessor, "bufferView", views);
        if (view >= 0) add_accessor(s, uses, view, accessor);
        add_sparse(s, uses, accessor, "indices");
        add_sparse(s, uses, accessor, "values");
    }
    for (int32_t i = 0; i < views; i++) uses[i].count = lint_merge_ranges(uses[i].ranges, uses[i].count);
    return uses;
}
