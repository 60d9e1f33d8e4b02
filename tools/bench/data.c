// SPDX-License-Identifier: MIT
// Worlds: a skeleton, a skin and clips, for Sinew and the textbook.
#include "bench/data.h"

#include "bench/keys.h"
#include "bench/memory.h"
#include "bench/rig.h"

#include <sinew/gltf.h>

static sinew_clip *compress(sinew_clip *clip) {
    sinew_clip *compressed;
    sinew_clip_compress(clip, NULL, &compressed, NULL);
    sinew_clip_destroy(clip);
    return compressed;
}

static bool add_clip(bench_world *world, bench_keys keys, int number) {
    sinew_clip_def def = sinew_clip_default();
    const bool compressed = keys == BENCH_KEYS_ALL_COMPRESSED;
    if (compressed) keys = BENCH_KEYS_ALL;
    if (keys == BENCH_KEYS_ALL_16 || keys == BENCH_KEYS_GAME_16) {
        def.key_format = SINEW_KEYS_U16;
        keys = keys == BENCH_KEYS_ALL_16 ? BENCH_KEYS_ALL : BENCH_KEYS_GAME;
    }
    bench_channels all = bench_channels_make(world->skeleton, keys, number);
    def.skeleton = world->skeleton;
    def.channels = all.channels;
    def.channel_count = all.count;
    const float growth = keys == BENCH_KEYS_GRID ? sinew_gltf_default().key_growth : 0.0f;
    sinew_clip_create_filled(&def, growth, &world->own_clips[number], NULL);
    if (compressed && world->own_clips[number]) world->own_clips[number] = compress(world->own_clips[number]);
    world->clips[number] = world->own_clips[number];
    world->textbook_clips[number] = textbook_clip_create(world->textbook, all.channels, all.count);
    world->clip_count = number + 1;
    bench_channels_free(&all);
    return world->clips[number] != NULL;
}

bench_world *bench_world_create(bench_keys keys, int32_t joint_count) {
    bench_world *world = bench_allocate(1, sizeof *world);
    world->skeleton = world->own_skeleton = bench_rig_create(joint_count);
    if (world->skeleton) world->skin = world->own_skin = bench_rig_bind(world->skeleton);
    bool good = world->skin != NULL;
    if (good) world->textbook = textbook_skeleton_create(world->skin);
    for (int i = 0; good && i < BENCH_CLIPS; i++) good = add_clip(world, keys, i);
    if (good) return world;
    bench_world_destroy(world);
    return NULL;
}

static bool is_linear(const sinew_clip *clip) {
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        if (channel->timeline >= 0 && channel->interpolation != SINEW_INTERPOLATION_LINEAR) return false;
    }
    return true;
}

static const char *what_is_wrong(const sinew_asset *asset) {
    if (asset->skin_count == 0 || asset->skins[0].joint_count == 0) return "it has no skin";
    if (asset->clip_count < 2) return "it has fewer than two clips";
    for (int32_t i = 0; i < asset->clip_count && i < BENCH_CLIPS; i++) {
        if (!is_linear(&asset->clips[i]))
            return "it has channels that are not LINEAR, and the textbook "
                   "implementation only plays those";
        if (asset->clips[i].duration <= 0.0f) return "it has a clip with a duration of 0";
    }
    return NULL;
}

bench_world *bench_world_of_asset(const sinew_asset *asset, const char **why) {
    *why = what_is_wrong(asset);
    if (*why) return NULL;
    bench_world *world = bench_allocate(1, sizeof *world);
    world->skeleton = asset->skeleton;
    world->skin = &asset->skins[0];
    world->textbook = textbook_skeleton_create(world->skin);
    world->clip_count = asset->clip_count < BENCH_CLIPS ? asset->clip_count : BENCH_CLIPS;
    for (int32_t i = 0; i < world->clip_count; i++) {
        world->clips[i] = &asset->clips[i];
        bench_channels all = bench_channels_read(world->clips[i]);
        world->textbook_clips[i] = textbook_clip_create(world->textbook, all.channels, all.count);
        bench_channels_free(&all);
    }
    return world;
}

void bench_world_destroy(bench_world *world) {
    if (!world) return;
    for (int32_t i = 0; i < world->clip_count; i++) {
        textbook_clip_destroy(world->textbook_clips[i]);
        sinew_clip_destroy(world->own_clips[i]);
    }
    textbook_skeleton_destroy(world->textbook);
    sinew_skin_destroy(world->own_skin);
    sinew_skeleton_destroy(world->own_skeleton);
    bench_release(world);
}
