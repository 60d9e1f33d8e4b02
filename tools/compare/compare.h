// SPDX-License-Identifier: MIT
// Compares two files of one character. Finds the largest displacement of what the joints carry, over all clips and all
// times, with a guaranteed upper bound.
//
// It measures the vertices of matched meshes. For every node without a mesh, it measures the origin and three points on
// the axes, for sockets and whatever games attach to joints. tools/reference evaluates both files in double precision.
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "reference/evaluate.h"

// ---- What is measured ----------------------------------------------------------------------------------------------

// A's node with B's node, and the matrices from the points' space to theirs. NULL is the identity.
typedef struct compare_bone {
    int32_t nodes[2];
    const double *binds[2]; // [16], column-major
} compare_bone;

// A primitive's vertices on a node, or a node's virtual points.
typedef struct compare_part {
    int32_t nodes[2];
    int32_t mesh, primitive;            // in A; -1 for virtual points
    const ref_primitive *primitives[2]; // with corresponding vertices; equal if B's joints carry A's vertices
    bool skinned;                       // bones are first_bone + the skin's joint; otherwise only first_bone
    int32_t first_bone, carried_bone;   // carried_bone has A's bind matrices on both sides
    bool morphs;                        // it has targets, and both nodes have a weight for each
    double axes[3];                     // for virtual points: a tenth of the size in the node's own unit
    const double *target_reach;         // [targets]; largest displacement, after the binds; NULL without targets
    const double *target_shift; // [targets]; largest difference between A's and B's displacements, after the binds
    double weight_difference;   // largest sum of |weight in A - weight in B| of any vertex
} compare_part;

// A bone that moves a group's points.
typedef struct compare_reach {
    int32_t bone;
    double least[3], most[3]; // bounds of A's points in the bone's space
    double radius;            // the largest distance from the bone
    double shift;             // largest difference between A's and B's points in that space
} compare_reach;

typedef struct compare_point {
    int32_t part, vertex;
} compare_point;

// The points that one of A's nodes moves most.
typedef struct compare_group {
    int32_t node;
    int32_t point_count, reach_count, part_count;
    const compare_point *points; // sorted by part
    const compare_reach *reaches;
    const int32_t *parts; // of the points
} compare_group;

// Where a body's size comes from.
typedef enum compare_size_source {
    COMPARE_SKINNED_VERTICES, // the largest character's, and those on its joints (skins may share them)
    COMPARE_JOINTS,           // of the largest character, if its vertices are far smaller
    COMPARE_MOVED_VERTICES,   // of the nodes that clips animate and those below
    COMPARE_MOVED_NODES,      // if their vertices are far smaller
    COMPARE_ALL_VERTICES,
    COMPARE_ALL_NODES,
    COMPARE_NOTHING // 1
} compare_size_source;

// Returns text like "the skinned vertices".
const char *compare_size_name(compare_size_source source);

typedef struct compare_body {
    sinewi_arena *arena; // holds everything below
    const ref_model *models[2];
    const int32_t *node_of; // [nodes of A]; B's node, or -1
    bool same_tree;         // matched nodes have matched parents
    int32_t bone_count, part_count, group_count;
    const compare_bone *bones;
    const compare_part *parts;
    compare_group *groups;
    ref_pose unfolded; // A's rest pose, with scales near 0 enlarged to what clips use
    double size;       // largest extent of A's character in that pose, in its unit
    compare_size_source size_source;
    int32_t vertex_count;       // number of vertices measured
    int32_t unmatched_vertices; // in meshes whose node or joints aren't in B
    int32_t sorted_vertices;    // measured vertices that are in another order in B
    int32_t carried_vertices;   // A's vertices on B's joints, because B's vertices don't correspond
} compare_body;

// Matches nodes, meshes and joints. Nodes are matched by name, the k-th with a name to the k-th. Joints without a match
// are matched by their order in the skin. Nodes without a name are matched by their parent and their order among its
// children. The rest are matched by their order if both files have equally many left. If no name matches, all nodes
// count as nameless. Returns false if memory runs out.
bool compare_match(compare_body *body, sinewi_arena *arena, const ref_model *a, const ref_model *b);

// Matches A's clips to B's in out[a->animation_count], or -1. Clips are matched by name, the k-th with a name to the
// k-th, and the rest in order.
bool compare_match_clips(sinewi_arena *arena, const ref_model *a, const ref_model *b, int32_t *out);

// ---- Measuring -----------------------------------------------------------------------------------------------------

// The largest displacement found, and where.
typedef struct compare_worst {
    double error; // in A's unit
    double bound; // no displacement is larger at any time; at least `error`
    int32_t clip; // in A; -1 for the rest pose
    double time;
    int32_t group, part, vertex; // -1 if none was found; for virtual points, the vertex is 0 to 3
} compare_worst;

typedef struct compare_measure {
    const compare_body *body;
    double limit;          // displacements up to this aren't refined; 0 finds the largest one exactly
    compare_worst *groups; // [group_count]; over all clips measured so far
    struct compare_search *search;
    bool out_of_memory;
    double numbers;     // computed so far
    double max_numbers; // above this, intervals aren't split and bounds are looser; 0 for no limit
} compare_measure;

bool compare_measure_begin(compare_measure *m, const compare_body *body, double limit);

// Counts numbers that were computed. Returns whether fewer than max_numbers were.
bool compare_count(compare_measure *m, double numbers);

// Returns how many numbers it takes at least to measure a clip with this many different key times.
double compare_clip_numbers(const compare_measure *m, int32_t times);

// Forgets the groups' largest displacements.
void compare_measure_reset(compare_measure *m);

// Measures one of A's clips against one of B's. If both are NULL, measures the rest pose. `clip` is stored in the
// result. Returns false if memory runs out.
bool compare_clip(compare_measure *m, const ref_animation *a, const ref_animation *b, int32_t clip,
                  compare_worst *worst);

// Writes all key times of both clips, sorted and without duplicates. Returns NULL if memory runs out.
double *compare_key_times(sinewi_arena *arena, const ref_animation *a, const ref_animation *b, int32_t *count);

// Computes the position of a vertex on one side, in a pose of that side.
void compare_position(const compare_body *body, const compare_part *part, int side, const ref_pose *pose,
                      int32_t vertex, double out[3]);

// Computes a point's positions in both poses.
void compare_positions(const compare_body *body, const ref_pose poses[2], compare_point point, double out[2][3]);

// ---- What is not motion --------------------------------------------------------------------------------------------

// A file's animation bytes. `data` is the size of accessors that only animation samplers use, as stored (compressed, if
// the view is). `json` is the text of `animations`, these accessors and the views that hold nothing else.
typedef struct compare_bytes {
    size_t data, json;
} compare_bytes;

bool compare_count_bytes(ref_document *document, compare_bytes *bytes);

// Receives a difference as a sentence. It's only valid during the call.
typedef void (*compare_report)(const char *what, void *user);

// Reports what B lacks or changed: clips, their durations, markers and extras, named nodes and their extras, and the
// extras of the scene and the asset. Returns the number of differences, or -1 if memory runs out.
int32_t compare_differences(ref_document *const documents[2], const compare_body *body, const int32_t *clip_of,
                            compare_report report, void *user);

// Finds a clip's first and last key time; 0 and 0 if it has no keys.
void compare_span(const ref_animation *animation, double span[2]);

#endif
