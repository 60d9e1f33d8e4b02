// SPDX-License-Identifier: MIT
// Parts of a mask, one at a time, for graphs: they also accept roles.
#ifndef SINEWI_MASK_PART_H
#define SINEWI_MASK_PART_H

#include <sinew/mask.h>

// Applies parts[index] like sinew_mask_from_names.
sinew_result sinewi_mask_apply_part(sinew_mask *mask, const sinew_mask_part *parts, int32_t index,
                                    sinew_error *error);

// The same for a node that the caller has found.
void sinewi_mask_apply_to_node(sinew_mask *mask, const sinew_mask_part *part, int32_t node);

// Sets a curve's factor. `curve` must be in range (asserted).
void sinewi_mask_set_curve(sinew_mask *mask, int32_t curve, float factor);

#endif
