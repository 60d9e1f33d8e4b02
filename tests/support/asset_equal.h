// SPDX-License-Identifier: MIT
// Compares two assets field by field, using only the public interface.
#ifndef ASSET_EQUAL_H
#define ASSET_EQUAL_H

#include <sinew/all.h>

// The first field in which two assets differ in a bit, or NULL. Doesn't compare `memory`.
const char *asset_difference(const sinew_asset *a, const sinew_asset *b);

// A hash of what two programs would see: every clip sampled at many times, a mixer that fades from clip to clip with
// root motion and foot contacts, and skinned vertices.
uint64_t asset_motion_hash(const sinew_asset *asset);

#endif
