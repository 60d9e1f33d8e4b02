// SPDX-License-Identifier: MIT
// What the files that read VRM data share.
//
// An index out of range is an error, like everywhere in a glTF file. Some files contain things that the
// specifications forbid, such as unknown names. Those are ignored with a log line. Like everything else, vectors are
// converted if +Z is up.
#ifndef SINEWI_VRM_IMPORT_H
#define SINEWI_VRM_IMPORT_H

#include "core/gltf_import.h"

#include <sinew/humanoid/vrm.h>

// VRM data while it's read.
typedef struct sinewi_gltf_vrm {
    sinew_vrm *out;
    sinewi_json_value avatar;      // VRMC_vrm, or VRM of version 0.x; ABSENT without either
    int32_t *mesh_node_of;         // [node_count], its mesh node, or -1
    int32_t *first_mesh_node;      // [mesh_count], its first mesh node, or -1
    int32_t *next_mesh_node;       // [mesh_node_count], next node with the same mesh, or -1
    sinew_vrm_first_person *flags; // [mesh_node_count]
    sinew_vrm_expression *expressions;
} sinewi_gltf_vrm;

static inline bool sinewi_gltf_is_vrm_0(const sinewi_gltf_vrm *v) {
    return v->out->version == SINEW_VRM_VERSION_0;
}

// ---- vrm_read_values.c ----------------------------------------------------------------------------------------

// Reads a vector in the asset's axes. If it's absent, the default is `*out`, in the file's axes.
bool sinewi_gltf_get_vector(sinewi_import *g, sinewi_json_value object, const char *key, sinew_vec3 *out);

// The same for an object with x, y and z in VRM 0.x, where z has the opposite sign.
bool sinewi_gltf_get_vector_0(sinewi_import *g, sinewi_json_value object, const char *key, sinew_vec3 *out);

// Reads a required node. SINEW_NO_NODE if it isn't loaded.
bool sinewi_gltf_get_node(sinewi_import *g, sinewi_json_value object, const char *key, int32_t *node);

// Reads a VRM 0.x node. SINEW_NO_NODE if it's absent or -1.
bool sinewi_gltf_get_node_0(sinewi_import *g, sinewi_json_value object, const char *key, int32_t *node);

// ---- The other vrm_read files ---------------------------------------------------------------------------------

bool sinewi_gltf_read_humanoid(sinewi_import *g);
bool sinewi_gltf_read_vrm_constraints(sinewi_import *g, sinew_vrm *out);
bool sinewi_gltf_read_vrm_look_at(sinewi_import *g, sinewi_gltf_vrm *v);

// The preset of a string in the file, by its VRM 1.0 name. SINEW_VRM_PRESET_CUSTOM if it isn't one.
sinew_vrm_preset sinewi_gltf_vrm_preset(const sinewi_import *g, sinewi_json_value name);

bool sinewi_gltf_read_vrm_expressions(sinewi_import *g, sinewi_gltf_vrm *v);
bool sinewi_gltf_read_vrm_animation(sinewi_import *g, sinew_vrm *out);
bool sinewi_gltf_read_vrm_springs(sinewi_import *g, sinewi_gltf_vrm *v);

#endif
