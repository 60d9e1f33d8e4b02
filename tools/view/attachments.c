// Selecting, hanging up and taking off.
#include "view/attachments.h"

#include <stdio.h>

static const sinew_scene_node NONE = {0, 0, 0};

static bool is_there(const view_state *state, sinew_scene_node node) {
    return state->scene->scene && sinew_scene_has(state->scene->scene, node);
}

// What plays stands where root motion brings it, and hangs on nothing.
static bool plays(const view_state *state, sinew_scene_node node) {
    const sinew_scene_node *players = state->scene->player.nodes;
    return sinew_scene_node_equals(node, players[0]) || sinew_scene_node_equals(node, players[1]);
}

static bool is_movable(const view_state *state, sinew_scene_node node) {
    return is_there(state, node) && !plays(state, node);
}

// ---- What the lines say --------------------------------------------------------------------------------------

bool view_things_name(const view_state *state, sinew_scene_node node, char *text, size_t size) {
    text[0] = '\0';
    if (!is_there(state, node)) return false;
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

static sinew_scene_node hangs_on(const view_state *state, sinew_scene_node node) {
    return is_there(state, node) ? sinew_scene_parent(state->scene->scene, node) : NONE;
}

void view_things_describe(const view_state *state, view_thing_row row, view_thing_line *line) {
    static const char *const labels[][2] = {
        [VIEW_THING_SELECTED] = {"Selected", ""}, [VIEW_THING_JOINT] = {"Joint", ""},
        [VIEW_THING_HANG] = {"Hang it on", "V"},  [VIEW_THING_TAKE_OFF] = {"Take it off", "D"},
        [VIEW_THING_SWAP] = {"Swap with", "X"},   [VIEW_THING_REMOVE] = {"Remove it", "Del"}};
    const bool is_loose = is_movable(state, state->selected);
    line->label = labels[row][0];
    line->key = labels[row][1];
    switch (row) {
    case VIEW_THING_SELECTED:
        line->on = view_things_name(state, state->selected, line->value, sizeof line->value);
        if (!line->on) snprintf(line->value, sizeof line->value, "click a file");
        break;
    case VIEW_THING_JOINT:
    case VIEW_THING_HANG:
        line->on = view_things_name(state, state->joint, line->value, sizeof line->value);
        if (!line->on) snprintf(line->value, sizeof line->value, "click a joint");
        line->on =
            line->on && (row == VIEW_THING_JOINT || (is_loose && state->joint.index != state->selected.index));
        break;
    case VIEW_THING_TAKE_OFF:
        line->on = view_things_name(state, hangs_on(state, state->selected), line->value, sizeof line->value);
        if (!line->on) snprintf(line->value, sizeof line->value, "it stands alone");
        break;
    case VIEW_THING_SWAP:
        line->on = view_things_name(state, state->before, line->value, sizeof line->value);
        if (!line->on) snprintf(line->value, sizeof line->value, "the one before");
        line->on = line->on && is_loose && is_movable(state, state->before);
        break;
    case VIEW_THING_REMOVE:
        line->on = view_things_name(state, state->selected, line->value, sizeof line->value);
        break;
    case VIEW_THING_ROWS:
        break;
    }
}

// ---- Selecting -----------------------------------------------------------------------------------------------

void view_things_select(view_state *state, sinew_scene_node node) {
    if (sinew_scene_node_equals(node, state->selected)) return;
    state->before = state->selected;
    state->selected = node;
}

void view_things_click(view_state *state, bool joint_only) {
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
    const bool is_place = plays(state, instance) && is_movable(state, state->selected);
    state->joint = hit.node;
    if (!joint_only && !is_place) view_things_select(state, instance);
}

// ---- What they do --------------------------------------------------------------------------------------------

static void hang_up(view_state *state) {
    sinew_scene *scene = state->scene->scene;
    if (!is_movable(state, state->selected)) {
        view_state_say(state, "Click the file that is to hang somewhere, and then the joint.");
    } else if (!is_there(state, state->joint) ||
               sinew_scene_set_parent(scene, state->selected, state->joint, SINEW_REPARENT_KEEP_LOCAL, NULL) !=
                   SINEW_OK) {
        view_state_say(state,
                       "Click the joint on which it is to hang: one of another file, that does not hang on it.");
    } else {
        sinew_scene_set_transform(scene, state->selected, sinew_transform_identity());
    }
}

static void swap(view_state *state) {
    const bool good = is_movable(state, state->selected) && is_movable(state, state->before) &&
                      sinew_scene_swap(state->scene->scene, state->selected, state->before, NULL) == SINEW_OK;
    if (!good) view_state_say(state, "Click one file and then another, neither of which hangs on the other.");
}

static void remove_it(view_state *state) {
    if (!is_there(state, state->selected)) {
        view_state_say(state, "Click the file that is to go.");
        return;
    }
    view_scene_remove(state->scene, state->selected);
    state->selected = is_there(state, state->before) ? state->before : NONE;
    state->before = NONE;
    view_state_arrange(state);
}

void view_things_act(view_state *state, view_thing_row row) {
    if (state->scene->actor_count == 0) return;
    view_state_show_things(state, true);
    state->changed = true;
    switch (row) {
    case VIEW_THING_HANG:
        hang_up(state);
        break;
    case VIEW_THING_TAKE_OFF:
        if (hangs_on(state, state->selected).generation != 0)
            sinew_scene_detach(state->scene->scene, state->selected, SINEW_REPARENT_KEEP_WORLD);
        break;
    case VIEW_THING_SWAP:
        swap(state);
        break;
    case VIEW_THING_REMOVE:
        remove_it(state);
        break;
    case VIEW_THING_SELECTED:
    case VIEW_THING_JOINT:
    case VIEW_THING_ROWS:
        break;
    }
    view_scene_advance(state->scene, 0.0f);
    if (state->framed) view_state_frame(state);
}
