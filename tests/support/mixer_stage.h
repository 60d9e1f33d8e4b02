// SPDX-License-Identifier: MIT
// A mixer with clips whose pose at any time is a formula, and blends of poses in double precision.
#ifndef MIXER_STAGE_H
#define MIXER_STAGE_H

#include "support/exact.h"

// More than one block of nodes, and the last not full.
#define STAGE_NODES 21

// Two nodes have morph weights, one in each block.
#define STAGE_FACE   3
#define STAGE_TAIL   18
#define STAGE_MORPHS 3 // of each of the two

// What a clip does, evenly over its time, to node n: it starts at x + n / 8 metres and has the velocity vx; starts
// turned by `turned` + n / 16 radians about its axis and turns on by `turning` a second; its scale starts at `size`
// and grows by `growing` a second; and its k-th morph weight starts at smile + k / 8 and changes by `smiling` a
// second.
typedef struct motion {
    float duration;
    int axis; // 0, 1, 2: x, y, z
    double x, vx, turned, turning, size, growing, smile, smiling;
} motion;

// A node, and one morph weight, in double.
typedef struct exact_node {
    exact_vec3 at;
    exact_quat turn;
    double size, smile;
} exact_node;

// The motions of the stage's clips: 2, 1 and 3 seconds long.
enum { STAGE_A, STAGE_B, STAGE_C, STAGE_D, STAGE_CLIPS };
extern const motion stage_motions[STAGE_CLIPS];

typedef struct mixer_stage {
    sinew_skeleton *skeleton; // a chain; each node lies 1 m above the one before
    sinew_clip *clips[STAGE_CLIPS];
    sinew_mixer *mixer;
} mixer_stage;

int stage_set_up(void **state);
int stage_tear_down(void **state);

// The default definition for the stage's skeleton, and another mixer in the place of the stage's.
sinew_mixer_def stage_def(const mixer_stage *s);
void stage_remake(mixer_stage *s, const sinew_mixer_def *def);

sinew_clip *stage_clip(const sinew_skeleton *skeleton, const motion *m);

// ---- Expectations --------------------------------------------------------------------------------------------

// A node, and the first of its morph weights, at a time in [0, duration].
exact_node node_of_motion(const motion *m, double time, int32_t node);
exact_node node_of_clip(int clip, double time, int32_t node);
exact_node node_at_rest(int32_t node);

// The weighted mean, rotations as a normalised sum on the side of the first.
exact_node mean_of(const exact_node *nodes, const double *weights, int count);
exact_node mean_of_two(exact_node a, double weight_a, exact_node b, double weight_b);

// What a mixer shows.
exact_node node_shown(sinew_mixer *mixer, int32_t node);

// The largest distance in any component; rotations by their angle.
double gap_between(const exact_node *a, const exact_node *b);

#define check_shown(mixer, node, expected, tolerance)                                                              \
    check_shown_at(mixer, node, expected, tolerance, __FILE__, __LINE__)
void check_shown_at(sinew_mixer *mixer, int32_t node, exact_node expected, double tolerance, const char *file,
                    int line);

// ---- Shares of a pose ----------------------------------------------------------------------------------------

#define REST_POSE    (-1)
#define SHARES_CLOSE 2e-6 // a few roundings of numbers up to 10

// A pose as a mean: clips at their times, or the rest pose, with their weights. Entries without a weight are ignored.
typedef struct shares {
    int count;
    struct {
        int clip;
        double time, weight;
    } of[8];
} shares;

exact_node node_of_shares(const shares *all, int32_t node);

// Fails where the current pose is not that mean.
#define check_shares(s, ...) check_shares_at(s, __VA_ARGS__, __FILE__, __LINE__)
void check_shares_at(mixer_stage *s, shares expected, const char *file, int line);

// ---- Bits ----------------------------------------------------------------------------------------------------

// Fails where two poses, or the matrices and morph weights of two mixers, differ in a bit.
void check_pose_bits(const sinew_pose *a, const sinew_pose *b);
void check_mixer_bits(const mixer_stage *s, const sinew_mixer *a, const sinew_mixer *b);

#endif
