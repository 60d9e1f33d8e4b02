// SPDX-License-Identifier: MIT
// Finds animals' chains from the shape of the rest pose and names them: legs, spine, neck, tail, ears.
#ifndef RETARGETING_CHAINS_H
#define RETARGETING_CHAINS_H

#include <sinew/asset.h>
#include <sinew/humanoid/humanoid.h>

// A skeleton's chains. Zeros if there are none.
typedef struct retargeting_chains {
    sinew_humanoid_chains list;
    sinew_humanoid_chain *chains; // [list.count]
    char (*names)[32];            // [list.count]
    int32_t *nodes;               // in all chains
    int32_t leg_count;
} retargeting_chains;

// Finds the chains of a skeleton with at least two legs. Others don't have any. Returns false if memory runs out. Call
// retargeting_free_chains either way.
bool retargeting_guess_chains(retargeting_chains *chains, const sinew_asset *asset);

void retargeting_free_chains(retargeting_chains *chains);

#endif
