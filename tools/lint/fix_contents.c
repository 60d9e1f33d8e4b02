// SPDX-License-Identifier: MIT
// New accessor contents, shared if they're equal, and references to them.
#include "lint/fix.h"

#include <math.h>
#include <string.h>

// ---- Contents ------------------------------------------------------------------------------------------------------

double fix_stored_number(const fix_content *content, double value) {
    static const double scales[] = {127.0, 255.0, 32767.0, 65535.0}; // starting at REF_I8
    if (content->component_type == REF_F32) return (double)(float)value;
    const bool scaled = content->normalized && content->component_type <= REF_U16;
    return round(scaled ? value * scales[content->component_type - REF_I8] : value);
}

static void write_component(uint8_t *out, const fix_content *content, double value) {
    const double number = fix_stored_number(content, value);
    uint32_t bits;
    if (content->component_type == REF_F32) {
        const float single = (float)number;
        memcpy(&bits, &single, sizeof bits);
    } else {
        bits = (uint32_t)(int64_t)number;
    }
    for (size_t i = 0; i < lint_component_size(content->component_type); i++) out[i] = (uint8_t)(bits >> (8 * i));
}

static bool encode(fixer *f, fix_content *content) {
    size_t numbers = (size_t)content->count * (size_t)content->components;
    size_t step = lint_component_size(content->component_type);
    uint8_t *bytes = lint_array(f->s, uint8_t, numbers * step);
    if (!bytes) return false;
    uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
    for (size_t i = 0; i < numbers; i++) write_component(bytes + i * step, content, content->values[i]);
    for (size_t i = 0; i < numbers * step; i++) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    content->bytes = bytes;
    content->size = numbers * step;
    content->hash = hash;
    return true;
}

static bool is_same(const fix_content *a, const fix_content *b) {
    return a->hash == b->hash && a->size == b->size && a->times == b->times && a->vertices == b->vertices &&
           a->count == b->count && a->components == b->components && a->component_type == b->component_type &&
           a->normalized == b->normalized && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// The longest search in a bucket. A hostile file can put all contents into one bucket. Contents beyond the limit count
// as new, which makes the result larger but doesn't take longer.
#define MAX_CHAIN 64

// Returns the index of equal content, or adds the content.
static int32_t find_or_add(fixer *f, const fix_content *content) {
    int32_t *bucket = &f->buckets[content->hash % (uint64_t)f->bucket_count], length = 0;
    for (int32_t i = *bucket; i >= 0 && length < MAX_CHAIN; i = f->contents[i].next, length++) {
        if (is_same(&f->contents[i], content)) return i;
    }
    if (f->content_count == f->content_capacity) {
        int32_t capacity = 2 * f->content_capacity + 64;
        fix_content *contents = lint_array(f->s, fix_content, capacity);
        if (!contents) return -1;
        if (f->content_count > 0) memcpy(contents, f->contents, (size_t)f->content_count * sizeof *contents);
        f->contents = contents;
        f->content_capacity = capacity;
    }
    int32_t index = f->content_count++;
    f->contents[index] = *content;
    f->contents[index].next = *bucket;
    *bucket = index;
    return index;
}

int32_t fix_content_of(fixer *f, int32_t accessor, bool times, bool vertices, int32_t count, const double *values) {
    ref_accessor like;
    if (!ref_read_accessor(f->s->document, accessor, &like)) return accessor;
    fix_content content = {
        .accessor = accessor,
        .is_new = true,
        .times = times,
        .vertices = vertices,
        .count = count,
        .components = like.components,
        .component_type = like.component_type,
        .normalized = like.normalized,
        .values = values,
    };
    int32_t index = encode(f, &content) ? find_or_add(f, &content) : -1;
    if (index < 0) return accessor;
    return f->contents[index].is_new ? -2 - index : f->contents[index].accessor;
}

// Adds the content of an accessor in the file's animations. Returns the first accessor with the same content.
static int32_t first_with(fixer *f, int32_t accessor, bool times) {
    ref_accessor data;
    if (!ref_read_accessor(f->s->document, accessor, &data)) return accessor;
    fix_content content = {
        .accessor = accessor,
        .times = times,
        .count = data.count,
        .components = data.components,
        .component_type = data.component_type,
        .normalized = data.normalized,
        .values = data.values,
    };
    int32_t index = encode(f, &content) ? find_or_add(f, &content) : -1;
    return index < 0 ? accessor : f->contents[index].accessor;
}

void fix_find_first(fixer *f) {
    lint_subject *s = f->s;
    int32_t accessors = s->document->accessors.count;
    bool *times = lint_array(s, bool, accessors), *values = lint_array(s, bool, accessors);
    f->first_times = lint_array(s, int32_t, accessors);
    f->first_values = lint_array(s, int32_t, accessors);
    if (s->out_of_memory) return;
    for (int32_t i = 0; i < s->animation_count; i++) {
        for (int32_t k = 0; k < s->animations[i].sampler_count; k++) {
            const lint_sampler *sampler = &s->animations[i].samplers[k];
            if (sampler->key_count == 0) continue;
            times[sampler->input] = true;
            values[sampler->output] = true;
        }
    }
    for (int32_t i = 0; i < accessors; i++) {
        f->first_times[i] = times[i] ? first_with(f, i, true) : i;
        f->first_values[i] = values[i] ? first_with(f, i, false) : i;
    }
}

// ---- References ----------------------------------------------------------------------------------------------------

void fix_retarget(fixer *f, sinewi_json_value number, int32_t target) {
    if (number == SINEWI_JSON_ABSENT || f->reference_of[number] < 0) return;
    f->targets[f->reference_of[number]] = target;
}

bool fix_list_references(fixer *f) {
    lint_subject *s = f->s;
    f->reference_of = lint_array(s, int32_t, s->document->json.node_count);
    f->targets = lint_array(s, int32_t, s->reference_count);
    f->bucket_count = 64;
    for (int32_t i = 0; i < s->animation_count; i++) f->bucket_count += 4 * s->animations[i].sampler_count;
    f->buckets = lint_array(s, int32_t, f->bucket_count);
    if (s->out_of_memory) return false;
    for (int32_t i = 0; i < f->bucket_count; i++) f->buckets[i] = -1;
    for (int32_t i = 0; i < s->document->json.node_count; i++) f->reference_of[i] = -1;
    for (int32_t i = 0; i < s->reference_count; i++) {
        f->reference_of[s->references[i].value] = i;
        f->targets[i] = s->references[i].target;
    }
    return true;
}
