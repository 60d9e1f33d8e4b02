// SPDX-License-Identifier: MIT
// Writes the chosen tracks to the file. Each stream of elements is a view, and accessors share its parts.
#include "optimize/items.h"
#include "optimize/shorten.h"

#include "lint/edit.h"
#include "lint/glb.h"
#include "lint/lint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A sampler in the animation being written.
typedef struct written_sampler {
    int32_t input, output; // items
    ref_interpolation interpolation;
} written_sampler;

typedef struct writer {
    plan *p;
    const optimize_meshes *meshes; // may be NULL
    const int32_t *accessors;      // [of the file]; their numbers in the packed file
    plan_items items;
    int32_t (*track_items)[2]; // [tracks of all clips]; items for times and values, or -1 if dropped
    int32_t *last_sampler;     // [items]; last sampler with these values, in this animation or an earlier one
    int32_t view_of[ITEM_KINDS];
    ref_document document; // the packed file's
    lint_edits edits;
    sinewi_arena arena;
    lint_text bin;
    bool failed; // memory ran out
} writer;

static bool add_tracks(writer *w) {
    const ref_model *model = w->p->body->models[0];
    size_t count = 0, at = 0;
    for (int32_t a = 0; a < model->animation_count; a++) count += (size_t)model->animations[a].channel_count;
    w->track_items = sinewi_arena_take(&w->arena, count, sizeof *w->track_items, 16);
    if (!w->track_items) return false;
    for (int32_t a = 0; a < model->animation_count; a++) {
        for (int32_t c = 0; c < model->animations[a].channel_count; c++, at++) {
            const plan_track *track = w->p->untouched[a] ? NULL : &w->p->tracks[a][c];
            const bool kept = track && track->chosen.choice.level >= 0;
            w->track_items[at][0] = kept ? plan_add_times(&w->items, &track->result) : -1;
            w->track_items[at][1] = kept ? plan_add_values(&w->items, track) : -1;
        }
    }
    return !w->items.failed;
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

// Appends to one of the file's arrays, which is created if necessary.
static void append_to(writer *w, const char *key, lint_text *text) {
    const sinewi_json_value array = sinewi_json_get(&w->document.json, 0, key);
    if (text->size == 0 && !text->failed) return;
    lint_append(text, "", 1); // zero-terminated
    w->failed |= text->failed;
    if (!text->failed && array != SINEWI_JSON_ABSENT) {
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

// Replaces a member's value. Adds the member if it's missing.
static void set_member(writer *w, sinewi_json_value object, const char *key, lint_text *text) {
    const sinewi_json_value value = sinewi_json_get(&w->document.json, object, key);
    w->failed |= text->failed;
    if (!text->failed && value != SINEWI_JSON_ABSENT) {
        lint_replace_text(&w->edits, value, text->data, text->size);
    } else if (!text->failed) {
        lint_text member = {0};
        lint_append_format(&member, "\"%s\":", key);
        lint_append(&member, text->data, text->size);
        lint_append(&member, "", 1); // zero-terminated
        w->failed |= member.failed;
        if (!member.failed) lint_append_content(&w->edits, object, member.data);
        lint_text_free(&member);
    }
    lint_text_free(text);
}

static void write_added(writer *w, const optimize_accessor *accessor, size_t number, lint_text *out) {
    const ref_list primitives = ref_elements(&w->document, w->document.meshes.values[accessor->mesh], "primitives");
    lint_append_format(out, "%s{\"bufferView\":%d", out->size > 0 ? "," : "",
                       (int)(w->document.views.count + accessor->view));
    if (accessor->offset > 0) lint_append_format(out, ",\"byteOffset\":%zu", accessor->offset);
    lint_append_format(out, ",\"componentType\":%d,\"count\":%d,\"type\":\"SCALAR\"}", accessor->component_type,
                       (int)accessor->count);
    lint_text text = {0};
    lint_append_format(&text, "%zu", number);
    set_member(w, primitives.values[accessor->primitive], "indices", &text);
}

// Appends indices of primitives that didn't have any.
static void append_added(writer *w, lint_text *out) {
    size_t number = (size_t)w->document.accessors.count + (size_t)w->items.count;
    for (int32_t i = 0; w->meshes && i < w->meshes->accessor_count; i++) {
        if (w->meshes->accessors[i].accessor < 0) write_added(w, &w->meshes->accessors[i], number++, out);
    }
}

static void write_accessors(writer *w) {
    lint_text text = {0};
    for (int32_t i = 0; i < w->items.count; i++) {
        const plan_item *item = w->items.numbered[i];
        const item_format *format = &plan_item_formats[item->kind];
        lint_append_format(&text, "%s{\"bufferView\":%d", i > 0 ? "," : "", (int)w->view_of[item->kind]);
        if (item->offset > 0) lint_append_format(&text, ",\"byteOffset\":%zu", item->offset);
        lint_append_format(&text, ",\"componentType\":%s,\"count\":%d,\"type\":\"%s\"", format->component,
                           (int)item->count, format->type);
        if (item->kind == ITEM_TIMES) {
            float ends[2];
            memcpy(&ends[0], item->plain, sizeof ends[0]);
            memcpy(&ends[1], item->plain + plan_item_size(item) - sizeof ends[1], sizeof ends[1]);
            lint_append_format(&text, ",\"min\":[%.9g],\"max\":[%.9g]", (double)ends[0], (double)ends[1]);
        }
        lint_append(&text, "}", 1);
    }
    append_added(w, &text);
    append_to(w, "accessors", &text);
}

// Returns a sampler's number. Adds it, unless the last sampler with these values is equal.
static int32_t add_sampler(written_sampler *samplers, int32_t *count, int32_t *last, written_sampler added) {
    const int32_t i = last[added.output];
    if (i < *count && samplers[i].input == added.input && samplers[i].output == added.output &&
        samplers[i].interpolation == added.interpolation)
        return i;
    last[added.output] = *count;
    samplers[*count] = added;
    return (*count)++;
}

static void write_samplers(writer *w, const written_sampler *samplers, int32_t count, lint_text *out) {
    static const char *const names[] = {",\"interpolation\":\"STEP\"", "", ",\"interpolation\":\"CUBICSPLINE\""};
    lint_append(out, "[", 1);
    for (int32_t i = 0; i < count; i++) {
        lint_append_format(out, "%s{\"input\":%d,\"output\":%d%s}", i > 0 ? "," : "",
                           (int)(w->document.accessors.count + w->items.items[samplers[i].input].number),
                           (int)(w->document.accessors.count + w->items.items[samplers[i].output].number),
                           names[samplers[i].interpolation]);
    }
    lint_append(out, "]", 1);
}

static bool write_animation(writer *w, int32_t animation, int32_t (*items)[2]) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    const ref_animation *source = &w->p->body->models[0]->animations[animation];
    const sinewi_json_value value = w->document.animations.values[animation];
    written_sampler *samplers = sinewi_arena_array(&w->arena, written_sampler, (size_t)source->channel_count);
    int32_t count = 0;
    lint_text sampler_text = {0}, channels = {0};
    if (!samplers) return false;
    lint_append(&channels, "[", 1);
    for (int32_t c = 0; c < source->channel_count; c++) {
        if (items[c][0] < 0) continue;
        const ref_channel *channel = &w->p->tracks[animation][c].result;
        const written_sampler added = {items[c][0], items[c][1], channel->interpolation};
        const int32_t sampler = add_sampler(samplers, &count, w->last_sampler, added);
        lint_append_format(&channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                           channels.size > 1 ? "," : "", (int)sampler, (int)channel->node, paths[channel->path]);
    }
    lint_append(&channels, "]", 1);
    write_samplers(w, samplers, count, &sampler_text);
    set_member(w, value, "channels", &channels);
    set_member(w, value, "samplers", &sampler_text);
    return !w->failed;
}

static bool write_animations(writer *w) {
    const ref_model *model = w->p->body->models[0];
    size_t at = 0;
    w->last_sampler = sinewi_arena_zeros(&w->arena, int32_t, (size_t)w->items.count);
    if (!w->last_sampler) return false;
    for (int32_t a = 0; a < model->animation_count; a++) {
        if (!w->p->untouched[a] && !write_animation(w, a, w->track_items + at)) return false;
        at += (size_t)model->animations[a].channel_count;
    }
    return true;
}

// ---- Views ---------------------------------------------------------------------------------------------------------

// Returns whether anything except animations has bytes. They're in the first buffer.
static bool has_bytes(const writer *w) {
    return w->document.bin.size > 0;
}

static void align(lint_text *bin) {
    while (bin->size % 4 != 0 && !bin->failed) lint_append(bin, "", 1);
}

static const char *extension_name(const writer *w) {
    return w->p->def->extension == OPTIMIZE_KHR ? "KHR_meshopt_compression" : "EXT_meshopt_compression";
}

// Appends a compressed view. *fallback_size is its offset in the fallback buffer, which has no bytes.
static void write_compressed(writer *w, const optimize_view *view, size_t *fallback_size, lint_text *out) {
    const size_t size = view->stride * view->count;
    align(&w->bin);
    lint_append_format(out, "%s{\"buffer\":%d,\"byteOffset\":%zu,\"byteLength\":%zu", out->size > 0 ? "," : "",
                       has_bytes(w) ? (int)w->document.buffers.count : 1, *fallback_size, size);
    if (view->target == OPTIMIZE_VERTICES) lint_append_format(out, ",\"byteStride\":%zu", view->stride);
    if (view->target != 0) lint_append_format(out, ",\"target\":%d", view->target);
    lint_append_format(out,
                       ",\"extensions\":{\"%s\":{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,"
                       "\"byteStride\":%zu,\"count\":%zu,\"mode\":\"%s\"",
                       extension_name(w), w->bin.size, view->size, view->stride, view->count, view->mode);
    if (view->filter) lint_append_format(out, ",\"filter\":\"%s\"", view->filter);
    lint_append_format(out, "}}}");
    lint_append(&w->bin, view->bytes, view->size);
    *fallback_size += (size + 3) / 4 * 4; // aligns accessors
}

static void write_shared(writer *w, lint_text *out) {
    align(&w->bin);
    lint_append_format(out, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", out->size > 0 ? "," : "",
                       w->bin.size, w->items.shared.size);
    lint_append(&w->bin, w->items.shared.data, w->items.shared.size);
}

static void write_views(writer *w, size_t *fallback_size) {
    lint_text text = {0};
    int32_t number = w->document.views.count;
    for (int32_t i = 0; w->meshes && i < w->meshes->view_count; i++, number++)
        write_compressed(w, &w->meshes->views[i], fallback_size, &text);
    if (w->items.shared.size > 0) {
        for (int kind = 0; kind < ITEM_KINDS; kind++) w->view_of[kind] = number;
        number++;
        write_shared(w, &text);
    }
    for (int kind = 0; kind < ITEM_KINDS; kind++) {
        const plan_stream *stream = &w->items.streams[kind];
        const item_format *format = &plan_item_formats[kind];
        if (stream->compressed.size == 0) continue;
        const optimize_view view = {.mode = "ATTRIBUTES",
                                    .filter = format->filter,
                                    .stride = (size_t)format->stride,
                                    .count = stream->coded.size / (size_t)format->stride,
                                    .bytes = stream->compressed.data,
                                    .size = stream->compressed.size};
        w->view_of[kind] = number++;
        write_compressed(w, &view, fallback_size, &text);
    }
    append_to(w, "bufferViews", &text);
}

static void write_buffers(writer *w, size_t fallback_size) {
    lint_text text = {0};
    for (int32_t i = 0; i < w->document.buffers.count && !has_bytes(w); i++) { // buffers of dropped views
        lint_remove_element(&w->edits, w->document.buffers.values[i]);
    }
    if (has_bytes(w)) {
        lint_set_number(&w->edits, w->document.buffers.values[0], "byteLength", w->bin.size, 0);
    } else {
        lint_append_format(&text, "{\"byteLength\":%zu}", w->bin.size);
    }
    if (fallback_size > 0) {
        lint_append_format(&text, "%s{\"byteLength\":%zu,\"extensions\":{\"%s\":{\"fallback\":true}}}",
                           text.size > 0 ? "," : "", fallback_size, extension_name(w));
    }
    w->failed |= text.failed;
    if (text.size > 0) append_to(w, "buffers", &text);
}

// ---- Vertices ------------------------------------------------------------------------------------------------------

static void set_bounds(writer *w, sinewi_json_value value, const optimize_accessor *accessor) {
    for (int end = 0; end < 2; end++) {
        lint_text text = {0};
        for (int32_t i = 0; i < accessor->components; i++) {
            lint_append(&text, i > 0 ? "," : "[", 1);
            shorten_append(&text, accessor->bounds[end * (ptrdiff_t)accessor->components + i]);
        }
        lint_append(&text, "]", 1);
        set_member(w, value, end == 0 ? "min" : "max", &text);
    }
}

static void write_vertex_accessor(writer *w, const optimize_accessor *accessor) {
    const sinewi_json_value value = w->document.accessors.values[w->accessors[accessor->accessor]];
    lint_set_number(&w->edits, value, "bufferView", (size_t)w->document.views.count + (size_t)accessor->view,
                    SIZE_MAX);
    lint_set_number(&w->edits, value, "byteOffset", accessor->offset, 0);
    lint_set_number(&w->edits, value, "count", (size_t)accessor->count, SIZE_MAX);
    lint_set_number(&w->edits, value, "componentType", (size_t)accessor->component_type, SIZE_MAX);
    if (accessor->exact) return;
    lint_text normalized = {0};
    lint_append_format(&normalized, "true");
    if (accessor->normalized) {
        set_member(w, value, "normalized", &normalized);
    } else {
        lint_text_free(&normalized);
    }
    if (accessor->bounds) {
        set_bounds(w, value, accessor);
    } else {
        lint_remove_member(&w->edits, value, "min");
        lint_remove_member(&w->edits, value, "max");
    }
}

static void write_vertices(writer *w) {
    for (int32_t i = 0; w->meshes && i < w->meshes->accessor_count; i++) {
        if (w->meshes->accessors[i].accessor >= 0) write_vertex_accessor(w, &w->meshes->accessors[i]);
    }
}

// ---- The file ------------------------------------------------------------------------------------------------------

static bool lists(const sinewi_json *json, sinewi_json_value array, const char *name) {
    for (sinewi_json_value e = sinewi_json_first(json, array); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(json, e)) {
        if (sinewi_json_kind_of(json, e) == SINEWI_JSON_STRING && sinewi_json_equals(json, e, name)) return true;
    }
    return false;
}

static void require_extensions(writer *w, const char *list, bool compressed) {
    const sinewi_json_value array = sinewi_json_get(&w->document.json, 0, list);
    const char *const names[] = {compressed ? extension_name(w) : NULL,
                                 w->meshes && w->meshes->has_integers ? "KHR_mesh_quantization" : NULL};
    lint_text text = {0};
    for (int i = 0; i < 2; i++) {
        if (!names[i] || lists(&w->document.json, array, names[i])) continue;
        lint_append_format(&text, "%s\"%s\"", text.size > 0 ? "," : "", names[i]);
    }
    append_to(w, list, &text);
}

// Appends the mark to asset.generator, replacing an earlier one.
static void write_mark(writer *w) {
    const sinewi_json *json = &w->document.json;
    const sinewi_json_value asset = sinewi_json_get(json, 0, "asset"),
                            generator = sinewi_json_get(json, asset, "generator");
    lint_text text = {0};
    if (sinewi_json_kind_of(json, generator) != SINEWI_JSON_STRING) {
        lint_append_format(&text, "\"generator\":\"%s\"", w->p->def->mark);
        lint_append(&text, "", 1);
        w->failed |= text.failed || generator != SINEWI_JSON_ABSENT;
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
    shorten_spaces(&json);
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
    if (!add_tracks(w) || !plan_lay_items(&w->items, w->p->def->extension != OPTIMIZE_PLAIN)) return false;
    write_views(w, &fallback_size);
    write_accessors(w);
    write_vertices(w);
    if (!write_animations(w)) return false;
    write_buffers(w, fallback_size);
    require_extensions(w, "extensionsUsed", fallback_size > 0);
    require_extensions(w, "extensionsRequired", fallback_size > 0);
    write_mark(w);
    if (w->meshes) shorten_document(&w->edits, &w->document);
    return write_glb(w, result);
}

// Marks the animations and accessors that will be rewritten.
static bool leave_out(const writer *w, lint_left_out *left_out) {
    const plan *p = w->p;
    const int32_t animations = p->body->models[0]->animation_count, accessors = p->def->document->accessors.count;
    bool *emptied = sinewi_arena_zeros(p->arena, bool, (size_t)animations),
         *unstored = sinewi_arena_zeros(p->arena, bool, (size_t)accessors);
    if (!emptied || !unstored) return false;
    for (int32_t a = 0; a < animations; a++) emptied[a] = !p->untouched[a];
    for (int32_t i = 0; w->meshes && i < w->meshes->accessor_count; i++)
        if (w->meshes->accessors[i].accessor >= 0) unstored[w->meshes->accessors[i].accessor] = true;
    *left_out = (lint_left_out){emptied, unstored, w->meshes ? w->meshes->dropped : NULL};
    return true;
}

static bool pack_and_write(writer *w, optimize_result *result) {
    const optimize_def *def = w->p->def;
    lint_left_out left_out;
    lint_fixed packed;
    bool good = false;
    if (!leave_out(w, &left_out)) return false;
    const bool packs = lint_pack_without(&packed, def->path, &left_out, def->decode, def->decode_user);
    w->accessors = packed.accessors;
    if (!packs) {
        snprintf(result->error, sizeof result->error, "%s", packed.error);
    } else if (!ref_open_bytes(&w->document, def->path, packed.glb, packed.size, NULL, NULL)) {
        snprintf(result->error, sizeof result->error, "%.80s: %.400s", def->path, w->document.error);
    } else {
        good = write_file(w, result);
    }
    if (packs) ref_close(&w->document);
    lint_fixed_end(&packed);
    return good;
}

bool plan_write(plan *p, optimize_result *result) {
    writer w = {.p = p, .meshes = p->def->meshes};
    sinewi_arena_init(&w.arena, NULL);
    plan_items_begin(&w.items, &w.arena);
    const bool good = pack_and_write(&w, result);
    plan_items_end(&w.items);
    lint_text_free(&w.bin);
    sinewi_arena_free(&w.arena);
    return good;
}
