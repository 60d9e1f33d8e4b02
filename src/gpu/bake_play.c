// Playing animation textures: time, what a GPU is told of it, and what it makes of that.
#include "core/wrap.h"
#include "gpu/bake_object.h"
#include "gpu/half.h"

#include <assert.h>
#include <float.h>

// ---- Time ----------------------------------------------------------------------------------------------------

sinew_bake_state sinew_bake_play(int32_t clip) {
    return (sinew_bake_state){
        .tracks = {{.clip = clip, .loop = SINEW_LOOP_REPEAT, .speed = 1.0f}, {.clip = -1}},
    };
}

static float zero_to_one(float number) {
    if (!(number > 0.0f)) return 0.0f;
    return number < 1.0f ? number : 1.0f;
}

static bool has_second(const sinew_bake_state *state) {
    return state->tracks[1].clip >= 0;
}

float sinew_bake_blend_of(const sinew_bake_state *state) {
    return has_second(state) ? zero_to_one(state->blend) : 0.0f;
}

static void keep_second(sinew_bake_state *state) {
    state->tracks[0] = state->tracks[1];
}

static void drop_second(sinew_bake_state *state) {
    state->tracks[1] = (sinew_bake_track){.clip = -1};
    state->blend = state->blend_rate = 0.0f;
}

void sinew_bake_fade_to(sinew_bake_state *state, int32_t clip, float duration) {
    assert(state && clip >= 0 && isfinite(duration));
    bool cuts = !(duration > 0.0f);
    if (has_second(state) && state->blend > 0.5f) keep_second(state);
    drop_second(state);
    state->tracks[cuts ? 0 : 1] = sinew_bake_play(clip).tracks[0];
    if (!cuts) state->blend_rate = 1.0f / duration;
}

static const sinew_bake_clip *clip_of(const sinew_bake *bake, const sinew_bake_track *track) {
    assert(track->clip >= 0 && track->clip < bake->clip_count);
    return &bake->clips[track->clip];
}

static double clamped(double time, double end) {
    if (!(time > 0.0)) return 0.0;
    return time < end ? time : end;
}

// Where the loop of a track brings a time: into one duration, or the two of a way there and back.
static double looped(const sinew_bake_track *track, double time, double duration) {
    if (track->loop == SINEW_LOOP_ONCE) return clamped(time, duration);
    return sinew_wrapped(time, track->loop == SINEW_LOOP_PING_PONG ? 2.0 * duration : duration);
}

// As in a mixer, what has been put at the end is there until it moves on.
sinew_bake_place sinew_bake_place_of(const sinew_bake *bake, const sinew_bake_track *track) {
    float duration = clip_of(bake, track)->clip->duration;
    if (track->time >= 0.0f && track->time <= duration) return (sinew_bake_place){track->time, false};
    double phase = looped(track, (double)track->time, (double)duration), back = 2.0 * (double)duration - phase;
    bool backward = phase > (double)duration;
    return (sinew_bake_place){(float)(backward ? back : phase), backward};
}

static void advance_track(const sinew_bake *bake, sinew_bake_track *track, float dt) {
    double way = (double)dt * (double)track->speed;
    if (way == 0.0) return;
    track->time = (float)looped(track, (double)track->time + way, (double)clip_of(bake, track)->clip->duration);
}

void sinew_bake_advance(const sinew_bake *bake, sinew_bake_state *state, float dt) {
    assert(bake && state);
    assert(dt >= 0.0f && dt <= FLT_MAX);
    advance_track(bake, &state->tracks[0], dt);
    if (!has_second(state)) return;
    advance_track(bake, &state->tracks[1], dt);
    state->blend = zero_to_one(state->blend + state->blend_rate * dt);
    if (state->blend_rate > 0.0f && state->blend == 1.0f) {
        keep_second(state);
        drop_second(state);
    } else if (state->blend_rate < 0.0f && state->blend == 0.0f) {
        drop_second(state);
    }
}

// ---- What a GPU is told --------------------------------------------------------------------------------------

// Between two neighbours among all frames, or twice on the only one of a clip.
typedef struct moment {
    int32_t frames[2];
    float fraction; // how far from the first to the second
} moment;

static moment moment_of(const sinew_bake *bake, const sinew_bake_track *track) {
    const sinew_bake_clip *clip = clip_of(bake, track);
    int32_t last = clip->frame_count - 1;
    if (last == 0) return (moment){{clip->first_frame, clip->first_frame}, 0.0f};
    double time = (double)sinew_bake_place_of(bake, track).time;
    double place = time / (double)clip->clip->duration * (double)last;
    int32_t frame = (int32_t)place < last ? (int32_t)place : last - 1;
    int32_t first = clip->first_frame + frame;
    return (moment){{first, first + 1}, (float)(place - (double)frame)};
}

void sinew_bake_write(const sinew_bake *bake, const sinew_bake_state *state, float *out) {
    assert(bake && state && out);
    moment first = moment_of(bake, &state->tracks[0]);
    moment second = has_second(state) ? moment_of(bake, &state->tracks[1]) : first;
    float blend = sinew_bake_blend_of(state), rest = 1.0f - blend;
    float of_first = rest * first.fraction, of_second = blend * second.fraction;
    int32_t texels = SINEW_BAKE_ROWS * bake->joint_count;
    out[0] = (float)(first.frames[0] * texels);
    out[1] = (float)(first.frames[1] * texels);
    out[2] = (float)(second.frames[0] * texels);
    out[3] = (float)(second.frames[1] * texels);
    out[4] = rest - of_first;
    out[5] = of_first;
    out[6] = blend - of_second;
    out[7] = of_second;
}

// ---- What it makes of that -----------------------------------------------------------------------------------

static float number_at(const sinew_bake *bake, size_t index) {
    if (bake->format == SINEW_BAKE_FLOAT) return ((const float *)bake->texels)[index];
    return sinew_float_of_half(((const sinew_half *)bake->texels)[index]);
}

// In the order of the shader's sums.
static sinew_affine matrix_of(const sinew_bake *bake, const float texels[8], int32_t joint) {
    sinew_affine sum = {{{0.0f}}};
    float *numbers = sum.m[0];
    int count = texels[6] == 0.0f && texels[7] == 0.0f ? 2 : 4;
    for (int f = 0; f < count; f++) {
        size_t first = 4 * ((size_t)texels[f] + SINEW_BAKE_ROWS * (size_t)joint);
        for (size_t i = 0; i < 12; i++) numbers[i] += texels[4 + f] * number_at(bake, first + i);
    }
    return sum;
}

void sinew_bake_palette(const sinew_bake *bake, const sinew_bake_state *state, sinew_affine *palette) {
    assert(palette);
    float texels[8];
    sinew_bake_write(bake, state, texels);
    for (int32_t i = 0; i < bake->joint_count; i++) palette[i] = matrix_of(bake, texels, i);
}

// ---- How far off it is ---------------------------------------------------------------------------------------

// What rounding may take away, of all that is added up for a vertex: 16 sums and products in each of two ways to it.
#define ROUNDING (32.0f / 16777216.0f)

typedef struct difference {
    float square; // of the longest
    float reach;  // the most that is added up for one coordinate
} difference;

// The matrices' difference is linear, so what is furthest off in a box is one of its corners.
static void look_at_box(const sinew_box *box, const sinew_affine *a, const sinew_affine *b, difference *most) {
    const float corners[2][3] = {{box->min.x, box->min.y, box->min.z}, {box->max.x, box->max.y, box->max.z}};
    for (int corner = 0; corner < 8; corner++) {
        float square = 0.0f;
        for (int r = 0; r < 3; r++) {
            float off = a->m[r][3] - b->m[r][3], reach = fabsf(b->m[r][3]);
            for (int c = 0; c < 3; c++) {
                float at = corners[corner >> c & 1][c];
                off += (a->m[r][c] - b->m[r][c]) * at;
                reach += fabsf(b->m[r][c] * at);
            }
            square += off * off;
            most->reach = reach > most->reach ? reach : most->reach;
        }
        most->square = square <= most->square ? most->square : square <= FLT_MAX ? square : INFINITY;
    }
}

static sinew_affine exact_matrix(const sinew_bake *bake, const sinew_affine *model, int32_t joint) {
    const sinew_affine *node = &model[sinew_bake_node(bake, joint)];
    if (joint >= sinew_bake_skin_joints(bake)) return *node;
    return sinew_affine_multiply(*node, bake->asset->skins[bake->skin].inverse_binds[joint]);
}

float sinew_bake_distance(const sinew_bake *bake, const sinew_bake_state *state, const sinew_affine *model) {
    assert(bake && state && model);
    const sinew_bake_object *object = (const sinew_bake_object *)bake;
    float texels[8];
    sinew_bake_write(bake, state, texels);
    difference most = {0.0f, 0.0f};
    for (int32_t i = 0; i < bake->joint_count; i++) {
        if (sinew_box_is_empty(object->boxes[i])) continue;
        sinew_affine baked = matrix_of(bake, texels, i), exact = exact_matrix(bake, model, i);
        look_at_box(&object->boxes[i], &baked, &exact, &most);
    }
    return sqrtf(most.square) + ROUNDING * most.reach;
}
