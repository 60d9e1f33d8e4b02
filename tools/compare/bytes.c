// SPDX-License-Identifier: MIT
// Counts a file's animation bytes.
#include "compare/internal.h"

#include "lint/ranges.h"
#include "lint/subject.h"

#include <stdlib.h>

// What uses an accessor or view.
typedef struct use {
    bool animation, other;
} use;

// Returns the length of a value's text. A value ends where the last of its brackets closes.
static size_t text_size(const sinewi_json *json, sinewi_json_value value) {
    const char *text = json->text;
    size_t start = (size_t)json->nodes[value].start, at = start;
    int depth = 0;
    for (bool quoted = false;; at++) {
        if (quoted) {
            if (text[at] == '\\') at++;
            quoted = text[at] != '"';
        } else if (text[at] == '"') {
            quoted = true;
        } else if (text[at] == '{' || text[at] == '[') {
            depth++;
        } else if ((text[at] == '}' || text[at] == ']') && --depth == 0) {
            return at + 1 - start;
        }
    }
}

static void note_uses(const lint_subject *s, use *accessors, use *views) {
    for (int32_t i = 0; i < s->reference_count; i++) {
        const lint_reference *r = &s->references[i];
        if (r->kind == LINT_ACCESSOR)
            *(r->from == LINT_ANIMATION ? &accessors[r->target].animation : &accessors[r->target].other) = true;
    }
    for (int32_t i = 0; i < s->reference_count; i++) {
        const lint_reference *r = &s->references[i];
        if (r->kind != LINT_VIEW) continue;
        const bool animation =
            r->from == LINT_ACCESSOR && accessors[r->from_index].animation && !accessors[r->from_index].other;
        *(animation ? &views[r->target].animation : &views[r->target].other) = true;
    }
}

// An accessor's bytes in its view.
typedef struct span {
    int32_t view;
    size_t start, end;
} span;

static int by_start(const void *x, const void *y) {
    const span *a = x, *b = y;
    if (a->view != b->view) return a->view < b->view ? -1 : 1;
    return (a->start > b->start) - (a->start < b->start);
}

// Counts bytes that accessors share only once.
static size_t union_size(span *spans, int32_t count) {
    size_t size = 0, end = 0;
    qsort(spans, (size_t)count, sizeof *spans, by_start);
    for (int32_t i = 0; i < count; i++) {
        if (i == 0 || spans[i].view != spans[i - 1].view) end = 0;
        if (spans[i].end <= end) continue;
        size += spans[i].end - (spans[i].start > end ? spans[i].start : end);
        end = spans[i].end;
    }
    return size;
}

// Counts accessors that only animations use. If a compressed view holds nothing else, counts its stored bytes instead.
static void count_accessors(lint_subject *s, const use *accessors, const use *views, span *spans,
                            compare_bytes *bytes) {
    ref_document *document = s->document;
    int32_t count = 0;
    for (int32_t i = 0; i < document->accessors.count; i++) {
        if (!accessors[i].animation || accessors[i].other) continue;
        const sinewi_json_value value = document->accessors.values[i];
        const int32_t view = lint_index(document, value, "bufferView", document->views.count);
        const bool compressed =
            view >= 0 && lint_meshopt(document, document->views.values[view]) != SINEWI_JSON_ABSENT;
        bytes->json += text_size(&document->json, value) + 1;
        if (compressed && !views[view].other) continue;
        const double offset = ref_number(document, value, "byteOffset", 0.0);
        const size_t start = offset > 0.0 && offset < 0x1p53 ? (size_t)offset : 0;
        spans[count++] = (span){view, start, start + lint_accessor_size(document, i)};
    }
    bytes->data += union_size(spans, count);
}

static void count_views(const lint_subject *s, const use *views, compare_bytes *bytes) {
    ref_document *document = s->document;
    for (int32_t i = 0; i < document->views.count; i++) {
        if (!views[i].animation || views[i].other) continue;
        const sinewi_json_value coded = lint_meshopt(document, document->views.values[i]);
        if (coded != SINEWI_JSON_ABSENT) bytes->data += (size_t)ref_number(document, coded, "byteLength", 0.0);
        bytes->json += text_size(&document->json, document->views.values[i]) + 1;
    }
}

static bool count_bytes(sinewi_arena *arena, ref_document *document, compare_bytes *bytes) {
    lint_subject s;
    if (!lint_read_subject(&s, document, arena, NULL)) return false;
    use *accessors = sinewi_arena_zeros(arena, use, (size_t)document->accessors.count);
    use *views = sinewi_arena_zeros(arena, use, (size_t)document->views.count);
    span *spans = sinewi_arena_array(arena, span, (size_t)document->accessors.count);
    if (!accessors || !views || !spans) return false;
    note_uses(&s, accessors, views);
    count_accessors(&s, accessors, views, spans, bytes);
    count_views(&s, views, bytes);
    const sinewi_json_value animations = sinewi_json_get(&document->json, 0, "animations");
    if (animations != SINEWI_JSON_ABSENT) bytes->json += text_size(&document->json, animations);
    return true;
}

bool compare_count_bytes(ref_document *document, compare_bytes *bytes) {
    sinewi_arena scratch;
    *bytes = (compare_bytes){0};
    sinewi_arena_init(&scratch, NULL);
    const bool good = count_bytes(&scratch, document, bytes);
    sinewi_arena_free(&scratch);
    return good;
}
