// SPDX-License-Identifier: MIT
// Reads HIERARCHY: joints in braces, each with an OFFSET and CHANNELS. A joint is open until its closing brace.
// `current` is the innermost open joint, and its ancestors are the others, so nesting of any depth needs no stack.
#include "io/bvh_read.h"

#include <math.h>
#include <string.h>

#define MAX_NAME 255

// ---- Joints --------------------------------------------------------------------------------------------------

// Doubles the array. The arena keeps the old arrays, which are smaller in total.
static bool grow_joints(sinewi_bvh_import *b) {
    int32_t capacity = b->joint_capacity > 0 ? 2 * b->joint_capacity : 64;
    sinewi_bvh_joint *joints = sinewi_arena_array(&b->scratch, sinewi_bvh_joint, (size_t)capacity);
    if (!joints) return sinewi_bvh_fail_memory(b);
    if (b->joint_count > 0) memcpy(joints, b->joints, (size_t)b->joint_count * sizeof *joints);
    b->joints = joints;
    b->joint_capacity = capacity;
    return true;
}

// Reads a name. Control characters and bytes that aren't UTF-8 are kept as escapes.
static bool read_name(sinewi_bvh_import *b, const char **name) {
    char text[MAX_NAME + 1], escaped[4 * MAX_NAME + 1];
    sinewi_bvh_word word = sinewi_bvh_next_name(&b->text);
    if (word.length > MAX_NAME) {
        return sinewi_bvh_fail(b, word, SINEW_ERROR_LIMIT, "a name has more than %d bytes", MAX_NAME);
    }
    memcpy(text, word.text, word.length);
    text[word.length] = '\0';
    size_t length = sinew_escape(text, escaped, sizeof escaped);
    *name = sinewi_arena_string(&b->scratch, escaped, length);
    return *name || sinewi_bvh_fail_memory(b);
}

// Names a joint's End Site.
static bool make_tip_name(sinewi_bvh_import *b, const char *joint, const char **name) {
    static const char suffix[] = "_end";
    size_t length = strlen(joint);
    char *text = sinewi_arena_array(&b->scratch, char, length + sizeof suffix);
    if (!text) return sinewi_bvh_fail_memory(b);
    memcpy(text, joint, length);
    memcpy(text + length, suffix, sizeof suffix);
    *name = text;
    return true;
}

// Adds a joint and makes it the current one.
static bool add_joint(sinewi_bvh_import *b, const char *name, bool is_tip, int32_t *current) {
    sinewi_bvh_word brace = sinewi_bvh_next_word(&b->text);
    if (!sinewi_bvh_word_is(brace, "{")) return sinewi_bvh_fail_expected(b, brace, "{");
    if (b->joint_count == SINEW_MAX_NODES) {
        return sinewi_bvh_fail(b, brace, SINEW_ERROR_LIMIT, "more than %d joints", SINEW_MAX_NODES);
    }
    if (b->joint_count == b->joint_capacity && !grow_joints(b)) return false;
    b->joints[b->joint_count] = (sinewi_bvh_joint){.name = name, .parent = *current, .is_tip = is_tip};
    *current = b->joint_count++;
    return true;
}

static bool read_joint(sinewi_bvh_import *b, int32_t *current) {
    const char *name = NULL;
    return read_name(b, &name) && add_joint(b, name, false, current);
}

static bool read_end_site(sinewi_bvh_import *b, int32_t *current) {
    const char *name = "";
    sinewi_bvh_word site = sinewi_bvh_next_word(&b->text);
    if (!sinewi_bvh_word_is(site, "Site")) return sinewi_bvh_fail_expected(b, site, "Site");
    if (!read_name(b, &name)) return false; // most have none
    if (name[0] == '\0' && !make_tip_name(b, b->joints[*current].name, &name)) return false;
    return add_joint(b, name, true, current);
}

// ---- Properties ----------------------------------------------------------------------------------------------

static bool read_offset(sinewi_bvh_import *b, sinewi_bvh_word keyword, sinewi_bvh_joint *joint) {
    if (joint->has_offset) {
        return sinewi_bvh_fail(b, keyword, SINEW_ERROR_FORMAT, "'%s' has two OFFSETs", joint->name);
    }
    joint->has_offset = true;
    for (int i = 0; i < 3; i++) {
        if (!sinewi_bvh_next_number(b, &joint->offset[i])) return false;
    }
    return true;
}

static bool find_channel(sinewi_bvh_word word, uint8_t *channel) {
    static const char *const names[SINEWI_BVH_CHANNELS] = {"Xposition", "Yposition", "Zposition",
                                                           "Xrotation", "Yrotation", "Zrotation"};
    for (uint8_t i = 0; i < SINEWI_BVH_CHANNELS; i++) {
        *channel = i;
        if (sinewi_bvh_word_is(word, names[i])) return true;
    }
    return false;
}

static bool read_channel(sinewi_bvh_import *b, sinewi_bvh_joint *joint) {
    sinewi_bvh_word word = sinewi_bvh_next_word(&b->text);
    uint8_t channel;
    if (!find_channel(word, &channel)) return sinewi_bvh_fail_expected(b, word, "a channel such as Xrotation");
    // The same axis may come twice, like in Z X Z.
    for (uint8_t i = 0; i < joint->channel_count && channel < SINEWI_BVH_ROTATION_X; i++) {
        if (joint->channels[i] != channel) continue;
        return sinewi_bvh_fail(b, word, SINEW_ERROR_FORMAT, "'%s' has the channel %.*s twice", joint->name,
                               (int)word.length, word.text);
    }
    joint->channels[joint->channel_count++] = channel;
    b->channel_count++;
    return true;
}

static bool read_channels(sinewi_bvh_import *b, sinewi_bvh_word keyword, sinewi_bvh_joint *joint) {
    if (joint->channel_count > 0 || joint->is_tip) {
        return sinewi_bvh_fail(b, keyword, SINEW_ERROR_FORMAT, "'%s' has %s", joint->name,
                               joint->is_tip ? "CHANNELS, but is an End Site" : "CHANNELS twice");
    }
    sinewi_bvh_word word = sinewi_bvh_peek_word(&b->text);
    double count;
    if (!sinewi_bvh_next_number(b, &count)) return false;
    if (!(count >= 0.0 && count <= SINEWI_BVH_CHANNELS) || count != floor(count)) {
        return sinewi_bvh_fail(b, word, SINEW_ERROR_FORMAT, "'%s' has %g channels, not 0 to %d", joint->name, count,
                               SINEWI_BVH_CHANNELS);
    }
    for (int i = 0; i < (int)count; i++) {
        if (!read_channel(b, joint)) return false;
    }
    return true;
}

// ---- The hierarchy -------------------------------------------------------------------------------------------

static bool close_joint(sinewi_bvh_import *b, sinewi_bvh_word brace, int32_t *current) {
    const sinewi_bvh_joint *joint = &b->joints[*current];
    if (!joint->has_offset) return sinewi_bvh_fail(b, brace, SINEW_ERROR_FORMAT, "'%s' has no OFFSET", joint->name);
    *current = joint->parent;
    return true;
}

// Reads one element of the current joint, or a root.
static bool read_element(sinewi_bvh_import *b, sinewi_bvh_word word, int32_t *current) {
    bool is_open = *current != SINEW_NO_NODE, is_tip = is_open && b->joints[*current].is_tip;
    if (!is_open) {
        if (!sinewi_bvh_word_is(word, "ROOT")) return sinewi_bvh_fail_expected(b, word, "ROOT or MOTION");
        return read_joint(b, current);
    }
    if (sinewi_bvh_word_is(word, "}")) return close_joint(b, word, current);
    if (sinewi_bvh_word_is(word, "OFFSET")) return read_offset(b, word, &b->joints[*current]);
    if (sinewi_bvh_word_is(word, "CHANNELS")) return read_channels(b, word, &b->joints[*current]);
    if (sinewi_bvh_word_is(word, "JOINT") && !is_tip) return read_joint(b, current);
    if (sinewi_bvh_word_is(word, "End") && !is_tip) return read_end_site(b, current);
    return sinewi_bvh_fail_expected(b, word, is_tip ? "OFFSET or }" : "OFFSET, CHANNELS, JOINT, End Site or }");
}

bool sinewi_bvh_read_hierarchy(sinewi_bvh_import *b) {
    sinewi_bvh_word word = sinewi_bvh_next_word(&b->text);
    if (!sinewi_bvh_word_is(word, "HIERARCHY")) return sinewi_bvh_fail_expected(b, word, "HIERARCHY");
    int32_t current = SINEW_NO_NODE;
    for (word = sinewi_bvh_next_word(&b->text); current != SINEW_NO_NODE || !sinewi_bvh_word_is(word, "MOTION");
         word = sinewi_bvh_next_word(&b->text)) {
        if (!read_element(b, word, &current)) return false;
    }
    return b->joint_count > 0 || sinewi_bvh_fail_expected(b, word, "ROOT");
}

// ---- The skeleton --------------------------------------------------------------------------------------------

// The longest side of the box around all joints in the rest pose.
static bool measure_rest(sinewi_bvh_import *b, double *longest) {
    double low[3] = {0}, high[3] = {0};
    double(*positions)[3] =
        (double(*)[3])sinewi_arena_take(&b->scratch, (size_t)b->joint_count, sizeof *positions, sizeof(double));
    if (!positions) return sinewi_bvh_fail_memory(b);
    for (int32_t i = 0; i < b->joint_count; i++) {
        int32_t parent = b->joints[i].parent;
        for (int axis = 0; axis < 3; axis++) {
            // A root's offset is its place in the room.
            double p = parent < 0 ? 0.0 : positions[parent][axis] + b->joints[i].offset[axis];
            positions[i][axis] = p;
            low[axis] = p < low[axis] ? p : low[axis];
            high[axis] = p > high[axis] ? p : high[axis];
        }
    }
    *longest = 0.0;
    for (int axis = 0; axis < 3; axis++) *longest = fmax(*longest, high[axis] - low[axis]);
    return true;
}

// Guesses the unit from a person's height: the one that brings the length closest to 1.75 m in proportion.
static double unit_of(double longest) {
    static const struct {
        double below, metres;
    } units[] = {{7.0, 1.0}, {46.0, 0.0254 / 0.45}, {110.0, 0.0254}, {550.0, 0.01}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (longest < units[i].below) return units[i].metres;
    return 0.001;
}

bool sinewi_bvh_choose_scale(sinewi_bvh_import *b) {
    b->scale = (double)b->options.scale;
    if (b->scale > 0.0) return true;
    double longest = 0.0;
    if (!measure_rest(b, &longest)) return false;
    b->scale = unit_of(longest);
    sinewi_bvh_note(b, "the skeleton is %g units long, so one unit is assumed to be %g meters", longest, b->scale);
    return true;
}

static void fill_nodes(sinewi_bvh_import *b, sinew_node_def *nodes) {
    for (int32_t i = 0; i < b->joint_count; i++) {
        const sinewi_bvh_joint *joint = &b->joints[i];
        nodes[i] =
            (sinew_node_def){.name = joint->name, .parent = joint->parent, .rest = sinew_transform_identity()};
        nodes[i].rest.translation = sinewi_bvh_rest_translation(b, i);
    }
}

bool sinewi_bvh_make_skeleton(sinewi_bvh_import *b) {
    sinew_node_def *nodes = sinewi_arena_array(&b->scratch, sinew_node_def, (size_t)b->joint_count);
    if (!nodes) return sinewi_bvh_fail_memory(b);
    fill_nodes(b, nodes);
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = b->joint_count;
    def.nodes = nodes;
    def.allocator = sinewi_asset_allocator(b->data);
    sinew_skeleton *skeleton;
    sinew_error inner;
    sinew_result result = sinew_skeleton_create(&def, &skeleton, &inner);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_bvh_fail_memory(b);
    if (result != SINEW_OK) { // an offset beyond the float range
        sinewi_fail(b->error, SINEW_ERROR_FORMAT, "HIERARCHY: %s", inner.message);
        return false;
    }
    b->data->asset.skeleton = skeleton;
    return true;
}
