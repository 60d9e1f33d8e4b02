// SPDX-License-Identifier: MIT
// Checks the invariants of a scene that scene_state.h lists.
#include "support/scene_order.h"

static bool is_used(const sinew_scene *scene, int32_t index) {
    return index >= 0 && index < scene->def.max_nodes && scene->nodes[index].slot != NO_INDEX;
}

static bool has_bit(const uint64_t *words, int32_t bit) {
    return (words[bit / 64] >> bit % 64 & 1) != 0;
}

static void check_slots(const sinew_scene *scene) {
    int32_t found = 0, slots = 2 * scene->def.max_nodes;
    assert_in_range(scene->order_end, 0, slots);
    for (int32_t slot = 0; slot < slots; slot++) {
        int32_t index = slot < scene->order_end ? scene->order[slot] : NO_INDEX;
        bool is_dirty = has_bit(scene->dirty.words, slot);
        if (is_dirty) assert_true(has_bit(scene->dirty.summary, slot / 64));
        if (index == NO_INDEX) {
            assert_false(is_dirty);
            continue;
        }
        assert_true(is_used(scene, index));
        assert_int_equal(scene->nodes[index].slot, slot);
        found++;
    }
    assert_int_equal(found, scene->node_count);
}

// Returns how many children there are.
static int32_t check_children(const sinew_scene *scene, int32_t parent) {
    int32_t count = 0, before = NO_INDEX;
    int32_t at = parent == NO_INDEX ? scene->first_root : scene->nodes[parent].first_child;
    for (; at != NO_INDEX; at = scene->nodes[at].next, count++) {
        const scene_node *node = &scene->nodes[at];
        assert_true(is_used(scene, at) && count < scene->def.max_nodes);
        assert_int_equal(node->parent, parent);
        assert_int_equal(node->previous, before);
        if (parent == NO_INDEX) assert_int_equal(node->joint, SINEW_NO_NODE);
        if (parent != NO_INDEX) assert_true(scene->nodes[parent].slot < node->slot);
        before = at;
    }
    assert_int_equal(parent == NO_INDEX ? scene->last_root : scene->nodes[parent].last_child, before);
    return count;
}

static void check_free(const sinew_scene *scene) {
    int32_t count = 0;
    for (int32_t at = scene->free_node; at != NO_INDEX; at = scene->nodes[at].next, count++) {
        assert_false(is_used(scene, at));
        assert_true(count < scene->def.max_nodes);
    }
    assert_int_equal(count + scene->node_count, scene->def.max_nodes);
}

static int32_t check_users(const sinew_scene *scene, const scene_rig *f) {
    int32_t count = 0, before = NO_INDEX;
    for (int32_t at = f->first_instance; at != NO_INDEX; count++) {
        assert_true(is_used(scene, at) && scene->nodes[at].instance != NO_INDEX);
        const scene_instance *own = &scene->instances[scene->nodes[at].instance];
        assert_ptr_equal(own->rig, f);
        assert_int_equal(own->previous, before);
        before = at, at = own->next;
    }
    return count;
}

static void check_rigs(const sinew_scene *scene) {
    int32_t users = 0;
    assert_true(scene->rig_count <= 2 * scene->def.max_nodes);
    for (int32_t i = 0; i < scene->rig_count; i++) {
        const scene_rig *f = scene->rigs[i];
        int32_t led = 0, own = check_users(scene, f);
        for (int32_t k = 0; k < scene->rig_count; k++) led += scene->rigs[k]->leader == f;
        assert_int_equal(f->index, i);
        assert_int_equal(f->users, own + led);
        users += own;
    }
    for (int32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *own = &scene->instances[i];
        assert_int_equal(scene->nodes[own->node].instance, i);
        if (own->rig->index == NO_INDEX) users += check_users(scene, own->rig);
    }
    assert_int_equal(users, scene->instance_count);
}

void check_order(const sinew_scene *scene) {
    check_slots(scene);
    int32_t linked = check_children(scene, NO_INDEX);
    for (int32_t i = 0; i < scene->def.max_nodes; i++) {
        if (is_used(scene, i)) linked += check_children(scene, i);
    }
    assert_int_equal(linked, scene->node_count);
    check_free(scene);
    check_rigs(scene);
}
