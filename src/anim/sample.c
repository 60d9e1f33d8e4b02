// One clip at one time: a pose, or a node of it.
#include "anim/sample.h"

#include <assert.h>

int32_t sinew_share_find_keys(sinew_share *share, sinew_key *keys, int32_t room, uint32_t *hints,
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
    assert(pose->skeleton == clip->skeleton);
    sinew_key keys[SINEW_MIX_KEYS];
    sinew_share share;
    share.clip = clip->data;
    share.time = time;
    share.weight = 1.0f;
    sinew_share_find_keys(&share, keys, SINEW_MIX_KEYS, NULL, 0);
    sinew_mix mix = {&share, 1, share.key_count == clip->data->row_count};
    sinew_range all = {0, clip->skeleton->node_count};
    sinew_mix_to_pose(&mix, all, pose);
    sinew_mix_to_weights(&mix, clip->skeleton, all, pose->weights);
}

// By way of its block: the lanes beside it cost nothing, and what comes out has the bits of the whole pose. No keys are
// found beforehand: the block's strips find the few that they need.
sinew_transform sinew_clip_sample_node(const sinew_clip *clip, float time, int32_t node) {
    assert(node >= 0 && node < clip->skeleton->node_count);
    sinew_share share = {.clip = clip->data, .time = time, .weight = 1.0f};
    sinew_share_find_keys(&share, NULL, 0, NULL, 0);
    sinew_mix mix = {&share, 1, false};
    sinew_block block;
    float *out[SINEW_PLANES];
    for (int i = 0; i < SINEW_PLANES; i++) out[i] = block.lane[i];
    size_t at = (size_t)node / SINEW_LANES, lane = (size_t)node % SINEW_LANES;
    sinew_kernels_used()->mix_to_pose(&mix, at, at + 1, out);
    return (sinew_transform){
        {out[SINEW_TX][lane], out[SINEW_TY][lane], out[SINEW_TZ][lane]},
        {out[SINEW_RX][lane], out[SINEW_RY][lane], out[SINEW_RZ][lane], out[SINEW_RW][lane]},
        {out[SINEW_SX][lane], out[SINEW_SY][lane], out[SINEW_SZ][lane]},
    };
}
