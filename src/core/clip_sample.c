// SPDX-License-Identifier: MIT
// Samples one clip at one time, to a pose or to a single node's transform.
//
// A mix (see kernels/layout.h) is a weighted blend of clips. Here it has only one. Its keys, the positions on each
// timeline, are found once and used for all node blocks.
#include "core/clip_sample.h"

#include <assert.h>

// Finds the keys of the first `room` timelines at the input's time, and the row of the tracks. A hint is the last key
// found.
int32_t sinewi_mix_input_find_keys(sinewi_mix_input *input, sinewi_key *keys, int32_t room,
                                   sinewi_mode_weights *weights, uint32_t *hints, int32_t hint_count) {
    int32_t count = input->clip->row_count < room ? input->clip->row_count : room;
    for (int32_t i = 0; i < count; i++) {
        uint32_t *hint = hints && i < hint_count ? &hints[i] : NULL;
        sinewi_find_key(&input->clip->rows[i], input->time, hint, &keys[i]);
        if (!sinewi_find_mode_weights(&input->clip->rows[i], &keys[i], weights)) count = i;
    }
    const sinewi_tracks *tracks = &input->clip->tracks;
    input->track_row = NULL;
    input->track_starts = NULL;
    if (tracks->bucket_count > 0) {
        size_t bucket = (size_t)sinewi_tracks_bucket(tracks, input->time);
        input->track_row = tracks->index + bucket * tracks->stride;
        input->track_starts = tracks->starts + bucket / SINEWI_TRACK_CHAPTER * tracks->stride;
    }
    input->keys = keys;
    input->key_count = count;
    return count;
}

void sinew_clip_sample(const sinew_clip *clip, float time, sinew_pose *pose) {
    assert(clip && pose);
    assert(pose->skeleton == clip->skeleton);
    sinewi_key keys[SINEWI_MIX_KEYS];
    sinewi_mode_weights weights;
    weights.count = 0;
    sinewi_mix_input input;
    input.clip = clip->data;
    input.time = time;
    input.weight = 1.0f;
    sinewi_mix_input_find_keys(&input, keys, SINEWI_MIX_KEYS, &weights, NULL, 0);
    input.sides = input.wraps = NULL;
    sinewi_mix mix = {.inputs = &input, .count = 1, .total = 1};
    mix.keys_found = input.key_count == clip->data->row_count;
    const sinewi_range all = {0, clip->skeleton->node_count}, lanes = {0, (int32_t)sinewi_padded(all.end)};
    sinewi_blend_to_pose(&mix, lanes, pose); // includes the padding, because a partial block would be copied
    sinewi_blend_to_weights(&mix, clip->skeleton, all, pose->weights);
}

// Only finds the first timeline's key in advance, because it is usually the only one. sinewi_sample_node finds the
// rest.
sinew_transform sinew_clip_sample_node(const sinew_clip *clip, float time, int32_t node) {
    assert(node >= 0 && node < clip->skeleton->node_count);
    sinewi_mix_input input = {.clip = clip->data, .time = time, .weight = 1.0f};
    sinewi_key key;
    sinewi_mode_weights no_weights;
    no_weights.count = SINEWI_MODE_WEIGHTS; // only a few strips are needed, so don't find all weights
    sinewi_mix_input_find_keys(&input, &key, 1, &no_weights, NULL, 0);
    float p[SINEWI_PLANES];
    sinewi_sample_node(&input, node, p);
    return (sinew_transform){
        {p[SINEWI_TX], p[SINEWI_TY], p[SINEWI_TZ]},
        {p[SINEWI_RX], p[SINEWI_RY], p[SINEWI_RZ], p[SINEWI_RW]},
        {p[SINEWI_SX], p[SINEWI_SY], p[SINEWI_SZ]},
    };
}
