// SPDX-License-Identifier: MIT
// Writes the packed file: updates the JSON's indices and offsets of buffers, views and accessors, then writes the .glb.
#include "lint/glb.h"
#include "lint/pack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- References ----------------------------------------------------------------------------------------------------

static int32_t number_of_accessor(const pack *p, int32_t target) {
    if (target >= 0) return p->numbers[target];
    return target == -1 ? -1 : p->f->contents[-2 - target].index;
}

// Updates indices that changed. Unchanged numbers keep their text.
static void number_references(pack *p) {
    fixer *f = p->f;
    for (int32_t i = 0; i < f->s->reference_count; i++) {
        const lint_reference *reference = &f->s->references[i];
        int32_t number = reference->target;
        if (reference->kind == LINT_ACCESSOR) {
            number = number_of_accessor(p, f->targets[i]);
        } else if (reference->kind == LINT_VIEW && p->views[reference->target].kept) {
            number = p->views[reference->target].number;
        } else if (reference->kind == LINT_BUFFER) {
            number = p->buffer_numbers[reference->target];
        }
        if (number >= 0 && number != reference->target)
            lint_replace(&f->edits, reference->value, "%d", (int)number);
    }
}

// ---- Accessors -----------------------------------------------------------------------------------------------------

static void move_offset(pack *p, sinewi_json_value object) {
    ref_document *document = p->f->s->document;
    int32_t view = lint_index(document, object, "bufferView", document->views.count);
    if (view < 0 || !p->views[view].kept) return;
    double offset = ref_number(document, object, "byteOffset", 0.0);
    lint_set_number(&p->f->edits, object, "byteOffset", pack_offset(p, view, (size_t)offset), 0);
}

static void move_accessors(pack *p) {
    ref_document *document = p->f->s->document;
    for (int32_t i = 0; i < document->accessors.count; i++) {
        sinewi_json_value accessor = document->accessors.values[i];
        if (!p->live[i]) {
            lint_remove_element(&p->f->edits, accessor);
            continue;
        }
        if (p->f->unstored && p->f->unstored[i]) {
            lint_remove_member(&p->f->edits, accessor, "bufferView");
            lint_remove_member(&p->f->edits, accessor, "byteOffset");
            lint_remove_member(&p->f->edits, accessor, "sparse");
            continue;
        }
        sinewi_json_value sparse = sinewi_json_get(&document->json, accessor, "sparse");
        move_offset(p, accessor);
        move_offset(p, sinewi_json_get(&document->json, sparse, "indices"));
        move_offset(p, sinewi_json_get(&document->json, sparse, "values"));
    }
}

static void append_bounds(const fix_content *content, const char *key, bool largest, lint_text *out) {
    lint_append_format(out, ",\"%s\":[", key);
    for (int32_t k = 0; k < content->components; k++) {
        double bound = fix_stored_number(content, content->values[k]);
        for (int32_t i = 1; i < content->count; i++) {
            double value =
                fix_stored_number(content, content->values[(size_t)i * (size_t)content->components + (size_t)k]);
            bound = largest ? fmax(bound, value) : fmin(bound, value);
        }
        lint_append_format(out, "%s%.9g", k > 0 ? "," : "", bound);
    }
    lint_append(out, "]", 1);
}

// Appends the text to the array and frees it. Empty text adds nothing.
static void append_text(pack *p, sinewi_json_value array, lint_text *text) {
    if (text->size == 0 && !text->failed) return;
    lint_append(text, "", 1); // zero-terminated
    if (!text->failed) lint_append_content(&p->f->edits, array, text->data);
    p->f->edits.failed |= text->failed;
    lint_text_free(text);
}

static void append_storage(const pack *p, const fix_content *content, bool bounded, lint_text *out) {
    lint_append_format(out, "{\"bufferView\":%d,\"byteOffset\":%zu,\"count\":%d",
                       (int)(content->vertices ? p->vertices_view : p->keys_view), content->offset,
                       (int)content->count);
    if (!bounded || content->count == 0) return;
    append_bounds(content, "min", false, out);
    append_bounds(content, "max", true, out);
}

// Appends a copy of an accessor with new content. The members that describe the content are new, and all others are
// copied.
static void append_copy(const pack *p, const fix_content *content, bool bounded, lint_text *out) {
    static const char *const ours[] = {"bufferView", "byteOffset", "count", "min", "max", "sparse", NULL};
    ref_document *document = p->f->s->document;
    const sinewi_json *json = &document->json;
    sinewi_json_value accessor = document->accessors.values[content->accessor];
    append_storage(p, content, bounded, out);
    for (sinewi_json_value k = accessor + 1; k < json->nodes[accessor].next; k = sinewi_json_next(json, k)) {
        bool copied = true;
        for (int i = 0; ours[i]; i++) copied &= !sinewi_json_equals(json, k, ours[i]);
        if (!copied) continue;
        lint_append(out, ",\"", 2);
        lint_append(out, json->text + json->nodes[k].start, (size_t)(json->nodes[k].end - json->nodes[k].start));
        lint_append(out, "\":", 2);
        lint_write_value(&p->f->edits, k + 1, out);
    }
    lint_append(out, "}", 1);
}

// Appends another copy of an accessor, without its name, extras and extensions. Those may be long, and there may be one
// copy per sampler.
static void append_bare_copy(const pack *p, const fix_content *content, bool bounded, lint_text *out) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    append_storage(p, content, bounded, out);
    lint_append_format(out, ",\"componentType\":%d,\"type\":\"%s\"%s}", (int)content->component_type,
                       types[content->components - 1], content->normalized ? ",\"normalized\":true" : "");
}

// Whether an accessor was copied before.
typedef struct copied {
    bool once;    // copied before
    bool bounded; // it has min and max
} copied;

static void append_content(const pack *p, const fix_content *content, copied *before, lint_text *out) {
    const ref_document *document = p->f->s->document;
    sinewi_json_value accessor = document->accessors.values[content->accessor];
    if (before->once && content->components <= 4) { // not a matrix
        append_bare_copy(p, content, content->times || before->bounded, out);
        return;
    }
    before->once = true;
    before->bounded = sinewi_json_get(&document->json, accessor, "min") != SINEWI_JSON_ABSENT;
    append_copy(p, content, content->times || before->bounded, out);
}

static void add_accessors(pack *p) {
    fixer *f = p->f;
    lint_text text = {0};
    copied *before = lint_array(f->s, copied, f->s->document->accessors.count);
    for (int32_t i = 0; before && i < f->content_count; i++) {
        const fix_content *content = &f->contents[i];
        if (content->index < 0) continue;
        if (text.size > 0) lint_append(&text, ",", 1);
        append_content(p, content, &before[content->accessor], &text);
    }
    f->edits.failed |= !before;
    append_text(p, sinewi_json_get(&f->s->document->json, 0, "accessors"), &text);
}

// ---- Views ---------------------------------------------------------------------------------------------------------

static void move_view(pack *p, int32_t index) {
    ref_document *document = p->f->s->document;
    sinewi_json_value view = document->views.values[index], coded = lint_meshopt(document, view);
    const pack_view *packed = &p->views[index];
    int32_t buffer = lint_index(document, view, "buffer", document->buffers.count);
    if (coded != SINEWI_JSON_ABSENT) {
        lint_set_number(&p->f->edits, coded, "byteOffset", packed->coded_offset, 0);
        if (buffer < 0 || !document->buffer_bytes[buffer].data)
            return; // the offset in a buffer without bytes doesn't change
    }
    lint_set_number(&p->f->edits, view, "byteOffset", packed->offset, 0);
    lint_set_number(&p->f->edits, view, "byteLength", packed->size, 0);
}

static void move_views(pack *p) {
    ref_document *document = p->f->s->document;
    lint_text text = {0};
    for (int32_t i = 0; i < document->views.count; i++) {
        if (p->views[i].kept) {
            move_view(p, i);
        } else {
            lint_remove_element(&p->f->edits, document->views.values[i]);
        }
    }
    if (p->keys_view >= 0) {
        lint_append_format(&text, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", p->keys_offset,
                           p->keys_size);
    }
    if (p->vertices_view >= 0) {
        lint_append_format(
            &text, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":16,\"target\":34962}",
            text.size > 0 ? "," : "", p->vertices_offset, p->vertices_size);
    }
    append_text(p, sinewi_json_get(&document->json, 0, "bufferViews"), &text);
}

// ---- Buffers -------------------------------------------------------------------------------------------------------

// Makes the first buffer with bytes the only such buffer, at index 0. Buffers without bytes follow.
static void merge_buffers(pack *p) {
    fixer *f = p->f;
    ref_document *document = f->s->document;
    sinewi_json_value array = sinewi_json_get(&document->json, 0, "buffers");
    lint_text text = {0};
    bool found = p->bin.size == 0;
    for (int32_t i = 0; i < document->buffers.count && !found; i++) {
        if (!document->buffer_bytes[i].data) continue;
        found = true;
        lint_remove_member(&f->edits, document->buffers.values[i], "uri");
        lint_set_number(&f->edits, document->buffers.values[i], "byteLength", p->bin.size, 0);
        lint_write_value(&f->edits, document->buffers.values[i], &text);
    }
    for (int32_t i = 0; i < document->buffers.count; i++) {
        if (document->buffer_bytes[i].data) continue;
        if (text.size > 0) lint_append(&text, ",", 1);
        lint_write_value(&f->edits, document->buffers.values[i], &text);
    }
    for (int32_t i = 0; i < document->buffers.count; i++)
        lint_remove_element(&f->edits, document->buffers.values[i]);
    append_text(p, array, &text);
}

// Removes an empty array, because glTF doesn't allow it.
static void remove_if_empty(pack *p, const char *key, bool empty) {
    if (empty) lint_remove_member(&p->f->edits, 0, key);
}

static void edit_json(pack *p) {
    const ref_document *document = p->f->s->document;
    bool buffers = p->bin.size > 0;
    for (int32_t i = 0; i < document->buffers.count; i++) buffers |= !document->buffer_bytes[i].data;
    number_references(p);
    move_accessors(p);
    add_accessors(p);
    move_views(p);
    merge_buffers(p);
    remove_if_empty(p, "accessors", p->accessor_count == 0);
    remove_if_empty(p, "bufferViews", p->view_count == 0);
    remove_if_empty(p, "buffers", !buffers);
}

// ---- The file ------------------------------------------------------------------------------------------------------

static bool write_glb(pack *p, lint_text *json, lint_text *out) {
    if (lint_write_glb(json, &p->bin, out)) return true;
    if (out->size == 0 && !out->failed) {
        snprintf(p->f->fixed->error, sizeof p->f->fixed->error, "%.300s: is too large for a .glb", p->f->path);
    }
    return false;
}

static bool write_file(pack *p) {
    fixer *f = p->f;
    lint_text json = {0}, glb = {0};
    edit_json(p);
    lint_write_value(&f->edits, 0, &json);
    bool good = !json.failed && !f->edits.failed && write_glb(p, &json, &glb);
    if (good) {
        f->fixed->glb = (const uint8_t *)sinewi_arena_string(&f->fixed->arena, glb.data, glb.size);
        f->fixed->size = glb.size;
        good = f->fixed->glb != NULL;
    }
    lint_text_free(&json);
    lint_text_free(&glb);
    return good;
}

bool fix_pack(fixer *f) {
    pack p = {.f = f};
    bool good = pack_bytes(&p) && write_file(&p);
    f->fixed->accessors = p.numbers;
    lint_text_free(&p.bin);
    return good;
}
