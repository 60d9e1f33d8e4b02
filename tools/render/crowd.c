// SPDX-License-Identifier: MIT
// Crowds: places the characters, chooses their clips and fills their GPU records.
#include <sinew/mixer_pose.h>
#include <sinew/motion/crowd.h>

#include "render/crowd.h"

#include "render/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// In a SINEW_GPU_RECORD_ROWS or SINEW_GPU_RECORD_BAKED record, the joints follow the transform.
enum { TRANSFORM_FLOATS = 12, MAX_JOINTS = 65536, MOMENTS = 8 };

static bool fail_memory(const draw_crowd *crowd, sinew_error *error) {
    draw_fail(error, "%.200s: out of memory", crowd->def.path);
    error->result = SINEW_ERROR_OUT_OF_MEMORY;
    return false;
}

static bool fail_file(const draw_crowd *crowd, const char *why, sinew_error *error) {
    draw_fail(error, "%.200s: %s", crowd->def.path, why);
    error->result = SINEW_ERROR_ARGUMENT;
    return false;
}

// ---- The joints of a record ----------------------------------------------------------------------------------

static int32_t count_joints(const sinew_asset *asset) {
    int64_t count = asset->mesh_node_count; // an upper bound for meshes without a skin
    for (int32_t i = 0; i < asset->skin_count; i++) count += asset->skins[i].joint_count;
    return count <= MAX_JOINTS ? (int32_t)count : -1;
}

// Returns whether a primitive of a mesh node moves with its node.
static bool moves_with_node(const sinew_asset *asset, const sinew_mesh_node *mesh_node) {
    if (!draw_is_shown(mesh_node)) return false;
    if (mesh_node->skin < 0 || asset->skins[mesh_node->skin].joint_count == 0) return true;
    const sinew_mesh *mesh = &asset->meshes[mesh_node->mesh];
    for (int32_t i = 0; i < mesh->primitive_count; i++) {
        if (mesh->primitives[i].influences == 0) return true;
    }
    return false;
}

// Returns the index of a skin's first joint.
static int32_t first_joint(const sinew_asset *asset, int32_t skin) {
    int32_t first = 0;
    for (int32_t i = 0; i < skin; i++) first += asset->skins[i].joint_count;
    return first;
}

// Writes the joints of all skins, then the nodes of meshes that move with a node. Returns how many there are.
static int32_t list_joints(draw_crowd *crowd, int32_t *joints, sinew_affine *inverse_binds) {
    const sinew_asset *asset = crowd->def.asset;
    int32_t count = 0;
    for (int32_t i = 0; i < asset->skin_count; i++) {
        const sinew_skin *skin = &asset->skins[i];
        for (int32_t k = 0; k < skin->joint_count; k++, count++) {
            joints[count] = skin->joints[k];
            inverse_binds[count] = skin->inverse_binds[k];
        }
    }
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        crowd->instances[i].first_joint = first_joint(asset, mesh_node->skin);
        if (!moves_with_node(asset, mesh_node)) continue;
        crowd->instances[i].node_joint = count;
        joints[count] = mesh_node->node;
        inverse_binds[count++] = sinew_affine_identity();
    }
    return count;
}

// Creates one skin for all meshes. This makes a character a single record and batch item.
static bool make_skin(draw_crowd *crowd, sinew_error *error) {
    const sinew_asset *asset = crowd->def.asset;
    const int32_t most = count_joints(asset);
    if (most < 0) return fail_file(crowd, "a crowd can have at most 65536 joints and meshes", error);
    crowd->instances = calloc((size_t)asset->mesh_node_count + 1, sizeof *crowd->instances);
    int32_t *joints = calloc((size_t)most + 1, sizeof *joints);
    sinew_affine *inverse_binds = calloc((size_t)most + 1, sizeof *inverse_binds);
    bool good = crowd->instances && joints && inverse_binds;
    if (good) {
        sinew_skin_def def = sinew_skin_default();
        def.skeleton = asset->skeleton;
        def.joint_count = list_joints(crowd, joints, inverse_binds);
        def.joints = joints;
        def.inverse_binds = inverse_binds;
        good = sinew_skin_create(&def, &crowd->skin, error) == SINEW_OK;
    }
    free(joints);
    free(inverse_binds);
    return good || fail_memory(crowd, error);
}

// ---- Clips ---------------------------------------------------------------------------------------------------

// Compares a name with a lower-case one, ignoring the first one's case.
static bool is_named(const char *name, const char *small) {
    while (*small && (*name | 0x20) == *small) {
        name++;
        small++;
    }
    return *name == '\0' && *small == '\0';
}

enum { LOCOMOTION = 5 };

// Finds an asset's locomotion clips, ignoring case, slowest first. Returns how many there are, at most LOCOMOTION.
static int find_locomotion(const sinew_asset *asset, const sinew_clip **clips) {
    static const char *const names[LOCOMOTION] = {"idle", "walk", "jog", "run", "sprint"};
    int count = 0;
    for (int i = 0; i < LOCOMOTION; i++) {
        int32_t clip = 0;
        while (clip < asset->clip_count && !is_named(asset->clips[clip].name, names[i])) clip++;
        if (clip < asset->clip_count) clips[count++] = &asset->clips[clip];
    }
    return count;
}

static bool choose_clips(draw_crowd *crowd, sinew_error *error) {
    const sinew_asset *asset = crowd->def.asset;
    if (asset->clip_count == 0) return fail_file(crowd, "it has no clips, but a crowd needs one", error);
    const size_t room = (size_t)asset->clip_count + LOCOMOTION;
    crowd->clips = calloc(room, sizeof *crowd->clips); // NOLINT(bugprone-sizeof-expression): pointers
    if (!crowd->clips) return fail_memory(crowd, error);
    crowd->clip_count = find_locomotion(asset, crowd->clips);
    for (int32_t i = 0; crowd->clip_count == 0 && i < asset->clip_count; i++) crowd->clips[i] = &asset->clips[i];
    if (crowd->clip_count == 0) crowd->clip_count = asset->clip_count;
    return true;
}

// ---- Bounds and winding --------------------------------------------------------------------------------------

// Buffers for a sampled pose.
typedef struct sample {
    sinew_pose *pose;
    sinew_affine *model, *palette;
} sample;

static draw_winding combine(draw_winding a, draw_winding b) {
    return a == b ? a : DRAW_WINDING_MIXED;
}

static draw_winding instance_winding(const draw_crowd *crowd, int32_t instance, const sinew_affine *palette) {
    const sinew_mesh_node *mesh = &crowd->def.asset->mesh_nodes[instance];
    const draw_crowd_instance *own = &crowd->instances[instance];
    const draw_winding of_node = draw_winding_of(&palette[own->node_joint], 1);
    if (mesh->skin < 0) return of_node;
    const int32_t count = crowd->def.asset->skins[mesh->skin].joint_count;
    const draw_winding of_skin = draw_winding_of(&palette[own->first_joint], count);
    return moves_with_node(crowd->def.asset, mesh) ? combine(of_skin, of_node) : of_skin;
}

static void add_pose(draw_crowd *crowd, const sample *at, const sinew_clip *clip, float time, bool first) {
    const sinew_asset *asset = crowd->def.asset;
    sinew_clip_sample(clip, time, at->pose);
    sinew_pose_to_model(at->pose, at->model);
    sinew_skin_palette(crowd->skin, at->model, at->palette);
    sinew_box box;
    sinew_bounds_pose(asset->bounds, at->model, at->pose->weights, &box, NULL);
    crowd->box = sinew_box_union(crowd->box, box);
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        if (!draw_is_shown(&asset->mesh_nodes[i])) continue;
        const draw_winding winding = instance_winding(crowd, i, at->palette);
        crowd->instances[i].winding = first ? winding : combine(crowd->instances[i].winding, winding);
    }
}

static void add_clips(draw_crowd *crowd, const sample *at) {
    for (int32_t i = 0; i < crowd->clip_count; i++) {
        for (int k = 0; k <= MOMENTS; k++) {
            const float time = crowd->clips[i]->duration * (float)k / (float)MOMENTS;
            add_pose(crowd, at, crowd->clips[i], time, i == 0 && k == 0);
        }
    }
}

// Finds one character's bounds and the winding of its triangles, at nine times in each clip.
static bool measure(draw_crowd *crowd, sinew_error *error) {
    const sinew_skeleton *skeleton = crowd->def.asset->skeleton;
    sample at = {.model = calloc((size_t)skeleton->node_count + 1, sizeof *at.model),
                 .palette = calloc((size_t)crowd->skin->joint_count + 1, sizeof *at.palette)};
    const bool good = at.model && at.palette && sinew_pose_create(skeleton, NULL, &at.pose) == SINEW_OK;
    crowd->box = sinew_box_empty();
    if (good) add_clips(crowd, &at);
    sinew_pose_destroy(at.pose);
    free(at.model);
    free(at.palette);
    if (!good) return fail_memory(crowd, error);
    if (sinew_box_is_empty(crowd->box)) return fail_file(crowd, "its scene has nothing to draw", error);
    const bool finite = isfinite(crowd->box.max.x - crowd->box.min.x) &&
                        isfinite(crowd->box.max.y - crowd->box.min.y) &&
                        isfinite(crowd->box.max.z - crowd->box.min.z);
    return finite || fail_file(crowd, "its clips have infinite or NaN poses", error);
}

// ---- Characters ----------------------------------------------------------------------------------------------

// Returns a random number from 0 to 1. The sequence is always the same: xorshift32 (Marsaglia, "Xorshift RNGs", 2003).
static float next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (float)(*state >> 8) / 16777216.0f;
}

static int32_t side_of(int32_t count) {
    int32_t side = 1;
    while (side * side < count + 1) side++;
    return side;
}

static void choose_spacing(draw_crowd *crowd) {
    const sinew_affine axes = draw_upright(crowd->def.asset);
    const sinew_box box = sinew_box_transform(crowd->box, axes);
    const float width = box.max.x - box.min.x, depth = box.max.z - box.min.z;
    sinew_affine onto_middle = sinew_affine_identity();
    onto_middle.m[0][3] = -0.5f * (box.min.x + box.max.x);
    onto_middle.m[2][3] = -0.5f * (box.min.z + box.max.z);
    crowd->upright = sinew_affine_multiply(onto_middle, axes);
    crowd->spacing = 1.1f * fmaxf(fmaxf(width, depth), 1e-3f);
}

// Sets a transform, row by row from front to back, leaving the center of the square free. Characters face forward,
// turned by up to 90 degrees either way.
static void place_character(draw_crowd *crowd, int32_t index, uint32_t *state) {
    const int32_t side = side_of(crowd->def.count), half = side / 2;
    const int32_t slot = index < half * side + half ? index : index + 1;
    const int32_t column = slot % side, row = slot / side;
    const float x = (float)(column - half) + 0.25f * (next_random(state) - 0.5f);
    const float z = (float)(half - row) + 0.25f * (next_random(state) - 0.5f);
    const float turn = 0.5f * 3.14159265f * (2.0f * next_random(state) - 1.0f);
    const sinew_transform local = {.translation = {crowd->spacing * x, 0.0f, crowd->spacing * z},
                                   .rotation = sinew_quat_from_axis_angle((sinew_vec3){0.0f, 1.0f, 0.0f}, turn),
                                   .scale = {1.0f, 1.0f, 1.0f}};
    crowd->characters[index].transform = sinew_affine_multiply(sinew_affine_from_transform(local), crowd->upright);
}

static void begin_clip(draw_crowd *crowd, int32_t index, uint32_t *state) {
    draw_character *character = &crowd->characters[index];
    const int32_t clip = (int32_t)(next_random(state) * (float)crowd->clip_count);
    character->clip = clip < crowd->clip_count ? clip : crowd->clip_count - 1;
    character->time = crowd->clips[character->clip]->duration * next_random(state);
    character->speed = 0.9f + 0.2f * next_random(state);
}

static bool make_characters(draw_crowd *crowd, sinew_error *error) {
    uint32_t state = 2463534242u; // the paper's seed
    crowd->characters = calloc((size_t)crowd->def.count, sizeof *crowd->characters);
    if (!crowd->characters) return fail_memory(crowd, error);
    crowd->all = sinew_box_empty();
    choose_spacing(crowd);
    for (int32_t i = 0; i < crowd->def.count; i++) {
        place_character(crowd, i, &state);
        begin_clip(crowd, i, &state);
        const sinew_box box = sinew_box_transform(crowd->box, crowd->characters[i].transform);
        crowd->all = sinew_box_union(crowd->all, box);
    }
    return true;
}

void draw_crowd_frame(const draw_crowd *crowd, draw_framing *framing) {
    const sinew_vec3 least = crowd->box.min, most = crowd->box.max;
    for (int32_t i = 0; i < crowd->def.count; i++) {
        float corners[8][3];
        for (int k = 0; k < 8; k++) {
            const sinew_vec3 corner = {k & 1 ? most.x : least.x, k & 2 ? most.y : least.y,
                                       k & 4 ? most.z : least.z};
            const sinew_vec3 point = sinew_affine_point(crowd->characters[i].transform, corner);
            memcpy(corners[k], &point, sizeof point);
        }
        draw_framing_add(framing, corners[0], 8);
    }
}

// ---- Mixers --------------------------------------------------------------------------------------------------

// Returns the smallest mixer that plays one clip.
static sinew_mixer_def mixer_def(const draw_crowd *crowd) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = crowd->def.asset->skeleton;
    def.max_actions = 1;
    def.layer_count = 1;
    def.max_events = 0;
    def.max_blend_spaces = 0;
    def.inertialization = false;
    return def;
}

static bool make_mixers(draw_crowd *crowd, sinew_error *error) {
    const sinew_mixer_def def = mixer_def(crowd);
    crowd->items = calloc((size_t)crowd->def.count, sizeof *crowd->items);
    for (int32_t i = 0; crowd->items && i < crowd->def.count; i++) {
        const draw_character *character = &crowd->characters[i];
        sinew_play_def play = sinew_play_default();
        play.time = character->time;
        play.speed = character->speed;
        if (sinew_mixer_create(&def, &crowd->items[i].mixer, NULL) != SINEW_OK) return fail_memory(crowd, error);
        sinew_mixer_play(crowd->items[i].mixer, sinew_clip_source(crowd->clips[character->clip]), &play);
    }
    return crowd->items || fail_memory(crowd, error);
}

// ---- Animation textures --------------------------------------------------------------------------------------

static bool make_states(draw_crowd *crowd, sinew_error *error) {
    crowd->asset = *crowd->def.asset;
    crowd->asset.skins = crowd->skin;
    crowd->asset.skin_count = 1;
    sinew_bake_def def = sinew_bake_default();
    def.asset = &crowd->asset;
    def.clips = crowd->clips;
    def.clip_count = crowd->clip_count;
    sinew_error reason;
    if (sinew_bake_create(&def, &crowd->bake, &reason) != SINEW_OK) {
        draw_fail(error, "%.200s: %.300s", crowd->def.path, reason.message);
        error->result = reason.result;
        return false;
    }
    crowd->states = calloc((size_t)crowd->def.count, sizeof *crowd->states);
    for (int32_t i = 0; crowd->states && i < crowd->def.count; i++) {
        const draw_character *character = &crowd->characters[i];
        crowd->states[i] = sinew_bake_play(character->clip);
        crowd->states[i].tracks[0].time = character->time;
        crowd->states[i].tracks[0].speed = character->speed;
    }
    return crowd->states || fail_memory(crowd, error);
}

// ---- The crowd -----------------------------------------------------------------------------------------------

bool draw_crowd_create(draw_crowd *crowd, const draw_crowd_def *def, sinew_error *error) {
    *crowd = (draw_crowd){.def = *def, .budget = sinew_batch_budget_default()};
    return choose_clips(crowd, error) && make_skin(crowd, error) && measure(crowd, error) &&
           make_characters(crowd, error) && (def->baked ? make_states(crowd, error) : make_mixers(crowd, error));
}

void draw_crowd_free(draw_crowd *crowd) {
    if (crowd->model.gl) draw_model_free(&crowd->model);
    for (int32_t i = 0; crowd->items && i < crowd->def.count; i++) sinew_mixer_destroy(crowd->items[i].mixer);
    sinew_bake_destroy(crowd->bake);
    sinew_skin_destroy(crowd->skin);
    free(crowd->clips); // NOLINT(bugprone-multi-level-implicit-pointer-conversion)
    free(crowd->instances);
    free(crowd->characters);
    free(crowd->items);
    free(crowd->states);
    *crowd = (draw_crowd){0};
}

// ---- The GPU -------------------------------------------------------------------------------------------------

static bool remake_mesh(draw_part *part, sinew_gl *gl, const sinew_primitive *primitive, sinew_error *error) {
    sinew_gl_mesh_destroy(part->mesh);
    part->mesh = NULL;
    return sinew_gl_mesh_create(gl, primitive, &part->mesh, error) == SINEW_OK;
}

// Replaces a part's mesh with one whose joints start at `first` in the record.
static bool shift_joints(draw_crowd *crowd, draw_part *part, int32_t first, sinew_error *error) {
    sinew_primitive primitive = *part->primitive;
    const size_t count = (size_t)primitive.vertex_count * (size_t)primitive.influences;
    uint16_t *joints = malloc((count + 1) * sizeof *joints);
    if (!joints) return fail_memory(crowd, error);
    for (size_t i = 0; i < count; i++) joints[i] = (uint16_t)(primitive.joints[i] + first);
    primitive.joints = joints;
    const bool good = remake_mesh(part, crowd->model.gl, &primitive, error);
    free(joints);
    return good;
}

static bool prepare_part(draw_crowd *crowd, draw_part *part, sinew_error *error) {
    const draw_crowd_instance *own = &crowd->instances[part->mesh_node - crowd->def.asset->mesh_nodes];
    bool good = true;
    part->joint = own->node_joint;
    part->winding = own->winding;
    if (part->skin >= 0 && own->first_joint > 0) {
        good = shift_joints(crowd, part, own->first_joint, error);
    } else if (part->skin < 0 && part->primitive->influences > 0) { // its joints don't belong to a skin
        sinew_primitive primitive = *part->primitive;
        primitive.influences = 0;
        good = remake_mesh(part, crowd->model.gl, &primitive, error);
    }
    return good && sinew_gl_mesh_add_deltas(part->mesh, part->primitive, error) == SINEW_OK;
}

static int32_t count_weights(const draw_model *model) {
    for (int i = 0; i < model->part_count; i++) {
        if (model->parts[i].primitive->target_count > 0) return model->asset->skeleton->weight_count;
    }
    return 0;
}

static bool make_records(draw_crowd *crowd, sinew_gl *gl, sinew_error *error) {
    draw_model *model = &crowd->model;
    sinew_gl_records_def def = sinew_gl_records_default();
    def.format.layout = crowd->bake ? SINEW_GPU_RECORD_BAKED : SINEW_GPU_RECORD_ROWS;
    def.format.joint_count = crowd->skin->joint_count;
    def.format.weight_count = count_weights(model);
    def.format.per_instance_transform = true;
    def.character_count = crowd->def.count;
    model->record_count = crowd->def.count;
    crowd->first_weight = sinew_gpu_record_first_weight(&def.format);
    crowd->weight_count = def.format.weight_count;
    if (sinew_gl_records_create(gl, &def, &model->records, error) != SINEW_OK) return false;
    return !crowd->bake || sinew_gl_animations_create(gl, crowd->bake, &model->animations, error) == SINEW_OK;
}

// Fills the records. From then on, the batch writes palettes directly into them.
static void fill_records(draw_crowd *crowd) {
    const sinew_skeleton *skeleton = crowd->def.asset->skeleton;
    for (int32_t i = 0; i < crowd->def.count; i++) {
        float *record = sinew_gl_records_data(crowd->model.records, i);
        memcpy(record, &crowd->characters[i].transform, sizeof crowd->characters[i].transform);
        if (crowd->weight_count > 0) {
            memcpy(record + crowd->first_weight, skeleton->rest_weights,
                   (size_t)crowd->weight_count * sizeof(float));
        }
        if (crowd->bake) continue;
        crowd->items[i].skin = crowd->skin;
        crowd->items[i].palette_only = true;
        crowd->items[i].palette = (sinew_affine *)(void *)(record + TRANSFORM_FLOATS);
        sinew_mixer_evaluate(crowd->items[i].mixer);
        sinew_mixer_to_model(crowd->items[i].mixer);
        sinew_skin_palette(crowd->skin, sinew_mixer_model_matrices(crowd->items[i].mixer), crowd->items[i].palette);
    }
}

bool draw_crowd_upload(draw_crowd *crowd, sinew_gl *gl, sinew_error *error) {
    if (!draw_model_create(&crowd->model, gl, crowd->def.asset, crowd->def.path, error)) return false;
    for (int i = 0; i < crowd->model.part_count; i++) {
        draw_part *part = &crowd->model.parts[i];
        if (!part->is_hidden && !prepare_part(crowd, part, error)) return false;
    }
    if (!make_records(crowd, gl, error)) return false;
    fill_records(crowd);
    crowd->model.is_seen = true;
    return true;
}

// ---- A frame -------------------------------------------------------------------------------------------------

void draw_crowd_limit(draw_crowd *crowd, int32_t max_poses, sinew_vec3 eye) {
    crowd->budget.max_poses = max_poses;
    for (int32_t i = 0; crowd->items && i < crowd->def.count; i++) {
        const sinew_affine *at = &crowd->characters[i].transform;
        const sinew_vec3 position = {at->m[0][3], at->m[1][3], at->m[2][3]};
        const float distance = sinew_vec3_length(sinew_vec3_subtract(position, eye));
        crowd->items[i].significance = 1.0f / fmaxf(distance, 1e-3f);
    }
}

void draw_crowd_advance(draw_crowd *crowd, float dt) {
    if (crowd->items && crowd->budget.max_poses < crowd->def.count) {
        sinew_batch_update_within(&crowd->budget, crowd->items, 0, crowd->def.count, dt);
    } else if (crowd->items) {
        sinew_batch_update(crowd->items, 0, crowd->def.count, dt);
    }
    for (int32_t i = 0; crowd->bake && i < crowd->def.count; i++) {
        sinew_bake_advance(crowd->bake, &crowd->states[i], dt);
    }
}

static void write_weights(draw_crowd *crowd, int32_t index, float *record) {
    memcpy(record + crowd->first_weight, sinew_mixer_morph_weights(crowd->items[index].mixer),
           (size_t)crowd->weight_count * sizeof(float));
}

void draw_crowd_pose(draw_crowd *crowd) {
    const bool weights = crowd->items && crowd->weight_count > 0;
    for (int32_t i = 0; (crowd->bake || weights) && i < crowd->def.count; i++) {
        float *record = sinew_gl_records_data(crowd->model.records, i);
        if (crowd->bake) sinew_bake_write(crowd->bake, &crowd->states[i], record + TRANSFORM_FLOATS);
        if (weights) write_weights(crowd, i, record);
    }
    sinew_gl_records_upload(crowd->model.records, crowd->def.count);
}
