// SPDX-License-Identifier: MIT
// sinew humanoid: finds the roles of a character's nodes, or an animal's chains.
#include "cli/cli.h"

#include "cli/output.h"

#include "files/load.h"
#include "retargeting/chains.h"
#include "retargeting/roles.h"

#include <stdlib.h>

static const char help[] =
    "usage: sinew humanoid FILE [--use MAP] [--map OUT] [--json]\n"
    "\n"
    "Prints which node of a character is the hips, the left upper arm, and so on. Retargeting needs these\n"
    "roles. They come from a map file, from the file's VRM data, or from a guess by names that is checked\n"
    "against the rest pose. Also prints where each role comes from, a score, and what the checks found\n"
    "(docs/humanoid.md). For an animal, prints its chains: legs, spine, neck, tail. The exit status is 1 if\n"
    "no humanoid is recognized or a required role is missing.\n"
    "\n"
    "  --use MAP      reads the roles and chains from a map file\n"
    "  --map OUT      writes the roles, or an animal's chains, to a map file that you can edit, even if the\n"
    "                 guess is refused; '-' is standard output\n"
    "  --json         prints JSON (docs/json.md)\n"
    "\n"
    "example: sinew humanoid hero.glb --map hero.humanoid.json\n";

typedef struct humanoid_args {
    const char *file, *use, *map;
    bool json;
} humanoid_args;

// What was found for a character.
typedef struct findings {
    retargeting_roles roles;
    retargeting_chains guessed;   // an animal's
    sinew_humanoid_chains *given; // from the map file, or NULL
    sinew_humanoid_chains chains; // either of the two above
    bool has_roles;               // false for an animal, which has no roles
} findings;

// Takes the roles and chains from the map file. A file with only chains is complete.
static bool read_map(const humanoid_args *arguments, const sinew_asset *asset, findings *f) {
    sinew_humanoid humanoid;
    if (files_load_humanoid(arguments->use, asset->skeleton, &humanoid, &f->given, &f->roles.error) != SINEW_OK)
        return false;
    f->chains = *f->given;
    retargeting_give_roles(&f->roles, asset, &humanoid);
    f->has_roles = retargeting_can_use(&f->roles) || f->chains.count == 0;
    if (!f->has_roles) f->roles.error.result = SINEW_OK;
    return true;
}

// Finds the roles, or the chains if the character has more than two legs. Returns false if there's nothing to print.
static bool find_roles(const humanoid_args *arguments, const sinew_asset *asset, findings *f) {
    if (arguments->use) return read_map(arguments, asset, f);
    if (!retargeting_find_roles(&f->roles, asset)) return false;
    f->has_roles = true;
    if (retargeting_can_use(&f->roles)) return true;
    if (!retargeting_guess_chains(&f->guessed, asset)) {
        f->roles.error.result = SINEW_ERROR_OUT_OF_MEMORY;
        snprintf(f->roles.error.message, sizeof f->roles.error.message, "%s: out of memory", arguments->file);
        return false;
    }
    if (f->guessed.leg_count <= 2) return true;
    f->chains = f->guessed.list;
    f->has_roles = false;
    return true;
}

static void free_findings(findings *f) {
    retargeting_free_chains(&f->guessed);
    sinew_humanoid_chains_destroy(f->given);
}

// ---- Text ----------------------------------------------------------------------------------------------------

// Counts a role's ancestors that are present.
static int depth_of(const sinew_humanoid *humanoid, int32_t role) {
    int depth = 0;
    for (role = sinew_humanoid_role_parent(role); role != SINEW_NO_ROLE; role = sinew_humanoid_role_parent(role))
        depth += humanoid->nodes[role] != SINEW_NO_NODE;
    return depth;
}

static void print_role(const retargeting_roles *f, int32_t role) {
    const int32_t node = f->humanoid.nodes[role];
    const int indent = 2 + 2 * depth_of(&f->humanoid, role);
    const char *name = f->skeleton->names[node];
    printf("%*s%-*s %s #%d", indent, "", 42 - indent, sinew_humanoid_role_name(role),
           name[0] ? cli_short_text(name) : "(unnamed)", (int)f->skeleton->source_of_node[node]);
    if (f->report.evidence[role] == SINEW_HUMANOID_EVIDENCE_SHAPE) printf(", by shape");
    if (f->report.confidences[role] < 1.0f) printf(", confidence %.2g", (double)f->report.confidences[role]);
    printf("\n");
}

// Prints a role and the roles below it.
static void print_tree(const retargeting_roles *f, int32_t role) {
    if (f->humanoid.nodes[role] != SINEW_NO_NODE) print_role(f, role);
    for (int32_t child = role + 1; child < SINEW_HUMANOID_ROLE_COUNT; child++)
        if (sinew_humanoid_role_parent(child) == role) print_tree(f, child);
}

// Prints the absent roles that are (or aren't) required. Only counts fingers.
static void print_absent(const retargeting_roles *f, bool is_required) {
    const char *separator = is_required ? "missing:" : "absent, optional:";
    int32_t fingers = 0;
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        if (sinew_humanoid_is_required(role) != is_required || f->humanoid.nodes[role] != SINEW_NO_NODE) continue;
        if (role >= SINEW_HUMANOID_LEFT_THUMB_METACARPAL) {
            fingers++;
            continue;
        }
        printf("%s %s", separator, sinew_humanoid_role_name(role));
        separator = ",";
    }
    if (fingers > 0) printf("%s %d of 30 finger joints", separator, (int)fingers);
    if (fingers > 0 || separator[0] == ',') printf("\n");
}

static double without_noise(float number) {
    return number > -0.005f && number < 0.005f ? 0.0 : (double)number;
}

static void print_chains(const findings *f) {
    for (int32_t i = 0; i < f->chains.count; i++) {
        const sinew_humanoid_chain *chain = &f->chains.chains[i];
        printf("  %-16s", cli_short_text(chain->name));
        for (int32_t k = 0; k < chain->node_count; k++)
            printf("%s%s", k ? " > " : " ", cli_short_text(f->roles.skeleton->names[chain->nodes[k]]));
        printf("\n");
    }
}

static void print_roles(const humanoid_args *arguments, const retargeting_roles *f) {
    const sinew_vec3 forward = f->report.forward;
    printf("%s: roles by %s, score %.2f", cli_text(arguments->file), retargeting_source_texts[f->humanoid.source],
           (double)f->report.score);
    if (sinew_vec3_length(forward) > 0.5f)
        printf(", facing (%.2f, %.2f, %.2f)", without_noise(forward.x), without_noise(forward.y),
               without_noise(forward.z));
    printf("\n");
    print_tree(f, SINEW_HUMANOID_HIPS);
    print_absent(f, true);
    print_absent(f, false);
    for (int32_t i = 0; i < retargeting_finding_count(f); i++) {
        char text[512];
        if (f->report.findings[i].kind == SINEW_HUMANOID_FINDING_MISSING) continue;
        (void)sinew_humanoid_finding_text(f->skeleton, &f->report.findings[i], text, sizeof text);
        printf("%s: %s\n", retargeting_finding_names[f->report.findings[i].kind], text);
    }
}

static void print_text(const humanoid_args *arguments, const findings *f) {
    if (f->has_roles) {
        print_roles(arguments, &f->roles);
        if (f->chains.count > 0) printf("chains:\n");
    } else {
        printf("%s: no roles; chains by %s\n", cli_text(arguments->file), f->given ? "the map file" : "shape");
    }
    print_chains(f);
}

static bool print_json(const findings *f) {
    lint_text json = {0};
    retargeting_append_roles(&f->roles, f->chains.count > 0 ? &f->chains : NULL, &json);
    return cli_print_json(&json);
}

// ---- The command ---------------------------------------------------------------------------------------------

static int write_map(const humanoid_args *arguments, const findings *f) {
    const cli_output_def def = {"humanoid", "--map", arguments->map};
    const sinew_humanoid *humanoid = f->has_roles ? &f->roles.humanoid : NULL;
    const sinew_humanoid_chains *chains = f->chains.count > 0 ? &f->chains : NULL;
    const size_t size = sinew_humanoid_write(f->roles.skeleton, humanoid, chains, NULL, 0) + 1;
    cli_output output;
    char *text = malloc(size);
    if (!text) return cli_fail("%s: out of memory", arguments->file);
    (void)sinew_humanoid_write(f->roles.skeleton, humanoid, chains, text, size);
    const int opened = cli_output_open(&output, &def);
    if (opened == CLI_GOOD) fputs(text, output.file);
    free(text);
    if (opened != CLI_GOOD) return opened;
    return cli_output_close(&output);
}

// Prints the roles, unless the map file goes to standard output.
static int report(const humanoid_args *arguments, const findings *f) {
    const bool is_map_printed = arguments->map && arguments->map[0] == '-' && !arguments->map[1];
    if (arguments->json) {
        if (!print_json(f)) return CLI_BAD_INPUT;
    } else if (!is_map_printed) {
        print_text(arguments, f);
    }
    if (!cli_flush_stdout()) return CLI_BAD_INPUT;
    const int written = arguments->map ? write_map(arguments, f) : CLI_GOOD;
    if (written != CLI_GOOD || f->roles.error.result == SINEW_OK) return written;
    return cli_fail("%s: %s", arguments->file, f->roles.error.message);
}

static int run(const humanoid_args *arguments) {
    findings f = {.has_roles = true};
    sinew_asset *asset = cli_load(arguments->file);
    if (!asset) return CLI_BAD_INPUT;
    const bool is_found = find_roles(arguments, asset, &f);
    const int status = is_found ? report(arguments, &f) : cli_fail("%s", f.roles.error.message);
    free_findings(&f);
    sinew_asset_destroy(asset);
    return status;
}

int cli_humanoid(int argc, char **argv) {
    humanoid_args arguments = {0};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (cli_args_flag(&args, "--json")) {
            arguments.json = true;
        } else if (cli_args_is(&args, "--use")) {
            arguments.use = cli_args_file(&args);
        } else if (cli_args_is(&args, "--map")) {
            arguments.map = cli_args_file(&args);
        } else if (!args.option && !arguments.file) {
            arguments.file = args.value;
        } else {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!arguments.file) return cli_usage("humanoid", "FILE is missing");
    if (arguments.json && arguments.map && arguments.map[0] == '-' && !arguments.map[1])
        return cli_usage("humanoid", "--json and --map - cannot be used together: both write to standard output");
    const cli_output_def output = {"humanoid", "--map", arguments.map};
    if (arguments.map && !cli_output_has_ending(&output, ".json", NULL)) return CLI_USAGE;
    return run(&arguments);
}
