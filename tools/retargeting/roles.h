// SPDX-License-Identifier: MIT
// The roles of a character's nodes, as `sinew humanoid` reports them.
#ifndef RETARGETING_ROLES_H
#define RETARGETING_ROLES_H

#include "lint/edit.h"

#include <sinew/asset.h>
#include <sinew/humanoid/humanoid.h>

typedef struct retargeting_roles {
    const sinew_skeleton *skeleton;
    sinew_humanoid humanoid;
    sinew_humanoid_report report;
    sinew_error error; // SINEW_OK, or why the roles are not accepted
} retargeting_roles;

// Names for JSON, and texts: by sinew_humanoid_source, and by sinew_humanoid_finding_kind.
extern const char *const retargeting_source_names[];
extern const char *const retargeting_source_texts[];
extern const char *const retargeting_finding_names[];

// Finds the roles of an asset: those of its VRM data, or else a guess. Returns false, with the error, if memory runs out.
bool retargeting_find_roles(retargeting_roles *roles, const sinew_asset *asset);

// Takes given roles, such as those of a map file, and checks them. They are not accepted if a required one is missing.
void retargeting_give_roles(retargeting_roles *roles, const sinew_asset *asset, const sinew_humanoid *given);

// Whether clips can be retargeted by the roles: accepted ones, and given ones, of which some may be missing, but not all.
bool retargeting_can_use(const retargeting_roles *roles);

// The number of findings that the report lists.
int32_t retargeting_finding_count(const retargeting_roles *roles);

// Appends the JSON of `sinew humanoid --json`. `chains` may be NULL: without that member.
void retargeting_append_roles(const retargeting_roles *roles, const sinew_humanoid_chains *chains, lint_text *out);

#endif
