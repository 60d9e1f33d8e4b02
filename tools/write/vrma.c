// SPDX-License-Identifier: MIT
// Writes an avatar's nodes and their roles as JSON. Leaves out meshes.
//
// An animation refers to nodes by their source index. So every source index is a node in the file, even those that the
// skeleton excludes.
#include "write/vrma.h"

#include "lint/glb.h"

#include <string.h>

// Returns whether VRM animations don't have a role. They direct the eyes with a gaze instead.
static bool is_left_out(int32_t role) {
    return role == SINEW_HUMANOID_LEFT_EYE || role == SINEW_HUMANOID_RIGHT_EYE;
}

static void append_bones(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid, lint_text *out) {
    const char *separator = "";
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        const int32_t node = humanoid->nodes[role];
        if (node == SINEW_NO_NODE || is_left_out(role)) continue;
        lint_append_format(out, "%s\"%s\":{\"node\":%d}", separator, sinew_humanoid_role_name(role),
                           (int)skeleton->source_of_node[node]);
        separator = ",";
    }
}

// Appends the source indices of a node's children, or of the roots for SINEW_NO_NODE.
static void append_children(const sinew_skeleton *skeleton, int32_t parent, lint_text *out) {
    const char *separator = "";
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (skeleton->parents[i] != parent) continue;
        lint_append_format(out, "%s%d", separator, (int)skeleton->source_of_node[i]);
        separator = ",";
    }
}

static bool has_children(const sinew_skeleton *skeleton, int32_t node) {
    return skeleton->subtree_ends[node] > node + 1;
}

static void append_node(const sinew_skeleton *skeleton, int32_t node, bool turned, lint_text *out) {
    sinew_transform t = skeleton->rest[node];
    if (turned && skeleton->parents[node] == SINEW_NO_NODE) { // half a turn about +Y
        t.translation = (sinew_vec3){-t.translation.x, t.translation.y, -t.translation.z};
        t.rotation = sinew_quat_multiply((sinew_quat){0.0f, 1.0f, 0.0f, 0.0f}, t.rotation);
    }
    lint_append_format(out, "{\"name\":");
    lint_append_json_string(out, skeleton->names[node]);
    lint_append_format(out, ",\"translation\":[%.9g,%.9g,%.9g]", (double)t.translation.x, (double)t.translation.y,
                       (double)t.translation.z);
    lint_append_format(out, ",\"rotation\":[%.9g,%.9g,%.9g,%.9g]", (double)t.rotation.x, (double)t.rotation.y,
                       (double)t.rotation.z, (double)t.rotation.w);
    lint_append_format(out, ",\"scale\":[%.9g,%.9g,%.9g]", (double)t.scale.x, (double)t.scale.y, (double)t.scale.z);
    if (has_children(skeleton, node)) {
        lint_append_format(out, ",\"children\":[");
        append_children(skeleton, node, out);
        lint_append_format(out, "]");
    }
    lint_append_format(out, "}");
}

bool write_vrma(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid, bool turned, lint_text *glb) {
    lint_text json = {0}, empty = {0};
    lint_append_format(&json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Sinew\"},"
                              "\"extensionsUsed\":[\"VRMC_vrm_animation\"],\"extensions\":{\"VRMC_vrm_animation\":"
                              "{\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{");
    append_bones(skeleton, humanoid, &json);
    lint_append_format(&json, "}}}},\"scene\":0,\"scenes\":[{\"nodes\":[");
    append_children(skeleton, SINEW_NO_NODE, &json);
    lint_append_format(&json, "]}],\"nodes\":[");
    for (int32_t i = 0; i < skeleton->source_count; i++) {
        const int32_t node = skeleton->node_of_source[i];
        lint_append(&json, ",", i > 0 ? 1 : 0);
        if (node == SINEW_NO_NODE) {
            lint_append(&json, "{}", 2);
        } else {
            append_node(skeleton, node, turned, &json);
        }
    }
    lint_append(&json, "]}", 2);
    const bool is_written = lint_write_glb(&json, &empty, glb);
    lint_text_free(&json);
    return is_written;
}
