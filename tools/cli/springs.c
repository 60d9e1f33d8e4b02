// SPDX-License-Identifier: MIT
// Reads springs from the command line.
#include "cli/springs.h"

#include "numbers/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Arguments -----------------------------------------------------------------------------------------------

static bool refuse(cli_args *args, const char *expected) {
    args->failed = true;
    cli_usage(args->command, "%s must be %s, not '%s'", args->option, expected, args->value);
    return true;
}

static bool refuse_more(cli_args *args) {
    args->failed = true;
    cli_usage(args->command, "%s can be used at most %d times", args->option, CLI_MAX_SPRINGS);
    return true;
}

// Reads up to `count` numbers from 0 to `most`, each after a colon. Returns false for anything else.
static bool read_numbers(const char *text, const float *most, float *const *out, int count) {
    for (int i = 0; *text; i++) {
        if (i == count || *text++ != ':' || !numbers_read_float(&text, 0.0f, most[i], out[i])) return false;
    }
    return true;
}

// Copies the name before the first colon and returns the rest of the text. Returns NULL if the name is empty or too
// long.
static const char *read_name(const char *text, char *name, size_t room) {
    const size_t length = strcspn(text, ":");
    if (length == 0 || length >= room) return NULL;
    memcpy(name, text, length);
    name[length] = '\0';
    return text + length;
}

static bool read_chain(cli_springs_args *springs, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return true;
    if (strcmp(text, "file") == 0) {
        springs->of_file = true;
        return true;
    }
    if (springs->chain_count == CLI_MAX_SPRINGS) return refuse_more(args);
    cli_spring_chain *chain = &springs->chains[springs->chain_count++];
    *chain = (cli_spring_chain){.stiffness = 20.0f, .damping = 0.15f, .limit = 180.0f};
    float *const numbers[3] = {&chain->stiffness, &chain->damping, &chain->limit};
    const float most[3] = {1e6f, 1e6f, 180.0f};
    char copy[512];
    const size_t length = strlen(text), ending = strlen(":rest");
    chain->from_rest = length > ending && length < sizeof copy && strcmp(text + length - ending, ":rest") == 0;
    if (chain->from_rest) {
        memcpy(copy, text, length - ending);
        copy[length - ending] = '\0';
        text = copy;
    }
    const char *rest = read_name(text, chain->node, sizeof chain->node);
    return (rest && read_numbers(rest, most, numbers, 3)) ||
           refuse(args, "file or NODE[:STIFFNESS[:DAMPING[:DEGREES]]][:rest]");
}

static bool read_collider(cli_springs_args *springs, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return true;
    if (springs->collider_count == CLI_MAX_SPRINGS) return refuse_more(args);
    cli_spring_collider *collider = &springs->colliders[springs->collider_count++];
    float *const numbers[1] = {&collider->radius};
    const float most[1] = {1e6f};
    const char *rest = read_name(text, collider->node, sizeof collider->node);
    return (rest && *rest && read_numbers(rest, most, numbers, 1)) || refuse(args, "NODE:RADIUS");
}

static bool read_wind(cli_springs_args *springs, cli_args *args) {
    const char *text = cli_args_value(args);
    float v[3];
    if (!text) return true;
    bool good = numbers_read_list(&text, ',', v, 3) == 3 && *text == '\0';
    for (int i = 0; good && i < 3; i++) good = fabsf(v[i]) <= 1000.0f;
    if (good) springs->wind = (sinew_vec3){v[0], v[1], v[2]};
    return good || refuse(args, "X,Y,Z, each between -1000 and 1000");
}

bool cli_springs_read(cli_springs_args *springs, cli_args *args) {
    if (cli_args_is(args, "--springs")) return read_chain(springs, args);
    if (cli_args_is(args, "--collider")) return read_collider(springs, args);
    return cli_args_is(args, "--wind") && read_wind(springs, args);
}

// ---- Chains --------------------------------------------------------------------------------------------------

enum { MAX_CHAIN_JOINTS = 64 };

typedef struct definition {
    sinew_spring_joint joints[CLI_MAX_SPRINGS][MAX_CHAIN_JOINTS];
    sinew_spring_chain chains[CLI_MAX_SPRINGS];
    sinew_spring_collider colliders[CLI_MAX_SPRINGS];
    int32_t indices[CLI_MAX_SPRINGS];
} definition;

static int32_t first_child(const sinew_skeleton *skeleton, int32_t node) {
    return node + 1 < skeleton->subtree_ends[node] ? node + 1 : SINEW_NO_NODE;
}

// Returns the last joint's tail. It's twice as far as the middle of the vertices that the joint moves. Without
// vertices, it's as far as the joint is from its parent.
static sinew_vec3 leaf_tail(const sinew_asset *asset, int32_t node) {
    for (int32_t i = 0; asset->bounds && i < asset->bounds->box_count; i++) {
        const sinew_box *box = &asset->bounds->boxes[i];
        if (asset->bounds->nodes[i] == node) return sinew_vec3_add(box->min, box->max);
    }
    return asset->skeleton->rest[node].translation;
}

static void set_chain(definition *d, int index, const cli_spring_chain *arg, const sinew_asset *asset,
                      int32_t node) {
    sinew_spring_chain *chain = &d->chains[index];
    *chain = sinew_spring_chain_default();
    chain->joints = d->joints[index];
    chain->from_rest = arg->from_rest;
    int32_t last = node;
    for (; node != SINEW_NO_NODE && chain->joint_count < MAX_CHAIN_JOINTS;
         node = first_child(asset->skeleton, node)) {
        sinew_spring_joint *joint = &d->joints[index][chain->joint_count++];
        *joint = sinew_spring_joint_default();
        joint->node = node;
        joint->stiffness = arg->stiffness;
        joint->damping = arg->damping;
        joint->limit = arg->limit * 0.0174532925f;
        last = node;
    }
    chain->tail = leaf_tail(asset, last);
    chain->colliders = d->indices;
}

static bool set_chains(definition *d, const cli_springs_args *args, const sinew_asset *asset, const char *path) {
    for (int i = 0; i < args->chain_count; i++) {
        const int32_t node = cli_find_node(asset, path, args->chains[i].node);
        if (node == SINEW_NO_NODE) return false;
        set_chain(d, i, &args->chains[i], asset, node);
        d->chains[i].collider_count = args->collider_count;
    }
    return true;
}

static bool set_colliders(definition *d, const cli_springs_args *args, const sinew_asset *asset, const char *path) {
    for (int i = 0; i < args->collider_count; i++) {
        const int32_t node = cli_find_node(asset, path, args->colliders[i].node);
        if (node == SINEW_NO_NODE) return false;
        const int32_t child = first_child(asset->skeleton, node);
        d->colliders[i] = sinew_spring_collider_default();
        d->colliders[i].shape = SINEW_SPRING_SHAPE_CAPSULE;
        d->colliders[i].node = node;
        d->colliders[i].radius = args->colliders[i].radius;
        if (child != SINEW_NO_NODE) d->colliders[i].tail = asset->skeleton->rest[child].translation;
        d->indices[i] = i;
    }
    return true;
}

static bool make_chains(definition *d, const cli_springs_args *args, const sinew_asset *asset, const char *path,
                        sinew_springs **springs) {
    if (!set_chains(d, args, asset, path) || !set_colliders(d, args, asset, path)) return false;
    sinew_springs_def def = sinew_springs_default();
    def.skeleton = asset->skeleton;
    def.chains = d->chains;
    def.chain_count = args->chain_count;
    def.colliders = d->colliders;
    def.collider_count = args->collider_count;
    sinew_error error;
    if (sinew_springs_create(&def, springs, &error) == SINEW_OK) return true;
    cli_fail("%s: %s", path, error.message);
    return false;
}

// Copies the springs of a file with +Z up. Turns their gravity into the stage's world, where +Y is up.
static void copy_upright(const sinew_vrm *vrm, sinew_vrm_spring *springs, sinew_vrm_spring_joint *joints) {
    for (int32_t i = 0; i < vrm->spring_count; i++) {
        springs[i] = vrm->springs[i];
        springs[i].joints = joints;
        for (int32_t k = 0; k < springs[i].joint_count; k++) {
            *joints = vrm->springs[i].joints[k];
            joints->gravity = (sinew_vec3){joints->gravity.x, joints->gravity.z, -joints->gravity.y};
            joints++;
        }
    }
}

static bool create_upright(const sinew_vrm *vrm, sinew_springs **springs) {
    size_t count = 0;
    for (int32_t i = 0; i < vrm->spring_count; i++) count += (size_t)vrm->springs[i].joint_count;
    sinew_vrm_spring *copies = calloc((size_t)vrm->spring_count, sizeof *copies);
    sinew_vrm_spring_joint *joints = calloc(count + 1, sizeof *joints);
    const bool has_memory = copies && joints;
    sinew_vrm upright = *vrm;
    upright.springs = copies;
    if (has_memory) copy_upright(vrm, copies, joints);
    const bool made = has_memory && sinew_springs_create_from_vrm(&upright, NULL, springs) == SINEW_OK;
    free(copies);
    free(joints);
    return made;
}

static bool make_springs_of_file(const sinew_asset *asset, const char *path, sinew_springs **springs) {
    if (!asset->vrm || asset->vrm->spring_count == 0) {
        cli_fail("%s: --springs file: the file has no spring bones (VRMC_springBone)", path);
        return false;
    }
    if (asset->up == SINEW_UP_Z ? create_upright(asset->vrm, springs)
                                : sinew_springs_create_from_vrm(asset->vrm, NULL, springs) == SINEW_OK)
        return true;
    cli_fail("%s: out of memory", path);
    return false;
}

bool cli_springs_create(const cli_springs_args *args, const sinew_asset *asset, const char *path,
                        sinew_springs **springs) {
    *springs = NULL;
    if (args->of_file && (args->chain_count > 0 || args->collider_count > 0)) {
        cli_fail("%s: --springs file uses the file's chains and colliders; leave out NODE and --collider", path);
        return false;
    }
    if (args->of_file) return make_springs_of_file(asset, path, springs);
    if (args->chain_count == 0) return true;
    definition *d = calloc(1, sizeof *d);
    if (!d) cli_fail("%s: out of memory", path);
    const bool made = d && make_chains(d, args, asset, path, springs);
    free(d);
    return made;
}
