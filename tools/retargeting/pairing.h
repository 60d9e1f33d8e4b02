// SPDX-License-Identifier: MIT
// Pairs of characters without roles: chains that are written on the command line, and whether the pairs are enough.
#ifndef RETARGETING_PAIRING_H
#define RETARGETING_PAIRING_H

#include <sinew/humanoid/retarget.h>

#include <stddef.h>

// Reads "SOURCE_FIRST..SOURCE_LAST=TARGET_FIRST..TARGET_LAST"; a chain of one node is its name. Returns false with the reason in
// `error`. Free the chain with retargeting_free_chain in either case.
bool retargeting_read_chain(const char *text, const sinew_skeleton *source, const sinew_skeleton *target,
                            sinew_retarget_chain *chain, char *error, size_t size);

void retargeting_free_chain(sinew_retarget_chain *chain);

// Whether a map pairs at least half of the smaller skeleton. Otherwise writes what is missing and the names that come
// nearest.
bool retargeting_has_pairs(const sinew_retarget *map, char *error, size_t size);

#endif
