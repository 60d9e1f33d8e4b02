// SPDX-License-Identifier: MIT
// Finds and checks a character's roles, and writes them as JSON.
#include "retargeting/roles.h"

#include <sinew/humanoid/reference.h>

const char *const retargeting_source_names[] = {"program", "vrm0", "vrm1", "map", "guess"};
const char *const retargeting_source_texts[] = {"the program", "VRM 0.x data", "VRM 1.0 data", "the map file",
                                                "names and shape"};
const char *const retargeting_finding_names[] = {"missing", "ambiguous", "detached", "side",
                                                 "swapped", "below",     "lying",    "unequal"};
static const char *const evidence_names[] = {"none", "given", "name", "shape"};

// ---- Finding -------------------------------------------------------------------------------------------------------

void retargeting_give_roles(retargeting_roles *roles, const sinew_asset *asset, const sinew_humanoid *given) {
    roles->skeleton = asset->skeleton;
    roles->humanoid = *given;
    roles->error = (sinew_error){.result = SINEW_OK};
    const sinew_result result =
        sinew_humanoid_check(asset->skeleton, asset->up, given, &roles->report, &roles->error);
    const sinew_humanoid_finding *first = &roles->report.findings[0]; // missing roles come first
    if (result != SINEW_OK || roles->report.finding_count == 0 || first->kind != SINEW_HUMANOID_FINDING_MISSING)
        return;
    roles->error.result = SINEW_ERROR_FORMAT;
    (void)sinew_humanoid_finding_text(asset->skeleton, first, roles->error.message, sizeof roles->error.message);
}

bool retargeting_find_roles(retargeting_roles *roles, const sinew_asset *asset) {
    if (asset->humanoid) {
        retargeting_give_roles(roles, asset, asset->humanoid);
        return true;
    }
    roles->skeleton = asset->skeleton;
    roles->error = (sinew_error){.result = SINEW_OK};
    return sinew_humanoid_find(asset, NULL, &roles->humanoid, &roles->report, &roles->error) !=
           SINEW_ERROR_OUT_OF_MEMORY;
}

static bool has_role(const sinew_humanoid *humanoid) {
    for (int32_t i = 0; i < SINEW_HUMANOID_ROLE_COUNT; i++)
        if (humanoid->nodes[i] != SINEW_NO_NODE) return true;
    return false;
}

bool retargeting_can_use(const retargeting_roles *roles) {
    if (!has_role(&roles->humanoid)) return false;
    return roles->error.result == SINEW_OK || roles->humanoid.source != SINEW_HUMANOID_SOURCE_GUESS;
}

int32_t retargeting_finding_count(const retargeting_roles *roles) {
    const int32_t count = roles->report.finding_count;
    return count < SINEW_MAX_HUMANOID_FINDINGS ? count : SINEW_MAX_HUMANOID_FINDINGS;
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void append_node(const retargeting_roles *roles, const char *key, int32_t node, lint_text *out) {
    const int32_t index = node == SINEW_NO_NODE ? -1 : roles->skeleton->source_of_node[node];
    lint_append_format(out, "\"%s\":%d", key, (int)index);
}

static void append_role(const retargeting_roles *roles, int32_t role, lint_text *out) {
    const int32_t node = roles->humanoid.nodes[role];
    lint_append_format(out, "{\"role\":\"%s\",", sinew_humanoid_role_name(role));
    append_node(roles, "node", node, out);
    lint_append_format(out, ",\"name\":");
    lint_append_json_string(out, roles->skeleton->names[node]);
    lint_append_format(out, ",\"evidence\":\"%s\",\"confidence\":%.9g}",
                       evidence_names[roles->report.evidence[role]], (double)roles->report.confidences[role]);
}

static void append_finding(const retargeting_roles *roles, const sinew_humanoid_finding *finding, lint_text *out) {
    char text[512];
    (void)sinew_humanoid_finding_text(roles->skeleton, finding, text, sizeof text);
    lint_append_format(out, "{\"kind\":\"%s\",\"role\":\"%s\",", retargeting_finding_names[finding->kind],
                       sinew_humanoid_role_name(finding->role));
    append_node(roles, "node", finding->node, out);
    lint_append_format(out, ",");
    append_node(roles, "other", finding->other, out);
    lint_append_format(out, ",\"text\":");
    lint_append_json_string(out, text);
    lint_append_format(out, "}");
}

static void append_chains(const retargeting_roles *roles, const sinew_humanoid_chains *chains, lint_text *out) {
    lint_append_format(out, ",\"chains\":[");
    for (int32_t i = 0; i < chains->count; i++) {
        const sinew_humanoid_chain *chain = &chains->chains[i];
        lint_append_format(out, "%s\n{\"name\":", i ? "," : "");
        lint_append_json_string(out, chain->name);
        lint_append_format(out, ",\"nodes\":[");
        for (int32_t k = 0; k < chain->node_count; k++)
            lint_append_format(out, "%s%d", k ? "," : "", (int)roles->skeleton->source_of_node[chain->nodes[k]]);
        lint_append_format(out, "]}");
    }
    lint_append_format(out, "]");
}

void retargeting_append_roles(const retargeting_roles *roles, const sinew_humanoid_chains *chains, lint_text *out) {
    const sinew_vec3 forward = roles->report.forward;
    const char *separator = "";
    lint_append_format(out, "{\"source\":\"%s\",\"accepted\":%s,\"score\":%.9g",
                       retargeting_source_names[roles->humanoid.source],
                       roles->error.result == SINEW_OK ? "true" : "false", (double)roles->report.score);
    lint_append_format(out, ",\"forward\":[%.9g,%.9g,%.9g],\"roles\":[", (double)forward.x, (double)forward.y,
                       (double)forward.z);
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        if (roles->humanoid.nodes[role] == SINEW_NO_NODE) continue;
        lint_append_format(out, "%s\n", separator);
        append_role(roles, role, out);
        separator = ",";
    }
    lint_append_format(out, "],\"findings\":[");
    for (int32_t i = 0; i < retargeting_finding_count(roles); i++) {
        lint_append_format(out, "%s\n", i ? "," : "");
        append_finding(roles, &roles->report.findings[i], out);
    }
    lint_append_format(out, "]");
    if (chains) append_chains(roles, chains, out);
    lint_append_format(out, "}");
}
