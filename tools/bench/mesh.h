// SPDX-License-Identifier: MIT
// Vertices for CPU skinning, in the layouts that files and engines use.
#ifndef BENCH_MESH_H
#define BENCH_MESH_H

#include "bench/data.h"

enum { BENCH_VERTICES = 10000 };

// Which vertex attributes are skinned.
typedef enum bench_parts {
    BENCH_POSITION,
    BENCH_NORMAL,
    BENCH_TANGENT
} bench_parts; // each includes the earlier ones

// Layouts are named by influences, joint format and weight format. Positions, normals and tangents are in one array
// each, or interleaved: a vertex's attributes are adjacent, in input and output.
typedef enum bench_layout {
    BENCH_LAYOUT_4,
    BENCH_LAYOUT_8,
    BENCH_LAYOUT_4_U8_FLOAT,
    BENCH_LAYOUT_4_U8_U16,
    BENCH_LAYOUT_BYTES, // 4-u8-u8
    BENCH_LAYOUT_8_BYTES,
    BENCH_LAYOUT_INTERLEAVED,
    BENCH_LAYOUT_INTERLEAVED_BYTES,
    BENCH_LAYOUTS
} bench_layout;

// A mesh for a world's skin, and its palette in both forms.
typedef struct bench_mesh {
    sinew_skin_job job;
    textbook_mesh textbook;
    sinew_affine *palette;
    sinew_mat4 *mat4s;
    void *memory[14]; // arrays of both
} bench_mesh;

bench_mesh *bench_mesh_create(const bench_world *world, bench_parts parts, bench_layout layout);
void bench_mesh_destroy(bench_mesh *mesh);

#endif
