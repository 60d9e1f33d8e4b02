// SPDX-License-Identifier: MIT
// Plays animation textures: advances states, writes the texels of a GPU record, and computes blended
// matrices on the CPU.
//
// A state has two tracks, each one of the texture's clips at a time in seconds. `blend` is the second track's
// weight. A track's time falls between two frames of the texture. The record holds the first texels and weights of
// these up to four frames.
#include "base/wrap.h"
#include "gpu/bake_object.h"
#include "gpu/gpu_half.h"

#include <assert.h>
#include <float.h>

// ---- Time ----------------------------------------------------------------------------------------------------

sinew_bake_state sinew_bake_play(int32_t clip) {
    return (sinew_bake_state){
        .tracks = {{.clip = clip, .loop = SINEW_LOOP_REPEAT, .speed = 1.0f}, {.clip = -1}},
    };
}

static float clamp_to_unit_interval(float number) {
    if (!(number > 0.0f)) return 0.0f;
    return number < 1.0f ? number : 1.0f;
}

static bool has_second_track(const sinew_bake_state *state) {
    return state->tracks[1].clip >= 0;
}

float sinewi_bake_blend(const sinew_bake_state *state) {
    return has_second_track(state) ? clamp_to_unit_interval(state->blend) : 0.0f;
}

// Leaves only the first track.
static void drop_second_track(sinew_bake_state *state) {
    state->tracks[1] = (sinew_bake_track){.clip = -1};
    state->blend = state->blend_rate = 0.0f;
}

// Starts a clip as the second track and blends it in over `duration` seconds. Whichever track weighed more so far
// stays as the first.
void sinew_bake_fade_to(sinew_bake_state *state, int32_t clip, float duration) {
    assert(state && clip >= 0 && isfinite(duration));
    bool is_cut = !(duration > 0.0f);
    if (has_second_track(state) && state->blend > 0.5f) state->tracks[0] = state->tracks[1];
    drop_second_track(state);
    state->tracks[is_cut ? 0 : 1] = sinew_bake_play(clip).tracks[0];
    if (!is_cut) state->blend_rate = 1.0f / duration;
}

static const sinew_bake_clip *get_track_clip(const sinew_bake *bake, const sinew_bake_track *track) {
    assert(track->clip >= 0 && track->clip < bake->clip_count);
    return &bake->clips[track->clip];
}

// Clamps or wraps a time by the track's loop mode: to one duration, or two for SINEW_LOOP_PING_PONG.
static double clamp_or_wrap(const sinew_bake_track *track, double time, double duration) {
    if (track->loop == SINEW_LOOP_ONCE) {
        if (!(time > 0.0)) return 0.0;
        return time < duration ? time : duration;
    }
    return sinewi_wrapped(time, track->loop == SINEW_LOOP_PING_PONG ? 2.0 * duration : duration);
}

// Like in a mixer, a time at the clip's end means the end, not the start, until the track advances.
sinewi_bake_time sinewi_bake_track_time(const sinew_bake *bake, const sinew_bake_track *track) {
    float duration = get_track_clip(bake, track)->clip->duration;
    if (track->time >= 0.0f && track->time <= duration) return (sinewi_bake_time){track->time, false};
    double phase = clamp_or_wrap(track, (double)track->time, (double)duration),
           back = 2.0 * (double)duration - phase;
    bool backward = phase > (double)duration;
    return (sinewi_bake_time){(float)(backward ? back : phase), backward};
}

static void advance_track(const sinew_bake *bake, sinew_bake_track *track, float dt) {
    double step = (double)dt * (double)track->speed;
    if (step == 0.0) return;
    track->time = (float)clamp_or_wrap(track, (double)track->time + step,
                                       (double)get_track_clip(bake, track)->clip->duration);
}

// Advances both tracks and the blend by dt seconds. A fully blended track becomes the first.
void sinew_bake_advance(const sinew_bake *bake, sinew_bake_state *state, float dt) {
    assert(bake && state);
    assert(dt >= 0.0f && dt <= FLT_MAX);
    advance_track(bake, &state->tracks[0], dt);
    if (!has_second_track(state)) return;
    advance_track(bake, &state->tracks[1], dt);
    state->blend = clamp_to_unit_interval(state->blend + state->blend_rate * dt);
    if (state->blend_rate > 0.0f && state->blend == 1.0f) {
        state->tracks[0] = state->tracks[1];
        drop_second_track(state);
    } else if (state->blend_rate < 0.0f && state->blend == 0.0f) {
        drop_second_track(state);
    }
}

// ---- Texels of a record --------------------------------------------------------------------------------------

// The two frames of the texture around a time. For a clip with one frame they are the same.
typedef struct frame_pair {
    int32_t frames[2];
    float fraction; // of the second frame, 0 to 1
} frame_pair;

// Finds the frames around the track's time.
static frame_pair find_frames(const sinew_bake *bake, const sinew_bake_track *track) {
    const sinew_bake_clip *clip = get_track_clip(bake, track);
    int32_t last = clip->frame_count - 1;
    if (last == 0) return (frame_pair){{clip->first_frame, clip->first_frame}, 0.0f};
    double time = (double)sinewi_bake_track_time(bake, track).time;
    double position = time / (double)clip->clip->duration * (double)last;
    int32_t frame = (int32_t)position < last ? (int32_t)position : last - 1;
    int32_t first = clip->first_frame + frame;
    return (frame_pair){{first, first + 1}, (float)(position - (double)frame)};
}

// Writes eight floats: the first texel of each of four frames, then their weights, which sum to 1.
void sinew_bake_write(const sinew_bake *bake, const sinew_bake_state *state, float *out) {
    assert(bake && state && out);
    frame_pair first = find_frames(bake, &state->tracks[0]);
    frame_pair second = has_second_track(state) ? find_frames(bake, &state->tracks[1]) : first;
    float blend = sinewi_bake_blend(state), rest = 1.0f - blend;
    float first_next = rest * first.fraction, second_next = blend * second.fraction;
    int32_t texels = SINEWI_BAKE_ROWS * bake->joint_count;
    out[0] = (float)(first.frames[0] * texels);
    out[1] = (float)(first.frames[1] * texels);
    out[2] = (float)(second.frames[0] * texels);
    out[3] = (float)(second.frames[1] * texels);
    out[4] = rest - first_next;
    out[5] = first_next;
    out[6] = blend - second_next;
    out[7] = second_next;
}

// ---- Matrices ------------------------------------------------------------------------------------------------

static float read_texture_number(const sinew_bake *bake, size_t index) {
    if (bake->format == SINEW_BAKE_FLOAT) return ((const float *)bake->texels)[index];
    return sinewi_float_from_half(((const sinewi_half *)bake->texels)[index]);
}

// Blends a joint's matrix in the order of the shader's sums. `texels` comes from sinew_bake_write.
static sinew_affine blend_matrix(const sinew_bake *bake, const float texels[8], int32_t joint) {
    sinew_affine sum = {{{0.0f}}};
    float *numbers = sum.m[0];
    int count = texels[6] == 0.0f && texels[7] == 0.0f ? 2 : 4;
    for (int f = 0; f < count; f++) {
        size_t first = 4 * ((size_t)texels[f] + SINEWI_BAKE_ROWS * (size_t)joint);
        for (size_t i = 0; i < 12; i++) numbers[i] += texels[4 + f] * read_texture_number(bake, first + i);
    }
    return sum;
}

void sinew_bake_palette(const sinew_bake *bake, const sinew_bake_state *state, sinew_affine *palette) {
    assert(palette);
    float texels[8];
    sinew_bake_write(bake, state, texels);
    for (int32_t i = 0; i < bake->joint_count; i++) palette[i] = blend_matrix(bake, texels, i);
}

// ---- Distance from a pose ------------------------------------------------------------------------------------

// Largest relative rounding error of a vertex: 16 sums and products in each of its two computations.
#define ROUNDING (32.0f / 16777216.0f)

typedef struct matrix_difference {
    float square; // of the largest distance, squared
    float sum;    // largest sum of a coordinate's absolute terms
} matrix_difference;

// Raises the difference to the difference of two matrices over a box. It's linear, so it's largest at a corner.
static void raise_difference(const sinew_box *box, const sinew_affine *a, const sinew_affine *b,
                             matrix_difference *largest) {
    const float corners[2][3] = {{box->min.x, box->min.y, box->min.z}, {box->max.x, box->max.y, box->max.z}};
    for (int corner = 0; corner < 8; corner++) {
        float square = 0.0f;
        for (int r = 0; r < 3; r++) {
            float distance = a->m[r][3] - b->m[r][3], sum = fabsf(b->m[r][3]);
            for (int c = 0; c < 3; c++) {
                float coordinate = corners[corner >> c & 1][c];
                distance += (a->m[r][c] - b->m[r][c]) * coordinate;
                sum += fabsf(b->m[r][c] * coordinate);
            }
            square += distance * distance;
            largest->sum = sum > largest->sum ? sum : largest->sum;
        }
        largest->square = square <= largest->square ? largest->square : square <= FLT_MAX ? square : INFINITY;
    }
}

// The matrix that the pose gives a joint of the texture.
static sinew_affine get_exact_matrix(const sinew_bake *bake, const sinew_affine *model, int32_t joint) {
    const sinew_affine *node = &model[sinewi_bake_node(bake, joint)];
    if (joint >= sinewi_bake_skin_joints(bake)) return *node;
    return sinew_affine_multiply(*node, bake->asset->skins[bake->skin].inverse_binds[joint]);
}

// Largest distance of any vertex between the texture's state and a pose's model matrices, in meters in model space.
// Includes a margin for rounding.
float sinew_bake_distance(const sinew_bake *bake, const sinew_bake_state *state, const sinew_affine *model) {
    assert(bake && state && model);
    const sinewi_bake_object *object = (const sinewi_bake_object *)bake;
    float texels[8];
    sinew_bake_write(bake, state, texels);
    matrix_difference largest = {0.0f, 0.0f};
    for (int32_t i = 0; i < bake->joint_count; i++) {
        if (sinew_box_is_empty(object->boxes[i])) continue;
        sinew_affine baked = blend_matrix(bake, texels, i), exact = get_exact_matrix(bake, model, i);
        raise_difference(&object->boxes[i], &baked, &exact, &largest);
    }
    return sqrtf(largest.square) + ROUNDING * largest.sum;
}
