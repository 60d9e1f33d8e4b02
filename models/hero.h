// SPDX-License-Identifier: MIT
// hero.h - the parts of the hero's source: its rig, surface parts, and poses.
#ifndef MODELS_HERO_H
#define MODELS_HERO_H

#include "body.h"

rig rig_make(void);

void hero_add_head(parts *all, const rig *r);
void hero_add_hair(parts *all, const rig *r);
void hero_add_hands(parts *all, const rig *r);
void hero_add_clothes(parts *all, const rig *r);

/// Adds the spring bones. `nodes` are those of the joints.
void hero_add_springs(glb *g, const rig *r, const int *nodes);

// ---- poses -------------------------------------------------------------------------------------

/// A pose as rotations of each joint from the rest pose, about the model's axes in the space of its parent. Zero
/// rotations are the rest pose, with any axes of the joints.
typedef struct pose {
    const rig *rig;
    quat turns[RIG_JOINTS];
    vec3 hips;     ///< the position of Hips in the space of the hero
    double facing; ///< yaw of the whole hero, radians to the left: the node above the joints
} pose;

/// The rotation of a part of the body in degrees: yaw to the left, roll lifts the left side, pitch leans forward.
typedef struct sway {
    double yaw, roll, pitch;
} sway;

pose pose_rest(const rig *r);
void pose_sway(pose *p, const char *name, sway s);
/// Distributed over the joints of the back, and over neck and head.
void pose_bend_back(pose *p, sway s);
void pose_bend_neck(pose *p, sway s);
void pose_turn(pose *p, const char *name, enum side side, quat turn);

/// The transform of a joint from the rest pose: rotation and translation.
rigid pose_carry(const pose *p, int joint);
/// A joint's frame in model space.
rigid pose_frame(const pose *p, int joint);
/// The value of a node's rotation channel.
quat pose_local_rotation(const pose *p, int joint);

/// The sole of a foot in the space of the hero: the point under the ankle of a flat foot, its yaw (toes out) and its
/// pitch (positive lifts the toes about the heel, negative lifts the heel about the ball of the foot).
typedef struct footing {
    vec3 at;
    double yaw, pitch;
    double toes; ///< bend of the toes in addition to the pitch, radians
} footing;

/// Bends a leg so that the foot reaches its footing. Returns false if the leg is too short.
bool pose_leg(pose *p, enum side side, footing foot, double knee_out);

/// The target of a hand: the frame of the grip in the space of UpperChest, and the direction of the elbow.
typedef struct reach {
    vec3 at;      ///< centre of the fist
    vec3 blade;   ///< direction of the thumb's side
    vec3 knuckle; ///< direction of the knuckles
    vec3 elbow;   ///< direction of the elbow from the shoulder
} reach;

bool pose_arm(pose *p, enum side side, reach hand);

/// Poses a relaxed arm: swing forward, lift to the side, rotation of the upper arm (positive inward), bend of
/// the elbow, roll of the forearm (positive takes the thumb inward). Degrees.
void pose_hang(pose *p, enum side side, double swing, double lift, double turn, double bend, double roll);

/// Turns both eyes (degrees, to the left and up) and closes the lids: 0 open, 1 shut.
void pose_eyes(pose *p, double yaw, double pitch, double closed);

/// Curls the fingers: 0 straight, 1 a fist around a grip.
void pose_fingers(pose *p, enum side side, double curl, double spread);
void pose_fist(pose *p, enum side side);

// ---- clips -------------------------------------------------------------------------------------

typedef struct marker {
    const char *name;
    double time;
} marker;

typedef struct clip {
    const char *name;
    void (*pose_at)(double phase, pose *p); ///< phase runs from 0 to 1
    vec3 velocity;                          ///< of the hero over the ground, metres per second
    marker markers[8];
    int marker_count;
    int frames; ///< the clip lasts frames / 30 s
    int keys;   ///< in each frame: more than one where the feet or the sword are too fast for 30 a second
    bool loops;
} clip;

enum { HERO_CLIPS = 11, FRAME_RATE = 30, WALK_FRAMES = 32, RUN_FRAMES = 22, STEP_FRAMES = 28 };
enum { JUMP_FRAMES = 38, JUMP_OFF = 13, JUMP_LAND = 27, TURN_FRAMES = 40 };

// Metres per second. The steps to the sides and backward are as fast as Walk.
#define WALK_SPEED 1.15
#define RUN_SPEED  3.1

extern const clip hero_clips[HERO_CLIPS];

void pose_idle(double phase, pose *p);
void pose_walk(double phase, pose *p);
void pose_run(double phase, pose *p);
void pose_attack(double phase, pose *p);
void pose_wave(double phase, pose *p);
void pose_jump(double phase, pose *p);
void pose_about(double phase, pose *p);
void pose_walk_back(double phase, pose *p);
void pose_strafe_left(double phase, pose *p);
void pose_strafe_right(double phase, pose *p);
void pose_hit(double phase, pose *p);

/// Poses the skirt over the thighs in `count` poses of a clip, `dt` seconds apart.
void hero_skirt(pose *frames, int count, bool loops, double dt);

/// Simulates hair and scarf through `count` poses of a clip, with the wind of moving at `velocity`.
void hero_trail(pose *frames, int count, bool loops, vec3 velocity, double dt);

/// Sets a key of a rotation, in the hemisphere of the one before.
void put_rotation(double (*rows)[4], int frame, quat q);

/// Writes the rotations of a node: no channel if it is always at the rest pose, one key if it is constant. `times` are
/// those of all keys and of one.
void write_rotation(glb *g, int count, double (*rows)[4], quat rest, int node, const int times[2]);

/// Writes all clips. `root` is the node above the joints, which has the heading of the hero; `nodes` are those of the
/// joints.
void hero_write_clips(glb *g, const rig *r, int root, const int *nodes);

#endif
