// SPDX-License-Identifier: MIT
// The library's functions that load files. The tools use these instead, to record what they load.
#ifndef FILES_LOAD_H
#define FILES_LOAD_H

#include "files/files.h"

#include <sinew/io/baked_asset.h>
#include <sinew/io/bvh.h>
#include <sinew/gltf.h>
#include <sinew/motion/graph.h>
#include <sinew/humanoid/humanoid.h>

#include <stdio.h>

// Returns SINEW_OK or SINEW_ERROR_OUT_OF_MEMORY.
static inline sinew_result files_note_to_load(const char *path, sinew_error *error) {
    if (files_note(path)) return SINEW_OK;
    error->result = SINEW_ERROR_OUT_OF_MEMORY;
    snprintf(error->message, sizeof error->message, "%.400s: out of memory", path);
    return error->result;
}

static inline sinew_result files_load_gltf(const char *path, const sinew_gltf_options *options, sinew_asset **asset,
                                           sinew_error *error) {
    *asset = NULL;
    const sinew_result noted = files_note_to_load(path, error);
    return noted == SINEW_OK ? sinew_gltf_load_file(path, options, asset, error) : noted;
}

static inline sinew_result files_load_bvh(const char *path, const sinew_bvh_options *options, sinew_asset **asset,
                                          sinew_error *error) {
    *asset = NULL;
    const sinew_result noted = files_note_to_load(path, error);
    return noted == SINEW_OK ? sinew_bvh_load_file(path, options, asset, error) : noted;
}

static inline sinew_result files_load_baked(const char *path, sinew_asset **asset, sinew_error *error) {
    *asset = NULL;
    const sinew_result noted = files_note_to_load(path, error);
    return noted == SINEW_OK ? sinew_baked_asset_load_file(path, NULL, asset, error) : noted;
}

static inline sinew_result files_load_graph(const char *path, sinew_graph **graph, sinew_error *error) {
    *graph = NULL;
    const sinew_result noted = files_note_to_load(path, error);
    return noted == SINEW_OK ? sinew_graph_load_file(path, NULL, graph, error) : noted;
}

// `chains` may be NULL.
static inline sinew_result files_load_humanoid(const char *path, const sinew_skeleton *skeleton,
                                               sinew_humanoid *humanoid, sinew_humanoid_chains **chains,
                                               sinew_error *error) {
    if (chains) *chains = NULL;
    const sinew_result noted = files_note_to_load(path, error);
    return noted == SINEW_OK ? sinew_humanoid_read_file(path, skeleton, NULL, humanoid, chains, error) : noted;
}

#endif
