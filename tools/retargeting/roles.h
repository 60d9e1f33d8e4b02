// SPDX-License-Identifier: MIT
// A character's roles, as `sinew humanoid` reports them.
#ifndef RETARGETING_ROLES_H
#define RETARGETING_ROLES_H

#include "lint/edit.h"

#include <sinew/asset.h>
#include <sinew/humanoid/humanoid.h>

typedef struct retargeting_roles {
    const sinew_skeleton *skeleton;
    sinew_humanoid humanoid;
    sinew_humanoid_report report;
    sinew_error error; // SINEW_OK, or why the roles aren't accepted
} retargeting_roles;

// Names for JSON, and texts. Indexed by sinew_humanoid_source and sinew_humanoid_finding_kind.
extern const char *const retargeting_source_names[];
extern const char *const retargeting_source_texts[];
extern const char *const retargeting_finding_names[];

// Finds an asset's roles in its VRM data, or else guesses them. If memory runs out, returns false with the error.
bool retargeting_find_roles(retargeting_roles *roles, const sinew_asset *asset);

// Takes given roles, such as from a map file, and checks them. They aren't accepted if a required one is missing.
void retargeting_give_roles(retargeting_roles *roles, const sinew_asset *asset, const sinew_humanoid *given);

// Returns whether clips can be retargeted with the roles. They must be accepted, or given and not all missing.
bool retargeting_can_use(const retargeting_roles *roles);

// Returns how many findings the report lists.
int32_t retargeting_finding_count(const retargeting_roles *roles);

// Appends the JSON for `sinew humanoid --json`. `chains` may be NULL to leave out that member.
void retargeting_append_roles(const retargeting_roles *roles, const sinew_humanoid_chains *chains, lint_text *out);

#endif
