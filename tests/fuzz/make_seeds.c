// SPDX-License-Identifier: MIT
// Writes seeds for the fuzz targets: make-seeds FOLDER. It must have the folders glb, json, pipeline, condition, bvh,
// baked, state and recording.
#include "fuzz/coded.h"
#include "fuzz/recording_stage.h"

#include "support/bvh_sample.h"
#include "support/gltf_samples.h"

#include <stdio.h>
#include <string.h>

static void write_seed(const char *folder, const char *target, const char *name, const void *data, size_t size) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/%s", folder, target, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        fprintf(stderr, "%s cannot be written\n", path);
        exit(1);
    }
}

// Writes a text whose buffer is an external URI, then a zero, then that buffer.
static void write_parts(const char *folder, const char *name, const gltf_builder *b) {
    gltf_text out = {NULL, 0, 0};
    size_t size;
    char *text = gltf_write_text_of(b, "a", &size);
    gltf_append(&out, text, size + 1);
    gltf_append(&out, b->bin.data, b->bin.size);
    write_seed(folder, "json", name, out.data, out.size);
    write_seed(folder, "pipeline", name, out.data, out.size);
    free(text);
    free(out.data);
}

// The asset of a sample that loads without decoders, with keys of each format.
static void write_baked(const char *folder, const char *name, const void *glb, size_t size) {
    sinew_gltf_options options = sinew_gltf_default();
    for (int i = 0; i < 3; i++) {
        char file[64];
        snprintf(file, sizeof file, "%s%d.sinew", name, i);
        options.key_format = i == 1 ? SINEW_KEYS_U16 : SINEW_KEYS_FLOAT;
        options.compress_error = i == 2 ? 1e-3f : 0.0f;
        sinew_asset *asset;
        sinew_baked_asset *baked;
        if (sinew_gltf_load_memory(glb, size, &options, &asset, NULL) != SINEW_OK) return;
        if (sinew_baked_asset_create(asset, NULL, &baked, NULL) != SINEW_OK) exit(1);
        write_seed(folder, "baked", file, baked->data, baked->size);
        sinew_baked_asset_destroy(baked);
        sinew_asset_destroy(asset);
    }
}

static void write_sample(const char *folder, const char *name, gltf_builder b) {
    char file[64];
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    snprintf(file, sizeof file, "%s.glb", name);
    write_seed(folder, "glb", file, glb, size);
    write_seed(folder, "pipeline", file, glb, size);
    if (strncmp(name, "vrm", 3) == 0 || strcmp(name, "avatar") == 0) write_seed(folder, "vrm", file, glb, size);
    write_baked(folder, name, glb, size);
    snprintf(file, sizeof file, "%s.parts", name);
    write_parts(folder, file, &b);
    free(glb);
    char *text = gltf_write_text(&b, &size);
    snprintf(file, sizeof file, "%s.gltf", name);
    write_seed(folder, "glb", file, text, size);
    write_seed(folder, "json", file, text, size);
    free(text);
    gltf_end(&b);
}

// A text, a zero, and its sidecar file of markers.
static void write_markers(const char *folder) {
    static const char text[] =
        "{'asset':{'version':'2.0'},'nodes':[{}],'animations':[{'name':'a','extras':{'markers':[{'name':'left',"
        "'time':0}]}},{'name':'b'}]}",
                      beside[] = "{'a':[{'name':'left','time':0.0},{'name':'right','time':0}],'#1':[{'name':'up',"
                                 "'time':-1e3}],'b':[]}";
    gltf_text out = {NULL, 0, 0};
    char *quoted = json_quotes(text);
    gltf_append(&out, quoted, sizeof text);
    free(quoted);
    quoted = json_quotes(beside);
    gltf_append(&out, quoted, sizeof beside - 1);
    free(quoted);
    write_seed(folder, "json", "markers.parts", out.data, out.size);
    write_seed(folder, "pipeline", "markers.parts", out.data, out.size);
    free(out.data);
}

static void write_conditions(const char *folder) {
    static const char *const texts[] = {
        "speed > 0.1 && grounded && !jump",
        "jump && (past(0.6) || marker('Land'))",
        "finished || elapsed > 2.5e0 && !in_tag('airborne')",
        "in_state(\"Upper/Combo/Second\") == (move.x <= -move.y)",
        "loops >= 3 && (fraction != 0.5) == true || !!(time < count)",
        "sped > 1",
        "0 < speed < 1",
        "grounded and speed = 1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "condition-%d", (int)i);
        write_seed(folder, "condition", name, texts[i], strlen(texts[i]));
    }
}

static void write_maps(const char *folder) {
    static const char *const texts[] = {
        "{'sinewHumanoid':1,'roles':{'hips':'Hips','spine':'Spine','head':'Head','leftUpperArm':'Arm_L','leftHand':"
        "'Hand_L',"
        "'rightUpperArm':'Arm_R','rightHand':'Hand_R'}}",
        "{'//':'by "
        "hand','sinewHumanoid':1,'roles':{'hips':'#1','leftUpperLeg':'#8','leftLowerLeg':'#9','rightUpperLeg':'#10'"
        ","
        "'rightLowerLeg':'#11','jaw':null}}",
        "{'sinewHumanoid':1,'roles':{'hips':'twice','head':'a\\u0022b\\u005c\\n\\u00e9'}}",
        "{'sinewHumanoid':1,'roles':{'hips':'Hips'},'chains':{'arm':'Arm_L..Hand_L','leg':['Leg_L','#9','#12']}}",
        "{'sinewHumanoid':1,'chains':{'//':[],'\\u00e9\\n':['Arm_R','Hand_R'],'#2':'#2..#3','one':'Leg_R'}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "map-%d", (int)i);
        char *quoted = json_quotes(texts[i]);
        write_seed(folder, "humanoid", name, quoted, strlen(quoted));
        free(quoted);
    }
}

// States of a mixer and of an animator at different moments.
static void write_states(const char *folder) {
    static uint8_t bytes[1 << 16];
    const state_stage *stage = state_stage_open();
    for (int i = 0; i < 12; i++) {
        char name[32];
        sinew_mixer *mixer = state_stage_mixer(stage);
        sinew_animator *animator = state_stage_animator(stage);
        state_stage_play(stage, mixer, (uint64_t)i, 9 * i);
        state_stage_direct(stage, animator, (uint64_t)i, 9 * i);
        snprintf(name, sizeof name, "mixer-%d", i);
        write_seed(folder, "state", name, bytes, sinew_mixer_write(mixer, &stage->names, bytes, sizeof bytes));
        snprintf(name, sizeof name, "animator-%d", i);
        write_seed(folder, "state", name, bytes, sinew_animator_write(animator, NULL, bytes, sizeof bytes));
        sinew_mixer_destroy(mixer);
        sinew_animator_destroy(animator);
    }
}

static void write_recordings(const char *folder) {
    static uint8_t bytes[1 << 16];
    const recording_stage *stage = recording_stage_open();
    for (int i = 0; i < 8; i++) {
        char name[32];
        snprintf(name, sizeof name, "character-%d", i);
        const size_t size = recording_stage_record(stage, (uint64_t)i, 3 * i, bytes, sizeof bytes);
        write_seed(folder, "recording", name, bytes, size);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: make-seeds FOLDER\n");
        return 2;
    }
    for (int i = 0; i < gltf_sample_count; i++) write_sample(argv[1], gltf_samples[i].name, gltf_samples[i].make());
    write_sample(argv[1], "coded", sample_coded());
    write_sample(argv[1], "motion", sample_motion());
    write_sample(argv[1], "own-times", sample_own_times());
    write_markers(argv[1]);
    write_conditions(argv[1]);
    write_maps(argv[1]);
    write_states(argv[1]);
    write_recordings(argv[1]);
    write_seed(argv[1], "bvh", "small.bvh", bvh_sample, sizeof bvh_sample - 1);
    return 0;
}
