// SPDX-License-Identifier: MIT
// Encodes a file's meshes.
#include "meshes/internal.h"

static bool list_kept(const mesh_coder *c) {
    const int32_t count = c->def->document->accessors.count;
    optimize_kept *kept = sinewi_arena_array(c->arena, optimize_kept, (size_t)count);
    if (!kept) return false;
    for (int32_t i = 0; i < count; i++) {
        if (c->accessors[i].use != MESH_UNUSED && c->accessors[i].kept)
            kept[c->out->kept_count++] = (optimize_kept){i, c->accessors[i].kept};
    }
    c->out->kept = kept;
    return true;
}

// Leaves all meshes unchanged if they wouldn't get smaller.
static void drop_larger(optimize_meshes *meshes) {
    if (meshes->bytes[1] < meshes->bytes[0]) return;
    meshes->model = NULL;
    meshes->error = meshes->step = 0.0;
    meshes->weight_bits = meshes->reordered = meshes->merged = 0;
    meshes->bytes[0] = meshes->bytes[1] = 0;
    meshes->dropped = NULL;
    meshes->accessor_count = meshes->view_count = meshes->dropped_count = 0;
}

bool meshes_code(optimize_meshes *meshes, const optimize_meshes_def *def) {
    mesh_coder c = {.def = def, .out = meshes, .arena = &meshes->arena};
    if (!mesh_drop_unused(&c) || !mesh_find_uses(&c) || !mesh_choose(&c) || !mesh_sort_influences(&c)) return false;
    mesh_choose_formats(&c);
    if (!mesh_choose_order(&c) || !mesh_compress(&c) || !list_kept(&c)) return false;
    drop_larger(meshes);
    return true;
}
