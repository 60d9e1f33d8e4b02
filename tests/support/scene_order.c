// Checks the invariants of a scene that scene_state.h lists.
#include "support/scene_order.h"

static bool is_there(const sinew_scene *scene, int32_t index) {
    return index >= 0 && index < scene->def.max_nodes && scene->nodes[index].place != NOTHING;
}

static bool bit_at(const uint64_t *words, int32_t bit) {
    return (words[bit / 64] >> bit % 64 & 1) != 0;
}

static void check_places(const sinew_scene *scene) {
    int32_t found = 0, places = 2 * scene->def.max_nodes;
    assert_in_range(scene->order_end, 0, places);
    for (int32_t place = 0; place < places; place++) {
        int32_t index = place < scene->order_end ? scene->order[place] : NOTHING;
        bool is_dirty = bit_at(scene->dirty.words, place);
        if (is_dirty) assert_true(bit_at(scene->dirty.summary, place / 64));
        if (index == NOTHING) {
            assert_false(is_dirty);
            continue;
        }
        assert_true(is_there(scene, index));
        assert_int_equal(scene->nodes[index].place, place);
        found++;
    }
    assert_int_equal(found, scene->node_count);
}

// Returns how many children there are.
static int32_t check_children(const sinew_scene *scene, int32_t parent) {
    int32_t count = 0, before = NOTHING;
    int32_t at = parent == NOTHING ? scene->first_root : scene->nodes[parent].first_child;
    for (; at != NOTHING; at = scene->nodes[at].next, count++) {
        const scene_node *node = &scene->nodes[at];
        assert_true(is_there(scene, at) && count < scene->def.max_nodes);
        assert_int_equal(node->parent, parent);
        assert_int_equal(node->previous, before);
        if (parent == NOTHING) assert_int_equal(node->joint, SINEW_NO_NODE);
        if (parent != NOTHING) assert_true(scene->nodes[parent].place < node->place);
        before = at;
    }
    assert_int_equal(parent == NOTHING ? scene->last_root : scene->nodes[parent].last_child, before);
    return count;
}

static void check_free(const sinew_scene *scene) {
    int32_t count = 0;
    for (int32_t at = scene->free_node; at != NOTHING; at = scene->nodes[at].next, count++) {
        assert_false(is_there(scene, at));
        assert_true(count < scene->def.max_nodes);
    }
    assert_int_equal(count + scene->node_count, scene->def.max_nodes);
}

static int32_t check_showing(const sinew_scene *scene, const scene_figure *f) {
    int32_t count = 0, before = NOTHING;
    for (int32_t at = f->first; at != NOTHING; count++) {
        assert_true(is_there(scene, at) && scene->nodes[at].instance != NOTHING);
        const scene_instance *own = &scene->instances[scene->nodes[at].instance];
        assert_ptr_equal(own->shows, f);
        assert_int_equal(own->previous, before);
        before = at, at = own->next;
    }
    return count;
}

static void check_figures(const sinew_scene *scene) {
    int32_t showing = 0;
    assert_true(scene->figure_count <= 2 * scene->def.max_nodes);
    for (int32_t i = 0; i < scene->figure_count; i++) {
        const scene_figure *f = scene->figures[i];
        int32_t led = 0, own = check_showing(scene, f);
        for (int32_t k = 0; k < scene->figure_count; k++) led += scene->figures[k]->leader == f;
        assert_int_equal(f->index, i);
        assert_int_equal(f->users, own + led);
        showing += own;
    }
    for (int32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *own = &scene->instances[i];
        assert_int_equal(scene->nodes[own->node].instance, i);
        if (own->shows->index == NOTHING) showing += check_showing(scene, own->shows);
    }
    assert_int_equal(showing, scene->instance_count);
}

void check_order(const sinew_scene *scene) {
    check_places(scene);
    int32_t linked = check_children(scene, NOTHING);
    for (int32_t i = 0; i < scene->def.max_nodes; i++) {
        if (is_there(scene, i)) linked += check_children(scene, i);
    }
    assert_int_equal(linked, scene->node_count);
    check_free(scene);
    check_figures(scene);
}
