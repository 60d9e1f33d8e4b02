// SPDX-License-Identifier: MIT
// A small glTF file without lint findings, and every value in it that a test may change: two joints, a skin, a
// triangle and a clip.
#ifndef LINT_FIXTURE_H
#define LINT_FIXTURE_H

#include "support/gltf_builder.h"

enum { FIXTURE_KEYS = 20 };

typedef struct lint_fixture {
    // Node 0 has the mesh; nodes 1 and 2 are joints, and 2 is a child of 1.
    const char *body, *hip, *knee; // JSON members: "'name':'Hip'"
    const char *nodes;             // more nodes: ",{'name':'Stray'}"
    const char *scene;             // the scene's nodes: "0,1"
    const char *mesh;              // the mesh's members: ",'weights':[1]"
    const char *skin;              // the skin's members: ",'skeleton':1"
    const char *joints;            // the skin's: "1,2"
    bool binds;                    // the skin has inverse binds
    int bind_count;
    float bind_matrices[2][16];
    uint8_t vertex_joints[3][4]; // JOINTS_0, and JOINTS_1 if has_second
    float weights[3][4];
    float second_weights[3][4]; // WEIGHTS_1, if has_second
    bool has_second;

    // The clip: samplers[0] rotates the knee, samplers[1] translates the hip.
    const char *clip;          // JSON members: "'name':'Bend'"
    const char *clips;         // more animations
    const char *interpolation; // samplers[0]'s
    int turn_keys;             // samplers[0]'s keys
    float turn_times[FIXTURE_KEYS];
    bool without_bounds;              // turn_times lacks min and max
    float turns[3 * FIXTURE_KEYS][4]; // three per key of a CUBICSPLINE
    bool own_times;                   // samplers[1] doesn't share samplers[0]'s times
    int move_keys;
    float move_times[FIXTURE_KEYS];
    float moves[FIXTURE_KEYS][3];
    bool copy_of_moves;          // accessor 8 repeats samplers[1]'s values
    const char *accessor;        // accessor 8's JSON members, or NULL
    const char *second_accessor; // accessor 9's, or NULL
    const char *samplers;        // more samplers: ",{'input':0,'output':1}"
    const char *channels;        // more channels
    const char *sections;        // more members for the root
    const void *spare;           // unreferenced bytes at the buffer's end
    size_t spare_size;
} lint_fixture;

// The file's accessors, for members that a test adds.
enum {
    FIXTURE_POSITIONS,
    FIXTURE_JOINTS,
    FIXTURE_WEIGHTS,
    FIXTURE_BINDS,
    FIXTURE_TURN_TIMES,
    FIXTURE_TURNS,
    FIXTURE_MOVE_TIMES,
    FIXTURE_MOVES
};

lint_fixture lint_fixture_clean(void); // ten keys
lint_fixture lint_fixture_with_keys(int keys);

// Writes the file as GLB into the current folder.
void lint_fixture_write(const lint_fixture *p, const char *path);

// Writes and reads whole files. The caller frees the result of read_bytes.
void write_bytes(const char *path, const void *data, size_t size);
char *read_bytes(const char *path, size_t *size);

#endif
