// SPDX-License-Identifier: MIT
// Map files: the roles of a humanoid as JSON, read and written.
#include <sinew/humanoid.h>

#include "core/fail.h"
#include "core/file.h"
#include "core/nearest_name.h"
#include "json/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Errors --------------------------------------------------------------------------------------------------

typedef struct map_reader {
    const sinew_skeleton *skeleton;
    sinew_arena scratch;
    sinew_json json;
    const char *text;
    sinew_humanoid humanoid;
    sinew_error *error;
} map_reader;

// Fails at an offset of the text: "line:column: what".
static bool fail_at(map_reader *r, size_t offset, sinew_result result, const char *format, ...) SINEW_PRINTF(4, 5);
static bool fail_at(map_reader *r, size_t offset, sinew_result result, const char *format, ...) {
    char what[sizeof r->error->message];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    size_t line = 1, start = 0;
    for (size_t i = 0; i < offset; i++) {
        if (r->text[i] != '\n') continue;
        line++;
        start = i + 1;
    }
    sinew_fail(r->error, result, "%zu:%zu: %s", line, offset - start + 1, what);
    return false;
}

static size_t offset_of(const map_reader *r, sinew_json_value value) {
    const sinew_json_node *node = &r->json.nodes[value];
    return (size_t)node->start - (node->kind == SINEW_JSON_STRING);
}

// Fails with what was expected instead of a value.
static bool fail_type(map_reader *r, sinew_json_value value, const char *expected) {
    char quote[64];
    const sinew_json_kind kind = sinew_json_kind_of(&r->json, value);
    sinew_json_quote(&r->json, value, quote, sizeof quote);
    if (kind == SINEW_JSON_ARRAY || kind == SINEW_JSON_OBJECT)
        return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT, "expected %s, not %s", expected,
                       kind == SINEW_JSON_ARRAY ? "an array" : "an object");
    return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT, "expected %s, not %s", expected, quote);
}

// ---- Nodes ---------------------------------------------------------------------------------------------------

// The source index that "#12" means; -1 for any other name.
static int32_t source_index(const char *name) {
    int32_t index = 0;
    if (name[0] != '#' || name[1] == 0) return -1;
    for (const char *c = name + 1; *c; c++) {
        if (*c < '0' || *c > '9' || index > SINEW_MAX_NODES) return -1;
        index = 10 * index + (*c - '0');
    }
    return index;
}

static int32_t count_of_name(const sinew_skeleton *skeleton, const char *name) {
    int32_t count = 0;
    for (int32_t i = 0; i < skeleton->node_count; i++) count += strcmp(skeleton->names[i], name) == 0;
    return count;
}

static bool find_node(map_reader *r, sinew_json_value value, int32_t *node) {
    if (sinew_json_kind_of(&r->json, value) != SINEW_JSON_STRING) return fail_type(r, value, "the name of a node");
    const char *name = sinew_json_string(&r->json, value, &r->scratch, NULL);
    if (!name) {
        sinew_fail_memory(r->error);
        return false;
    }
    const int32_t source = source_index(name);
    if (source >= 0) {
        *node = source < r->skeleton->source_count ? r->skeleton->node_of_source[source] : SINEW_NO_NODE;
        return *node != SINEW_NO_NODE || fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT,
                                                 "the skeleton has no node of the source index %d", (int)source);
    }
    *node = sinew_skeleton_find(r->skeleton, name);
    if (*node == SINEW_NO_NODE)
        return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT, "the skeleton has no node \"%s\"%s", name,
                       sinew_nearest_in(name, r->skeleton->names, r->skeleton->node_count).text);
    const int32_t count = count_of_name(r->skeleton, name);
    return count == 1 || fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT,
                                 "%d nodes are named \"%s\"; write \"#\" and a source index, such as \"#%d\"",
                                 (int)count, name, (int)r->skeleton->source_of_node[*node]);
}

// ---- Objects -------------------------------------------------------------------------------------------------

static bool is_comment(const map_reader *r, sinew_json_value key) {
    return sinew_json_equals(&r->json, key, "//");
}

static bool read_role(map_reader *r, sinew_json_value key, bool *is_read) {
    int32_t role = 0, node = SINEW_NO_NODE;
    const sinew_json_value value = key + 1;
    while (role < SINEW_HUMANOID_ROLE_COUNT && !sinew_json_equals(&r->json, key, sinew_humanoid_role_name(role)))
        role++;
    if (role == SINEW_HUMANOID_ROLE_COUNT) return fail_type(r, key, "a role, such as \"hips\"");
    if (is_read[role])
        return fail_at(r, offset_of(r, key), SINEW_ERROR_FORMAT, "%s occurs twice", sinew_humanoid_role_name(role));
    is_read[role] = true;
    if (sinew_json_kind_of(&r->json, value) == SINEW_JSON_NULL) return true;
    if (!find_node(r, value, &node)) return false;
    const int32_t other = sinew_humanoid_role_of(&r->humanoid, node);
    if (other != SINEW_NO_ROLE)
        return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT, "this node is %s, too",
                       sinew_humanoid_role_name(other));
    r->humanoid.nodes[role] = node;
    return true;
}

static bool read_roles(map_reader *r, sinew_json_value roles) {
    bool is_read[SINEW_HUMANOID_ROLE_COUNT] = {false};
    if (sinew_json_kind_of(&r->json, roles) != SINEW_JSON_OBJECT) return fail_type(r, roles, "an object of roles");
    sinew_json_value key = sinew_json_first_key(&r->json, roles);
    for (; key != SINEW_JSON_ABSENT; key = sinew_json_following(&r->json, key))
        if (!is_comment(r, key) && !read_role(r, key, is_read)) return false;
    return true;
}

static bool check_version(map_reader *r, sinew_json_value version) {
    const bool is_number = sinew_json_kind_of(&r->json, version) == SINEW_JSON_NUMBER;
    return (is_number && sinew_json_number(&r->json, version) == 1.0) ||
           fail_type(r, version, "1, the version of the format");
}

static bool read_map(map_reader *r) {
    sinew_json_value version = SINEW_JSON_ABSENT, roles = SINEW_JSON_ABSENT;
    if (sinew_json_kind_of(&r->json, 0) != SINEW_JSON_OBJECT) return fail_type(r, 0, "an object");
    sinew_json_value key = sinew_json_first_key(&r->json, 0);
    for (; key != SINEW_JSON_ABSENT; key = sinew_json_following(&r->json, key)) {
        if (is_comment(r, key)) continue;
        sinew_json_value *member = sinew_json_equals(&r->json, key, "sinewHumanoid") ? &version
                                   : sinew_json_equals(&r->json, key, "roles")       ? &roles
                                                                                     : NULL;
        if (!member) return fail_type(r, key, "\"sinewHumanoid\" or \"roles\"");
        if (*member != SINEW_JSON_ABSENT)
            return fail_at(r, offset_of(r, key), SINEW_ERROR_FORMAT, "this key occurs twice");
        *member = key + 1;
    }
    if (version == SINEW_JSON_ABSENT)
        return fail_at(r, offset_of(r, 0), SINEW_ERROR_FORMAT, "\"sinewHumanoid\" is missing: not a map file");
    if (!check_version(r, version)) return false;
    if (roles == SINEW_JSON_ABSENT) return fail_at(r, offset_of(r, 0), SINEW_ERROR_FORMAT, "\"roles\" is missing");
    return read_roles(r, roles);
}

// ---- Reading -------------------------------------------------------------------------------------------------

// Fills `inner` on failure.
static bool parse(map_reader *r, const char *text, size_t size) {
    sinew_json_problem problem;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3, size -= 3; // the byte order mark
    r->text = text;
    const sinew_result result = sinew_json_parse(&r->json, text, size, &r->scratch, &problem);
    if (result == SINEW_OK) return read_map(r);
    if (result != SINEW_ERROR_OUT_OF_MEMORY) return fail_at(r, problem.offset, result, "%s", problem.what);
    sinew_fail_memory(r->error);
    return false;
}

static sinew_result read_text(const char *text, size_t size, const sinew_skeleton *skeleton,
                              const sinew_allocator *allocator, sinew_humanoid *humanoid, sinew_error *inner) {
    map_reader r;
    memset(&r, 0, sizeof r);
    r.skeleton = skeleton;
    r.error = inner;
    r.humanoid = sinew_humanoid_empty();
    r.humanoid.source = SINEW_HUMANOID_SOURCE_MAP;
    sinew_arena_init(&r.scratch, allocator);
    const bool is_read = parse(&r, text, size);
    sinew_arena_free(&r.scratch);
    if (!is_read) return inner->result;
    *humanoid = r.humanoid;
    return SINEW_OK;
}

sinew_result sinew_humanoid_read_memory(const char *text, size_t size, const sinew_skeleton *skeleton,
                                        const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                        sinew_error *error) {
    sinew_error inner;
    if (!text && size > 0) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "text is NULL, but size is %zu", size);
    const sinew_result result = read_text(text ? text : "", size, skeleton, allocator, humanoid, &inner);
    return result == SINEW_OK ? SINEW_OK : sinew_fail(error, result, "%s", inner.message);
}

static sinew_result read_path(const char *path, const sinew_skeleton *skeleton, sinew_arena *arena,
                              sinew_humanoid *humanoid, sinew_error *inner) {
    size_t size;
    const char *problem = sinew_file_text_size(path, &size);
    if (problem) return sinew_fail(inner, SINEW_ERROR_IO, "%s", problem);
    char *text = sinew_arena_array(arena, char, size);
    if (!text) return sinew_fail_memory(inner);
    problem = sinew_file_read(path, text, size);
    if (problem) return sinew_fail(inner, SINEW_ERROR_IO, "%s", problem);
    return read_text(text, size, skeleton, &arena->allocator, humanoid, inner);
}

sinew_result sinew_humanoid_read_file(const char *path, const sinew_skeleton *skeleton,
                                      const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                      sinew_error *error) {
    if (!path) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "path is NULL");
    sinew_error inner;
    sinew_arena arena;
    sinew_arena_init(&arena, allocator);
    const sinew_result result = read_path(path, skeleton, &arena, humanoid, &inner);
    sinew_arena_free(&arena);
    if (result == SINEW_OK) return SINEW_OK;
    // An error in the text starts with its line: path:12:24: ...
    const bool is_in_text = result != SINEW_ERROR_IO && result != SINEW_ERROR_OUT_OF_MEMORY;
    return sinew_fail_in_file(error, result, path, is_in_text ? ":" : ": ", inner.message);
}

// ---- Writing -------------------------------------------------------------------------------------------------

typedef struct map_writer {
    char *text;
    size_t size;
    size_t length; // of the whole text
} map_writer;

static void write_char(map_writer *w, char c) {
    if (w->length + 1 < w->size) w->text[w->length] = c;
    w->length++;
}

static void write_text(map_writer *w, const char *text) {
    for (; *text; text++) write_char(w, *text);
}

// Whether a name finds its node again. Names with control characters and the like are not written.
static bool is_unique_name(const sinew_skeleton *skeleton, const char *name) {
    if (name[0] == 0 || name[0] == '#' || sinew_escape(name, NULL, 0) != strlen(name)) return false;
    return count_of_name(skeleton, name) == 1;
}

static void write_node(map_writer *w, const sinew_skeleton *skeleton, int32_t node) {
    const char *name = skeleton->names[node];
    char index[16];
    (void)snprintf(index, sizeof index, "#%d", (int)skeleton->source_of_node[node]);
    write_char(w, '"');
    for (const char *c = is_unique_name(skeleton, name) ? name : index; *c; c++) {
        if (*c == '"' || *c == '\\') write_char(w, '\\');
        write_char(w, *c);
    }
    write_char(w, '"');
}

size_t sinew_humanoid_write(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid, char *text,
                            size_t size) {
    map_writer w = {text, size, 0};
    const char *separator = "\n";
    write_text(&w, "{\n  \"sinewHumanoid\": 1,\n  \"roles\": {");
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        const int32_t node = humanoid->nodes[role];
        if (node == SINEW_NO_NODE && !sinew_humanoid_is_required(role)) continue;
        write_text(&w, separator);
        write_text(&w, "    \"");
        write_text(&w, sinew_humanoid_role_name(role));
        write_text(&w, "\": ");
        if (node == SINEW_NO_NODE) {
            write_text(&w, "null");
        } else {
            write_node(&w, skeleton, node);
        }
        separator = ",\n";
    }
    write_text(&w, "\n  }\n}\n");
    if (size > 0) text[w.length < size ? w.length : size - 1] = 0;
    return w.length;
}
