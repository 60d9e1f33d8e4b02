// SPDX-License-Identifier: MIT
// Reads the bytes of a state from any source: the header, sections, numbers, and the tables of strings and objects. The
// first problem is noted in the file. After that, all reads return zeros.
#include "motion/mixer_snapshot_format.h"
#include "base/fail.h"
#include "base/fnv.h"

#include <float.h>
#include <string.h>

// ---- Problems ------------------------------------------------------------------------------------------------

void sinewi_state_fail(state_reader *in, const char *problem) {
    if (!in->file->problem) {
        in->file->problem = problem;
        in->file->problem_at = in->in.at;
    }
    in->in.is_cut = true;
}

sinew_result sinewi_state_result(const state_file *file, sinew_error *error) {
    if (!file->problem) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_FORMAT, "state: before byte %zu: %s", file->problem_at, file->problem);
}

void sinewi_state_report_unknown(const state_file *file, const char *kind, const char *name) {
    if (file->report && file->report->unknown) file->report->unknown(kind, name, file->report->user);
}

void sinewi_state_report_path(const state_file *file, const char *kind, const state_path *path) {
    char text[256] = "";
    size_t length = 0;
    for (int32_t i = 0; i < path->count; i++) {
        const char *part = path->parts[i];
        if (i > 0 && length + 1 < sizeof text) text[length++] = '/';
        size_t size = strlen(part);
        if (size > sizeof text - 1 - length) size = sizeof text - 1 - length;
        memcpy(text + length, part, size);
        length += size;
    }
    text[length] = '\0';
    sinewi_state_report_unknown(file, kind, text);
}

// ---- Sections ------------------------------------------------------------------------------------------------

bool sinewi_state_has(const state_file *file, state_section section) {
    return file->sections[section].end > 0;
}

state_reader sinewi_state_read_section(state_file *file, state_section section) {
    static const char *const missing[SECTION_COUNT] = {
#define SINEWI_STATE_MISSING(name, tag) "the section " tag " is missing",
        SINEWI_STATE_SECTIONS(SINEWI_STATE_MISSING)
#undef SINEWI_STATE_MISSING
    };
    const state_span span = file->sections[section];
    state_reader in = {{file->bytes, span.end, span.at, file->problem != NULL}, file};
    if (span.end == 0) sinewi_state_fail(&in, missing[section]);
    return in;
}

void sinewi_state_close_section(state_reader *in) {
    if (in->in.is_cut) sinewi_state_fail(in, "a section ends early");
    if (in->in.at < in->in.size) sinewi_state_fail(in, "a section has bytes left");
}

// Notes where a section is. Returns where the next one starts.
static void note_section(state_reader *in, const char *tag, size_t size) {
    for (int i = 0; i < SECTION_COUNT; i++) {
        if (memcmp(tag, sinewi_state_tags[i], 4) != 0) continue;
        state_span *span = &in->file->sections[i];
        if (span->end > 0) sinewi_state_fail(in, "a section occurs twice");
        *span = (state_span){in->in.at, in->in.at + size};
    }
}

static void find_sections(state_file *file, size_t size) {
    state_reader in = {{file->bytes, size, SINEWI_STATE_HEADER, false}, file};
    while (in.in.at < size && !in.in.is_cut) {
        const char *tag = (const char *)file->bytes + in.in.at;
        (void)sinewi_read_number(&in.in, 4);
        const size_t length = (size_t)sinewi_read_number(&in.in, 4);
        if (in.in.is_cut || length > size - in.in.at) {
            sinewi_state_fail(&in, "a section ends behind the last byte");
            return;
        }
        note_section(&in, tag, length);
        in.in.at += length;
    }
}

static sinew_result check_header(state_file *file, size_t size, sinew_error *error) {
    sinewi_byte_reader in = {file->bytes, size, 4, false};
    if (size < 4 || memcmp(file->bytes, SINEWI_STATE_MAGIC, 4) != 0)
        return sinewi_fail(error, SINEW_ERROR_FORMAT, "state: not a written state: it must begin with '%s'",
                           SINEWI_STATE_MAGIC);
    const uint32_t version = (uint32_t)sinewi_read_number(&in, 4);
    if (!in.is_cut && version != SINEWI_STATE_VERSION)
        return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED,
                           "state: version %u, but this library reads version %d; use the library that wrote it",
                           (unsigned)version, SINEWI_STATE_VERSION);
    const uint64_t whole = sinewi_read_number(&in, 8), checksum = sinewi_read_number(&in, 8);
    if (in.is_cut || whole != size)
        return sinewi_fail(error, SINEW_ERROR_FORMAT,
                           "state: it has %zu bytes, but its header says %llu; it is cut off or has bytes appended",
                           size, (unsigned long long)whole);
    uint64_t actual = SINEWI_FNV_START;
    sinewi_fnv_bytes(&actual, file->bytes + SINEWI_STATE_HEADER, size - SINEWI_STATE_HEADER);
    if (actual == checksum) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_FORMAT, "state: damaged: the checksum of its bytes is wrong");
}

sinew_result sinewi_state_open(state_file *file, const state_lookup *lookup, const void *bytes, size_t size,
                               sinew_error *error) {
    file->lookup = lookup;
    file->problem = NULL;
    file->report = NULL;
    file->bytes = (const uint8_t *)bytes;
    memset(file->sections, 0, sizeof file->sections);
    if (!bytes) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "state: bytes is NULL");
    sinew_result result = check_header(file, size, error);
    if (result != SINEW_OK) return result;
    find_sections(file, size);
    return sinewi_state_result(file, error);
}

// ---- Numbers -------------------------------------------------------------------------------------------------

uint64_t sinewi_state_count(state_reader *in, uint64_t most) {
    uint64_t count = 0;
    for (int shift = 0;; shift += 7) {
        const uint64_t byte = sinewi_read_number(&in->in, 1);
        if (shift < 63) count |= (byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) break;
        if (shift >= 63) {
            sinewi_state_fail(in, "a number with too many bytes");
            return 0;
        }
    }
    if (count <= most) return count;
    sinewi_state_fail(in, "a count or number that is too large");
    return 0;
}

uint32_t sinewi_state_byte(state_reader *in, uint32_t most) {
    const uint32_t number = (uint32_t)sinewi_read_number(&in->in, 1);
    if (number <= most) return number;
    sinewi_state_fail(in, "a number that is too large, or an unknown choice or flag");
    return 0;
}

float sinewi_state_float(state_reader *in) {
    const float number = sinewi_read_float(&in->in);
    if (isfinite(number)) return number;
    sinewi_state_fail(in, "a number that isn't finite");
    return 0.0f;
}

float sinewi_state_amount(state_reader *in, float most) {
    const float number = sinewi_read_float(&in->in);
    if (number >= 0.0f && number <= most) return number;
    sinewi_state_fail(in, "a weight, duration or time that is negative or too large");
    return 0.0f;
}

double sinewi_state_double(state_reader *in) {
    const double number = sinewi_read_double(&in->in);
    if (isfinite(number)) return number;
    sinewi_state_fail(in, "a number that isn't finite");
    return 0.0;
}

const char *sinewi_state_text(state_reader *in) {
    const char *text = (const char *)in->in.bytes + in->in.at;
    const size_t left = in->in.size - in->in.at;
    const char *end = !in->in.is_cut && left > 0 ? (const char *)memchr(text, '\0', left) : NULL;
    if (!end) {
        sinewi_state_fail(in, "a string without an end");
        return "";
    }
    in->in.at += (size_t)(end - text) + 1;
    return text;
}

// ---- Tables --------------------------------------------------------------------------------------------------

const char *sinewi_state_string(state_reader *in) {
    const uint64_t number = sinewi_state_count(in, (uint64_t)in->file->string_count);
    return number > 0 ? (const char *)in->file->bytes + in->file->strings[number - 1] : NULL;
}

const state_found *sinewi_state_object(state_reader *in) {
    const uint64_t number = sinewi_state_count(in, (uint64_t)in->file->object_count);
    return number > 0 ? &in->file->objects[number - 1] : NULL;
}

static void read_strings(state_file *file) {
    state_reader in = sinewi_state_read_section(file, SECTION_STRINGS);
    const int32_t count = (int32_t)sinewi_state_count(&in, SINEWI_STATE_STRINGS);
    file->string_count = 0;
    for (int32_t i = 0; i < count && !in.in.is_cut; i++) {
        const size_t at = in.in.at;
        if (at > UINT32_MAX) sinewi_state_fail(&in, "a string behind 4 GiB");
        (void)sinewi_state_text(&in);
        file->strings[file->string_count++] = (uint32_t)at;
    }
    sinewi_state_close_section(&in);
}

static void read_object(state_reader *in, state_found *found) {
    static const char *const kinds[WRITTEN_KINDS] = {"clip", "blend space", "mask"};
    state_wanted wanted = {.duration = 0.0f};
    *found = (state_found){.kind = (state_kind)sinewi_state_byte(in, WRITTEN_KINDS - 1)};
    wanted.path.by_graph = sinewi_state_byte(in, 1) != 0;
    wanted.path.count = (int32_t)sinewi_state_count(in, SINEWI_STATE_PARTS);
    for (int32_t i = 0; i < wanted.path.count; i++) {
        wanted.path.parts[i] = sinewi_state_string(in);
        if (wanted.path.parts[i]) continue;
        sinewi_state_fail(in, "a path with a missing part");
        wanted.path.count = 0;
    }
    if (found->kind == WRITTEN_CLIP) {
        found->duration = wanted.duration = sinewi_state_amount(in, FLT_MAX);
        wanted.additive = sinewi_state_byte(in, 1) != 0;
    }
    if (in->in.is_cut) return;
    const state_lookup *lookup = in->file->lookup;
    found->object = wanted.path.count > 0 ? lookup->find(lookup, found->kind, &wanted) : NULL;
    if (!found->object) sinewi_state_report_path(in->file, kinds[found->kind], &wanted.path);
}

static void read_objects(state_file *file) {
    state_reader in = sinewi_state_read_section(file, SECTION_OBJECTS);
    const int32_t count = (int32_t)sinewi_state_count(&in, SINEWI_STATE_OBJECTS);
    file->object_count = 0;
    for (int32_t i = 0; i < count && !in.in.is_cut; i++) read_object(&in, &file->objects[file->object_count++]);
    sinewi_state_close_section(&in);
}

static void read_groups(state_file *file) {
    for (int32_t g = 0; g <= UINT8_MAX; g++) file->groups[g] = (uint8_t)g;
    state_reader in = sinewi_state_read_section(file, SECTION_GROUPS);
    int32_t last = 0;
    while (in.in.at < in.in.size && !in.in.is_cut) {
        const int32_t number = (int32_t)sinewi_state_byte(&in, UINT8_MAX);
        const char *name = sinewi_state_string(&in);
        if (number <= last || !name) sinewi_state_fail(&in, "a sync group without a name, or out of order");
        if (in.in.is_cut) break;
        last = number;
        file->groups[number] = file->lookup->find_group(file->lookup, name);
        if (file->groups[number] == 0) sinewi_state_report_unknown(file, "sync group", name);
    }
    sinewi_state_close_section(&in);
}

void sinewi_state_read_names(state_file *file) {
    read_strings(file);
    read_objects(file);
    read_groups(file);
}
