// SPDX-License-Identifier: MIT
// sinew info: prints a file's VRM data as text and as JSON.
#include "cli/info_vrm.h"

#include "cli/cli.h"

static const char *const versions[] = {"none", "0", "1"};
static const char *const look_at_types[] = {"none", "bone", "expression"};
static const char *const flags[] = {"auto", "both", "thirdPersonOnly", "firstPersonOnly"};

enum { KINDS = 3, FLAGS = 4 };

static void count_constraints(const sinew_vrm *vrm, int32_t counts[KINDS]) {
    for (int i = 0; i < KINDS; i++) counts[i] = 0;
    for (int32_t i = 0; i < vrm->constraint_count; i++) counts[vrm->constraints[i].kind]++;
}

// Counts the mesh nodes with each first-person flag.
static void count_flags(const sinew_asset *asset, int32_t counts[FLAGS]) {
    for (int i = 0; i < FLAGS; i++) counts[i] = 0;
    for (int32_t i = 0; i < asset->mesh_node_count; i++) counts[asset->vrm->first_person[i]]++;
}

// ---- Text ----------------------------------------------------------------------------------------------------

static void print_meta(const sinew_vrm *vrm) {
    if (vrm->version == SINEW_VRM_VERSION_NONE) {
        printf("VRM data without an avatar\n");
        return;
    }
    printf("VRM %s '%s'", vrm->version == SINEW_VRM_VERSION_1 ? "1.0" : "0.x", cli_text(vrm->meta.name));
    for (int32_t i = 0; i < vrm->meta.author_count; i++)
        printf("%s%s", i ? ", " : " by ", cli_short_text(vrm->meta.authors[i]));
    if (vrm->meta.license[0]) printf(", license %s", cli_text(vrm->meta.license));
    printf("\n");
}

static void print_names(int32_t count, const char *what, const char *name, int32_t index) {
    if (index == 0) printf("  %d %s%s:", count, what, cli_plural(count));
    printf("%s %s", index ? "," : "", name[0] ? cli_short_text(name) : "(unnamed)");
    if (index == count - 1) printf("\n");
}

static void print_gaze(const sinew_vrm_look_at *look) {
    if (look->type == SINEW_VRM_LOOK_AT_EXPRESSION) printf("  gaze: expressions\n");
    if (look->type == SINEW_VRM_LOOK_AT_BONE)
        printf("  gaze: %d eye bones\n",
               (look->left_eye.node != SINEW_NO_NODE) + (look->right_eye.node != SINEW_NO_NODE));
}

void cli_print_vrm(const sinew_asset *asset) {
    const sinew_vrm *vrm = asset->vrm;
    int32_t kinds[KINDS], flagged[FLAGS];
    if (!vrm) return;
    print_meta(vrm);
    count_constraints(vrm, kinds);
    count_flags(asset, flagged);
    if (vrm->constraint_count > 0)
        printf("  %d node constraint%s: %d roll, %d aim, %d rotation\n", vrm->constraint_count,
               cli_plural(vrm->constraint_count), kinds[0], kinds[1], kinds[2]);
    for (int32_t i = 0; i < vrm->expression_count; i++)
        print_names(vrm->expression_count, "expression", vrm->expressions[i].name, i);
    print_gaze(&vrm->look_at);
    if (vrm->version != SINEW_VRM_VERSION_NONE && asset->mesh_node_count > 0)
        printf("  first person: %d auto, %d both, %d third person only, %d first person only\n", flagged[0],
               flagged[1], flagged[2], flagged[3]);
    if (vrm->spring_count > 0)
        printf("  %d spring%s, %d collider%s in %d group%s\n", vrm->spring_count, cli_plural(vrm->spring_count),
               vrm->collider_count, cli_plural(vrm->collider_count), vrm->collider_group_count,
               cli_plural(vrm->collider_group_count));
    for (int32_t i = 0; i < vrm->animation.track_count; i++)
        print_names(vrm->animation.track_count, "animated expression", vrm->animation.tracks[i].name, i);
    if (vrm->animation.gaze_node != SINEW_NO_NODE) printf("  an animated gaze\n");
}

// ---- JSON ----------------------------------------------------------------------------------------------------

static void print_json_string(const char *name, const char *value) {
    printf(",\"%s\":", name);
    cli_json_string(stdout, value);
}

static void print_json_meta(const sinew_vrm_meta *meta) {
    printf(",\"authors\":[");
    for (int32_t i = 0; i < meta->author_count; i++) {
        if (i > 0) printf(",");
        cli_json_string(stdout, meta->authors[i]);
    }
    printf("]");
    print_json_string("license", meta->license);
}

static void print_json_expressions(const sinew_vrm *vrm) {
    printf(",\n\"expressions\":[");
    for (int32_t i = 0; i < vrm->expression_count; i++) {
        const sinew_vrm_expression *e = &vrm->expressions[i];
        printf("%s{\"expression\":%d", i ? "," : "", i);
        print_json_string("name", e->name);
        printf(",\"morphTargets\":%d}", e->morph_count);
    }
    printf("]");
}

static void print_json_animation(const sinew_vrm_animation *animation) {
    printf(",\n\"animatedExpressions\":[");
    for (int32_t i = 0; i < animation->track_count; i++) {
        if (i > 0) printf(",");
        cli_json_string(stdout, animation->tracks[i].name);
    }
    printf("],\"animatedGaze\":%s}", animation->gaze_node != SINEW_NO_NODE ? "true" : "false");
}

void cli_print_json_vrm(const sinew_asset *asset) {
    const sinew_vrm *vrm = asset->vrm;
    int32_t kinds[KINDS], flagged[FLAGS];
    printf(",\n\"vrm\":");
    if (!vrm) {
        printf("null");
        return;
    }
    count_constraints(vrm, kinds);
    count_flags(asset, flagged);
    printf("{\"version\":\"%s\"", versions[vrm->version]);
    print_json_string("title", vrm->meta.name);
    print_json_meta(&vrm->meta);
    printf(",\n\"constraints\":{\"roll\":%d,\"aim\":%d,\"rotation\":%d}", kinds[0], kinds[1], kinds[2]);
    print_json_expressions(vrm);
    printf(",\n\"lookAt\":\"%s\",\"firstPerson\":{", look_at_types[vrm->look_at.type]);
    for (int i = 0; i < FLAGS; i++) printf("%s\"%s\":%d", i ? "," : "", flags[i], flagged[i]);
    printf("},\n\"springs\":%d,\"colliders\":%d,\"colliderGroups\":%d", vrm->spring_count, vrm->collider_count,
           vrm->collider_group_count);
    print_json_animation(&vrm->animation);
}
