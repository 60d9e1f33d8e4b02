// A small file that lint finds nothing in, and everything in it that a test may spoil: two joints, a skin, a triangle
// and a clip.
#ifndef LINT_FIXTURE_H
#define LINT_FIXTURE_H

#include "support/gltf_builder.h"

enum { FIXTURE_KEYS = 20 };

typedef struct lint_fixture {
    // Node 0 carries the mesh; nodes 1 and 2 are joints, and 2 hangs on 1.
    const char *body, *hip, *knee; // members of their own: "'name':'Hip'"
    const char *nodes;             // further nodes: ",{'name':'Stray'}"
    const char *scene;             // the nodes of the scene: "0,1"
    const char *mesh;              // members of the mesh: ",'weights':[1]"
    const char *skin;              // members of the skin: ",'skeleton':1"
    const char *joints;            // of the skin: "1,2"
    bool binds;                    // the skin has inverse binds
    int bind_count;
    float bind_matrices[2][16];
    uint8_t vertex_joints[3][4]; // JOINTS_0, and JOINTS_1 where has_second
    float weights[3][4];
    float second_weights[3][4]; // WEIGHTS_1, where has_second
    bool has_second;

    // The clip: samplers[0] turns the knee, samplers[1] moves the hip.
    const char *clip;  // members of its own: "'name':'Bend'"
    const char *clips; // further animations
    const char *how;   // interpolation of samplers[0]
    int turn_keys;     // keys of samplers[0]
    float turn_times[FIXTURE_KEYS];
    bool without_bounds;              // of turn_times: min and max
    float turns[3 * FIXTURE_KEYS][4]; // three for each key of a spline
    bool own_times;                   // samplers[1] has times of its own, and not those of samplers[0]
    int move_keys;
    float move_times[FIXTURE_KEYS];
    float moves[FIXTURE_KEYS][3];
    bool copy_of_moves;          // accessor 8 has the values of samplers[1] once more
    const char *accessor;        // accessor 8, from its members; NULL: none
    const char *second_accessor; // accessor 9, behind accessor 8
    const char *samplers;        // further samplers: ",{'input':0,'output':1}"
    const char *channels;        // further channels
    const char *sections;        // further members of the root
    const void *spare;           // bytes that nothing refers to, behind the rest
    size_t spare_size;
} lint_fixture;

// Accessors of the file, so that what is added can refer to them.
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

// Writes it to a file of this name in the current folder.
void lint_fixture_write(const lint_fixture *p, const char *path);

// Writes bytes to a file, and reads all of one (to be freed).
void write_bytes(const char *path, const void *data, size_t size);
char *read_bytes(const char *path, size_t *size);

#endif
