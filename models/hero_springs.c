// SPDX-License-Identifier: MIT
// hero_springs.c - the spring bones of the ponytail and the scarf, and the colliders of the head, the back and the arms. The
// clips key both chains, too, for programs without springs. Hair3 and Scarf3 are only tails, and keep the clips' rotations.
//
// The skirt stays keyed (hero_skirt.c): spring bones return to the rest pose, and its panels must follow the thighs.
#include "hero.h"
#include "spring_bones.h"

// In the spaces of the joints, whose +Y is along the bone and +Z to the front. Back is a wide capsule with its axis before the
// chest: behind, it is almost as flat as the back, so that the scarf does not slip over a shoulder.
static const spring_collider colliders[] = {
    {"Head", CENTER, {0, 0.120, 0.005}, {0, 0.120, 0.005}, 0.130},
    {"Neck", CENTER, {0, 0.000, 0.000}, {0, 0.080, 0.000}, 0.065},
    {"UpperChest", CENTER, {0, -0.140, 0.240}, {0, 0.130, 0.240}, 0.360},
    {"UpperArm", LEFT, {0, 0.030, 0}, {0, 0.220, 0}, 0.065},
    {"UpperArm", RIGHT, {0, 0.030, 0}, {0, 0.220, 0}, 0.065},
};

static const spring_group groups[] = {{"Head", 0, 2}, {"Back", 2, 3}};

static const spring_bone bones[] = {
    {"Hair", "Hair", CENTER, 3, 0.03, 1.0, 0.16, 0.16, "[0,1]"},
    {"Scarf", "Scarf", CENTER, 3, 0.015, 0.25, 0.16, 0.20, "[1]"},
};

void hero_add_springs(glb *g, const rig *r, const int *nodes) {
    static const spring_bones springs = {colliders,
                                         groups,
                                         bones,
                                         sizeof colliders / sizeof *colliders,
                                         sizeof groups / sizeof *groups,
                                         sizeof bones / sizeof *bones};
    spring_bones_add(g, &springs, r, nodes);
}
