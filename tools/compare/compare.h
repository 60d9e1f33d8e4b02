// SPDX-License-Identifier: MIT
// Compares two files of one character: the largest displacement of what the joints carry, over all clips and all times,
// with a guaranteed upper bound.
//
// Measured are the vertices of matched meshes, and for every node without a mesh its origin and three points on its axes:
// sockets, and what games attach to joints. Both files are evaluated in double by tools/reference.
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "reference/evaluate.h"

// ---- What is measured ----------------------------------------------------------------------------------------------

// A node of A with its node of B, and the matrices from the points' space to theirs. NULL: the identity.
typedef struct compare_bone {
    int32_t nodes[2];
    const double *binds[2]; // [16], column-major
} compare_bone;

// The vertices of a primitive on a node, or the virtual points of a node.
typedef struct compare_part {
    int32_t nodes[2];
    int32_t mesh, primitive; // of A; -1: virtual points
    const ref_primitive *primitives
        [2];      // with corresponding vertices; the same one twice if those of A are carried by the joints of B
    bool skinned; // bones: first_bone + joint of the skin; else first_bone
    int32_t first_bone, carried_bone; // the second with the bind matrices of A on both sides
    bool morphs;                      // has targets, and both nodes have a weight for each
    double axes[3];                   // of virtual points: a tenth of the size in the node's own unit
    const double
        *target_reach; // [targets]: the largest length of a displacement, after the binds; NULL: no targets
    const double
        *target_shift;        // [targets]: the largest difference between displacements of A and B, after the binds
    double weight_difference; // the largest sum of |weight of A - weight of B| of a vertex
} compare_part;

// A bone of a group's points.
typedef struct compare_reach {
    int32_t bone;
    double least[3], most[3]; // bounds of the points of A in the space of the bone
    double radius;            // the largest distance from the bone
    double shift;             // the largest difference between points of A and B in that space
} compare_reach;

typedef struct compare_point {
    int32_t part, vertex;
} compare_point;

// The points that one node of A moves most.
typedef struct compare_group {
    int32_t node;
    int32_t point_count, reach_count, part_count;
    const compare_point *points; // sorted by part
    const compare_reach *reaches;
    const int32_t *parts; // of the points
} compare_group;

// What the size of a body was taken from.
typedef enum compare_size_source {
    COMPARE_SKINNED_VERTICES, // of the largest character, and those on its joints: skins that share joints are one
    COMPARE_JOINTS,           // of the largest character, if its vertices are far smaller
    COMPARE_MOVED_VERTICES,   // of the nodes that clips animate, and of those below
    COMPARE_MOVED_NODES,      // if their vertices are far smaller
    COMPARE_ALL_VERTICES,
    COMPARE_ALL_NODES,
    COMPARE_NOTHING // 1
} compare_size_source;

// "the skinned vertices" and so on.
const char *compare_size_name(compare_size_source source);

typedef struct compare_body {
    sinewi_arena *arena; // holds everything below
    const ref_model *models[2];
    const int32_t *node_of; // [nodes of A]: the node of B; -1: none
    bool same_tree;         // matched nodes have matched parents
    int32_t bone_count, part_count, group_count;
    const compare_bone *bones;
    const compare_part *parts;
    compare_group *groups;
    ref_pose unfolded; // the rest pose of A, with scales that are near 0 as large as clips make them
    double size;       // the largest extent of A's character in that pose, in its unit
    compare_size_source size_source;
    int32_t vertex_count;       // measured
    int32_t unmatched_vertices; // of meshes whose node or joints are not in B
    int32_t sorted_vertices;    // measured vertices that B has in another order
    int32_t carried_vertices;   // vertices of A on the joints of B, because the vertices of B do not correspond
} compare_body;

// Matches nodes, meshes and joints: nodes by name, the k-th of a name to the k-th; joints without a match by their order in
// the skin; nodes without a name by their parent and their order among its children, and those left over by their order, if
// as many are left. If no name matches, all nodes count as nodes without one. Returns false if memory runs out.
bool compare_match(compare_body *body, sinewi_arena *arena, const ref_model *a, const ref_model *b);

// Matches the clips of A to those of B in out[a->animation_count]; -1: none. By name, the k-th of a name to the k-th; those
// left over in their order.
bool compare_match_clips(sinewi_arena *arena, const ref_model *a, const ref_model *b, int32_t *out);

// ---- Measuring -----------------------------------------------------------------------------------------------------

// The largest displacement found, and where.
typedef struct compare_worst {
    double error; // in the unit of A
    double bound; // no displacement at any time is larger; at least `error`
    int32_t clip; // of A; -1: the rest pose
    double time;
    int32_t group, part, vertex; // -1: none was found. Of virtual points the vertex is 0 to 3
} compare_worst;

typedef struct compare_measure {
    const compare_body *body;
    double limit;          // displacements up to this one are not refined; 0: the largest one is found exactly
    compare_worst *groups; // [group_count], over all clips measured so far
    struct compare_search *search;
    bool out_of_memory;
    double numbers;     // computed so far
    double max_numbers; // from here on intervals are not split, and bounds are looser; 0: no limit
} compare_measure;

bool compare_measure_begin(compare_measure *m, const compare_body *body, double limit);

// Counts numbers that were computed. Returns whether fewer than max_numbers were.
bool compare_count(compare_measure *m, double numbers);

// The numbers that measuring a clip with so many different key times takes at least.
double compare_clip_numbers(const compare_measure *m, int32_t times);

// Forgets the largest displacements of the groups.
void compare_measure_reset(compare_measure *m);

// Measures a clip of A against one of B; both NULL: the rest pose. `clip` is the number in the result. Returns false if
// memory runs out.
bool compare_clip(compare_measure *m, const ref_animation *a, const ref_animation *b, int32_t clip,
                  compare_worst *worst);

// Writes the sorted times of all keys of both clips, each once. NULL if memory runs out.
double *compare_key_times(sinewi_arena *arena, const ref_animation *a, const ref_animation *b, int32_t *count);

// The position of a vertex of one side in a pose of that side.
void compare_position(const compare_body *body, const compare_part *part, int side, const ref_pose *pose,
                      int32_t vertex, double out[3]);

// The positions of a point in both poses.
void compare_positions(const compare_body *body, const ref_pose poses[2], compare_point point, double out[2][3]);

// ---- What is not motion --------------------------------------------------------------------------------------------

// The bytes of animation in a file: those of accessors that only samplers of animations use, as stored (of a compressed
// view, the compressed bytes), and the JSON text of `animations`, of these accessors and of the views that hold nothing
// else.
typedef struct compare_bytes {
    size_t data, json;
} compare_bytes;

bool compare_count_bytes(ref_document *document, compare_bytes *bytes);

// Receives a difference as a sentence, which is valid during the call.
typedef void (*compare_report)(const char *what, void *user);

// Reports what B lacks or changed: clips, durations, markers and extras of clips, named nodes, extras of nodes, extras of the
// scene and the asset. Returns the number of differences, -1 if memory runs out.
int32_t compare_differences(ref_document *const documents[2], const compare_body *body, const int32_t *clip_of,
                            compare_report report, void *user);

// First and last key time of a clip; 0 and 0 without keys.
void compare_span(const ref_animation *animation, double span[2]);

#endif
