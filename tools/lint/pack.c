// SPDX-License-Identifier: MIT
// Packs the used bytes into one buffer, view by view.
#include "lint/pack.h"

#include <stdio.h>
#include <string.h>

// ---- Accessors -----------------------------------------------------------------------------------------------------

// Finds the accessors that will be referred to. If nothing referred to an accessor before, it counts as fixed.
static bool find_live(pack *p) {
    fixer *f = p->f;
    lint_subject *s = f->s;
    const bool *was_live = lint_find_live(s);
    int32_t accessors = s->document->accessors.count;
    p->live = lint_array(s, bool, accessors);
    p->numbers = lint_array(s, int32_t, accessors);
    if (s->out_of_memory) return false;
    for (int32_t i = 0; i < accessors; i++) {
        p->live[i] = !fix_may_drop(f) || !lint_is_plain(s->document, s->document->accessors.values[i]);
    }
    for (int32_t i = 0; i < s->reference_count; i++) {
        if (s->references[i].kind == LINT_ACCESSOR && f->targets[i] >= 0) p->live[f->targets[i]] = true;
    }
    for (int32_t i = 0; i < accessors; i++) {
        p->numbers[i] = p->live[i] ? p->accessor_count++ : -1;
        f->fixed->of_rule[LINT_UNUSED_DATA] += !was_live[i];
    }
    return true;
}

// Numbers new contents that a reference points to. The others get index -1.
static void number_contents(pack *p) {
    fixer *f = p->f;
    for (int32_t i = 0; i < f->content_count; i++) f->contents[i].index = -1;
    for (int32_t i = 0; i < f->s->reference_count; i++) {
        if (f->s->references[i].kind != LINT_ACCESSOR || f->targets[i] > -2) continue;
        f->contents[-2 - f->targets[i]].index = 0;
    }
    for (int32_t i = 0; i < f->content_count; i++) {
        if (f->contents[i].index == 0) f->contents[i].index = p->accessor_count++;
    }
}

// ---- Bytes ---------------------------------------------------------------------------------------------------------

static void align(lint_text *bin) {
    while (bin->size % 4 != 0 && !bin->failed) lint_append(bin, "", 1);
}

// Packs a view's used ranges. Each keeps its offset modulo the stride, or modulo 4, to keep elements aligned.
static bool pack_ranges(pack *p, int32_t index) {
    const lint_view_use *use = &p->uses[index];
    pack_view *view = &p->views[index];
    const uint8_t *data = p->f->s->document->view_bytes[index].data;
    const int64_t stride = p->f->s->document->view_strides[index];
    const size_t step = stride > 0 && stride <= 252 && stride % 4 == 0 ? (size_t)stride : 4;
    view->starts = lint_array(p->f->s, size_t, use->count);
    if (!view->starts) return false;
    for (int32_t i = 0; i < use->count; i++) {
        lint_range range = use->ranges[i];
        while ((p->bin.size - view->offset) % step != range.start % step && !p->bin.failed)
            lint_append(&p->bin, "", 1);
        view->starts[i] = p->bin.size - view->offset;
        lint_append(&p->bin, data + range.start, range.end - range.start);
    }
    view->size = p->bin.size - view->offset;
    return true;
}

// Returns the bytes of a view or its compression, from "buffer", "byteOffset" and "byteLength".
static ref_bytes stored_bytes(ref_document *document, sinewi_json_value object) {
    const ref_bytes none = {NULL, 0};
    int32_t buffer = lint_index(document, object, "buffer", document->buffers.count);
    double offset = ref_number(document, object, "byteOffset", 0.0);
    double length = ref_number(document, object, "byteLength", 0.0);
    if (buffer < 0 || offset < 0.0 || length < 0.0) return none;
    ref_bytes bytes = document->buffer_bytes[buffer];
    if (!bytes.data || offset + length > (double)bytes.size) return none;
    return (ref_bytes){bytes.data + (size_t)offset, (size_t)length};
}

static bool pack_whole(pack *p, int32_t index) {
    ref_document *document = p->f->s->document;
    sinewi_json_value value = document->views.values[index], coded = lint_meshopt(document, value);
    ref_bytes own = stored_bytes(document, value), compressed = stored_bytes(document, coded);
    pack_view *view = &p->views[index];
    if (!own.data && !compressed.data) {
        snprintf(p->f->fixed->error, sizeof p->f->fixed->error, "%.300s: bufferViews[%d]: the bytes cannot be read",
                 p->f->path, (int)index);
        return false;
    }
    lint_append(&p->bin, own.data, own.size);
    view->size = own.size;
    if (!compressed.data) return true;
    align(&p->bin);
    view->coded_offset = p->bin.size;
    lint_append(&p->bin, compressed.data, compressed.size);
    return true;
}

// Returns how many bytes a view will add to the packed buffer, without alignment.
static uint64_t packed_size(pack *p, int32_t index) {
    ref_document *document = p->f->s->document;
    const lint_view_use *use = &p->uses[index];
    sinewi_json_value value = document->views.values[index];
    uint64_t size = 0;
    if (use->whole)
        return stored_bytes(document, value).size + stored_bytes(document, lint_meshopt(document, value)).size;
    for (int32_t i = 0; i < use->count; i++) size += use->ranges[i].end - use->ranges[i].start;
    return size;
}

// Limits how much views overlap. Each view is packed by itself, and views of interleaved attributes often overlap. The
// result may be this many times larger than the bytes read. Any file may use the free bytes.
#define MAX_OVERLAP 16
#define FREE_BYTES  ((uint64_t)4 << 20)

static bool is_allowed(pack *p, int32_t index, uint64_t *total) {
    const size_t read = p->f->s->document->budget.bytes_read;
    *total += packed_size(p, index);
    if (*total <= FREE_BYTES + (uint64_t)MAX_OVERLAP * read) return true;
    snprintf(
        p->f->fixed->error, sizeof p->f->fixed->error,
        "%.300s: bufferViews[%d]: the views overlap too much: they have %llu bytes in total, but the file has %zu",
        p->f->path, (int)index, (unsigned long long)*total, read);
    return false;
}

static bool pack_views(pack *p) {
    lint_subject *s = p->f->s;
    uint64_t total = 0;
    bool *stored = lint_array(s, bool, s->document->accessors.count);
    for (int32_t i = 0; stored && i < s->document->accessors.count; i++)
        stored[i] = p->live[i] && !(p->f->unstored && p->f->unstored[i]);
    p->views = lint_array(s, pack_view, s->document->views.count);
    if (s->out_of_memory) return false;
    p->uses = lint_find_ranges(s, stored);
    if (!p->uses) return false;
    for (int32_t i = 0; i < s->document->views.count; i++) {
        if (!p->uses[i].used) continue;
        if (!is_allowed(p, i, &total)) return false;
        align(&p->bin);
        p->views[i].kept = true;
        p->views[i].number = p->view_count++;
        p->views[i].offset = p->bin.size;
        if (!(p->uses[i].whole ? pack_whole(p, i) : pack_ranges(p, i))) return false;
    }
    return true;
}

// Packs new contents into two views after the others: one for keys, and one for vertices, which need a stride.
static void pack_new(pack *p, bool vertices, int32_t *number, size_t *offset, size_t *size) {
    fixer *f = p->f;
    *number = -1;
    for (int32_t i = 0; i < f->content_count; i++) {
        fix_content *content = &f->contents[i];
        if (content->index < 0 || content->vertices != vertices) continue;
        align(&p->bin);
        if (*number < 0) {
            *number = p->view_count++;
            *offset = p->bin.size;
        }
        content->offset = p->bin.size - *offset;
        lint_append(&p->bin, content->bytes, content->size);
        *size = p->bin.size - *offset;
    }
}

// Numbers the buffers. Keeps compressed views' fallback buffers, which have no bytes.
static bool number_buffers(pack *p) {
    ref_document *document = p->f->s->document;
    p->buffer_numbers = lint_array(p->f->s, int32_t, document->buffers.count);
    if (!p->buffer_numbers) return false;
    int32_t next = p->bin.size > 0 ? 1 : 0;
    for (int32_t i = 0; i < document->buffers.count; i++) {
        if (!document->buffer_bytes[i].data) p->buffer_numbers[i] = next++;
    }
    return true;
}

bool pack_bytes(pack *p) {
    if (!find_live(p)) return false;
    number_contents(p);
    if (!pack_views(p)) return false;
    pack_new(p, false, &p->keys_view, &p->keys_offset, &p->keys_size);
    pack_new(p, true, &p->vertices_view, &p->vertices_offset, &p->vertices_size);
    return number_buffers(p) && !p->bin.failed;
}

size_t pack_offset(const pack *p, int32_t view, size_t offset) {
    const lint_view_use *use = &p->uses[view];
    if (use->whole) return offset;
    int32_t low = 0, high = use->count - 1;
    while (low < high) { // find the last range that starts at or before the offset
        int32_t middle = low + (high - low + 1) / 2;
        if (use->ranges[middle].start <= offset) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if (use->count > 0 && offset >= use->ranges[low].start && offset < use->ranges[low].end) {
        return p->views[view].starts[low] + (offset - use->ranges[low].start);
    }
    return 0; // an accessor without elements
}
