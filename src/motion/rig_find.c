// SPDX-License-Identifier: MIT
// Finds the nodes that a rig's steps name, and says which step is wrong.
#include "motion/rig_create.h"

#include <stdarg.h>
#include <stdio.h>

// ---- Errors --------------------------------------------------------------------------------------------------

sinew_result sinewi_rig_fail(const sinewi_rig_job *job, const char *format, ...) {
    char what[320];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const sinew_rig_step *step = job->step;
    const sinewi_graph_place place =
        sinewi_graph_place_of(job->binding->graph, step ? step->line : 0, step ? step->column : 0);
    if (!step) return sinewi_fail(job->error, SINEW_ERROR_ARGUMENT, "%sfeet: %s", place.text, what);
    return sinewi_fail(job->error, SINEW_ERROR_ARGUMENT, "%sstep %s: %s", place.text, step->name, what);
}

sinew_result sinewi_rig_fail_memory(const sinewi_rig_job *job) {
    return sinewi_fail_memory(job->error);
}

// ---- Nodes ---------------------------------------------------------------------------------------------------

sinew_result sinewi_rig_find_node(const sinewi_rig_job *job, const char *name, int32_t *node) {
    char what[256];
    *node = sinewi_graph_find_node(job->binding, name, what, sizeof what);
    return *node == SINEW_NO_NODE ? sinewi_rig_fail(job, "%s", what) : SINEW_OK;
}

sinew_result sinewi_rig_find_listed(const sinewi_rig_job *job, int32_t index, int32_t *node) {
    *node = SINEW_NO_NODE;
    return index < job->step->node_count ? sinewi_rig_find_node(job, job->step->nodes[index], node) : SINEW_OK;
}

bool sinewi_rig_is_repeated(const sinewi_rig_job *job, const char *name, int32_t node, int32_t other) {
    return node == other && sinewi_graph_is_stand_in(job->binding, name);
}

sinew_result sinewi_rig_find_spine(const sinewi_rig_job *job, sinew_orientation_warp *warp) {
    warp->spine_count = 0;
    sinew_result result = sinewi_rig_find_listed(job, 0, &warp->hips);
    for (int32_t i = 1; result == SINEW_OK && i < job->step->node_count; i++) {
        int32_t node;
        result = sinewi_rig_find_listed(job, i, &node);
        bool is_repeated = sinewi_rig_is_repeated(job, job->step->nodes[i], node, warp->hips);
        for (int32_t k = 0; k < warp->spine_count && !is_repeated; k++)
            is_repeated = sinewi_rig_is_repeated(job, job->step->nodes[i], node, warp->spine[k]);
        if (!is_repeated) warp->spine[warp->spine_count++] = node;
    }
    return result;
}
