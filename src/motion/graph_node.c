// SPDX-License-Identifier: MIT
// Nodes by name or role, and where in its file a graph names them.
#include "motion/graph_node.h"

#include <sinew/motion/rig.h>

#include "core/mask_part.h"
#include "base/fail.h"
#include "base/nearest_name.h"

#include <stdio.h>
#include <string.h>

sinewi_graph_place sinewi_graph_place_of(const sinew_graph *graph, int32_t line, int32_t column) {
    sinewi_graph_place place = {""};
    char path[128];
    if (!graph->path) {
        if (line > 0) (void)snprintf(place.text, sizeof place.text, "line %d: ", (int)line);
        return place;
    }
    sinewi_shorten(graph->path, path, sizeof path);
    int length = snprintf(place.text, sizeof place.text, "%s", path);
    const int32_t numbers[2] = {line, column};
    for (int i = 0; i < 2 && numbers[i] > 0; i++)
        length += snprintf(place.text + length, sizeof place.text - (size_t)length, ":%d", (int)numbers[i]);
    (void)snprintf(place.text + length, sizeof place.text - (size_t)length, ": ");
    return place;
}

bool sinewi_graph_is_role(const char *name) {
    return strncmp(name, SINEW_ROLE_PREFIX, sizeof SINEW_ROLE_PREFIX - 1) == 0;
}

// ---- Nodes ---------------------------------------------------------------------------------------------------

static bool has_roles(const sinew_humanoid *humanoid) {
    for (int32_t i = 0; i < SINEW_HUMANOID_ROLE_COUNT; i++) {
        if (humanoid->nodes[i] != SINEW_NO_NODE) return true;
    }
    return false;
}

static int32_t find_role_node(const sinew_graph_binding *binding, const char *name, char *what, size_t size) {
    const char *text = name + sizeof SINEW_ROLE_PREFIX - 1;
    const int32_t role = sinew_humanoid_find_role(text);
    if (role == SINEW_NO_ROLE) {
        sinewi_nearest nearest = sinewi_nearest_begin(text, strlen(text));
        for (int32_t i = 0; i < SINEW_HUMANOID_ROLE_COUNT; i++)
            sinewi_nearest_try(&nearest, sinew_humanoid_role_name(i));
        const bool is_near = nearest.name[0] != '\0';
        snprintf(what, size, "there is no role \"%s\"%s%s%s", text, is_near ? "; did you mean \"" : "",
                 nearest.name, is_near ? "\"?" : "");
        return SINEW_NO_NODE;
    }
    const int32_t node = sinew_humanoid_node_of(binding->humanoid, role);
    if (node == SINEW_NO_NODE)
        snprintf(what, size, "no node has the role \"%s\"%s", text,
                 has_roles(binding->humanoid) ? "" : "; set `humanoid` in the definition");
    return node;
}

int32_t sinewi_graph_find_node(const sinew_graph_binding *binding, const char *name, char *what, size_t size) {
    const sinew_skeleton *skeleton = binding->skeleton;
    if (sinewi_graph_is_role(name)) return find_role_node(binding, name, what, size);
    const int32_t node = sinew_skeleton_find(skeleton, name);
    if (node == SINEW_NO_NODE)
        snprintf(what, size, "the skeleton has no node \"%s\"%s", name,
                 sinewi_nearest_in(name, skeleton->names, skeleton->node_count).text);
    return node;
}

bool sinewi_graph_is_stand_in(const sinew_graph_binding *binding, const char *name) {
    if (!sinewi_graph_is_role(name)) return false;
    const int32_t role = sinew_humanoid_find_role(name + sizeof SINEW_ROLE_PREFIX - 1);
    return role != SINEW_NO_ROLE && binding->humanoid->nodes[role] == SINEW_NO_NODE;
}

// ---- Masks ---------------------------------------------------------------------------------------------------

static sinew_result apply_part(const sinew_graph_binding *binding, const sinew_mask_part *parts, int32_t index,
                               sinew_mask *mask, sinew_error *error) {
    if (parts[index].curve || !sinewi_graph_is_role(parts[index].name))
        return sinewi_mask_apply_part(mask, parts, index, error);
    char what[192];
    const int32_t node = sinewi_graph_find_node(binding, parts[index].name, what, sizeof what);
    if (node == SINEW_NO_NODE) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "parts[%d]: %s", (int)index, what);
    sinewi_mask_apply_to_node(mask, &parts[index], node);
    return SINEW_OK;
}

sinew_result sinewi_graph_make_mask(const sinew_graph_binding *binding, const sinew_mask_part *parts,
                                    int32_t part_count, const sinew_allocator *allocator, sinew_mask **mask,
                                    sinew_error *error) {
    sinew_result result = sinew_mask_create(binding->skeleton, 0.0f, allocator, mask);
    if (result != SINEW_OK) return sinewi_fail_memory(error);
    for (int32_t i = 0; result == SINEW_OK && i < part_count; i++)
        result = apply_part(binding, parts, i, *mask, error);
    if (result == SINEW_OK) return SINEW_OK;
    sinew_mask_destroy(*mask);
    *mask = NULL;
    return result;
}
