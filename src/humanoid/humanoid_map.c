// SPDX-License-Identifier: MIT
// Map files: reads and writes a humanoid's roles and named chains as JSON.
#include <sinew/humanoid/humanoid.h>

#include "base/fail.h"
#include "base/file.h"
#include "base/nearest_name.h"
#include "json/json.h"
#include "core/skeleton_names.h"
#include "humanoid/retarget_data.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Errors --------------------------------------------------------------------------------------------------

typedef struct map_reader {
    const sinew_skeleton *skeleton;
    sinewi_arena scratch;
    sinewi_json json;
    const char *text;
    sinewi_node_names names;
    sinew_humanoid humanoid;
    sinew_humanoid_chain *chains; // [chain_count], in scratch memory
    int32_t chain_count;
    int32_t *chain_nodes; // [chain_node_count], for all chains in sequence
    int32_t chain_node_count;
    bool *is_in_chain; // [node count of the skeleton]
    sinew_error *error;
} map_reader;

// Fails at an offset in the text: "line:column: what".
static bool fail_at(map_reader *r, size_t offset, sinew_result result, const char *format, ...) SINEWI_PRINTF(4, 5);
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
    sinewi_fail(r->error, result, "%zu:%zu: %s", line, offset - start + 1, what);
    return false;
}

static size_t offset_of(const map_reader *r, sinewi_json_value value) {
    const sinewi_json_node *node = &r->json.nodes[value];
    return (size_t)node->start - (node->kind == SINEWI_JSON_STRING);
}

// Fails with what was expected in place of a value.
static bool fail_type(map_reader *r, sinewi_json_value value, const char *expected) {
    char quote[64];
    const sinewi_json_kind kind = sinewi_json_kind_of(&r->json, value);
    sinewi_json_quote(&r->json, value, quote, sizeof quote);
    if (kind == SINEWI_JSON_ARRAY || kind == SINEWI_JSON_OBJECT)
        return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT, "expected %s, not %s", expected,
                       kind == SINEWI_JSON_ARRAY ? "an array" : "an object");
    return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT, "expected %s, not %s", expected, quote);
}

// ---- Nodes ---------------------------------------------------------------------------------------------------

// The source index that "#12" stands for. -1 for any other name.
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

static bool fail_memory(map_reader *r) {
    sinewi_fail_memory(r->error);
    return false;
}

// Finds the node with a name. The name is a string or part of one.
static bool find_name(map_reader *r, sinewi_json_value value, const char *name, int32_t *node) {
    const int32_t source = source_index(name);
    if (source >= 0) {
        *node = source < r->skeleton->source_count ? r->skeleton->node_of_source[source] : SINEW_NO_NODE;
        return *node != SINEW_NO_NODE || fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT,
                                                 "the skeleton has no node with the source index %d", (int)source);
    }
    *node = sinewi_node_names_find(&r->names, name);
    if (*node == SINEW_NO_NODE)
        return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT, "the skeleton has no node \"%s\"%s", name,
                       sinewi_nearest_in(name, r->skeleton->names, r->skeleton->node_count).text);
    return sinewi_node_names_find_only(&r->names, name) != SINEW_NO_NODE ||
           fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT,
                   "%d nodes are named \"%s\"; write \"#\" and a source index, such as \"#%d\"",
                   (int)count_of_name(r->skeleton, name), name, (int)r->skeleton->source_of_node[*node]);
}

static bool find_node(map_reader *r, sinewi_json_value value, int32_t *node) {
    if (sinewi_json_kind_of(&r->json, value) != SINEWI_JSON_STRING)
        return fail_type(r, value, "the name of a node");
    const char *name = sinewi_json_string(&r->json, value, &r->scratch, NULL);
    return name ? find_name(r, value, name, node) : fail_memory(r);
}

// ---- Objects -------------------------------------------------------------------------------------------------

static bool is_comment(const map_reader *r, sinewi_json_value key) {
    return sinewi_json_equals(&r->json, key, "//");
}

static bool read_role(map_reader *r, sinewi_json_value key, bool *is_read) {
    int32_t role = 0, node = SINEW_NO_NODE;
    const sinewi_json_value value = key + 1;
    while (role < SINEW_HUMANOID_ROLE_COUNT && !sinewi_json_equals(&r->json, key, sinew_humanoid_role_name(role)))
        role++;
    if (role == SINEW_HUMANOID_ROLE_COUNT) return fail_type(r, key, "a role, such as \"hips\"");
    if (is_read[role])
        return fail_at(r, offset_of(r, key), SINEW_ERROR_FORMAT, "%s appears twice",
                       sinew_humanoid_role_name(role));
    is_read[role] = true;
    if (sinewi_json_kind_of(&r->json, value) == SINEWI_JSON_NULL) return true;
    if (!find_node(r, value, &node)) return false;
    const int32_t other = sinew_humanoid_role_of(&r->humanoid, node);
    if (other != SINEW_NO_ROLE)
        return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT, "this node is already %s",
                       sinew_humanoid_role_name(other));
    r->humanoid.nodes[role] = node;
    return true;
}

static bool read_roles(map_reader *r, sinewi_json_value roles) {
    bool is_read[SINEW_HUMANOID_ROLE_COUNT] = {false};
    if (sinewi_json_kind_of(&r->json, roles) != SINEWI_JSON_OBJECT)
        return fail_type(r, roles, "an object of roles");
    sinewi_json_value key = sinewi_json_first_key(&r->json, roles);
    for (; key != SINEWI_JSON_ABSENT; key = sinewi_json_following(&r->json, key))
        if (!is_comment(r, key) && !read_role(r, key, is_read)) return false;
    return true;
}

// ---- Chains --------------------------------------------------------------------------------------------------

// Adds a node to the chain that is being read.
static bool add_chain_node(map_reader *r, sinewi_json_value value, sinew_humanoid_chain *chain, int32_t node) {
    const char *name = r->skeleton->names[node];
    const int32_t before = chain->node_count > 0 ? chain->nodes[chain->node_count - 1] : SINEW_NO_NODE;
    if (r->is_in_chain[node])
        return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT, "\"%s\" is already in a chain", name);
    if (before != SINEW_NO_NODE && !rt_is_below(r->skeleton, node, before))
        return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT,
                       "\"%s\" is not below \"%s\"; list a chain from its root to its tip", name,
                       r->skeleton->names[before]);
    r->is_in_chain[node] = true;
    r->chain_nodes[r->chain_node_count++] = node;
    chain->node_count++;
    return true;
}

// Adds the nodes from one to another below it. Lists them from the tip up, then reverses them.
static bool add_path(map_reader *r, sinewi_json_value value, sinew_humanoid_chain *chain, const int32_t ends[2]) {
    const int32_t *parents = r->skeleton->parents, start = r->chain_node_count;
    if (ends[0] != ends[1] && !rt_is_below(r->skeleton, ends[1], ends[0]))
        return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT,
                       "\"%s\" is not below \"%s\"; list a chain from its root to its tip",
                       r->skeleton->names[ends[1]], r->skeleton->names[ends[0]]);
    for (int32_t node = ends[1]; node != parents[ends[0]]; node = parents[node]) {
        if (r->is_in_chain[node])
            return fail_at(r, offset_of(r, value), SINEW_ERROR_FORMAT, "\"%s\" is already in a chain",
                           r->skeleton->names[node]);
        r->is_in_chain[node] = true;
        r->chain_nodes[r->chain_node_count++] = node;
    }
    for (int32_t i = start, k = r->chain_node_count - 1; i < k; i++, k--) {
        const int32_t node = r->chain_nodes[i];
        r->chain_nodes[i] = r->chain_nodes[k];
        r->chain_nodes[k] = node;
    }
    chain->node_count = r->chain_node_count - start;
    return true;
}

static bool is_name(const map_reader *r, const char *name) {
    return source_index(name) >= 0 || sinewi_node_names_find(&r->names, name) != SINEW_NO_NODE;
}

// Splits "Tail1..Tail5" at the dots. Names may contain dots themselves, so it splits at the first pair between two node
// names. Returns the second name, or NULL if the text is a single name.
static char *split_path(const map_reader *r, char *text) {
    enum { MOST_SPLITS = 16 };
    char *first = strstr(text, ".."), *dots = first;
    if (!first || is_name(r, text)) return NULL;
    for (int i = 0; dots && i < MOST_SPLITS; i++) {
        *dots = '\0';
        if (is_name(r, text) && is_name(r, dots + 2)) return dots + 2;
        *dots = '.';
        dots = strstr(dots + 1, "..");
    }
    *first = '\0';
    return first + 2;
}

static bool read_path(map_reader *r, sinewi_json_value value, sinew_humanoid_chain *chain) {
    int32_t ends[2] = {SINEW_NO_NODE, SINEW_NO_NODE};
    char *name = sinewi_json_string(&r->json, value, &r->scratch, NULL);
    if (!name) return fail_memory(r);
    const char *second = split_path(r, name);
    if (!find_name(r, value, name, &ends[0])) return false;
    ends[1] = ends[0];
    return (!second || find_name(r, value, second, &ends[1])) && add_path(r, value, chain, ends);
}

static bool read_list(map_reader *r, sinewi_json_value list, sinew_humanoid_chain *chain) {
    sinewi_json_value value = sinewi_json_first(&r->json, list);
    if (value == SINEWI_JSON_ABSENT)
        return fail_at(r, offset_of(r, list), SINEW_ERROR_FORMAT, "a chain needs a node");
    for (; value != SINEWI_JSON_ABSENT; value = sinewi_json_following(&r->json, value)) {
        int32_t node = SINEW_NO_NODE;
        if (!find_node(r, value, &node) || !add_chain_node(r, value, chain, node)) return false;
    }
    return true;
}

// Reads a chain's name, which must be unique.
static bool read_chain_name(map_reader *r, sinewi_json_value key, sinew_humanoid_chain *chain) {
    chain->name = sinewi_json_string(&r->json, key, &r->scratch, NULL);
    if (!chain->name) return fail_memory(r);
    if (chain->name[0] == '\0') return fail_at(r, offset_of(r, key), SINEW_ERROR_FORMAT, "a chain needs a name");
    for (int32_t i = 0; i < r->chain_count; i++)
        if (strcmp(r->chains[i].name, chain->name) == 0)
            return fail_at(r, offset_of(r, key), SINEW_ERROR_FORMAT, "this chain appears twice");
    return true;
}

static bool read_chain(map_reader *r, sinewi_json_value key) {
    const sinewi_json_kind kind = sinewi_json_kind_of(&r->json, key + 1);
    if (r->chain_count == SINEW_MAX_HUMANOID_CHAINS)
        return fail_at(r, offset_of(r, key), SINEW_ERROR_FORMAT, "there are more than %d chains",
                       SINEW_MAX_HUMANOID_CHAINS);
    sinew_humanoid_chain *chain = &r->chains[r->chain_count];
    *chain = (sinew_humanoid_chain){.nodes = &r->chain_nodes[r->chain_node_count]};
    if (!read_chain_name(r, key, chain)) return false;
    r->chain_count++;
    if (kind == SINEWI_JSON_STRING) return read_path(r, key + 1, chain);
    if (kind == SINEWI_JSON_ARRAY) return read_list(r, key + 1, chain);
    return fail_type(r, key + 1, "a list of nodes, or \"First..Last\"");
}

static bool read_chains(map_reader *r, sinewi_json_value chains) {
    const size_t node_count = (size_t)r->skeleton->node_count;
    if (sinewi_json_kind_of(&r->json, chains) != SINEWI_JSON_OBJECT)
        return fail_type(r, chains, "an object of chains");
    r->chains = sinewi_arena_array(&r->scratch, sinew_humanoid_chain, SINEW_MAX_HUMANOID_CHAINS);
    r->chain_nodes = sinewi_arena_array(&r->scratch, int32_t, node_count + 1);
    r->is_in_chain = sinewi_arena_zeros(&r->scratch, bool, node_count + 1);
    if (!r->chains || !r->chain_nodes || !r->is_in_chain) return fail_memory(r);
    sinewi_json_value key = sinewi_json_first_key(&r->json, chains);
    for (; key != SINEWI_JSON_ABSENT; key = sinewi_json_following(&r->json, key))
        if (!is_comment(r, key) && !read_chain(r, key)) return false;
    return true;
}

// ---- The map -------------------------------------------------------------------------------------------------

static bool check_version(map_reader *r, sinewi_json_value version) {
    const bool is_number = sinewi_json_kind_of(&r->json, version) == SINEWI_JSON_NUMBER;
    return (is_number && sinewi_json_number(&r->json, version) == 1.0) ||
           fail_type(r, version, "1, the format version");
}

static bool read_map(map_reader *r) {
    sinewi_json_value version = SINEWI_JSON_ABSENT, roles = SINEWI_JSON_ABSENT, chains = SINEWI_JSON_ABSENT;
    if (sinewi_json_kind_of(&r->json, 0) != SINEWI_JSON_OBJECT) return fail_type(r, 0, "an object");
    sinewi_json_value key = sinewi_json_first_key(&r->json, 0);
    for (; key != SINEWI_JSON_ABSENT; key = sinewi_json_following(&r->json, key)) {
        if (is_comment(r, key)) continue;
        sinewi_json_value *member = sinewi_json_equals(&r->json, key, "sinewHumanoid") ? &version
                                    : sinewi_json_equals(&r->json, key, "roles")       ? &roles
                                    : sinewi_json_equals(&r->json, key, "chains")      ? &chains
                                                                                       : NULL;
        if (!member) return fail_type(r, key, "\"sinewHumanoid\", \"roles\" or \"chains\"");
        if (*member != SINEWI_JSON_ABSENT)
            return fail_at(r, offset_of(r, key), SINEW_ERROR_FORMAT, "this key appears twice");
        *member = key + 1;
    }
    if (version == SINEWI_JSON_ABSENT)
        return fail_at(r, offset_of(r, 0), SINEW_ERROR_FORMAT, "\"sinewHumanoid\" is missing: not a map file");
    if (!check_version(r, version)) return false;
    if (roles == SINEWI_JSON_ABSENT && chains == SINEWI_JSON_ABSENT)
        return fail_at(r, offset_of(r, 0), SINEW_ERROR_FORMAT, "\"roles\" or \"chains\" is missing");
    if (roles != SINEWI_JSON_ABSENT && !read_roles(r, roles)) return false;
    return chains == SINEWI_JSON_ABSENT || read_chains(r, chains);
}

// ---- Reading -------------------------------------------------------------------------------------------------

static bool parse(map_reader *r, const char *text, size_t size) {
    sinewi_json_problem problem;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3, size -= 3; // byte order mark
    r->text = text;
    const sinew_result result = sinewi_json_parse(&r->json, text, size, &r->scratch, &problem);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return fail_memory(r);
    if (result != SINEW_OK) return fail_at(r, problem.offset, result, "%s", problem.what);
    const sinewi_name_prefix none = {"", 0};
    return sinewi_node_names_make(&r->names, r->skeleton, none, &r->scratch) ? read_map(r) : fail_memory(r);
}

// Chains for the caller, in one block of memory.
typedef struct chains_object {
    sinew_humanoid_chains chains;
    sinew_allocator allocator;
    size_t size;
} chains_object;

// Copies the chains behind the object. While measuring, only reserves the space.
static chains_object *lay_out(sinewi_layout *layout, const map_reader *r) {
    chains_object *object = sinewi_layout_array(layout, chains_object, 1, SINEWI_ALIGNMENT);
    sinew_humanoid_chain *chains = sinewi_layout_array(layout, sinew_humanoid_chain, (size_t)r->chain_count, 8);
    int32_t *nodes = sinewi_layout_array(layout, int32_t, (size_t)r->chain_node_count, 4);
    for (int32_t i = 0; i < r->chain_count; i++) {
        const char *name = sinewi_layout_string(layout, r->chains[i].name);
        if (!layout->base) continue;
        chains[i] = r->chains[i];
        chains[i].name = name;
        chains[i].nodes = nodes + (r->chains[i].nodes - r->chain_nodes);
    }
    if (!layout->base) return NULL;
    if (r->chain_node_count > 0) memcpy(nodes, r->chain_nodes, (size_t)r->chain_node_count * sizeof *nodes);
    object->chains = (sinew_humanoid_chains){r->chain_count, chains};
    return object;
}

static bool copy_chains(const map_reader *r, const sinew_allocator *allocator, sinew_humanoid_chains **chains) {
    sinewi_layout measure = {0};
    lay_out(&measure, r);
    sinewi_layout layout = {(char *)sinewi_allocate(allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return false;
    chains_object *object = lay_out(&layout, r);
    object->allocator = *allocator;
    object->size = measure.size;
    *chains = &object->chains;
    return true;
}

void sinew_humanoid_chains_destroy(sinew_humanoid_chains *chains) {
    if (!chains) return;
    chains_object *object = (chains_object *)chains;
    const sinew_allocator allocator = object->allocator;
    sinewi_release(&allocator, object, object->size, SINEWI_ALIGNMENT);
}

// What to read from a map file. Either may be NULL.
typedef struct map_result {
    sinew_humanoid *humanoid;
    sinew_humanoid_chains **chains;
} map_result;

static sinew_result read_text(const char *text, size_t size, const sinew_skeleton *skeleton,
                              const sinew_allocator *allocator, map_result out, sinew_error *inner) {
    map_reader r;
    memset(&r, 0, sizeof r);
    r.skeleton = skeleton;
    r.error = inner;
    r.humanoid = sinew_humanoid_empty();
    r.humanoid.source = SINEW_HUMANOID_SOURCE_MAP;
    sinewi_arena_init(&r.scratch, allocator);
    bool is_read = parse(&r, text, size);
    if (is_read && out.chains) is_read = copy_chains(&r, &r.scratch.allocator, out.chains) || fail_memory(&r);
    sinewi_arena_free(&r.scratch);
    if (!is_read) return inner->result;
    if (out.humanoid) *out.humanoid = r.humanoid;
    return SINEW_OK;
}

sinew_result sinew_humanoid_read_memory(const char *text, size_t size, const sinew_skeleton *skeleton,
                                        const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                        sinew_humanoid_chains **chains, sinew_error *error) {
    if (chains) *chains = NULL;
    sinew_error inner;
    if (!text && size > 0) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "text is NULL, but size is %zu", size);
    const sinew_result result =
        read_text(text ? text : "", size, skeleton, allocator, (map_result){humanoid, chains}, &inner);
    return result == SINEW_OK ? SINEW_OK : sinewi_fail(error, result, "%s", inner.message);
}

static sinew_result read_path_of(const char *path, const sinew_skeleton *skeleton, sinewi_arena *arena,
                                 map_result out, sinew_error *inner) {
    size_t size;
    const char *problem = sinewi_file_text_size(path, &size);
    if (problem) return sinewi_fail(inner, SINEW_ERROR_IO, "%s", problem);
    char *text = sinewi_arena_array(arena, char, size);
    if (!text) return sinewi_fail_memory(inner);
    problem = sinewi_file_read(path, text, size);
    if (problem) return sinewi_fail(inner, SINEW_ERROR_IO, "%s", problem);
    return read_text(text, size, skeleton, &arena->allocator, out, inner);
}

sinew_result sinew_humanoid_read_file(const char *path, const sinew_skeleton *skeleton,
                                      const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                      sinew_humanoid_chains **chains, sinew_error *error) {
    if (chains) *chains = NULL;
    if (!path) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "path is NULL");
    sinew_error inner;
    sinewi_arena arena;
    sinewi_arena_init(&arena, allocator);
    const sinew_result result = read_path_of(path, skeleton, &arena, (map_result){humanoid, chains}, &inner);
    sinewi_arena_free(&arena);
    if (result == SINEW_OK) return SINEW_OK;
    // Errors in the text start with the line: path:12:24: ...
    const bool is_in_text = result != SINEW_ERROR_IO && result != SINEW_ERROR_OUT_OF_MEMORY;
    return sinewi_fail_in_file(error, result, path, is_in_text ? ":" : ": ", inner.message);
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

static void write_string(map_writer *w, const char *string) {
    write_char(w, '"');
    for (const char *c = string; *c; c++) {
        char escape[8];
        (void)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*c);
        if ((unsigned char)*c < 0x20) {
            write_text(w, escape);
            continue;
        }
        if (*c == '"' || *c == '\\') write_char(w, '\\');
        write_char(w, *c);
    }
    write_char(w, '"');
}

static void write_node(map_writer *w, const sinew_skeleton *skeleton, int32_t node) {
    const char *name = skeleton->names[node];
    char index[16];
    (void)snprintf(index, sizeof index, "#%d", (int)skeleton->source_of_node[node]);
    write_string(w, is_unique_name(skeleton, name) ? name : index);
}

static void write_roles(map_writer *w, const sinew_skeleton *skeleton, const sinew_humanoid *humanoid) {
    const char *separator = "\n";
    write_text(w, ",\n  \"roles\": {");
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        const int32_t node = humanoid->nodes[role];
        if (node == SINEW_NO_NODE && !sinew_humanoid_is_required(role)) continue;
        write_text(w, separator);
        write_text(w, "    \"");
        write_text(w, sinew_humanoid_role_name(role));
        write_text(w, "\": ");
        if (node == SINEW_NO_NODE) {
            write_text(w, "null");
        } else {
            write_node(w, skeleton, node);
        }
        separator = ",\n";
    }
    write_text(w, "\n  }");
}

static void write_chains(map_writer *w, const sinew_skeleton *skeleton, const sinew_humanoid_chains *chains) {
    write_text(w, ",\n  \"chains\": {");
    for (int32_t i = 0; i < chains->count; i++) {
        const sinew_humanoid_chain *chain = &chains->chains[i];
        write_text(w, i > 0 ? ",\n    " : "\n    ");
        write_string(w, chain->name);
        for (int32_t j = 0; j < chain->node_count; j++) {
            write_text(w, j > 0 ? ", " : ": [");
            write_node(w, skeleton, chain->nodes[j]);
        }
        write_char(w, ']');
    }
    write_text(w, "\n  }");
}

size_t sinew_humanoid_write(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                            const sinew_humanoid_chains *chains, char *text, size_t size) {
    map_writer w = {text, size, 0};
    write_text(&w, "{\n  \"sinewHumanoid\": 1");
    if (humanoid) write_roles(&w, skeleton, humanoid);
    if (chains) write_chains(&w, skeleton, chains);
    write_text(&w, "\n}\n");
    if (size > 0) text[w.length < size ? w.length : size - 1] = 0;
    return w.length;
}
