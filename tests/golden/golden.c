// SPDX-License-Identifier: MIT
// Seven hashes of the bits that Sinew computes. They're the same on every machine, for every compiler and instruction
// set: golden HASH_FILE MODEL... compares them with those in HASH_FILE. Valid as C and C++.
//
//   1. clips sampled, blended and faded, matrices, palettes, skinned vertices and animation textures, for files and a
//      generated skeleton; also calls recorded and replayed
//   2. limbs, aims and feet
//   3. a file played with calls that the npm package also has
//   4. a file played with an animation graph
//   5. the bytes of baked assets; all other hashes load their files from these
//   6. written states, and what follows after reading them
//   7. a character with a rig
#include <sinew/all.h>

#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The hash ------------------------------------------------------------------------------------------------

#define HASH_START UINT64_C(14695981039346656037) // FNV-1a

static uint64_t hash = HASH_START;

// The bits of NaN differ between machines, so no result may be NaN.
static void add_floats(const float *floats, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (floats[i] - floats[i] != 0.0f) {
            fprintf(stderr, "golden: something is not finite\n");
            exit(1);
        }
        uint32_t word;
        memcpy(&word, &floats[i], sizeof word);
        for (int shift = 0; shift < 32; shift += 8)
            hash = (hash ^ (word >> shift & 0xff)) * UINT64_C(1099511628211);
    }
}

static void add_matrices(const sinew_affine *matrices, int32_t count) {
    for (int32_t i = 0; i < count; i++) add_floats(&matrices[i].m[0][0], 12);
}

static void add_transform(sinew_transform t) {
    const float parts[10] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                             t.rotation.z,    t.rotation.w,    t.scale.x,       t.scale.y,    t.scale.z};
    add_floats(parts, 10);
}

static void add_pose(const sinew_pose *pose) {
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) add_transform(sinew_pose_get(pose, i));
    add_floats(pose->weights, (size_t)pose->skeleton->weight_count);
}

static void *take(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory) exit(1);
    return memory;
}

static void demand(sinew_result result, const char *what) {
    if (result == SINEW_OK) return;
    fprintf(stderr, "golden: %s: %s\n", what, sinew_result_string(result));
    exit(1);
}

static sinew_mixer *make_mixer(const sinew_skeleton *skeleton, sinew_underweight underweight) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    def.underweight = underweight;
    sinew_mixer *mixer;
    demand(sinew_mixer_create(&def, &mixer, NULL), "mixer");
    return mixer;
}

// ---- Clips, blends and matrices ------------------------------------------------------------------------------

static void add_samples(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    sinew_affine *model = (sinew_affine *)take((size_t)skeleton->node_count, sizeof *model);
    sinew_pose *a, *b;
    demand(sinew_pose_create(skeleton, NULL, &a), "pose");
    demand(sinew_pose_create(skeleton, NULL, &b), "pose");
    for (int step = 0; step < 24; step++) {
        float t = (float)step / 23.0f;
        sinew_clip_sample(clip, t * clip->duration, a);
        add_pose(a);
        sinew_pose_blend(b, b, a, 0.3f, NULL);
        sinew_pose_to_model(b, model);
        add_matrices(model, skeleton->node_count);
    }
    sinew_pose_destroy(a);
    sinew_pose_destroy(b);
    free(model);
}

// Undefined for a scale of 0.
static void add_mathematics(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    sinew_pose *pose;
    demand(sinew_pose_create(skeleton, NULL, &pose), "pose");
    sinew_clip_sample(clip, 0.4f * clip->duration, pose);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        sinew_transform one = sinew_pose_get(pose, i), other = skeleton->rest[i];
        one.rotation = sinew_quat_slerp(one.rotation, other.rotation, 0.7f);
        one.rotation = sinew_quat_multiply(one.rotation, other.rotation);
        sinew_affine matrix = sinew_affine_inverse(sinew_affine_from_transform(one));
        other = sinew_affine_decompose(matrix);
        one.translation = sinew_quat_rotate(other.rotation, sinew_affine_point(matrix, other.scale));
        add_transform(one);
        add_transform(other);
    }
    sinew_pose_destroy(pose);
}

// ---- Vertices ------------------------------------------------------------------------------------------------

static void add_vertices(const sinew_primitive *primitive, const sinew_affine *palette) {
    if (primitive->influences == 0) return;
    size_t count = (size_t)primitive->vertex_count;
    float *positions = (float *)take(3 * count, sizeof(float));
    float *normals = (float *)take(3 * count, sizeof(float));
    sinew_skin_job job = sinew_primitive_skin_job(primitive);
    job.out_positions = positions;
    job.out_normals = normals;
    sinew_skin_vertices(&job, palette, 0, primitive->vertex_count);
    add_floats(positions, 3 * count);
    add_floats(normals, 3 * count);
    free(positions);
    free(normals);
}

static void add_instances(const sinew_asset *asset, const sinew_affine *model) {
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        if (mesh_node->skin < 0) continue;
        const sinew_skin *skin = &asset->skins[mesh_node->skin];
        sinew_affine *palette = (sinew_affine *)take((size_t)skin->joint_count, sizeof *palette);
        sinew_skin_palette(skin, model, palette);
        add_matrices(palette, skin->joint_count);
        const sinew_mesh *mesh = &asset->meshes[mesh_node->mesh];
        for (int32_t p = 0; p < mesh->primitive_count; p++) add_vertices(&mesh->primitives[p], palette);
        free(palette);
    }
}

// ---- Playing -------------------------------------------------------------------------------------------------

static void add_playing(const sinew_asset *asset) {
    sinew_mixer *mixer = make_mixer(asset->skeleton, SINEW_UNDERWEIGHT_NORMALIZE);
    for (int frame = 0; frame < 120; frame++) {
        if (frame % 15 == 0) {
            sinew_mixer_crossfade_to(mixer, sinew_clip_source(&asset->clips[frame / 15 % asset->clip_count]), 0.3f,
                                     NULL);
        }
        sinew_mixer_update(mixer, 1.0f / 60.0f);
        add_matrices(sinew_mixer_model_matrices(mixer), asset->skeleton->node_count);
        if (frame == 20) add_instances(asset, sinew_mixer_model_matrices(mixer));
    }
    add_pose(sinew_mixer_pose(mixer));
    sinew_mixer_destroy(mixer);
}

#define CROWD 7

static void add_crowd(const sinew_asset *asset) {
    const sinew_skin *skin = asset->skin_count > 0 ? &asset->skins[0] : NULL;
    int32_t joints = skin ? skin->joint_count : 0;
    sinew_batch_item items[CROWD];
    for (int i = 0; i < CROWD; i++) {
        items[i] =
            (sinew_batch_item){.mixer = make_mixer(asset->skeleton, SINEW_UNDERWEIGHT_NORMALIZE), .skin = skin};
        items[i].palette = (sinew_affine *)take((size_t)joints, sizeof(sinew_affine));
        sinew_mixer_play(items[i].mixer, sinew_clip_source(&asset->clips[i % asset->clip_count]), NULL);
    }
    for (int frame = 0; frame < 20; frame++) {
        int who = frame % CROWD;
        sinew_mixer_crossfade_to(items[who].mixer, sinew_clip_source(&asset->clips[frame % asset->clip_count]),
                                 0.25f, NULL);
        sinew_batch_update(items, 0, CROWD, 1.0f / 24.0f);
        add_matrices(items[who].palette, joints);
        add_matrices(sinew_mixer_model_matrices(items[who].mixer), asset->skeleton->node_count);
    }
    for (int i = 0; i < CROWD; i++) {
        sinew_mixer_destroy(items[i].mixer);
        free(items[i].palette);
    }
}

// Adds every texel, as floats and as halves, the errors, and the GPU records.
static void add_bake(const sinew_asset *asset, sinew_bake_format format) {
    sinew_bake_def def = sinew_bake_default();
    def.asset = asset;
    def.format = format;
    def.frame_rate = 20.0f; // between the keys
    sinew_bake *bake;
    demand(sinew_bake_create(&def, &bake, NULL), "animation texture");
    if (format == SINEW_BAKE_HALF) {
        const uint8_t *bytes = (const uint8_t *)bake->texels;
        for (size_t i = 0; i < bake->size; i += 2) { // whichever byte stands first
            uint16_t half;
            memcpy(&half, bytes + i, sizeof half);
            hash = (hash ^ (half & 0xffu)) * UINT64_C(1099511628211);
            hash = (hash ^ (half >> 8u)) * UINT64_C(1099511628211);
        }
    } else {
        add_floats((const float *)bake->texels, bake->size / sizeof(float));
    }
    sinew_bake_state state = sinew_bake_play(0);
    for (int32_t i = 0; i < 60; i++) {
        if (i % 12 == 0) sinew_bake_fade_to(&state, i / 12 % bake->clip_count, 0.3f);
        sinew_bake_advance(bake, &state, 0.07f);
        float texels[8];
        sinew_bake_write(bake, &state, texels);
        add_floats(texels, 8);
    }
    for (int32_t i = 0; i < bake->clip_count; i++) add_floats(&bake->clips[i].error, 1);
    sinew_bake_destroy(bake);
}

// The hash of the bytes of baked assets.
static uint64_t baked_hash = HASH_START;

// Bakes an asset, and loads it from the bytes.
static sinew_asset *bake(sinew_asset *asset) {
    sinew_baked_asset *baked;
    sinew_asset *loaded;
    demand(sinew_baked_asset_create(asset, NULL, &baked, NULL), "baked asset");
    for (size_t i = 0; i < baked->size; i++) baked_hash = (baked_hash ^ baked->data[i]) * UINT64_C(1099511628211);
    demand(sinew_baked_asset_load_memory(baked->data, baked->size, NULL, &loaded, NULL), "baked asset");
    sinew_baked_asset_destroy(baked);
    sinew_asset_destroy(asset);
    return loaded;
}

static sinew_asset *load(const char *path) {
    sinew_error error;
    sinew_asset *asset;
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = sinew_vrm_extension();
    if (sinew_gltf_load_file(path, &options, &asset, &error) == SINEW_OK) return bake(asset);
    fprintf(stderr, "golden: %s\n", error.message);
    exit(1);
}

static void add_file(const char *path) {
    sinew_asset *asset = load(path);
    for (int32_t c = 0; c < asset->clip_count; c++) {
        add_samples(asset->skeleton, &asset->clips[c]);
        add_mathematics(asset->skeleton, &asset->clips[c]);
    }
    if (asset->clip_count > 0) {
        add_playing(asset);
        add_crowd(asset);
    }
    for (int format = 0; format < 2 && asset->clip_count > 0 && asset->skin_count > 0; format++)
        add_bake(asset, (sinew_bake_format)format);
    sinew_asset_destroy(asset);
}

// ---- Generated skeletons -------------------------------------------------------------------------------------

#define NODES   37
#define WEIGHTS 21 // morph weights of the nodes that have some
#define KEYS    9

static uint64_t seed = 1;

static float draw(float low, float high) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    volatile float part = (high - low) * ((float)(uint32_t)(seed >> 40) / 16777216.0f); // not fused with the sum
    return low + part;
}

static sinew_quat draw_rotation(void) {
    sinew_quat q = {draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)};
    return sinew_quat_normalize(q);
}

static sinew_skeleton *make_skeleton(void) {
    sinew_node_def nodes[NODES];
    memset(nodes, 0, sizeof nodes);
    for (int i = 0; i < NODES; i++) {
        nodes[i].parent = i == 0 ? SINEW_NO_NODE : (i - 1) / 2;
        nodes[i].rest = sinew_transform_identity();
        nodes[i].rest.translation.y = draw(0.1f, 1);
        nodes[i].rest.rotation = draw_rotation();
        nodes[i].weight_count = i % 12 == 3 ? WEIGHTS : 0;
    }
    nodes[5].rest.scale.x = -1;
    nodes[6].rest.scale.y = 0;
    nodes[7].rest.scale.z = 1e-39f;
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    demand(sinew_skeleton_create(&def, &skeleton, NULL), "skeleton");
    return skeleton;
}

static float times[NODES][KEYS];
static float values[4 * NODES][KEYS * 3 * WEIGHTS];

// Gives every node its own key times. `shared` of them are equal, the others become tracks.
static void draw_times(int shared) {
    for (int n = 0; n < NODES; n++) {
        float time = 0;
        for (int k = 0; k < KEYS; k++) {
            times[n][k] = n < shared ? 0.25f * (float)k : time;
            time += draw(0.05f, 0.4f);
        }
    }
}

static void draw_values(float *to, sinew_channel_target path, int width) {
    for (int k = 0; k < KEYS * 3; k++, to += width) {
        for (int i = 0; i < width; i++) to[i] = draw(-1, 1);
        if (path != SINEW_TARGET_ROTATION) continue;
        sinew_quat q = draw_rotation();
        to[0] = q.x, to[1] = q.y, to[2] = q.z, to[3] = q.w;
    }
}

static sinew_clip *make_clip(const sinew_skeleton *skeleton, int shared, int first, sinew_key_format rows) {
    static const int widths[4] = {3, 4, 3, WEIGHTS};
    sinew_channel_def channels[4 * NODES];
    int32_t count = 0;
    draw_times(shared);
    for (int n = 0; n < NODES; n++) {
        for (int path = 0; path < 4; path++) {
            bool has_weights = skeleton->weight_offsets[n + 1] > skeleton->weight_offsets[n];
            if (path == SINEW_TARGET_WEIGHTS && !has_weights) continue;
            if ((n + path + first) % 5 == 0) continue;
            sinew_channel_def channel = {n,
                                         (sinew_channel_target)path,
                                         (sinew_interpolation)((n / 6 + path + first) % 3),
                                         KEYS,
                                         times[n],
                                         values[count]};
            draw_values(values[count], channel.target, widths[path]);
            channels[count++] = channel;
        }
    }
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channels = channels;
    def.channel_count = count;
    def.key_format = rows;
    sinew_clip *clip;
    demand(sinew_clip_create(&def, &clip, NULL), "clip");
    return clip;
}

static void add_mix(const sinew_skeleton *skeleton, sinew_clip *const clips[4], sinew_underweight underweight) {
    sinew_mixer *mixer = make_mixer(skeleton, underweight);
    sinew_play_def play = sinew_play_default();
    for (int i = 0; i < 4; i++) {
        play.weight = draw(0, 0.3f);
        play.fade = draw(0, 1);
        play.speed = draw(-1, 1);
        sinew_mixer_play(mixer, sinew_clip_source(clips[i]), &play);
    }
    for (int frame = 0; frame < 60; frame++) {
        sinew_mixer_update(mixer, 1.0f / 30.0f);
        add_matrices(sinew_mixer_model_matrices(mixer), skeleton->node_count);
        add_floats(sinew_mixer_morph_weights(mixer), (size_t)skeleton->weight_count);
    }
    add_pose(sinew_mixer_pose(mixer));
    sinew_mixer_destroy(mixer);
}

static void add_morphs(const float *weights) {
    float base[50], deltas[3][50], out[50];
    const float *targets[3] = {deltas[0], NULL, deltas[2]};
    for (int i = 0; i < 50; i++) {
        base[i] = draw(-1, 1);
        for (int t = 0; t < 3; t++) deltas[t][i] = draw(-1, 1);
    }
    sinew_morph(base, targets, weights, 3, 50, out);
    add_floats(out, 50);
}

static void add_made(void) {
    sinew_skeleton *skeleton = make_skeleton();
    sinew_clip *clips[4] = {
        make_clip(skeleton, NODES, 0, SINEW_KEYS_FLOAT),
        make_clip(skeleton, 20, 1, SINEW_KEYS_FLOAT),
        make_clip(skeleton, 0, 2, SINEW_KEYS_FLOAT),
        make_clip(skeleton, NODES, 3, SINEW_KEYS_U16),
    };
    for (int i = 0; i < 4; i++) add_samples(skeleton, clips[i]);
    add_mix(skeleton, clips, SINEW_UNDERWEIGHT_NORMALIZE);
    add_mix(skeleton, clips, SINEW_UNDERWEIGHT_REST);
    const float weights[3] = {0.25f, 1, -0.75f};
    add_morphs(weights);
    for (int i = 0; i < 4; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

// ---- A session -----------------------------------------------------------------------------------------------

static void add_number(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ (number >> shift & 0xff)) * UINT64_C(1099511628211);
}

typedef struct recording {
    char *bytes;
    size_t size, capacity;
} recording;

static void record_bytes(const void *bytes, size_t size, void *user) {
    recording *to = (recording *)user;
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->bytes = (char *)realloc(to->bytes, to->capacity);
        if (!to->bytes) exit(1);
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void demand_same(bool same, const char *what) {
    if (same) return;
    fprintf(stderr, "golden: a recorded session replays to another %s\n", what);
    exit(1);
}

// Ten thousand calls of every kind, recorded, and replayed to the same mixer and the same pose.
static void add_session(void) {
    session s;
    session_open(&s);
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer;
    demand(sinew_mixer_create(&def, &mixer, NULL), "mixer");
    recording r = {NULL, 0, 0};
    demand(sinew_mixer_record(mixer, record_bytes, &r, NULL), "recording");
    session_caller caller;
    memset(&caller, 0, sizeof caller);
    for (int i = 0; i < 10000; i++) session_call(&s, mixer, &caller);
    demand(sinew_mixer_record(mixer, NULL, NULL, NULL), "recording");
    for (size_t i = 0; i < r.size; i++) hash = (hash ^ (uint8_t)r.bytes[i]) * UINT64_C(1099511628211);
    add_number(sinew_mixer_hash(mixer));
    uint64_t before = hash;
    add_pose(sinew_mixer_pose(mixer));

    const sinew_clip *clips[SESSION_CLIPS + 1] = {s.additive};
    for (int i = 0; i < SESSION_CLIPS; i++) clips[i + 1] = s.clips[i];
    sinew_replay_def replayed = sinew_replay_default();
    replayed.bytes = r.bytes;
    replayed.size = r.size;
    replayed.skeleton = s.skeleton;
    replayed.clips = clips;
    replayed.clip_count = SESSION_CLIPS + 1;
    sinew_replay *replay;
    demand(sinew_replay_create(&replayed, &replay, NULL), "replay");
    while (replay->calls_made < replay->call_count) demand(sinew_replay_step(replay), "replay");
    demand_same(replay->complete && replay->first_mismatch < 0, "hash");
    uint64_t after = hash;
    hash = before;
    add_pose(sinew_mixer_pose(replay->mixer));
    demand_same(hash == after, "pose");
    sinew_replay_destroy(replay);
    sinew_mixer_destroy(mixer);
    session_close(&s);
    free(r.bytes);
}

// ---- Playback ------------------------------------------------------------------------------------------------

#include "played.h" // which adds to the number

#include "directed.h" // this, too

#include "written.h" // and this

// ---- Solved poses --------------------------------------------------------------------------------------------

static sinew_vec3 draw_place(float size) {
    sinew_vec3 place = {draw(-size, size), draw(-size, size), draw(-size, size)};
    return place;
}

// Uses any three nodes in a line as a limb, and any one as the tip of an aim.
static int draw_solvers(const sinew_skeleton *skeleton, sinew_ik *out, int most) {
    int count = 0;
    for (int32_t end = 0; end < skeleton->node_count && count + 1 < most; end++) {
        int32_t lower = skeleton->parents[end], upper = lower >= 0 ? skeleton->parents[lower] : SINEW_NO_NODE;
        if (upper < 0) continue;
        out[count].kind = SINEW_IK_TWO_BONE;
        out[count].two_bone = sinew_ik_two_bone_from_rest(skeleton, upper, lower, end);
        out[count].two_bone.target = draw_place(1.5f);
        out[count].two_bone.pole = draw_place(3);
        out[count].two_bone.pole_weight = end % 3 == 0 ? draw(0, 1) : 0;
        out[count].two_bone.softness = draw(0, 0.3f);
        out[count].two_bone.weight = draw(0.3f, 1.2f);
        out[count].two_bone.end_mode = (sinew_ik_limb_end)(end % 3);
        out[count++].two_bone.end_rotation = draw_rotation();
        out[count].kind = SINEW_IK_AIM;
        out[count].aim = sinew_ik_aim_from_rest(skeleton, upper, end, draw_place(1));
        out[count].aim.target = draw_place(5);
        out[count].aim.origin = draw_place(0.1f);
        out[count].aim.limit = draw(0.5f, 4);
        out[count].aim.pitch_up = end % 3 == 0 ? draw(0.2f, 1) : 4;
        out[count].aim.softness = draw(0, 1);
        out[count].aim.up_weight = end % 2 == 0 ? draw(0, 1) : 0;
        out[count++].aim.weight = draw(0.3f, 1.2f);
    }
    return count;
}

static bool hill(sinew_vec3 place, sinew_foot_ground *ground, void *user) {
    (void)user;
    ground->height = place.x > 0 ? 0.25f * place.x : -0.125f * place.x; // products alone: nothing to be fused
    ground->normal.x = place.x > 0 ? -0.28f : 0.28f;
    ground->normal.y = 0.96f;
    ground->normal.z = 0;
    return place.z < 0.4f;
}

// Uses four nodes in a line, if the file has them, as a leg with its toes.
static int find_legs(const sinew_skeleton *skeleton, sinew_foot *legs, int most) {
    const sinew_vec3 up = {0, 1, 0};
    int count = 0;
    for (int32_t toes = 3; toes < skeleton->node_count && count < most; toes++) {
        int32_t foot = skeleton->parents[toes], shin = foot >= 0 ? skeleton->parents[foot] : SINEW_NO_NODE;
        int32_t thigh = shin >= 0 ? skeleton->parents[shin] : SINEW_NO_NODE;
        if (thigh > 0 && toes % 3 == 0) legs[count++] = sinew_foot_from_rest(skeleton, thigh, shin, foot, toes, up);
    }
    return count;
}

#define SOLVERS 60

static void add_solved(const char *path) {
    sinew_asset *asset = load(path);
    const sinew_skeleton *skeleton = asset->skeleton;
    sinew_affine *model = (sinew_affine *)take((size_t)skeleton->node_count, sizeof *model);
    static sinew_ik solvers[SOLVERS];
    sinew_foot legs[SINEW_MAX_FEET];
    sinew_foot_placement placement = sinew_foot_placement_default();
    placement.pelvis = 0;
    placement.feet = legs;
    placement.foot_count = find_legs(skeleton, legs, SINEW_MAX_FEET);
    placement.ground = hill;
    sinew_foot_placement_state state;
    memset(&state, 0, sizeof state);
    sinew_foot_lock lock = sinew_foot_lock_default();
    lock.feet = legs;
    lock.foot_count = placement.foot_count;
    lock.distance = 2.0f;
    sinew_foot_lock_state locked;
    memset(&locked, 0, sizeof locked);
    sinew_affine world = sinew_affine_identity();
    sinew_pose *pose;
    demand(sinew_pose_create(skeleton, NULL, &pose), "pose");
    sinew_ik_aim_state follows;
    memset(&follows, 0, sizeof follows);
    for (int step = 0; step < 60; step++) {
        if (asset->clip_count > 0)
            sinew_clip_sample(&asset->clips[step % asset->clip_count], 0.05f * (float)step, pose);
        sinew_pose_to_model(pose, model);
        float contacts[SINEW_MAX_FEET];
        for (int leg = 0; leg < SINEW_MAX_FEET; leg++) contacts[leg] = (step + 5 * leg) % 20 < 12 ? 1.0f : 0.0f;
        world.m[2][3] = 0.015625f * (float)step;
        sinew_foot_lock_solve(&lock, &world, contacts, 1.0f / 60.0f, &locked, pose, model);
        sinew_foot_placement_solve(&placement, 1.0f / 60.0f, &state, pose, model);
        int count = draw_solvers(skeleton, solvers, SOLVERS);
        if (count > 0) sinew_ik_aim_follow(&solvers[count - 1].aim, 1.0f / 60.0f, &follows, pose, model);
        sinew_ik_solve(solvers, count, pose, model);
        add_pose(pose);
        add_matrices(model, skeleton->node_count);
    }
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
    free(model);
}

#include "acted.h"

// ---- The comparison ------------------------------------------------------------------------------------------

static int compare(const char *path, const uint64_t numbers[7]) {
    char got[120], held[120] = "nothing";
    snprintf(got, sizeof got, "%016llx %016llx %016llx %016llx %016llx %016llx %016llx",
             (unsigned long long)numbers[0], (unsigned long long)numbers[1], (unsigned long long)numbers[2],
             (unsigned long long)numbers[3], (unsigned long long)numbers[4], (unsigned long long)numbers[5],
             (unsigned long long)numbers[6]);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%119[0-9a-f ]", held) != 1) held[0] = '\0';
    if (file) fclose(file);
    printf("%s: %s\n", sinew_simd(), got);
    if (strcmp(got, held) == 0) return 0;
    fprintf(stderr, "golden: %s holds %s; where every bit that changed was meant to, write %s there\n", path, held,
            got);
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: golden HASH_FILE MODEL...\n");
        return 1;
    }
    const char *level = getenv("SINEW_SIMD");
    if (level && strcmp(level, sinew_simd()) != 0) {
        printf("SKIPPED: there is no %s here\n", level);
        return 77;
    }
    if (strcmp(argv[1], "--state") == 0) return write_state(argv[2]);
    uint64_t numbers[7];
    add_made();
    add_session();
    for (int i = 2; i < argc; i++) add_file(argv[i]);
    numbers[0] = hash;
    hash = HASH_START, seed = 1;
    for (int i = 2; i < argc; i++) add_solved(argv[i]);
    numbers[1] = hash;
    hash = HASH_START;
    sinew_asset *first = load(argv[2]);
    add_played(first);
    numbers[2] = hash;
    hash = HASH_START;
    add_directed(first);
    numbers[3] = hash;
    numbers[4] = baked_hash;
    hash = HASH_START;
    add_written(argv[1]);
    numbers[5] = hash;
    hash = HASH_START, seed = 1;
    add_acted(first);
    numbers[6] = hash;
    sinew_asset_destroy(first);
    return compare(argv[1], numbers);
}
