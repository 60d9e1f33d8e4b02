// SPDX-License-Identifier: MIT
// Collects a file's new accessors. Accessors with equal bytes become one, and their elements go into a few streams.
#include "optimize/items.h"

#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

const item_format plan_item_formats[ITEM_KINDS] = {
    {4, "SCALAR", "5126", NULL},          {8, "VEC4", "5122,\"normalized\":true", "QUATERNION"},
    {12, "VEC3", "5126", "EXPONENTIAL"},  {16, "VEC4", "5126", "EXPONENTIAL"},
    {4, "SCALAR", "5126", "EXPONENTIAL"}, {12, "VEC3", "5126", NULL},
    {16, "VEC4", "5126", NULL},           {4, "SCALAR", "5126", NULL},
};

void plan_items_begin(plan_items *items, sinewi_arena *arena) {
    memset(items, 0, sizeof *items);
    items->arena = arena;
    for (int i = 0; i < ITEM_BUCKETS; i++) items->buckets[i] = -1;
}

void plan_items_end(plan_items *items) {
    for (int kind = 0; kind < ITEM_KINDS; kind++) {
        lint_text_free(&items->streams[kind].coded);
        lint_text_free(&items->streams[kind].plain);
        lint_text_free(&items->streams[kind].compressed);
    }
    lint_text_free(&items->shared);
    free(items->items);
}

// ---- Items ---------------------------------------------------------------------------------------------------------

size_t plan_item_size(const plan_item *item) {
    return (size_t)item->count * (size_t)plan_item_formats[item->kind].stride;
}

static uint64_t hash_of(const plan_item *item) {
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)item->kind;
    for (size_t k = 0; k < plan_item_size(item); k++) hash = (hash ^ item->coded[k]) * UINT64_C(1099511628211);
    return hash;
}

static int32_t add_item(plan_items *items, plan_item added) {
    added.hash = hash_of(&added);
    int32_t *bucket = &items->buckets[added.hash % ITEM_BUCKETS];
    for (int32_t i = *bucket; i >= 0; i = items->items[i].next) {
        const plan_item *other = &items->items[i];
        if (other->hash == added.hash && other->kind == added.kind && other->count == added.count &&
            memcmp(other->coded, added.coded, plan_item_size(other)) == 0) {
            items->items[i].uses++;
            return i;
        }
    }
    if (items->count == items->capacity) {
        const int32_t capacity = items->capacity > 0 ? 2 * items->capacity : 256;
        plan_item *grown = realloc(items->items, (size_t)capacity * sizeof *grown);
        if (!grown) return (int32_t) !(items->failed = true);
        items->items = grown;
        items->capacity = capacity;
    }
    added.uses = 1;
    added.next = *bucket;
    *bucket = items->count;
    items->items[items->count] = added;
    return items->count++;
}

int32_t plan_add_times(plan_items *items, const ref_channel *channel) {
    float *times = sinewi_arena_array(items->arena, float, (size_t)channel->key_count);
    if (!times) return (int32_t) !(items->failed = true);
    for (int32_t k = 0; k < channel->key_count; k++) times[k] = (float)channel->times[k];
    const uint8_t *bytes = (const uint8_t *)times;
    return add_item(items,
                    (plan_item){.kind = ITEM_TIMES, .coded = bytes, .plain = bytes, .count = channel->key_count});
}

static item_kind kind_of(const plan_track *track) {
    if (track->chosen.choice.coding == PLAN_QUATERNIONS) return ITEM_QUATERNIONS;
    const bool exact = track->chosen.choice.coding == PLAN_EXACT;
    if (track->source->path == REF_WEIGHTS) return exact ? ITEM_EXACT_NUMBERS : ITEM_NUMBERS;
    if (track->source->width == 4) return exact ? ITEM_EXACT_FOURS : ITEM_FOURS;
    return exact ? ITEM_EXACT_VECTORS : ITEM_VECTORS;
}

// Returns what neighboring elements' bytes have in common: the exponent, or a quaternion's scale and largest component.
static int precision_of(const plan_track *track) {
    if (track->chosen.choice.coding != PLAN_QUATERNIONS) return track->chosen.choice.precision;
    int16_t scale;
    memcpy(&scale, track->coded + 6, sizeof scale);
    return scale;
}

int32_t plan_add_values(plan_items *items, const plan_track *track) {
    const ref_channel *channel = &track->result;
    const int32_t parts = channel->interpolation == REF_CUBICSPLINE ? 3 : 1;
    const item_kind kind = kind_of(track);
    const int32_t width = plan_item_formats[kind].stride == 4 ? channel->width : 1;
    return add_item(items, (plan_item){.kind = kind,
                                       .coded = track->coded,
                                       .plain = track->plain,
                                       .count = channel->key_count * parts * width,
                                       .precision = precision_of(track),
                                       .node = channel->node});
}

// ---- Streams -------------------------------------------------------------------------------------------------------

static int by_bytes(const void *x, const void *y) {
    const plan_item *a = *(const plan_item *const *)x, *b = *(const plan_item *const *)y;
    const size_t size_a = plan_item_size(a), size_b = plan_item_size(b);
    const int order = memcmp(a->coded, b->coded, size_a < size_b ? size_a : size_b);
    return order != 0 ? order : (size_a > size_b) - (size_a < size_b);
}

static int by_precision(const void *x, const void *y) {
    const plan_item *a = *(const plan_item *const *)x, *b = *(const plan_item *const *)y;
    if (a->precision != b->precision) return a->precision < b->precision ? -1 : 1;
    if (a->node != b->node) return a->node < b->node ? -1 : 1;
    return a < b ? -1 : a > b; // both are in the same array
}

static int by_uses(const void *x, const void *y) {
    const plan_item *a = *(const plan_item *const *)x, *b = *(const plan_item *const *)y;
    if (a->uses != b->uses) return a->uses > b->uses ? -1 : 1;
    return a < b ? -1 : a > b; // both are in the same array
}

static bool number_items(plan_items *items) {
    items->numbered = sinewi_arena_array(items->arena, plan_item *, (size_t)items->count);
    if (!items->numbered) return false;
    for (int32_t i = 0; i < items->count; i++) items->numbered[i] = &items->items[i];
    qsort(items->numbered, (size_t)items->count, sizeof *items->numbered, by_uses); // NOLINT: pointers
    for (int32_t i = 0; i < items->count; i++) items->numbered[i]->number = i;
    return true;
}

static void append(plan_items *items, plan_item *item) {
    plan_stream *stream = &items->streams[item->kind];
    item->offset = stream->coded.size;
    lint_append(&stream->coded, item->coded, plan_item_size(item));
    lint_append(&stream->plain, item->plain, plan_item_size(item));
}

// Sets offsets of times. If a list of times begins with another one, they share bytes. Sorted by bytes, shorter lists
// come first.
static void lay_times(plan_items *items, plan_item **sorted, int32_t count) {
    qsort(sorted, (size_t)count, sizeof *sorted, by_bytes); // NOLINT: pointers
    for (int32_t i = count; i-- > 0;) {
        const plan_item *next = i + 1 < count ? sorted[i + 1] : NULL;
        const size_t size = plan_item_size(sorted[i]);
        const bool begins =
            next && size <= plan_item_size(next) && memcmp(sorted[i]->coded, next->coded, size) == 0;
        if (begins) {
            sorted[i]->offset = next->offset;
        } else {
            append(items, sorted[i]);
        }
    }
}

// Makes values with the same precision neighbors, because the codec stores differences.
static bool fill_streams(plan_items *items) {
    plan_item **sorted = sinewi_arena_array(items->arena, plan_item *, (size_t)items->count);
    if (!sorted) return false;
    for (int kind = 0; kind < ITEM_KINDS; kind++) {
        int32_t count = 0;
        for (int32_t i = 0; i < items->count; i++) {
            if ((int)items->items[i].kind == kind) sorted[count++] = &items->items[i];
        }
        if (kind == ITEM_TIMES) {
            lay_times(items, sorted, count);
            continue;
        }
        qsort(sorted, (size_t)count, sizeof *sorted, by_precision); // NOLINT: pointers
        for (int32_t i = 0; i < count; i++) append(items, sorted[i]);
    }
    return true;
}

optimize_bytes optimize_encode_vertices(const void *elements, size_t count, size_t stride) {
    const size_t room = meshopt_encodeVertexBufferBound(count, stride);
    unsigned char *bytes = malloc(room + 1);
    meshopt_encodeVertexVersion(0); // the library's default depends on its version
    const size_t size = bytes ? meshopt_encodeVertexBuffer(bytes, room, elements, count, stride) : 0;
    return (optimize_bytes){bytes, size};
}

// Compresses a stream. Leaves the result empty if its view's JSON takes more than compression saves. The shared view
// doesn't need that JSON.
static bool compress(plan_stream *stream, int stride) {
    const size_t count = stream->coded.size / (size_t)stride;
    const optimize_bytes bytes = optimize_encode_vertices(stream->coded.data, count, (size_t)stride);
    const bool is_smaller = bytes.size > 0 && bytes.size + OPTIMIZE_VIEW_JSON < stream->coded.size;
    if (is_smaller) lint_append(&stream->compressed, bytes.data, bytes.size);
    free(bytes.data);
    return bytes.size > 0 && !stream->compressed.failed;
}

static void share_stream(plan_items *items, int kind) {
    for (int32_t i = 0; i < items->count; i++) {
        if ((int)items->items[i].kind == kind) items->items[i].offset += items->shared.size;
    }
    lint_append(&items->shared, items->streams[kind].plain.data, items->streams[kind].plain.size);
}

bool plan_lay_items(plan_items *items, bool compressed) {
    if (!number_items(items) || !fill_streams(items)) return false;
    for (int kind = 0; kind < ITEM_KINDS; kind++) {
        plan_stream *stream = &items->streams[kind];
        if (stream->coded.failed || stream->plain.failed) return false;
        if (stream->coded.size == 0) continue;
        if (compressed && !compress(stream, plan_item_formats[kind].stride)) return false;
        if (stream->compressed.size == 0) share_stream(items, kind);
    }
    return !items->shared.failed;
}
