// conformance_containers.c - cases about containers, buffers and parts that an importer must skip.
#include "conformance.h"

/// An animated node, whose bytes matter.
static void add_mover(document *d) {
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "move");
    int moves = add_floats(d, 3, 2, (const double[]){1, 2, 3, 5, -2, 0.5});
    add_channel(d, c, add_node(d, "mover", NONE), TRANSLATION, LINEAR, times, moves);
    expect_poses(d, c, 2, (const double[]){0, 0.25});
}

static void sidecar(document *d) {
    d->bin_file = d->bin_uri = "buffer-sidecar.bin";
    add_mover(d);
}

static void percent_encoded(document *d) {
    d->bin_file = "buffer percent%20encoded.bin";
    d->bin_uri = "buffer%20percent%2520encoded.bin";
    add_mover(d);
}

static void plain_glb(document *d) {
    add_mover(d);
}

static void unknown_chunk(document *d) {
    d->last_chunk = "SNEW";
    add_mover(d);
}

static void padded_chunk(document *d) {
    add_mover(d);
    int m = add_mesh(d, add_positions(d, F32, false, 3, (const double[]){0, 0, 0, 1, 0, 0, 0, 1, 0}));
    d->meshes[m].primitives[0].indices = add_indices(d, U8, 9, (const double[]){0, 1, 2, 1, 2, 0, 2, 0, 1});
    d->nodes[0].mesh = m;
    d->bin_padding = 3; // after the 12 bytes of the indices
}

static void no_chunk(document *d) {
    move(d, add_node(d, "alone", NONE), 1, 2, 3);
    expect_rest(d);
}

static void two_buffers(document *d) {
    add_mover(d);
    d->second_buffer = "data:application/gltf-buffer;base64,AAAgQQAAoEEAAPBB"; // 10, 20, 30
    next_item(&d->views);
    say_json(&d->views, "{'buffer':1,'byteLength':12}");
    int view = d->views.items - 1, c = add_clip(d, "second");
    int values = add_accessor(d, view, 0, F32, false, 3, 1, (const double[]){10, 20, 30}, NULL);
    add_channel(d, c, 0, TRANSLATION, LINEAR, add_times(d, 1, (const double[]){0}), values);
    expect_poses(d, c, 1, (const double[]){0});
}

static void unknown_extension(document *d) {
    add_section(d, "'extensionsUsed':['EXT_that_nobody_knows'],\n"
                   "'extensions':{'EXT_that_nobody_knows':{'nodes':[7],'deep':[[[{'a':null}]]]}}");
    add_mover(d);
    d->nodes[0].more = "'extensions':{'EXT_that_nobody_knows':{'translation':[9,9,9]}},"
                       "'extras':{'matrix':[1,2,3],'children':[0]}";
}

/// Animation does not need images: neither file has an image in its folder and in a format of glTF.
static void image_above(document *d) {
    add_section(d, "'images':[{'uri':'../above.png'},{'uri':'https://example.com/far.png'}],\n"
                   "'textures':[{'source':0},{'source':1}]");
    add_mover(d);
}

static void required_image_format(document *d) {
    static const uint8_t webp[] = {'R', 'I', 'F', 'F', 26, 0, 0, 0,  'W', 'E', 'B', 'P', 'V', 'P', '8', 'L', 13,
                                   0,   0,   0,   47,  0,  0, 0, 16, 7,   16,  17,  17,  136, 136, 254, 7,   0};
    size_t start = d->bin.length;
    put(&d->bin, webp, sizeof webp);
    add_section(d, "'extensionsUsed':['EXT_texture_webp'],'extensionsRequired':['EXT_texture_webp'],\n"
                   "'images':[{'bufferView':0,'mimeType':'image/webp'}],\n"
                   "'textures':[{'extensions':{'EXT_texture_webp':{'source':0}}}]");
    add_view(d, start, NULL);
    add_mover(d);
}

static void number_forms(document *d) {
    d->nodes[add_node(d, NULL, NONE)].more = "'translation':[1e0,-25E-2,0.5e+1],'rotation':[-0,0.0,-0.0,1]";
    d->nodes[0].t = v3(1, -0.25, 5);
    add_node(d, NULL, NONE);
    d->nodes[1].more = "'scale':[1.0000000000000000000000000001,0.1e1,100000000000000000000e-20]";
    expect_rest(d);
}

static void unknown_members(document *d) {
    add_section(d, "'note':'not of the specification','extras':[1,{'nodes':[]}]");
    add_mover(d);
    d->nodes[0].more = "'extras':{'translation':[9,9,9]}";
}

static const conformance_case cases[] = {
    {"buffer-sidecar.gltf", "an external buffer", "looking in the working directory", sidecar, false},
    {"buffer-percent-encoded.gltf", "an encoded name with a space and a percent sign",
     "not decoding it; decoding twice", percent_encoded, false},
    {"two-buffers.gltf", "a second buffer of type application/gltf-buffer", "reading only the first", two_buffers,
     false},
    {"glb-plain.glb", "JSON and a binary chunk", "offsets from the start of the file", plain_glb, false},
    {"glb-unknown-chunk.glb", "an unknown chunk", "refusing the file", unknown_chunk, false},
    {"glb-padded-chunk.glb", "a binary chunk 3 bytes longer than its buffer", "requiring equal sizes", padded_chunk,
     false},
    {"glb-no-chunk.glb", "no binary chunk", "requiring one", no_chunk, false},
    {"unknown-optional-extension.gltf", "an optional extension with familiar member names",
     "refusing the file; reading its members", unknown_extension, false},
    {"unknown-members.gltf", "`extras` and unknown members", "refusing them; reading them", unknown_members, false},
    {"image-above-the-folder.gltf", "images above the folder and on another host",
     "refusing the file; fetching them", image_above, true},
    {"required-image-format.gltf", "a required image extension", "refusing the file", required_image_format, false},
    {"number-forms.gltf", "numbers with exponents, signs and many digits",
     "supporting only some; the locale's decimal comma", number_forms, false},
};

const conformance_group container_cases = {"Containers", cases, sizeof cases / sizeof cases[0]};
