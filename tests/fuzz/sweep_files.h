// SPDX-License-Identifier: MIT
// A sweep's files, in memory with their external files.
#ifndef FUZZ_SWEEP_FILES_H
#define FUZZ_SWEEP_FILES_H

#include <sinew/all.h>

typedef struct sweep_part {
    char name[256]; // the file's path, or the uri of what stands outside
    uint8_t *data;
    size_t size;
} sweep_part;

enum { MOST_PARTS = 64 };

typedef struct sweep_file {
    sweep_part parts[MOST_PARTS]; // the file itself, then what it refers to
    int part_count;
    bool is_bvh; // not glTF
} sweep_file;

typedef struct sweep_list {
    sweep_file *files;
    int count, capacity;
} sweep_list;

// Adds a file, or all .glb, .gltf and .bvh files of a folder. Ends the program if it cannot be read.
void sweep_add(sweep_list *list, const char *path);

// Adds the files that the tests build: each sample as .glb, as .gltf, and as .gltf with an external buffer; a BVH file.
void sweep_add_samples(sweep_list *list);

void sweep_free(sweep_list *list);

// A reader that serves a file's parts.
sinew_reader sweep_reader(sweep_file *file);

#endif
