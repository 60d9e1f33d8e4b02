// SPDX-License-Identifier: MIT
// A scene's nodes: handles, links between parents and children, the update order, and dirty marks.
//
// In the update order, each node's slot comes after its parent's slot. So one pass computes all world matrices. A node
// that moves below a later one moves to the end and leaves a gap. Gaps are closed when the slots run out. A slot is
// dirty if its node needs a new world matrix. It has a bit, and a summary has a bit for each word of 64 that isn't 0.
#include "scene/scene_state.h"

// ---- Handles ---------------------------------------------------------------------------------------------------

sinew_scene_node sinewi_scene_handle(const sinew_scene *scene, int32_t index, int32_t joint) {
    if (index == NO_INDEX) return (sinew_scene_node){0, 0, 0};
    return (sinew_scene_node){(uint32_t)index, scene->nodes[index].generation, joint};
}

const sinew_skeleton *sinewi_scene_skeleton(const sinew_scene *scene, int32_t index) {
    const scene_rig *rig = sinewi_scene_rig(scene, index);
    return rig ? rig->asset->skeleton : NULL;
}

// The index of a handle's node. NO_INDEX if the node was removed or the joint doesn't exist.
int32_t sinewi_scene_index(const sinew_scene *scene, sinew_scene_node node) {
    if (node.generation == 0 || node.index >= (uint32_t)scene->def.max_nodes) return NO_INDEX;
    const scene_node *n = &scene->nodes[node.index];
    if (n->slot == NO_INDEX || n->generation != node.generation) return NO_INDEX;
    if (node.joint == SINEW_NO_NODE) return (int32_t)node.index;
    const sinew_skeleton *skeleton = sinewi_scene_skeleton(scene, (int32_t)node.index);
    bool is_joint = skeleton && node.joint >= 0 && node.joint < skeleton->node_count;
    return is_joint ? (int32_t)node.index : NO_INDEX;
}

// ---- Links -----------------------------------------------------------------------------------------------------

// Where the index of the first child is stored: in the parent, or in the scene for roots.
static int32_t *first_child_link(sinew_scene *scene, int32_t parent) {
    return parent == NO_INDEX ? &scene->first_root : &scene->nodes[parent].first_child;
}

// Where the index of the last child is stored: in the parent, or in the scene for roots.
static int32_t *last_child_link(sinew_scene *scene, int32_t parent) {
    return parent == NO_INDEX ? &scene->last_root : &scene->nodes[parent].last_child;
}

// Makes a node the last child of a parent. `joint` is the parent's joint that it's attached to, or SINEW_NO_NODE.
static void link_node(sinew_scene *scene, int32_t index, int32_t parent, int32_t joint) {
    scene_node *node = &scene->nodes[index];
    int32_t *last = last_child_link(scene, parent);
    node->parent = parent;
    node->joint = joint;
    node->previous = *last;
    node->next = NO_INDEX;
    *(*last == NO_INDEX ? first_child_link(scene, parent) : &scene->nodes[*last].next) = index;
    *last = index;
}

static void unlink_node(sinew_scene *scene, int32_t index) {
    const scene_node *node = &scene->nodes[index];
    int32_t previous = node->previous, next = node->next;
    *(previous == NO_INDEX ? first_child_link(scene, node->parent) : &scene->nodes[previous].next) = next;
    *(next == NO_INDEX ? last_child_link(scene, node->parent) : &scene->nodes[next].previous) = previous;
}

bool sinewi_scene_is_in_subtree(const sinew_scene *scene, int32_t node, int32_t ancestor) {
    while (node != NO_INDEX && node != ancestor) node = scene->nodes[node].parent;
    return node == ancestor;
}

int32_t sinewi_scene_next_in_subtree(const sinew_scene *scene, int32_t top, int32_t index) {
    if (scene->nodes[index].first_child != NO_INDEX) return scene->nodes[index].first_child;
    while (index != top && scene->nodes[index].next == NO_INDEX) index = scene->nodes[index].parent;
    return index == top ? NO_INDEX : scene->nodes[index].next;
}

// ---- Marks -----------------------------------------------------------------------------------------------------

// Marks a slot as dirty. A word of the summary covers 64 × 64 = 4096 slots.
static void set_bit(const dirty_slots *dirty, int32_t slot) {
    dirty->words[slot / 64] |= UINT64_C(1) << slot % 64;
    dirty->summary[slot / 4096] |= UINT64_C(1) << slot / 64 % 64;
}

// Clears a slot's mark and returns whether it was set.
static bool clear_bit(const dirty_slots *dirty, int32_t slot) {
    uint64_t bit = UINT64_C(1) << slot % 64, *word = &dirty->words[slot / 64];
    bool was_set = (*word & bit) != 0;
    *word &= ~bit;
    if (*word == 0) dirty->summary[slot / 4096] &= ~(UINT64_C(1) << slot / 64 % 64);
    return was_set;
}

static int32_t find_lowest_bit(uint64_t word) {
#if defined(__GNUC__)
    return __builtin_ctzll(word);
#else
    int32_t bit = 0;
    while ((word >> bit & 1) == 0) bit++;
    return bit;
#endif
}

// `position` is a word of the summary. All words before it are 0.
int32_t sinewi_scene_take_dirty(sinew_scene *scene, int32_t *position) {
    int32_t end = (scene->order_end + 4095) / 4096;
    for (; *position < end; (*position)++) {
        uint64_t summary = scene->dirty.summary[*position];
        if (summary == 0) continue;
        int32_t word = *position * 64 + find_lowest_bit(summary);
        int32_t slot = word * 64 + find_lowest_bit(scene->dirty.words[word]);
        clear_bit(&scene->dirty, slot);
        return scene->order[slot];
    }
    return NO_INDEX;
}

void sinewi_scene_mark_dirty(sinew_scene *scene, int32_t index) {
    set_bit(&scene->dirty, scene->nodes[index].slot);
}

void sinewi_scene_mark_moved(sinew_scene *scene, scene_instance *instance) {
    if (instance->has_moved) return;
    instance->has_moved = true;
    scene->moved_instances[scene->moved_count++] = instance->node;
}

// ---- The update order ------------------------------------------------------------------------------------------

static void move_to_slot(sinew_scene *scene, int32_t index, int32_t slot) {
    scene_node *node = &scene->nodes[index];
    bool is_dirty = clear_bit(&scene->dirty, node->slot);
    scene->order[node->slot] = NO_INDEX;
    scene->order[slot] = index;
    node->slot = slot;
    if (is_dirty) set_bit(&scene->dirty, slot);
}

// Moves all nodes to the first slots, in the same order. This is rare: there are twice as many slots as nodes, so half
// of them are free afterwards.
static void close_gaps(sinew_scene *scene) {
    int32_t end = 0;
    for (int32_t slot = 0; slot < scene->order_end; slot++) {
        int32_t index = scene->order[slot];
        if (index == NO_INDEX) continue;
        if (slot != end) move_to_slot(scene, index, end);
        end++;
    }
    scene->order_end = end;
}

// Gives a node the slot at the end.
static int32_t take_slot(sinew_scene *scene, int32_t index) {
    if (scene->order_end == 2 * scene->def.max_nodes) close_gaps(scene);
    scene->order[scene->order_end] = index;
    return scene->order_end++;
}

static void release_slot(sinew_scene *scene, int32_t index) {
    scene_node *node = &scene->nodes[index];
    clear_bit(&scene->dirty, node->slot);
    scene->order[node->slot] = NO_INDEX;
    if (node->slot == scene->order_end - 1) scene->order_end--;
    node->slot = NO_INDEX;
}

// Moves a subtree to the end of the order, parents first, unless it already comes after its parent.
static void order_after_parent(sinew_scene *scene, int32_t index) {
    int32_t parent = scene->nodes[index].parent, count = 0;
    if (parent == NO_INDEX || scene->nodes[parent].slot < scene->nodes[index].slot) return;
    for (int32_t i = index; i != NO_INDEX; i = sinewi_scene_next_in_subtree(scene, index, i)) count++;
    if (scene->order_end + count > 2 * scene->def.max_nodes) close_gaps(scene);
    for (int32_t i = index; i != NO_INDEX; i = sinewi_scene_next_in_subtree(scene, index, i)) {
        move_to_slot(scene, i, scene->order_end++);
    }
}

// ---- Adding, moving and removing -------------------------------------------------------------------------------

void sinewi_scene_init_nodes(sinew_scene *scene) {
    for (int32_t i = 0; i < scene->def.max_nodes; i++) {
        scene->nodes[i].slot = NO_INDEX;
        scene->nodes[i].generation = 1;
        scene->nodes[i].next = i + 1 < scene->def.max_nodes ? i + 1 : NO_INDEX;
    }
}

// Takes a free node, gives it a new slot, and makes it the last child of `parent`.
int32_t sinewi_scene_take_node(sinew_scene *scene, int32_t parent, int32_t joint) {
    int32_t index = scene->free_node;
    scene_node *node = &scene->nodes[index];
    scene->free_node = node->next;
    scene->node_count++;
    *node = (scene_node){
        .generation = node->generation,
        .first_child = NO_INDEX,
        .last_child = NO_INDEX,
        .instance = NO_INDEX,
    };
    node->slot = take_slot(scene, index);
    link_node(scene, index, parent, joint);
    return index;
}

// Returns a node to the free list. Its new generation makes existing handles invalid.
void sinewi_scene_free_node(sinew_scene *scene, int32_t index) {
    scene_node *node = &scene->nodes[index];
    unlink_node(scene, index);
    release_slot(scene, index);
    node->generation++;
    if (node->generation == 0) node->generation = 1; // no node has generation 0
    node->next = scene->free_node;
    scene->free_node = index;
    scene->node_count--;
}

// Gives a node another parent, and moves it behind that parent in the update order.
void sinewi_scene_move_node(sinew_scene *scene, int32_t index, int32_t parent, int32_t joint) {
    unlink_node(scene, index);
    link_node(scene, index, parent, joint);
    order_after_parent(scene, index);
    sinewi_scene_mark_dirty(scene, index);
}
