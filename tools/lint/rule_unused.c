// SPDX-License-Identifier: MIT
// Unused data: bytes, samplers, materials and other objects, and nodes outside every scene.
#include "lint/keys.h"
#include "lint/ranges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Gaps between used bytes are alignment if they sum up to at most this. They aren't reported.
#define ALIGNMENT_GAPS 64

// ---- Bytes ---------------------------------------------------------------------------------------------------------

static void check_accessors(lint_subject *s, const bool *live) {
    for (int32_t i = 0; i < s->document->accessors.count; i++) {
        if (live[i]) continue;
        lint_add(s, LINT_UNUSED_DATA, lint_accessor_size(s->document, i), lint_location(s, "accessors[%d]", (int)i),
                 "nothing refers to it");
    }
}

static void check_views(lint_subject *s, const lint_view_use *uses) {
    for (int32_t i = 0; i < s->document->views.count; i++) {
        size_t size = s->document->view_bytes[i].size, used = 0;
        const char *location = lint_location(s, "bufferViews[%d]", (int)i);
        if (!uses[i].used) {
            lint_add(s, LINT_UNUSED_DATA, size, location, "nothing refers to it");
            continue;
        }
        if (uses[i].whole) continue;
        for (int32_t k = 0; k < uses[i].count; k++) used += uses[i].ranges[k].end - uses[i].ranges[k].start;
        if (size - used <= ALIGNMENT_GAPS) continue;
        lint_add(s, LINT_UNUSED_DATA, size - used, location, "%zu of %zu bytes are not in any used accessor",
                 size - used, size);
    }
}

// The ranges of each buffer that views and their compression use. Buffer b's are [starts[b], starts[b + 1]).
typedef struct buffer_ranges {
    int32_t *starts; // [buffers + 1]
    lint_range *ranges;
} buffer_ranges;

// Reads the range of a reference: the "buffer" of a view or its compression. The range is in the same object.
static bool find_range(const ref_document *document, const lint_reference *reference, lint_range *out) {
    size_t size = document->buffer_bytes[reference->target].size;
    sinewi_json_value object = document->json.parents[sinewi_json_key_of(&document->json, reference->value)];
    double start = ref_number(document, object, "byteOffset", 0.0);
    double length = ref_number(document, object, "byteLength", 0.0);
    if (start < 0.0 || length < 0.0 || start + length > (double)size) return false;
    *out = (lint_range){(size_t)start, (size_t)(start + length)};
    return true;
}

static bool is_view_of_buffer(const lint_reference *reference) {
    return reference->kind == LINT_BUFFER && reference->from == LINT_VIEW;
}

// Finds the ranges of all buffers. One pass counts them, and a second one stores them.
static bool find_buffer_ranges(lint_subject *s, buffer_ranges *out) {
    ref_document *document = s->document;
    int32_t buffers = document->buffers.count, total = 0;
    int32_t *filled = lint_array(s, int32_t, buffers);
    out->starts = lint_array(s, int32_t, (size_t)buffers + 1);
    if (s->out_of_memory) return false;
    lint_range range;
    for (int32_t i = 0; i < s->reference_count; i++) {
        const lint_reference *reference = &s->references[i];
        if (!is_view_of_buffer(reference) || !find_range(document, reference, &range)) continue;
        out->starts[reference->target + 1]++;
        total++;
    }
    for (int32_t b = 0; b < buffers; b++) out->starts[b + 1] += out->starts[b];
    out->ranges = lint_array(s, lint_range, total);
    for (int32_t i = 0; out->ranges && i < s->reference_count; i++) {
        const lint_reference *reference = &s->references[i];
        if (!is_view_of_buffer(reference) || !find_range(document, reference, &range)) continue;
        out->ranges[out->starts[reference->target] + filled[reference->target]++] = range;
    }
    return out->ranges != NULL;
}

// Returns how many of a buffer's bytes are outside its views.
static size_t bytes_between_views(const lint_subject *s, const buffer_ranges *all, int32_t buffer) {
    const ref_bytes *bytes = &s->document->buffer_bytes[buffer];
    if (!bytes->data) return 0;
    lint_range *ranges = all->ranges + all->starts[buffer];
    int32_t count = lint_merge_ranges(ranges, all->starts[buffer + 1] - all->starts[buffer]);
    size_t covered = 0;
    for (int32_t i = 0; i < count; i++) covered += ranges[i].end - ranges[i].start;
    return bytes->size - covered;
}

static void check_buffers(lint_subject *s) {
    buffer_ranges ranges;
    if (s->opaque || !find_buffer_ranges(s, &ranges)) return;
    for (int32_t i = 0; i < s->document->buffers.count; i++) {
        size_t unused = bytes_between_views(s, &ranges, i), size = s->document->buffer_bytes[i].size;
        if (unused <= ALIGNMENT_GAPS) continue;
        lint_add(s, LINT_UNUSED_DATA, unused, lint_location(s, "buffers[%d]", (int)i),
                 "%zu of %zu bytes are not in any view", unused, size);
    }
}

// ---- Samplers ------------------------------------------------------------------------------------------------------

static void check_samplers(lint_subject *s) {
    for (int32_t i = 0; i < s->animation_count; i++) {
        for (int32_t k = 0; k < s->animations[i].sampler_count; k++) {
            const lint_sampler *sampler = &s->animations[i].samplers[k];
            if (sampler->channels > 0) continue;
            lint_add(s, LINT_UNUSED_SAMPLER, (size_t)sampler->key_count * lint_key_size(sampler),
                     lint_location(s, "animations[%d].samplers[%d]", (int)i, (int)k), "no channel uses it");
        }
    }
}

// ---- Objects -------------------------------------------------------------------------------------------------------

// Counts the objects that refer to each accessor.
static int32_t *count_users(lint_subject *s) {
    int32_t accessors = s->document->accessors.count;
    int32_t *users = lint_array(s, int32_t, accessors), *last = lint_array(s, int32_t, accessors);
    for (int32_t i = 0; users && last && i < s->reference_count; i++) {
        const lint_reference *reference = &s->references[i];
        int32_t user = reference->from_index * LINT_KIND_COUNT + (int32_t)reference->from + 1;
        if (reference->kind != LINT_ACCESSOR || last[reference->target] == user) continue;
        last[reference->target] = user;
        users[reference->target]++;
    }
    return last ? users : NULL;
}

// Returns, for each object of a kind, the bytes of accessors that only it uses (meshes) or of its view (images).
static size_t *find_bytes(lint_subject *s, lint_kind kind, const int32_t *users) {
    size_t *bytes = lint_array(s, size_t, lint_list(s->document, kind).count);
    bool *visited = lint_array(s, bool, s->document->accessors.count);
    for (int32_t i = 0; bytes && visited && i < s->reference_count; i++) {
        const lint_reference *reference = &s->references[i];
        if (reference->from != kind) continue;
        size_t *sum = &bytes[reference->from_index];
        if (reference->kind == LINT_VIEW) *sum += s->document->view_bytes[reference->target].size;
        if (reference->kind != LINT_ACCESSOR || users[reference->target] != 1 || visited[reference->target])
            continue;
        visited[reference->target] = true;
        *sum += lint_accessor_size(s->document, reference->target);
    }
    return visited ? bytes : NULL;
}

static void check_objects(lint_subject *s) {
    static const lint_kind kinds[] = {LINT_IMAGE, LINT_TEXTURE, LINT_MATERIAL, LINT_MESH, LINT_SKIN, LINT_CAMERA};
    const int32_t *users = count_users(s);
    for (size_t k = 0; users && !s->opaque && k < sizeof kinds / sizeof kinds[0]; k++) {
        int32_t count = lint_list(s->document, kinds[k]).count;
        bool *used = lint_array(s, bool, count);
        const size_t *bytes = find_bytes(s, kinds[k], users);
        if (s->out_of_memory) return;
        for (int32_t i = 0; i < s->reference_count; i++) {
            if (s->references[i].kind == kinds[k]) used[s->references[i].target] = true;
        }
        for (int32_t i = 0; i < count; i++) {
            if (used[i] || !lint_is_plain(s->document, lint_list(s->document, kinds[k]).values[i])) continue;
            lint_add(s, LINT_UNUSED_OBJECT, bytes[i], lint_location(s, "%s[%d]", lint_kind_name(kinds[k]), (int)i),
                     "nothing refers to it");
        }
    }
}

static void check_nodes(lint_subject *s) {
    if (s->document->scenes.count == 0) return; // a library of objects (section 3.5.1)
    for (int32_t i = 0; i < s->node_count; i++) {
        const lint_node *node = &s->nodes[i];
        if (node->in_scene || node->parent >= 0) continue; // only report roots
        lint_add(s, LINT_UNUSED_NODE, 0, lint_location(s, "nodes[%d]", (int)i), "%s is not in any scene",
                 lint_node_label(s, i));
    }
}

void lint_check_unused(lint_subject *s) {
    bool *live = lint_find_live(s);
    lint_view_use *uses = live ? lint_find_ranges(s, live) : NULL;
    if (!uses) return;
    check_accessors(s, live);
    check_views(s, uses);
    check_buffers(s);
    check_samplers(s);
    check_objects(s);
    check_nodes(s);
}
