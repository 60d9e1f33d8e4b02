// SPDX-License-Identifier: MIT
// Makes the animations of a file smaller, with an error that is bounded in the body: the largest displacement of a vertex
// or of a point on a node, over all clips and all times (tools/compare). Writes smaller meshes, which are made before.
#ifndef OPTIMIZE_OPTIMIZE_H
#define OPTIMIZE_OPTIMIZE_H

#include "compare/compare.h"
#include "optimize/meshes.h"

// The start of the mark in asset.generator, by which an optimized file is recognized.
#define OPTIMIZE_MARK "sinew optimize "

// The extension that compresses the tracks. The streams are the same: version 0 is allowed by both.
typedef enum optimize_extension {
    OPTIMIZE_EXT,  // EXT_meshopt_compression
    OPTIMIZE_KHR,  // KHR_meshopt_compression
    OPTIMIZE_PLAIN // none: what glTF allows without extensions
} optimize_extension;

typedef struct optimize_def {
    const char *path;              // of the file
    ref_document *document;        // of the file, open
    const ref_model *model;        // of the document
    const optimize_meshes *meshes; // of the document; NULL: meshes stay
    double error;                  // the largest displacement, as a fraction of the size (compare_body)
    optimize_extension extension;
    const char *mark;   // appended to asset.generator, after a space
    double max_numbers; // that may be computed (compare_measure): then the best found so far stays; 0: no limit
    sinew_meshopt_decode decode;
    void *decode_user;
    void (*progress)(int32_t done, int32_t total); // in steps, two for each clip
} optimize_def;

// What became of the tracks of a clip.
typedef struct optimize_clip {
    int32_t tracks;   // of the file
    int32_t dropped;  // replaced by the rest pose
    int32_t constant; // of those kept: with one value
    int32_t reduced;  // of those kept: with fewer keys
    bool untouched;   // it has channels or members that only extensions define
    bool limited;     // the limit of numbers ended the search
} optimize_clip;

typedef struct optimize_result {
    sinewi_arena arena; // holds the rest, except for `glb`
    uint8_t *glb;       // [size], from the heap; NULL: there is nothing that may be changed
    size_t size;
    optimize_clip *clips; // [animations]
    char error[512];      // why there is none, if optimize_file returned false
} optimize_result;

// Writes a .glb with the same nodes, meshes, skins, names, extras, markers and durations, and smaller animations. Key times are
// a subset of the authored ones. Returns false with an error. Call optimize_end in either case.
bool optimize_file(optimize_result *result, const optimize_def *def);
void optimize_end(optimize_result *result);

#endif
