// SPDX-License-Identifier: MIT
// Draws the panels.
#include "view/panel.h"

#include "view/input.h"
#include "view/style.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- The list of clips ---------------------------------------------------------------------------------------

static float weight_of(const view_weight *weights, int count, int32_t clip) {
    float sum = 0.0f, weight = 0.0f;
    for (int i = 0; i < count; i++) {
        sum += weights[i].weight;
        if (weights[i].clip == clip) weight += weights[i].weight;
    }
    return sum > 0.0f ? weight / sum : 0.0f;
}

static void draw_row(view_canvas *canvas, const view_state *state, int clip, float weight) {
    const view_layout *l = &state->layout;
    const view_scene *scene = state->scene;
    const bool chosen = clip == scene->player.chosen;
    const view_rect r = {l->rows.x, l->rows.y + (clip - l->first) * l->row, l->rows.width, l->row};
    const int number = px(state, 30.0f), name = px(state, 40.0f);
    char text[16];
    if (view_rect_has(r, state->x, state->y) && state->drag == VIEW_DRAG_NONE) view_canvas_rect(canvas, r, HOVER);
    if (weight > 0.0f) {
        view_rect fill = {r.x, r.y, (int)lrintf((float)r.width * weight), r.height};
        view_canvas_rect(canvas, fill, faded(color_of(clip), 0.35f));
    }
    if (chosen) view_canvas_rect(canvas, (view_rect){r.x, r.y, px(state, 3.0f), r.height}, ACCENT);
    snprintf(text, sizeof text, "%d", clip + 1);
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, r.x + number, r.y, r.height, DIM, text);
    const char *clip_name = scene->asset->clips[clip].name;
    view_canvas_text(canvas, VIEW_FONT_TEXT, r.x + name, r.y, r.height, r.width - name - l->padding,
                     chosen ? ACCENT : TEXT, clip_name[0] ? clip_name : "(no name)");
}

static void draw_scroll_bar(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    if (l->visible >= l->clip_count) return;
    const float height = (float)l->rows.height, count = (float)l->clip_count;
    const int width = px(state, 3.0f), least = px(state, 16.0f);
    int length = (int)(height * (float)l->visible / count);
    if (length < least) length = least;
    const float scrolled = (float)l->first / (float)(l->clip_count - l->visible);
    const int y = l->rows.y + (int)(scrolled * (height - (float)length));
    view_canvas_rect(canvas, (view_rect){l->rows.x + l->rows.width - width - 1, y, width, length},
                     faded(TEXT, 0.4f));
}

// Writes nothing if the air is still and the springs are on, or if the file has no springs.
static void describe_springs(const view_scene *scene, char *text, size_t size) {
    const view_settings *settings = &scene->player.settings;
    text[0] = '\0';
    if (!scene->springs.springs) return;
    if (settings->keyed) snprintf(text, size, "springs off");
    if (!settings->keyed && settings->wind > 0.0f) snprintf(text, size, "wind %.0f m/s", (double)settings->wind);
}

static void draw_list(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    const view_player *player = &state->scene->player;
    const int line = px(state, 20.0f), x = l->list.x + l->padding, room = l->list.width - 2 * l->padding;
    const int y = l->list.y + px(state, 4.0f);
    char text[64];
    panel(canvas, state, l->list, BACK);
    view_canvas_text(canvas, VIEW_FONT_TEXT, x, y, line, room, TEXT, view_file_name(state->scene->path));
    snprintf(text, sizeof text, l->clip_count == 1 ? "%d clip" : "%d clips", l->clip_count);
    view_canvas_text(canvas, VIEW_FONT_SMALL, x, y + line, line, 0, DIM, l->clip_count ? text : "no clips");
    describe_springs(state->scene, text, sizeof text);
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, x + room, y + line, line, DIM, text);
    view_weight weights[VIEW_MAX_WEIGHTS];
    const int count = view_player_weights(player, weights);
    for (int i = l->first; i < l->first + l->visible && i < l->clip_count; i++) {
        draw_row(canvas, state, i, weight_of(weights, count, i));
    }
    draw_scroll_bar(canvas, state);
}

// ---- The timeline --------------------------------------------------------------------------------------------

static void draw_timeline_head(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    const view_player *player = &state->scene->player;
    const view_settings *s = &player->settings;
    const sinew_clip *clip = view_player_clip(player);
    const int height = l->bar.y - l->timeline.y, right = l->bar.x + l->bar.width, gap = px(state, 14.0f);
    char text[128];
    const int32_t loops = clip ? sinew_action_get(player->mixer, player->main).loops_done : 0;
    snprintf(text, sizeof text, "%s%.4g ×  ·  %s  ·  loop %d  ·  H: keys", s->backward ? "−" : "", (double)s->speed,
             view_loop_name(s->loop), (int)loops + 1);
    int x = right - view_canvas_text_width(canvas, VIEW_FONT_SMALL, text);
    view_canvas_text(canvas, VIEW_FONT_SMALL, x, l->timeline.y, height, 0, DIM, text);
    if (player->paused) {
        x -= gap;
        x -= view_canvas_text_right(canvas, VIEW_FONT_SMALL, x, l->timeline.y, height, ACCENT, "paused");
    }
    if (!clip) {
        view_canvas_text(canvas, VIEW_FONT_TEXT, l->bar.x, l->timeline.y, height, 0, DIM,
                         view_scene_acts(state->scene) ? "graph" : "rest pose");
        return;
    }
    snprintf(text, sizeof text, "%.2f / %.2f s", (double)view_player_time(player), (double)clip->duration);
    const int room = x - l->bar.x - 2 * gap - view_canvas_text_width(canvas, VIEW_FONT_SMALL, "00.00 / 00.00 s");
    const int width = view_canvas_text(canvas, VIEW_FONT_TEXT, l->bar.x, l->timeline.y, height,
                                       room > gap ? room : gap, ACCENT, clip->name[0] ? clip->name : "(no name)");
    view_canvas_text(canvas, VIEW_FONT_SMALL, l->bar.x + width + gap, l->timeline.y, height, 0, TEXT, text);
}

// Returns the time between ticks, in seconds, that leaves `least` pixels for a label.
static float tick_step(float duration, int width, int least) {
    static const float steps[] = {0.05f, 0.1f, 0.25f, 0.5f, 1.0f, 2.0f, 5.0f, 10.0f, 30.0f, 60.0f, 300.0f};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (steps[i] / duration * (float)width >= (float)least) return steps[i];
    }
    return duration;
}

// Draws ticks and labels. Leaves out labels under the playhead.
static void draw_ticks(view_canvas *canvas, const view_state *state, float duration) {
    const view_rect b = state->layout.bar;
    const int head = b.x + (int)(view_player_time(&state->scene->player) / duration * (float)b.width);
    const float step = tick_step(duration, b.width, px(state, 90.0f));
    for (int i = 1; step * (float)i < duration && i < 200; i++) {
        char text[16];
        const int x = b.x + (int)lrintf(step * (float)i / duration * (float)b.width);
        view_canvas_rect(canvas, (view_rect){x, b.y, px(state, 1.0f), b.height}, faded(TEXT, 0.15f));
        snprintf(text, sizeof text, "%.4g", (double)(step * (float)i));
        const int end = x + px(state, 36.0f);
        if (end > b.x + b.width || (head > x - px(state, 10.0f) && head < end)) continue;
        view_canvas_text(canvas, VIEW_FONT_SMALL, x + px(state, 4.0f), b.y, b.height, 0, faded(DIM, 0.8f), text);
    }
}

// Draws the playhead, with an arrow in the direction of time.
static void draw_head(view_canvas *canvas, const view_state *state, float fraction) {
    const view_player *player = &state->scene->player;
    const view_rect b = state->layout.bar;
    const float s = state->scale, x = (float)b.x + fraction * (float)b.width,
                y = (float)b.y + 0.5f * (float)b.height;
    view_canvas_line(canvas, x, (float)b.y - 2.0f * s, x, (float)(b.y + b.height) + 2.0f * s, 2.0f * s, ACCENT);
    const bool left = player->settings.backward != player->returning;
    const view_point tip = {x + (left ? -8.0f : 8.0f) * s, y};
    const view_point high = {x + (left ? -2.0f : 2.0f) * s, y - 4.0f * s};
    const view_point low = {high.x, y + 4.0f * s};
    if (left) view_canvas_triangle(canvas, tip, high, low, ACCENT);
    if (!left) view_canvas_triangle(canvas, high, tip, low, ACCENT);
}

static void draw_bar(view_canvas *canvas, const view_state *state) {
    const view_rect b = state->layout.bar;
    const view_player *player = &state->scene->player;
    const sinew_clip *clip = view_player_clip(player);
    view_canvas_rect(canvas, b, INSET);
    if (!clip || !(clip->duration > 0.0f)) return;
    const float fraction = view_player_time(player) / clip->duration;
    view_canvas_rect(canvas, (view_rect){b.x, b.y, (int)lrintf(fraction * (float)b.width), b.height},
                     faded(ACCENT, 0.28f));
    draw_ticks(canvas, state, clip->duration);
    draw_head(canvas, state, fraction);
}

// ---- Markers -------------------------------------------------------------------------------------------------

static int marker_x(const view_state *state, const sinew_clip *clip, int32_t marker) {
    const view_rect b = state->layout.bar;
    return b.x + (int)lrintf(clip->markers[marker].time / clip->duration * (float)b.width);
}

// Returns the end of the markers at the same pixel as `first`.
static int32_t markers_end(const view_state *state, const sinew_clip *clip, int32_t first) {
    int32_t end = first + 1;
    while (end < clip->marker_count && marker_x(state, clip, end) == marker_x(state, clip, first)) end++;
    return end;
}

static const char *marker_name(const sinew_marker *marker) {
    return marker->name[0] ? marker->name : "(no name)";
}

// Highlights a marker for a quarter of a second after it was passed.
static view_color marker_color(const view_player *player, const sinew_clip *clip, int32_t first, int32_t end) {
    static const float lit = 0.25f; // seconds
    for (int i = 0; i < player->event_count; i++) {
        const sinew_marker *passed = player->events[i].marker;
        if (passed >= clip->markers + first && passed < clip->markers + end && player->events[i].age < lit) {
            return ACCENT;
        }
    }
    return TEXT;
}

// Draws a marker's name to the right of its tick if it fits before the next one, or else to the left if it fits there.
// Otherwise the name only shows under the pointer. `*taken` is the previous name's right end.
static void draw_marker_name(view_canvas *canvas, const view_state *state, int x, int next, const char *text,
                             view_color color, int *taken) {
    const view_rect r = state->layout.markers;
    const int inset = px(state, 5.0f), width = view_canvas_text_width(canvas, VIEW_FONT_SMALL, text);
    int from = x + inset;
    if (from + width > next - inset) from = x - inset - width;
    if (from < *taken || from < r.x) return;
    view_canvas_text(canvas, VIEW_FONT_SMALL, from, r.y, r.height, 0, faded(color, 0.8f), text);
    *taken = from + width + inset;
}

static void draw_markers(view_canvas *canvas, const view_state *state) {
    const view_rect r = state->layout.markers;
    const view_player *player = &state->scene->player;
    const sinew_clip *clip = view_player_clip(player);
    const float s = state->scale;
    if (!clip || !(clip->duration > 0.0f)) return;
    int taken = r.x;
    for (int32_t i = 0, end; i < clip->marker_count; i = end) {
        char text[96];
        const int x = marker_x(state, clip, i);
        end = markers_end(state, clip, i);
        const view_color color = marker_color(player, clip, i, end);
        const view_point tip = {(float)x, (float)r.y - 3.0f * s},
                         left = {(float)x - 4.0f * s, (float)r.y + 5.0f * s}, right = {(float)x + 4.0f * s, left.y};
        view_canvas_triangle(canvas, tip, right, left, color);
        const int next = end < clip->marker_count ? marker_x(state, clip, end) : r.x + r.width + px(state, 5.0f);
        snprintf(text, sizeof text, "%.80s", marker_name(&clip->markers[i]));
        if (end > i + 1)
            snprintf(text, sizeof text, "%.80s +%d", marker_name(&clip->markers[i]), (int)(end - i - 1));
        draw_marker_name(canvas, state, x, next, text, color, &taken);
    }
}

// Returns the marker under the pointer (the nearest if there are several), or -1.
static int32_t marker_under(const view_state *state, const sinew_clip *clip) {
    const view_layout *l = &state->layout;
    const view_rect r = {l->bar.x - l->padding, l->bar.y, l->bar.width + 2 * l->padding,
                         l->bar.height + l->markers.height};
    float nearest = 6.0f * state->scale;
    int32_t found = -1;
    if (!view_rect_has(r, state->x, state->y) || state->drag != VIEW_DRAG_NONE) return -1;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        const float away = fabsf((float)marker_x(state, clip, i) - state->x);
        if (!(away < nearest)) continue;
        nearest = away;
        found = i;
    }
    return found;
}

// Draws all names at a tick above it, with their times.
static void draw_marker_under(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    const sinew_clip *clip = view_player_clip(&state->scene->player);
    const int32_t first = clip && clip->duration > 0.0f ? marker_under(state, clip) : -1;
    if (first < 0) return;
    char text[256];
    size_t used = 0;
    for (int32_t i = first; i < markers_end(state, clip, first) && used < sizeof text; i++) {
        const sinew_marker *marker = &clip->markers[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.60s  %.3f s", i > first ? "  ·  " : "",
                                 marker_name(marker), (double)marker->time);
    }
    const int pad = px(state, 7.0f), height = px(state, 20.0f);
    const int width = view_canvas_text_width(canvas, VIEW_FONT_SMALL, text) + 2 * pad;
    int x = marker_x(state, clip, first) - width / 2;
    if (x + width > l->timeline.x + l->timeline.width) x = l->timeline.x + l->timeline.width - width;
    if (x < l->timeline.x) x = l->timeline.x;
    const view_rect r = {x, l->bar.y - height - px(state, 3.0f), width, height};
    panel(canvas, state, r, TIP);
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + pad, r.y, r.height, 0, TEXT, text);
}

// ---- Events --------------------------------------------------------------------------------------------------

static void describe_event(const view_event *event, char *text, size_t size) {
    const char *clip = event->clip->name[0] ? event->clip->name : "(no name)";
    switch (event->type) {
    case SINEW_EVENT_MARKER:
        snprintf(text, size, "%.60s %.2f s", marker_name(event->marker), (double)event->marker->time);
        break;
    case SINEW_EVENT_LOOPED:
        snprintf(text, size, "%.60s looped", clip);
        break;
    case SINEW_EVENT_FINISHED:
        snprintf(text, size, "%.60s finished", clip);
        break;
    }
}

// Draws the last events, the newest at the right. Each has its clip's color and gets fainter with age. Leaves out
// events that would overlap the list.
static void draw_events(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    const view_player *player = &state->scene->player;
    const int height = px(state, 22.0f), pad = px(state, 8.0f), swatch = px(state, 7.0f), gap = px(state, 6.0f);
    const int y = l->timeline.y - l->margin - height, least = l->list.x + l->list.width + l->margin;
    int x = l->width - l->margin;
    for (int i = 0; i < player->event_count; i++) {
        const view_event *event = &player->events[i];
        const float strength = view_event_strength(event) * (i == 0 ? 1.0f : 0.75f);
        char text[96];
        describe_event(event, text, sizeof text);
        const int width = view_canvas_text_width(canvas, VIEW_FONT_SMALL, text) + swatch + gap + 2 * pad;
        if (!(strength > 0.0f) || x - width < least) break;
        x -= width;
        panel(canvas, state, (view_rect){x, y, width, height}, faded(BACK, strength));
        view_canvas_rect(canvas, (view_rect){x + pad, y + (height - swatch) / 2, swatch, swatch},
                         faded(color_of(view_player_number(player, event->clip)), strength));
        view_canvas_text(canvas, VIEW_FONT_SMALL, x + pad + swatch + gap, y, height, 0, faded(TEXT, strength),
                         text);
        x -= px(state, 4.0f);
    }
}

static void draw_timeline(view_canvas *canvas, const view_state *state) {
    panel(canvas, state, state->layout.timeline, BACK);
    draw_timeline_head(canvas, state);
    draw_bar(canvas, state);
    draw_markers(canvas, state);
    draw_marker_under(canvas, state);
}

// ---- Status --------------------------------------------------------------------------------------------------

static void draw_action_line(view_canvas *canvas, const view_state *state, view_rect r, sinew_action action,
                             float sum) {
    const view_player *player = &state->scene->player;
    const sinew_action_state now = sinew_action_get(player->mixer, action);
    const int swatch = px(state, 9.0f), numbers = px(state, 104.0f);
    char text[64];
    view_canvas_rect(canvas, (view_rect){r.x, r.y + (r.height - swatch) / 2, swatch, swatch},
                     color_of(view_player_number(player, now.clip)));
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + 2 * swatch, r.y, r.height, r.width - 2 * swatch - numbers, TEXT,
                     now.clip->name[0] ? now.clip->name : "(no name)");
    snprintf(text, sizeof text, "%.2f s   %3.0f %%", (double)now.time,
             sum > 0.0f ? 100.0 * (double)(now.weight / sum) : 0.0);
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, r.x + r.width, r.y, r.height, TEXT, text);
}

// Draws the status and returns where it ends.
static int draw_status(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    const view_scene *scene = state->scene;
    const int right = l->width - l->margin, row = px(state, 19.0f);
    const int free = right - l->margin - l->list.x - l->list.width;
    const int width = free < px(state, 264.0f) ? free : px(state, 264.0f);
    sinew_action actions[VIEW_MAX_WEIGHTS];
    const int count = view_player_actions(&scene->player, actions);
    float sum = 0.0f;
    for (int i = 0; i < count; i++) sum += sinew_action_weight(scene->player.mixer, actions[i]);
    const int crowd = (int)scene->crowd.def.count;
    const view_rect r = {right - width, l->margin, width, (2 + (crowd > 0) + count) * row + l->padding};
    view_rect line = {r.x + l->padding, r.y + l->padding / 2, width - 2 * l->padding, row};
    char text[96];
    panel(canvas, state, r, BACK);
    snprintf(text, sizeof text, "%.1f ms per frame, %.1f ms busy", 1000.0 * (double)state->seconds_a_frame,
             1000.0 * (double)state->busy_a_frame);
    view_canvas_text(canvas, VIEW_FONT_SMALL, line.x, line.y, row, line.width, DIM, text);
    line.y += row;
    snprintf(text, sizeof text, "%d vertices, %d nodes", (int)scene->vertices.count,
             (int)scene->asset->skeleton->node_count);
    view_canvas_text(canvas, VIEW_FONT_SMALL, line.x, line.y, row, line.width, DIM, text);
    if (crowd > 0) {
        line.y += row;
        snprintf(text, sizeof text, "crowd: %d, %s", crowd, scene->crowd.bake ? "baked" : "each with a mixer");
        view_canvas_text(canvas, VIEW_FONT_SMALL, line.x, line.y, row, line.width, DIM, text);
    }
    for (int i = 0; i < count; i++) {
        line.y += row;
        draw_action_line(canvas, state, line, actions[i], sum);
    }
    return r.y + r.height;
}

// ---- The act -------------------------------------------------------------------------------------------------

// Draws the graph's states and its rig's steps, with bars for their weights. They're below the status, if that's shown.
static void draw_act(view_canvas *canvas, const view_state *state, int top) {
    const view_layout *l = &state->layout;
    const int width = px(state, 176.0f), row = px(state, 19.0f);
    view_act_line lines[VIEW_ACT_LINES];
    const int count = state->scene->act->describe(state->scene->playing, lines);
    const view_rect r = {l->width - l->margin - width, top, width, count * row + l->padding};
    panel(canvas, state, r, BACK);
    for (int i = 0; i < count; i++) {
        const view_rect line = {r.x + l->padding, r.y + l->padding / 2 + i * row, width - 2 * l->padding, row};
        const float weight = lines[i].weight;
        char text[16];
        const view_rect fill = {line.x, line.y, (int)lrintf((float)line.width * fmaxf(weight, 0.0f)), line.height};
        if (weight > 0.0f) view_canvas_rect(canvas, fill, faded(ACCENT, 0.28f));
        const int inset = px(state, 4.0f);
        view_canvas_text(canvas, VIEW_FONT_SMALL, line.x + inset, line.y, row, line.width - inset,
                         weight == 0.0f ? DIM : TEXT, lines[i].text);
        if (weight < 0.0f) continue;
        snprintf(text, sizeof text, "%.2f", (double)weight);
        view_canvas_text_right(canvas, VIEW_FONT_SMALL, line.x + line.width - inset, line.y, row, DIM, text);
    }
}

// ---- Keys ----------------------------------------------------------------------------------------------------

enum { KEY_ROWS_HIGH = 20, KEYS_WIDE = 612 };

static int count_keys(void) {
    int count = 0;
    while (view_keys[count].keys) count++;
    return count;
}

static int key_rows(void) {
    return (count_keys() + 1) / 2;
}

// Returns the height of a row. It's smaller in a low window. `rest` is the height that other content takes.
static int key_row(const view_state *state, int rest) {
    const int room = state->height - rest, rows = key_rows(), least = px(state, 15.0f);
    int row = px(state, (float)KEY_ROWS_HIGH);
    while (row > least && rows * row > room) row--;
    return row;
}

// Draws all keys in two columns from (x, y).
static void draw_keys(view_canvas *canvas, const view_state *state, int x, int y, int row) {
    const int count = count_keys(), half = key_rows();
    const int column = px(state, (float)KEYS_WIDE / 2.0f), what = px(state, 120.0f);
    for (int i = 0; i < count; i++) {
        const int left = x + (i < half ? 0 : column), top = y + i % half * row;
        view_canvas_text(canvas, VIEW_FONT_SMALL, left, top, row, what, ACCENT, view_keys[i].keys);
        view_canvas_text(canvas, VIEW_FONT_SMALL, left + what, top, row, column - what, TEXT, view_keys[i].what);
    }
}

static void draw_help(view_canvas *canvas, const view_state *state) {
    const int pad = px(state, 18.0f), head = px(state, 34.0f), foot = px(state, 12.0f);
    int width = px(state, (float)KEYS_WIDE) + pad;
    if (width > state->width - 2 * state->layout.margin) width = state->width - 2 * state->layout.margin;
    const int under = state->height - state->layout.timeline.y, row = key_row(state, head + foot + under);
    const int height = head + key_rows() * row + foot;
    const int room = state->layout.timeline.y - height; // keep the timeline visible
    const view_rect r = {(state->width - width) / 2, room > 0 ? room / 2 : 0, width, height};
    panel(canvas, state, r, BACK_SOLID);
    view_canvas_text(canvas, VIEW_FONT_TEXT, r.x + pad, r.y, head, 0, TEXT, "Keys and mouse");
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, r.x + r.width - pad, r.y, head, DIM, "H: close");
    draw_keys(canvas, state, r.x + pad, r.y + head, row);
}

// ---- Without a file ------------------------------------------------------------------------------------------

// Draws a dashed line that starts and ends with a dash, to close corners.
static void draw_dashed_line(view_canvas *canvas, const view_state *state, view_point a, view_point b) {
    const float dash = 9.0f * state->scale, length = fabsf(b.x - a.x) + fabsf(b.y - a.y);
    const int count = 2 * (int)(0.5f * length / dash) + 1;
    const float x = (b.x - a.x) / (float)count, y = (b.y - a.y) / (float)count;
    for (int i = 0; i < count; i += 2) {
        view_canvas_line(canvas, a.x + x * (float)i, a.y + y * (float)i, a.x + x * (float)(i + 1),
                         a.y + y * (float)(i + 1), 2.0f * state->scale, faded(BACK_SOLID, 0.5f));
    }
}

static void draw_dashes(view_canvas *canvas, const view_state *state, view_rect r) {
    const view_point corners[5] = {{(float)r.x, (float)r.y},
                                   {(float)(r.x + r.width), (float)r.y},
                                   {(float)(r.x + r.width), (float)(r.y + r.height)},
                                   {(float)r.x, (float)(r.y + r.height)},
                                   {(float)r.x, (float)r.y}};
    for (int i = 0; i < 4; i++) draw_dashed_line(canvas, state, corners[i], corners[i + 1]);
}

static void centered(view_canvas *canvas, const view_state *state, view_font font, int y, int height,
                     view_color color, const char *text) {
    const int x = (state->width - view_canvas_text_width(canvas, font, text)) / 2;
    view_canvas_text(canvas, font, x, y, height, 0, color, text);
}

static void draw_welcome(view_canvas *canvas, const view_state *state) {
    const int pad = px(state, 18.0f), drop = px(state, 108.0f);
    const int row = key_row(state, drop + 3 * pad + px(state, 20.0f)), keys = key_rows() * row + 2 * pad;
    int width = px(state, (float)KEYS_WIDE) + pad;
    if (width > state->width - 2 * px(state, 10.0f)) width = state->width - 2 * px(state, 10.0f);
    const int x = (state->width - width) / 2, y = (state->height - drop - pad - keys) / 2;
    const view_color ink = {32, 36, 44, 255};
    draw_dashes(canvas, state, (view_rect){x, y, width, drop});
    centered(canvas, state, VIEW_FONT_TITLE, y + px(state, 14.0f), px(state, 44.0f), ink, "Drop a .glb here");
    centered(canvas, state, VIEW_FONT_TEXT, y + px(state, 62.0f), px(state, 24.0f), faded(ink, 0.7f),
             "or a .gltf, or start with: sinew view FILE");
    const view_rect r = {x, y + drop + pad, width, keys};
    panel(canvas, state, r, BACK);
    draw_keys(canvas, state, r.x + pad, r.y + pad, row);
}

// ---- Messages ------------------------------------------------------------------------------------------------

int view_wrap(const char *text, int width, view_measure measure, const void *user, int most, int *starts,
              int *lengths) {
    char line[256];
    int count = 0, start = 0;
    const int end = (int)strlen(text);
    while (start < end && count < most) {
        int length = 0, broken = 0; // bytes that fit, and how many of them are before the last space
        for (int i = 1; start + i <= end && i < (int)sizeof line; i++) {
            if ((text[start + i] & 0xc0) == 0x80) continue; // in the middle of a character
            memcpy(line, text + start, (size_t)i);
            line[i] = '\0';
            if (measure(user, line) > width && length > 0) break;
            length = i;
            if (text[start + i] == ' ' || text[start + i] == '\0') broken = i;
        }
        if (broken > 0 && start + length < end) length = broken;
        starts[count] = start;
        lengths[count++] = length;
        start += length;
        while (text[start] == ' ') start++;
    }
    return count;
}

static int measure_text(const void *user, const char *text) {
    return view_canvas_text_width(user, VIEW_FONT_TEXT, text);
}

static void draw_message(view_canvas *canvas, const view_state *state) {
    enum { MAX_LINES = 4 };
    const float strength = view_state_message_strength(state);
    if (!(strength > 0.0f)) return;
    const view_layout *l = &state->layout;
    const int left = l->list.width > 0 ? l->list.x + l->list.width : 0, row = px(state, 20.0f);
    const int pad = px(state, 14.0f), bottom = l->timeline.height > 0 ? l->timeline.y : state->height;
    int width = state->width - left - 2 * l->margin;
    if (width > px(state, 560.0f)) width = px(state, 560.0f);
    int starts[MAX_LINES], lengths[MAX_LINES];
    const int count = view_wrap(state->message, width - 2 * pad, measure_text, canvas, MAX_LINES, starts, lengths);
    const int height = count * row + pad;
    const view_rect r = {left + (state->width - left - width) / 2, bottom - l->margin - height, width, height};
    panel(canvas, state, r, faded(BACK_SOLID, strength));
    view_canvas_rect(canvas, (view_rect){r.x, r.y + pad / 2, px(state, 3.0f), r.height - pad},
                     faded(WRONG, strength));
    for (int i = 0; i < count; i++) {
        char line[256];
        snprintf(line, sizeof line, "%.*s", lengths[i], state->message + starts[i]);
        view_canvas_text(canvas, VIEW_FONT_TEXT, r.x + pad, r.y + pad / 2 + i * row, row, 0, faded(TEXT, strength),
                         line);
    }
}

// ---- All of them ---------------------------------------------------------------------------------------------

void view_panels_draw(view_canvas *canvas, const view_state *state) {
    if (view_state_has_file(state)) {
        draw_list(canvas, state);
        draw_timeline(canvas, state);
        draw_events(canvas, state);
        const int top = state->toggles.status ? draw_status(canvas, state) : 0;
        if (view_scene_acts(state->scene)) draw_act(canvas, state, top + state->layout.margin);
        if (state->toggles.help) draw_help(canvas, state);
    } else {
        draw_welcome(canvas, state);
    }
    draw_message(canvas, state);
}
