// SPDX-License-Identifier: MIT
// Stands in for the sinew command with reference/'s evaluator, so compare.mjs can also check that against the oracle:
//
//     oracle_reference pose|skin FILE [--clip #N --time SECONDS] --json
//
// It prints what docs/json.md says about `sinew pose` and `sinew skin`, in double.
#include "cli/cli.h"
#include "cli/draco.h"
#include "reference/evaluate.h"

#include <stdlib.h>
#include <string.h>

// What one run holds.
typedef struct run {
    ref_document document;
    ref_model model;
    ref_pose pose;
} run;

static void *take(run *r, size_t count) {
    void *memory = sinewi_arena_array(&r->document.arena, double, count);
    if (!memory) exit(1);
    return memory;
}

static void print_numbers(const char *name, const double *numbers, size_t count) {
    printf("\"%s\":[", name);
    for (size_t i = 0; i < count; i++) printf("%s%.17g", i ? "," : "", numbers[i]);
    printf("]");
}

static void print_node(const run *r, int32_t index) {
    const ref_node *node = &r->model.nodes[index];
    const double *local = r->pose.locals + 10 * (size_t)index;
    printf("%s\n{\"node\":%d,", index ? "," : "", index);
    print_numbers("translation", local, 3);
    printf(",");
    print_numbers("rotation", local + 3, 4);
    printf(",");
    print_numbers("scale", local + 7, 3);
    printf(",");
    print_numbers("world", r->pose.worlds + 16 * (size_t)index, 16);
    printf(",");
    print_numbers("weights", r->pose.weights + node->first_weight, (size_t)node->weight_count);
    printf("}");
}

static const double *palette_of(run *r, int32_t skin) {
    if (skin < 0) return NULL;
    double *palette = take(r, 16 * (size_t)r->model.skins[skin].joint_count);
    ref_palette(&r->model.skins[skin], &r->pose, palette);
    return palette;
}

static void print_pose(run *r) {
    printf("{\"nodes\":[");
    for (int32_t i = 0; i < r->model.node_count; i++) print_node(r, i);
    printf("],\"skins\":[");
    for (int32_t i = 0; i < r->model.skin_count; i++) {
        const double *palette = palette_of(r, i);
        printf("%s\n{\"skin\":%d,\"matrices\":[", i ? "," : "", i);
        for (int32_t k = 0; k < r->model.skins[i].joint_count; k++) {
            printf("%s[", k ? "," : "");
            for (size_t m = 0; m < 16; m++) printf("%s%.17g", m ? "," : "", palette[16 * (size_t)k + m]);
            printf("]");
        }
        printf("]}");
    }
    printf("]}\n");
}

static void print_skin(run *r) {
    bool first = true;
    printf("{\"meshes\":[");
    for (int32_t n = 0; n < r->model.node_count; n++) {
        const ref_node *node = &r->model.nodes[n];
        const double *palette = palette_of(r, node->skin);
        for (int32_t p = 0; node->mesh >= 0 && p < r->model.meshes[node->mesh].primitive_count; p++) {
            const ref_primitive *primitive = &r->model.meshes[node->mesh].primitives[p];
            ref_vertices out = {.positions = take(r, 3 * (size_t)primitive->vertex_count)};
            ref_move_vertices(&r->model, &r->pose, n, primitive, palette, &out);
            printf("%s\n{\"node\":%d,\"mesh\":%d,\"primitive\":%d,", first ? "" : ",", n, node->mesh, p);
            print_numbers("positions", out.positions, 3 * (size_t)primitive->vertex_count);
            printf("}");
            first = false;
        }
    }
    printf("]}\n");
}

int main(int argc, char **argv) {
    static run r;
    bool clip = argc == 8;
    if (argc != 4 && !clip) return 2;
    bool read = ref_open(&r.document, argv[2], cli_decode_meshopt, NULL);
    r.document.draco_decode = cli_draco_decoder();
    read = read && ref_read_model(&r.document, &r.model);
    if (!read || !ref_make_pose(&r.document.arena, &r.model, &r.pose)) {
        fprintf(stderr, "%s: %s\n", argv[2], r.document.error);
        ref_close(&r.document);
        return 1;
    }
    // `sinew` takes times as floats; here they are what the oracle has.
    const ref_animation *animation = clip ? &r.model.animations[strtol(argv[4] + 1, NULL, 10)] : NULL;
    ref_evaluate(&r.model, animation, clip ? strtod(argv[6], NULL) : 0.0, &r.pose);
    if (strcmp(argv[1], "pose") == 0) {
        print_pose(&r);
    } else {
        print_skin(&r);
    }
    ref_close(&r.document);
    return 0;
}
