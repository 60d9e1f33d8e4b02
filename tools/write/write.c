// SPDX-License-Identifier: MIT
// Writes clips into a file: decides which animations, accessors, views and bytes are dropped, then edits the JSON and
// appends the new bytes.
//
// Only accessors and views at the end of their lists are dropped, and bytes at the end of the buffer: nothing is renumbered
// or moved.
#include "write/write.h"
#include "lint/glb.h"
#include "lint/lint.h"
#include "lint/ranges.h"
#include "lint/subject.h"
#include "write/animation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    const write_def *def;
    write_result *result;
    ref_document document;
    sinew_arena arena;
    lint_subject subject;
    lint_edits edits;
    bool *dropped;     // [animations.count]: replaced or removed
    int32_t *replaced; // [clip_count]: the animation that a clip replaces; -1: none
    int32_t accessors; // kept at the start of the list
    int32_t views;
    size_t bytes; // kept at the start of the buffer
    write_accessors added;
    lint_text bin;
} writer;

static bool fail(writer *w, const char *reason) {
    snprintf(w->result->error, sizeof w->result->error, "%.80s: %.400s", w->def->path, reason);
    return false;
}

// ---- What is dropped -----------------------------------------------------------------------------------------------

static bool has_name(const writer *w, int32_t animation, const char *name) {
    return strcmp(w->subject.animations[animation].name, name) == 0;
}

// Each clip replaces the first animation of its name that no other clip replaces.
static bool choose_animations(writer *w) {
    const int32_t count = w->document.animations.count;
    w->dropped = sinew_arena_zeros(&w->arena, bool, (size_t)count);
    w->replaced = sinew_arena_array(&w->arena, int32_t, (size_t)w->def->clip_count);
    if (!w->dropped || !w->replaced) return fail(w, "out of memory");
    for (int32_t c = 0; c < w->def->clip_count; c++) {
        int32_t a = 0;
        while (a < count && (w->dropped[a] || !has_name(w, a, w->def->clips[c]->name))) a++;
        w->replaced[c] = a < count ? a : -1;
        if (a < count) w->dropped[a] = true;
        *(a < count ? &w->result->replaced : &w->result->added) += 1;
    }
    for (int32_t a = 0; a < count && w->def->only; a++) {
        w->result->removed += !w->dropped[a];
        w->dropped[a] = true;
    }
    return true;
}

// Whether a reference is in something that is dropped.
static bool is_dropped(const writer *w, const lint_reference *reference) {
    if (reference->from == LINT_ANIMATION) return w->dropped[reference->from_index];
    if (reference->from == LINT_ACCESSOR) return reference->from_index >= w->accessors;
    return reference->from == LINT_VIEW && reference->from_index >= w->views;
}

// One more than the last object of a kind that something kept refers to, or that an unknown extension may refer to.
static int32_t count_kept(const writer *w, lint_kind kind) {
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

static size_t end_of_bytes(const writer *w, sinew_json_value object, size_t end) {
    if (object == SINEW_JSON_ABSENT || ref_index(&w->document, object, "buffer") != 0) return end;
    const double last =
        ref_number(&w->document, object, "byteOffset", 0.0) + ref_number(&w->document, object, "byteLength", 0.0);
    return last > (double)end ? (size_t)last : end;
}

// The bytes that kept views use; all, if no view is dropped.
static size_t count_bytes(const writer *w) {
    if (w->document.buffers.count == 0) return 0;
    const size_t size = w->document.buffer_bytes[0].size;
    if (w->views == w->document.views.count) return size;
    size_t end = 0;
    for (int32_t i = 0; i < w->views; i++) {
        const sinew_json_value view = w->document.views.values[i];
        end = end_of_bytes(w, view, end_of_bytes(w, lint_meshopt(&w->document, view), end));
    }
    return end < size ? end : size;
}

static bool choose_kept(writer *w) {
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

// Appends to an array of the file, which is made if it is absent.
static void append_to(writer *w, const char *key, lint_text *text) {
    const sinew_json_value array = sinew_json_get(&w->document.json, 0, key);
    lint_append(text, "", 1); // zero-terminated
    w->edits.failed |= text->failed;
    if (text->failed || text->size == 1) return;
    if (array != SINEW_JSON_ABSENT) {
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

static void write_parts(writer *w, sinew_json_value node, const sinew_transform *t) {
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

static bool fail_sheared(writer *w, const sinew_clip *clip, int32_t node) {
    char reason[400];
    snprintf(
        reason, sizeof reason,
        "nodes[%d] '%.60s': clip '%.60s' animates it, but its matrix has shear, which translation, rotation and "
        "scale can't express; apply the node's scale in the tool that made the file",
        (int)clip->skeleton->source_of_node[node], clip->skeleton->names[node], clip->name);
    return fail(w, reason);
}

// An animated node must have translation, rotation and scale instead of a matrix (glTF 2.0, section 3.5.2).
static bool split_matrices(writer *w) {
    bool *is_split = sinew_arena_zeros(&w->arena, bool, (size_t)w->document.nodes.count);
    if (!is_split) return fail(w, "out of memory");
    for (int32_t c = 0; c < w->def->clip_count; c++) {
        const sinew_clip *clip = w->def->clips[c];
        for (int32_t i = 0; i < clip->channel_count; i++) {
            if (clip->channels[i].target > SINEW_TARGET_SCALE) continue;
            const int32_t node = clip->channels[i].node, index = clip->skeleton->source_of_node[node];
            const sinew_json_value value = w->document.nodes.values[index];
            if (is_split[index] || sinew_json_get(&w->document.json, value, "matrix") == SINEW_JSON_ABSENT)
                continue;
            if (is_sheared(clip->skeleton, node)) return fail_sheared(w, clip, node);
            write_parts(w, value, &clip->skeleton->rest[node]);
            is_split[index] = true;
        }
    }
    return true;
}

// ---- Animations and data -------------------------------------------------------------------------------------------

static void drop_tails(writer *w) {
    for (int32_t i = w->accessors; i < w->document.accessors.count; i++) {
        lint_remove_element(&w->edits, w->document.accessors.values[i]);
    }
    for (int32_t i = w->views; i < w->document.views.count; i++) {
        lint_remove_element(&w->edits, w->document.views.values[i]);
    }
}

// A clip gets the index of the animation that it replaces, unless only the clips are kept, in their order.
static bool edit_animations(writer *w) {
    lint_text appended = {0};
    bool good = true;
    for (int32_t a = 0; a < w->document.animations.count && w->def->only; a++) {
        lint_remove_element(&w->edits, w->document.animations.values[a]);
    }
    for (int32_t c = 0; c < w->def->clip_count && good; c++) {
        const bool keeps_index = w->replaced[c] >= 0 && !w->def->only;
        lint_text own = {0}, *out = keeps_index ? &own : &appended;
        if (!keeps_index && appended.size > 0) lint_append(&appended, ",", 1);
        good = write_animation(w->def->clips[c], w->def->asset, w->accessors, &w->added, out);
        if (good && keeps_index) {
            const sinew_json_value value = w->document.animations.values[w->replaced[c]];
            lint_replace_text(&w->edits, value, own.data, own.size);
        }
        lint_text_free(&own);
    }
    if (good) append_to(w, "animations", &appended);
    lint_text_free(&appended);
    return good;
}

static void edit_buffer(writer *w, size_t start) {
    lint_text text = {0};
    lint_append_format(&text, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", start, w->added.bytes.size);
    append_to(w, "bufferViews", &text);
    lint_text_free(&text);
    write_accessors_json(&w->added, w->views, &text);
    append_to(w, "accessors", &text);
    lint_text_free(&text);
    if (w->document.buffers.count > 0) {
        lint_set_number(&w->edits, w->document.buffers.values[0], "byteLength", w->bin.size, 0);
        return;
    }
    lint_append_format(&text, "{\"byteLength\":%zu}", w->bin.size);
    append_to(w, "buffers", &text);
    lint_text_free(&text);
}

// ---- The file ------------------------------------------------------------------------------------------------------

static bool write_file(writer *w) {
    lint_text json = {0}, glb = {0};
    drop_tails(w);
    bool good = edit_animations(w);
    if (w->bytes > 0) lint_append(&w->bin, w->document.buffer_bytes[0].data, w->bytes);
    while (w->bin.size % 4 != 0 && !w->bin.failed) lint_append(&w->bin, "", 1);
    const size_t start = w->bin.size;
    lint_append(&w->bin, w->added.bytes.data, w->added.bytes.size);
    edit_buffer(w, start);
    lint_write_value(&w->edits, 0, &json);
    good = good && !w->edits.failed && !json.failed && lint_write_glb(&json, &w->bin, &glb);
    lint_text_free(&json);
    if (!good) {
        lint_text_free(&glb);
        return fail(w, "out of memory, or the result would exceed 4 GiB");
    }
    w->result->glb = (uint8_t *)glb.data;
    w->result->size = glb.size;
    return true;
}

// Whether a file is a .glb with at most one buffer of its own.
static bool is_plain_glb(const ref_document *document) {
    for (int32_t i = 0; i < document->buffers.count; i++) {
        if (sinew_json_get(&document->json, document->buffers.values[i], "uri") != SINEW_JSON_ABSENT) return false;
    }
    return document->binary;
}

static bool check_clips(writer *w) {
    for (int32_t i = 0; i < w->def->clip_count; i++) {
        const sinew_clip *clip = w->def->clips[i];
        char reason[200];
        if (clip->skeleton->source_count != w->document.nodes.count) {
            snprintf(reason, sizeof reason, "clip '%.60s' is of another file: it has %d nodes, not %d", clip->name,
                     (int)clip->skeleton->source_count, (int)w->document.nodes.count);
            return fail(w, reason);
        }
        if (clip->additive || clip->channel_count == 0) {
            snprintf(reason, sizeof reason, "clip '%.60s' %s", clip->name,
                     clip->additive ? "is additive, which glTF cannot store" : "has no channels");
            return fail(w, reason);
        }
    }
    return true;
}

static bool add_clips(writer *w) {
    if (w->document.buffers.count > 0 && !w->document.buffer_bytes[0].data &&
        w->document.buffer_bytes[0].size == 0) {
        return fail(w, "buffers[0] has no bytes");
    }
    if (!check_clips(w)) return false;
    ref_budget_share(&w->document, &w->arena);
    bool good = lint_read_subject(&w->subject, &w->document, &w->arena, NULL);
    if (good) {
        w->edits = lint_edits_begin(&w->document.json, &w->arena);
        good = choose_kept(w) && split_matrices(w) && write_file(w);
    }
    if (!ref_within_budget(&w->document)) good = fail(w, w->document.error);
    ref_budget_end(&w->arena);
    return good || (w->result->error[0] == '\0' ? fail(w, "out of memory") : false);
}

// Packs the file, then adds the clips to the packed one.
static bool write_packed(writer *w) {
    lint_fixed packed;
    bool good = lint_pack(&packed, w->def->path, w->def->decode, w->def->decode_user);
    if (!good) {
        snprintf(w->result->error, sizeof w->result->error, "%s", packed.error);
    } else {
        ref_close(&w->document);
        good = ref_open_bytes(&w->document, w->def->path, packed.glb, packed.size, w->def->decode,
                              w->def->decode_user);
        good = good ? add_clips(w) : fail(w, w->document.error);
    }
    lint_fixed_end(&packed);
    return good;
}

bool write_clips(write_result *result, const write_def *def) {
    memset(result, 0, sizeof *result);
    writer w = {.def = def, .result = result};
    sinew_arena_init(&w.arena, NULL);
    bool good = ref_open(&w.document, def->path, def->decode, def->decode_user);
    if (!good) {
        fail(&w, w.document.error);
    } else {
        good = is_plain_glb(&w.document) ? add_clips(&w) : write_packed(&w);
    }
    if (!good) { // it may have run out of memory after the bytes were made
        free(result->glb);
        result->glb = NULL;
    }
    write_accessors_free(&w.added);
    lint_text_free(&w.bin);
    sinew_arena_free(&w.arena);
    ref_close(&w.document);
    return good;
}

void write_end(write_result *result) {
    free(result->glb);
    *result = (write_result){0};
}
