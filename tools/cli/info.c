// SPDX-License-Identifier: MIT
// sinew info: prints a file's content.
#include "cli/cli.h"
#include "cli/info_vrm.h"

#include "retargeting/roles.h"

#include <math.h>
#include <stdlib.h>

static const char help[] =
    "usage: sinew info FILE [--foot NAME]... [--json]\n"
    "\n"
    "Prints what's in a glTF file: nodes, skins, clips with their timelines, markers and ground speeds,\n"
    "meshes with their influences, materials, images, cameras, lights, curves, bounds, humanoid roles, and\n"
    "the memory that it all takes once loaded.\n"
    "\n"
    "  --foot NAME    measures ground speeds with this foot node, such as the ankle. Give it once per foot,\n"
    "                 at most 8 times (default: finds the feet by the shape of the rest pose)\n"
    "  --json         prints JSON (docs/json.md)\n"
    "\n"
    "example: sinew info hero.glb\n";

// ---- Counting ------------------------------------------------------------------------------------------------

typedef struct clip_summary {
    int32_t uniform;  // timelines whose keys are found without a search
    int32_t sparse;   // timelines that few channels share, so keys are stored per channel
    int32_t constant; // channels that never change
    int32_t by_interpolation[3];
    int32_t most_keys;
    float first_key, last_key; // seconds; only of channels that change
} clip_summary;

static clip_summary summarize(const sinew_clip *clip) {
    clip_summary summary = {0};
    for (int32_t i = 0; i < clip->timeline_count; i++) {
        summary.uniform += clip->timelines[i].uniform;
        summary.sparse += clip->timelines[i].stride > 1;
        if (clip->timelines[i].key_count > summary.most_keys) summary.most_keys = clip->timelines[i].key_count;
        const float first = sinew_timeline_time(&clip->timelines[i], 0);
        const float last = sinew_timeline_time(&clip->timelines[i], clip->timelines[i].key_count - 1);
        if (i == 0 || first < summary.first_key) summary.first_key = first;
        if (i == 0 || last > summary.last_key) summary.last_key = last;
    }
    for (int32_t i = 0; i < clip->channel_count; i++) {
        summary.constant += clip->channels[i].timeline < 0;
        summary.by_interpolation[clip->channels[i].interpolation]++;
    }
    return summary;
}

// ---- Lists by node, camera and light -------------------------------------------------------------------------

// Linked lists of instances by owner. Owner k's list is first[k], next[first[k]], ..., in order; -1 ends it.
typedef struct lists {
    int32_t *first, *next;
} lists;

// The properties of each node, camera and light, collected once.
typedef struct tables {
    bool *joint, *hidden;          // by node; hidden: KHR_node_visibility hides its mesh or light
    int32_t *depth;                // by node; 0 for a root
    lists meshes, cameras, lights; // instances, by node
    lists by_camera, by_light;     // instances, by camera and by light
    int32_t *curve_clips;          // by curve: the number of clips that animate it
    sinew_box rest;                // the rest pose's bounds
} tables;

typedef int32_t (*owner)(const sinew_asset *asset, int32_t element);

static int32_t node_of_mesh(const sinew_asset *asset, int32_t instance) {
    return asset->mesh_nodes[instance].node;
}

static int32_t node_of_camera(const sinew_asset *asset, int32_t instance) {
    return asset->camera_nodes[instance].node;
}

static int32_t node_of_light(const sinew_asset *asset, int32_t instance) {
    return asset->light_nodes[instance].node;
}

static int32_t camera_of(const sinew_asset *asset, int32_t instance) {
    return asset->camera_nodes[instance].camera;
}

static int32_t light_of(const sinew_asset *asset, int32_t instance) {
    return asset->light_nodes[instance].light;
}

static bool make_lists(lists *l, const sinew_asset *asset, int32_t owners, int32_t count, owner owner_of) {
    l->first = malloc(((size_t)owners + 1) * sizeof *l->first);
    l->next = malloc(((size_t)count + 1) * sizeof *l->next);
    if (!l->first || !l->next) return false;
    for (int32_t i = 0; i < owners; i++) l->first[i] = -1;
    for (int32_t i = count - 1; i >= 0; i--) { // backward, because each is inserted at the front
        int32_t *first = &l->first[owner_of(asset, i)];
        l->next[i] = *first;
        *first = i;
    }
    return true;
}

static void free_lists(lists *l) {
    free(l->first);
    free(l->next);
}

static void fill_nodes(const tables *t, const sinew_asset *asset) {
    const sinew_skeleton *skeleton = asset->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) { // parents come first
        const int32_t parent = skeleton->parents[i];
        if (parent != SINEW_NO_NODE) t->depth[i] = t->depth[parent] + 1;
    }
    for (int32_t i = 0; i < asset->skin_count; i++) {
        for (int32_t j = 0; j < asset->skins[i].joint_count; j++) t->joint[asset->skins[i].joints[j]] = true;
    }
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        if (!asset->mesh_nodes[i].visible) t->hidden[asset->mesh_nodes[i].node] = true;
    }
    for (int32_t i = 0; i < asset->light_node_count; i++) {
        if (!asset->light_nodes[i].visible) t->hidden[asset->light_nodes[i].node] = true;
    }
}

// Counts the clips that animate each curve.
static void count_clips_of_curves(const sinew_asset *asset, int32_t *counts) {
    for (int32_t i = 0; i < asset->clip_count; i++) {
        const sinew_clip *clip = &asset->clips[i];
        for (int32_t c = 0; c < clip->channel_count; c++) {
            if (clip->channels[c].target == SINEW_TARGET_CURVE) counts[clip->channels[c].node]++;
        }
    }
}

static bool find_rest(tables *t, const sinew_asset *asset) {
    sinew_pose *pose;
    sinew_affine *model = malloc(((size_t)asset->skeleton->node_count + 1) * sizeof *model);
    const bool good = model && sinew_pose_create(asset->skeleton, NULL, &pose) == SINEW_OK;
    if (good) {
        sinew_pose_to_model(pose, model);
        sinew_bounds_pose(asset->bounds, model, pose->weights, &t->rest, NULL);
        sinew_pose_destroy(pose);
    }
    free(model);
    return good;
}

// Returns false if memory runs out. Call free_tables either way.
static bool make_tables(tables *t, const sinew_asset *asset) {
    const int32_t nodes = asset->skeleton->node_count;
    const size_t room = (size_t)nodes + 1;
    *t = (tables){.joint = calloc(room, sizeof *t->joint),
                  .hidden = calloc(room, sizeof *t->hidden),
                  .depth = calloc(room, sizeof *t->depth),
                  .curve_clips = calloc((size_t)asset->skeleton->curve_count + 1, sizeof *t->curve_clips)};
    if (!t->joint || !t->hidden || !t->depth || !t->curve_clips) return false;
    fill_nodes(t, asset);
    count_clips_of_curves(asset, t->curve_clips);
    const int32_t cameras = asset->camera_node_count, lights = asset->light_node_count;
    return find_rest(t, asset) && make_lists(&t->meshes, asset, nodes, asset->mesh_node_count, node_of_mesh) &&
           make_lists(&t->cameras, asset, nodes, cameras, node_of_camera) &&
           make_lists(&t->lights, asset, nodes, lights, node_of_light) &&
           make_lists(&t->by_camera, asset, asset->camera_count, cameras, camera_of) &&
           make_lists(&t->by_light, asset, asset->light_count, lights, light_of);
}

static void free_tables(tables *t) {
    free(t->joint);
    free(t->hidden);
    free(t->depth);
    free(t->curve_clips);
    free_lists(&t->meshes);
    free_lists(&t->cameras);
    free_lists(&t->lights);
    free_lists(&t->by_camera);
    free_lists(&t->by_light);
}

// ---- Feet ----------------------------------------------------------------------------------------------------

// The feet used to measure ground speeds. Empty with the reason if they can't be found.
typedef struct ground_feet {
    sinew_feet feet;
    char reason[sizeof((sinew_error *)0)->message];
} ground_feet;

// Finds the feet, or takes the nodes given with --foot. If a node doesn't exist or can't be a foot, prints the reason
// and returns false.
static bool find_feet(ground_feet *to, const sinew_asset *asset, const char *path, const char *const *names,
                      int count) {
    int32_t nodes[SINEW_MAX_FEET];
    sinew_error error;
    to->reason[0] = '\0';
    if (count == 0) {
        const sinew_result result = sinew_feet_find(asset->skeleton, SINEW_UP_Y, &to->feet, &error);
        if (result != SINEW_OK) snprintf(to->reason, sizeof to->reason, "%s", error.message);
        if (result != SINEW_ERROR_OUT_OF_MEMORY) return true;
        cli_fail("%s: %s", path, error.message);
        return false;
    }
    for (int i = 0; i < count; i++) {
        nodes[i] = cli_find_node(asset, path, names[i]);
        if (nodes[i] == SINEW_NO_NODE) return false;
    }
    if (sinew_feet_from_nodes(asset->skeleton, nodes, count, SINEW_UP_Y, &to->feet, &error) == SINEW_OK)
        return true;
    cli_fail("%s: %s", path, error.message);
    return false;
}

// ---- Text ----------------------------------------------------------------------------------------------------

// Prints a node's meshes, cameras and lights, and whether they're hidden.
static void print_node_content(const sinew_asset *asset, const tables *t, int32_t node) {
    for (int32_t i = t->meshes.first[node]; i >= 0; i = t->meshes.next[i]) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        printf(", mesh '%s'", cli_short_text(asset->meshes[mesh_node->mesh].name));
        if (mesh_node->skin >= 0) printf(" with skin %d", mesh_node->skin);
    }
    for (int32_t i = t->cameras.first[node]; i >= 0; i = t->cameras.next[i]) {
        printf(", camera '%s'", cli_short_text(asset->cameras[asset->camera_nodes[i].camera].name));
    }
    for (int32_t i = t->lights.first[node]; i >= 0; i = t->lights.next[i]) {
        printf(", light '%s'", cli_short_text(asset->lights[asset->light_nodes[i].light].name));
    }
    if (t->hidden[node]) printf(", hidden");
}

static void print_nodes(const sinew_asset *asset, const tables *t) {
    enum { MAX_INDENT = 23 }; // levels
    const sinew_skeleton *skeleton = asset->skeleton;
    printf("%d node%s\n", skeleton->node_count, cli_plural(skeleton->node_count));
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        printf("  %*s%s", 2 * (t->depth[i] < MAX_INDENT ? t->depth[i] : MAX_INDENT), "",
               skeleton->names[i][0] ? cli_text(skeleton->names[i]) : "(unnamed)");
        printf("  #%d%s", skeleton->source_of_node[i], t->joint[i] ? ", joint" : "");
        print_node_content(asset, t, i);
        printf("\n");
    }
}

static void print_skins(const sinew_asset *asset) {
    printf("%d skin%s\n", asset->skin_count, cli_plural(asset->skin_count));
    for (int32_t i = 0; i < asset->skin_count; i++) {
        const sinew_skin *skin = &asset->skins[i];
        printf("  #%d '%s': %d joint%s\n", i, cli_text(skin->name), skin->joint_count,
               cli_plural(skin->joint_count));
    }
}

// Returns the number of humanoid roles, from VRM data or guessed; 0 if it isn't a humanoid.
static int32_t find_roles(const sinew_asset *asset, retargeting_roles *found) {
    if (!retargeting_find_roles(found, asset)) cli_lose_text();
    if (!retargeting_can_use(found)) return 0;
    int32_t count = 0;
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        count += found->humanoid.nodes[role] != SINEW_NO_NODE;
    return count;
}

static void print_roles(const sinew_asset *asset) {
    retargeting_roles found;
    const int32_t count = find_roles(asset, &found);
    if (count == 0) return;
    printf("humanoid: %d role%s by %s, score %.2f\n", (int)count, cli_plural(count),
           retargeting_source_texts[found.humanoid.source], (double)found.report.score);
}

static double without_noise(float number) {
    return fabs((double)number) < 0.0005 ? 0.0 : (double)number;
}

// Prints a comma and the clip's ground speed.
static void print_speed(const sinew_clip *clip, const sinew_feet *feet) {
    sinew_clip_speed speed;
    if (feet->foot_count == 0) return;
    if (!sinew_clip_measure_speed(clip, feet, &speed)) {
        printf(", no ground speed");
    } else if (speed.gait == SINEW_GAIT_STANDS) {
        printf(", stands");
    } else {
        printf(", %.3f m/s (%.3f right, %.3f forward), spread %.3f", (double)speed.speed,
               without_noise(-speed.velocity.x), without_noise(speed.velocity.z), (double)speed.spread);
    }
}

static void print_feet(const ground_feet *ground) {
    if (ground->feet.foot_count == 0) {
        printf("  no ground speeds: %s; name the feet with --foot\n", ground->reason);
        return;
    }
    printf("  ground speeds measured with the feet");
    for (int32_t i = 0; i < ground->feet.foot_count; i++) {
        const char *name = ground->feet.skeleton->names[ground->feet.feet[i].node];
        printf("%s %s", i ? "," : "", name[0] ? cli_short_text(name) : "(unnamed)");
    }
    printf("\n");
}

static void print_clips(const sinew_asset *asset, const ground_feet *ground) {
    printf("%d clip%s\n", asset->clip_count, cli_plural(asset->clip_count));
    const bool is_character = asset->skin_count > 0 || ground->feet.foot_count > 0;
    if (asset->clip_count > 0 && is_character) print_feet(ground);
    for (int32_t i = 0; i < asset->clip_count; i++) {
        const sinew_clip *clip = &asset->clips[i];
        clip_summary summary = summarize(clip);
        printf(
            "  #%d '%s': %.3f s, %d channel%s (%d constant), %d timeline%s (%d uniform, %d sparse, at most %d keys",
            i, cli_text(clip->name), (double)clip->duration, clip->channel_count, cli_plural(clip->channel_count),
            summary.constant, clip->timeline_count, cli_plural(clip->timeline_count), summary.uniform,
            summary.sparse, summary.most_keys);
        if (clip->timeline_count > 0)
            printf(", from %.3f to %.3f s", (double)summary.first_key, (double)summary.last_key);
        printf("), ");
        if (clip->filled_key_count > 0) printf("%d keys filled in, ", clip->filled_key_count);
        cli_print_bytes(clip->memory);
        if (clip->max_error > 0.0f) printf(" within %.3g mm", 1000.0 * (double)clip->max_error);
        print_speed(clip, &ground->feet);
        printf("\n");
        for (int32_t m = 0; m < clip->marker_count; m++) {
            const sinew_marker *marker = &clip->markers[m];
            printf("    %.3f s  %s\n", (double)marker->time,
                   marker->name[0] ? cli_text(marker->name) : "(unnamed)");
        }
    }
}

static void print_meshes(const sinew_asset *asset) {
    printf("%d mesh%s\n", asset->mesh_count, asset->mesh_count == 1 ? "" : "es");
    for (int32_t i = 0; i < asset->mesh_count; i++) {
        const sinew_mesh *mesh = &asset->meshes[i];
        printf("  #%d '%s'\n", i, cli_text(mesh->name));
        for (int32_t p = 0; p < mesh->primitive_count; p++) {
            const sinew_primitive *primitive = &mesh->primitives[p];
            printf("    primitive %d: %d vertices, %d triangles", p, primitive->vertex_count,
                   primitive->index_count / 3);
            if (primitive->influences) printf(", %d influences", primitive->influences);
            if (primitive->target_count) printf(", %d morph targets", primitive->target_count);
            if (primitive->material >= 0)
                printf(", material '%s'", cli_short_text(asset->materials[primitive->material].name));
            printf("\n");
        }
    }
}

static void print_images(const sinew_asset *asset) {
    printf("%d material%s, %d texture%s, %d image%s\n", asset->material_count, cli_plural(asset->material_count),
           asset->texture_count, cli_plural(asset->texture_count), asset->image_count,
           cli_plural(asset->image_count));
    for (int32_t i = 0; i < asset->image_count; i++) {
        const sinew_image *image = &asset->images[i];
        if (!image->bytes) {
            printf("  #%d '%s': missing\n", i, cli_text(image->name));
            continue;
        }
        printf("  #%d '%s': %s, %zu bytes\n", i, cli_text(image->name), cli_text(image->mime_type), image->size);
    }
}

static double degrees(float radians) {
    return (double)radians * 180.0 / 3.14159265358979;
}

static void print_cameras(const sinew_asset *asset) {
    printf("%d camera%s\n", asset->camera_count, cli_plural(asset->camera_count));
    for (int32_t i = 0; i < asset->camera_count; i++) {
        const sinew_camera *c = &asset->cameras[i];
        printf("  #%d '%s': ", i, cli_text(c->name));
        if (c->orthographic) {
            printf("orthographic, %g x %g m", 2.0 * (double)c->xmag, 2.0 * (double)c->ymag);
        } else {
            printf("perspective, %.1f degrees high", degrees(c->yfov));
        }
        printf(", sees from %g to %g m\n", (double)c->znear, (double)c->zfar);
    }
}

static const char *const light_kinds[] = {"directional", "point", "spot"};

static void print_curves(const sinew_asset *asset, const tables *t) {
    const sinew_skeleton *skeleton = asset->skeleton;
    printf("%d curve%s, %d propert%s\n", skeleton->curve_count, cli_plural(skeleton->curve_count),
           asset->animated_property_count, asset->animated_property_count == 1 ? "y" : "ies");
    for (int32_t i = 0; i < skeleton->curve_count; i++) {
        const int32_t count = t->curve_clips[i];
        printf("  #%d '%s': rest value %.6g, in %d clip%s\n", i, cli_text(skeleton->curve_names[i]),
               (double)skeleton->rest_curves[i], count, cli_plural(count));
    }
}

static void print_lights(const sinew_asset *asset) {
    printf("%d light%s\n", asset->light_count, cli_plural(asset->light_count));
    for (int32_t i = 0; i < asset->light_count; i++) {
        const sinew_light *light = &asset->lights[i];
        printf("  #%d '%s': %s, %g %s", i, cli_text(light->name), light_kinds[light->kind],
               (double)light->intensity, light->kind == SINEW_LIGHT_DIRECTIONAL ? "lux" : "candela");
        if (light->kind == SINEW_LIGHT_SPOT) {
            printf(", %.1f to %.1f degrees", degrees(light->inner_cone), degrees(light->outer_cone));
        }
        printf("\n");
    }
}

static void print_bounds(const sinew_asset *asset, const sinew_box *rest) {
    printf("%d box%s moved by joints and nodes", asset->bounds->box_count,
           asset->bounds->box_count == 1 ? "" : "es");
    if (!sinew_box_is_empty(*rest)) {
        printf("; the rest pose is %.3g x %.3g x %.3g m", (double)(rest->max.x - rest->min.x),
               (double)(rest->max.y - rest->min.y), (double)(rest->max.z - rest->min.z));
    }
    printf("\n");
}

static void print_text(const sinew_asset *asset, const tables *t, const ground_feet *ground, const char *path) {
    printf("%s: ", cli_text(path));
    cli_print_bytes(asset->memory);
    printf(" once loaded\n");
    print_nodes(asset, t);
    print_skins(asset);
    print_roles(asset);
    print_clips(asset, ground);
    print_meshes(asset);
    print_images(asset);
    print_cameras(asset);
    print_lights(asset);
    print_curves(asset, t);
    print_bounds(asset, &t->rest);
    cli_print_vrm(asset);
}

// ---- JSON ----------------------------------------------------------------------------------------------------

static void print_json_nodes(const sinew_asset *asset, const tables *t) {
    const sinew_skeleton *skeleton = asset->skeleton;
    printf("\"nodes\":[");
    for (int32_t source = 0; source < skeleton->node_count; source++) {
        int32_t node = skeleton->node_of_source[source], parent = skeleton->parents[node];
        printf("%s\n{\"node\":%d,\"name\":", source ? "," : "", source);
        cli_json_string(stdout, skeleton->names[node]);
        printf(",\"parent\":");
        if (parent == SINEW_NO_NODE) {
            printf("null");
        } else {
            printf("%d", skeleton->source_of_node[parent]);
        }
        printf(",\"joint\":%s,\"hidden\":%s}", t->joint[node] ? "true" : "false",
               t->hidden[node] ? "true" : "false");
    }
    printf("]");
}

static void print_json_markers(const sinew_clip *clip) {
    printf("\"markers\":[");
    for (int32_t i = 0; i < clip->marker_count; i++) {
        printf("%s{\"name\":", i ? "," : "");
        cli_json_string(stdout, clip->markers[i].name);
        printf(",\"time\":%.9g}", (double)clip->markers[i].time);
    }
    printf("]}");
}

static void print_json_feet(const sinew_feet *feet) {
    printf(",\n\"feet\":[");
    for (int32_t i = 0; i < feet->foot_count; i++) {
        printf("%s{\"node\":%d,\"name\":", i ? "," : "", feet->skeleton->source_of_node[feet->feet[i].node]);
        cli_json_string(stdout, feet->skeleton->names[feet->feet[i].node]);
        printf("}");
    }
    printf("]");
}

static void print_json_number(const char *name, float number) {
    printf(",\"%s\":", name);
    if (isfinite(number)) {
        printf("%.9g", (double)number);
    } else {
        printf("null");
    }
}

// Prints each foot's contacts. A contact across the loop's end ends after the clip's duration.
static void print_json_plants(const sinew_clip *clip, int32_t foot_count, const sinew_clip_speed *speed) {
    int32_t k = 0;
    printf(",\"plants\":[");
    for (int32_t foot = 0; foot < foot_count; foot++) {
        printf("%s[", foot ? "," : "");
        for (const char *separator = ""; k < speed->contact_count && speed->contacts[k].foot == foot; k++) {
            const sinew_foot_contact *contact = &speed->contacts[k];
            const float end = contact->end < contact->start ? contact->end + clip->duration : contact->end;
            printf("%s[%.9g,%.9g]", separator, (double)contact->start, (double)end);
            separator = ",";
        }
        printf("]");
    }
    printf("]");
}

static void print_json_speed(const sinew_clip *clip, const sinew_feet *feet) {
    static const char *const gaits[] = {"none", "stands", "moves"};
    sinew_clip_speed speed;
    if (feet->foot_count == 0) {
        printf("\"groundSpeed\":null,");
        return;
    }
    sinew_clip_measure_speed(clip, feet, &speed);
    const float velocity[3] = {speed.velocity.x, speed.velocity.y, speed.velocity.z};
    printf("\"groundSpeed\":{\"gait\":\"%s\"", gaits[speed.gait]);
    print_json_number("speed", speed.speed);
    printf(",\"velocity\":");
    cli_json_floats(stdout, velocity, 3);
    print_json_number("spread", speed.spread);
    print_json_number("yawRate", speed.yaw_rate);
    print_json_number("planted", speed.planted);
    print_json_plants(clip, feet->foot_count, &speed);
    printf("},");
}

static void print_json_keys(const sinew_clip *clip, const clip_summary *s) {
    if (clip->timeline_count > 0) {
        printf("\"firstKey\":%.9g,\"lastKey\":%.9g,", (double)s->first_key, (double)s->last_key);
    } else {
        printf("\"firstKey\":null,\"lastKey\":null,");
    }
}

static void print_json_clips(const sinew_asset *asset, const sinew_feet *feet) {
    printf(",\n\"clips\":[");
    for (int32_t i = 0; i < asset->clip_count; i++) {
        const sinew_clip *clip = &asset->clips[i];
        clip_summary s = summarize(clip);
        printf("%s\n{\"clip\":%d,\"name\":", i ? "," : "", i);
        cli_json_string(stdout, clip->name);
        printf(",\"duration\":%.9g,", (double)clip->duration);
        print_json_keys(clip, &s);
        printf("\"channels\":%d,\"constantChannels\":%d,\"timelines\":%d,\"uniformTimelines\":%"
               "d,\"sparseTimelines\":%d,"
               "\"step\":%d,\"linear\":%d,\"cubicspline\":%d,\"filledKeys\":%d,\"memory\":%zu,\"maxError\":%.9g,",
               clip->channel_count, s.constant, clip->timeline_count, s.uniform, s.sparse,
               s.by_interpolation[SINEW_INTERPOLATION_STEP], s.by_interpolation[SINEW_INTERPOLATION_LINEAR],
               s.by_interpolation[SINEW_INTERPOLATION_CUBICSPLINE], clip->filled_key_count, clip->memory,
               (double)clip->max_error);
        print_json_speed(clip, feet);
        print_json_markers(clip);
    }
    printf("]");
}

static void print_json_skins(const sinew_asset *asset) {
    printf(",\n\"skins\":[");
    for (int32_t i = 0; i < asset->skin_count; i++) {
        printf("%s{\"skin\":%d,\"name\":", i ? "," : "", i);
        cli_json_string(stdout, asset->skins[i].name);
        printf(",\"joints\":%d}", asset->skins[i].joint_count);
    }
    printf("]");
}

static void print_json_roles(const sinew_asset *asset) {
    retargeting_roles found;
    const int32_t count = find_roles(asset, &found);
    printf(",\n\"humanoid\":");
    if (count == 0) {
        printf("null");
        return;
    }
    printf("{\"source\":\"%s\",\"roles\":%d,\"score\":%.9g}", retargeting_source_names[found.humanoid.source],
           (int)count, (double)found.report.score);
}

static void print_json_meshes(const sinew_asset *asset) {
    printf(",\n\"meshes\":[");
    for (int32_t i = 0; i < asset->mesh_count; i++) {
        const sinew_mesh *mesh = &asset->meshes[i];
        printf("%s\n{\"mesh\":%d,\"name\":", i ? "," : "", i);
        cli_json_string(stdout, mesh->name);
        printf(",\"primitives\":[");
        for (int32_t p = 0; p < mesh->primitive_count; p++) {
            const sinew_primitive *primitive = &mesh->primitives[p];
            printf("%s{\"vertices\":%d,\"triangles\":%d,\"influences\":%d,\"morphTargets\":%d,\"material\":%d}",
                   p ? "," : "", primitive->vertex_count, primitive->index_count / 3, primitive->influences,
                   primitive->target_count, primitive->material);
        }
        printf("]}");
    }
    printf("]");
}

// Prints the nodes of a camera or light from its list of instances.
static void print_json_owner_nodes(const sinew_asset *asset, const lists *by, int32_t one, owner node_of) {
    printf(",\"nodes\":[");
    for (int32_t i = by->first[one]; i >= 0; i = by->next[i]) {
        printf("%s%d", i == by->first[one] ? "" : ",", asset->skeleton->source_of_node[node_of(asset, i)]);
    }
    printf("]}");
}

static void print_json_cameras(const sinew_asset *asset, const tables *t) {
    printf(",\n\"cameras\":[");
    for (int32_t i = 0; i < asset->camera_count; i++) {
        const sinew_camera *c = &asset->cameras[i];
        printf("%s\n{\"camera\":%d,\"name\":", i ? "," : "", i);
        cli_json_string(stdout, c->name);
        printf(",\"type\":\"%s\"", c->orthographic ? "orthographic" : "perspective");
        print_json_number("yfov", c->yfov);
        print_json_number("aspect", c->aspect);
        print_json_number("xmag", c->xmag);
        print_json_number("ymag", c->ymag);
        print_json_number("znear", c->znear);
        print_json_number("zfar", c->zfar);
        print_json_owner_nodes(asset, &t->by_camera, i, node_of_camera);
    }
    printf("]");
}

static void print_json_curves(const sinew_asset *asset, const tables *t) {
    static const char *const targets[] = {"material", "node", "camera", "light", "other"};
    const sinew_skeleton *skeleton = asset->skeleton;
    printf(",\n\"curves\":[");
    for (int32_t i = 0; i < skeleton->curve_count; i++) {
        printf("%s\n{\"curve\":%d,\"name\":", i ? "," : "", i);
        cli_json_string(stdout, skeleton->curve_names[i]);
        print_json_number("rest", skeleton->rest_curves[i]);
        printf(",\"clips\":%d}", t->curve_clips[i]);
    }
    printf("],\n\"properties\":[");
    for (int32_t i = 0; i < asset->animated_property_count; i++) {
        const sinew_animated_property *p = &asset->animated_properties[i];
        const bool of_node = p->target == SINEW_PROPERTY_NODE;
        printf("%s\n{\"pointer\":", i ? "," : "");
        cli_json_string(stdout, p->pointer);
        printf(",\"target\":\"%s\",\"index\":%d,\"firstCurve\":%d,\"components\":%d,\"bool\":%s}",
               targets[p->target], of_node ? skeleton->source_of_node[p->index] : p->index, p->first_curve,
               p->component_count, p->is_bool ? "true" : "false");
    }
    printf("]");
}

static void print_json_lights(const sinew_asset *asset, const tables *t) {
    printf(",\n\"lights\":[");
    for (int32_t i = 0; i < asset->light_count; i++) {
        const sinew_light *light = &asset->lights[i];
        printf("%s\n{\"light\":%d,\"name\":", i ? "," : "", i);
        cli_json_string(stdout, light->name);
        printf(",\"type\":\"%s\",\"color\":", light_kinds[light->kind]);
        cli_json_floats(stdout, light->color, 3);
        print_json_number("intensity", light->intensity);
        print_json_number("range", light->range);
        print_json_number("innerCone", light->inner_cone);
        print_json_number("outerCone", light->outer_cone);
        print_json_owner_nodes(asset, &t->by_light, i, node_of_light);
    }
    printf("]");
}

// Prints a corner, or null if the box is empty or covers all of space.
static void print_json_corner(const char *name, const sinew_box *box, sinew_vec3 corner) {
    if (sinew_box_is_empty(*box) || !isfinite(corner.x)) {
        printf(",\"%s\":null", name);
    } else {
        printf(",\"%s\":[%.9g,%.9g,%.9g]", name, (double)corner.x, (double)corner.y, (double)corner.z);
    }
}

static void print_json_bounds(const sinew_asset *asset, const sinew_box *rest) {
    printf(",\n\"bounds\":{\"boxes\":%d", asset->bounds->box_count);
    print_json_corner("min", rest, rest->min);
    print_json_corner("max", rest, rest->max);
    printf("}");
}

static void print_json(const sinew_asset *asset, const tables *t, const ground_feet *ground) {
    printf("{");
    print_json_nodes(asset, t);
    print_json_skins(asset);
    print_json_roles(asset);
    print_json_feet(&ground->feet);
    print_json_clips(asset, &ground->feet);
    print_json_meshes(asset);
    print_json_cameras(asset, t);
    print_json_lights(asset, t);
    print_json_curves(asset, t);
    print_json_bounds(asset, &t->rest);
    cli_print_json_vrm(asset);
    printf(",\n\"materials\":%d,\"textures\":%d,\"images\":%d,\"memory\":%zu}\n", asset->material_count,
           asset->texture_count, asset->image_count, asset->memory);
}

// ---- The command ---------------------------------------------------------------------------------------------

int cli_info(int argc, char **argv) {
    const char *file = NULL, *feet[SINEW_MAX_FEET];
    int foot_count = 0;
    bool json = false;
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (cli_args_flag(&args, "--json")) {
            json = true;
        } else if (cli_args_is(&args, "--foot")) {
            const char *name = cli_args_value(&args);
            if (!name) return CLI_USAGE;
            if (foot_count == SINEW_MAX_FEET) return cli_usage("info", "--foot: more than %d feet", SINEW_MAX_FEET);
            feet[foot_count++] = name;
        } else if (!args.option && !file) {
            file = args.value;
        } else {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!file) return cli_usage("info", "FILE is missing");
    sinew_asset *asset = cli_load(file);
    if (!asset) return CLI_BAD_INPUT;
    tables t;
    ground_feet ground;
    const bool has_tables = make_tables(&t, asset);
    if (!has_tables) cli_fail("%s: out of memory", file);
    const bool good = has_tables && find_feet(&ground, asset, file, feet, foot_count);
    if (good && json) print_json(asset, &t, &ground);
    if (good && !json) print_text(asset, &t, &ground, file);
    free_tables(&t);
    sinew_asset_destroy(asset);
    if (!good) return CLI_BAD_INPUT;
    return cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
}
