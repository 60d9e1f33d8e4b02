// SPDX-License-Identifier: MIT
// Named chains of animals, by the shape of the rest pose: legs, spine, neck, tail, ears.
#ifndef RETARGETING_CHAINS_H
#define RETARGETING_CHAINS_H

#include <sinew/asset.h>
#include <sinew/humanoid/humanoid.h>

// Chains of a skeleton. Zeros: none.
typedef struct retargeting_chains {
    sinew_humanoid_chains list;
    sinew_humanoid_chain *chains; // [list.count]
    char (*names)[32];            // [list.count]
    int32_t *nodes;               // of all chains
    int32_t leg_count;
} retargeting_chains;

// Finds the chains of a skeleton with two legs or more. Others have none. Returns false if memory runs out.
// Free them with retargeting_free_chains in either case.
bool retargeting_guess_chains(retargeting_chains *chains, const sinew_asset *asset);

void retargeting_free_chains(retargeting_chains *chains);

#endif
