// Packing: the bytes that are still used, view after view, into one buffer; and the file around it.
#include "lint/pack.h"

#include <stdio.h>
#include <string.h>

// ---- What is kept --------------------------------------------------------------------------------------------------

// Accessors that something will refer to. Those that nothing referred to before are counted as mended.
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
        f->mended->of_rule[LINT_UNUSED_DATA] += !was_live[i];
    }
    return true;
}

// Contents that a reference means; the others were asked for in vain, or are the file's own.
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

// The used ranges of a view, each where it was modulo 4, so that every element stays aligned.
static bool pack_ranges(pack *p, int32_t index) {
    const lint_view_use *use = &p->uses[index];
    pack_view *view = &p->views[index];
    const uint8_t *data = p->f->s->document->view_bytes[index].data;
    view->starts = lint_array(p->f->s, size_t, use->count);
    if (!view->starts) return false;
    for (int32_t i = 0; i < use->count; i++) {
        lint_range range = use->ranges[i];
        while ((p->bin.size - view->offset) % 4 != range.start % 4 && !p->bin.failed) lint_append(&p->bin, "", 1);
        view->starts[i] = p->bin.size - view->offset;
        lint_append(&p->bin, data + range.start, range.end - range.start);
    }
    view->size = p->bin.size - view->offset;
    return true;
}

// The bytes that a view or its compression says: "buffer", "byteOffset" and "byteLength".
static ref_bytes stored_bytes(ref_document *document, sinew_json_value object) {
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
    sinew_json_value value = document->views.values[index], coded = lint_meshopt(document, value);
    ref_bytes own = stored_bytes(document, value), compressed = stored_bytes(document, coded);
    pack_view *view = &p->views[index];
    if (!own.data && !compressed.data) {
        snprintf(p->f->mended->error, sizeof p->f->mended->error,
                 "%.300s: bufferViews[%d]: its bytes cannot be read", p->f->path, (int)index);
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

// What a view will add to the packed bytes, without what aligns it.
static uint64_t packed_size(pack *p, int32_t index) {
    ref_document *document = p->f->s->document;
    const lint_view_use *use = &p->uses[index];
    sinew_json_value value = document->views.values[index];
    uint64_t size = 0;
    if (use->whole)
        return stored_bytes(document, value).size + stored_bytes(document, lint_meshopt(document, value)).size;
    for (int32_t i = 0; i < use->count; i++) size += use->ranges[i].end - use->ranges[i].start;
    return size;
}

// Views may overlap in the file, and each is packed by itself: views of interleaved attributes often do, so that many
// times the bytes that were read may come of it. Small files may always take the free bytes.
#define MOST_OVERLAP 16
#define FREE_BYTES   ((uint64_t)4 << 20)

static bool is_allowed(pack *p, int32_t index, uint64_t *total) {
    const size_t read = p->f->s->document->budget.bytes_read;
    *total += packed_size(p, index);
    if (*total <= FREE_BYTES + (uint64_t)MOST_OVERLAP * read) return true;
    snprintf(
        p->f->mended->error, sizeof p->f->mended->error,
        "%.300s: bufferViews[%d]: the views overlap too often: with this one they are %llu bytes, in %zu bytes "
        "that were read",
        p->f->path, (int)index, (unsigned long long)*total, read);
    return false;
}

static bool pack_views(pack *p) {
    lint_subject *s = p->f->s;
    uint64_t total = 0;
    p->uses = lint_find_ranges(s, p->live);
    p->views = lint_array(s, pack_view, s->document->views.count);
    if (s->out_of_memory) return false;
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

// New contents stand in two views behind the others: keys, and vertices, which want a stride.
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

// Buffers without bytes stand in for what is compressed, and stay.
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
    while (low < high) { // the last range that begins at or before the offset
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

// ---- The file ------------------------------------------------------------------------------------------------------

static void append_u32(lint_text *out, size_t value) {
    uint8_t bytes[4];
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (8 * i));
    lint_append(out, bytes, sizeof bytes);
}

static void pad(lint_text *out, char with) {
    while (out->size % 4 != 0 && !out->failed) lint_append(out, &with, 1);
}

// Section 4.4: a head, the JSON chunk, the binary chunk.
static bool write_glb(pack *p, lint_text *json, lint_text *out) {
    pad(json, ' ');
    pad(&p->bin, '\0');
    size_t total = 12 + 8 + json->size + (p->bin.size > 0 ? 8 + p->bin.size : 0);
    if (total > UINT32_MAX) {
        snprintf(p->f->mended->error, sizeof p->f->mended->error, "%.300s: %zu bytes are too many for a .glb",
                 p->f->path, total);
        return false;
    }
    lint_append(out, "glTF", 4);
    append_u32(out, 2);
    append_u32(out, total);
    append_u32(out, json->size);
    lint_append(out, "JSON", 4);
    lint_append(out, json->data, json->size);
    if (p->bin.size > 0) {
        append_u32(out, p->bin.size);
        lint_append(out, "BIN", 4); // with its zero
        lint_append(out, p->bin.data, p->bin.size);
    }
    return !out->failed;
}

static bool write_file(pack *p) {
    fixer *f = p->f;
    lint_text json = {0}, glb = {0};
    pack_json(p);
    lint_write_value(&f->edits, 0, &json);
    bool good = !json.failed && !f->edits.failed && write_glb(p, &json, &glb);
    if (good) {
        f->mended->glb = (const uint8_t *)sinew_arena_string(&f->mended->arena, glb.data, glb.size);
        f->mended->size = glb.size;
        good = f->mended->glb != NULL;
    }
    lint_text_free(&json);
    lint_text_free(&glb);
    return good;
}

bool fix_pack(fixer *f) {
    pack p = {.f = f};
    bool good = pack_bytes(&p) && write_file(&p);
    lint_text_free(&p.bin);
    return good;
}
