// SPDX-License-Identifier: MIT
// Scenes, against a plain list of nodes that recomputes everything each time: parents, and matrices in double. Nodes
// and instances are added, placed, moved, reparented, swapped and removed at random, the same on every machine.
//
//     test_scene [SEQUENCES [FIRST]]
//
// Mistakes: computing a child before its parent; losing a change when a node moves in the order or gaps are closed; a
// handle that becomes valid again when its slot is reused; the joint's matrix on the wrong side.
#include "support/scene_order.h"
#include "scene/scene_state.h"

#include <stdio.h>

enum { MOST = 14, STEPS = 40, SEQUENCES = 10000, GONE = 6 };

// ---- Matrices in double --------------------------------------------------------------------------------------

typedef struct matrix {
    double m[3][4];
} matrix;

static matrix wide(sinew_affine a) {
    matrix out;
    for (int i = 0; i < 12; i++) out.m[i / 4][i % 4] = a.m[i / 4][i % 4];
    return out;
}

static matrix times(matrix a, matrix b) {
    matrix out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            out.m[i][j] = j == 3 ? a.m[i][3] : 0.0;
            for (int k = 0; k < 3; k++) out.m[i][j] += a.m[i][k] * b.m[k][j];
        }
    }
    return out;
}

static matrix sizes(matrix a) {
    for (int i = 0; i < 12; i++) a.m[i / 4][i % 4] = fabs(a.m[i / 4][i % 4]);
    return a;
}

// T × R × S, the rotation as the turns that it makes of the axes.
static matrix of_transform(sinew_transform t) {
    matrix out;
    double x = t.rotation.x, y = t.rotation.y, z = t.rotation.z, w = t.rotation.w;
    double r[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) out.m[i][j] = r[i][j] * (double)(&t.scale.x)[j];
        out.m[i][3] = (&t.translation.x)[i];
    }
    return out;
}

// Its scale taken out as sinew_affine_decompose tells it. What rounding does before that grows by how uneven the scale is.
static matrix without_scale(matrix a, matrix *size) {
    sinew_affine narrow;
    for (int i = 0; i < 12; i++) narrow.m[i / 4][i % 4] = (float)a.m[i / 4][i % 4];
    sinew_transform t = sinew_affine_decompose(narrow);
    double least = fminf(fabsf(t.scale.x), fminf(fabsf(t.scale.y), fabsf(t.scale.z)));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) size->m[i][j] = 1.0 + 4.0 * size->m[i][j] / least;
    }
    t.scale = (sinew_vec3){1, 1, 1};
    return of_transform(t);
}

// ---- The list ------------------------------------------------------------------------------------------------

typedef struct naive {
    bool is_there;
    sinew_scene_node handle;
    int parent, joint; // of the list; -1: none
    long hung;         // when: of siblings the one that was hung first comes first
    matrix local;
    bool leaves_scale;
    const sinew_asset *asset; // NULL: it isn't an instance
    const char *name;
} naive;

typedef struct list {
    sinew_scene *scene;
    naive nodes[MOST];
    int count;
    long clock;
    sinew_scene_node gone[GONE]; // handles of some that were removed
    int gone_count;
    uint64_t random;
} list;

static const sinew_scene_node none = {0, 0, 0};

static uint32_t draw(list *l, uint32_t below) {
    return random_next(&l->random) % below;
}

// One of the list, or -1 where it is empty.
static int draw_node(list *l) {
    if (l->count == 0) return -1;
    int i;
    do i = (int)draw(l, MOST);
    while (!l->nodes[i].is_there);
    return i;
}

static bool hangs_on(const list *l, int node, int on) {
    while (node != -1 && node != on) node = l->nodes[node].parent;
    return node == on;
}

// Where a node is, and a bound of what the numbers were that its place was made from.
static matrix world_of(const list *l, int i, matrix *size) {
    const naive *n = &l->nodes[i];
    *size = sizes(n->local);
    if (n->parent == -1) return n->local;
    matrix base_size, base = world_of(l, n->parent, &base_size);
    if (n->joint != -1) {
        const sinew_affine *model = sinew_scene_model_matrices(l->scene, l->nodes[n->parent].handle);
        base = times(base, wide(model[n->joint]));
        base_size = times(base_size, sizes(wide(model[n->joint])));
    }
    if (n->leaves_scale) base = without_scale(base, &base_size);
    *size = times(base_size, *size);
    return times(base, n->local);
}

static void check_matrix(sinew_affine actual, matrix expected, matrix size) {
    for (int i = 0; i < 12; i++) {
        check_near(actual.m[i / 4][i % 4], expected.m[i / 4][i % 4], 1e-5 * fmax(1.0, size.m[i / 4][i % 4]));
    }
}

static void check_worlds(const list *l) {
    for (int i = 0; i < MOST; i++) {
        const naive *n = &l->nodes[i];
        if (!n->is_there) continue;
        matrix size, world = world_of(l, i, &size);
        check_matrix(sinew_scene_world(l->scene, n->handle), world, size);
        if (!n->asset) continue;
        int32_t joint = n->asset->skeleton->node_count - 1;
        matrix model = wide(sinew_scene_model_matrices(l->scene, n->handle)[joint]);
        check_matrix(sinew_scene_world(l->scene, sinew_scene_joint(n->handle, joint)), times(world, model),
                     times(size, sizes(model)));
    }
}

// ---- Who hangs on whom ---------------------------------------------------------------------------------------

// A node of the list, or a joint of one; node -1: none.
typedef struct spot {
    int node, joint;
} spot;

static sinew_scene_node handle_of(const list *l, spot at) {
    return at.node == -1 ? none : sinew_scene_joint(l->nodes[at.node].handle, at.joint);
}

// All children, in order: joints, then what was hung there, by when it was.
static int children_of(const list *l, spot of, spot children[]) {
    int count = 0;
    const sinew_asset *asset = of.node == -1 ? NULL : l->nodes[of.node].asset;
    for (int32_t j = 0; asset && j < asset->skeleton->node_count; j++) {
        if (asset->skeleton->parents[j] == of.joint) children[count++] = (spot){of.node, j};
    }
    for (long last = 0;;) {
        int next = -1;
        for (int i = 0; i < MOST; i++) {
            const naive *n = &l->nodes[i];
            bool is_child = n->is_there && n->parent == of.node && n->joint == of.joint && n->hung > last;
            if (is_child && (next == -1 || n->hung < l->nodes[next].hung)) next = i;
        }
        if (next == -1) return count;
        last = l->nodes[next].hung;
        children[count++] = (spot){next, -1};
    }
}

static const char *name_of(const list *l, spot at) {
    return at.joint == -1 ? l->nodes[at.node].name : l->nodes[at.node].asset->skeleton->names[at.joint];
}

enum { MOST_SPOTS = MOST * 64 };

static sinew_scene_node naive_find(const list *l, spot from, const char *name) {
    spot children[MOST_SPOTS];
    int count = children_of(l, from, children);
    for (int i = 0; i < count; i++) {
        if (strcmp(name_of(l, children[i]), name) == 0) return handle_of(l, children[i]);
        sinew_scene_node found = naive_find(l, children[i], name);
        if (found.generation != 0) return found;
    }
    return none;
}

static spot draw_spot(list *l) {
    spot at = {draw_node(l), -1};
    if (at.node == -1 || draw(l, 8) == 0) return (spot){-1, -1};
    const sinew_asset *asset = l->nodes[at.node].asset;
    if (asset && draw(l, 3) > 0) at.joint = (int)draw(l, (uint32_t)asset->skeleton->node_count);
    return at;
}

static void check_same(sinew_scene_node actual, sinew_scene_node expected) {
    if (expected.generation == 0)
        assert_int_equal(actual.generation, 0);
    else
        assert_true(sinew_scene_node_equals(actual, expected));
}

static void check_family(list *l) {
    spot of = draw_spot(l), children[MOST_SPOTS];
    int count = children_of(l, of, children);
    for (int i = 0; i < count; i++) {
        const sinew_scene_node at = handle_of(l, children[i]);
        check_same(sinew_scene_parent(l->scene, at), handle_of(l, of));
        assert_string_equal(sinew_scene_name(l->scene, at), name_of(l, children[i]));
    }
    spot wanted = draw_spot(l);
    const char *name = wanted.node == -1 ? "nobody" : name_of(l, wanted);
    check_same(sinew_scene_find(l->scene, handle_of(l, of), name), naive_find(l, of, name));
}

static sinew_asset chain, tree; // made by hand, without meshes
static sinew_asset *hero;

// ---- Handles to what is gone ---------------------------------------------------------------------------------

static void check_refused(list *l, sinew_scene_node gone) {
    sinew_scene *scene = l->scene;
    sinew_scene_node other = handle_of(l, draw_spot(l)), out = gone;
    sinew_scene_node_def def = sinew_scene_node_default();
    def.parent = gone;
    assert_false(sinew_scene_has(scene, gone));
    assert_false(sinew_scene_has(scene, sinew_scene_joint(gone, 0)));
    assert_int_equal(sinew_scene_add_node(scene, &def, &out, NULL), SINEW_ERROR_ARGUMENT);
    check_same(out, none);
    sinew_instance_def place = sinew_instance_default();
    place.asset = &chain;
    place.node.parent = gone;
    assert_int_equal(sinew_scene_add_instance(scene, &place, &out, NULL), SINEW_ERROR_ARGUMENT);
    place.node.parent = none;
    place.pose = SINEW_INSTANCE_POSE_SHARE;
    place.share = gone;
    assert_int_equal(sinew_scene_add_instance(scene, &place, &out, NULL), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_scene_set_parent(scene, gone, other, SINEW_REPARENT_KEEP_WORLD, NULL),
                     SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_scene_set_parent(scene, other, gone, SINEW_REPARENT_KEEP_LOCAL, NULL),
                     SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_scene_swap(scene, gone, other, NULL), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_scene_swap(scene, other, gone, NULL), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_scene_attach(scene, gone, other, "n1", sinew_transform_identity(), NULL),
                     SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_scene_attach(scene, other, gone, "n1", sinew_transform_identity(), NULL),
                     SINEW_ERROR_ARGUMENT);
    sinew_scene_remove(scene, gone);
    sinew_scene_detach(scene, gone, SINEW_REPARENT_KEEP_WORLD);
    sinew_scene_set_transform(scene, gone, sinew_transform_identity());
    sinew_scene_set_matrix(scene, gone, sinew_affine_identity());
    sinew_scene_set_inherits_scale(scene, gone, false);
    check_same(sinew_scene_parent(scene, gone), none);
    check_same(sinew_scene_find(scene, gone, "n1"), none);
    check_same(sinew_scene_find_joint(scene, gone, "n1"), none);
    assert_string_equal(sinew_scene_name(scene, gone), "");
    assert_null(sinew_scene_user(scene, gone));
    assert_null(sinew_scene_asset(scene, gone));
    assert_null(sinew_scene_mixer(scene, gone));
    assert_null(sinew_scene_model_matrices(scene, gone));
    assert_null(sinew_scene_weights(scene, gone));
    assert_null(sinew_scene_palette(scene, gone, 0));
    assert_true(sinew_box_is_empty(sinew_scene_bounds(scene, gone)));
    sinew_affine world = sinew_scene_world(scene, gone), identity = sinew_affine_identity();
    assert_memory_equal(&world, &identity, sizeof world);
    assert_true(sinew_scene_transform(scene, gone).rotation.w == 1.0f);
}

// ---- Steps ---------------------------------------------------------------------------------------------------

static const char *const names[4] = {"a", "b", "n1", "Hand_R"};

static sinew_transform draw_transform(list *l) {
    sinew_transform t = {.rotation = random_quat(&l->random), .scale = {1, 1, 1}};
    for (int i = 0; i < 3; i++) (&t.translation.x)[i] = random_float(&l->random, -1, 1);
    if (draw(l, 3) == 0) {
        for (int i = 0; i < 3; i++) (&t.scale.x)[i] = random_float(&l->random, 0.7f, 1.4f);
    }
    return t;
}

static sinew_instance_pose draw_pose(list *l) {
    return (sinew_instance_pose)draw(l, 3);
}

// What can be shared with: an instance of the list that has a mixer.
static sinew_scene_node draw_shared(list *l) {
    int i = draw_node(l);
    bool moves = i != -1 && l->nodes[i].asset && sinew_scene_mixer(l->scene, l->nodes[i].handle);
    return moves ? l->nodes[i].handle : none;
}

static sinew_result make_node(list *l, const sinew_scene_node_def *node, const sinew_asset *asset,
                              sinew_scene_node *made) {
    if (!asset) return sinew_scene_add_node(l->scene, node, made, NULL);
    sinew_instance_def def = sinew_instance_default();
    def.node = *node;
    def.asset = asset;
    def.pose = draw_pose(l);
    def.share = draw_shared(l);
    if (def.pose == SINEW_INSTANCE_POSE_SHARE && def.share.generation == 0) def.pose = SINEW_INSTANCE_POSE_OWN;
    sinew_error error = {0};
    sinew_result result = sinew_scene_add_instance(l->scene, &def, made, &error);
    sinew_mixer *mixer = sinew_scene_mixer(l->scene, *made);
    if (mixer && def.pose == SINEW_INSTANCE_POSE_OWN && asset->clip_count > 0) {
        sinew_mixer_play(mixer, sinew_clip_source(&asset->clips[draw(l, (uint32_t)asset->clip_count)]), NULL);
    }
    return result;
}

static void add(list *l, const sinew_asset *asset) {
    spot parent = draw_spot(l);
    int i = 0;
    while (i < MOST && l->nodes[i].is_there) i++;
    sinew_scene_node_def def = sinew_scene_node_default();
    naive made = {.is_there = true, .parent = parent.node, .joint = parent.joint, .asset = asset};
    def.name = made.name = names[draw(l, 4)];
    def.parent = handle_of(l, parent);
    def.transform = draw_transform(l);
    sinew_result result = make_node(l, &def, asset, &made.handle);
    assert_int_equal(result, i < MOST ? SINEW_OK : SINEW_ERROR_LIMIT);
    assert_int_equal(made.handle.generation != 0, i < MOST);
    if (i == MOST) return;
    made.local = of_transform(def.transform);
    made.hung = ++l->clock;
    l->nodes[i] = made;
    l->count++;
}

static void remove_node(list *l, int i) {
    if (l->count < MOST / 2 && draw(l, 4) > 0) return; // so there's something to work with
    sinew_scene_remove(l->scene, l->nodes[i].handle);
    bool goes[MOST];
    for (int k = 0; k < MOST; k++) goes[k] = l->nodes[k].is_there && hangs_on(l, k, i);
    for (int k = 0; k < MOST; k++) {
        if (!goes[k]) continue;
        l->gone[l->gone_count++ % GONE] = l->nodes[k].handle;
        l->nodes[k].is_there = false;
        l->count--;
    }
}

static void move_node(list *l, int i) {
    naive *n = &l->nodes[i];
    sinew_transform t = draw_transform(l);
    n->local = of_transform(t);
    if (draw(l, 3) > 0) {
        sinew_scene_set_transform(l->scene, n->handle, t);
        sinew_transform said = sinew_scene_transform(l->scene, n->handle);
        assert_memory_equal(&said, &t, sizeof t);
        return;
    }
    sinew_affine sheared = sinew_affine_from_transform(t);
    sheared.m[0][1] += random_float(&l->random, -0.2f, 0.2f);
    n->local = wide(sheared);
    sinew_scene_set_matrix(l->scene, n->handle, sheared);
}

// The scene has worked out the matrix: where it leads is checked, and its numbers are then taken over.
static void check_kept(list *l, int i, matrix world, matrix size) {
    naive *n = &l->nodes[i];
    n->local = wide(l->scene->nodes[n->handle.index].local);
    matrix by_size;
    check_matrix(sinew_scene_world(l->scene, n->handle), world, size); // immediately: what's shown hasn't moved
    sinew_scene_update_world(l->scene);
    world_of(l, i, &by_size);
    for (int k = 0; k < 12; k++) by_size.m[k / 4][k % 4] += size.m[k / 4][k % 4];
    check_matrix(sinew_scene_world(l->scene, n->handle), world, by_size);
}

static void hang(list *l, int i) {
    naive *n = &l->nodes[i];
    spot to = draw_spot(l);
    bool is_circle = to.node != -1 && hangs_on(l, to.node, i);
    sinew_reparent_mode keep = draw(l, 2) ? SINEW_REPARENT_KEEP_WORLD : SINEW_REPARENT_KEEP_LOCAL;
    matrix size, world = world_of(l, i, &size);
    sinew_result result = SINEW_OK;
    if (to.node == -1 && draw(l, 2))
        sinew_scene_detach(l->scene, n->handle, keep);
    else
        result = sinew_scene_set_parent(l->scene, n->handle, handle_of(l, to), keep, NULL);
    assert_int_equal(result, is_circle ? SINEW_ERROR_ARGUMENT : SINEW_OK);
    if (is_circle) return;
    n->parent = to.node, n->joint = to.joint, n->hung = ++l->clock;
    if (keep == SINEW_REPARENT_KEEP_WORLD) check_kept(l, i, world, size);
}

static void attach(list *l, int i) {
    naive *n = &l->nodes[i];
    int to = draw_node(l);
    const sinew_asset *asset = l->nodes[to].asset;
    const char *name = draw(l, 2) ? "Hand_R" : "n1";
    int32_t joint = asset ? sinew_skeleton_find(asset->skeleton, name) : SINEW_NO_NODE;
    bool is_fine = joint != SINEW_NO_NODE && !hangs_on(l, to, i);
    sinew_transform offset = draw_transform(l);
    sinew_error error = {0};
    sinew_result result = sinew_scene_attach(l->scene, n->handle, l->nodes[to].handle, name, offset, &error);
    assert_int_equal(result, is_fine ? SINEW_OK : SINEW_ERROR_ARGUMENT);
    assert_int_equal(error.message[0] == '\0', is_fine);
    if (!is_fine) return;
    n->parent = to, n->joint = joint, n->hung = ++l->clock;
    n->local = of_transform(offset);
}

static void swap(list *l, int i) {
    int k = draw_node(l);
    naive *a = &l->nodes[i], *b = &l->nodes[k], was = *a;
    bool is_fine = i == k || (!hangs_on(l, i, k) && !hangs_on(l, k, i));
    assert_int_equal(sinew_scene_swap(l->scene, a->handle, b->handle, NULL),
                     is_fine ? SINEW_OK : SINEW_ERROR_ARGUMENT);
    if (!is_fine || i == k) return;
    a->parent = b->parent, a->joint = b->joint, a->local = b->local, a->leaves_scale = b->leaves_scale;
    b->parent = was.parent, b->joint = was.joint, b->local = was.local, b->leaves_scale = was.leaves_scale;
    b->hung = ++l->clock;
    a->hung = ++l->clock;
}

static void leave_scale(list *l, int i) {
    l->nodes[i].leaves_scale = draw(l, 2) > 0;
    sinew_scene_set_inherits_scale(l->scene, l->nodes[i].handle, !l->nodes[i].leaves_scale);
}

static void step(list *l) {
    const sinew_asset *assets[4] = {NULL, &chain, &tree, draw(l, 4) ? NULL : hero};
    int i = draw_node(l);
    uint32_t what = i == -1 ? 0 : draw(l, 16);
    if (what < 4)
        add(l, assets[what]);
    else if (what < 5)
        remove_node(l, i);
    else if (what < 8)
        move_node(l, i);
    else if (what < 11)
        hang(l, i);
    else if (what < 12)
        attach(l, i);
    else if (what < 13)
        swap(l, i);
    else if (what < 14)
        leave_scale(l, i);
    else
        sinew_scene_update(l->scene, what < 15 ? 0.0f : 0.02f);
}

static void run_sequence(uint64_t seed) {
    static list l;
    counting counted = {0};
    l = (list){.random = seed * 2 + 1};
    sinew_scene_def def = sinew_scene_default();
    def.max_nodes = MOST;
    def.allocator = counting_allocator(&counted);
    assert_int_equal(sinew_scene_create(&def, &l.scene, NULL), SINEW_OK);
    for (int k = 0; k < STEPS; k++) {
        step(&l);
        check_order(l.scene);
        assert_int_equal(sinewi_scene_node_count(l.scene), l.count);
        if (k % 4 != 3) continue;
        if (draw(&l, 2))
            sinew_scene_update(l.scene, 0.01f);
        else
            sinew_scene_update_world(l.scene);
        check_order(l.scene);
        check_worlds(&l);
        check_family(&l);
        if (l.gone_count > 0)
            check_refused(&l, l.gone[draw(&l, (uint32_t)(l.gone_count < GONE ? l.gone_count : GONE))]);
    }
    sinew_scene_destroy(l.scene);
    assert_int_equal(counted.live, 0);
}

static uint64_t sequences = SEQUENCES, first = 0;

static void test_random_sequences(void **state) {
    (void)state;
    for (uint64_t i = first; i < first + sequences; i++) {
        if (sequences == 1 || i % 10000 == 9999) print_message("sequence %llu\n", (unsigned long long)i);
        run_sequence(i);
    }
}

// ---- Files ---------------------------------------------------------------------------------------------------

// Two roots, a fork, a repeated name, and a name that the chain also has.
static sinew_skeleton *make_tree(void) {
    const struct {
        const char *name;
        int32_t parent;
    } nodes[6] = {{"n1", -1}, {"fork", 0}, {"left", 1}, {"twin", 1}, {"twin", -1}, {"", 4}};
    uint64_t random = 3;
    sinew_node_def defs[6];
    for (int i = 0; i < 6; i++) {
        defs[i] =
            (sinew_node_def){.name = nodes[i].name, .parent = nodes[i].parent, .rest = sinew_transform_identity()};
        defs[i].rest.translation.x = 0.5f;
        defs[i].rest.rotation = random_quat(&random);
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 6;
    def.nodes = defs;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static sinew_skeleton *skeletons[2];

static int begin(void **state) {
    (void)state;
    skeletons[0] = make_chain(3);
    skeletons[1] = make_tree();
    chain.skeleton = skeletons[0];
    tree.skeleton = skeletons[1];
    return sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &hero, NULL) != SINEW_OK;
}

static int end(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) sinew_skeleton_destroy(skeletons[i]);
    sinew_asset_destroy(hero);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) sequences = strtoull(argv[1], NULL, 10);
    if (argc > 2) first = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_sequences),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
