// SPDX-License-Identifier: MIT
// A stage for written states.
#include "fuzz/state_stage.h"

#include "base/fnv.h"
#include "motion/mixer_snapshot_format.h"

#include <stdlib.h>

static const char graph_text[] =
    "{\"sinewGraph\":1,\"syncMarkers\":[\"Foot_L\",\"Foot_R\"],\"parameters\":{"
    "\"speed\":{\"type\":\"float\",\"range\":[0,4],\"damping\":0.15},"
    "\"count\":{\"type\":\"int\",\"range\":[-2,2]},\"jump\":{\"type\":\"trigger\",\"hold\":0.2}},"
    "\"layers\":[{\"name\":\"Base\",\"states\":{\"Move\":{\"blend\":{\"x\":\"speed\",\"damping\":0.1,\"samples\":["
    "{\"clip\":\"Idle\"},{\"clip\":\"Walk\",\"x\":1},{\"clip\":\"Run\",\"x\":3}]},\"sync\":\"feet\"},"
    "\"Walk\":{\"clip\":\"Walk\",\"sync\":\"feet\",\"speedParameter\":\"speed\"},"
    "\"Air\":{\"states\":{\"Up\":{\"clip\":\"Jump\",\"loop\":\"once\"},\"Down\":{\"clip\":\"Run\"}},"
    "\"transitions\":[{\"from\":\"Up\",\"to\":\"Down\",\"when\":\"finished\",\"kind\":\"deadBlend\"}]}},"
    "\"transitions\":[{\"from\":\"*\",\"to\":\"Air\",\"when\":\"jump\",\"kind\":\"inertialize\"},"
    "{\"from\":\"Air\",\"to\":\"Move\",\"when\":\"elapsed > 1\"},{\"from\":\"Move\",\"to\":\"Walk\",\"when\":"
    "\"count < 0\"},{\"from\":\"Walk\",\"to\":\"Move\",\"when\":\"marker('Foot_L') && count > 0\"}]},"
    "{\"name\":\"Add\",\"mode\":\"additive\",\"mask\":{\"node\":\"Spine\"},\"states\":{"
    "\"Run\":{\"clip\":\"Run\"}}}]}";

static void open_names(state_stage *stage) {
    static const sinew_clip *clips[SESSION_CLIPS + 1];
    static const char *const spaces[SESSION_SPACES] = {"line", "triangles", "directions"};
    static const char *const masks[2] = {"first", "second"};
    for (int i = 0; i < SESSION_CLIPS; i++) clips[i] = stage->s.clips[i];
    clips[SESSION_CLIPS] = stage->s.additive;
    stage->names = sinew_state_names_default();
    stage->names.clips = clips;
    stage->names.clip_count = SESSION_CLIPS + 1;
    stage->names.blend_spaces = (const sinew_blend_space *const *)stage->s.spaces;
    stage->names.blend_space_names = spaces;
    stage->names.blend_space_count = SESSION_SPACES;
    stage->names.masks = (const sinew_mask *const *)stage->s.masks;
    stage->names.mask_names = masks;
    stage->names.mask_count = 2;
}

static const sinew_clip *find_clip(const char *name, void *user) {
    const session *s = user;
    for (int i = 0; i < SESSION_CLIPS; i++)
        if (strcmp(s->clips[i]->name, name) == 0) return s->clips[i];
    return NULL;
}

const state_stage *state_stage_open(void) {
    static state_stage stage;
    if (stage.binding) return &stage;
    session_open(&stage.s);
    open_names(&stage);
    session_demand(sinew_graph_load_memory(graph_text, sizeof graph_text - 1, NULL, &stage.graph, NULL));
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = stage.graph;
    def.skeleton = stage.s.skeleton;
    def.find_clip = find_clip;
    def.user = &stage.s;
    session_demand(sinew_graph_bind(&def, &stage.binding, NULL));
    return &stage;
}

sinew_mixer *state_stage_mixer(const state_stage *stage) {
    const sinew_mixer_def def = session_def(&stage->s);
    sinew_mixer *mixer;
    session_demand(sinew_mixer_create(&def, &mixer, NULL));
    return mixer;
}

sinew_animator *state_stage_animator(const state_stage *stage) {
    sinew_animator_def def = sinew_animator_default();
    def.binding = stage->binding;
    sinew_animator *animator;
    session_demand(sinew_animator_create(&def, &animator, NULL));
    return animator;
}

void state_stage_play(const state_stage *stage, sinew_mixer *mixer, uint64_t seed, int frames) {
    session_caller caller = {.seed = seed};
    for (int i = 0; i < frames; i++) {
        session_call(&stage->s, mixer, &caller);
        sinew_mixer_update(mixer, 1.0f / 32.0f);
        if (i % 8 == 3) sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, 0.25f);
        if (i % 8 == 5) sinew_mixer_set_pose(mixer, sinew_mixer_edit_pose(mixer));
        if (i % 8 == 7) sinew_mixer_finish_pose(mixer);
    }
}

void state_stage_direct(const state_stage *stage, sinew_animator *animator, uint64_t seed, int frames) {
    for (int i = 0; i < frames; i++) {
        if (session_below(&seed, 4) == 0)
            sinew_animator_set_float(animator, sinew_graph_find_parameter(stage->graph, "speed"),
                                     session_draw(&seed, 0, 4));
        if (session_below(&seed, 4) == 0)
            sinew_animator_set_int(animator, sinew_graph_find_parameter(stage->graph, "count"),
                                   session_below(&seed, 5) - 2);
        if (session_below(&seed, 10) == 0)
            sinew_animator_fire(animator, sinew_graph_find_parameter(stage->graph, "jump"));
        sinew_animator_update(animator, 1.0f / 32.0f);
    }
}

void state_stage_repair(uint8_t *bytes, size_t size) {
    uint64_t checksum = SINEWI_FNV_START;
    if (size < SINEWI_STATE_HEADER) return;
    sinewi_fnv_bytes(&checksum, bytes + SINEWI_STATE_HEADER, size - SINEWI_STATE_HEADER);
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)SINEWI_STATE_MAGIC[i];
    for (int i = 0; i < 4; i++) bytes[4 + i] = i == 0 ? SINEWI_STATE_VERSION : 0;
    for (int i = 0; i < 8; i++) bytes[8 + i] = (uint8_t)((uint64_t)size >> 8 * i);
    for (int i = 0; i < 8; i++) bytes[16 + i] = (uint8_t)(checksum >> 8 * i);
}
