// SPDX-License-Identifier: MIT
// Builds small files, each for one feature of the importer.
#include "support/gltf_samples.h"

#include <stdio.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

gltf_builder sample_everything(void) {
    gltf_builder b = gltf_begin();
    int positions = gltf_floats(&b, "VEC3", 4, (float[12]){0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
    int indices = gltf_accessor(&b, (uint16_t[6]){0, 1, 2, 0, 2, 3}, 12, U16, "SCALAR", 6);
    int joints =
        gltf_accessor(&b, (uint8_t[16]){0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, 16, U8, "VEC4", 4);
    int weights = gltf_normalized(&b, (uint8_t[16]){127, 128, 0, 0, 255, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0}, 16, U8,
                                  "VEC4", 4);
    int uvs = gltf_floats(&b, "VEC2", 4, (float[8]){0, 0, 1, 0, 1, 1, 0, 1});
    int binds = gltf_floats(&b, "MAT4", 2, (float[32]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                                       1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1});
    int times = gltf_floats(&b, "SCALAR", 3, (float[3]){0, 0.5f, 2});
    int turns =
        gltf_normalized(&b, (int16_t[12]){0, 0, 0, 32767, 0, 0, 32767, 0, 0, 32767, 0, 0}, 24, I16, "VEC4", 3);
    int moves = gltf_floats(&b, "VEC3", 9, (float[27]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    int morphs = gltf_floats(&b, "SCALAR", 6, (float[6]){0, 1, 0.5f, 0.5f, 1, 0});
    int which = gltf_view(&b, (uint8_t[2]){1, 3}, 2, 0);
    int what = gltf_view(&b, (float[6]){9, 9, 9, 8, 8, 8}, 24, 0);
    int sparse = gltf_raw_accessor(&b,
                                   "'componentType':5126,'type':'VEC3','count':4,'sparse':{'count':2,"
                                   "'indices':{'bufferView':%d,'componentType':5121},'values':{'bufferView':%d}}",
                                   which, what);
    int image = gltf_view(&b, "\x89PNG\r\n\x1A\n", 8, 0);
    gltf_section(&b,
                 "'images':[{'bufferView':%d,'name':'i'},{'uri':'data:;base64,/9j/'}],'samplers':[{'wrapS':33071}]",
                 image);
    gltf_section(&b, "'textures':[{'source':0,'sampler':0}],'materials':[{'name':'m','pbrMetallicRoughness':"
                     "{'baseColorFactor':[1,0.5,0,1],'baseColorTexture':{'index':0,'extensions':"
                     "{'KHR_texture_transform':{'scale':[2,2]}}}},'alphaMode':'MASK'}]");
    gltf_section(
        &b,
        "'meshes':[{'name':'mesh','weights':[0.5,0],'primitives':[{'attributes':{'POSITION':%d,'JOINTS_0':%d,"
        "'WEIGHTS_0':%d,'TEXCOORD_0':%d},'indices':%d,'material':0,'targets':[{'POSITION':%d},{}]},"
        "{'attributes':{'POSITION':%d},'mode':5,'targets':[{},{}]}]}]",
        positions, joints, weights, uvs, indices, sparse, positions);
    gltf_section(
        &b, "'nodes':[{'name':'a','children':[1,2]},{'name':'\\u00e4','matrix':[1,0,0,0,0,1,0,0,0,0,1,0,1,2,3,1]},"
            "{'mesh':0,'skin':0,'translation':[1,2,3]}],'scene':0,'scenes':[{'nodes':[0]}]");
    gltf_section(&b, "'skins':[{'joints':[0,1],'inverseBindMatrices':%d,'name':'s'}]", binds);
    gltf_section(&b,
                 "'animations':[{'name':'clip','samplers':[{'input':%d,'output':%d},"
                 "{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'},{'input':%d,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':1,'path':'rotation'}},"
                 "{'sampler':1,'target':{'node':1,'path':'translation'}},"
                 "{'sampler':2,'target':{'node':2,'path':'weights'}}]}]",
                 times, turns, times, moves, times, morphs);
    return b;
}

enum { MOTION_KEYS = 24 };

gltf_builder sample_motion(void) {
    float times[MOTION_KEYS], wide[MOTION_KEYS][4], narrow[MOTION_KEYS][4], noise[MOTION_KEYS][3];
    uint64_t random = 3;
    for (int k = 0; k < MOTION_KEYS; k++) {
        const sinew_quat q = about_x(k % 2 ? 0.95 : 0.01 * k - 0.95), r = about_y(0.3 * sin(0.2 * k));
        times[k] = (float)k / 8.0f;
        memcpy(wide[k], &q, sizeof q);
        memcpy(narrow[k], &r, sizeof r);
        for (int i = 0; i < 3; i++) noise[k][i] = random_float(&random, -2, 2);
    }
    gltf_builder b = gltf_begin();
    const int input = gltf_floats(&b, "SCALAR", MOTION_KEYS, times),
              turns = gltf_floats(&b, "VEC4", MOTION_KEYS, wide[0]),
              sways = gltf_floats(&b, "VEC4", MOTION_KEYS, narrow[0]),
              moves = gltf_floats(&b, "VEC3", MOTION_KEYS, noise[0]),
              step_times = gltf_floats(&b, "SCALAR", 3, (float[3]){0, 1.1f, 3}),
              steps = gltf_floats(&b, "VEC3", 3, noise[0]);
    gltf_triangle_mesh(&b, "", ",'targets':[{}]");
    gltf_section(&b, "'nodes':[{'name':'a','children':[1,2]},{'name':'b'},{'name':'c','mesh':0}],"
                     "'scenes':[{'nodes':[0]}]");
    gltf_section(&b,
                 "'animations':[{'name':'whole','samplers':[{'input':%d,'output':%d},{'input':%d,'output':%d},"
                 "{'input':%d,'output':%d,'interpolation':'STEP'},{'input':%d,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'rotation'}},"
                 "{'sampler':1,'target':{'node':2,'path':'translation'}},"
                 "{'sampler':2,'target':{'node':2,'path':'scale'}},"
                 "{'sampler':3,'target':{'node':2,'path':'weights'}}],"
                 "'extras':{'markers':[{'name':'Left','time':0.5},{'name':'Right','time':2}]}},"
                 "{'name':'sway','samplers':[{'input':%d,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':1,'path':'rotation'}}]}]",
                 input, turns, input, moves, step_times, steps, input, input, input, sways);
    return b;
}

enum { OWN_TIMES_NODES = 3, OWN_TIMES_KEYS = 6 };

gltf_builder sample_own_times(void) {
    uint64_t random = 5;
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[{'name':'a','children':[1,2]},{'name':'b'},{'name':'c'}],'scenes':[{'nodes':[0]}]");
    int accessors[OWN_TIMES_NODES][3];
    for (int i = 0; i < OWN_TIMES_NODES; i++) {
        float times[OWN_TIMES_KEYS], turns[OWN_TIMES_KEYS][4], splines[OWN_TIMES_KEYS][3][3];
        for (int k = 0; k < OWN_TIMES_KEYS; k++) {
            const sinew_quat q = about_x(0.5 * k);
            times[k] = 0.25f * (float)k + random_float(&random, 0, 0.2f);
            memcpy(turns[k], &q, sizeof q);
            for (int p = 0; p < 9; p++) splines[k][p / 3][p % 3] = random_float(&random, -1, 1);
        }
        accessors[i][0] = gltf_floats(&b, "SCALAR", OWN_TIMES_KEYS, times);
        accessors[i][1] = gltf_floats(&b, "VEC4", OWN_TIMES_KEYS, turns[0]);
        accessors[i][2] = gltf_floats(&b, "VEC3", 3 * OWN_TIMES_KEYS, splines[0][0]);
    }
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':%d,'output':%d},{'input':%d,'output':%d},{'input':%d,'output':%d},"
        "{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'},{'input':%d,'output':%d,'interpolation':"
        "'CUBICSPLINE'},{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'}],'channels':["
        "{'sampler':0,'target':{'node':0,'path':'rotation'}},{'sampler':1,'target':{'node':1,'path':'rotation'}},"
        "{'sampler':2,'target':{'node':2,'path':'rotation'}},{'sampler':3,'target':{'node':0,'path':'scale'}},"
        "{'sampler':4,'target':{'node':1,'path':'scale'}},{'sampler':5,'target':{'node':2,'path':'scale'}}]}]",
        accessors[0][0], accessors[0][1], accessors[1][0], accessors[1][1], accessors[2][0], accessors[2][1],
        accessors[0][0], accessors[0][2], accessors[1][0], accessors[1][2], accessors[2][0], accessors[2][2]);
    return b;
}

static gltf_builder empty(void) {
    return gltf_begin();
}

static gltf_builder materials(void) {
    gltf_builder b = gltf_begin();
    gltf_section(
        &b, "'images':[{'uri':'a%%20b.png','mimeType':'image/png'},{'uri':'data:image/jpeg;base64,/9j/'}],"
            "'samplers':[{'magFilter':9728,'wrapS':33648,'wrapT':10497}],'textures':[{'source':1,'sampler':0},{}]");
    gltf_section(&b,
                 "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'texCoord':1,'extensions':"
                 "{'KHR_texture_transform':{'offset':[0.5,-1e-3],'rotation':1.5,'scale':[2,2],'texCoord':0}}}},"
                 "'alphaMode':'BLEND','doubleSided':true,'extensions':{'KHR_materials_unlit':{}}},"
                 "{'extensions':{'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[1,1,0,0.25]}},"
                 "'alphaCutoff':0.125}]");
    int uvs = gltf_normalized(&b, (uint16_t[6]){0, 0, 65535, 0, 9, 99}, 12, U16, "VEC2", 3);
    int colors = gltf_accessor(&b, (uint8_t[9]){0, 128, 255, 1, 2, 3, 4, 5, 6}, 9, U8, "VEC3", 3);
    int normals = gltf_floats(&b, "VEC3", 3, (float[9]){0, 0, 1, 0, 0, 2, 0, 0, 0});
    int tangents = gltf_floats(&b, "VEC4", 3, (float[12]){1, 0, 0, 1, 0, 1, 0, -1, 0, 0, 0, 1});
    char attributes[128];
    snprintf(attributes, sizeof attributes, ",'TEXCOORD_0':%d,'COLOR_0':%d,'NORMAL':%d,'TANGENT':%d", uvs, colors,
             normals, tangents);
    gltf_triangle_mesh(&b, attributes, ",'material':0");
    gltf_section(&b, "'nodes':[{'mesh':0}],'extensionsUsed':['KHR_texture_transform'],'extensionsRequired':"
                     "['KHR_texture_transform','KHR_materials_unlit']");
    return b;
}

// Quantised and interleaved, a strip and a fan, eight influences, two skins on one skeleton.
static gltf_builder skins(void) {
    gltf_builder b = gltf_begin();
    const int16_t corners[16] = {0, 0, 0, 1, 99, 0, 0, 1, 0, 99, 0, 1, 99, 99, 0, 1};
    int places = gltf_view(&b, corners, sizeof corners, 8);
    int positions = gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5122,'type':'VEC3','count':4", places);
    uint16_t joints[16] = {0, 1, 2, 0, 1, 1, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0};
    uint16_t weights[16] = {9999, 9999, 9999, 35538, 65535, 0, 0, 0, 65535, 0, 0, 0, 1, 2, 3, 4};
    int first = gltf_accessor(&b, joints, sizeof joints, U16, "VEC4", 4);
    int how_much = gltf_normalized(&b, weights, sizeof weights, U16, "VEC4", 4);
    float fourths[16];
    for (int i = 0; i < 16; i++) fourths[i] = 0.25f;
    int more = gltf_floats(&b, "VEC4", 4, fourths);
    int order = gltf_accessor(&b, (uint8_t[5]){0, 1, 2, 3, 0}, 5, U8, "SCALAR", 5);
    gltf_section(
        &b,
        "'meshes':[{'primitives':[{'mode':6,'indices':%d,'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d,"
        "'JOINTS_1':%d,'WEIGHTS_1':%d}},{'mode':5,'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d}}]}]",
        order, positions, first, how_much, first, more, positions, first, how_much);
    gltf_section(&b, "'nodes':[{'children':[3],'rotation':[0,0.6,0,0.8]},{'mesh':0,'skin':0},{'mesh':0,'skin':1,"
                     "'scale':[-1,1,1]},{'children':[4],'translation':[0,1,0]},{'scale':[1,2,0.5]}],"
                     "'scenes':[{},{'nodes':[0,1]}],'scene':1,"
                     "'skins':[{'joints':[4,3,0],'skeleton':0},{'joints':[0,3,4]}]");
    gltf_section(&b, "'extensionsRequired':['KHR_mesh_quantization']");
    return b;
}

static int add_clip(gltf_text *text, int sampler, int node, const char *path) {
    char line[80];
    int length = snprintf(line, sizeof line, "%s{'sampler':%d,'target':{'node':%d,'path':'%s'}}",
                          text->size ? "," : "", sampler, node, path);
    gltf_append(text, line, (size_t)length);
    return sampler + 1;
}

// Every interpolation of every path, on shared and on separate times, evenly spaced and not.
static gltf_builder clips(void) {
    static const char *const paths[] = {"translation", "rotation", "scale"};
    static const char *const types[] = {"VEC3", "VEC4", "VEC3"};
    static const char *const how[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    static const float times[] = {0, 0.25f, 0.5f, 0.75f, 1, 0.125f, 0.5f, 3, 3.5f, 10};
    gltf_builder b = gltf_begin();
    float values[60];
    for (int i = 0; i < COUNT(values); i++) values[i] = (float)(i * 37 % 23) / 8 - 1;
    int even = gltf_floats(&b, "SCALAR", 5, times), odd = gltf_floats(&b, "SCALAR", 4, times + 6);
    gltf_text samplers = {NULL, 0, 0}, channels = {NULL, 0, 0};
    int count = 0;
    for (int i = 0; i < 9; i++) {
        int keys = i % 2 ? 4 : 5, parts = i / 3 == 2 ? 3 : 1;
        int output = gltf_floats(&b, types[i % 3], keys * parts, values);
        char line[96];
        int length = snprintf(line, sizeof line, "%s{'input':%d,'output':%d,'interpolation':'%s'}", i ? "," : "",
                              i % 2 ? odd : even, output, how[i / 3]);
        gltf_append(&samplers, line, (size_t)length);
        count = add_clip(&channels, count, i / 3, paths[i % 3]);
    }
    gltf_section(&b,
                 "'nodes':[{'name':'a','children':[1]},{'name':'b'},{'name':'b'}],'animations':[{'name':'all','"
                 "samplers':[%s],"
                 "'channels':[%s]},{'name':'none'},{'samplers':[{'input':%d,'output':%d}],'channels':[]}]",
                 samplers.data, channels.data, even, even);
    free(samplers.data);
    free(channels.data);
    return b;
}

// Each channel has its own times, so the clip keeps them as tracks.
static gltf_builder tracks(void) {
    gltf_builder b = gltf_begin();
    gltf_text samplers = {NULL, 0, 0}, channels = {NULL, 0, 0};
    for (int i = 0; i < 6; i++) {
        float times[6], values[18];
        for (int k = 0; k < 6; k++) times[k] = (float)(k * k + k) / 8 + (float)i / 16;
        for (int k = 0; k < 18; k++) values[k] = (float)((k + i) % 5);
        int input = gltf_floats(&b, "SCALAR", 6, times), output = gltf_floats(&b, "VEC3", 6, values);
        char line[64];
        int length = snprintf(line, sizeof line, "%s{'input':%d,'output':%d}", i ? "," : "", input, output);
        gltf_append(&samplers, line, (size_t)length);
        add_clip(&channels, i, i, i % 2 ? "scale" : "translation");
    }
    gltf_section(&b, "'nodes':[{},{},{},{},{},{}],'animations':[{'samplers':[%s],'channels':[%s]}]", samplers.data,
                 channels.data);
    free(samplers.data);
    free(channels.data);
    return b;
}

// Morph targets with positions, normals and tangents, one of them sparse over nothing; weights in mesh, node and
// clip.
static gltf_builder morphs(void) {
    gltf_builder b = gltf_begin();
    const float moves[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
    int dense = gltf_floats(&b, "VEC3", 3, moves),
        small = gltf_normalized(&b, (int8_t[12]){1, 2, 3, 0, 127, 0, -128}, 12, I8, "VEC3", 3);
    int which = gltf_view(&b, (uint16_t[1]){2}, 2, 0), what = gltf_view(&b, moves, 12, 0);
    int sparse = gltf_raw_accessor(&b,
                                   "'componentType':5126,'type':'VEC3','count':3,'sparse':{'count':1,"
                                   "'indices':{'bufferView':%d,'componentType':5123},'values':{'bufferView':%d}}",
                                   which, what);
    char attributes[32], members[256];
    snprintf(attributes, sizeof attributes, ",'NORMAL':%d", dense);
    snprintf(members, sizeof members,
             ",'targets':[{'POSITION':%d,'NORMAL':%d},{'POSITION':%d,'TANGENT':%d},{'NORMAL':%d}]", dense, small,
             sparse, dense, sparse);
    gltf_triangle_mesh(&b, attributes, members);
    int times = gltf_floats(&b, "SCALAR", 2, (float[2]){0, 1});
    float weights[18] = {0, 1, 0.5f, 1};
    int cubic = gltf_floats(&b, "SCALAR", 18, weights);
    gltf_section(
        &b,
        "'nodes':[{'mesh':0},{'mesh':0,'weights':[0.5,0.25,1]}],'animations':[{'samplers':[{'input':%d,'output':%d,"
        "'interpolation':'CUBICSPLINE'}],'channels':[{'sampler':0,'target':{'node':1,'path':'weights'}}]}]",
        times, cubic);
    return b;
}

// Cameras, lights, visibility and what else stands beside meshes and bones.
static gltf_builder surroundings(void) {
    gltf_builder b = gltf_begin();
    gltf_section(
        &b, "'cameras':[{'type':'perspective','perspective':{'yfov':0.7,'znear':0.1,'zfar':100,'aspectRatio':1.5}},"
            "{'name':'o','type':'orthographic','orthographic':{'xmag':1,'ymag':2,'znear':0,'zfar':9}}],"
            "'extensionsUsed':['KHR_lights_punctual','KHR_node_visibility'],'extensions':{'KHR_lights_punctual':"
            "{'lights':[{'type':'spot','spot':{'innerConeAngle':0.1,'outerConeAngle':0.5},'range':9},"
            "{'type':'directional','color':[1,0.5,0],'intensity':3}]}}");
    gltf_section(
        &b, "'nodes':[{'camera':0,'extensions':{'KHR_lights_punctual':{'light':0}},'children':[1]},{'camera':1,"
            "'extensions':{'KHR_node_visibility':{'visible':false},'KHR_lights_punctual':{'light':1}},"
            "'extras':{'a':[null,true,\"\\u00e9\\ud83d\\ude00\"]}}]");
    return b;
}

// The roles of a humanoid, in both versions of VRM.
static gltf_builder avatar(void) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'extensionsUsed':['VRM','VRMC_vrm'],'extensions':{'VRM':{'humanoid':{'humanBones':["
                     "{'bone':'hips','node':0,'useDefaultValues':true},{'bone':'leftThumbIntermediate','node':3},"
                     "{'bone':'jaw','node':-1}]}},'VRMC_vrm':{'specVersion':'1.0','humanoid':{'humanBones':{"
                     "'hips':{'node':0},'spine':{'node':1},'head':{'node':2},'leftUpperLeg':{'node':3},"
                     "'rightUpperLeg':{'node':4},'tail':{'node':1}}}}}");
    gltf_section(
        &b, "'nodes':[{'name':'Hips','children':[1,3,4]},{'name':'Spine','translation':[0,1,0],'children':[2]},"
            "{'name':'Head','translation':[0,1,0]},{'name':'LeftUpLeg','translation':[1,0,0],'children':[5]},"
            "{'name':'RightUpLeg','translation':[-1,0,0]},{'name':'LeftLeg','translation':[0,-1,0]}]");
    return b;
}

// A mesh with two morph targets, on the nodes 0 and 4 of 10.
static void add_vrm_nodes(gltf_builder *b, const char *eyes) {
    char targets[64];
    int moves = gltf_floats(b, "VEC3", 3, (float[9]){0, 0, 1, 0, 1, 0, -1, 0, 0});
    snprintf(targets, sizeof targets, ",'targets':[{'POSITION':%d},{'POSITION':%d}]", moves, moves);
    gltf_triangle_mesh(b, "", targets);
    gltf_section(b,
                 "'materials':[{}],'nodes':[{'name':'body','mesh':0},{'name':'hips','children':[2]},{'name':'head',"
                 "'children':[3,4,5],'rotation':[0,0.6,0,0.8]},{'name':'left'},{'name':'right','mesh':0},{'name':"
                 "'hair','children':[6]},{'name':'tip','translation':[0,-0.1,0]}%s]",
                 eyes);
}

// VRM 1.0: everything that is read, in its shortest form.
static gltf_builder vrm_1(void) {
    gltf_builder b = gltf_begin();
    add_vrm_nodes(
        &b, ",{'name':'roll','extensions':{'VRMC_node_constraint':{'specVersion':'1.0','constraint':{'roll':{"
            "'source':8,'rollAxis':'Y','weight':0.5}}}}},{'name':'copy','extensions':{'VRMC_node_constraint':{"
            "'constraint':{'rotation':{'source':2}}}}},{'name':'aim','translation':[0,1,0],'extensions':{"
            "'VRMC_node_constraint':{'constraint':{'aim':{'source':6,'aimAxis':'NegativeZ'}}}}}");
    gltf_section(
        &b,
        "'extensions':{'VRMC_vrm':{'specVersion':'1.0','meta':{'name':'n','version':'1','authors':['a','b'],"
        "'licenseUrl':'u'},'humanoid':{'humanBones':{'hips':{'node':1},'head':{'node':2},'leftEye':{'node':3},"
        "'rightEye':{'node':4}}},'firstPerson':{'meshAnnotations':[{'node':4,'type':'thirdPersonOnly'}]},"
        "'lookAt':{'type':'bone','offsetFromHeadBone':[0,0.1,0],'rangeMapHorizontalInner':{'inputMaxValue':60,"
        "'outputScale':8}},'expressions':{'preset':{'happy':{'isBinary':true,'overrideBlink':'block',"
        "'overrideMouth':'blend','morphTargetBinds':[{'node':0,'index':1,'weight':0.5},{'node':4,'index':0}]},"
        "'blink':{'morphTargetBinds':[{'node':0,'index':0,'weight':1}]},'lookUp':{}},'custom':{'wink':{"
        "'materialColorBinds':[{'material':0,'type':'color','targetValue':[1,0,0,1]}],'textureTransformBinds':"
        "[{'material':0,'scale':[1,2],'offset':[0.5,0]}]}}}},'VRMC_springBone':{'colliders':[{'node':2,'shape':"
        "{'sphere':{'offset':[0,0.1,0],'radius':0.2}}},{'node':1,'shape':{'capsule':{'radius':0.1,'tail':[0,1,"
        "0]}}},{'node':1,'shape':{'sphere':{'radius':9}},'extensions':{'VRMC_springBone_extended_collider':{"
        "'specVersion':'1.0','shape':{'plane':{'offset':[0,1,0],'normal':[1,0,0]}}}}},{'node':2,'shape':{'sphere':{"
        "}},"
        "'extensions':{'VRMC_springBone_extended_collider':{'specVersion':'1.0','shape':{'sphere':{'radius':0.5,"
        "'inside':true}}}}}],'colliderGroups':[{'name':'g','colliders':[0,1]}],'springs':[{'name':'s','center':2,"
        "'colliderGroups':[0],'joints':[{'node':5,'hitRadius':0.02,'stiffness':2,'gravityPower':0.1,'gravityDir'"
        ":[0,-1,0],'dragForce':0.4},{'node':6}]}]}}");
    return b;
}

// VRM 0.x.
static gltf_builder vrm_0(void) {
    gltf_builder b = gltf_begin();
    add_vrm_nodes(&b, "");
    gltf_section(
        &b,
        "'extensions':{'VRM':{'meta':{'title':'n','author':'a','licenseName':'CC0'},'humanoid':{'humanBones':["
        "{'bone':'hips','node':1},{'bone':'head','node':2},{'bone':'leftEye','node':3}]},'firstPerson':{"
        "'firstPersonBone':2,'firstPersonBoneOffset':{'x':0,'y':0.1,'z':0.2},'lookAtTypeName':'BlendShape',"
        "'lookAtVerticalUp':{'xRange':45,'yRange':1},'meshAnnotations':[{'mesh':0,'firstPersonFlag':'Both'}]},"
        "'blendShapeMaster':{'blendShapeGroups':[{'name':'Joy','presetName':'joy','isBinary':true,'binds':[{"
        "'mesh':0,'index':1,'weight':50}]},{'name':'Own','presetName':'unknown'}]},'secondaryAnimation':{"
        "'colliderGroups':[{'node':2,'colliders':[{'offset':{'x':0,'y':1,'z':2},'radius':0.1}]}],'boneGroups':[{"
        "'comment':'c','stiffiness':1,'gravityDir':{'x':0,'y':-1,'z':0},'center':-1,'bones':[5],"
        "'colliderGroups':[0]}]}}}");
    return b;
}

// A .vrma file.
static gltf_builder vrm_motion(void) {
    gltf_builder b = gltf_begin();
    int times = gltf_floats(&b, "SCALAR", 2, (float[2]){0, 1});
    int weights = gltf_floats(&b, "VEC3", 2, (float[6]){0, 0, 0, 1.5f, 0, 0});
    int turns = gltf_floats(&b, "VEC4", 2, (float[8]){0, 0, 0, 1, 0, 0.6f, 0, 0.8f});
    gltf_section(&b,
                 "'nodes':[{'name':'hips'},{'name':'happy'},{'name':'gaze'}],'extensions':{'VRMC_vrm_animation':{"
                 "'specVersion':'1.0','humanoid':{'humanBones':{'hips':{'node':0}}},'expressions':{'preset':{"
                 "'happy':{'node':1}},'custom':{'wink':{'node':2}}},'lookAt':{'node':2,'offsetFromHeadBone':[0,"
                 "0.06,0]}}}");
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d},{'input':%d,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':1,'path':'translation'}},{'sampler':1,'target':{'node':2,'path':"
                 "'rotation'}}]}]",
                 times, weights, times, turns);
    return b;
}

// Curves in extras, and of properties.
static gltf_builder curves(void) {
    gltf_builder b = gltf_begin();
    const int times = gltf_floats(&b, "SCALAR", 2, (float[2]){0, 1});
    const int one = gltf_floats(&b, "SCALAR", 2, (float[2]){0.5f, 2}),
              four = gltf_floats(&b, "VEC4", 2, (float[8]){1, 2});
    const int bools = gltf_accessor(&b, (uint8_t[4]){0, 1, 0, 0}, 2, U8, "SCALAR", 2);
    const int deltas = gltf_floats(&b, "VEC3", 3, (float[9]){1});
#define TO(sampler, pointer)                                                                                       \
    "{'sampler':" #sampler                                                                                         \
    ",'target':{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':'" pointer "'}}}}"
    gltf_section(&b,
                 "'nodes':[{'mesh':0},{'camera':0,'extensions':{'KHR_node_visibility':{}}}],'meshes':[{'primitives'"
                 ":[{'attributes':{'POSITION':%d},'targets':[{'POSITION':%d},{'POSITION':%d}],'material':0}]}]",
                 deltas, deltas, deltas);
    gltf_section(&b, "'materials':[{'pbrMetallicRoughness':{},'extras':{'a/b':1,'list':[1,2]}}],'cameras':[{'type':"
                     "'perspective','perspective':{'yfov':1,'znear':0.1}}]");
    // clang-format off
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':%d,'output':%d},{'input':%d,'output':%d},{'input':%d,'output':%d,'interpolation':'STEP'}],'channels':[" TO(0, "/cameras/0/perspective/yfov")
        "," TO(1, "/materials/0/pbrMetallicRoughness/baseColorFactor")
        "," TO(2, "/nodes/1/extensions/KHR_node_visibility/visible")
        "," TO(0, "/nodes/0/weights/1")
        "," TO(0, "/materials/0/extras/a~1b") "],'extras':{'curves':{'Speed':{'times':[0,0.5],'values':[1,2]},'Open':{'times':[0.25],'values':[0,1,0],'interpolation':'CUBICSPLINE'}}}}]",
        times, one, times, four, times, bools);
    // clang-format on
#undef TO
    return b;
}

const gltf_sample gltf_samples[] = {{"everything", sample_everything},
                                    {"empty", empty},
                                    {"materials", materials},
                                    {"skins", skins},
                                    {"clips", clips},
                                    {"tracks", tracks},
                                    {"morphs", morphs},
                                    {"surroundings", surroundings},
                                    {"avatar", avatar},
                                    {"vrm-1", vrm_1},
                                    {"vrm-0", vrm_0},
                                    {"vrm-motion", vrm_motion},
                                    {"curves", curves}};
const int gltf_sample_count = COUNT(gltf_samples);
