// SPDX-License-Identifier: MIT
// The binding of a rig: the program's, or one for a graph and an asset.
#include "motion/rig_create.h"

#include <sinew/humanoid/reference.h>

// Finds the asset's roles. It doesn't have to be a humanoid.
static sinew_result find_roles(const sinew_rig_def *def, sinew_humanoid *humanoid, sinew_error *error) {
    sinew_error unused;
    const sinew_result result = sinew_humanoid_find(def->asset, &def->allocator, humanoid, NULL, &unused);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_fail_memory(error);
    if (result != SINEW_OK) *humanoid = sinew_humanoid_empty();
    return SINEW_OK;
}

static sinew_result make_binding(const sinew_rig_def *def, sinew_graph_binding **binding, sinew_error *error) {
    sinew_humanoid humanoid;
    const sinew_result result = def->humanoid ? SINEW_OK : find_roles(def, &humanoid, error);
    if (result != SINEW_OK) return result;
    sinew_graph_binding_def binding_def = sinew_graph_binding_default();
    binding_def.graph = def->graph;
    binding_def.asset = def->asset;
    binding_def.humanoid = def->humanoid ? def->humanoid : &humanoid;
    binding_def.find_clip = def->find_clip;
    binding_def.user = def->user;
    binding_def.allocator = def->allocator;
    return sinew_graph_bind(&binding_def, binding, error);
}

sinew_result sinewi_rig_find_binding(const sinew_rig_def *def, const sinew_graph_binding **binding,
                                     sinew_graph_binding **own, sinew_error *error) {
    *own = NULL;
    *binding = def->binding;
    if (def->binding && (def->graph || def->asset || def->humanoid || def->find_clip))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "rig: set either `graph` and `asset`, or `binding`");
    if (def->binding) return SINEW_OK;
    if (!def->graph) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "rig: no graph");
    if (!def->asset) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "rig: no asset");
    const sinew_result result = make_binding(def, own, error);
    *binding = *own;
    return result;
}
