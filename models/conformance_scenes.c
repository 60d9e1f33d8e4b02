// conformance_scenes.c - cases about names, scenes, objects of nodes, and materials.
#include "conformance.h"

static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

static void names(document *d) {
    add_node(d, "Hüfte", NONE);
    add_node(d, NULL, NONE);
    add_node(d, "arm", NONE);
    add_node(d, "arm", NONE);
    add_node(d, "\\u818b\\ud83e\\uddb4", NONE); // a knee, and a bone beyond the basic plane
    add_node(d, "a \\\"b\\\" \\\\ c\\/d\\u0009e", NONE);
    add_node(d, "", NONE);
    for (int i = 0; i < d->node_count; i++) {
        move(d, i, i, 0, 0);
    }
    expect(d, "'names':['Hüfte','','arm','arm','膋🦴','a \\\"b\\\" \\\\ c/d\\te','']");
    int times = add_times(d, 1, (const double[]){0.5});
    for (int i = 0; i < 3; i++) {
        int c = add_clip(d, i < 2 ? "läuft" : NULL);
        int moves = add_floats(d, 3, 1, (const double[]){0, i + 1, 0});
        add_channel(d, c, 2 + i, TRANSLATION, LINEAR, times, moves);
        expect_poses(d, c, 1, (const double[]){0});
    }
}

/// Three nodes, each with a mesh: a root, its child, another root.
static void add_three(document *d) {
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    for (int i = 0; i < 3; i++) {
        add_node(d, NULL, i == 1 ? 0 : NONE);
        move(d, i, 1, i, 0);
        d->nodes[i].mesh = m;
    }
    d->own_scenes = true;
    expect_rest(d);
}

static void several_scenes(document *d) {
    add_three(d);
    add_section(d, "'scene':1,'scenes':[{'nodes':[0,2]},{'nodes':[0]}]");
    expect(d, "'in_scene':[true,true,false]");
}

static void no_default_scene(document *d) {
    add_three(d);
    add_section(d, "'scenes':[{'nodes':[2]},{'nodes':[0]}]");
    expect(d, "'in_scene':[false,false,true]");
}

static void no_scene(document *d) {
    add_three(d);
    expect(d, "'in_scene':[true,true,true]");
}

static void outside_the_scene(document *d) {
    int stage = add_node(d, NULL, NONE), prop = add_node(d, NULL, NONE), grip = add_node(d, NULL, prop);
    move(d, stage, 1, 0, 0);
    move(d, prop, 0, 2, 0);
    move(d, grip, 0, 0, 3);
    d->own_scenes = true;
    add_section(d, "'scene':0,'scenes':[{'nodes':[%d]}]", stage);
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "outside");
    int turns = add_floats(d, 4, 2, (const double[]){0, 0, 0, 1, 0.6, 0, 0, 0.8});
    add_channel(d, c, prop, ROTATION, LINEAR, times, turns);
    expect_rest(d);
    expect_poses(d, c, 1, (const double[]){0.5});
}

static void visibility(document *d) {
    static const char hidden[] = "'extensions':{'KHR_node_visibility':{'visible':false}}";
    static const char shown[] = "'extensions':{'KHR_node_visibility':{'visible':true}}";
    const int parents[] = {NONE, 0, 1, NONE, 3, NONE};
    const char *const says[] = {NULL, hidden, shown, shown, NULL, "'extensions':{'KHR_node_visibility':{}}"};
    add_section(d, "'extensionsUsed':['KHR_node_visibility']");
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    for (int i = 0; i < 6; i++) {
        int n = add_node(d, NULL, parents[i]);
        d->nodes[n].more = says[i];
        d->nodes[n].mesh = m;
    }
    expect(d, "'visible':[true,false,false,true,true,true]");
    expect_rest(d);
}

static void cameras(document *d) {
    add_section(d,
                "'cameras':[{'name':'wide','type':'perspective','perspective':{'yfov':1.25,'znear':0.5,'zfar':80,"
                "'aspectRatio':1.5}},{'type':'perspective','perspective':{'yfov':0.5,'znear':0.125}},"
                "{'type':'orthographic','orthographic':{'xmag':4,'ymag':3,'znear':0,'zfar':10}}]");
    expect(d, "'cameras':[{'name':'wide','type':'perspective','yfov':1.25,'aspect':1.5,'znear':0.5,'zfar':80},\n"
              " {'name':'','type':'perspective','yfov':0.5,'znear':0.125},\n"
              " {'name':'','type':'orthographic','xmag':4,'ymag':3,'znear':0,'zfar':10}],\n"
              "'camera_of_node':[null,1,0,2,1]");
    const char *const says[] = {NULL, "'camera':1", "'camera':0", "'camera':2", "'camera':1"};
    const int parents[] = {NONE, 0, 1, NONE, NONE};
    for (int i = 0; i < 5; i++) {
        d->nodes[add_node(d, NULL, parents[i])].more = says[i];
        d->nodes[i].looks = says[i] != NULL;
        move(d, i, 0, i, 1);
        turn(d, i, q_axis(v3(1, 0, 1), 20 * i * DEG));
    }
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "crane");
    int turns = add_floats(d, 4, 2, (const double[]){0, 0, 0, 1, 0, 0.6, 0, 0.8});
    add_channel(d, c, 0, ROTATION, LINEAR, times, turns);
    expect_poses(d, c, 2, (const double[]){0, 0.5});
    expect_z_up(d, c, 0.5);
}

static void lights(document *d) {
    add_section(d, "'extensionsUsed':['KHR_lights_punctual'],\n"
                   "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'point'},{'name':'sun',"
                   "'type':'directional','color':[1,0.5,0.25],'intensity':3},{'type':'spot','range':8,'spot':{"
                   "'innerConeAngle':0.25,'outerConeAngle':0.5}},{'type':'spot','spot':{}}]}}");
    expect(d,
           "'lights':[{'name':'','type':'point','color':[1,1,1],'intensity':1},\n"
           " {'name':'sun','type':'directional','color':[1,0.5,0.25],'intensity':3},\n"
           " {'name':'','type':'spot','color':[1,1,1],'intensity':1,'range':8,'inner':0.25,'outer':0.5},\n"
           " {'name':'','type':'spot','color':[1,1,1],'intensity':1,'inner':0,'outer':%.9g}],\n"
           "'light_of_node':[1,0,null,2,3]",
           PI / 4);
    const int parents[] = {NONE, 0, NONE, 2, NONE};
    const char *const says[] = {"'extensions':{'KHR_lights_punctual':{'light':1}}",
                                "'extensions':{'KHR_lights_punctual':{'light':0}}", NULL,
                                "'extensions':{'KHR_lights_punctual':{'light':2}}",
                                "'extensions':{'KHR_lights_punctual':{'light':3}}"};
    for (int i = 0; i < 5; i++) {
        d->nodes[add_node(d, NULL, parents[i])].more = says[i];
        d->nodes[i].looks = says[i] != NULL;
        move(d, i, 0, 1, i);
        turn(d, i, q_axis(v3(0, 1, 1), 25 * i * DEG));
    }
    expect_rest(d);
    expect_z_up(d, NONE, 0);
}

static void unlit(document *d) {
    add_section(d,
                "'extensionsUsed':['KHR_materials_unlit'],\n'materials':[{'extensions':{'KHR_materials_unlit':{}},"
                "'pbrMetallicRoughness':{'baseColorFactor':[0.5,0.25,1,0.75]},'alphaMode':'MASK','alphaCutoff':0.25"
                ",'doubleSided':true},{}]");
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    add_primitive(d, m, d->meshes[m].primitives[0].position)->material = 0;
    d->meshes[m].primitives[0].material = 1;
    d->nodes[add_node(d, NULL, NONE)].mesh = m;
    expect(d, "'materials':[{'base_color':[0.5,0.25,1,0.75],'alpha':'MASK','cutoff':0.25,'double_sided':true,"
              "'unlit':true},\n {'base_color':[1,1,1,1],'alpha':'OPAQUE','cutoff':0.5,'double_sided':false,"
              "'unlit':false}]");
    expect_rest(d);
}

/// Scale, then rotation, then offset. A positive rotation turns the coordinates from v towards u: the extension's
/// example (the lower left quarter, by 90 degrees) is true only in that direction.
static void say_transformed(buffer *b, const double *uvs, double turn_by, double su, double sv, double u,
                            double v) {
    double out[6], c = cos(turn_by), s = sin(turn_by);
    for (int i = 0; i < 3; i++) {
        double x = su * uvs[2 * i], y = sv * uvs[2 * i + 1];
        out[2 * i] = c * x + s * y + u;
        out[2 * i + 1] = c * y - s * x + v;
    }
    say_numbers(b, 6, out);
    put(b, "", 1);
}

static void texture_transform(document *d) {
    static const double uvs[] = {0, 0, 1, 0.25, 0.5, 1};
    add_section(d, "'extensionsUsed':['KHR_texture_transform'],'textures':[{}],\n'materials':["
                   "{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'extensions':{'KHR_texture_transform':{"
                   "'offset':[0,1],'rotation':1.5707963,'scale':[0.5,0.5]}}}}},"
                   "{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'extensions':{'KHR_texture_transform':{"
                   "'offset':[0.125,-2],'rotation':-0.5,'scale':[3,-0.25]}}}}}]");
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    int uv = add_vertices(d, F32, false, 2, 3, uvs);
    add_primitive(d, m, d->meshes[m].primitives[0].position);
    add_primitive(d, m, d->meshes[m].primitives[0].position);
    buffer quarter = {0}, skewed = {0};
    say_transformed(&quarter, uvs, 90 * DEG, 0.5, 0.5, 0, 1);
    say_transformed(&skewed, uvs, -0.5, 3, -0.25, 0.125, -2);
    for (int i = 0; i < 3; i++) {
        d->meshes[m].primitives[i].uv = uv;
        d->meshes[m].primitives[i].material = i < 2 ? i : NONE;
    }
    d->nodes[add_node(d, NULL, NONE)].mesh = m;
    expect(d,
           "'uvs':[{'mesh':0,'primitive':0,'uvs':%s},\n {'mesh':0,'primitive':1,'uvs':%s},\n"
           " {'mesh':0,'primitive':2,'uvs':[0,0,1,0.25,0.5,1]}]",
           quarter.data, skewed.data);
    free_buffer(&quarter);
    free_buffer(&skewed);
    expect_rest(d);
}

static const conformance_case cases[] = {
    {"names.gltf", "missing, empty, repeated, escaped and non-ASCII names",
     "refusing them; looking up nodes by name", names, false},
    {"scene-named.gltf", "two scenes with `scene`", "showing the first, or all", several_scenes, false},
    {"scene-unnamed.gltf", "two scenes without `scene`", "showing none, or the last", no_default_scene, false},
    {"scene-missing.gltf", "no scenes: everything is visible", "showing nothing", no_scene, false},
    {"nodes-outside-the-scene.gltf", "animated nodes outside every scene", "dropping them and shifting indices",
     outside_the_scene, false},
    {"node-visibility.gltf", "KHR_node_visibility, with visible children of hidden nodes",
     "testing each node alone", visibility, false},
    {"cameras.gltf", "cameras on animated nodes, a shared one, optional members missing",
     "one camera per node; reading an infinite far plane as 0", cameras, false},
    {"lights.gltf", "KHR_lights_punctual: all types, defaults, child nodes",
     "an outer cone of 0; confusing lights and nodes", lights, false},
    {"materials-unlit.gltf", "KHR_materials_unlit and defaults", "defaults of 0", unlit, false},
    {"texture-transform.gltf", "KHR_texture_transform: scale, rotation, offset",
     "rotating the wrong way; applying the offset first; changing other materials' coordinates", texture_transform,
     false},
};

const conformance_group scene_cases = {"Scenes and materials", cases, sizeof cases / sizeof cases[0]};
