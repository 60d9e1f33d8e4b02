// SPDX-License-Identifier: MIT
// Writes the chosen tracks into the file: streams of elements, each a view, whose parts are shared by accessors.
#include "optimize/plan.h"

#include "lint/edit.h"
#include "lint/glb.h"
#include "lint/lint.h"

#include <meshoptimizer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The elements of a stream: key times, rotations, and vectors of three, of four and single numbers, rounded and exact.
typedef enum stream_kind {
    TIMES,
    QUATERNIONS,
    VECTORS,
    FOURS,
    NUMBERS,
    EXACT_VECTORS,
    EXACT_FOURS,
    EXACT_NUMBERS,
    STREAM_COUNT
} stream_kind;

typedef struct stream_format {
    int stride;
    const char *type, *component, *filter; // of the accessor; of the view, NULL: none
} stream_format;

static const stream_format formats[STREAM_COUNT] = {
    {4, "SCALAR", "5126", NULL},          {8, "VEC4", "5122,\"normalized\":true", "QUATERNION"},
    {12, "VEC3", "5126", "EXPONENTIAL"},  {16, "VEC4", "5126", "EXPONENTIAL"},
    {4, "SCALAR", "5126", "EXPONENTIAL"}, {12, "VEC3", "5126", NULL},
    {16, "VEC4", "5126", NULL},           {4, "SCALAR", "5126", NULL},
};

// A new accessor.
typedef struct item {
    stream_kind kind;
    const uint8_t *bytes; // [count × stride]
    int32_t count;
    size_t offset; // in its stream
    uint64_t hash;
    int32_t next;   // in the same bucket; -1: none
    int32_t number; // in the file
} item;

// A sampler of the animation that is written.
typedef struct written_sampler {
    int32_t input, output; // items
    ref_interpolation interpolation;
} written_sampler;

enum { BUCKETS = 4096 };

typedef struct writer {
    plan *p;
    item *items;
    int32_t item_count, item_capacity;
    int32_t buckets[BUCKETS];
    int32_t (*track_items)[2]; // [tracks of all clips]: the items of times and values; -1: dropped
    lint_text streams[STREAM_COUNT];
    int32_t view_of[STREAM_COUNT];
    ref_document document; // of the packed file
    lint_edits edits;
    sinew_arena arena;
    lint_text bin;
    bool failed; // memory ran out
} writer;

// ---- Items ---------------------------------------------------------------------------------------------------------

static size_t size_of(const item *i) {
    return (size_t)i->count * (size_t)formats[i->kind].stride;
}

static uint64_t hash_of(const item *i) {
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)i->kind;
    for (size_t k = 0; k < size_of(i); k++) hash = (hash ^ i->bytes[k]) * UINT64_C(1099511628211);
    return hash;
}

// Returns the item with these bytes, or a new one.
static int32_t add_item(writer *w, item added) {
    added.hash = hash_of(&added);
    int32_t *bucket = &w->buckets[added.hash % BUCKETS];
    for (int32_t i = *bucket; i >= 0; i = w->items[i].next) {
        const item *other = &w->items[i];
        if (other->hash == added.hash && other->kind == added.kind && other->count == added.count &&
            memcmp(other->bytes, added.bytes, size_of(other)) == 0)
            return i;
    }
    if (w->item_count == w->item_capacity) {
        const int32_t capacity = w->item_capacity > 0 ? 2 * w->item_capacity : 256;
        item *grown = realloc(w->items, (size_t)capacity * sizeof *grown);
        if (!grown) {
            w->failed = true;
            return 0;
        }
        w->items = grown;
        w->item_capacity = capacity;
    }
    added.next = *bucket;
    *bucket = w->item_count;
    w->items[w->item_count] = added;
    return w->item_count++;
}

static int32_t add_times(writer *w, const ref_channel *channel) {
    float *times = sinew_arena_array(&w->arena, float, (size_t)channel->key_count);
    if (!times) return (int32_t) !(w->failed = true);
    for (int32_t k = 0; k < channel->key_count; k++) times[k] = (float)channel->times[k];
    return add_item(w, (item){.kind = TIMES, .bytes = (const uint8_t *)times, .count = channel->key_count});
}

static stream_kind kind_of(const plan_track *track) {
    if (track->choice.coding == PLAN_QUATERNIONS) return QUATERNIONS;
    const bool exact = track->choice.coding == PLAN_EXACT;
    if (track->source->path == REF_WEIGHTS) return exact ? EXACT_NUMBERS : NUMBERS;
    if (track->source->width == 4) return exact ? EXACT_FOURS : FOURS;
    return exact ? EXACT_VECTORS : VECTORS;
}

static int32_t add_values(writer *w, const plan_track *track) {
    const ref_channel *channel = &track->result;
    const int32_t parts = channel->interpolation == REF_CUBICSPLINE ? 3 : 1;
    const stream_kind kind = kind_of(track);
    const int32_t count = channel->key_count * parts * (formats[kind].stride == 4 ? channel->width : 1);
    return add_item(w, (item){.kind = kind, .bytes = track->bytes, .count = count});
}

static bool add_tracks(writer *w) {
    const ref_model *model = w->p->body->models[0];
    size_t count = 0, at = 0;
    for (int32_t a = 0; a < model->animation_count; a++) count += (size_t)model->animations[a].channel_count;
    w->track_items = sinew_arena_take(&w->arena, count, sizeof *w->track_items, 16);
    if (!w->track_items) return false;
    for (int32_t a = 0; a < model->animation_count; a++) {
        for (int32_t c = 0; c < model->animations[a].channel_count; c++, at++) {
            const plan_track *track = w->p->untouched[a] ? NULL : &w->p->tracks[a][c];
            const bool kept = track && track->choice.level >= 0;
            w->track_items[at][0] = kept ? add_times(w, &track->result) : -1;
            w->track_items[at][1] = kept ? add_values(w, track) : -1;
        }
    }
    return !w->failed;
}

// ---- Streams -------------------------------------------------------------------------------------------------------

static int by_bytes(const void *x, const void *y) {
    const item *a = *(const item *const *)x, *b = *(const item *const *)y;
    const size_t size = size_of(a) < size_of(b) ? size_of(a) : size_of(b);
    const int order = memcmp(a->bytes, b->bytes, size);
    return order != 0 ? order : (size_of(a) > size_of(b)) - (size_of(a) < size_of(b));
}

// Lists of times that begin others share their bytes: in order of their bytes they precede them.
static bool lay_times(writer *w) {
    item **sorted = sinew_arena_array(&w->arena, item *, (size_t)w->item_count);
    int32_t count = 0;
    if (!sorted) return false;
    for (int32_t i = 0; i < w->item_count; i++) {
        if (w->items[i].kind == TIMES) sorted[count++] = &w->items[i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_bytes); // NOLINT: pointers
    for (int32_t i = count; i-- > 0;) {
        const item *next = i + 1 < count ? sorted[i + 1] : NULL;
        const bool begins = next && size_of(sorted[i]) <= size_of(next) &&
                            memcmp(sorted[i]->bytes, next->bytes, size_of(sorted[i])) == 0;
        sorted[i]->offset = begins ? next->offset : w->streams[TIMES].size;
        if (!begins) lint_append(&w->streams[TIMES], sorted[i]->bytes, size_of(sorted[i]));
    }
    return true;
}

static bool lay_items(writer *w) {
    if (!lay_times(w)) return false;
    for (int32_t i = 0; i < w->item_count; i++) {
        item *added = &w->items[i];
        added->number = w->document.accessors.count + i;
        if (added->kind == TIMES) continue;
        added->offset = w->streams[added->kind].size;
        lint_append(&w->streams[added->kind], added->bytes, size_of(added));
    }
    return true;
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

// Appends to an array of the file, which is made if it is absent.
static void append_to(writer *w, const char *key, lint_text *text) {
    const sinew_json_value array = sinew_json_get(&w->document.json, 0, key);
    lint_append(text, "", 1); // zero-terminated
    w->failed |= text->failed;
    if (!text->failed && array != SINEW_JSON_ABSENT) {
        lint_append_content(&w->edits, array, text->data);
    } else if (!text->failed) {
        lint_text member = {0};
        lint_append_format(&member, "\"%s\":[", key);
        lint_append(&member, text->data, text->size - 1);
        lint_append(&member, "]", 2);
        w->failed |= member.failed;
        if (!member.failed) lint_append_content(&w->edits, 0, member.data);
        lint_text_free(&member);
    }
    lint_text_free(text);
}

static void write_accessors(writer *w) {
    lint_text text = {0};
    for (int32_t i = 0; i < w->item_count; i++) {
        const item *added = &w->items[i];
        lint_append_format(&text, "%s{\"bufferView\":%d", i > 0 ? "," : "", (int)w->view_of[added->kind]);
        if (added->offset > 0) lint_append_format(&text, ",\"byteOffset\":%zu", added->offset);
        lint_append_format(&text, ",\"componentType\":%s,\"count\":%d,\"type\":\"%s\"",
                           formats[added->kind].component, (int)added->count, formats[added->kind].type);
        if (added->kind == TIMES) {
            float ends[2];
            memcpy(&ends[0], added->bytes, sizeof ends[0]);
            memcpy(&ends[1], added->bytes + size_of(added) - sizeof ends[1], sizeof ends[1]);
            lint_append_format(&text, ",\"min\":[%.9g],\"max\":[%.9g]", (double)ends[0], (double)ends[1]);
        }
        lint_append(&text, "}", 1);
    }
    append_to(w, "accessors", &text);
}

// Returns the number of a sampler, a new one if none is equal.
static int32_t add_sampler(written_sampler *samplers, int32_t *count, written_sampler added) {
    for (int32_t i = 0; i < *count; i++) {
        if (samplers[i].input == added.input && samplers[i].output == added.output &&
            samplers[i].interpolation == added.interpolation)
            return i;
    }
    samplers[*count] = added;
    return (*count)++;
}

static void write_samplers(writer *w, const written_sampler *samplers, int32_t count, lint_text *out) {
    static const char *const names[] = {",\"interpolation\":\"STEP\"", "", ",\"interpolation\":\"CUBICSPLINE\""};
    lint_append(out, "[", 1);
    for (int32_t i = 0; i < count; i++) {
        lint_append_format(out, "%s{\"input\":%d,\"output\":%d%s}", i > 0 ? "," : "",
                           (int)w->items[samplers[i].input].number, (int)w->items[samplers[i].output].number,
                           names[samplers[i].interpolation]);
    }
    lint_append(out, "]", 1);
}

static void replace_member(writer *w, sinew_json_value object, const char *key, lint_text *text) {
    w->failed |= text->failed;
    if (!text->failed)
        lint_replace_text(&w->edits, sinew_json_get(&w->document.json, object, key), text->data, text->size);
    lint_text_free(text);
}

static bool write_animation(writer *w, int32_t animation, int32_t (*items)[2]) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    const ref_animation *source = &w->p->body->models[0]->animations[animation];
    const sinew_json_value value = w->document.animations.values[animation];
    written_sampler *samplers = sinew_arena_array(&w->arena, written_sampler, (size_t)source->channel_count);
    int32_t count = 0;
    lint_text sampler_text = {0}, channels = {0};
    if (!samplers) return false;
    lint_append(&channels, "[", 1);
    for (int32_t c = 0; c < source->channel_count; c++) {
        if (items[c][0] < 0) continue;
        const ref_channel *channel = &w->p->tracks[animation][c].result;
        const written_sampler added = {items[c][0], items[c][1], channel->interpolation};
        const int32_t sampler = add_sampler(samplers, &count, added);
        lint_append_format(&channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                           channels.size > 1 ? "," : "", (int)sampler, (int)channel->node, paths[channel->path]);
    }
    lint_append(&channels, "]", 1);
    write_samplers(w, samplers, count, &sampler_text);
    replace_member(w, value, "channels", &channels);
    replace_member(w, value, "samplers", &sampler_text);
    return !w->failed;
}

static bool write_animations(writer *w) {
    const ref_model *model = w->p->body->models[0];
    size_t at = 0;
    for (int32_t a = 0; a < model->animation_count; a++) {
        if (!w->p->untouched[a] && !write_animation(w, a, w->track_items + at)) return false;
        at += (size_t)model->animations[a].channel_count;
    }
    return true;
}

// ---- Views ---------------------------------------------------------------------------------------------------------

// Whether anything but animations has bytes. They are in the first buffer.
static bool has_bytes(const writer *w) {
    return w->document.bin.size > 0;
}

static void align(lint_text *bin) {
    while (bin->size % 4 != 0 && !bin->failed) lint_append(bin, "", 1);
}

static bool append_compressed(writer *w, stream_kind kind) {
    const size_t stride = (size_t)formats[kind].stride, count = w->streams[kind].size / stride;
    const size_t room = meshopt_encodeVertexBufferBound(count, stride);
    unsigned char *bytes = malloc(room + 1);
    if (!bytes) return false;
    const size_t size = meshopt_encodeVertexBuffer(bytes, room, w->streams[kind].data, count, stride);
    lint_append(&w->bin, bytes, size);
    free(bytes);
    return size > 0;
}

// Appends a view; a compressed one to the fallback buffer, which has no bytes, at *fallback_size.
static bool write_view(writer *w, stream_kind kind, size_t *fallback_size, lint_text *out) {
    const size_t size = w->streams[kind].size;
    align(&w->bin);
    const size_t start = w->bin.size;
    if (w->p->def->plain) {
        lint_append(&w->bin, w->streams[kind].data, size);
        lint_append_format(out, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", start, size);
        return true;
    }
    if (!append_compressed(w, kind)) return false;
    lint_append_format(out, "{\"buffer\":%d,\"byteOffset\":%zu,\"byteLength\":%zu,\"extensions\":{",
                       has_bytes(w) ? (int)w->document.buffers.count : 1, *fallback_size, size);
    lint_append_format(out,
                       "\"EXT_meshopt_compression\":{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,"
                       "\"byteStride\":%d,\"count\":%zu,\"mode\":\"ATTRIBUTES\"",
                       start, w->bin.size - start, formats[kind].stride, size / (size_t)formats[kind].stride);
    if (formats[kind].filter) lint_append_format(out, ",\"filter\":\"%s\"", formats[kind].filter);
    lint_append_format(out, "}}}");
    *fallback_size += size;
    return true;
}

static bool write_views(writer *w, size_t *fallback_size) {
    lint_text text = {0};
    int32_t number = w->document.views.count;
    bool good = true;
    for (int kind = 0; kind < STREAM_COUNT && good; kind++) {
        w->failed |= w->streams[kind].failed;
        if (w->streams[kind].size == 0) continue;
        if (text.size > 0) lint_append(&text, ",", 1);
        w->view_of[kind] = number++;
        good = write_view(w, (stream_kind)kind, fallback_size, &text);
    }
    append_to(w, "bufferViews", &text);
    return good && !w->failed;
}

static void write_buffers(writer *w, size_t fallback_size) {
    lint_text text = {0};
    for (int32_t i = 0; i < w->document.buffers.count && !has_bytes(w); i++) { // of views that were dropped
        lint_remove_element(&w->edits, w->document.buffers.values[i]);
    }
    if (has_bytes(w)) {
        lint_set_number(&w->edits, w->document.buffers.values[0], "byteLength", w->bin.size, 0);
    } else {
        lint_append_format(&text, "{\"byteLength\":%zu}", w->bin.size);
    }
    if (fallback_size > 0) {
        lint_append_format(
            &text, "%s{\"byteLength\":%zu,\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}}",
            text.size > 0 ? "," : "", fallback_size);
    }
    w->failed |= text.failed;
    if (text.size > 0) append_to(w, "buffers", &text);
}

// ---- The file ------------------------------------------------------------------------------------------------------

static void require_extension(writer *w, const char *list) {
    const sinew_json *json = &w->document.json;
    const sinew_json_value array = sinew_json_get(json, 0, list);
    for (sinew_json_value e = sinew_json_first(json, array); e != SINEW_JSON_ABSENT;
         e = sinew_json_following(json, e)) {
        if (sinew_json_kind_of(json, e) == SINEW_JSON_STRING &&
            sinew_json_equals(json, e, "EXT_meshopt_compression"))
            return;
    }
    lint_text text = {0};
    lint_append_format(&text, "\"EXT_meshopt_compression\"");
    append_to(w, list, &text);
}

// Appends the mark to asset.generator; it replaces an earlier one.
static void write_mark(writer *w) {
    const sinew_json *json = &w->document.json;
    const sinew_json_value asset = sinew_json_get(json, 0, "asset"),
                           generator = sinew_json_get(json, asset, "generator");
    lint_text text = {0};
    if (sinew_json_kind_of(json, generator) != SINEW_JSON_STRING) {
        lint_append_format(&text, "\"generator\":\"%s\"", w->p->def->mark);
        lint_append(&text, "", 1);
        w->failed |= text.failed || generator != SINEW_JSON_ABSENT;
        if (!w->failed) lint_append_content(&w->edits, asset, text.data);
        lint_text_free(&text);
        return;
    }
    const char *start = json->text + json->nodes[generator].start;
    size_t length = (size_t)(json->nodes[generator].end - json->nodes[generator].start);
    for (size_t i = 0; i + sizeof OPTIMIZE_MARK - 1 <= length; i++) {
        if (memcmp(start + i, OPTIMIZE_MARK, sizeof OPTIMIZE_MARK - 1) == 0) length = i;
    }
    while (length > 0 && start[length - 1] == ' ') length--;
    lint_append(&text, "\"", 1);
    lint_append(&text, start, length);
    lint_append_format(&text, "%s%s\"", length > 0 ? " " : "", w->p->def->mark);
    w->failed |= text.failed;
    if (!text.failed) lint_replace_text(&w->edits, generator, text.data, text.size);
    lint_text_free(&text);
}

static bool write_glb(writer *w, optimize_result *result) {
    lint_text json = {0}, glb = {0};
    if (w->failed || w->edits.failed) return false;
    lint_write_value(&w->edits, 0, &json);
    const bool good = lint_write_glb(&json, &w->bin, &glb);
    lint_text_free(&json);
    if (!good) {
        lint_text_free(&glb);
        return false;
    }
    result->glb = (uint8_t *)glb.data;
    result->size = glb.size;
    return true;
}

static bool write_file(writer *w, optimize_result *result) {
    size_t fallback_size = 0;
    w->edits = lint_edits_begin(&w->document.json, &w->arena);
    lint_append(&w->bin, w->document.bin.data, w->document.bin.size);
    if (!add_tracks(w) || !lay_items(w) || !write_views(w, &fallback_size)) return false;
    write_accessors(w);
    if (!write_animations(w)) return false;
    write_buffers(w, fallback_size);
    if (fallback_size > 0) {
        require_extension(w, "extensionsUsed");
        require_extension(w, "extensionsRequired");
    }
    write_mark(w);
    return write_glb(w, result);
}

bool plan_write(plan *p, optimize_result *result) {
    writer w = {.p = p};
    lint_fixed packed;
    sinew_arena_init(&w.arena, NULL);
    for (int i = 0; i < BUCKETS; i++) w.buckets[i] = -1;
    bool good = false;
    bool *emptied = sinew_arena_zeros(&w.arena, bool, (size_t)p->body->models[0]->animation_count);
    for (int32_t a = 0; emptied && a < p->body->models[0]->animation_count; a++) emptied[a] = !p->untouched[a];
    if (emptied) {
        const bool packs = lint_pack_without(&packed, p->def->path, emptied, p->def->decode, p->def->decode_user);
        if (!packs) {
            snprintf(result->error, sizeof result->error, "%s", packed.error);
        } else if (!ref_open_bytes(&w.document, p->def->path, packed.glb, packed.size, NULL, NULL)) {
            snprintf(result->error, sizeof result->error, "%.80s: %.400s", p->def->path, w.document.error);
        } else {
            good = write_file(&w, result);
        }
        if (packs) ref_close(&w.document);
        lint_fixed_end(&packed);
    }
    for (int kind = 0; kind < STREAM_COUNT; kind++) lint_text_free(&w.streams[kind]);
    lint_text_free(&w.bin);
    free(w.items);
    sinew_arena_free(&w.arena);
    return good;
}
