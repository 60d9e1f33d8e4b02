// SPDX-License-Identifier: MIT
// A mixer with clips whose poses are formulas, and pose blends in double precision.
#ifndef MIXER_STAGE_H
#define MIXER_STAGE_H

#include "support/exact.h"

// More than one block of nodes. The last block isn't full.
#define STAGE_NODES 21

// Two nodes have morph weights, one in each block.
#define STAGE_FACE   3
#define STAGE_TAIL   18
#define STAGE_MORPHS 3 // for each of the two

// A clip's steady motion of node n. It starts at x + n / 8 metres with the velocity vx; turned by `turned` + n / 16
// radians about its axis, and turns by `turning` per second; its scale starts at `size` and grows by `growing` per
// second; its k-th morph weight starts at smile + k / 8 and changes by `smiling` per second.
typedef struct motion {
    float duration;
    int axis; // 0, 1, 2: x, y, z
    double x, vx, turned, turning, size, growing, smile, smiling;
} motion;

// A node and one of its morph weights, in double.
typedef struct exact_node {
    exact_vec3 at;
    exact_quat turn;
    double size, smile;
} exact_node;

// The clips' motions: 2, 1 and 3 seconds long.
enum { STAGE_A, STAGE_B, STAGE_C, STAGE_D, STAGE_CLIPS };
extern const motion stage_motions[STAGE_CLIPS];

typedef struct mixer_stage {
    sinew_skeleton *skeleton; // a chain; each node is 1 m above its parent
    sinew_clip *clips[STAGE_CLIPS];
    sinew_mixer *mixer;
} mixer_stage;

int stage_set_up(void **state);
int stage_tear_down(void **state);

// The default definition for the stage's skeleton, and a replacement for the stage's mixer.
sinew_mixer_def stage_def(const mixer_stage *s);
void stage_remake(mixer_stage *s, const sinew_mixer_def *def);

sinew_clip *stage_clip(const sinew_skeleton *skeleton, const motion *m);

// ---- Expectations --------------------------------------------------------------------------------------------

// A node and its first morph weight at a time in [0, duration].
exact_node node_of_motion(const motion *m, double time, int32_t node);
exact_node node_of_clip(int clip, double time, int32_t node);
exact_node node_at_rest(int32_t node);

// The weighted mean. Rotations are summed on the side of the first, then normalized.
exact_node mean_of(const exact_node *nodes, const double *weights, int count);
exact_node mean_of_two(exact_node a, double weight_a, exact_node b, double weight_b);

// The mixer's current node.
exact_node node_shown(sinew_mixer *mixer, int32_t node);

// The largest difference in any component, and in the rotation's angle.
double gap_between(const exact_node *a, const exact_node *b);

#define check_shown(mixer, node, expected, tolerance)                                                              \
    check_shown_at(mixer, node, expected, tolerance, __FILE__, __LINE__)
void check_shown_at(sinew_mixer *mixer, int32_t node, exact_node expected, double tolerance, const char *file,
                    int line);

// ---- Shares of a pose ----------------------------------------------------------------------------------------

#define REST_POSE    (-1)
#define SHARES_CLOSE 2e-6 // a few roundings of numbers up to 10

// A pose as a mean of weighted clips at their times, or the rest pose. Entries without a weight are ignored.
typedef struct shares {
    int count;
    struct {
        int clip;
        double time, weight;
    } of[8];
} shares;

exact_node node_of_shares(const shares *all, int32_t node);

// Fails if the current pose isn't that mean.
#define check_shares(s, ...) check_shares_at(s, __VA_ARGS__, __FILE__, __LINE__)
void check_shares_at(mixer_stage *s, shares expected, const char *file, int line);

// ---- Bits ----------------------------------------------------------------------------------------------------

// Fails if two poses, or two mixers' matrices and morph weights, differ in a bit.
void check_pose_bits(const sinew_pose *a, const sinew_pose *b);
void check_mixer_bits(const mixer_stage *s, const sinew_mixer *a, const sinew_mixer *b);

#endif
