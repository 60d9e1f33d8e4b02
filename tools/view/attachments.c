// SPDX-License-Identifier: MIT
// Selecting, attaching and detaching files.
#include "view/attachments.h"

#include <stdio.h>

static const sinew_scene_node NONE = {0, 0, 0};

static bool exists(const view_state *state, sinew_scene_node node) {
    return state->scene->scene && sinew_scene_has(state->scene->scene, node);
}

// Whether a node is a playing character. Root motion moves those, so that they cannot be attached.
static bool is_player(const view_state *state, sinew_scene_node node) {
    const sinew_scene_node *players = state->scene->player.nodes;
    return sinew_scene_node_equals(node, players[0]) || sinew_scene_node_equals(node, players[1]);
}

static bool is_movable(const view_state *state, sinew_scene_node node) {
    return exists(state, node) && !is_player(state, node);
}

// ---- The text of the rows ------------------------------------------------------------------------------------

bool view_attachments_name(const view_state *state, sinew_scene_node node, char *text, size_t size) {
    text[0] = '\0';
    if (!exists(state, node)) return false;
    const char *file = view_file_name(view_scene_actor(state->scene, node)->path);
    const char *name = sinew_scene_name(state->scene->scene, node);
    if (node.joint == SINEW_NO_NODE) {
        snprintf(text, size, "%.90s", file);
    } else if (name[0]) {
        snprintf(text, size, "%.60s of %.30s", name, file);
    } else {
        snprintf(text, size, "node %d of %.60s", (int)node.joint, file);
    }
    return true;
}

static sinew_scene_node parent_of(const view_state *state, sinew_scene_node node) {
    return exists(state, node) ? sinew_scene_parent(state->scene->scene, node) : NONE;
}

void view_attachments_describe(const view_state *state, view_attachments_row row, view_attachments_line *line) {
    static const char *const labels[][2] = {
        [VIEW_ATTACHMENTS_SELECTED] = {"Selected", ""}, [VIEW_ATTACHMENTS_JOINT] = {"Joint", ""},
        [VIEW_ATTACHMENTS_ATTACH] = {"Attach to", "V"}, [VIEW_ATTACHMENTS_DETACH] = {"Detach", "D"},
        [VIEW_ATTACHMENTS_SWAP] = {"Swap with", "X"},   [VIEW_ATTACHMENTS_REMOVE] = {"Remove", "Del"}};
    const bool can_move = is_movable(state, state->selected);
    line->label = labels[row][0];
    line->key = labels[row][1];
    switch (row) {
    case VIEW_ATTACHMENTS_SELECTED:
        line->on = view_attachments_name(state, state->selected, line->value, sizeof line->value);
        if (!line->on) snprintf(line->value, sizeof line->value, "click a file");
        break;
    case VIEW_ATTACHMENTS_JOINT:
    case VIEW_ATTACHMENTS_ATTACH:
        line->on = view_attachments_name(state, state->joint, line->value, sizeof line->value);
        if (!line->on) snprintf(line->value, sizeof line->value, "click a joint");
        line->on = line->on &&
                   (row == VIEW_ATTACHMENTS_JOINT || (can_move && state->joint.index != state->selected.index));
        break;
    case VIEW_ATTACHMENTS_DETACH:
        line->on = view_attachments_name(state, parent_of(state, state->selected), line->value, sizeof line->value);
        if (!line->on) snprintf(line->value, sizeof line->value, "not attached");
        break;
    case VIEW_ATTACHMENTS_SWAP:
        line->on = view_attachments_name(state, state->before, line->value, sizeof line->value);
        if (!line->on) snprintf(line->value, sizeof line->value, "select two files");
        line->on = line->on && can_move && is_movable(state, state->before);
        break;
    case VIEW_ATTACHMENTS_REMOVE:
        line->on = view_attachments_name(state, state->selected, line->value, sizeof line->value);
        break;
    case VIEW_ATTACHMENTS_ROWS:
        break;
    }
}

// ---- Selecting -----------------------------------------------------------------------------------------------

void view_attachments_select(view_state *state, sinew_scene_node node) {
    if (sinew_scene_node_equals(node, state->selected)) return;
    state->before = state->selected;
    state->selected = node;
}

void view_attachments_click(view_state *state, bool joint_only) {
    if (!state->scene->scene) return;
    const draw_camera camera = view_orbit_camera(&state->orbit);
    const sinew_ray ray = draw_camera_ray(&camera, state->x / (float)state->width, state->y / (float)state->height);
    sinew_scene_hit hit;
    state->changed = true;
    if (!sinew_scene_pick(state->scene->scene, ray, SINEW_PICK_TRIANGLES, &hit)) {
        state->selected = state->before = state->joint = NONE;
        return;
    }
    const sinew_scene_node instance = sinew_scene_joint(hit.node, SINEW_NO_NODE);
    const bool is_target = is_player(state, instance) && is_movable(state, state->selected);
    state->joint = hit.node;
    if (!joint_only && !is_target) view_attachments_select(state, instance);
}

// ---- Actions -------------------------------------------------------------------------------------------------

static void attach(view_state *state) {
    sinew_scene *scene = state->scene->scene;
    if (!is_movable(state, state->selected)) {
        view_state_show_message(
            state, "Nothing to attach: click the file, then the joint. The playing character cannot be attached.");
    } else if (!exists(state, state->joint) ||
               sinew_scene_set_parent(scene, state->selected, state->joint, SINEW_REPARENT_KEEP_LOCAL, NULL) !=
                   SINEW_OK) {
        view_state_show_message(
            state, "No joint to attach to: click a joint of another file that is not attached to this one.");
    } else {
        sinew_scene_set_transform(scene, state->selected, sinew_transform_identity());
    }
}

static void swap(view_state *state) {
    const bool good = is_movable(state, state->selected) && is_movable(state, state->before) &&
                      sinew_scene_swap(state->scene->scene, state->selected, state->before, NULL) == SINEW_OK;
    if (!good)
        view_state_show_message(state, "Nothing to swap: click two files that are not attached to each other.");
}

static void remove_file(view_state *state) {
    if (!exists(state, state->selected)) {
        view_state_show_message(state, "No file is selected to remove: click it first.");
        return;
    }
    view_scene_remove(state->scene, state->selected);
    state->selected = exists(state, state->before) ? state->before : NONE;
    state->before = NONE;
    view_state_arrange(state);
}

void view_attachments_act(view_state *state, view_attachments_row row) {
    if (state->scene->actor_count == 0) return;
    view_state_show_attachments(state, true);
    state->changed = true;
    switch (row) {
    case VIEW_ATTACHMENTS_ATTACH:
        attach(state);
        break;
    case VIEW_ATTACHMENTS_DETACH:
        if (parent_of(state, state->selected).generation != 0)
            sinew_scene_detach(state->scene->scene, state->selected, SINEW_REPARENT_KEEP_WORLD);
        break;
    case VIEW_ATTACHMENTS_SWAP:
        swap(state);
        break;
    case VIEW_ATTACHMENTS_REMOVE:
        remove_file(state);
        break;
    case VIEW_ATTACHMENTS_SELECTED:
    case VIEW_ATTACHMENTS_JOINT:
    case VIEW_ATTACHMENTS_ROWS:
        break;
    }
    view_scene_advance(state->scene, 0.0f);
    if (state->framed) view_state_frame(state);
}
