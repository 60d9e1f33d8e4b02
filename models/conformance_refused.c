// conformance_refused.c - files that must be refused: one of two valid files with one fault.
#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- a sound file that moves a node ----

static const char motion_text[] =
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],\n"
    "'nodes':[{'name':'root','children':[1]},{'name':'hand','translation':[0,1,0],'rotation':[0,0,0,1]}],\n"
    "'animations':[{'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}}],\n"
    " 'samplers':[{'input':0,'output':1,'interpolation':'LINEAR'}]}],\n"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR','min':[0],'max':[2]},\n"
    " {'bufferView':1,'componentType':5126,'count':3,'type':'VEC3'}],\n"
    "'bufferViews':[{'buffer':0,'byteLength':12},{'buffer':0,'byteOffset':12,'byteLength':36}],\n"
    "'buffers':[{'byteLength':48,'uri':'$'}]}\n";

static void write_motion(buffer *text, buffer *bin) {
    const double times[] = {0, 1, 2}, moves[] = {0, 0, 0, 1, 0, 0, 1, 1, 0};
    put(text, motion_text, strlen(motion_text));
    for (int i = 0; i < 12; i++) {
        put_float(bin, i < 3 ? times[i] : moves[i - 3]);
    }
}

enum { KEY_1 = 4 };

// Faults of whole files.

static void cut_in_text(buffer *file) {
    file->length /= 2;
}

static void leave_nothing(buffer *file) {
    file->length = 0;
}

static void nest_deeply(buffer *file) {
    file->length = 0;
    say_json(file, "{'asset':{'version':'2.0'},'extras':");
    for (int i = 0; i < 2000; i++) {
        say(file, i < 1000 ? "[" : "]");
    }
    say(file, "}");
}

/// Writes the text as a .glb without a binary chunk, which does not matter for faults of the container.
static void frame(buffer *file) {
    buffer text = *file, none = {0};
    *file = (buffer){0};
    pad(&text, ' ');
    put_glb(file, &text, &none);
    free_buffer(&text);
}

static void cut_glb(buffer *file) {
    frame(file);
    file->length -= 20;
}

static void cut_glb_head(buffer *file) {
    frame(file);
    file->length = 11;
}

static void lengthen_chunk(buffer *file) {
    frame(file);
    file->data[13]++;
}

static void first_glb_version(buffer *file) {
    frame(file);
    file->data[4] = 1;
}

static void binary_chunk_first(buffer *file) {
    frame(file);
    memcpy(file->data + 16, "BIN\0", 4);
}

static const refused_case motions[] = {
    // The file
    {.file = "refused-empty.gltf", .why = "empty file", .location = "", .says = "is empty", .spoil = leave_nothing},
    {.file = "refused-text-cut.gltf",
     .why = "truncated JSON",
     .location = "",
     .says = "JSON, line",
     .spoil = cut_in_text},
    {.file = "refused-trailing-comma.gltf",
     .why = "trailing comma",
     .location = "",
     .says = "JSON, line 1",
     .old = "'nodes':[0]",
     .now = "'nodes':[0,]"},
    {.file = "refused-nested-deeply.gltf",
     .why = "a thousand nested arrays",
     .location = "",
     .says = "deep",
     .spoil = nest_deeply},
    {.file = "refused-glb-head-cut.glb",
     .why = "an 11-byte .glb",
     .location = "",
     .says = "truncated",
     .spoil = cut_glb_head},
    {.file = "refused-glb-cut.glb",
     .why = "20 bytes missing at the end",
     .location = "",
     .says = "truncated",
     .spoil = cut_glb},
    {.file = "refused-glb-chunk-too-long.glb",
     .why = "a chunk longer than the file",
     .location = "",
     .says = "chunk",
     .spoil = lengthen_chunk},
    {.file = "refused-glb-version-1.glb",
     .why = ".glb version 1",
     .location = "",
     .says = "glTF 1.0",
     .spoil = first_glb_version},
    {.file = "refused-glb-without-json.glb",
     .why = "a binary first chunk",
     .location = "",
     .says = "not JSON",
     .spoil = binary_chunk_first},
    // Versions and extensions
    {.file = "refused-version-1.gltf",
     .why = "glTF 1.0",
     .location = "asset.version",
     .says = "glTF 1.0",
     .old = "2.0",
     .now = "1.0"},
    {.file = "refused-version-3.gltf",
     .why = "glTF 3.0",
     .location = "asset.version",
     .says = "only glTF 2.0",
     .old = "2.0",
     .now = "3.0"},
    {.file = "refused-version-missing.gltf",
     .why = "no version",
     .location = "asset",
     .says = "version is missing",
     .old = "'version':'2.0'",
     .now = ""},
    {.file = "refused-min-version.gltf",
     .why = "a newer `minVersion`",
     .location = "asset.minVersion",
     .says = "a version later",
     .old = "'2.0'",
     .now = "'2.0','minVersion':'2.1'"},
    {.file = "refused-required-extension.gltf",
     .why = "an unknown required extension",
     .location = "extensionsRequired[0]",
     .says = "EXT_that_nobody_knows",
     .old = "'scene':0",
     .now = "'extensionsUsed':['EXT_that_nobody_knows'],'extensionsRequired':['EXT_that_nobody_knows'],'scene':0"},
    // Nodes
    {.file = "refused-cycle.gltf",
     .why = "two nodes are each other's children",
     .location = "nodes[0]",
     .says = "own ancestor",
     .old = "{'name':'hand',",
     .now = "{'children':[0],"},
    {.file = "refused-own-child.gltf",
     .why = "a node is its own child",
     .location = "nodes[0]",
     .says = "own ancestor",
     .old = "'children':[1]",
     .now = "'children':[0]"},
    {.file = "refused-two-parents.gltf",
     .why = "two parents",
     .location = "nodes[2].children[0]",
     .says = "already a child",
     .old = "'rotation':[0,0,0,1]}",
     .now = "'rotation':[0,0,0,1]},{'children':[1]}"},
    {.file = "refused-child-out-of-range.gltf",
     .why = "out-of-range child",
     .location = "nodes[0].children[0]",
     .says = "2 is out of range",
     .old = "'children':[1]",
     .now = "'children':[2]"},
    {.file = "refused-negative-index.gltf",
     .why = "negative index",
     .location = "nodes[0].children[0]",
     .says = "-1",
     .old = "'children':[1]",
     .now = "'children':[-1]"},
    {.file = "refused-fraction-as-index.gltf",
     .why = "fractional index",
     .location = "nodes[0].children[0]",
     .says = "0.5",
     .old = "'children':[1]",
     .now = "'children':[0.5]"},
    {.file = "refused-scene-out-of-range.gltf",
     .why = "out-of-range scene",
     .location = "scene",
     .says = "out of range",
     .old = "'scene':0",
     .now = "'scene':1"},
    {.file = "refused-scene-node-out-of-range.gltf",
     .why = "out-of-range root",
     .location = "scenes[0].nodes[0]",
     .says = "out of range",
     .old = "'nodes':[0]",
     .now = "'nodes':[9]"},
    {.file = "refused-translation-of-two.gltf",
     .why = "two numbers",
     .location = "nodes[1].translation",
     .says = "2 numbers instead of 3",
     .old = "[0,1,0]",
     .now = "[0,1]"},
    {.file = "refused-rotation-of-text.gltf",
     .why = "a string",
     .location = "nodes[1].rotation[3]",
     .says = "number",
     .old = "[0,0,0,1]",
     .now = "[0,0,0,'1']"},
    {.file = "refused-number-too-large.gltf",
     .why = "exceeds a 32-bit float",
     .location = "nodes[1].translation[1]",
     .says = "1e39",
     .old = "[0,1,0]",
     .now = "[0,1e39,0]"},
    {.file = "refused-matrix-of-twelve.gltf",
     .why = "twelve numbers",
     .location = "nodes[1].matrix",
     .says = "12 numbers instead of 16",
     .old = "'translation':[0,1,0],'rotation':[0,0,0,1]",
     .now = "'matrix':[1,0,0,0,0,1,0,0,0,0,1,0]"},
    // Animations
    {.file = "refused-times-decrease.gltf",
     .why = "decreasing times",
     .location = "animations[0].samplers[0].input",
     .says = "key 2 is at 2 s, not after key 1",
     .at = KEY_1,
     .size = 4,
     .value = 3},
    {.file = "refused-times-not-finite.gltf",
     .why = "a time that isn't finite",
     .location = "accessors[0]",
     .says = "element 1 is not finite",
     .at = KEY_1,
     .size = 4,
     .value = (double)NAN},
    {.file = "refused-value-infinite.gltf",
     .why = "an infinite value",
     .location = "accessors[1]",
     .says = "element 1 is not finite",
     .at = 24,
     .size = 4,
     .value = (double)INFINITY},
    {.file = "refused-values-too-few.gltf",
     .why = "two values for three keys",
     .location = "animations[0].samplers[0].output",
     .says = "2 values do not make 3 keys",
     .old = "'count':3,'type':'VEC3'",
     .now = "'count':2,'type':'VEC3'"},
    {.file = "refused-cubic-too-few.gltf",
     .why = "one value per CUBICSPLINE key",
     .location = "animations[0].samplers[0].output",
     .says = "3 values do not make 3 keys of 3 each",
     .old = "LINEAR",
     .now = "CUBICSPLINE"},
    {.file = "refused-input-type.gltf",
     .why = "times that are vectors",
     .location = "animations[0].samplers[0].input",
     .says = "VEC3 instead of SCALAR",
     .old = "'input':0",
     .now = "'input':1"},
    {.file = "refused-output-type.gltf",
     .why = "translations that are scalars",
     .location = "animations[0].samplers[0].output",
     .says = "SCALAR instead of VEC3",
     .old = "'output':1",
     .now = "'output':0"},
    {.file = "refused-input-missing.gltf",
     .why = "no `input`",
     .location = "animations[0].samplers[0]",
     .says = "input",
     .old = "'input':0,",
     .now = ""},
    {.file = "refused-sampler-out-of-range.gltf",
     .why = "out-of-range sampler",
     .location = "animations[0].channels[0].sampler",
     .says = "out of range",
     .old = "'sampler':0",
     .now = "'sampler':1"},
    {.file = "refused-target-out-of-range.gltf",
     .why = "out-of-range node",
     .location = "animations[0].channels[0].target.node",
     .says = "out of range",
     .old = "'node':1",
     .now = "'node':2"},
    // Accessors, views and buffers
    {.file = "refused-past-its-view.gltf",
     .why = "the last element ends past the view",
     .location = "accessors[1]",
     .says = "bufferViews[1], which has 35",
     .old = "'byteLength':36",
     .now = "'byteLength':35"},
    {.file = "refused-offset-past-its-view.gltf",
     .why = "an offset past the view",
     .location = "accessors[1]",
     .says = "bufferViews[1], which has 36",
     .old = "'bufferView':1",
     .now = "'bufferView':1,'byteOffset':4"},
    {.file = "refused-count-bomb.gltf", // refused by its size or its memory
     .why = "two billion elements in 12 bytes",
     .location = "",
     .says = "",
     .old = "'count':3,'type':'SCALAR'",
     .now = "'count':2147483647,'type':'SCALAR'"},
    {.file = "refused-count-negative.gltf",
     .why = "negative count",
     .location = "accessors[1].count",
     .says = "-3",
     .old = "'count':3,'type':'VEC3'",
     .now = "'count':-3,'type':'VEC3'"},
    {.file = "refused-stride-too-small.gltf",
     .why = "12-byte elements with stride 8",
     .location = "accessors[1]",
     .says = "8 apart",
     .old = "'byteLength':36",
     .now = "'byteLength':36,'byteStride':8"},
    {.file = "refused-component-type.gltf",
     .why = "unknown component type",
     .location = "accessors[1]",
     .says = "5124",
     .old = "5126,'count':3,'type':'VEC3'",
     .now = "5124,'count':3,'type':'VEC3'"},
    {.file = "refused-element-type.gltf",
     .why = "unknown element type",
     .location = "accessors[1]",
     .says = "type is missing or is not a",
     .old = "'VEC3'",
     .now = "'VEC5'"},
    {.file = "refused-view-out-of-range.gltf",
     .why = "out-of-range view",
     .location = "accessors[1].bufferView",
     .says = "out of range",
     .old = "'bufferView':1",
     .now = "'bufferView':2"},
    {.file = "refused-view-past-its-buffer.gltf",
     .why = "a view past its buffer",
     .location = "bufferViews[1]",
     .says = "buffers[0] has 48",
     .old = "'byteOffset':12",
     .now = "'byteOffset':16"},
    {.file = "refused-buffer-too-short.gltf",
     .why = "fewer bytes than `byteLength`",
     .location = "buffers[0]",
     .says = "52 bytes and has 48",
     .old = "'byteLength':48",
     .now = "'byteLength':52"},
    {.file = "refused-buffer-without-bytes.gltf",
     .why = "no bytes",
     .location = "buffers[0]",
     .says = "neither a uri nor a binary chunk",
     .old = ",'uri':'$'",
     .now = ""},
    {.file = "refused-base64.gltf",
     .why = "invalid base64",
     .location = "buffers[0].uri",
     .says = "base64",
     .old = "$",
     .now = "data:application/octet-stream;base64,AA*A"},
    {.file = "refused-uri-above.gltf",
     .why = "a path above the file's folder",
     .location = "buffers[0].uri",
     .says = "is not allowed",
     .old = "$",
     .now = "../buffer-sidecar.bin"},
    {.file = "refused-uri-above-encoded.gltf",
     .why = "the same, percent-encoded",
     .location = "buffers[0].uri",
     .says = "is not allowed",
     .old = "$",
     .now = "%2e%2e%2fbuffer-sidecar.bin"},
    {.file = "refused-uri-absolute.gltf",
     .why = "an absolute path",
     .location = "buffers[0].uri",
     .says = "absolute path",
     .old = "$",
     .now = "/buffer-sidecar.bin"},
    {.file = "refused-uri-scheme.gltf",
     .why = "an unsupported scheme",
     .location = "buffers[0].uri",
     .says = "scheme",
     .old = "$",
     .now = "file:buffer-sidecar.bin"},
    {.file = "refused-uri-of-nothing.gltf",
     .why = "missing file",
     .location = "buffers[0].uri",
     .says = "absent.bin",
     .old = "$",
     .now = "absent.bin"},
};

const refused_group refused_motions = {"Refused: files, nodes, animations", write_motion, "sound-motion.gltf",
                                       motions, sizeof motions / sizeof motions[0]};

// ---- a sound file with a skinned mesh ----

static const char mesh_text[] =
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,2]}],\n"
    "'nodes':[{'children':[1]},{'name':'knee'},{'mesh':0,'skin':0}],\n"
    "'skins':[{'joints':[0,1],'inverseBindMatrices':4}],\n"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'indices':3,"
    "'targets':[{'POSITION':5}]}]}],\n"
    "'animations':[{'channels':[{'sampler':0,'target':{'node':2,'path':'weights'}}],"
    "'samplers':[{'input':6,'output':7}]}],\n"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3','min':[0,0,0],'max':[1,1,0]},\n"
    " {'bufferView':1,'componentType':5121,'count':3,'type':'VEC4'},\n"
    " {'bufferView':2,'componentType':5121,'normalized':true,'count':3,'type':'VEC4'},\n"
    " {'bufferView':3,'componentType':5123,'count':3,'type':'SCALAR'},\n"
    " {'bufferView':4,'componentType':5126,'count':2,'type':'MAT4'},\n"
    " {'componentType':5126,'count':3,'type':'VEC3','min':[0,0,0],'max':[0,0,1],'sparse':{'count':1,"
    "'indices':{'bufferView':5,'componentType':5123},'values':{'bufferView':6}}},\n"
    " {'bufferView':7,'componentType':5126,'count':2,'type':'SCALAR','min':[0],'max':[1]},\n"
    " {'bufferView':7,'componentType':5126,'count':2,'type':'SCALAR'}],\n"
    "'bufferViews':[{'buffer':0,'byteLength':36,'target':34962},\n"
    " {'buffer':0,'byteOffset':36,'byteLength':12,'target':34962},\n"
    " {'buffer':0,'byteOffset':48,'byteLength':12,'target':34962},\n"
    " {'buffer':0,'byteOffset':60,'byteLength':6,'target':34963},\n"
    " {'buffer':0,'byteOffset':68,'byteLength':128},{'buffer':0,'byteOffset':196,'byteLength':2},\n"
    " {'buffer':0,'byteOffset':200,'byteLength':12},{'buffer':0,'byteOffset':212,'byteLength':8}],\n"
    "'buffers':[{'byteLength':220,'uri':'$'}]}\n";

enum { POSITIONS = 0, JOINTS = 36, INDICES = 60, BINDS = 68, SPARSE_INDICES = 196 };

static void put_floats(buffer *bin, int count, const double *values) {
    for (int i = 0; i < count; i++) {
        put_float(bin, values[i]);
    }
}

static void write_mesh(buffer *text, buffer *bin) {
    static const uint8_t joints[12] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                         weights[12] = {255, 0, 0, 0, 255, 0, 0, 0, 102, 153};
    static const uint8_t indices[8] = {0, 0, 1, 0, 2, 0}, sparse[4] = {2};
    put(text, mesh_text, strlen(mesh_text));
    put_floats(bin, 9, (const double[]){0, 0, 0, 1, 0, 0, 0, 1, 0});
    put(bin, joints, sizeof joints);
    put(bin, weights, sizeof weights);
    put(bin, indices, sizeof indices);
    for (int i = 0; i < 32; i++) { // two identities
        put_float(bin, i % 16 % 5 == 0);
    }
    put(bin, sparse, sizeof sparse);
    put_floats(
        bin, 5,
        (const double[]){0, 0, 1, 0, 1}); // the rotation, and the times of the weights, which use the same accessor
}

static const refused_case meshes[] = {
    // Nodes and skins
    {.file = "refused-mesh-out-of-range.gltf",
     .why = "out-of-range mesh",
     .location = "nodes[2].mesh",
     .says = "out of range",
     .old = "'mesh':0",
     .now = "'mesh':1"},
    {.file = "refused-skin-out-of-range.gltf",
     .why = "out-of-range skin",
     .location = "nodes[2].skin",
     .says = "out of range",
     .old = "'skin':0",
     .now = "'skin':1"},
    {.file = "refused-joint-out-of-range.gltf",
     .why = "out-of-range node",
     .location = "skins[0].joints[1]",
     .says = "out of range",
     .old = "'joints':[0,1]",
     .now = "'joints':[0,3]"},
    {.file = "refused-skin-without-joints.gltf",
     .why = "no joints",
     .location = "skins[0]",
     .says = "no joints",
     .old = "'joints':[0,1]",
     .now = "'joints':[]"},
    {.file = "refused-inverse-binds-too-few.gltf",
     .why = "one matrix for two joints",
     .location = "skins[0].inverseBindMatrices",
     .says = "1 matrices for 2 joints",
     .old = "'count':2,'type':'MAT4'",
     .now = "'count':1,'type':'MAT4'"},
    {.file = "refused-inverse-binds-type.gltf",
     .why = "vectors instead of matrices",
     .location = "skins[0].inverseBindMatrices",
     .says = "VEC4 instead of MAT4",
     .old = "'count':2,'type':'MAT4'",
     .now = "'count':8,'type':'VEC4'"},
    {.file = "refused-inverse-bind-not-finite.gltf",
     .why = "a matrix that isn't finite",
     .location = "accessors[4]",
     .says = "element 0 is not finite",
     .at = BINDS + 12 * 4,
     .size = 4,
     .value = (double)INFINITY},
    // Meshes
    {.file = "refused-vertex-joint.gltf",
     .why = "joint 2 of 2",
     .location = "meshes[0].primitives[0]",
     .says = "uses joint 2",
     .at = JOINTS + 4,
     .size = 1,
     .value = 2},
    {.file = "refused-joints-without-weights.gltf",
     .why = "JOINTS_0 without WEIGHTS_0",
     .location = "meshes[0].primitives[0].attributes",
     .says = "WEIGHTS_0 is missing",
     .old = ",'WEIGHTS_0':2",
     .now = ""},
    {.file = "refused-attribute-counts.gltf",
     .why = "joints for two of three vertices",
     .location = "meshes[0].primitives[0].attributes.JOINTS_0",
     .says = "2 elements instead of 3",
     .old = "5121,'count':3",
     .now = "5121,'count':2"},
    {.file = "refused-attribute-out-of-range.gltf",
     .why = "out-of-range accessor",
     .location = "meshes[0].primitives[0].attributes.POSITION",
     .says = "out of range",
     .old = "'POSITION':0",
     .now = "'POSITION':8"},
    {.file = "refused-position-type.gltf",
     .why = "positions of four numbers",
     .location = "meshes[0].primitives[0].attributes.POSITION",
     .says = "VEC4 instead of VEC3",
     .old = "'POSITION':0",
     .now = "'POSITION':2"},
    {.file = "refused-position-not-finite.gltf",
     .why = "a NaN position",
     .location = "accessors[0]",
     .says = "element 1 is not finite",
     .at = POSITIONS + 12,
     .size = 4,
     .value = (double)NAN},
    {.file = "refused-vertex-out-of-range.gltf",
     .why = "vertex 3 of 3",
     .location = "meshes[0].primitives[0].indices",
     .says = "index 3 is out of range",
     .at = INDICES + 4,
     .size = 2,
     .value = 3},
    {.file = "refused-float-indices.gltf",
     .why = "float indices",
     .location = "accessors[6]",
     .says = "unsigned integers",
     .old = "'indices':3,",
     .now = "'indices':6,"},
    {.file = "refused-target-counts.gltf",
     .why = "primitives with one target and none",
     .location = "meshes[0].primitives[1]",
     .says = "0 morph targets",
     .old = "'targets':[{'POSITION':5}]}",
     .now = "'targets':[{'POSITION':5}]},{'attributes':{'POSITION':0}}"},
    {.file = "refused-weights-too-few.gltf",
     .why = "keys for one of two targets",
     .location = "animations[0].samplers[0].output",
     .says = "2 values do not make 2 keys of 2 each",
     .old = "'targets':[{'POSITION':5}]",
     .now = "'targets':[{'POSITION':5},{'POSITION':5}]"},
    // Sparse accessors
    {.file = "refused-sparse-index.gltf",
     .why = "index 3 of 3",
     .location = "accessors[5]",
     .says = "sparse index 0 is 3",
     .at = SPARSE_INDICES,
     .size = 2,
     .value = 3},
    {.file = "refused-sparse-count.gltf",
     .why = "four of three elements",
     .location = "accessors[5].sparse.count",
     .says = "4",
     .old = "'sparse':{'count':1",
     .now = "'sparse':{'count':4"},
    {.file = "refused-sparse-past-its-view.gltf",
     .why = "too few values",
     .location = "accessors[5]",
     .says = "bufferViews[5], which has 2",
     .old = "'sparse':{'count':1",
     .now = "'sparse':{'count':2"},
    {.file = "refused-sparse-index-type.gltf",
     .why = "float indices",
     .location = "accessors[5].sparse.indices",
     .says = "must be an unsigned integer",
     .old = "'bufferView':5,'componentType':5123",
     .now = "'bufferView':5,'componentType':5126"},
    {.file = "refused-sparse-without-values.gltf",
     .why = "values without a view",
     .location = "accessors[5].sparse.values",
     .says = "bufferView",
     .old = "'values':{'bufferView':6}",
     .now = "'values':{}"},
};

const refused_group refused_meshes = {"Refused: skins, meshes, sparse accessors", write_mesh, "sound-mesh.gltf",
                                      meshes, sizeof meshes / sizeof meshes[0]};

// ---- writing ----

static void fail(const char *file, const char *what) {
    fprintf(stderr, "%s: %s\n", file, what);
    exit(1);
}

/// Replaces the first `old` by `now`.
static void replace(buffer *text, const char *old, const char *now, const char *file) {
    put(text, "", 1);
    char *at = strstr(text->data, old);
    if (!at) {
        fail(file, "the sound file does not hold what is to be replaced");
        return;
    }
    buffer out = {0};
    put(&out, text->data, (size_t)(at - text->data));
    put(&out, now, strlen(now));
    put(&out, at + strlen(old), strlen(at + strlen(old)));
    free_buffer(text);
    *text = out;
}

static void patch(buffer *bin, const refused_case *r) {
    buffer bytes = {0};
    put_component(&bytes, r->size == 4 ? F32 : r->size == 2 ? U16 : U8, r->value);
    memcpy(bin->data + r->at, bytes.data, bytes.length);
    free_buffer(&bytes);
}

void write_refused(const refused_group *g, const refused_case *r, buffer *file) {
    buffer text = {0}, bin = {0}, uri = {0};
    g->write_sound(&text, &bin);
    if (r && r->old) {
        replace(&text, r->old, r->now, r->file);
    }
    if (r && r->size > 0) {
        patch(&bin, r);
    }
    say(&uri, "data:application/octet-stream;base64,");
    put_base64(&uri, &bin);
    put(&uri, "", 1);
    if (memchr(text.data, '$', text.length)) {
        replace(&text, "$", uri.data, g->sound_file);
    }
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] == '\'') {
            text.data[i] = '"';
        }
    }
    free_buffer(&uri);
    free_buffer(&bin);
    *file = text;
    if (r && r->spoil) {
        r->spoil(file);
    }
}
