// SPDX-License-Identifier: MIT
// A stage for recorded characters.
#include "fuzz/recording_stage.h"

#include "motion/character_recording_format.h"

static const char graph_text[] =
    "{\"sinewGraph\":1,\"parameters\":{\"speed\":{\"type\":\"float\",\"range\":[0,4],\"damping\":0.15},"
    "\"at\":{\"type\":\"vector3\",\"damping\":0.1},\"jump\":{\"type\":\"trigger\"}},"
    "\"layers\":[{\"name\":\"Base\",\"states\":{\"Move\":{\"blend\":{\"x\":\"speed\",\"samples\":["
    "{\"clip\":\"Idle\"},{\"clip\":\"Walk\",\"x\":1},{\"clip\":\"Run\",\"x\":3}]}},"
    "\"Up\":{\"clip\":\"Jump\",\"loop\":\"once\"}},\"transitions\":["
    "{\"from\":\"Move\",\"to\":\"Up\",\"when\":\"jump\",\"kind\":\"inertialize\"},"
    "{\"from\":\"Up\",\"to\":\"Move\",\"when\":\"finished\"}]}],"
    "\"rig\":{\"steps\":[{\"name\":\"look\",\"aim\":{\"node\":\"Spine\",\"goal\":\"at\",\"limit\":1}},"
    "{\"name\":\"edit\",\"callback\":{}},"
    "{\"name\":\"hair\",\"springs\":{\"chains\":[{\"root\":\"Chest\"}]}}]}}";

static const sinew_clip *find_clip(const char *name, void *user) {
    const session *s = user;
    for (int i = 0; i < SESSION_CLIPS; i++)
        if (strcmp(s->clips[i]->name, name) == 0) return s->clips[i];
    return NULL;
}

const recording_stage *recording_stage_open(void) {
    static recording_stage stage;
    if (stage.rig) return &stage;
    stage.clips = state_stage_open();
    session_demand(sinew_graph_load_memory(graph_text, sizeof graph_text - 1, NULL, &stage.graph, NULL));
    sinew_graph_binding_def binding = sinew_graph_binding_default();
    binding.graph = stage.graph;
    binding.skeleton = stage.clips->s.skeleton;
    binding.find_clip = find_clip;
    binding.user = (void *)(uintptr_t)&stage.clips->s;
    session_demand(sinew_graph_bind(&binding, &stage.binding, NULL));
    sinew_rig_def rig = sinew_rig_default();
    rig.binding = stage.binding;
    session_demand(sinew_rig_create(&rig, &stage.rig, NULL));
    return &stage;
}

// ---- Recording -----------------------------------------------------------------------------------------------

typedef struct recorded_bytes {
    uint8_t *bytes;
    size_t size, capacity;
} recorded_bytes;

static void append(const void *bytes, size_t size, void *user) {
    recorded_bytes *to = user;
    if (size > to->capacity - to->size) size = to->capacity - to->size;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void edit(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                 sinew_affine *model, void *user) {
    (void)character, (void)step, (void)weight, (void)user;
    sinew_transform t = sinew_pose_get(pose, 2);
    t.translation.x += dt;
    sinew_pose_set(pose, 2, t);
    pose->weights[0] = 0.5f;
    sinew_pose_to_model_below(pose, 2, model);
    model[5].m[0][3] += 0.125f;
}

static void play(const recording_stage *stage, sinew_character *character, uint64_t *seed) {
    sinew_animator *animator = sinew_character_animator(character);
    const sinew_transform place = {{session_draw(seed, -1, 1), 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    if (session_below(seed, 3) == 0) sinew_animator_set_float(animator, 0, session_draw(seed, 0, 4));
    if (session_below(seed, 3) == 0) sinew_animator_set_vector3(animator, 1, place.translation);
    if (session_below(seed, 5) == 0) sinew_animator_fire(animator, 2);
    if (session_below(seed, 5) == 0) sinew_character_ride(character, place);
    if (session_below(seed, 8) == 0)
        sinew_mixer_play(sinew_character_mixer(character), sinew_clip_source(stage->clips->s.clips[1]), NULL);
    sinew_character_begin(character, 1.0f / 32.0f);
    if (session_below(seed, 2) == 0) sinew_character_set_world(character, place);
    sinew_character_end(character);
}

size_t recording_stage_record(const recording_stage *stage, uint64_t seed, int frames, uint8_t *bytes,
                              size_t capacity) {
    recorded_bytes to = {bytes, 0, capacity};
    sinew_character_def def = sinew_character_default();
    def.rig = stage->rig;
    def.step = edit;
    sinew_character *character;
    session_demand(sinew_character_create(&def, &character, NULL));
    session_demand(sinew_character_record(character, NULL, append, &to, NULL));
    for (int i = 0; i < frames; i++) play(stage, character, &seed);
    sinew_character_destroy(character);
    return to.size;
}

// ---- Repairing -----------------------------------------------------------------------------------------------

static void repair_state(uint8_t *content, size_t size) {
    for (size_t i = 0; i + 24 <= size; i++) {
        if (memcmp(content + i, "SnwT", 4) != 0) continue;
        state_stage_repair(content + i, size - i);
        return;
    }
}

void recording_stage_repair(uint8_t *bytes, size_t size) {
    if (size < SINEWI_CHARACTER_RECORDING_START) return;
    memcpy(bytes, SINEWI_CHARACTER_RECORDING_MAGIC, 4);
    bytes[4] = SINEWI_CHARACTER_RECORDING_VERSION;
    bytes[5] = 0;
    for (size_t at = SINEWI_CHARACTER_RECORDING_START; at + SINEWI_PART_HEADER <= size;) {
        uint8_t *content = bytes + at + SINEWI_PART_HEADER;
        const size_t left = size - at - SINEWI_PART_HEADER;
        size_t length = 0;
        for (int i = 0; i < 4; i++) length |= (size_t)bytes[at + 1 + (size_t)i] << 8 * i;
        if (length > left) length = left;
        for (int i = 0; i < 4; i++) bytes[at + 1 + (size_t)i] = (uint8_t)(length >> 8 * i);
        if (bytes[at] == RECORDED_HEAD) repair_state(content, length);
        const uint32_t checksum = sinewi_part_checksum(bytes[at], content, length);
        for (int i = 0; i < 4; i++) bytes[at + 5 + (size_t)i] = (uint8_t)(checksum >> 8 * i);
        at += SINEWI_PART_HEADER + length;
    }
}
