// SPDX-License-Identifier: MIT
// Builds glTF files in memory.
#include "support/gltf_builder.h"
#include "support/avatar.h"

#include <math.h>
#include <stdio.h>

// ---- Growing texts -------------------------------------------------------------------------------------------

void gltf_append(gltf_text *text, const void *data, size_t size) {
    if (text->size + size + 1 > text->capacity) {
        text->capacity = 2 * (text->size + size + 1);
        text->data = realloc(text->data, text->capacity);
        assert_non_null(text->data);
    }
    if (size > 0) memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

static void append_string(gltf_text *text, const char *string) {
    gltf_append(text, string, strlen(string));
}

static void append_format(gltf_text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    assert_true(length >= 0);
    char *line = malloc((size_t)length + 1);
    assert_non_null(line);
    vsnprintf(line, (size_t)length + 1, format, again);
    va_end(again);
    char *quoted = json_quotes(line);
    append_string(text, quoted);
    free(quoted);
    free(line);
}

char *json_quotes(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, text, size);
    for (char *c = copy; *c; c++)
        if (*c == '\'') *c = '"';
    return copy;
}

// ---- Building ------------------------------------------------------------------------------------------------

gltf_builder gltf_begin(void) {
    gltf_builder b;
    memset(&b, 0, sizeof b);
    gltf_append(&b.bin, "", 0);
    gltf_append(&b.views, "", 0);
    gltf_append(&b.accessors, "", 0);
    gltf_append(&b.sections, "", 0);
    return b;
}

void gltf_end(gltf_builder *b) {
    free(b->bin.data);
    free(b->views.data);
    free(b->accessors.data);
    free(b->sections.data);
    memset(b, 0, sizeof *b);
}

void gltf_section(gltf_builder *b, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append_string(&b->sections, ",");
    append_format(&b->sections, format, arguments);
    va_end(arguments);
}

static int add_element(gltf_text *text, int *count, const char *format, va_list arguments) {
    append_string(text, *count > 0 ? ",{" : "{");
    append_format(text, format, arguments);
    append_string(text, "}");
    return (*count)++;
}

int gltf_raw_view(gltf_builder *b, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int index = add_element(&b->views, &b->view_count, format, arguments);
    va_end(arguments);
    return index;
}

int gltf_raw_accessor(gltf_builder *b, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int index = add_element(&b->accessors, &b->accessor_count, format, arguments);
    va_end(arguments);
    return index;
}

int gltf_view(gltf_builder *b, const void *data, size_t size, int stride) {
    while (b->bin.size % 4 != 0) gltf_append(&b->bin, "", 1);
    size_t offset = b->bin.size;
    gltf_append(&b->bin, data, size);
    char stride_text[32] = "";
    if (stride > 0) snprintf(stride_text, sizeof stride_text, ",'byteStride':%d", stride);
    return gltf_raw_view(b, "'buffer':0,'byteOffset':%zu,'byteLength':%zu%s", offset, size, stride_text);
}

int gltf_accessor(gltf_builder *b, const void *data, size_t size, int component, const char *type, int count) {
    int view = gltf_view(b, data, size, 0);
    return gltf_raw_accessor(b, "'bufferView':%d,'componentType':%d,'type':'%s','count':%d", view, component, type,
                             count);
}

int gltf_normalized(gltf_builder *b, const void *data, size_t size, int component, const char *type, int count) {
    int view = gltf_view(b, data, size, 0);
    return gltf_raw_accessor(b, "'bufferView':%d,'componentType':%d,'type':'%s','count':%d,'normalized':true", view,
                             component, type, count);
}

int gltf_floats(gltf_builder *b, const char *type, int count, const float *floats) {
    static const struct {
        const char *type;
        size_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].type, type) == 0)
            return gltf_accessor(b, floats, (size_t)count * types[i].width * sizeof *floats, F32, type, count);
    fail_msg("%s is no type", type);
    return -1;
}

void gltf_triangle_mesh(gltf_builder *b, const char *attributes, const char *members) {
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    int positions = gltf_floats(b, "VEC3", 3, corners);
    gltf_section(b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d%s}%s}]}]", positions, attributes,
                 members);
}

// ---- Writing -------------------------------------------------------------------------------------------------

char *base64(const void *data, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *bytes = data;
    char *out = malloc((size + 2) / 3 * 4 + 1), *to = out;
    assert_non_null(out);
    for (size_t i = 0; i < size; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16;
        if (i + 1 < size) three |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < size) three |= bytes[i + 2];
        *to++ = digits[three >> 18];
        *to++ = digits[three >> 12 & 63];
        *to++ = i + 1 < size ? digits[three >> 6 & 63] : '=';
        *to++ = i + 2 < size ? digits[three & 63] : '=';
    }
    *to = '\0';
    return out;
}

static gltf_text json_of(const gltf_builder *b, const char *uri) {
    gltf_text text = {NULL, 0, 0};
    append_string(&text, "{\"asset\":{\"version\":\"2.0\"}");
    if (b->bin.size > 0) {
        char line[96];
        snprintf(line, sizeof line, ",\"buffers\":[{\"byteLength\":%zu%s", b->bin.size, uri ? ",\"uri\":\"" : "}]");
        append_string(&text, line);
        if (uri) {
            append_string(&text, uri);
            append_string(&text, "\"}]");
        }
    }
    if (b->view_count > 0) {
        append_string(&text, ",\"bufferViews\":[");
        append_string(&text, b->views.data);
        append_string(&text, "]");
    }
    if (b->accessor_count > 0) {
        append_string(&text, ",\"accessors\":[");
        append_string(&text, b->accessors.data);
        append_string(&text, "]");
    }
    append_string(&text, b->sections.data);
    append_string(&text, "}");
    return text;
}

char *gltf_write_text_of(const gltf_builder *b, const char *uri, size_t *size) {
    gltf_text text = json_of(b, uri);
    *size = text.size;
    return text.data;
}

char *gltf_write_text(const gltf_builder *b, size_t *size) {
    char *digits = base64(b->bin.data, b->bin.size);
    gltf_text uri = {NULL, 0, 0};
    append_string(&uri, "data:application/octet-stream;base64,");
    append_string(&uri, digits);
    gltf_text text = json_of(b, uri.data);
    free(digits);
    free(uri.data);
    *size = text.size;
    return text.data;
}

static void append_u32(gltf_text *text, size_t value) {
    for (int i = 0; i < 4; i++, value >>= 8) {
        uint8_t byte = (uint8_t)value;
        gltf_append(text, &byte, 1);
    }
}

uint8_t *glb_wrap(const char *json, const void *bin, size_t bin_size, size_t *size) {
    size_t json_size = strlen(json), json_padded = (json_size + 3) / 4 * 4, bin_padded = (bin_size + 3) / 4 * 4;
    gltf_text out = {NULL, 0, 0};
    append_string(&out, "glTF");
    append_u32(&out, 2);
    append_u32(&out, 12 + 8 + json_padded + (bin ? 8 + bin_padded : 0));
    append_u32(&out, json_padded);
    append_string(&out, "JSON");
    append_string(&out, json);
    for (size_t i = json_size; i < json_padded; i++) append_string(&out, " ");
    if (bin) {
        append_u32(&out, bin_padded);
        gltf_append(&out, "BIN", 4);
        gltf_append(&out, bin, bin_size);
        for (size_t i = bin_size; i < bin_padded; i++) gltf_append(&out, "", 1);
    }
    *size = out.size;
    return (uint8_t *)out.data;
}

uint8_t *gltf_write_glb(const gltf_builder *b, size_t *size) {
    gltf_text text = json_of(b, NULL);
    uint8_t *glb = glb_wrap(text.data, b->bin.size > 0 ? b->bin.data : NULL, b->bin.size, size);
    free(text.data);
    return glb;
}

void gltf_save_glb(gltf_builder *b, const char *path) {
    size_t size;
    uint8_t *glb = gltf_write_glb(b, &size);
    gltf_end(b);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(glb, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(glb);
}

// ---- Loading -------------------------------------------------------------------------------------------------

static void keep_line(const char *message, void *user) {
    gltf_lines *lines = user;
    size_t used = strlen(lines->text);
    snprintf(lines->text + used, sizeof lines->text - used, "%s\n", message);
    lines->count++;
}

sinew_log gltf_log_to(gltf_lines *lines) {
    memset(lines, 0, sizeof *lines);
    return (sinew_log){keep_line, lines};
}

static sinew_asset *load_with(gltf_builder *b, const sinew_gltf_options *options) {
    size_t size;
    uint8_t *glb = gltf_write_glb(b, &size);
    sinew_asset *asset = NULL;
    sinew_error error = {SINEW_OK, "untouched"};
    sinew_result result = sinew_gltf_load_memory(glb, size, options, &asset, &error);
    free(glb); // the asset must not need it any more
    gltf_end(b);
    if (result != SINEW_OK) fail_msg("does not load: %s", error.message);
    assert_non_null(asset);
    assert_string_equal(error.message, "untouched");
    return asset;
}

sinew_asset *gltf_load(gltf_builder *b, gltf_lines *lines) {
    sinew_gltf_options options = *with_avatars();
    if (lines) options.log = gltf_log_to(lines);
    return load_with(b, &options);
}

sinew_asset *gltf_load_turned(gltf_builder *b, sinew_up up) {
    sinew_gltf_options options = *with_avatars();
    options.up = up;
    return load_with(b, &options);
}

static void check_refused(sinew_result found, const sinew_asset *asset, const sinew_error *error,
                          sinew_result expected, const char *text) {
    if (found == SINEW_OK) fail_msg("loads, but should be refused: %s", text);
    check_contains(error->message, text);
    if (strchr(error->message, '\n')) fail_msg("more than one line: %s", error->message);
    if (found != expected) fail_msg("%s: %s", sinew_result_string(found), error->message);
    assert_int_equal(error->result, expected);
    assert_null(asset);
}

void gltf_refuse(gltf_builder *b, sinew_result result, const char *text) {
    size_t size;
    uint8_t *glb = gltf_write_glb(b, &size);
    sinew_asset *asset = (sinew_asset *)glb; // must be overwritten
    sinew_error error = {0};
    sinew_result found = sinew_gltf_load_memory(glb, size, with_avatars(), &asset, &error);
    free(glb);
    gltf_end(b);
    check_refused(found, asset, &error, result, text);
}

void gltf_leave_out(gltf_builder *b, const char *line) {
    gltf_lines lines;
    sinew_asset *asset = gltf_load(b, &lines);
    check_contains(lines.text, line);
    sinew_asset_destroy(asset);
}

void gltf_refuse_text(const char *json, sinew_result result, const char *text) {
    char *quoted = json_quotes(json);
    sinew_asset *asset = (sinew_asset *)quoted;
    sinew_error error = {0};
    sinew_result found = sinew_gltf_load_memory(quoted, strlen(quoted), with_avatars(), &asset, &error);
    free(quoted);
    check_refused(found, asset, &error, result, text);
}

void check_contains(const char *whole, const char *part) {
    if (!strstr(whole, part)) fail_msg("\"%s\" does not say \"%s\"", whole, part);
}

float gltf_curve_at(const sinew_asset *asset, int32_t clip, const char *name, float time) {
    const int32_t curve = sinew_skeleton_find_curve(asset->skeleton, name);
    if (curve == SINEW_NO_CURVE) fail_msg("there is no curve '%s'", name);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(&asset->clips[clip], time, pose);
    const float value = pose->curves[curve];
    sinew_pose_destroy(pose);
    return value;
}

void check_floats(const float *found, const float *expected, size_t count, float tolerance) {
    for (size_t i = 0; i < count; i++) {
        if (fabsf(found[i] - expected[i]) <= tolerance) continue;
        fail_msg("number %zu is %.9g, not %.9g", i, (double)found[i], (double)expected[i]);
    }
}
