// SPDX-License-Identifier: MIT
// Sinew's crowd and the textbook's: each character's clips, and the stages of a frame.
#include <sinew/mixer_pose.h>

#include "bench/crowd.h"

#include <math.h>
#include <string.h>

static const float frame = 1.0f / 60.0f;
static const float fade = 1e6f; // seconds; longer than any measurement

// ---- What each character plays, whoever plays it -----------------------------------------------------------------

// Returns the fractional part of a multiple of an irrational number. It's evenly distributed in [0, 1) and the same in
// every run.
static float spread(int32_t number, double step) {
    double whole;
    return (float)modf((double)(number + 1) * step, &whole);
}

typedef struct part {
    int32_t clip;
    float phase; // of the clip
    float speed;
    float weight;      // current weight
    float full_weight; // weight when the fade ends
} part;

static void choose_parts(const bench_world *world, int32_t character, bench_playing playing, part parts[2]) {
    float mix = bench_crowd_mix(character);
    parts[0].clip = character % world->clip_count;
    parts[1].clip = (character * 7 + 3) % world->clip_count;
    if (parts[1].clip == parts[0].clip) parts[1].clip = (parts[1].clip + 1) % world->clip_count;
    parts[0].phase = spread(character, 0.61803398875);
    parts[1].phase = spread(character, 0.75487766625);
    parts[0].weight = 1.0f - mix, parts[0].full_weight = 0.0f;
    parts[1].weight = mix, parts[1].full_weight = 1.0f;
    parts[0].speed = parts[1].speed = playing == BENCH_BACKWARD ? -1.0f : 1.0f;
}

float bench_crowd_mix(int32_t character) {
    return 0.2f + 0.6f * spread(character, 0.56984029099);
}

// Returns the clip's next time for the stage `sample`.
static float next_time(bench_crowd *crowd, int32_t character, float duration) {
    float time = crowd->times[character] + frame;
    if (time >= duration) time -= duration;
    crowd->times[character] = time;
    return time;
}

static bench_crowd *start_crowd(const bench_world *world, int32_t count) {
    bench_crowd *crowd = bench_allocate(1, sizeof *crowd);
    crowd->world = world;
    crowd->count = count;
    crowd->random.state = 1;
    crowd->times = bench_allocate((size_t)count, sizeof *crowd->times);
    for (int32_t i = 0; i < count; i++) {
        crowd->times[i] = spread(i, 0.61803398875) * world->clips[i % world->clip_count]->duration;
    }
    return crowd;
}

void bench_crowd_destroy(bench_crowd *crowd) {
    if (!crowd) return;
    for (int32_t i = 0; crowd->items && i < crowd->count; i++) sinew_mixer_destroy(crowd->items[i].mixer);
    bench_release(crowd->times);
    bench_release(crowd->items);
    bench_release(crowd->actions);
    bench_release(crowd->palettes);
    bench_release(crowd->played);
    bench_release(crowd->poses);
    bench_release(crowd->worlds);
    bench_release(crowd->mat4s);
    bench_release(crowd->uploaded);
    bench_release(crowd->scratch);
    bench_release(crowd);
}

// ---- Sinew's side ----------------------------------------------------------------------------------------------

sinew_mixer_def bench_mixer_def(const bench_world *world, int32_t actions, size_t *bytes) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = world->skeleton;
    def.max_actions = actions;
    def.allocator = bench_counting_allocator(bytes);
    return def;
}

static sinew_action play_part(const bench_world *world, sinew_mixer *mixer, const part *p, bool paused) {
    const sinew_clip *clip = world->clips[p->clip];
    sinew_play_def def = sinew_play_default();
    def.time = p->phase * clip->duration;
    def.speed = p->speed;
    def.weight = p->weight;
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(clip), &def);
    if (paused) {
        sinew_action_set_paused(mixer, action, true);
    } else {
        sinew_action_fade_to(mixer, action, p->full_weight, fade);
    }
    return action;
}

static bool start_character(bench_crowd *crowd, int32_t character, bench_playing playing,
                            const sinew_mixer_def *def) {
    const bench_world *world = crowd->world;
    sinew_batch_item *item = &crowd->items[character];
    item->skin = world->skin;
    item->palette = crowd->palettes + (size_t)character * (size_t)world->skin->joint_count;
    if (sinew_mixer_create(def, &item->mixer, NULL) != SINEW_OK) return false;
    part parts[2];
    choose_parts(world, character, playing, parts);
    for (int p = 0; p < 2; p++) {
        crowd->actions[2 * character + p] = play_part(world, item->mixer, &parts[p], playing == BENCH_PAUSED);
    }
    return true;
}

bench_crowd *bench_crowd_create(const bench_world *world, int32_t count, bench_playing playing) {
    bench_crowd *crowd = start_crowd(world, count);
    crowd->items = bench_allocate((size_t)count, sizeof *crowd->items);
    crowd->actions = bench_allocate(2 * (size_t)count, sizeof *crowd->actions);
    size_t joints = (size_t)world->skin->joint_count;
    crowd->palettes = bench_allocate((size_t)count * joints, sizeof *crowd->palettes);
    crowd->uploaded = bench_allocate((size_t)count * joints, sizeof *crowd->palettes);
    sinew_mixer_def def = bench_mixer_def(world, 2, &crowd->mixer_bytes);
    for (int32_t i = 0; i < count; i++) {
        if (start_character(crowd, i, playing, &def)) continue;
        bench_crowd_destroy(crowd);
        return NULL;
    }
    bench_crowd_everything(crowd, 0, count); // touch all memory, and make sure there are poses
    return crowd;
}

void bench_crowd_sample(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        const sinew_clip *clip = crowd->world->clips[i % crowd->world->clip_count];
        sinew_clip_sample(clip, next_time(crowd, i, clip->duration), sinew_mixer_edit_pose(crowd->items[i].mixer));
    }
}

void bench_crowd_blend(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        sinew_mixer_advance(crowd->items[i].mixer, frame);
        sinew_mixer_evaluate(crowd->items[i].mixer);
    }
}

void bench_crowd_model(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) sinew_mixer_to_model(crowd->items[i].mixer);
}

void bench_crowd_palette(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        const sinew_batch_item *item = &crowd->items[i];
        sinew_skin_palette(item->skin, sinew_mixer_model_matrices(item->mixer), item->palette);
    }
}

void bench_crowd_upload(bench_crowd *crowd, int32_t first, int32_t count) {
    size_t joints = (size_t)crowd->world->skin->joint_count;
    sinew_affine *to = crowd->uploaded;
    for (int32_t i = first; i < first + count; i++) {
        memcpy(to + (size_t)i * joints, crowd->items[i].palette, joints * sizeof *to);
    }
}

void bench_crowd_everything(bench_crowd *crowd, int32_t first, int32_t count) {
    sinew_batch_update(crowd->items, first, count, frame);
}

void bench_crowd_palettes(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) crowd->items[i].palette_only = true;
    bench_crowd_everything(crowd, first, count);
}

void bench_crowd_streamed(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) crowd->items[i].stream_palette = true;
    bench_crowd_palettes(crowd, first, count);
}

void bench_crowd_seek(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = 2 * first; i < 2 * (first + count); i++) {
        sinew_mixer *mixer = crowd->items[i / 2].mixer;
        float duration = sinew_action_get(mixer, crowd->actions[i]).clip->duration;
        sinew_action_set_time(mixer, crowd->actions[i], bench_random_float(&crowd->random, 0.0f, duration));
    }
    bench_crowd_everything(crowd, first, count);
}

// ---- The textbook's side -----------------------------------------------------------------------------------------

bench_crowd *textbook_crowd_create(const bench_world *world, int32_t count, bench_playing playing) {
    bench_crowd *crowd = start_crowd(world, count);
    size_t bones = (size_t)world->textbook->bone_count, joints = (size_t)world->textbook->joint_count;
    crowd->played = bench_allocate(2 * (size_t)count, sizeof *crowd->played);
    crowd->poses = bench_allocate((size_t)count * bones, sizeof *crowd->poses);
    crowd->worlds = bench_allocate((size_t)count * bones, sizeof *crowd->worlds);
    crowd->mat4s = bench_allocate((size_t)count * joints, sizeof *crowd->mat4s);
    crowd->uploaded = bench_allocate((size_t)count * joints, sizeof *crowd->mat4s);
    crowd->scratch = bench_allocate(2 * bones, sizeof *crowd->scratch);
    for (int32_t i = 0; i < count; i++) {
        part parts[2];
        choose_parts(world, i, playing, parts);
        for (int p = 0; p < 2; p++) {
            const textbook_clip *clip = world->textbook_clips[parts[p].clip];
            crowd->played[2 * i + p] = (textbook_action){
                .clip = clip,
                .time = parts[p].phase * clip->duration,
                .speed = parts[p].speed,
                .paused = playing == BENCH_PAUSED,
                .weight = parts[p].weight,
                .fade_from = parts[p].weight,
                .fade_to = parts[p].full_weight,
                .fade_duration = playing == BENCH_PAUSED ? 0.0f : fade, // 0 for no fade
            };
        }
    }
    textbook_crowd_everything(crowd, 0, count);
    return crowd;
}

// Returns the first of a character's two actions.
static textbook_action *actions_of(const bench_crowd *crowd, int32_t character) {
    return crowd->played + 2 * (ptrdiff_t)character;
}

static sinew_transform *pose_of(const bench_crowd *crowd, int32_t character) {
    return crowd->poses + (size_t)character * (size_t)crowd->world->textbook->bone_count;
}

static sinew_mat4 *world_of(const bench_crowd *crowd, int32_t character) {
    return crowd->worlds + (size_t)character * (size_t)crowd->world->textbook->bone_count;
}

void textbook_crowd_sample(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        const textbook_clip *clip = crowd->world->textbook_clips[i % crowd->world->clip_count];
        textbook_sample(crowd->world->textbook, clip, next_time(crowd, i, clip->duration), pose_of(crowd, i));
    }
}

void textbook_crowd_blend(bench_crowd *crowd, int32_t first, int32_t count) {
    const textbook_skeleton *skeleton = crowd->world->textbook;
    sinew_transform *a = crowd->scratch, *b = crowd->scratch + skeleton->bone_count;
    for (int32_t i = first; i < first + count; i++) {
        textbook_action *from = actions_of(crowd, i), *to = from + 1;
        textbook_advance(from, frame);
        textbook_advance(to, frame);
        textbook_sample(skeleton, from->clip, from->time, a);
        textbook_sample(skeleton, to->clip, to->time, b);
        float t = to->weight / (from->weight + to->weight);
        textbook_blend(a, b, t, skeleton->bone_count, pose_of(crowd, i));
    }
}

void textbook_crowd_model(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        textbook_world_matrices(crowd->world->textbook, pose_of(crowd, i), world_of(crowd, i));
    }
}

void textbook_crowd_palette(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        sinew_mat4 *palette = crowd->mat4s + (size_t)i * (size_t)crowd->world->textbook->joint_count;
        textbook_palette(crowd->world->textbook, world_of(crowd, i), palette);
    }
}

void textbook_crowd_upload(bench_crowd *crowd, int32_t first, int32_t count) {
    size_t joints = (size_t)crowd->world->textbook->joint_count;
    sinew_mat4 *to = crowd->uploaded;
    for (int32_t i = first; i < first + count; i++) {
        memcpy(to + (size_t)i * joints, crowd->mat4s + (size_t)i * joints, joints * sizeof *to);
    }
}

void textbook_crowd_everything(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        textbook_crowd_blend(crowd, i, 1);
        textbook_crowd_model(crowd, i, 1);
        textbook_crowd_palette(crowd, i, 1);
    }
}

void textbook_crowd_seek(bench_crowd *crowd, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        for (textbook_action *action = actions_of(crowd, i); action < actions_of(crowd, i + 1); action++) {
            action->time = bench_random_float(&crowd->random, 0.0f, action->clip->duration);
        }
        textbook_crowd_everything(crowd, i, 1);
    }
}
