// SPDX-License-Identifier: MIT
// The reading of VRM data: what its files share.
//
// An index that is out of range is an error, as everywhere in a glTF file. What the specifications forbid but files
// have, such as an unknown name, is ignored, with a log line. Vectors are converted with everything else if +Z is up.
#ifndef SINEWI_VRM_IMPORT_H
#define SINEWI_VRM_IMPORT_H

#include "core/gltf_import.h"

#include <sinew/humanoid/vrm.h>

// VRM data while they are read.
typedef struct sinewi_gltf_vrm {
    sinew_vrm *out;
    sinewi_json_value avatar;      // VRMC_vrm, or VRM of version 0.x; ABSENT: neither
    int32_t *mesh_node_of;         // [node_count] its mesh node; -1: none
    int32_t *first_mesh_node;      // [mesh_count] its first mesh node; -1: none
    int32_t *next_mesh_node;       // [mesh_node_count] next node of the same mesh; -1: none
    sinew_vrm_first_person *flags; // [mesh_node_count]
    sinew_vrm_expression *expressions;
} sinewi_gltf_vrm;

static inline bool sinewi_gltf_is_vrm_0(const sinewi_gltf_vrm *v) {
    return v->out->version == SINEW_VRM_VERSION_0;
}

// ---- vrm_read_values.c ---------------------------------------------------------------------------------------------------------

// Reads a vector, in the axes of the asset. An absent one is `*out`, in the axes of the file.
bool sinewi_gltf_get_vector(sinewi_import *g, sinewi_json_value object, const char *key, sinew_vec3 *out);

// The same for an object with x, y and z of VRM 0.x, where z has the opposite sign.
bool sinewi_gltf_get_vector_0(sinewi_import *g, sinewi_json_value object, const char *key, sinew_vec3 *out);

// Reads a required node; SINEW_NO_NODE if it is not loaded.
bool sinewi_gltf_get_node(sinewi_import *g, sinewi_json_value object, const char *key, int32_t *node);

// Reads a node of VRM 0.x, which may be absent or -1: SINEW_NO_NODE.
bool sinewi_gltf_get_node_0(sinewi_import *g, sinewi_json_value object, const char *key, int32_t *node);

// ---- vrm_read_roles.c, vrm_read_constraints.c, vrm_read_look_at.c, vrm_read_expressions.c, vrm_read_springs.c -----------------------------------------------

bool sinewi_gltf_read_humanoid(sinewi_import *g);
bool sinewi_gltf_read_vrm_constraints(sinewi_import *g, sinew_vrm *out);
bool sinewi_gltf_read_vrm_look_at(sinewi_import *g, sinewi_gltf_vrm *v);

// The preset of a string of the file, by its name in VRM 1.0; SINEW_VRM_PRESET_CUSTOM: none.
sinew_vrm_preset sinewi_gltf_vrm_preset(const sinewi_import *g, sinewi_json_value name);

bool sinewi_gltf_read_vrm_expressions(sinewi_import *g, sinewi_gltf_vrm *v);
bool sinewi_gltf_read_vrm_animation(sinewi_import *g, sinew_vrm *out);
bool sinewi_gltf_read_vrm_springs(sinewi_import *g, sinewi_gltf_vrm *v);

#endif
