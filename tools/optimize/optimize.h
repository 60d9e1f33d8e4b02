// SPDX-License-Identifier: MIT
// Makes a file's animations smaller with a bounded error in the body: the largest displacement of a vertex or of a
// point on a node, over all clips and all times (tools/compare). Also writes smaller meshes, which must be made first.
#ifndef OPTIMIZE_OPTIMIZE_H
#define OPTIMIZE_OPTIMIZE_H

#include "compare/compare.h"
#include "optimize/meshes.h"

// The start of the mark in asset.generator, which shows that a file was optimized.
#define OPTIMIZE_MARK "sinew optimize "

// The extension that compresses the tracks. The streams are the same, because both allow version 0.
typedef enum optimize_extension {
    OPTIMIZE_EXT,  // EXT_meshopt_compression
    OPTIMIZE_KHR,  // KHR_meshopt_compression
    OPTIMIZE_PLAIN // only what glTF allows without extensions
} optimize_extension;

typedef struct optimize_def {
    const char *path;              // the file's
    ref_document *document;        // the open file
    const ref_model *model;        // of the document
    const optimize_meshes *meshes; // may be NULL to keep meshes
    double error;                  // largest displacement, as a fraction of the size (compare_body)
    optimize_extension extension;
    const char *mark;   // appended to asset.generator, after a space
    double max_numbers; // limit (compare_measure), then the best result so far is kept; 0 for none
    sinew_meshopt_decode decode;
    void *decode_user;
    void (*progress)(int32_t done, int32_t total); // in steps, two per clip
} optimize_def;

// What became of a clip's tracks.
typedef struct optimize_clip {
    int32_t tracks;   // in the file
    int32_t dropped;  // replaced by the rest pose
    int32_t constant; // how many of the kept ones have one value
    int32_t reduced;  // how many of the kept ones have fewer keys
    bool untouched;   // it has channels or members that only extensions define
    bool limited;     // the limit on numbers ended the search
} optimize_clip;

typedef struct optimize_result {
    sinewi_arena arena; // holds everything except `glb`
    uint8_t *glb;       // [size], on the heap; NULL if nothing may be changed
    size_t size;
    optimize_clip *clips; // [animations]
    char error[512];      // why there's no result, if optimize_file returned false
} optimize_result;

// Writes a .glb with smaller animations and the same nodes, meshes, skins, names, extras, markers and durations. Key
// times are a subset of the authored ones. Returns false with an error. Call optimize_end either way.
bool optimize_file(optimize_result *result, const optimize_def *def);
void optimize_end(optimize_result *result);

#endif
