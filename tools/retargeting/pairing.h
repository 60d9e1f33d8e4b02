// SPDX-License-Identifier: MIT
// Pairs characters without roles: reads chains from the command line, and checks whether there are enough pairs.
#ifndef RETARGETING_PAIRING_H
#define RETARGETING_PAIRING_H

#include <sinew/humanoid/retarget.h>

#include <stddef.h>

// Reads "SOURCE_FIRST..SOURCE_LAST=TARGET_FIRST..TARGET_LAST". A chain with a single node is just its name. Returns
// false with the reason in `error`. Call retargeting_free_chain either way.
bool retargeting_read_chain(const char *text, const sinew_skeleton *source, const sinew_skeleton *target,
                            sinew_retarget_chain *chain, char *error, size_t size);

void retargeting_free_chain(sinew_retarget_chain *chain);

// Returns whether a map pairs at least half of the smaller skeleton. If not, writes what's missing and the most similar
// names.
bool retargeting_has_pairs(const sinew_retarget *map, char *error, size_t size);

#endif
