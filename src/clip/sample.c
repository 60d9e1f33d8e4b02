// SPDX-License-Identifier: MIT
// One clip at one time: a pose, or a node of it.
#include "clip/sample.h"

#include <assert.h>

int32_t sinew_mix_input_find_keys(sinew_mix_input *share, sinew_key *keys, int32_t room, uint32_t *hints,
                                  int32_t hint_count) {
    int32_t count = share->clip->row_count < room ? share->clip->row_count : room;
    for (int32_t i = 0; i < count; i++) {
        uint32_t *hint = hints && i < hint_count ? &hints[i] : NULL;
        sinew_find_key(&share->clip->rows[i], share->time, hint, &keys[i]);
    }
    const sinew_tracks *tracks = &share->clip->tracks;
    share->track_row = NULL;
    if (tracks->bucket_count > 0) {
        size_t bucket = (size_t)sinew_tracks_bucket(tracks, share->time);
        share->track_row = (const char *)(tracks->rows + bucket * tracks->stride);
    }
    share->keys = keys;
    share->key_count = count;
    return count;
}

void sinew_clip_sample(const sinew_clip *clip, float time, sinew_pose *pose) {
    assert(clip && pose);
    assert(pose->skeleton == clip->skeleton);
    sinew_key keys[SINEW_MIX_KEYS];
    sinew_mix_input share;
    share.clip = clip->data;
    share.time = time;
    share.weight = 1.0f;
    sinew_mix_input_find_keys(&share, keys, SINEW_MIX_KEYS, NULL, 0);
    share.sides = share.wraps = NULL;
    share.held = false;
    sinew_mix mix = {.inputs = &share, .count = 1, .total = 1};
    mix.keys_found = share.key_count == clip->data->row_count;
    sinew_range all = {0, clip->skeleton->node_count};
    sinew_mix_to_pose(&mix, all, pose);
    sinew_mix_to_weights(&mix, clip->skeleton, all, pose->weights);
}

sinew_transform sinew_clip_sample_node(const sinew_clip *clip, float time, int32_t node) {
    assert(node >= 0 && node < clip->skeleton->node_count);
    sinew_mix_input share = {.clip = clip->data, .time = time, .weight = 1.0f};
    sinew_key key; // of the first timeline, usually the only one; sinew_sample_node finds those of the others
    sinew_mix_input_find_keys(&share, &key, 1, NULL, 0);
    float p[SINEW_PLANES];
    sinew_sample_node(&share, node, p);
    return (sinew_transform){
        {p[SINEW_TX], p[SINEW_TY], p[SINEW_TZ]},
        {p[SINEW_RX], p[SINEW_RY], p[SINEW_RZ], p[SINEW_RW]},
        {p[SINEW_SX], p[SINEW_SY], p[SINEW_SZ]},
    };
}
