// SPDX-License-Identifier: MIT
// What the checks of a graph's definition share: reporting a fault, and the parts of masks.
#include "motion/graph_step.h"

#include <stdarg.h>
#include <stdio.h>

bool sinewi_graph_fault(sinewi_graph_problem *problem, sinewi_graph_part part, int32_t index, const char *format,
                        ...) {
    *problem = (sinewi_graph_problem){.result = SINEW_ERROR_ARGUMENT, .part = part, .index = index};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(problem->what, sizeof problem->what, format, arguments);
    va_end(arguments);
    return false;
}

// ---- Masks ---------------------------------------------------------------------------------------------------

bool sinewi_graph_check_parts(const sinew_mask_part *parts, int32_t count, sinewi_graph_part part, int32_t i,
                              sinewi_graph_problem *problem) {
    if (count < 0 || (count > 0 && !parts))
        return sinewi_graph_fault(problem, part, i, "%d mask parts%s", (int)count,
                                  parts ? "" : ", but the array is NULL");
    for (int32_t k = 0; k < count; k++) {
        const sinew_mask_part *p = &parts[k];
        if (!p->name || p->name[0] == '\0')
            return sinewi_graph_fault(problem, part, i, "mask part %d has no %s", (int)k,
                                      p->curve ? "curve" : "node");
        if (!(p->factor >= 0.0f && p->factor <= 1.0f))
            return sinewi_graph_fault(problem, part, i, "the mask's factor for \"%s\" is %g; it must be 0 to 1",
                                      p->name, (double)p->factor);
        if (p->feather < 0)
            return sinewi_graph_fault(problem, part, i, "the mask's feather for \"%s\" is %d; it must be 0 or more",
                                      p->name, (int)p->feather);
    }
    return true;
}

const sinew_mask_part *sinewi_graph_copy_parts(sinewi_layout *layout, const sinew_mask_part *parts, int32_t count) {
    sinew_mask_part *copy = sinewi_layout_array(layout, sinew_mask_part, (size_t)count, alignof(sinew_mask_part));
    for (int32_t i = 0; i < count; i++) {
        const char *name = sinewi_layout_string(layout, parts[i].name);
        if (!copy) continue;
        copy[i] = parts[i];
        copy[i].name = name;
    }
    return copy;
}
