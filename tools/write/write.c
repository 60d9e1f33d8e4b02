// SPDX-License-Identifier: MIT
// Writes clips into a file. First decides which animations, accessors, views and bytes to drop. Then edits the JSON and
// appends the new bytes.
//
// Only drops accessors and views at the end of their lists, and bytes at the end of the buffer. Nothing is renumbered
// or moved.
#include "write/write.h"
#include "lint/lint.h"
#include "lint/ranges.h"
#include "lint/subject.h"
#include "write/container.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct written_clip {
    char *name;
    write_animation animation; // without its accessors' bytes
    int32_t *numbers;          // [accessors of the animation]; their indices in `added`
    int32_t replaced;          // the animation that it replaces, or -1
} written_clip;

struct write_copy {
    write_source source;
    write_result *result;
    ref_document document;
    lint_fixed packed; // if the original was packed, the document reads this
    sinewi_arena arena;
    lint_subject subject;
    lint_edits edits;
    bool *is_split;      // [nodes.count]; it no longer has a matrix
    written_clip *clips; // [clip_count]
    int32_t clip_count, clip_capacity;
    bool *dropped;     // [animations.count]; replaced or removed
    int32_t accessors; // kept at the start of the list
    int32_t views;
    size_t bytes; // kept at the start of the buffer
    write_accessors added;
};

static bool fail(write_copy *w, const char *reason) {
    snprintf(w->result->error, sizeof w->result->error, "%.80s: %.400s", w->source.path, reason);
    return false;
}

// ---- What is dropped -----------------------------------------------------------------------------------------------

static bool has_name(const write_copy *w, int32_t animation, const char *name) {
    return strcmp(w->subject.animations[animation].name, name) == 0;
}

// Chooses what each clip replaces: the first animation with its name that no other clip replaces.
static bool choose_animations(write_copy *w) {
    const int32_t count = w->document.animations.count;
    w->dropped = sinewi_arena_zeros(&w->arena, bool, (size_t)count);
    if (!w->dropped) return fail(w, "out of memory");
    for (int32_t c = 0; c < w->clip_count; c++) {
        int32_t a = 0;
        while (a < count && (w->dropped[a] || !has_name(w, a, w->clips[c].name))) a++;
        w->clips[c].replaced = a < count ? a : -1;
        if (a < count) w->dropped[a] = true;
        *(a < count ? &w->result->replaced : &w->result->added) += 1;
    }
    for (int32_t a = 0; a < count && w->source.only; a++) {
        w->result->removed += !w->dropped[a];
        w->dropped[a] = true;
    }
    return true;
}

// Returns whether a reference is in something that's dropped.
static bool is_dropped(const write_copy *w, const lint_reference *reference) {
    if (reference->from == LINT_ANIMATION) return w->dropped[reference->from_index];
    if (reference->from == LINT_ACCESSOR) return reference->from_index >= w->accessors;
    return reference->from == LINT_VIEW && reference->from_index >= w->views;
}

// Returns 1 + the last object of a kind that something kept, or an unknown extension, may refer to.
static int32_t count_kept(const write_copy *w, lint_kind kind) {
    const ref_list list = lint_list(&w->document, kind);
    int32_t kept = 0;
    for (int32_t i = 0; i < w->subject.reference_count; i++) {
        const lint_reference *reference = &w->subject.references[i];
        if (reference->kind != kind || is_dropped(w, reference)) continue;
        if (reference->target >= kept) kept = reference->target + 1;
    }
    for (int32_t i = kept; i < list.count; i++) {
        if (w->subject.opaque || !lint_is_plain(&w->document, list.values[i])) kept = i + 1;
    }
    return kept;
}

static size_t end_of_bytes(const write_copy *w, sinewi_json_value object, size_t end) {
    if (object == SINEWI_JSON_ABSENT || ref_index(&w->document, object, "buffer") != 0) return end;
    const double last =
        ref_number(&w->document, object, "byteOffset", 0.0) + ref_number(&w->document, object, "byteLength", 0.0);
    return last > (double)end ? (size_t)last : end;
}

// Returns how many bytes kept views use. If no view is dropped, that's all of them.
static size_t count_bytes(const write_copy *w) {
    if (w->document.buffers.count == 0) return 0;
    const size_t size = w->document.buffer_bytes[0].size;
    if (w->views == w->document.views.count) return size;
    size_t end = 0;
    for (int32_t i = 0; i < w->views; i++) {
        const sinewi_json_value view = w->document.views.values[i];
        end = end_of_bytes(w, view, end_of_bytes(w, lint_meshopt(&w->document, view), end));
    }
    return end < size ? end : size;
}

static bool choose_kept(write_copy *w) {
    if (!choose_animations(w)) return false;
    w->result->keeps_data = w->subject.opaque != NULL;
    w->accessors = w->document.accessors.count;
    w->views = w->document.views.count;
    w->accessors = count_kept(w, LINT_ACCESSOR);
    w->views = count_kept(w, LINT_VIEW);
    w->bytes = count_bytes(w);
    return true;
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

// Appends to one of the file's arrays, which is created if necessary.
static void append_to(write_copy *w, const char *key, lint_text *text) {
    const sinewi_json_value array = sinewi_json_get(&w->document.json, 0, key);
    lint_append(text, "", 1); // zero-terminated
    w->edits.failed |= text->failed;
    if (text->failed || text->size == 1) return;
    if (array != SINEWI_JSON_ABSENT) {
        lint_append_content(&w->edits, array, text->data);
        return;
    }
    lint_text member = {0};
    lint_append_format(&member, "\"%s\":[", key);
    lint_append(&member, text->data, text->size - 1);
    lint_append(&member, "]", 2);
    w->edits.failed |= member.failed;
    if (!member.failed) lint_append_content(&w->edits, 0, member.data);
    lint_text_free(&member);
}

// ---- Nodes with a matrix -------------------------------------------------------------------------------------------

static bool is_sheared(const sinew_skeleton *skeleton, int32_t node) {
    for (int32_t i = 0; i < skeleton->shear_count; i++) {
        if (skeleton->shear_nodes[i] == node) return true;
    }
    return false;
}

static void write_parts(write_copy *w, sinewi_json_value node, const sinew_transform *t) {
    static const char *const members[] = {"matrix", "translation", "rotation", "scale"};
    for (int i = 0; i < 4; i++) lint_remove_member(&w->edits, node, members[i]);
    const double numbers[] = {(double)t->translation.x, (double)t->translation.y, (double)t->translation.z,
                              (double)t->rotation.x,    (double)t->rotation.y,    (double)t->rotation.z,
                              (double)t->rotation.w,    (double)t->scale.x,       (double)t->scale.y,
                              (double)t->scale.z};
    char text[320];
    snprintf(text, sizeof text,
             "\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g],\"scale\":[%.9g,%.9g,%.9g]",
             numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7],
             numbers[8], numbers[9]);
    lint_append_content(&w->edits, node, text);
}

static bool fail_sheared(write_copy *w, const sinew_clip *clip, int32_t node) {
    char reason[400];
    snprintf(
        reason, sizeof reason,
        "nodes[%d] '%.60s': clip '%.60s' animates it, but its matrix has shear, which translation, rotation and "
        "scale can't express; apply the node's scale in the tool that made the file",
        (int)clip->skeleton->source_of_node[node], clip->skeleton->names[node], clip->name);
    return fail(w, reason);
}

static bool has_matrix(const write_copy *w, int32_t node) {
    return !w->is_split[node] &&
           sinewi_json_get(&w->document.json, w->document.nodes.values[node], "matrix") != SINEWI_JSON_ABSENT;
}

// Replaces an animated node's matrix with translation, rotation and scale, as glTF 2.0 requires (section 3.5.2). If a
// node has shear, doesn't edit anything.
static bool split_matrices(write_copy *w, const sinew_clip *clip) {
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < clip->channel_count; i++) {
            if (clip->channels[i].target > SINEW_TARGET_SCALE) continue;
            const int32_t node = clip->channels[i].node, index = clip->skeleton->source_of_node[node];
            if (!has_matrix(w, index)) continue;
            if (is_sheared(clip->skeleton, node)) return fail_sheared(w, clip, node);
            if (pass == 0) continue;
            write_parts(w, w->document.nodes.values[index], &clip->skeleton->rest[node]);
            w->is_split[index] = true;
        }
    }
    return true;
}

// ---- Animations and data -------------------------------------------------------------------------------------------

static void drop_tails(write_copy *w) {
    for (int32_t i = w->accessors; i < w->document.accessors.count; i++) {
        lint_remove_element(&w->edits, w->document.accessors.values[i]);
    }
    for (int32_t i = w->views; i < w->document.views.count; i++) {
        lint_remove_element(&w->edits, w->document.views.values[i]);
    }
}

// Puts each clip at the index of the animation that it replaces. If only the clips are kept, they stay in order.
static void edit_animations(write_copy *w) {
    lint_text appended = {0};
    for (int32_t a = 0; a < w->document.animations.count && w->source.only; a++) {
        lint_remove_element(&w->edits, w->document.animations.values[a]);
    }
    for (int32_t c = 0; c < w->clip_count; c++) {
        written_clip *clip = &w->clips[c];
        const bool keeps_index = clip->replaced >= 0 && !w->source.only;
        lint_text own = {0}, *out = keeps_index ? &own : &appended;
        if (!keeps_index && appended.size > 0) lint_append(&appended, ",", 1);
        for (int32_t i = 0; i < clip->animation.accessors.count; i++) clip->numbers[i] += w->accessors;
        write_animation_json(&clip->animation, clip->name, clip->numbers, out);
        w->edits.failed |= out->failed;
        if (keeps_index && !own.failed) {
            const sinewi_json_value value = w->document.animations.values[clip->replaced];
            lint_replace_text(&w->edits, value, own.data, own.size);
        }
        lint_text_free(&own);
    }
    append_to(w, "animations", &appended);
    lint_text_free(&appended);
}

// Describes the new bytes, starting at `start` in a buffer of `size` bytes.
static void edit_buffer(write_copy *w, size_t start, size_t size, bool is_gltf) {
    lint_text text = {0};
    lint_append_format(&text, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", start, w->added.size);
    append_to(w, "bufferViews", &text);
    lint_text_free(&text);
    write_accessors_json(&w->added, w->views, &text);
    append_to(w, "accessors", &text);
    lint_text_free(&text);
    if (is_gltf) lint_append_format(&text, "\"uri\":\"data:application/octet-stream;base64,%c\"", WRITE_DATA_HOLE);
    lint_append(&text, "", 1);
    w->edits.failed |= text.failed;
    if (text.failed) return;
    if (w->document.buffers.count > 0) {
        const sinewi_json_value buffer = w->document.buffers.values[0];
        lint_set_number(&w->edits, buffer, "byteLength", size, 0);
        if (is_gltf) lint_append_content(&w->edits, buffer, text.data);
    } else {
        lint_text buffer = {0};
        lint_append_format(&buffer, "{\"byteLength\":%zu%s%s}", size, is_gltf ? "," : "", text.data);
        append_to(w, "buffers", &buffer);
        lint_text_free(&buffer);
    }
    lint_text_free(&text);
}

// ---- The file ------------------------------------------------------------------------------------------------------

static bool fail_to_write(write_copy *w) {
    if (!ref_within_budget(&w->document)) return fail(w, w->document.error);
    return fail(w, w->added.scratch.append ? "out of memory, the result would exceed 4 GiB, or the disk is full"
                                           : "out of memory, or the result would exceed 4 GiB");
}

// Counts the bytes that pass through to `put`.
typedef struct counted {
    write_put put;
    void *user;
    size_t size;
} counted;

static void put_counted(const void *data, size_t size, void *user) {
    counted *to = user;
    to->size += size;
    to->put(data, size, to->user);
}

bool write_copy_finish(write_copy *w, bool is_gltf, write_put put, void *user) {
    if (!choose_kept(w)) return false;
    counted to = {put, user, 0};
    lint_text json = {0};
    write_container c = {.json = &json, .size = w->bytes, .added = &w->added, .put = put_counted, .user = &to};
    if (w->bytes > 0) c.bytes = w->document.buffer_bytes[0].data;
    drop_tails(w);
    edit_animations(w);
    edit_buffer(w, write_container_size(&c) - w->added.size, write_container_size(&c), is_gltf);
    if (!w->edits.failed) lint_write_value(&w->edits, 0, &json);
    const bool is_complete = !w->edits.failed && !w->added.failed && !json.failed &&
                             ref_within_budget(&w->document) &&
                             (is_gltf ? write_container_gltf(&c) : write_container_glb(&c));
    lint_text_free(&json);
    w->result->size = to.size;
    return is_complete || fail_to_write(w);
}

// ---- Opening -------------------------------------------------------------------------------------------------------

// Returns whether a file is a .glb with at most one buffer, its own.
static bool is_plain_glb(const ref_document *document) {
    for (int32_t i = 0; i < document->buffers.count; i++) {
        if (sinewi_json_get(&document->json, document->buffers.values[i], "uri") != SINEWI_JSON_ABSENT)
            return false;
    }
    return document->binary;
}

// If the original isn't a plain .glb, packs it and opens the result instead.
static bool pack(write_copy *w) {
    const write_source *source = &w->source;
    if (!lint_pack(&w->packed, source->path, source->decode, source->decode_user)) {
        snprintf(w->result->error, sizeof w->result->error, "%s", w->packed.error);
        return false;
    }
    ref_close(&w->document);
    return ref_open_bytes(&w->document, source->path, w->packed.glb, w->packed.size, source->decode,
                          source->decode_user) ||
           fail(w, w->document.error);
}

static bool open_document(write_copy *w) {
    const write_source *source = &w->source;
    const bool is_open = source->bytes ? ref_open_bytes(&w->document, source->path, source->bytes, source->size,
                                                        source->decode, source->decode_user)
                                       : ref_open(&w->document, source->path, source->decode, source->decode_user);
    if (!is_open) return fail(w, w->document.error);
    if (!is_plain_glb(&w->document) && !pack(w)) return false;
    if (w->document.buffers.count > 0 && !w->document.buffer_bytes[0].data && w->document.buffer_bytes[0].size == 0)
        return fail(w, "buffers[0] has no bytes");
    return true;
}

static bool read_document(write_copy *w) {
    ref_budget_share(&w->document, &w->arena);
    if (lint_read_subject(&w->subject, &w->document, &w->arena, NULL)) {
        w->edits = lint_edits_begin(&w->document.json, &w->arena);
        w->is_split = sinewi_arena_zeros(&w->arena, bool, (size_t)w->document.nodes.count);
    }
    if (!ref_within_budget(&w->document)) return fail(w, w->document.error);
    return (w->edits.nodes && w->is_split) || fail(w, "out of memory");
}

write_copy *write_copy_open(const write_source *source, write_result *result) {
    memset(result, 0, sizeof *result);
    write_copy *w = calloc(1, sizeof *w);
    if (!w) {
        snprintf(result->error, sizeof result->error, "%.80s: out of memory", source->path);
        return NULL;
    }
    w->source = *source;
    w->result = result;
    w->added.scratch = source->scratch;
    sinewi_arena_init(&w->arena, NULL);
    if (open_document(w) && read_document(w)) return w;
    write_copy_close(w);
    return NULL;
}

void write_copy_close(write_copy *w) {
    if (!w) return;
    for (int32_t i = 0; i < w->clip_count; i++) {
        free(w->clips[i].name);
        free(w->clips[i].numbers);
        write_animation_free(&w->clips[i].animation);
    }
    free(w->clips);
    write_accessors_free(&w->added);
    ref_budget_end(&w->arena);
    sinewi_arena_free(&w->arena);
    ref_close(&w->document);
    lint_fixed_end(&w->packed);
    free(w);
}

// ---- Clips ---------------------------------------------------------------------------------------------------------

static bool check_clip(write_copy *w, const sinew_clip *clip) {
    char reason[200];
    if (clip->skeleton->source_count != w->document.nodes.count) {
        snprintf(reason, sizeof reason, "clip '%.60s' belongs to a different file: it has %d nodes, not %d",
                 clip->name, (int)clip->skeleton->source_count, (int)w->document.nodes.count);
        return fail(w, reason);
    }
    if (clip->additive || clip->channel_count == 0) {
        snprintf(reason, sizeof reason, "clip '%.60s' %s", clip->name,
                 clip->additive ? "is additive, and glTF cannot store that" : "has no channels");
        return fail(w, reason);
    }
    return true;
}

static bool grow(write_copy *w) {
    if (w->clip_count < w->clip_capacity) return true;
    const int32_t capacity = w->clip_capacity > 0 ? 2 * w->clip_capacity : 16;
    written_clip *clips = realloc(w->clips, (size_t)capacity * sizeof *clips);
    if (!clips) return false;
    w->clips = clips;
    w->clip_capacity = capacity;
    return true;
}

static char *copy_name(const char *name) {
    const size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, name, size) : NULL;
}

// Moves the animation into the copy, and its keys into the copy's keys.
static bool take_animation(write_copy *w, const char *name, write_animation *animation) {
    written_clip clip = {.name = copy_name(name), .replaced = -1};
    clip.numbers = malloc(((size_t)animation->accessors.count + 1) * sizeof *clip.numbers);
    if (!clip.name || !clip.numbers || !grow(w) ||
        !write_take_accessors(&w->added, &animation->accessors, clip.numbers)) {
        free(clip.name);
        free(clip.numbers);
        return fail_to_write(w);
    }
    clip.animation = *animation;
    *animation = (write_animation){0};
    lint_text_free(&clip.animation.accessors.bytes);
    w->clips[w->clip_count++] = clip;
    return true;
}

bool write_copy_add(write_copy *w, const sinew_clip *clip, const char *name, write_animation *animation) {
    if (!check_clip(w, clip) || !split_matrices(w, clip) || !take_animation(w, name, animation)) return false;
    return !w->edits.failed || fail_to_write(w);
}

static bool add_clips(write_copy *w, const write_def *def) {
    for (int32_t i = 0; i < def->clip_count; i++) {
        write_animation animation;
        const sinew_clip *clip = def->clips[i];
        const bool is_made = write_animation_make(&animation, clip, def->asset, NULL, NULL);
        const bool is_added = is_made ? write_copy_add(w, clip, clip->name, &animation) : fail_to_write(w);
        write_animation_free(&animation);
        if (!is_added) return false;
    }
    return true;
}

static void put_text(const void *data, size_t size, void *user) {
    lint_append(user, data, size);
}

bool write_clips(write_result *result, const write_def *def) {
    const write_source source = {
        .path = def->path, .only = def->only, .decode = def->decode, .decode_user = def->decode_user};
    write_copy *w = write_copy_open(&source, result);
    lint_text glb = {0};
    bool is_written = w && add_clips(w, def) && write_copy_finish(w, false, put_text, &glb);
    if (is_written && glb.failed) is_written = fail_to_write(w);
    write_copy_close(w);
    if (is_written) {
        result->glb = (uint8_t *)glb.data;
    } else {
        lint_text_free(&glb);
    }
    return is_written;
}

void write_end(write_result *result) {
    free(result->glb);
    *result = (write_result){0};
}
