// Mending a file: what may be mended is decided subject by subject, then everything is packed anew.
#include "lint/fix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// ---- Contents ------------------------------------------------------------------------------------------------------

static void put_component(uint8_t *out, int32_t component_type, bool normalized, double value) {
    static const double scales[] = {127.0, 255.0, 32767.0, 65535.0}; // from 5120 on
    size_t size = lint_component_size(component_type);
    uint32_t bits;
    if (component_type == 5126) {
        float number = (float)value;
        memcpy(&bits, &number, sizeof bits);
    } else {
        if (normalized && component_type <= 5123) value *= scales[component_type - 5120];
        bits = (uint32_t)(int64_t)round(value);
    }
    for (size_t i = 0; i < size; i++) out[i] = (uint8_t)(bits >> (8 * i));
}

static bool encode(fixer *f, fix_content *content) {
    size_t numbers = (size_t)content->count * (size_t)content->components;
    size_t step = lint_component_size(content->component_type);
    uint8_t *bytes = lint_array(f->s, uint8_t, numbers * step);
    if (!bytes) return false;
    uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
    for (size_t i = 0; i < numbers; i++) {
        put_component(bytes + i * step, content->component_type, content->normalized, content->values[i]);
    }
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

// Files can be made to have one bucket for all contents. Past so many of a bucket a content counts as new, which costs
// bytes in the result, and not time.
#define LONGEST_CHAIN 64

// The content with these bytes, new if there was none.
static int32_t find_or_add(fixer *f, const fix_content *content) {
    int32_t *bucket = &f->buckets[content->hash % (uint64_t)f->bucket_count], length = 0;
    for (int32_t i = *bucket; i >= 0 && length < LONGEST_CHAIN; i = f->contents[i].next, length++) {
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

// One that the file's animations have already. Returns the first accessor with its content.
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

static void find_first(fixer *f) {
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

void fix_retarget(fixer *f, sinew_json_value number, int32_t target) {
    if (number == SINEW_JSON_ABSENT || f->reference_of[number] < 0) return;
    f->targets[f->reference_of[number]] = target;
}

static bool list_references(fixer *f) {
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

// ---- Nodes ---------------------------------------------------------------------------------------------------------

void fix_nodes(fixer *f) {
    for (int32_t i = 0; i < f->s->node_count; i++) {
        const lint_node *node = &f->s->nodes[i];
        const double *q = node->rest[SINEW_TARGET_ROTATION];
        double length = sqrt(lint_dot4(q, q));
        if (lint_is_unit(length, 5126) || length == 0.0) continue;
        sinew_json_value value = sinew_json_get(&f->s->document->json, node->value, "rotation");
        lint_replace(&f->edits, value, "[%.9g,%.9g,%.9g,%.9g]", q[0] / length, q[1] / length, q[2] / length,
                     q[3] / length);
        f->mended->of_rule[LINT_ROTATION_NOT_UNIT]++;
    }
}

// ---- Files ---------------------------------------------------------------------------------------------------------

static bool mend(fixer *f) {
    find_first(f);
    if (f->s->out_of_memory) return false;
    fix_tracks(f);
    fix_nodes(f);
    fix_weights(f);
    return !f->s->out_of_memory && fix_pack(f);
}

static size_t file_size(const ref_document *document, const char *path) {
    struct stat status;
    size_t size = stat(path, &status) == 0 ? (size_t)status.st_size : 0;
    for (int32_t i = 0; i < document->buffers.count; i++) {
        sinew_json_value uri = sinew_json_get(&document->json, document->buffers.values[i], "uri");
        if (sinew_json_kind_of(&document->json, uri) != SINEW_JSON_STRING) continue;
        size_t length;
        const char *text = sinew_json_raw_string(&document->json, uri, &length);
        bool inside = text && length >= 5 && memcmp(text, "data:", 5) == 0;
        if (!inside) size += document->buffer_bytes[i].size;
    }
    return size;
}

static bool mend_document(lint_mended *mended, ref_document *document, const char *path) {
    lint_subject s;
    fixer f = {.s = &s, .mended = mended, .path = path};
    mended->size_before = file_size(document, path);
    ref_share_budget(document, &mended->arena);
    bool good = lint_read_subject(&s, document, &mended->arena, NULL);
    f.edits = lint_edits_begin(&document->json, &mended->arena);
    mended->kept_for = s.opaque;
    good = good && !f.edits.failed && list_references(&f) && mend(&f);
    if (!mended->error[0] && !ref_within_budget(document)) {
        snprintf(mended->error, sizeof mended->error, "%.80s: %.400s", path, document->error);
        return false;
    }
    if (!good && !mended->error[0]) snprintf(mended->error, sizeof mended->error, "%.400s: out of memory", path);
    return good;
}

bool lint_fix(lint_mended *mended, const char *path, sinew_meshopt_decode decode, void *decode_user) {
    memset(mended, 0, sizeof *mended);
    sinew_arena_init(&mended->arena, NULL);
    sinew_error error = {SINEW_OK, ""};
    if (lint_try_to_load(path, decode, decode_user, &error) != SINEW_OK) {
        snprintf(mended->error, sizeof mended->error, "%s", error.message);
        return false;
    }
    ref_document document;
    bool good = ref_open(&document, path, decode, decode_user);
    if (!good) snprintf(mended->error, sizeof mended->error, "%.80s: %.400s", path, document.error);
    good = good && mend_document(mended, &document, path);
    ref_end_budget(&mended->arena);
    ref_close(&document);
    return good;
}

void lint_mended_end(lint_mended *mended) {
    sinew_arena_free(&mended->arena);
}
