// SPDX-License-Identifier: MIT
#include "support/retarget_rig.h"
#include "support/avatar.h"

#include <stdio.h>

// ---- Characters ----------------------------------------------------------------------------------------------

const char *const character_names[CHARACTERS] = {"hero",  "Knight", "RobotExpressive", "golem", "sprite", "scout",
                                                 "enemy", "Fox",    "greenman",        "kenney"};

void set_role(sinew_humanoid *humanoid, const sinew_skeleton *skeleton, const char *role, const char *node) {
    int32_t index = sinew_humanoid_find_role(role), found = sinew_skeleton_find(skeleton, node);
    if (index == SINEW_NO_ROLE || found == SINEW_NO_NODE) fail_msg("no role %s or node %s", role, node);
    humanoid->nodes[index] = found;
}

// Sets a role of both sides. In the node's name, '*' is the side.
static void set_sides(sinew_humanoid *humanoid, const sinew_skeleton *skeleton, const char *role, const char *node,
                      const char *const sides[2]) {
    for (int i = 0; i < 2; i++) {
        char role_name[64], node_name[64];
        const int before = (int)(strchr(node, '*') - node);
        snprintf(role_name, sizeof role_name, "%s%s", i ? "right" : "left", role);
        snprintf(node_name, sizeof node_name, "%.*s%s%s", before, node, sides[i], node + before + 1);
        set_role(humanoid, skeleton, role_name, node_name);
    }
}

typedef struct role_row {
    const char *role, *node;
} role_row;

static const role_row hero_middle[] = {
    {"hips", "Hips"}, {"spine", "Spine"}, {"chest", "Chest"}, {"upperChest", "UpperChest"},
    {"neck", "Neck"}, {"head", "Head"},   {NULL, NULL}};
static const role_row hero_sides[] = {{"Eye", "Eye_*"},
                                      {"UpperLeg", "UpperLeg_*"},
                                      {"LowerLeg", "LowerLeg_*"},
                                      {"Foot", "Foot_*"},
                                      {"Toes", "Toes_*"},
                                      {"Shoulder", "Shoulder_*"},
                                      {"UpperArm", "UpperArm_*"},
                                      {"LowerArm", "LowerArm_*"},
                                      {"Hand", "Hand_*"},
                                      {"ThumbMetacarpal", "Thumb1_*"},
                                      {"ThumbProximal", "Thumb2_*"},
                                      {"ThumbDistal", "Thumb3_*"},
                                      {"IndexProximal", "Index1_*"},
                                      {"IndexIntermediate", "Index2_*"},
                                      {"IndexDistal", "Index3_*"},
                                      {"MiddleProximal", "Middle1_*"},
                                      {"MiddleIntermediate", "Middle2_*"},
                                      {"MiddleDistal", "Middle3_*"},
                                      {"RingProximal", "Ring1_*"},
                                      {"RingIntermediate", "Ring2_*"},
                                      {"RingDistal", "Ring3_*"},
                                      {"LittleProximal", "Pinky1_*"},
                                      {"LittleIntermediate", "Pinky2_*"},
                                      {"LittleDistal", "Pinky3_*"},
                                      {NULL, NULL}};

static const role_row knight_middle[] = {
    {"hips", "hips"}, {"spine", "spine"}, {"chest", "chest"}, {"head", "head"}, {NULL, NULL}};
static const role_row knight_sides[] = {
    {"UpperLeg", "upperleg.*"}, {"LowerLeg", "lowerleg.*"}, {"Foot", "foot.*"},  {"Toes", "toes.*"},
    {"UpperArm", "upperarm.*"}, {"LowerArm", "lowerarm.*"}, {"Hand", "wrist.*"}, {NULL, NULL}};

static const role_row robot_middle[] = {{"hips", "Body"}, {"spine", "Hips"}, {"chest", "Abdomen"},
                                        {"neck", "Neck"}, {"head", "Head"},  {NULL, NULL}};
static const role_row robot_sides[] = {{"UpperLeg", "UpperLeg.*"},
                                       {"LowerLeg", "LowerLeg.*"},
                                       {"Foot", "Foot.*"},
                                       {"Shoulder", "Shoulder.*"},
                                       {"UpperArm", "UpperArm.*"},
                                       {"LowerArm", "LowerArm.*"},
                                       {"Hand", "Palm2.*"},
                                       {"MiddleProximal", "Middle1.*"},
                                       {"MiddleIntermediate", "Middle2.*"},
                                       {"IndexProximal", "Index.*"},
                                       {"IndexIntermediate", "Index2.*"},
                                       {"RingProximal", "Ring1.*"},
                                       {"RingIntermediate", "Ring2.*"},
                                       {"ThumbMetacarpal", "Thumb.*"},
                                       {"ThumbProximal", "Thumb2.*"},
                                       {NULL, NULL}};

static const role_row golem_middle[] = {{"hips", "mixamorig:Hips"},
                                        {"spine", "mixamorig:Spine"},
                                        {"chest", "mixamorig:Spine1"},
                                        {"upperChest", "mixamorig:Spine2"},
                                        {"neck", "mixamorig:Neck"},
                                        {"head", "mixamorig:Head"},
                                        {NULL, NULL}};
static const role_row golem_sides[] = {{"UpperLeg", "mixamorig:*UpLeg"},
                                       {"LowerLeg", "mixamorig:*Leg"},
                                       {"Foot", "mixamorig:*Foot"},
                                       {"Toes", "mixamorig:*ToeBase"},
                                       {"Shoulder", "mixamorig:*Shoulder"},
                                       {"UpperArm", "mixamorig:*Arm"},
                                       {"LowerArm", "mixamorig:*ForeArm"},
                                       {"Hand", "mixamorig:*Hand"},
                                       {"ThumbMetacarpal", "mixamorig:*HandThumb1"},
                                       {"ThumbProximal", "mixamorig:*HandThumb2"},
                                       {"IndexProximal", "mixamorig:*HandIndex1"},
                                       {"IndexIntermediate", "mixamorig:*HandIndex2"},
                                       {"LittleProximal", "mixamorig:*HandPinky1"},
                                       {"LittleIntermediate", "mixamorig:*HandPinky2"},
                                       {NULL, NULL}};

static const role_row sprite_middle[] = {{"hips", "J_Bip_C_Hips"},
                                         {"spine", "J_Bip_C_Spine"},
                                         {"chest", "J_Bip_C_Chest"},
                                         {"upperChest", "J_Bip_C_UpperChest"},
                                         {"neck", "J_Bip_C_Neck"},
                                         {"head", "J_Bip_C_Head"},
                                         {NULL, NULL}};
static const role_row sprite_sides[] = {{"Eye", "J_Adj_*_FaceEye"},
                                        {"UpperLeg", "J_Bip_*_UpperLeg"},
                                        {"LowerLeg", "J_Bip_*_LowerLeg"},
                                        {"Foot", "J_Bip_*_Foot"},
                                        {"Toes", "J_Bip_*_ToeBase"},
                                        {"Shoulder", "J_Bip_*_Shoulder"},
                                        {"UpperArm", "J_Bip_*_UpperArm"},
                                        {"LowerArm", "J_Bip_*_LowerArm"},
                                        {"Hand", "J_Bip_*_Hand"},
                                        {"ThumbMetacarpal", "J_Bip_*_Thumb1"},
                                        {"ThumbProximal", "J_Bip_*_Thumb2"},
                                        {"ThumbDistal", "J_Bip_*_Thumb3"},
                                        {"IndexProximal", "J_Bip_*_Index1"},
                                        {"IndexIntermediate", "J_Bip_*_Index2"},
                                        {"IndexDistal", "J_Bip_*_Index3"},
                                        {"MiddleProximal", "J_Bip_*_Middle1"},
                                        {"MiddleIntermediate", "J_Bip_*_Middle2"},
                                        {"MiddleDistal", "J_Bip_*_Middle3"},
                                        {"RingProximal", "J_Bip_*_Ring1"},
                                        {"RingIntermediate", "J_Bip_*_Ring2"},
                                        {"RingDistal", "J_Bip_*_Ring3"},
                                        {"LittleProximal", "J_Bip_*_Little1"},
                                        {"LittleIntermediate", "J_Bip_*_Little2"},
                                        {"LittleDistal", "J_Bip_*_Little3"},
                                        {NULL, NULL}};

static const role_row scout_middle[] = {
    {"hips", "pelvis"},  {"spine", "spine_01"}, {"chest", "spine_03"}, {"upperChest", "spine_05"},
    {"neck", "neck_01"}, {"head", "head"},      {NULL, NULL}};
static const role_row scout_sides[] = {{"UpperLeg", "thigh_*"},
                                       {"LowerLeg", "calf_*"},
                                       {"Foot", "foot_*"},
                                       {"Toes", "ball_*"},
                                       {"Shoulder", "clavicle_*"},
                                       {"UpperArm", "upperarm_*"},
                                       {"LowerArm", "lowerarm_*"},
                                       {"Hand", "hand_*"},
                                       {"ThumbMetacarpal", "thumb_01_*"},
                                       {"ThumbProximal", "thumb_02_*"},
                                       {"ThumbDistal", "thumb_03_*"},
                                       {"IndexProximal", "index_01_*"},
                                       {"IndexIntermediate", "index_02_*"},
                                       {"IndexDistal", "index_03_*"},
                                       {"MiddleProximal", "middle_01_*"},
                                       {"MiddleIntermediate", "middle_02_*"},
                                       {"MiddleDistal", "middle_03_*"},
                                       {"RingProximal", "ring_01_*"},
                                       {"RingIntermediate", "ring_02_*"},
                                       {"RingDistal", "ring_03_*"},
                                       {"LittleProximal", "pinky_01_*"},
                                       {"LittleIntermediate", "pinky_02_*"},
                                       {"LittleDistal", "pinky_03_*"},
                                       {NULL, NULL}};

static sinew_humanoid roles_of(character_kind kind, const sinew_skeleton *skeleton) {
    static const struct {
        const role_row *middle, *sides;
        const char *letters[2];
    } tables[HUMANOIDS] = {
        {hero_middle, hero_sides, {"L", "R"}},     {knight_middle, knight_sides, {"l", "r"}},
        {robot_middle, robot_sides, {"L", "R"}},   {golem_middle, golem_sides, {"Left", "Right"}},
        {sprite_middle, sprite_sides, {"L", "R"}}, {scout_middle, scout_sides, {"l", "r"}}};
    sinew_humanoid humanoid = sinew_humanoid_empty();
    if (kind >= HUMANOIDS) return humanoid;
    for (const role_row *row = tables[kind].middle; row->role; row++)
        set_role(&humanoid, skeleton, row->role, row->node);
    for (const role_row *row = tables[kind].sides; row->role; row++)
        set_sides(&humanoid, skeleton, row->role, row->node, tables[kind].letters);
    if (kind == ROBOT) { // two nodes are called Torso
        humanoid.nodes[SINEW_HUMANOID_UPPER_CHEST] = skeleton->parents[humanoid.nodes[SINEW_HUMANOID_NECK]];
    }
    return humanoid;
}

bool load_character(character_kind kind, character *c) {
    static const char *const files[CHARACTERS] = {"hero.glb",
                                                  "kaykit/Knight.glb",
                                                  "robotexpressive/RobotExpressive.glb",
                                                  "golem.glb",
                                                  "sprite.vrm",
                                                  "scout.glb",
                                                  "godot-demos/enemy.glb",
                                                  "bevy/Fox.glb",
                                                  "raylib/greenman.glb",
                                                  "kenney/character.glb"};
    bool is_ours = kind == HERO || (kind >= GOLEM && kind <= SCOUT);
    const char *folder = is_ours ? SINEW_MODELS : getenv("SINEW_ASSETS");
    if (!folder) return false;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, files[kind]);
    sinew_error error = {0};
    if (sinew_gltf_load_file(path, with_avatars(), &c->asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    c->skeleton = c->asset->skeleton;
    c->humanoid = roles_of(kind, c->skeleton);
    memset(c->borrowed, 0, sizeof c->borrowed);
    return true;
}

void free_character(character *c) {
    for (int i = 0; i < BORROWED_CLIPS; i++) sinew_clip_destroy(c->borrowed[i]);
    sinew_asset_destroy(c->asset);
}

void borrow_clips(character *c, const character *hero) {
    static const char *const names[BORROWED_CLIPS] = {"Walk", "Run", "Attack"};
    sinew_retarget_def def = sinew_retarget_default();
    sinew_retarget_clip_def clip_def = sinew_retarget_clip_default();
    sinew_retarget *map;
    sinew_error error = {0};
    def.source = hero->skeleton;
    def.source_humanoid = &hero->humanoid;
    def.target = c->skeleton;
    def.target_humanoid = &c->humanoid;
    if (sinew_retarget_create(&def, &map, &error) != SINEW_OK) fail_msg("%s", error.message);
    for (int i = 0; i < BORROWED_CLIPS; i++) {
        const sinew_clip *clip = clip_named(hero, names[i]);
        if (sinew_clip_retarget(map, clip, &clip_def, &c->borrowed[i], &error) != SINEW_OK)
            fail_msg("%s", error.message);
    }
    sinew_retarget_destroy(map);
}

const sinew_clip *clip_at(const character *c, int32_t i) {
    if (i < c->asset->clip_count) return &c->asset->clips[i];
    return i - c->asset->clip_count < BORROWED_CLIPS ? c->borrowed[i - c->asset->clip_count] : NULL;
}

const sinew_clip *clip_named(const character *c, const char *name) {
    for (int32_t i = 0; clip_at(c, i); i++) {
        if (strcmp(clip_at(c, i)->name, name) == 0) return clip_at(c, i);
    }
    fail_msg("no clip %s", name);
    return NULL;
}

// ---- Forward kinematics --------------------------------------------------------------------------------------

exact_vec3 exact_rotate(exact_quat q, exact_vec3 v) {
    exact_quat p = exact_multiply(exact_multiply(q, (exact_quat){v.x, v.y, v.z, 0}), exact_conjugate(q));
    return (exact_vec3){p.x, p.y, p.z};
}

exact_quat exact_unit(exact_quat q) {
    double length = exact_norm(q);
    return (exact_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

// T R S of a node, as a matrix.
static exact_node local_of(sinew_transform t) {
    static const exact_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double scale[3] = {t.scale.x, t.scale.y, t.scale.z};
    exact_node node = {.rotation = exact_unit(exact_rotation(t.rotation))};
    for (int column = 0; column < 3; column++) {
        exact_vec3 axis = exact_rotate(node.rotation, unit[column]);
        node.m[0][column] = axis.x * scale[column];
        node.m[1][column] = axis.y * scale[column];
        node.m[2][column] = axis.z * scale[column];
    }
    node.m[0][3] = t.translation.x, node.m[1][3] = t.translation.y, node.m[2][3] = t.translation.z;
    return node;
}

static exact_node below(const exact_node *parent, const exact_node *local) {
    exact_node node = {.rotation = exact_multiply(parent->rotation, local->rotation)};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            double sum = column == 3 ? parent->m[row][3] : 0;
            for (int k = 0; k < 3; k++) sum += parent->m[row][k] * local->m[k][column];
            node.m[row][column] = sum;
        }
    }
    return node;
}

exact_node *exact_model(const sinew_pose *pose) {
    const sinew_skeleton *skeleton = pose->skeleton;
    exact_node *nodes = calloc((size_t)skeleton->node_count, sizeof *nodes);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        exact_node local = local_of(sinew_pose_get(pose, i));
        nodes[i] = skeleton->parents[i] == SINEW_NO_NODE ? local : below(&nodes[skeleton->parents[i]], &local);
    }
    return nodes;
}

exact_vec3 exact_position(const exact_node *node) {
    return (exact_vec3){node->m[0][3], node->m[1][3], node->m[2][3]};
}

double exact_size(const exact_node *nodes, int32_t count) {
    double size = 1e-3;
    for (int32_t i = 0; i < count; i++) {
        for (int row = 0; row < 3; row++) size = fmax(size, fabs(nodes[i].m[row][3]));
    }
    return size;
}

double angle_of_directions(exact_vec3 a, exact_vec3 b) {
    exact_vec3 cross = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return atan2(exact_length(cross), exact_dot(a, b));
}

// ---- Derived rigs --------------------------------------------------------------------------------------------

// A derived rig's nodes while it's being made. The original's come first, in its order.
typedef struct rig_draft {
    sinew_node_def *nodes;
    char (*names)[64];
    int32_t count;
} rig_draft;

static exact_quat about(exact_vec3 axis, double angle) {
    return exact_exponential(exact_add((exact_vec3){0, 0, 0}, axis, angle));
}

static sinew_vec3 rounded_vec(exact_vec3 v) {
    return (sinew_vec3){(float)v.x, (float)v.y, (float)v.z};
}

static exact_quat rotation_in(const rig_draft *draft, int32_t node) {
    return exact_rotation(draft->nodes[node].rest.rotation);
}

// Rotates a node about its parent's axes.
static void rotate_node(rig_draft *draft, int32_t node, exact_quat by) {
    draft->nodes[node].rest.rotation = rounded(exact_unit(exact_multiply(by, rotation_in(draft, node))));
}

static void rotate_translation(rig_draft *draft, int32_t node, exact_quat by, double scale) {
    exact_vec3 t = exact_rotate(by, exact_vec(draft->nodes[node].rest.translation));
    draft->nodes[node].rest.translation = rounded_vec(exact_add((exact_vec3){0, 0, 0}, t, scale));
}

static int32_t add_node(rig_draft *draft, const char *name, int32_t parent) {
    int32_t node = draft->count++;
    snprintf(draft->names[node], sizeof *draft->names, "%s", name);
    draft->nodes[node] =
        (sinew_node_def){.name = draft->names[node], .parent = parent, .rest = sinew_transform_identity()};
    return node;
}

// Puts a node with a rotation and a scale above another one, which keeps its position and rotation in model space.
static void insert_above(rig_draft *draft, int32_t node, int32_t extra, exact_quat rotation, double scale) {
    exact_quat back = exact_conjugate(rotation);
    draft->nodes[extra].rest.rotation = rounded(rotation);
    draft->nodes[extra].rest.scale = (sinew_vec3){(float)scale, (float)scale, (float)scale};
    draft->nodes[node].parent = extra;
    rotate_translation(draft, node, back, 1.0 / scale);
    rotate_node(draft, node, back);
}

// Each node's axes are rotated by axes[node]: children rotate back.
static void change_axes(rig_draft *draft, exact_quat *axes) {
    uint64_t state = 11;
    for (int32_t i = 0; i < draft->count; i++) axes[i] = exact_unit(exact_rotation(random_quat(&state)));
    for (int32_t i = 0; i < draft->count; i++) {
        int32_t parent = draft->nodes[i].parent;
        exact_quat back = parent == SINEW_NO_NODE ? (exact_quat){0, 0, 0, 1} : exact_conjugate(axes[parent]);
        exact_quat q = exact_multiply(exact_multiply(back, rotation_in(draft, i)), axes[i]);
        draft->nodes[i].rest.rotation = rounded(exact_unit(q));
        rotate_translation(draft, i, back, 1);
    }
}

static const int32_t limb_ends[] = {SINEW_HUMANOID_LEFT_LOWER_ARM, SINEW_HUMANOID_RIGHT_LOWER_ARM,
                                    SINEW_HUMANOID_LEFT_HAND,      SINEW_HUMANOID_RIGHT_HAND,
                                    SINEW_HUMANOID_LEFT_LOWER_LEG, SINEW_HUMANOID_RIGHT_LOWER_LEG,
                                    SINEW_HUMANOID_LEFT_FOOT,      SINEW_HUMANOID_RIGHT_FOOT};

// A joint in the middle of each bone of a limb, and a leaf next to it. Arms have names of twist joints.
static void add_twist_joints(rig_draft *draft, const sinew_humanoid *humanoid) {
    for (size_t i = 0; i < sizeof limb_ends / sizeof *limb_ends; i++) {
        int32_t end = humanoid->nodes[limb_ends[i]], parent = draft->nodes[end].parent;
        bool is_arm = i < 4;
        int32_t middle = add_node(draft, is_arm ? "InsertedTwist" : "Inserted", parent);
        int32_t leaf = add_node(draft, is_arm ? "LeafTwist" : "Leaf", parent);
        rotate_translation(draft, end, (exact_quat){0, 0, 0, 1}, 0.5);
        draft->nodes[middle].rest.translation = draft->nodes[end].rest.translation;
        draft->nodes[leaf].rest.translation = draft->nodes[end].rest.translation;
        draft->nodes[end].parent = middle;
    }
}

// The model transforms of a rest pose, to be freed.
static exact_node *rest_model(const sinew_skeleton *skeleton) {
    sinew_pose *rest;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &rest), SINEW_OK);
    exact_node *model = exact_model(rest);
    sinew_pose_destroy(rest);
    return model;
}

// Rotates the upper arms towards the ground, by the shortest path, in model space.
static void lower_arms(rig_draft *draft, const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                       double angle) {
    exact_node *model = rest_model(skeleton);
    for (int side = 0; side < 2; side++) {
        int32_t upper = humanoid->nodes[side ? SINEW_HUMANOID_RIGHT_UPPER_ARM : SINEW_HUMANOID_LEFT_UPPER_ARM];
        int32_t lower = humanoid->nodes[side ? SINEW_HUMANOID_RIGHT_LOWER_ARM : SINEW_HUMANOID_LEFT_LOWER_ARM];
        exact_vec3 bone = exact_add(exact_position(&model[lower]), exact_position(&model[upper]), -1);
        double level = hypot(bone.x, bone.z);
        exact_vec3 axis = {bone.z / level, 0, -bone.x / level}; // the bone × down
        exact_quat parent = model[skeleton->parents[upper]].rotation;
        exact_quat turn = exact_multiply(exact_multiply(exact_conjugate(parent), about(axis, angle)), parent);
        rotate_node(draft, upper, turn);
    }
    free(model);
}

static const int32_t foot_roles[2] = {SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_RIGHT_FOOT};

// Makes the feet children of the node above the hips, which must not have a scale.
static void detach_feet(rig_draft *draft, const sinew_skeleton *skeleton, const sinew_humanoid *humanoid) {
    exact_node *model = rest_model(skeleton);
    int32_t above = skeleton->parents[humanoid->nodes[SINEW_HUMANOID_HIPS]];
    exact_quat back = exact_conjugate(model[above].rotation);
    for (int side = 0; side < 2; side++) {
        int32_t foot = humanoid->nodes[foot_roles[side]];
        exact_vec3 offset = exact_add(exact_position(&model[foot]), exact_position(&model[above]), -1);
        draft->nodes[foot].parent = above;
        draft->nodes[foot].rest.translation = rounded_vec(exact_rotate(back, offset));
        draft->nodes[foot].rest.rotation = rounded(exact_multiply(back, model[foot].rotation));
    }
    free(model);
}

// Moves the toes along the ground.
static void lengthen_feet(rig_draft *draft, const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                          double factor) {
    exact_node *model = rest_model(skeleton);
    for (int side = 0; side < 2; side++) {
        int32_t foot = humanoid->nodes[foot_roles[side]], toes = humanoid->nodes[foot_roles[side] + 1];
        exact_vec3 offset = exact_add(exact_position(&model[toes]), exact_position(&model[foot]), -1);
        offset.x *= factor, offset.z *= factor;
        exact_quat back = exact_conjugate(model[foot].rotation);
        draft->nodes[toes].rest.translation = rounded_vec(exact_rotate(back, offset));
    }
    free(model);
}

static rig_draft copy_of(const sinew_skeleton *skeleton, const rig_change *change) {
    size_t most = (size_t)skeleton->node_count + 20;
    rig_draft draft = {calloc(most, sizeof *draft.nodes), calloc(most, sizeof *draft.names), 0};
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        char renamed[64];
        snprintf(renamed, sizeof renamed, "joint %d of another rig", (int)i);
        add_node(&draft, change->renamed ? renamed : skeleton->names[i], skeleton->parents[i]);
        draft.nodes[i].rest = skeleton->rest[i];
    }
    return draft;
}

// In reverse order, each list of children is.
static sinew_skeleton *make_skeleton(const rig_draft *draft, bool reversed, int32_t *node_of, int32_t count) {
    assert_true(draft->count > 0);
    sinew_node_def *nodes = calloc((size_t)draft->count, sizeof *nodes);
    int32_t last = draft->count - 1;
    for (int32_t i = 0; i <= last; i++) {
        sinew_node_def node = draft->nodes[i];
        if (reversed && node.parent != SINEW_NO_NODE) node.parent = last - node.parent;
        nodes[reversed ? last - i : i] = node;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = draft->count;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    sinew_error error = {0};
    if (sinew_skeleton_create(&def, &skeleton, &error) != SINEW_OK) fail_msg("%s", error.message);
    for (int32_t i = 0; i < count; i++) node_of[i] = skeleton->node_of_source[reversed ? last - i : i];
    free(nodes);
    return skeleton;
}

// The rotation of the whole character, of its roots.
static exact_quat face(rig_draft *draft, const rig_change *change) {
    exact_quat facing = {0, 0, 0, 1};
    if (change->faces_back) facing = about((exact_vec3){0, 1, 0}, PI);
    if (change->z_up) facing = exact_multiply(about((exact_vec3){1, 0, 0}, PI / 2), facing);
    for (int32_t i = 0; i < draft->count; i++) {
        if (draft->nodes[i].parent != SINEW_NO_NODE) continue;
        rotate_node(draft, i, facing);
        rotate_translation(draft, i, facing, 1);
    }
    return facing;
}

derived_rig derive_rig(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid, const rig_change *change) {
    const exact_quat lying = about((exact_vec3){1, 0, 0}, -PI / 2);
    derived_rig rig = {.node_of = calloc((size_t)skeleton->node_count, sizeof *rig.node_of),
                       .axes = calloc((size_t)skeleton->node_count + 20, sizeof *rig.axes)};
    for (int32_t i = 0; i < skeleton->node_count; i++) rig.axes[i] = (exact_quat){0, 0, 0, 1};
    rig_draft draft = copy_of(skeleton, change);
    if (change->detached_feet) detach_feet(&draft, skeleton, humanoid);
    if (change->foot_length != 0) lengthen_feet(&draft, skeleton, humanoid, change->foot_length);
    for (int32_t i = 0; i < draft.count; i++) {
        rotate_translation(&draft, i, (exact_quat){0, 0, 0, 1}, change->scale);
    }
    if (change->arms_down != 0) lower_arms(&draft, skeleton, humanoid, change->arms_down);
    rig.facing = face(&draft, change);
    if (change->extra_root) {
        int32_t root = add_node(&draft, "ExtraRoot", SINEW_NO_NODE);
        for (int32_t i = 0; i < root; i++) {
            if (draft.nodes[i].parent == SINEW_NO_NODE) insert_above(&draft, i, root, lying, 1);
        }
    }
    if (change->armature_scale != 0) {
        int32_t hips = humanoid->nodes[SINEW_HUMANOID_HIPS];
        int32_t extra = add_node(&draft, "Extra", draft.nodes[hips].parent);
        insert_above(&draft, hips, extra, lying, change->armature_scale);
        for (int32_t i = hips + 1; i < skeleton->subtree_ends[hips]; i++) {
            rotate_translation(&draft, i, (exact_quat){0, 0, 0, 1}, 1 / change->armature_scale);
        }
    }
    if (change->twist_joints) add_twist_joints(&draft, humanoid);
    if (change->other_axes) change_axes(&draft, rig.axes);
    rig.skeleton = make_skeleton(&draft, change->reversed, rig.node_of, skeleton->node_count);
    rig.humanoid = sinew_humanoid_empty();
    for (int32_t role = 0; humanoid && role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        if (humanoid->nodes[role] != SINEW_NO_NODE) rig.humanoid.nodes[role] = rig.node_of[humanoid->nodes[role]];
    }
    free(draft.nodes);
    free(draft.names);
    return rig;
}

void free_derived(derived_rig *rig) {
    sinew_skeleton_destroy(rig->skeleton);
    free(rig->node_of);
    free(rig->axes);
}
